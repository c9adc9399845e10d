//! The message of a regression report.

use super::report::{LeafReport, LeafResult, RegressionPoint, RegressionReport};
use crate::belief::{RunCounts, percent};
use crate::finding::find::Find;
use crate::option;
use crate::search::{Doubt, Outcome, Status};
use crate::words::printable::short;

/// The points so far, one line each, and the newer endpoints that do not fail. Empty before the first run. `named` formats a
/// revision.
pub(super) fn best(report: &RegressionReport, named: &mut dyn FnMut(&str) -> String) -> Vec<String> {
    // Claims of the caller are not a result.
    if report.observations.is_empty() {
        return Vec::new();
    }
    let find = report.points.first().map_or(Find::Regression, |point| point.find);
    let verb = match find {
        Find::Regression => "broken",
        Find::Fix => "repaired",
    };
    let mut lines = Vec::new();
    for point in &report.points {
        let newest = named(point.newer());
        let line = match point.probability.filter(|_| point.is_open(&report.leaves)) {
            Some(probability) => format!("most probably {verb} by {newest} ({})", percent(probability)),
            None if point.older().is_none() => {
                format!("{newest} and what follows: nothing before it was seen to be otherwise")
            }
            None if point.candidates.is_empty() => format!("{verb} by {newest}"),
            None => {
                let after = point.older().map_or(String::new(), |older| format!("after {}, ", short(older)));
                format!("{verb} {after}at the latest by {newest}")
            }
        };
        let trusted: Vec<&str> = point.untested_endpoints.iter().map(|end| short(end)).collect();
        let doubt = if trusted.is_empty() { String::new() } else { format!(" (not tested: {})", trusted.join(", ")) };
        lines.push(line + &doubt);
    }
    let is_missing = |leaf: &&LeafReport| leaf.result == LeafResult::NotReproduced && find == Find::Regression;
    let missing: Vec<&str> = report.leaves.iter().filter(is_missing).map(|leaf| short(&leaf.leaf)).collect();
    if !missing.is_empty() {
        lines.push(format!("does not fail at {}", missing.join(", ")));
    }
    lines
}

/// The maximum length of a note.
const NOTE: usize = 200;

/// Facts for the message that are not in the points and leaves.
pub(super) struct Context<'a> {
    pub(super) status: Status,
    pub(super) find: Find,
    /// Whether the history was simplified to paths, so that commits can be missing between a commit and its parents.
    pub(super) is_simplified: bool,
    /// Whether the caller gave the flake rate.
    pub(super) is_rate_given: bool,
    /// An older endpoint with the opposite outcome.
    pub(super) contradicted_end: Option<&'a str>,
    /// A description of the outcome that changed in the confirmation.
    pub(super) changed: Option<String>,
    /// Older endpoints that are not ancestors of a newer endpoint without a passing ancestor. Each with whether it was not
    /// tested, and with the common ancestor if that fails.
    pub(super) aside: Vec<(&'a str, bool, Option<&'a str>)>,
    /// The unresolved newer endpoints, each with the nearest older revision that was resolved, if any.
    pub(super) untestable: Vec<(UntestableEnd<'a>, Option<&'a str>)>,
    /// The unresolved older endpoints.
    pub(super) untestable_older: Vec<UntestableEnd<'a>>,
    /// The number of tested revisions, if all were unresolved.
    pub(super) none_testable: Option<usize>,
    /// The reason why revisions were unresolved, if it was the same each time.
    pub(super) obstacle: Option<&'a Doubt>,
    /// The newer endpoints with doubtful outcomes, and the reasons.
    pub(super) doubts: Vec<(&'a str, Doubt)>,
    /// A description of how a good revision fails.
    pub(super) how: Option<String>,
    /// The note of the first unresolved revision.
    pub(super) note: Option<&'a str>,
    /// The outcome of all runs, if there were several with the same outcome.
    pub(super) only_outcome: Option<Outcome>,
}

/// An unresolved endpoint and its note.
pub(super) struct UntestableEnd<'a> {
    pub(super) id: &'a str,
    pub(super) note: Option<&'a str>,
}

impl UntestableEnd<'_> {
    fn note(&self) -> String {
        in_brackets(self.note)
    }
}

/// Formats a note in parentheses.
fn in_brackets(note: Option<&str>) -> String {
    let note: String = note.unwrap_or_default().chars().take(NOTE).collect();
    if note.is_empty() { note } else { format!(" ({note})") }
}

