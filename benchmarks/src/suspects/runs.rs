//! Culprit searches with a ranking as their prior, beside the same searches without.

use std::collections::BTreeMap;
use std::sync::Arc;

use firstbad::culprit::{Conclusion, Rate};
use firstbad::graph::Node;
use firstbad::suspicion::{PriorBy, PriorOptions, Ranking, fit_sharpness};
use firstbad::{CommitGraph, CulpritConfig, CulpritSearch, Outcome, Search};
use firstbad_testkit::simulated::Random;

use super::case::Case;
use super::ranks::Ranked;
use crate::flaky::induced;

/// A prior.
pub(super) type Weights = BTreeMap<String, f64>;

/// Shares of healthy runs that fail.
pub(super) const RATES: [f64; 2] = [0.05, 0.2];

/// No search of these needs as many runs.
const ENDLESS: u64 = 2000;

/// A way to make a prior.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    pub(super) name: &'static str,
    /// The source of the weights, the floor, and the part of the unlikely ones; `None` if all suspects are alike.
    pub(super) prior: Option<(PriorBy, f64, f64)>,
    /// The sharpness; `None` if it is fitted on the other projects.
    pub(super) sharpness: Option<f64>,
    /// Whether data files belong to the packages that they are in.
    pub(super) data: bool,
    /// Whether searches are run with it.
    pub(super) plays: bool,
}

const fn way(name: &'static str, by: PriorBy, unlikely: f64, sharpness: Option<f64>) -> Way {
    Way { name, prior: Some((by, 0.1, unlikely)), sharpness, data: false, plays: true }
}

const fn told(way: Way) -> Way {
    Way { plays: false, ..way }
}

const S: PriorBy = PriorBy::Suspiciousness;
const D: PriorBy = PriorBy::Distance;

/// The ways compared; the first is without a prior, the second what `find_culprit` does.
pub(super) const WAYS: [Way; 14] = [
    Way { name: "uniform", prior: None, sharpness: None, data: false, plays: true },
    way("find_culprit: suspiciousness, 1, unlikely 0.02", S, 0.02, Some(1.0)),
    way("suspiciousness, 1, unlikely 0 (excluded)", S, 0.0, Some(1.0)),
    told(way("suspiciousness, 1, unlikely 0.01", S, 0.01, Some(1.0))),
    told(way("suspiciousness, 1, unlikely 0.05", S, 0.05, Some(1.0))),
    told(way("suspiciousness, 1, unlikely 0.1", S, 0.1, Some(1.0))),
    way("suspiciousness, fitted, unlikely 0.02", S, 0.02, None),
    told(way("suspiciousness, fitted, unlikely 0 (excluded)", S, 0.0, None)),
    told(way("distance, 1, unlikely 0.02", D, 0.02, Some(1.0))),
    way("distance, fitted, unlikely 0.02", D, 0.02, None),
    way("changelog alone, unlikely 0.02", S, 0.02, Some(0.0)),
    Way { data: true, ..way("suspiciousness, 1, unlikely 0.02, data files", S, 0.02, Some(1.0)) },
    told(Way { data: true, ..way("suspiciousness, 1, unlikely 0, data files", S, 0.0, Some(1.0)) }),
    Way { data: true, ..way("suspiciousness, fitted, unlikely 0.02, data files", S, 0.02, None) },
];

/// What a case's changes are taken for, without data files and with them.
pub(super) type Tests = (Of, Of);

pub(super) type Of = fn(&Case) -> &Ranked;

impl Way {
    /// The sharpness for a project: what fits the cases of all others best.
    pub(super) fn sharpness(&self, cases: &[Case], project: &str, of: Tests) -> f64 {
        let Some((by, floor, _)) = self.prior else { return 0.0 };
        self.sharpness.unwrap_or_else(|| {
            let others: Vec<(&Ranking, &str)> = cases
                .iter()
                .filter(|case| case.project != project)
                .map(|case| self.ranked(case, of))
                .map(|ranked| (&ranked.ranking, ranked.culprit.as_str()))
                .collect();
            fit_sharpness(&others, by, floor)
        })
    }

    fn ranked(self, case: &Case, of: Tests) -> &Ranked {
        if self.data { of.1(case) } else { of.0(case) }
    }

    /// The weights for a case; `None` for a uniform prior.
    pub(super) fn weights(&self, case: &Case, of: Tests, sharpness: f64) -> Result<Option<Weights>, String> {
        let Some((by, floor, unlikely)) = self.prior else { return Ok(None) };
        let options = PriorOptions { by, sharpness, floor, unlikely, ..PriorOptions::default() };
        let id = |node: Node| [case.graph.id(node).to_owned()];
        let (bad, good) = (id(case.instance.bad), id(case.instance.good));
        let found = self.ranked(case, of).ranking.prior_in(&case.graph, &bad, &good, &options);
        Ok(found.map_err(|error| error.to_string())?.weights)
    }

