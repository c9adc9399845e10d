//! Tests of the reasons for probes.

// The commands need a Unix shell.
#![cfg(unix)]

use crate::support::Place;

const RUN: [&str; 9] = ["run", "--bad", "main", "--good", "good", "--prior", "changes", "--journal", "run.jsonl"];

/// A repository in which one of ten commits touches the cart, and its id.
fn place() -> (Place, String) {
    let place = Place::new();
    place.commit("src/cart.py", "fine\n", "Begin");
    place.git(&["tag", "good"]);
    let mut culprit = String::new();
    for number in 0..10 {
        if number == 6 {
            culprit = place.commit("src/cart.py", "broken\n", "Round\u{1b}[31m the totals");
        } else {
            place.commit("notes.md", &format!("{number}\n"), "Note");
        }
    }
    place.write("tests/test_cart.sh", "! grep -q broken src/cart.py\n");
    (place, culprit)
}

const CART: &str = "touches src/cart.py, which the test is named after; touches 1 source file, 2 lines";

#[test]
fn replay_and_reports_name_the_reason_for_a_probe() {
    let (place, culprit) = place();
    let parent = place.git(&["rev-parse", &format!("{culprit}^")]);
    let test = place.path("tests/test_cart.sh").display().to_string();
    let run = |words: &[&str]| {
        let command = [&RUN[..], words, &["--", "sh", &test]].concat();
        place.run(&command).exits(0)
    };
    let text = run(&[]);
    assert!(text.out.contains(&format!("  prior       {CART}\n")), "{}", text.out);
    let about = |id: &str| text.err.lines().find(|line| line.contains(&format!(": {} ", &id[..9]))).unwrap();
    let line = about(&culprit);
    assert!(line.ends_with("Round\u{fffd}[31m the totals"), "only replay names the reason: {line}");

    let report = place.run(&["report", "run.jsonl", "--json"]).exits(0).json();
    let why = |id: &str| report["why"][id].clone();
    assert_eq!((&why(&culprit)["message"], &why(&parent)["before"]), (&CART.into(), &culprit.as_str().into()));
    assert_eq!(why(&culprit)["reasons"][0]["kind"], "named");
    assert!(why(&place.git(&["rev-parse", "good"])).is_null());

    let replayed = place.run(&["replay", "run.jsonl"]).exits(0).out;
    assert!(replayed.contains(&format!("{}  [{CART}]\n", &culprit[..12])), "{replayed}");
    assert!(place.run(&["replay", "run.jsonl", "--json"]).exits(0).out.contains(&format!("\"message\":\"{CART}\"")));
    let markdown = place.run(&["report", "run.jsonl", "--format=markdown"]).exits(0).out;
    assert!(markdown.contains("**prior**") && markdown.contains("`touches src/cart.py"), "{markdown}");
}

#[test]
fn a_resumed_search_keeps_its_reasons() {
    let (place, culprit) = place();
    let test = place.path("tests/test_cart.sh").display().to_string();
    let run = |words: &[&str]| place.run(&[&RUN[..], words, &["--", "sh", &test]].concat());
    run(&["--max-runs", "2", "--quiet"]).exits(14);
    // Resuming does not need the repository.
    let asked = place.run(&["ask", "run.jsonl", "-k", "2"]).exits(0).json();
    let probes = asked["probes"].as_array().unwrap();
    assert!(
        probes.iter().any(|probe| probe["revision"] == culprit.as_str() && probe["why"]["message"] == CART),
        "{asked}"
    );
    let status = place.run(&["status", "run.jsonl"]).out;
    assert!(status.contains(&format!("{culprit}  [{CART}]")), "{status}");
}
