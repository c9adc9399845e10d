//! The cards of reports.

use firstbad::Report;
use firstbad::search::Search;

use super::context::Context;
use super::reduction::{Items, drawn};
use super::{change, checks, culprit, element, porting, regression, slice, triage};

/// Returns the HTML card of a report. With its search, the card also has a picture of the history, the cost in relation to the
/// number of suspects, and the probabilities by run.
///
/// ```
/// # use firstbad::{CommitGraph, Outcome, RegressionConfig, RegressionSearch, Report, Search};
/// # let graph = CommitGraph::linear(["1.0", "1.1", "1.2"])?;
/// # let mut search = RegressionSearch::new(graph, RegressionConfig::new(["1.2"]).good(["1.0"]))?;
/// # while let [probe] = &search.ask(1)?[..] {
/// #     search.tell(probe.id, if probe.revision() == "1.0" { Outcome::Pass } else { Outcome::Fail }.into())?;
/// # }
/// let html = firstbad_report::card::report(&Report::Regression(search.report()), Some(&search));
/// assert!(html.starts_with("<section class=\"fbad\" aria-label=\"Regression report\">"));
/// assert!(html.contains("Broken by") && html.contains("1.1"));
/// # Ok::<(), firstbad::Error>(())
/// ```
#[must_use]
pub fn report(report: &Report, search: Option<&dyn Search>) -> String {
    let context = Context::of(report, search);
    let (label, body) = match report {
        Report::Regression(of) => regression::card(of, report, &context),
        Report::Culprit(of) => culprit::card(of, &context),
        Report::Verification(of) => ("Verification", checks::card(of, &context)),
        Report::Minimize(_) | Report::Isolate(_) => {
            return drawn(report, Items::Numbered(None)).unwrap_or_default();
        }
        Report::Port(of) => ("Iterative delta debugging", porting::card(of, report, &context)),
        Report::Slice(of) => ("Slice of the history", slice::card(of, report, &context)),
        Report::Triage(of) => triage::card(of, &context),
        Report::Change(of) => ("Change in numbers", change::card(of, &context)),
    };
    element::card(label, &body)
}

/// Returns the HTML card of a reduction: the size of the result, its guarantee, and the result. Other reports have the card of
/// [`report`].
#[must_use]
pub fn reduction(of: &Report, items: Items<'_>) -> String {
    drawn(of, items).unwrap_or_else(|| report(of, None))
}
