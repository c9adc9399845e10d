//! What is found, and what the exit codes say.

use std::collections::BTreeSet;

use firstbad::graph::Node;
use firstbad::{CommitGraph, Outcome};
use firstbad_testkit::simulated::{Random, Shape, history, monotonic};

use super::scene::Scene;

#[test]
fn the_culprit_on_a_line_is_found_and_only_a_journal_stays_behind() {
    let scene = Scene::line(100, 63);
    let ran = scene.run_line(&[]);
    assert_eq!(ran.found(), (0, vec![scene.sha(63)]), "{}", ran.words);
    let asked = scene.asked();
    // The culprit and its parent may run once more.
    assert!(asked.len() <= asked.iter().collect::<BTreeSet<_>>().len() + 2, "{asked:?}");
    assert_eq!(ran.answer["runs"], asked.len());
    assert!(asked.len() <= 2 + 7, "{asked:?}");
    assert_eq!((scene.work_trees(), scene.own_journals().len()), (vec![], 1));
    // One line for each answer, and nothing else.
    let lines: Vec<&str> = ran.words.lines().collect();
    assert_eq!(lines.len(), asked.len(), "{}", ran.words);
    // How many runs are likely is played out for as long as a clock allows.
    let rest = lines[0].strip_prefix("1 run, 99 suspects left, about ").unwrap_or(lines[0]);
    let (likely, rest) = rest.split_once(' ').unwrap_or_default();
    assert!(likely.parse().is_ok_and(|likely: u32| (6..=9).contains(&likely)), "{}", lines[0]);
    let first = format!("more runs: {} fails (exit 1, ", &scene.sha(99)[..9]);
    assert!(rest.starts_with(&first) && rest.contains(" s) 99"), "{}", lines[0]);
    assert!(scene.run_line(&["--quiet"]).words.is_empty());
}

