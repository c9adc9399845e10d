//! What the test printed where the ends of a search are not what they were said to be.

use firstbad::{Outcome, Search as _, Status, Target, short};
use firstbad_journal::Session;
use firstbad_report::{Asked, Summary};
use serde_json::Value;

use crate::opened_journal::history_of;
use crate::{printed, streams};

/// How many ends are shown, and how many lines of each.
const ENDS: usize = 2;
const LINES: usize = 5;

/// Shows the last lines that the test printed at a good end that fails, at a bad end that passes and, where nothing could
/// be tested, at an end that could not.
pub(crate) fn show(session: &Session, summary: &Summary) {
    let Ok(configuration) = session.inspect().configuration() else { return };
    let is_untestable = summary.status == Status::Untestable;
    let ends = [("bad", Outcome::Pass, "--bad", "passes"), ("good", Outcome::Fail, "--good", "fails")];
    let seen = ends.into_iter().flat_map(|(name, wrong, option, verb)| {
        let of_end = asked(session, summary, name, &configuration[name]);
        of_end.filter_map(move |end| match end.outcome {
            outcome if outcome == wrong => Some((end, format!("{option} {verb}"))),
            Outcome::Unresolved if is_untestable => Some((end, format!("{option} cannot be tested"))),
            _ => None,
        })
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

/// What was seen of the ends of this name.
fn asked<'a>(
    session: &Session,
    summary: &'a Summary,
    argument: &'a str,
    ends: &Value,
) -> impl Iterator<Item = &'a Asked> + use<'a> {
    let graph = history_of(session);
    let names = ends.as_array().map(Vec::as_slice).unwrap_or_default();
    let ids: Vec<Target> = names
        .iter()
        .filter_map(Value::as_str)
        .filter_map(|name| {
            let graph = graph.as_ref()?;
            Some(graph.id(graph.resolve(name, argument).ok()?).into())
        })
        .collect();
    summary.asked.iter().filter(move |one| ids.contains(&one.target))
}
