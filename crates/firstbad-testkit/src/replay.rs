//! Replays a search with known outcomes.

use std::sync::Arc;

use firstbad::graph::Node;
use firstbad::regression::RegressionConfig;
use firstbad::{CommitGraph, Outcome, RegressionReport, RegressionSearch, Search};

/// A search problem with all of its outcomes.
#[derive(Debug, Clone)]
pub struct Case {
    /// The history.
    pub graph: Arc<CommitGraph>,
    /// The outcome at every revision.
    pub outcomes: Arc<[Outcome]>,
    /// The bad revisions, in the order given.
    pub leaves: Vec<Node>,
    /// The good revisions.
    pub goods: Vec<Node>,
}

/// The result of a search.
#[derive(Debug, Clone)]
pub struct Run {
    /// The revisions that the search asked for, in order.
    pub asked: Vec<Node>,
    /// The report, or `None` if the search did not finish.
    pub report: Option<RegressionReport>,
    /// The reason why the search did not finish, or the error.
    pub trouble: Option<String>,
}

impl Case {
    /// Returns the outcome of a revision.
    #[must_use]
    pub fn outcome(&self, node: Node) -> Outcome {
        self.outcomes[node as usize]
    }

    /// Returns a configuration with this case's endpoints, which are not verified, without confirmation, and with all other
    /// defaults.
    #[must_use]
    pub fn config(&self) -> RegressionConfig {
        let id = |&node: &Node| self.graph.id(node).to_owned();
        RegressionConfig::new(self.leaves.iter().map(id))
            .good(self.goods.iter().map(id))
            .no_test_endpoints()
            .unconfirmed()
    }

    /// Runs a search to its end with one probe at a time. Stops with `trouble` if the search panics or asks for more than twice
    /// as many probes as there are revisions.
    #[must_use]
    pub fn run(&self, config: RegressionConfig) -> Run {
        let mut asked = Vec::new();
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.drive(config, &mut asked)));
        let (report, trouble) = match ended {
            Ok(Ok(report)) => (Some(report), None),
            Ok(Err(trouble)) => (None, Some(trouble)),
            Err(panic) => {
                let words = panic.downcast_ref::<String>().map(String::as_str);
                let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
                (None, Some(format!("panicked: {}", words.unwrap_or("no message"))))
            }
        };
        Run { asked, report, trouble }
    }

    fn drive(&self, config: RegressionConfig, asked: &mut Vec<Node>) -> Result<RegressionReport, String> {
        let words = |error: firstbad::Error| error.to_string();
        let mut search = RegressionSearch::new(self.graph.clone(), config).map_err(words)?;
        while !search.is_done() {
            let probes = search.ask(1).map_err(words)?;
            if probes.is_empty() && !search.is_done() {
                return Err("asks nothing, with nothing in flight, and is not done".into());
            }
            for probe in probes {
                let Some(node) = self.graph.get(probe.revision()) else {
                    return Err(format!("asked {}, which is no revision", probe.revision()));
                };
                asked.push(node);
                search.tell(probe.id, self.outcome(node).into()).map_err(words)?;
            }
            if asked.len() > 2 * self.graph.len() {
                return Err("does not end".into());
            }
        }
        Ok(search.report())
    }
}
