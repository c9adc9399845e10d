//! The stages of a test, and the stage in an observation.

// The commands are Unix shell scripts.
#![cfg(unix)]

use std::time::Duration;

use crate::commands::{oracle, output};
use crate::common::{Repo, sh};
use firstbad::{Error, Observation, Outcome, Stage};
use firstbad_oracle::{CommandOptions, CommandOracle, Verdict};

const FIRST: &str = "int main(void) {\n  return missing;\n}\n";
const SECOND: &str = "/* A comment. */\n\nint main(void) {\n  return missing;\n}\n";

/// Creates two commits with a program that fails to compile at different lines.
fn repo() -> (Repo, String, String) {
    let repo = Repo::new();
    repo.write("main.c", FIRST);
    let first = repo.commit("one");
    repo.write("main.c", SECOND);
    let second = repo.commit("two");
    (repo, first, second)
}

fn note(seen: &Observation) -> &str {
    seen.note.as_deref().unwrap().split(';').next().unwrap()
}

fn signed(seen: &Observation) -> (Outcome, Option<Stage>, Option<&str>) {
    (seen.outcome, seen.stage, seen.signature.as_deref())
}

/// Returns options with all stages. The stages in `failing` exit with 3.
fn staged(failing: &[Stage]) -> impl FnOnce(&mut CommandOptions) {
    let command = |stage: Stage| {
        let code = if failing.contains(&stage) { 3 } else { 0 };
        Some(sh(&format!("echo 'error: in {stage} 7'; exit {code}")))
    };
    let (setup, configure) = (command(Stage::Setup), command(Stage::Configure));
    let (build, control) = (command(Stage::Build), command(Stage::Control));
    move |options| {
        (options.setup, options.configure, options.build, options.control) = (setup, configure, build, control);
    }
}

#[test]
fn stages_run_in_order_in_one_worktree() {
    let (repo, first, _) = repo();
    let oracle = oracle(&repo, "echo test >> made; cat made; exit 1", |options| {
        options.control = Some(sh("echo control >> made; cat made"));
        options.build = Some(sh("printf 'build\n' | tee -a made"));
        options.configure = Some(sh("echo configure >> made"));
        options.setup = Some(sh("echo setup >> made"));
    });
    let seen = oracle.run(&first).unwrap();
    let expected = "==> setup: sh -c echo setup >> made
==> configure: sh -c echo configure >> made
==> build: sh -c printf 'build\n' | tee -a made
build
==> test: sh -c echo test >> made; cat made; exit 1
setup
configure
build
test
==> control: sh -c echo control >> made; cat made
setup
configure
build
test
control
";
    assert_eq!(output(&seen), expected);
    assert_eq!((signed(&seen), note(&seen)), ((Outcome::Fail, Some(Stage::Test), None), "exit code 1"));
}

#[test]
fn a_failed_stage_ends_the_test() {
    let (repo, first, _) = repo();
    for stage in [Stage::Setup, Stage::Configure, Stage::Build] {
        let seen = oracle(&repo, "exit 1", staged(&[stage])).run(&first).unwrap();
        let signature = format!("exit code 3: error: in {stage} #");
        assert_eq!(signed(&seen), (Outcome::Unresolved, Some(stage), Some(&*signature)));
        assert_eq!(note(&seen), format!("{stage} failed: exit code 3"));
        assert_eq!((seen.seconds, seen.memory, seen.ran), (None, None, true));
        assert!(output(&seen).ends_with(&format!("error: in {stage} 7\n")), "{}", output(&seen));
    }
    let seen = oracle(&repo, "exit 0", staged(&[])).run(&first).unwrap();
    assert_eq!(signed(&seen), (Outcome::Pass, None, None));
}

#[test]
fn a_timeout_is_reported_at_its_stage() {
    let (repo, first, _) = repo();
    // The test and the stages have separate limits. The wrong one would be noticed, because it is very long.
    let (short, long) = (Some(Duration::from_millis(100)), Some(Duration::from_secs(600)));
    let seen = oracle(&repo, "exit 0", |options| {
        (options.timeout, options.stage_timeout) = (long, short);
        options.build = Some(sh("echo error: slow; sleep 300"));
    });
    let seen = seen.run(&first).unwrap();
    assert_eq!(signed(&seen), (Outcome::Unresolved, Some(Stage::Build), Some("timeout")));
    assert_eq!(note(&seen), "build failed: still running after 0.1 s");
    let late = oracle(&repo, "echo error: slow; sleep 300", |options| {
        (options.timeout, options.stage_timeout) = (short, long);
    });
    let seen = late.run(&first).unwrap();
    assert_eq!(signed(&seen), (Outcome::Unresolved, Some(Stage::Test), Some("timeout")));
    let failing = oracle(&repo, "exit 1", |options| {
        (options.timeout, options.stage_timeout) = (long, short);
        options.control = Some(sh("sleep 300"));
    });
    let seen = failing.run(&first).unwrap();
    assert_eq!(signed(&seen), (Outcome::Unresolved, Some(Stage::Control), Some("timeout")));
}

