//! Promises of the ask/tell interface for reductions: undo, restoring, budgets, contradictions, and observed sets.

use crate::random::Random;
use firstbad::reduction::{Guarantee, Method};
use firstbad::{
    Budget, Error, Event, Isolator, Minimizer, Observation, Outcome, Probe, ReductionConfig, Search, Status,
};
use firstbad::{StopReason, restore};

use super::drive::{Habits, Reduction, drive, serially};
use super::promises::{METHODS, check, isolator, minimizer};
use super::world::{Kinds, Property, Set, World, all, set_of, some, target, tested};

fn any_world(random: &mut Random, most: usize) -> World {
    let method = METHODS[random.below(METHODS.len())];
    World::random(random, most, method, Kinds { dependencies: true, tree: true, monotonic: false })
}

fn ids(probes: &[Probe]) -> Vec<u64> {
    probes.iter().map(|probe| probe.id).collect()
}

/// A search restored from its snapshot at any time tests the same sets as the original.
pub(crate) fn a_restored_search_behaves_like_the_original(seed: u64, most: usize) {
    let mut random = Random(seed);
    let world = any_world(&mut random, most);
    if random.once_in(4) {
        let restored = |search: &Isolator| {
            Isolator::restore(world.count, &search.inspect().snapshot().expect("it has a JSON form")).expect("its own")
        };
        side_by_side(isolator(&world), restored, &world, random);
    } else {
        let restored = |search: &Minimizer| {
            Minimizer::restore(world.count, &search.inspect().snapshot().expect("it has a JSON form")).expect("its own")
        };
        side_by_side(minimizer(&world), restored, &world, random);
    }
}

fn side_by_side<S: Reduction>(mut one: S, restored: impl Fn(&S) -> S, world: &World, mut random: Random) {
    let mut other = restored(&one);
    let k = 1 + random.below(4);
    let mut flying: Vec<Probe> = Vec::new();
    loop {
        if flying.len() < k {
            let probes = one.ask(k - flying.len()).expect("at least one");
            assert_eq!(other.ask(k - flying.len()).expect("at least one"), probes);
            flying.extend(probes);
        }
        assert_eq!(ids(&other.in_flight()), ids(&one.in_flight()));
        if flying.is_empty() {
            break;
        }
        let probe = flying.swap_remove(random.below(flying.len()));
        let answer = world.answer(tested(&probe.target));
        for search in [&mut one, &mut other] {
            match probe.id % 7 {
                6 => search.abandon(probe.id).expect("a probe"),
                _ => search.tell(probe.id, answer.into()).expect("an honest answer"),
            }
        }
        if random.once_in(3) {
            other = restored(&one);
            assert_eq!(
                other.inspect().snapshot().expect("it has a JSON form"),
                one.inspect().snapshot().expect("it has a JSON form")
            );
        }
        for probe in &flying {
            assert_eq!(one.wanted(probe.id), other.wanted(probe.id));
        }
    }
    assert_eq!(
        one.inspect().report_json().expect("it has a JSON form"),
        other.inspect().report_json().expect("it has a JSON form")
    );
}

/// After an undo, a search tests the same sets again and has the same result.
pub(crate) fn undone_outcomes_leave_no_trace(seed: u64, most: usize) {
    let mut random = Random(seed);
    let world = any_world(&mut random, most);
    let mut plain = minimizer(&world);
    let asked = serially(&mut plain, |set| world.answer(set).into());
    let mut search = minimizer(&world);
    let mut place = 0;
    let mut undone = 0;
    while !search.is_done() || (undone < 3 && place > 0) {
        if place > 0 && undone < 6 && (search.is_done() || random.once_in(4)) {
            let answers = 1 + random.below(place);
            search.undo(answers as u32).expect("so many were told");
            place -= answers;
            undone += 1;
            assert_eq!(search.runs() as usize, place);
        }
        let probes = search.ask(1).expect("at least one");
        assert_eq!(probes.len(), 1);
        let set = tested(&probes[0].target);
        assert_eq!(set, asked[place], "another set than when it was asked first");
        search.tell(probes[0].id, world.answer(set).into()).expect("an honest answer");
        place += 1;
    }
    let (one, other) = (plain.report(), search.report());
    assert_eq!((one.kept, one.guarantee, one.runs), (other.kept, other.guarantee, other.runs));
    assert_eq!(search.undo(place as u32 + 1).map_err(|error| error.code()), Err("invalid_argument"));
}

