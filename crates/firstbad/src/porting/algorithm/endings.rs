//! The end of the search: the passing version, the reductions that follow, and the walk forward.

use std::collections::BTreeMap;

use super::{Next, Phase, Port};
use crate::error::Error;
use crate::patch::Patch;
use crate::porting::config::Until;
use crate::porting::ending::{Found, Task, ported, whole};
use crate::porting::failure::Kind;
use crate::porting::guesses::Guess;
use crate::porting::message;
use crate::porting::patches::Part;
use crate::porting::reduction::{Between, Reduced, Work};
use crate::porting::report::{PorterReduction, Purpose, ReductionResult};
use crate::porting::walk::Walk;
use crate::reduction::Guarantee;
use crate::search::{ChangeSet, Request, Status};

impl Port {
    /// A version passes with this patch, and the newer one fails with the carried patch.
    pub(super) fn ends(&self, walk: &Walk, place: usize, good_part: Part) -> Found {
        let made_here = |made: &&Reduced| made.part == walk.patch && self.is_made_for(&made.part, walk.last());
        Found {
            good: walk.revision(place).to_owned(),
            needed: self.seen.made.as_ref().filter(made_here).filter(|made| made.part == good_part).cloned(),
            good_part,
            bad: walk.last().to_owned(),
            bad_part: walk.patch.clone(),
            between: walk.between(place),
        }
    }

    /// Returns whether a patch is a part of the difference between a version and a newer one.
    fn is_made_for(&self, part: &Part, revision: &str) -> bool {
        let read = part.universe.and_then(|universe| self.reads.given(universe));
        read.is_some_and(|(request, _)| matches!(request, Request::Diff { from, .. } if *from == revision.into()))
    }

    pub(super) fn found(&mut self, walk: &Walk, place: usize, good_part: Part) -> Next {
        if let Some(early) = self.seen.early.take() {
            self.seen.warnings.push(message::passes_too_early(&early.good, walk.revision(place)));
        }
        let found = self.ends(walk, place, good_part);
        self.explain(found)
    }

    /// The walk with the patch that the failure needs reached no passing version. One commit contains a cause and a conflict
    /// (Section 4.1).
    pub(super) fn believe(&mut self, early: Found) -> Next {
        self.seen.warnings.push(message::passes_early(&early.good));
        self.explain(early)
    }

    /// The commit is known. Explains it, unless only the commit was requested.
    fn explain(&mut self, found: Found) -> Next {
        self.seen.found = Some(found);
        self.seen.until_commit = Some(self.order.len());
        match self.config.until {
            Until::Explanation => self.next_task(Some(Task::Needed)),
            Until::Commit => Next::Go(Phase::Over(Status::Found)),
        }
    }

    /// Continues with a task, or with the first later task that has something to do.
    fn next_task(&mut self, task: Option<Task>) -> Next {
        let Some(found) = self.seen.found.clone() else { return Next::Go(Phase::Over(Status::Contradictory)) };
        let mut task = task;
        while let Some(now) = task {
            let is_wanted = now != Task::Figure2 || self.config.figure2;
            if let Some(between) = now.between(&found, &self.seen.patches).filter(|_| is_wanted) {
                let work = Work::of(between);
                return Next::Go(Phase::LeafResult { task: now, work });
            }
            task = now.after();
        }
        Next::Go(self.forward(&found))
    }

    pub(super) fn end(&mut self, task: Task, mut work: Work) -> Result<Next, Error> {
        if let Some(needed) =
            self.seen.found.as_ref().filter(|_| task == Task::Carried).and_then(|found| found.needed.clone())
        {
            return self.confirm(&needed, work);
        }
        if self.seen.found.as_ref().is_some_and(|found| task.is_union(found, &self.seen.patches)) {
            return self.unite(work);
        }
        if work.reduction.is_none() {
            let (how, forward) = (task.how(&self.config), task == Task::Forward);
            let guess = if task == Task::Repair { self.mirror() } else { None };
            work.reduction = match self.reduction(&work.between, how, guess.as_ref(), forward)? {
                None => return Ok(Next::Wait(Phase::LeafResult { task, work })),
                Some(None) if matches!(task, Task::Needed | Task::Carried) => return Ok(self.next_task(task.after())),
                Some(None) => return Ok(self.contradicted(task == Task::Forward)),
                made => made.flatten(),
            };
        }
        if !work.reduction.as_ref().is_some_and(|reduction| reduction.is_over()) {
            return Ok(Next::Wait(Phase::LeafResult { task, work }));
        }
        self.record(task.purpose(), task == Task::Forward, &work, ReductionResult::Reduced);
        let Some(reduced) = work.best() else { return Ok(self.contradicted(task == Task::Forward)) };
        if task == Task::Cause {
            self.seen.patches.caused = work.reached();
        }
        if let Some(found) = self.seen.found.as_mut().filter(|_| task == Task::Needed) {
            found.needed = Some(reduced);
        } else if let Some((_, content)) = self.diff(&work.between) {
            let patch = ported(&work.between.from, &reduced, &content)?;
            self.seen.patches.set(task, &reduced.part, patch);
        }
        Ok(if task == Task::Forward { Next::Go(Phase::Over(Status::Found)) } else { self.next_task(task.after()) })
    }

