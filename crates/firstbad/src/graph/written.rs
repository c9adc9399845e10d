use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{CommitGraph, GraphBuilder, Node, Origin};
use crate::error::Error;
use crate::words::json;

/// The serde form of a commit graph.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// Each id with the indices of its parents. Parents come first.
    revisions: Vec<(String, Vec<Node>)>,
    /// A time for each revision, if there are times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    times: Option<Vec<i64>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    names: BTreeMap<String, Node>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    origin: Option<Origin>,
}

impl CommitGraph {
    /// Returns the graph as JSON: revisions, parents, times, names, and the source, which can include the path of a repository.
    /// Takes O(V + E).
    ///
    /// ```
    /// use firstbad::CommitGraph;
    /// let graph = CommitGraph::linear(["1.0", "1.1"])?;
    /// assert_eq!(graph.to_json()?, r#"{"revisions":[["1.0",[]],["1.1",[0]]]}"#);
    /// assert_eq!(CommitGraph::from_json(&graph.to_json()?)?.ids().collect::<Vec<_>>(), ["1.0", "1.1"]);
    /// # Ok::<(), firstbad::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Internal`] if the graph has no JSON form, which is a bug in firstbad.
    pub fn to_json(&self) -> Result<String, Error> {
        let nodes = 0..self.len() as Node;
        let written = Written {
            revisions: nodes.map(|node| (self.id(node).to_owned(), self.parents(node).to_vec())).collect(),
            times: self.times.clone(),
            names: self.ids.all_names().map(|(name, node)| (name.to_owned(), node)).collect(),
            origin: self.origin.clone(),
        };
        serde_json::to_string(&written).map_err(|error| Error::internal("the graph", &error))
    }

    /// Parses a graph from the JSON of [`CommitGraph::to_json`]. The repository is not read and need not exist.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the text is not a graph, and the errors of [`GraphBuilder::build`].
    pub fn from_json(text: &str) -> Result<CommitGraph, Error> {
        let refused = |why: String| Error::invalid_value("text", why, "a commit graph that was written as JSON");
        let Written { revisions, times, names, origin } =
            json::read(text).map_err(|error| refused(error.to_string()))?;
        let mut builder = GraphBuilder::new();
        for (id, parents) in &revisions {
            builder.numbered_revision(id, parents);
        }
        builder.check_distinct()?;
        times.into_iter().flatten().for_each(|time| {
            builder.time(time);
        });
        for (name, node) in names {
            let named = revisions.get(node as usize);
            let (id, _) = named.ok_or_else(|| refused(format!("the name {name:?} of revision {node}")))?;
            builder.name(name, id);
        }
        if let Some(origin) = origin {
            if let Some(name) = origin.unfit() {
                return Err(refused(format!("{name:?} among the ids of its origin, which are full ids")));
            }
            builder.origin(origin);
        }
        builder.build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph() -> CommitGraph {
        let mut builder = GraphBuilder::new();
        builder
            .revision("m", ["b", "a"])
            .time(9)
            .revision("b", ["r"])
            .time(-4)
            .revision("a", ["r"])
            .time(4)
            .revision("r", [""; 0])
            .time(4)
            .name("main", "m")
            .name("v1", "r")
            .name("v1.0", "r")
            .origin(Origin {
                repository: "/a folder".into(),
                tips: vec!["0".repeat(40)],
                exclude: vec!["f".repeat(64)],
                first_parent: false,
                paths: vec!["src".into()],
                kept: vec!["r".into()],
            });
        builder.build().unwrap()
    }

    #[test]
    fn a_commit_graph_survives_a_json_round_trip() {
        let graph = graph();
        let again = CommitGraph::from_json(&graph.to_json().unwrap()).unwrap();
        let all = |graph: &CommitGraph| -> Vec<_> {
            let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
            let of = |node| {
                let (parents, children) = (graph.parents(node).to_vec(), graph.children(node).to_vec());
                (graph.id(node).to_owned(), parents, children, graph.time(node), owned(graph.names(node)))
            };
            (0..graph.len() as Node).map(of).collect()
        };
        assert_eq!(all(&again), all(&graph));
        assert_eq!((again.origin(), again.has_times()), (graph.origin(), true));
        assert_eq!(again.to_json(), graph.to_json());
    }

    #[test]
    fn invalid_graphs_are_rejected() {
        let code = |text: &str| CommitGraph::from_json(text).map(|_| ()).unwrap_err();
        for text in ["", "[]", r#"{"revisions":[["a"]]}"#, r#"{"revisions":[["a",[1]]]}"#, r#"{"revisions":[],"x":1}"#]
        {
            assert_eq!(code(text).code(), "invalid_argument", "{text}");
        }
        assert_eq!(code(r#"{"revisions":[]}"#).code(), "empty_graph");
        assert_eq!(code(r#"{"revisions":[["a",[]],["a",[]]]}"#).code(), "duplicate_revision");
        assert_eq!(code(r#"{"revisions":[["a",[1]],["b",[0]]]}"#).code(), "cycle");
        let error = code(r#"{"revisions":[["a",[]]],"names":{"main":1}}"#).to_string();
        assert_eq!(
            error,
            "text: the name \"main\" of revision 1 is not valid; expected a commit graph that was written as JSON"
        );
        let foreign = graph().to_json().unwrap().replace(&"0".repeat(40), "--output=x");
        assert!(
            code(&foreign).to_string().starts_with("text: \"--output=x\" among the ids of its origin"),
            "{foreign}"
        );
        assert_eq!(code(r#"{"revisions":[["a",[]]],"times":[1,2]}"#).code(), "invalid_argument");
    }
}