    /// How many bits the prior is worth where the culprit is: the logarithm of its weight over that of a uniform one.
    pub(super) fn bits(&self, case: &Case, of: Tests, sharpness: f64) -> Result<f64, String> {
        let weights = self.weights(case, of, sharpness)?;
        let count = case.instance.suspects.len() as f64;
        Ok(weights.map_or(0.0, |weights| (weights.get(&case.ranked.culprit).copied().unwrap_or(0.0) * count).log2()))
    }
}

/// The sum of the searches of one way.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Score {
    pub(super) runs: f64,
    pub(super) right: f64,
    pub(super) trials: f64,
}

impl Score {
    pub(super) fn add(&mut self, (runs, right): (u64, bool)) {
        self.runs += runs as f64;
        self.right += f64::from(u8::from(right));
        self.trials += 1.0;
    }

    pub(super) fn join(&mut self, other: Score) {
        self.runs += other.runs;
        self.right += other.right;
        self.trials += other.trials;
    }

    pub(super) fn mean(&self) -> f64 {
        self.runs / self.trials
    }

    pub(super) fn accuracy(&self) -> f64 {
        self.right / self.trials
    }
}

/// A history of the suspects of a case, as they are, or one after the other.
pub(super) struct History {
    graph: Arc<CommitGraph>,
    good: Vec<String>,
    bad: String,
    culprit: String,
    broken: Vec<bool>,
}

impl History {
    /// The suspects and their parents, as a graph of its own: what is before it is cleared anyway.
    pub(super) fn dag(case: &Case) -> Result<History, String> {
        let (graph, suspects) = (&case.graph, &case.instance.suspects);
        let is_suspect = |node: Node| suspects.binary_search(&node).is_ok();
        let mut kept: Vec<Node> = suspects.iter().flat_map(|&node| graph.parents(node).iter().copied()).collect();
        kept.extend(suspects);
        kept.sort_unstable();
        kept.dedup();
        let broken = graph.descendants(&[case.instance.culprit]);
        let name = |node: Node| graph.id(node).to_owned();
        Ok(History {
            good: kept.iter().filter(|&&node| !is_suspect(node)).map(|&node| name(node)).collect(),
            bad: name(case.instance.bad),
            culprit: name(case.instance.culprit),
            broken: kept.iter().map(|&node| broken.contains(node as usize)).collect(),
            graph: induced(graph, &kept, is_suspect)?.into(),
        })
    }

    pub(super) fn list(case: &Case) -> Result<History, String> {
        let suspects = &case.instance.suspects;
        let ids: Vec<&str> = std::iter::once("good").chain(suspects.iter().map(|&node| case.graph.id(node))).collect();
        let graph = CommitGraph::linear(&ids).map_err(|error| error.to_string())?;
        let place = suspects.binary_search(&case.instance.culprit).map_err(|_| "the culprit is no suspect")? + 1;
        Ok(History {
            good: vec![ids[0].to_owned()],
            bad: ids[ids.len() - 1].to_owned(),
            culprit: ids[place].to_owned(),
            broken: (0..ids.len()).map(|node| node >= place).collect(),
            graph: graph.into(),
        })
    }

    /// One search; runs of the same trial give the same answers, whoever asks for them.
    pub(super) fn play(
        &self,
        weights: Option<&Weights>,
        rate: f64,
        guilty: bool,
        trial: u64,
    ) -> Result<(u64, bool), String> {
        let words = |error: firstbad::Error| error.to_string();
        let mut config = CulpritConfig::new(&self.bad, Rate::Known(rate)).good(&self.good);
        config.prior = weights.cloned().map(Into::into);
        let mut search = CulpritSearch::new(self.graph.clone(), config).map_err(words)?;
        let mut asked: BTreeMap<Node, u64> = BTreeMap::new();
        while !search.is_done() && search.runs() < ENDLESS {
            for probe in search.ask(1).map_err(words)? {
                let node = self.graph.get(probe.revision()).ok_or("asks for an unknown revision")?;
                let again = asked.entry(node).or_default();
                *again += 1;
                let mut random = Random::new(trial << 40 ^ u64::from(node) << 16 ^ *again);
                random.draw();
                let flake = random.fraction() <= rate;
                let fails = guilty && self.broken[node as usize] || flake;
                let outcome = if fails { Outcome::Fail } else { Outcome::Pass };
                search.tell(probe.id, outcome.into()).map_err(words)?;
            }
        }
        let report = search.report();
        let right = match report.conclusion {
            Conclusion::Culprit => guilty && report.culprit.as_ref() == Some(&self.culprit),
            Conclusion::Flake => !guilty,
            Conclusion::Inconclusive => false,
        };
        Ok((search.runs(), right))
    }
}