/// A search that gave up a pass and was undone to its start works like a new one for another property.
pub(crate) fn undo_forgets_that_a_pass_gave_up(seed: u64) {
    let mut random = Random(seed);
    let count = 24 + random.below(24);
    let [one, other] = [random.below(count), random.below(count)];
    // Pairs that are removable only together.
    let pairs: Vec<(usize, usize)> = (0..3).map(|_| (random.below(count), random.below(count))).collect();
    let has = |set: Set, item: usize| set >> item & 1 == 1;
    let answer = |set: Set| match () {
        () if pairs.iter().any(|&(one, other)| has(set, one) != has(set, other)) => Outcome::Unresolved,
        () if has(set, one) && has(set, other) => Outcome::Pass,
        () => Outcome::Fail,
    };
    let new = || Minimizer::new(count, ReductionConfig::default()).expect("a valid configuration");
    let mut search = new();
    // All smaller sets are unresolved.
    let of_all = |set: Set| if set == all(count) { Outcome::Pass } else { Outcome::Unresolved };
    let told = serially(&mut search, |set| of_all(set).into());
    search.undo(told.len() as u32).expect("so many were told");
    let sets = |search: &mut Minimizer| serially(search, |set| answer(set).into());
    assert_eq!(sets(&mut search), sets(&mut new()));
}

/// A budget stops a search with the best set so far, and a larger budget resumes the search.
pub(crate) fn budgets_stop_a_search_and_larger_ones_resume_it(seed: u64, most: usize) {
    let mut random = Random(seed);
    let world = any_world(&mut random, most);
    let mut search = minimizer(&world);
    let mut runs = 0;
    while search.status() != Status::Found {
        assert!(search.status() == if runs == 0 { Status::Running } else { Status::Budget });
        runs += 1 + random.below(4) as u64;
        search.set_budget(Budget { runs: Some(runs), ..Budget::default() }).expect("a budget");
        loop {
            let probes = search.ask(1 + random.below(3)).expect("at least one");
            if probes.is_empty() {
                break;
            }
            for probe in probes {
                search.tell(probe.id, world.answer(tested(&probe.target)).into()).expect("an honest answer");
            }
        }
        assert!(search.runs() <= runs);
        let report = search.report();
        assert!(world.holds(set_of(&report.kept)));
        if report.status == Status::Budget {
            assert_eq!((report.guarantee, report.runs), (Guarantee::BestSoFar, runs));
        }
    }
    let asked = search.inspect().events(0).iter().filter(|event| matches!(event, Event::Asked { .. })).count();
    check(&world, &search.report(), &vec![0; asked]);
}

/// A second outcome for a known set is rejected and changes nothing.
pub(crate) fn contradictory_outcomes_are_rejected_without_effect(seed: u64, most: usize) {
    let mut random = Random(seed);
    let world = any_world(&mut random, most);
    let mut plain = minimizer(&world);
    let asked = serially(&mut plain, |set| world.answer(set).into());
    let mut search = minimizer(&world);
    let mut told: Vec<Probe> = Vec::new();
    for &set in &asked {
        let probe = search.ask(1).expect("at least one").remove(0);
        assert_eq!(tested(&probe.target), set);
        search.tell(probe.id, world.answer(set).into()).expect("an honest answer");
        told.push(probe);
        let Probe { id, target, .. } = told[random.below(told.len())].clone();
        let before = (search.inspect().report_json().expect("it has a JSON form"), search.inspect().events(0));
        let other = match world.answer(tested(&target)) {
            Outcome::Pass => Outcome::Fail,
            Outcome::Fail => Outcome::Unresolved,
            Outcome::Unresolved => Outcome::Pass,
        };
        let expected = Some("non_deterministic");
        assert_eq!(search.tell(id, other.into()).err().map(|error| error.code()), expected);
        let refused = search.observe(&target, other.into());
        assert_eq!(refused.as_ref().err().map(Error::code), expected);
        let Err(Error::NonDeterministic { changes, first, second }) = refused else { panic!("another error") };
        assert_eq!(changes, target.to_string());
        assert!(first.contains(world.answer(tested(&target)).as_str()) && second.contains(other.as_str()));
        assert_eq!(
            (search.inspect().report_json().expect("it has a JSON form"), search.inspect().events(0)),
            before,
            "it left a trace"
        );
        search.tell(id, world.answer(tested(&target)).into()).expect("the same again");
    }
    assert_eq!(
        search.inspect().report_json().expect("it has a JSON form"),
        plain.inspect().report_json().expect("it has a JSON form")
    );
}

