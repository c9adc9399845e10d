//! Promises of every search for a slice, on random histories.

use firstbad::reduction::Guarantee;
use firstbad::slicing::SliceMethod;
use firstbad::{ChangeSet, Observation, Outcome, Search, Slicer, SlicerConfig, Status};
use firstbad_testkit::simulated::Random;
use serde_json::Value;

use super::drive::driven;
use super::world::{History, resting_on};

/// No change of the slice can be removed, alone or with its dependents, and the report contains the evidence.
pub(crate) fn one_minimal(seed: u64, most: usize) {
    let mut random = Random::new(seed);
    let count = 1 + random.below(most as u64) as usize;
    let mut history = History::new(count, &mut random);
    let config = history.config(&mut random);
    let k = 1 + random.below(4) as usize;
    let driven = driven(count, config.clone(), k, &mut random, &mut |set| history.observation(set));
    let report = driven.search.report();
    if history.outcome(&ChangeSet::all(count)) != Outcome::Pass {
        assert_ne!(report.status, Status::Found, "{report:?}");
        assert!(report.kept.is_empty());
        return;
    }
    assert_eq!((report.status, report.guarantee), (Status::Found, Guarantee::OneMinimal), "{report:?}");
    for &change in &report.kept {
        let without = |gone: &[usize]| -> ChangeSet {
            report.kept.iter().copied().filter(|other| !gone.contains(other)).collect()
        };
        let alone = history.outcome(&without(&[change]));
        assert_ne!(alone, Outcome::Pass, "{change} can go: {config:?} {report:?}");
        let gone = resting_on(&history.needs, &report.kept, change);
        // If conflicts do not name the change, more changes may have been removed than necessary.
        if history.names_conflicts && !(history.is_wild && alone == Outcome::Unresolved) {
            assert_ne!(history.outcome(&without(&gone)), Outcome::Pass, "{gone:?} can go: {config:?} {report:?}");
        }
        let why = report.why.iter().find(|why| why.change == change).expect("a reason for each");
        let shown = &report.observations[why.observation];
        let of = |place: usize| report.observations[place].target.changes.clone().unwrap_or_default();
        let is_tested = of(why.observation) == why.changes;
        assert!(!why.changes.contains(change) && why.outcome != Outcome::Pass);
        assert_eq!((shown.observation.outcome, shown.observation.ran && is_tested), (why.outcome, why.ran));
        // An untested set is between two sets that failed alike.
        assert!(is_tested || why.alike.first() == Some(&why.observation), "{why:?}");
        if let [larger, smaller] = why.alike[..] {
            let within = |inner: &ChangeSet, outer: &ChangeSet| inner.iter().all(|change| outer.contains(change));
            assert!(within(&why.changes, &of(larger)) && within(&of(smaller), &why.changes), "{why:?}");
            let failure = |place: usize| {
                let seen = &report.observations[place].observation;
                (seen.outcome, seen.stage, seen.signature.clone())
            };
            assert_eq!(failure(larger), failure(smaller));
            assert_eq!(failure(larger).0, Outcome::Unresolved);
        }
        let first = why.unbuilt.first().copied().unwrap_or(why.observation);
        assert_eq!(report.observations[first].target.changes, Some(without(&[change])));
        // A set that could not be built is not evidence, so a smaller set was run if any can be built.
        if why.outcome == Outcome::Unresolved {
            assert!(history.is_wild, "{why:?} {config:?} {report:?}");
        }
    }
    let last = report.sizes.last().expect("all changes hold");
    assert_eq!(last.changes, report.kept.len());
}

/// Every set contains the given changes, which are tested alone first. No other change of the slice can be removed.
pub(crate) fn picked(seed: u64, most: usize) {
    let mut random = Random::new(seed);
    let count = 1 + random.below(most as u64) as usize;
    let mut history = History::new(count, &mut random);
    let method = [SliceMethod::Auto, SliceMethod::Auto, SliceMethod::Ddmin, SliceMethod::Recursive];
    let mut always: Vec<usize> = (0..count - 1).filter(|_| random.chance(100)).collect();
    always.push(count - 1);
    let config = SlicerConfig {
        algorithm: method[random.below(4) as usize],
        always: always.clone(),
        ..history.config(&mut random)
    };
    let k = 1 + random.below(3) as usize;
    let driven = driven(count, config.clone(), k, &mut random, &mut |set| history.observation(set));
    assert!(driven.told.iter().all(|(set, _)| always.iter().all(|&change| set.contains(change))));
    let report = driven.search.report();
    if report.status != Status::Found {
        // All changes together can be built, and hold unless outcomes are arbitrary.
        assert_ne!(history.outcome(&ChangeSet::all(count)), Outcome::Pass, "{config:?} {report:?}");
        return;
    }
    let set = |changes: &[usize]| changes.iter().copied().collect::<ChangeSet>();
    assert_eq!((report.guarantee, history.outcome(&set(&report.kept))), (Guarantee::OneMinimal, Outcome::Pass));
    assert!(always.iter().all(|change| report.kept.contains(change)));
    if history.outcome(&set(&always)) == Outcome::Pass {
        assert_eq!(report.kept, always);
    }
    for &change in report.kept.iter().filter(|change| !always.contains(change)) {
        let without: Vec<usize> = report.kept.iter().copied().filter(|&other| other != change).collect();
        assert_ne!(history.outcome(&set(&without)), Outcome::Pass, "{change} can go: {config:?} {report:?}");
        assert!(report.why.iter().any(|why| why.change == change && !why.changes.contains(change)));
    }
}

