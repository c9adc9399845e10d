//! Iterative delta debugging as an ask/tell search. The loop of the paper is in `idd.rs`.

mod endings;
mod idd;
mod notes;

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::patch::Patch;
use crate::porting::config::PorterConfig;
use crate::porting::ending::{Found, Patches, Task, ported};
use crate::porting::failure::{Failure, Kind, is_conflict};
use crate::porting::guesses::Guess;
use crate::porting::message;
use crate::porting::patches::Part;
use crate::porting::reduction::{Between, How, Reduced, Reduction, Work};
use crate::porting::report::{PortedPatch, PorterReduction, PorterReport, PorterStep, StepOutcome};
use crate::porting::route;
use crate::porting::walk::Walk;
use crate::reduction::Guarantee;
use crate::search::{
    Algorithm, AskTell, Carrying, ChangeSet, Content, Key, Ledger, Observation, Reading, Reads, Request, Status,
    Target, Targets,
};

/// The most changes in a diff that a reduction can take apart by files, hunks, and lines.
const MOST_CHANGES: usize = ChangeSet::MOST / 4;

/// An ask/tell search by iterative delta debugging.
pub type Porter = AskTell<Port>;

/// The algorithm of iterative delta debugging (IDD, Figure 2, with the extensions of [`porting`](crate::porting)).
#[derive(Debug)]
pub struct Port {
    config: PorterConfig,
    space: Targets,
    back: Vec<Node>,
    onward: Option<Vec<Node>>,
    reads: Reads,
    /// All observations, in the order in which they were reported.
    answers: HashMap<Key, Arc<Observation>>,
    order: Vec<Key>,
    phase: Phase,
    /// The targets that the search must test next.
    wanted: Vec<Target>,
    seen: Seen,
}

/// The observations so far, and their consequences.
#[derive(Debug, Clone, Default)]
struct Seen {
    /// The first observation at the start.
    start: Option<Arc<Observation>>,
    failure: Option<Failure>,
    steps: Vec<PorterStep>,
    /// The targets that have a step.
    noted: HashSet<Target>,
    /// The reductions that have ended.
    reductions: Vec<PorterReduction>,
    /// The carried patch with its guarantee and its origin, or `None` if there is none yet.
    made: Option<Reduced>,
    /// A version that passes with a part of a patch, until an older version passes with everything that the failure needs.
    early: Option<Found>,
    found: Option<Found>,
    patches: Patches,
    warnings: Vec<String>,
    /// The first patch that consists of whole hunks, until single lines of it are removed.
    coarse: Option<(Walk, usize, Between)>,
    /// Whether new patches consist of the smallest parts.
    is_fine: bool,
    /// The number of outcomes when the commit was known.
    until_commit: Option<usize>,
    /// The targets that count for a finished reduction.
    counted: HashSet<Target>,
}

#[derive(Debug)]
enum Phase {
    /// Tests the start twice, which must fail in the same way.
    Start,
    /// Walks from version to version, back or forward.
    Walking(Walk),
    /// Creates a new patch for a version with another outcome.
    Reducing(Reducing),
    /// Runs one reduction after the other after a version passed.
    LeafResult {
        task: Task,
        work: Work,
    },
    Over(Status),
}

/// A running DD(current_version, prev_version).
#[derive(Debug)]
struct Reducing {
    walk: Walk,
    /// The place of current_version.
    place: usize,
    work: Work,
    /// The part with which current_version passed.
    passed: Option<Part>,
    /// Whether the patch is taken apart, because it does not apply.
    is_conflict: bool,
}

/// Whether a phase waits for an outcome or a read.
enum Next {
    Wait(Phase),
    Go(Phase),
}

impl Port {
    fn answer(&mut self, target: &Target) -> Option<Arc<Observation>> {
        let key = self.space.key_of(target.clone());
        self.answers.get(&key).cloned()
    }

