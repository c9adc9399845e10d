//! Culprit searches on random lists and graphs, compared with the definitions in `model`.

use crate::random::seeded;
use std::sync::Arc;

use firstbad::culprit::{Conclusion, CulpritStrategy, NoCulprit, Rate, Reason, RunCounts};
use firstbad::{CommitGraph, CulpritConfig, CulpritSearch, Observation, Outcome, Probe, Search, Status};
use proptest::prelude::*;
use proptest::sample::Index;

mod examples;
mod model;

use model::{After, Case, Known, Likelihood, Prior, Seen, cases, name, place};

const CHOICES: [CulpritStrategy; 3] =
    [CulpritStrategy::Cdf, CulpritStrategy::ExpectedGain, CulpritStrategy::Information];

fn known(case: &Case) -> Known {
    Known { flake: case.flake, false_pass: case.false_pass }
}

fn search(case: &Case, choose: CulpritStrategy) -> CulpritSearch {
    open(case, case.config(choose))
}

fn open(case: &Case, config: CulpritConfig) -> CulpritSearch {
    CulpritSearch::new(case.history.graph(), config).expect("a configuration of this model")
}

/// Runs at any revisions of a case.
fn runs(case: &Case, given: &[(Index, u32, u32)]) -> Vec<Seen> {
    let some = given.iter().filter(|(_, passes, fails)| passes + fails > 0);
    some.map(|(at, passes, fails)| Seen { place: at.index(case.history.len()), passes: *passes, fails: *fails })
        .collect()
}

fn given(most: usize) -> impl Strategy<Value = Vec<(Index, u32, u32)>> {
    prop::collection::vec((any::<Index>(), 0..3u32, 0..3u32), 0..most)
}

/// A culprit, or none, with a prior probability above 0.
fn possible(case: &Case, culprit: Index) -> Option<usize> {
    let prior = case.prior();
    let suspects =
        case.suspects().into_iter().zip(&prior.each).filter(|(_, p)| **p > 0.0).map(|(place, _)| Some(place));
    let hypotheses: Vec<Option<usize>> = suspects.chain((prior.nobody > 0.0).then_some(None)).collect();
    hypotheses[culprit.index(hypotheses.len())]
}

/// Runs at suspects, as an oracle with at most one culprit could report them.
fn likely_runs(case: &Case, given: &[(Index, u32, u32)], culprit: Index) -> Vec<Seen> {
    let suspects = case.suspects();
    let culprit = possible(case, culprit);
    let run = |(at, passes, fails): &(Index, u32, u32)| {
        let place = suspects[at.index(suspects.len())];
        let broken = culprit.is_some_and(|culprit| case.history.ancestors(place)[culprit]);
        let fails = if broken || case.flake > 0.0 { *fails } else { 0 };
        let passes = if broken && case.false_pass == 0.0 { 0 } else { *passes };
        Seen { place, passes, fails }
    };
    given.iter().map(run).filter(|seen| seen.passes + seen.fails > 0).collect()
}

fn tell(search: &mut CulpritSearch, seen: Seen) {
    search.observe(&name(seen.place).into(), Observation::counted(seen.passes, seen.fails)).expect("counts");
}

fn told(case: &Case, config: CulpritConfig, seen: &[Seen]) -> CulpritSearch {
    let mut search = open(case, config);
    seen.iter().for_each(|&seen| tell(&mut search, seen));
    search
}

fn belief(search: &CulpritSearch) -> Prior {
    let posterior = search.inspect().posterior().expect("a culprit search has one");
    Prior { each: posterior.iter().map(|(_, p)| p).collect(), nobody: posterior.no_culprit() }
}

fn agree(one: &Prior, other: &Prior, tolerance: f64) -> Result<(), TestCaseError> {
    prop_assert_eq!(one.each.len(), other.each.len());
    let pairs = one.each.iter().zip(&other.each).chain([(&one.nobody, &other.nobody)]);
    for (a, b) in pairs {
        prop_assert!((a - b).abs() < tolerance, "{a} is not {b}: {one:?}, {other:?}");
    }
    Ok(())
}

