//! Where unresolved revisions stand, and where it is worth trying again.

use std::ops::Range;

/// How many unresolved revisions with nothing resolved between them it takes to believe in one block.
const BELIEVED: usize = 4;

/// The extent taken for a single unresolved revision: blocks are rarely shorter than a few revisions.
const EXTENT: f64 = 2.0;

/// As much of the revisions that are left is added to it where they are halved: whoever meets a block that way has mostly met a
/// long one, and a fifth to one side tells nearly as much as the middle.
const SHARE: f64 = 0.2;

/// Unresolved positions on a line, gathered into blocks.
///
/// Unresolved revisions come in blocks of unknown length (a missing dependency, a broken build). If lengths are
/// spread evenly over orders of magnitude, a position at distance `d` from a block of extent `l` is out of it with
/// probability `d / (d + l)`. A choice weighed by that gallops out of a block on both sides, and takes more steps
/// inside one only until it is believed.
#[derive(Debug)]
pub(crate) struct Blocks {
    /// `(first, last)`, ascending.
    blocks: Vec<(usize, usize)>,
    extent: f64,
}

impl Blocks {
    /// Blocks from unresolved positions in ascending order, with nothing resolved between them.
    pub(crate) fn new(positions: &[usize]) -> Self {
        Blocks { blocks: gathered(positions, 2), extent: EXTENT }
    }

    /// The same among so many revisions that are left, which are halved.
    pub(crate) fn among(positions: &[usize], count: usize) -> Self {
        Blocks { blocks: gathered(positions, 3), extent: EXTENT + SHARE * count as f64 }
    }

    /// The same of several stretches, each of positions in ascending order, with something resolved between any two.
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

    /// How likely the revision at this position can be resolved; 0 inside a block. Within a `stretch` that can be tested at its
    /// last position, and right before its first, a block ends somewhere before these, and those elsewhere say nothing.
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

/// Blocks from positions in ascending order: neighbours, and where there are enough to believe in one block those that are no
/// farther apart than the distance from the first to the last, divided by `parts`.
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
    fn inside_is_hopeless_and_far_away_is_not() {
        let blocks = Blocks::new(&[5, 6, 7]);
        assert!((5..=7).all(|position| blocks.chance(position, None) == 0.0));
        assert!(blocks.chance(8, None) > 0.0 && blocks.chance(8, None) < blocks.chance(20, None));
        assert!(blocks.chance(4, None) > blocks.chance(8, None) - 1e-12);
    }

    #[test]
    fn a_block_ends_before_what_can_be_tested() {
        let blocks = Blocks::new(&[5, 6, 7]);
        // 4 and 11 can be tested: a block ends before either.
        let within = |position| blocks.chance(position, Some(&(5..12)));
        assert!((5..=7).all(|position| within(position) == 0.0));
        assert!(within(8) < within(9) && within(9) < within(10) && within(10) < within(11));
        assert!((within(11) - 1.0).abs() < 1e-12);
        assert!(within(8) > blocks.chance(8, None));
        // Blocks of other stretches say nothing.
        assert!((blocks.chance(12, Some(&(12..20))) - 1.0).abs() < 1e-12);
        // Below the block, too: 1 can be tested, before the first of the stretch.
        let before = |position| blocks.chance(position, Some(&(2..12)));
        assert!(before(4) < before(3) && before(3) < before(2));
    }

    #[test]
    fn two_far_apart_are_not_one_block_but_four_in_a_row_are() {
        assert!(Blocks::new(&[10, 30]).chance(20, None) > 0.0);
        assert_eq!(Blocks::new(&[10, 14, 22, 30]).chance(12, None), 0.0);
    }
}
