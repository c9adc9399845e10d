//! What counts how much in one project, from its own past culprits.

use serde::{Deserialize, Serialize};

use super::rank::probabilities;
use super::traits::{Fit, Rarity, TRAITS, Traits};
use super::weights::ContentWeights;
use super::words::TestName;
use crate::error::Error;
use crate::suspicion::changelist::Changelist;

/// A failure of the past whose culprit is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContentCase {
    /// Its suspects, as places among the changes.
    pub suspects: Vec<usize>,
    /// The culprit, as a place among the changes: one of the suspects.
    pub culprit: usize,
    /// What the failing tests were called; empty if nobody knows.
    pub tests: Vec<String>,
}

/// Weights that were learned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContentFit {
    /// The weights. Their floor is the one that was begun with.
    pub weights: ContentWeights,
    /// From how many culprits.
    pub used: usize,
    /// How many of them had a test that was known.
    pub with_test: usize,
    /// How many culprits were left out, because their suspects were too many, or did not have them.
    pub left_out: usize,
    /// How many bits the weights that were begun with tell about a culprit on average, more than that all are alike.
    pub bits_before: f64,
    /// How many the learned ones tell, about the very culprits that they were learned from.
    pub bits: f64,
    /// The same in a sentence, for people.
    #[serde(with = "crate::printable::words")]
    pub message: String,
}

/// How far each weight goes from where it began if the culprits speak for it as one of them could: the deviation of a normal
/// distribution around the beginning, in the order of the traits. A few culprits move little, some hundred decide.
const DEVIATIONS: [f64; TRAITS] = [0.75, 0.08, 0.4, 0.75, 1.5];

/// No learned weight is above this.
const MOST: [f64; TRAITS] = [10.0, 1.0, 4.0, 8.0, 20.0];

/// The most culprits, and the most suspects of all of them together: some seconds.
const MOST_CASES: usize = 1000;
const MOST_SUSPECTS: usize = 1 << 20;

/// How often the weights are moved at most.
const STEPS: usize = 100;

/// Learns what counts how much from culprits of the past: the weights under which these were likely, held near those that it
/// begins with (the most probable ones if each weight is normally distributed around its beginning). Weights are never below
/// 0; the floor stays. The same culprits give the same weights.
///
/// # Errors
/// [`Error::InvalidArgument`] for weights out of range, a case whose culprit is no suspect of it, places that are none, and more
/// than 1,000 cases or a million suspects in all.
pub fn fit_content(changes: &[Changelist], cases: &[ContentCase], begin: &ContentWeights) -> Result<ContentFit, Error> {
    begin.check()?;
    check(changes, cases)?;
    let traits: Vec<Traits> = changes.iter().map(Traits::of).collect();
    let cases: Vec<Numbers> = cases.iter().map(|case| Numbers::of(case, &traits)).collect();
    let start = begin.numbers();
    let belief = Belief { cases: &cases, start, floor: begin.floor };
    let learned = belief.climb();
    let used = cases.len();
    let with_test = cases.iter().filter(|case| case.has_test).count();
    let mean = |weights: &[f64; TRAITS]| match used {
        0 => 0.0,
        _ => cases.iter().map(|case| case.bits(weights, begin.floor)).sum::<f64>() / used as f64,
    };
    let (bits_before, bits) = (mean(&start), mean(&learned));
    let weights = begin.with_numbers(learned);
    let fit = ContentFit { weights, used, with_test, left_out: 0, bits_before, bits, message: String::new() };
    Ok(fit.leaving_out(0))
}

impl ContentFit {
    /// The same, where so many culprits could not be learned from.
    #[must_use]
    pub fn leaving_out(self, left_out: usize) -> Self {
        let ContentFit { used, with_test, bits_before, bits, .. } = self;
        let culprits = if used == 1 { "culprit" } else { "culprits" };
        let without = if left_out == 0 { String::new() } else { format!(", {left_out} left out") };
        let message = match used {
            0 => format!("no culprit to learn from{without}: the weights are as they were"),
            _ => format!(
                "learned from {used} {culprits}, {with_test} with a test{without}: the weights tell {bits:.2} bits of each, \
                 those before {bits_before:.2}"
            ),
        };
        ContentFit { left_out, message, ..self }
    }
}

fn check(changes: &[Changelist], cases: &[ContentCase]) -> Result<(), Error> {
    let suspects: usize = cases.iter().map(|case| case.suspects.len()).sum();
    if cases.len() > MOST_CASES || suspects > MOST_SUSPECTS {
        let given = format!("{} with {suspects} suspects", cases.len());
        let expected = format!("at most {MOST_CASES} with {MOST_SUSPECTS} suspects together");
        return Err(Error::invalid("culprits", given, expected));
    }
    for case in cases {
        if let Some(&outside) = case.suspects.iter().find(|&&place| place >= changes.len()) {
            return Err(Error::invalid("suspects", outside, format!("places among {} changes", changes.len())));
        }
        if !case.suspects.contains(&case.culprit) {
            let name = changes.get(case.culprit).map_or_else(|| case.culprit.to_string(), |change| change.id.clone());
            return Err(Error::invalid(
                "culprits",
                name,
                "a revision that is among the suspects: after good, up to bad",
            ));
        }
    }
    Ok(())
}

