//! With any ids, subjects, authors, and notes, tags balance and text is escaped.

use std::collections::BTreeMap;
use std::sync::Arc;

use firstbad::{Commit, CommitGraph, Observation, Outcome, Report};
use firstbad_report::card;
use proptest::prelude::*;
use serde_json::json;

use super::markup::check;

/// Texts with markup and control characters.
fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("</title><script>alert(1)</script>".to_owned()),
        Just("\" onload=\"alert(1)".to_owned()),
        Just("' style='x:y".to_owned()),
        Just("</style></section>&amp;<!--".to_owned()),
        Just("\u{1b}[2J\u{202e}\u{2066}\u{200d}\u{fffe}\0\n\t".to_owned()),
        "\\PC{0,200}",
        ".{0,20}",
    ]
}

/// Creates a history from the distances of each revision to its parents.
fn histories() -> impl Strategy<Value = Vec<Vec<usize>>> {
    prop::collection::vec(prop::collection::vec(1usize..12, 1..4), 1..70)
}

fn outcomes() -> impl Strategy<Value = Outcome> {
    prop_oneof![4 => Just(Outcome::Pass), 4 => Just(Outcome::Fail), 1 => Just(Outcome::Unresolved)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]
    #[test]
    fn cards_hold_whatever_texts_hold(
        parents in histories(),
        texts in prop::collection::vec(hostile(), 8),
        answers in prop::collection::vec(outcomes(), 40),
        algorithm in prop_oneof![Just("regression"), Just("culprit")],
        ends in 1usize..4,
    ) {
        let id = |number: usize| format!("{number}{}", texts[number % texts.len()]);
        let mut history = vec![(id(0), vec![])];
        for (number, steps) in (1..).zip(&parents) {
            let mut parents: Vec<String> = steps.iter().map(|step| id(number - (*step).min(number))).collect();
            parents.dedup();
            let mut known = Vec::new();
            parents.retain(|parent| !known.contains(parent) && { known.push(parent.clone()); true });
            history.push((id(number), parents));
        }
        let graph = Arc::new(CommitGraph::new(history.clone()).unwrap());
        let newest = parents.len();
        let ends = if algorithm == "culprit" { 1 } else { ends };
        let bad: Vec<String> = (0..ends.min(newest)).map(|back| id(newest - back)).collect();
        let options = json!({"bad": bad, "test": [texts[0]]});
        let Ok(mut search) = firstbad::open(algorithm, graph.clone(), &options) else { return Ok(()) };
        for outcome in answers {
            let Some(probe) = search.ask(1).unwrap().pop() else { break };
            let note = Some(texts[1].clone()).filter(|note| !note.is_empty());
            let observation = Observation { note, seconds: Some(0.25), ..Observation::new(outcome) };
            search.tell(probe.id, observation).unwrap();
        }
        let mut report = Report::of(search.inspect()).unwrap();
        let commit = |text: &String| Commit {
            subject: text.clone(), author: texts[2].clone(), author_date: texts[3].clone(), commit_date: String::new(), ..Commit::default()
        };
        let commits: BTreeMap<String, Commit> = graph.ids().zip(texts.iter().cycle()).map(|(id, text)| (id.to_owned(), commit(text))).collect();
        *report.commits_mut().unwrap() = commits;
        check(&card::report(&report, Some(&*search)));
        check(&card::report(&report, None));
        check(&card::graph(&graph, Some(&report)));
        check(&card::graph(&graph, None));
        check(&card::graph_svg(&graph, Some(&report)));
        check(&card::store(3, &texts[4], &texts[5], &texts[6]));
    }

    #[test]
    fn reductions_and_patches_hold_whatever_lines_hold(lines in prop::collection::vec(hostile(), 1..30), kept in any::<u32>()) {
        let kept: Vec<usize> = (0..lines.len()).filter(|line| kept >> (line % 32) & 1 == 1).collect();
        let report = json!({
            "status": "found", "message": lines[0], "kept": kept, "guarantee": "1-minimal", "asked": 3, "runs": 3, "observations": [],
        });
        let report = Report::from_json("minimize", &report.to_string()).unwrap();
        let borrowed: Vec<&str> = lines.iter().map(String::as_str).collect();
        check(&card::reduction(&report, card::Items::Lines(&borrowed)));
        let left: Vec<&str> = kept.iter().map(|&line| borrowed[line]).collect();
        check(&card::reduction(&report, card::Items::Shown { all: lines.len(), left: &left }));
        check(&card::reduction(&report, card::Items::Numbered(None)));
        let added: String = lines.iter().map(|line| format!("+{}\n", line.replace(['\n', '\r'], " "))).collect();
        let diff = format!("--- a/x\n+++ b/x\n@@ -0,0 +1,{} @@ {}\n{added}", lines.len(), lines[0].replace(['\n', '\r'], " "));
        if let Ok(patch) = firstbad::Patch::parse(diff.as_bytes()) {
            check(&card::patch_card(&patch));
            check(&card::reduction(&report, card::Items::Patch(&patch)));
        }
    }
}
