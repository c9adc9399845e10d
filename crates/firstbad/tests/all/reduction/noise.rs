//! Reductions with a confidence, whose oracles err both ways, give correct results often enough.

use crate::random::Random;
use firstbad::culprit::Rate;
use firstbad::reduction::Method;
use firstbad::{Minimizer, Outcome, ReductionConfig, Search, Status};

use super::promises::METHODS;
use super::world::{Set, set_of, tested};

struct Noisy {
    count: usize,
    needed: Set,
    flake: f64,
    false_pass: f64,
    random: Random,
}

impl Noisy {
    fn answer(&mut self, set: Set) -> Outcome {
        let holds = set & self.needed == self.needed;
        let rate = if holds { 1.0 - self.flake } else { self.false_pass };
        if self.random.chance(rate) { Outcome::Pass } else { Outcome::Fail }
    }

    /// Returns the kept set and the number of tests.
    fn reduce(&mut self, config: &ReductionConfig, jobs: usize) -> Option<(Set, u64)> {
        let mut search = Minimizer::new(self.count, config.clone()).expect("items");
        let mut flying = Vec::new();
        loop {
            flying.extend(search.ask(jobs - flying.len()).expect("at least one"));
            if flying.is_empty() {
                break;
            }
            let probe = flying.swap_remove(self.random.below(flying.len()));
            search.tell(probe.id, self.answer(tested(&probe.target)).into()).expect("every answer counts");
            assert!(search.runs() < 20_000, "no end in sight");
        }
        let report = search.report();
        if report.status != Status::Found {
            assert_eq!(report.status, Status::NotReproduced);
            return None;
        }
        let kept = set_of(&report.kept);
        let runs = report.observations.iter().filter(|seen| tested(&seen.target) == kept);
        let (pass, fail): (Vec<_>, Vec<_>) = runs.partition(|seen| seen.observation.outcome == Outcome::Pass);
        assert!(pass.len() > fail.len(), "{kept:b} was seen {} times with it, {} without", pass.len(), fail.len());
        Some((kept, search.runs()))
    }
}

#[test]
fn results_reach_the_confidence() {
    const TRIALS: usize = 30;
    for (method, flake, false_pass, known) in [
        (Method::Auto, 0.1, 0.05, true),
        (Method::Auto, 0.0, 0.1, false),
        (Method::Recursive, 0.1, 0.1, true),
        (Method::Auto, 0.05, 0.0, false),
        (Method::Ddmin, 0.05, 0.05, true),
    ] {
        let mut text = serde_json::json!({"algorithm": method, "confidence": 0.95});
        if known {
            text["flake_rate"] = flake.into();
            text["false_pass_rate"] = false_pass.into();
        }
        let config: ReductionConfig = serde_json::from_value(text).expect("a configuration");
        let (mut wrong, mut extra) = (0, 0);
        for trial in 0..TRIALS {
            let mut random = Random(trial as u64);
            let needed = set_of(&[random.below(20), random.below(20)]);
            let mut noisy = Noisy { count: 20, needed, flake, false_pass, random };
            let Some((kept, _)) = noisy.reduce(&config, 1 + trial % 3) else {
                wrong += 1;
                continue;
            };
            wrong += usize::from(kept & needed != needed);
            extra += usize::from(kept & !needed != 0);
        }
        // With a confidence of 0.95, more than five wrong results in thirty have a probability of 1 in 300.
        assert!(wrong <= 5, "{method:?}: {wrong} of {TRIALS} results have not the property");
        assert!(extra <= TRIALS / 3, "{method:?}: {extra} of {TRIALS} results keep more than is needed");
    }
}

#[test]
fn a_reliable_oracle_takes_few_additional_runs() {
    for method in METHODS {
        let needed = set_of(&[3, 11]);
        let mut noisy = Noisy { count: 16, needed, flake: 0.0, false_pass: 0.0, random: Random(1) };
        let plain = noisy.reduce(&ReductionConfig::default().algorithm(method), 1).expect("found");
        let sure = noisy.reduce(&ReductionConfig::default().algorithm(method).confidence(0.99), 1).expect("found");
        assert_eq!((plain.0, sure.0), (needed, needed), "{method:?}");
        assert!((plain.1..=8 * plain.1).contains(&sure.1), "{method:?}: {} and {}", plain.1, sure.1);
    }
}

#[test]
fn each_probe_has_one_outcome() {
    let config = ReductionConfig { flake_rate: Rate::Known(0.4), ..ReductionConfig::default().confidence(0.9) };
    let mut search = Minimizer::new(4usize, config).expect("four items");
    let first = search.ask(1).expect("at least one").remove(0);
    search.tell(first.id, Outcome::Fail.into()).expect("an answer");
    assert_eq!(search.tell(first.id, Outcome::Pass.into()).map_err(|error| error.code()), Err("non_deterministic"));
    // Another probe of the same set can have another outcome.
    let again = search.ask(1).expect("at least one").remove(0);
    assert_eq!((again.target, again.id), (first.target, 1));
    search.tell(again.id, Outcome::Pass.into()).expect("every answer counts");
    assert_eq!(search.runs(), 2);
}

#[test]
fn unresolved_sets_are_abandoned() {
    for method in METHODS {
        let mut search =
            Minimizer::new(6usize, ReductionConfig::default().algorithm(method).confidence(0.9)).expect("six");
        while !search.is_done() {
            for probe in search.ask(1).expect("at least one") {
                let whole = tested(&probe.target) & 0b10_0010 == 0b10_0010;
                let outcome = if whole { Outcome::Pass } else { Outcome::Unresolved };
                search.tell(probe.id, outcome.into()).expect("every answer counts");
            }
            assert!(search.runs() < 200, "{method:?}: no end in sight");
        }
        assert_eq!(search.report().kept, [1, 5], "{method:?}");
    }
}
