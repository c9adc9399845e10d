//! Regression searches with a flaky test, on random histories.

use std::sync::Arc;

use firstbad::Find;
use firstbad::culprit::{NoCulprit, Rate, RunCounts};
use firstbad::regression::{LeafResult, SearchKind};
use firstbad::{Observation, Outcome, Probe, RegressionConfig, RegressionReport, RegressionSearch, Search, Status};
use proptest::prelude::*;

mod examples;
mod world;

use crate::random::{Random, seeded};
use world::{Oracle, Shape, World, config, drive, open, seen, sides};

/// A world with endpoints, a configuration, and an oracle.
#[derive(Debug, Clone)]
struct Scene {
    world: World,
    config: RegressionConfig,
    oracle: Oracle,
    culprits: usize,
}

/// The random features of a scene.
#[derive(Debug, Clone, Copy)]
struct Wild {
    /// The real rates can differ from the given ones.
    liar: bool,
    unresolved: bool,
    turns: bool,
    /// Broken revisions can pass, or are configured to.
    false_passes: bool,
    /// Roots can be broken.
    broken_roots: bool,
}

/// One or more culprits, and a test with the given rates.
const TAME: Wild = Wild { liar: false, unresolved: false, turns: false, false_passes: false, broken_roots: false };
/// All features except false passes.
const WILD: Wild = Wild { liar: true, unresolved: true, turns: true, false_passes: false, broken_roots: true };

fn scene(seed: u64, wild: Wild, flakes: &[f64]) -> Option<Scene> {
    let mut random = Random(seed);
    let shape = Shape {
        revisions: 2 + random.below(28),
        merges: [0.0, 0.2, 0.5][random.below(3)],
        forks: [0.0, 0.15, 0.4][random.below(3)],
        roots: [0.0, 0.0, 0.1][random.below(3)],
        culprits: random.below(4),
        unresolved: if wild.unresolved { [0.0, 0.1, 0.4, 1.0][random.below(4)] } else { 0.0 },
        turns: if wild.turns { [0.0, 0.1, 0.4][random.below(3)] } else { 0.0 },
    };
    let world = World::new(&shape, &mut random);
    if !wild.broken_roots && world.graph.roots().any(|root| world.is_changed(root)) {
        return None;
    }
    let flake = flakes[random.below(flakes.len())];
    let newer = world.ends(&mut random, 0.2);
    if newer.is_empty() {
        return None;
    }
    let older: Vec<String> = world.old_end(&newer).into_iter().filter(|_| random.chance(0.5)).collect();
    let find = if random.chance(0.3) { Find::Fix } else { Find::Regression };
    let mut config = config(find, newer, older);
    config.flake_rate = match random.below(4) {
        _ if !wild.liar => Some(Rate::Known(flake)),
        0 => Some(Rate::Estimate),
        1 => Some(Rate::History(RunCounts { passes: 9, fails: 1 })),
        2 => None,
        _ => Some(Rate::Known([0.0, 0.1, 0.4][random.below(3)])),
    };
    let false_pass = if wild.false_passes && random.chance(0.5) { 0.05 } else { 0.0 };
    if wild.false_passes && random.chance(0.7) {
        config.false_pass_rate = [Rate::Known(0.05), Rate::Estimate].get(random.below(2)).copied();
    }
    if random.chance(0.2) {
        config.prior_no_culprit =
            Some(NoCulprit::Probability([0.0, 0.1, if wild.liar { 0.9 } else { 0.4 }][random.below(3)]));
    }
    if config.prior_no_culprit == Some(NoCulprit::Probability(0.0)) && !wild.liar {
        // All endpoints fail in this case.
        let fails = |id: &String| world.is_changed(world.node(id));
        config.bad.retain(|id| find == Find::Fix || fails(id));
        config.good.retain(|id| find == Find::Regression || fails(id));
        if [&config.bad, &config.good][usize::from(find == Find::Fix)].is_empty() {
            return None;
        }
    }
    config.check_parents = random.chance(0.7);
    config.test_endpoints = random.chance(0.3);
    config.propagate = [None, Some(true), Some(false)][random.below(3)];
    let oracle = Oracle { flake, false_pass, find, random };
    Some(Scene { world, config, oracle, culprits: shape.culprits })
}

