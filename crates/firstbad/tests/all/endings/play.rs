//! Culprit and regression searches, driven to their end with any oracle.

use std::collections::HashMap;
use std::sync::Arc;

use firstbad::culprit::{Conclusion, CulpritStrategy, Rate};
use firstbad::regression::SearchKind;
use firstbad::search::TargetObservation;
use firstbad::{
    CommitGraph, CulpritConfig, CulpritSearch, Outcome, RegressionConfig, RegressionSearch, Search, Status,
};

/// The kind of search, and how it chooses runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Way {
    Culprit(CulpritStrategy),
    Bayes,
}

pub(crate) const WAYS: [Way; 5] = [
    Way::Culprit(CulpritStrategy::Cdf),
    Way::Culprit(CulpritStrategy::ExpectedGain),
    Way::Culprit(CulpritStrategy::Information),
    Way::Culprit(CulpritStrategy::Bisect),
    Way::Bayes,
];

/// A search of a history from its first to its last revision.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    /// The parents of each revision. Revisions are named by their numbers.
    pub(crate) parents: Vec<Vec<usize>>,
    pub(crate) way: Way,
    pub(crate) flake: Rate,
    pub(crate) false_pass: Rate,
    pub(crate) confidence: f64,
    pub(crate) reruns: u32,
    pub(crate) prior: Option<Vec<f64>>,
    pub(crate) jobs: usize,
}

impl Scene {
    pub(crate) fn list(revisions: usize, way: Way, flake: f64) -> Self {
        Scene {
            parents: (0..revisions).map(|place| if place == 0 { vec![] } else { vec![place - 1] }).collect(),
            way,
            flake: Rate::Known(flake),
            false_pass: Rate::Known(0.0),
            confidence: 0.99,
            reruns: 4,
            prior: None,
            jobs: 1,
        }
    }

    pub(crate) fn graph(&self) -> Arc<CommitGraph> {
        let name = |place: usize| place.to_string();
        let pairs = self.parents.iter().enumerate();
        let pairs = pairs.map(|(place, own)| (name(place), own.iter().map(|&p| name(p)).collect::<Vec<_>>()));
        Arc::new(CommitGraph::new(pairs).expect("parents come first"))
    }

    fn last(&self) -> String {
        (self.parents.len() - 1).to_string()
    }

    pub(crate) fn culprit_search(&self, choose: CulpritStrategy) -> CulpritSearch {
        let named = |weights: &Vec<f64>| weights.iter().enumerate().map(|(at, &w)| (at.to_string(), w)).collect();
        let config = CulpritConfig {
            false_pass_rate: self.false_pass,
            confidence: self.confidence,
            reruns: (choose == CulpritStrategy::Bisect).then_some(self.reruns),
            prior: self.prior.as_ref().map(named),
            ..CulpritConfig::new(self.last(), self.flake).good(["0"]).strategy(choose)
        };
        CulpritSearch::new(self.graph(), config).expect("a configuration")
    }

    fn regression_search(&self) -> RegressionSearch {
        let mut config = RegressionConfig::new([self.last()]).good(["0"]).search(SearchKind::Bayes);
        config.flake_rate = Some(self.flake);
        config.false_pass_rate = Some(self.false_pass);
        config.confidence = Some(self.confidence);
        RegressionSearch::new(self.graph(), config).expect("a configuration")
    }

    /// Drives the search to its end, or returns `None` after `most` runs.
    pub(crate) fn play(&self, most: u64, oracle: impl FnMut(usize) -> Outcome) -> Option<Played> {
        match self.way {
            Way::Culprit(choose) => {
                let mut search = self.culprit_search(choose);
                drive(&mut search, self.jobs, most, oracle)?;
                let report = search.report();
                assert_eq!(report.conclusion == Conclusion::Culprit, report.culprit.is_some());
                let candidates = report.credible_set.iter().filter_map(|one| one.revision.as_deref()).map(number);
                Some(Played {
                    named: report.culprit.as_deref().map(number),
                    found: Vec::new(),
                    status: report.status,
                    candidates: candidates.collect(),
                    message: report.message,
                    counts: tallies(&report.observations),
                    runs: report.runs,
                })
            }
            Way::Bayes => {
                let mut search = self.regression_search();
                drive(&mut search, self.jobs, most, oracle)?;
                let report = search.report();
                let named = report.points.iter().find(|_| report.status == Status::Found);
                let found = report.points.iter().filter(|_| report.status == Status::Found);
                let found = found.filter(|point| point.good.is_some());
                let found = found.map(|point| (number(&point.bad), point.probability.unwrap_or_default()));
                Some(Played {
                    // A point without a passing side, or that is not clean, says so itself.
                    found: found.collect(),
                    named: named.filter(|point| point.parents_pass).map(|point| number(&point.bad)),
                    status: report.status,
                    candidates: report.points.iter().flat_map(|p| &p.candidates).map(|id| number(id)).collect(),
                    message: report.message,
                    counts: tallies(&report.observations),
                    runs: report.runs,
                })
            }
        }
    }
}

/// The result of a search.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) named: Option<usize>,
    /// The points and probabilities of a finished regression search.
    pub(crate) found: Vec<(usize, f64)>,
    pub(crate) status: Status,
    pub(crate) candidates: Vec<usize>,
    pub(crate) message: String,
    /// Passes, failures, and unresolved outcomes by revision.
    pub(crate) counts: HashMap<usize, [u64; 3]>,
    pub(crate) runs: u64,
}

fn number(id: &str) -> usize {
    id.parse().expect("a revision is called by its number")
}

fn tallies(observations: &[TargetObservation]) -> HashMap<usize, [u64; 3]> {
    let mut runs: HashMap<usize, [u64; 3]> = HashMap::new();
    for seen in observations {
        runs.entry(number(seen.revision())).or_default()[seen.observation.outcome as usize] += 1;
    }
    runs
}

/// Returns `None` after `most` runs.
fn drive(search: &mut impl Search, jobs: usize, most: u64, mut oracle: impl FnMut(usize) -> Outcome) -> Option<()> {
    while !search.is_done() {
        let probes = search.ask(jobs).expect("k above 0");
        assert!(!probes.is_empty(), "asks nothing, nothing in flight, not done");
        for probe in probes {
            search.tell(probe.id, oracle(number(probe.revision())).into()).expect("a first answer");
        }
        if search.runs() > most {
            return None;
        }
    }
    Some(())
}
