//! Environments are created once for each version of the lock files, shared, limited in number, and never modified by a revision.

// The commands are Unix shell scripts.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Barrier;
use std::time::Duration;

use crate::commands::oracle_with;
use crate::common::{Repo, kill, lives, sh, soon};
use firstbad::{Error, Observation, Outcome, Stage};
use firstbad_oracle::{CommandOptions, CommandOracle, CopyFiles, Environment, Verdict};

/// Creates a repository with four commits. The third one changes the lock file.
fn repo() -> (Repo, Vec<String>) {
    let repo = Repo::new();
    let mut shas = Vec::new();
    for (number, lock) in ["one", "one", "two", "two"].into_iter().enumerate() {
        repo.write("lock", lock);
        repo.write("number", &number.to_string());
        repo.write(".gitignore", "modules/\n*.o\n");
        shas.push(repo.commit(&number.to_string()));
    }
    (repo, shas)
}

/// Counts the lines that a command has written to a file next to the repository.
fn count(repo: &Repo, name: &str) -> usize {
    std::fs::read_to_string(repo.temp.join(name)).unwrap_or_default().lines().count()
}

fn environment(repo: &Repo, script: &str) -> Environment {
    let counter = repo.temp.join("made");
    Environment {
        files: vec!["lock".to_owned()],
        command: sh(&format!("echo made >> '{}'; {script}", counter.display())),
        link: Vec::new(),
        version: None,
    }
}

fn options(repo: &Repo, environment: Environment) -> CommandOptions {
    let environments = Some(repo.temp.join("environments"));
    CommandOptions { environment: Some(environment), environments, ..repo.options() }
}

/// Returns the folders of all environments, ready or not.
fn kept(repo: &Repo) -> Vec<PathBuf> {
    let above = std::fs::read_dir(repo.temp.join("environments")).into_iter().flatten();
    let entries = above.flat_map(|entry| std::fs::read_dir(entry.unwrap().path()).unwrap());
    entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect()
}

fn outcome(seen: &Observation) -> (Outcome, Option<Stage>, String) {
    (seen.outcome, seen.stage, seen.note.clone().unwrap().split("; output in").next().unwrap().to_owned())
}

fn printed(seen: &Observation) -> String {
    std::fs::read_to_string(seen.output.as_ref().unwrap()).unwrap()
}

const COPY: &str = r#"cp lock "$FIRSTBAD_ENVIRONMENT/copy""#;

