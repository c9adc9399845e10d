//! Plays the search of firstbad on a simulated machine.

use std::sync::Arc;

use firstbad::graph::Node;
use firstbad::metric::AtLeast;
use firstbad::{ChangeConclusion, ChangeConfig, ChangeReport, ChangeSearch, Observation, Outcome, Search as _};

use super::ways::Answer;
use super::world::Machine;

/// The smallest change that matters in the simulation.
pub(crate) const LEAST: f64 = 0.01;

/// Returns the options of the simulation.
pub(crate) fn config(machine: &Machine<'_>) -> ChangeConfig {
    let graph = &machine.world.graph;
    let mut config = ChangeConfig::new(graph.id(machine.world.bad())).good([graph.id(0)]);
    config.at_least = AtLeast::Share(LEAST);
    config
}

/// Runs a search to its end.
pub(crate) fn search(machine: &mut Machine<'_>, config: ChangeConfig) -> Result<ChangeReport, String> {
    let words = |error: firstbad::Error| error.to_string();
    let graph = Arc::clone(&machine.world.graph);
    let mut search = ChangeSearch::new(Arc::clone(&graph), config).map_err(words)?;
    while let Some(probe) = search.ask(1).map_err(words)?.pop() {
        let node = graph.get(probe.revision()).ok_or("an unknown revision")?;
        let seen = match machine.measure(node) {
            Some(level) => Observation { metric: Some(level.exp()), ..Outcome::Pass.into() },
            None => Outcome::Unresolved.into(),
        };
        search.tell(probe.id, seen).map_err(words)?;
    }
    Ok(search.report())
}

/// Returns the answer of a search.
pub(crate) fn answer(machine: &mut Machine<'_>, config: ChangeConfig) -> Result<Answer, String> {
    let graph = Arc::clone(&machine.world.graph);
    let report = search(machine, config)?;
    let node = |id: &str| graph.get(id).unwrap_or(0);
    let candidates = || report.main.candidates.iter().filter_map(|one| one.revision.as_deref()).map(node);
    let largest: Option<Node> = report.main.steps.first().map(|step| node(&step.commit));
    Ok(match (report.main.conclusion, largest) {
        (ChangeConclusion::Step | ChangeConclusion::Several, Some(commit)) => Answer::Commit(commit),
        (ChangeConclusion::Set, _) => Answer::Set(candidates().collect()),
        (ChangeConclusion::None, _) => Answer::None,
        (ChangeConclusion::Spread, _) => Answer::Spread,
        _ => Answer::Undecided,
    })
}
