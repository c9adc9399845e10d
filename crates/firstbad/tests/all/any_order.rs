//! The report depends only on the set of outcomes, not on their order.

pub(crate) mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use firstbad::graph::Node;
use firstbad::regression::{LeafResult, Prefer};
use firstbad::{
    CommitGraph, Outcome, RegressionConfig, RegressionPoint, RegressionReport, RegressionSearch, Search, Status,
};
use proptest::prelude::*;

use self::world::World;
use crate::promises::KINDS;
use crate::random::{Random, seeded};

/// A search and the outcomes reported to it.
struct Told<'w> {
    world: &'w World,
    config: &'w RegressionConfig,
    search: RegressionSearch,
    outcomes: BTreeMap<Node, Outcome>,
}

impl<'w> Told<'w> {
    fn new(world: &'w World, config: &'w RegressionConfig) -> Self {
        let search = RegressionSearch::new(Arc::clone(&world.graph), config.clone()).expect("valid ends");
        Told { world, config, search, outcomes: BTreeMap::new() }
    }

    /// Requests `jobs` probes at a time and reports their outcomes in random order, even after the end. With `extra`, it also
    /// reports outcomes that were not requested.
    fn drive(&mut self, jobs: usize, extra: bool, random: &mut Random) {
        for _ in 0..3 * self.world.graph.len() + 10 {
            let mut probes = self.search.ask(jobs).expect("room for one");
            if probes.is_empty() {
                assert!(self.search.is_done(), "nothing asked, nothing in flight, and not done");
                return;
            }
            while !probes.is_empty() {
                let probe = probes.swap_remove(random.below(probes.len()));
                let node = self.world.graph.get(probe.revision()).expect("a revision");
                self.search.tell(probe.id, self.world.outcome(node).into()).expect("a first answer");
                self.outcomes.insert(node, self.world.outcome(node));
                if extra && random.once_in(2) {
                    self.observe(random.below(self.world.graph.len()) as Node);
                }
            }
        }
        panic!("no end");
    }

    fn observe(&mut self, node: Node) {
        let outcome = self.world.outcome(node);
        self.search.observe(&self.world.graph.id(node).to_owned().into(), outcome.into()).expect("what it is");
        self.outcomes.insert(node, outcome);
    }

    /// Reports the same outcomes to another search, in random order.
    fn again(&self, random: &mut Random) -> Self {
        let mut again = Told::new(self.world, self.config);
        let mut nodes: Vec<Node> = self.outcomes.keys().copied().collect();
        while !nodes.is_empty() {
            again.observe(nodes.swap_remove(random.below(nodes.len())));
        }
        again
    }

    /// The revisions that passed, or were given as passing and not tested.
    fn passing(&self) -> Vec<Node> {
        let seen = self.outcomes.iter().filter(|(_, outcome)| **outcome == Outcome::Pass).map(|(&node, _)| node);
        let given = self.config.good.iter().filter(|_| !self.config.test_endpoints);
        let given =
            given.filter_map(|good| self.world.graph.get(good)).filter(|node| !self.outcomes.contains_key(node));
        seen.chain(given).collect()
    }

    fn seen(&self, node: Node) -> Option<Outcome> {
        self.outcomes.get(&node).copied()
    }
}

/// The suspects of a leaf's points.
fn suspects(report: &RegressionReport, leaf: usize) -> BTreeSet<&str> {
    let points = report.leaves[leaf].points.iter().map(|&point| &report.points[point]);
    points.flat_map(RegressionPoint::suspects).map(String::as_str).collect()
}

/// A configuration with random endpoints and options, or `None` if the world has no such endpoints.
fn search_of(world: &World, random: &mut Random) -> Option<RegressionConfig> {
    let name = |node: &Node| world.graph.id(*node).to_owned();
    let leaves: Vec<Node> = world.graph.leaves().collect();
    let bad = if random.once_in(4) { leaves } else { vec![random.one_of(&leaves)] };
    let nodes = 0..world.graph.len() as Node;
    let passing: Vec<Node> =
        nodes.filter(|node| world.outcome(*node) == Outcome::Pass && !bad.contains(node)).collect();
    let good = if passing.is_empty() || random.once_in(2) { vec![] } else { vec![random.one_of(&passing)] };
    let config = RegressionConfig {
        search: random.one_of(&KINDS),
        prefer: random.one_of(&[Prefer::Fewest, Prefer::Fewest, Prefer::Latest]),
        propagate: random.one_of(&[None, None, Some(true), Some(false)]),
        check_parents: !random.once_in(4),
        test_endpoints: !random.once_in(4),
        good: good.iter().map(name).collect(),
        ..RegressionConfig::new(bad.iter().map(name))
    };
    RegressionSearch::new(Arc::clone(&world.graph), config.clone()).is_ok().then_some(config)
}

