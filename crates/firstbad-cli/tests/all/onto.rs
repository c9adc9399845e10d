//! Tests of `firstbad slice --onto`.

// The commands need a Unix shell.
#![cfg(unix)]

use crate::support::Place;
use serde_json::json;

const AREA: &str = "area() { echo $(($1 * $2)); }\n";
const TEST: [&str; 7] = ["--tests", "test.sh", "-q", "--tip", "feature", "--", "sh"];

/// A release branch and the history of `main`. The commit `feature` needs two commits that the release lacks, one of which Git needs.
/// Returns the shas of `main` after the fork.
fn history() -> (Place, Vec<String>) {
    let place = Place::new();
    place.write("repo/version", "2.0\n");
    place.commit("shapes.sh", AREA, "Shapes");
    place.git(&["branch", "release"]);
    let half = |how: &str| format!("{AREA}\n\nhalf() {{ {how}; }}\n");
    let mut shas = vec![
        place.commit("shapes.sh", &half("echo $(($1 / 2))"), "Halves (#301)"),
        place.commit("README", "docs\n", "Docs (#302)"),
        place.commit("solids.sh", ". ./shapes.sh\n", "Solids (#303)"),
        place.commit("shapes.sh", &half("echo $((($1 + 1) / 2))"), "Halves are rounded up (#305)"),
    ];
    place.write("repo/test.sh", ". ./triangle.sh\ntest \"$(triangle 3 1)\" = 2\n");
    shas.push(place.commit("triangle.sh", ". ./shapes.sh\ntriangle() { half $(area $1 $2); }\n", "Triangles (#308)"));
    place.git(&["tag", "feature"]);
    place.commit("version", "3.0\n", "Version 3.0");
    place.git(&["checkout", "-q", "release"]);
    place.commit("version", "2.0.1\n", "Version 2.0.1");
    place.commit("lock", "pinned\n", "Pin what we build with");
    place.git(&["checkout", "-q", "main"]);
    (place, shas)
}

fn onto<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["slice", "--onto", "release"], more, &TEST, &["test.sh"]].concat()
}

fn short(sha: &str) -> &str {
    &sha[..12]
}

#[test]
fn the_commits_that_a_commit_needs_are_picked_with_it() {
    let (place, shas) = history();
    let release = place.git(&["rev-parse", "release"]);
    let found = place.run(&onto(&["--branch", "picked", "--json"])).exits(10).json();
    assert_eq!(found["names"], json!([shas[0], shas[3], shas[4]]));
    assert_eq!(
        (&found["status"], &found["guarantee"], &found["of"]),
        (&json!("found"), &json!("1-minimal"), &json!(5))
    );
    assert_eq!(found["cherry_pick"], format!("git cherry-pick -x {} {} {}", shas[0], shas[3], shas[4]));
    assert_eq!(found["slice"]["history"]["onto"], json!(release));
    assert!(found["runs"].as_u64().unwrap() <= 8, "{}", found["runs"]);
    let text = place.run(&onto(&[])).exits(10).out;
    assert!(text.contains("needs #301, #305 (1-minimal, "), "{text}");
    let pick =
        format!("  pick        git cherry-pick -x {} {} {}\n", short(&shas[0]), short(&shas[3]), short(&shas[4]));
    assert!(text.contains(&pick), "{text}");
    let git = format!("    {} Halves (#301), for the context of {}\n", short(&shas[0]), short(&shas[3]));
    assert!(text.contains("  Git needs   without any of these, Git cannot apply") && text.contains(&git), "{text}");
    assert!(text.contains("  not needed  2 commits, the test passes without them\n"), "{text}");
    assert!(shas.iter().all(|sha| !text.contains(sha.as_str())), "{text}");
    let markdown = place.run(&onto(&["--format", "markdown"])).exits(10).out;
    assert!(
        markdown.contains(" needs #301, #305 (1-minimal, ") && markdown.contains("- **pick**: `git cherry-pick -x "),
        "{markdown}"
    );

    // The branch is what `git cherry-pick -x` makes.
    place.git(&["checkout", "-q", "-b", "by-hand", "release"]);
    place.git(&["cherry-pick", "-x", &shas[0], &shas[3], &shas[4]]);
    assert_eq!(place.git(&["diff", "by-hand", "picked", "--", ".", ":!test.sh"]), "");
    let messages = |branch: &str| place.git(&["log", "--format=%an %ad%n%B", &format!("release..{branch}")]);
    assert_eq!(messages("by-hand"), messages("picked"));
    assert_eq!(place.git(&["merge-base", "release", "picked"]), release);
}

