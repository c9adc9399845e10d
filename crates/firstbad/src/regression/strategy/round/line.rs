//! A round for suspects on a line: the best places by dynamic programming for few suspects, even parts for many.

use super::parts::{AS_MUCH, TEST, Wanted, alike, rounds, shares, sides, surprise};
use crate::graph::Node;
use crate::regression::costs::Costs;

/// The maximum number of suspects for dynamic programming. A choice takes `SUSPECTS^2 / 2` steps for each revision. With more
/// suspects, even parts are within a percent or two, because uneven parts save rounds only at the end.
const SUSPECTS: usize = 300;

/// The penalty, in rounds, for a cut away from its even place, by the square of the probability between.
const SPREAD: f64 = 1e-3;

/// The revisions to test on a line of `members`, oldest first, of which the last one fails. `below[i]` is the cumulative
/// probability before member `i`, and the last entry is the total.
pub(in crate::regression) fn on_line(members: &[Node], below: &[f64], costs: &Costs, wanted: Wanted<'_>) -> Vec<Node> {
    let last = members.len().saturating_sub(1);
    let mut cut = wanted.tested.iter().filter_map(|node| members[..last].binary_search(node).ok()).collect::<Vec<_>>();
    cut.sort_unstable();
    // A run in flight can also have a known outcome from elsewhere.
    cut.dedup();
    let line = Cells { below, cut: &cut, last };
    let free = last - cut.len();
    if wanted.want >= free {
        return (0..last).filter(|place| cut.binary_search(place).is_err()).map(|place| members[place]).collect();
    }
    let mut places =
        if members.len() <= SUSPECTS { line.best(wanted.want, wanted.jobs) } else { line.even(wanted.want) };
    if !costs.is_even() {
        line.make_cheaper(members, costs, &mut places);
    }
    places.into_iter().map(|place| members[place]).collect()
}

/// The best member to test for its cost, if `place` splits the probability best and the last member fails. Candidates are that
/// place, the nearest places with the usual cost, and places with a cost set by the caller.
pub(in crate::regression) fn cheaper(members: &[Node], below: &[f64], costs: &Costs, place: usize) -> usize {
    if costs.is_even() {
        return place;
    }
    let last = members.len() - 1;
    let own: Vec<usize> = costs.places(&members[..last]).collect();
    let is_plain = |place: &usize| own.binary_search(place).is_err();
    let near = [(place..last).find(is_plain), (0..place).rev().find(is_plain)];
    let total = below[last + 1] - below[0];
    let tells = |place: usize| costs.information(members[place], (below[place + 1] - below[0]) / total);
    let better = |best: usize, other: usize| if tells(other) > tells(best) * AS_MUCH { other } else { best };
    near.into_iter().flatten().chain(own.iter().copied()).fold(place, better)
}

/// A line that is cut after some places.
struct Cells<'a> {
    below: &'a [f64],
    /// The places of existing cuts, ascending.
    cut: &'a [usize],
    /// The place of the last member.
    last: usize,
}

