//! Lanes: the trunk first, then merged branches, the shortest first, then other tips.

use std::ops::Range;

use super::sketch::Sketch;

#[derive(Debug)]
pub(super) struct Lanes {
    /// The lane of each vertex.
    pub(super) of: Vec<usize>,
    /// The lane of each link between the columns of its endpoints.
    pub(super) ways: Vec<usize>,
    /// Whether a lane is taken in a column.
    taken: Vec<Vec<bool>>,
}

/// A chain of first parents, with its links and the links to its neighbors.
#[derive(Debug)]
struct Path {
    /// The vertices, the newest first.
    vertices: Vec<usize>,
    links: Vec<usize>,
    /// The columns from the first to the last vertex.
    columns: Range<usize>,
}

struct Placing<'a> {
    sketch: &'a Sketch,
    layers: &'a [usize],
    columns: usize,
    of: Vec<Option<usize>>,
    ways: Vec<Option<usize>>,
    taken: Vec<Vec<bool>>,
    /// The incoming links of each vertex, first parents first.
    into: Vec<Vec<usize>>,
}

impl Lanes {
    pub(super) fn new(sketch: &Sketch, layers: &[usize], tails: &[usize], tips: &[usize]) -> Lanes {
        let mut into = vec![Vec::new(); layers.len()];
        for (place, link) in sketch.links.iter().enumerate() {
            into[link.to].push(place);
        }
        for links in &mut into {
            links.sort_by_key(|&link: &usize| !sketch.links[link].first);
        }
        let columns = layers.iter().max().map_or(0, |last| last + 1);
        let (of, ways) = (vec![None; layers.len()], vec![None; sketch.links.len()]);
        let mut placing = Placing { sketch, layers, columns, of, ways, taken: Vec::new(), into };
        for &tip in tips {
            placing.tip(tip, tails[tip]);
        }
        // Place the vertices that lead to no tip, the newest first.
        for one in sketch.order().into_iter().rev() {
            placing.tip(one, tails[one]);
        }
        placing.other_links();
        let of = placing.of.into_iter().map(|lane| lane.unwrap_or(0)).collect();
        let ways = placing.ways.into_iter().map(|way| way.unwrap_or(0)).collect();
        Lanes { of, ways, taken: placing.taken }
    }

    pub(super) fn count(&self) -> usize {
        self.taken.len().max(1)
    }
}

impl Placing<'_> {
    /// Places a tip, its first parents, and the branches merged into them.
    fn tip(&mut self, tip: usize, tail: usize) {
        if self.of[tip].is_some() {
            return;
        }
        let mut path = self.path(tip);
        path.columns.end = (path.columns.end + tail).min(self.columns);
        let mut placed = self.place(path);
        while !placed.is_empty() {
            let merged = placed.iter().flat_map(|&merge| self.into[merge].iter().copied());
            let from = |link: usize| self.sketch.links[link].from;
            let mut sides: Vec<(usize, usize)> = merged
                .filter(|&link| self.of[from(link)].is_none())
                .map(|link| (self.side(link).columns.len(), link))
                .collect();
            sides.sort_unstable();
            placed.clear();
            for (_, link) in sides {
                // The history that two merges share is already placed with the shorter branch.
                if self.of[from(link)].is_none() {
                    let side = self.side(link);
                    placed.extend(self.place(side));
                }
            }
        }
    }

    /// Returns the branch that a link merges.
    fn side(&self, link: usize) -> Path {
        let mut path = self.path(self.sketch.links[link].from);
        path.columns.end = self.layers[self.sketch.links[link].to];
        path.links.push(link);
        path
    }

    /// Returns a vertex and its first parents that are not placed yet.
    fn path(&self, newest: usize) -> Path {
        let mut vertices = vec![newest];
        let mut links = Vec::new();
        let mut start = self.layers[newest];
        let mut at = newest;
        while let Some(&link) = self.into[at].first() {
            let from = self.sketch.links[link].from;
            links.push(link);
            start = self.layers[from];
            if self.of[from].is_some() {
                start += 1;
                break;
            }
            vertices.push(from);
            at = from;
        }
        Path { vertices, links, columns: start..self.layers[newest] + 1 }
    }

    /// Places a path in the lowest free lane and returns its vertices.
    fn place(&mut self, path: Path) -> Vec<usize> {
        let lane = self.lowest(0, &path.columns);
        self.take(lane, &path.columns);
        for &one in &path.vertices {
            self.of[one] = Some(lane);
        }
        for link in path.links {
            self.ways[link] = Some(lane);
        }
        path.vertices
    }

    fn is_free(&self, lane: usize, columns: &Range<usize>) -> bool {
        self.taken.get(lane).is_none_or(|taken| !taken[columns.clone()].contains(&true))
    }

    fn lowest(&self, from: usize, columns: &Range<usize>) -> usize {
        (from..).find(|&lane| self.is_free(lane, columns)).unwrap_or(from)
    }

    fn take(&mut self, lane: usize, columns: &Range<usize>) {
        while self.taken.len() <= lane {
            self.taken.push(vec![false; self.columns]);
        }
        self.taken[lane][columns.clone()].fill(true);
    }

    /// Places links outside of paths in a free lane near their endpoints.
    fn other_links(&mut self) {
        for link in 0..self.sketch.links.len() {
            if self.ways[link].is_some() {
                continue;
            }
            let (from, to) = (self.sketch.links[link].from, self.sketch.links[link].to);
            let columns = self.layers[from] + 1..self.layers[to];
            let (start, end) = (self.of[from].unwrap_or(0), self.of[to].unwrap_or(0));
            if columns.is_empty() {
                self.ways[link] = Some(end);
                continue;
            }
            let own = [start, end].into_iter().find(|&lane| self.is_free(lane, &columns));
            let lane = own.unwrap_or_else(|| self.lowest(start.min(end), &columns));
            self.take(lane, &columns);
            self.ways[link] = Some(lane);
        }
    }
}
