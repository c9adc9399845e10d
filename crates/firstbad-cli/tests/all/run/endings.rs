//! Tests of results and exit codes.

use std::collections::BTreeSet;

use firstbad::graph::Node;
use firstbad::{CommitGraph, Outcome};
use firstbad_testkit::simulated::{Random, Shape, history, monotonic};

use super::scene::Scene;

#[test]
fn a_run_on_a_line_leaves_only_a_journal() {
    let scene = Scene::line(100, 63);
    let ran = scene.run_line(&[]);
    assert_eq!(ran.found(), (0, vec![scene.sha(63)]), "{}", ran.words);
    let asked = scene.asked();
    // The culprit and its parent can run again to confirm.
    assert!(asked.len() <= asked.iter().collect::<BTreeSet<_>>().len() + 2, "{asked:?}");
    assert_eq!(ran.answer["runs"], asked.len());
    assert!(asked.len() <= 2 + 7, "{asked:?}");
    assert_eq!((scene.work_trees(), scene.own_journals().len()), (vec![], 1));
    let lines: Vec<&str> = ran.words.lines().collect();
    assert_eq!(lines.len(), asked.len(), "{}", ran.words);
    // The forecast is simulated for a limited time.
    let rest = lines[0].strip_prefix("1 run, 99 suspects left, about ").unwrap_or(lines[0]);
    let (likely, rest) = rest.split_once(' ').unwrap_or_default();
    assert!(likely.parse().is_ok_and(|likely: u32| (6..=9).contains(&likely)), "{}", lines[0]);
    let first = format!("more runs: {} fails (exit 1, ", &scene.sha(99)[..9]);
    assert!(rest.starts_with(&first) && rest.contains(" s) 99"), "{}", lines[0]);
    assert!(scene.run_line(&["--quiet"]).words.is_empty());
}

#[test]
fn each_bad_branch_gets_its_result() {
    //   0 - 1 - 2 - 3        broken by 2
    //        \- 4 - 5        broken by 5
    //         \ 6            not broken
    let parents = [("0", vec![]), ("1", vec!["0"]), ("2", vec!["1"]), ("3", vec!["2"]), ("4", vec!["1"])];
    let rest = [("5", vec!["4"]), ("6", vec!["1"])];
    let graph = CommitGraph::new(parents.into_iter().chain(rest)).unwrap();
    let node = |id: &str| graph.get(id).unwrap();
    let mut outcomes = vec![Outcome::Pass; graph.len()];
    for id in ["2", "3", "5"] {
        outcomes[node(id) as usize] = Outcome::Fail;
    }
    let [good, two, three, five, six] = ["0", "2", "3", "5", "6"].map(node);
    let scene = Scene::new(graph, &outcomes);
    let sha = |node: Node| scene.sha(node).to_owned();
    let bad = [sha(three), sha(five), sha(six)];
    let ran = scene.run(&["--good", &sha(good), "--bad", &bad[0], "--bad", &bad[1], "--bad", &bad[2]]);
    let found: BTreeSet<String> = ran.found().1.into_iter().map(str::to_owned).collect();
    assert_eq!((ran.code, found), (0, BTreeSet::from([sha(two), sha(five)])), "{}", ran.words);
    assert_eq!(ran.answer["leaves"][2]["result"], "not_reproduced");
}

#[test]
fn merges_and_parallel_jobs_give_the_same_result() {
    for seed in 0..3 {
        let graph = history(&Shape { roots: 0, ..Shape::branchy(60) }, seed).unwrap();
        let tip = graph.len() as Node - 1;
        let before = graph.ancestors(&[tip]);
        let suspects: Vec<Node> = before.ones().map(|node| node as Node).filter(|&node| node > 0).collect();
        let culprit = suspects[Random::new(seed).below(suspects.len() as u64) as usize];
        let outcomes = monotonic(&graph, culprit);
        let scene = Scene::new(graph, &outcomes);
        for jobs in ["1", "4"] {
            let ran = scene.run(&["--good", scene.sha(0), "--bad", scene.sha(tip), "--jobs", jobs]);
            assert_eq!(ran.found(), (0, vec![scene.sha(culprit)]), "seed {seed}, {jobs} jobs: {}", ran.words);
            assert_eq!(scene.work_trees(), Vec::<std::path::PathBuf>::new());
        }
    }
}

