//! Folding: the commits that matter remain, and the commits between them are folded.

use std::collections::BTreeMap;

use firstbad::graph::{CommitGraph, Node};
use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use super::series::{series, series_parallel};
use super::sketch::{Fold, Link, Sketch};

/// The largest number of commits and folds in a picture, for readers and browsers.
pub(crate) const MOST: usize = 200;

/// The largest number of kept commits, because a [`Set`] has 128 bits.
const MOST_KEPT: usize = 128;

/// The largest picture without a report that keeps parallel runs.
const FORKS: usize = 60;

/// Folds the shown part of a graph. The first commits of `kept` have priority.
pub(crate) fn fold(graph: &CommitGraph, shown: &FixedBitSet, kept: &[Node], forks: bool) -> Sketch {
    let mut kept = &kept[..kept.len().min(MOST_KEPT)];
    if forks {
        let sketch = series(graph, shown, kept);
        if sketch.vertices.len() <= FORKS {
            return sketch;
        }
    }
    let sketch = series_parallel(graph, shown, kept);
    // In a large picture, a single fork or merge is not informative.
    if sketch.vertices.len() <= (40 + 3 * kept.len()).min(MOST) {
        return sketch;
    }
    loop {
        let sketch = between(graph, shown, kept);
        if sketch.vertices.len() <= MOST || kept.is_empty() {
            return sketch;
        }
        kept = &kept[..kept.len() * 2 / 3];
    }
}

/// A set of kept commits.
type Set = u128;

/// Folds all commits that have the same kept ancestors and the same kept descendants.
///
/// The result has no cycle. Along a path, the set of kept ancestors only grows and the set of kept descendants only shrinks.
/// So every commit between two commits of a fold belongs to the fold.
fn between(graph: &CommitGraph, shown: &FixedBitSet, kept: &[Node]) -> Sketch {
    let bits: BTreeMap<Node, Set> = kept.iter().enumerate().map(|(place, &node)| (node, 1 << place)).collect();
    let bit = |node: Node| bits.get(&node).copied().unwrap_or(0);
    let (mut before, mut after) = (vec![0; graph.len()], vec![0; graph.len()]);
    for node in shown.ones().map(|node| node as Node) {
        let parents = graph.parents(node).iter().filter(|&&parent| shown.contains(parent as usize));
        before[node as usize] = parents.fold(0, |set, &parent| set | before[parent as usize] | bit(parent));
    }
    for node in shown.ones().rev().map(|node| node as Node) {
        let children = graph.children(node).iter().filter(|&&child| shown.contains(child as usize));
        after[node as usize] = children.fold(0, |set, &child| set | after[child as usize] | bit(child));
    }
    let mut folds: Vec<Fold> = Vec::new();
    let mut places: HashMap<(Set, Set, Set), usize> = HashMap::new();
    let mut place_of = vec![0; graph.len()];
    for node in shown.ones() {
        let key = (before[node], after[node], bit(node as Node));
        let place = *places.entry(key).or_insert(folds.len());
        place_of[node] = place;
        if place == folds.len() {
            folds.push(Fold::NONE);
        }
        folds[place] = folds[place].and(Fold::of(node as Node));
    }
    let mut links: BTreeMap<(usize, usize), bool> = BTreeMap::new();
    for node in shown.ones() {
        let to = place_of[node];
        for (nth, &parent) in graph.parents(node as Node).iter().enumerate() {
            if shown.contains(parent as usize) && place_of[parent as usize] != to {
                // The oldest commit of a fold decides about its first parent.
                let first = nth == 0 && folds[to].oldest == node as Node;
                *links.entry((place_of[parent as usize], to)).or_default() |= first;
            }
        }
    }
    let links = links.into_iter().map(|((from, to), first)| Link { from, to, first }).collect();
    let mut sketch = Sketch { vertices: folds.into_iter().map(Fold::vertex).collect(), links };
    if sketch.vertices.len() <= MOST {
        sketch.drop_short_cuts();
    }
    sketch
}