/// Observed sets count without a test and without a cost.
pub(crate) fn observed_sets_are_not_tested_again(seed: u64, most: usize) {
    let mut random = Random(seed);
    let world = any_world(&mut random, most);
    let mut search = minimizer(&world);
    let mut known: Vec<Set> = Vec::new();
    for _ in 0..random.below(2 * world.count + 2) {
        let set = if random.once_in(6) { world.all() } else { world.standing(some(&mut random, world.count, 2)) };
        search.observe(&target(set), world.answer(set).into()).expect("an honest answer");
        known.push(set);
    }
    for _ in 0..random.below(3) {
        let set = world.standing(some(&mut random, world.count, 2));
        search.enqueue(&target(set)).expect("a set");
    }
    assert_eq!(search.runs(), 0);
    let asked = serially(&mut search, |set| world.answer(set).into());
    assert!(asked.iter().all(|set| !known.contains(set)), "a set was asked that is known");
    let report = search.report();
    assert_eq!(report.runs as usize, asked.len());
    let kept = set_of(&report.kept);
    assert_eq!(report.status, Status::Found);
    assert!(world.holds(kept));
    let smaller = world.smaller(kept).filter(|_| report.guarantee == Guarantee::OneMinimal);
    assert_eq!(smaller, None, "{report:?} {world:?}");
}

/// A search with an arbitrary oracle ends, and its kept set was observed to hold.
pub(crate) fn every_reduction_ends_with_any_oracle(seed: u64, most: usize) {
    let mut random = Random(seed);
    let count = 1 + random.below(most);
    let method = METHODS[random.below(METHODS.len())];
    let mut world = World::plain(count, method, Property::AnyOf(vec![0]));
    world.config.monotonic = random.once_in(3);
    world.config.guarantee = [Guarantee::Fixpoint, Guarantee::OneMinimal][random.below(2)];
    let (holds, unresolved) = (2 + random.below(8), 2 + random.below(8));
    let mut search = minimizer(&world);
    let mut seen: Vec<Set> = Vec::new();
    let mut flying: Vec<Probe> = Vec::new();
    let k = 1 + random.below(6);
    let mut runs = 0;
    loop {
        if flying.len() < k {
            flying.extend(search.ask(k - flying.len()).expect("at least one"));
        }
        if flying.is_empty() {
            break;
        }
        let probe = flying.swap_remove(random.below(flying.len()));
        let set = tested(&probe.target);
        let outcome = match (set == all(count) || random.once_in(holds), random.once_in(unresolved)) {
            (true, _) => Outcome::Pass,
            (_, true) => Outcome::Unresolved,
            _ => Outcome::Fail,
        };
        if outcome == Outcome::Pass {
            seen.push(set);
        }
        search.tell(probe.id, outcome.into()).expect("each set is asked once");
        runs += 1;
        assert!(runs <= 4 * count * count + 200, "no end in sight");
    }
    let report = search.report();
    assert_eq!(report.status, Status::Found);
    assert!(seen.contains(&set_of(&report.kept)), "{:?} was never seen to hold", report.kept);
    assert!(report.guarantee >= world.config.guarantee);
}

/// With many workers and any property, both sides of an isolation were observed.
pub(crate) fn parallel_isolation_reports_observed_sets(seed: u64, most: usize) {
    let mut random = Random(seed);
    let count = 1 + random.below(most);
    let property = Property::AnyOf((0..1 + random.below(2)).map(|_| some(&mut random, count, 3) | 1).collect());
    let world = World::plain(count, Method::Auto, property);
    let mut search = isolator(&world);
    let habits = Habits { jobs: 4, shuffled: true, cancels: random.once_in(2), careless: true, random };
    drive(&mut search, &world, habits);
    let report = search.report();
    assert_eq!((report.status, report.difference.len()), (Status::Found, 1), "two outcomes leave one item");
    assert!(world.holds(set_of(&report.kept)) && !world.holds(set_of(&report.lacking)));
    assert_eq!(set_of(&report.kept) & !set_of(&report.lacking), set_of(&report.difference));
}

#[test]
fn tests_run_in_parallel_before_the_full_set_is_told() {
    for method in METHODS {
        let mut search = Minimizer::new(16usize, ReductionConfig::default().algorithm(method)).expect("16 items");
        let probes = search.ask(6).expect("at least one");
        assert_eq!(tested(&probes[0].target), all(16));
        assert!(probes.len() > 1, "{method:?} has nothing to do for the others");
        assert!(probes.iter().all(|probe| search.wanted(probe.id).expect("a probe")));
        for probe in &probes[1..] {
            search.tell(probe.id, Outcome::Pass.into()).expect("an answer");
        }
        assert_eq!((search.status(), search.report().guarantee), (Status::Running, Guarantee::BestSoFar));
        search.tell(probes[0].id, Outcome::Fail.into()).expect("an answer");
        assert_eq!(search.status(), Status::NotReproduced);
        assert!(!search.wanted(probes[1].id).expect("a probe"));
        assert!(search.ask(4).expect("at least one").is_empty());
        let message = search.report().message;
        assert_eq!(message, "the property does not hold for all 16 items together, so there is nothing to reduce");
    }
}

