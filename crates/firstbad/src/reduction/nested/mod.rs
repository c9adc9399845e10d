//! Adaptive group testing: removes stretches of the most informative length, newest items first.
//!
//! If every superset of a set with the property has it too, delta debugging is group testing: a stretch can be removed if
//! and only if none of its items is needed. If a stretch cannot be removed, a search finds its first needed item, and the
//! items after it are as unknown as before (Sobel and Groll's nested testing; Hwang's splitting is the case of a known
//! density). An unresolved set leaves its items unproven.

mod fronts;

use fixedbitset::FixedBitSet;

use super::density::{Density, NEAR, Needed, Stretch, Zones, split};
use super::requirements::Requirements;
use super::units::Units;
use super::verdicts::{Lookup, Verdict};

/// Undecided units in `low..high`, at least one of which must stay.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pool {
    low: usize,
    high: usize,
    /// Whether the set without them failed, rather than being unresolved.
    proved: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Nested {
    units: Units,
    weights: Option<Vec<f64>>,
    density: Density,
    /// The belief about items that other items need, once a set was unresolved.
    missing: Option<Density>,
    undecided: FixedBitSet,
    /// Units at most [`NEAR`] below a kept unit, and the units directly below one.
    near: FixedBitSet,
    beside: FixedBitSet,
    /// The weights of decided units by zone: dropped, needed, unproven.
    tally: [Zones; 3],
    /// The tally that the densities last learned from, and whether both of them did.
    learnt: ([Zones; 3], bool),
    /// Units known to be needed, because the set without them failed.
    proved: FixedBitSet,
    /// Units that stay because the set without them is unresolved.
    unproven: FixedBitSet,
    /// Units known to be needed before this pass.
    fixed: FixedBitSet,
    pools: Vec<Pool>,
    /// The remaining items, and whether exactly this set was observed to have the property.
    believed: FixedBitSet,
    verified: bool,
    /// Items that must stay: the needed ones, and their dependencies.
    locked: FixedBitSet,
    /// Whether outcomes contradict each other because the property is not monotonic.
    broken: bool,
    next: Option<FixedBitSet>,
    /// The number of consecutive tests of single units, or `None` if the pass never gives up.
    row: Option<usize>,
    gave_way: bool,
}

/// After this many consecutive tests of single unknown units, a pass gives up, unless it removed more units than it kept.
const ONE_BY_ONE: usize = 8;

enum Proposal {
    Ask(FixedBitSet),
    /// The set cannot be tested, because a locked item would be missing.
    Barred,
}

/// A place from which units can be removed.
#[derive(Debug, Clone, Copy)]
struct Front {
    low: usize,
    high: usize,
    /// Whether at least one unit must stay, and if so, whether the property is known to need it.
    known: Option<bool>,
}

impl Front {
    fn of(pool: &Pool) -> Self {
        Front { low: pool.low, high: pool.high, known: Some(pool.proved) }
    }
}

impl Nested {
    /// Creates a pass from a set of items that has the property. Units in `fixed` are known to be needed.
    pub(super) fn new(
        units: Units,
        weights: Option<Vec<f64>>,
        start: &FixedBitSet,
        fixed: &FixedBitSet,
        requirements: Option<&Requirements>,
        again: bool,
    ) -> Self {
        let mut undecided = units.touched_by(start.clone());
        let mut locked = FixedBitSet::with_capacity(start.len());
        for unit in fixed.ones() {
            lock(&units, unit, &mut locked, requirements);
        }
        undecided.difference_with(fixed);
        undecided.difference_with(&units.touched_by(locked.clone()));
        let none = FixedBitSet::with_capacity(units.len());
        let density = Density::new(undecided.count_ones(..), Needed::ByProperty, again);
        Nested {
            weights,
            density,
            missing: None,
            undecided,
            near: none.clone(),
            beside: none.clone(),
            tally: [Zones::default(); 3],
            learnt: ([Zones::default(); 3], false),
            proved: none.clone(),
            unproven: none,
            fixed: fixed.clone(),
            pools: Vec::new(),
            believed: start.clone(),
            verified: true,
            locked,
            broken: false,
            next: None,
            row: None,
            gave_way: false,
            units,
        }
    }

    /// Lets the pass give up if so many sets are unresolved that it would have to test unit by unit. Undecided units then
    /// stay unproven.
    pub(super) fn may_give_way(&mut self) {
        self.row = Some(0);
    }

    pub(super) fn gave_way(&self) -> bool {
        self.gave_way
    }

    pub(super) fn believed(&self) -> &FixedBitSet {
        &self.believed
    }

