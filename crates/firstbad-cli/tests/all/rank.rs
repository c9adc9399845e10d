//! Tests of `firstbad rank`.

// The commands need a Unix shell.
#![cfg(unix)]

use crate::support::Place;
use serde_json::json;

/// A package with a test. Three of five commits matter to the test, one through a rename.
fn place() -> Place {
    let place = Place::new();
    place.commit("src/app/base.py", "x = 1\n", "Base");
    place.commit("src/app/__init__.py", "", "Package");
    place.commit("src/app/lib.py", "from app import base\n", "Lib");
    place.commit("tests/test_lib.py", "from app.lib import base\n", "Test");
    place.git(&["tag", "good"]);
    place.commit("src/app/base.py", "x = 2\n", "Far | <b>away</b>\u{1b}[31m");
    place.commit("src/app/other.py", "y = 1\n", "Nobody imports it");
    place.commit("src/app/lib.py", "from app import base\nz = 1\n", "Near");
    place.commit("notes.txt", "words\n", "Notes");
    place
}

#[test]
fn the_ranking_names_its_reasons() {
    let place = place();
    let all = [
        "rank",
        "--good",
        "good",
        "--bad",
        "main",
        "--test",
        "tests/test_lib.py::test_x[1]",
        "--graph",
        "python",
        "--by",
        "suspiciousness",
    ];
    let ranked = place.run(&[&all[..], &["--json"]].concat()).exits(0).json();
    let subjects: Vec<&str> = ranked["suspects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|suspect| ranked["commits"][suspect["change"].as_str().unwrap()]["subject"].as_str().unwrap())
        .collect();
    assert_eq!(subjects, ["Near", "Far | <b>away</b>\u{1b}[31m"]);
    assert_eq!(ranked["suspects"][0]["reasons"][0]["files"], serde_json::json!(["src/app/lib.py"]));
    assert_eq!(ranked["unlikely"].as_array().unwrap().len(), 2);
    assert_eq!((&ranked["excluded"], &ranked["complete"]), (&serde_json::json!([]), &serde_json::json!(false)));
    let first = place.run(&[&all[..], &["--json", "--most", "1"]].concat()).exits(0).json();
    assert_eq!(first["suspects"], json!([ranked["suspects"][0]]));
    let left = ranked["suspects"][1]["change"].as_str().unwrap();
    assert!(ranked["commits"].get(left).is_some() && first["commits"].get(left).is_none(), "{first}");
    let text = place.run(&all).exits(0).out;
    assert!(text.contains("Near") && text.contains("src/app/lib.py") && !text.contains('\u{1b}'), "{text}");
    let markdown = place.run(&[&all[..], &["--format=markdown", "--most", "1"]].concat()).exits(0).out;
    assert!(markdown.contains("`Near`") && markdown.contains("1 more are less suspicious"), "{markdown}");
}

#[test]
fn commits_are_ranked_by_content_without_a_build_graph() {
    let place = place();
    let all = ["rank", "--good", "good", "--bad", "main"];
    let subjects = |words: &[&str]| -> Vec<String> {
        let ranked = place.run(&[&all[..], words, &["--json"]].concat()).exits(0).json();
        assert_eq!((&ranked["by"], &ranked["warnings"]), (&json!("probability"), &json!([])));
        let suspects = ranked["suspects"].as_array().unwrap().iter();
        suspects
            .map(|suspect| {
                ranked["commits"][suspect["change"].as_str().unwrap()]["subject"].as_str().unwrap().to_owned()
            })
            .collect()
    };
    assert_eq!(subjects(&["--most", "2"]), subjects(&["--most", "99"])[..2]);
    assert_eq!(subjects(&[])[3], "Notes");
    let test = ["--test", "tests/test_lib.py::test_near"];
    assert_eq!(subjects(&test)[0], "Near");
    // The ranking multiplies imports and content.
    let both = [&test[..], &["--graph", "python"]].concat();
    assert_eq!(subjects(&both), ["Near", "Far | <b>away</b>\u{1b}[31m", "Nobody imports it", "Notes"]);
    let text = place.run(&[&all[..], &test].concat()).exits(0).out;
    assert!(text.starts_with("4 changes, ranked by their files and the test's \"near\"\n\n  1. "), "{text}");
    assert!(
        text.contains("%  Near (") && text.contains("touches src/app/lib.py, which the test is named after"),
        "{text}"
    );
    let markdown = place.run(&[&all[..], &both, &["--format=markdown", "--most", "1"]].concat()).exits(0).out;
    assert!(
        markdown.contains("| | commit | likely | why |") && markdown.contains("3 more are less likely"),
        "{markdown}"
    );
    assert!(markdown.contains("`touches src/app/lib.py, which the test depends on`<br>"), "{markdown}");
    place.run(&["rank", "--good", "main", "--bad", "main"]).exits(11);
}

#[test]
fn invalid_arguments_are_named() {
    let place = place();
    let rank = |words: &[&str]| {
        let ends = ["rank", "--good", "good", "--bad", "main"];
        place.run(&[&ends[..], words].concat()).exits(2).err
    };
    let unknown = rank(&["--test", "tests/test_lbi.py", "--graph", "python"]);
    assert!(
        unknown.contains("unknown build target \"tests/test_lbi.py\"\nhelp: did you mean \"tests/test_lib.py\""),
        "{unknown}"
    );
    for (how, words) in [
        (&["rank", "--good", "nope", "--bad", "main"][..], "--good: unknown revision \"nope\""),
        (&["rank", "--good", "good", "--bad", "nope"], "--bad: unknown revision \"nope\""),
    ] {
        let said = place.run(how).exits(2).err;
        assert!(said.starts_with(&format!("error: {words}")), "{said}");
    }
    assert!(rank(&["--test", "//app:test", "--by", "size"]).contains("--graph"), "a graph has to be named");
    assert!(rank(&["--graph", "python"]).contains("--test"), "a graph is about a test");
    assert!(rank(&["--test", "x.py", "--graph", "bazle=q.xml"]).contains("bazel=FILE"), "kinds are listed");
}

#[test]
fn no_suspect_has_its_own_exit_code() {
    let place = place();
    let nobody = ["rank", "--good", "main~1", "--bad", "main", "--test", "tests/test_lib.py", "--graph", "python"];
    let told = place.run(&nobody).exits(11);
    assert!(told.err.contains("does not touch a known file that") && told.out.contains("Notes"), "{}", told.err);
    let none = place.run(&[&nobody[..], &["--by", "size"]].concat()).exits(11).out;
    assert!(none.contains("does not touch a known file that"), "{none}");
}

#[test]
fn several_tests_rank_together_and_moved_ones_are_followed() {
    let place = place();
    place.commit("tests/test_base.py", "from app import base\n", "Another test");
    place.git(&["mv", "tests/test_lib.py", "tests/test_all.py"]);
    place.git(&["mv", "src/app/base.py", "src/app/ground.py"]);
    place.commit("src/app/lib.py", "from app import ground\n", "Moves");
    let tests = ["--test", "tests/test_lib.py", "--test", "tests/test_base.py"];
    let how = ["rank", "--good", "good", "--bad", "main", "--graph", "python", "--by", "suspiciousness"];
    let all = [&how[..], &tests].concat();
    let ranked = place.run(&[&all[..], &["--json"]].concat()).exits(0).json();
    assert_eq!(ranked["tests"], serde_json::json!(["tests/test_all.py", "tests/test_base.py"]));
    let far = ranked["suspects"].as_array().unwrap().iter().find(|suspect| {
        let subject = &ranked["commits"][suspect["change"].as_str().unwrap()]["subject"];
        subject.as_str().unwrap().starts_with("Far")
    });
    assert_eq!(far.unwrap()["reasons"][0]["target"], "src/app/ground.py", "under the name that it has today");
    let text = place.run(&all).exits(0).out;
    assert!(text.contains("files that at least one of 2 tests depends on"), "{text}");
    let markdown = place.run(&[&all[..], &["--format=markdown"]].concat()).exits(0).out;
    assert!(markdown.starts_with("### Suspects for `tests/test_all.py`, `tests/test_base.py`"), "{markdown}");
}

#[test]
fn rank_refuses_the_last_run_of_a_fix() {
    let place = place();
    let fix = ["run", "-q", "--fix", "--bad", "good", "--good", "main", "--", "grep", "-q", "z", "src/app/lib.py"];
    place.run(&fix).exits(0);
    let refused = place.run(&["rank"]).exits(2).err;
    assert!(refused.contains("searched for a fix"), "{refused}");
}
