//! The state of a search for the view.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use firstbad::{
    Error, Event, Forecast, Outcome, Progress, Report, Run, Search as _, Spelling, Status, TestVerdict, Verdict,
    with_short_ids,
};
use firstbad_journal::Session;
use firstbad_report::plain;

use super::counts;
use super::subjects::Subjects;

/// The number of recent runs that the forecast uses.
const LATELY: usize = 10;

/// The state of a search.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) passes: u64,
    pub(crate) fails: u64,
    pub(crate) unresolved: u64,
    /// The number of suspects left, and at the start.
    pub(crate) suspects: Option<(usize, usize)>,
    /// The size of the smallest result of a reduction or slice so far.
    pub(crate) left: Option<String>,
    pub(crate) forecast: Option<Forecast>,
    /// The revision of a walk, and the number of changes in its patch.
    pub(crate) carrying: Option<(String, usize)>,
    /// The best result so far, one line for each part.
    pub(crate) best: Vec<String>,
    /// The most likely culprit of a flaky test, with a short name.
    pub(crate) likeliest: Option<String>,
    pub(super) seen: usize,
    pub(super) lately: VecDeque<f64>,
    pub(super) at_first: Option<usize>,
}

impl Facts {
    /// Updates the state after a run that took `took`, including its setup.
    pub(crate) fn update(
        &mut self,
        session: &Session,
        run: &mut Run,
        subjects: &mut Subjects<'_>,
        mut took: Option<Duration>,
    ) -> Result<(), Error> {
        let news = session.inspect().events(self.seen);
        self.seen += news.len();
        for event in news {
            match event {
                Event::Told { observation, .. } => {
                    *self.count(observation.outcome) += 1;
                    // For runs before this process, only the time of the test is known.
                    self.lately.extend(took.take().map(|took| took.as_secs_f64()).or(observation.seconds));
                    self.lately.drain(..self.lately.len().saturating_sub(LATELY));
                }
                Event::Undone { .. } => *self = Facts { at_first: self.at_first, ..Facts::default() },
                _ => {}
            }
        }
        let until = Instant::now() + Run::PATIENCE;
        let Progress { suspects, forecast, carrying, .. } = run.progress(session, &mut || Instant::now() < until)?;
        self.suspects =
            suspects.map(|left| (left, *self.at_first.get_or_insert_with(|| at_first(session).unwrap_or(left))));
        self.forecast = forecast;
        self.carrying = carrying.map(|at| (plain(subjects.short(&at.revision)), at.patch));
        if session.runs() > 0 {
            let best = session.inspect().best(&mut |revision| subjects.described(revision));
            self.best = best.iter().map(|line| plain(line)).collect();
            (self.left, self.likeliest) = (None, None);
            match Report::of(session.inspect()) {
                Ok(Report::Slice(report)) => {
                    let smallest = report.sizes.last().map(|size| size.changes);
                    self.left = smallest.map(|left| counts::left(left, report.of, "change"));
                }
                Ok(Report::Triage(report)) => {
                    let is_open = |test: &&TestVerdict| test.verdict == Verdict::Undecided;
                    let open = report.tests.iter().filter(is_open).count();
                    self.left = Some(counts::left(open, report.tests.len(), "test"));
                }
                Ok(Report::Change(report)) => {
                    let message = plain(&with_short_ids(&Spelling::CommandLine.render(&report.message)));
                    // The view has the number of measurements already, so their words are left out.
                    let numbers = message.strip_prefix("running after ").and_then(|rest| rest.split_once(": "));
                    self.likeliest = match numbers {
                        Some((_, numbers)) => Some(numbers.to_owned()),
                        None => Some(message).filter(|_| report.status != Status::Running),
                    };
                    self.best = self.likeliest.iter().cloned().collect();
                }
                Ok(Report::Minimize(report)) => self.left = subjects.left(&report.kept.into_iter().collect()),
                Ok(Report::Regression(report)) if session.inspect().repeats() => {
                    let open = report.points.iter().position(|point| point.is_open(&report.leaves)).unwrap_or(0);
                    let lines = session.inspect().best(&mut |revision| subjects.short(revision).to_owned());
                    self.likeliest = lines.get(open).map(|line| plain(line));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn count(&mut self, outcome: Outcome) -> &mut u64 {
        match outcome {
            Outcome::Pass => &mut self.passes,
            Outcome::Fail => &mut self.fails,
            Outcome::Unresolved => &mut self.unresolved,
        }
    }

    /// Returns the number of outcomes.
    pub(crate) fn runs(&self) -> u64 {
        self.passes + self.fails + self.unresolved
    }

    /// Returns the likely time left, or `None` before the first run.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let forecast = self.forecast?;
        let mean = self.lately.iter().sum::<f64>() / self.lately.len().max(1) as f64;
        let seconds = mean * forecast.likely.rounds as f64;
        (!self.lately.is_empty()).then(|| Duration::try_from_secs_f64(seconds).ok()).flatten()
    }
}

/// Returns the number of suspects at the start.
fn at_first(session: &Session) -> Option<usize> {
    Some(session.fresh().ok()?.inspect().suspects()?.count_ones(..))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use firstbad::{CommitGraph, Observation, RunOptions};
    use serde_json::json;

    use super::*;

    #[test]
    fn the_time_left_includes_the_setup_of_runs() {
        let graph = CommitGraph::linear((0..65).map(|version| format!("1.{version}"))).unwrap();
        let configuration = json!({"bad": ["1.64"], "good": ["1.0"], "test_endpoints": false, "confirm": false});
        let mut session =
            Session::new(firstbad::open("regression", std::sync::Arc::new(graph), &configuration).unwrap());
        let mut run = Run::new(&mut session, RunOptions::default()).unwrap();
        let (mut facts, mut subjects) = (Facts::default(), Subjects::new(None));
        for (took, rounds) in [(Some(Duration::from_secs(20)), 5), (None, 4)] {
            let probe = run.take(&mut session, &mut || true).unwrap().remove(0);
            let seen = Observation { seconds: Some(2.0), ..Outcome::Fail.into() };
            run.answered(&mut session, probe.id, seen).unwrap();
            facts.update(&session, &mut run, &mut subjects, took).unwrap();
            assert_eq!(facts.forecast.unwrap().likely.rounds, rounds);
            // The average is 20 s, then 11 s.
            let each = if took.is_some() { 20 } else { 11 };
            assert_eq!(facts.time_left(), Some(Duration::from_secs(each * rounds)));
        }
    }
}
