//! A change in numbers as Markdown for an issue, a comment, or a job summary.

use firstbad::{ChangeReport, Step, for_logs};

use super::next::steps;
use crate::change::text_plot;
use crate::change::told::{ChangeWriter, Found, Part, Told};
use crate::render::markdown::step_list;
use crate::style::{Markdown, longest_run};
use crate::summary::Summary;
use crate::triage::told::Host;

/// The number of commits that are shown of a metric, because comments have a limit.
const STEPS: usize = 20;

/// Renders a change as Markdown.
///
/// Each commit has its fingerprint in a comment, so that a bot finds its own comment again.
pub(in crate::render) fn render(summary: &Summary, report: &ChangeReport) -> String {
    let writer = ChangeWriter::new(report, Host::of(summary), &Markdown { table: false });
    let cells = ChangeWriter::new(report, Host::of(summary), &Markdown { table: true }).told();
    let Told { parts, warnings, cost } = writer.told();
    let mut sections: Vec<String> = Vec::new();
    for (part, cells) in parts.iter().zip(&cells.parts) {
        sections.push(format!("### {}\n", part.headline()));
        sections.extend(of(part, cells));
    }
    sections.extend(warnings.iter().map(|warning| format!("- **warning**: {warning}\n")));
    let plot = text_plot(report);
    if !plot.is_empty() {
        let fence = "`".repeat(longest_run(&plot, '`').max(2) + 1);
        sections
            .push(format!("<details>\n<summary>Measurements</summary>\n\n{fence}text\n{plot}{fence}\n\n</details>\n"));
    }
    let steps = step_list(steps(summary, report, &parts));
    sections.extend((!steps.is_empty()).then_some(steps));
    sections.push(format!("<sub>firstbad: {cost}</sub>\n"));
    for_logs(&sections.join("\n"))
}

fn of(part: &Part, cells: &Part) -> Vec<String> {
    let mut sections = Vec::new();
    if part.found.len() > 1 || part.is_open() && !part.found.is_empty() {
        let row = |found: &Found| {
            let odds = if cells.of.exact { String::new() } else { firstbad::percent(found.of.probability) };
            format!("| {} | {} | {} | {odds} |\n", found.title, found.author, found.numbers)
        };
        let rows: String = cells.found.iter().take(STEPS).map(row).collect();
        sections.push(format!("| Commit | Author | Number | Probability |\n| --- | --- | --- | --- |\n{rows}"));
    }
    let comments: String = part.found.iter().take(STEPS).map(|found| comment(&found.of)).collect();
    sections.extend((!comments.is_empty()).then_some(comments));
    let mut list: Vec<String> = Vec::new();
    let fact = |(label, words): &(&str, String)| format!("- **{label}**: {words}\n");
    if let [found] = &part.found[..]
        && !part.is_open()
    {
        list.extend((!found.author.is_empty()).then(|| format!("- **author**: {}\n", found.author)));
        list.extend(found.facts.iter().map(fact));
    }
    if !part.candidates.is_empty() {
        list.push(format!("- **{}**:\n", part.candidates_label()));
        list.extend(part.candidates.iter().map(|one| format!("  - {} {}\n", one.title, one.note)));
    }
    list.extend(part.facts.iter().map(fact));
    sections.extend((!list.is_empty()).then(|| list.concat()));
    sections
}

/// Returns the fingerprint in a comment. The fingerprint of a report that was read can be any text.
fn comment(step: &Step) -> String {
    let is_digest = !step.fingerprint.is_empty() && step.fingerprint.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_digest { format!("<!-- firstbad:fingerprint={} -->\n", step.fingerprint) } else { String::new() }
}
