use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// A row of equal blocks of pieces. The text depends on how many blocks are kept and on which pieces of each are kept,
/// but not on which blocks they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// The number of blocks.
    pub count: usize,
    /// The first piece of the first block and the number of pieces in each block: once for its lines, and once for the
    /// parts of its lines.
    pub spans: Vec<(usize, usize)>,
}

impl Repeat {
    /// Checks that no span exceeds `items` or overlaps another.
    pub(crate) fn check(&self, items: usize) -> Result<(), Error> {
        let fits = |&(first, length): &(usize, usize)| {
            length.checked_mul(self.count).and_then(|all| all.checked_add(first)).is_some_and(|end| end <= items)
        };
        if let Some((first, _)) = self.spans.iter().find(|span| !fits(span)) {
            return Err(Error::invalid("guess", first, format!("indices of items, below {items}")));
        }
        let mut spans = self.spans.clone();
        spans.sort_unstable();
        match spans.windows(2).find(|pair| pair[0].0 + pair[0].1 * self.count > pair[1].0) {
            Some(pair) => Err(Error::invalid("guess", pair[1].0, "repeated items that do not overlap")),
            None => Ok(()),
        }
    }

    /// Moves the blocks that are kept to the front.
    fn pack(&self, set: &mut FixedBitSet) {
        if let [(first, 1)] = self.spans[..] {
            let left = set.count_ones(first..first + self.count);
            set.insert_range(first..first + left);
            set.remove_range(first + left..first + self.count);
            return;
        }
        let mut free = 0;
        for place in 0..self.count {
            let range = |&(first, length): &(usize, usize)| first + place * length..first + (place + 1) * length;
            if !self.spans.iter().any(|span| set.contains_any_in_range(range(span))) {
                continue;
            }
            if free < place {
                for &(first, length) in &self.spans {
                    for piece in 0..length {
                        let from = first + place * length + piece;
                        set.set(first + free * length + piece, set.contains(from));
                        set.remove(from);
                    }
                }
            }
            free += 1;
        }
    }
}

/// Returns the set that represents all sets with the same text, as far as `repeats` tells. Inner repeats come first.
pub(crate) fn packed(repeats: &[Repeat], set: &FixedBitSet) -> FixedBitSet {
    let mut packed = set.clone();
    repeats.iter().for_each(|repeat| repeat.pack(&mut packed));
    packed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed_of(repeats: &[Repeat], items: usize, set: &[usize]) -> Vec<usize> {
        let mut bits = FixedBitSet::with_capacity(items);
        bits.extend(set.iter().copied());
        packed(repeats, &bits).ones().collect()
    }

    #[test]
    fn kept_blocks_move_to_the_front() {
        let lines = [Repeat { count: 4, spans: vec![(1, 1)] }];
        assert_eq!(packed_of(&lines, 7, &[0, 2, 4, 6]), [0, 1, 2, 6]);
        assert_eq!(packed_of(&lines, 7, &[5, 6]), [5, 6]);
    }

    #[test]
    fn kept_pieces_of_each_block_stay_in_order() {
        // Three blocks of two lines. Each block also has one of the pieces from 7 on.
        let blocks = [Repeat { count: 3, spans: vec![(0, 2), (7, 1)] }];
        assert_eq!(packed_of(&blocks, 10, &[2, 8, 4, 5]), [0, 2, 3, 7]);
        assert_eq!(packed_of(&blocks, 10, &[0, 4, 5, 9]), [0, 2, 3, 8]);
    }

    #[test]
    fn spans_beyond_the_items_are_rejected() {
        let repeat = |count, span| Repeat { count, spans: vec![span] };
        assert!(repeat(4, (1, 1)).check(5).is_ok());
        for wrong in [repeat(4, (2, 1)), repeat(usize::MAX, (1, 2)), repeat(2, (usize::MAX, 1))] {
            wrong.check(5).unwrap_err();
        }
        assert!(Repeat { count: 2, spans: vec![(2, 1), (0, 1)] }.check(4).is_ok());
        Repeat { count: 2, spans: vec![(1, 1), (0, 1)] }.check(4).unwrap_err();
    }
}
