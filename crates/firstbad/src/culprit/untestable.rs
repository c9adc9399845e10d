//! Suspects that are not worth a run: unresolved ones, those inside an unresolved block, and those with enough runs.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use super::belief::{Belief, Partition};
use crate::belief::Blocks;

/// The suspects that are not run, and the probability that the others are resolved.
pub(crate) struct Untestable<'a> {
    belief: &'a Belief,
    /// The places. Empty if every suspect can be run.
    places: FixedBitSet,
    is_empty: bool,
    blocks: Option<Stretches>,
}

/// Unresolved blocks, separately for each range of suspects that no resolved revision divides.
enum Stretches {
    /// On a line, by place.
    Line(Blocks),
    /// On a DAG, by class and by the rank of each place within its class.
    Dag { rank: Vec<u32>, of_class: HashMap<usize, (Blocks, usize)> },
}

impl<'a> Untestable<'a> {
    /// O(1) if every suspect can be run, otherwise O(n).
    pub(crate) fn new(belief: &'a Belief) -> Self {
        let spent: Vec<usize> = belief.spent().collect();
        let unresolved = belief.unresolved();
        let mut places = FixedBitSet::new();
        let is_empty = spent.is_empty() && unresolved.is_empty();
        if !is_empty {
            places.grow(belief.suspects.len());
            spent.iter().chain(unresolved).for_each(|&place| places.insert(place));
        }
        let blocks = (!unresolved.is_empty()).then(|| match belief.partition() {
            Partition::Line(ends) => {
                let blocks = Blocks::of_stretches(unresolved.chunk_by(|&one, &other| {
                    let class = |place: usize| ends.partition_point(|&end| end <= place);
                    class(one) == class(other)
                }));
                for (first, last) in blocks.iter() {
                    places.insert_range(first..last + 1);
                }
                Stretches::Line(blocks)
            }
            Partition::Dag(class_of) => {
                let (rank, of_class) = by_class(class_of, unresolved);
                let inside = |place: usize| {
                    let blocks = of_class.get(&(class_of[place] as usize));
                    blocks.is_some_and(|(blocks, count)| blocks.chance(rank[place] as usize, Some(&(0..*count))) == 0.0)
                };
                let between = between(belief, class_of);
                between.ones().filter(|&place| inside(place)).for_each(|place| places.insert(place));
                Stretches::Dag { rank, of_class }
            }
        });
        Untestable { belief, places, is_empty, blocks }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Whether this place is not run.
    pub(crate) fn contains(&self, place: usize) -> bool {
        self.places.contains(place)
    }

    /// The places, newest first.
    pub(crate) fn newest_first(&self) -> impl Iterator<Item = usize> + '_ {
        self.places.ones().rev()
    }

    /// The first and last place of each unresolved block, if the suspects are on a line.
    pub(crate) fn blocks_on_a_line(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let blocks = match &self.blocks {
            Some(Stretches::Line(blocks)) => Some(blocks.iter()),
            _ => None,
        };
        blocks.into_iter().flatten()
    }

    /// The probability that a place is resolved, in [0, 1]. 0 if the place is not run.
    pub(crate) fn chance(&self, place: usize) -> f64 {
        if self.contains(place) {
            return 0.0;
        }
        let class = self.belief.partition().class(place);
        let chance = match (&self.blocks, self.belief.partition()) {
            (Some(Stretches::Line(blocks)), Partition::Line(ends)) => {
                let start = class.checked_sub(1).map_or(0, |before| ends[before]);
                blocks.chance(place, Some(&(start..ends[class])))
            }
            (Some(Stretches::Dag { rank, of_class }), _) => of_class
                .get(&class)
                .map_or(1.0, |(blocks, count)| blocks.chance(rank[place] as usize, Some(&(0..*count)))),
            _ => return 1.0,
        };
        // Next to a block on another branch, a place is a last resort but not impossible.
        chance.max(LAST_RESORT)
    }
}

/// The lowest probability of a place outside a block.
const LAST_RESORT: f64 = 1e-3;

/// The rank of each place within its class, and for each class with unresolved members its blocks and its size.
fn by_class(class_of: &[u32], unresolved: &[usize]) -> (Vec<u32>, HashMap<usize, (Blocks, usize)>) {
    let classes = class_of.iter().max().map_or(0, |&class| class as usize + 1);
    let mut counts = vec![0; classes];
    let number = |&class: &u32| {
        let count = &mut counts[class as usize];
        *count += 1;
        *count - 1
    };
    let rank: Vec<u32> = class_of.iter().map(number).collect();
    let mut positions: HashMap<usize, Vec<usize>> = HashMap::new();
    for &place in unresolved {
        positions.entry(class_of[place] as usize).or_default().push(rank[place] as usize);
    }
    let blocks = |(class, positions): (usize, Vec<usize>)| (class, (Blocks::new(&positions), counts[class] as usize));
    let of_class = positions.into_iter().map(blocks).collect();
    (rank, of_class)
}

/// Places on a DAG between an unresolved ancestor and an unresolved descendant of the same class. O(V + E).
fn between(belief: &Belief, class_of: &[u32]) -> FixedBitSet {
    let suspects = &belief.suspects;
    let graph = &suspects.graph;
    let count = suspects.len();
    let mut unresolved = FixedBitSet::with_capacity(count);
    unresolved.extend(belief.unresolved().iter().copied());
    let parents = |place: usize| {
        let parents = graph.parents(suspects.node(place)).iter().filter_map(|&parent| suspects.place(parent));
        parents.filter(move |&parent| class_of[parent] == class_of[place])
    };
    let (mut after, mut before) = (FixedBitSet::with_capacity(count), FixedBitSet::with_capacity(count));
    for place in 0..count {
        let comes_after = |parent: usize| unresolved.contains(parent) || after.contains(parent);
        if parents(place).any(comes_after) {
            after.insert(place);
        }
    }
    for place in (0..count).rev() {
        if unresolved.contains(place) || before.contains(place) {
            parents(place).for_each(|parent| before.insert(parent));
        }
    }
    after.intersect_with(&before);
    after
}