#[test]
fn unresolved_revisions_leave_candidates() {
    let graph = CommitGraph::linear((0..20).map(|node| node.to_string())).unwrap();
    let mut outcomes = monotonic(&graph, 10);
    outcomes[8..13].fill(Outcome::Unresolved);
    let scene = Scene::new(graph, &outcomes);
    let ran = scene.run_line(&[]);
    assert_eq!((ran.code, &ran.answer["status"]), (10, &"ambiguous".into()), "{}", ran.words);
    let candidates: Vec<&str> = (8..14).map(|node| scene.sha(node)).collect();
    assert_eq!(ran.answer["points"][0]["candidates"], serde_json::json!(candidates));
    assert!(ran.words.contains(" unresolved (exit 125, "), "{}", ran.words);

    // An unresolved tip is replaced by its parent.
    let mut outcomes = monotonic(&CommitGraph::linear((0..20).map(|node| node.to_string())).unwrap(), 10);
    outcomes[18..].fill(Outcome::Unresolved);
    let scene = Scene::new(CommitGraph::linear((0..20).map(|node| node.to_string())).unwrap(), &outcomes);
    let ran = scene.run_line(&[]);
    assert_eq!((ran.code, &ran.answer["leaves"][0]["replaced_by"]), (0, &scene.sha(17).into()), "{}", ran.words);

    let outcomes = vec![Outcome::Unresolved; 20];
    let scene = Scene::new(CommitGraph::linear((0..20).map(|node| node.to_string())).unwrap(), &outcomes);
    let ran = scene.run_line(&[]);
    assert_eq!((ran.code, &ran.answer["status"]), (19, &"untestable".into()), "{}", ran.words);
    assert_eq!((ran.answer["points"].as_array().unwrap().len(), &ran.answer["runs"]), (0, &7.into()), "{}", ran.words);
    let message = ran.answer["message"].as_str().unwrap();
    assert!(message.starts_with("all 7 tested revisions are unresolved (exit code 125; "), "{message}");
}

#[test]
fn unexpected_endpoints_are_named() {
    let scene = Scene::line(8, 4);
    let ran = scene.run(&["--good", scene.sha(0), "--bad", scene.sha(3)]);
    assert_eq!((ran.code, &ran.answer["status"]), (11, &"not_reproduced".into()), "{}", ran.words);
    let ran = scene.run(&["--good", scene.sha(5), "--bad", scene.sha(7)]);
    assert_eq!((ran.code, &ran.answer["status"]), (12, &"good_end_fails".into()), "{}", ran.words);
    let (older, newer) = scene.ends();
    let fix = scene.program(&["run", "--fix", "--bad", &older, "--good", &newer, "--", "true"]);
    assert!(fix.code == 12 && fix.text.contains("was given as bad, but it passes"), "{}", fix.text);
    assert!(fix.text.contains("give an older revision that fails with --bad"), "{}", fix.text);
}

#[test]
fn the_repair_is_found() {
    let scene = Scene::line(30, 17);
    scene.write(
        "outcomes",
        &scene.read("outcomes").replace(" 1\n", " 2\n").replace(" 0\n", " 1\n").replace(" 2\n", " 0\n"),
    );
    let (broken, repaired) = scene.ends();
    let ran = scene.run(&["--fix", "--bad", &broken, "--good", &repaired]);
    assert_eq!((ran.code, ran.answer["points"][0]["good"].as_str()), (0, Some(scene.sha(17))), "{}", ran.words);
}

