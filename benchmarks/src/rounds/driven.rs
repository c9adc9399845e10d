//! Searches with several tests at a time: in rounds, and by a simulated clock.

use std::sync::Arc;

use firstbad::graph::{AncestorSums, Node};
use firstbad::regression::{RegressionConfig, RegressionSearch, SearchKind};
use firstbad::{CommitGraph, Outcome, Probe, Search};
use firstbad_testkit::replay::Case;

/// What a search took.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Took {
    /// Rounds, or time in units of an average run.
    pub(crate) time: f64,
    /// Runs that were begun.
    pub(crate) probes: f64,
    /// How many of them were called off.
    pub(crate) called_off: f64,
    /// How much of the time of all workers nothing ran.
    pub(crate) idle: f64,
}

/// The case of a list with this many suspects.
pub(crate) fn list(suspects: usize) -> Result<Case, String> {
    let ids: Vec<String> = (0..=suspects).map(|number| format!("r{number}")).collect();
    let graph = Arc::new(CommitGraph::linear(ids).map_err(|error| error.to_string())?);
    let outcomes = vec![Outcome::Pass; suspects + 1].into();
    Ok(Case { graph, outcomes, leaves: vec![suspects as Node], goods: vec![0] })
}

/// A search of one kind through a case, for a reliable test.
pub(crate) fn config(case: &Case, search: SearchKind) -> RegressionConfig {
    RegressionConfig { search, ..case.config() }
}

/// A search for regression points in a case.
pub(crate) fn search(case: &Case, config: RegressionConfig) -> Result<RegressionSearch, String> {
    RegressionSearch::new(Arc::clone(&case.graph), config).map_err(|error| error.to_string())
}

fn node(case: &Case, probe: &Probe) -> Result<Node, String> {
    case.graph.get(probe.revision()).ok_or_else(|| format!("{} is no revision", probe.revision()))
}

/// `jobs` answers come, then the next ones are asked for.
pub(crate) fn in_rounds(
    case: &Case,
    kind: SearchKind,
    jobs: usize,
    outcome: impl Fn(Node) -> Outcome,
) -> Result<Took, String> {
    let mut search = search(case, config(case, kind))?;
    let mut took = Took::default();
    while !search.is_done() {
        let probes = search.ask(jobs).map_err(|error| error.to_string())?;
        if probes.is_empty() || probes.len() > jobs {
            return Err(format!("{} probes for {jobs} jobs", probes.len()));
        }
        took.time += 1.0;
        took.probes += probes.len() as f64;
        for probe in probes {
            let seen = outcome(node(case, &probe)?);
            search.tell(probe.id, seen.into()).map_err(|error| error.to_string())?;
        }
    }
    Ok(took)
}

/// Each worker takes the next probe when it is free; a run that has become useless is ended at once.
pub(crate) fn by_clock(
    case: &Case,
    search: &mut dyn Search,
    jobs: usize,
    mut outcome: impl FnMut(Node) -> Outcome,
    mut duration: impl FnMut() -> f64,
) -> Result<Took, String> {
    let (mut now, mut busy, mut probes, mut called_off) = (0.0, 0.0, 0.0, 0.0);
    // When each ends, and when it began.
    let mut running: Vec<(f64, f64, Probe)> = Vec::new();
    while !search.is_done() {
        if running.len() < jobs {
            for probe in search.ask(jobs - running.len()).map_err(|error| error.to_string())? {
                probes += 1.0;
                running.push((now + duration(), now, probe));
            }
        }
        let first = (0..running.len()).min_by(|&a, &b| running[a].0.total_cmp(&running[b].0));
        let (end, began, probe) = running.swap_remove(first.ok_or("nothing runs, and the search is not done")?);
        now = end;
        busy += end - began;
        let seen = outcome(node(case, &probe)?);
        search.tell(probe.id, seen.into()).map_err(|error| error.to_string())?;
        let mut wanted = Vec::with_capacity(running.len());
        for (end, began, probe) in running {
            if !search.is_done() && search.wanted(probe.id).map_err(|error| error.to_string())? {
                wanted.push((end, began, probe));
            } else {
                busy += now - began;
                called_off += 1.0;
                search.abandon(probe.id).map_err(|error| error.to_string())?;
            }
        }
        running = wanted;
    }
    let idle = if now > 0.0 { 1.0 - busy / (now * jobs as f64) } else { 0.0 };
    Ok(Took { time: now, probes, called_off, idle })
}

/// Asks at the `jobs` even quantiles of the suspects, and waits for all answers: for the slowest, if runs take time.
/// Unresolved revisions are left out for the next nearest; no parent is tested to be sure of the answer.
pub(crate) fn even_quantiles(
    case: &Case,
    jobs: usize,
    outcome: impl Fn(Node) -> Outcome,
    mut duration: impl FnMut() -> f64,
) -> Took {
    let graph = &case.graph;
    let mut suspects = graph.ancestors(&case.leaves);
    suspects.difference_with(&graph.ancestors(&case.goods));
    let (mut bad, mut took) = (case.leaves[0], Took::default());
    let mut tested = graph.none();
    loop {
        let sums = AncestorSums::counts(graph, &suspects);
        let total = suspects.count_ones(..) as f64;
        let open: Vec<(Node, f64)> =
            sums.iter().filter(|&(node, _)| node != bad && !tested.contains(node as usize)).collect();
        let mut asked: Vec<Node> = Vec::new();
        for i in 1..=jobs {
            let goal = total * i as f64 / (jobs + 1) as f64;
            let nearest = open.iter().filter(|(node, _)| !asked.contains(node));
            asked.extend(
                nearest.min_by(|a, b| (a.1 - goal).abs().total_cmp(&(b.1 - goal).abs())).map(|(node, _)| *node),
            );
        }
        if asked.is_empty() {
            return took;
        }
        took.time += asked.iter().map(|_| duration()).fold(0.0, f64::max);
        took.probes += asked.len() as f64;
        for node in asked {
            tested.insert(node as usize);
            match outcome(node) {
                Outcome::Fail if suspects.contains(node as usize) => {
                    suspects.intersect_with(&graph.ancestors(&[node]));
                    bad = node;
                }
                Outcome::Pass => suspects.difference_with(&graph.ancestors(&[node])),
                Outcome::Fail | Outcome::Unresolved => {}
            }
        }
    }
}

/// Seconds for the first choice, the least of three.
pub(crate) fn time_of_first(case: &Case, jobs: usize) -> Result<f64, String> {
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        let mut search = search(case, config(case, SearchKind::Auto))?;
        let start = std::time::Instant::now();
        let probes = search.ask(jobs).map_err(|error| error.to_string())?;
        least = least.min(start.elapsed().as_secs_f64());
        if probes.is_empty() {
            return Err("nothing is asked".into());
        }
    }
    Ok(least)
}
