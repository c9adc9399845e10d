//! A small algorithm that reads, changes its universe and nests a reduction: what porting and slicing rest on, in small,
//! for tests. It is no part of what the project offers.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::patch::Patch;
use crate::reduction::{Minimize, ReductionConfig};
use crate::search::{
    Algorithm, Content, Key, Ledger, Nested, Observation, Outcome, Reading, Reads, Request, Status, Target,
    TargetObservation, Targets,
};

/// Where to start, and how far to go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkBackConfig {
    /// The revision to start at.
    pub start: String,
    /// How many revisions to look at, each the first parent of the one before.
    pub steps: usize,
}

/// What was found at one revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalkBackStep {
    /// The revision.
    pub revision: String,
    /// How many changes it made to its first parent.
    pub changes: usize,
    /// The smallest part of them found that makes its parent fail; `None` if not even all of them do.
    pub kept: Option<Vec<usize>>,
}

/// The answer, final or so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WalkBackReport {
    /// Where the search stands.
    pub status: Status,
    /// The revisions that were looked at, newest first.
    pub steps: Vec<WalkBackStep>,
    /// How many answers cost a run.
    pub runs: u64,
    /// How many answers came to probes.
    pub asked: u64,
    /// Everything that was seen, in the order told.
    pub observations: Vec<TargetObservation>,
}

/// The reduction of what one revision changed.
struct Step {
    base: String,
    universe: u64,
    changes: usize,
    reduction: Nested<Minimize>,
}

impl Step {
    fn target(&self, key: Key) -> Target {
        let changes = self.reduction.algorithm().space().set(key).clone();
        Target { revision: Some(self.base.clone()), changes: Some(changes), universe: Some(self.universe) }
    }

    /// The reduction's key for a target; `None` if it is about something else.
    fn key(&mut self, target: &Target) -> Option<Key> {
        let ours = target.revision.as_ref() == Some(&self.base) && target.universe == Some(self.universe);
        let changes = target.changes.as_ref().filter(|changes| ours && changes.end() <= self.changes)?;
        Some(self.reduction.space_mut().key_of(changes.clone()))
    }
}

/// The algorithm.
pub struct WalkBack {
    config: WalkBackConfig,
    space: Targets,
    start: Node,
    at: Node,
    reads: Reads,
    /// All answers by key: some come before what they are about is read.
    answers: Vec<(Key, Arc<Observation>)>,
    step: Option<Step>,
    done: Vec<WalkBackStep>,
}

impl WalkBack {
    fn is_over(&self) -> bool {
        self.done.len() == self.config.steps || self.space.graph().parents(self.at).is_empty()
    }

    /// The revision to look at, behind its first parent.
    fn pair(&self) -> Option<(String, String)> {
        let graph = self.space.graph();
        let parent = graph.parents(self.at).first()?;
        Some((graph.id(*parent).to_owned(), graph.id(self.at).to_owned()))
    }

    /// Goes as far as what was seen allows.
    fn advance(&mut self) -> Result<(), Error> {
        while !self.is_over() {
            match self.step.take() {
                Some(step) if step.reduction.algorithm().status() == Status::Running => {
                    self.step = Some(step);
                    return Ok(());
                }
                Some(step) => self.finish(&step),
                None => {
                    let Some((from, to)) = self.pair() else { return Ok(()) };
                    let request = Request::Diff { from: from.as_str().into(), to: to.into() };
                    let Some((universe, content)) = self.reads.get(request) else { return Ok(()) };
                    self.begin(from, universe, &content)?;
                }
            }
        }
        Ok(())
    }

    fn begin(&mut self, base: String, universe: u64, content: &Content) -> Result<(), Error> {
        let changes = Patch::parse(content.bytes())?.len();
        if changes == 0 {
            self.record(0, None);
            return Ok(());
        }
        let config = ReductionConfig { keep: Outcome::Fail, ..ReductionConfig::default() };
        let mut step = Step { base, universe, changes, reduction: Nested::new(changes, config)? };
        for (key, observation) in &self.answers {
            if let Some(key) = step.key(self.space.get(*key)) {
                step.reduction.absorb(key, observation);
            }
        }
        self.step = Some(step);
        Ok(())
    }

