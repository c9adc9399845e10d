//! The paper's two examples (Figures 2 to 4). Change `n` of the paper has the index `n - 1`.

use std::collections::BTreeMap;

use firstbad::reduction::Need;
use firstbad::slicing::{Scheme, SliceMethod};
use firstbad::{ChangeSet, Observation, Outcome, SlicerConfig};
use firstbad_testkit::simulated::Random;
use serde_json::{Value, json};

use super::drive::{Driven, driven};

/// `ins B.m` depends on `ins B.y`, and `upd B.g` on `ins B.m` (Figure 2c).
pub(crate) fn dependencies() -> BTreeMap<usize, Vec<Need>> {
    BTreeMap::from([(5, vec![Need::Item(1)]), (3, vec![Need::Item(5)])])
}

/// Returns the facts of the program with these changes: the variables of the final version of class B and the results of its
/// methods, each charged as in Section 2.2. In Example 2, the last two changes affect the result of `B.h`.
fn facts(set: &ChangeSet) -> Value {
    let has = |change: usize| set.contains(change - 1);
    let mut facts = Vec::new();
    let mut fact = |name: &str, variable: &str, kind: &str, values: Value, changes: &[usize]| {
        let changes: Vec<usize> = changes.iter().map(|change| change - 1).collect();
        facts.push(json!({
            "file": "Foo.java", "name": name, "variable": variable, "kind": kind, "values": values, "changes": changes,
        }));
    };
    fact("B.x", "this", "constant", json!([i32::from(has(1))]), &[1]);
    if has(3) {
        fact("B.s", "this", "not_none", json!([]), &[3]);
    }
    let handed = i32::from(has(3)) + 2 * i32::from(has(5)) + 4 * i32::from(has(7)) + 8 * i32::from(has(8));
    fact("B.h", "return", "constant", json!([handed]), &[5]);
    if has(7) || has(8) {
        fact("B.s", "length", "constant", json!([3]), &[3]);
    }
    let calls_m = has(4) && has(6);
    if has(2) {
        fact("B.y", "this", "one_of", if calls_m { json!([0, 1]) } else { json!([0]) }, &[2]);
    }
    if calls_m {
        fact("B.m", "return", "constant", json!([1]), &[6]);
    }
    fact("B.g", "return", "constant", json!([if calls_m { 1 } else { handed + 2 }]), &[4]);
    fact("A.f", "return", "constant", json!([if calls_m { 1 } else { handed + 2 }]), &[]);
    json!({ "facts": facts })
}

/// Returns the outcome of the test with the facts. A program that does not compile is not run.
pub(crate) fn seen(set: &ChangeSet) -> Observation {
    let broken = dependencies().into_iter().find(|(change, needs)| {
        set.contains(*change) && needs.iter().any(|need| matches!(need, Need::Item(other) if !set.contains(*other)))
    });
    if let Some((change, _)) = broken {
        let signals = Some(json!({ "conflict": change }));
        return Observation { ran: false, signals, ..Outcome::Unresolved.into() };
    }
    let passes = [1, 3, 5].iter().all(|&change| set.contains(change));
    Observation { signals: Some(facts(set)), ..if passes { Outcome::Pass } else { Outcome::Fail }.into() }
}

fn sliced(count: usize, config: SlicerConfig) -> Driven {
    driven(count, config, 1, &mut Random::new(7), &mut seen)
}

#[test]
fn example_1_is_sliced_by_every_algorithm() {
    use SliceMethod::{Auto, Ddmin, Definer, Recursive};
    for (algorithm, told) in [Auto, Definer, Ddmin, Recursive].into_iter().flat_map(|one| [(one, true), (one, false)]) {
        for count in [6, 8] {
            let dependencies = if told { dependencies() } else { BTreeMap::new() };
            let config = SlicerConfig { learn: told, ..SlicerConfig::default() };
            let driven = sliced(count, config.algorithm(algorithm).dependencies(dependencies));
            let report = driven.search.report();
            assert_eq!(report.kept, [1, 3, 5], "{algorithm:?}: {report:?}");
            // Change 4 can be removed alone. Other changes depend on 2 and 6.
            let unbuilt: Vec<usize> =
                report.why.iter().filter(|why| !why.unbuilt.is_empty()).map(|why| why.change).collect();
            assert_eq!(unbuilt.len(), 2, "{report:?}");
            assert!(!unbuilt.contains(&3));
        }
    }
}

/// The cost of a search in Example 2.
struct Took {
    runs: usize,
    /// The number of runs that the paper would count: it neither runs the base nor reverts a change with its dependents.
    papers: usize,
    /// The number of programs that did not compile before the slice was found.
    broken: usize,
}

fn took(config: SlicerConfig) -> Took {
    let driven = sliced(8, config);
    let report = driven.search.report();
    assert_eq!(report.kept, [1, 3, 5], "{report:?}");
    let slice: ChangeSet = report.kept.iter().copied().collect();
    let found = driven.told.iter().position(|(set, _)| *set == slice).expect("it was run");
    let is_papers = |told: &&(ChangeSet, Observation)| told.1.ran && (told.0.len() > 1 || told.0 == slice);
    Took {
        runs: driven.runs(),
        papers: driven.told.iter().filter(is_papers).count(),
        broken: driven.told[..found].iter().filter(|(_, seen)| !seen.ran).count(),
    }
}

#[test]
fn example_2_takes_six_runs_with_dependencies_and_learning() {
    let config = SlicerConfig::default().dependencies(dependencies());
    let auto = took(config.clone());
    assert_eq!((auto.papers, auto.runs, auto.broken), (6, 8, 0));
    let without = took(SlicerConfig { learn: false, ..SlicerConfig::default() });
    assert!(without.runs > auto.runs && without.broken > 0, "{} runs, {} broken", without.runs, without.broken);
}

/// Averages over many seeds: learning and dependencies save runs and programs that do not compile.
#[test]
fn refinement_of_example_2_profits_from_dependencies_and_learning() {
    let all = |config: &SlicerConfig| -> Vec<Took> {
        let config = config.clone().algorithm(SliceMethod::Definer);
        (0..40).map(|seed| took(SlicerConfig { seed, ..config.clone() })).collect()
    };
    let runs = |took: &[Took]| took.iter().map(|took| took.papers).sum::<usize>();
    let broken = |took: &[Took]| took.iter().map(|took| took.broken).sum::<usize>();
    let config = SlicerConfig { scheme: Scheme::Neg, ..SlicerConfig::default() };
    let papers = all(&config.clone().dependencies(dependencies()));
    let basic = all(&SlicerConfig { scheme: Scheme::Random, learn: false, ..config });
    assert!(runs(&papers) < runs(&basic), "{} {}", runs(&papers), runs(&basic));
    assert_eq!(broken(&papers), 0);
    assert!(broken(&basic) > 40 * 4, "{}", broken(&basic));
    assert!(papers.iter().any(|took| took.papers <= 6));
}