#[test]
fn an_environment_is_created_once_per_lock_file_contents() {
    let (repo, shas) = repo();
    let test = r#"[ "$(cat "$FIRSTBAD_ENVIRONMENT/copy")" = "$(cat lock)" ]"#;
    for _ in 0..2 {
        let oracle = oracle_with(&repo, test, options(&repo, environment(&repo, COPY)));
        for sha in &shas {
            let seen = oracle.run(sha).unwrap();
            assert_eq!(seen.outcome, Outcome::Pass, "{}", printed(&seen));
        }
        oracle.close().unwrap();
        assert_eq!((count(&repo, "made"), kept(&repo).len()), (2, 2));
    }
    // Without an environment, the test does not inherit that of another oracle.
    let plain = oracle_with(&repo, r#"[ -z "${FIRSTBAD_ENVIRONMENT+set}" ]"#, repo.options());
    assert_eq!(plain.run(&shas[0]).unwrap().outcome, Outcome::Pass);
}

#[test]
fn an_environment_depends_on_files_patches_command_tools_and_variables() {
    let (repo, shas) = repo();
    let base = options(&repo, environment(&repo, COPY));
    let made = |change: &dyn Fn(&mut CommandOptions)| {
        let before = count(&repo, "made");
        let mut options = base.clone();
        change(&mut options);
        let seen = oracle_with(&repo, "true", options).run(&shas[0]).unwrap();
        assert_eq!(seen.outcome, Outcome::Pass, "{seen:?}");
        count(&repo, "made") - before
    };
    assert_eq!(made(&|_| {}), 1);
    assert_eq!(made(&|options| options.timeout = Some(Duration::from_secs(60))), 0);
    assert_eq!(made(&|options| options.env = vec![("A".into(), "b".into())]), 1);
    assert_eq!(made(&|options| options.environment.as_mut().unwrap().version = Some(sh("echo 3.11"))), 1);
    assert_eq!(made(&|options| options.environment.as_mut().unwrap().version = Some(sh("echo 3.12"))), 1);
    assert_eq!(made(&|options| options.environment.as_mut().unwrap().version = Some(sh("echo 3.11"))), 0);
    assert_eq!(made(&|options| options.environment.as_mut().unwrap().files.push("nu*".into())), 1);
    assert_eq!(made(&|options| options.environment.as_mut().unwrap().files.push("no-such-folder/".into())), 1);
    let fixup = b"--- a/lock\n+++ b/lock\n@@ -1 +1 @@\n-one\n\\ No newline at end of file\n+three\n".to_vec();
    assert_eq!(made(&|options| options.apply_patches = vec![fixup.clone()]), 1);
    // A patch that does not change the lock file does not change the environment.
    let other = b"--- a/number\n+++ b/number\n@@ -1 +1 @@\n-0\n\\ No newline at end of file\n+9\n";
    let oracle = oracle_with(&repo, "grep 9 number", base);
    assert_eq!(oracle.run_patched(&shas[0], other).unwrap().outcome, Outcome::Pass);
    assert_eq!(oracle.run_patched(&shas[0], &fixup).unwrap().outcome, Outcome::Fail);
    assert_eq!(count(&repo, "made"), 7);
}

/// The patterns match no file, and the command creates an environment without them.
#[test]
fn a_revision_without_lock_files_gets_an_environment() {
    let (repo, shas) = repo();
    let mut described = environment(&repo, COPY);
    described.files = vec!["none-*.lock".to_owned()];
    let oracle = oracle_with(&repo, "true", options(&repo, described));
    for sha in &shas {
        assert_eq!(oracle.run(sha).unwrap().outcome, Outcome::Pass);
    }
    assert_eq!(count(&repo, "made"), 1);
}

#[test]
fn jobs_wait_for_a_shared_environment() {
    let (repo, shas) = repo();
    let slow = format!("sleep 0.2; {COPY}");
    // Like two processes, two oracles share only locks.
    let oracles = [(); 2].map(|()| oracle_with(&repo, "true", options(&repo, environment(&repo, &slow))));
    let barrier = Barrier::new(4);
    std::thread::scope(|scope| {
        for (number, sha) in [(0, &shas[0]), (0, &shas[1]), (1, &shas[0]), (1, &shas[1])] {
            let (oracle, barrier) = (&oracles[number], &barrier);
            scope.spawn(move || {
                barrier.wait();
                assert_eq!(oracle.run(sha).unwrap().outcome, Outcome::Pass);
            });
        }
    });
    assert_eq!(count(&repo, "made"), 1);
}

#[test]
fn a_failed_environment_is_removed_and_tried_again() {
    let (repo, shas) = repo();
    let broken = environment(&repo, r#"touch "$FIRSTBAD_ENVIRONMENT/half"; echo 'error: no network' >&2; exit 3"#);
    let mut given = options(&repo, broken.clone());
    let failing = oracle_with(&repo, "true", given.clone());
    for runs in 1..=2 {
        let seen = failing.run(&shas[0]).unwrap();
        let words = "environment failed: exit code 3".to_owned();
        assert_eq!(outcome(&seen), (Outcome::Unresolved, Some(Stage::Setup), words));
        assert_eq!(seen.signature.as_deref(), Some("exit code 3: error: no network"));
        assert!(printed(&seen).starts_with("==> environment: sh -c echo made"), "{}", printed(&seen));
        assert_eq!((count(&repo, "made"), kept(&repo).len(), seen.seconds), (runs, 0, None));
    }
    given.exit_codes.insert(3, Verdict::Retry);
    assert!(matches!(oracle_with(&repo, "true", given).run(&shas[0]), Err(Error::Retry { .. })));

    let mut given = options(&repo, environment(&repo, "sleep 60"));
    given.stage_timeout = Some(Duration::from_millis(100));
    let seen = oracle_with(&repo, "true", given).run(&shas[0]).unwrap();
    let words = "environment failed: still running after 0.1 s".to_owned();
    assert_eq!(outcome(&seen), (Outcome::Unresolved, Some(Stage::Setup), words));

    let absent = Environment { command: vec!["no-such-installer".to_owned()], ..broken.clone() };
    let ended = oracle_with(&repo, "true", options(&repo, absent)).run(&shas[0]);
    assert!(matches!(ended, Err(Error::CommandNotFound { code: 127, .. })), "{ended:?}");

    let unknown = Environment { version: Some(sh("echo 'error: which?'; exit 1")), ..broken };
    let seen = oracle_with(&repo, "true", options(&repo, unknown)).run(&shas[0]).unwrap();
    let words = "environment's version failed: exit code 1".to_owned();
    assert_eq!(outcome(&seen), (Outcome::Unresolved, Some(Stage::Setup), words));
    assert_eq!(kept(&repo).len(), 0);
}

#[test]
fn waiting_for_an_environment_is_interruptible_and_limited() {
    let (repo, shas) = repo();
    let path = repo.temp.join("go");
    let wait = format!("until [ -e '{}' ]; do sleep 0.01; done", path.display());
    let maker = oracle_with(&repo, "true", options(&repo, environment(&repo, &wait)));
    let mut given = options(&repo, environment(&repo, &wait));
    std::thread::scope(|scope| {
        let made = scope.spawn(|| maker.run(&shas[0]));
        soon(|| count(&repo, "made") == 1);
        let waiting = oracle_with(&repo, "true", given.clone());
        assert_eq!(waiting.run_until(&shas[0], &mut || false), Err(Error::Interrupted));
        given.stage_timeout = Some(Duration::from_millis(100));
        let seen = oracle_with(&repo, "true", given.clone()).run(&shas[0]).unwrap();
        let words = "environment: another run is still creating the environment after 0.1 s".to_owned();
        assert_eq!(outcome(&seen), (Outcome::Unresolved, Some(Stage::Setup), words));
        std::fs::write(&path, "").unwrap();
        assert_eq!(made.join().unwrap().unwrap().outcome, Outcome::Pass);
    });
    // The run was interrupted while it created the environment.
    let (repo, shas) = self::repo();
    let oracle = oracle_with(&repo, "true", options(&repo, environment(&repo, "sleep 60")));
    std::thread::scope(|scope| {
        let made = scope.spawn(|| oracle.run(&shas[0]));
        soon(|| count(&repo, "made") == 1);
        oracle.interrupt();
        assert_eq!(made.join().unwrap(), Err(Error::Interrupted));
    });
    assert_eq!(kept(&repo).len(), 0);
}

/// The files are linked, moved into the environment, and removed before the next revision.
#[test]
fn what_is_left_in_the_work_tree_is_moved_and_linked() {
    for keep_build in [false, true] {
        let (repo, shas) = repo();
        let install = "mkdir -p modules/.bin sub/deep; cp lock modules/name; cp lock sub/deep/name; touch left.txt; \
                       echo changed > number";
        let described = Environment {
            link: ["modules", "sub/deep", "absent"].map(str::to_owned).to_vec(),
            ..environment(&repo, install)
        };
        let given = CommandOptions { keep_build, ..options(&repo, described) };
        let test = "cat modules/name sub/deep/name; [ -L modules ] && [ -L sub/deep ] && [ ! -e left.txt ] \
                    && [ ! -L absent ] && [ ! -e modules/stale ] && [ -z \"$(git status --porcelain)\" ] \
                    && [ \"$(cat number)\" != changed ] && rm modules && mkdir modules && touch modules/stale";
        let oracle = oracle_with(&repo, test, given);
        for round in 0..2 {
            for (sha, lock) in shas.iter().zip(["one", "one", "two", "two"]) {
                let seen = oracle.run(sha).unwrap();
                assert_eq!(seen.outcome, Outcome::Pass, "{round}: {}", printed(&seen));
                assert!(printed(&seen).ends_with(&format!("{lock}{lock}")), "{}", printed(&seen));
            }
        }
        assert_eq!((count(&repo, "made"), kept(&repo).len()), (2, 2), "{keep_build:?}");
    }
}

/// Revisions have a folder, a link, or a file at the path of a link or at a parent path.
#[test]
fn copied_files_exist_with_new_and_old_environments() {
    let (repo, shas) = repo();
    repo.write("checks/new.sh", "test -e number");
    for (number, copy_files) in
        [CopyFiles::Auto, CopyFiles::Paths(vec!["checks/new.sh".to_owned()])].into_iter().enumerate()
    {
        // The command that creates the environment can change the worktree.
        let environment = environment(&repo, &format!("{COPY}; rm -r checks; : {number}"));
        let options = CommandOptions { copy_files, ..options(&repo, environment) };
        let oracle =
            CommandOracle::new(&repo.open(), vec!["sh".to_owned(), "checks/new.sh".to_owned()], options).unwrap();
        let before = count(&repo, "made");
        for sha in &shas {
            let seen = oracle.run(sha).unwrap();
            assert_eq!(seen.outcome, Outcome::Pass, "{}", printed(&seen));
        }
        oracle.close().unwrap();
        assert_eq!(count(&repo, "made") - before, 2);
    }
}

#[test]
fn environments_do_not_replace_files_or_follow_links_of_a_revision() {
    let (repo, shas) = repo();
    let outside = repo.temp.join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("mine"), "mine").unwrap();
    let link = |at: &str, to: &Path| {
        let _ = std::fs::remove_dir_all(repo.path.join(at));
        std::os::unix::fs::symlink(to, repo.path.join(at)).unwrap();
    };
    let own = |prepare: &dyn Fn()| {
        repo.git(&["checkout", "-q", "--detach", &shas[0]]);
        prepare();
        repo.git(&["add", "-A", "-f"]);
        let sha = repo.commit("own");
        repo.git(&["checkout", "-q", "-f", "main"]);
        sha
    };
    let folder = own(&|| repo.write("modules/own", "own"));
    let linked = own(&|| link("modules", &outside));
    let above = own(&|| link("sub", &outside));
    let file = own(&|| repo.write("sub", "a file"));
    let lock = own(&|| {
        std::fs::remove_file(repo.path.join("lock")).unwrap();
        link("lock", &outside.join("mine"));
    });
    let install = "mkdir -p modules; echo installed > modules/name; mkdir -p sub/deep 2>/dev/null && echo x > sub/deep/name; true";
    for keep_build in [false, true] {
        let described = Environment { link: vec!["modules".into(), "sub/deep".into()], ..environment(&repo, install) };
        let oracle = oracle_with(&repo, "true", CommandOptions { keep_build, ..options(&repo, described) });
        let said = |sha: &str, words: &str| {
            // Another revision runs first, so its links are at paths where this revision has files.
            assert_eq!(oracle.run(&shas[0]).unwrap().outcome, Outcome::Pass);
            let seen = oracle.run(sha).unwrap();
            let (outcome, stage, note) = outcome(&seen);
            assert_eq!((outcome, stage), (Outcome::Unresolved, Some(Stage::Setup)), "{note}");
            assert!(note.contains(words), "{note}");
        };
        said(&folder, "the revision has modules/own, so firstbad cannot link it");
        said(&linked, "the revision has modules, so firstbad cannot link it");
        said(&above, "nothing can be linked at sub/deep");
        said(&file, "nothing can be linked at sub/deep");
        said(&lock, "lock is a symbolic link");
        for folder in kept(&repo) {
            assert_eq!(std::fs::read_to_string(folder.join("modules/name")).unwrap(), "installed\n");
            assert!(!folder.join("modules/own").exists());
        }
    }
    let left: Vec<_> = std::fs::read_dir(&outside).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| name == "mine" || name == "deep"), "{left:?}");
    assert_eq!(std::fs::read_to_string(outside.join("mine")).unwrap(), "mine");
}

