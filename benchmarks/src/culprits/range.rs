//! Ranges of suspects: lists, and pieces of real histories.

use std::path::Path;
use std::sync::Arc;

use firstbad::culprit::Rate;
use firstbad::graph::Node;
use firstbad::{CommitGraph, CulpritConfig, GraphBuilder};
use firstbad_testkit::bare_graph::BareGraph;
use firstbad_testkit::recorded::{History, files};
use firstbad_testkit::simulated::Random;

/// Suspects between good revisions and a bad one.
#[derive(Debug, Clone)]
pub(crate) struct Range {
    pub(super) source: String,
    pub(super) graph: Arc<CommitGraph>,
    pub(super) bad: Node,
    pub(super) good: Vec<Node>,
    /// Parents first.
    pub(super) suspects: Vec<Node>,
}

/// The revisions that always fail.
pub(super) type Broken = Box<dyn Fn(Node) -> bool>;

impl Range {
    /// Creates a list of suspects after a good revision.
    pub(crate) fn list(suspects: usize) -> Result<Range, String> {
        let ids: Vec<String> = (0..=suspects).map(|i| format!("{i:x}")).collect();
        let graph = CommitGraph::linear(&ids).map_err(|error| error.to_string())?;
        let last = suspects as Node;
        Ok(Range {
            source: "list".into(),
            graph: graph.into(),
            bad: last,
            good: vec![0],
            suspects: (1..=last).collect(),
        })
    }

    /// Returns a configuration with these endpoints and without verification, which the peers do not have.
    pub(super) fn config(&self, rate: Rate) -> CulpritConfig {
        let good = self.good.iter().map(|&node| self.graph.id(node));
        CulpritConfig::new(self.graph.id(self.bad), rate).good(good).verify(false)
    }

    /// Returns what a culprit breaks: itself and its descendants.
    pub(super) fn broken_by(&self, culprit: Option<Node>) -> Broken {
        match culprit {
            None => Box::new(|_| false),
            Some(culprit) if self.source == "list" => Box::new(move |node| node >= culprit),
            Some(culprit) => {
                let broken = self.graph.descendants(&[culprit]);
                Box::new(move |node| broken.contains(node as usize))
            }
        }
    }

    /// Returns the ancestors of `bad` that are no ancestors of `good`, with their parents, as a graph.
    fn piece(source: &str, graph: &CommitGraph, bad: Node, good: Node) -> Result<Option<Range>, String> {
        let mut members = graph.ancestors(&[bad]);
        members.difference_with(&graph.ancestors(&[good]));
        let suspects: Vec<Node> = members.ones().map(|node| node as Node).collect();
        if !(LEAST..=MOST).contains(&suspects.len()) {
            return Ok(None);
        }
        let mut kept: Vec<Node> = suspects.iter().flat_map(|&node| graph.parents(node).iter().copied()).collect();
        kept.extend(&suspects);
        kept.sort_unstable();
        kept.dedup();
        let place = |node: Node| kept.binary_search(&node).ok().map(|place| place as Node);
        let is_suspect = |node: Node| members.contains(node as usize);
        let piece = induced(graph, &kept, is_suspect)?;
        Ok(Some(Range {
            source: source.into(),
            graph: piece.into(),
            bad: place(bad).unwrap_or_default(),
            good: kept.iter().filter(|&&node| !is_suspect(node)).filter_map(|&node| place(node)).collect(),
            suspects: suspects.iter().filter_map(|&node| place(node)).collect(),
        }))
    }
}

/// The fewest and the most suspects of a piece of a history.
const LEAST: usize = 10;
const MOST: usize = 400;

/// Returns the graph of some revisions in ascending order. Only those that are `whole` keep their parents.
fn induced(graph: &CommitGraph, kept: &[Node], whole: impl Fn(Node) -> bool) -> Result<CommitGraph, String> {
    let place = |node: &Node| kept.binary_search(node).ok().map(|place| place as Node);
    let mut builder = GraphBuilder::new();
    for &node in kept {
        let parents: Vec<Node> =
            if whole(node) { graph.parents(node).iter().filter_map(place).collect() } else { Vec::new() };
        builder.numbered_revision(graph.id(node), &parents).time(graph.time(node));
    }
    builder.build().map_err(|error| error.to_string())
}

/// Returns all recorded graphs with their names.
pub(super) fn graphs(data: &Path) -> Result<Vec<(String, Arc<CommitGraph>)>, String> {
    let words = |failure: firstbad_testkit::Failure| failure.to_string();
    let mut graphs = Vec::new();
    for history in History::read_all(&data.join("histories")).map_err(words)? {
        graphs.push((history.repo, history.graph));
    }
    // A folder with histories alone is enough.
    for path in files(&data.join("graphs")).unwrap_or_default() {
        let bare = BareGraph::read(&path).map_err(words)?;
        graphs.push((bare.repo, bare.graph));
    }
    Ok(graphs)
}

/// Returns so many pieces of each recorded graph. A piece ends at a random revision, and starts 1 to 250 first parents before
/// it.
pub(super) fn pieces(data: &Path, of_each: usize) -> Result<Vec<Range>, String> {
    let mut pieces = Vec::new();
    for (number, (name, graph)) in graphs(data)?.iter().enumerate() {
        let mut random = Random::new(number as u64);
        let mut found = 0;
        for _ in 0..100 * of_each {
            if found == of_each {
                break;
            }
            let bad = random.below(graph.len() as u64) as Node;
            let steps = 1 + random.below(250);
            let mut good = bad;
            for _ in 0..steps {
                good = graph.parents(good).first().copied().unwrap_or(good);
            }
            if good != bad {
                let piece = Range::piece(name, graph, bad, good)?;
                found += usize::from(piece.is_some());
                pieces.extend(piece);
            }
        }
    }
    Ok(pieces)
}
