//! Tests of the defaults.

use super::scene::Scene;

/// Returns a line of a hundred revisions with tags and a checked-out branch.
fn tagged(culprit: usize, tags: &[(&str, usize)]) -> Scene {
    let scene = Scene::line(100, culprit);
    scene.repository.git(&["update-ref", "refs/heads/main", scene.sha(99)], "").unwrap();
    scene.repository.git(&["symbolic-ref", "HEAD", "refs/heads/main"], "").unwrap();
    for (tag, node) in tags {
        scene.repository.git(&["tag", tag, scene.sha(u32::try_from(*node).unwrap())], "").unwrap();
    }
    scene
}

fn asked(scene: &Scene) -> Vec<usize> {
    let place = |sha: &String| (0..100).find(|&node| scene.sha(node) == sha).unwrap() as usize;
    scene.asked().iter().map(place).collect()
}

#[test]
fn the_defaults_are_head_and_the_last_tag() {
    let scene = tagged(93, &[("v1", 40), ("v2", 90)]);
    // A tag is preferred to a branch.
    scene.repository.git(&["update-ref", "refs/heads/release", scene.sha(90)], "").unwrap();
    let ran = scene.run(&[]);
    assert_eq!(ran.found(), (0, vec![scene.sha(93)]), "{}", ran.words);
    assert_eq!(asked(&scene)[..2], [99, 90]);
    assert!(ran.words.contains(&format!("--bad is HEAD: {} (99)", &scene.sha(99)[..12])), "{}", ran.words);
    assert!(ran.words.contains("no --good given, looking for a revision that passes, first v2"), "{}", ran.words);
}

#[test]
fn older_revisions_are_tested_if_the_tag_fails() {
    let scene = tagged(63, &[("v2", 90)]);
    let ran = scene.run(&["--bad", "main"]);
    assert_eq!(ran.found(), (0, vec![scene.sha(63)]), "{}", ran.words);
    assert_eq!(asked(&scene)[..4], [99, 90, 81, 63]);
    let scene = tagged(63, &[]);
    let ran = scene.run(&["--bad", "main"]);
    assert_eq!(asked(&scene)[..4], [99, 83, 67, 35]);
    assert!(ran.words.contains("looking for an older revision that passes"), "{}", ran.words);
}

#[test]
fn no_culprit_without_a_passing_revision() {
    let scene = tagged(0, &[]);
    let ran = scene.run(&[]);
    assert_eq!((ran.code, asked(&scene)), (18, vec![99, 83, 67, 35, 0]), "{}", ran.words);
    for command in ["report", "status"] {
        let words = scene.program(&[command, "--json"]).words;
        let rest = words.strip_prefix("note: the last run in this folder, started ").unwrap_or_default();
        assert!(rest.split_once(" ago: sh -c cd ").is_some() && words.lines().count() == 1, "{words}");
        assert_eq!(scene.program(&["report", "-q"]).words, "");
    }
    let text = scene.program(&["report"]).text;
    assert!(!text.contains("roken by"), "{text}");
    // The test itself can be wrong, so its output is shown.
    let ran = scene.program(&["run", "-q", "--", "sh", "-c", "echo no such file; exit 2"]);
    let end = format!("--bad ({}) fails, the last lines of its output are:", &scene.sha(99)[..12]);
    assert!(ran.code == 18 && ran.words.contains(&end) && ran.words.contains("    | no such file\n"), "{}", ran.words);
    assert!(ran.text.contains("help: read the output of the test. If it is right, "), "{}", ran.text);
}

#[test]
fn a_failure_in_the_report_is_not_repeated_as_a_note() {
    let scene = tagged(0, &[]);
    let ran = |script: &str| scene.program(&["run", "-q", "--", "sh", "-c", script]);
    let once = ran("echo Error: no such file; exit 2");
    assert!(once.code == 18 && once.text.contains("Error: no such file\n"), "{}", once.text);
    assert!(!once.words.contains("no such file"), "{}", once.words);
    let more = ran("echo first; echo Error: no such file; exit 2");
    assert!(more.text.contains("Error: no such file\n") && more.words.contains("    | first\n"), "{}", more.words);
}