#[test]
fn a_flaky_endpoint_is_reported_with_its_failure_count() {
    let scene = Scene::line(24, 15);
    let (good, bad) = scene.ends();
    let test = format!("cd {}; echo >> runs; [ $(($(wc -l < runs) % 4)) != 1 ]", scene.path("").display());
    let ran = scene.program(&["run", "--flaky", "--good", &good, "--bad", &bad, "--", "sh", "-c", &test]);
    assert!(ran.code == 11 && ran.text.contains(" was probably a flake\n"), "{}", ran.text);
    assert!(ran.text.contains("add --false-pass-rate") && !ran.text.contains("--flaky"), "{}", ran.text);
    assert!(ran.words.contains(" failed in ") && !ran.words.contains(") passes"), "{}", ran.words);
}

#[test]
fn a_flaky_test_is_repeated_until_the_result_is_certain() {
    let scene = Scene::line(24, 15);
    // Every fifth run of a good revision fails.
    let flaky =
        "n=$(cat asked 2>/dev/null | wc -l)\n[ $((n % 5)) = 4 ] && { echo $FIRSTBAD_REVISION >> asked; exit 1; }";
    let script = scene.script(flaky);
    let (good, bad) = scene.ends();
    let arguments = ["run", "--json", "--good", &good, "--bad", &bad, "--flaky", "0.2", "--confidence", "0.999"];
    let ran = scene.program(&[&arguments[..], &["--", "sh", "-c", &script]].concat());
    assert_eq!(ran.found(), (0, vec![scene.sha(15)]), "{}", ran.words);
    let asked = scene.asked();
    assert!(asked.len() > asked.iter().collect::<BTreeSet<_>>().len(), "nothing was asked twice");
}

#[test]
fn a_test_that_became_flaky_is_found_with_false_pass_rate() {
    let scene = Scene::line(24, 15);
    // Every second run passes, also at bad revisions.
    let lucky =
        "n=$(cat asked 2>/dev/null | wc -l)\n[ $((n % 2)) = 1 ] && { echo $FIRSTBAD_REVISION >> asked; exit 0; }";
    let script = scene.script(lucky);
    let (good, bad) = scene.ends();
    let run = ["run", "--json", "--good", &good, "--bad", &bad, "--false-pass-rate", "0.5"];
    let ran = scene.program(&[&run[..], &["--flaky", "0.05", "--", "sh", "-c", &script]].concat());
    assert_eq!(ran.found(), (0, vec![scene.sha(15)]), "{}", ran.words);
    let alone = scene.program(&[&run[..], &["--", "true"]].concat());
    assert!(alone.code == 2 && alone.words.contains("--false-pass-rate: \"0.5\""), "{}", alone.words);
}

#[test]
fn a_limit_stops_the_run() {
    let scene = Scene::line(100, 63);
    let ran = scene.run_line(&["--max-runs", "4"]);
    assert_eq!((ran.code, scene.asked().len()), (14, 4), "{}", ran.words);
    let journals = scene.own_journals();
    assert!(ran.words.contains("to resume: firstbad run --resume") && journals.len() == 1, "{}", ran.words);
    let steps = scene.program(&["replay"]).text;
    assert!(steps.contains("  limit: 4 runs\n") && !steps.contains('{'), "{steps}");
    let on = scene.program(&["run", "--json", "--resume"]);
    assert_eq!(on.found(), (0, vec![scene.sha(63)]), "{}", on.words);
    let asked = scene.asked();
    // The culprit and its parent can run again to confirm.
    assert!(asked.len() <= asked.iter().collect::<BTreeSet<_>>().len() + 2, "{asked:?}");
    let other = scene.program(&["run", "--json", "--resume", "--treat", "3=fail"]);
    assert!(other.words.contains("start a new run that imports the outcomes"), "{}", other.words);

    let scene = Scene::line(10, 5);
    let script = scene.script("sleep 600");
    let (good, bad) = scene.ends();
    let arguments = ["run", "--json", "--good", &good, "--bad", &bad, "--max-time", "300ms"];
    let ran = scene.program(&[&arguments[..], &["--", "sh", "-c", &script]].concat());
    assert_eq!((ran.code, &ran.answer["runs"]), (14, &0.into()), "{}", ran.words);
}