/// Checks that a report's points were observed, and that every leaf has a result.
fn check(scene: &Scene, report: &RegressionReport) -> Result<(), TestCaseError> {
    let Scene { world, config, .. } = scene;
    let find = config.find;
    let graph = &world.graph;
    let seen = seen(world, find, report);
    let (newer, older) = match find {
        Find::Regression => (&config.bad, &config.good),
        Find::Fix => (&config.good, &config.bad),
    };
    let old = |node| seen.get(&node).is_some_and(|counts| counts.0 > 0) || older.contains(&graph.id(node).to_owned());
    for point in &report.points {
        let (low, high) = sides(find, point);
        let high = world.node(high);
        if let Some(low) = low {
            prop_assert!(old(world.node(low)), "{low} was never seen to be as before: {report:?}");
            prop_assert!(graph.is_ancestor(world.node(low), high), "{point:?}");
        }
        if point.parents_pass {
            let passed = |parent: &u32| seen.get(parent).is_some_and(|counts| counts.0 > 0);
            prop_assert!(graph.parents(high).iter().all(passed), "clean is when all parents passed: {point:?}");
        }
        let probability = point.probability;
        prop_assert!(probability.is_none_or(|p| p > 0.0 && p <= 1.0 + 1e-9), "{point:?}");
        prop_assert_eq!(point.leaves.len(), point.distances.len());
        for (leaf, &distance) in point.leaves.iter().zip(&point.distances) {
            prop_assert_eq!(graph.distance(world.node(&point.bad), world.node(leaf)), Some(distance));
        }
    }
    prop_assert_eq!(report.leaves.len(), newer.len());
    for (leaf, id) in report.leaves.iter().zip(newer) {
        prop_assert_eq!(&leaf.leaf, id);
        if report.status == Status::GoodEndFails {
            continue;
        }
        prop_assert!(leaf.result != LeafResult::Open, "{report:?}");
        let answered = matches!(leaf.result, LeafResult::Searched | LeafResult::Propagated);
        prop_assert_eq!(answered, !leaf.points.is_empty(), "{:?}", report);
        for &point in &leaf.points {
            prop_assert!(report.points[point].leaves.contains(id), "{report:?}");
        }
    }
    Ok(())
}

/// The maximum number of runs for a search of this size.
const MOST: u64 = 1500;

