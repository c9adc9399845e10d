//! Revisions that are ready to be tested.

use crate::scene::Scene;

#[test]
fn what_is_ready_is_asked_first() {
    let scene = Scene::line(40, 23);
    let ready = [12, 22, 27].map(|node| scene.sha(node).to_owned());
    let listed = scene.path("built");
    scene.write("built", &format!("{}\nno id\n{}\n", ready.join("\n"), "0".repeat(40)));
    let command = format!("cat {}", listed.display());
    let ran = scene.run_line(&["--cached", &command]);
    assert_eq!(ran.code, 0, "{}", ran.words);
    assert!(ran.words.contains("3 of 40 revisions are ready"), "{}", ran.words);
    assert_eq!(ran.answer["points"][0]["bad"], scene.sha(23));
    let asked = scene.asked();
    let own = |id: &String| ready.contains(id);
    assert!(asked[2..].iter().take(2).all(own), "{asked:?}");
    assert!(asked.len() <= 6, "{asked:?}");
}

#[test]
fn a_journal_keeps_what_was_ready() {
    let scene = Scene::line(40, 23);
    let (journal, listed) = (scene.path("run.jsonl"), scene.path("built"));
    let command = format!("cat {}", listed.display());
    let journal = journal.display().to_string();
    scene.write("built", &format!("{}\n", scene.sha(12)));
    let arguments = ["--cached", &command, "--journal", &journal];
    let begun = scene.run_line(&[&arguments[..], &["--budget-runs", "3"]].concat());
    assert!(begun.words.contains("1 of 40 revisions are ready"), "{}", begun.words);
    assert_eq!(scene.asked()[2], scene.sha(12));
    // By now others are.
    scene.write("built", &format!("{}\n", scene.sha(30)));
    let ended = scene.run_line(&arguments);
    assert_eq!(ended.code, 0, "{}", ended.words);
    assert_eq!(ended.answer["points"][0]["bad"], scene.sha(23));
    let alone = scene.program(&["report", "--json", &journal]);
    assert_eq!(alone.code, 0, "{}", alone.words);
}

#[test]
fn a_command_that_fails_ends_the_run() {
    let scene = Scene::line(4, 2);
    for (arguments, words) in [
        (&["--cached", "exit 3"][..], "--cached: \"exit 3\", which ended with exit status: 3, is not valid"),
        (&["--cached", "sleep 100", "--cached-timeout", "50ms"], "which did not end within 0.05 s"),
        (&["--cached", "exec >&-; sleep 100", "--cached-timeout", "50ms"], "which did not end within 0.05 s"),
        (&["--cached", "exit 3", "--cached-timeout", "500000000000years"], "which ended with exit status: 3"),
        (&["--cached", "head -c 17000000 /dev/zero"], "which prints more than 16777216 bytes"),
        (&["--cached", "true", "--cached-cost", "0"], "--cached-cost: 0.0 is not valid; expected a cost above 0"),
        (
            &["--cached", "true", "--search", "binary"],
            "--cached: \"0 costs\" is not valid; expected nothing, or search=",
        ),
    ] {
        let ran = scene.run_line(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.words);
        assert!(ran.words.contains(words), "{arguments:?}: {}", ran.words);
        assert_eq!(scene.asked(), [""; 0]);
    }
}
