//! Tests of `firstbad run --metric` and of its rounds.

// The measured programs are Unix shell scripts.
#![cfg(unix)]

use serde_json::Value;

use crate::support::{Ended, Place};

/// Creates 20 commits with a number in the file `size`. Commit 12 adds 30, and every fifth commit adds 1. The first is `v1`.
fn growing() -> (Place, Vec<String>) {
    let place = Place::new();
    let shas = (0..20).map(|number| {
        let size = 100 + if number >= 12 { 30 } else { 0 } + number / 5;
        place.write("repo/size", &format!("{size}\n"));
        let sha = place.commit("n", &format!("{number}\n"), &format!("Commit {number}"));
        if number == 0 {
            place.git(&["tag", "v1"]);
        }
        sha
    });
    let shas = shas.collect();
    (place, shas)
}

fn measured(place: &Place, options: &[&str], command: &[&str]) -> Ended {
    place.run(&[&["run", "--json"], options, &["--"], command].concat())
}

/// Returns the commits of the steps.
fn steps(report: &Value) -> Vec<&str> {
    report["steps"].as_array().unwrap().iter().map(|step| step["commit"].as_str().unwrap()).collect()
}

const COPY: [&str; 3] =
    ["sh", "-c", "mkdir -p out; head -c \"$(cat size)\" /dev/zero > out/app.bin; echo size=$(cat size)"];

#[test]
fn the_commit_that_changed_a_number_is_found() {
    let (place, shas) = growing();
    for kind in ["last-number", "regex:size=(.*)", "file-size:out/*.bin"] {
        let ended = measured(&place, &["--good", "v1", "--metric", kind, "--worse", "up"], &COPY).exits(0);
        let report = ended.json();
        assert_eq!(steps(&report), [&shas[12]], "{kind}");
        assert_eq!((&report["algorithm"], &report["conclusion"]), (&"change".into(), &"step".into()));
        assert_eq!((&report["before"], &report["after"]), (&100.0.into(), &133.0.into()), "{kind}");
        assert!(report["runs"].as_u64().unwrap() <= 14, "{}", report["runs"]);
    }
}

#[test]
fn without_good_the_last_tag_is_compared() {
    let (place, shas) = growing();
    let ended = measured(&place, &["--metric", "file-size:size", "--at-least", "1B"], &["true"]).exits(11);
    assert!(ended.err.contains("note: --good is the last tag: "), "{}", ended.err);
    let ended = measured(&place, &["--metric", "last-number", "--worse", "up"], &["cat", "size"]).exits(0);
    assert_eq!(steps(&ended.json()), [&shas[12]]);
    place.git(&["tag", "-d", "v1"]);
    let refused = measured(&place, &["--metric", "last-number", "--worse", "up"], &["cat", "size"]).exits(2);
    assert!(refused.err.contains("help: name a revision with a better number"), "{}", refused.err);
}

#[test]
fn a_smaller_change_than_wanted_is_none() {
    let (place, shas) = growing();
    let options = ["--good", "v1", "--metric", "last-number"];
    let run = |more: &[&str], code| measured(&place, &[&options, more].concat(), &["cat", "size"]).exits(code).json();
    assert_eq!(run(&["--worse", "up", "--at-least", "40"], 11)["conclusion"], "none");
    assert_eq!(run(&["--worse", "down"], 11)["conclusion"], "none");
    assert_eq!(steps(&run(&["--worse", "either"], 0)), [&shas[12]]);
    assert_eq!(steps(&run(&["--worse", "down", "--find", "faster"], 0)), [&shas[12]]);
    let all = run(&["--worse", "up", "--at-least", "1", "--all-steps"], 0);
    let place_of = |step: &str| shas.iter().position(|sha| sha == step).unwrap();
    let mut places: Vec<usize> = steps(&all).into_iter().map(place_of).collect();
    assert_eq!(places[0], 12, "the largest step");
    places.sort_unstable();
    assert_eq!(places, [5, 10, 12, 15]);
}