fn told(scene: &Scene, jobs: usize) -> Result<RegressionSearch, TestCaseError> {
    let mut oracle = scene.oracle.clone();
    let mut search = open(&scene.world, &scene.config);
    let mut order = Random(oracle.random.0 ^ 5);
    let end = drive(&mut search, jobs, MOST, &mut order, |id| oracle.answer(&scene.world, id));
    prop_assert_eq!(end, Ok(()), "{:?} {:?}", scene, search.report());
    Ok(search)
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..seeded(1000, 21) })]

    #[test]
    fn every_search_ends_whatever_the_outcomes(seed in any::<u64>()) {
        let Some(scene) = scene(seed, WILD, &[0.0, 0.1, 0.4]) else { return Ok(()) };
        let search = told(&scene, 1)?;
        check(&scene, &search.report())?;
        let words = search.report().message;
        prop_assert!(!words.is_empty() && !words.contains("NaN") && !words.contains("not finished"), "{words}");
    }

    #[test]
    fn points_at_known_rates_were_observed(seed in any::<u64>(), jobs in 1usize..6) {
        let wild = Wild { unresolved: true, broken_roots: true, ..TAME };
        let Some(scene) = scene(seed, wild, &[0.0, 0.01, 0.1, 0.25, 0.4]) else { return Ok(()) };
        let search = told(&scene, jobs)?;
        let report = search.report();
        check(&scene, &report)?;
        let find = scene.config.find;
        let given = if find == Find::Fix { &scene.config.bad } else { &scene.config.good };
        for point in &report.points {
            if let Some(low) = sides(find, point).0 {
                let odds = world::best_odds(&scene.world, find, &report, low, scene.oracle.flake);
                prop_assert!(given.iter().any(|id| id == low) || odds > 98.999, "{low} at odds of {odds}: {report:?}");
            }
        }
    }

    #[test]
    fn without_flakes_every_point_is_true(seed in any::<u64>(), jobs in 1usize..6) {
        let Some(scene) = scene(seed, TAME, &[0.0]) else { return Ok(()) };
        let search = told(&scene, jobs)?;
        let report = search.report();
        check(&scene, &report)?;
        let Scene { world, config, .. } = &scene;
        let seen = seen(world, config.find, &report);
        for point in &report.points {
            let (low, high) = sides(config.find, point);
            let high = world.node(high);
            prop_assert!(world.is_changed(high), "{point:?} {report:?}");
            prop_assert!(low.is_none_or(|low| !world.is_changed(world.node(low))), "{point:?}");
            let parents = world.graph.parents(high);
            let old = |parent: &&u32| seen.get(*parent).is_some_and(|counts| counts.0 > 0);
            let all = parents.iter().filter(old).count() == parents.len();
            prop_assert_eq!(point.parents_pass, all && point.untested_endpoints.is_empty(), "{:?}", point);
            prop_assert!(point.candidates.is_empty(), "{point:?}");
            if config.check_parents && low.is_some() {
                prop_assert!(world.is_culprit(high) || !point.parents_pass, "{point:?} {report:?}");
            }
        }
        for leaf in &report.leaves {
            if leaf.result == LeafResult::Contradictory && scene.culprits > 1 {
                continue;
            }
            prop_assert!(leaf.result != LeafResult::Contradictory, "{scene:?} {report:?}");
            let fails = world.is_changed(world.node(&leaf.leaf));
            // In a search for a fix, a history without the other outcome has no point.
            let before = world.graph.ancestors(&[world.node(&leaf.leaf)]);
            let turned = config.find == Find::Regression || before.ones().any(|node| !world.changed[node]);
            prop_assert_eq!(leaf.result == LeafResult::NotReproduced, !(fails && turned), "{:?}", report);
        }

        // The result must be at least as good as that of a search that trusts every outcome.
        let mut plain = config.clone();
        (plain.flake_rate, plain.false_pass_rate, plain.prior_no_culprit) = (None, None, None);
        (plain.search, plain.test_endpoints) = (SearchKind::Weighted, true);
        let mut plain = open(world, &plain);
        let mut oracle = scene.oracle.clone();
        let end = drive(&mut plain, 1, MOST, &mut Random(1), |id| oracle.outcome(world, id).into());
        prop_assert_eq!(end, Ok(()));
        for (one, other) in report.leaves.iter().zip(&plain.report().leaves) {
            if one.result == LeafResult::Contradictory {
                continue;
            }
            let found = |ending| matches!(ending, LeafResult::Searched | LeafResult::Propagated);
            prop_assert_eq!(found(one.result), found(other.result), "{:?} {:?}", &report, plain.report());
        }
    }

    #[test]
    fn one_culprit_and_no_flakes_is_that_culprit(seed in any::<u64>(), jobs in 1usize..6, unknown in any::<bool>()) {
        let mut random = Random(seed);
        let shape = Shape { revisions: 3 + random.below(40), merges: 0.3, forks: 0.2, roots: 0.0, culprits: 1, unresolved: 0.0, turns: 0.0 };
        let world = World::new(&shape, &mut random);
        let newer = world.ends(&mut random, 0.0);
        let mut config = config(Find::Regression, newer, vec!["r0".to_owned()]);
        config.flake_rate = Some(if unknown { Rate::Estimate } else { Rate::Known(0.0) });
        let mut search = open(&world, &config);
        let mut oracle = Oracle { flake: 0.0, false_pass: 0.0, find: Find::Regression, random: random.clone() };
        let end = drive(&mut search, jobs, MOST, &mut random, |id| oracle.outcome(&world, id).into());
        prop_assert_eq!(end, Ok(()), "{:?}", search.report());
        let report = search.report();
        prop_assert_eq!(report.status, Status::Found, "{:?}", report);
        for point in &report.points {
            prop_assert!(point.parents_pass && world.is_culprit(world.node(&point.bad)), "{point:?} {report:?}");
            prop_assert!(point.probability.is_some_and(|p| p >= 0.99), "{point:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..seeded(600, 22) })]

    #[test]
    fn replay_and_undo_give_the_same_state(seed in any::<u64>(), steps in prop::collection::vec(0..7u8, 0..60)) {
        let Some(mut scene) = scene(seed, WILD, &[0.0, 0.1, 0.4]) else { return Ok(()) };
        let mut search = open(&scene.world, &scene.config);
        for step in steps {
            match step {
                0 | 1 => { search.ask(usize::from(step) + 1).expect("k above 0"); }
                2 | 3 => if let Some(probe) = search.in_flight().pop() {
                    let answer = scene.oracle.answer(&scene.world, probe.revision());
                    search.tell(probe.id, answer.clone()).expect("a first answer");
                    search.tell(probe.id, answer).expect("the same again");
                },
                4 => if let Some(probe) = search.in_flight().first() { search.abandon(probe.id).expect("in flight") },
                5 => {
                    let id = format!("r{}", scene.oracle.random.below(scene.world.changed.len()));
                    let answer = scene.oracle.answer(&scene.world, &id);
                    search.observe(&id.as_str().into(), answer).expect("an outcome");
                }
                _ => { let _ = search.undo(1); }
            }
        }
        // The state must depend only on the remaining outcomes.
        let mut plain = open(&scene.world, &scene.config);
        for told in &search.report().observations {
            plain.observe(&told.target, told.observation.clone()).expect("an observation");
        }
        prop_assert_eq!(search.status(), plain.status());
        prop_assert_eq!(search.report().points, plain.report().points);
        prop_assert_eq!(search.report().leaves, plain.report().leaves);

        let snapshot = search.inspect().snapshot().expect("it has a JSON form");
        let mut again = RegressionSearch::restore(Arc::clone(&scene.world.graph), &snapshot).expect("its own snapshot");
        prop_assert_eq!(again.inspect().snapshot().expect("it has a JSON form"), snapshot);
        prop_assert_eq!(again.report(), search.report());
        prop_assert_eq!(again.in_flight(), search.in_flight());
        prop_assert_eq!(again.ask(3).expect("k above 0"), search.ask(3).expect("k above 0"));
    }

    #[test]
    fn undone_outcomes_are_forgotten(seed in any::<u64>(), told in 1usize..20, undone in 1usize..20) {
        let Some(mut scene) = scene(seed, WILD, &[0.0, 0.1, 0.4]) else { return Ok(()) };
        let mut search = open(&scene.world, &scene.config);
        let mut states = vec![search.report()];
        for _ in 0..told {
            let Some(probe) = search.ask(1).expect("k above 0").pop() else { break };
            let answer = scene.oracle.answer(&scene.world, probe.revision());
            search.tell(probe.id, answer).expect("a first answer");
            states.push(search.report());
        }
        let back = undone.min(states.len() - 1);
        search.undo(back as u32).expect("so many answers");
        prop_assert_eq!(&search.report(), &states[states.len() - 1 - back]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..seeded(1500, 23) })]

    #[test]
    fn every_parallel_search_ends(seed in any::<u64>(), jobs in 2usize..6) {
        let Some(scene) = scene(seed, WILD, &[0.0, 0.1, 0.4]) else { return Ok(()) };
        check(&scene, &told(&scene, jobs)?.report())?;
    }

    #[test]
    fn a_new_run_is_wanted(seed in any::<u64>(), jobs in 2usize..6) {
        let Some(scene) = scene(seed, WILD, &[0.0, 0.1, 0.4]) else { return Ok(()) };
        let mut oracle = scene.oracle.clone();
        let mut search = open(&scene.world, &scene.config);
        let mut flying: Vec<Probe> = Vec::new();
        while search.runs() < 60 {
            let asked = search.ask(jobs - flying.len()).expect("room for one");
            for probe in &asked {
                prop_assert!(search.wanted(probe.id).expect("in flight"), "{} {scene:?}", probe.revision());
            }
            flying.extend(asked);
            if flying.is_empty() {
                break;
            }
            let probe = flying.remove(0);
            search.tell(probe.id, oracle.answer(&scene.world, probe.revision())).expect("a first answer");
            let is_wanted = |probe: &Probe| search.wanted(probe.id).expect("in flight");
            let (wanted, useless): (Vec<Probe>, Vec<Probe>) = flying.into_iter().partition(is_wanted);
            flying = wanted;
            useless.iter().for_each(|probe| search.abandon(probe.id).expect("in flight"));
        }
    }

    #[test]
    fn without_flakes_several_culprits_are_not_contradictory(seed in any::<u64>()) {
        let Some(scene) = scene(seed, TAME, &[0.0]) else { return Ok(()) };
        let report = told(&scene, 1)?.report();
        prop_assert!(report.leaves.iter().all(|leaf| leaf.result != LeafResult::Contradictory), "{report:?}");
    }

    #[test]
    fn without_flakes_a_broken_root_is_not_contradictory(seed in any::<u64>(), jobs in 1usize..6) {
        let Some(scene) = scene(seed, Wild { broken_roots: true, ..TAME }, &[0.0]) else { return Ok(()) };
        let report = told(&scene, jobs)?.report();
        prop_assert!(report.leaves.iter().all(|leaf| leaf.result != LeafResult::Contradictory), "{report:?}");
    }
}

// A search with false passes takes many times as long.
proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..seeded(500, 23) })]

    #[test]
    fn every_search_with_false_passes_ends(seed in any::<u64>(), jobs in 1usize..6) {
        let wild = Wild { false_passes: true, ..WILD };
        let Some(scene) = scene(seed, wild, &[0.0, 0.1, 0.4]) else { return Ok(()) };
        check(&scene, &told(&scene, jobs)?.report())?;
    }
}

