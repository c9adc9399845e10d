//! Reducers as they are published, without any addition: they know only "holds" and "does not hold", and take an answer
//! that they had before from a cache.

use std::ops::Range;

/// Whether a set, ascending, still holds.
pub(super) type Test<'a> = dyn FnMut(&[usize]) -> bool + 'a;

/// Zeller and Hildebrandt's ddmin: subsets, then complements, then twice as fine.
pub(super) fn ddmin(count: usize, test: &mut Test) -> Vec<usize> {
    let mut current: Vec<usize> = (0..count).collect();
    let mut parts = 2;
    while current.len() >= 2 {
        let ranges = split(current.len(), parts);
        let subsets = ranges.iter().map(|range| (current[range.clone()].to_vec(), 2));
        let complements = ranges.iter().map(|range| (without(&current, range), (parts - 1).max(2)));
        let found = subsets.chain(complements).find(|(set, _)| test(set));
        match found {
            Some((set, next)) => (current, parts) = (set, next),
            None if parts >= current.len() => break,
            None => parts = (2 * parts).min(current.len()),
        }
    }
    current
}

/// The bisection of IDD, Section 3.1, over these items, once, newest first: a range goes as a whole, or its halves are
/// tried. The empty set is asked first.
pub(super) fn recursion(items: &[usize], test: &mut Test) -> Vec<usize> {
    fn reduce(current: &mut Vec<usize>, part: &[usize], test: &mut Test) {
        let (Some(&first), Some(&last)) = (part.first(), part.last()) else { return };
        let rest: Vec<usize> = current.iter().copied().filter(|item| !(first..=last).contains(item)).collect();
        if test(&rest) {
            *current = rest;
        } else if part.len() > 1 {
            let (left, right) = part.split_at(part.len().div_ceil(2));
            reduce(current, right, test);
            reduce(current, left, test);
        }
    }
    let mut current = items.to_vec();
    reduce(&mut current, items, test);
    current
}

/// The same until nothing goes any more.
pub(super) fn fixpoint(count: usize, test: &mut Test) -> Vec<usize> {
    let mut current: Vec<usize> = (0..count).collect();
    loop {
        let next = recursion(&current, test);
        if next.len() == current.len() {
            return next;
        }
        current = next;
    }
}

fn split(length: usize, parts: usize) -> Vec<Range<usize>> {
    let mut start = 0;
    let part = |number: usize| {
        let stop = start + (length - start) / (parts - number);
        std::mem::replace(&mut start, stop)..stop
    };
    (0..parts).map(part).collect()
}

fn without(items: &[usize], range: &Range<usize>) -> Vec<usize> {
    [&items[..range.start], &items[range.end..]].concat()
}
