//! The steps of iterative delta debugging as tables.

use firstbad::PorterReport;
use firstbad::porting::{PorterReduction, PorterStep, Purpose, Reason, ReductionResult, StepOutcome};

use super::counts::reasons;
use crate::quantities::count;
use crate::style::{Markdown, Plain, Style};

/// A table about the search.
struct Table {
    title: &'static str,
    heads: &'static [&'static str],
    /// The cells, escaped for the output.
    rows: Vec<Vec<String>>,
}

/// Renders the versions, the reductions, and the reasons for other outcomes as text.
#[must_use]
pub fn steps_text(report: &PorterReport) -> String {
    let mut text = String::new();
    for Table { title, heads, rows } in tables(report, &Plain) {
        let cells = || std::iter::once(heads.iter().map(|head| (*head).to_owned()).collect()).chain(rows.clone());
        let width = |place: usize| cells().map(|row: Vec<String>| row[place].chars().count()).max().unwrap_or_default();
        let widths: Vec<usize> = (0..heads.len()).map(width).collect();
        text.push_str(&format!("\n{title}\n"));
        for row in cells() {
            let padded = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
            text.push_str(&format!("  {}\n", padded.collect::<Vec<_>>().join("  ").trim_end()));
        }
    }
    text
}

/// Renders the same tables as Markdown.
#[must_use]
pub fn steps_markdown(report: &PorterReport) -> String {
    let mut text = String::new();
    for Table { title, heads, rows } in tables(report, &Markdown { table: true }) {
        let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let heads: Vec<String> = heads.iter().map(|head| (*head).to_owned()).collect();
        text.push_str(&format!("\n{title}\n\n{}{}\n", row(&heads), "| --- ".repeat(heads.len()) + "|"));
        text.extend(rows.iter().map(|cells| row(cells)));
    }
    text
}

/// Returns the tables that have rows.
fn tables(report: &PorterReport, style: &dyn Style) -> Vec<Table> {
    let steps = report.steps.iter().map(|step| {
        let way = if step.forward { "forward" } else { "back" };
        vec![style.revision(&step.revision), way.to_owned(), seen(step), carried(step)]
    });
    let reductions = report.reductions.iter().map(|made| {
        let why = made.reason.map(Reason::words).unwrap_or_default();
        let (runs, free) = (made.runs.to_string(), made.free.to_string());
        vec![style.revision(&made.revision), purpose(made).to_owned(), why.to_owned(), sizes(made), runs, free]
    });
    let reasons = reasons(report).into_iter().map(|one| {
        let counts = [one.alone as u64, one.carried as u64, one.reductions as u64, one.parts];
        std::iter::once(one.reason.words().to_owned()).chain(counts.map(|count| count.to_string())).collect()
    });
    let all = [
        Table { title: "Versions", heads: &["version", "way", "outcome", "carried patch"], rows: steps.collect() },
        Table {
            title: "Reductions",
            heads: &["at", "for", "because", "changes", "runs", "outcomes without a run"],
            rows: reductions.collect(),
        },
        Table {
            title: "Other outcomes",
            heads: &["reason", "without a patch", "with the patch", "reductions", "parts of patches"],
            rows: reasons.collect(),
        },
    ];
    all.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

/// Describes the outcome at a version.
pub(crate) fn seen(step: &PorterStep) -> String {
    let kept = if step.forward { "passes" } else { "fails like the start" };
    let reason = step.reason.or(step.alone).map_or("another outcome", Reason::words);
    match step.outcome {
        StepOutcome::Kept => kept.to_owned(),
        StepOutcome::Pass => "passes".to_owned(),
        StepOutcome::Other => reason.to_owned(),
        StepOutcome::Skipped => format!("{reason}, skipped"),
        StepOutcome::Reduced => format!("{reason}, but {kept} with a new patch"),
    }
}

/// Describes the carried patch of a version and how it was applied.
fn carried(step: &PorterStep) -> String {
    if step.patch == 0 {
        return String::new();
    }
    let how = match step.carried.as_deref() {
        Some("three_way") => ", merged",
        Some("renamed") => ", merged after a rename",
        Some("whitespace") => ", with other white space",
        Some("fuzzy") => ", with one line of context",
        Some("already") => ", already there",
        _ => "",
    };
    count(step.patch, "change") + how
}

/// Describes the purpose of a reduction.
pub(crate) fn purpose(made: &PorterReduction) -> &'static str {
    match made.purpose {
        Purpose::Walk => "a patch to carry",
        Purpose::Carried => "what the test needs",
        Purpose::Cause => "the cause",
        Purpose::Repair => "the fix",
        Purpose::Figure2 => "the cause with what the test needs",
        Purpose::Forward => "the ported fix",
    }
}

/// Returns the sizes, such as `24 to 12, then 11` if a further round reduced the patch.
pub(crate) fn sizes(made: &PorterReduction) -> String {
    let before = made.before;
    let passes = if made.result == ReductionResult::Passed { ", and a part of it passes" } else { "" };
    match (made.fixpoint(), made.result) {
        (Some((first, after)), _) if first > after => format!("{before} to {first}, then {after}{passes}"),
        (Some((_, after)), _) => format!("{before} to {after}{passes}"),
        (None, ReductionResult::Passed) => format!("{before}{passes}"),
        (None, ReductionResult::Contradicted) => format!("{before}, with contradictory outcomes"),
        (None, _) => format!("{before}, not finished"),
    }
}
