//! Tests of cached revisions.

use super::scene::Scene;

#[test]
fn cached_revisions_are_asked_first() {
    let scene = Scene::line(40, 23);
    let ready = [12, 22, 27].map(|node| scene.sha(node).to_owned());
    let listed = scene.path("built");
    scene.write("built", &format!("{}\nno id\n{}\n", ready.join("\n"), "0".repeat(40)));
    scene.configure(&format!("cached = 'cat {}'", listed.display()));
    let ran = scene.run_line(&["--no-confirm"]);
    assert_eq!(ran.code, 0, "{}", ran.words);
    assert!(ran.words.contains("3 of 40 revisions are cached"), "{}", ran.words);
    assert_eq!(ran.answer["points"][0]["bad"], scene.sha(23));
    let asked = scene.asked();
    let own = |id: &String| ready.contains(id);
    assert!(asked[2..].iter().take(2).all(own), "{asked:?}");
    assert!(asked.len() <= 6, "{asked:?}");
}

#[test]
fn a_journal_keeps_the_cached_revisions() {
    let scene = Scene::line(40, 23);
    let (journal, listed) = (scene.path("run.jsonl"), scene.path("built"));
    scene.configure(&format!("cached = 'cat {}'", listed.display()));
    let journal = journal.display().to_string();
    scene.write("built", &format!("{}\n", scene.sha(12)));
    let arguments = ["--journal", &journal];
    let begun = scene.run_line(&[&arguments[..], &["--max-runs", "3"]].concat());
    assert!(begun.words.contains("1 of 40 revisions are cached"), "{}", begun.words);
    assert_eq!(scene.asked()[2], scene.sha(12));
    // The command would print another revision now.
    scene.write("built", &format!("{}\n", scene.sha(30)));
    let ended = scene.run_line(&arguments);
    assert_eq!(ended.code, 0, "{}", ended.words);
    assert_eq!(ended.answer["points"][0]["bad"], scene.sha(23));
    let alone = scene.program(&["report", "--json", &journal]);
    assert_eq!(alone.code, 0, "{}", alone.words);
}

#[test]
fn ask_prefers_cached_revisions() {
    let scene = Scene::line(40, 23);
    let (good, bad) = scene.ends();
    let (journal, listed) = (scene.path("by-hand.jsonl").display().to_string(), scene.path("built"));
    let command = format!("cat {}", listed.display());
    scene.write("built", &format!("{}\n", scene.sha(12)));
    let init = |command: &str| {
        scene.configure(&format!("cached = '{command}'"));
        let folder = scene.repository_folder();
        let ends = ["--good", &good, "--bad", &bad, "--no-test-endpoints"];
        scene.program(&[&["-C", &folder, "init", &journal], &ends[..]].concat())
    };
    let begun = init(&command);
    assert_eq!(begun.code, 0, "{}", begun.words);
    assert!(begun.words.contains("1 of 40 revisions are cached"), "{}", begun.words);
    assert!(scene.program(&["ask", &journal]).answer.to_string().contains(scene.sha(12)));
    // The command would print another revision now.
    scene.write("built", &format!("{}\n", scene.sha(30)));
    let again = init(&command);
    assert_eq!((again.code, &again.answer["resumed"]), (0, &true.into()), "{}", again.words);
    let resumed = init("exit 3");
    assert_eq!(resumed.code, 0, "the command does not run again: {}", resumed.words);
    std::fs::remove_file(&journal).unwrap();
    let refused = init("exit 3");
    assert!(refused.code == 2 && refused.words.contains("cached in firstbad.toml: \"exit 3\""), "{}", refused.words);
}

#[test]
fn keep_build_keeps_build_folders() {
    let scene = Scene::line(14, 3);
    let journal = scene.path("warm.jsonl").display().to_string();
    let ran = scene.run_line(&["--keep-build", "--journal", &journal]);
    assert_eq!((ran.code, &ran.answer["points"][0]["bad"]), (0, &scene.sha(3).into()), "{}", ran.words);
    let (good, bad) = scene.ends();
    let words = ["run", "--good", &good, "--bad", &bad, "--journal", &journal, "--keep-build"];
    assert_eq!(scene.program(&words).code, 0);
}

#[test]
fn a_failing_cached_command_stops_the_run() {
    let scene = Scene::line(4, 2);
    for (arguments, words) in [
        ("cached = 'exit 3'", "cached in firstbad.toml: \"exit 3\", which ended with exit status: 3, is not valid"),
        ("cached = 'sleep 100'\ncached-timeout = '50ms'", "which did not finish within 0.05 s"),
        ("cached = 'exec >&-; sleep 100'\ncached-timeout = '50ms'", "which did not finish within 0.05 s"),
        ("cached = 'exit 3'\ncached-timeout = '500000000000years'", "which ended with exit status: 3"),
        ("cached = 'head -c 17000000 /dev/zero'", "which prints more than 16777216 bytes"),
        ("cached = 'true'\ncached-cost = 0", "cached-cost in firstbad.toml: 0.0 is not valid; expected a cost above 0"),
    ] {
        scene.configure(arguments);
        let ran = scene.run_line(&[]);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.words);
        assert!(ran.words.contains(words), "{arguments:?}: {}", ran.words);
        assert_eq!(scene.asked(), [""; 0]);
    }
}