/// The revisions that one request returns.
fn asked(search: &mut CulpritSearch, k: usize) -> Vec<usize> {
    search.ask(k).expect("k above 0").iter().map(|probe| place(probe.revision())).collect()
}

proptest! {
    #![proptest_config(seeded(400, 3))]

    #[test]
    fn the_posterior_is_bayes_rule(case in cases(24), given in given(12), turn in any::<Index>()) {
        let mut seen = runs(&case, &given);
        let mut search = search(&case, CulpritStrategy::Cdf);
        agree(&belief(&search), &case.prior(), 1e-12)?;
        for told in 1..=seen.len() {
            tell(&mut search, seen[told - 1]);
            match model::posterior(&case, &known(&case), &seen[..told]) {
                Some(expected) => agree(&belief(&search), &expected, 1e-9)?,
                None => {
                    // A failing good revision is reported first.
                    let endings = [Status::Contradictory, Status::GoodEndFails];
                    prop_assert!(endings.contains(&search.status()), "{:?}", search.report());
                    return Ok(());
                }
            }
        }
        // In another order, and as single runs.
        let by = turn.index(seen.len().max(1));
        seen.rotate_left(by);
        seen.reverse();
        let mut turned = open(&case, case.config(CulpritStrategy::Information));
        for one in &seen {
            for outcome in [Outcome::Fail, Outcome::Pass] {
                let count = if outcome == Outcome::Pass { one.passes } else { one.fails };
                for _ in 0..count {
                    turned.observe(&name(one.place).into(), outcome.into()).expect("an outcome");
                }
            }
        }
        agree(&belief(&turned), &belief(&search), 1e-9)?;
        prop_assert_eq!(turned.status(), search.status());
        let (one, other) = (turned.report(), search.report());
        prop_assert_eq!((one.conclusion, one.reason, one.culprit), (other.conclusion, other.reason, other.culprit));
    }

    #[test]
    fn past_runs_integrate_the_rate_out(case in cases(16), given in given(8), fails in 2..30u32, passes in 40..90u32) {
        let seen = runs(&case, &given);
        let history = RunCounts { passes, fails };
        let search = told(&case, CulpritConfig { flake_rate: Rate::History(history), ..case.config(CulpritStrategy::Cdf) }, &seen);
        let after = After { passes, fails, false_pass: case.false_pass };
        if let Some(expected) = model::posterior(&case, &after, &seen) {
            agree(&belief(&search), &expected, 1e-6)?;
        }
    }

    #[test]
    fn a_pass_excludes_all_ancestors(mut case in cases(24), given in given(10), flake in 0.001..0.6f64) {
        (case.flake, case.false_pass) = (flake, 0.0);
        let seen = runs(&case, &given);
        for rate in [Rate::Known(flake), Rate::Estimate] {
            let search = told(&case, CulpritConfig { flake_rate: rate, ..case.config(CulpritStrategy::Cdf) }, &seen);
            let posterior = search.inspect().posterior().expect("a culprit search has one");
            if matches!(search.status(), Status::Contradictory | Status::GoodEndFails) {
                continue;
            }
            prop_assert!((posterior.iter().map(|(_, p)| p).sum::<f64>() + posterior.no_culprit() - 1.0).abs() < 1e-9);
            for one in seen.iter().filter(|one| one.passes > 0) {
                let below = case.history.ancestors(one.place);
                // A descendant of the failing revision can be fixed.
                if one.place == case.bad || !below[case.bad] {
                    for (id, p) in posterior.iter() {
                        prop_assert!(!below[place(id)] || p == 0.0, "{id} is left with {p} though r{} passed", one.place);
                    }
                }
            }
        }
    }

    #[test]
    fn cdf_and_expected_gain_are_next_runs(
        case in cases(20), given in given(6), culprit in any::<Index>(), k in 1..6usize, gain in any::<bool>(),
    ) {
        let choose = if gain { CulpritStrategy::ExpectedGain } else { CulpritStrategy::Cdf };
        let seen = likely_runs(&case, &given, culprit);
        let mut search = told(&case, case.config(choose), &seen);
        if search.is_done() {
            return Ok(());
        }
        let posterior = model::posterior(&case, &known(&case), &seen).expect("what was seen is possible");
        if most_probable(&posterior) > 0.99 - 1e-9 {
            return last_stage(&case, &mut search, &posterior, &seen, k);
        }
        let shares = model::shares(&case, &posterior, choose);
        let Some(expected) = model::next_runs(&case, &posterior, &shares, k) else { return Ok(()) };
        let suspects = case.suspects();
        // Without useless runs. With false passes, thresholds can choose some.
        let worth = |place: usize| model::information(&case, &known(&case), &seen, place);
        if suspects.iter().any(|&place| (1e-10..1e-8).contains(&worth(place))) {
            return Ok(());
        }
        let expected: Vec<usize> =
            expected.into_iter().map(|number| suspects[number]).filter(|&place| worth(place) > 1e-9).collect();
        let asked = asked(&mut search, k);
        if expected.is_empty() {
            let most = suspects.iter().map(|&place| worth(place)).fold(0.0, f64::max);
            prop_assert!(asked.len() == 1 && worth(asked[0]) > most - 1e-9, "{:?} {:?}", asked, most);
        } else {
            prop_assert_eq!(asked, expected, "{:?} {:?}", suspects, shares);
        }
    }

    #[test]
    fn information_chooses_the_most_informative_run(case in cases(16), given in given(6), culprit in any::<Index>()) {
        let seen = likely_runs(&case, &given, culprit);
        tells_most(&case, case.config(CulpritStrategy::Information), &known(&case), &seen, 1e-9)?;
    }

    #[test]
    fn information_chooses_the_most_informative_run_after_past_runs(
        case in cases(16), given in given(6), culprit in any::<Index>(), fails in 2..20u32, passes in 40..90u32,
    ) {
        let seen = likely_runs(&case, &given, culprit);
        let rate = Rate::History(RunCounts { passes, fails });
        let after = After { passes, fails, false_pass: case.false_pass };
        // The core integrates numerically, so the result is not exact.
        tells_most(&case, CulpritConfig { flake_rate: rate, ..case.config(CulpritStrategy::Information) }, &after, &seen, 1e-6)?;
    }

    #[test]
    fn information_chooses_the_most_informative_run_with_an_estimated_rate(case in cases(12), given in given(5), culprit in any::<Index>(), both in any::<bool>()) {
        let seen = likely_runs(&case, &given, culprit);
        let mut config = CulpritConfig { flake_rate: Rate::Estimate, ..case.config(CulpritStrategy::Information) };
        if both {
            config.false_pass_rate = Rate::Estimate;
        }
        let mut search = told(&case, config, &seen);
        if search.is_done() {
            return Ok(());
        }
        // For any rates, the information of a run follows from the beliefs after each outcome.
        let now = belief(&search);
        let mut after = |place: usize, outcome: Outcome| {
            search.observe(&name(place).into(), outcome.into()).expect("an outcome");
            // An impossible outcome leaves the belief as it was.
            let left = belief(&search);
            search.undo(1).expect("one answer");
            left
        };
        let mut worth = |place: usize| {
            let (fail, pass) = (after(place, Outcome::Fail), after(place, Outcome::Pass));
            let hypotheses = |of: &Prior| of.each.iter().copied().chain([of.nobody]).collect::<Vec<f64>>();
            let (now_, fail_, pass_) = (hypotheses(&now), hypotheses(&fail), hypotheses(&pass));
            let moved = |&h: &usize| (fail_[h] - pass_[h]).abs();
            let most = (0..now_.len()).max_by(|a, b| moved(a).total_cmp(&moved(b))).expect("a hypothesis");
            let may_end = most_probable(&fail).max(most_probable(&pass)) > 0.99 - 1e-9;
            if moved(&most) < 1e-6 {
                return (0.0, may_end);
            }
            let chance = (now_[most] - pass_[most]) / (fail_[most] - pass_[most]);
            let left = chance * model::entropy(&fail) + (1.0 - chance) * model::entropy(&pass);
            (model::entropy(&now) - left, may_end)
        };
        let good = case.goods()[0];
        let worths: Vec<(usize, (f64, bool))> =
            case.suspects().into_iter().chain([good]).map(|place| (place, worth(place))).collect();
        let most = worths.iter().map(|worth| worth.1.0).fold(0.0, f64::max);
        let asked = asked(&mut search, 1);
        prop_assert_eq!(asked.len(), 1);
        let (its, may_end) = worths.iter().find(|worth| worth.0 == asked[0]).expect("a suspect or the good end").1;
        // Less information is fine if the run can end the search, or if the run is due before a conclusion.
        let sure = most_probable(&now) > 0.99 - 1e-9;
        let is_first = asked[0] == case.bad && seen.iter().all(|one| one.place != case.bad);
        prop_assert!(its > most - 1e-9 || may_end || sure || is_first, "r{} tells {its}, and {most} can be had: {worths:?}", asked[0]);
    }
}

