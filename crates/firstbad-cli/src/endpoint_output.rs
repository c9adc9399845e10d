//! Shows the output of the test at unexpected endpoints.

use std::cell::LazyCell;

use firstbad::{Error, Outcome, Spelling, Stage, Status, Target, short};
use firstbad_journal::Session;
use firstbad_report::{Asked, Counts, Summary};
use serde_json::Value;

use crate::opened_journal::{configuration_of, history_of};
use crate::{printed, streams};

/// The maximum number of endpoints and of lines for each.
const ENDS: usize = 2;
const LINES: usize = 5;

/// Prints the last lines of the test's output at endpoints with an unexpected outcome, unless the report shows all of them.
pub(crate) fn show(session: &Session, summary: &Summary, is_text: bool) {
    let (is_untestable, is_found) = (summary.status() == Status::Untestable, summary.status() == Status::Found);
    let Counts { pass, fail, .. } = summary.outcomes;
    let is_alike = summary.status() == Status::NoPassingRevision && (pass == 0 || fail == 0);
    let expected = [("bad", Outcome::Pass), ("good", Outcome::Fail)];
    let seen = expected.into_iter().flat_map(|(name, wrong)| {
        let ids = LazyCell::new(move || -> Vec<Target> {
            ends(session, name).unwrap_or_default().into_iter().map(Target::from).collect()
        });
        let is_shown = move |one: &&Asked| match one.outcome {
            Outcome::Unresolved => is_untestable,
            // A flaky test can fail at a good revision.
            outcome => is_alike || outcome == wrong && !(is_found && is_mixed(one)),
        };
        let asked = summary.asked.iter().filter(is_shown);
        asked.filter(move |one| ids.contains(&one.target)).map(move |one| (one, Spelling::CommandLine.option(name)))
    });
    let shown = seen.filter_map(|(end, name)| Some((end, name, printed::end_of(end.output.as_ref()?.as_ref())?)));
    for (end, name, text) in shown.take(ENDS) {
        let revision = end.target.revision.as_deref().map(short).unwrap_or_default();
        // If a stage before the test failed, the output is that of the stage.
        let who = match end.stage.filter(|_| end.outcome == Outcome::Unresolved) {
            Some(stage) if stage != Stage::Test => stage.as_str(),
            _ => "the test",
        };
        if is_text && summary.shows_failure(end) && printed::is_line(&text) {
            continue;
        }
        let is_empty = text.iter().all(u8::is_ascii_whitespace);
        let what =
            if is_empty { format!("{who} printed nothing") } else { "the last lines of its output are:".to_owned() };
        streams::note(format_args!("{name} ({revision}) {}, {what}", does(end)));
        printed::show(&text, LINES);
    }
}

/// Returns whether the revision both passed and failed.
fn is_mixed(end: &Asked) -> bool {
    end.outcomes.pass > 0 && end.outcomes.fail > 0
}

/// Describes the outcomes of a revision.
fn does(end: &Asked) -> String {
    let Counts { pass, fail, .. } = end.outcomes;
    match end.outcome {
        _ if is_mixed(end) => format!("failed in {fail} of {} runs", pass + fail),
        Outcome::Pass => "passes".to_owned(),
        Outcome::Fail => "fails".to_owned(),
        Outcome::Unresolved => "is unresolved".to_owned(),
    }
}

/// Returns the full ids of the good or bad endpoints.
pub(crate) fn ends(session: &Session, argument: &str) -> Result<Vec<String>, Error> {
    let configuration = configuration_of(session)?;
    let Some(graph) = history_of(session) else { return Ok(Vec::new()) };
    let names = configuration[argument].as_array().into_iter().flatten().filter_map(Value::as_str);
    Ok(names.filter_map(|name| Some(graph.id(graph.resolve(name, argument).ok()?).to_owned())).collect())
}
