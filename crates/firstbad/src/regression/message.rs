//! The message of a regression report.

use super::report::{LeafReport, LeafResult, RegressionPoint, RegressionReport};
use crate::belief::{RunCounts, percent};
use crate::finding::find::Find;
use crate::option;
use crate::search::{Doubt, Outcome, Status};
use crate::words::printable::{capital, short};

/// The points so far, one line each, and the newer endpoints that do not fail. Empty before the first run. `named` formats a
/// revision.
pub(super) fn best(report: &RegressionReport, named: &mut dyn FnMut(&str) -> String) -> Vec<String> {
    // Claims of the caller are not a result.
    if report.observations.is_empty() {
        return Vec::new();
    }
    let find = report.points.first().map_or(Find::Regression, |point| point.find);
    let Words { culprit, .. } = Words::of(find);
    let mut lines = Vec::new();
    for point in &report.points {
        let newest = named(point.newer());
        let line = match point.probability.filter(|_| point.is_open(&report.leaves)) {
            Some(probability) => format!("the most likely {culprit} is {newest} ({})", percent(probability)),
            None if point.older().is_none() => Words::of(find).without_older(&newest),
            None if point.candidates.is_empty() && !point.is_open(&report.leaves) => {
                format!("the {culprit} is {newest}")
            }
            None => {
                let after = point.older().map_or(String::new(), |older| format!("after {}, ", short(older)));
                format!("the {culprit} is {after}up to {newest}")
            }
        };
        let trusted: Vec<&str> = point.untested_endpoints.iter().map(|end| short(end)).collect();
        let doubt = if trusted.is_empty() { String::new() } else { format!(" (not tested: {})", trusted.join(", ")) };
        lines.push(line + &doubt);
    }
    let is_missing = |leaf: &&LeafReport| leaf.result == LeafResult::NotReproduced && find == Find::Regression;
    let flakes = report.flakes();
    let missing = report.leaves.iter().filter(is_missing).map(|leaf| leaf.leaf.as_str());
    let missing: Vec<&str> = missing.filter(|leaf| !flakes.contains(leaf)).map(short).collect();
    let flakes: Vec<&str> = flakes.into_iter().map(short).collect();
    if !flakes.is_empty() {
        lines.push(format!("probably a flake: {}", flakes.join(", ")));
    }
    if !missing.is_empty() {
        lines.push(format!("does not fail: {}", missing.join(", ")));
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
        "the given rates do not fit the outcomes"
    } else {
        "the outcomes do not fit the assumption that bad revisions never pass"
    };
    let seen = seen.map_or(String::new(), |(healthy, broken)| {
        format!(
            ". If the result is right, {} of {} runs of good revisions failed, and {} of {} runs of bad revisions passed",
            healthy.fails,
            healthy.runs(),
            broken.passes,
            broken.runs()
        )
    });
    format!("{what}, so firstbad estimated both rates{seen}")
}

/// Returns the message of a report.
pub(super) fn message(
    context: &Context<'_>,
    points: &[RegressionPoint],
    leaves: &[LeafReport],
    flakes: &[&str],
) -> String {
    let words = Words { is_simplified: context.is_simplified, ..Words::of(context.find) };
    if context.status == Status::GoodEndFails {
        let end = context.contradicted_end.unwrap_or_default();
        let how = context.how.as_ref().map_or(String::new(), |how| format!(". {how}"));
        return format!(
            "{end} was given as {}, but it {}{how}{}",
            words.older,
            words.newer_does,
            context.look_at_the_test()
        );
    }
    let describe = |point: &RegressionPoint| match point.probability.filter(|_| point.is_open(leaves)) {
        Some(probability) => format!("the most likely {} is {} ({})", words.culprit, point.bad, percent(probability)),
        None if point.is_open(leaves) => words.open(point),
        None => words.found(point),
    };
    let mut parts: Vec<String> = points.iter().map(describe).collect();
    let ended =
        |ending: LeafResult| leaves.iter().filter(move |leaf| leaf.result == ending).map(|leaf| leaf.leaf.as_str());
    let missing: Vec<&str> = ended(LeafResult::NotReproduced).filter(|leaf| !flakes.contains(leaf)).collect();
    parts.extend((!flakes.is_empty()).then(|| flaky(flakes, points.is_empty())));
    if !missing.is_empty() {
        let unmatched = context.doubts.iter().find(|(end, doubt)| doubt.unmatched && missing.contains(end));
        parts.push(match unmatched {
            Some((end, Doubt { reason, help, .. })) => {
                format!("not reproduced at {end}: it fails, but {reason}. {}", capital(help))
            }
            None if context.find == Find::Fix && !context.aside.is_empty() => {
                let aside: String = context.aside.iter().map(|one| words.aside(one)).collect();
                format!("no {} revision found before {}{aside}", words.older_outcome, missing.join(", "))
            }
            None => format!("not reproduced at {}{}", missing.join(", "), context.look_at_the_test()),
        });
    }
    let groundless: Vec<&str> = ended(LeafResult::NoPassingRevision).collect();
    if !groundless.is_empty() {
        let (leaves, hint) = (groundless.join(", "), context.look_at_the_test());
        let aside: String = context.aside.iter().map(|one| words.aside(one)).collect();
        parts.push(format!("no {} revision found before {leaves}{aside}{hint}", words.older_outcome));
    }
    parts.extend(context.of_untestable_ends(&words, leaves));
    let instead = if context.is_rate_given {
        concat!("Try ", option!(flake_rate = "estimate"))
    } else {
        "The test fails more often than firstbad expects of a flaky test"
    };
    let contradiction = |leaf| format!("the outcomes before {leaf} fit no culprit at this flake rate. {instead}");
    match &context.changed {
        Some(changed) => parts.insert(0, format!("no culprit found: {changed}")),
        None => parts.extend(ended(LeafResult::Contradictory).map(contradiction)),
    }
    cut_off(context.status, &sentences(&parts))
}

