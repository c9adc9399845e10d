//! Exact weighted sums over ancestors, which bisection on a DAG needs.

use fixedbitset::FixedBitSet;

use super::{CommitGraph, Node};

/// The number of words of a block. Ancestor sets are computed for `64 * WORDS` members at a time.
const WORDS: usize = 8;
const BITS: usize = 64 * WORDS;
const OUTSIDE: u32 = u32::MAX;

/// For each revision of a set, the sum of weights over its ancestors in the set, including the revision.
///
/// Git walks the history once for each merge, which takes quadratic time. This algorithm collapses chains and moves sets of 512
/// ancestors along the remaining links. Sets that are complete or empty need no bits, which is common away from parallel
/// branches. Time is O(V * E / 512) in the worst case, and memory is O(V + E).
#[derive(Debug, Clone)]
pub struct AncestorSums {
    members: Vec<Node>,
    sums: Vec<f64>,
}

/// The known part of a chain's ancestor set in the current block.
#[derive(Clone, Copy, PartialEq)]
enum Extent {
    Nothing,
    Some,
    Everything,
}

/// Chains of members in which each has one parent and this parent has one child. Only whole chains are reached.
struct Chains {
    /// The chain of each member.
    chain_of: Box<[u32]>,
    /// The members of all chains, each chain from bottom to top. The index of a member is the number of its bit.
    bits: Box<[u32]>,
    /// The start of each chain in `bits`, followed by the end of the last chain.
    starts: Box<[u32]>,
    /// The chains directly below the bottom of each chain, in compressed rows.
    below_starts: Box<[u32]>,
    below: Box<[u32]>,
}

impl AncestorSums {
    /// Computes the sums for `set`. `weights` are parallel to the members of the set in ascending order.
    ///
    /// Sums of whole numbers below 2^53 are exact.
    #[must_use]
    pub fn new(graph: &CommitGraph, set: &FixedBitSet, weights: &[f64]) -> Self {
        let members: Vec<Node> = set.ones().map(|node| node as Node).collect();
        let sums = if graph.is_line(set, &members) {
            let mut sum = 0.0;
            let mut add = |weight: &f64| {
                sum += weight;
                sum
            };
            weights.iter().map(&mut add).collect()
        } else {
            Chains::new(graph, &members).sums(weights)
        };
        AncestorSums { members, sums }
    }

    /// Computes the number of ancestors of each member in the set, including the member.
    #[must_use]
    pub fn counts(graph: &CommitGraph, set: &FixedBitSet) -> Self {
        Self::new(graph, set, &vec![1.0; set.count_ones(..)])
    }

    /// Returns the members with their sums, in topological order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Node, f64)> + '_ {
        self.members.iter().copied().zip(self.sums.iter().copied())
    }

    /// Returns the sum of a member, or `None` for other revisions.
    #[must_use]
    pub fn get(&self, node: Node) -> Option<f64> {
        self.members.binary_search(&node).ok().map(|place| self.sums[place])
    }
}

impl CommitGraph {
    /// Returns whether each member, in ascending order, has exactly one parent in the set, the previous member. This holds for
    /// lists of builds and near the end of a search.
    pub(crate) fn is_line(&self, set: &FixedBitSet, members: &[Node]) -> bool {
        members.windows(2).all(|pair| match self.parents(pair[1]) {
            &[parent] => parent == pair[0],
            parents => {
                parents.contains(&pair[0])
                    && parents.iter().filter(|&&parent| set.contains(parent as usize)).count() == 1
            }
        })
    }
}

impl Chains {
    fn new(graph: &CommitGraph, members: &[Node]) -> Self {
        let place: &mut [u32] = &mut vec![OUTSIDE; members.last().map_or(0, |&last| last as usize + 1)];
        for (i, &node) in members.iter().enumerate() {
            place[node as usize] = i as u32;
        }
        let parents = |i: usize| {
            graph.parents(members[i]).iter().map(|&parent| place[parent as usize]).filter(|&parent| parent != OUTSIDE)
        };
        let children: &mut [u32] = &mut vec![0; members.len()];
        for i in 0..members.len() {
            parents(i).for_each(|parent| children[parent as usize] += 1);
        }
        // Two passes, members to chains and chains to members, avoid a vector for each chain.
        let mut chain_of = vec![0u32; members.len()].into_boxed_slice();
        let mut lengths: Vec<u32> = Vec::new();
        let mut bottoms: Vec<u32> = Vec::new();
        for i in 0..members.len() {
            let mut below = parents(i);
            let first = below.next();
            match (first, below.next()) {
                (Some(parent), None) if children[parent as usize] == 1 => {
                    chain_of[i] = chain_of[parent as usize];
                    lengths[chain_of[i] as usize] += 1;
                }
                _ => {
                    chain_of[i] = lengths.len() as u32;
                    lengths.push(1);
                    bottoms.push(i as u32);
                }
            }
        }
        let mut starts = Vec::with_capacity(lengths.len() + 1);
        let mut end = 0;
        starts.push(0);
        for length in lengths {
            end += length;
            starts.push(end);
        }
        let next: &mut [u32] = &mut starts.clone();
        let mut bits = vec![0u32; members.len()].into_boxed_slice();
        for (i, &chain) in chain_of.iter().enumerate() {
            bits[next[chain as usize] as usize] = i as u32;
            next[chain as usize] += 1;
        }
        let mut below_starts = vec![0];
        let mut below = Vec::new();
        for bottom in bottoms {
            below.extend(parents(bottom as usize).map(|parent| chain_of[parent as usize]));
            below_starts.push(below.len() as u32);
        }
        Chains { chain_of, bits, starts: starts.into(), below_starts: below_starts.into(), below: below.into() }
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline(always)]
    fn below(&self, chain: usize) -> &[u32] {
        &self.below[self.below_starts[chain] as usize..self.below_starts[chain + 1] as usize]
    }

