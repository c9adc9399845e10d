//! Simulated histories are reproducible, and recorded ones are read as written.

use std::io::Write;

use firstbad::Outcome;
use firstbad_testkit::bare_graph::BareGraph;
use firstbad_testkit::recorded::{Choice, History};
use firstbad_testkit::simulated::{Shape, alternating, history, monotonic};
use proptest::prelude::*;

const RECORDED: &str = r#"{"repo": "o/n", "head": "c3", "tips": [{"index": 3, "ref": "HEAD"}, {"index": 2, "ref": "x"},
  {"index": 3, "ref": "y"}], "commits": [{"id": "c0", "parents": [], "time": 5}, {"id": "c1", "parents": [0], "time": 7},
  {"id": "c2", "parents": [0], "time": 6}, {"id": "c3", "parents": [1, 2], "time": 9}],
  "tests": [{"name": "t", "outcomes": "PUFF"}, {"name": "u", "outcomes": "FPPF"}]}"#;

const BARE: &str = r#"{"repo": "o/n", "head": "h", "head_index": 2, "tips": [2], "time_first": 10,
  "time_delta": [0, 1, 2], "parent_back_offsets": [[], [1], [1, 2]]}"#;

fn packed(name: &str, text: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("firstbad-testkit-{}-{name}.json.gz", std::process::id()));
    let mut encoder = flate2::write::GzEncoder::new(std::fs::File::create(&path).unwrap(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap();
    path
}

#[test]
fn a_recorded_history_and_its_instances() {
    let path = packed("history", RECORDED);
    let history = History::read(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    assert_eq!(
        (history.tips.as_slice(), history.graph.time(3), history.graph.parents(3)),
        ([3, 2].as_slice(), 9, [1, 2].as_slice())
    );
    let choice = Choice::default();
    assert_eq!(history.chosen_functions(&choice), [(0, false), (0, true), (1, false), (1, true)]);
    let ends = |function, swapped, choice| -> Vec<(u32, Vec<u32>)> {
        let instances = history.single_leaf(function, swapped, choice);
        instances.into_iter().map(|instance| (instance.case.leaves[0], instance.case.goods)).collect()
    };
    assert_eq!(ends(0, false, &choice), [(3, vec![0]), (2, vec![0])]);
    assert_eq!(ends(1, false, &choice), [(3, vec![1])]);
    assert_eq!(ends(1, true, &choice), [(2, vec![0])]);
    let several = history.several_leaves(0, false).unwrap().case;
    assert_eq!((several.leaves, several.goods), (vec![3, 2], vec![0]));
    assert!(history.several_leaves(1, false).is_none());
}

#[test]
fn a_bare_graph() {
    let path = packed("graph", BARE);
    let bare = BareGraph::read(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    assert_eq!((bare.graph.len(), bare.graph.parents(2), bare.graph.time(2)), (3, [1, 0].as_slice(), 13));
}

#[test]
fn invalid_recorded_histories_are_named() {
    let path = packed("short", &RECORDED.replace("PUFF", "PUF"));
    let failure = History::read(&path).unwrap_err().to_string();
    std::fs::remove_file(path).unwrap();
    assert!(failure.contains("short.json.gz") && failure.contains("one of P, F, U per commit"), "{failure}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn simulated_histories_are_reproducible(revisions in 1usize..200, seed in any::<u64>()) {
        let shape = Shape::branchy(revisions);
        let (one, other) = (history(&shape, seed).unwrap(), history(&shape, seed).unwrap());
        prop_assert_eq!(one.len(), revisions);
        prop_assert_eq!(one.fingerprint(&one.leaves().collect::<Vec<_>>()), other.fingerprint(&other.leaves().collect::<Vec<_>>()));
        prop_assert_eq!(alternating(&one, 50, seed), alternating(&other, 50, seed));
    }

    #[test]
    fn one_culprit_fails_only_its_descendants(revisions in 1usize..100, seed in any::<u64>()) {
        let graph = history(&Shape::branchy(revisions), seed).unwrap();
        let culprit = (seed % revisions as u64) as u32;
        for (node, outcome) in monotonic(&graph, culprit).into_iter().enumerate() {
            prop_assert_eq!(outcome == Outcome::Fail, graph.is_ancestor(culprit, node as u32));
        }
    }
}
