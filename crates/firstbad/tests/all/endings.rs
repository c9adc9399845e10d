//! Searches with a flaky test always end, report only observed culprits, and spend few runs on unresolved revisions.

use firstbad::culprit::{CulpritStrategy, Rate};
use firstbad::{Outcome, Search, Status};
use proptest::prelude::*;

mod play;

use crate::random::{Random, seeded};
use play::{Scene, WAYS, Way};

/// Outcomes that ignore the revision.
#[derive(Debug, Clone, Copy)]
enum Liar {
    AlwaysPass,
    AlwaysFail,
    Unresolved,
    Random,
    /// Alternating over all revisions.
    Alternating,
    /// Alternating at each revision.
    AlternatingEach,
    Mixed,
    /// A fixed outcome for each revision.
    Constant,
}

const LIARS: [Liar; 8] = [
    Liar::AlwaysPass,
    Liar::AlwaysFail,
    Liar::Unresolved,
    Liar::Random,
    Liar::Alternating,
    Liar::AlternatingEach,
    Liar::Mixed,
    Liar::Constant,
];

const OUTCOMES: [Outcome; 3] = [Outcome::Pass, Outcome::Fail, Outcome::Unresolved];

fn liar(kind: Liar, mut random: Random) -> impl FnMut(usize) -> Outcome {
    let mut asked = std::collections::HashMap::<usize, usize>::new();
    let mut all = 0;
    move |place| {
        all += 1;
        let own = asked.entry(place).or_default();
        *own += 1;
        match kind {
            Liar::AlwaysPass => Outcome::Pass,
            Liar::AlwaysFail => Outcome::Fail,
            Liar::Unresolved => Outcome::Unresolved,
            Liar::Random => random.one_of(&OUTCOMES[..2]),
            Liar::Alternating => OUTCOMES[all % 2],
            Liar::AlternatingEach => OUTCOMES[*own % 2],
            Liar::Mixed => random.one_of(&OUTCOMES),
            Liar::Constant => Random(random.0 ^ place as u64).one_of(&OUTCOMES),
        }
    }
}

/// Lists, and histories with merges.
fn scene(random: &mut Random) -> Scene {
    let revisions = 2 + random.below(24);
    let is_list = random.chance(0.3);
    let mut parents: Vec<Vec<usize>> = vec![vec![]];
    for place in 1..revisions {
        let mut own = vec![if !is_list && random.chance(0.2) { random.below(place) } else { place - 1 }];
        let other = random.below(place);
        if !is_list && random.chance(0.3) && !own.contains(&other) {
            own.push(other);
        }
        parents.push(own);
    }
    let flake = [0.0, 0.01, 0.05, 0.1, 0.3, 0.5].map(Rate::Known);
    let false_pass = [0.0, 0.0, 0.02, 0.1, 0.3].map(Rate::Known);
    let weights = |random: &mut Random| (0..revisions).map(|_| random.one_of(&[1.0, 1.0, 5.0, 1000.0])).collect();
    Scene {
        parents,
        way: random.one_of(&WAYS),
        flake: if random.chance(0.2) { Rate::Estimate } else { random.one_of(&flake) },
        false_pass: if random.chance(0.1) { Rate::Estimate } else { random.one_of(&false_pass) },
        confidence: random.one_of(&[0.9, 0.99, 0.999]),
        reruns: 1 + random.below(5) as u32,
        prior: random.chance(0.3).then(|| weights(random)),
        jobs: 1 + random.below(4),
    }
}

