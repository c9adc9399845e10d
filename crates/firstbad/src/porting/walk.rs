//! The position of a walk with its patch, and the next version (IDD, Figure 2 and Section 4.1).

use std::sync::Arc;

use super::config;
use super::failure::{Kind, State};
use super::patches::Part;

/// A walk along a list of versions with a carried patch.
#[derive(Debug, Clone)]
pub(super) struct Walk {
    way: Arc<Vec<String>>,
    /// The place of the last version with the wanted outcome.
    kept: usize,
    /// The place of the nearest version after it with another outcome, without versions that do not build.
    missed: Option<usize>,
    step: usize,
    first_step: usize,
    /// The farthest place with an outcome for this patch.
    farthest: usize,
    gallops: bool,
    /// Whether the walk brings the fix forward instead of going back.
    pub(super) forward: bool,
    pub(super) patch: Part,
    /// Whether versions can be skipped.
    skips: bool,
    /// The skipped versions between `kept` and `missed`, ascending.
    blocks: Vec<Block>,
    /// The length of the next step over the last block.
    over: usize,
}

/// Versions that fail to build in the same way. Only some versions between the first and the last one were tested.
#[derive(Debug, Clone)]
struct Block {
    first: usize,
    last: usize,
    state: State,
}

impl Walk {
    /// Creates a walk whose first version has the wanted outcome with the patch. A gallop starts with a step of `first_step`
    /// versions.
    pub(super) fn new(way: Vec<String>, patch: Part, how: config::Walk, first_step: usize, forward: bool) -> Walk {
        let gallops = how == config::Walk::Gallop;
        let first_step = if gallops { first_step.max(1) } else { 1 };
        Walk {
            way: Arc::new(way),
            kept: 0,
            missed: None,
            step: first_step,
            first_step,
            farthest: 0,
            gallops,
            forward,
            patch,
            skips: true,
            blocks: Vec::new(),
            over: 1,
        }
    }

    /// Returns the outcome that versions must have with the patch: that of the start, or a pass on the way forward.
    pub(super) fn original_result(&self) -> Kind {
        if self.forward { Kind::Pass } else { Kind::Same }
    }

    /// Returns the version to test now, or `None` at the end.
    ///
    /// A gallop takes longer and longer steps over a block of versions that do not build, and then halves to its edges.
    pub(super) fn next(&self) -> Option<usize> {
        let end = self.way.len() - 1;
        if self.missed.is_none() {
            match self.blocks.last() {
                None if self.kept == end => return None,
                None => return Some(self.kept.saturating_add(self.step).min(end)),
                Some(block) if block.last < end => return Some(block.last.saturating_add(self.over).min(end)),
                Some(_) => {}
            }
        }
        let widest = self.gaps().max_by_key(|(after, before)| (before - after, usize::MAX - after));
        widest
            .filter(|(after, before)| before - after > 1)
            .map(|(after, before)| after + (before - after) / 2)
            .or(self.missed)
    }

    /// Returns pairs of places with only untested versions between them, from the last kept version to the missed one.
    fn gaps(&self) -> impl Iterator<Item = (usize, usize)> {
        let after = [self.kept].into_iter().chain(self.blocks.iter().map(|block| block.last));
        let before = self.blocks.iter().map(|block| block.first).chain(self.missed);
        after.zip(before)
    }

    pub(super) fn revision(&self, place: usize) -> &str {
        &self.way[place]
    }

    /// Returns the last version with the wanted outcome.
    pub(super) fn last(&self) -> &str {
        self.revision(self.kept)
    }

    /// Returns whether only skipped versions are between the last kept version and a place.
    pub(super) fn is_adjacent(&self, place: usize) -> bool {
        let mut next = self.kept + 1;
        for block in self.blocks.iter().filter(|block| block.last < place) {
            if block.first > next {
                return false;
            }
            next = block.last + 1;
        }
        place == next
    }

    /// Returns whether the nearest tested version before a place does not build.
    pub(super) fn follows_block(&self, place: usize) -> bool {
        self.blocks.iter().any(|block| block.last < place)
    }

    pub(super) fn is_end(&self, place: usize) -> bool {
        place + 1 == self.way.len()
    }

    /// Returns the nearest version after the last kept one that had another outcome.
    pub(super) fn missed(&self) -> Option<usize> {
        self.missed
    }

    /// Records the wanted outcome at a place.
    pub(super) fn keep(&mut self, place: usize) {
        (self.kept, self.farthest) = (place, self.farthest.max(place));
        self.blocks.retain(|block| block.first > place);
        if self.gallops && self.missed.is_none() {
            self.step = self.step.saturating_mul(2);
        }
    }

    /// Records another outcome at a place.
    pub(super) fn miss(&mut self, place: usize) {
        (self.missed, self.farthest) = (Some(place), self.farthest.max(place));
        self.blocks.retain(|block| block.last < place);
    }

    /// Records the wanted outcome at a place with another patch. A gallop goes on to where it was with the old one.
    pub(super) fn replace(&mut self, place: usize, patch: Part) {
        let back = if self.gallops { self.farthest.saturating_sub(place) } else { 0 };
        (self.kept, self.missed, self.step, self.patch) = (place, None, self.first_step.max(back), patch);
        self.farthest = place;
        self.blocks.clear();
    }

