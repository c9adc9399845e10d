//! Series-parallel reduction: folds linear runs and parallel runs of commits.

use firstbad::graph::{CommitGraph, Node};
use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use super::sketch::{Fold, Link, Sketch, Vertex};

/// Folds linear runs of commits only, so that forks and merges remain visible.
pub(super) fn series(graph: &CommitGraph, shown: &FixedBitSet, kept: &[Node]) -> Sketch {
    reduced(graph, shown, kept, false)
}

/// Folds linear and parallel runs of commits in O(V + E).
pub(super) fn series_parallel(graph: &CommitGraph, shown: &FixedBitSet, kept: &[Node]) -> Sketch {
    reduced(graph, shown, kept, true)
}

fn reduced(graph: &CommitGraph, shown: &FixedBitSet, kept: &[Node], joins: bool) -> Sketch {
    let mut stays = graph.none();
    stays.extend(kept.iter().map(|&node| node as usize));
    let mut reduction = Reduction::new(graph, shown, joins);
    let mut open: Vec<Node> = shown.ones().filter(|&node| !stays.contains(node)).map(|node| node as Node).collect();
    while let Some(node) = open.pop() {
        if let Some(ends) = reduction.take_out(node) {
            open.extend(ends.into_iter().filter(|&end| !stays.contains(end as usize)));
        }
    }
    reduction.sketch(shown)
}

/// A line from an older to a newer commit, with the folded commits between them.
#[derive(Debug, Clone, Copy)]
struct Line {
    from: Node,
    to: Node,
    between: Fold,
    first: bool,
    is_there: bool,
}

#[derive(Debug)]
struct Reduction {
    lines: Vec<Line>,
    /// The incoming and outgoing lines of each commit, including removed lines.
    into: Vec<Vec<usize>>,
    out: Vec<Vec<usize>>,
    /// The numbers of remaining lines.
    ins: Vec<u32>,
    outs: Vec<u32>,
    by_ends: HashMap<(Node, Node), usize>,
    gone: FixedBitSet,
    /// Whether to fold parallel runs.
    joins: bool,
}

impl Reduction {
    fn new(graph: &CommitGraph, shown: &FixedBitSet, joins: bool) -> Self {
        let count = graph.len();
        let mut reduction = Reduction {
            lines: Vec::with_capacity(shown.count_ones(..)),
            into: vec![Vec::new(); count],
            out: vec![Vec::new(); count],
            ins: vec![0; count],
            outs: vec![0; count],
            by_ends: HashMap::new(),
            gone: graph.none(),
            joins,
        };
        for to in shown.ones().map(|node| node as Node) {
            for (nth, &from) in graph.parents(to).iter().enumerate() {
                if shown.contains(from as usize) {
                    reduction.add(Line { from, to, between: Fold::NONE, first: nth == 0, is_there: true });
                }
            }
        }
        reduction
    }

    /// Adds a line, or joins the line with a parallel line.
    fn add(&mut self, line: Line) {
        if let Some(&same) = self.by_ends.get(&(line.from, line.to)).filter(|_| self.joins) {
            let same = &mut self.lines[same];
            same.between = same.between.and(line.between);
            same.first |= line.first;
            return;
        }
        let place = self.lines.len();
        self.lines.push(line);
        self.by_ends.insert((line.from, line.to), place);
        self.into[line.to as usize].push(place);
        self.out[line.from as usize].push(place);
        self.ins[line.to as usize] += 1;
        self.outs[line.from as usize] += 1;
    }

    fn remove(&mut self, place: usize) -> Line {
        self.lines[place].is_there = false;
        let line = self.lines[place];
        self.by_ends.remove(&(line.from, line.to));
        self.ins[line.to as usize] -= 1;
        self.outs[line.from as usize] -= 1;
        line
    }

    /// Removes a commit if it has one line on each side, and returns the neighbors.
    fn take_out(&mut self, node: Node) -> Option<[Node; 2]> {
        let index = node as usize;
        if self.gone.contains(index) || self.ins[index] != 1 || self.outs[index] != 1 {
            return None;
        }
        let there = |places: &[usize]| places.iter().copied().find(|&place| self.lines[place].is_there);
        let (older, newer) = (there(&self.into[index])?, there(&self.out[index])?);
        let (older, newer) = (self.remove(older), self.remove(newer));
        self.gone.insert(index);
        let between = older.between.and(Fold::of(node)).and(newer.between);
        self.add(Line { from: older.from, to: newer.to, between, first: newer.first, is_there: true });
        Some([older.from, newer.to])
    }

    fn sketch(&self, shown: &FixedBitSet) -> Sketch {
        let mut sketch = Sketch::default();
        let mut places: HashMap<Node, usize> = HashMap::new();
        for node in shown.ones().filter(|&node| !self.gone.contains(node)).map(|node| node as Node) {
            places.insert(node, sketch.vertices.len());
            sketch.vertices.push(Vertex::Commit(node));
        }
        for line in self.lines.iter().filter(|line| line.is_there) {
            let (mut from, to, first) = (places[&line.from], places[&line.to], line.first);
            if line.between.count > 0 {
                let place = sketch.vertices.len();
                sketch.vertices.push(line.between.vertex());
                sketch.links.push(Link { from, to: place, first: true });
                from = place;
            }
            sketch.links.push(Link { from, to, first });
        }
        sketch
    }
}
