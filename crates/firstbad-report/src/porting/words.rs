//! The answer in words: plain text, and Markdown.

use std::fmt::Write as _;

use firstbad::porting::{PorterReduction, PorterStep, Reason, ReductionResult};
use firstbad::{PortedPatch, PorterReport, printable, short};

use super::counts::reasons;

/// Versions that were another outcome, by what was carried to them.
const ALONE: &str = "as they are";
const CARRIED: &str = "with the patch";

/// The answer as plain text, some lines of at most 120 characters but for what names and patches need; without escape
/// characters.
#[must_use]
pub fn text(report: &PorterReport) -> String {
    let mut text = format!("{}: {}\n", report.status.as_str(), printable(&report.message));
    if let Some(failure) = &report.failure {
        let _ = writeln!(text, "followed: {}", printable(failure));
    }
    let _ = writeln!(text, "{}", numbers(report));
    for warning in &report.warnings {
        let _ = writeln!(text, "warning: {}", printable(warning));
    }
    if let Some(also) = &report.also {
        let _ = writeln!(text, "{}: {}", if also.breaks { "warning" } else { "also" }, also.message);
    }
    if !report.steps.is_empty() {
        text.push_str("\nsteps\n");
    }
    for step in &report.steps {
        let _ = writeln!(text, "  {}", words(step));
    }
    if !report.reductions.is_empty() {
        text.push_str("\nreductions\n");
    }
    for made in &report.reductions {
        let why = made.reason.map(|reason| format!(" ({})", reason.words())).unwrap_or_default();
        let (revision, runs) = (printable(short(&made.revision)), counted(made.runs as usize, "run"));
        let what = made.purpose.as_str();
        let _ = writeln!(text, "  {revision} {what}{why}: {}, {runs} and {} free", sizes(made), made.free);
    }
    let reasons = reasons(report);
    if !reasons.is_empty() {
        let _ =
            writeln!(text, "\n{:<32}{:>11}{:>16}{:>12}{:>8}", "other outcomes", ALONE, CARRIED, "reductions", "parts");
    }
    for one in reasons {
        let (alone, carried) = (one.alone, one.carried);
        let (what, reductions, parts) = (one.reason.words(), one.reductions, one.parts);
        let _ = writeln!(text, "  {what:<30}{alone:>11}{carried:>16}{reductions:>12}{parts:>8}");
    }
    for (name, what, patch) in report.patches() {
        let _ = writeln!(text, "\n{name}: {what} ({})", size(patch));
        for line in patch.text.as_deref().unwrap_or("(not UTF-8)").lines() {
            let _ = writeln!(text, "  {}", printable(line));
        }
    }
    text
}

/// The same as Markdown.
#[must_use]
pub fn markdown(report: &PorterReport) -> String {
    let mut text = format!("**{}**: {}\n\n", report.status.as_str(), escaped(&report.message));
    if let Some(failure) = &report.failure {
        let _ = writeln!(text, "Followed: {}\n", escaped(failure));
    }
    let seconds = report.seconds.map(|seconds| format!("{seconds:.1}")).unwrap_or_default();
    let _ = writeln!(
        text,
        "| revisions | left out | reductions | runs | answers without a run | conflicts | seconds |\n|--:|--:|--:|--:|--:|--:|--:|\n\
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
        // A fence longer than any run of the same sign in what it holds.
        let longest = body.split(|sign| sign != '`').map(str::len).max().unwrap_or_default();
        let fence = "`".repeat(longest.max(2) + 1);
        let lines: String = body.lines().map(|line| printable(line) + "\n").collect();
        let _ = writeln!(text, "\n**{name}**: {what} ({})\n\n{fence}diff\n{lines}{fence}", size(patch));
    }
    text
}

/// The tables of reductions and of reasons, as Markdown, where there is something to say.
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
        "{} looked at, {} left out because they do not build, {}",
        counted(report.visited, "revision"),
        report.skipped,
        counted(report.runs as usize, "run"),
    );
    if free(report) > 0 {
        let _ = write!(words, ", {} without a run", counted(free(report) as usize, "answer"));
    }
    if report.conflicts > 0 {
        let _ = write!(words, ", {}", counted(report.conflicts as usize, "conflict"));
    }
    if let Some(seconds) = report.seconds {
        let _ = write!(words, ", {seconds:.1} s in tests");
    }
    words
}

/// The sizes in words: `24 to 12`, with `then 11` if a further round took something away.
pub(crate) fn sizes(made: &PorterReduction) -> String {
    let before = made.before;
    let passes = if made.result == ReductionResult::Passed { ", a part of which passes" } else { "" };
    match (made.fixpoint(), made.result) {
        (Some((first, after)), _) if first > after => format!("{before} to {first}, then {after}{passes}"),
        (Some((_, after)), _) => format!("{before} to {after}{passes}"),
        (None, ReductionResult::Contradicted) => format!("{before}, with answers that do not go together"),
        (None, _) => format!("{before}, not done"),
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn size(patch: &PortedPatch) -> String {
    format!("{} of {}, {}", counted(patch.changes, "change"), patch.of, patch.guarantee.as_str())
}

fn words(step: &PorterStep) -> String {
    let mut words = printable(short(&step.revision));
    let _ = write!(words, " {}", step.outcome.as_str());
    if step.forward {
        words.push_str(" (forward)");
    }
    let _ = write!(words, ": {}", printable(&step.seen));
    if let Some(carried) = &step.carried {
        let _ = write!(words, ", carried: {}", printable(carried));
    }
    if step.patch > 0 {
        let _ = write!(words, ", patch: {}", counted(step.patch, "change"));
    }
    words
}

/// A text that Markdown shows as it is.
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
