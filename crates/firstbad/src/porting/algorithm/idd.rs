//! Iterative delta debugging (Artho 2011), Figure 2.
//!
//! ```text
//!     prev_version = current_version = latest_version();
//!     patch = {}
//!     original_result = current_result = test(current_version);
//!     while (current_result != pass) {
//!         current_version = predecessor(current_version);
//!         current_result = test(current_version + patch);
//!         if (current_result != original_result) {
//!             patch = DD(current_version, prev_version);
//!         }
//!         prev_version = current_version;
//!     }
//!     return patch;
//! ```
//!
//! [`Port::begin`] is the start, [`Port::walk`] one turn of the loop, and [`Port::reduce`] the call of DD. A [`Walk`]
//! holds the versions and the patch. Beyond the figure, a walk may gallop, skips versions
//! that do not build without the patch, and tests a version without the patch before it creates a new patch. The same loop
//! brings the fix forward. There, the wanted result is a pass.

use std::mem;
use std::sync::Arc;

use super::{Next, Phase, Port, Reducing};
use crate::error::Error;
use crate::porting::config::PorterConfig;
use crate::porting::failure::{Failure, Kind, State, is_conflict, is_unbuilt};
use crate::porting::guesses::Guess;
use crate::porting::message;
use crate::porting::patches::Part;
use crate::porting::reduction::{Between, How, Work};
use crate::porting::report::{Purpose, ReductionResult, StepOutcome};
use crate::porting::walk::Walk;
use crate::reduction::{Expect, Granularity, Guarantee, Method};
use crate::search::{ChangeSet, Observation, Outcome, Status, Target};

impl Port {
    /// Advances as far as the known outcomes allow.
    pub(super) fn advance(&mut self) -> Result<(), Error> {
        loop {
            self.wanted.clear();
            let phase = mem::replace(&mut self.phase, Phase::Over(Status::Contradictory));
            let next = match phase {
                Phase::Start => self.begin(),
                Phase::Walking(walk) => self.walk(walk),
                Phase::Reducing(reducing) => self.reduce(reducing)?,
                Phase::LeafResult { task, work } => self.end(task, work)?,
                Phase::Over(status) => Next::Wait(Phase::Over(status)),
            };
            match next {
                Next::Go(phase) => self.phase = phase,
                Next::Wait(phase) => {
                    self.phase = phase;
                    return Ok(());
                }
            }
        }
    }

    /// original_result = test(latest_version()). The start is tested twice, the second time through the code that applies
    /// patches.
    fn begin(&mut self) -> Next {
        let start = self.start();
        let again = Target { changes: Some(ChangeSet::all(0)), ..start.as_str().into() };
        let (first, second) = (self.answer(&start.as_str().into()), self.answer(&again));
        let Some(original_result) = first else {
            self.wanted = vec![start.as_str().into(), again];
            return Next::Wait(Phase::Start);
        };
        self.seen.start = Some(Arc::clone(&original_result));
        self.seen.failure = Failure::of(&original_result, (self.config.seconds_factor, self.config.memory_factor));
        if self.seen.failure.is_none() {
            let passes = original_result.outcome == Outcome::Pass;
            return Next::Go(Phase::Over(if passes { Status::NotReproduced } else { Status::Untestable }));
        }
        let Some(second) = second else {
            self.wanted = vec![again];
            return Next::Wait(Phase::Start);
        };
        if self.kind(&second, false) != Kind::Same {
            return Next::Go(Phase::Over(Status::Contradictory));
        }
        self.note(&start.as_str().into(), &second, StepOutcome::Kept, false, None);
        let way = self.names(&self.back);
        // A revision that is believed to pass is tested first.
        let first_step = if self.config.good.is_empty() { 1 } else { way.len() };
        Next::Go(Phase::Walking(Walk::new(way, Part::default(), self.config.walk, first_step, false)))
    }

    /// test(target), or `None` while the outcome is requested.
    fn test(&mut self, target: &Target) -> Option<Arc<Observation>> {
        let result = self.answer(target);
        if result.is_none() {
            self.wanted = vec![target.clone()];
        }
        result
    }

    /// One turn of the loop.
    fn walk(&mut self, mut walk: Walk) -> Next {
        let Some(place) = walk.next() else { return self.exhaust(walk) };
        let patched = walk.patch.on(walk.revision(place));
        let Some(current_result) = self.test(&patched) else { return Next::Wait(Phase::Walking(walk)) };
        match self.kind(&current_result, walk.forward) {
            kind if kind == walk.original_result() => {
                self.note(&patched, &current_result, StepOutcome::Kept, walk.forward, None);
                walk.keep(place);
                Next::Go(Phase::Walking(walk))
            }
            Kind::Pass if walk.is_adjacent(place) => {
                self.note(&patched, &current_result, StepOutcome::Pass, walk.forward, None);
                let patch = walk.patch.clone();
                self.found(&walk, place, patch)
            }
            kind => self.differs(walk, place, kind, &patched, &current_result),
        }
    }