/// Searches r0 with two branches, r1 and r2. `answer` gives the outcomes.
fn fork(flake_rate: Rate, answer: impl Fn(&str) -> Outcome) -> RegressionReport {
    let pairs = [("r0", vec![]), ("r1", vec!["r0"]), ("r2", vec!["r0"])];
    let graph = Arc::new(firstbad::CommitGraph::new(pairs).expect("a graph"));
    let mut config = RegressionConfig::new(["r1", "r2"]).search(SearchKind::Bayes);
    config.flake_rate = Some(flake_rate);
    // Otherwise, the result for one endpoint also counts for the other.
    config.propagate = Some(false);
    let mut search = RegressionSearch::new(graph, config).expect("valid ends");
    let end = drive(&mut search, 1, MOST, &mut Random(1), |id| answer(id).into());
    assert_eq!(end, Ok(()));
    search.report()
}

#[test]
fn a_healthy_leaf_is_not_a_culprit_if_the_root_fails_or_is_unresolved() {
    for rate in [Rate::Known(0.0), Rate::Known(0.1), Rate::Estimate] {
        for root in [Outcome::Fail, Outcome::Unresolved] {
            let report = fork(rate, |id| match id {
                "r0" => root,
                "r1" => Outcome::Fail,
                _ => Outcome::Pass,
            });
            assert_eq!(report.leaves[1].result, LeafResult::NotReproduced, "{rate:?} {root:?}: {report:?}");
        }
    }
}

