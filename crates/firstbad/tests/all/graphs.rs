//! Graph algorithms compared with their definitions.

use firstbad::graph::{AncestorSums, Distances, Node};
use firstbad::{CommitGraph, GraphBuilder};
use fixedbitset::FixedBitSet;
use proptest::prelude::*;

/// Histories with long lines, many merges, several roots, and octopus merges. Parents are in random order.
fn graphs() -> impl Strategy<Value = CommitGraph> {
    let revision = (prop::collection::vec(any::<prop::sample::Index>(), 0..4), 0..10u8, 1..30usize);
    prop::collection::vec(revision, 1..900).prop_map(|revisions| {
        let mut builder = GraphBuilder::new();
        for (i, (parents, kind, reach)) in revisions.into_iter().enumerate() {
            let mut own: Vec<Node> = match kind {
                _ if i == 0 => vec![],
                0..=6 => vec![i as Node - 1],
                _ => parents.iter().map(|parent| (i - 1 - parent.index(i.min(reach))) as Node).collect(),
            };
            let mut seen = Vec::new();
            own.retain(|parent| {
                !seen.contains(parent) && {
                    seen.push(*parent);
                    true
                }
            });
            builder.numbered_revision(&format!("r{i}"), &own);
        }
        builder.build().expect("parents come first")
    })
}

fn naive_ancestors(graph: &CommitGraph, node: Node) -> Vec<bool> {
    let mut set = vec![false; graph.len()];
    set[node as usize] = true;
    for below in (0..=node).rev() {
        if set[below as usize] {
            graph.parents(below).iter().for_each(|&parent| set[parent as usize] = true);
        }
    }
    set
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, rng_seed: prop::test_runner::RngSeed::Fixed(11), ..ProptestConfig::default() })]

    #[test]
    fn sums_cover_all_ancestors_in_the_set(graph in graphs(), tip in any::<prop::sample::Index>(), good in any::<prop::sample::Index>(), merges in any::<bool>()) {
        let tip = tip.index(graph.len()) as Node;
        let good = good.index(graph.len()) as Node;
        let mut set: FixedBitSet = graph.ancestors(&[tip]);
        set.difference_with(&graph.ancestors(&[good]));
        let weight = |node: Node| if merges && graph.parents(node).len() > 1 { 0.25 } else { f64::from(node % 3) + 1.0 };
        let weights: Vec<f64> = set.ones().map(|node| weight(node as Node)).collect();
        for (node, sum) in AncestorSums::new(&graph, &set, &weights).iter() {
            let ancestors = naive_ancestors(&graph, node);
            let expected: f64 = set.ones().filter(|&other| ancestors[other]).map(|other| weight(other as Node)).sum();
            prop_assert!((sum - expected).abs() < 1e-6, "{node}: {sum} is not {expected}");
        }
    }

    #[test]
    fn distances_only_decrease_and_paths_have_their_length(graph in graphs(), sources in prop::collection::vec(any::<prop::sample::Index>(), 1..5)) {
        let sources: Vec<Node> = sources.iter().map(|source| source.index(graph.len()) as Node).collect();
        let mut distances = Distances::from(&graph, &sources[..1]);
        for &source in &sources {
            distances.add(&graph, &[source]);
        }
        for node in (0..graph.len() as Node).step_by(7) {
            let nearest = sources.iter().filter_map(|&source| graph.distance(source, node)).min();
            prop_assert_eq!(distances.to(node), nearest);
            let path = distances.path(&graph, node);
            prop_assert_eq!(path.len(), nearest.map_or(0, |edges| edges as usize + 1));
            prop_assert!(path.windows(2).all(|pair| graph.parents(pair[1]).contains(&pair[0])));
        }
    }

    #[test]
    fn order_of_input_does_not_change_the_history(graph in graphs()) {
        let pairs = |node: Node| (graph.id(node).to_owned(), graph.parents(node).iter().map(|&p| graph.id(p).to_owned()).collect::<Vec<_>>());
        let mut turned: Vec<_> = (0..graph.len() as Node).map(pairs).collect();
        turned.reverse();
        let middle = turned.len() / 2;
        turned.rotate_left(middle);
        let again = CommitGraph::new(turned).expect("the same history");
        let leaves: Vec<Node> = graph.leaves().collect();
        prop_assert_eq!(again.fingerprint(&again.leaves().collect::<Vec<_>>()), graph.fingerprint(&leaves));
        for node in 0..again.len() as Node {
            prop_assert!(again.parents(node).iter().all(|&parent| parent < node), "parents first");
            let old = graph.get(again.id(node)).expect("the same ids");
            let names = |graph: &CommitGraph, node: Node| graph.parents(node).iter().map(|&p| graph.id(p).to_owned()).collect::<Vec<_>>();
            prop_assert_eq!(names(&again, node), names(&graph, old), "parents keep their order");
        }
    }
}
