//! Suites with any behavior, in small histories.

use std::collections::BTreeMap;
use std::sync::Arc;

use firstbad::graph::Node;
use firstbad::suite::{All, KeepBuilds};
use firstbad::{
    CommitGraph, Observation, Outcome, Probe, Search as _, Stage, TestResult, TriageConfig, TriageReport, TriageSearch,
};

use crate::random::Random;

/// The behavior of a test.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Manner {
    /// Fails at the revision and its descendants.
    Breaks(Node),
    /// Fails by chance, in so many of 100 runs.
    Flaky(u32),
    Always(Outcome),
    /// Has random results.
    Wild,
    /// Lies in one of five runs.
    Lies(Node),
}

/// A suite in a history.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub(crate) graph: Arc<CommitGraph>,
    pub(crate) tests: Vec<Manner>,
    /// The revisions that cannot be built.
    pub(crate) unbuildable: Vec<Node>,
    /// Whether the runner crashes after half of the tests, in one of three runs.
    pub(crate) crashes: bool,
}

pub(crate) fn line(length: usize) -> Arc<CommitGraph> {
    Arc::new(CommitGraph::linear((0..length).map(|place| format!("r{place}"))).expect("a line"))
}

fn history(random: &mut Random) -> Arc<CommitGraph> {
    let count = 2 + random.below(14);
    let parents = |place: usize, random: &mut Random| match place {
        0 => Vec::new(),
        _ if place > 1 && random.once_in(4) => {
            let mut parents = vec![place - 1, random.below(place - 1)];
            parents.dedup();
            parents
        }
        _ => vec![place - 1 - random.below(place.min(2))],
    };
    let edges: Vec<(String, Vec<String>)> = (0..count)
        .map(|place| (format!("r{place}"), parents(place, random).iter().map(|parent| format!("r{parent}")).collect()))
        .collect();
    Arc::new(CommitGraph::new(edges).expect("parents come first"))
}

impl World {
    pub(crate) fn random(random: &mut Random) -> World {
        let graph = history(random);
        let node = |random: &mut Random| random.below(graph.len()) as Node;
        let manner = |random: &mut Random| match random.below(10) {
            0 => Manner::Flaky(10 + random.below(50) as u32),
            1 => Manner::Always(Outcome::Fail),
            2 => Manner::Always(Outcome::Pass),
            3 => Manner::Always(Outcome::Unresolved),
            4 => Manner::Wild,
            5 => Manner::Lies(node(random)),
            _ => Manner::Breaks(node(random)),
        };
        let tests = (0..1 + random.below(7)).map(|_| manner(random)).collect();
        let unbuildable = (0..graph.len() as Node).filter(|_| random.once_in(9)).collect();
        World { tests, unbuildable, crashes: random.once_in(4), graph }
    }

    /// Returns the id of a test.
    pub(crate) fn id(test: usize) -> String {
        format!("suite::t{test}")
    }

    /// Returns a configuration with random options.
    pub(crate) fn config(&self, random: &mut Random) -> TriageConfig {
        let newest = self.graph.len() - 1;
        let ids: Vec<String> = (0..self.tests.len()).map(World::id).collect();
        let mut config = TriageConfig::new(format!("r{newest}"), ids.clone());
        if self.graph.is_ancestor(0, newest as Node) && random.once_in(2) {
            config = config.good(["r0"]);
        }
        if random.once_in(2) {
            let signature = |random: &mut Random| (!random.once_in(3)).then(|| format!("s{}", random.below(3)));
            let red = |random: &mut Random| TestResult { signature: signature(random), ..Outcome::Fail.into() };
            config.tonight = ids.iter().map(|id| (id.clone(), red(random))).collect();
        }
        if random.once_in(3) {
            config.last =
                ids.iter().filter(|_| !random.once_in(5)).map(|id| (id.clone(), Outcome::Pass.into())).collect();
        }
        if random.once_in(5) {
            (config.tests, config.tonight) = (Vec::new(), BTreeMap::new());
        }
        config.keep_builds = random.one_of(&[KeepBuilds::Last(0), KeepBuilds::Last(2), KeepBuilds::All(All::All)]);
        config.batch = random.one_of(&[None, None, Some(1), Some(3)]);
        config.confidence = random.one_of(&[0.95, 0.95, 0.8, 0.99]);
        config.max_tests = random.one_of(&[500, 500, 3]);
        config
    }

    fn outcome(&self, test: usize, node: Node, random: &mut Random) -> Outcome {
        let breaks = |culprit: Node| {
            if self.graph.is_ancestor(culprit, node) { Outcome::Fail } else { Outcome::Pass }
        };
        match self.tests[test] {
            Manner::Breaks(culprit) => breaks(culprit),
            Manner::Lies(culprit) if random.once_in(5) => breaks(culprit).swapped(),
            Manner::Lies(culprit) => breaks(culprit),
            Manner::Flaky(of_100) if random.below(100) < of_100 as usize => Outcome::Fail,
            Manner::Flaky(_) => Outcome::Pass,
            Manner::Always(outcome) => outcome,
            Manner::Wild => random.one_of(&[Outcome::Pass, Outcome::Fail, Outcome::Unresolved]),
        }
    }

    /// Runs the tests of a probe of a search.
    pub(crate) fn run(&self, search: &TriageSearch, probe: &Probe, random: &mut Random) -> Observation {
        let node = self.graph.get(probe.revision()).expect("a revision");
        if self.unbuildable.contains(&node) {
            return Observation { stage: Some(Stage::Build), ..Observation::new(Outcome::Unresolved) };
        }
        let number = |id: &String| id.trim_start_matches("suite::t").parse().expect("an id");
        let asked = search.inspect().tests(&probe.target);
        let tests: Vec<usize> =
            asked.map_or_else(|| (0..self.tests.len()).collect(), |ids| ids.iter().map(number).collect());
        if tests.is_empty() {
            return Outcome::Pass.into();
        }
        let ran = if self.crashes && random.once_in(3) { tests.len() / 2 } else { tests.len() };
        let result = |&test: &usize| (World::id(test), self.outcome(test, node, random).into());
        let results: BTreeMap<String, TestResult> = tests.iter().take(ran).map(result).collect();
        Observation { stage: Some(Stage::Test), ..Observation::of_results(results) }
    }
}

/// Searches with one probe at a time and a reliable suite.
pub(crate) fn triage(world: &World, config: TriageConfig) -> TriageReport {
    let mut random = Random(5);
    let mut search = TriageSearch::new(Arc::clone(&world.graph), config).expect("a valid configuration");
    while !search.is_done() {
        let probe = search.ask(1).expect("room for one").remove(0);
        search.tell(probe.id, world.run(&search, &probe, &mut random)).expect("a first outcome");
    }
    search.report()
}