/// At the next run, the worktree would contain another revision.
#[test]
fn an_environment_that_refers_to_its_worktree_is_rejected() {
    let (repo, shas) = repo();
    repo.write("vendor/part/setup.py", "");
    let vendored = repo.commit("vendored");
    let packages = "p=\"$FIRSTBAD_ENVIRONMENT/lib/python3/site-packages\"; mkdir -p \"$p/x.dist-info\"; ";
    let direct = |path: &str| {
        format!("{packages} echo '{{\"url\": \"file://'$PWD'{path}\"}}' > \"$p/x.dist-info/direct_url.json\"")
    };
    let refused = |script: &str, files: &[&str]| {
        let mut described = Environment { link: vec!["modules".into()], ..environment(&repo, script) };
        described.files.extend(files.iter().map(|&file| file.to_owned()));
        let seen = oracle_with(&repo, "true", options(&repo, described)).run(&vendored).unwrap();
        if seen.outcome == Outcome::Pass {
            return None;
        }
        let (_, stage, note) = outcome(&seen);
        assert_eq!(stage, Some(Stage::Setup));
        let (_, rest) = note.split_once("refers to the worktree in which it was created (").expect(&note);
        Some(rest.split(')').next().unwrap().to_owned())
    };
    let some = |path: &str| Some(path.to_owned());
    assert_eq!(refused("mkdir modules; ln -s ../vendor/part modules/part", &[]), some("modules/part"));
    assert_eq!(refused("mkdir -p modules/@a; ln -s ../../vendor/part modules/@a/part", &[]), some("modules/@a/part"));
    assert_eq!(refused("mkdir -p modules/.bin modules/b; ln -s ../b/run modules/.bin/run", &[]), None);
    assert_eq!(refused("mkdir -p modules/@a; ln -s ../b modules/@a/b; ln -s /usr modules/usr", &[]), None);
    let editable = format!("{packages} echo $PWD > \"$p/__editable__.x.pth\"");
    assert_eq!(refused(&editable, &[]), some("lib/python3/site-packages/__editable__.x.pth"));
    assert_eq!(refused(&direct(""), &[]), some("lib/python3/site-packages/x.dist-info"));
    assert_eq!(refused(&direct(""), &["vendor"]), some("lib/python3/site-packages/x.dist-info"));
    assert_eq!(refused(&direct("/vendor/part"), &[]), some("lib/python3/site-packages/x.dist-info"));
    assert_eq!(refused(&direct("/vendor/part"), &["vendor"]), None);
    assert_eq!(refused(&format!("{packages} echo import _virtualenv > \"$p/x.pth\""), &[]), None);
    assert_eq!(shas.len(), 4);
}