#[test]
fn a_failure_counts_only_if_the_control_passes() {
    let (repo, first, _) = repo();
    let seen = oracle(&repo, "exit 1", staged(&[Stage::Control])).run(&first).unwrap();
    assert_eq!(signed(&seen), (Outcome::Unresolved, Some(Stage::Control), Some("exit code 3: error: in control #")));
    let log = seen.output.clone().unwrap();
    assert_eq!(seen.note, Some(format!("control failed: exit code 3; output in {log}")));
    assert!(output(&seen).ends_with("error: in control 7\n") && seen.seconds.is_some());
    // The control runs only after a failure.
    for (script, outcome) in [("exit 0", Outcome::Pass), ("exit 125", Outcome::Unresolved)] {
        let seen = oracle(&repo, script, staged(&[Stage::Control])).run(&first).unwrap();
        assert_eq!((seen.outcome, output(&seen).contains("control")), (outcome, false));
    }
}

/// In searches that compare failures, a pass with a patch also reports a failed control.
#[test]
fn a_pass_with_a_patch_reports_a_failed_control() {
    let (repo, first, second) = repo();
    let patch = repo.open().diff(&first, &second).unwrap();
    let controlled = oracle(&repo, "exit 0", staged(&[Stage::Control]));
    let run = |patch: Option<&[u8]>| controlled.run_with_signature(&first, patch, &mut || true).unwrap();
    let (hollow, bare) = (run(Some(&patch)), run(None));
    assert_eq!((hollow.outcome, hollow.stage), (Outcome::Pass, bare.stage));
    let said = "unresolved (stage control, signature \"exit code 3: error: in control #\")";
    assert_eq!((hollow.signals, bare.signals), (Some(serde_json::json!({ "control": said })), None));
    // Other searches do not run the control, and a passing control adds nothing.
    let plain = controlled.run_patched(&first, &patch).unwrap();
    assert!(plain.outcome == Outcome::Pass && plain.signals.is_none() && !output(&plain).contains("control"));
    let sound = oracle(&repo, "exit 0", |options| options.control = Some(sh("exit 0")));
    assert_eq!(sound.run_with_signature(&first, Some(&patch), &mut || true).unwrap().signals, None);
}

#[test]
fn a_pass_requires_the_pass_pattern() {
    let (repo, first, _) = repo();
    let seen = |script: &str| {
        let oracle = oracle(&repo, script, |options| {
            options.pass_pattern = Some(r"^all \d+ passed$".into());
            options.setup = Some(sh("echo all 5 passed"));
        });
        oracle.run(&first).unwrap()
    };
    assert_eq!(signed(&seen("echo all 12 passed")), (Outcome::Pass, None, None));
    let unproven = seen("echo Error: all 12 passed but one");
    let why = r#"exit code 0, but the output has no match of "^all \\d+ passed$""#;
    assert_eq!(signed(&unproven), (Outcome::Unresolved, Some(Stage::Test), Some(why)));
    assert_eq!(note(&unproven), why);
    assert_eq!(seen("echo all 12 passed; exit 1").outcome, Outcome::Fail);
}

#[test]
fn failures_have_signatures_only_on_request() {
    let (repo, first, second) = repo();
    let compile = |options: &mut CommandOptions| options.env = vec![("LC_ALL".into(), "C".into())];
    let test = "cc -c \"$PWD/main.c\" || exit 9";
    let plain = oracle(&repo, test, compile);
    assert_eq!(signed(&plain.run(&first).unwrap()), (Outcome::Fail, Some(Stage::Test), None));
    let asked = plain.run_with_signature(&first, None, &mut || true).unwrap();
    let signature = asked.signature.clone().unwrap();
    assert!(signature.starts_with("exit code 9: main.c:#:#: error: ") && signature.contains("missing"), "{signature}");
    assert_eq!(plain.run_with_signature(&second, None, &mut || true).unwrap().signature, asked.signature);
    let patch = repo.open().diff(&first, &second).unwrap();
    let patched = plain.run_with_signature(&first, Some(&patch), &mut || true).unwrap();
    assert_eq!((patched.signature, patched.ran), (asked.signature, true));
    assert_eq!(plain.run_patched(&first, &patch).unwrap().signature, None);

    let always = oracle(&repo, test, |options| {
        compile(options);
        options.distinguish_failures = true;
    });
    for seen in [always.run(&second).unwrap(), always.run_patched(&first, &patch).unwrap()] {
        assert_eq!(seen.signature.as_deref(), Some(&*signature));
    }
    let chosen = oracle(&repo, "echo total is 17; exit 1", |options| {
        (options.distinguish_failures, options.fail_pattern) = (true, Some(r"total is (\d+)".into()));
    });
    assert_eq!(chosen.run(&first).unwrap().signature.as_deref(), Some("exit code 1: 17"));
    let killed = oracle(&repo, "kill -9 $$", |options| options.on_signal = Verdict::Unresolved);
    assert_eq!(killed.run(&first).unwrap().signature.as_deref(), Some("killed by signal 9"));
    assert_eq!(
        oracle(&repo, "exit 0", |options| options.distinguish_failures = true).run(&first).unwrap().signature,
        None
    );
}

