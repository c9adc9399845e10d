//! Sets between two sets that failed alike are not tested.

use firstbad::{ChangeSet, Observation, Outcome, SlicerConfig, SlicerReport, Stage};
use firstbad_testkit::simulated::Random;
use serde_json::json;

use super::drive::{Driven, driven};

/// Two chains of changes that the test needs. Each change edits the text of the one before it in its chain. With fewer than
/// `enough` of them, the test cannot be imported.
struct Chains {
    needed: usize,
    enough: usize,
}

/// The oldest needed change.
const FIRST: usize = 2;

impl Chains {
    fn observation(&self, set: &ChangeSet) -> Observation {
        let needed = FIRST..FIRST + self.needed;
        let is_cut = |change: &usize| *change >= FIRST + 2 && needed.contains(change) && !set.contains(change - 2);
        if let Some(change) = set.iter().find(is_cut) {
            let signals = Some(json!({ "conflict": change }));
            return Observation { ran: false, stage: Some(Stage::Patch), signals, ..Outcome::Unresolved.into() };
        }
        let (outcome, code) = match set.iter().filter(|change| needed.contains(change)).count() {
            there if there < self.enough => (Outcome::Unresolved, 2),
            there if there < self.needed => (Outcome::Fail, 1),
            _ => return Outcome::Pass.into(),
        };
        Observation { stage: Some(Stage::Test), signature: Some(format!("exit code {code}")), ..outcome.into() }
    }

    fn driven(&self, count: usize, mut change: impl FnMut(Observation) -> Observation) -> (Driven, SlicerReport) {
        let oracle = &mut |set: &ChangeSet| change(self.observation(set));
        let driven = driven(count, SlicerConfig::default(), 1, &mut Random::new(1), oracle);
        let report = driven.search.report();
        assert_eq!(report.kept, (FIRST..FIRST + self.needed).collect::<Vec<_>>());
        (driven, report)
    }
}

#[test]
fn no_set_is_tested_between_two_that_failed_alike() {
    for (count, needed, enough, most) in [(20, 6, 5, 14), (32, 12, 11, 16), (32, 16, 12, 21), (60, 30, 28, 18)] {
        let (driven, report) = Chains { needed, enough }.driven(count, |seen| seen);
        assert!(driven.runs() <= most, "{} runs of {count}", driven.runs());
        let without_base = |seen| Observation { signature: None, ..seen };
        let (every, _) = Chains { needed, enough }.driven(count, without_base);
        assert!(every.runs() > driven.runs(), "{} runs of {count}", every.runs());
        let untested: Vec<_> = report.why.iter().filter(|why| !why.ran && !why.alike.is_empty()).collect();
        assert!(!untested.is_empty());
        for why in untested {
            assert!(driven.told.iter().all(|(set, _)| *set != why.changes), "{why:?}");
            let words = report.evidence(why.change, str::to_owned).unwrap();
            assert!(words.contains("unresolved in the same way with more changes (run "), "{words}");
            assert!(words.ends_with(" and at the base (run 2)"), "{words}");
        }
    }
}

#[test]
fn a_set_that_failed_like_the_base_is_the_only_one_for_its_change() {
    let broken = |code: &str| Observation { signature: Some(code.to_owned()), ..Outcome::Unresolved.into() };
    for (code, runs) in [("exit code 2", 1), ("exit code 3", 2)] {
        // Without the oldest change, nothing can be tested.
        let mut oracle = |set: &ChangeSet| match (set.contains(0), set.contains(1)) {
            (true, true) => Outcome::Pass.into(),
            (true, false) => Outcome::Fail.into(),
            (false, true) => broken(code),
            (false, false) => broken("exit code 2"),
        };
        let dependencies = [(1, vec![firstbad::reduction::Need::Item(0)])].into();
        let config = SlicerConfig::default().dependencies(dependencies);
        let driven = driven(3, config, 1, &mut Random::new(1), &mut oracle);
        let report = driven.search.report();
        assert_eq!(report.kept, [0, 1]);
        let why = report.why.iter().find(|why| why.change == 0).unwrap();
        assert_eq!(why.unbuilt.len() + 1, runs, "{why:?}");
        assert_eq!(!why.alike.is_empty(), runs == 1, "{why:?}");
        let words = report.evidence(0, str::to_owned).unwrap();
        assert_eq!(words.contains("as it is at the base (run 2)"), runs == 1, "{words}");
    }
}

#[test]
fn other_stages_and_missing_signatures_are_not_alike() {
    let chains = Chains { needed: 12, enough: 11 };
    let (plain, _) = chains.driven(32, |seen| Observation { signature: None, ..seen });
    let mut count = 0;
    let (other, report) = chains.driven(32, |seen| {
        count += 1;
        // Each unresolved run ends in another way.
        let signature = seen.signature.as_ref().map(|signature| format!("{signature} of run {count}"));
        Observation { signature, ..seen }
    });
    assert_eq!(plain.runs(), other.runs());
    assert!(report.why.iter().all(|why| why.alike.is_empty()));
}
