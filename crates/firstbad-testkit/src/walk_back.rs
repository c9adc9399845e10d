//! A small algorithm for tests. Like porting and slicing, it reads diffs, tests sets of changes and contains a reduction.

use std::sync::Arc;

use firstbad::graph::Node;
use firstbad::reduction::Minimize;
use firstbad::search::{Algorithm, Key, Nested, Reading, Reads, Targets};
use firstbad::{
    AskTell, CommitGraph, Content, Error, Ledger, Observation, Outcome, Patch, ReductionConfig, Request, Status,
    Target, TargetObservation,
};
use serde::{Deserialize, Serialize};

/// Makes a search that starts at `start` and looks at so many revisions.
///
/// # Errors
/// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`], if `start` does not name a revision of the graph.
pub fn open(graph: Arc<CommitGraph>, start: &str, steps: usize) -> Result<AskTell<WalkBack>, Error> {
    AskTell::new(graph, WalkBackConfig { start: start.to_owned(), steps })
}

/// The options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkBackConfig {
    /// The revision to start at.
    pub start: String,
    /// The number of revisions to look at. Each is the first parent of the one before.
    pub steps: usize,
}

/// The result at one revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalkBackStep {
    /// The revision.
    pub revision: String,
    /// The number of changes from its first parent.
    pub changes: usize,
    /// The smallest set of these changes found that makes the parent fail. `None` if all of them together do not.
    pub kept: Option<Vec<usize>>,
}

/// The report, final or so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WalkBackReport {
    /// The state of the search.
    pub status: Status,
    /// The results, newest revision first.
    pub steps: Vec<WalkBackStep>,
    /// The number of runs.
    pub runs: u64,
    /// The number of probes with an outcome.
    pub asked: u64,
    /// All observations, in the order they were told.
    pub observations: Vec<TargetObservation>,
}

/// The reduction of the changes of one revision.
struct Step {
    base: String,
    universe: u64,
    changes: usize,
    reduction: Nested<Minimize>,
}

impl Step {
    fn target(&self, key: Key) -> Target {
        let changes = self.reduction.algorithm().space().set(key).clone();
        Target {
            revision: Some(self.base.clone()),
            changes: Some(changes),
            universe: Some(self.universe),
            ..Target::default()
        }
    }

    /// Returns the reduction's key for a target, or `None` if the target belongs to another revision.
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
    /// All observations by key. Some arrive before the diff that they need.
    answers: Vec<(Key, Arc<Observation>)>,
    step: Option<Step>,
    done: Vec<WalkBackStep>,
}

impl WalkBack {
    fn is_over(&self) -> bool {
        self.done.len() == self.config.steps || self.space.graph().parents(self.at).is_empty()
    }

    /// Returns the first parent of the current revision, and the revision.
    fn pair(&self) -> Option<(String, String)> {
        let graph = self.space.graph();
        let parent = graph.parents(self.at).first()?;
        Some((graph.id(*parent).to_owned(), graph.id(self.at).to_owned()))
    }

    /// Advances as far as the observations and reads allow.
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
        // `receive` has parsed every diff that was given.
        let advanced = self.advance();
        debug_assert!(advanced.is_ok(), "a diff that was parsed once can be parsed again");
        Reading::Stands
    }

    fn reset(&mut self) {
        self.at = self.start;
        self.answers.clear();
        self.step = None;
        self.done.clear();
        self.reads.reset();
        let advanced = self.advance();
        debug_assert!(advanced.is_ok(), "a diff that was parsed once can be parsed again");
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
            target.changes.as_ref().filter(|_| ours).and_then(|changes| items.find(changes))
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