    fn sums(&self, weights: &[f64]) -> Vec<f64> {
        // The sum below each chain. Blocks compute it for chains with several chains below, and addition computes it for the
        // others.
        let meets: Vec<bool> = (0..self.len()).map(|chain| self.below(chain).len() > 1).collect();
        let mut base = vec![0.0; self.len()];
        if meets.contains(&true) {
            self.sums_at_meetings(weights, &meets, &mut base);
        }
        let mut all = vec![0.0; weights.len()];
        let sums: &mut [f64] = &mut all;
        for (chain, &base) in base.iter().enumerate() {
            let mut sum = match *self.below(chain) {
                // The top of the chain below.
                [parent] => sums[self.bits[self.starts[parent as usize + 1] as usize - 1] as usize],
                _ => base,
            };
            for &member in &self.bits[self.starts[chain] as usize..self.starts[chain + 1] as usize] {
                sum += weights[member as usize];
                sums[member as usize] = sum;
            }
        }
        debug_assert_eq!(self.chain_of.len(), sums.len());
        all
    }

    fn sums_at_meetings(&self, weights: &[f64], meets: &[bool], base: &mut [f64]) {
        let last_meeting = meets.iter().rposition(|&meets| meets).unwrap_or(0);
        let rows: &mut [[u64; WORDS]] = &mut vec![[0; WORDS]; self.len()];
        let extents: &mut [Extent] = &mut vec![Extent::Nothing; self.len()];
        let mut first_chain = 0;
        for from in (0..self.bits.len()).step_by(BITS) {
            let to = (from + BITS).min(self.bits.len());
            while self.starts[first_chain + 1] as usize <= from {
                extents[first_chain] = Extent::Nothing;
                first_chain += 1;
            }
            let block = Block::new(self.bits[from..to].iter().map(|&member| weights[member as usize]));
            for chain in first_chain..=last_meeting {
                let mut row = [0u64; WORDS];
                let mut extent = Extent::Nothing;
                for &parent in self.below(chain) {
                    // Chains before the block contain none of it.
                    if (parent as usize) < first_chain {
                        continue;
                    }
                    match extents[parent as usize] {
                        Extent::Nothing => {}
                        Extent::Everything => extent = Extent::Everything,
                        Extent::Some if extent == Extent::Everything => {}
                        Extent::Some => {
                            extent = Extent::Some;
                            let other = &rows[parent as usize];
                            for (word, other) in row.iter_mut().zip(other) {
                                *word |= other;
                            }
                        }
                    }
                }
                if meets[chain] {
                    if extent == Extent::Some && block.is_all(&row) {
                        extent = Extent::Everything;
                    }
                    base[chain] += match extent {
                        Extent::Nothing => 0.0,
                        Extent::Everything => block.total,
                        Extent::Some => block.weigh(&row),
                    };
                }
                let own = (self.starts[chain] as usize).max(from)..(self.starts[chain + 1] as usize).min(to);
                if !own.is_empty() && extent != Extent::Everything {
                    for bit in own {
                        row[(bit - from) / 64] |= 1 << ((bit - from) % 64);
                    }
                    extent = if block.is_all(&row) { Extent::Everything } else { Extent::Some };
                }
                extents[chain] = extent;
                if extent == Extent::Some {
                    rows[chain] = row;
                }
            }
        }
    }
}

/// The weights of one block of bits.
struct Block {
    /// Every bit of the block.
    all: [u64; WORDS],
    /// The weight of each bit.
    weights: Box<[f64]>,
    /// The common weight of all bits of a word, or `None` if the weights differ.
    uniform: [Option<f64>; WORDS],
    total: f64,
}

impl Block {
    fn new(weights: impl Iterator<Item = f64>) -> Self {
        let weights: Box<[f64]> = weights.collect();
        let mut all = [0u64; WORDS];
        let mut uniform = [None; WORDS];
        for (word, chunk) in weights.chunks(64).enumerate() {
            all[word] = u64::MAX >> (64 - chunk.len());
            uniform[word] = chunk.iter().all(|&weight| weight == chunk[0]).then_some(chunk[0]);
        }
        Block { all, total: weights.iter().sum(), uniform, weights }
    }

    fn is_all(&self, row: &[u64; WORDS]) -> bool {
        *row == self.all
    }

    fn weigh(&self, row: &[u64; WORDS]) -> f64 {
        let mut sum = 0.0;
        for (word, &bits) in row.iter().enumerate() {
            if let Some(weight) = self.uniform[word] {
                sum += weight * f64::from(bits.count_ones());
                continue;
            }
            let mut bits = bits;
            while bits != 0 {
                sum += self.weights[64 * word + bits.trailing_zeros() as usize];
                bits &= bits - 1;
            }
        }
        sum
    }
}
