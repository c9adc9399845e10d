use super::config::RegressionConfig;
use super::report::*;
use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::observation::{Observation, Outcome};
use crate::search::{Algorithm, Ledger, Status};
use std::sync::Arc;

/// stub
pub struct Regression {
    graph: Arc<CommitGraph>,
    config: RegressionConfig,
    tips: Vec<Node>,
    lo: u32,
    hi: u32,
    un: bool,
}
impl Regression {
    /// stub: plain bisection over ranks
    pub fn new(graph: Arc<CommitGraph>, config: RegressionConfig) -> Result<Self, Error> {
        if config.bad.is_empty() {
            return Err(Error::invalid("bad", &config.bad, "at least one revision"));
        }
        let tips = config.bad.iter().map(|b| graph.resolve(b, "bad")).collect::<Result<Vec<_>, _>>()?;
        let lo = match config.good.first() {
            Some(g) => graph.resolve(g, "good")?,
            None => 0,
        };
        let hi = tips[0];
        Ok(Regression { graph, config, tips, lo, hi, un: false })
    }
}
impl Algorithm for Regression {
    type Report = RegressionReport;
    const NAME: &'static str = "regression";
    fn graph(&self) -> &Arc<CommitGraph> {
        &self.graph
    }
    fn configuration(&self) -> serde_json::Value {
        serde_json::to_value(&self.config).unwrap_or_default()
    }
    fn tips(&self) -> &[Node] {
        &self.tips
    }
    fn absorb(&mut self, n: Node, o: &Observation) {
        match o.outcome {
            Outcome::Pass => self.lo = self.lo.max(n),
            Outcome::Fail => self.hi = self.hi.min(n),
            Outcome::Unresolved => self.un = true,
        }
    }
    fn reset(&mut self) {
        self.hi = self.tips[0];
        self.lo = 0;
        self.un = false;
    }
    fn choose(&mut self, _want: usize, in_flight: &[Node]) -> Vec<Node> {
        let m = (self.lo + self.hi) / 2;
        if in_flight.contains(&m) { vec![] } else { vec![m] }
    }
    fn wants(&self, n: Node) -> bool {
        n > self.lo && n < self.hi
    }
    fn status(&self) -> Status {
        if self.un {
            Status::Ambiguous
        } else if self.hi - self.lo <= 1 {
            Status::Found
        } else {
            Status::Running
        }
    }
    fn report(&self, status: Status, ledger: &Ledger) -> RegressionReport {
        let id = |n: Node| self.graph.id(n).to_owned();
        RegressionReport {
            status,
            message: String::new(),
            points: vec![RegressionPoint {
                good: Some(id(self.lo)),
                bad: id(self.hi),
                leaves: vec![id(self.tips[0])],
                distances: vec![0],
                clean: true,
                candidates: vec![],
                unresolved_parents: vec![],
            }],
            leaves: vec![LeafReport { leaf: id(self.tips[0]), ending: Ending::Searched, points: vec![0] }],
            queries: ledger.queries(),
            observations: ledger
                .answers()
                .iter()
                .map(|a| RevisionObservation {
                    revision: id(a.revision),
                    probe: a.probe,
                    observation: a.observation.clone(),
                })
                .collect(),
        }
    }
}
