//! The texts of all outputs: each finding has a headline and details.

mod commit;
mod culprit;
mod endpoint;
mod parts;
mod port;
mod regression;
mod slice;

use firstbad::slicing::change_parts;
use firstbad::{Find, Report, Status, short, with_short_ids};

pub(super) use endpoint::{is_missing, missing_file};
pub(super) use regression::state_before;

use crate::quantities::{count, duration};
use crate::style::Style;
use crate::summary::{Asked, Counts, Inside, Summary};

/// The maximum number of candidates to list.
const SHOWN: usize = 10;

/// A finding in words.
#[derive(Debug, Default)]
pub(super) struct Story {
    /// The first line.
    pub(super) headline: String,
    /// The labels and texts of the details.
    pub(super) details: Vec<(&'static str, String)>,
    /// The lists after the details.
    pub(super) lists: Vec<List>,
    /// The texts of several lines.
    pub(super) blocks: Vec<Block>,
    /// Whether the story is about an endpoint with an unexpected outcome.
    pub(super) is_error: bool,
}

/// A list with a label, which can be empty.
#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) label: &'static str,
    /// What the entries have in common, in plain words.
    pub(super) legend: &'static str,
    pub(super) entries: Vec<String>,
}

/// A text of several lines.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The name, or an empty text for the only block.
    pub(super) name: String,
    /// The kind: `diff`, or an empty text.
    pub(super) kind: &'static str,
    pub(super) text: String,
}

impl List {
    fn new(label: &'static str, entries: Vec<String>) -> Vec<List> {
        vec![List { label, legend: "", entries }]
    }
}

impl Block {
    fn diff(text: String) -> Block {
        Block { kind: "diff", text, ..Block::default() }
    }
}

/// Writes a report in one style.
pub(super) struct StoryWriter<'a> {
    pub(super) summary: &'a Summary,
    pub(super) style: &'a dyn Style,
}

/// Formats the share of a part in the whole in percent, such as `"37%"`. A part that is not the whole is at most 99%.
#[must_use]
pub fn share(part: usize, whole: usize) -> String {
    let share = (100.0 * part as f64 / whole.max(1) as f64).round();
    format!("{}%", if part < whole { share.min(99.0) } else { share })
}

/// Returns a change of a history with a short commit id.
fn brief(name: &str) -> String {
    let (commit, part) = change_parts(name);
    if part.is_empty() { short(commit).to_owned() } else { format!("{}:{part}", short(commit)) }
}