    pub(super) fn proved(&self) -> &FixedBitSet {
        &self.proved
    }

    pub(super) fn unproven(&self) -> &FixedBitSet {
        &self.unproven
    }

    pub(super) fn is_broken(&self) -> bool {
        self.broken
    }

    /// Returns the set to test if no test is in flight, or `None` if the pass is over.
    pub(super) fn next(&self) -> Option<&FixedBitSet> {
        self.next.as_ref()
    }

    pub(super) fn absorb(&mut self, set: &FixedBitSet, verdict: Verdict, requirements: Option<&Requirements>) {
        let mut gone = self.believed.clone();
        gone.difference_with(set);
        if gone.is_clear() {
            if *set == self.believed {
                self.verified |= verdict == Verdict::Holds;
                self.broken |= !self.verified;
            }
            return;
        }
        if let Some(row) = self.row.as_mut().filter(|_| self.missing.is_some() && self.pools.is_empty()) {
            let is_single = self.units.touched_by(gone.clone()).count_ones(..) == 1;
            *row = if is_single { *row + 1 } else { 0 };
        }
        if verdict == Verdict::Holds {
            self.believed.intersect_with(set);
            if let Some(requirements) = requirements {
                // The intersection of two sets need not satisfy the requirements.
                let mut fallen = self.believed.clone();
                requirements.close(&mut self.believed, gone.ones());
                fallen.difference_with(&self.believed);
                gone.union_with(&fallen);
                self.broken |= !self.locked.is_subset(&self.believed) && self.proved.count_ones(..) > 0;
            }
            self.verified = self.believed == *set;
            let mut units = self.units.touched_by(gone);
            self.broken |= !units.is_disjoint(&self.proved);
            if self.units.are_groups() {
                // A unit is gone once all of its items are.
                units.difference_with(&self.units.touched_by(self.believed.clone()));
            }
            self.tally[0] = self.tally[0] + self.zones(&units);
            self.undecided.difference_with(&units);
            self.unproven.difference_with(&units);
        } else if gone.is_disjoint(&self.locked) && self.units.cover(&gone) {
            let mut units = self.units.touched_by(gone);
            // If an unproven unit is missing as well, the failure may be due to that unit.
            let mut alone = units.is_disjoint(&self.unproven);
            if self.units.are_groups() {
                let left = self.units.touched_by(set.clone());
                let mut needed = &self.proved | &self.fixed;
                needed.intersect_with(&units);
                if !needed.is_subset(&left) {
                    return;
                }
                alone &= needed.is_clear();
            }
            units.intersect_with(&self.undecided);
            if verdict == Verdict::Unresolved && self.missing.is_none() {
                self.missing = Some(Density::new(self.undecided.count_ones(..), Needed::ByItems, false));
            }
            self.note(&units, verdict == Verdict::Fails && alone, requirements);
        }
        self.tidy(requirements);
        self.learn();
        // With known requirements, related items are removed together.
        if requirements.is_none() {
            self.give_way();
        }
    }

    fn give_way(&mut self) {
        let [dropped, proved, unproven] = self.tally.map(|zones| zones.far + zones.near + zones.beside);
        if self.row.is_some_and(|row| row >= ONE_BY_ONE) && dropped <= proved + unproven {
            self.gave_way = true;
            self.unproven.union_with(&self.undecided);
            self.undecided.clear();
            self.pools.clear();
        }
    }

    /// Records that at least one of these units must stay.
    fn note(&mut self, units: &FixedBitSet, proved: bool, requirements: Option<&Requirements>) {
        let (Some(low), Some(last)) = (units.minimum(), units.maximum()) else { return };
        let high = last + 1;
        if high - low == 1 {
            self.decide(low, proved, requirements);
        } else if self.undecided.count_ones(low..high) == units.count_ones(..) {
            self.pools.retain(|pool| pool.low < low || pool.high > high);
            let narrower = |pool: &Pool| low <= pool.low && pool.high <= high;
            if !self.pools.iter().any(narrower) {
                self.pools.retain(|pool| pool.high <= low || high <= pool.low);
                self.pools.push(Pool { low, high, proved });
            }
        }
    }