#[test]
fn a_commit_that_needs_no_other_takes_one_run() {
    let (place, shas) = history();
    place.git(&["checkout", "-q", "release"]);
    // One commit is there by its patch-id, and the other one by its message.
    place.git(&["cherry-pick", &shas[0]]);
    let rounded = place.read("repo/shapes.sh").replace("$(($1 / 2))", "$((1 + ($1 - 1) / 2))");
    place.commit("shapes.sh", &rounded, &format!("Round up\n\n(cherry picked from commit {})", shas[3]));
    place.git(&["checkout", "-q", "main"]);
    let found = place.run(&onto(&["--json"])).exits(0).json();
    assert_eq!((&found["names"], &found["runs"], &found["of"]), (&json!([shas[4]]), &json!(1), &json!(3)));
    let text = place.run(&onto(&[])).exits(0).out;
    assert!(text.contains(" passes alone (1 run)\n"), "{text}");
    // Reverted commits are no longer there.
    place.git(&["checkout", "-q", "release"]);
    place.git(&["revert", "--no-edit", "HEAD"]);
    place.git(&["checkout", "-q", "main"]);
    let found = place.run(&onto(&["--json"])).exits(10).json();
    assert_eq!(found["names"], json!([shas[3], shas[4]]));
}

#[test]
fn a_silent_dependency_is_found_in_a_few_runs() {
    let (place, _) = history();
    place.git(&["checkout", "-q", "feature"]);
    let mut shas = Vec::new();
    for step in 0..40 {
        shas.push(place.commit(&format!("part{step}"), "on\n", &format!("Part {step}")));
    }
    let feature = place.commit("other", "new\n", "Other feature");
    let test = ["--", "sh", "-c", "test -e other && test -e part7"];
    let words = ["slice", "--onto", "release", "--tip", "HEAD", "--json", "-q"];
    let found = place.run(&[&words[..], &test].concat()).exits(10).json();
    assert_eq!(found["names"], json!([shas[7], feature]));
    assert!(found["runs"].as_u64().unwrap() <= 17, "{}", found["runs"]);
}

#[test]
fn a_commit_that_cannot_pass_is_not_reproduced() {
    let (place, _) = history();
    let words = ["slice", "--onto", "release", "--tip", "feature", "-q", "--", "false"];
    let text = place.run(&words).exits(11).out;
    assert!(text.starts_with("The test does not pass with the given change, not even"), "{text}");
    for (tip, words) in [("release", "a commit that release does not have"), ("nowhere", "nowhere")] {
        let ended = place.run(&["slice", "--onto", "release", "--tip", tip, "--", "true"]).exits(2);
        assert!(ended.err.contains("--tip: ") && ended.err.contains(words), "{}", ended.err);
    }
    let keep = place.run(&["slice", "--onto", "release", "--tip", "feature", "--keep", "fail", "--", "true"]).exits(2);
    assert!(keep.err.contains("--keep: "), "{}", keep.err);
}

#[test]
fn a_base_on_another_branch_names_the_option_for_it() {
    let (place, _) = history();
    let ended = place.run(&["slice", "--base", "release", "--tip", "feature", "--", "true"]).exits(2);
    let help = "help: to find the commits to pick onto release, pass --onto release instead of --base";
    assert!(ended.err.contains(help), "{}", ended.err);
}

#[test]
fn a_journal_of_a_pick_is_resumed() {
    let (place, shas) = history();
    let journal = ["--journal", "../run.jsonl", "--max-runs", "2"];
    place.run(&onto(&journal)).exits(14);
    let found = place.run(&["slice", "--journal", "../run.jsonl", "-q", "--json"]).exits(10).json();
    assert_eq!(found["names"], json!([shas[0], shas[3], shas[4]]));
    place.run(&["report", "../run.jsonl"]).exits(10);
}
