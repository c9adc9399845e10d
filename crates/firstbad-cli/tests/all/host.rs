//! Tests of the environment of a test command.

// The commands need a Unix shell.
#![cfg(unix)]

use crate::support::Place;

/// A history of `value` that is bad from `c3` on. `v1` is its first commit.
fn history() -> Place {
    let place = Place::new();
    place.commit("value", "good\n", "start");
    place.git(&["tag", "v1"]);
    for number in 1..=5 {
        if number == 3 {
            place.write("repo/value", "bad\n");
        }
        place.commit("n", &number.to_string(), &format!("c{number}"));
    }
    place
}

#[test]
fn an_absolute_path_into_the_checkout_is_a_warning() {
    let place = history();
    let line = format!("cd {} && grep -qx good value", place.repo().display());
    let ran = place.run(&["run", "-q", "--good", "v1", "--", "sh", "-c", &line]);
    assert!(ran.err.starts_with("warning: the command names"), "{}", ran.err);
    assert!(ran.out.contains("\nwarning: ") && ran.out.contains("checkout"), "{}", ran.out);
    let json = place.run(&["run", "--json", "--good", "v1", "--", "sh", "-c", &line]).json();
    assert!(json["warnings"][0].as_str().is_some_and(|text| text.contains("checkout")), "{json}");
}

#[test]
fn filters_run_only_with_allow_filters() {
    let place = Place::new();
    place.commit("key.txt", "hello\n", "start");
    place.git(&["tag", "v1"]);
    for name in ["clean", "smudge"] {
        place.git(&["config", &format!("filter.rot.{name}"), "tr a-z n-za-m"]);
    }
    place.write("repo/.gitattributes", "*.txt filter=rot\n");
    place.git(&["add", "--renormalize", "."]);
    place.commit("n", "1", "filtered");
    place.commit("value", "bad", "culprit");
    let check = "grep -qx hello key.txt && test ! -e value";
    let ran = place.run(&["run", "-q", "--good", "v1", "--", "sh", "-c", check]);
    assert!(ran.out.contains(" filtered\n") && ran.err.contains("--allow-filters"), "{}{}", ran.out, ran.err);
    let ran = place.run(&["run", "-q", "--allow-filters", "--good", "v1", "--", "sh", "-c", check]).exits(0);
    assert!(ran.out.contains(" culprit\n") && ran.err.is_empty(), "{}{}", ran.out, ran.err);
}

#[test]
fn a_command_in_one_word_is_refused() {
    let place = history();
    let ran = place.run(&["run", "--good", "v1", "--", "grep -qx good value"]).exits(2);
    assert!(ran.err.contains("quotes") && ran.err.contains("sh -c"), "{}", ran.err);
    let ran =
        place.run(&["run", "--good", "v1", "--setup", "true && true", "--", "grep", "-qx", "good", "value"]).exits(0);
    assert!(ran.out.contains(" c3\n"));
}