/// The warning that the given or default rates do not fit. `seen` holds the runs at healthy and at broken revisions, if there is
/// a result.
pub(super) fn other_rates(is_said: bool, seen: Option<(RunCounts, RunCounts)>) -> String {
    let what = if is_said {
        "what was said of the test's rates does not fit what was seen"
    } else {
        "that broken revisions never pass, which was taken for granted, does not fit what was seen"
    };
    let seen = seen.map_or(String::new(), |(healthy, broken)| {
        format!(
            "; if the answer is right, {} of {} runs failed where it should pass, and {} of {} passed where it should fail",
            healthy.fails,
            healthy.runs(),
            broken.passes,
            broken.runs()
        )
    });
    format!("{what}, so both rates were taken for unknown{seen}")
}

/// Returns the message of a report.
pub(super) fn message(context: &Context<'_>, points: &[RegressionPoint], leaves: &[LeafReport]) -> String {
    let words = Words { is_simplified: context.is_simplified, ..Words::of(context.find) };
    if context.status == Status::GoodEndFails {
        let end = context.contradicted_end.unwrap_or_default();
        let hint = context.look_at_the_test();
        let how = context.how.as_ref().map_or(String::new(), |how| format!("; {how}"));
        return format!("{end} was given as {} but is {}; nobody is blamed{how}{hint}", words.older, words.newer);
    }
    let blame = |point: &RegressionPoint| match point.probability.filter(|_| point.is_open(leaves)) {
        Some(probability) => format!("most probable so far: {} ({})", point.bad, percent(probability)),
        None => words.blame(point),
    };
    let mut parts: Vec<String> = points.iter().map(blame).collect();
    let ended =
        |ending: LeafResult| leaves.iter().filter(move |leaf| leaf.result == ending).map(|leaf| leaf.leaf.as_str());
    let missing: Vec<&str> = ended(LeafResult::NotReproduced).collect();
    if !missing.is_empty() {
        let unmatched = context.doubts.iter().find(|(end, doubt)| doubt.unmatched && missing.contains(end));
        parts.push(match unmatched {
            Some((end, Doubt { reason, help, .. })) => {
                format!("not reproduced at {end}: it fails, but {reason}; {help}")
            }
            None if context.find == Find::Fix && !context.aside.is_empty() => {
                let aside: String = context.aside.iter().map(|one| words.aside(one)).collect();
                format!(
                    "not reproduced at {}: no commit before it was seen to be {}{aside}",
                    missing.join(", "),
                    words.older
                )
            }
            None => format!("not reproduced at {}{}", missing.join(", "), context.look_at_the_test()),
        });
    }
    let groundless: Vec<&str> = ended(LeafResult::NoPassingRevision).collect();
    if !groundless.is_empty() {
        let (leaves, hint) = (groundless.join(", "), context.look_at_the_test());
        let aside: String = context.aside.iter().map(|one| words.aside(one)).collect();
        parts.push(format!("no revision that passes was found before {leaves}{aside}; nobody is blamed{hint}"));
    }
    parts.extend(context.of_untestable_ends(&words, leaves));
    let instead = if context.is_rate_given {
        concat!("; try ", option!(flake_rate = "estimate"))
    } else {
        ": it fails more often than any flaky test that is reckoned with"
    };
    let contradiction = |leaf| format!("what was seen of {leaf} fits no culprit at this flake rate{instead}");
    match &context.changed {
        Some(changed) => parts.insert(0, format!("no culprit named: {changed}")),
        None => parts.extend(ended(LeafResult::Contradictory).map(contradiction)),
    }
    cut_off(context.status, parts.join("; "))
}

/// Adds the reason why the search has not finished to a result, if it has not.
fn cut_off(status: Status, answer: String) -> String {
    let cut_off = match status {
        Status::Running if answer.is_empty() => return "not finished".to_owned(),
        Status::Running => "not finished",
        Status::Budget => "the budget is used up",
        Status::Stopped => "stopped",
        _ => return answer,
    };
    if answer.is_empty() {
        format!("{cut_off} before there was an answer")
    } else {
        format!("{cut_off}; so far {answer}")
    }
}