    /// Takes longer steps from here on.
    pub(super) fn gallop(&mut self) {
        self.gallops = true;
    }

    /// Returns whether a version that does not build can be skipped.
    pub(super) fn may_skip(&self) -> bool {
        self.skips
    }

    /// Returns whether versions that fail in this way are already skipped.
    pub(super) fn is_skipped(&self, state: &State) -> bool {
        self.blocks.iter().any(|block| block.state == *state)
    }

    /// Skips a version that does not build. Versions between two that fail to build in the same way belong to one block.
    pub(super) fn skip(&mut self, place: usize, state: State) {
        self.missed = self.missed.filter(|&missed| missed != place);
        let at = self.blocks.partition_point(|block| block.first < place);
        let is_last = at == self.blocks.len();
        let joins = |block: &Block| block.state == state;
        if at > 0 && joins(&self.blocks[at - 1]) {
            self.over = if is_last && self.gallops { self.over.saturating_mul(2) } else { self.over };
            self.blocks[at - 1].last = self.blocks[at - 1].last.max(place);
        } else if !is_last && joins(&self.blocks[at]) {
            self.blocks[at].first = place;
        } else {
            self.over = if is_last { 1 } else { self.over };
            self.blocks.insert(at, Block { first: place, last: place, state });
        }
    }

    /// Restores all skipped versions, which are then never skipped again. Returns false if there are none.
    pub(super) fn take_back(&mut self) -> bool {
        if self.blocks.is_empty() {
            return false;
        }
        self.blocks.clear();
        self.skips = false;
        self.step = 1;
        true
    }

    /// Returns the skipped versions between the last wanted outcome and a place, in the order of the walk.
    pub(super) fn between(&self, place: usize) -> Vec<String> {
        let blocks = self.blocks.iter().filter(|block| block.last < place);
        blocks.flat_map(|block| &self.way[block.first..=block.last]).cloned().collect()
    }

    /// Returns whether the outcome of a version can still be useful.
    pub(super) fn wants(&self, revision: &str) -> bool {
        let end = self.missed.map_or(self.way.len(), |missed| missed + 1);
        let is_skipped = |place: usize| self.blocks.iter().any(|block| (block.first..=block.last).contains(&place));
        (self.kept + 1..end).any(|place| self.way[place] == revision && !is_skipped(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Stage;

    fn walk(versions: usize) -> Walk {
        let way = (0..versions).map(|place| place.to_string()).collect();
        Walk::new(way, Part::default(), config::Walk::Gallop, 1, false)
    }

    fn state(name: &str) -> State {
        State::new(Some(Stage::Build), Some(name))
    }

    /// Walks until only skipped versions are left, and returns the number of tests. Versions fail to build as `broken` says.
    fn tests(walk: &mut Walk, broken: impl Fn(usize) -> Option<String>) -> usize {
        for count in 0..1000 {
            let Some(next) = walk.next() else { return count };
            match broken(next) {
                Some(name) => walk.skip(next, state(&name)),
                None => walk.keep(next),
            }
        }
        panic!("the walk does not end");
    }

    #[test]
    fn one_state_up_to_the_end_is_halved_to_its_edge() {
        let mut walk = walk(400);
        let count = tests(&mut walk, |place| (place > 99).then(|| "one".to_owned()));
        assert_eq!((walk.kept, walk.blocks.len()), (99, 1));
        assert!(count <= 22, "{count}");
        assert!(walk.take_back() && walk.next() == Some(100));
    }

    #[test]
    fn a_new_patch_is_tested_where_the_old_one_failed() {
        let mut walk = walk(100);
        [1, 3].into_iter().for_each(|place| walk.keep(place));
        [7, 5, 4].into_iter().for_each(|place| walk.miss(place));
        walk.replace(4, Part::default());
        assert_eq!(walk.next(), Some(7));
        walk.keep(7);
        assert_eq!(walk.next(), Some(13));
    }

    #[test]
    fn versions_between_two_states_are_found() {
        let mut walk = walk(300);
        let broken = |place: usize| match place {
            100..140 => Some("one".to_owned()),
            150..300 => Some("other".to_owned()),
            _ => None,
        };
        tests(&mut walk, broken);
        assert_eq!(walk.kept, 149);
    }

    #[test]
    fn a_long_block_that_is_skipped_never_leads_back() {
        let mut walk = walk(300);
        walk.kept = 3;
        let mut places = Vec::new();
        while let Some(next) = walk.next() {
            assert!(next > 3 && !places.contains(&next), "{next}");
            places.push(next);
            walk.skip(next, state(&(next / 60).to_string()));
        }
        assert!(places.len() < 60, "{}", places.len());
    }

    #[test]
    fn both_edges_of_a_block_are_found_before_a_pass_counts() {
        let mut walk = walk(100);
        (walk.kept, walk.step) = (10, 10);
        while let Some(next) = walk.next() {
            match next {
                ..30 => walk.keep(next),
                30..70 => walk.skip(next, state("one")),
                _ => {
                    walk.miss(next);
                    if walk.is_adjacent(next) {
                        break;
                    }
                }
            }
        }
        assert_eq!((walk.kept, walk.missed, walk.between(70).len()), (29, Some(70), 40));
    }
}
