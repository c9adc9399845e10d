//! Describes how a journal and a search differ.

use std::path::Path;

use firstbad::graph::Origin;
use firstbad::{CommitGraph, Error, Inspect, Spelling, World, option};
use serde_json::Value;

use crate::fields;
use crate::graph_file;
use crate::header::{Header, WorldRecord};

/// The maximum number of differences of one kind to show.
const SHOWN: usize = 3;

/// Returns the differences between the search of a journal and another search, or `None` if they are the same.
///
/// # Errors
/// The errors of [`Inspect::configuration`].
pub(crate) fn between(
    journal: &Path,
    header: &Header,
    search: &dyn Inspect,
    digest: Option<&str>,
) -> Result<Option<String>, Error> {
    if header.algorithm != search.algorithm() {
        return Ok(Some(format!("Its algorithm is {:?}, not {:?}", header.algorithm, search.algorithm())));
    }
    let ours = search.configuration()?;
    if let Some(words) = items(header, search, &ours, digest) {
        // The options for single items also differ in this case.
        return Ok(Some(words));
    }
    let mut found: Vec<String> =
        fields::differences(&asked_for(&header.configuration, &ours), &asked_for(&ours, &header.configuration))
            .into_iter()
            .map(|(field, words)| format!("Its {} {words}", Spelling::token(&field)))
            .collect();
    if header.fingerprint != search.fingerprint() {
        // Differences in the endpoints of the same history are already described.
        match histories(journal, header, search) {
            Some(words) => found.push(words),
            None if found.is_empty() && matches!(header.world, WorldRecord::Git(_)) => found.push(
                "Its history differs: the repository had other commits below the same tips. It was shallow, or \
                 commits were replaced"
                    .to_owned(),
            ),
            None if found.is_empty() => found.push(format!(
                "Its fingerprint is {}, not {}, although all revisions and parents are the same. The journal or its \
                 graph file was changed",
                header.fingerprint,
                search.fingerprint()
            )),
            None => {}
        }
    }
    Ok((!found.is_empty()).then(|| found.join(". ")))
}

/// Returns the difference if the items or the text differ, or `None` if they are the same as far as known.
fn items(header: &Header, search: &dyn Inspect, configuration: &Value, digest: Option<&str>) -> Option<String> {
    let (WorldRecord::Items { count: theirs, digest: of, .. }, World::Items(ours)) = (&header.world, search.world())
    else {
        return None;
    };
    let is_text = configuration.get("guess").is_some_and(|guess| !guess.is_null());
    match (*theirs == ours, is_text) {
        (true, _) if digest.zip(of.as_deref()).is_none_or(|(ours, theirs)| ours == theirs) => None,
        (true, false) => Some("It has other items of the same number".to_owned()),
        (true, true) => Some(format!("It is about another text with {ours} pieces")),
        (false, false) => Some(format!("It has {theirs} items, not {ours}")),
        (false, true) => Some(format!("It is about another text, with {theirs} pieces instead of {ours}")),
    }
}

/// Returns a configuration without the values that firstbad read itself, if the other configuration also has such
/// values: the ranking of commits by their changes, and the name of the test. The ranking may not be ready in time, and
/// only a command names its test, so the journal's values stay in use. Journals of older versions do not list the equal
/// pieces of a text. No outcome depends on that list, so it is ignored then.
fn asked_for(configuration: &Value, other: &Value) -> Value {
    let is_read = |configuration: &Value| configuration["prior"].get("reasons").is_some();
    let mut asked_for = configuration.clone();
    if let Some(fields) = asked_for.as_object_mut().filter(|_| is_read(configuration) && is_read(other)) {
        fields.remove("prior");
        fields.remove("test");
    }
    if other["guess"].get("repeats").is_none()
        && let Some(guess) = asked_for.get_mut("guess").and_then(Value::as_object_mut)
    {
        guess.remove("repeats");
    }
    asked_for
}

/// Returns the most exact reason why the fingerprints differ, or `None` if the histories are the same.
fn histories(journal: &Path, header: &Header, search: &dyn Inspect) -> Option<String> {
    let graph = match search.world() {
        World::History(graph) => graph,
        World::Items(ours) => {
            return match header.world {
                WorldRecord::Items { .. } => None,
                _ => Some(format!("It is about a history, not about {ours} items")),
            };
        }
    };
    match &header.world {
        WorldRecord::Graph { file, revisions: count } => {
            match graph_file::read(&journal.with_file_name(file), *count) {
                Ok(theirs) => revisions(&theirs, &graph).map(|words| format!("Its history differs: {words}")),
                Err(error) => Some(format!("Its history differs ({})", error.message())),
            }
        }
        WorldRecord::Git(theirs) => match graph.origin() {
            None => Some(format!(
                "Its history is from the repository {}, and this one has no repository",
                theirs.repository
            )),
            Some(ours) => origins(theirs, ours).map(|words| format!("Its history differs: {words}")),
        },
        WorldRecord::Items { count, .. } => Some(format!("It is about {count} items, not about a history")),
    }
}

/// Returns how two parts of repositories' histories differ, or `None` if their descriptions are the same.
fn origins(theirs: &Origin, ours: &Origin) -> Option<String> {
    let mut found = Vec::new();
    let mut compare = |what: &str, theirs: String, ours: String| {
        if theirs != ours {
            found.push(format!("its {what} {theirs}, not {ours}"));
        }
    };
    compare("tips are", listed(&theirs.tips), listed(&ours.tips));
    compare("excluded revisions are", listed(&theirs.exclude), listed(&ours.exclude));
    compare(concat!(option!(first_parent), " is"), theirs.first_parent.to_string(), ours.first_parent.to_string());
    compare(concat!(option!(paths), " are"), listed(&theirs.paths), listed(&ours.paths));
    compare("repository is", theirs.repository.clone(), ours.repository.clone());
    (!found.is_empty()).then(|| found.join(", and "))
}

/// Returns the first revisions that differ, or `None` if none does.
fn revisions(theirs: &CommitGraph, ours: &CommitGraph) -> Option<String> {
    let parents = |graph: &CommitGraph, id: &str| {
        graph.get(id).map(|node| graph.parents(node).iter().map(|&p| graph.id(p).to_owned()).collect::<Vec<_>>())
    };
    let told: Vec<String> = theirs
        .ids()
        .filter_map(|id| match (parents(theirs, id), parents(ours, id)) {
            (_, None) => Some(format!("{id:?} is only in the journal")),
            (there, here) if there != here => Some(format!("{id:?} has other parents in this search")),
            _ => None,
        })
        .chain(ours.ids().filter(|id| theirs.get(id).is_none()).map(|id| format!("{id:?} is only in this search")))
        .take(SHOWN)
        .collect();
    (!told.is_empty()).then(|| told.join(", "))
}

fn listed(ids: &[String]) -> String {
    match ids {
        [] => "none".to_owned(),
        some if some.len() <= SHOWN => some.join(", "),
        some => format!("{} and {} more", some[..SHOWN].join(", "), some.len() - SHOWN),
    }
}