/// The bound of `CulpritSearch`, `R + V`: the maximum number of runs of one revision, except for parallel ones.
fn most_runs(scene: &Scene) -> f64 {
    let divergence = |p: f64, q: f64| {
        let term = |p: f64, q: f64| if p > 0.0 { p * (p / q).ln() } else { 0.0 };
        term(p, q) + term(1.0 - p, 1.0 - q)
    };
    let told = match (scene.flake, scene.false_pass) {
        (Rate::Known(flake), Rate::Known(false_pass)) => {
            divergence(flake, 1.0 - false_pass).min(divergence(1.0 - false_pass, flake))
        }
        _ => 0.1,
    };
    // False outcomes may fit no given rates, so that the search assumes unknown ones.
    let per_run = told.min(0.1);
    let all = scene.parents.len();
    let least = scene.prior.as_ref().map_or(0.6 / all as f64, |weights| 0.6 / weights.iter().sum::<f64>());
    let needed = (1.0 / (1.0 - scene.confidence)).ln();
    let verification = (4.0 * needed / per_run).ceil();
    (4.0 * (needed + (1.0 / least).ln()) / per_run).ceil().max(8.0) + verification
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..seeded(1500, 31) })]

    #[test]
    fn every_search_ends_with_any_oracle(seed in any::<u64>()) {
        let mut random = Random(seed);
        let scene = scene(&mut random);
        let kind = random.one_of(&LIARS);
        let each = most_runs(&scene) as u64 + scene.jobs as u64;
        let most = scene.parents.len() as u64 * each;
        let played = scene.play(most, liar(kind, random));
        let played = played.ok_or_else(|| TestCaseError::fail(format!("more than {most} runs: {kind:?} {scene:?}")))?;
        let one = played.counts.values().map(|runs| runs.iter().sum::<u64>()).max().unwrap_or(0);
        prop_assert!(one <= each, "{one} runs of one revision, {each} allowed: {kind:?} {scene:?}");
        prop_assert!(!played.message.is_empty() && !played.message.contains("NaN"), "{}", played.message);
    }

    #[test]
    fn a_culprit_and_its_parents_were_observed(seed in any::<u64>()) {
        let mut random = Random(seed);
        let mut scene = scene(&mut random);
        let culprit = random.below(scene.parents.len());
        let untestable: Vec<bool> = scene.parents.iter().map(|_| random.chance(0.1)).collect();
        // The test has the configured rates, or returns arbitrary outcomes.
        let honest = random.chance(0.7);
        let mut lies = liar(random.one_of(&LIARS), random.clone());
        if random.chance(0.3) {
            // The prior alone is enough for one suspect.
            let heavy = random.below(scene.parents.len());
            scene.prior = Some((0..scene.parents.len()).map(|place| if place == heavy { 1e9 } else { 1.0 }).collect());
        }
        let graph = scene.graph();
        let breaks = |place: usize| graph.is_ancestor(culprit as u32, place as u32);
        let played = scene.play(1_000_000, |place| match () {
            () if !honest => lies(place),
            () if untestable[place] => Outcome::Unresolved,
            () if breaks(place) || random.chance(0.1) => Outcome::Fail,
            () => Outcome::Pass,
        });
        let played = played.expect("it ends");
        let seen = |place: usize, outcome: Outcome| {
            played.counts.get(&place).is_some_and(|runs| runs[outcome as usize] > 0)
        };
        for &(bad, probability) in &played.found {
            let was_run = |&parent: &usize| seen(parent, Outcome::Pass) || seen(parent, Outcome::Fail);
            prop_assert!(seen(bad, Outcome::Fail) && scene.parents[bad].iter().all(was_run), "{bad}: {} {scene:?}", played.message);
            prop_assert!(probability >= scene.confidence, "{bad}: {probability} {}", played.message);
        }
        if let Some(named) = played.named {
            prop_assert!(seen(named, Outcome::Fail), "{named} was not seen to fail: {} {scene:?}", played.message);
            prop_assert!(!scene.parents[named].is_empty(), "{named} is a root: {}", played.message);
            for &parent in &scene.parents[named] {
                prop_assert!(seen(parent, Outcome::Pass), "{parent} was not seen to pass: {} {scene:?}", played.message);
            }
        }
    }
}

/// A test with this flake rate, broken from `culprit` on.
fn flaky(culprit: usize, flake: f64, mut random: Random) -> impl FnMut(usize) -> Outcome {
    move |place| if place >= culprit || random.chance(flake) { Outcome::Fail } else { Outcome::Pass }
}

#[test]
fn lists_with_an_even_prior_need_no_guard() {
    for trial in 0..1600 {
        let mut random = Random(trial);
        let flake = random.one_of(&[0.0, 0.05, 0.1, 0.3]);
        let revisions = random.one_of(&[17, 65, 257]);
        let Way::Culprit(choose) = random.one_of(&WAYS[..4]) else { continue };
        let culprit = 1 + random.below(2 * revisions);
        let mut search = Scene::list(revisions, Way::Culprit(choose), flake).culprit_search(choose);
        // Observe the given endpoint.
        search.observe(&"0".into(), Outcome::Pass.into()).expect("a revision");
        let mut oracle = flaky(culprit, flake, random);
        while !search.is_done() {
            let missing = search.report().missing;
            assert!(missing.is_empty(), "trial {trial}: {missing:?} costs a run");
            let probe = search.ask(1).expect("k above 0").remove(0);
            let place = probe.revision().parse().expect("a number");
            search.tell(probe.id, oracle(place).into()).expect("a first answer");
        }
        assert!(search.report().missing.is_empty());
    }
}

#[test]
fn a_merge_is_found_with_false_passes() {
    // Two branches of 20 between 0 and the merge 41, and two revisions after the merge.
    let branch = |first: usize| (first..first + 20).map(move |at| vec![if at == first { 0 } else { at - 1 }]);
    let mut parents = vec![vec![]];
    parents.extend(branch(1).chain(branch(21)));
    parents.extend([vec![20, 40], vec![41], vec![42]]);
    for confidence in [0.99, 0.999] {
        for way in WAYS.into_iter().filter(|&way| way != Way::Culprit(CulpritStrategy::Bisect)) {
            let (mut right, mut runs) = (0, 0);
            for trial in 0..30 {
                let mut random = Random(trial);
                let rates = (Rate::Known(0.05), Rate::Known(0.02));
                let scene = Scene {
                    parents: parents.clone(),
                    flake: rates.0,
                    false_pass: rates.1,
                    confidence,
                    ..Scene::list(2, way, 0.05)
                };
                let played = scene.play(80, |place| {
                    let fails = if place >= 41 { !random.chance(0.02) } else { random.chance(0.05) };
                    if fails { Outcome::Fail } else { Outcome::Pass }
                });
                let played = played.unwrap_or_else(|| panic!("{way:?} at {confidence}, trial {trial}: no end"));
                runs += played.runs;
                right += usize::from(played.named == Some(41));
            }
            // The culprit is verified, which takes some more runs of it and of both parents.
            assert!(right >= 29 && runs <= 34 * 30, "{way:?} at {confidence}: {right} of 30, {runs} runs");
        }
    }
}