/// Describes failures that were probably flakes.
fn flaky(ends: &[&str], is_all: bool) -> String {
    let start = if is_all { "no culprit: " } else { "" };
    match ends {
        [end] => format!("{start}the failure at {end} was probably a flake"),
        _ => format!("{start}the failures at {} were probably flakes", ends.join(", ")),
    }
}

/// Joins parts of a message to sentences. Ids stay as they are.
fn sentences(parts: &[String]) -> String {
    let is_word = |part: &str| matches!(part.split(' ').next(), Some("the" | "no" | "not" | "all"));
    let rest = parts.iter().skip(1).map(|part| if is_word(part) { capital(part) } else { part.clone() });
    parts.first().cloned().into_iter().chain(rest).collect::<Vec<_>>().join(". ")
}

/// Adds the reason why the search has not finished to a result, if it has not.
fn cut_off(status: Status, result: &str) -> String {
    let cut_off = match status {
        Status::Running => "not finished",
        Status::Budget => "the budget is used up",
        Status::Stopped => "stopped",
        _ => return result.to_owned(),
    };
    if result.is_empty() { cut_off.to_owned() } else { format!("{cut_off}: {result}") }
}

impl Context<'_> {
    /// A hint if all runs had the same outcome.
    fn look_at_the_test(&self) -> &'static str {
        match self.only_outcome {
            Some(Outcome::Fail) => ". Every run failed, so check the test first",
            Some(Outcome::Pass) => ". Every run passed, so check the test first",
            _ => "",
        }
    }

    /// Describes the unresolved endpoints.
    fn of_untestable_ends(&self, words: &Words, leaves: &[LeafReport]) -> Vec<String> {
        let note = in_brackets(self.note);
        if let Some(tried) = self.none_testable.filter(|_| self.status == Status::Untestable) {
            return vec![match (self.obstacle, tried) {
                (Some(Doubt { reason, help, .. }), 2..) => {
                    format!("all {tried} tested revisions are unresolved: {reason}. {}", capital(help))
                }
                (_, 1) => format!("the only tested revision is unresolved{note}"),
                _ => format!("all {tried} tested revisions are unresolved{note}"),
            }];
        }
        let Words { older, newer_does, older_does, .. } = words;
        let mut parts = Vec::new();
        for (end, otherwise) in &self.untestable {
            let (leaf, note) = (end.id, end.note());
            let replaced =
                leaves.iter().find(|report| report.leaf == leaf).and_then(|report| report.replaced_by.as_ref());
            parts.push(match (replaced, otherwise) {
                (Some(replaced), _) => {
                    format!("{leaf} is unresolved{note}. The search starts at {replaced} before it, which {newer_does}")
                }
                (None, Some(other)) => {
                    format!(
                        "{leaf} is unresolved{note}. The nearest resolved revision before it, {other}, {older_does}"
                    )
                }
                (None, None) if matches!(self.status, Status::Running | Status::Budget | Status::Stopped) => {
                    format!("{leaf} is unresolved{note}. The search for an older failing revision has not finished")
                }
                (None, None) => format!("{leaf} and all older tested revisions are unresolved{note}"),
            });
        }
        let of_older = |end: &UntestableEnd<'_>| format!("{}, given as {older}, is unresolved{}", end.id, end.note());
        parts.extend(self.untestable_older.iter().map(of_older));
        parts
    }
}

