//! The search for a change in numbers as an ask/tell algorithm.

use std::sync::Arc;

use super::config::{ChangeConfig, ChangeCosts};
use super::hunt::{Hunt, Note, Number, Shared};
use super::message;
use super::report::ChangeReport;
use crate::belief::Prior;
use crate::error::Error;
use crate::graph::{CommitGraph, Ends};
use crate::search::{Algorithm, History, Key, Ledger, Observation, Outcome, Posterior, Reading, Status, Target};
use crate::suspicion::SelectionReason;

/// The algorithm behind a [`ChangeSearch`](super::ChangeSearch).
pub struct Numbers {
    pub(super) shared: Shared,
    space: History,
    /// The search of each metric. All of them use every run.
    pub(super) hunts: Vec<Hunt>,
    /// The number of outcomes so far.
    told: usize,
    spent: Spent,
}

/// The durations of runs with and without a build, as sums with counts.
#[derive(Debug, Default, Clone, Copy)]
struct Spent {
    built: (f64, u32),
    reused: (f64, u32),
}

impl Spent {
    fn add(&mut self, observation: &Observation) {
        if let Some(seconds) = observation.seconds.filter(|_| observation.ran) {
            let runs = if observation.reused { &mut self.reused } else { &mut self.built };
            *runs = (runs.0 + seconds, runs.1 + 1);
        }
    }

    fn costs(self) -> Option<ChangeCosts> {
        let mean = |(sum, count): (f64, u32)| (count > 0 && sum > 0.0).then(|| sum / f64::from(count));
        let (built, measurement) = mean(self.built).zip(mean(self.reused))?;
        Some(ChangeCosts { build: (built - measurement).max(0.0), measurement })
    }
}

impl Numbers {
    fn open(graph: Arc<CommitGraph>, mut config: ChangeConfig) -> Result<Self, Error> {
        config.check()?;
        let ends = Ends::new(&graph, &config.bad, &config.good)?;
        if ends.good.contains(&ends.bad) {
            let expected = "an ancestor of the bad revision: there is no revision between them";
            return Err(Error::invalid("good", graph.id(ends.bad), expected));
        }
        let prior = config.weights(&graph)?;
        // Store full ids, because a branch can move before the search is resumed.
        config.bad = vec![graph.id(ends.bad).to_owned()];
        config.good = ends.good.iter().map(|&node| graph.id(node).to_owned()).collect();
        config.prior = config.prior.take().and_then(|given| given.settled(&graph, prior.as_ref()));
        let space = History::new(Arc::clone(&graph), vec![ends.bad]);
        let shared = Shared { costs: config.costs, graph, config, ends, prior };
        let mut numbers = Numbers { shared, space, hunts: Vec::new(), told: 0, spent: Spent::default() };
        numbers.reset();
        Ok(numbers)
    }

    /// Returns the metric that the search works on: the first one without a result.
    fn current(&self) -> Option<&Hunt> {
        self.hunts.iter().find(|hunt| !hunt.is_done(&self.shared))
    }

    /// Returns warnings about the configuration.
    pub(super) fn warnings(&self) -> Vec<String> {
        self.shared.config.prior.as_ref().map(Prior::warnings).unwrap_or_default()
    }
}

impl Algorithm for Numbers {
    type Config = ChangeConfig;
    type Report = ChangeReport;
    type Space = History;

    const NAME: &'static str = "change";

    fn new(graph: Arc<CommitGraph>, config: ChangeConfig) -> Result<Self, Error> {
        Numbers::open(graph, config)
    }

    fn space(&self) -> &History {
        &self.space
    }

    fn space_mut(&mut self) -> &mut History {
        &mut self.space
    }

    fn config(&self) -> &ChangeConfig {
        &self.shared.config
    }

    fn repeats(&self) -> bool {
        true
    }

