//! Numbers measured at revisions.

// The measured programs are Unix shell scripts.
#![cfg(unix)]

use std::time::Duration;

use crate::common::{Repo, sh};
use firstbad::{Error, KeepBuilds, Observation, Outcome, Stage};
use firstbad_oracle::{CommandOptions, MeasureOptions, MeasureOracle, Take};

use Outcome::{Pass, Unresolved};

/// A repository with a commit for each text of the file `value`.
fn repo(values: &[&str]) -> (Repo, Vec<String>) {
    let repo = Repo::new();
    let shas = values.iter().map(|value| {
        repo.write("value", value);
        repo.commit("change")
    });
    let shas = shas.collect();
    (repo, shas)
}

fn own(metric: &[&str]) -> MeasureOptions {
    MeasureOptions { metric: metric.iter().map(|kind| (*kind).to_owned()).collect(), ..MeasureOptions::default() }
}

/// Creates an oracle whose commands find a folder for their counters in `$COUNTS`.
fn oracle(repo: &Repo, script: &str, own: &MeasureOptions, change: impl FnOnce(&mut CommandOptions)) -> MeasureOracle {
    let mut options = repo.options();
    let counts = repo.temp.join("counts");
    std::fs::create_dir_all(&counts).unwrap();
    options.env.push(("COUNTS".to_owned(), counts.display().to_string()));
    change(&mut options);
    MeasureOracle::new(&repo.open(), sh(script), own, options).unwrap()
}

/// Returns the number of lines of a counter, and removes it.
fn count(repo: &Repo, name: &str) -> usize {
    let path = repo.temp.join("counts").join(name);
    let lines = std::fs::read_to_string(&path).unwrap_or_default().lines().count();
    let _ = std::fs::remove_file(path);
    lines
}

fn note(seen: &Observation) -> &str {
    seen.note.as_deref().unwrap_or_default()
}

#[test]
fn a_kept_build_is_measured_again_without_warming_up() {
    let (repo, shas) = repo(&["1", "2.5", "3"]);
    let options = MeasureOptions { warmup: Some(2), keep_builds: KeepBuilds::Last(2), ..own(&["last-number"]) };
    let script = "echo run >> \"$COUNTS/runs\"; echo \"9 on stderr\" >&2; cat built";
    let oracle = oracle(&repo, script, &options, |options| {
        options.build = Some(sh("echo b >> \"$COUNTS/builds\"; cp value built"))
    });
    for (place, value, builds) in
        [(0, 1.0, 1), (1, 2.5, 1), (0, 1.0, 0), (0, 1.0, 0), (1, 2.5, 0), (2, 3.0, 1), (0, 1.0, 1)]
    {
        let seen = oracle.run(&shas[place]).unwrap();
        assert_eq!((seen.outcome, seen.metric, seen.reused), (Pass, Some(value), builds == 0), "{seen:?}");
        assert_eq!((count(&repo, "builds"), count(&repo, "runs")), (builds, if builds == 0 { 1 } else { 3 }));
        assert!(!seen.censored && seen.metrics.is_empty() && seen.seconds.is_some());
    }
    let log = std::fs::read_to_string(oracle.run(&shas[0]).unwrap().output.unwrap()).unwrap();
    assert!(log.contains("9 on stderr") && log.ends_with('1'), "{log}");
}

#[test]
fn one_run_has_several_numbers() {
    let (repo, shas) = repo(&["10 20 60"]);
    let script = "for t in $(cat value); do echo \"t=$t\" >&2; done
        echo '{\"mean\": [1, 5]}'; mkdir -p out/a; printf 12345 > out/a/b.bin; echo '{\"x\": 4}' > r.json";
    let kinds = ["seconds", "cpu-seconds", "regex:^t=(.*)", "json:$.mean[*]", "json:r.json#$.x", "file-size:out/**"];
    let options = MeasureOptions { take: Take::Mean, warmup: Some(0), ..own(&kinds) };
    let oracle = oracle(&repo, script, &options, |_| {});
    let seen = oracle.run(&shas[0]).unwrap();
    assert_eq!((seen.outcome, seen.metric, seen.metrics.len()), (Pass, None, 6), "{seen:?}");
    let number = |kind: &str| seen.metrics[kind];
    assert_eq!([number("regex:^t=(.*)"), number("json:$.mean[*]"), number("json:r.json#$.x")], [30.0, 3.0, 4.0]);
    assert_eq!(number("file-size:out/**"), 5.0);
    assert!(number("seconds") > 0.0 && number("cpu-seconds") > 0.0 && number("seconds") < seen.seconds.unwrap());
    assert!(note(&seen).contains("file-size:out/** 5 B"), "{}", note(&seen));
}