/// The terms for the two sides and for the change between them.
struct Words {
    older: &'static str,
    older_does: &'static str,
    older_outcome: &'static str,
    newer: &'static str,
    newer_does: &'static str,
    culprit: &'static str,
    is_simplified: bool,
}

impl Words {
    fn of(find: Find) -> Self {
        let (passes, fails) = (("good", "passes", "passing"), ("bad", "fails", "failing"));
        let ((older, older_does, older_outcome), (newer, newer_does, _), culprit) = match find {
            Find::Regression => (passes, fails, "culprit"),
            Find::Fix => (fails, passes, "fix"),
        };
        Words { older, older_does, older_outcome, newer, newer_does, culprit, is_simplified: false }
    }

    /// Describes an older endpoint on another branch, and the merge base of the branches.
    fn aside(&self, &(end, is_only_said, base): &(&str, bool, Option<&str>)) -> String {
        let Words { older, older_does, newer_does, .. } = self;
        let does = if is_only_said { String::new() } else { format!("{older_does}, but ") };
        let base = base.map_or(String::new(), |base| format!(", and the merge base {base} {newer_does}"));
        format!(". The {older} revision {end} {does}is not an ancestor{base}")
    }

    /// Describes a suspect of a flaky test that is not reported as the culprit.
    fn suspect(&self, to: &str, point: &RegressionPoint) -> String {
        let (culprit, odds) = (self.culprit, percent(point.probability.unwrap_or_default()));
        if point.unresolved_parents.is_empty() {
            return format!(
                "the {culprit} is {to} ({odds}), or there is none. The revisions that could decide are unresolved"
            );
        }
        let parents = point.unresolved_parents.join(", ");
        format!(
            "no {culprit} found. The most likely is {to} ({odds}), but it is not proved, because {parents} is unresolved"
        )
    }

    /// Describes a revision without an older revision that has the other outcome.
    fn without_older(&self, to: &str) -> String {
        format!("{to} {}, and no {} revision found before it", self.newer_does, self.older_outcome)
    }

    /// Describes a point whose search has not finished.
    fn open(&self, point: &RegressionPoint) -> String {
        let Words { older, older_does, newer, newer_does, culprit, .. } = self;
        let to = point.newer();
        let is_given = |end: &str| point.untested_endpoints.iter().any(|untested| untested == end);
        let does = |end: &str, given: &str, seen: &str| {
            if is_given(end) { format!("{end}, which was given as {given}") } else { format!("{end}, which {seen}") }
        };
        match point.older() {
            None => self.without_older(to),
            Some(from) => {
                format!(
                    "the {culprit} is after {}, up to {}",
                    does(from, older, older_does),
                    does(to, newer, newer_does)
                )
            }
        }
    }

    /// Describes a point and its evidence.
    fn found(&self, point: &RegressionPoint) -> String {
        let Words { older_does, newer_does, culprit, is_simplified, .. } = self;
        let to = point.newer();
        let is_trusted = |from: &str| point.untested_endpoints.iter().any(|end| end == from);
        let mut words = match (point.older(), point.candidates.len()) {
            (Some(from), _) if point.outside_paths => format!(
                "{to} {newer_does}, but does not touch these paths. {from}, before it in their history, {older_does}. The {culprit} \
                 may be a commit that was not considered"
            ),
            (Some(_), 1) if point.probability.is_some() => self.suspect(to, point),
            (None, 0 | 1) => self.without_older(to),
            (None, n) => {
                format!(
                    "{to} {newer_does}, and no {} revision found before the {n} candidates up to it",
                    self.older_outcome
                )
            }
            (Some(from), 0) if is_trusted(from) => format!("the {culprit} is {to}"),
            (Some(from), 0) if *is_simplified => format!(
                "the {culprit} is {to}: it {newer_does}, and {from}, right before it in the history of these paths, {older_does}"
            ),
            (Some(from), 0) => format!("the {culprit} is {to}: it {newer_does}, and its parent {from} {older_does}"),
            (Some(from), 1) => format!("the {culprit} is {to}, after {from}"),
            (Some(from), n) => format!("the {culprit} is one of {n} candidates after {from}, up to {to}"),
        };
        if !point.untested_endpoints.is_empty() {
            words += &format!(" (not tested: {})", point.untested_endpoints.join(", "));
        }
        if !point.inconsistent.is_empty() {
            words += &format!(" (inconsistent outcomes: {})", point.inconsistent.join(", "));
        }
        words
    }
}