fn tells_most(
    case: &Case,
    config: CulpritConfig,
    likelihood: &impl Likelihood,
    seen: &[Seen],
    tolerance: f64,
) -> Result<(), TestCaseError> {
    let rate = config.flake_rate;
    let mut search = told(case, config, seen);
    if search.is_done() {
        return Ok(());
    }
    if let Some(now) = model::posterior(case, likelihood, seen)
        && most_probable(&now) > 0.99 - tolerance
    {
        // Runs that confirm the culprit come before others. With unknown rates, there is more to confirm.
        return if matches!(rate, Rate::Known(_)) { last_stage(case, &mut search, &now, seen, 1) } else { Ok(()) };
    }
    let worth = |place: usize| model::information(case, likelihood, seen, place);
    let most = case.suspects().into_iter().map(worth).fold(0.0, f64::max);
    let asked = asked(&mut search, 1);
    prop_assert_eq!(asked.len(), 1);
    let its = worth(asked[0]);
    // If the rate is unknown, the failing revision is run first, and a near-certain belief is confirmed.
    if matches!(rate, Rate::History(_)) {
        let is_first = asked[0] == case.bad && seen.iter().all(|one| one.place != case.bad);
        let sure = model::posterior(case, likelihood, seen).is_some_and(|now| most_probable(&now) > 0.99 - tolerance);
        if is_first || sure {
            return Ok(());
        }
    }
    // Less information is fine if the run can end the search.
    let may_end = [(1, 0), (0, 1)].into_iter().any(|(passes, fails)| {
        let next = Seen { place: asked[0], passes, fails };
        let seen: Vec<Seen> = seen.iter().copied().chain([next]).collect();
        model::posterior(case, likelihood, &seen).is_some_and(|left| most_probable(&left) > 0.99 - tolerance)
    });
    prop_assert!(its > most - tolerance || may_end, "r{} tells {its}, and {most} can be had", asked[0]);
    prop_assert!(its > 0.0, "r{} tells nothing", asked[0]);
    Ok(())
}

