//! Random histories with culprits, and a flaky test with known rates.

use std::collections::HashMap;
use std::sync::Arc;

use firstbad::Find;
use firstbad::graph::Node;
use firstbad::regression::SearchKind;
use firstbad::{
    CommitGraph, Observation, Outcome, Probe, RegressionConfig, RegressionReport, RegressionSearch, Search,
};

use crate::random::Random;

/// A history with the state of every revision.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub graph: Arc<CommitGraph>,
    /// Which revisions are changed, that is broken or, for a fix, fixed. Descendants of a changed revision are changed.
    pub changed: Vec<bool>,
    pub unresolved: Vec<bool>,
}

/// The parameters of a random world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub revisions: usize,
    pub merges: f64,
    pub forks: f64,
    pub roots: f64,
    pub culprits: usize,
    pub unresolved: f64,
    /// The share of revisions whose state does not depend on their ancestors.
    pub turns: f64,
}

impl World {
    pub(crate) fn new(shape: &Shape, random: &mut Random) -> Self {
        let n = shape.revisions;
        let mut parents: Vec<Vec<usize>> = Vec::new();
        for i in 0..n {
            let mut own = Vec::new();
            if i > 0 && !random.chance(shape.roots) {
                own.push(if random.chance(shape.forks) { random.below(i) } else { i - 1 });
                if random.chance(shape.merges) {
                    for _ in 0..=usize::from(random.chance(0.1)) {
                        let other = random.below(i);
                        if !own.contains(&other) {
                            own.push(other);
                        }
                    }
                }
            }
            parents.push(own);
        }
        let culprits: Vec<usize> = (0..shape.culprits).map(|_| 1 + random.below(n - 1)).collect();
        let mut changed = vec![false; n];
        for i in 0..n {
            changed[i] = culprits.contains(&i) || parents[i].iter().any(|&parent| changed[parent]);
            if random.chance(shape.turns) {
                changed[i] = !changed[i];
            }
        }
        let unresolved = (0..n).map(|_| random.chance(shape.unresolved)).collect();
        let names = |own: &Vec<usize>| own.iter().map(|parent| format!("r{parent}")).collect::<Vec<_>>();
        let pairs = parents.iter().enumerate().map(|(i, own)| (format!("r{i}"), names(own)));
        World { graph: Arc::new(CommitGraph::new(pairs).expect("parents come first")), changed, unresolved }
    }

    pub(crate) fn node(&self, id: &str) -> Node {
        self.graph.get(id).expect("a revision")
    }

    pub(crate) fn is_changed(&self, node: Node) -> bool {
        self.changed[node as usize]
    }

    /// The leaves that are changed, or that fail by a flake.
    pub(crate) fn ends(&self, random: &mut Random, flake: f64) -> Vec<String> {
        let leaves = self.graph.leaves().filter(|&leaf| self.is_changed(leaf) || random.chance(flake));
        leaves.filter(|&leaf| !self.graph.parents(leaf).is_empty()).map(|leaf| self.graph.id(leaf).to_owned()).collect()
    }

    /// The oldest unchanged revision with a descendant among `ends`.
    pub(crate) fn old_end(&self, ends: &[String]) -> Option<String> {
        let ends: Vec<Node> = ends.iter().map(|id| self.node(id)).collect();
        let before = self.graph.ancestors(&ends);
        let is_old = |node: &usize| !self.changed[*node] && !ends.contains(&(*node as Node));
        before.ones().find(is_old).map(|node| self.graph.id(node as Node).to_owned())
    }

    /// Whether this revision is changed and its parents are not.
    pub(crate) fn is_culprit(&self, node: Node) -> bool {
        self.is_changed(node) && self.graph.parents(node).iter().all(|&parent| !self.is_changed(parent))
    }
}

/// A flaky test, with the probabilities that a healthy revision fails and that a broken one passes.
#[derive(Debug, Clone)]
pub(crate) struct Oracle {
    pub flake: f64,
    pub false_pass: f64,
    pub find: Find,
    pub random: Random,
}

impl Oracle {
    pub(crate) fn outcome(&mut self, world: &World, revision: &str) -> Outcome {
        let node = world.node(revision);
        if world.unresolved[node as usize] {
            return Outcome::Unresolved;
        }
        let broken = world.is_changed(node) == (self.find == Find::Regression);
        let fails = if broken { !self.random.chance(self.false_pass) } else { self.random.chance(self.flake) };
        if fails { Outcome::Fail } else { Outcome::Pass }
    }

