//! A large simulated night with known culprits.

use std::collections::BTreeMap;
use std::sync::Arc;

use firstbad::graph::Node;
use firstbad::{CommitGraph, Inspect as _, Observation, Outcome, Probe, TestResult, TriageConfig, TriageSearch};
use firstbad_testkit::simulated::{Random, Shape, history, monotonic};

/// The number of commits.
pub(super) const COMMITS: usize = 5000;
/// The number of culprits.
const CULPRITS: usize = 40;

/// A night with a culprit or flakiness for each red test.
#[derive(Debug)]
pub(super) struct Night {
    pub(super) graph: Arc<CommitGraph>,
    pub(super) ids: Vec<String>,
    /// The culprit of each test, or `None` if the test is flaky.
    pub(super) culprits: BTreeMap<String, Option<usize>>,
    /// The outcomes with each culprit, by revision.
    outcomes: Vec<Vec<Outcome>>,
}

/// Returns the shape of a history with merges, or of one without.
pub(super) fn shape(has_merges: bool) -> Shape {
    let merges = Shape { roots: 0, ..Shape::branchy(COMMITS) };
    if has_merges { merges } else { Shape { merges: 0, forks: 0, ..merges } }
}

impl Night {
    /// One test in twenty is flaky.
    pub(super) fn new(ids: Vec<String>, has_merges: bool) -> Result<Night, String> {
        let graph = Arc::new(history(&shape(has_merges), 1).map_err(|error| error.to_string())?);
        let mut random = Random::new(2);
        let bad = (graph.len() - 1) as Node;
        let suspects: Vec<Node> = graph.ancestors(&[bad]).ones().skip(1).map(|node| node as Node).collect();
        let outcomes =
            (0..CULPRITS).map(|_| monotonic(&graph, suspects[random.below(suspects.len() as u64) as usize])).collect();
        let mut culprit = || (!random.chance(50)).then(|| random.below(CULPRITS as u64) as usize);
        let culprits = ids.iter().map(|id| (id.clone(), culprit())).collect();
        Ok(Night { graph, ids, culprits, outcomes })
    }

    /// Returns a configuration without reports and tests.
    pub(super) fn config(&self) -> TriageConfig {
        let bad = self.graph.id((self.graph.len() - 1) as Node);
        let max_tests = self.ids.len() as u32;
        TriageConfig { max_tests, ..TriageConfig::new(bad, [""; 0]).good([self.graph.id(0)]) }
    }

    /// Runs the tests of a probe.
    pub(super) fn run(&self, search: &TriageSearch, probe: &Probe, random: &mut Random) -> Observation {
        let node = self.graph.get(probe.revision()).unwrap_or_default() as usize;
        let mut outcome = |id: &String| match self.culprits.get(id).copied().flatten() {
            Some(culprit) => self.outcomes[culprit][node],
            None if random.chance(200) => Outcome::Fail,
            None => Outcome::Pass,
        };
        let tests = search.tests(&probe.target).unwrap_or_default();
        let results: BTreeMap<String, TestResult> = tests
            .into_iter()
            .map(|id| {
                let outcome = outcome(&id);
                (id, outcome.into())
            })
            .collect();
        Observation::of_results(results)
    }
}