/// The last stage: the culprit and its parents, unless they were observed to fail and to pass.
fn last_stage(
    case: &Case,
    search: &mut CulpritSearch,
    posterior: &Prior,
    seen: &[Seen],
    k: usize,
) -> Result<(), TestCaseError> {
    let number = (0..posterior.each.len()).max_by(|&a, &b| posterior.each[a].total_cmp(&posterior.each[b]));
    let culprit = case.suspects()[number.expect("a suspect")];
    let total = |place: usize, of: fn(&Seen) -> u32| seen.iter().filter(|s| s.place == place).map(of).sum::<u32>();
    let fails = (total(culprit, |s| s.fails) == 0).then_some(culprit);
    let parents = case.history.parents[culprit].iter().copied().filter(|&parent| total(parent, |s| s.passes) == 0);
    let expected: Vec<usize> = fails.into_iter().chain(parents).collect();
    let missing: Vec<usize> = search.report().missing.iter().map(|run| place(&run.revision)).collect();
    prop_assert_eq!(&missing, &expected);
    let asked = asked(search, k);
    // A revision that failed often enough is not run again.
    prop_assert!(!asked.is_empty() && asked.iter().all(|place| expected.contains(place)), "{:?} {:?}", asked, expected);
    Ok(())
}

fn most_probable(of: &Prior) -> f64 {
    of.each.iter().copied().fold(of.nobody, f64::max)
}

