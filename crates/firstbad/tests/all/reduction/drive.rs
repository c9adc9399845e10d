//! Drivers from the simplest to the most careless, which check every promise of a search along the way.

use crate::random::Random;
use std::collections::HashMap;

use firstbad::{ChangeSet, Isolator, Minimizer, Observation, Outcome, Probe, Search, Target};

use super::world::{Set, World, set_of, tested};

pub(crate) trait Reduction: Search {
    /// Returns the current set that has the property.
    fn kept(&self) -> Set;

    /// Whether this is the smallest observed set with the property while the search runs.
    const KEEPS_THE_SMALLEST: bool;
}

impl Reduction for Minimizer {
    const KEEPS_THE_SMALLEST: bool = true;

    fn kept(&self) -> Set {
        set_of(&self.report().kept)
    }
}

impl Reduction for Isolator {
    const KEEPS_THE_SMALLEST: bool = false;

    fn kept(&self) -> Set {
        set_of(&self.report().kept)
    }
}

/// The habits of a driver.
#[derive(Debug, Clone)]
pub(crate) struct Habits {
    /// The number of probes in flight.
    pub(crate) jobs: usize,
    /// Decides order and failures.
    pub(crate) random: Random,
    /// Outcomes arrive in any order.
    pub(crate) shuffled: bool,
    /// The driver cancels probes that are no longer wanted.
    pub(crate) cancels: bool,
    /// Workers die, and outcomes arrive after their probes were cancelled.
    pub(crate) careless: bool,
}

impl Habits {
    pub(crate) fn random(random: &mut Random) -> Habits {
        let jobs = [1, 1, 2, 3, 5, 8][random.below(6)];
        let [shuffled, cancels, careless] = [2, 2, 3].map(|times| jobs > 1 && random.once_in(times));
        Habits { jobs, random: Random(random.draw()), shuffled, cancels, careless }
    }
}

/// Returns whether the outcome of a set follows from others, if every superset of a set with the property has it too.
fn follows(told: &HashMap<Set, Outcome>, set: Set) -> bool {
    told.iter().any(|(&other, outcome)| match outcome {
        Outcome::Pass => other & !set == 0,
        Outcome::Fail => set & !other == 0,
        Outcome::Unresolved => false,
    })
}

/// A tested set satisfies its requirements, and its outcome neither is known nor follows from others.
fn check_asked<S: Reduction>(world: &World, told: &HashMap<Set, Outcome>, target: &Target) {
    let set = tested(target);
    assert!(set <= world.all(), "{set:b} has more than {} items", world.count);
    assert!(!told.contains_key(&set), "{target:?} was asked though it is known");
    assert_eq!(world.standing(set), set, "{target:?} cannot stand");
    // Until the full set is told, the kept failure may be unknown.
    let begun = S::KEEPS_THE_SMALLEST && told.contains_key(&world.all());
    let follows = begun && world.config.monotonic && follows(told, set);
    assert!(!follows, "{target:?} was asked though it follows");
}

/// The kept set was observed to have the property, and no smaller set was while the search runs.
fn check_kept<S: Reduction>(search: &S, world: &World, told: &HashMap<Set, Outcome>) {
    let kept = search.kept();
    let seen = kept == world.all() || told.get(&kept) == Some(&Outcome::Pass);
    assert!(seen, "{kept:b} is kept, and was never seen to have the property");
    let holding = told.iter().filter(|(_, outcome)| **outcome == Outcome::Pass).map(|(set, _)| set.count_ones());
    let counts = S::KEEPS_THE_SMALLEST && told.contains_key(&world.all()) && !search.is_done();
    let smallest = holding.min().filter(|_| counts);
    assert!(smallest.is_none_or(|least| kept.count_ones() <= least), "a smaller set than {kept:b} was seen");
}

