//! Simulated histories and outcomes, determined by a seed.

use firstbad::graph::Node;
use firstbad::{CommitGraph, GraphBuilder, Outcome};

/// A small pseudo-random number generator (SplitMix64).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Creates a generator from a seed. The same seed always gives the same numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// Returns the next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.draw() % bound
    }

    /// Returns a number in [0, 1).
    pub fn fraction(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns true with a probability of `per_mille` in 1,000.
    pub fn chance(&mut self, per_mille: u64) -> bool {
        self.below(1000) < per_mille
    }
}

/// The shape of a simulated history.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// The number of revisions.
    pub revisions: usize,
    /// The number of merges per 1,000 revisions. One in twenty is an octopus merge.
    pub merges: u64,
    /// The maximum distance back to the start of a branch or to a merged revision.
    pub window: u64,
    /// The number of revisions per 1,000 that start a branch instead of following the previous revision.
    pub forks: u64,
    /// The number of further roots per 1,000 revisions.
    pub roots: u64,
    /// The number of revisions per 1,000 whose time is wrong by up to the window.
    pub skew: u64,
}

impl Shape {
    /// Returns a shape with many merges, some branches, few further roots, and no skew.
    #[must_use]
    pub fn branchy(revisions: usize) -> Self {
        Shape { revisions, merges: 250, window: 30, forks: 150, roots: 2, skew: 0 }
    }
}

/// Creates a history of a shape. Ids look like those of Git. Times increase by about a minute per revision.
///
/// # Errors
/// [`firstbad::Error::EmptyGraph`] if the shape has no revisions.
pub fn history(shape: &Shape, seed: u64) -> Result<CommitGraph, firstbad::Error> {
    let mut random = Random::new(seed);
    let mut builder = GraphBuilder::new();
    for node in 0..shape.revisions as u64 {
        let mut parents: Vec<Node> = Vec::new();
        let back = |random: &mut Random| (node - 1 - random.below(shape.window.min(node))) as Node;
        if node > 0 && !random.chance(shape.roots) {
            parents.push(if random.chance(shape.forks) { back(&mut random) } else { (node - 1) as Node });
            if random.chance(shape.merges) {
                let others = if random.chance(50) { 3 } else { 1 };
                for _ in 0..others {
                    let other = back(&mut random);
                    if !parents.contains(&other) {
                        parents.push(other);
                    }
                }
            }
        }
        let skewed = if random.chance(shape.skew) { 60 * random.below(shape.window + 1) } else { 0 };
        let time = 1_500_000_000 + 60 * node + random.below(60) - skewed;
        // The order of the ids is unrelated to the order of the revisions.
        let id = format!("{:016x}{node:08x}", Random::new(seed ^ (node << 20)).draw());
        builder.numbered_revision(&id, &parents).time(time as i64);
    }
    builder.build()
}

/// Returns outcomes with one culprit. It and all of its descendants fail.
#[must_use]
pub fn monotonic(graph: &CommitGraph, culprit: Node) -> Vec<Outcome> {
    let failing = graph.descendants(&[culprit]);
    (0..graph.len()).map(|node| if failing.contains(node) { Outcome::Fail } else { Outcome::Pass }).collect()
}

/// Returns outcomes that change repeatedly. Each revision has the outcome of its first parent, except for `turns` per 1,000
/// revisions.
#[must_use]
pub fn alternating(graph: &CommitGraph, turns: u64, seed: u64) -> Vec<Outcome> {
    let mut random = Random::new(seed);
    let mut outcomes = Vec::with_capacity(graph.len());
    for node in 0..graph.len() as Node {
        let before = graph.parents(node).first().map_or(Outcome::Pass, |&parent| outcomes[parent as usize]);
        outcomes.push(if random.chance(turns) { Outcome::swapped(before) } else { before });
    }
    outcomes
}

/// Makes `blocks` runs of up to `length` neighbors in topological order unresolved.
pub fn unresolve(outcomes: &mut [Outcome], blocks: usize, length: u64, seed: u64) {
    let mut random = Random::new(seed);
    for _ in 0..blocks {
        let start = random.below(outcomes.len() as u64) as usize;
        let end = (start + 1 + random.below(length) as usize).min(outcomes.len());
        outcomes[start..end].fill(Outcome::Unresolved);
    }
}