impl Cells<'_> {
    /// Cuts that, with the existing ones, leave parts of even probability.
    fn even(&self, cuts: usize) -> Vec<usize> {
        let starts = std::iter::once(0).chain(self.cut.iter().map(|place| place + 1));
        let ends = self.cut.iter().copied().chain([self.last]);
        let parts: Vec<(usize, usize)> = starts.zip(ends).collect();
        let masses: Vec<(f64, usize)> =
            parts.iter().map(|&(start, end)| (self.below[end + 1] - self.below[start], 0)).collect();
        let mut places = Vec::with_capacity(cuts);
        for (part, share) in parts.into_iter().zip(shares(&masses, cuts)) {
            let mut open = vec![(part, share)];
            while let Some(((start, end), share)) = open.pop() {
                if share == 0 || start == end {
                    continue;
                }
                let lower = share / 2;
                let place = self.nearest(start, end, (lower + 1) as f64 / (share + 1) as f64);
                let (lower, upper) = sides(share - 1, lower, place - start + 1, end - place);
                places.push(place);
                open.push(((place + 1, end), upper));
                open.push(((start, place), lower));
            }
        }
        places
    }

    /// Moves each place to the most information per cost between its neighbors.
    fn make_cheaper(&self, members: &[Node], costs: &Costs, places: &mut [usize]) {
        let mut cuts: Vec<usize> = self.cut.iter().chain(places.iter()).copied().collect();
        cuts.sort_unstable();
        for place in places {
            let at = cuts.partition_point(|cut| cut < place);
            let start = if at == 0 { 0 } else { cuts[at - 1] + 1 };
            let end = cuts.get(at + 1).copied().unwrap_or(self.last);
            *place = start + cheaper(&members[start..=end], &self.below[start..=end + 1], costs, *place - start);
            cuts[at] = *place;
        }
    }

    /// The place among `start..end` to cut off this share of the probability of `start..=end`.
    fn nearest(&self, start: usize, end: usize, share: f64) -> usize {
        let goal = self.below[start] + share * (self.below[end + 1] - self.below[start]);
        let upper = start + self.below[start + 1..=end].partition_point(|&mass| mass < goal);
        let off = |place: usize| (self.below[place + 1] - goal).abs();
        let upper = upper.min(end - 1);
        if upper > start && off(upper - 1) <= off(upper) { upper - 1 } else { upper }
    }

    /// The cuts that leave the fewest rounds.
    fn best(&self, cuts: usize, jobs: usize) -> Vec<usize> {
        let count = self.last + 1;
        let weight = |place: usize| self.below[place + 1] - self.below[place];
        let mut surprises = vec![0.0];
        surprises.extend((0..count).scan(0.0, |sum, place| {
            *sum += surprise(weight(place));
            Some(*sum)
        }));
        let left = |start: usize, end: usize| {
            let mass = self.below[end] - self.below[start];
            let suspects = alike(mass, surprises[end] - surprises[start]).min((end - start) as f64);
            mass * (rounds(if end - start == 1 { 1.0 } else { suspects }, jobs) + TEST * (end - start - 1) as f64)
        };
        let mut is_cut = vec![false; count + 1];
        self.cut.iter().for_each(|place| is_cut[place + 1] = true);
        is_cut[count] = true;
        // Of equally good choices, take the one with the most even cuts. If runs take different times, some outcomes arrive
        // first.
        let total = self.below[count] - self.below[0];
        let off = |end: usize, made: usize| {
            let share = (self.below[end] - self.below[0]) / total - made as f64 / (cuts + 1) as f64;
            if self.cut.is_empty() && end < count { SPREAD * total * share * share } else { 0.0 }
        };
        // By number of cuts and end of the last part: the remaining rounds, and the start of that part.
        let mut table = vec![(f64::INFINITY, 0); (cuts + 1) * (count + 1)];
        let at = |made: usize, end: usize| made * (count + 1) + end;
        table[at(0, 0)].0 = 0.0;
        for start in 0..count {
            for end in start + 1..=count {
                let (left, free) = (left(start, end), usize::from(!is_cut[end]));
                for made in 0..cuts + 1 - free {
                    let total = table[at(made, start)].0 + left + off(end, made + 1);
                    let entry = &mut table[at(made + free, end)];
                    if total * AS_MUCH < entry.0 {
                        *entry = (total, start);
                    }
                }
                if is_cut[end] {
                    break;
                }
            }
        }
        let left = |made: usize| table[at(made, count)].0;
        let fewest = |best: usize, made: usize| if left(made) * AS_MUCH < left(best) { made } else { best };
        let mut made = (0..=cuts).reduce(fewest).unwrap_or(cuts);
        let (mut end, mut places) = (count, Vec::with_capacity(cuts));
        while end > 0 {
            let start = table[at(made, end)].1;
            if !is_cut[end] {
                places.push(end - 1);
                made -= 1;
            }
            end = start;
        }
        places.reverse();
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(count: usize, want: usize, tested: &[Node]) -> Vec<Node> {
        let members: Vec<Node> = (0..count as Node).collect();
        let below: Vec<f64> = (0..=count).map(|place| place as f64).collect();
        on_line(&members, &below, &Costs::default(), Wanted { want, tested, jobs: want + tested.len() })
    }

    #[test]
    fn many_suspects_are_cut_into_even_parts() {
        let mut found = places(9000, 2, &[]);
        found.sort_unstable();
        assert_eq!(found, [2999, 5999]);
        assert_eq!(places(9000, 1, &[2999]), [5999]);
    }

    #[test]
    fn few_suspects_are_cut_so_that_most_are_alone() {
        // Two rounds are needed, and the second one can handle 9 suspects. So one part has 9, and the others have one each.
        assert_eq!(places(17, 8, &[]).len(), 8);
        assert_eq!(places(9, 8, &[]), (0..8).collect::<Vec<_>>());
        assert_eq!(places(9, 8, &[3, 4]), [0, 1, 2, 5, 6, 7]);
    }

    #[test]
    fn a_revision_that_is_tested_twice_is_cut_once() {
        assert_eq!(places(5, 2, &[1, 1]), places(5, 2, &[1]));
        assert_eq!(places(5, 1, &[0, 1, 1, 2, 2]), [3]);
        assert_eq!(places(9000, 1, &[2999, 2999]), [5999]);
    }

    #[test]
    fn no_revision_is_tested_twice_and_the_last_one_never() {
        for count in [1, 2, 3, 10, 299, 301, 1000] {
            for want in [1, 2, 5, 400] {
                let first = places(count, want, &[]);
                let mut all = first.clone();
                all.extend(places(count, want, &first));
                all.sort_unstable();
                assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "{count} {want}: {all:?}");
                assert_eq!(all.len(), (2 * want).min(count - 1), "{count} {want}");
                assert!(!all.contains(&(count as Node - 1)));
            }
        }
    }
}
