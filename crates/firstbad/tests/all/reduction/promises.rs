//! Promises of results, and of the tests that published algorithms choose.

use crate::random::Random;
use firstbad::reduction::{Guarantee, Method};
use firstbad::{IsolateReport, Isolator, MinimizeReport, Minimizer, Outcome, ReductionConfig, Search, Status};

use super::drive::{Habits, drive, serially, written};
use super::published::{Memory, dd, ddmin, recursive, recursive_to_the_end};
use super::world::{Kinds, Property, Set, World, all, items_of, set_of, some, tested};

pub(crate) const METHODS: [Method; 3] = [Method::Auto, Method::Ddmin, Method::Recursive];

pub(crate) fn minimizer(world: &World) -> Minimizer {
    Minimizer::new(world.count, world.config.clone()).expect("a configuration of this model")
}

pub(crate) fn isolator(world: &World) -> Isolator {
    Isolator::new(world.count, world.config.clone()).expect("a configuration of this model")
}

/// Checks the result of a finished minimization.
pub(crate) fn check(world: &World, report: &MinimizeReport, asked: &[Set]) {
    let kept = set_of(&report.kept);
    assert_eq!(report.status, Status::Found);
    assert_eq!(report.runs as usize, report.observations.len());
    assert!(report.runs as usize <= asked.len());
    assert!(world.holds(kept), "{:?} has not the property", report.kept);
    assert!(
        report
            .observations
            .iter()
            .any(|seen| { tested(&seen.target) == kept && seen.observation.outcome == world.spoken(Outcome::Pass) }),
        "nobody saw {:?} have the property",
        report.kept
    );
    match report.guarantee {
        Guarantee::BestSoFar => panic!("it is at its end"),
        Guarantee::Fixpoint => {
            assert_eq!(world.config.guarantee, Guarantee::Fixpoint, "1-minimal was wanted");
            let smaller = world.smaller(kept).filter(|_| world.property.is_monotone());
            assert_eq!(smaller, None, "{:?}: less will do, and the property is monotonic: {world:?}", report.kept);
        }
        Guarantee::OneMinimal => {
            assert_eq!(world.smaller(kept), None, "{:?} is said to be 1-minimal", report.kept);
        }
    }
}

pub(crate) fn every_reduction(seed: u64, most: usize) {
    let mut random = Random(seed);
    for method in METHODS {
        let world =
            World::random(&mut random, most, method, Kinds { dependencies: true, tree: true, monotonic: false });
        let habits = Habits::random(&mut random);
        let mut search = minimizer(&world);
        if std::env::var("SHOW").is_ok() {
            eprintln!("{seed} {world:?} {habits:?}");
        }
        let asked = drive(&mut search, &world, habits.clone());
        let told = format!("{world:?} {habits:?} {:?}", written(&asked));
        let checked = std::panic::catch_unwind(|| check(&world, &search.report(), &asked));
        assert!(checked.is_ok(), "{told}");
    }
}

pub(crate) fn monotonic(seed: u64, most: usize) {
    let mut random = Random(seed);
    for method in METHODS {
        let kinds = Kinds { dependencies: true, tree: true, monotonic: true };
        let world = World::random(&mut random, most, method, kinds);
        let mut search = minimizer(&world);
        let asked = drive(&mut search, &world, Habits::random(&mut random));
        check(&world, &search.report(), &asked);
    }
}

pub(crate) fn isolation(seed: u64, most: usize) {
    let mut random = Random(seed);
    let kinds = Kinds { dependencies: true, tree: true, monotonic: false };
    let world = World::random(&mut random, most, Method::Auto, kinds);
    let mut search = isolator(&world);
    drive(&mut search, &world, Habits::random(&mut random));
    let report = search.report();
    if world.property.of(0, world.count) != Outcome::Fail {
        assert_eq!((report.status, report.guarantee), (Status::NotReproduced, Guarantee::BestSoFar));
        let unresolved = report.message.contains("is unresolved without items");
        assert_eq!(unresolved, !world.holds(0), "{}", report.message);
        return;
    }
    assert_eq!(report.status, Status::Found);
    assert_eq!(report.guarantee, Guarantee::OneMinimal);
    differ_minimally(&world, &report);
}

/// Checks Zeller's definition: no single part of the difference can move from one side to the other.
fn differ_minimally(world: &World, report: &IsolateReport) {
    let [kept, lacking, difference] = [&report.kept, &report.lacking, &report.difference].map(|items| set_of(items));
    assert_eq!(difference, kept & !lacking);
    assert_eq!(lacking & !kept, 0, "one lies within the other");
    assert_ne!(difference, 0);
    assert!(world.holds(kept));
    let says = |set: Set| {
        let stands = world.standing(set) == set;
        if stands { world.property.of(set, world.count) } else { Outcome::Unresolved }
    };
    assert_eq!(says(lacking), Outcome::Fail, "{:?} was not seen to lack it", report.lacking);
    if items_of(difference).len() < 2 {
        return;
    }
    for item in items_of(difference) {
        let unit = world.unit(item) & difference;
        // Items that need each other move together.
        if unit == difference || world.standing(lacking | unit) != lacking | unit {
            continue;
        }
        for moved in [lacking | unit, kept & !unit] {
            assert_eq!(says(moved), Outcome::Unresolved, "{moved:b} would bring them nearer: {report:?}");
        }
    }
}