#[test]
fn a_failing_command_has_no_number() {
    let (repo, shas) = repo(&["exit 3", "kill -SEGV $$", "exit 125"]);
    let oracle = oracle(&repo, "echo 7; . ./value", &own(&["last-number"]), |_| {});
    for (sha, words) in shas.iter().zip(["exit code 3; output", "killed by signal 11; output", "exit code 125; output"])
    {
        let seen = oracle.run(sha).unwrap();
        assert_eq!((seen.outcome, seen.metric, seen.stage), (Unresolved, None, Some(Stage::Test)), "{seen:?}");
        assert!(note(&seen).starts_with(words), "{}", note(&seen));
    }
    let broken = |options: &mut CommandOptions| options.build = Some(sh("exit 1"));
    let seen = self::oracle(&repo, "echo 7", &own(&["last-number"]), broken).run(&shas[0]).unwrap();
    assert_eq!((seen.outcome, seen.metric, seen.stage), (Unresolved, None, Some(Stage::Build)), "{seen:?}");
}

#[test]
fn output_without_a_number_says_so() {
    let (repo, shas) = repo(&["no\nBye\n"]);
    for (kind, words) in [
        (
            "regex:t=(.*)",
            "exit code 0, but regex:t=(.*) has no number: the output has no match; the last line of output is \"Bye\"; output in ",
        ),
        ("json:$.t", "exit code 0, but json:$.t has no number: standard output is not JSON"),
        ("json:r.json#$.t", "exit code 0, but json:r.json#$.t has no number: r.json was not written"),
        ("file-size:out/*", "exit code 0, but file-size:out/* has no number: no file matches"),
        ("last-number", "exit code 0, but last-number has no number: standard output has no number"),
    ] {
        let seen = oracle(&repo, "cat value", &own(&[kind]), |_| {}).run(&shas[0]).unwrap();
        assert_eq!((seen.outcome, seen.metric), (Unresolved, None), "{seen:?}");
        assert!(note(&seen).starts_with(words), "{}", note(&seen));
        assert!(seen.doubt().is_some());
    }
}

#[test]
fn a_result_of_an_earlier_run_is_not_read_again() {
    let (repo, shas) = repo(&["1"]);
    let script = "test -e \"$COUNTS/once\" || echo '{\"x\": 4}' > r.json; echo >> \"$COUNTS/once\"";
    let oracle = oracle(&repo, script, &own(&["json:r.json#$.x"]), |_| {});
    assert_eq!(oracle.run(&shas[0]).unwrap().metric, Some(4.0));
    let seen = oracle.run(&shas[0]).unwrap();
    assert_eq!((seen.outcome, seen.metric), (Unresolved, None), "{seen:?}");
}

#[test]
fn a_timeout_is_a_limit_of_a_time() {
    let (repo, shas) = repo(&["1"]);
    let limit = |options: &mut CommandOptions| options.timeout = Some(Duration::from_millis(100));
    let seen = oracle(&repo, "sleep 60", &own(&["seconds"]), limit).run(&shas[0]).unwrap();
    assert_eq!((seen.outcome, seen.metric, seen.censored), (Pass, Some(0.1), true), "{seen:?}");
    assert!(note(&seen).starts_with("at least 100 ms; output in "), "{}", note(&seen));
    let seen = oracle(&repo, "sleep 60", &own(&["memory"]), limit).run(&shas[0]).unwrap();
    assert_eq!((seen.outcome, seen.metric, seen.censored), (Unresolved, None, false), "{seen:?}");
    let seen = oracle(&repo, "sleep 60", &own(&["memory", "seconds"]), limit).run(&shas[0]).unwrap();
    assert_eq!((seen.outcome, seen.metrics.len(), seen.metrics["seconds"], seen.censored), (Pass, 1, 0.1, true));
}