#[test]
fn two_jobs_do_not_get_stuck_at_an_unresolved_revision() {
    let pairs = [("r0", vec![]), ("r1", vec!["r0"]), ("r2", vec!["r0"]), ("r3", vec!["r2"]), ("r4", vec!["r3", "r1"])];
    for jobs in 1..4 {
        let graph = Arc::new(firstbad::CommitGraph::new(pairs.clone()).expect("a graph"));
        let mut config = RegressionConfig::new(["r4"]).good(["r1"]).search(SearchKind::Bayes);
        config.flake_rate = Some(Rate::Estimate);
        let mut search = RegressionSearch::new(graph, config).expect("valid ends");
        let end = drive(&mut search, jobs, 100, &mut Random(1), |id| match id {
            "r0" | "r1" => Outcome::Pass.into(),
            "r2" => Outcome::Unresolved.into(),
            _ => Outcome::Fail.into(),
        });
        assert_eq!(end, Ok(()), "{jobs} at a time, after {} answers", search.runs());
    }
}

/// Whether each of two bad revisions was run. One of them descends from the other's culprit.
fn ends_that_are_run(propagate: bool, observed: Option<Outcome>) -> Vec<bool> {
    let graph = Arc::new(firstbad::CommitGraph::linear(["a", "b", "c", "d", "e", "f"]).expect("a list"));
    let mut config = RegressionConfig::new(["e", "f"]).good(["a"]).search(SearchKind::Bayes);
    (config.flake_rate, config.test_endpoints, config.propagate) = (Some(Rate::Known(0.1)), false, Some(propagate));
    let mut search = RegressionSearch::new(graph, config).expect("valid ends");
    if let Some(outcome) = observed {
        search.observe(&"f".into(), outcome.into()).expect("it is one of them");
    }
    let mut asked = Vec::new();
    let end = drive(&mut search, 1, MOST, &mut Random(1), |id| {
        asked.push(id.to_owned());
        (if id < "c" { Outcome::Pass } else { Outcome::Fail }).into()
    });
    assert_eq!((end, search.status()), (Ok(()), Status::Found));
    assert!(search.report().points.iter().all(|point| point.bad == "c"));
    ["e", "f"].map(|end| asked.iter().any(|id| id == end)).to_vec()
}