fn any_property(random: &mut Random, count: usize) -> Property {
    match random.below(4) {
        3 => Property::Large(1 + random.below(count) as u32),
        0 => Property::AnyOf((0..1 + random.below(2)).map(|_| some(random, count, 4)).collect()),
        1 => {
            Property::Hidden(vec![some(random, count, 5)], (0..count).map(|_| some(random, count, 2 * count)).collect())
        }
        _ => Property::Table { seed: random.draw(), holds: 1 + random.draw() % 6, unresolved: random.draw() % 8 },
    }
}

pub(crate) fn ddmin_matches_the_paper(seed: u64, most: usize) {
    let mut random = Random(seed);
    let count = 1 + random.below(most);
    let property = any_property(&mut random, count);
    let world = World::plain(count, Method::Ddmin, property);
    let mut memory = Memory::new(&world);
    let kept = ddmin(&mut memory, world.all(), 2.min(count));
    let mut search = minimizer(&world);
    let asked = serially(&mut search, |set| world.answer(set).into());
    assert_eq!(written(&asked), written(&memory.asked), "{world:?}");
    let report = search.report();
    assert_eq!(set_of(&report.kept), kept);
    assert_eq!(report.guarantee, Guarantee::OneMinimal);
    let at_most = count * count + 3 * count + 2;
    assert!(asked.len() <= at_most, "{} questions, more than n squared and 3n", asked.len());
}

pub(crate) fn dd_matches_the_paper(seed: u64, most: usize) {
    let mut random = Random(seed);
    let count = 1 + random.below(most);
    let property = any_property(&mut random, count);
    let world = World::plain(count, Method::Auto, property);
    let mut memory = Memory::new(&world);
    // The definition assumes that the empty set lacks the property.
    let begins = memory.test(0) == Outcome::Fail;
    let expected = if begins { dd(&mut memory, 0, world.all(), 2) } else { (0, world.all()) };
    let mut search = isolator(&world);
    let asked = serially(&mut search, |set| world.answer(set).into());
    assert_eq!(written(&asked), written(&memory.asked), "{world:?}");
    let report = search.report();
    assert_eq!((set_of(&report.lacking), set_of(&report.kept)), expected);
    assert_eq!(report.status, if begins { Status::Found } else { Status::NotReproduced });
}

pub(crate) fn recursive_matches_the_bisection_of_idd(seed: u64, most: usize) {
    let mut random = Random(seed);
    let count = 1 + random.below(most);
    let property = any_property(&mut random, count);
    let mut world = World::plain(count, Method::Recursive, property);
    // No two sums of weights are equal.
    let weight = |_| 0.1 + (random.draw() >> 11) as f64 / (1u64 << 53) as f64;
    world.config.weights = seed.is_multiple_of(3).then(|| (0..count).map(weight).collect());
    let mut memory = Memory::new(&world);
    let kept = recursive_to_the_end(&mut memory);
    let mut search = minimizer(&world);
    let asked = serially(&mut search, |set| world.answer(set).into());
    assert_eq!(written(&asked), written(&memory.asked), "{world:?}");
    assert_eq!(set_of(&search.report().kept), kept);
    let two_outcomes = asked.iter().all(|&set| world.answer(set) != Outcome::Unresolved);
    if two_outcomes {
        assert!(asked.len() <= 2 * count, "{} questions for {count} items", asked.len());
    }
}

/// Artho 2011, Figure 3, after the full set.
#[test]
fn the_recursion_of_figure_3() {
    let world = World::plain(8, Method::Recursive, Property::AnyOf(vec![1 << 5]));
    let mut search = minimizer(&world);
    let asked = serially(&mut search, |set| world.answer(set).into());
    assert_eq!(written(&asked), ["0-7", "", "0-3", "0-5", "0-4", "0-3,5", "5"]);
    assert_eq!((search.report().kept, search.report().guarantee), (vec![5], Guarantee::OneMinimal));
}

/// Zeller and Hildebrandt 2002, the example of ddmin: changes 1, 7, and 8 of 8 are needed. The paper tries parts from the
/// first one on, and firstbad from the last one, so the example is mirrored: 0, 1, and 7 are needed.
#[test]
fn the_ddmin_example_of_the_paper() {
    let world = World::plain(8, Method::Ddmin, Property::AnyOf(vec![set_of(&[0, 1, 7])]));
    let mut search = minimizer(&world);
    let asked = serially(&mut search, |set| world.answer(set).into());
    let mirrored = [
        // 1-8; 1-4, 5-8; 1-2, 3-4, 5-6, 7-8; without 1-2; without 3-4, which holds.
        "0-7", "4-7", "0-3", "6-7", "4-5", "2-3", "0-1", "0-5", "0-3,6-7",
        // From 1, 2, and 5-8: the subsets and the set without 1-2 are known. The set without 5-6 holds. 1-2 and 7-8 are
        // known.
        "0-1,6-7", "7", "6", "1", "0", "0-1,6", "0-1,7", "0,7", "1,7",
    ];
    assert_eq!(written(&asked), mirrored);
    assert_eq!((search.report().kept, search.report().guarantee), (vec![0, 1, 7], Guarantee::OneMinimal));
}