impl StoryWriter<'_> {
    /// Returns the findings, or the message of a search without a finding.
    pub(super) fn stories(&self) -> Vec<Story> {
        let summary = self.summary;
        let is_cut_off = matches!(summary.status(), Status::Running | Status::Budget | Status::Stopped);
        let is_open = |place: &usize| is_cut_off && summary.is_provisional(&summary.points()[*place]);
        let mut stories: Vec<Story> =
            self.findings().filter(|place| !is_open(place)).map(|place| self.of_point(place)).collect();
        if is_cut_off && summary.regression().is_some() {
            match &mut stories[..] {
                // Only the confirmation of the culprits is missing.
                [first, ..] if !summary.points().iter().any(|point| summary.is_provisional(point)) => {
                    first.details.push(("status", format!("not confirmed, {}", self.progress())));
                }
                _ => stories.push(self.unfinished()),
            }
        }
        stories.extend(summary.culprit().map(|report| self.of_blame(report)));
        if let Report::Verification(report) = &summary.report {
            stories.push(self.of_verification(report));
        }
        stories.extend(summary.reduced.as_ref().map(|reduced| self.of_reduction(reduced)));
        stories.extend(summary.ported().map(|report| self.of_port(report)));
        stories.extend(summary.sliced().map(|report| self.of_slice(report)));
        let is_contradicted = summary.status() == Status::Contradictory && !summary.flakiness.is_flaky;
        if summary.status() == Status::GoodEndFails
            || is_contradicted && summary.culprit().is_none()
            || stories.is_empty()
        {
            stories.clear();
            let of_endpoint = self.flake().or_else(|| self.endpoint_error());
            stories.push(of_endpoint.unwrap_or_else(|| Story { headline: self.outcome(), ..Story::default() }));
        }
        for Inside { path, summary } in &summary.inside {
            let inner = StoryWriter { summary, style: self.style }.stories().into_iter().next().unwrap_or_default();
            let words = format!("in {}: {}", self.style.code(path), inner.headline);
            stories.first_mut().into_iter().for_each(|first| first.details.push(("inside", words.clone())));
        }
        if let Some(first) = stories.first_mut() {
            first.details.extend(summary.report.warnings().iter().map(|warning| ("warning", self.said(warning))));
        }
        stories
    }

    /// Returns a message of the search with short commit ids.
    fn said(&self, sentence: &str) -> String {
        self.style.words(&with_short_ids(sentence))
    }

    /// Returns the result of a search that has no finding about a commit.
    pub(super) fn outcome(&self) -> String {
        let summary = self.summary;
        let fix = summary.find() == Find::Fix;
        let message = summary.message();
        if !message.is_empty() {
            return self.said(message);
        }
        let words = match summary.status() {
            Status::Running => "not finished",
            Status::Found => "found",
            Status::Ambiguous => "several candidates",
            Status::NotReproduced => "not reproduced",
            Status::GoodEndFails if fix => "a bad revision passes",
            Status::GoodEndFails => "a good revision fails",
            Status::NoPassingRevision if fix => "no failing revision found",
            Status::NoPassingRevision => "no passing revision found",
            Status::Untestable => "unresolved",
            Status::Budget => "the budget is used up",
            Status::Stopped => "stopped",
            Status::Contradictory if !summary.flakiness.is_flaky => "no culprit found",
            Status::Contradictory => "the outcomes fit no single culprit",
            Status::TooFlaky => "the test is too flaky",
            Status::Spread => "the change is spread over several commits",
            Status::NoChange => "the number did not change by enough",
            Status::HistoryExhausted => "the history has no older revision",
            Status::PatchTooLarge => "the patch is too large",
            Status::RevisionNotReadable => "a revision cannot be read",
        };
        words.to_owned()
    }

    /// Returns the cost of the search.
    pub(super) fn cost(&self) -> String {
        let summary = self.summary;
        let (ran, known): (Vec<&Asked>, Vec<&Asked>) = summary.asked.iter().partition(|one| one.runs > 0);
        let causes = || summary.causes.iter().filter_map(|found| found.cause.as_ref());
        let explaining: u64 = causes().map(|cause| cause.report.runs).sum();
        let seconds = summary.run_seconds + causes().map(|cause| cause.seconds).sum::<f64>();
        let runs = summary.report.runs() + explaining;
        let all = count(usize::try_from(runs).unwrap_or(usize::MAX), "run");
        let mut parts = vec![match (summary.ported().and_then(|report| report.runs_to_commit), explaining) {
            (Some(finding), _) => format!("{all}, {finding} to find the commit and {} to explain it", runs - finding),
            (None, 0) => all + &tally(&ran),
            _ => {
                format!("{all}, {} for the commit{} and {explaining} for its lines", summary.report.runs(), tally(&ran))
            }
        }];
        parts.extend((seconds > 0.0).then(|| format!("{} of testing", duration(seconds))));
        parts.extend(summary.waited.map(|waited| format!("{} in total", duration(waited))));
        let by_patches = summary.sliced().map(|report| report.asked).or(summary.ported().map(|report| report.asked));
        if let Some(asked) = by_patches {
            let free = asked.saturating_sub(summary.report.runs());
            let words = count(usize::try_from(free).unwrap_or(usize::MAX), "outcome");
            parts.extend((free > 0).then(|| format!("{words} without a run")));
        }
        // If patches are applied, the other unresolved outcomes are conflicts, which are counted above.
        if !known.is_empty() && by_patches.is_none() {
            // These are equal texts and texts that do not parse.
            let known_outcomes =
                count(known.len(), if summary.reduced.is_some() { "outcome" } else { "known outcome" });
            let how = if summary.reduced.is_some() { " without a run" } else { "" };
            parts.push(format!("{known_outcomes}{how}{}", tally(&known)));
        }
        parts.join(", ")
    }
}

/// Returns the numbers of outcomes in parentheses, or an empty text without outcomes.
fn tally(asked: &[&Asked]) -> String {
    let counts: Counts = asked.iter().map(|one| one.outcomes).sum();
    let each = [(counts.pass, "passed"), (counts.fail, "failed"), (counts.unresolved, "unresolved")];
    let each: Vec<String> = each.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    if each.is_empty() { String::new() } else { format!(" ({})", each.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shas_are_shortened_in_parts_of_commits() {
        let sha = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(brief(sha), "0123456789ab");
        assert_eq!(brief(&format!("{sha}:src/a:b#0")), "0123456789ab:src/a:b#0");
        assert_eq!(brief("first: it"), "first: it");
        assert_eq!(
            with_short_ids(&format!("{sha}, \u{e4} ({sha}) and 12: {}", &sha[1..])),
            format!("0123456789ab, \u{e4} (0123456789ab) and 12: {}", &sha[1..])
        );
        assert_eq!(with_short_ids(""), "");
    }
}
