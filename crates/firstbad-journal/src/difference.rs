//! Where a journal and a search are not of one another: what differs, in words.

use std::path::Path;

use firstbad::{CommitGraph, Error, Inspect, World};
use serde_json::Value;

use crate::graph_file;
use crate::header::{Header, WorldRecord};

/// How many differences of one kind are shown.
const SHOWN: usize = 3;

/// What differs between the search that a journal was made for and another; `None` if they are the same.
///
/// # Errors
/// Those of [`Inspect::configuration`].
pub(crate) fn between(
    journal: &Path,
    header: &Header,
    search: &dyn Inspect,
    digest: Option<&str>,
) -> Result<Option<String>, Error> {
    if header.algorithm != search.algorithm() {
        return Ok(Some(format!("its algorithm is {:?}, and here {:?}", header.algorithm, search.algorithm())));
    }
    let mut found = configurations(&header.configuration, &search.configuration()?);
    if header.fingerprint != search.fingerprint() {
        found.push(histories(journal, header, search));
    }
    if let WorldRecord::Items { digest: Some(theirs), .. } = &header.world
        && digest.is_some_and(|ours| ours != theirs)
    {
        found.push("its items are others, though as many".to_owned());
    }
    Ok((!found.is_empty()).then(|| found.join("; ")))
}

fn configurations(theirs: &Value, ours: &Value) -> Vec<String> {
    let (Value::Object(theirs), Value::Object(ours)) = (theirs, ours) else {
        return if theirs == ours { Vec::new() } else { vec![differs("its configuration", theirs, ours)] };
    };
    let names = theirs.keys().chain(ours.keys().filter(|name| !theirs.contains_key(*name)));
    names
        .filter_map(|name| {
            let (theirs, ours) = (theirs.get(name).unwrap_or(&Value::Null), ours.get(name).unwrap_or(&Value::Null));
            (theirs != ours).then(|| differs(&format!("its {name}"), theirs, ours))
        })
        .collect()
}

fn differs(what: &str, theirs: &Value, ours: &Value) -> String {
    format!("{what} is {}, and here {}", shown(theirs), shown(ours))
}

fn shown(value: &Value) -> String {
    const MOST: usize = 80;
    let text = value.to_string();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// Why the fingerprints differ, as exactly as can be told.
fn histories(journal: &Path, header: &Header, search: &dyn Inspect) -> String {
    let graph = match search.world() {
        World::History(graph) => graph,
        World::Items(ours) => {
            return match header.world {
                WorldRecord::Items { count, .. } => format!("it has {count} items, and here there are {ours}"),
                _ => format!("it is about a history, and here there are {ours} items"),
            };
        }
    };
    match &header.world {
        WorldRecord::Graph { file, .. } => match graph_file::read(&journal.with_file_name(file)) {
            Ok(theirs) => format!("its history is another: {}", revisions(&theirs, &graph)),
            Err(error) => format!("its history is another ({error})"),
        },
        WorldRecord::Git(origin) => format!(
            "its history is another: tips {}, without {}, of {}",
            listed(&origin.tips),
            listed(&origin.exclude),
            origin.repository
        ),
        WorldRecord::Items { count, .. } => format!("it is about {count} items, and here there is a history"),
    }
}

fn revisions(theirs: &CommitGraph, ours: &CommitGraph) -> String {
    let parents = |graph: &CommitGraph, id: &str| {
        graph.get(id).map(|node| graph.parents(node).iter().map(|&p| graph.id(p).to_owned()).collect::<Vec<_>>())
    };
    let told: Vec<String> = theirs
        .ids()
        .filter_map(|id| match (parents(theirs, id), parents(ours, id)) {
            (_, None) => Some(format!("{id:?} is only there")),
            (there, here) if there != here => Some(format!("{id:?} has other parents here")),
            _ => None,
        })
        .chain(ours.ids().filter(|id| theirs.get(id).is_none()).map(|id| format!("{id:?} is only here")))
        .take(SHOWN)
        .collect();
    told.join(", ")
}

fn listed(ids: &[String]) -> String {
    match ids {
        [] => "nothing".to_owned(),
        some if some.len() <= SHOWN => some.join(", "),
        some => format!("{} and {} more", some[..SHOWN].join(", "), some.len() - SHOWN),
    }
}
