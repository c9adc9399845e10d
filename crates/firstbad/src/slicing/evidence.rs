use super::report::SlicerReport;
use crate::search::{ChangeSet, Outcome, TargetObservation};

impl SlicerReport {
    /// Returns the name of the change that Git cannot apply without a change of the slice, if that is why it is needed.
    #[must_use]
    pub fn context(&self, change: usize) -> Option<&str> {
        let why = self.why.iter().find(|why| why.change == change)?;
        let place = self.kept.iter().position(|&kept| Some(kept) == why.context_of)?;
        self.names.get(place).map(String::as_str)
    }

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
        let run = |observation: usize| {
            let run = TargetObservation::with_runs(&self.observations).nth(observation).and_then(|(run, _)| run);
            run.map_or(String::new(), |run| format!(" (run {run})"))
        };
        let own = run(why.observation);
        let [larger, smaller] = why.alike[..] else { return Some(format!("{without} {seen}{own}")) };
        let set = self.observations.get(smaller).and_then(|smaller| smaller.target.changes.as_ref());
        let fewer = if set.is_some_and(ChangeSet::is_empty) { "at the base" } else { "with fewer changes" };
        let fewer = format!("{fewer}{}", run(smaller));
        Some(match larger == why.observation && self.is_set(larger, &why.changes) {
            true => format!("{without} the test is unresolved{own}, as it is {fewer}"),
            false => format!(
                "{without} no test was run, because it is unresolved in the same way with more changes{own} and {fewer}"
            ),
        })
    }

    /// Returns whether an observation is of this set.
    fn is_set(&self, observation: usize, set: &ChangeSet) -> bool {
        self.observations.get(observation).is_some_and(|one| one.target.changes.as_ref() == Some(set))
    }
}