    /// Like `outcome`, but sometimes as counts.
    pub(crate) fn answer(&mut self, world: &World, revision: &str) -> Observation {
        if !self.random.chance(0.1) {
            return self.outcome(world, revision).into();
        }
        let (mut passes, mut fails) = (0, 0);
        for _ in 0..=self.random.below(2) {
            match self.outcome(world, revision) {
                Outcome::Pass => passes += 1,
                Outcome::Fail => fails += 1,
                Outcome::Unresolved => return Outcome::Unresolved.into(),
            }
        }
        Observation::counted(passes, fails)
    }
}

/// A configuration with these endpoints, for a regression or a fix.
pub(crate) fn config(find: Find, newer: Vec<String>, older: Vec<String>) -> RegressionConfig {
    let mut config = RegressionConfig::new(Vec::<String>::new()).search(SearchKind::Bayes);
    config.find = find;
    (config.bad, config.good) = match find {
        Find::Regression => (newer, older),
        Find::Fix => (older, newer),
    };
    config
}

pub(crate) fn open(world: &World, config: &RegressionConfig) -> RegressionSearch {
    RegressionSearch::new(Arc::clone(&world.graph), config.clone()).expect("valid ends")
}

/// Why a search did not end as expected.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    Stuck,
    Endless,
}

/// Drives a search to its end, `jobs` at a time, with outcomes in random order. It drops probes that are no longer wanted.
pub(crate) fn drive(
    search: &mut RegressionSearch,
    jobs: usize,
    most: u64,
    order: &mut Random,
    mut answer: impl FnMut(&str) -> Observation,
) -> Result<(), Trouble> {
    let mut flying: Vec<Probe> = Vec::new();
    loop {
        if flying.len() < jobs {
            flying.extend(search.ask(jobs - flying.len()).expect("room for one"));
        }
        if flying.is_empty() {
            return if search.is_done() { Ok(()) } else { Err(Trouble::Stuck) };
        }
        let probe = flying.remove(order.below(flying.len()));
        search.tell(probe.id, answer(probe.revision())).expect("a first answer");
        flying.retain(|probe| {
            let wanted = search.wanted(probe.id).expect("a probe of this search");
            if !wanted {
                search.abandon(probe.id).expect("a probe of this search");
            }
            wanted
        });
        if search.runs() > most {
            return Err(Trouble::Endless);
        }
    }
}

/// How often each revision was observed in the unchanged and in the changed state.
pub(crate) fn seen(world: &World, find: Find, report: &RegressionReport) -> HashMap<Node, (u32, u32)> {
    let mut seen: HashMap<Node, (u32, u32)> = HashMap::new();
    for told in &report.observations {
        let observation = &told.observation;
        let single = |outcome| u32::from(observation.outcome == outcome);
        let (passes, fails) = match (observation.passes, observation.fails) {
            (None, None) => (single(Outcome::Pass), single(Outcome::Fail)),
            (passes, fails) => (passes.unwrap_or(0), fails.unwrap_or(0)),
        };
        let (old, new) = if find == Find::Fix { (fails, passes) } else { (passes, fails) };
        let entry = seen.entry(world.node(told.revision())).or_default();
        *entry = (entry.0 + old, entry.1 + new);
    }
    seen
}

/// The older and the newer side of a point.
pub(crate) fn sides(find: Find, point: &firstbad::RegressionPoint) -> (Option<&str>, &str) {
    match find {
        Find::Regression => (point.good.as_deref(), point.bad.as_str()),
        Find::Fix => (Some(point.bad.as_str()), point.good.as_deref().expect("a fix has two ends")),
    }
}

/// The best odds, at any time of the search, that a revision is unchanged, from its own runs.
pub(crate) fn best_odds(world: &World, find: Find, report: &RegressionReport, revision: &str, flake: f64) -> f64 {
    // The rates at which unchanged revisions look changed, and changed ones look unchanged.
    let (flake, false_pass) = if find == Find::Fix { (0.0, flake) } else { (flake, 0.0) };
    let mut best = 0.0f64;
    for count in 0..=report.observations.len() {
        let told = RegressionReport { observations: report.observations[..count].to_vec(), ..report.clone() };
        let (old, new) = seen(world, find, &told).get(&world.node(revision)).copied().unwrap_or_default();
        let power = |rate: f64, count: u32| rate.powf(f64::from(count));
        let odds =
            power(1.0 - flake, old) * power(flake, new) / (power(false_pass, old) * power(1.0 - false_pass, new));
        best = best.max(odds);
    }
    best
}
