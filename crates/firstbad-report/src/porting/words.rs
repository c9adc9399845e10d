//! Reports of iterative delta debugging as plain text and as Markdown.

use std::fmt::Write as _;

use firstbad::porting::{PorterReduction, Reason, ReductionResult};
use firstbad::{PortedPatch, PorterReport, capital, printable, short, with_short_ids};

use super::counts::reasons;

/// The headings of the columns for versions without and with a patch.
const ALONE: &str = "without patch";
const CARRIED: &str = "with patch";

/// Renders the result and the patches as plain text. [`markdown`] also has the steps. Lines have at most 120 characters, except for long names and patches.
#[must_use]
pub fn text(report: &PorterReport) -> String {
    let mut text = format!("{}\n", capital(&printable(&with_short_ids(&report.message))));
    if let Some(failure) = &report.failure {
        let _ = writeln!(text, "  failure     {}", printable(failure));
    }
    let _ = writeln!(text, "  cost        {}", numbers(report));
    for warning in &report.warnings {
        let _ = writeln!(text, "warning: {}", printable(&with_short_ids(warning)));
    }
    if let Some(also) = &report.also {
        let _ = writeln!(text, "{}: {}", if also.breaks { "warning" } else { "also" }, also.message);
    }
    for (name, what, patch) in report.patches() {
        let _ = writeln!(text, "\n{name}: {what} ({})", size(patch));
        for line in patch.text.as_deref().unwrap_or("(not UTF-8)").lines() {
            let _ = writeln!(text, "  {}", printable(line));
        }
    }
    text
}

/// Renders a report as Markdown.
#[must_use]
pub fn markdown(report: &PorterReport) -> String {
    let mut text = format!("**{}**: {}\n\n", report.status.as_str(), escaped(&report.message));
    if let Some(failure) = &report.failure {
        let _ = writeln!(text, "Failure: {}\n", escaped(failure));
    }
    let seconds = report.seconds.map(|seconds| format!("{seconds:.1}")).unwrap_or_default();
    let _ = writeln!(
        text,
        "| revisions | left out | reductions | runs | outcomes without a run | conflicts | seconds |\n|--:|--:|--:|--:|--:|--:|--:|\n\
         | {} | {} | {} | {} | {} | {} | {seconds} |\n",
        report.visited,
        report.skipped,
        report.reductions.len(),
        report.runs,
        free(report),
        report.conflicts,
    );
    for warning in &report.warnings {
        let _ = writeln!(text, "> {}\n", escaped(warning));
    }
    if let Some(also) = &report.also {
        let _ = writeln!(text, "> {}\n", escaped(&also.message));
    }
    if !report.steps.is_empty() {
        text.push_str("| revision | way | outcome | carried | patch |\n|---|---|---|---|---|\n");
    }
    for step in &report.steps {
        let way = if step.forward { "forward" } else { "back" };
        let carried = step.carried.as_deref().unwrap_or_default();
        let (revision, outcome, patch) = (escaped(short(&step.revision)), step.outcome.as_str(), step.patch);
        let _ = writeln!(text, "| {revision} | {way} | {outcome} | {} | {patch} |", escaped(carried));
    }
    add_tables(report, &mut text);
    for (name, what, patch) in report.patches() {
        let body = patch.text.as_deref().unwrap_or("(not UTF-8)");
        // The fence is longer than any run of backticks in the patch.
        let longest = body.split(|sign| sign != '`').map(str::len).max().unwrap_or_default();
        let fence = "`".repeat(longest.max(2) + 1);
        let lines: String = body.lines().map(|line| printable(line) + "\n").collect();
        let _ = writeln!(text, "\n**{name}**: {what} ({})\n\n{fence}diff\n{lines}{fence}", size(patch));
    }
    text
}

/// Adds tables of the reductions and of the reasons, unless they are empty.
fn add_tables(report: &PorterReport, text: &mut String) {
    if !report.reductions.is_empty() {
        text.push_str("\n| reduction at | for | because | changes | runs | free |\n|---|---|---|---|--:|--:|\n");
    }
    for made in &report.reductions {
        let (revision, what, sizes) = (escaped(short(&made.revision)), made.purpose.as_str(), sizes(made));
        let why = made.reason.map(Reason::words).unwrap_or_default();
        let _ = writeln!(text, "| {revision} | {what} | {why} | {sizes} | {} | {} |", made.runs, made.free);
    }
    let reasons = reasons(report);
    if !reasons.is_empty() {
        let _ = writeln!(
            text,
            "\n| other outcomes | {ALONE} | {CARRIED} | reductions | parts of patches |\n|---|--:|--:|--:|--:|"
        );
    }
    for one in reasons {
        let (alone, carried) = (one.alone, one.carried);
        let (what, reductions, parts) = (one.reason.words(), one.reductions, one.parts);
        let _ = writeln!(text, "| {what} | {alone} | {carried} | {reductions} | {parts} |");
    }
}

fn free(report: &PorterReport) -> u64 {
    report.asked.saturating_sub(report.runs)
}

fn numbers(report: &PorterReport) -> String {
    let mut words = format!(
        "{} tested, {} skipped because they do not build, {}",
        counted(report.visited, "revision"),
        report.skipped,
        counted(report.runs as usize, "run"),
    );
    if free(report) > 0 {
        let _ = write!(words, ", {} without a run", counted(free(report) as usize, "outcome"));
    }
    if report.conflicts > 0 {
        let _ = write!(words, ", {}", counted(report.conflicts as usize, "conflict"));
    }
    if let Some(seconds) = report.seconds {
        let _ = write!(words, ", {seconds:.1} s of testing");
    }
    words
}

/// Returns the sizes, such as `24 to 12, then 11` if a further round reduced the patch.
pub(crate) fn sizes(made: &PorterReduction) -> String {
    let before = made.before;
    let passes = if made.result == ReductionResult::Passed { ", and a part of it passes" } else { "" };
    match (made.fixpoint(), made.result) {
        (Some((first, after)), _) if first > after => format!("{before} to {first}, then {after}{passes}"),
        (Some((_, after)), _) => format!("{before} to {after}{passes}"),
        (None, ReductionResult::Contradicted) => format!("{before}, with contradictory outcomes"),
        (None, _) => format!("{before}, not finished"),
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn size(patch: &PortedPatch) -> String {
    format!("{} of {}, {}", counted(patch.changes, "change"), patch.of, patch.guarantee.as_str())
}

/// Escapes a text for Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in printable(text).chars() {
        if "\\`*_{}[]<>#|&".contains(sign) {
            escaped.push('\\');
        }
        escaped.push(sign);
    }
    escaped
}
