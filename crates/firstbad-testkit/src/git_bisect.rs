//! An independent implementation of Git's bisection after `bisect.c` (Git 2.47), for comparison in benchmarks.
//!
//! The code follows Git without optimizations. The list has the order of Git's walk (by date, then first in, first out),
//! reversed. A separate walk computes the weight of each merge and stops at the first revision near the middle. Sweeps fill in
//! the other weights. After a skip, all revisions are weighed and sorted by distance and id, and a pseudo-random step leads away
//! from skipped ones.

use std::collections::{BTreeSet, BinaryHeap, HashMap};

use firstbad::graph::Node;
use firstbad::{CommitGraph, Outcome};

/// The next step of `git bisect`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// "Bisecting: ... left to test after this": test this revision.
    Test(Node),
    /// "is the first bad commit".
    FirstBad(Node),
    /// "There are only 'skip'ped commits left to test". This revision is bad, and the skipped ones could be the culprit.
    OnlySkippedLeft(Node),
}

impl Step {
    /// Returns the bad revision of a final step.
    #[must_use]
    pub fn answer(&self) -> Option<Node> {
        match *self {
            Step::Test(_) => None,
            Step::FirstBad(bad) | Step::OnlySkippedLeft(bad) => Some(bad),
        }
    }
}

/// A bisection in progress.
#[derive(Debug, Clone)]
pub struct GitBisect<'g> {
    graph: &'g CommitGraph,
    bad: Node,
    good: Vec<Node>,
    skipped: BTreeSet<Node>,
}

/// The suspects in Git's order, with their positions.
struct Listing {
    list: Vec<Node>,
    place: HashMap<Node, usize>,
}

impl<'g> GitBisect<'g> {
    /// Starts a bisection like `git bisect start bad good...`. Without good revisions, all ancestors are suspects.
    #[must_use]
    pub fn new(graph: &'g CommitGraph, bad: Node, good: &[Node]) -> Self {
        GitBisect { graph, bad, good: good.to_vec(), skipped: BTreeSet::new() }
    }

    /// Tells an outcome, like `git bisect good|bad|skip revision`.
    pub fn tell(&mut self, revision: Node, outcome: Outcome) {
        match outcome {
            Outcome::Pass => self.good.push(revision),
            Outcome::Fail => self.bad = revision,
            Outcome::Unresolved => {
                self.skipped.insert(revision);
            }
        }
    }

    /// Returns the next step, like `bisect_next_all`.
    #[must_use]
    pub fn step(&self) -> Step {
        let listing = self.listing();
        if self.skipped.is_empty() {
            let choice = self.find_bisection(&listing);
            return if choice == self.bad { Step::FirstBad(choice) } else { Step::Test(choice) };
        }
        let sorted = self.best_bisection_sorted(&listing);
        if sorted.first().is_some_and(|first| !self.skipped.contains(first)) {
            let first = sorted[0];
            return if first == self.bad { Step::FirstBad(first) } else { Step::Test(first) };
        }
        let untried: Vec<Node> = sorted.into_iter().filter(|node| !self.skipped.contains(node)).collect();
        match self.skip_away(&untried) {
            Some(choice) if choice != self.bad => Step::Test(choice),
            _ => Step::OnlySkippedLeft(self.bad),
        }
    }

    /// Returns the list of `limit_list`, reversed as in `find_bisection`.
    fn listing(&self) -> Listing {
        let uninteresting = self.graph.ancestors(&self.good);
        // The newest date comes first, and equal dates in the order in which they are found.
        let mut queue = BinaryHeap::from([(self.graph.time(self.bad), 0i64, self.bad)]);
        let mut met = BTreeSet::from([self.bad]);
        let mut list = Vec::new();
        while let Some((_, _, node)) = queue.pop() {
            list.push(node);
            for &parent in self.graph.parents(node) {
                if !uninteresting.contains(parent as usize) && met.insert(parent) {
                    queue.push((self.graph.time(parent), -(met.len() as i64), parent));
                }
            }
        }
        list.reverse();
        let place = list.iter().enumerate().map(|(place, &node)| (node, place)).collect();
        Listing { list, place }
    }