    fn kind(&self, observation: &Observation, forward: bool) -> Kind {
        self.seen.failure.as_ref().map_or(Kind::Other, |failure| failure.kind(observation, forward))
    }

    fn start(&self) -> String {
        self.space.graph().id(self.back[0]).to_owned()
    }

    fn names(&self, nodes: &[Node]) -> Vec<String> {
        nodes.iter().map(|&node| self.space.graph().id(node).to_owned()).collect()
    }

    /// Reads a difference, and creates its reduction from all outcomes so far. Returns `None` until the difference is read.
    ///
    /// # Errors
    /// Returns the errors of [`Reduction::new`].
    fn reduction(
        &mut self,
        between: &Between,
        how: How,
        guess: Option<&Guess>,
        forward: bool,
    ) -> Result<Option<Option<Box<Reduction>>>, Error> {
        let Some((universe, content)) = self.diff(between) else { return Ok(None) };
        let made = Reduction::new(between.clone(), universe, content.bytes(), &self.config, how, guess)?;
        let Some(mut made) = made else { return Ok(Some(None)) };
        for (target, seen) in self.known() {
            made.absorb(target, self.kind(seen, forward), seen.ran);
        }
        Ok(Some(Some(Box::new(made))))
    }

    /// Returns all observations, in the order in which they were reported.
    fn known(&self) -> impl Iterator<Item = (&Target, &Observation)> {
        self.order.iter().map(|key| (self.space.get(*key), &*self.answers[key]))
    }

    fn diff(&mut self, between: &Between) -> Option<(u64, Content)> {
        self.reads.get(Request::Diff { from: between.from.clone(), to: between.to.clone() })
    }

    /// Returns the next targets of the walk, assuming that every version has the wanted outcome.
    fn ahead(&mut self, walk: &Walk, want: usize) -> Vec<Target> {
        let mut found = self.wanted.clone();
        let mut walk = walk.clone();
        while found.len() < want
            && let Some(place) = walk.next()
        {
            let target = walk.patch.on(walk.revision(place));
            if self.answer(&target).is_none() && !found.contains(&target) {
                found.push(target);
            }
            let Some(missed) = walk.missed().filter(|&missed| missed == place) else {
                walk.keep(place);
                continue;
            };
            found.push(walk.revision(missed).into());
            break;
        }
        found
    }
}

impl Algorithm for Port {
    type Config = PorterConfig;
    type Report = PorterReport;
    type Space = Targets;

    const NAME: &'static str = "port";

    fn new(graph: Arc<CommitGraph>, mut config: PorterConfig) -> Result<Self, Error> {
        config.check()?;
        let start = graph.resolve(&config.start, "start")?;
        let full = |name: &mut String, argument: &str| -> Result<(), Error> {
            graph.id(graph.resolve(name, argument)?).clone_into(name);
            Ok(())
        };
        full(&mut config.start, "start")?;
        for (argument, name) in [("oldest", &mut config.oldest), ("forward", &mut config.forward)] {
            name.as_mut().map(|name| full(name, argument)).transpose()?;
        }
        for name in &mut config.good {
            full(name, "good")?;
        }
        for name in config.revisions.iter_mut().flatten() {
            full(name, "revisions")?;
        }
        let back = route::back(&graph, start, &config)?;
        let onward = config.forward.as_ref().map(|name| route::onward(&graph, &back, name)).transpose()?;
        let tips = onward.iter().filter_map(|way| way.last().copied()).chain([start]).collect();
        let mut port = Port {
            space: Targets::new(graph, tips),
            config,
            back,
            onward,
            reads: Reads::default(),
            answers: HashMap::new(),
            order: Vec::new(),
            phase: Phase::Start,
            wanted: Vec::new(),
            seen: Seen::default(),
        };
        port.advance()?;
        Ok(port)
    }

    fn space(&self) -> &Targets {
        &self.space
    }

    fn space_mut(&mut self) -> &mut Targets {
        &mut self.space
    }

    fn config(&self) -> &PorterConfig {
        &self.config
    }