#[test]
fn each_bad_branch_gets_its_answer() {
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
fn merges_and_several_jobs_make_no_difference() {
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
fn what_cannot_be_tested_leaves_candidates() {
    let graph = CommitGraph::linear((0..20).map(|node| node.to_string())).unwrap();
    let mut outcomes = monotonic(&graph, 10);
    outcomes[8..13].fill(Outcome::Unresolved);
    let scene = Scene::new(graph, &outcomes);
    let ran = scene.run_line(&[]);
    assert_eq!((ran.code, &ran.answer["status"]), (10, &"ambiguous".into()), "{}", ran.words);
    let candidates: Vec<&str> = (8..14).map(|node| scene.sha(node)).collect();
    assert_eq!(ran.answer["points"][0]["candidates"], serde_json::json!(candidates));
    assert!(ran.words.contains(" unresolved (exit 125, "), "{}", ran.words);

    // The tip cannot be tested: what comes before it is searched from.
    let mut outcomes = monotonic(&CommitGraph::linear((0..20).map(|node| node.to_string())).unwrap(), 10);
    outcomes[18..].fill(Outcome::Unresolved);
    let scene = Scene::new(CommitGraph::linear((0..20).map(|node| node.to_string())).unwrap(), &outcomes);
    let ran = scene.run_line(&[]);
    assert_eq!((ran.code, &ran.answer["leaves"][0]["replaced_by"]), (0, &scene.sha(17).into()), "{}", ran.words);

    // Not one of them can be tested.
    let outcomes = vec![Outcome::Unresolved; 20];
    let scene = Scene::new(CommitGraph::linear((0..20).map(|node| node.to_string())).unwrap(), &outcomes);
    let ran = scene.run_line(&[]);
    assert_eq!((ran.code, &ran.answer["status"]), (19, &"untestable".into()), "{}", ran.words);
    assert_eq!((ran.answer["points"].as_array().unwrap().len(), &ran.answer["runs"]), (0, &7.into()), "{}", ran.words);
    let message = ran.answer["message"].as_str().unwrap();
    assert!(
        message.starts_with("none of the 7 revisions that were tried could be tested (exit code 125; "),
        "{message}"
    );
}

#[test]
fn ends_that_are_not_what_they_should_be_are_named() {
    let scene = Scene::line(8, 4);
    let ran = scene.run(&["--good", scene.sha(0), "--bad", scene.sha(3)]);
    assert_eq!((ran.code, &ran.answer["status"]), (11, &"not_reproduced".into()), "{}", ran.words);
    let ran = scene.run(&["--good", scene.sha(5), "--bad", scene.sha(7)]);
    assert_eq!((ran.code, &ran.answer["status"]), (12, &"good_end_fails".into()), "{}", ran.words);
    let (older, newer) = scene.ends();
    let fix = scene.program(&["run", "--fix", "--bad", &older, "--good", &newer, "--", "true"]);
    assert!(fix.code == 12 && fix.text.starts_with("A bad revision passes: "), "{}", fix.text);
    assert!(fix.text.contains("give as --bad an older revision"), "{}", fix.text);
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
fn a_flaky_end_is_said_to_fail_now_and_then() {
    let scene = Scene::line(24, 15);
    let (good, bad) = scene.ends();
    let test = format!("cd {}; echo >> runs; [ $(($(wc -l < runs) % 4)) != 1 ]", scene.path("").display());
    let ran = scene.program(&["run", "--flaky", "--good", &good, "--bad", &bad, "--", "sh", "-c", &test]);
    assert!(ran.code == 11 && ran.text.contains(" runs, no more often than a flaky test may"), "{}", ran.text);
    assert!(ran.text.contains("--false-pass-rate estimate") && !ran.text.contains("--flaky"), "{}", ran.text);
    assert!(ran.words.contains(" failed in ") && !ran.words.contains(") passes"), "{}", ran.words);
}

#[test]
fn a_flaky_test_is_asked_until_it_is_sure() {
    let scene = Scene::line(24, 15);
    // Every fifth run of a healthy revision fails; which ones is for the counter to say.
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
fn a_test_that_became_flaky_is_found_where_broken_revisions_may_pass() {
    let scene = Scene::line(24, 15);
    // Every second run passes, that of a broken revision too.
    let lucky =
        "n=$(cat asked 2>/dev/null | wc -l)\n[ $((n % 2)) = 1 ] && { echo $FIRSTBAD_REVISION >> asked; exit 0; }";
    let script = scene.script(lucky);
    let (good, bad) = scene.ends();
    let run = ["run", "--json", "--good", &good, "--bad", &bad, "--false-pass-rate", "0.5"];
    let ran = scene.program(&[&run[..], &["--flaky", "0.05", "--", "sh", "-c", &script]].concat());
    assert_eq!(ran.found(), (0, vec![scene.sha(15)]), "{}", ran.words);
    // It says something of a flaky test alone.
    let alone = scene.program(&[&run[..], &["--", "true"]].concat());
    assert!(alone.code == 2 && alone.words.contains("--false-pass-rate: \"0.5\""), "{}", alone.words);
}

#[test]
fn a_budget_ends_the_run() {
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
    // The culprit and its parent may run once more.
    assert!(asked.len() <= asked.iter().collect::<BTreeSet<_>>().len() + 2, "{asked:?}");
    // Another test is none to go on with.
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
    assert!(ran.words.contains("the command stopped the run at revision") && ran.words.contains("exit code 200"));
    assert!(ran.words.contains("to resume: firstbad run --journal "), "{}", ran.words);
    // With the reason gone it goes on; what was answered is not asked again.
    scene.write("asked", &(scene.read("asked") + "\n"));
    let on = scene.program(&["run", "--json", "--journal", journal.to_str().unwrap()]);
    assert_eq!(on.found(), (0, vec![scene.sha(20)]), "{}", on.words);
    let asked: Vec<String> = scene.asked().into_iter().filter(|line| !line.is_empty()).collect();
    // The culprit and its parent may run once more.
    assert!(asked.len() <= asked.iter().collect::<BTreeSet<_>>().len() + 2, "{asked:?}");
}

/// A run over a line with a test of its own.
fn tested(scene: &Scene, options: &[&str], script: &str) -> super::scene::Ran {
    let (good, bad) = scene.ends();
    let begun = ["run", "--json", "--good", &good, "--bad", &bad];
    scene.program(&[&begun[..], options, &["--", "sh", "-c", script]].concat())
}

#[test]
fn a_crash_is_a_regression_for_those_who_say_so() {
    let scene = Scene::line(20, 7);
    let crash = scene.script("grep -q \"^$FIRSTBAD_REVISION 1\" outcomes && { echo 'went wrong' >&2; kill -SEGV $$; }");
    let stopped = tested(&scene, &[], &crash);
    assert_eq!(stopped.code, 15, "{}", stopped.words);
    let said = "killed by signal 11 (set --treat signal=OUTCOME or --treat to choose an outcome for that)";
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
    assert!(stops.words.contains("exit code 1 (--treat says that this code stops)"), "{}", stops.words);
}

#[test]
fn a_run_that_a_crash_stopped_goes_on_with_another_meaning_of_it() {
    let scene = Scene::line(20, 7);
    // A crash beside the failure that is looked for.
    let crash = scene.script(&format!("[ $FIRSTBAD_REVISION = {} ] && kill -SEGV $$", scene.sha(6)));
    let (good, bad) = scene.ends();
    let stopped = scene.program(&["run", "--good", &good, "--bad", &bad, "--", "sh", "-c", &crash]);
    let on = "firstbad run --resume --treat signal=unresolved";
    assert!(stopped.code == 15 && stopped.words.contains(&format!("to resume: {on}\n")), "{}", stopped.words);
    let next = stopped.text.lines().last().unwrap_or_default();
    assert!(next.contains(on) && next.ends_with(" to go on; or fail, if that is the failure"), "{}", stopped.text);
    // Whoever asks later, or elsewhere, is told the same.
    let why = "killed by signal 11 (set --treat signal=OUTCOME or --treat to choose an outcome for that)";
    for words in [&["report"][..], &["report", "--format=markdown"], &["report", "--format=github"]] {
        let told = scene.program(words);
        assert!(told.text.contains(why), "{words:?}: {}", told.text);
        assert!(told.text.contains(on) || words.len() > 1, "{words:?}: {}", told.text);
    }
    assert!(scene.program(&["status"]).text.contains(why));
    let asked = scene.asked();
    assert!(asked.len() > 2, "it had answers: {asked:?}");
    // What was a failure stays one.
    let refused = scene.program(&["run", "--resume", "--treat", "1=unresolved"]);
    assert!(refused.code == 1 && refused.words.contains("its --treat is not given, and here"), "{}", refused.words);
    assert!(refused.words.contains("replace --resume by --import /"), "{}", refused.words);
    let ran = scene.program(&["run", "--json", "--resume", "--treat", "signal=unresolved"]);
    assert_eq!(
        (ran.code, &ran.answer["points"][0]["candidates"]),
        (10, &serde_json::json!([scene.sha(6), scene.sha(7)]))
    );
    assert_eq!(scene.asked()[..asked.len()], asked, "nothing is asked twice");
    // The journal has it from here on.
    assert_eq!(scene.program(&["run", "--json", "--resume"]).code, 10);
    assert!(!scene.program(&["report"]).text.contains("stopped the run"));
}

#[test]
fn a_hang_is_a_regression_for_those_who_say_so() {
    let scene = Scene::line(6, 3);
    let hang = scene.script("grep -q \"^$FIRSTBAD_REVISION 1\" outcomes && sleep 600");
    // A number is seconds.
    let ran = tested(&scene, &["--timeout", "0.5", "--treat", "timeout=fail"], &hang);
    assert_eq!(ran.found(), (0, vec![scene.sha(3)]), "{}", ran.words);
    let ran = tested(&scene, &["--timeout", "0.5", "--treat", "timeout=stop"], &hang);
    let said =
        "still running after 0.5 s (set --treat timeout=OUTCOME to choose an outcome for that, or a longer --timeout)";
    assert!(ran.code == 15 && ran.words.contains(said), "{}", ran.words);
}

#[test]
fn what_the_test_printed_stands_beside_an_end_that_surprises() {
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