    /// `do_find_bisection` without `FIND_BISECTION_ALL`.
    fn find_bisection(&self, listing: &Listing) -> Node {
        let total = listing.list.len();
        match self.weights(listing, |weight| approx_halfway(weight, total)) {
            Err(choice) => choice,
            Ok(weights) => best_bisection(&listing.list, &weights),
        }
    }

    /// Returns the weight of each suspect: the number of suspects among its ancestors, including itself. Stops at the first
    /// weight in Git's order that is `enough`.
    fn weights(&self, listing: &Listing, enough: impl Fn(usize) -> bool) -> Result<Vec<usize>, Node> {
        let inside =
            |node: Node| self.graph.parents(node).iter().filter_map(|parent| listing.place.get(parent).copied());
        let mut weights: Vec<Option<usize>> =
            listing.list.iter().map(|&node| (inside(node).count() == 0).then_some(1)).collect();
        for (place, &node) in listing.list.iter().enumerate() {
            if inside(node).count() > 1 {
                let weight = self.count_distance(listing, place);
                weights[place] = Some(weight);
                if enough(weight) {
                    return Err(node);
                }
            }
        }
        while weights.contains(&None) {
            for (place, &node) in listing.list.iter().enumerate() {
                if weights[place].is_some() {
                    continue;
                }
                let Some(weight) = inside(node).find_map(|parent| weights[parent]) else { continue };
                weights[place] = Some(weight + 1);
                if enough(weight + 1) {
                    return Err(node);
                }
            }
        }
        Ok(weights.into_iter().flatten().collect())
    }

    fn count_distance(&self, listing: &Listing, place: usize) -> usize {
        let mut counted = vec![false; listing.list.len()];
        let mut stack = vec![place];
        let mut count = 0;
        while let Some(place) = stack.pop() {
            if !std::mem::replace(&mut counted[place], true) {
                count += 1;
                let parents = self.graph.parents(listing.list[place]);
                stack.extend(parents.iter().filter_map(|parent| listing.place.get(parent)));
            }
        }
        count
    }

    fn best_bisection_sorted(&self, listing: &Listing) -> Vec<Node> {
        let total = listing.list.len();
        let Ok(weights) = self.weights(listing, |_| false) else { return Vec::new() };
        let mut sorted: Vec<(usize, Node)> = listing
            .list
            .iter()
            .copied()
            .zip(weights)
            .map(|(node, weight)| (weight.min(total - weight), node))
            .collect();
        sorted.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| self.graph.id(a.1).cmp(self.graph.id(b.1))));
        sorted.into_iter().map(|(_, node)| node).collect()
    }

    fn skip_away(&self, list: &[Node]) -> Option<Node> {
        let prn = pseudo_random(list.len() as u32);
        let index = (list.len() as u32 * prn / PRN_MODULO) * square_root(prn) / square_root(PRN_MODULO);
        let index = index as usize;
        match list.get(index) {
            Some(&choice) if choice != self.bad => Some(choice),
            Some(_) if index > 0 => Some(list[index - 1]),
            _ => list.first().copied(),
        }
    }
}

fn best_bisection(list: &[Node], weights: &[usize]) -> Node {
    let mut best = (list[0], None);
    for (&node, &weight) in list.iter().zip(weights) {
        let distance = weight.min(list.len() - weight);
        if best.1.is_none_or(|longest| distance > longest) {
            best = (node, Some(distance));
        }
    }
    best.0
}

fn approx_halfway(weight: usize, total: usize) -> bool {
    let difference = (2 * weight).abs_diff(total);
    difference <= 1 || difference < total / 1024
}

const PRN_MODULO: u32 = 32768;

/// Git's `get_prn`.
fn pseudo_random(count: u32) -> u32 {
    (count.wrapping_mul(1_103_515_245).wrapping_add(12345) / 65536) % PRN_MODULO
}

/// Git's `sqrti`, also in single precision.
fn square_root(value: u32) -> u32 {
    if value == 0 {
        return 0;
    }
    let mut x = value as f32;
    loop {
        let y = (x + value as f32 / x) / 2.0;
        let difference = (y - x).abs();
        x = y;
        if difference < 0.5 {
            return x as u32;
        }
    }
}