/// Checks a single report.
fn check(told: &Told<'_>, report: &RegressionReport) -> Result<(), TestCaseError> {
    let graph = &told.world.graph;
    let node = |id: &str| graph.get(id).expect("a revision");
    let passing = told.passing();
    for (place, leaf) in report.leaves.iter().enumerate() {
        let before = graph.ancestors(&[node(leaf.replaced_by.as_ref().unwrap_or(&leaf.leaf))]);
        let passes_before = passing.iter().any(|&passing| before.contains(passing as usize));
        prop_assert!(
            leaf.result != LeafResult::NoPassingRevision || !passes_before,
            "something passes before {}",
            leaf.leaf
        );
        // If not every parent must pass, an edge is a result, whatever else fails.
        let is_edge = leaf.points.iter().all(|&point| report.points[point].candidates.is_empty());
        let Some(culprit) = told.world.culprit.filter(|&culprit| before.contains(culprit as usize)) else { continue };
        if !leaf.points.is_empty() && (told.config.check_parents || !is_edge) {
            let suspects = suspects(report, place);
            prop_assert!(suspects.contains(graph.id(culprit)), "{} is left out of {suspects:?}", graph.id(culprit));
        }
    }
    for point in report.points.iter().filter(|point| told.config.check_parents && point.candidates.is_empty()) {
        let after = graph.descendants(&[node(&point.bad)]);
        let passing: Vec<Node> = passing.iter().copied().filter(|&node| !after.contains(node as usize)).collect();
        let cleared = graph.ancestors(&passing);
        let is_open =
            |&&parent: &&Node| told.seen(parent) == Some(Outcome::Unresolved) && !cleared.contains(parent as usize);
        let open = graph.parents(node(&point.bad)).iter().find(is_open).map(|&parent| graph.id(parent));
        prop_assert!(point.good.is_none() || open.is_none(), "{} is found beside unresolved {open:?}", point.bad);
    }
    Ok(())
}

/// Checks that the same outcomes in another order do not narrow the result further.
fn compare(told: &Told<'_>, report: &RegressionReport, again: &Told<'_>) -> Result<(), TestCaseError> {
    let other = again.search.report();
    let is_done = again.search.is_done();
    prop_assert!(
        !is_done || other.status == report.status,
        "{} became {}",
        report.status.as_str(),
        other.status.as_str()
    );
    for place in 0..report.leaves.len() {
        let (one, other) = (suspects(report, place), suspects(&other, place));
        let is_same = match is_done {
            true if told.world.culprit.is_some() && told.config.check_parents => one == other,
            // If there are several edges, the search can report any.
            true => report.status == Status::Found || one == other,
            // A search that needs more runs must not have a narrower result yet.
            false => told.world.culprit.is_none() || other.is_empty() || one.is_subset(&other),
        };
        prop_assert!(is_same, "suspects of {}: {one:?} became {other:?}", report.leaves[place].leaf);
    }
    Ok(())
}

fn in_any_order(seed: u64) -> Result<(), TestCaseError> {
    let mut random = Random(seed);
    let world = World::new(&mut random);
    let Some(config) = search_of(&world, &mut random) else { return Ok(()) };
    let mut told = Told::new(&world, &config);
    let jobs = random.one_of(&[1, 4, 4, 8]);
    let extra = random.once_in(3);
    told.drive(jobs, extra, &mut random);
    let report = told.search.report();
    check(&told, &report)?;
    // In the strict algorithms of the paper, only requested outcomes count.
    let is_to_the_letter = !config.check_parents && !config.propagates();
    for _ in 0..if is_to_the_letter { 0 } else { 2 } {
        compare(&told, &report, &told.again(&mut random))?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(seeded(4000, 57))]

    #[test]
    fn reports_do_not_depend_on_the_order_of_outcomes(seed in any::<u64>()) {
        in_any_order(seed)?;
    }
}

/// Runs batches of `jobs`, and reports outcomes in the requested order. Unlisted revisions are unresolved.
fn batches(
    graph: CommitGraph,
    config: &RegressionConfig,
    jobs: usize,
    passes: &[&str],
    fails: &[&str],
) -> RegressionReport {
    let mut search = RegressionSearch::new(graph, config.clone()).expect("valid ends");
    while !search.is_done() {
        for probe in search.ask(jobs).expect("room for one") {
            let is_in = |ids: &[&str]| ids.contains(&probe.revision());
            let outcome = match () {
                () if is_in(passes) => Outcome::Pass,
                () if is_in(fails) => Outcome::Fail,
                () => Outcome::Unresolved,
            };
            search.tell(probe.id, outcome.into()).expect("a first answer");
        }
    }
    search.report()
}

#[test]
fn a_failure_after_the_end_is_a_suspect() {
    for kind in KINDS {
        let graph = CommitGraph::linear((0..8).map(|number| format!("r{number}"))).unwrap();
        let config = RegressionConfig::new(["r7"]).good(["r0"]).search(kind);
        let report = batches(graph, &config, 4, &["r0"], &["r4", "r7"]);
        let saw = report.observations.iter().any(|seen| seen.revision() == "r4");
        let (bad, first) = (report.points[0].bad.as_str(), report.points[0].candidates.first().map(String::as_str));
        assert_eq!(bad, if saw { "r4" } else { "r7" }, "{kind:?}: {}", report.message);
        assert_eq!((report.status, first), (Status::Ambiguous, Some("r1")), "{kind:?}");
    }
}

#[test]
fn a_pass_after_the_end_is_found() {
    for kind in KINDS {
        for jobs in [1, 2, 4, 8] {
            // "base" fails, a branch from it passes, and the other branch passes up to r3.
            let mut edges = vec![("base".to_owned(), vec![]), ("side".to_owned(), vec!["base".to_owned()])];
            edges.push(("r0".to_owned(), vec!["base".to_owned()]));
            edges.extend((1..6).map(|number| (format!("r{number}"), vec![format!("r{}", number - 1)])));
            let config = RegressionConfig::new(["r5"]).good(["side"]).search(kind);
            let passes = ["side", "r0", "r1", "r2", "r3"];
            let report = batches(CommitGraph::new(edges).unwrap(), &config, jobs, &passes, &["base", "r4", "r5"]);
            let saw = report
                .observations
                .iter()
                .any(|seen| seen.revision().starts_with('r') && passes.contains(&seen.revision()));
            let is_found = report.status == Status::Found && report.points[0].bad == "r4";
            assert!(!saw || is_found, "{kind:?}, {jobs} jobs: {}", report.message);
        }
    }
}