#[test]
fn the_command_can_stop_the_run() {
    let scene = Scene::line(50, 20);
    let script = scene.script("[ \"$(cat asked 2>/dev/null | wc -l)\" = 3 ] && exit 200");
    let (good, bad) = scene.ends();
    let journal = scene.path("run.jsonl");
    let arguments = [
        "run",
        "--json",
        "--good",
        &good,
        "--bad",
        &bad,
        "--journal",
        journal.to_str().unwrap(),
        "--",
        "sh",
        "-c",
        &script,
    ];
    let ran = scene.program(&arguments);
    assert_eq!((ran.code, &ran.answer["runs"]), (15, &3.into()), "{}", ran.words);
    assert!(ran.words.contains("the test stopped the run at revision") && ran.words.contains("exit code 200"));
    assert!(ran.words.contains("to resume: firstbad run --journal "), "{}", ran.words);
    // A resumed run does not repeat runs.
    scene.write("asked", &(scene.read("asked") + "\n"));
    let on = scene.program(&["run", "--json", "--journal", journal.to_str().unwrap()]);
    assert_eq!(on.found(), (0, vec![scene.sha(20)]), "{}", on.words);
    let asked: Vec<String> = scene.asked().into_iter().filter(|line| !line.is_empty()).collect();
    // The culprit and its parent can run again to confirm.
    assert!(asked.len() <= asked.iter().collect::<BTreeSet<_>>().len() + 2, "{asked:?}");
}

/// Runs a search on a line with this test.
fn tested(scene: &Scene, options: &[&str], script: &str) -> super::scene::Ran {
    let (good, bad) = scene.ends();
    let begun = ["run", "--json", "--good", &good, "--bad", &bad];
    scene.program(&[&begun[..], options, &["--", "sh", "-c", script]].concat())
}

#[test]
fn a_crash_is_a_failure_with_treat_signal() {
    let scene = Scene::line(20, 7);
    let crash = scene.script("grep -q \"^$FIRSTBAD_REVISION 1\" outcomes && { echo 'went wrong' >&2; kill -SEGV $$; }");
    let stopped = tested(&scene, &[], &crash);
    assert_eq!(stopped.code, 15, "{}", stopped.words);
    let said = "killed by signal 11";
    assert!(stopped.words.contains(said), "{}", stopped.words);
    assert!(stopped.words.contains("\n    | went wrong\n"), "{}", stopped.words);
    assert!(!stopped.words.contains("on_signal"), "{}", stopped.words);
    for option in [["--treat", "signal=fail"], ["--treat", "139=fail"]] {
        let ran = tested(&scene, &option, &crash);
        assert_eq!(ran.found(), (0, vec![scene.sha(7)]), "{option:?}: {}", ran.words);
    }
    let refused = tested(&scene, &["--treat", "139=fail", "--treat", "139=pass"], &crash);
    assert!(refused.code == 2 && refused.words.contains("one outcome for each exit code"), "{}", refused.words);
    let refused = tested(&scene, &["--treat", "signal=skip"], &crash);
    assert!(refused.code == 2 && refused.words.contains("one of pass, fail"), "{}", refused.words);
    let stops = tested(&scene, &["--treat", "1=stop"], "exit 1");
    assert!(stops.words.contains("change --treat to choose another outcome for it"), "{}", stops.words);
}