/// A deterministic test with these rates.
struct Oracle {
    culprit: Option<usize>,
    flake: f64,
    false_pass: f64,
    unresolved: Vec<usize>,
    state: u64,
}

impl Oracle {
    fn chance(&mut self, of: f64) -> bool {
        // xorshift64*
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let drawn = self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
        (drawn as f64) / ((1u64 << 53) as f64) < of
    }

    fn answer(&mut self, case: &Case, revision: &str) -> Outcome {
        let at = place(revision);
        if self.unresolved.contains(&at) {
            return Outcome::Unresolved;
        }
        let broken = self.culprit.is_some_and(|culprit| case.history.ancestors(at)[culprit]);
        let fails = if broken { !self.chance(self.false_pass) } else { self.chance(self.flake) };
        if fails { Outcome::Fail } else { Outcome::Pass }
    }

    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        (0..bound - 1).find(|left| self.chance(1.0 / (bound - left) as f64)).unwrap_or(bound - 1)
    }
}

/// Drives a search to its end, `jobs` at a time, with outcomes in random order. Returns the requested revisions.
fn drive(
    case: &Case,
    search: &mut CulpritSearch,
    oracle: &mut Oracle,
    jobs: usize,
) -> Result<Vec<usize>, TestCaseError> {
    let suspects = case.suspects();
    let goods = case.goods();
    // The parents of a culprit must pass, wherever they are.
    let parents: Vec<usize> = suspects.iter().flat_map(|&suspect| case.history.parents[suspect].clone()).collect();
    let mut asked: Vec<usize> = Vec::new();
    let mut flying: Vec<Probe> = Vec::new();
    let mut untestable: Vec<usize> = Vec::new();
    while !search.is_done() {
        let room = jobs - flying.len();
        if room > 0 {
            let probes = search.ask(room).expect("room for one");
            prop_assert!(probes.len() <= room, "{} probes where {room} were asked for", probes.len());
            for probe in &probes {
                let at = place(probe.revision());
                prop_assert!(!untestable.contains(&at), "r{at} is unresolved and was asked again");
                prop_assert!([&suspects, &goods, &parents].iter().any(|all| all.contains(&at)), "r{at} is no suspect");
                asked.push(at);
            }
            flying.extend(probes);
        }
        prop_assert!(
            !flying.is_empty(),
            "asks nothing, nothing in flight, not done, after {:?}: {:?}",
            asked,
            search.report()
        );
        let probe = flying.swap_remove(oracle.below(flying.len()));
        let outcome = oracle.answer(case, probe.revision());
        if outcome == Outcome::Unresolved {
            untestable.push(place(probe.revision()));
        }
        search.tell(probe.id, outcome.into()).expect("a first answer");
        prop_assert!(asked.len() < 600, "no end, {} at last: {:?}", probe.revision(), {
            let mut r = search.report();
            r.observations.clear();
            r
        });
    }
    Ok(asked)
}

