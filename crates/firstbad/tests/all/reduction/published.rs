//! Simple second implementations of the published algorithms, which call an oracle directly and at most once for each set.
//! Items with higher numbers are newer and come first.

use std::collections::HashMap;

use firstbad::Outcome;

use super::world::{Set, World, all, items_of, set_of};

/// An oracle that tests each set once.
pub(crate) struct Memory<'a> {
    world: &'a World,
    pub(crate) asked: Vec<Set>,
    told: HashMap<Set, Outcome>,
}

impl<'a> Memory<'a> {
    /// Starts with the full set tested, as in all reductions.
    pub(crate) fn new(world: &'a World) -> Self {
        let mut memory = Memory { world, asked: Vec::new(), told: HashMap::new() };
        memory.test(all(world.count));
        memory
    }

    /// Passes if the set has the property. A set that violates requirements is unresolved and not tested.
    pub(crate) fn test(&mut self, set: Set) -> Outcome {
        if self.world.standing(set) != set {
            return Outcome::Unresolved;
        }
        let (asked, world) = (&mut self.asked, self.world);
        *self.told.entry(set).or_insert_with(|| {
            asked.push(set);
            world.property.of(set, world.count)
        })
    }

    fn holds(&mut self, set: Set) -> bool {
        self.test(set) == Outcome::Pass
    }
}

/// Divides a set into parts of nearly equal size, newest first.
fn parts(of: Set, count: usize) -> Vec<Set> {
    let items = items_of(of);
    let edge = |part: usize| part * items.len() / count;
    (0..count).rev().map(|part| set_of(&items[edge(part)..edge(part + 1)])).collect()
}

/// ddmin2(c, n) (Zeller and Hildebrandt 2002, Section 3). At the end, it also tries to remove a single unit.
pub(crate) fn ddmin(memory: &mut Memory<'_>, c: Set, n: usize) -> Set {
    let size = items_of(c).len();
    if size == 0 {
        return c;
    }
    if size == 1 {
        return if memory.holds(0) { 0 } else { c };
    }
    let subsets = parts(c, n);
    if let Some(&subset) = subsets.iter().find(|&&subset| memory.holds(subset)) {
        return ddmin(memory, subset, 2.min(items_of(subset).len()));
    }
    if let Some(&subset) = subsets.iter().find(|&&subset| memory.holds(c & !subset)) {
        return ddmin(memory, c & !subset, (n - 1).max(2).min(size));
    }
    if n < size {
        return ddmin(memory, c, (2 * n).min(size));
    }
    c
}

/// dd2(c_pass, c_fail, n) (Section 5 of the same paper), with the set that lacks the property and the one that has it.
pub(crate) fn dd(memory: &mut Memory<'_>, lacking: Set, holding: Set, n: usize) -> (Set, Set) {
    let difference = holding & !lacking;
    let size = items_of(difference).len();
    if size < 2 {
        return (lacking, holding);
    }
    let n = n.min(size);
    let deltas = parts(difference, n);
    let with: Vec<Set> = deltas.iter().map(|&delta| lacking | delta).collect();
    if let Some(&set) = with.iter().find(|&&set| memory.test(set) == Outcome::Pass) {
        return dd(memory, lacking, set, 2);
    }
    let without: Vec<Set> = deltas.iter().map(|&delta| holding & !delta).collect();
    if let Some(&set) = without.iter().find(|&&set| memory.test(set) == Outcome::Fail) {
        return dd(memory, set, holding, 2);
    }
    let fewer = (n - 1).max(2);
    if let Some(&set) = with.iter().find(|&&set| memory.test(set) == Outcome::Fail) {
        return dd(memory, set, holding, fewer);
    }
    if let Some(&set) = without.iter().find(|&&set| memory.test(set) == Outcome::Pass) {
        return dd(memory, lacking, set, fewer);
    }
    if n < size {
        return dd(memory, lacking, holding, 2 * n);
    }
    (lacking, holding)
}

/// One pass of IDD's bisection (Artho 2011, Section 3.1). Returns `kept` without the removable items of `part`, and whether
/// every set was resolved.
pub(crate) fn recursive(memory: &mut Memory<'_>, kept: Set, part: Set) -> (Set, bool) {
    match memory.test(kept & !part) {
        Outcome::Pass => (kept & !part, true),
        verdict if items_of(part).len() == 1 => (kept, verdict == Outcome::Fail),
        verdict => {
            let halves = halves(memory.world, part);
            let (kept, newer) = recursive(memory, kept, halves[0]);
            let (kept, older) = recursive(memory, kept, halves[1]);
            (kept, verdict == Outcome::Fail && newer && older)
        }
    }
}

/// Returns the newer and the older half, by number or by weight.
fn halves(world: &World, of: Set) -> Vec<Set> {
    let Some(weights) = &world.config.weights else { return parts(of, 2) };
    let items = items_of(of);
    let weigh = |items: &[usize]| items.iter().map(|&item| weights[item]).sum::<f64>();
    let fits = |len: &usize| 2.0 * weigh(&items[..*len]) <= weigh(&items);
    let older = (1..items.len()).rev().find(fits).unwrap_or(1);
    vec![set_of(&items[older..]), set_of(&items[..older])]
}

/// Repeats passes until one changes nothing or every set was resolved.
pub(crate) fn recursive_to_the_end(memory: &mut Memory<'_>) -> Set {
    let mut kept = memory.world.all();
    loop {
        let (left, decided) = recursive(memory, kept, kept);
        if left == kept || left == 0 || decided {
            return left;
        }
        kept = left;
    }
}