    fn decide(&mut self, unit: usize, proved: bool, requirements: Option<&Requirements>) {
        self.undecided.remove(unit);
        if proved { &mut self.proved } else { &mut self.unproven }.insert(unit);
        let tally = &mut self.tally[if proved { 1 } else { 2 }];
        match (self.beside.contains(unit), self.near.contains(unit)) {
            (true, _) => tally.beside += 1.0,
            (false, true) => tally.near += 1.0,
            (false, false) => tally.far += 1.0,
        }
        if unit > 0 {
            self.near.insert_range(unit.saturating_sub(NEAR)..unit);
            self.beside.insert(unit - 1);
        }
        self.pools.retain(|pool| unit < pool.low || pool.high <= unit);
        if !proved {
            return;
        }
        let before = requirements.map(|_| self.locked.clone());
        lock(&self.units, unit, &mut self.locked, requirements);
        let Some(before) = before else { return };
        let mut fresh = self.locked.clone();
        fresh.difference_with(&before);
        let mut needed = self.units.touched_by(fresh);
        needed.intersect_with(&self.undecided);
        if needed.is_clear() {
            return;
        }
        // Dependencies of kept items say nothing about how often items are needed.
        self.undecided.difference_with(&needed);
        self.pools.retain(|pool| needed.count_ones(pool.low..pool.high) == 0);
    }

    /// Decides pools of a single unit and drops empty ones.
    fn tidy(&mut self, requirements: Option<&Requirements>) {
        let mut place = 0;
        while let Some(&Pool { low, high, proved }) = self.pools.get(place) {
            match self.undecided.count_ones(low..high) {
                0 => {
                    self.pools.remove(place);
                }
                1 => {
                    if let Some(unit) = self.undecided.ones().find(|unit| (low..high).contains(unit)) {
                        self.decide(unit, proved, requirements);
                    }
                    place = 0;
                }
                _ => place += 1,
            }
        }
    }

    fn zones(&self, units: &FixedBitSet) -> Zones {
        let mut zones = Zones::default();
        let words = units.as_slice().iter().zip(self.near.as_slice()).zip(self.beside.as_slice()).enumerate();
        for (place, ((&units, near), beside)) in words.filter(|(_, ((units, _), _))| **units != 0) {
            let parts = [units & !near & !beside, units & near & !beside, units & beside];
            let weigh = |part: usize| match &self.weights {
                None => f64::from(part.count_ones()),
                Some(weights) => {
                    let bits = (0..usize::BITS as usize).filter(|bit| part >> bit & 1 == 1);
                    bits.map(|bit| weights[place * usize::BITS as usize + bit]).sum()
                }
            };
            let [far, near, beside] = parts.map(weigh);
            zones = zones + Zones { far, near, beside };
        }
        zones
    }

    fn learn(&mut self) {
        if self.learnt == (self.tally, self.missing.is_some()) {
            return;
        }
        self.learnt = (self.tally, self.missing.is_some());
        let [dropped, proved, unproven] = self.tally;
        match &mut self.missing {
            None => self.density.decide(dropped, proved + unproven),
            Some(missing) => {
                self.density.decide(dropped, proved);
                missing.decide(dropped, unproven);
            }
        }
    }

    /// Applies known verdicts until a set must be tested.
    pub(super) fn settle(&mut self, known: Lookup<'_>, requirements: Option<&Requirements>) {
        self.next = None;
        let mut before = None;
        while !self.broken {
            let Some(units) = self.first() else {
                if self.verified {
                    return;
                }
                match known(&self.believed) {
                    None => {
                        self.next = Some(self.believed.clone());
                        return;
                    }
                    Some(verdict) => {
                        let believed = self.believed.clone();
                        self.absorb(&believed, verdict, requirements);
                        continue;
                    }
                }
            };
            if before.as_ref() == Some(&units) {
                // The known verdict decided nothing, because other units depend on these.
                if let Some(unit) = units.maximum() {
                    self.decide(unit, false, requirements);
                    self.tidy(requirements);
                    self.learn();
                }
                continue;
            }
            match self.without(&units, requirements) {
                Proposal::Barred => self.refuse(&units, requirements),
                Proposal::Ask(set) => match known(&set) {
                    Some(verdict) => self.absorb(&set, verdict, requirements),
                    None => {
                        self.next = Some(set);
                        return;
                    }
                },
            }
            before = Some(units);
        }
    }

    /// Treats a set that cannot be tested as unresolved.
    fn refuse(&mut self, units: &FixedBitSet, requirements: Option<&Requirements>) {
        self.note(units, false, requirements);
        self.tidy(requirements);
        self.learn();
    }

    /// Returns the next units to remove: from the newest pool, or from the newest of all units.
    fn first(&self) -> Option<FixedBitSet> {
        let pool = self.pools.iter().max_by_key(|pool| pool.high);
        let whole = Front { low: 0, high: self.units.len(), known: None };
        let front = pool.map_or(whole, Front::of);
        (self.undecided.count_ones(front.low..front.high) > 0).then(|| self.top(&self.undecided, front, 0.5))
    }

