//! Records each tested version and each reduction for the report.

use std::collections::BTreeMap;

use super::{Phase, Port, Reducing, Seen};
use crate::graph::Node;
use crate::porting::ending::Task;
use crate::porting::failure::Kind;
use crate::porting::reason::Reason;
use crate::porting::reduction::Work;
use crate::porting::report::{PorterReduction, PorterStep, Purpose, ReductionResult, StepOutcome};
use crate::search::{ChangeSet, Observation, Target};

impl Port {
    /// Returns how far a revision is behind the start, negative if it is ahead of it.
    pub(super) fn place(&self, revision: &str) -> i64 {
        let graph = self.space.graph();
        let at = |way: &[Node]| way.iter().position(|&node| graph.id(node) == revision).map(|place| place as i64);
        let onward = || self.onward.as_deref().and_then(at).map(|place| -place);
        at(&self.back).or_else(onward).unwrap_or_default()
    }

    /// Returns why an outcome is not the wanted one.
    fn reason(&self, observation: &Observation, forward: bool) -> Option<Reason> {
        let wanted = if forward { Kind::Pass } else { Kind::Same };
        self.seen.failure.as_ref()?.reason(observation, wanted, forward)
    }

    /// Records a finished reduction.
    pub(super) fn record(&mut self, purpose: Purpose, forward: bool, work: &Work, result: ReductionResult) {
        let described = self.described(purpose, forward, work, result);
        if let Some(reduction) = &work.reduction {
            let ours = |target: &&Target| reduction.part(target).is_some();
            let ours: Vec<Target> = self.known().map(|(target, _)| target).filter(ours).cloned().collect();
            self.seen.counted.extend(ours);
        }
        self.seen.reductions.extend(described);
    }

    /// Describes a reduction for the report, or returns `None` if its difference was not read.
    fn described(
        &self,
        purpose: Purpose,
        forward: bool,
        work: &Work,
        result: ReductionResult,
    ) -> Option<PorterReduction> {
        let reduction = work.reduction.as_ref()?;
        let is_done = matches!(result, ReductionResult::Reduced | ReductionResult::Passed);
        let result = if is_done && work.best().is_none() { ReductionResult::Contradicted } else { result };
        let revision = work.between.from.revision.clone().unwrap_or_default();
        let step = self.seen.steps.iter().rfind(|step| step.revision == revision && step.forward == forward);
        let mut described = PorterReduction {
            purpose,
            place: self.place(&revision),
            revision,
            forward,
            reason: step.filter(|_| purpose == Purpose::Walk).and_then(|step| step.reason),
            before: reduction.count(),
            first: None,
            after: None,
            result,
            runs: 0,
            free: 0,
            failed: BTreeMap::new(),
        };
        if is_done && reduction.is_over() {
            described.first = reduction.left_by_first_round();
            described.after = work.best().map(|best| best.part.changes.len());
        }
        // Each outcome counts once: for its step, or for the first reduction that it belongs to. The start of a reduction
        // depends on when its difference was read, and an undo does not revert a read.
        let ours = |(target, _): &(&Target, &Observation)| {
            let Seen { noted, counted, .. } = &self.seen;
            reduction.part(target).is_some() && !noted.contains(*target) && !counted.contains(*target)
        };
        for (_, seen) in self.known().filter(ours) {
            *(if seen.ran { &mut described.runs } else { &mut described.free }) += 1;
            let reason =
                self.seen.failure.as_ref().and_then(|failure| failure.reason(seen, work.between.keep, forward));
            if let Some(reason) = reason {
                *described.failed.entry(reason).or_default() += 1;
            }
        }
        Some(described)
    }

    /// Describes the running reduction.
    pub(super) fn ongoing(&self) -> Option<PorterReduction> {
        let (purpose, forward, work) = match &self.phase {
            Phase::Reducing(Reducing { walk, work, .. }) => (Purpose::Walk, walk.forward, work),
            Phase::LeafResult { task, work } => (task.purpose(), *task == Task::Forward, work),
            _ => return None,
        };
        self.described(purpose, forward, work, ReductionResult::Running)
    }

    /// Records a step of the walk, once for each target. `bare` is the observation without a patch.
    pub(super) fn note(
        &mut self,
        target: &Target,
        observation: &Observation,
        outcome: StepOutcome,
        forward: bool,
        bare: Option<&Observation>,
    ) {
        let patch = target.changes.as_ref().map_or(0, ChangeSet::len);
        let alone = bare.filter(|_| patch > 0).and_then(|bare| self.reason(bare, forward));
        if !self.seen.noted.insert(target.clone()) {
            if let Some(step) = self.step_of(target) {
                step.outcome = outcome;
                step.alone = step.alone.or(alone);
            }
            return;
        }
        let reason = self.reason(observation, forward);
        let place = self.place(target.revision.as_deref().unwrap_or_default());
        let carried = observation.signals.as_ref().and_then(|signals| signals.get("carried"));
        self.seen.steps.push(PorterStep {
            revision: target.revision.clone().unwrap_or_default(),
            forward,
            outcome,
            seen: observation.describe(),
            carried: carried.and_then(|way| way.as_str()).map(str::to_owned),
            place,
            patch,
            reason,
            alone,
        });
    }

    /// Returns the last step for the revision of a target.
    pub(super) fn step_of(&mut self, target: &Target) -> Option<&mut PorterStep> {
        let revision = target.revision.as_deref()?;
        self.seen.steps.iter_mut().rev().find(|step| step.revision == revision)
    }
}