/// A search ends within n * n tests for each algorithm and proof, and reports only what was observed.
pub(crate) fn ends(seed: u64, most: usize) {
    let mut random = Random::new(seed);
    let count = 1 + random.below(most as u64) as usize;
    let mut history = History::new(count, &mut random);
    let mut config = history.config(&mut random);
    config.keep = if random.chance(300) { Outcome::Fail } else { Outcome::Pass };
    let mut lies = Random::new(random.draw());
    let k = 1 + random.below(6) as usize;
    let driven = driven(count, config, k, &mut random, &mut |set| {
        let outcome = [Outcome::Pass, Outcome::Fail, Outcome::Unresolved][lies.below(3) as usize];
        let mut seen = history.observation(set);
        if seen.ran {
            seen = Observation { ran: seen.ran, ..outcome.into() };
        }
        seen
    });
    let bound = 10 * count * count + 10;
    assert!(driven.told.len() <= bound, "{} of {bound}", driven.told.len());
}

/// The same events lead to the same search: report, snapshot, and next tests.
pub(crate) fn replayed(seed: u64, most: usize) {
    let mut random = Random::new(seed);
    let count = 1 + random.below(most as u64) as usize;
    let mut history = History::new(count, &mut random);
    let config = history.config(&mut random);
    let mut search = Slicer::new(count, config.clone()).expect("a configuration");
    let mut flying = Vec::new();
    for _ in 0..random.below(40) {
        if search.is_done() {
            break;
        }
        flying.extend(search.ask(1 + random.below(3) as usize).expect("k is no 0"));
        let probe = flying.swap_remove(random.below(flying.len() as u64) as usize);
        let observation = history.observation(probe.changes().expect("changes"));
        search.tell(probe.id, observation).expect("an answer");
    }
    let events = search.inspect().events(0);
    let mut again = Slicer::new(count, config).expect("a configuration");
    again.apply_all(&mut events.iter()).expect("its own events");
    let mut restored = Slicer::restore(count, &search.inspect().snapshot().expect("JSON")).expect("its own snapshot");
    let asked = search.ask(3).expect("3");
    assert_eq!(again.ask(3).expect("3"), asked);
    assert_eq!(restored.ask(3).expect("3"), asked);
    assert_eq!(again.report(), search.report());
    assert_eq!(restored.report(), search.report());
    let json: Value = serde_json::from_str(&search.inspect().report_json().expect("JSON")).expect("JSON");
    let back: firstbad::SlicerReport = serde_json::from_value(json).expect("a report");
    assert_eq!(back, search.report());
}

/// After an undo, also of conflicts, a search tests the same sets again and has the same result.
pub(crate) fn undone(seed: u64, most: usize) -> usize {
    let mut random = Random::new(seed);
    let count = 1 + random.below(most as u64) as usize;
    let mut history = History::new(count, &mut random);
    let config = history.config(&mut random);
    let plain = driven(count, config.clone(), 1, &mut random, &mut |set| history.observation(set));
    let mut search = Slicer::new(count, config).expect("a configuration");
    let (mut place, mut undos, mut conflicts) = (0, 0, 0);
    while !search.is_done() || (undos < 3 && place > 0) {
        if place > 0 && undos < 6 && (search.is_done() || random.chance(250)) {
            let answers = 1 + random.below(place as u64) as usize;
            search.undo(u32::try_from(answers).expect("a few")).expect("so many were told");
            let taken_back = &plain.told[place - answers..place];
            conflicts += taken_back.iter().filter(|(_, seen)| !seen.ran).count();
            (place, undos) = (place - answers, undos + 1);
            let left = &plain.told[..place];
            assert_eq!(search.runs() as usize, left.iter().filter(|(_, seen)| seen.ran).count());
            assert_eq!(search.asked() as usize, place);
        }
        let probe = search.ask(1).expect("1").remove(0);
        let (set, seen) = &plain.told[place];
        assert_eq!(probe.changes(), Some(set), "another set than when it was asked first");
        search.tell(probe.id, seen.clone()).expect("an answer to what was asked");
        place += 1;
    }
    let (one, other) = (plain.search.report(), search.report());
    assert_eq!(place, plain.told.len());
    assert_eq!((one.kept, one.guarantee, one.why), (other.kept, other.guarantee, other.why));
    assert_eq!((one.sizes, one.warnings, one.runs), (other.sizes, other.warnings, other.runs));
    conflicts
}

/// A probe in flight is wanted until its outcome is known, and a set that is no longer wanted is not tested again.
pub(crate) fn proofs_want_what_they_ask(seed: u64, most: usize) {
    let mut random = Random::new(seed);
    let count = 1 + random.below(most as u64) as usize;
    let mut history = History::new(count, &mut random);
    let config = history.config(&mut random);
    let mut search = Slicer::new(count, config).expect("a configuration");
    while !search.is_done() {
        let probes = search.ask(1 + random.below(5) as usize).expect("k is no 0");
        for probe in &probes {
            assert!(search.wanted(probe.id).expect("in flight"), "asked, and of no use: {}", probe.target);
        }
        for probe in search.in_flight() {
            if random.chance(600) || search.in_flight().len() > 8 {
                let observation = history.observation(probe.changes().expect("changes"));
                search.tell(probe.id, observation).expect("an answer");
            }
        }
    }
}
