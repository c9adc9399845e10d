//! Plays: a search with an oracle that may be sane, stubborn or wild, and probes in flight that are answered in any order.

use std::collections::HashMap;
use std::sync::Arc;

use firstbad::{ChangeSet, CommitGraph, Error, Observation, Outcome, Probe, Search, Target, World};
use serde_json::Value;

use crate::scenes::{Scene, show};
use crate::simulated::Random;

/// What a test says: as it should, or not.
#[derive(Debug, Clone, Copy)]
pub enum Manner {
    /// It fails where what broke it is present; a flaky one also fails by chance.
    Breaks,
    /// It fails where what mended it is absent; a flaky one also fails by chance.
    Mends,
    /// Always the same.
    Always(Outcome),
    /// Anything.
    Wild,
}

/// A test of a scene.
#[derive(Debug, Clone)]
pub struct Oracle {
    manner: Manner,
    /// What broke it, or mended it: a revision, or two items.
    pub culprit: usize,
    /// The second of two items.
    pub other: usize,
    graph: Option<Arc<CommitGraph>>,
    /// What was said of what, by a test that always says the same.
    said: HashMap<String, Outcome>,
    repeats: bool,
    random: Random,
}

impl Oracle {
    /// A test in a manner, broken by something that `random` draws.
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

    /// What it says of a target.
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

/// A search in play.
pub struct Play {
    /// The search.
    pub search: Box<dyn Search>,
    /// The test that it is told of.
    pub oracle: Oracle,
    /// The probes in flight.
    pub flying: Vec<Probe>,
    /// What was told: the target with its outcome, in this order.
    pub told: Vec<(Target, Outcome)>,
    /// What decides everything else that is left open.
    pub random: Random,
    /// How many revisions or items there are.
    pub items: usize,
}

impl Play {
    /// A search of any kind in a small world, with a test in any manner.
    ///
    /// # Errors
    /// Those of [`Scene::open`].
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

    /// A search of a scene, with a test in a manner.
    ///
    /// # Errors
    /// Those of [`Scene::open`].
    pub fn of(scene: &Scene, manner: Manner, mut random: Random) -> Result<Play, Error> {
        let search = scene.open()?;
        let oracle = Oracle::new(scene, &*search, manner, &mut random);
        Ok(Play { search, oracle, flying: Vec::new(), told: Vec::new(), random, items: scene.items })
    }

    /// Asks for up to `k`, and says how many there are.
    ///
    /// # Errors
    /// Those of [`Search::ask`] and [`show`].
    pub fn ask(&mut self, k: usize) -> Result<usize, Error> {
        show(&mut *self.search)?;
        let asked = self.search.ask(k)?;
        let count = asked.len();
        self.flying.extend(asked);
        Ok(count)
    }

    /// Answers any of those in flight; there has to be one.
    ///
    /// # Errors
    /// Those of [`Search::tell`].
    pub fn tell(&mut self) -> Result<(), Error> {
        let which = self.random.below(self.flying.len() as u64) as usize;
        let probe = self.flying.swap_remove(which);
        let outcome = self.oracle.answer(&probe.target);
        self.search.tell(probe.id, Observation::from(outcome))?;
        self.told.push((probe.target, outcome));
        Ok(())
    }

    /// Asks, now and then or where nothing is in flight, and answers one.
    ///
    /// # Errors
    /// Those of [`Search::ask`] and [`Search::tell`].
    pub fn step(&mut self) -> Result<(), Error> {
        if self.flying.is_empty() || self.random.chance(300) {
            let k = 1 + self.random.below(4) as usize;
            self.ask(k)?;
        }
        if self.flying.is_empty() { Ok(()) } else { self.tell() }
    }

    /// Its report.
    ///
    /// # Errors
    /// Those of [`firstbad::Inspect::report_json`].
    pub fn report(&self) -> Result<Value, Error> {
        Ok(serde_json::from_str(&self.search.inspect().report_json()?).unwrap_or_default())
    }

    /// The most answers that it may take: each target once, a set of changes as often as `ddmin` may ask, and a flaky test
    /// as often as it may be run.
    #[must_use]
    pub fn bound(&self) -> usize {
        match (self.search.inspect().repeats(), self.search.inspect().algorithm()) {
            (true, _) => 2000 * self.items,
            // An answer is confirmed by few runs more, at most one of each revision.
            (false, "regression") => 2 * self.items,
            (false, "verification" | "culprit") => self.items,
            // A reduction of at most six changes at each revision, both ways, and four at the end.
            (false, "port") => (2 * self.items + 4) * 64,
            (false, _) => 10 * self.items * self.items + 10,
        }
    }
}