#[test]
fn without_propagation_each_unobserved_endpoint_is_run() {
    assert_eq!(ends_that_are_run(true, None), [true, false], "what is found for one end answers for the other");
    assert_eq!(ends_that_are_run(false, None), [true, true]);
    assert_eq!(ends_that_are_run(false, Some(Outcome::Fail)), [true, false]);
}

#[test]
fn no_certainty_without_runs() {
    let graph = Arc::new(firstbad::CommitGraph::linear(["a", "b", "c", "d"]).expect("a list"));
    let mut config = RegressionConfig::new(["d"]).good(["a"]).search(SearchKind::Bayes);
    config.flake_rate = Some(Rate::Known(0.1));
    let mut search = RegressionSearch::new(graph, config).expect("valid ends");
    let end = drive(&mut search, 1, MOST, &mut Random(1), |_| Outcome::Unresolved.into());
    assert_eq!((end, search.status()), (Ok(()), Status::Ambiguous));
    // No run excludes a flake, which has a prior probability of 40%.
    let probability = search.report().points[0].probability.expect("with a flaky test");
    assert!(probability < 0.61, "{probability}");
}

#[test]
fn a_search_with_two_unknown_rates_and_one_suspect_ends() {
    let graph = Arc::new(firstbad::CommitGraph::linear(["a", "b"]).expect("a list"));
    let mut config = RegressionConfig::new(["b"]).search(SearchKind::Bayes);
    config.flake_rate = Some(Rate::Estimate);
    config.false_pass_rate = Some(Rate::History(RunCounts { passes: 1, fails: 9 }));
    let mut search = RegressionSearch::new(graph, config).expect("valid ends");
    let mut random = Random(1);
    let mut order = Random(2);
    let end = drive(&mut search, 1, MOST, &mut order, |_| {
        if random.chance(0.4) { Outcome::Pass.into() } else { Outcome::Fail.into() }
    });
    assert_eq!(end, Ok(()), "{}", search.report().message);
}

/// The results of simulated searches.
#[derive(Debug, Default, Clone, Copy)]
struct Score {
    leaves: usize,
    right: usize,
    /// Leaves with a point at an innocent revision.
    wrongly_named: usize,
    /// Culprits whose parents are not certain to pass.
    unclean: usize,
    runs: u64,
}