proptest! {
    #![proptest_config(seeded(400, 5))]

    #[test]
    fn every_search_ends(
        mut case in cases(24),
        flake in 0.0..=0.5f64,
        estimated in 0..3u8,
        bisect in 0..5u32,
        choose in prop::sample::select(CHOICES.to_vec()),
        culprit in any::<Index>(),
        unresolved in prop::collection::vec(any::<Index>(), 0..6),
        jobs in 1..5usize,
        verify in any::<bool>(),
        state in 1..u64::MAX,
    ) {
        case.flake = flake;
        let suspects = case.suspects();
        let culprit = possible(&case, culprit);
        let unresolved = unresolved.iter().map(|index| suspects[index.index(suspects.len())]).collect();
        let mut oracle = Oracle { culprit, flake, false_pass: case.false_pass, unresolved, state };
        let mut config = case.config(choose).verify(verify);
        match (bisect, estimated) {
            (1.., 0) => {
                config.strategy = CulpritStrategy::Bisect;
                config.reruns = Some(bisect);
                // See `bisection_sees_every_failing_branch`.
                oracle.unresolved.clear();
            }
            (_, 1) => config.flake_rate = Rate::Estimate,
            _ => {}
        }
        let mut search = open(&case, config);
        let asked = drive(&case, &mut search, &mut oracle, jobs)?;
        let report = search.report();
        let (conclusion, named) = (report.conclusion, report.culprit.is_some());
        prop_assert_eq!(conclusion == Conclusion::Culprit, named);
        let expected = match report.status {
            Status::Found => Conclusion::Culprit,
            Status::NotReproduced => Conclusion::Flake,
            _ => Conclusion::Inconclusive,
        };
        prop_assert_eq!(conclusion, expected);
        prop_assert!(report.runs as usize <= asked.len());
        prop_assert!(!report.message.is_empty());
    }

    #[test]
    fn a_test_that_never_flakes_gives_the_right_conclusion(
        mut case in cases(30),
        choose in prop::sample::select(vec![CulpritStrategy::Cdf, CulpritStrategy::ExpectedGain, CulpritStrategy::Information, CulpritStrategy::Bisect]),
        culprit in any::<Index>(),
        jobs in 1..5usize,
        verify in any::<bool>(),
        state in 1..u64::MAX,
    ) {
        (case.flake, case.false_pass) = (0.0, 0.0);
        case.nobody = case.nobody.max(0.03);
        case.weights = None;
        let suspects = case.suspects();
        let culprit = suspects.get(culprit.index(suspects.len() + 1)).copied();
        let mut oracle = Oracle { culprit, flake: 0.0, false_pass: 0.0, unresolved: Vec::new(), state };
        let mut search = open(&case, case.config(choose).verify(verify));
        drive(&case, &mut search, &mut oracle, jobs)?;
        let report = search.report();
        if culprit.is_some_and(|culprit| case.history.parents[culprit].is_empty()) {
            // Nothing passes before a root.
            prop_assert_eq!((report.conclusion, report.reason), (Conclusion::Inconclusive, Reason::Unproven));
            prop_assert_eq!(report.credible_set[0].revision.clone(), culprit.map(name));
            return Ok(());
        }
        prop_assert_eq!(report.verified, verify && choose != CulpritStrategy::Bisect);
        prop_assert_eq!(report.culprit, culprit.map(name));
        prop_assert_eq!(report.conclusion, if culprit.is_some() { Conclusion::Culprit } else { Conclusion::Flake });
    }

    #[test]
    fn restore_and_undo_give_the_same_state(
        case in cases(20),
        choose in prop::sample::select(vec![CulpritStrategy::Cdf, CulpritStrategy::ExpectedGain, CulpritStrategy::Information, CulpritStrategy::Bisect]),
        steps in prop::collection::vec((0..8u8, any::<Index>()), 0..30),
        culprit in any::<Index>(),
        verify in any::<bool>(),
        state in 1..u64::MAX,
    ) {
        let culprit = possible(&case, culprit);
        let mut oracle = Oracle { culprit, flake: case.flake, false_pass: case.false_pass, unresolved: Vec::new(), state };
        let config = case.config(choose).verify(verify);
        let mut search = open(&case, config.clone());
        let mut probes: Vec<Probe> = Vec::new();
        for (step, index) in steps {
            let any = (!probes.is_empty()).then(|| probes[index.index(probes.len().max(1))].clone());
            match (step, any) {
                (0 | 1, _) => probes.extend(search.ask(usize::from(step) + 1).expect("k above 0")),
                // Late outcomes count, and known ones stay.
                (2..=4, Some(probe)) => { let _ = search.tell(probe.id, oracle.answer(&case, probe.revision()).into()); }
                (5, Some(probe)) => search.abandon(probe.id).expect("a probe of this search"),
                (6, _) => search.observe(&name(index.index(case.history.len())).into(), Outcome::Unresolved.into()).expect("a revision"),
                _ => { let _ = search.undo(1); }
            }
        }
        // The belief must depend only on the remaining outcomes.
        let mut plain = open(&case, config);
        for seen in &search.report().observations {
            plain.observe(&seen.target, seen.observation.clone()).expect("an answer");
        }
        prop_assert_eq!(belief(&plain), belief(&search));
        prop_assert_eq!(plain.status(), search.status());

        let snapshot = search.inspect().snapshot().expect("it has a JSON form");
        let mut again = CulpritSearch::restore(case.history.graph(), &snapshot).expect("its own snapshot");
        prop_assert_eq!(again.inspect().snapshot().expect("it has a JSON form"), snapshot);
        prop_assert_eq!(again.report(), search.report());
        prop_assert_eq!(belief(&again), belief(&search));
        prop_assert_eq!(again.in_flight(), search.in_flight());
        prop_assert_eq!(again.ask(3).expect("k above 0"), search.ask(3).expect("k above 0"));
    }

    #[test]
    fn hypotheses_that_no_run_distinguishes_are_inseparable(
        case in cases(16), given in given(8), culprit in any::<Index>(), unresolved in prop::collection::vec(any::<Index>(), 1..4),
    ) {
        // Four unresolved revisions would form a block, see `blocks`.
        let suspects = case.suspects();
        let unresolved: Vec<usize> = unresolved.iter().map(|index| suspects[index.index(suspects.len())]).collect();
        let mut seen = likely_runs(&case, &given, culprit);
        seen.retain(|one| !unresolved.contains(&one.place));
        let mut search = told(&case, case.config(CulpritStrategy::Cdf), &seen);
        for &place in &unresolved {
            search.observe(&name(place).into(), Outcome::Unresolved.into()).expect("a revision");
        }
        let Some(posterior) = model::posterior(&case, &known(&case), &seen) else { return Ok(()) };
        agree(&belief(&search), &posterior, 1e-9)?;
        if search.status() == Status::Contradictory {
            return Ok(());
        }
        // Group hypotheses by the resolved revisions that they break. "No culprit" breaks none.
        let mut sets: std::collections::HashMap<Vec<usize>, Vec<f64>> = std::collections::HashMap::new();
        let testable = || suspects.iter().copied().filter(|place| !unresolved.contains(place));
        for (number, &suspect) in suspects.iter().enumerate() {
            let breaks = testable().filter(|&place| case.history.ancestors(place)[suspect]).collect();
            sets.entry(breaks).or_default().push(posterior.each[number]);
        }
        sets.entry(Vec::new()).or_default().push(posterior.nobody);
        let sum = |set: &Vec<f64>| set.iter().sum::<f64>();
        let set = sets.into_values().max_by(|a, b| sum(a).total_cmp(&sum(b))).expect("somebody");
        let most = sum(&set);
        let single = posterior.each.iter().copied().fold(posterior.nobody, f64::max);
        if (most - 0.99).abs() < 1e-9 || (single - 0.99).abs() < 1e-9 {
            return Ok(());
        }
        let named = search.report();
        if !named.missing.is_empty() || named.reason == Reason::Unproven {
            // A suspect has reached the confidence, but is not reported before all runs are observed.
            prop_assert!(posterior.each.iter().any(|&p| p >= 0.99));
            prop_assert!(named.culprit.is_none() && named.status != Status::Found, "{:?}", named);
            return Ok(());
        }
        let over = matches!(search.status(), Status::Found | Status::NotReproduced);
        prop_assert_eq!(over, single >= 0.99);
        prop_assert_eq!(search.status() == Status::Ambiguous, !over && most >= 0.99, "{:?}", search.report());
        if search.is_done() {
            let credible: Vec<f64> =
                search.report().credible_set.iter().map(|one| one.probability).filter(|p| *p > 0.0).collect();
            // All inseparable hypotheses, or else the smallest set that reaches the confidence.
            let mut all = if over { posterior.each.iter().copied().chain([posterior.nobody]).collect() } else { set };
            all.retain(|p| *p > 0.0);
            all.sort_by(|a, b| b.total_cmp(a));
            let fewest = until(all, if over { 0.99 } else { f64::INFINITY });
            prop_assert_eq!(credible.len(), fewest.len(), "{:?} {:?}", credible, fewest);
            prop_assert!(credible.iter().zip(&fewest).all(|(a, b)| (a - b).abs() < 1e-9));
        }
    }
}

/// The first numbers whose sum is enough.
fn until(numbers: Vec<f64>, enough: f64) -> Vec<f64> {
    let mut sum = 0.0;
    let is_one = |number: &f64| {
        let goes_on = sum < enough;
        sum += number;
        goes_on
    };
    numbers.into_iter().take_while(is_one).collect()
}