    fn absorb(&mut self, key: Key, observation: &Observation) -> Reading {
        if self.answers.insert(key, Arc::new(observation.clone())).is_none() {
            self.order.push(key);
        }
        let forward = match &self.phase {
            Phase::Walking(walk) | Phase::Reducing(Reducing { walk, .. }) => walk.forward,
            Phase::LeafResult { task, .. } => *task == Task::Forward,
            Phase::Start | Phase::Over(_) => false,
        };
        let (kind, target) = (self.kind(observation, forward), self.space.get(key));
        match &mut self.phase {
            Phase::Reducing(Reducing { work: Work { reduction: Some(reduction), .. }, walk, passed, .. }) => {
                let ours = reduction.absorb(target, kind, observation.ran);
                // If one commit contains a cause and a conflict, this is how a version is found to pass (Section 4.1).
                let ends = self.config.early_pass && !walk.forward;
                if ours && kind == Kind::Pass && ends && passed.is_none() {
                    *passed = reduction.part(target);
                }
            }
            Phase::LeafResult { work: Work { reduction: Some(reduction), .. }, .. } => {
                reduction.absorb(target, kind, observation.ran);
            }
            _ => {}
        }
        // The contents were checked when they were read.
        let advanced = self.advance();
        debug_assert!(advanced.is_ok(), "contents that could be used once can be used again");
        Reading::Stands
    }

    fn reset(&mut self) {
        self.answers.clear();
        self.order.clear();
        self.phase = Phase::Start;
        self.seen = Seen::default();
        self.reads.reset();
        let advanced = self.advance();
        debug_assert!(advanced.is_ok(), "contents that could be used once can be used again");
    }

    fn choose(&mut self, want: usize, in_flight: &[Key]) -> Vec<Key> {
        let flying: Vec<Target> = in_flight.iter().map(|&key| self.space.get(key).clone()).collect();
        let candidates = match &mut self.phase {
            Phase::Start => self.wanted.clone(),
            Phase::Walking(walk) => {
                let walk = walk.clone();
                self.ahead(&walk, want + flying.len())
            }
            Phase::Reducing(Reducing { work: Work { reduction: Some(reduction), .. }, .. })
            | Phase::LeafResult { work: Work { reduction: Some(reduction), .. }, .. } => {
                reduction.choose(want, &flying)
            }
            _ => self.wanted.clone(),
        };
        let mut chosen: Vec<Key> = Vec::new();
        for target in candidates {
            let key = self.space.key_of(target);
            if chosen.len() < want
                && !in_flight.contains(&key)
                && !self.answers.contains_key(&key)
                && !chosen.contains(&key)
            {
                chosen.push(key);
            }
        }
        chosen
    }

    fn wants(&self, in_flight: &[Key]) -> Vec<bool> {
        let targets: Vec<&Target> = in_flight.iter().map(|&key| self.space.get(key)).collect();
        let is_wanted = |target: &&Target| match &self.phase {
            Phase::Start => target.revision.as_deref() == Some(self.config.start.as_str()),
            Phase::Walking(walk) => {
                let with = Some(&walk.patch).filter(|patch| patch.universe == target.universe);
                let ours =
                    target.changes.is_none() || with.is_some_and(|with| target.changes.as_ref() == Some(&with.changes));
                ours && target.revision.as_deref().is_some_and(|revision| walk.wants(revision))
            }
            _ => self.wanted.contains(target),
        };
        match &self.phase {
            Phase::Reducing(Reducing { work: Work { reduction: Some(reduction), .. }, .. })
            | Phase::LeafResult { work: Work { reduction: Some(reduction), .. }, .. } => reduction.wants(&targets),
            _ => targets.iter().map(is_wanted).collect(),
        }
    }

    fn status(&self) -> Status {
        match &self.phase {
            Phase::Over(status) => *status,
            _ => Status::Running,
        }
    }