#[test]
fn programs_of_the_environment_come_first_in_all_stages() {
    let (repo, shas) = repo();
    let install = r#"
        [ -z "$(cat)" ] && [ -d "$FIRSTBAD_ENVIRONMENT" ] && ! command -v probe && [ -z "$VIRTUAL_ENV" ] || exit 9
        mkdir -p "$FIRSTBAD_ENVIRONMENT/bin" node_modules/.bin
        touch "$FIRSTBAD_ENVIRONMENT/pyvenv.cfg"
        printf '#!/bin/sh\necho probe\n' > "$FIRSTBAD_ENVIRONMENT/bin/probe"
        printf '#!/bin/sh\necho other\n' > node_modules/.bin/other
        chmod +x "$FIRSTBAD_ENVIRONMENT/bin/probe" node_modules/.bin/other"#;
    let described = Environment { link: vec!["node_modules".into()], ..environment(&repo, install) };
    let path = format!("{}:/first/of/mine", std::env::var("PATH").unwrap());
    let given = CommandOptions {
        setup: Some(vec!["other".to_owned()]),
        env: vec![("PATH".to_owned(), path), ("VIRTUAL_ENV".to_owned(), String::new())],
        ..options(&repo, described)
    };
    let oracle = CommandOracle::new(&repo.open(), vec!["probe".to_owned()], given.clone()).unwrap();
    let seen = oracle.run(&shas[0]).unwrap();
    assert!(printed(&seen).ends_with("==> setup: other\nother\n==> test: probe\nprobe\n"), "{}", printed(&seen));
    let test = r#"echo "$PATH" | grep -q "^$FIRSTBAD_ENVIRONMENT/bin:.*:/first/of/mine$" && [ "$VIRTUAL_ENV" = "$FIRSTBAD_ENVIRONMENT" ]"#;
    let oracle = CommandOracle::new(&repo.open(), sh(test), given).unwrap();
    assert_eq!(oracle.run(&shas[1]).unwrap().outcome, Outcome::Pass);
    assert_eq!(count(&repo, "made"), 1);
}

