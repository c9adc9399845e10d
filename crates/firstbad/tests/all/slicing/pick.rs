//! Searches in which every set contains some changes.

use firstbad::reduction::Need;
use firstbad::slicing::{Scheme, SliceMethod};
use firstbad::{ChangeSet, Outcome, Slicer, SlicerConfig, SlicerReport};
use firstbad_testkit::simulated::Random;

use super::drive::driven;

fn picked(config: SlicerConfig, count: usize, needed: &[usize]) -> SlicerReport {
    let mut oracle = |set: &ChangeSet| {
        let holds = needed.iter().all(|&change| set.contains(change));
        if holds { Outcome::Pass.into() } else { Outcome::Fail.into() }
    };
    let report = driven(count, config.always([count - 1]), 1, &mut Random::new(1), &mut oracle).search.report();
    assert_eq!(report.kept.iter().filter(|change| needed.contains(change)).count(), needed.len());
    report
}

#[test]
fn a_clean_pick_takes_one_run() {
    let report = picked(SlicerConfig::default(), 100, &[99]);
    assert_eq!((report.runs, report.kept.as_slice()), (1, &[99][..]));
    assert_eq!(report.message, "the test passes with the given change alone");
}

#[test]
fn predicted_dependencies_are_added_first() {
    // The test needs the last edit of the code that the given change uses.
    let dependencies = [(99, vec![Need::Item(10)]), (50, vec![Need::Item(10)])];
    let config = || SlicerConfig::default().dependencies(dependencies.clone().into());
    let report = picked(config(), 100, &[10, 99]);
    assert_eq!((report.runs, report.kept.as_slice()), (2, &[10, 99][..]));
    let report = picked(config(), 100, &[10, 50, 99]);
    assert!(report.runs <= 4, "{}", report.runs);
    assert!(report.message.starts_with("the test passes with the given change and 2 other changes. Each"));
    assert!(report.needs_others());
}

#[test]
fn a_silent_dependency_takes_some_ten_runs() {
    for (count, most_runs) in [(20, 14), (100, 18), (400, 24)] {
        let runs = (0..count - 1).map(|silent| {
            let report = picked(SlicerConfig::default(), count, &[silent, count - 1]);
            assert_eq!(report.kept, [silent, count - 1]);
            report.runs
        });
        let most = runs.max().unwrap();
        assert!(most <= most_runs, "{most} runs of {count} changes");
    }
}

#[test]
fn given_changes_need_a_search_that_grows() {
    let refused = |config: SlicerConfig| Slicer::new(3usize, config).err().unwrap().to_string();
    let with = || SlicerConfig::default().always([2]);
    assert!(refused(SlicerConfig { keep: Outcome::Fail, ..with() }).starts_with("keep: "));
    let definer = SlicerConfig { scheme: Scheme::Neg, ..with().algorithm(SliceMethod::Definer) };
    assert!(refused(definer).starts_with("algorithm: \"definer\""));
    assert!(refused(SlicerConfig::default().always([3])).starts_with("always"));
}