#[test]
fn the_bisection_takes_at_most_2n_tests() {
    for count in [1, 2, 3, 7, 8, 33] {
        let world = World::plain(count, Method::Recursive, Property::AnyOf(vec![all(count)]));
        let mut memory = Memory::new(&world);
        assert_eq!(recursive(&mut memory, world.all(), world.all()), (world.all(), true));
        let mut search = minimizer(&world);
        let asked = serially(&mut search, |set| world.answer(set).into());
        assert_eq!(asked.len(), 2 * count, "the full set and 2n - 1 more");
        assert_eq!(asked, memory.asked);
    }
}

/// Weights are relative, and equal weights have no effect.
pub(crate) fn weights_are_relative(seed: u64, most: usize) {
    let mut random = Random(seed);
    let count = 1 + random.below(most);
    let needed = some(&mut random, count, 4);
    let weights: Vec<f64> = (0..count).map(|_| (1 + random.below(64)) as f64).collect();
    for method in METHODS {
        let asked = |weights: Option<Vec<f64>>| {
            let mut world = World::plain(count, method, Property::AnyOf(vec![needed]));
            world.config.weights = weights;
            written(&serially(&mut minimizer(&world), |set| world.answer(set).into()))
        };
        let scaled = weights.iter().map(|weight| weight * 64.0).collect();
        assert_eq!(asked(Some(weights.clone())), asked(Some(scaled)), "{method:?} {weights:?}");
        assert_eq!(asked(Some(vec![8.0; count])), asked(None), "{method:?}");
    }
}

#[test]
fn branches_are_tried_by_their_newest_items() {
    let mut world = World::plain(4, Method::Recursive, Property::AnyOf(vec![1]));
    world.config.parents = Some(vec![Some(5), Some(5), Some(4), Some(4), None, None]);
    let asked = serially(&mut minimizer(&world), |set| world.answer(set).into());
    assert_eq!(written(&asked), ["0-3", "", "0-1", "0"]);
}

/// Hierarchical delta debugging ends once another round over the levels changes nothing (IDD, Section 3.4). Here, the second
/// branch, 1 and 3, can be removed only as a whole, and only after 2 in the other branch.
#[test]
fn ddmin_repeats_the_levels() {
    let mut world = World::plain(5, Method::Ddmin, Property::AnyOf(Vec::new()));
    world.config.parents = Some(vec![Some(5), Some(6), Some(5), Some(6), Some(5), None, None]);
    let mut search = minimizer(&world);
    serially(&mut search, |set| {
        let has = |item: usize| set >> item & 1 == 1;
        let holds = has(0) && has(4) && has(1) == has(3) && (!has(2) || has(1));
        if holds { Outcome::Pass } else { Outcome::Fail }.into()
    });
    assert_eq!(search.report().kept, [0, 4]);
}

/// Choosing 4 of 128 items takes 23.3 bits. Splitting with a known density takes about 29 tests.
#[test]
fn group_testing_is_close_to_the_information_bound() {
    let asked = |seed: u64| {
        let mut random = Random(seed);
        let needed = (0..4).fold(0, |set, _| set | 1 << random.below(128));
        let world = World::plain(128, Method::Auto, Property::AnyOf(vec![needed]));
        let mut search = minimizer(&world);
        let asked = serially(&mut search, |set| world.answer(set).into()).len();
        assert_eq!(set_of(&search.report().kept), needed);
        asked
    };
    let all: usize = (0..20).map(asked).sum();
    assert!(all <= 20 * 36, "{} on average", all as f64 / 20.0);
}

/// Only the full set and one block of items are resolved, so no stretch of the newest items can be removed. The second round
/// tries pieces of any length, although the first round removed nothing.
#[test]
fn related_items_are_tried_in_pieces_after_a_round_without_removals() {
    for (count, block) in [(8, 4..8), (16, 8..16), (16, 0..8), (16, 4..8), (24, 12..18)] {
        let kept = |algorithm: Method| {
            let config = ReductionConfig { algorithm, ..ReductionConfig::default() };
            let mut search = Minimizer::new(count, config).expect("a configuration");
            while !search.is_done() {
                for probe in search.ask(1).expect("1") {
                    let set = probe.changes().expect("changes");
                    let is_block = set.len() == block.len() && set.iter().all(|item| block.contains(&item));
                    let holds = is_block || set.len() == count;
                    search.tell(probe.id, if holds { Outcome::Pass } else { Outcome::Unresolved }.into()).expect("one");
                }
            }
            search.report().kept.len()
        };
        assert!(kept(Method::Auto) <= kept(Method::Recursive), "{count} {block:?}");
    }
}