    /// Returns as many of the newest units in a front as are most informative.
    fn top(&self, from: &FixedBitSet, front: Front, share: f64) -> FixedBitSet {
        let Front { low, high, known } = front;
        let first = last(from, low, high);
        let first = first.filter(|&unit| self.near.contains(unit));
        let near = first.map_or(0, |first| {
            let below = (low..=first).rev().take_while(|&unit| self.near.contains(unit));
            below.filter(|&unit| from.contains(unit)).count()
        });
        let weights = self.weights.as_ref().map(|weights| {
            let mut sum = 0.0;
            let cumulated = |unit: usize| {
                sum += weights[unit];
                sum
            };
            let mut members: Vec<usize> = from.ones().filter(|unit| (low..high).contains(unit)).collect();
            members.reverse();
            members.into_iter().map(cumulated).collect::<Vec<f64>>()
        });
        let len = from.count_ones(low..high);
        let stretch = Stretch {
            len,
            weights: weights.as_deref(),
            is_beside: first.is_some_and(|unit| self.beside.contains(unit)),
            near,
        };
        let both = [&self.density, self.missing.as_ref().unwrap_or(&self.density)];
        // A set that fails lacks something the property needs. An unresolved set lacks something that other items need.
        let densities = match (known, &self.missing) {
            (_, None) | (Some(true), _) => &both[..1],
            (Some(false), _) => &both[1..],
            (None, _) => &both[..],
        };
        highest(from, low, high, split(densities, stretch, known.is_some(), share).max(1))
    }

    fn without(&self, units: &FixedBitSet, requirements: Option<&Requirements>) -> Proposal {
        let mut set = self.believed.clone();
        self.units.take_out(units, &mut set);
        if let Some(requirements) = requirements {
            requirements.close(&mut set, units.ones().flat_map(|unit| self.units.items_of(unit)));
            if !self.locked.is_subset(&set) {
                return Proposal::Barred;
            }
        }
        Proposal::Ask(set)
    }

    /// Returns whether the verdict of this set can still be informative.
    pub(super) fn wants(&self, set: &FixedBitSet) -> bool {
        let mut gone = self.believed.clone();
        gone.difference_with(set);
        if gone.is_clear() {
            return !self.verified && *set == self.believed;
        }
        if !gone.is_disjoint(&self.locked) {
            return false;
        }
        let units = self.units.touched_by(gone);
        let covers = |pool: &Pool| {
            let members = self.undecided.count_ones(pool.low..pool.high);
            let mut inside = units.clone();
            inside.intersect_with(&self.undecided);
            inside.count_ones(pool.low..pool.high) == members
        };
        !units.is_disjoint(&self.undecided) && !self.pools.iter().any(covers)
    }
}

/// Adds the items that must stay because a unit is needed. In a branch with several items, any item can be the needed one.
fn lock(units: &Units, unit: usize, locked: &mut FixedBitSet, requirements: Option<&Requirements>) {
    match requirements {
        Some(requirements) => requirements.bind(units.items_of(unit), locked),
        None if units.items_of(unit).count() == 1 => locked.extend(units.items_of(unit)),
        None => {}
    }
}

fn last(set: &FixedBitSet, low: usize, high: usize) -> Option<usize> {
    let bits = usize::BITS as usize;
    let words = set.as_slice();
    let end = high.min(words.len() * bits);
    let mut place = end.checked_sub(1)? / bits;
    let mut word = words[place] & (usize::MAX >> (bits - 1 - (end - 1) % bits));
    while word == 0 {
        place = place.checked_sub(1)?;
        word = words[place];
    }
    Some(place * bits + bits - 1 - word.leading_zeros() as usize).filter(|&member| member >= low)
}

fn highest(set: &FixedBitSet, low: usize, high: usize, count: usize) -> FixedBitSet {
    let mut found = FixedBitSet::with_capacity(set.len());
    let bits = usize::BITS as usize;
    let words = set.as_slice();
    let mut left = count;
    if high == 0 {
        return found;
    }
    for place in (low / bits..=(high - 1) / bits).rev() {
        let mut word = words[place];
        if place == (high - 1) / bits && !high.is_multiple_of(bits) {
            word &= (1 << (high % bits)) - 1;
        }
        if place == low / bits {
            word &= usize::MAX << (low % bits);
        }
        let there = word.count_ones() as usize;
        while there > left && word.count_ones() as usize > left {
            word &= word - 1;
        }
        found.as_mut_slice()[place] = word;
        left -= word.count_ones() as usize;
        if left == 0 {
            break;
        }
    }
    found
}
