//! Tests of the stages of a test.

use super::scene::Scene;

/// Returns a script that fails at one revision.
fn broken_at(scene: &Scene, node: u32) -> String {
    format!("if [ $FIRSTBAD_REVISION = {} ]; then echo error: broken; exit 3; fi", scene.sha(node))
}

#[test]
fn a_revision_that_does_not_build_is_unresolved_with_its_stage() {
    let scene = Scene::line(12, 6);
    for (option, stage) in
        [(Some("--setup"), "setup"), (None, "configure"), (Some("--build"), "build"), (None, "control")]
    {
        let journal = scene.path(&format!("{stage}.jsonl"));
        let broken = broken_at(&scene, 6);
        scene.configure(&if option.is_none() { format!("{stage} = {broken:?}") } else { String::new() });
        let given = option.map_or(Vec::new(), |option| vec![option, &broken]);
        let ran = scene.run_line(&[&given[..], &["--journal", journal.to_str().unwrap()]].concat());
        assert_eq!(ran.found(), (10, vec![scene.sha(7)]), "{}", ran.words);
        let seen = ran.answer["observations"].as_array().unwrap();
        let ended: Vec<&str> = seen.iter().filter_map(|one| one["stage"].as_str()).collect();
        assert!(ended.contains(&stage) && ended.contains(&"test"), "{:?}", ran.answer["observations"]);
        let written = scene.read(&format!("{stage}.jsonl"));
        let told = format!(r#""signature":"exit code 3: error: broken","stage":"{stage}""#);
        assert!(written.contains(&told), "{written}");
        let Some(option) = option else { continue };
        let other = scene.program(&["run", "--journal", journal.to_str().unwrap(), option, "false"]);
        assert!(other.code == 1 && other.words.contains(&format!("Its --{stage} is ")), "{}", other.words);
    }
}

#[test]
fn patterns_and_signatures_decide_outcomes() {
    let scene = Scene::line(10, 5);
    let ran = scene.run_line(&["--pass-pattern", "no such words"]);
    assert_ne!(ran.code, 0, "{}", ran.words);
    let script =
        scene.script(&format!("if [ $FIRSTBAD_REVISION = {} ]; then echo error: other; exit 1; fi", scene.sha(5)));
    let (good, bad) = scene.ends();
    let test = ["--good", &good, "--bad", &bad, "--", "sh", "-c", &script];
    // The culprit fails in another way than the bad revision, so the search continues.
    let ran = scene.program(&[&["run", "--json"], &test[..]].concat());
    assert_eq!(ran.found(), (10, vec![scene.sha(6)]), "{}", ran.words);
    let warning = ran.answer["warnings"].to_string();
    let said = format!("the test fails in another way since {}", scene.sha(5));
    assert!(warning.contains(&said), "{warning}");
    let alike = ["--distinguish-failures", "no"];
    let ran = scene.program(&[&["run", "--json"], &alike[..], &test[..]].concat());
    assert_eq!(ran.found(), (0, vec![scene.sha(5)]));
    let warning = ran.answer["warnings"].to_string();
    let said = format!(
        "{} fails in another way than {bad}, so there may be two bugs: \\\"exit code 1: error: other\\\" instead of \\\"exit code 1\\\"",
        scene.sha(5)
    );
    assert!(warning.contains(&said), "{warning}");
    std::fs::write(scene.path("answer.json"), ran.answer.to_string()).unwrap();
    let answer = scene.path("answer.json");
    let known = ["run", "--json", "--no-confirm", "--import", answer.to_str().unwrap()];
    let again = scene.program(&[&known, &alike[..], &test[..]].concat());
    assert_eq!(again.found(), (0, vec![scene.sha(5)]), "{}", again.words);
    assert_eq!(again.answer["runs"], 0);
    let told_apart = scene.program(&[&["run", "--json", "--distinguish-failures", "yes"], &test[..]].concat());
    assert_eq!(told_apart.found(), (10, vec![scene.sha(6)]), "{}", told_apart.words);
}

#[test]
fn a_stage_that_fails_everywhere_is_named() {
    let scene = Scene::line(4, 2);
    let (good, bad) = scene.ends();
    let test = ["--good", &good, "--bad", &bad, "--", "true"];
    let ran = scene.program(&[&["run", "--build", "echo no compiler; exit 1"], &test[..]].concat());
    assert!(
        ran.code == 19 && ran.text.contains("read the output of build, which failed before the test"),
        "{}",
        ran.text
    );
    let printed =
        "the last lines of its output are:\n    | ==> build: sh -c echo no compiler; exit 1\n    | no compiler\n";
    assert!(ran.words.contains(printed) && !ran.words.contains("the test printed"), "{}", ran.words);
    let (_, rest) = ran.text.split_once("output in ").unwrap();
    assert!(rest.split_once(')').is_some_and(|(path, _)| std::path::Path::new(path).exists()), "{}", ran.text);
}

#[test]
fn an_environment_is_shared_by_revisions_with_the_same_files() {
    let scene = Scene::line(12, 6);
    let journal = scene.path("environment.jsonl");
    let counter = scene.path("made");
    let line = format!("echo made >> '{}'; mkdir modules; touch modules/name", counter.display());
    scene.configure(&format!(
        "environment-command = \"{line}\"\nenvironment-files = ['*.lock']\nenvironment-link = ['modules']\n"
    ));
    let setup = "test -L modules && test -e modules/name";
    let ran = scene.run_line(&["--setup", setup, "--journal", journal.to_str().unwrap()]);
    assert_eq!(ran.found(), (0, vec![scene.sha(6)]), "{}", ran.words);
    assert_eq!(scene.read("made"), "made\n");
    let written = scene.read("environment.jsonl");
    assert!(
        written.contains(r#""environment":{"#) && written.contains(r#""files":["*.lock"],"link":["modules"]"#),
        "{written}"
    );
    let other = scene.program(&["run", "--journal", journal.to_str().unwrap(), "--environment", "npm"]);
    assert!(other.code == 1 && other.words.contains("Its --environment is "), "{}", other.words);
}

#[test]
fn invalid_options_and_settings_are_named() {
    let scene = Scene::line(4, 2);
    let (good, bad) = scene.ends();
    let cases: [(&str, &[&str], &str); 11] = [
        (
            "",
            &["--pass-pattern", "(", "--", "true"],
            "--pass-pattern: \"(\" is not valid; expected a regular expression",
        ),
        ("", &["--stage-timeout", "1", "--", "true"], "stage-timeout = ..."),
        ("stage-timeout = 'soon'", &["--", "true"], "stage-timeout = \"soon\" is not valid; expected"),
        (
            "",
            &["--environment", "conda", "--", "true"],
            "--environment: \"conda\" is not valid; expected one of venv, uv, npm, pnpm, or",
        ),
        ("environment-command = 'true'", &["--", "true"], "environment-files as well"),
        ("environment-link = ['a']", &["--", "true"], "environment-command as well"),
        (
            "environment-command = 'true'\nenvironment-files = ['/etc/passwd']",
            &["--", "true"],
            "environment-files in firstbad.toml: \"/etc/passwd\" is not valid; expected paths from the revision's root",
        ),
        ("prefer = 'oldest'", &["--", "true"], "prefer = \"oldest\" is not valid; expected one of fewest, latest"),
        ("control = 'true'", &[], "error: no test command\nhelp: give the test after `--`, such as: firstbad run"),
        ("", &["--build", "true", "--pass-pattern", "x"], "error: no test command"),
        ("output-limit = 5", &["--", "true"], "output-limit in firstbad.toml: 5 is not valid"),
    ];
    for (settings, arguments, words) in cases {
        scene.configure(settings);
        let ran = scene.program(&[&["run", "--good", &good, "--bad", &bad], arguments].concat());
        assert!(ran.code == 2 && ran.words.contains(words), "{arguments:?}: {} {}", ran.code, ran.words);
    }
}
