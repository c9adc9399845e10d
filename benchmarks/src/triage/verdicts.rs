//! Verdicts about the tests of a night, compared with the truth.

use firstbad::culprit::{Conclusion, CulpritReport};
use firstbad::{Status, TestVerdict, Verdict};
use firstbad_testkit::nights::Night;

/// The verdict about a test. Suspects are given by place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Found {
    Culprit(usize),
    OneOf(Vec<usize>),
    /// The test is flaky, or fails at the good revision.
    NoCulprit,
    Undecided,
}

/// The number of right and wrong verdicts.
#[derive(Debug, Default, Clone)]
pub(crate) struct Score {
    pub(crate) right: f64,
    pub(crate) wrong: f64,
    /// The number of verdicts that leave several candidates.
    pub(crate) sets: f64,
    pub(crate) tests: f64,
}

impl Score {
    pub(crate) fn new(night: &Night, found: &[Found]) -> Score {
        let mut score = Score::default();
        for (test, found) in found.iter().enumerate() {
            score.tests += 1.0;
            score.sets += f64::from(matches!(found, Found::OneOf(_)));
            let verdict = found.is_right(night, test);
            score.right += f64::from(verdict == Some(true));
            score.wrong += f64::from(verdict == Some(false));
        }
        score
    }
}

impl Found {
    fn is_right(&self, night: &Night, test: usize) -> Option<bool> {
        match self {
            Found::Culprit(place) => Some(night.is_right(test, *place)),
            Found::OneOf(places) => Some(places.iter().any(|&place| night.is_plausible(test, place))),
            Found::NoCulprit => Some(night.tests[test].culprits.is_none()),
            Found::Undecided => None,
        }
    }
}

/// Returns the places of suspects. The good revision has none.
fn places<'a>(ids: impl IntoIterator<Item = &'a String>) -> Vec<usize> {
    ids.into_iter().filter_map(|id| id.parse().ok()).collect()
}

impl From<&TestVerdict> for Found {
    fn from(verdict: &TestVerdict) -> Found {
        match verdict.verdict {
            Verdict::Undecided | Verdict::Infra => Found::Undecided,
            Verdict::Flaky | Verdict::Environment | Verdict::FailedBefore => Found::NoCulprit,
            Verdict::BrokenIn => Found::OneOf(places(&verdict.candidates)),
            _ => places(&verdict.culprit).first().map_or(Found::OneOf(Vec::new()), |&place| Found::Culprit(place)),
        }
    }
}

impl From<&CulpritReport> for Found {
    fn from(report: &CulpritReport) -> Found {
        let is_ambiguous = report.status == Status::Ambiguous;
        let candidates: Option<Vec<&String>> = report.credible_set.iter().map(|one| one.revision.as_ref()).collect();
        match (report.conclusion, candidates) {
            (Conclusion::Culprit, _) => {
                places(&report.culprit).first().map_or(Found::Undecided, |&place| Found::Culprit(place))
            }
            (Conclusion::Flake, _) => Found::NoCulprit,
            (Conclusion::Inconclusive, Some(suspects)) if is_ambiguous => Found::OneOf(places(suspects)),
            (Conclusion::Inconclusive, _) if report.status == Status::GoodEndFails => Found::NoCulprit,
            (Conclusion::Inconclusive, _) => Found::Undecided,
        }
    }
}