#[test]
fn an_unresolved_full_set_ends_the_search() {
    let mut search = Minimizer::new(2usize, ReductionConfig::default()).expect("two items");
    let id = search.ask(1).expect("at least one")[0].id;
    search.tell(id, Outcome::Unresolved.into()).expect("an answer");
    let report = search.report();
    assert_eq!((report.status, report.guarantee), (Status::NotReproduced, Guarantee::BestSoFar));
    assert!(report.message.contains("is unresolved for all 2 items"), "{}", report.message);
}

#[test]
fn another_failure_is_unresolved() {
    let fail = |signature: &str| Observation { signature: Some(signature.into()), ..Observation::new(Outcome::Fail) };
    let config = ReductionConfig { keep: Outcome::Fail, ..ReductionConfig::default().algorithm(Method::Recursive) };
    // The full set determines the kept failure, and earlier outcomes are judged by it.
    for (first, then) in [(0, 1), (1, 0)] {
        let mut search = Minimizer::new(4usize, config.clone()).expect("four items");
        let probes = search.ask(2).expect("at least one");
        assert_eq!(tested(&probes[1].target), 0);
        for place in [first, then] {
            search.tell(probes[place].id, fail(["ours", "theirs"][place])).expect("an answer");
        }
        assert_eq!(search.report().kept, [0, 1, 2, 3], "{first} first");
        let asked = serially(&mut search, |set| fail(if set & 2 != 0 { "ours" } else { "theirs" }));
        assert!(!asked.contains(&0));
        assert_eq!(search.report().kept, [1]);
    }
    // The signature is given.
    let config = ReductionConfig { signature: Some("ours".into()), ..config };
    let mut search = Minimizer::new(4usize, config).expect("four items");
    serially(&mut search, |set| fail(if set & 2 != 0 { "ours" } else { "theirs" }));
    assert_eq!(search.report().kept, [1]);
    let mut search = Minimizer::new(1usize, search_config("ours")).expect("an item");
    serially(&mut search, |_| fail("theirs"));
    assert_eq!(search.status(), Status::NotReproduced);
}

fn search_config(signature: &str) -> ReductionConfig {
    ReductionConfig { keep: Outcome::Fail, signature: Some(signature.into()), ..ReductionConfig::default() }
}

#[test]
fn messages_call_a_kept_failure_a_failure() {
    let message = |answer: fn(&Probe) -> Observation, keep: Outcome| {
        let mut search =
            Minimizer::new(3usize, ReductionConfig { keep, ..ReductionConfig::default() }).expect("3 items");
        while let Some(probe) = search.ask(1).expect("at least one").pop() {
            let seen = answer(&probe);
            search.tell(probe.id, seen).expect("an answer");
        }
        search.report().message
    };
    let passes: fn(&Probe) -> Observation = |_| Outcome::Pass.into();
    let fails: fn(&Probe) -> Observation = |_| Outcome::Fail.into();
    let untold: fn(&Probe) -> Observation = |_| Outcome::Unresolved.into();
    for (answer, keep, words) in [
        (passes, Outcome::Fail, "the test does not fail with all 3 items together, so there is nothing to reduce"),
        (untold, Outcome::Fail, "the test is unresolved with all 3 items together, so there is nothing to reduce"),
        (fails, Outcome::Fail, "no item is needed, because the test fails without items"),
        (passes, Outcome::Pass, "no item is needed, because the property holds without items"),
    ] {
        assert_eq!(message(answer, keep), words);
    }
}

#[test]
fn a_stopped_search_reports_its_best_set() {
    let world = World::plain(9, Method::Auto, Property::AnyOf(vec![set_of(&[2, 7])]));
    let mut search = minimizer(&world);
    let id = search.ask(1).expect("at least one")[0].id;
    search.tell(id, Outcome::Pass.into()).expect("an answer");
    search.stop(StopReason::Stopped).unwrap();
    assert_eq!((search.status(), search.report().guarantee), (Status::Stopped, Guarantee::BestSoFar));
    assert!(search.ask(1).expect("at least one").is_empty());
    assert_eq!(search.report().message, "9 of 9 items are kept so far");
}

#[test]
fn snapshots_belong_to_their_search() {
    let config = ReductionConfig::default();
    let minimizer = Minimizer::new(3usize, config.clone()).expect("three items");
    let snapshot = minimizer.inspect().snapshot().expect("it has a JSON form");
    let code = |result: Result<Box<dyn Search>, Error>| result.err().map(|error| error.code());
    assert_eq!(code(restore("minimize", 3, &snapshot)), None);
    assert_eq!(code(restore("minimize", 4, &snapshot)), Some("snapshot"), "another number of items");
    assert_eq!(code(restore("isolate", 3, &snapshot)), Some("snapshot"));
    let mut other = Minimizer::new(3usize, config.algorithm(Method::Ddmin)).expect("three items");
    assert_eq!(other.apply_snapshot(&snapshot).err().map(|error| error.code()), Some("snapshot"));
}