    fn finish(&mut self, step: &Step) {
        let reduction = step.reduction.algorithm();
        let found = reduction.status() == Status::Found;
        let kept = reduction.report(reduction.status(), &Ledger::default()).kept;
        self.record(step.changes, found.then_some(kept));
    }

    fn record(&mut self, changes: usize, kept: Option<Vec<usize>>) {
        let graph = self.space.graph();
        self.done.push(WalkBackStep { revision: graph.id(self.at).to_owned(), changes, kept });
        if let Some(&parent) = graph.parents(self.at).first() {
            self.at = parent;
        }
    }
}

impl Algorithm for WalkBack {
    type Config = WalkBackConfig;
    type Report = WalkBackReport;
    type Space = Targets;

    const NAME: &'static str = "walk_back";

    fn new(graph: Arc<CommitGraph>, mut config: WalkBackConfig) -> Result<Self, Error> {
        let start = graph.resolve(&config.start, "start")?;
        graph.id(start).clone_into(&mut config.start);
        let space = Targets::new(graph, vec![start]);
        let mut walk = WalkBack {
            config,
            space,
            start,
            at: start,
            reads: Reads::default(),
            answers: Vec::new(),
            step: None,
            done: Vec::new(),
        };
        walk.advance()?;
        Ok(walk)
    }

    fn space(&self) -> &Targets {
        &self.space
    }

    fn space_mut(&mut self) -> &mut Targets {
        &mut self.space
    }

    fn config(&self) -> &WalkBackConfig {
        &self.config
    }

    fn absorb(&mut self, key: Key, observation: &Observation) -> Reading {
        let observation = Arc::new(observation.clone());
        self.answers.push((key, Arc::clone(&observation)));
        let target = self.space.get(key);
        if let Some(step) = &mut self.step
            && let Some(key) = step.key(target)
        {
            step.reduction.absorb(key, &observation);
        }
        // What is read was looked at when it was given.
        let advanced = self.advance();
        debug_assert!(advanced.is_ok(), "contents that could be used once can be used again");
        Reading::Stands
    }

    fn reset(&mut self) {
        self.at = self.start;
        self.answers.clear();
        self.step = None;
        self.done.clear();
        self.reads.reset();
        let advanced = self.advance();
        debug_assert!(advanced.is_ok(), "contents that could be used once can be used again");
    }

    fn choose(&mut self, want: usize, in_flight: &[Key]) -> Vec<Key> {
        let Some(step) = &mut self.step else { return Vec::new() };
        let space = &mut self.space;
        let flying: Vec<Key> = in_flight.iter().filter_map(|&key| step.key(space.get(key))).collect();
        let chosen = step.reduction.choose(want, &flying);
        chosen.into_iter().map(|key| space.key_of(step.target(key))).collect()
    }

    fn wants(&self, in_flight: &[Key]) -> Vec<bool> {
        let Some(step) = &self.step else { return vec![false; in_flight.len()] };
        let items = step.reduction.algorithm().space();
        let own = |&key: &Key| {
            let target = self.space.get(key);
            let ours = target.revision.as_ref() == Some(&step.base) && target.universe == Some(step.universe);
            target.changes.as_ref().filter(|_| ours).and_then(|changes| items.find(changes.words()))
        };
        step.reduction.wants(&in_flight.iter().map(own).collect::<Vec<_>>())
    }

    fn status(&self) -> Status {
        if self.is_over() { Status::Found } else { Status::Running }
    }

    fn report(&self, status: Status, ledger: &Ledger) -> WalkBackReport {
        WalkBackReport {
            status,
            steps: self.done.clone(),
            runs: ledger.runs(),
            asked: ledger.asked(),
            observations: ledger.observations(&self.space),
        }
    }

    fn reads(&self) -> Option<&Reads> {
        Some(&self.reads)
    }

    fn receive(&mut self, id: u64, content: &Content) -> Result<(), Error> {
        Patch::parse(content.bytes())?;
        self.reads.set(id, content.clone())?;
        self.advance()
    }
}
