//! Ranges of a history around a culprit, as somebody might have to bisect them.

use std::collections::BTreeSet;
use std::sync::Arc;

use firstbad::graph::Node;
use firstbad::{CommitGraph, Outcome};
use firstbad_testkit::replay::Case;
use firstbad_testkit::simulated::{Random, monotonic};

/// How many suspects there are at least and at most; as a power of 2 all sizes between are equally likely.
const SIZES: (f64, f64) = (7.0, 10.0);

/// A range with fewer is left out: the history does not go back far enough.
const LEAST: usize = 32;

/// A range of a history: what fails from the culprit on is bisected between two ends.
#[derive(Debug)]
pub(super) struct Range {
    /// The older end, and the newer one.
    pub(super) good: String,
    pub(super) bad: String,
    pub(super) case: Case,
}

/// The name of all that is before a range.
const BEFORE: &str = "good";

/// A range of 128 to 1,024 suspects with the culprit at a random place: the newer end is on a way from the culprit to the
/// parent of its fix, and has as many suspects from the culprit on as were drawn, or as there are; the older end is on the
/// line of first parents of the culprit. `None` if the culprit is no ancestor of the fix, or the history is too short.
pub(super) fn draw(graph: &CommitGraph, culprit: &str, fix: &str, random: &mut Random) -> Option<Range> {
    let (culprit, fix) = (graph.get(culprit)?, graph.get(fix)?);
    let size = 2f64.powf(SIZES.0 + (SIZES.1 - SIZES.0) * random.below(1 << 20) as f64 / f64::from(1 << 20)) as usize;
    let after = random.below(size as u64) as usize;
    let before_culprit = graph.ancestors(&[culprit]);
    let count = |newer: Node, older: Node| {
        let mut between = graph.ancestors(&[newer]);
        between.difference_with(&graph.ancestors(&[older]));
        between.count_ones(..)
    };
    let descends = graph.descendants(&[culprit]);
    let is_after = |node: &Node| descends.contains(*node as usize);
    // From the parent of the fix back to the culprit, by first parents where these lead there.
    let mut way = Vec::new();
    let mut at = graph.parents(fix).iter().copied().find(is_after)?;
    while at != culprit {
        way.push(at);
        at = graph.parents(at).iter().copied().find(is_after)?;
    }
    way.push(culprit);
    way.reverse();
    let newer = way[way.partition_point(|&node| count(node, culprit) <= after).saturating_sub(1)];
    let mut line = Vec::new();
    let mut at = culprit;
    while let Some(&parent) = graph.parents(at).first() {
        line.push(parent);
        at = parent;
    }
    // Where the history is too short, all of it.
    let older = *line.get(line.partition_point(|&node| count(newer, node) < size)).or(line.last())?;
    debug_assert!(before_culprit.contains(older as usize));
    let case = case(graph, older, newer, culprit)?;
    Some(Range { good: graph.id(older).to_owned(), bad: graph.id(newer).to_owned(), case })
}

/// The suspects alone, on one revision that stands for all before them, failing from the culprit on.
fn case(graph: &CommitGraph, older: Node, newer: Node, culprit: Node) -> Option<Case> {
    let mut suspects = graph.ancestors(&[newer]);
    suspects.difference_with(&graph.ancestors(&[older]));
    if suspects.count_ones(..) < LEAST {
        return None;
    }
    let parents = |node: Node| {
        let known =
            |parent: &Node| if suspects.contains(*parent as usize) { graph.id(*parent) } else { BEFORE }.to_owned();
        let mut seen = BTreeSet::new();
        let mut parents: Vec<String> =
            graph.parents(node).iter().map(known).filter(|parent| seen.insert(parent.clone())).collect();
        if parents.is_empty() {
            parents.push(BEFORE.to_owned());
        }
        parents
    };
    let revisions = std::iter::once((BEFORE.to_owned(), Vec::new()))
        .chain(suspects.ones().map(|node| (graph.id(node as Node).to_owned(), parents(node as Node))));
    let inside = Arc::new(CommitGraph::new(revisions).ok()?);
    let outcomes: Arc<[Outcome]> = monotonic(&inside, inside.get(graph.id(culprit))?).into();
    let (leaves, goods) = (vec![inside.get(graph.id(newer))?], vec![inside.get(BEFORE)?]);
    Some(Case { graph: inside, outcomes, leaves, goods })
}