#[test]
fn a_patch_that_does_not_apply_is_unresolved_at_the_patch_stage() {
    let (repo, first, second) = repo();
    let plain = oracle(&repo, "exit 0", |_| {});
    let patch = repo.open().diff(&second, &first).unwrap();
    let seen = plain.run_patched(&first, &patch).unwrap();
    assert_eq!((seen.outcome, seen.stage, seen.ran), (Outcome::Unresolved, Some(Stage::Patch), false));
    let signature = seen.signature.unwrap();
    assert!(signature.starts_with("the patch does not apply to main.c (hunk #)"), "{signature}");

    let fixup = b"--- a/main.c\n+++ b/main.c\n@@ -1 +1 @@\n-nowhere\n+here\n".to_vec();
    let seen = oracle(&repo, "exit 0", |options| options.apply_patches = vec![fixup]).run(&first).unwrap();
    assert_eq!((seen.outcome, seen.stage), (Outcome::Unresolved, Some(Stage::Patch)));
    let signature = seen.signature.unwrap();
    assert!(signature.starts_with("fix-up # of #: the patch does not apply to main.c"), "{signature}");
}

#[test]
fn an_unavailable_submodule_is_unresolved_at_the_setup() {
    let (repo, first, _) = repo();
    repo.write(".gitmodules", "[submodule \"s\"]\n\tpath = s\n\turl = ../nowhere-at-all\n");
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{first},s")]);
    repo.git(&["add", ".gitmodules"]);
    repo.git(&["commit", "-qm", "three"]);
    let seen = oracle(&repo, "exit 0", |options| options.submodules = true).run("HEAD").unwrap();
    assert_eq!((seen.outcome, seen.stage), (Outcome::Unresolved, Some(Stage::Setup)));
    assert!(seen.signature.unwrap().starts_with("cannot fill the submodule s"), "{:?}", seen.note);
}

#[test]
fn a_worktree_is_new_until_its_first_stage_passes() {
    let (repo, first, second) = repo();
    let script = "echo new $FIRSTBAD_NEW_WORKTREE; grep -q comment main.c";
    let oracle = oracle(&repo, "exit 1", |options| {
        options.configure = Some(sh(script));
        options.build = Some(sh("exit 1"));
    });
    let seen: Vec<String> = [&first, &second, &second].map(|sha| output(&oracle.run(sha).unwrap())).into();
    for (text, new) in seen.iter().zip([1, 1, 0]) {
        assert!(text.contains(&format!("\nnew {new}\n")), "{text}");
    }
}

#[test]
fn the_memory_is_that_of_the_largest_process() {
    let (repo, first, _) = repo();
    // A child of the test uses the memory.
    let script = "(x=$(head -c 100000000 /dev/zero | tr '\\0' a); echo ${#x}); true";
    let seen = oracle(&repo, script, |_| {}).run(&first).unwrap();
    let bytes = seen.memory.unwrap();
    assert!((100_000_000..1_000_000_000).contains(&bytes), "{bytes}");
}

#[test]
fn invalid_stages_are_rejected_by_name() {
    let (repo, first, _) = repo();
    let refused = |change: fn(&mut CommandOptions)| {
        let mut options = repo.options();
        change(&mut options);
        match CommandOracle::new(&repo.open(), sh("exit 1"), options).unwrap_err() {
            Error::InvalidArgument { argument, .. } => argument,
            other => panic!("{other}"),
        }
    };
    assert_eq!(refused(|options| options.setup = Some(vec![])), "setup");
    assert_eq!(refused(|options| options.configure = Some(vec![])), "configure");
    assert_eq!(refused(|options| options.build = Some(vec![String::new()])), "build");
    assert_eq!(refused(|options| options.control = Some(vec![])), "control");
    assert_eq!(refused(|options| options.pass_pattern = Some("(".into())), "pass_pattern");
    assert_eq!(refused(|options| options.fail_pattern = Some("(".into())), "fail_pattern");

    let missing = vec!["no-such-program-anywhere".to_owned()];
    let changes: [fn(&mut CommandOptions, Vec<String>); 3] = [
        |options, missing| options.configure = Some(missing),
        |options, missing| options.build = Some(missing),
        |options, missing| options.control = Some(missing),
    ];
    for change in changes {
        let error = oracle(&repo, "exit 1", |options| change(options, missing.clone())).run(&first).unwrap_err();
        assert!(
            matches!(&error, Error::CommandNotFound { command, code: 127, .. } if command == "no-such-program-anywhere"),
            "{error}"
        );
    }
}
