//! A history made small enough to look at: what matters stays, and what lies between is folded.

use std::collections::BTreeMap;

use firstbad::graph::{CommitGraph, Node};
use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use super::series::{series, series_parallel};
use super::sketch::{Fold, Link, Sketch};

/// How many commits and folds a picture has at most: what one can look through, and what a browser lays out at once.
pub(crate) const MOST: usize = 200;

/// How many commits are kept at most. A set of kept commits is one [`Set`].
const MOST_KEPT: usize = 128;

/// How many stand in a picture of a history by itself, before what is side by side is folded too.
const FORKS: usize = 60;

/// The part of a graph that is shown, folded. `kept` stay by themselves as far as there is room, the first of them first.
/// With `forks`, what is side by side stays so where that is not much.
pub(crate) fn fold(graph: &CommitGraph, shown: &FixedBitSet, kept: &[Node], forks: bool) -> Sketch {
    let mut kept = &kept[..kept.len().min(MOST_KEPT)];
    if forks {
        let sketch = series(graph, shown, kept);
        if sketch.vertices.len() <= FORKS {
            return sketch;
        }
    }
    let sketch = series_parallel(graph, shown, kept);
    // Where many forks and merges are left, single ones of them tell nothing.
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

/// All commits that come after the same kept ones and before the same kept ones are one fold.
///
/// That leaves no circle: along any path the kept ancestors grow and the kept descendants shrink, so whatever lies between
/// two commits of a fold belongs to it, and two folds that reach each other are one.
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
                // The oldest commit of a fold says where the fold comes from.
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