#[test]
fn the_preset_comes_from_the_command() {
    let place = history();
    // The exit code of pytest if it runs no test.
    place.write("bin/pytest", "#!/bin/sh\ngrep -qx good value && exit 0\necho 'ERROR: not found: x'\nexit 4\n");
    std::fs::set_permissions(place.path("bin/pytest"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let pytest = place.path("bin/pytest").display().to_string();
    let ran = place.run(&["run", "--good", "v1", "--", &pytest]);
    assert!(ran.err.contains("--preset none") && ran.code != 0, "{}", ran.err);
    let ran = place.run(&["run", "-q", "--preset", "none", "--good", "v1", "--", &pytest]).exits(0);
    assert!(ran.out.contains(" c3\n") && ran.out.contains("--preset pytest"), "{}", ran.out);
    let script = format!("timeout 9 {pytest}; true && {pytest}");
    let ran = place.run(&["run", "-q", "--good", "v1", "--", "sh", "-c", &script]).exits(0);
    assert!(ran.out.contains("--preset pytest"), "also of a script: {}", ran.out);
}

#[test]
fn a_timeout_inside_the_command_is_doubted() {
    let place = history();
    let test = "grep -qx good value || sleep 5";
    let ran = place.run(&["run", "-q", "--good", "v1", "--", "timeout", "0.2", "sh", "-c", test]).exits(0);
    assert!(ran.out.contains("exit code 124") && ran.out.contains("--timeout"), "{}", ran.out);
    let given = ["--treat", "124=fail"];
    let ran =
        place.run(&[&["run", "-q", "--good", "v1"], &given[..], &["--", "timeout", "0.2", "sh", "-c", test]].concat());
    assert!(!ran.out.contains("exit code 124"), "{}", ran.out);
}

#[test]
fn a_search_stops_if_both_endpoints_fail_for_the_same_reason() {
    let place = history();
    let search = |arguments: &[&str]| {
        let answer = place.run(&[&["run", "--json"], arguments].concat()).json();
        (answer["runs"].as_u64().unwrap(), answer["message"].as_str().unwrap().to_owned())
    };
    let (runs, message) = search(&["--good", "v1", "--timeout", "0.2", "--", "sleep", "5"]);
    assert!(runs == 2 && message.contains("⟦timeout⟧") && message.contains("still running"), "{runs} {message}");
    let check = "grep -qx good value || { echo total is wrong; exit 1; }";
    let (runs, message) = search(&["--good", "v1", "--fail-pattern", "totl", "--", "sh", "-c", check]);
    assert!(runs <= 2 && message.contains("totl"), "{runs} {message}");
    let (runs, message) = search(&["--good", "v1", "--treat", "127=unresolved", "--", "./nope.sh"]);
    assert!(runs == 2 && message.contains("./nope.sh"), "{runs} {message}");
}

#[test]
fn the_failure_of_a_good_revision_is_shown() {
    let place = history();
    let ran = place.run(&["run", "-q", "--good", "v1", "--", "cat", "nothing"]).exits(12);
    assert!(
        ran.out.contains("error: the test also fails at the good revision v1 (") && ran.out.contains("--copy"),
        "{}",
        ran.out
    );
    let other = "grep -qx good value && { echo Error: one; exit 1; }; echo Error: two; exit 1";
    let ran = place.run(&["run", "-q", "--good", "v1", "--", "sh", "-c", other]).exits(12);
    assert!(ran.out.contains("    Error: one\n") && ran.out.contains("--flaky"), "{}", ran.out);
}

#[test]
fn a_fix_without_a_tested_parent_is_not_claimed() {
    let place = Place::new();
    place.commit("value", "good\n", "start");
    place.git(&["branch", "lts"]);
    place.commit("value", "bad\n", "bug");
    place.commit("value", "good\n", "fix");
    place.git(&["checkout", "-q", "lts"]);
    place.commit("l", "1", "l1");
    place.commit("value", "bad\n", "backport");
    place.git(&["checkout", "-q", "main"]);
    let ran = place.run(&["run", "--fix", "--bad", "lts", "--good", "main", "--", "grep", "-qx", "good", "value"]);
    let is_found = ran.out.lines().next().unwrap_or_default().ends_with(" fix");
    assert!(
        is_found || ran.out.contains("is not an ancestor") && !ran.out.contains("nothing before it failed"),
        "{}",
        ran.out
    );
}

#[test]
fn a_good_revision_that_contains_the_culprit_has_its_fix() {
    let place = history();
    place.git(&["checkout", "-q", "-b", "rel", "main~1"]);
    place.commit("value", "good\n", "repair");
    place.git(&["checkout", "-q", "main"]);
    let ran = place.run(&["run", "-q", "--good", "rel", "--", "grep", "-qx", "good", "value"]).exits(0);
    assert!(ran.out.contains(" c3\n") && ran.out.contains("a commit between them fixed it"), "{}", ran.out);
    let ran = place.run(&["run", "-q", "--good", "v1", "--", "grep", "-qx", "good", "value"]);
    assert!(!ran.out.contains("fixed it"), "{}", ran.out);
}

#[test]
fn a_date_is_the_last_commit_before_it() {
    let place = Place::new();
    for (day, value) in [("11", "good"), ("12", "good"), ("13", "good"), ("14", "bad"), ("15", "bad")] {
        place.write("repo/value", &format!("{value}\n"));
        place.write("repo/n", day);
        place.git(&["add", "-A"]);
        let date = format!("2023-11-{day}T12:00:00Z");
        let dated = format!("GIT_AUTHOR_DATE={date} GIT_COMMITTER_DATE={date}");
        let ended = std::process::Command::new("sh")
            .args(["-c", &format!("{dated} git -c user.name=a -c user.email=b commit -qm c{day}")])
            .current_dir(place.repo())
            .status();
        assert!(ended.unwrap().success());
    }
    let test = ["--", "grep", "-qx", "good", "value"];
    let ran = place.run(&[&["run", "--good", "2023-11-14"], &test[..]].concat()).exits(0);
    assert!(ran.out.contains(" c14\n") && ran.err.contains("--good 2023-11-14 is "), "{}{}", ran.out, ran.err);
    let ran = place.run(&[&["run", "--good", "1999-01-01"], &test[..]].concat()).exits(2);
    assert!(ran.err.contains("no commit before this date"), "{}", ran.err);
    let ran = place.run(&["rank", "--good", "2023-11-14"]);
    assert!(ran.code == 0 || ran.err.contains("--before="), "{}", ran.err);
}

#[test]
fn a_program_that_lost_its_permission_can_be_the_failure() {
    let place = Place::new();
    place.write("repo/tool", "#!/bin/sh\nexit 0\n");
    std::fs::set_permissions(place.path("repo/tool"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    place.commit("n", "0", "start");
    place.git(&["tag", "v1"]);
    place.git(&["update-index", "--chmod=-x", "tool"]);
    place.git(&["commit", "-qm", "mode"]);
    let ran = place.run(&["run", "--good", "v1", "--", "./tool"]);
    assert!(ran.err.contains("command not executable: ./tool") && ran.err.contains("126="), "{}{}", ran.out, ran.err);
}

#[test]
fn the_commits_of_a_submodule_that_the_culprit_took_in_are_listed() {
    let place = Place::new();
    let git = |folder: &std::path::Path, arguments: &[&str]| {
        let who = ["-c", "user.name=a", "-c", "user.email=b", "-c", "protocol.file.allow=always"];
        let ended = std::process::Command::new("git").args(who).args(arguments).current_dir(folder).status();
        assert!(ended.unwrap().success());
    };
    let lib = place.path("lib");
    std::fs::create_dir(&lib).unwrap();
    git(&lib, &["init", "-q", "-b", "main"]);
    for number in 1..=4 {
        std::fs::write(lib.join("state"), if number < 3 { "good\n" } else { "bad\n" }).unwrap();
        std::fs::write(lib.join("n"), number.to_string()).unwrap();
        git(&lib, &["add", "-A"]);
        git(&lib, &["commit", "-qm", &format!("lib {number}")]);
    }
    git(&place.repo(), &["submodule", "--quiet", "add", lib.to_str().unwrap(), "lib"]);
    let at = place.repo().join("lib");
    git(&at, &["checkout", "-q", "HEAD~3"]);
    place.commit("n", "0", "start");
    place.git(&["tag", "v1"]);
    git(&at, &["checkout", "-q", "main"]);
    place.commit("m", "0", "bump");
    let inside = ["--into-submodules", "--good", "v1", "--", "grep", "-qx", "good", "lib/state"];
    let ran = place.run(&[&["run", "-q"], &inside[..]].concat()).exits(0);
    assert!(
        ran.out.contains(" bump\n") && ran.out.contains("in lib: ") && ran.out.contains(" lib 3\n"),
        "{}{}",
        ran.out,
        ran.err
    );
    let json = place.run(&[&["run", "--json"], &inside[..]].concat()).json();
    assert_eq!(json["inside"][0]["summary"]["status"], "found", "{json}");
    // The test reads only the link of the submodule.
    let test = "test $(git ls-files -s lib | cut -d' ' -f2) = $(git rev-parse v1:lib)";
    let ran = place.run(&["run", "-q", "--good", "v1", "--", "sh", "-c", test]).exits(0);
    assert!(ran.out.contains("3 commits of lib") && ran.out.contains("lib 3"), "{}", ran.out);
    let next = ran.out.lines().find(|line| line.contains("git -C lib log")).unwrap_or_default();
    assert!(next.contains(".."), "{}", ran.out);
}