    /// Returns the cause, whose reverse probably is a repair.
    fn mirror(&self) -> Option<Guess> {
        let Part { universe, changes } = self.seen.patches.cause_part.clone();
        let (_, content) = self.reads.given(universe?)?;
        Some(Guess { content: content.clone(), changes, is_reversed: true })
    }

    /// Takes the carried patch and the cause together as the result of the paper.
    fn unite(&mut self, work: Work) -> Result<Next, Error> {
        let Some((universe, content)) = self.diff(&work.between) else {
            return Ok(Next::Wait(Phase::LeafResult { task: Task::Figure2, work }));
        };
        let count = Patch::parse(content.bytes())?.len();
        let part = Part::new(universe, ChangeSet::all(count));
        let reduced = Reduced { part, guarantee: Guarantee::Fixpoint, count };
        self.seen.patches.set(Task::Figure2, &reduced.part, ported(&work.between.from, &reduced, &content)?);
        let revision = work.between.from.revision.unwrap_or_default();
        self.seen.reductions.push(PorterReduction {
            purpose: Purpose::Figure2,
            place: self.place(&revision),
            revision,
            forward: false,
            reason: None,
            before: count,
            first: Some(count),
            after: Some(count),
            result: ReductionResult::Reduced,
            runs: 0,
            free: 0,
            failed: BTreeMap::new(),
        });
        Ok(self.next_task(Task::Figure2.after()))
    }

    /// If the passing version also passes with the patch that the failure needs, this patch is the one that the test needs.
    fn confirm(&mut self, needed: &Reduced, work: Work) -> Result<Next, Error> {
        let Some(seen) = self.answer(&work.between.to) else {
            self.wanted = vec![work.between.to.clone()];
            return Ok(Next::Wait(Phase::LeafResult { task: Task::Carried, work }));
        };
        if self.kind(&seen, false) != Kind::Pass {
            if let Some(found) = &mut self.seen.found {
                found.needed = None;
            }
            return Ok(self.next_task(Some(Task::Carried)));
        }
        let patch = if needed.part.is_empty() {
            None
        } else {
            let Some((_, content)) = self.diff(&work.between) else {
                return Ok(Next::Wait(Phase::LeafResult { task: Task::Carried, work }));
            };
            whole(&work.between.from, needed, &content)?
        };
        self.seen.patches.set(Task::Carried, &needed.part, patch);
        Ok(self.next_task(Task::Carried.after()))
    }

    /// Starts bringing the fix forward, if that was requested.
    fn forward(&mut self, found: &Found) -> Phase {
        let (Some(onward), false) = (self.onward.clone(), self.seen.patches.repair_part.is_empty()) else {
            return Phase::Over(Status::Found);
        };
        let back = self.names(&self.back);
        let at = back.iter().position(|revision| *revision == found.bad).unwrap_or_default();
        let onward = self.names(&onward);
        let to = &onward[onward.len() - 1];
        let place = back.iter().position(|revision| revision == to);
        if place.is_some_and(|place| place > at) {
            self.seen.warnings.push(message::older_than_bad(to, &found.bad));
            return Phase::Over(Status::Found);
        }
        let mut way: Vec<String> = back[place.unwrap_or(0)..=at].iter().rev().cloned().collect();
        if place.is_none() {
            way.extend(onward.into_iter().skip(1));
        }
        let step = way.len();
        Phase::Walking(Walk::new(way, self.seen.patches.repair_part.clone(), self.config.walk, step, true))
    }

    /// Reduces the fix at the revision that it was brought forward to.
    pub(super) fn arrive(&mut self, revision: &str, patch: &Part) -> Next {
        if patch.is_empty() {
            self.seen.warnings.push(message::passes_by_itself(revision));
            return Next::Go(Phase::Over(Status::Found));
        }
        let between = Between { from: revision.into(), to: patch.on(revision), keep: Kind::Pass };
        let work = Work::of(between);
        Next::Go(Phase::LeafResult { task: Task::Forward, work })
    }
}
