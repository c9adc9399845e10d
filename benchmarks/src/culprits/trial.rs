//! A search with an oracle that flakes.

use firstbad::culprit::Conclusion;
use firstbad::graph::Node;
use firstbad::{CulpritConfig, CulpritSearch, Outcome, Search};
use firstbad_testkit::simulated::Random;

use super::range::Range;

/// The share of the trials without a culprit, as in the paper (Section 5.5).
const NO_CULPRIT: f64 = 0.4;

/// No search needs so many runs.
const ENDLESS: u64 = 5000;

/// The truth of a trial.
pub(super) struct Truth<'a> {
    pub(super) culprit: Option<Node>,
    /// The revisions that always fail.
    pub(super) broken: &'a dyn Fn(Node) -> bool,
    /// The share of the runs of other revisions that fail.
    pub(super) flakes: f64,
}

impl Truth<'_> {
    /// Runs the test.
    pub(super) fn run(&self, node: Node, random: &mut Random) -> Outcome {
        let fails = (self.broken)(node) || random.fraction() < self.flakes;
        if fails { Outcome::Fail } else { Outcome::Pass }
    }
}

/// Searches to the end, and returns whether the result is right, and the number of runs.
pub(super) fn play(
    range: &Range,
    config: CulpritConfig,
    truth: &Truth,
    random: &mut Random,
) -> Result<(bool, u64), String> {
    let words = |error: firstbad::Error| error.to_string();
    let mut search = CulpritSearch::new(range.graph.clone(), config).map_err(words)?;
    while !search.is_done() && search.runs() < ENDLESS {
        let probe = search.ask(1).map_err(words)?.pop().ok_or("no probe")?;
        let node = range.graph.get(probe.revision()).ok_or("an unknown revision")?;
        search.tell(probe.id, truth.run(node, random).into()).map_err(words)?;
    }
    let report = search.report();
    let right = match report.conclusion {
        Conclusion::Culprit => truth.culprit.map(|node| range.graph.id(node)) == report.culprit.as_deref(),
        Conclusion::Flake => truth.culprit.is_none(),
        Conclusion::Inconclusive => false,
    };
    Ok((right, search.runs()))
}

/// Returns a generator for a trial, the same for every search.
pub(super) fn seeded(trial: u64, salt: u64) -> Random {
    let mut random = Random::new(trial.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ salt);
    random.draw();
    random
}

/// Draws the culprit of a trial. Culprits are spread evenly over the trials.
pub(super) fn draw_culprit(range: &Range, trial: u64, trials: u64, random: &mut Random) -> Option<Node> {
    let drawn = (trial as f64 + random.fraction()) / trials as f64;
    let place = ((drawn - NO_CULPRIT) / (1.0 - NO_CULPRIT) * range.suspects.len() as f64) as usize;
    (drawn >= NO_CULPRIT).then(|| range.suspects[place.min(range.suspects.len() - 1)])
}
