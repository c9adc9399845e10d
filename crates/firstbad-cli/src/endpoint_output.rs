//! What the test printed where the ends of a search are not what they were said to be.

use std::cell::LazyCell;

use firstbad::{Error, Outcome, Spelling, Stage, Status, Target, short};
use firstbad_journal::Session;
use firstbad_report::{Asked, Counts, Summary};
use serde_json::Value;

use crate::opened_journal::{configuration_of, history_of};
use crate::{printed, streams};

/// How many ends are shown, and how many lines of each.
const ENDS: usize = 2;
const LINES: usize = 5;

/// Shows the last lines that were printed at an end that is not what it was given as and, where every run ended alike or nothing
/// could be tested, at an end.
pub(crate) fn show(session: &Session, summary: &Summary) {
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
            // That a flaky test fails now and then is no surprise where the commit was found all the same.
            outcome => is_alike || outcome == wrong && !(is_found && is_mixed(one)),
        };
        let asked = summary.asked.iter().filter(is_shown);
        asked.filter(move |one| ids.contains(&one.target)).map(move |one| (one, Spelling::CommandLine.option(name)))
    });
    let shown = seen.filter_map(|(end, name)| Some((end, name, printed::end_of(end.output.as_ref()?.as_ref())?)));
    for (end, name, text) in shown.take(ENDS) {
        let revision = end.target.revision.as_deref().map(short).unwrap_or_default();
        // Where a stage before the test did not get through, nothing of it is the test's.
        let who = match end.stage.filter(|_| end.outcome == Outcome::Unresolved) {
            Some(stage) if stage != Stage::Test => stage.as_str(),
            _ => "the test",
        };
        let is_empty = text.iter().all(u8::is_ascii_whitespace);
        let what = if is_empty {
            format!("{who} printed nothing there")
        } else {
            format!("the last lines that {who} printed there:")
        };
        streams::note(format_args!("{name} {} ({revision}); {what}", does(end)));
        printed::show(&text, LINES);
    }
}

/// Whether runs of both kinds were seen.
fn is_mixed(end: &Asked) -> bool {
    end.outcomes.pass > 0 && end.outcomes.fail > 0
}

/// What the runs at a revision came to; of a flaky test they need not be alike.
fn does(end: &Asked) -> String {
    let Counts { pass, fail, .. } = end.outcomes;
    match end.outcome {
        _ if is_mixed(end) => format!("failed in {fail} of {} runs", pass + fail),
        Outcome::Pass => "passes".to_owned(),
        Outcome::Fail => "fails".to_owned(),
        Outcome::Unresolved => "cannot be tested".to_owned(),
    }
}

/// The full ids of the ends of a search in a history that are given as `good` or as `bad`.
///
/// # Errors
/// Those of a configuration that has no JSON form.
pub(crate) fn ends(session: &Session, argument: &str) -> Result<Vec<String>, Error> {
    let configuration = configuration_of(session)?;
    let Some(graph) = history_of(session) else { return Ok(Vec::new()) };
    let names = configuration[argument].as_array().into_iter().flatten().filter_map(Value::as_str);
    Ok(names.filter_map(|name| Some(graph.id(graph.resolve(name, argument).ok()?).to_owned())).collect())
}
