//! Blocks of unresolved revisions, and where to leave them.

use std::ops::Range;

/// The number of unresolved revisions, without a resolved one between them, that make one block.
const BELIEVED: usize = 4;

/// The assumed extent of a single unresolved revision. Blocks are rarely shorter.
const EXTENT: f64 = 2.0;

/// The share of the remaining revisions that is added to the extent when they are halved. A search that halves usually meets long
/// blocks, and a run a fifth to one side gives nearly as much information as one in the middle.
const SHARE: f64 = 0.2;

/// Unresolved positions on a line, grouped into blocks.
///
/// Unresolved revisions come in blocks of unknown length, for example because of a missing dependency. If block lengths are
/// spread evenly over orders of magnitude, a position at distance `d` from a block of extent `l` is outside it with probability
/// `d / (d + l)`. With this weight, a search leaves a block in steps of growing size.
#[derive(Debug)]
pub(crate) struct Blocks {
    /// `(first, last)`, ascending.
    blocks: Vec<(usize, usize)>,
    extent: f64,
}

impl Blocks {
    /// Groups unresolved positions, in ascending order, with no resolved position between them.
    pub(crate) fn new(positions: &[usize]) -> Self {
        Blocks { blocks: gathered(positions, 2), extent: EXTENT }
    }

    /// Like `new`, for a search that halves `count` remaining revisions.
    pub(crate) fn among(positions: &[usize], count: usize) -> Self {
        Blocks { blocks: gathered(positions, 3), extent: EXTENT + SHARE * count as f64 }
    }

    /// Like `new`, for several stretches of positions, in ascending order, with a resolved position between any two.
    pub(crate) fn of_stretches<'a>(stretches: impl Iterator<Item = &'a [usize]>) -> Self {
        let blocks = stretches.flat_map(|positions| Blocks::new(positions).blocks).collect();
        Blocks { blocks, extent: EXTENT }
    }

    /// The first and the last position of each block, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.blocks.iter().copied()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The probability that the revision at this position is resolved, 0 inside a block. A `stretch` is known to be resolved at
    /// its last position and just before its first one. Its blocks end between these positions, and other blocks do not affect
    /// it.
    pub(crate) fn chance(&self, position: usize, stretch: Option<&Range<usize>>) -> f64 {
        let below = |position: usize| self.blocks.partition_point(|&(first, _)| first < position);
        let (from, to) = stretch.map_or((0, self.blocks.len()), |stretch| (below(stretch.start), below(stretch.end)));
        let above = below(position + 1);
        let out_of = |distance: usize, extent: usize| {
            let distance = distance as f64;
            distance / (distance + extent as f64 + self.extent)
        };
        let mut chance = 1.0;
        if let Some(&(first, last)) = self.blocks[from..above].last() {
            if position <= last {
                return 0.0;
            }
            let end = |stretch: &Range<usize>| out_of(stretch.end - 1 - last, last - first);
            chance *= out_of(position - last, last - first) / stretch.map_or(1.0, end);
        }
        if let Some(&(first, last)) = self.blocks[above..to].first() {
            let end = |stretch: &Range<usize>| out_of(first + 1 - stretch.start, last - first);
            chance *= out_of(first - position, last - first) / stretch.map_or(1.0, end);
        }
        chance
    }
}

/// Groups positions, in ascending order, into blocks. Neighbors are always in one block. With enough positions for a block, the
/// maximum gap is the distance from the first to the last position, divided by `parts`.
fn gathered(positions: &[usize], parts: usize) -> Vec<(usize, usize)> {
    let spread = positions.last().zip(positions.first()).map_or(0, |(last, first)| last - first + 1);
    let believed = positions.len() >= BELIEVED;
    let mut blocks: Vec<(usize, usize)> = Vec::new();
    for &position in positions {
        match blocks.last_mut() {
            Some((_, last)) if position == *last + 1 || believed && parts * (position - *last) <= spread => {
                *last = position;
            }
            _ => blocks.push((position, position)),
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_zero_inside_a_block_and_grow_with_distance() {
        let blocks = Blocks::new(&[5, 6, 7]);
        assert!((5..=7).all(|position| blocks.chance(position, None) == 0.0));
        assert!(blocks.chance(8, None) > 0.0 && blocks.chance(8, None) < blocks.chance(20, None));
        assert!(blocks.chance(4, None) > blocks.chance(8, None) - 1e-12);
    }

    #[test]
    fn a_block_ends_before_a_resolved_revision() {
        let blocks = Blocks::new(&[5, 6, 7]);
        // Positions 4 and 11 are resolved, so a block ends between them.
        let within = |position| blocks.chance(position, Some(&(5..12)));
        assert!((5..=7).all(|position| within(position) == 0.0));
        assert!(within(8) < within(9) && within(9) < within(10) && within(10) < within(11));
        assert!((within(11) - 1.0).abs() < 1e-12);
        assert!(within(8) > blocks.chance(8, None));
        // Blocks of other stretches have no effect.
        assert!((blocks.chance(12, Some(&(12..20))) - 1.0).abs() < 1e-12);
        // The same before the block: position 1 is resolved.
        let before = |position| blocks.chance(position, Some(&(2..12)));
        assert!(before(4) < before(3) && before(3) < before(2));
    }

    #[test]
    fn four_unresolved_revisions_make_a_block_but_two_do_not() {
        assert!(Blocks::new(&[10, 30]).chance(20, None) > 0.0);
        assert_eq!(Blocks::new(&[10, 14, 22, 30]).chance(12, None), 0.0);
    }
}
