//! Plays: searches with a test that may give wrong outcomes, and with probes whose outcomes arrive in any order.

use std::collections::HashMap;
use std::sync::Arc;

use firstbad::{ChangeSet, CommitGraph, Error, Observation, Outcome, Probe, Search, Target, World};
use serde_json::Value;

use crate::scenes::{Scene, show};
use crate::simulated::Random;

/// The behavior of a test.
#[derive(Debug, Clone, Copy)]
pub enum Manner {
    /// Fails if the culprit is present. A flaky test also fails by chance.
    Breaks,
    /// Fails if the fix is absent. A flaky test also fails by chance.
    Mends,
    /// Always has the same outcome.
    Always(Outcome),
    /// Has random outcomes.
    Wild,
}

/// The test of a scene.
#[derive(Debug, Clone)]
pub struct Oracle {
    manner: Manner,
    /// The culprit or fix: a revision, or the first of two items.
    pub culprit: usize,
    /// The second of two items.
    pub other: usize,
    graph: Option<Arc<CommitGraph>>,
    /// The earlier outcomes of a test that is not flaky.
    said: HashMap<String, Outcome>,
    repeats: bool,
    random: Random,
}

impl Oracle {
    /// Creates a test with a culprit that `random` selects.
    #[must_use]
    pub fn new(scene: &Scene, search: &dyn Search, manner: Manner, random: &mut Random) -> Self {
        let graph = match search.inspect().world() {
            World::History(graph) => Some(graph),
            _ => None,
        };
        let mut place = || random.below(scene.items as u64) as usize;
        let (culprit, other) = (place(), place());
        let repeats = search.inspect().repeats();
        Oracle { manner, culprit, other, graph, said: HashMap::new(), repeats, random: random.clone() }
    }

    /// Returns an outcome for a target.
    pub fn answer(&mut self, target: &Target) -> Outcome {
        let name = format!("{target:?}");
        if let Some(&said) = self.said.get(&name).filter(|_| !self.repeats) {
            return said;
        }
        let by_revision = target.revision.as_ref().zip(self.graph.as_ref()).is_some_and(|(revision, graph)| {
            let nodes = graph.get(&self.culprit.to_string()).zip(graph.get(revision));
            nodes.is_some_and(|(culprit, node)| graph.is_ancestor(culprit, node))
        });
        let both = |changes: &ChangeSet| changes.contains(self.culprit) && changes.contains(self.other);
        let breaks = by_revision || target.changes.as_ref().is_some_and(both);
        let outcome = match self.manner {
            Manner::Always(outcome) => outcome,
            Manner::Wild => [Outcome::Pass, Outcome::Fail, Outcome::Unresolved][self.random.below(3) as usize],
            _ if self.repeats && self.random.chance(100) => Outcome::Fail,
            Manner::Breaks if breaks => Outcome::Fail,
            Manner::Mends if !breaks => Outcome::Fail,
            Manner::Breaks | Manner::Mends => Outcome::Pass,
        };
        if !self.repeats {
            self.said.insert(name, outcome);
        }
        outcome
    }
}

/// A search with its test.
pub struct Play {
    /// The search.
    pub search: Box<dyn Search>,
    /// The test.
    pub oracle: Oracle,
    /// The probes in flight.
    pub flying: Vec<Probe>,
    /// The targets and outcomes that the search was told, in order.
    pub told: Vec<(Target, Outcome)>,
    /// The source of all other random choices.
    pub random: Random,
    /// The number of revisions or items.
    pub items: usize,
}

impl Play {
    /// Creates a search of any kind in a small world, with any test.
    ///
    /// # Errors
    /// The errors of [`Scene::open`].
    pub fn new(seed: u64) -> Result<Play, Error> {
        let mut random = Random::new(seed);
        let scene = Scene::new(random.below(Scene::KINDS as u64) as usize, random.draw());
        let manner = match random.below(8) {
            0..=2 => Manner::Breaks,
            3 => Manner::Mends,
            4 => Manner::Always(Outcome::Pass),
            5 => Manner::Always(Outcome::Fail),
            6 => Manner::Always(Outcome::Unresolved),
            _ => Manner::Wild,
        };
        Play::of(&scene, manner, random)
    }

    /// Creates a search of a scene, with a test of this manner.
    ///
    /// # Errors
    /// The errors of [`Scene::open`].
    pub fn of(scene: &Scene, manner: Manner, mut random: Random) -> Result<Play, Error> {
        let search = scene.open()?;
        let oracle = Oracle::new(scene, &*search, manner, &mut random);
        Ok(Play { search, oracle, flying: Vec::new(), told: Vec::new(), random, items: scene.items })
    }

    /// Asks for up to `k` probes and returns their number.
    ///
    /// # Errors
    /// The errors of [`Search::ask`] and [`show`].
    pub fn ask(&mut self, k: usize) -> Result<usize, Error> {
        show(&mut *self.search)?;
        let asked = self.search.ask(k)?;
        let count = asked.len();
        self.flying.extend(asked);
        Ok(count)
    }

    /// Tells the outcome of any probe in flight. There must be one.
    ///
    /// # Errors
    /// The errors of [`Search::tell`].
    pub fn tell(&mut self) -> Result<(), Error> {
        let which = self.random.below(self.flying.len() as u64) as usize;
        let probe = self.flying.swap_remove(which);
        let outcome = self.oracle.answer(&probe.target);
        let observation = match (self.search.inspect().algorithm(), outcome) {
            ("change", Outcome::Pass | Outcome::Fail) => self.measured(outcome),
            _ => Observation::from(outcome),
        };
        let outcome = observation.outcome;
        self.search.tell(probe.id, observation)?;
        self.told.push((probe.target, outcome));
        Ok(())
    }

    /// Returns a number with noise, which is larger for a failure.
    fn measured(&mut self, outcome: Outcome) -> Observation {
        let level = if outcome == Outcome::Fail { 1.2 } else { 1.0 };
        Observation { metric: Some(level + 0.01 * self.random.fraction()), ..Outcome::Pass.into() }
    }

    /// Asks occasionally or if nothing is in flight, and tells one outcome.
    ///
    /// # Errors
    /// The errors of [`Search::ask`] and [`Search::tell`].
    pub fn step(&mut self) -> Result<(), Error> {
        if self.flying.is_empty() || self.random.chance(300) {
            let k = 1 + self.random.below(4) as usize;
            self.ask(k)?;
        }
        if self.flying.is_empty() { Ok(()) } else { self.tell() }
    }

    /// Returns the report of the search.
    ///
    /// # Errors
    /// The errors of [`firstbad::Inspect::report_json`].
    pub fn report(&self) -> Result<Value, Error> {
        Ok(serde_json::from_str(&self.search.inspect().report_json()?).unwrap_or_default())
    }

    /// Returns the maximum number of outcomes: one per target, the limit of `ddmin` for sets of changes, and the limit of
    /// repetitions for flaky tests.
    #[must_use]
    pub fn bound(&self) -> usize {
        match (self.search.inspect().repeats(), self.search.inspect().algorithm()) {
            (true, _) => 2000 * self.items,
            // Confirming a result takes few runs, at most one per revision.
            (false, "regression") => 2 * self.items,
            (false, "verification" | "culprit") => self.items,
            // Each revision has reductions of at most six changes in both directions, and there are four final runs.
            (false, "port") => (2 * self.items + 4) * 64,
            (false, _) => 10 * self.items * self.items + 10,
        }
    }
}
