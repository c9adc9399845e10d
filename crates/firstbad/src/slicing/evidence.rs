use super::report::SlicerReport;
use crate::search::{Outcome, TargetObservation};

impl SlicerReport {
    /// Describes the evidence that a change of the slice is needed, or returns `None` if there is no evidence yet. `named`
    /// maps the name of a change to its spelling.
    #[must_use]
    pub fn evidence(&self, change: usize, named: impl Fn(&str) -> String) -> Option<String> {
        let why = self.why.iter().find(|why| why.change == change)?;
        let others: Vec<String> = self
            .kept
            .iter()
            .zip(&self.names)
            .filter(|&(&other, _)| other != change && !why.changes.contains(other))
            .map(|(_, name)| named(name))
            .collect();
        let without = match others.len() {
            0 => "without it".to_owned(),
            _ => format!("without it and {}", others.join(", ")),
        };
        let seen = match (why.outcome, why.ran) {
            (Outcome::Pass, _) => "the test passes",
            (Outcome::Fail, _) => "the test fails",
            (Outcome::Unresolved, false) => "the other changes conflict",
            (Outcome::Unresolved, true) => "the test is unresolved",
        };
        let run = TargetObservation::with_runs(&self.observations).nth(why.observation).and_then(|(run, _)| run);
        let run = run.map_or(String::new(), |run| format!(" (run {run})"));
        Some(format!("{without} {seen}{run}"))
    }
}