/// Simulates searches with `culprits` culprits each. Flakes also make healthy leaves fail.
fn simulate(
    trials: u64,
    (flake, false_pass): (f64, f64),
    (said, said_false_pass): (Rate, Option<Rate>),
    culprits: usize,
    jobs: usize,
) -> Score {
    let mut score = Score::default();
    for trial in 0..trials {
        let mut random = Random(trial * 7919 + culprits as u64);
        let shape =
            Shape { revisions: 60, merges: 0.25, forks: 0.15, roots: 0.0, culprits, unresolved: 0.0, turns: 0.0 };
        let world = World::new(&shape, &mut random);
        let newer = world.ends(&mut random, flake);
        if newer.is_empty() {
            continue;
        }
        let mut config = config(Find::Regression, newer, vec!["r0".to_owned()]);
        (config.flake_rate, config.confidence, config.test_endpoints) = (Some(said), Some(0.99), false);
        config.false_pass_rate = said_false_pass;
        let mut search = open(&world, &config);
        let mut oracle = Oracle { flake, false_pass, find: Find::Regression, random: random.clone() };
        let end = drive(&mut search, jobs, 20 * MOST, &mut random, |id| Observation::from(oracle.outcome(&world, id)));
        let report = search.report();
        assert_eq!(end, Ok(()), "trial {trial}: {report:?}");
        for leaf in &report.leaves {
            let node = world.node(&leaf.leaf);
            let is_right = |&point: &usize| {
                let bad = world.node(&report.points[point].bad);
                world.is_culprit(bad) && world.graph.is_ancestor(bad, node)
            };
            let right = match leaf.result {
                LeafResult::NotReproduced => !world.is_changed(node),
                _ => !leaf.points.is_empty() && leaf.points.iter().all(is_right),
            };
            score.leaves += 1;
            score.right += usize::from(right);
            score.wrongly_named += usize::from(!right && !leaf.points.is_empty());
        }
        score.unclean +=
            report.points.iter().filter(|point| point.candidates.is_empty() && !point.parents_pass).count();
        score.runs += search.runs();
    }
    score
}

#[test]
fn nearly_all_leaves_have_the_right_culprit() {
    for (flake, said, culprits, jobs) in [
        (0.0, Rate::Known(0.0), 1, 1),
        (0.0, Rate::Estimate, 2, 1),
        (0.1, Rate::Known(0.1), 1, 1),
        (0.1, Rate::Known(0.1), 2, 4),
        (0.1, Rate::Estimate, 1, 1),
        (0.1, Rate::Estimate, 2, 4),
        (0.3, Rate::Known(0.3), 1, 1),
        (0.3, Rate::Known(0.3), 3, 2),
        (0.3, Rate::Estimate, 1, 1),
    ] {
        let Score { leaves, right, runs, .. } = simulate(150, (flake, 0.0), (said, None), culprits, jobs);
        println!("{flake} {said:?} {culprits} {jobs}: {right} of {leaves}, {runs} runs");
        assert!(
            right as f64 >= 0.97 * leaves as f64,
            "flake rate {flake}, said {said:?}, {culprits} culprits: {right} of {leaves}"
        );
    }
}

#[test]
fn nearly_all_leaves_have_the_right_culprit_with_false_passes() {
    for (flake, false_pass, jobs) in [(0.0, 0.1, 1), (0.1, 0.05, 1), (0.1, 0.05, 4), (0.2, 0.2, 2)] {
        let Score { leaves, right, .. } =
            simulate(150, (flake, false_pass), (Rate::Known(flake), Some(Rate::Known(false_pass))), 1, jobs);
        assert!(right as f64 >= 0.97 * leaves as f64, "{flake}, {false_pass}, {jobs}: {right} of {leaves}");
    }
}

#[test]
fn merges_are_distinguished_from_their_parents_at_unknown_rates() {
    for (flake, false_pass, said_false_pass) in
        [(0.0, 0.05, None), (0.05, 0.05, None), (0.05, 0.05, Some(Rate::Estimate))]
    {
        let score = simulate(150, (flake, false_pass), (Rate::Estimate, said_false_pass), 1, 1);
        let about = format!("{flake}, {false_pass}, told {said_false_pass:?}: {score:?}");
        println!("{about}");
        assert!(score.right as f64 >= 0.96 * score.leaves as f64, "{about}");
        assert!(score.wrongly_named as f64 <= 0.02 * score.leaves as f64, "{about}");
        assert!(score.runs <= 20 * score.leaves as u64, "{about}");
        assert_eq!(score.unclean, 0, "{about}");
    }
}