/// Cancels probes that are no longer wanted.
fn cancel_useless<S: Search>(search: &mut S, flying: &mut Vec<Probe>) {
    flying.retain(|probe| {
        let wanted = search.wanted(probe.id).expect("a probe of this search");
        if !wanted {
            search.abandon(probe.id).expect("a probe of this search");
        }
        wanted
    });
}

/// Runs a search to its end and returns the tested sets in order.
///
/// It checks that no set is tested twice or violates the requirements, that the full set comes first, and that the kept set
/// always was observed to have the property.
pub(crate) fn drive<S: Reduction>(search: &mut S, world: &World, mut habits: Habits) -> Vec<Set> {
    let mut asked = Vec::new();
    let mut told: HashMap<Set, Outcome> = HashMap::new();
    let mut flying: Vec<Probe> = Vec::new();
    let mut given_up: Vec<Probe> = Vec::new();
    loop {
        let room = habits.jobs - flying.len();
        if room > 0 {
            let k = 1 + habits.random.below(room);
            let k = if habits.careless { k } else { room };
            let probes = search.ask(k).expect("at least one");
            assert!(probes.len() <= k, "{} where {k} were asked for", probes.len());
            for probe in probes {
                let set = tested(&probe.target);
                assert!(flying.iter().all(|other| tested(&other.target) != set), "{:?} flies already", probe.target);
                assert!(!asked.is_empty() || set == world.all(), "the full set comes first");
                check_asked::<S>(world, &told, &probe.target);
                asked.push(set);
                flying.push(probe);
            }
        }
        assert!(asked.len() <= 8 * world.count * world.count + 200, "no end in sight: {}", asked.len());
        if flying.is_empty() {
            break;
        }
        if habits.careless && habits.random.once_in(8) {
            let probe = flying.swap_remove(habits.random.below(flying.len()));
            search.abandon(probe.id).expect("a probe of this search");
            given_up.push(probe);
            continue;
        }
        let late = habits.careless && !given_up.is_empty() && habits.random.once_in(4);
        let probe = match (late, habits.shuffled) {
            (true, _) => given_up.swap_remove(habits.random.below(given_up.len())),
            (false, true) => flying.remove(habits.random.below(flying.len())),
            (false, false) => flying.remove(0),
        };
        let set = tested(&probe.target);
        search.tell(probe.id, world.answer(set).into()).expect("an honest answer");
        told.insert(set, world.property.of(set, world.count));
        check_kept(search, world, &told);
        // A probe that was cancelled and requested again can still be in flight after its outcome is known.
        let known = |probe: &Probe| told.contains_key(&tested(&probe.target));
        for probe in flying.iter().filter(|probe| known(probe)) {
            assert!(!search.wanted(probe.id).expect("a probe of this search"), "it is known");
        }
        if habits.cancels {
            cancel_useless(search, &mut flying);
        } else {
            let (answered, left) = std::mem::take(&mut flying).into_iter().partition(known);
            flying = left;
            for probe in answered {
                search.tell(probe.id, world.answer(tested(&probe.target)).into()).expect("the same again");
            }
        }
    }
    assert!(search.is_done(), "nothing asked, nothing in flight, and not done");
    assert!(search.ask(3).expect("at least one").is_empty());
    asked
}

/// Runs a search with one probe at a time, and returns the tested sets.
pub(crate) fn serially<S: Search>(search: &mut S, mut oracle: impl FnMut(Set) -> Observation) -> Vec<Set> {
    let mut asked = Vec::new();
    while !search.is_done() {
        let probes = search.ask(1).expect("at least one");
        assert_eq!(probes.len(), 1, "nothing asked, nothing in flight, and not done");
        let set = tested(&probes[0].target);
        search.tell(probes[0].id, oracle(set)).expect("an honest answer");
        asked.push(set);
        assert!(asked.len() < 100_000, "no end in sight");
    }
    asked
}

/// Formats sets.
pub(crate) fn written(sets: &[Set]) -> Vec<String> {
    let text = |&set: &Set| super::world::items_of(set).into_iter().collect::<ChangeSet>().to_string();
    sets.iter().map(text).collect()
}