    fn best(report: &PorterReport, named: &mut dyn FnMut(&str) -> String) -> Vec<String> {
        message::best(report, named)
    }

    fn report(&self, status: Status, ledger: &Ledger) -> PorterReport {
        let seen = &self.seen;
        let found = seen.found.as_ref().or(seen.early.as_ref());
        let mut patches = seen.patches.clone();
        if let Phase::LeafResult { task, work } = &self.phase
            && let Some(best) = work.best()
            && let Some(content) = best.part.universe.and_then(|id| self.reads.content(id).ok().flatten())
            && let Ok(patch) = ported(&work.between.from, &best, content)
        {
            patches.set(*task, &best.part, patch.map(|patch| PortedPatch { guarantee: Guarantee::BestSoFar, ..patch }));
        }
        let mut warnings = seen.warnings.clone();
        warnings.extend(message::warnings(&self.config, &seen.steps, found.is_some()));
        let visited: HashSet<&str> = seen.steps.iter().map(|step| step.revision.as_str()).collect();
        let left_out = seen.steps.iter().filter(|step| step.outcome == StepOutcome::Skipped);
        let skipped: HashSet<&str> = left_out.map(|step| step.revision.as_str()).collect();
        PorterReport {
            status,
            message: message::message(
                status,
                &self.config,
                seen.failure.as_ref(),
                seen.start.as_deref(),
                found,
                &seen.steps,
                seen.reductions.last(),
            ),
            failure: seen.failure.as_ref().map(Failure::words),
            good: found.map(|found| found.good.clone()),
            bad: found.map(|found| found.bad.clone()),
            between: found.map(|found| found.between.clone()).unwrap_or_default(),
            carried: patches.carried,
            cause: patches.cause,
            repair: patches.repair,
            figure2: patches.figure2,
            forward: patches.forward,
            also: None,
            visited: visited.len(),
            steps: seen.steps.clone(),
            skipped: skipped.len(),
            reductions: seen.reductions.iter().cloned().chain(self.ongoing()).collect(),
            warnings,
            runs: ledger.runs(),
            runs_to_commit: seen.until_commit.map(|count| {
                let ran = |key: &&Key| self.answers.get(*key).is_some_and(|observation| observation.ran);
                self.order[..count].iter().filter(ran).count() as u64
            }),
            asked: ledger.asked(),
            conflicts: ledger.answers().iter().filter(|answer| is_conflict(&answer.observation)).count() as u64,
            seconds: ledger
                .answers()
                .iter()
                .filter_map(|answer| answer.observation.seconds)
                .reduce(|sum, one| sum + one),
            observations: ledger.observations(&self.space),
            commits: BTreeMap::new(),
        }
    }

    fn carrying(&self) -> Option<Carrying> {
        let (revision, patch) = match &self.phase {
            Phase::Start => (self.start(), 0),
            Phase::Walking(walk) => (walk.last().to_owned(), walk.patch.changes.len()),
            Phase::Reducing(Reducing { walk, work, .. }) => {
                let patch = work.best().map_or(walk.patch.changes.len(), |best| best.part.changes.len());
                (work.between.from.revision.clone()?, patch)
            }
            Phase::LeafResult { work, .. } => {
                let whole = || work.reduction.as_ref().map_or(0, |reduction| reduction.count());
                let patch = work.best().map_or_else(whole, |best| best.part.changes.len());
                (work.between.from.revision.clone()?, patch)
            }
            Phase::Over(_) => return None,
        };
        Some(Carrying { revision, patch })
    }

    fn reads(&self) -> Option<&Reads> {
        Some(&self.reads)
    }

    fn receive(&mut self, id: u64, content: &Content) -> Result<(), Error> {
        let count = Patch::parse(content.bytes())?.len();
        if count > MOST_CHANGES {
            return Err(Error::invalid("content", format!("{count} changes"), format!("at most {MOST_CHANGES}")));
        }
        self.reads.set(id, content.clone())?;
        self.advance()
    }
}
