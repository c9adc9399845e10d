//! One search after the other against an oracle that flakes, and the score.

use std::collections::BTreeMap;

use firstbad::culprit::{Conclusion, Reason};
use firstbad::graph::Node;
use firstbad::{CulpritConfig, CulpritSearch, Outcome, Search};
use firstbad_testkit::simulated::Random;

use super::range::Range;

/// In how many trials nobody is to blame: what the paper's evaluation saw.
const NO_CULPRIT: f64 = 0.4;

/// No search of these needs as many runs.
const ENDLESS: u64 = 5000;

/// What is to be found out, and how noisy the answers are.
pub(super) struct Truth<'a> {
    pub(super) culprit: Option<Node>,
    /// Which revisions fail for sure.
    pub(super) broken: &'a dyn Fn(Node) -> bool,
    /// How often the others fail, per run.
    pub(super) flakes: f64,
    /// How often those pass by mistake, per run.
    pub(super) false_passes: f64,
}

impl Truth<'_> {
    /// One execution.
    pub(super) fn run(&self, node: Node, random: &mut Random) -> Outcome {
        let is_broken = (self.broken)(node);
        let fails = match is_broken {
            true if self.false_passes > 0.0 => random.fraction() >= self.false_passes,
            true => true,
            false => random.fraction() < self.flakes,
        };
        if fails { Outcome::Fail } else { Outcome::Pass }
    }
}

/// How a search ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Played {
    pub(super) conclusion: Conclusion,
    pub(super) reason: Reason,
    pub(super) right: bool,
    pub(super) runs: u64,
    pub(super) rounds: u64,
}

/// Runs one search to its end, `batch` probes at a time.
pub(super) fn play(
    range: &Range,
    config: CulpritConfig,
    batch: usize,
    truth: &Truth,
    random: &mut Random,
) -> Result<Played, String> {
    let words = |error: firstbad::Error| error.to_string();
    let mut search = CulpritSearch::new(range.graph.clone(), config).map_err(words)?;
    let mut rounds = 0;
    while !search.is_done() && search.runs() < ENDLESS {
        let probes = search.ask(batch).map_err(words)?;
        if probes.is_empty() {
            return Err(format!("asks nothing and is not done: {}", search.report().message));
        }
        rounds += 1;
        for probe in probes {
            let node = range.graph.get(probe.revision()).ok_or("asks for an unknown revision")?;
            search.tell(probe.id, truth.run(node, random).into()).map_err(words)?;
        }
    }
    let report = search.report();
    let right = match report.conclusion {
        Conclusion::Culprit => {
            truth.culprit.is_some_and(|node| report.culprit.as_deref() == Some(range.graph.id(node)))
        }
        Conclusion::Flake => truth.culprit.is_none(),
        Conclusion::Inconclusive => false,
    };
    Ok(Played { conclusion: report.conclusion, reason: report.reason, right, runs: search.runs(), rounds })
}

/// Answers given, and how many of them are right.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Share {
    pub(super) right: u64,
    pub(super) given: u64,
}

impl Share {
    fn add(&mut self, right: bool) {
        self.right += u64::from(right);
        self.given += 1;
    }

    pub(super) fn value(self) -> f64 {
        self.right as f64 / self.given as f64
    }

    /// Two standard errors of a share that is `expected` in truth.
    pub(super) fn margin(self, expected: f64) -> f64 {
        2.0 * (expected * (1.0 - expected) / self.given as f64).sqrt()
    }

    pub(super) fn percent(self) -> String {
        if self.given == 0 { "-".into() } else { format!("{:.2}%", 100.0 * self.value()) }
    }
}

/// The sum of many trials.
#[derive(Debug, Clone, Default)]
pub(super) struct Score {
    pub(super) all: Share,
    pub(super) culprits: Share,
    pub(super) flakes: Share,
    /// Searches that ended without an answer, by reason.
    pub(super) unanswered: BTreeMap<String, u64>,
    runs: f64,
    squares: f64,
    rounds: f64,
}

impl Score {
    pub(super) fn add(&mut self, played: &Played) {
        self.all.add(played.right);
        match played.conclusion {
            Conclusion::Culprit => self.culprits.add(played.right),
            Conclusion::Flake => self.flakes.add(played.right),
            Conclusion::Inconclusive => {
                *self.unanswered.entry(format!("{:?}", played.reason).to_lowercase()).or_default() += 1;
            }
        }
        self.runs += played.runs as f64;
        self.squares += (played.runs as f64).powi(2);
        self.rounds += played.rounds as f64;
    }

    /// The share of all trials with the right answer.
    pub(super) fn accuracy(&self) -> f64 {
        self.all.value()
    }

    /// The share that is right among answers given.
    pub(super) fn answered(&self) -> Share {
        let Share { right, given } = self.culprits;
        Share { right: right + self.flakes.right, given: given + self.flakes.given }
    }

    pub(super) fn mean_runs(&self) -> f64 {
        self.runs / self.all.given as f64
    }

    /// The standard error of the mean number of runs, were the culprits not spread evenly: with that it is smaller.
    pub(super) fn error(&self) -> f64 {
        let mean = self.mean_runs();
        ((self.squares / self.all.given as f64 - mean * mean) / self.all.given as f64).max(0.0).sqrt()
    }

    pub(super) fn mean_rounds(&self) -> f64 {
        self.rounds / self.all.given as f64
    }

    /// The reasons for no answer, in words.
    pub(super) fn reasons(&self) -> String {
        let each: Vec<String> = self.unanswered.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        if each.is_empty() { "-".into() } else { each.join(", ") }
    }
}

/// A generator for one trial: the same for every search that is tried on it.
pub(super) fn seeded(trial: u64, salt: u64) -> Random {
    let mut random = Random::new(trial.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ salt);
    random.draw();
    random
}

/// Who did it in a trial, spread evenly over all trials, so that their number decides less.
pub(super) fn draw_culprit(range: &Range, trial: u64, trials: u64, random: &mut Random) -> Option<Node> {
    let drawn = (trial as f64 + random.fraction()) / trials as f64;
    let place = ((drawn - NO_CULPRIT) / (1.0 - NO_CULPRIT) * range.suspects.len() as f64) as usize;
    (drawn >= NO_CULPRIT).then(|| range.suspects[place.min(range.suspects.len() - 1)])
}

/// Trials with searches of one kind on one range.
pub(super) fn score(
    range: &Range,
    config: &CulpritConfig,
    batch: usize,
    flakes: f64,
    trials: u64,
) -> Result<Score, String> {
    let mut score = Score::default();
    for trial in 0..trials {
        let mut random = seeded(trial, (flakes * 1e6) as u64 ^ range.suspects.len() as u64);
        let culprit = draw_culprit(range, trial, trials, &mut random);
        let broken = range.broken_by(culprit);
        let truth = Truth { culprit, broken: &broken, flakes, false_passes: 0.0 };
        score.add(&play(range, config.clone(), batch, &truth, &mut random)?);
    }
    Ok(score)
}
