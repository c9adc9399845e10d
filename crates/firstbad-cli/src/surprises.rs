//! What the test printed where the ends of a search are not what they were said to be.

use std::borrow::Cow;
use std::cell::LazyCell;

use firstbad::{Error, Outcome, Search as _, Status, Target, short};
use firstbad_journal::Session;
use firstbad_report::Summary;
use serde_json::Value;

use crate::opened_journal::history_of;
use crate::{printed, streams};

/// How many ends are shown, and how many lines of each.
const ENDS: usize = 2;
const LINES: usize = 5;

/// Shows the last lines that the test printed at a good end that fails, at a bad end that passes and, where nothing could
/// be tested, at an end that could not.
pub(crate) fn show(session: &Session, summary: &Summary) {
    let is_untestable = summary.status == Status::Untestable;
    let expected = [("bad", Outcome::Pass, "--bad", "passes"), ("good", Outcome::Fail, "--good", "fails")];
    let seen = expected.into_iter().flat_map(|(name, wrong, option, verb)| {
        let asked = summary.asked.iter().filter_map(move |one| match one.outcome {
            outcome if outcome == wrong => Some((one, format!("{option} {verb}"))),
            Outcome::Unresolved if is_untestable => Some((one, format!("{option} cannot be tested"))),
            _ => None,
        });
        let ids = LazyCell::new(move || -> Vec<Target> {
            ends(session, name).unwrap_or_default().into_iter().map(Target::from).collect()
        });
        asked.filter(move |(one, _)| ids.contains(&one.target))
    });
    let shown = seen.filter_map(|(end, words)| Some((end, words, printed::end_of(end.output.as_ref()?.as_ref())?)));
    for (end, words, text) in shown.take(ENDS) {
        let revision = end.target.revision.as_deref().map(short).unwrap_or_default();
        let is_empty = text.iter().all(u8::is_ascii_whitespace);
        let what =
            if is_empty { "the test printed nothing there" } else { "the last lines that the test printed there:" };
        streams::note(format_args!("{words} ({revision}); {what}"));
        printed::show(&text, LINES);
    }
}

/// The full ids of the ends of a search in a history that are given as `good` or as `bad`.
///
/// # Errors
/// Those of a configuration that has no JSON form.
pub(crate) fn ends(session: &Session, argument: &str) -> Result<Vec<String>, Error> {
    // It may be long, with the ranking of all suspects, and a journal has it at hand.
    let configuration = match session.header() {
        Some(header) => Cow::Borrowed(&header.configuration),
        None => Cow::Owned(session.inspect().configuration()?),
    };
    let Some(graph) = history_of(session) else { return Ok(Vec::new()) };
    let names = configuration[argument].as_array().into_iter().flatten().filter_map(Value::as_str);
    Ok(names.filter_map(|name| Some(graph.id(graph.resolve(name, argument).ok()?).to_owned())).collect())
}