    /// With the patch, the result is not the original one: at the end of a longer step, or because the patch no longer
    /// works.
    fn differs(&mut self, mut walk: Walk, place: usize, kind: Kind, patched: &Target, result: &Observation) -> Next {
        let (forward, is_adjacent) = (walk.forward, walk.is_adjacent(place));
        // Testing whether a version builds without the patch costs a run. If the patch does not apply, which is free to find
        // out, that run can wait.
        let may_skip = walk.may_skip() && !(forward && walk.is_end(place));
        let is_near = is_adjacent || walk.follows_block(place);
        let untested = may_skip && (is_unbuilt(result) || is_near && is_conflict(result));
        // With the patch, the version already fails to build as skipped versions do without it.
        if untested && is_unbuilt(result) && walk.is_skipped(&State::of(result)) {
            self.note(patched, result, StepOutcome::Skipped, forward, None);
            walk.skip(place, State::of(result));
            return Next::Go(Phase::Walking(walk));
        }
        if !is_adjacent && !untested {
            let outcome = if kind == Kind::Pass { StepOutcome::Pass } else { StepOutcome::Other };
            self.note(patched, result, outcome, forward, None);
            walk.miss(place);
            return Next::Go(Phase::Walking(walk));
        }
        let plain = Target::from(walk.revision(place));
        let Some(bare) = self.test(&plain) else { return Next::Wait(Phase::Walking(walk)) };
        if untested && is_unbuilt(&bare) {
            self.note(patched, result, StepOutcome::Skipped, forward, Some(&bare));
            walk.skip(place, State::of(&bare));
            return Next::Go(Phase::Walking(walk));
        }
        self.note(patched, result, StepOutcome::Other, forward, Some(&bare));
        if !is_adjacent {
            walk.miss(place);
            return Next::Go(Phase::Walking(walk));
        }
        self.repatch(walk, place, is_conflict(result), &bare)
    }

    /// Tests current_version without the patch. If it fails, patch = DD(current_version, prev_version).
    fn repatch(&mut self, mut walk: Walk, place: usize, is_conflict: bool, bare: &Observation) -> Next {
        let plain = Target::from(walk.revision(place));
        let kind = self.kind(bare, walk.forward);
        if kind == walk.original_result() {
            self.note(&plain, bare, StepOutcome::Kept, walk.forward, None);
            walk.replace(place, Part::default());
            return Next::Go(Phase::Walking(walk));
        }
        if kind == Kind::Pass {
            self.note(&plain, bare, StepOutcome::Pass, walk.forward, None);
            return self.found(&walk, place, Part::default());
        }
        if let Some(early) = self.seen.early.take() {
            return self.believe(early);
        }
        let between = Between { from: plain, to: walk.patch.on(walk.last()), keep: walk.original_result() };
        Next::Go(Phase::Reducing(Reducing { walk, place, work: Work::of(between), passed: None, is_conflict }))
    }

    /// The current version has no predecessor.
    fn exhaust(&mut self, mut walk: Walk) -> Next {
        if walk.forward {
            return self.arrive(walk.last(), &walk.patch);
        }
        if let Some(early) = self.seen.early.take() {
            return self.believe(early);
        }
        if let Some(finely) = self.refine() {
            return Next::Go(finely);
        }
        if walk.take_back() {
            return Next::Go(Phase::Walking(walk));
        }
        let is_boundary = self.config.boundary.iter().any(|revision| revision == walk.last());
        Next::Go(Phase::Over(if is_boundary { Status::RevisionNotReadable } else { Status::HistoryExhausted }))
    }

    /// patch = DD(current_version, prev_version).
    ///
    /// # Errors
    /// Returns the errors of [`Port::reduction`].
    fn reduce(&mut self, mut reducing: Reducing) -> Result<Next, Error> {
        let forward = reducing.walk.forward;
        if reducing.work.reduction.is_none() {
            let (how, guess) = self.how(&reducing);
            match self.reduction(&reducing.work.between, how, guess.as_ref(), forward)? {
                None => return Ok(Next::Wait(Phase::Reducing(reducing))),
                // Equal trees had different outcomes.
                Some(None) => return Ok(self.contradicted(forward)),
                Some(Some(made)) => {
                    // An outcome may have come before the difference was read.
                    let passes =
                        |(target, seen)| if self.kind(seen, forward) == Kind::Pass { made.part(target) } else { None };
                    reducing.passed = self.known().filter(|_| self.config.early_pass && !forward).find_map(passes);
                    reducing.work.reduction = Some(made);
                }
            }
        }
        let Some(reduction) = &reducing.work.reduction else { return Ok(Next::Wait(Phase::Reducing(reducing))) };
        // The version passes with the lines of the carried patch, which only had to be applied in another way. A control shows
        // that some of them are enough.
        let ends = |guess: usize| guess == 0 || self.config.controlled;
        if let Some(part) = reducing.passed.clone().filter(|part| reduction.guess(part).is_some_and(ends)) {
            self.record(Purpose::Walk, forward, &reducing.work, ReductionResult::Passed);
            return Ok(self.found(&reducing.walk, reducing.place, part));
        }
        if !reduction.is_over() {
            return Ok(Next::Wait(Phase::Reducing(reducing)));
        }
        Ok(self.reduced(reducing))
    }