/// The least recently used environment is removed first. Environments in use stay.
#[test]
fn at_most_sixteen_environments_are_kept() {
    let repo = Repo::new();
    let shas: Vec<String> = (0..19)
        .map(|number| {
            repo.write("lock", &number.to_string());
            repo.commit(&number.to_string())
        })
        .collect();
    let go = repo.temp.join("go");
    let described = environment(&repo, COPY);
    let held = format!(
        "touch '{0}.on'; until [ -e '{0}' ]; do sleep 0.01; done; cat \"$FIRSTBAD_ENVIRONMENT/copy\"",
        go.display()
    );
    // The timeout ends the command if this test fails.
    let limited = CommandOptions { timeout: Some(Duration::from_secs(60)), ..options(&repo, described.clone()) };
    let holder = oracle_with(&repo, &held, limited);
    let oracle = oracle_with(&repo, "true", options(&repo, described));
    std::thread::scope(|scope| {
        let first = scope.spawn(|| holder.run(&shas[0]).unwrap());
        soon(|| repo.temp.join("go.on").exists());
        for sha in &shas[1..] {
            assert_eq!(oracle.run(sha).unwrap().outcome, Outcome::Pass);
            // Keeps the second environment in use.
            assert_eq!(oracle.run(&shas[1]).unwrap().outcome, Outcome::Pass);
        }
        assert_eq!(kept(&repo).len(), 17);
        std::fs::write(&go, "").unwrap();
        assert_eq!(first.join().unwrap().outcome, Outcome::Pass);
    });
    let made = count(&repo, "made");
    oracle.run(&shas[1]).unwrap();
    assert_eq!(count(&repo, "made"), made);
    oracle.run(&shas[2]).unwrap();
    assert_eq!((count(&repo, "made"), kept(&repo).len()), (made + 1, 16));
}