#[test]
fn a_good_revision_on_another_branch_is_not_an_ancestor() {
    let scene = tagged(0, &[]);
    let git = |arguments: &[&str]| scene.repository.git(arguments, "").unwrap().trim().to_owned();
    let tree = format!("{}^{{tree}}", scene.sha(0));
    let who = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
    let beside = git(&[&who[..], &["commit-tree", &tree, "-p", scene.sha(40), "-m", "fix"]].concat());
    let test = format!("[ $FIRSTBAD_REVISION = {beside} ]");
    let ran = scene.program(&["run", "-q", "--good", &beside, "--", "sh", "-c", &test]);
    let [end, bad, base] = [&*beside, scene.sha(99), scene.sha(40)].map(|id| &id[..12]);
    let seen = format!(
        "before {bad}. The good revision {end} passes, but is not an ancestor, and the merge base {base} fails"
    );
    assert!(ran.code == 18 && ran.text.contains(&seen), "{}{}", ran.text, ran.words);
    assert!(ran.text.contains("an ancestor of --bad that passes with --good, or search for the fix"), "{}", ran.text);
}

#[test]
fn commands_use_the_journal_of_the_last_run() {
    let scene = tagged(63, &[]);
    let nothing = scene.program(&["report"]);
    assert!(nothing.code == 2 && nothing.words.contains("help: name a journal"), "{}", nothing.words);
    assert!(nothing.words.contains("no run was started in this folder"), "{}", nothing.words);
    scene.run(&["--good", scene.sha(0)]);
    let report = scene.program(&["report", "--json"]);
    assert_eq!(report.found(), (0, vec![scene.sha(63)]), "{}", report.words);
    for command in ["report", "status"] {
        let words = scene.program(&[command, "--json"]).words;
        let rest = words.strip_prefix("note: the last run in this folder, started ").unwrap_or_default();
        assert!(rest.split_once(" ago: sh -c cd ").is_some() && words.lines().count() == 1, "{words}");
        assert_eq!(scene.program(&["report", "-q"]).words, "");
    }
    let text = scene.program(&["report"]).text;
    assert!(text.contains("firstbad explain  ") && !text.contains(".jsonl"), "{text}");
    assert!(scene.program(&["replay"]).text.contains("regression search started"));
    assert!(scene.program(&["rank"]).words.contains("of the last run ("));
    // A journal of `--journal` is also the last run.
    let named = scene.path("named.jsonl");
    scene.run(&["--good", scene.sha(50), "--journal", named.to_str().unwrap()]);
    let text = scene.program(&["report"]).text;
    assert!(text.contains(&format!("firstbad explain {}", named.display())), "{text}");
    std::fs::remove_file(&named).unwrap();
    let gone = scene.program(&["status"]);
    assert!(gone.code == 2 && gone.words.contains("was deleted"), "{}", gone.words);
}

#[test]
fn a_reduction_is_not_the_last_search_among_commits() {
    let scene = tagged(63, &[]);
    let none = scene.program(&["explain"]);
    assert!(none.code == 2 && none.words.contains("no run was started in this folder"), "{}", none.words);
    scene.run(&["--good", scene.sha(0), "--max-runs", "3"]);
    let input = scene.path("input");
    std::fs::write(&input, "a\nb\n").unwrap();
    let input = input.to_str().unwrap();
    assert_eq!(scene.program(&["minimize", input, "-q", "--", "sh", "-c", "grep -q b input"]).code, 0);
    assert!(scene.program(&["replay"]).text.contains("minimize search started"));
    let on = scene.program(&["run", "--json", "--resume"]);
    assert_eq!(on.found(), (0, vec![scene.sha(63)]), "{}", on.words);
    assert_eq!(scene.program(&["minimize", input, "-q", "--", "sh", "-c", "grep -q b input"]).code, 0);
    let ranked = scene.program(&["rank"]);
    assert!(ranked.code == 0 && ranked.words.contains("of the last run ("), "{}", ranked.words);
    let explained = scene.program(&["explain"]);
    assert!(explained.words.contains(": sh -c cd "), "{}", explained.words);
    let none = scene.program(&["slice", "--resume"]);
    assert!(none.code == 2 && none.words.contains("no slice was started in this folder"), "{}", none.words);
}

