//! Every search is sound on many kinds of simulated histories.

use firstbad::graph::Node;
use firstbad::regression::{Prefer, RegressionConfig, SearchKind};
use firstbad::{CommitGraph, Outcome};
use firstbad_testkit::git_run::{Cache, bisect};
use firstbad_testkit::replay::Case;
use firstbad_testkit::simulated::{Random, Shape, alternating, history, monotonic, unresolve};
use firstbad_testkit::soundness::violations;

/// Returns a history, outcomes, and endpoints from a seed, or `None` if no revision both fails and has a passing ancestor.
fn case(seed: u64) -> Option<Case> {
    let mut random = Random::new(seed);
    let shape = Shape {
        revisions: 2 + random.below(90) as usize,
        merges: random.below(600),
        window: 1 + random.below(40),
        forks: random.below(500),
        roots: random.below(60),
        skew: random.below(300),
    };
    let graph = history(&shape, seed).unwrap();
    let mut outcomes = if random.chance(300) {
        monotonic(&graph, random.below(graph.len() as u64) as Node)
    } else {
        alternating(&graph, 1 + random.below(200), seed)
    };
    if random.chance(600) {
        let blocks = 1 + random.below(6) as usize;
        unresolve(&mut outcomes, blocks, 1 + random.below(20), seed);
    }
    let oldest_pass = |graph: &CommitGraph, node: Node| {
        graph.ancestors(&[node]).ones().find(|&node| outcomes[node] == Outcome::Pass).map(|node| node as Node)
    };
    let ends: Vec<(Node, Node)> = (0..graph.len() as Node)
        .filter(|&node| outcomes[node as usize] == Outcome::Fail)
        .filter_map(|node| Some((node, oldest_pass(&graph, node)?)))
        .collect();
    let wanted = if random.chance(500) { 1 } else { 1 + random.below(6) as usize };
    let mut chosen: Vec<(Node, Node)> = Vec::new();
    for _ in 0..wanted {
        // Late revisions are more likely, as in practice.
        let end =
            *ends.get(random.below(ends.len().max(1) as u64).max(random.below(ends.len().max(1) as u64)) as usize)?;
        if !chosen.contains(&end) {
            chosen.push(end);
        }
    }
    let leaves = chosen.iter().map(|&(leaf, _)| leaf).collect();
    let mut goods: Vec<Node> = chosen.iter().map(|&(_, good)| good).collect();
    goods.sort_unstable();
    goods.dedup();
    Some(Case { graph: graph.into(), outcomes: outcomes.into(), leaves, goods })
}

#[test]
fn every_configuration_is_sound() {
    let kinds = [
        SearchKind::Auto,
        SearchKind::Linear,
        SearchKind::Binary,
        SearchKind::Multiplying,
        SearchKind::Gallop,
        SearchKind::Bisect,
        SearchKind::Weighted,
    ];
    let mut unsound = Vec::new();
    for (seed, case) in (0..400).filter_map(|seed| Some((seed, case(seed)?))) {
        for kind in kinds {
            for (clean, propagate, prefer) in [
                (true, None, Prefer::Fewest),
                (false, None, Prefer::Fewest),
                (true, Some(false), Prefer::Fewest),
                (true, None, Prefer::Latest),
                (false, Some(true), Prefer::Latest),
            ] {
                let config = RegressionConfig { check_parents: clean, propagate, prefer, ..case.config().search(kind) };
                let run = case.run(config);
                for words in violations(&case, &run, clean) {
                    unsound.push(format!(
                        "seed {seed}, {kind:?}, clean {clean}, propagate {propagate:?}, {prefer:?}: {words}"
                    ));
                }
            }
        }
    }
    assert!(unsound.is_empty(), "{} violations:\n{}", unsound.len(), unsound[..unsound.len().min(30)].join("\n"));
}

#[test]
fn halving_asks_the_same_revisions_as_git_bisect() {
    for (seed, case) in (0..400).filter_map(|seed| Some((seed, case(seed)?))) {
        let case = Case { leaves: vec![case.leaves[0]], ..case };
        let above = case.graph.ancestors(&case.leaves);
        let goods = case.goods.iter().copied().filter(|&good| above.contains(good as usize)).collect();
        let case = Case { goods, ..case };
        let mut cache = Cache::new(&case.outcomes, &case.leaves, &case.goods);
        bisect(&case.graph, case.leaves[0], &case.goods, &mut cache);
        let asked = case.run(case.config().search(SearchKind::Bisect)).asked;
        // firstbad continues after Git stops, because it also tests parents.
        assert!(asked.starts_with(cache.asked()), "seed {seed}: git asks {:?}, ours {asked:?}", cache.asked());
    }
}

/// With thousands of suspects, a revision slightly off the middle is good enough.
#[test]
fn halving_asks_the_same_revisions_as_git_bisect_among_thousands() {
    for seed in 0..2 {
        let revisions = 3100 + 1000 * seed as usize;
        let shape = Shape { merges: 500, window: 40, roots: 0, ..Shape::branchy(revisions) };
        let graph = history(&shape, seed).unwrap();
        let (leaf, culprit) = (revisions as Node - 1, revisions as Node / 3);
        let outcomes = monotonic(&graph, culprit);
        let case = Case { graph: graph.into(), outcomes: outcomes.into(), leaves: vec![leaf], goods: vec![0] };
        let mut cache = Cache::new(&case.outcomes, &case.leaves, &case.goods);
        bisect(&case.graph, leaf, &case.goods, &mut cache);
        let asked = case.run(case.config().search(SearchKind::Bisect)).asked;
        assert!(asked.starts_with(cache.asked()), "seed {seed}: git asks {:?}, ours {asked:?}", cache.asked());
    }
}
