//! How certain a result is, from observations only.

use firstbad::Find;
use firstbad::culprit::{Conclusion, CulpritReport, Reason};
use firstbad::regression::{LeafReport, RegressionPoint};

use super::context::Context;
use super::element::{id, listed, sentence};
use super::figures::{percent, words};

/// How certain a result is. Only observations on both sides make a result certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Certainty {
    /// A probability under 90%, or a result without proof.
    Open,
    /// A probability of at least 90%.
    Likely,
    /// A probability of at least 99%.
    AlmostCertain,
    /// The outcomes of the commit and of every parent were observed.
    Certain,
}

impl Certainty {
    fn of(probability: f64) -> Certainty {
        match probability {
            p if p >= 0.99 => Certainty::AlmostCertain,
            p if p >= 0.9 => Certainty::Likely,
            _ => Certainty::Open,
        }
    }

    /// Returns how certain a regression point is.
    pub(super) fn of_point(point: &RegressionPoint, leaves: &[LeafReport]) -> Certainty {
        let is_named = point.candidates.len() <= 1 && !point.is_open(leaves);
        match point.probability {
            _ if !is_named => Certainty::Open,
            // A suspect that no run could separate from a flake is not proved, even if it is likely.
            Some(_) if !point.candidates.is_empty() => Certainty::Open,
            Some(probability) => Certainty::of(probability),
            None if point.parents_pass && point.untested_endpoints.is_empty() && point.candidates.is_empty() => {
                Certainty::Certain
            }
            None => Certainty::Open,
        }
    }

    /// Returns how certain the conclusion of a culprit search is.
    pub(super) fn of_culprit(report: &CulpritReport) -> Certainty {
        match report.conclusion {
            Conclusion::Inconclusive => Certainty::Open,
            Conclusion::Culprit | Conclusion::Flake => Certainty::of(report.probability),
        }
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Certainty::Open => "Open",
            Certainty::Likely => "Likely",
            Certainty::AlmostCertain => "Almost certain",
            Certainty::Certain => "Certain",
        }
    }
}

/// Returns the verbs before and after the change of the outcome.
pub(super) fn verbs(find: Find) -> (&'static str, &'static str) {
    match find {
        Find::Regression => ("passes", "fails"),
        Find::Fix => ("fails", "passes"),
    }
}

/// Returns how certain a point is and the reason, as HTML.
pub(super) fn of_point(point: &RegressionPoint, leaves: &[LeafReport], context: &Context) -> String {
    let (before, after) = verbs(point.find);
    let ids = |names: &[String]| listed(&names.iter().map(|name| id(name)).collect::<Vec<_>>(), 3);
    let why = match (Certainty::of_point(point, leaves), point.older()) {
        _ if point.is_open(leaves) => "the search has not finished".to_owned(),
        (_, None) => format!("no commit before it {before}"),
        _ if point.outside_paths => {
            "it does not touch the paths, and commits between the two were not considered".to_owned()
        }
        _ if point.candidates.len() > 1 => {
            format!("one of {} commits that no test could separate", words(point.candidates.len()))
        }
        _ if point.candidates.len() == 1 => "the revisions that could prove it are unresolved".to_owned(),
        (_, Some(_)) if point.probability.is_some() => {
            format!("{} likely", percent(point.probability.unwrap_or_default()))
        }
        (Certainty::Certain, Some(older)) => {
            let parents = context
                .nodes([point.newer()])
                .first()
                .map(|&newer| context.graph.as_ref().map_or(0, |graph| graph.parents(newer).len()));
            match parents {
                Some(1) if context.follows_first_parents => {
                    format!("it {after}, and its first parent {} {before}", id(older))
                }
                Some(1) => format!("it {after}, and its only parent {} {before}", id(older)),
                Some(many) if many > 1 => format!("it {after}, and each of its {} parents {before}", words(many)),
                _ => format!("it {after}, and every parent of it {before}"),
            }
        }
        (_, Some(older)) if context.is_simplified => format!(
            "it {after}, and {} {before}, right before it in the history of the paths. Other commits were not \
             considered",
            id(older)
        ),
        _ if !point.untested_endpoints.is_empty() => {
            format!("only if {} has the given outcome, because it was not tested", ids(&point.untested_endpoints))
        }
        _ if !point.unresolved_parents.is_empty() => {
            format!("its parent {} is unresolved", ids(&point.unresolved_parents))
        }
        _ => format!("another parent of it also {after}, or was not tested"),
    };
    let level = Certainty::of_point(point, leaves).as_str();
    let but = match &point.inconsistent[..] {
        [] => String::new(),
        inconsistent => format!(". Outcomes are inconsistent: see {}", ids(inconsistent)),
    };
    format!("{level}: {why}{but}")
}

/// Returns how many of the points are certain, as a sentence.
pub(super) fn of_all(points: &[RegressionPoint], leaves: &[LeafReport]) -> String {
    let certainty = |point: &RegressionPoint| Certainty::of_point(point, leaves);
    let certain = points.iter().filter(|point| certainty(point) == Certainty::Certain).count();
    let (before, after) = verbs(points.first().map_or(Find::Regression, |point| point.find));
    match certain {
        all if all == points.len() && all > 0 => {
            format!("All certain: each of the {} {after}, and its parents {}", words(all), before_all(before))
        }
        0 => "None of them is certain".to_owned(),
        some => format!("{} of {} are certain", words(some), words(points.len())),
    }
}

fn before_all(before: &str) -> &'static str {
    if before == "passes" { "pass" } else { "fail" }
}

/// Returns how certain the conclusion of a culprit search is, as HTML.
pub(super) fn of_culprit(report: &CulpritReport) -> String {
    let level = Certainty::of_culprit(report).as_str();
    let likely = percent(report.probability);
    let flake = percent(report.no_culprit);
    let verified = if report.verified { ". Confirmed by reruns" } else { "" };
    match (report.conclusion, report.reason) {
        (Conclusion::Culprit, _) => format!("{level}: {likely} likely. A flake: {flake}{verified}"),
        (Conclusion::Flake, _) => format!("{level}: {likely} likely a flake{verified}"),
        (Conclusion::Inconclusive, Reason::Running) => {
            format!("{level}: the search has not finished. A flake: {flake}")
        }
        (Conclusion::Inconclusive, _) => format!("{level}: {}", sentence(&report.message)),
    }
}