/// The numbers of one case.
struct Numbers {
    /// For each test, or once if there is none, the traits of each suspect in numbers.
    by_test: Vec<Vec<[f64; TRAITS]>>,
    /// Which suspect is the culprit.
    culprit: usize,
    has_test: bool,
}

impl Numbers {
    fn of(case: &ContentCase, traits: &[Traits<'_>]) -> Numbers {
        let of_suspects = || case.suspects.iter().map(|&place| &traits[place]);
        let rarity = Rarity::of(of_suspects());
        let mut names: Vec<TestName> = case.tests.iter().map(|test| TestName::of(test)).collect();
        if names.is_empty() {
            names.push(TestName::default());
        }
        let numbers = |name: &TestName| of_suspects().map(|traits| traits.fit(name, &rarity).numbers(traits)).collect();
        let culprit = case.suspects.iter().position(|&place| place == case.culprit).unwrap_or_default();
        Numbers { by_test: names.iter().map(numbers).collect(), culprit, has_test: !case.tests.is_empty() }
    }

    /// The culprit's probability.
    fn probability(&self, weights: &[f64; TRAITS], floor: f64) -> f64 {
        let of = |suspects: &Vec<[f64; TRAITS]>| {
            probabilities(suspects.iter().map(|numbers| Fit::log(numbers, weights)), floor)[self.culprit]
        };
        self.by_test.iter().map(of).sum::<f64>() / self.by_test.len() as f64
    }

    /// How many bits more than that all are alike.
    fn bits(&self, weights: &[f64; TRAITS], floor: f64) -> f64 {
        let count = self.by_test[0].len() as f64;
        (self.probability(weights, floor).max(f64::MIN_POSITIVE) * count).log2()
    }

    /// Adds how the logarithm of the culprit's probability changes with each weight.
    fn add_slope(&self, weights: &[f64; TRAITS], floor: f64, slope: &mut [f64; TRAITS]) {
        let probability = self.probability(weights, floor).max(f64::MIN_POSITIVE);
        for suspects in &self.by_test {
            let shares = probabilities(suspects.iter().map(|numbers| Fit::log(numbers, weights)), 0.0);
            let part = (1.0 - floor) * shares[self.culprit] / probability / self.by_test.len() as f64;
            for place in 0..TRAITS {
                let mean: f64 = shares.iter().zip(suspects).map(|(share, numbers)| share * numbers[place]).sum();
                slope[place] += part * (suspects[self.culprit][place] - mean);
            }
        }
    }
}

/// How probable weights are, by the cases and by where they began.
struct Belief<'a> {
    cases: &'a [Numbers],
    start: [f64; TRAITS],
    floor: f64,
}

impl Belief<'_> {
    fn value(&self, weights: &[f64; TRAITS]) -> f64 {
        let far = |place: usize| ((weights[place] - self.start[place]) / DEVIATIONS[place]).powi(2) / 2.0;
        let likely = |case: &Numbers| case.probability(weights, self.floor).max(f64::MIN_POSITIVE).ln();
        self.cases.iter().map(likely).sum::<f64>() - (0..TRAITS).map(far).sum::<f64>()
    }

    /// The weights at the top, as far as steps uphill lead there. Each is moved in units of its deviation, by less and less.
    fn climb(&self) -> [f64; TRAITS] {
        let mut at = self.start;
        let mut value = self.value(&at);
        let mut step = 1.0;
        for _ in 0..STEPS {
            let mut slope = [0.0; TRAITS];
            self.cases.iter().for_each(|case| case.add_slope(&at, self.floor, &mut slope));
            let uphill: [f64; TRAITS] = std::array::from_fn(|place| {
                DEVIATIONS[place] * slope[place] - (at[place] - self.start[place]) / DEVIATIONS[place]
            });
            let length = uphill.iter().map(|part| part * part).sum::<f64>().sqrt();
            if length < 1e-6 || step < 1e-6 {
                break;
            }
            let tried = std::array::from_fn(|place| {
                // What was given outside of the range may stay there.
                let (least, most) = (self.start[place].min(0.0), self.start[place].max(MOST[place]));
                (at[place] + step * DEVIATIONS[place] * uphill[place] / length).clamp(least, most)
            });
            let found = self.value(&tried);
            if found > value {
                (at, value, step) = (tried, found, step * 1.5);
            } else {
                step /= 2.0;
            }
        }
        at
    }
}
