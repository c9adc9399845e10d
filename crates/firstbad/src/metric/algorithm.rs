//! The search for a change in numbers as an ask/tell algorithm.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::config::ChangeConfig;
use super::report::{ChangeConclusion, ChangeReport};
use crate::error::Error;
use crate::graph::{CommitGraph, Ends};
use crate::search::{Algorithm, History, Key, Ledger, Observation, Reading, Status};

/// The algorithm behind a [`ChangeSearch`](super::ChangeSearch).
pub struct Numbers {
    graph: Arc<CommitGraph>,
    config: ChangeConfig,
    ends: Ends,
    space: History,
    count: usize,
}

impl Algorithm for Numbers {
    type Config = ChangeConfig;
    type Report = ChangeReport;
    type Space = History;

    const NAME: &'static str = "change";

    fn new(graph: Arc<CommitGraph>, config: ChangeConfig) -> Result<Self, Error> {
        config.check()?;
        let ends = Ends::new(&graph, &config.bad, &config.good)?;
        let _ = config.weights(&graph)?;
        Ok(Numbers { space: History::new(Arc::clone(&graph), vec![ends.bad]), graph, config, ends, count: 0 })
    }

    fn space(&self) -> &History {
        &self.space
    }

    fn space_mut(&mut self) -> &mut History {
        &mut self.space
    }

    fn config(&self) -> &ChangeConfig {
        &self.config
    }

    fn repeats(&self) -> bool {
        true
    }

    fn absorb(&mut self, _: Key, _: &Observation) -> Reading {
        self.count += 1;
        Reading::Stands
    }

    fn reset(&mut self) {
        self.count = 0;
    }

    fn choose(&mut self, _: usize, in_flight: &[Key]) -> Vec<Key> {
        if in_flight.is_empty() { vec![if self.count % 2 == 0 { self.ends.first_good() } else { self.ends.bad }] } else { Vec::new() }
    }

    fn wants(&self, in_flight: &[Key]) -> Vec<bool> {
        vec![true; in_flight.len()]
    }

    fn status(&self) -> Status {
        if self.count >= 6 { Status::NoChange } else { Status::Running }
    }

    fn report(&self, status: Status, ledger: &Ledger) -> ChangeReport {
        let sought = self.config.sought().swap_remove(0);
        ChangeReport {
            status,
            message: String::new(),
            bad: self.graph.id(self.ends.bad).to_owned(),
            good: self.ends.good.iter().map(|&node| self.graph.id(node).to_owned()).collect(),
            confidence: self.config.confidence,
            metric: sought.metric,
            unit: sought.unit,
            at_least: sought.at_least.to_string(),
            conclusion: ChangeConclusion::Undecided,
            before: None,
            after: None,
            change: None,
            percent: None,
            interval: None,
            steps: Vec::new(),
            candidates: Vec::new(),
            unexplained: None,
            noise: None,
            exact: false,
            probability: 0.0,
            series: Vec::new(),
            other_metrics: Vec::new(),
            paired: self.config.paired,
            measurements: 0,
            builds: ledger.builds(),
            unresolved: Vec::new(),
            seconds: None,
            suspects: 0,
            warnings: Vec::new(),
            asked: ledger.asked(),
            runs: ledger.runs(),
            observations: ledger.observations(self.space()),
            commits: BTreeMap::new(),
            names: BTreeMap::new(),
        }
    }
}
