//! What a regression search says, in one sentence.

use super::report::{Ending, LeafReport, RegressionPoint};
use crate::belief::percent;
use crate::find::Find;
use crate::search::Status;

/// What a message says beside the points and the leaves.
pub(super) struct Context<'a> {
    pub(super) status: Status,
    pub(super) find: Find,
    /// Whether the caller said how often the test is flaky.
    pub(super) is_rate_given: bool,
    /// An older end that is not what the caller said.
    pub(super) contradicted_end: Option<&'a str>,
}

/// The message of a report.
pub(super) fn message(context: &Context<'_>, points: &[RegressionPoint], leaves: &[LeafReport]) -> String {
    let words = Words::of(context.find);
    if context.status == Status::GoodEndFails {
        let end = context.contradicted_end.unwrap_or_default();
        return format!("{end} was given as {} but is {}; nobody is blamed", words.older, words.newer);
    }
    let mut parts: Vec<String> = match context.status {
        Status::Running => vec!["not finished".to_owned()],
        Status::Budget => vec!["the budget is used up; the best answer so far".to_owned()],
        Status::Stopped => vec!["stopped; the best answer so far".to_owned()],
        _ => Vec::new(),
    };
    parts.extend(points.iter().map(|point| match point.probability.filter(|_| point.is_open(leaves)) {
        Some(probability) => format!("most probable so far: {} ({})", point.bad, percent(probability)),
        None => words.blame(point),
    }));
    let ended = |ending: Ending| leaves.iter().filter(move |leaf| leaf.ending == ending).map(|leaf| leaf.leaf.as_str());
    let missing: Vec<&str> = ended(Ending::NotReproduced).collect();
    if !missing.is_empty() {
        parts.push(format!("not reproduced at {}", missing.join(", ")));
    }
    let instead = if context.is_rate_given {
        "; try flake_rate=\"estimate\""
    } else {
        ": it fails more often than any flaky test that is reckoned with"
    };
    let contradiction = |leaf| format!("what was seen of {leaf} fits no culprit at this flake rate{instead}");
    parts.extend(ended(Ending::Contradictory).map(contradiction));
    parts.join("; ")
}

/// What the two sides are called, and what happens between them.
struct Words {
    older: &'static str,
    newer: &'static str,
    verb: &'static str,
}

impl Words {
    fn of(find: Find) -> Self {
        match find {
            Find::Regression => Words { older: "good", newer: "bad", verb: "broken" },
            Find::Fix => Words { older: "bad", newer: "good", verb: "repaired" },
        }
    }

    /// With a flaky test: a suspect that is not named.
    fn suspect(&self, to: &str, point: &RegressionPoint) -> String {
        let odds = percent(point.probability.unwrap_or_default());
        if point.unresolved_parents.is_empty() {
            return format!("{} by {to} ({odds}) or by nobody: what would tell cannot be tested", self.verb);
        }
        let parents = point.unresolved_parents.join(", ");
        format!(
            "most probably {} by {to} ({odds}), but not proved: {parents} could not be tested; nobody is blamed",
            self.verb
        )
    }

    /// Who is to blame by a point.
    fn blame(&self, point: &RegressionPoint) -> String {
        let Words { older, newer, verb } = self;
        let to = match point.find {
            Find::Regression => point.bad.as_str(),
            Find::Fix => point.good.as_deref().unwrap_or_default(),
        };
        match (point.older(), point.candidates.len()) {
            (Some(_), 1) if point.probability.is_some() => self.suspect(to, point),
            (None, 0 | 1) => format!("{to} is {newer}, and no ancestor of it is {older}"),
            (None, n) => format!("{verb} by one of {n} candidates up to {to}; no ancestor is {older}"),
            (Some(from), 0) => format!("{verb} by {to}; its parent {from} is {older}"),
            (Some(from), 1) => format!("{verb} by {to} or by what could not be tested between it and {from}"),
            (Some(from), n) => format!("{verb} by one of {n} candidates after {from}, up to {to}"),
        }
    }
}