#[test]
fn a_run_stopped_by_a_crash_resumes_with_another_outcome() {
    let scene = Scene::line(20, 7);
    let crash = scene.script(&format!("[ $FIRSTBAD_REVISION = {} ] && kill -SEGV $$", scene.sha(6)));
    let (good, bad) = scene.ends();
    let stopped = scene.program(&["run", "--good", &good, "--bad", &bad, "--", "sh", "-c", &crash]);
    let on = "firstbad run --resume --treat signal=unresolved";
    assert!(stopped.code == 15 && stopped.words.contains(&format!("to resume: {on}\n")), "{}", stopped.words);
    let next = stopped.text.lines().last().unwrap_or_default();
    assert!(next.contains(on) && next.ends_with("# resume. Use fail if that is the failure"), "{}", stopped.text);
    // Later reports contain the reason, too.
    let why = "killed by signal 11";
    for words in [&["report"][..], &["report", "--format=markdown"], &["report", "--format=github"]] {
        let told = scene.program(words);
        assert!(told.text.contains(why), "{words:?}: {}", told.text);
        assert!(told.text.contains(on) || words.len() > 1, "{words:?}: {}", told.text);
    }
    assert!(scene.program(&["status"]).text.contains(why));
    let asked = scene.asked();
    assert!(asked.len() > 2, "it had answers: {asked:?}");
    // Other outcomes cannot change.
    let refused = scene.program(&["run", "--resume", "--treat", "1=unresolved"]);
    assert!(refused.code == 1 && refused.words.contains("Its --treat is set only in this run"), "{}", refused.words);
    assert!(refused.words.contains("replace --resume by --import /"), "{}", refused.words);
    let ran = scene.program(&["run", "--json", "--resume", "--treat", "signal=unresolved"]);
    assert_eq!(
        (ran.code, &ran.answer["points"][0]["candidates"]),
        (10, &serde_json::json!([scene.sha(6), scene.sha(7)]))
    );
    assert_eq!(scene.asked()[..asked.len()], asked, "nothing is asked twice");
    assert_eq!(scene.program(&["run", "--json", "--resume"]).code, 10);
    assert!(!scene.program(&["report"]).text.contains("stopped the run"));
}

#[test]
fn a_hang_is_a_failure_with_treat_timeout() {
    let scene = Scene::line(6, 3);
    let hang = scene.script("grep -q \"^$FIRSTBAD_REVISION 1\" outcomes && sleep 600");
    let ran = tested(&scene, &["--timeout", "0.5", "--treat", "timeout=fail"], &hang);
    assert_eq!(ran.found(), (0, vec![scene.sha(3)]), "{}", ran.words);
    let ran = tested(&scene, &["--timeout", "0.5", "--treat", "timeout=stop"], &hang);
    let said = "still running after 0.5 s";
    assert!(ran.code == 15 && ran.words.contains(said), "{}", ran.words);
}

#[test]
fn the_output_at_unexpected_endpoints_is_shown() {
    let scene = Scene::line(8, 4);
    let script = "seq 1 9; printf 'no \\033[31mdatabase\\033[0m\\n'; exit 1";
    let ran = tested(&scene, &[], script);
    assert_eq!(ran.code, 12, "{}", ran.words);
    let end = format!("--good ({}) fails, the last lines of its output are:", &scene.sha(0)[..12]);
    assert!(ran.words.contains(&end), "{}", ran.words);
    assert!(ran.words.contains("    | 6\n    | 7\n    | 8\n    | 9\n    | no \u{fffd}[31mdatabase"), "{}", ran.words);
    assert!(!ran.words.contains("| 5\n"), "{}", ran.words);
    let ran = tested(&scene, &["--quiet"], "true");
    assert_eq!(ran.code, 11, "{}", ran.words);
    let end = format!("--bad ({}) passes, the test printed nothing", &scene.sha(7)[..12]);
    assert!(ran.words.contains(&end), "{}", ran.words);
    let ran = tested(&scene, &[], "echo skipping; exit 125");
    assert_eq!(ran.code, 19, "{}", ran.words);
    assert!(
        ran.words.contains("is unresolved, the last lines") && ran.words.contains("    | skipping\n"),
        "{}",
        ran.words
    );
}