#[test]
fn a_failing_command_has_no_number() {
    let (place, _) = growing();
    let ended = measured(&place, &["--metric", "last-number", "--worse", "up"], &["sh", "-c", "cat size; exit 1"]);
    assert_eq!(ended.exits(19).json()["status"], "untestable");
}

#[test]
fn an_interrupted_search_resumes() {
    let (place, shas) = growing();
    let options = ["--metric", "last-number", "--worse", "up"];
    let stopped = measured(&place, &[&options[..], &["--max-runs", "5"]].concat(), &["cat", "size"]).exits(14);
    assert!(stopped.err.ends_with("note: to resume: firstbad run --resume\n"), "{}", stopped.err);
    let line = stopped.err.lines().find(|line| line.starts_with("4 runs")).unwrap();
    assert!(line.starts_with("4 runs, 100 at ") && line.contains(" 100 (") && line.ends_with(" Commit 0"), "{line}");
    let report = place.run(&["run", "--resume", "--json"]).exits(0).json();
    assert_eq!((steps(&report), &report["warnings"]), (vec![shas[12].as_str()], &Value::from(Vec::<Value>::new())));
    let text = place.run(&["replay"]).exits(0).out;
    assert!(text.contains(": 133") && text.contains("[the endpoints are measured first]"), "{text}");
    assert!(place.run(&["explain"]).exits(1).err.contains("a search for a change in a number"));
    place.run(&["status"]).exits(0);
}

#[test]
fn two_metrics_have_two_culprits() {
    let (place, shas) = growing();
    let big = place.commit("big", &"x".repeat(500), "Add a file");
    place.commit("n", "end\n", "The last one");
    let options = ["--good", "v1", "--metric", "last-number", "--metric", "file-size:{big,size}", "--worse", "up"];
    let report = measured(&place, &options, &["cat", "size"]).exits(0).json();
    let other = &report["other_metrics"][0];
    let mut found = [(&report["metric"], steps(&report)), (&other["metric"], steps(other))];
    found.sort_by_key(|(metric, _)| metric.as_str());
    assert_eq!(found[0], (&Value::from("file-size:{big,size}"), vec![big.as_str()]));
    assert_eq!(found[1], (&Value::from("last-number"), vec![shas[12].as_str()]));
}

/// Drives a search as the jobs of a CI service do. Returns the report.
fn rounds(place: &Place, options: &[&str], answer: impl Fn(&Value) -> Vec<String>) -> Value {
    place.run(&[&["init", "r.jsonl", "--good", "v1"], options].concat()).exits(0);
    loop {
        let asked = place.run(&["ask", "r.jsonl"]).exits(0).json();
        if asked["done"] == true {
            return place.run(&["report", "r.jsonl", "--json"]).json();
        }
        for probe in asked["probes"].as_array().unwrap() {
            let id = probe["id"].to_string();
            let mut words = vec!["tell".to_owned(), "r.jsonl".to_owned(), id];
            words.extend(answer(probe));
            place.run(&words.iter().map(String::as_str).collect::<Vec<_>>()).exits(0);
        }
    }
}

#[test]
fn rounds_tell_numbers() {
    let (place, shas) = growing();
    let size = |revision: &Value| place.git(&["show", &format!("{}:size", revision.as_str().unwrap())]);
    let broken = shas[9].clone();
    let report = rounds(&place, &["--metric", "seconds", "--at-least", "5"], |probe| {
        assert_eq!(probe["control"], Value::Null);
        match probe["revision"] == broken.as_str() {
            true => vec!["unresolved".to_owned()],
            false => vec!["--number".to_owned(), size(&probe["revision"])],
        }
    });
    assert_eq!((steps(&report), &report["unit"]), (vec![shas[12].as_str()], &"s".into()));
}