    /// Returns whether a new patch is carried in whole hunks. Which of their lines are needed is only found out if a hunk does
    /// not apply, or if no version passes.
    fn is_coarse(&self, is_conflict: bool) -> bool {
        let PorterConfig { algorithm, hierarchical, granularity, .. } = &self.config;
        let is_finer = *hierarchical && *granularity > Granularity::Hunks;
        is_finer && *algorithm == Method::Auto && !is_conflict && !self.seen.is_fine
    }

    /// Returns how to create a patch, and the lines to test first: those of the carried patch, if it does not apply.
    fn how(&self, reducing: &Reducing) -> (How, Option<Guess>) {
        let is_coarse = self.is_coarse(reducing.is_conflict);
        let Part { universe, changes } = reducing.walk.patch.clone();
        let given = universe.filter(|_| reducing.is_conflict).and_then(|universe| self.reads.given(universe));
        let guess = given.map(|(_, content)| Guess { content: content.clone(), changes, is_reversed: false });
        let then = if guess.is_some() && !self.seen.is_fine { Expect::Nothing } else { Expect::Parts };
        let granularity = match self.config.granularity {
            _ if is_coarse => Granularity::Hunks,
            // Half of a fix is not a fix, but the lines of the carried fix are a whole one.
            told if reducing.walk.forward && guess.is_none() => told.min(Granularity::Edits),
            told => told,
        };
        (How { granularity, guarantee: Guarantee::Fixpoint, blocks: false, then }, guess)
    }

    /// Returns to the first patch that was carried in whole hunks, which may contain the cause, and takes it apart.
    fn refine(&mut self) -> Option<Phase> {
        let (walk, place, between) = self.seen.coarse.take()?;
        self.seen.is_fine = true;
        Some(Phase::Reducing(Reducing { walk, place, work: Work::of(between), passed: None, is_conflict: false }))
    }

    /// Continues with the patch that DD has found, if any.
    fn reduced(&mut self, reducing: Reducing) -> Next {
        let is_coarse = self.is_coarse(reducing.is_conflict);
        let Reducing { mut walk, place, work, passed, .. } = reducing;
        let ending = if passed.is_some() { ReductionResult::Passed } else { ReductionResult::Reduced };
        self.record(Purpose::Walk, walk.forward, &work, ending);
        let early = passed.map(|part| self.ends(&walk, place, part));
        let Some(reduced) = work.best() else {
            return match early {
                Some(early) => self.believe(early),
                None => self.contradicted(walk.forward),
            };
        };
        let patch = reduced.part.clone();
        if let Some(step) = self.step_of(&walk.patch.on(walk.revision(place))) {
            step.outcome = StepOutcome::Reduced;
        }
        if is_coarse && !walk.forward {
            self.seen.coarse.get_or_insert_with(|| (walk.clone(), place, work.between.clone()));
        }
        if !walk.forward && self.config.max_patch.is_some_and(|most| patch.changes.len() > most) {
            return match early {
                Some(early) => self.believe(early),
                None => Next::Go(self.refine().unwrap_or(Phase::Over(Status::PatchTooLarge))),
            };
        }
        self.seen.made = Some(reduced).filter(|reduced| !is_coarse && reduced.guarantee != Guarantee::BestSoFar);
        if early.is_some() {
            // The version passes with a part of the patch. An older version may pass with everything that the failure needs.
            self.seen.early = early;
            walk.gallop();
        }
        walk.replace(place, patch);
        Next::Go(Phase::Walking(walk))
    }

    /// Outcomes contradict each other. On the way back, this ends the search. On the way forward, only the fix is missing.
    pub(super) fn contradicted(&mut self, forward: bool) -> Next {
        if forward {
            self.seen.warnings.push(message::FORWARD_CONTRADICTED.to_owned());
            return Next::Go(Phase::Over(Status::Found));
        }
        Next::Go(Phase::Over(Status::Contradictory))
    }
}