/// The cost of a block of unresolved revisions.
struct Cost {
    runs: f64,
    runs_without: f64,
    trials: f64,
}

/// Searches of `scene` with an unresolved block, and without.
fn cost(scene: &Scene, flake: f64, block: &dyn Fn(usize) -> bool, culprits: &[usize]) -> Cost {
    let graph = scene.graph();
    let mut cost = Cost { runs: 0.0, runs_without: 0.0, trials: 0.0 };
    for (trial, &culprit) in culprits.iter().enumerate() {
        let breaks = |place: usize| graph.is_ancestor(culprit as u32, place as u32);
        for with_block in [true, false] {
            let mut random = Random(trial as u64);
            let played = scene.play(400, |place| match () {
                () if with_block && block(place) => Outcome::Unresolved,
                () if breaks(place) || random.chance(flake) => Outcome::Fail,
                () => Outcome::Pass,
            });
            let played = played.expect("no search of these takes so many");
            *(if with_block { &mut cost.runs } else { &mut cost.runs_without }) += played.runs as f64;
            if with_block && block(culprit) && flake == 0.0 {
                assert_eq!((played.status, played.named), (Status::Ambiguous, None), "{}", played.message);
                assert!(played.candidates.contains(&culprit), "{culprit} is none of {:?}", played.candidates);
            }
        }
        cost.trials += 1.0;
    }
    cost
}

#[test]
fn searches_leave_unresolved_blocks() {
    let block = |place: usize| (351..=650).contains(&place);
    for way in WAYS {
        for flake in [0.0, 0.1, 0.3] {
            let scene = Scene::list(1001, way, flake);
            for culprits in [[1, 90, 180, 350], [352, 420, 530, 650], [651, 652, 700, 999]] {
                let Cost { runs, runs_without, trials } = cost(&scene, flake, &block, &culprits);
                let allowed = 1.3 * runs_without + 12.0 * trials;
                assert!(runs <= allowed, "{way:?} {flake} {culprits:?}: {runs} runs, {allowed} allowed");
            }
        }
    }
}

#[test]
fn searches_leave_unresolved_blocks_next_to_another_branch() {
    // Two parallel branches between 0 and a merge: even and odd numbers.
    let parents = (0..=201).map(|place: usize| match place {
        0 => vec![],
        1 | 2 => vec![0],
        201 => vec![199, 200],
        _ => vec![place - 2],
    });
    let parents: Vec<Vec<usize>> = parents.collect();
    let block = |place: usize| place.is_multiple_of(2) && (60..=140).contains(&place);
    for way in WAYS {
        for flake in [0.0, 0.1] {
            let scene = Scene { parents: parents.clone(), ..Scene::list(2, way, flake) };
            for culprits in [[20, 58], [80, 124], [142, 190], [61, 101], [161, 201]] {
                let Cost { runs, runs_without, trials } = cost(&scene, flake, &block, &culprits);
                let allowed = 1.3 * runs_without + 12.0 * trials;
                assert!(runs <= allowed, "{way:?} {flake} {culprits:?}: {runs} runs, {allowed} allowed");
            }
        }
    }
}

#[test]
fn an_unresolved_suspect_is_not_reported() {
    for flake in [0.0, 0.1] {
        let scene = Scene::list(4, Way::Bayes, flake);
        let played = scene.play(100, |place| if place == 3 { Outcome::Unresolved } else { Outcome::Pass });
        let played = played.expect("it ends");
        assert_eq!((played.status, played.named), (Status::Ambiguous, None), "{}", played.message);
        assert_eq!(played.candidates, [3]);
    }
}

#[test]
fn candidates_are_the_inseparable_suspects_only() {
    let mut elsewhere = 0;
    for trial in 0..20 {
        let mut random = Random(trial);
        let scene = Scene { false_pass: Rate::Known(0.05), ..Scene::list(40, Way::Bayes, 0.05) };
        let played = scene.play(200, |place| match () {
            () if (15..=22).contains(&place) => Outcome::Unresolved,
            () if if place >= 18 { !random.chance(0.05) } else { random.chance(0.05) } => Outcome::Fail,
            () => Outcome::Pass,
        });
        let played = played.expect("it ends");
        if played.status != Status::Ambiguous {
            // Noise sometimes leads elsewhere.
            elsewhere += 1;
            continue;
        }
        let stray = played.candidates.iter().find(|place| !(15..=23).contains(*place));
        assert_eq!(stray, None, "trial {trial}: {:?}", played.candidates);
    }
    assert!(elsewhere <= 2, "{elsewhere} of 20");
}