/// Starts this test program as a process that creates an environment and is killed.
fn maker(repo: &Repo) -> Child {
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new(program);
    command.args(["--exact", "environments::killed_by_another_test", "--ignored", "--nocapture"]);
    command.env("REPO", &repo.path).env("TEMP", repo.temp.path()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Returns options for an environment whose creation never ends.
fn endless(temp: &Path) -> CommandOptions {
    let script = format!(
        "echo made >> '{0}/made'; echo $$ > '{0}/pid'; [ -e '{0}/quick' ] && exit 0; touch \"$FIRSTBAD_ENVIRONMENT/half\"; \
         trap '' TERM; while true; do sleep 0.01; done",
        temp.display()
    );
    let environment =
        Environment { files: vec!["lock".to_owned()], command: sh(&script), link: Vec::new(), version: None };
    CommandOptions {
        environment: Some(environment),
        environments: Some(temp.join("environments")),
        worktrees: Some(temp.join("trees")),
        output_dir: Some(temp.join("output")),
        ..CommandOptions::default()
    }
}

#[test]
#[ignore = "run by a test below, as a process of its own"]
fn killed_by_another_test() {
    let [repo, temp] = ["REPO", "TEMP"].map(|name| PathBuf::from(std::env::var_os(name).unwrap()));
    let repository = firstbad_git::Repository::open(&repo).unwrap();
    let oracle = CommandOracle::new(&repository, sh("true"), endless(&temp)).unwrap();
    let _ = oracle.run("HEAD");
}

#[test]
fn an_incomplete_environment_of_a_killed_process_is_recreated() {
    let (repo, _) = repo();
    let mut process = maker(&repo);
    let pid = repo.temp.join("pid");
    soon(|| std::fs::read_to_string(&pid).is_ok_and(|pid| pid.ends_with('\n')));
    let command = std::fs::read_to_string(&pid).unwrap();
    soon(|| kept(&repo).first().is_some_and(|folder| folder.join("half").exists()));
    kill(process.id(), "KILL");
    process.wait().unwrap();
    std::fs::write(repo.temp.join("quick"), "").unwrap();
    // While the command is alive, it still writes to the folder, so no other process may start. Another folder for worktrees
    // prevents the cleanup from ending the command.
    let given = CommandOptions { worktrees: Some(repo.temp.join("others")), ..endless(repo.temp.path()) };
    let oracle = oracle_with(&repo, r#"[ ! -e "$FIRSTBAD_ENVIRONMENT/half" ]"#, given);
    assert_eq!(oracle.run("HEAD").unwrap().outcome, Outcome::Pass);
    assert!(!lives(&command));
    assert_eq!((count(&repo, "made"), kept(&repo).len()), (2, 1));
}

#[test]
fn invalid_environments_are_rejected_immediately() {
    let (repo, _) = repo();
    let refused = |change: &dyn Fn(&mut CommandOptions)| {
        let mut given = options(&repo, environment(&repo, "true"));
        change(&mut given);
        CommandOracle::new(&repo.open(), sh("true"), given).unwrap_err().to_string()
    };
    let words = refused(&|options| options.environment.as_mut().unwrap().files = vec!["../lock".into()]);
    assert!(words.starts_with(r#"environment.files: "../lock" is not valid; expected paths from"#), "{words}");
    let words = refused(&|options| options.environments = Some(repo.path.join("inside")));
    assert!(words.starts_with("environments: "), "{words}");
}