#[test]
fn processor_time_includes_child_processes() {
    let (repo, shas) = repo(&["1"]);
    let script = "sh -c 'i=0; while test $i -lt 30000; do i=$((i + 1)); done'";
    let options = MeasureOptions { warmup: Some(0), ..own(&["cpu-seconds"]) };
    let busy = oracle(&repo, script, &options, |_| {}).run(&shas[0]).unwrap().metric.unwrap();
    let idle = oracle(&repo, "true", &options, |_| {}).run(&shas[0]).unwrap().metric.unwrap();
    assert!(busy > idle, "{busy} {idle}");
}

#[test]
fn a_run_that_trips_over_old_files_is_built_again() {
    let (repo, shas) = repo(&["5"]);
    let oracle = oracle(&repo, "mkdir out && cat value", &own(&["last-number"]), |_| {});
    for again in [false, true] {
        let seen = oracle.run(&shas[0]).unwrap();
        assert_eq!((seen.outcome, seen.metric, seen.reused), (Pass, Some(5.0), false), "{seen:?}");
        assert_eq!(note(&seen).contains("after a fresh build"), again, "{}", note(&seen));
    }
}

#[test]
fn measurements_never_overlap() {
    let (repo, shas) = repo(&["1", "2", "3"]);
    let script = "mkdir \"$COUNTS/busy\" || exit 9; sh -c :; rmdir \"$COUNTS/busy\"; cat value";
    let oracle = oracle(&repo, script, &own(&["last-number"]), |_| {});
    std::thread::scope(|scope| {
        for sha in shas.iter().chain(&shas) {
            scope.spawn(|| assert_eq!(oracle.run(sha).unwrap().outcome, Pass));
        }
    });
}

#[test]
fn a_pair_is_measured_in_two_builds() {
    let (repo, shas) = repo(&["1", "2", "exit 1"]);
    let script = "case $(cat value) in exit*) exit 1;; esac; cat value >> \"$COUNTS/order\"; cat value";
    let build = |options: &mut CommandOptions| options.build = Some(sh("echo b >> \"$COUNTS/builds\""));
    let oracle = oracle(&repo, script, &own(&["last-number"]), build);
    for builds in [2, 0] {
        let seen = oracle.run_paired(&shas[1], &shas[0], &mut || true).unwrap();
        assert_eq!((seen.outcome, seen.metric, seen.control), (Pass, Some(2.0), Some(1.0)), "{seen:?}");
        assert_eq!((seen.reused, count(&repo, "builds")), (builds == 0, builds));
        assert!(note(&seen).ends_with("; 1 at the good revision"), "{}", note(&seen));
    }
    let order = std::fs::read_to_string(repo.temp.join("counts/order")).unwrap();
    assert_eq!(order, "2121");
    let seen = oracle.run_paired(&shas[1], &shas[2], &mut || true).unwrap();
    assert_eq!((seen.outcome, seen.metric, seen.control), (Unresolved, None, None), "{seen:?}");
    assert!(note(&seen).starts_with(&format!("the good revision {} has no number: exit code 1", shas[2])));
}

#[test]
fn options_about_outcomes_are_refused() {
    let (repo, _) = repo(&["1"]);
    let refused = |own: &MeasureOptions, options: CommandOptions| match MeasureOracle::new(
        &repo.open(),
        sh("true"),
        own,
        options,
    ) {
        Err(Error::InvalidArgument { argument, .. }) => argument,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&own(&[]), repo.options()), "metric");
    assert_eq!(refused(&own(&["nope"]), repo.options()), "metric");
    let judging = CommandOptions { fail_pattern: Some("x".to_owned()), ..repo.options() };
    assert_eq!(refused(&own(&["seconds"]), judging), "fail_pattern");
    let pair = oracle(&repo, "true", &MeasureOptions { keep_builds: KeepBuilds::Last(1), ..own(&["seconds"]) }, |_| {});
    let error = pair.run_paired("HEAD", "HEAD", &mut || true).unwrap_err().to_string();
    assert!(error.starts_with("keep_builds: 1 is not valid"), "{error}");
}
