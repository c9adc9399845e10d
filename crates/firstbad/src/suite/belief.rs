//! The belief about a test, P_t, and the gain of every run, G_t(v).

use std::sync::{Arc, OnceLock};

use super::evidence::Facts;
use super::likelihood::Cells;
use super::rates::{ENVIRONMENT, ENVIRONMENT_FAILS, FLAKE, FLAKY, gain};
use crate::belief::Blocks;
use crate::graph::Past;

/// The probability of each hypothesis about a test.
pub(super) struct Belief {
    /// The probability of each suspect, by place.
    pub(super) culprit: Vec<f64>,
    pub(super) flaky: f64,
    pub(super) environment: f64,
    /// The most probable suspect, or `None` without suspects.
    pub(super) likeliest: Option<usize>,
    /// P(culprit and fail), if it is in the past of the run and if it is outside, by place.
    fails: Vec<[f64; 2]>,
    flaky_fails: f64,
    unresolved: Vec<usize>,
    /// The suspects with a result, by place and in order.
    resolved: Vec<usize>,
    /// The cells stay as long as a belief uses them, for other priors with the same facts.
    _cells: Arc<Cells>,
    gains: OnceLock<Gains>,
}

/// The gain of a run at each suspect by place, then at the good revision.
pub(super) struct Gains {
    pub(super) at: Vec<f64>,
    pub(super) best: f64,
}

impl Belief {
    /// Weighs the hypotheses. `cells` are those of the facts, and `prior` is that of the suspects, by place.
    pub(super) fn new(past: &Past, cells: Arc<Cells>, facts: &Facts, prior: &[f64]) -> Self {
        let flaky: Vec<f64> = FLAKE.iter().map(|&(f, _, red)| (FLAKY * red).ln() + cells.without_culprit(f)).collect();
        let environment = ENVIRONMENT.ln() + cells.environment;
        let top = flaky.iter().copied().fold(cells.top().max(environment), f64::max);
        let shares = cells.shares(top);
        let flaky: Vec<f64> = flaky.into_iter().map(|log| (log - top).exp()).collect();
        let environment = (environment - top).exp();
        let joint = prior.iter().zip(&cells.of).map(|(prior, &cell)| shares[cell as usize].map(|share| prior * share));
        let joint: Vec<[f64; 3]> = joint.collect();
        let total = joint.iter().map(|joint| joint[0]).sum::<f64>() + flaky.iter().sum::<f64>() + environment;
        let total = total.max(f64::MIN_POSITIVE);
        let culprit: Vec<f64> = joint.iter().map(|joint| joint[0] / total).collect();
        Belief {
            fails: joint.iter().map(|&[_, inside, outside]| [inside / total, outside / total]).collect(),
            likeliest: (0..past.len()).reduce(|best, next| if culprit[next] > culprit[best] { next } else { best }),
            flaky_fails: FLAKE.iter().zip(&flaky).map(|((f, ..), share)| f * share / total).sum(),
            flaky: flaky.iter().sum::<f64>() / total,
            environment: environment / total,
            culprit,
            _cells: cells,
            unresolved: facts.unresolved.iter().map(|&place| place as usize).collect(),
            resolved: facts.runs.iter().filter_map(|&(node, ..)| past.place(node)).collect(),
            gains: OnceLock::new(),
        }
    }

    /// Returns the probability of the most probable suspect, or 0.
    pub(super) fn certainty(&self) -> f64 {
        self.likeliest.map_or(0.0, |place| self.culprit[place])
    }

    /// Returns the gain of every run.
    pub(super) fn gains(&self, past: &Past) -> &Gains {
        self.gains.get_or_init(|| {
            let shares = self.culprit.iter().zip(&self.fails);
            let weights: Vec<[f64; 3]> = shares.map(|(&share, &[inside, outside])| [share, inside, outside]).collect();
            let sums = past.sums(&weights);
            let all = weights.iter().fold([0.0; 3], |sum, one| std::array::from_fn(|lane| sum[lane] + one[lane]));
            let mut at: Vec<f64> = Vec::with_capacity(past.len() + 1);
            for (place, sum) in sums.iter().enumerate() {
                // Most of the probability is in few places, so most suspects split it as their parent does.
                let is_same = |&base: &usize| sum.iter().zip(&sums[base]).all(|(one, other)| one - other < 1e-9);
                let same = past.base(place).filter(is_same);
                at.push(same.map_or_else(|| self.gain(*sum, all), |base| at[base]));
            }
            at.push(self.gain([0.0; 3], all));
            self.leave_blocks(&mut at);
            let best = at.iter().copied().fold(0.0, f64::max);
            Gains { at, best }
        })
    }

    /// Discounts the gain near unresolved suspects, so that the search leaves a block of them in growing steps.
    fn leave_blocks(&self, gains: &mut [f64]) {
        let class = |place: usize| self.resolved.partition_point(|&other| other < place);
        let blocks = Blocks::of_stretches(self.unresolved.chunk_by(|&one, &other| class(one) == class(other)));
        let last = gains.len().checked_sub(2);
        let mut start = 0;
        for end in self.resolved.iter().copied().chain(last) {
            let stretch = start..end + 1;
            for place in stretch.clone().filter(|_| !blocks.is_empty()) {
                gains[place] *= blocks.chance(place, Some(&stretch));
            }
            start = end + 1;
        }
        self.unresolved.iter().for_each(|&place| gains[place] = 0.0);
    }

    /// Returns the gain of a run whose past holds the sums `inside` of `all`.
    fn gain(&self, inside: [f64; 3], all: [f64; 3]) -> f64 {
        gain([
            (inside[0], inside[1]),
            ((all[0] - inside[0]).max(0.0), (all[2] - inside[2]).max(0.0)),
            (self.flaky, self.flaky_fails),
            (self.environment, self.environment * ENVIRONMENT_FAILS),
        ])
    }
}

/// Returns the smallest set of suspects that has this share of the probability of all suspects, by place.
pub(super) fn credible(belief: &Belief, share: f64) -> Vec<usize> {
    let enough = share * (1.0 - belief.flaky - belief.environment);
    let mut order: Vec<usize> = (0..belief.culprit.len()).collect();
    order.sort_by(|&one, &other| belief.culprit[other].total_cmp(&belief.culprit[one]));
    let mut sum = 0.0;
    let mut places: Vec<usize> = Vec::new();
    for place in order {
        if sum >= enough {
            break;
        }
        sum += belief.culprit[place];
        places.push(place);
    }
    places.sort_unstable();
    places
}