#[test]
fn a_run_without_an_outcome_is_the_last_run() {
    let scene = tagged(63, &[]);
    scene.run(&["--good", scene.sha(0)]);
    let before = scene.own_journals().len();
    let ran = scene.program(&["run", "--good", scene.sha(0), "--", "no-such-command"]);
    assert_eq!((ran.code, scene.own_journals().len()), (15, before + 1), "{}", ran.words);
    assert!(!ran.words.contains("to go on"), "{}", ran.words);
    // A report must not show an older run.
    let report = scene.program(&["report"]);
    assert_eq!(report.code, 15, "{}", report.text);
    assert!(report.text.starts_with("Stopped after 0 runs"), "{}", report.text);
    assert!(report.words.contains(": no-such-command"), "{}", report.words);
}

#[test]
fn the_oldest_cache_journals_are_removed() {
    let scene = tagged(63, &[]);
    scene.run(&["--good", scene.sha(0)]);
    let folder = scene.own_journals()[0].parent().unwrap().to_owned();
    for number in 10..70 {
        std::fs::write(folder.join(format!("2020-01-01T00-00-{number}-1.jsonl")), "").unwrap();
        std::fs::write(folder.join(format!("2020-01-01T00-00-{number}-1.jsonl.cause-x.jsonl")), "").unwrap();
    }
    scene.run(&["--good", scene.sha(0)]);
    let left = scene.own_journals();
    assert!(left.len() <= 50, "{}", left.len());
    assert_eq!(scene.program(&["report", "--json"]).found(), (0, vec![scene.sha(63)]));
}

#[test]
fn firstbad_toml_has_the_settings_of_the_project() {
    let scene = tagged(63, &[]);
    let work = scene.path("work");
    scene.repository.git(&["worktree", "add", "--quiet", "--detach", work.to_str().unwrap(), "main"], "").unwrap();
    let script = scene.script("");
    let quoted = serde_json::Value::from(script).to_string();
    std::fs::write(work.join("firstbad.toml"), format!("command = [\"sh\", \"-c\", {quoted}]\njobs = 1\n")).unwrap();
    let work = work.to_str().unwrap();
    let start = ["run", "--json", "--good", scene.sha(0), "-C", work];
    let ran = scene.program(&start);
    assert_eq!(ran.found(), (0, vec![scene.sha(63)]), "{}", ran.words);
    assert!(ran.words.contains("firstbad.toml adds --jobs=1 -- sh -c"), "{}", ran.words);
    let none = scene.program(&[&start[..], &["--no-config"]].concat());
    assert!(none.code == 2 && none.words.contains("error: no test command"), "{}", none.words);
    // Reading commands do not read firstbad.toml.
    std::fs::write(scene.path("work/firstbad.toml"), "nonsense = [").unwrap();
    assert_eq!(scene.program(&["report", "-C", work]).code, 0);
    let wrong = scene.program(&start);
    assert!(wrong.code == 2 && wrong.words.contains("line 1 is not valid; expected TOML"), "{}", wrong.words);
}

#[test]
fn a_journal_resumes_in_a_moved_repository() {
    let scene = tagged(63, &[]);
    let journal = scene.path("run.jsonl");
    let journal = journal.to_str().unwrap();
    scene.run(&["--good", scene.sha(0), "--journal", journal, "--max-runs", "3"]);
    let moved = scene.path("moved");
    scene.repository.git(&["clone", "--quiet", "--mirror", ".", moved.to_str().unwrap()], "").unwrap();
    let on = scene.program(&["run", "--json", "--journal", journal, "-C", moved.to_str().unwrap()]);
    assert_eq!(on.found(), (0, vec![scene.sha(63)]), "{}", on.words);
}