#[test]
fn paired_rounds_tell_two_numbers() {
    let (place, shas) = growing();
    let good = place.git(&["rev-parse", "v1"]);
    let size = |revision: &Value| -> f64 {
        place.git(&["show", &format!("{}:size", revision.as_str().unwrap())]).parse().unwrap()
    };
    let report = rounds(&place, &["--metric", "seconds", "--paired"], |probe| {
        assert_eq!(probe["control"], good.as_str());
        // Each machine has another speed.
        let speed = 1.0 + probe["id"].as_f64().unwrap();
        let [number, control] = [&probe["revision"], &probe["control"]].map(|id| (speed * size(id)).to_string());
        ["--number", &number, "--control-number", &control].map(str::to_owned).to_vec()
    });
    assert_eq!((steps(&report), &report["paired"]), (vec![shas[12].as_str()], &true.into()));
}

#[test]
fn a_paired_run_measures_the_good_revision_too() {
    let (place, shas) = growing();
    let report = measured(&place, &["--metric", "last-number", "--worse", "up", "--paired"], &["cat", "size"]);
    let report = report.exits(0).json();
    assert_eq!(steps(&report), [&shas[12]]);
    assert!(report["observations"].as_array().unwrap().iter().all(|one| one["control"] == 100.0), "{report}");
}

#[test]
fn wrong_arguments_say_how_to_fix_them() {
    let (place, _) = growing();
    let run = |options: &[&str]| measured(&place, options, &["cat", "size"]).exits(2).err;
    for (options, words) in [
        (&["--metric", "second"][..], "--metric: \"second\" is not valid"),
        (&["--metric", "last-number"], "help: add --worse up if a larger number is worse"),
        (&["--metric", "seconds", "--flaky"], "--flaky: \"with --metric\" is not valid"),
        (&["--metric", "seconds", "--fix"], "expected --find faster instead"),
        (&["--metric", "seconds", "--fail-pattern", "x"], "--fail-pattern: \"with --metric\" is not valid"),
        (&["--metric", "seconds", "--at-least", "2kB"], "expected a percentage, or an amount in the unit of seconds"),
        (&["--metric", "seconds", "--at-least", "much"], "expected a percentage such as \"3%\" or an amount"),
        (&["--metric", "seconds", "--bad", "HEAD", "--bad", "v1"], "one revision, because a number is compared"),
        (&["--metric", "seconds", "--metric", "memory", "--paired"], "one metric: a run has one control"),
        (&["--at-least", "3%"], "--at-least: \"without --metric\" is not valid"),
        (&["--keep-builds", "3"], "--keep-builds: \"without --metric\" is not valid"),
    ] {
        let said = run(options);
        assert!(said.contains(words), "{options:?}: {said}");
    }
    let refused = place.run(&["run", "--metric", "seconds", "--format", "bisect-log", "--", "true"]).exits(2);
    assert!(refused.err.contains("expected another format"), "{}", refused.err);
    place.run(&["init", "r.jsonl", "--good", "v1", "--metric", "seconds"]).exits(0);
    place.run(&["ask", "r.jsonl"]).exits(0);
    let said = place.run(&["tell", "r.jsonl", "0", "pass"]).exits(2).err;
    assert!(said.contains("expected --number N instead"), "{said}");
    assert!(
        place.run(&["tell", "r.jsonl", "0", "--number", "inf"]).exits(2).err.contains("a number from -1e100 to 1e100")
    );
    place.run(&["tell", "r.jsonl", "0", "--number", "5", "--censored"]).exits(0);
    let asked = place.run(&["ask", "r.jsonl"]).exits(0).json();
    let told = format!("{{\"id\": {}, \"metric\": 7.5}}", asked["probes"][0]["id"]);
    assert_eq!(
        place.run_given(&["tell", "r.jsonl", "--from", "-"], &told).exits(0).json()["told"][0]["outcome"],
        "pass"
    );
    assert!(place.run(&["init", "s.jsonl", "--good", "v1", "--worse", "up"]).exits(2).err.contains("--metric KIND"));
}

#[test]
fn help_has_a_page_about_metrics() {
    let place = Place::new();
    let page = place.run(&["help", "metric"]).exits(0).out;
    assert!(page.contains("file-size:GLOB") && page.contains("--control-every <N>"), "{page}");
    let help = place.run(&["run", "--help"]).exits(0).out;
    assert!(help.contains("firstbad help metric") && !help.contains("--control-every"), "{help}");
}
