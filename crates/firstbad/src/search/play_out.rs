//! Forecasts. They simulate the rest of a search for a sample of the possible culprits.

use fixedbitset::FixedBitSet;

use super::algorithm::Algorithm;
use super::ask_tell::AskTell;
use super::drive::Search;
use super::forecast::{CulpritQuestion, Expense, Forecast};
use super::inspect::Inspect as _;
use super::outcome::Outcome;
use crate::error::Error;
use crate::graph::{CommitGraph, Node};

/// The number of simulated culprits.
const SAMPLES: usize = 16;
/// The largest history that is simulated. In a larger one, even the first step takes too long.
const LARGE: usize = 100_000;
/// The maximum number of simulated outcomes for one culprit.
const MOST: u64 = 10_000;

/// Returns the forecast of a search, or `None` if there is none. If `keep_going` returns false before one simulation ends, the
/// forecast assumes that each round halves the suspects.
pub(super) fn forecast<A: Algorithm>(
    search: &AskTell<A>,
    jobs: usize,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<Option<Forecast>, Error> {
    if jobs == 0 {
        return Err(Error::invalid("jobs", jobs, "at least 1"));
    }
    let Some(question) = search.algorithm.question() else { return Ok(None) };
    let Some(suspects) = suspects(search, &question.graph) else { return Ok(None) };
    let count = suspects.len();
    let by_halves = || question.halves.then(|| halving(count, jobs)).flatten();
    if question.graph.len() > LARGE {
        return Ok(by_halves());
    }
    let mut games = Vec::with_capacity(SAMPLES);
    for culprit in spread(&suspects) {
        match Game::new(&question, &suspects, culprit).play(search, jobs, keep_going)? {
            Some(expense) => games.push(expense),
            None if games.is_empty() => return Ok(by_halves()),
            None => break,
        }
    }
    games.sort_unstable();
    let ends = games.get(games.len() / 2).zip(games.last());
    Ok(ends.map(|(&likely, &worst)| Forecast { suspects: count, likely, worst }))
}

/// Returns the forecast of a search that divides its suspects by `jobs` + 1 in each round.
fn halving(suspects: usize, jobs: usize) -> Option<Forecast> {
    let rounds = (suspects as f64).log(jobs as f64 + 1.0).ceil() as u64;
    let expense = Expense { runs: rounds * jobs as u64, rounds };
    (suspects > 0).then_some(Forecast { suspects, likely: expense, worst: expense })
}

/// Returns the possible culprits with their weights, oldest first.
fn suspects<A: Algorithm>(search: &AskTell<A>, graph: &CommitGraph) -> Option<Vec<(Node, f64)>> {
    if let Some(posterior) = search.algorithm.posterior() {
        return Some(posterior.iter().filter_map(|(id, share)| Some((graph.get(id)?, share))).collect());
    }
    let weighed = |node: usize| (node as Node, search.algorithm.weight(node as Node));
    Some(search.suspects()?.ones().map(weighed).collect())
}

/// Returns a sample of the suspects at equal steps of weight.
fn spread(suspects: &[(Node, f64)]) -> Vec<Node> {
    let whole: f64 = suspects.iter().map(|suspect| suspect.1).sum();
    let count = suspects.len().min(SAMPLES);
    let (mut sum, mut chosen) = (0.0, Vec::with_capacity(count));
    for &(node, weight) in suspects {
        sum += weight;
        while chosen.len() < count && sum >= whole * (chosen.len() as f64 + 0.5) / count as f64 {
            chosen.push(node);
        }
    }
    // The middle suspect comes first, because it is the most useful one if time runs out.
    let middle = chosen.len() / 2;
    chosen.rotate_left(middle);
    chosen.dedup();
    chosen
}

/// A simulated world with certain culprits.
struct Game<'a> {
    graph: &'a CommitGraph,
    /// The culprits and their descendants.
    changed: FixedBitSet,
    at_culprit: Outcome,
}

impl<'a> Game<'a> {
    /// Creates a world with this culprit, and with another culprit for each newer endpoint that does not descend from it.
    fn new(question: &'a CulpritQuestion, suspects: &[(Node, f64)], culprit: Node) -> Self {
        let graph = &*question.graph;
        let mut changed = graph.descendants(&[culprit]);
        for &end in &question.newer {
            if changed.contains(end as usize) {
                continue;
            }
            let before = graph.ancestors(&[end]);
            let own: Vec<Node> =
                suspects.iter().map(|suspect| suspect.0).filter(|&node| before.contains(node as usize)).collect();
            if let Some(&other) = own.get(own.len() / 2) {
                changed.union_with(&graph.descendants(&[other]));
            }
        }
        Game { graph, changed, at_culprit: question.at_culprit }
    }

    fn outcome(&self, revision: &str) -> Outcome {
        let is_changed = self.graph.get(revision).is_some_and(|node| self.changed.contains(node as usize));
        if is_changed { self.at_culprit } else { self.at_culprit.swapped() }
    }

    /// Simulates a search from its current state to its end. Returns `None` if `keep_going` stops the simulation.
    fn play<A: Algorithm>(
        &self,
        search: &AskTell<A>,
        jobs: usize,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Expense>, Error> {
        let mut copy = search.copy()?;
        let before = copy.runs();
        let mut rounds = 0;
        loop {
            let mut probes = copy.in_flight();
            if probes.len() < jobs {
                probes.extend(copy.ask(jobs - probes.len())?);
            }
            if probes.is_empty() || copy.runs() - before > MOST {
                return Ok(Some(Expense { runs: copy.runs() - before, rounds }));
            }
            if !keep_going() {
                return Ok(None);
            }
            rounds += 1;
            for probe in probes {
                // An earlier outcome of the round can make the probe useless.
                if copy.wanted(probe.id)? {
                    copy.tell(probe.id, self.outcome(probe.revision()).into())?;
                } else {
                    copy.abandon(probe.id)?;
                }
            }
        }
    }
}
