//! Tests of error messages.

use std::os::unix::fs::PermissionsExt as _;

use super::scene::Scene;

#[test]
fn errors_give_advice() {
    let scene = Scene::line(4, 2);
    scene.repository.git(&["tag", "release-1", scene.sha(0)], "").unwrap();
    scene.repository.git(&["tag", "also", scene.sha(0)], "").unwrap();
    let bad = scene.ends().1;
    let elsewhere = scene.path("");
    let cases: [(&[&str], i32, &str); 8] = [
        (
            &["--good", "also", "--bad", &bad, "-C", elsewhere.to_str().unwrap(), "--", "true"],
            1,
            "is not in a Git repository",
        ),
        (
            &["--good", "relaese-1", "--bad", &bad, "--", "true"],
            2,
            "--good: unknown revision \"relaese-1\"\nhelp: did you mean \"release-1\"?",
        ),
        (
            &["--good", "also", "--bad", "zzz", "--", "true"],
            2,
            "--bad: unknown revision \"zzz\": it is not a branch, tag, or commit of this repository",
        ),
        (
            &["--good", "also", "--bad", &bad],
            2,
            "error: no test command\nhelp: give the test after `--`, such as: firstbad run",
        ),
        (
            &["--good", "also", "--bad", "release-1", "--", "true"],
            2,
            &format!("--good: also, which is the same commit as --bad release-1 ({})", &scene.sha(0)[..12]),
        ),
        (
            &["--good", &bad[..20], "--bad", "also", "--", "true"],
            2,
            &format!(
                "--good: {:?} ({}) is not valid; expected a revision that is not newer than",
                &bad[..20],
                &bad[..12]
            ),
        ),
        (&["--good", "also", "--bad", &bad, "--", "no-such-command"], 15, "command not found: no-such-command"),
        (
            &["--good", "also", "--bad", &bad, "--preset", "pytset", "--", "true"],
            2,
            "--preset: \"pytset\" is not valid; expected one of auto, none, pytest, jest",
        ),
    ];
    for (arguments, code, words) in cases {
        check(&scene, arguments, code, words);
    }
}

/// Checks how a run ends, and that firstbad keeps only a search that has started.
fn check(scene: &Scene, arguments: &[&str], code: i32, words: &str) {
    let ran = scene.program(&[&["run"], arguments].concat());
    assert!(ran.code == code && ran.words.contains(words), "{arguments:?}: {} {}", ran.code, ran.words);
    let lines = ran.words.lines().filter(|line| !line.starts_with("    | ") && !line.starts_with("help: "));
    assert_eq!(lines.count(), 1, "{}", ran.words);
    assert_eq!(scene.own_journals().len(), usize::from(code == 15), "{arguments:?}");
    scene.own_journals().iter().for_each(|journal| std::fs::remove_file(journal).unwrap());
    assert!(scene.work_trees().is_empty(), "{arguments:?}");
}

#[test]
fn a_path_outside_the_repository_is_refused() {
    let scene = Scene::line(4, 2);
    let ran = scene.program(&["run", "--good", scene.sha(0), "--bad", scene.sha(3), "--path", "/etc", "--", "true"]);
    let said = "--path: \"/etc\" is not valid; expected a path in the repository";
    assert!(ran.code == 2 && ran.words.contains(said), "{} {}", ran.code, ran.words);
}

#[test]
fn impossible_treatments_are_refused() {
    let scene = Scene::line(4, 2);
    for (option, value, words) in [
        (
            "--treat",
            "timeout=fail",
            "--treat timeout=OUTCOME: fail is not valid; expected a value only with a time limit (--timeout)",
        ),
        ("--treat", "999=pass", "--treat: 999 is not valid; expected exit codes from 0 to 255"),
    ] {
        let ran = scene.run_line(&[option, value]);
        assert!(ran.code == 2 && ran.words.contains(words), "{} {}", ran.code, ran.words);
    }
}

#[test]
fn a_run_continues_without_a_cache_folder() {
    let scene = Scene::line(10, 5);
    let cache = scene.path("cache");
    std::fs::create_dir(&cache).unwrap();
    std::fs::set_permissions(&cache, std::fs::Permissions::from_mode(0o500)).unwrap();
    let ran = scene.run_line(&[]);
    assert_eq!(ran.found(), (0, vec![scene.sha(5)]), "{}", ran.words);
}