impl Context<'_> {
    /// A hint if all runs had the same outcome.
    fn look_at_the_test(&self) -> &'static str {
        match self.only_outcome {
            Some(Outcome::Fail) => "; every run failed, so look at the test first",
            Some(Outcome::Pass) => "; every run passed, so look at the test first",
            _ => "",
        }
    }

    /// Describes the unresolved endpoints.
    fn of_untestable_ends(&self, words: &Words, leaves: &[LeafReport]) -> Vec<String> {
        let note = in_brackets(self.note);
        if let Some(tried) = self.none_testable.filter(|_| self.status == Status::Untestable) {
            if let Some(Doubt { reason, help, .. }) = self.obstacle.filter(|_| tried > 1) {
                return vec![format!(
                    "none of the {tried} revisions that were tried could be tested: {reason}; {help}"
                )];
            }
            return vec![match tried {
                1 => format!("the only revision that was tried could not be tested{note}; nobody is blamed"),
                _ => format!("none of the {tried} revisions that were tried could be tested{note}; nobody is blamed"),
            }];
        }
        let Words { older, newer, .. } = words;
        let mut parts = Vec::new();
        for (end, otherwise) in &self.untestable {
            let (leaf, note) = (end.id, end.note());
            let replaced =
                leaves.iter().find(|report| report.leaf == leaf).and_then(|report| report.replaced_by.as_ref());
            parts.push(match (replaced, otherwise) {
                (Some(replaced), _) => {
                    format!("{leaf} could not be tested{note}; {replaced} before it is {newer} and was searched from")
                }
                (None, Some(other)) => format!(
                    "{leaf} could not be tested{note}, and of the older revisions that were tried {other}, the nearest that could \
                     be, is {older}; nobody is blamed"
                ),
                (None, None) if matches!(self.status, Status::Running | Status::Budget | Status::Stopped) => {
                    format!("{leaf} could not be tested{note}, and what takes its place is still looked for")
                }
                (None, None) => {
                    format!("{leaf} could not be tested{note}, nor could any older revision that was tried; nobody is blamed")
                }
            });
        }
        let of_older =
            |end: &UntestableEnd<'_>| format!("{}, given as {older}, could not be tested{}", end.id, end.note());
        parts.extend(self.untestable_older.iter().map(of_older));
        parts
    }
}

/// The terms for the two sides and for the change between them.
struct Words {
    older: &'static str,
    newer: &'static str,
    verb: &'static str,
    is_simplified: bool,
}

impl Words {
    fn of(find: Find) -> Self {
        match find {
            Find::Regression => Words { older: "good", newer: "bad", verb: "broken", is_simplified: false },
            Find::Fix => Words { older: "bad", newer: "good", verb: "repaired", is_simplified: false },
        }
    }

    /// Describes an older endpoint on another branch, and the common ancestor of the branches.
    fn aside(&self, &(end, is_only_said, base): &(&str, bool, Option<&str>)) -> String {
        let Words { older, newer, .. } = self;
        let is = if is_only_said { "was given as" } else { "is" };
        let parting =
            base.map_or(String::new(), |base| format!(", and {base}, where their histories part, is {newer}"));
        format!("; {end} {is} {older}, but is no ancestor of it{parting}")
    }

    /// Describes a suspect of a flaky test that is not reported as the culprit.
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

    /// Describes a point and its evidence.
    fn blame(&self, point: &RegressionPoint) -> String {
        let Words { older, newer, verb, is_simplified } = self;
        let to = point.newer();
        let is_trusted = |from: &str| point.untested_endpoints.iter().any(|end| end == from);
        let mut blame = match (point.older(), point.candidates.len()) {
            (Some(from), _) if point.outside_paths => format!(
                "{to}, which does not touch these paths, is {newer}, and {from}, before it in their history, is {older}; commits that \
                 were not looked at may be to blame"
            ),
            (Some(_), 1) if point.probability.is_some() => self.suspect(to, point),
            (None, 0 | 1) => format!("{to} is {newer}, and no ancestor of it was seen to be {older}"),
            (None, n) => format!("{to} is {newer}, and none of the {n} candidates up to it was seen to be {older}"),
            (Some(from), 0) if is_trusted(from) => format!("{verb} by {to}"),
            (Some(from), 0) if *is_simplified => {
                format!("{verb} by {to}; {from}, right before it in the history of these paths, is {older}")
            }
            (Some(from), 0) => format!("{verb} by {to}; its parent {from} is {older}"),
            (Some(from), 1) => format!("{verb} by {to}, after {from}"),
            (Some(from), n) => format!("{verb} by one of {n} candidates after {from}, up to {to}"),
        };
        if !point.untested_endpoints.is_empty() {
            blame += &format!(" (taken as given, not tested: {})", point.untested_endpoints.join(", "));
        }
        if !point.inconsistent.is_empty() {
            blame += &format!(" (outcomes come and go: see {})", point.inconsistent.join(", "));
        }
        blame
    }
}