    fn relevant(&self, observation: Observation) -> Result<Observation, Error> {
        if let Some(id) = observation.results.keys().next() {
            return Err(Error::invalid("results", id, "a number: this search does not ask for tests"));
        }
        let is_named = !self.shared.config.metrics.is_empty();
        match (observation.metric, observation.metrics.is_empty()) {
            (Some(number), true) if is_named => Err(Error::invalid("metric", number, "metrics: numbers by name")),
            (None, false) if !is_named => {
                let names: Vec<&String> = observation.metrics.keys().collect();
                Err(Error::invalid("metrics", names, "metric: one number, because the search has no metrics by name"))
            }
            (Some(_), _) if self.shared.config.paired && observation.control.is_none() => {
                let expected =
                    "the number that the same run measured at the good revision, because the search is paired";
                Err(Error::invalid_value("control", "none".to_owned(), expected))
            }
            _ => Ok(observation),
        }
    }

    fn absorb(&mut self, node: Key, observation: &Observation) -> Reading {
        self.spent.add(observation);
        self.shared.costs = self.shared.config.costs.or_else(|| self.spent.costs());
        for hunt in &mut self.hunts {
            let number = match &hunt.sought.metric {
                Some(name) => observation.metrics.get(name).copied(),
                None => observation.metric,
            };
            let has_control = !self.shared.config.paired || observation.control.is_some();
            match number.filter(|_| observation.outcome == Outcome::Pass && has_control) {
                Some(number) => {
                    let control = observation.control.filter(|_| self.shared.config.paired);
                    let (censored, reused) = (observation.censored, observation.reused);
                    hunt.add(&self.shared, Number { node, number, control, censored, place: self.told, reused });
                }
                None => hunt.add_unresolved(&self.shared, node),
            }
        }
        self.told += 1;
        Reading::Stands
    }

    fn reset(&mut self) {
        (self.told, self.spent, self.shared.costs) = (0, Spent::default(), self.shared.config.costs);
        let sought = self.shared.config.sought();
        self.hunts = sought.into_iter().map(|sought| Hunt::new(&self.shared, sought)).collect();
    }

    fn choose(&mut self, want: usize, in_flight: &[Key]) -> Vec<Key> {
        let chosen = self.current().map(|hunt| hunt.choose(&self.shared, want, in_flight)).unwrap_or_default();
        chosen.into_iter().map(|(node, _)| node).collect()
    }

    fn wants(&self, in_flight: &[Key]) -> Vec<bool> {
        vec![self.current().is_some(); in_flight.len()]
    }

    fn status(&self) -> Status {
        let all: Vec<Status> = self.hunts.iter().map(|hunt| status(&self.shared, hunt)).collect();
        // The first one that applies to a metric.
        let order = [
            Status::Running,
            Status::Found,
            Status::Ambiguous,
            Status::Spread,
            Status::TooFlaky,
            Status::Untestable,
            Status::NoChange,
        ];
        order.into_iter().find(|status| all.contains(status)).unwrap_or(Status::NoChange)
    }

    fn report(&self, status: Status, ledger: &Ledger) -> ChangeReport {
        self.write_report(status, ledger)
    }

    fn sentences(report: &mut ChangeReport) -> Vec<&mut String> {
        std::iter::once(&mut report.message).chain(&mut report.warnings).collect()
    }

    fn best(report: &ChangeReport, named: &mut dyn FnMut(&str) -> String) -> Vec<String> {
        message::best(report, named)
    }

    fn posterior(&self) -> Option<Posterior> {
        self.shares()
    }

    fn reason(&self, target: &Target) -> Option<String> {
        let node = self.shared.graph.get(target.revision.as_deref()?)?;
        let (next, why) = self.current()?.choose(&self.shared, 1, &[]).pop()?;
        (next == node).then(|| message::reason(why).to_owned())
    }

    fn why(&self, revision: &str) -> Option<SelectionReason> {
        self.shared.prior.as_ref()?.why(&self.shared.graph, self.shared.graph.get(revision)?)
    }
}

/// Returns the status of the search for one metric.
fn status(shared: &Shared, hunt: &Hunt) -> Status {
    match (hunt.is_done(shared), hunt.found.is_empty(), hunt.notes.first()) {
        (false, ..) => Status::Running,
        (true, false, _) => Status::Found,
        (true, true, Some(Note::NoChange(_))) => Status::NoChange,
        (true, true, Some(Note::Spread(_))) => Status::Spread,
        (true, true, Some(Note::Set(..))) => Status::Ambiguous,
        (true, true, Some(Note::Untestable)) => Status::Untestable,
        (true, true, None) => Status::TooFlaky,
    }
}
