//! Histories and outcomes made from a seed: the same seed, the same history.

use firstbad::graph::Node;
use firstbad::{CommitGraph, GraphBuilder, Outcome};

/// A small generator of pseudo-random numbers (SplitMix64).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator that always gives the same numbers for the same seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.draw() % bound
    }

    /// A number in [0, 1).
    pub fn fraction(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True in `per_mille` of 1,000 cases.
    pub fn chance(&mut self, per_mille: u64) -> bool {
        self.below(1000) < per_mille
    }
}

/// The shape of a simulated history.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// How many revisions.
    pub revisions: usize,
    /// Merges per 1,000 revisions; one in twenty is an octopus.
    pub merges: u64,
    /// How far back, at most, a branch leaves from or a merge reaches to.
    pub window: u64,
    /// Revisions per 1,000 that do not follow the one before them, but start a branch.
    pub forks: u64,
    /// Further roots per 1,000 revisions.
    pub roots: u64,
    /// Revisions per 1,000 whose time is wrong by up to the window.
    pub skew: u64,
}

impl Shape {
    /// A lively history: many merges, some branches, hardly a further root, no skew.
    #[must_use]
    pub fn branchy(revisions: usize) -> Self {
        Shape { revisions, merges: 250, window: 30, forks: 150, roots: 2, skew: 0 }
    }
}

/// A history of a shape. Ids look like those of git; times go up by about a minute per revision.
///
/// # Errors
/// [`firstbad::Error::EmptyGraph`] for a shape without revisions.
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
        // Scrambled, so that the order of ids says nothing about the order of revisions.
        let id = format!("{:016x}{node:08x}", Random::new(seed ^ (node << 20)).draw());
        builder.numbered_revision(&id, &parents).time(time as i64);
    }
    builder.build()
}

/// Outcomes as one culprit makes them: it and all that come from it fail.
#[must_use]
pub fn monotonic(graph: &CommitGraph, culprit: Node) -> Vec<Outcome> {
    let failing = graph.descendants(&[culprit]);
    (0..graph.len()).map(|node| if failing.contains(node) { Outcome::Fail } else { Outcome::Pass }).collect()
}

/// Outcomes that come and go: each revision follows its first parent, and per 1,000 revisions `turns` change.
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

/// Makes blocks of revisions unresolved: `blocks` runs of up to `length` neighbours in topological order.
pub fn unresolve(outcomes: &mut [Outcome], blocks: usize, length: u64, seed: u64) {
    let mut random = Random::new(seed);
    for _ in 0..blocks {
        let start = random.below(outcomes.len() as u64) as usize;
        let end = (start + 1 + random.below(length) as usize).min(outcomes.len());
        outcomes[start..end].fill(Outcome::Unresolved);
    }
}
