//! Weights for what commits touch, learned from culprits of the past.

use firstbad::suspicion::{Changelist, ContentCase, ContentFit, ContentWeights, fit_content, rank_content};
use firstbad_testkit::simulated::Random;
use proptest::prelude::*;

const DEFAULT: ContentWeights = ContentWeights::DEFAULT;

/// Commits of all kinds, by a seed.
fn history(count: usize, seed: u64) -> Vec<Changelist> {
    let mut random = Random::new(seed);
    let files = ["src/cart.py", "src/money.py", "src/colour.py", "notes.md", "tests/test_cart.py", "setup.cfg"];
    let subjects = ["Round the total", "Faster carts", "Colours", "Words", "Release"];
    (0..count)
        .map(|number| {
            let file = files[random.below(files.len() as u64) as usize].to_owned();
            let subject = subjects[random.below(subjects.len() as u64) as usize].to_owned();
            let counts = [(file.clone(), (random.below(200), 0))].into();
            Changelist { message: subject, counts, ..Changelist::new(number.to_string(), [file]) }
        })
        .collect()
}

/// Cases with 40 suspects each, whose culprits `chosen` takes from them.
fn cases(
    changes: &[Changelist],
    count: usize,
    seed: u64,
    mut chosen: impl FnMut(&[usize], &mut Random) -> usize,
) -> Vec<ContentCase> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|number| {
            let from = random.below((changes.len() - 40) as u64) as usize;
            let suspects: Vec<usize> = (from..from + 40).collect();
            let culprit = chosen(&suspects, &mut random);
            let tests = if number % 2 == 0 { vec!["tests/test_cart.py::test_total".to_owned()] } else { Vec::new() };
            ContentCase { suspects, culprit, tests }
        })
        .collect()
}

fn anybody(suspects: &[usize], random: &mut Random) -> usize {
    suspects[random.below(suspects.len() as u64) as usize]
}

fn numbers(weights: &ContentWeights) -> [f64; 5] {
    let ContentWeights { source, lines, source_and_test, path, subject, .. } = *weights;
    [source, lines, source_and_test, path, subject]
}

/// How many bits weights tell of culprits that they were not learned from.
fn bits(changes: &[Changelist], cases: &[ContentCase], weights: &ContentWeights) -> f64 {
    let of = |case: &ContentCase| {
        let inside: Vec<Changelist> = case.suspects.iter().map(|&place| changes[place].clone()).collect();
        let ranking = rank_content(&inside, &case.tests, weights).unwrap();
        let culprit = &changes[case.culprit].id;
        let found = ranking.suspects.iter().find(|suspect| suspect.change == *culprit).unwrap();
        (found.probability * inside.len() as f64).log2()
    };
    cases.iter().map(of).sum::<f64>() / cases.len() as f64
}

#[test]
fn a_project_whose_culprits_are_elsewhere_is_learned() {
    let changes = history(600, 1);
    // Here it is always the settings.
    let settings = |suspects: &[usize], random: &mut Random| {
        let there: Vec<usize> =
            suspects.iter().copied().filter(|&place| changes[place].files[0] == "setup.cfg").collect();
        if there.is_empty() { suspects[0] } else { anybody(&there, random) }
    };
    let learned = fit_content(&changes, &cases(&changes, 80, 2, settings), &DEFAULT).unwrap();
    let new = cases(&changes, 80, 3, settings);
    let (before, after) = (bits(&changes, &new, &DEFAULT), bits(&changes, &new, &learned.weights));
    assert!(after > before + 0.5, "{before} {after} {learned:?}");
    assert!(learned.weights.source < 0.5, "{:?}", learned.weights);
    assert_eq!((learned.used, learned.with_test, learned.left_out), (80, 40, 0));
    assert!((learned.bits_before - bits(&changes, &cases(&changes, 80, 2, settings), &DEFAULT)).abs() < 1e-9);
    assert!(
        learned.message.starts_with("learned from 80 culprits, 40 with a test: the weights tell "),
        "{}",
        learned.message
    );
}

#[test]
fn a_few_culprits_move_little_and_none_nothing() {
    let changes = history(100, 1);
    let none = fit_content(&changes, &[], &DEFAULT).unwrap();
    assert_eq!((none.weights, none.used, none.bits), (DEFAULT, 0, 0.0));
    assert_eq!(none.message, "no culprit to learn from: the weights are as they were");
    let one = fit_content(&changes, &cases(&changes, 1, 4, anybody), &DEFAULT).unwrap();
    for (now, then) in numbers(&one.weights).into_iter().zip(numbers(&DEFAULT)) {
        assert!((now - then).abs() <= 0.4 * then + 1e-9, "{:?}", one.weights);
    }
}

#[test]
fn what_cannot_be_meant_is_refused_by_name() {
    let changes = history(50, 1);
    let case = |suspects: Vec<usize>, culprit| ContentCase { suspects, culprit, tests: Vec::new() };
    let refused = |cases: &[ContentCase]| fit_content(&changes, cases, &DEFAULT).unwrap_err().to_string();
    assert!(
        refused(&[case(vec![1, 2], 3)]).starts_with("culprits: \"3\" is not valid; expected a revision that is among")
    );
    assert!(refused(&[case(vec![1, 99], 1)]).starts_with("suspects: 99 is not valid"));
    assert!(refused(&vec![case(vec![1], 1); 1001]).starts_with("culprits: \"1001 with 1001 suspects\" is not valid"));
    let floor = ContentWeights { floor: 2.0, ..DEFAULT };
    assert!(fit_content(&changes, &[], &floor).unwrap_err().to_string().starts_with("weights[\"floor\"]"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Whoever the culprits are, nothing leaves its range, the floor stays, and the culprits are no less likely than before.
    #[test]
    fn weights_stay_in_range(count in 0usize..60, seed in 0u64..1000, floor in 0.0f64..1.0) {
        let changes = history(200, seed);
        let begin = ContentWeights { floor, ..DEFAULT };
        let cases = cases(&changes, count, seed, anybody);
        let ContentFit { weights, bits, bits_before, .. } = fit_content(&changes, &cases, &begin).unwrap();
        prop_assert_eq!(weights.floor, floor);
        for (weight, most) in numbers(&weights).into_iter().zip([10.0, 1.0, 4.0, 8.0, 20.0]) {
            prop_assert!((0.0..=most).contains(&weight), "{:?}", weights);
        }
        prop_assert!(bits >= bits_before - 1e-9);
        prop_assert_eq!(fit_content(&changes, &cases, &begin).unwrap().weights, weights);
    }

    /// Culprits that are anybody teach nothing that harms: others like them are found as soon as with the defaults.
    #[test]
    fn culprits_at_random_do_no_harm(seed in 0u64..1000) {
        let changes = history(400, seed);
        let learned = fit_content(&changes, &cases(&changes, 50, seed, anybody), &DEFAULT).unwrap();
        let new = cases(&changes, 100, seed + 5000, anybody);
        let (before, after) = (bits(&changes, &new, &DEFAULT), bits(&changes, &new, &learned.weights));
        prop_assert!(after >= before - 0.05, "{before} {after}");
    }
}
