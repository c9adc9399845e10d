//! The card of a triage: who broke how many tests, where in the history, and what each test did at each revision.

mod columns;
mod groups;
mod lanes;
mod letters;
mod matrix;

use firstbad::{TriageReport, capital};

use super::context::Context;
use super::element::{facts, headline, warnings};
use super::html::Html;
use crate::triage::told::{Host, Told, TriageWriter};

/// The body of the card, and what it is called.
pub(super) fn card(report: &TriageReport, context: &Context) -> (&'static str, String) {
    let writer = TriageWriter::new(report, Host::default(), &Html);
    let Told { culprits, groups: others, cost, .. } = writer.told();
    let (answer, counts) = writer.answer();
    let sign = if culprits.is_empty() { "○" } else { "<i class=\"fb-f\">■</i>" };
    let head = headline("Triage", &format!("{sign} {}", capital(&answer)), &counts.join(", "));
    let facts = facts([("Cost", Some(cost))]);
    let body = [
        head,
        facts,
        warnings(&report.warnings),
        groups::culprits(&writer, &culprits),
        lanes::lanes(report, &writer, context),
        matrix::matrix(report, &writer, &others),
        groups::others(&writer, &others),
    ];
    ("Triage", body.concat())
}
