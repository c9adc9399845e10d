//! Order and weights of a reduction from scores: changes that seem to matter less are tried first, and more at once.
//!
//! How much a score tells is learnt on the way, from changes with such scores that went or stayed: where facts are noise,
//! all weights become alike, and the search is the one without learning.

use fixedbitset::FixedBitSet;

/// Scores below 0, of 0, and above.
const CLASSES: usize = 3;

/// How often a change of each class is needed, against the others, before anything was seen.
const PRIOR: [f64; CLASSES] = [0.4, 1.0, 2.0];

/// How many decisions the prior is worth.
const WORTH: f64 = 4.0;

/// What became of changes, by the class that their scores had then.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Track {
    went: [f64; CLASSES],
    stayed: [f64; CLASSES],
}

fn class(score: i64) -> usize {
    match score {
        ..0 => 0,
        0 => 1,
        1.. => 2,
    }
}

impl Track {
    /// These changes went.
    pub(super) fn went(&mut self, changes: impl Iterator<Item = usize>, scores: &[i64]) {
        changes.for_each(|change| self.went[class(scores[change])] += 1.0);
    }

    /// This change stayed.
    pub(super) fn stayed(&mut self, change: usize, scores: &[i64]) {
        self.stayed[class(scores[change])] += 1.0;
    }

    /// How much more often than others changes of each class are needed.
    fn factors(&self) -> [f64; CLASSES] {
        let [stayed, went] = [&self.stayed, &self.went].map(|counts| counts.iter().sum::<f64>());
        let rate = (stayed + 1.0) / (stayed + went + 2.0);
        std::array::from_fn(|class| {
            let expected = rate * (self.went[class] + self.stayed[class]);
            (self.stayed[class] + WORTH * PRIOR[class] * rate) / (expected + WORTH * rate)
        })
    }

    /// The changes that are left, those to be tried last first, and how likely each of them is needed.
    pub(super) fn plan(&self, left: &FixedBitSet, scores: &[i64]) -> (Vec<usize>, Option<Vec<f64>>) {
        let mut order: Vec<usize> = left.ones().collect();
        if order.iter().all(|&change| scores[change] == 0) {
            return (order, None);
        }
        let factors = self.factors();
        order.sort_by_key(|&change| std::cmp::Reverse(class(scores[change])));
        let weights = order.iter().map(|&change| factors[class(scores[change])]).collect();
        (order, Some(weights))
    }
}
