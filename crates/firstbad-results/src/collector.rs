//! The collection of test cases into a report.

use std::collections::HashMap;

use firstbad::Outcome;

use crate::case::Case;
use crate::error::ResultsError;
use crate::format::Format;
use crate::identify::identify;
use crate::limits::{LONGEST_ID, LONGEST_MESSAGE, MOST_CASES, MOST_IDS, cut};
use crate::report::{CaseResult, Report, Scope, outcome};
use crate::runner::Runner;
use crate::signature;
use crate::tree::Tree;

/// A report while it is read.
pub(crate) struct Collector<'a> {
    tree: Tree<'a>,
    report: Report,
    places: HashMap<String, usize>,
    cases: usize,
    /// The bytes of all ids and files. The name of one suite can be in many of them.
    ids: usize,
}

impl<'a> Collector<'a> {
    pub(crate) fn new(format: Format, runner: Option<Runner>, tree: Tree<'a>) -> Collector<'a> {
        let report = Report { format, runner, complete: true, tests: Vec::new() };
        Collector { tree, report, places: HashMap::new(), cases: 0, ids: 0 }
    }

    /// Sets the runner that the content names, unless the caller named one.
    pub(crate) fn recognized(&mut self, runner: Runner) {
        self.report.runner.get_or_insert(runner);
    }

    /// Records that the report is cut.
    pub(crate) fn is_cut(&mut self) {
        self.report.complete = false;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.report.tests.is_empty()
    }

    /// Adds a test case.
    ///
    /// # Errors
    /// [`ResultsError::TooManyTests`] or [`ResultsError::LongId`].
    pub(crate) fn push(&mut self, case: Case) -> Result<(), ResultsError> {
        self.place(case).map(drop)
    }

    /// Adds a test case like [`Collector::push`], and returns the place of its result.
    pub(crate) fn place(&mut self, case: Case) -> Result<usize, ResultsError> {
        self.cases += 1;
        if self.cases > MOST_CASES {
            return Err(ResultsError::TooManyTests);
        }
        let (id, file) = identify(self.report.runner, &case, &self.tree);
        if id.len() > LONGEST_ID {
            return Err(ResultsError::LongId { bytes: id.len(), start: cut(&id, 100).to_owned() });
        }
        self.ids += id.len() + file.as_ref().map_or(0, String::len);
        if self.ids > MOST_IDS {
            return Err(ResultsError::LongIds);
        }
        let result = self.result(id, file, case);
        if let Some(&place) = self.places.get(&result.id) {
            let first = &mut self.report.tests[place];
            // The JUnit XML of pytest has runs that were repeated without their failures.
            if self.report.runner == Some(Runner::Pytest) && first.passes > 0 && self.report.format == Format::Junit {
                first.fails = first.fails.saturating_add(first.passes);
                first.passes = 0;
            }
            first.add(result);
            return Ok(place);
        }
        let place = self.report.tests.len();
        self.places.insert(result.id.clone(), place);
        self.report.tests.push(result);
        Ok(place)
    }

    fn result(&self, id: String, file: Option<String>, case: Case) -> CaseResult {
        let outcome = outcome(case.passes, case.fails);
        let has_failed = outcome == Outcome::Fail || case.scope == Scope::File;
        let described = signature::described(case.failure, &self.tree);
        let signature = has_failed.then(|| signature::of(&described, &self.tree)).flatten();
        CaseResult {
            id,
            scope: case.scope,
            outcome,
            skipped: case.skipped && outcome == Outcome::Unresolved,
            passes: case.passes,
            fails: case.fails,
            seconds: case.seconds.filter(|seconds| seconds.is_finite() && *seconds >= 0.0),
            file,
            kind: described.kind.filter(|_| has_failed),
            message: cut(&described.message, LONGEST_MESSAGE).to_owned(),
            frame: described.frame.filter(|_| has_failed),
            signature,
        }
    }

    pub(crate) fn finish(self) -> Report {
        self.report
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the error for one more case after these counts.
    fn error(cases: usize, ids: usize, name: &str) -> Option<ResultsError> {
        let mut collector = Collector::new(Format::Tap, None, Tree::unknown());
        (collector.cases, collector.ids) = (cases, ids);
        collector.push(Case { name: name.to_owned(), passes: 1, ..Case::default() }).err()
    }

    #[test]
    fn a_report_has_limits() {
        assert_eq!(error(MOST_CASES - 1, MOST_IDS - 1, "a"), None);
        assert_eq!(error(MOST_CASES, 0, "a"), Some(ResultsError::TooManyTests));
        // One long name can be in the ids of many tests.
        assert_eq!(error(0, MOST_IDS, "a"), Some(ResultsError::LongIds));
        let long = "a".repeat(LONGEST_ID + 1);
        assert_eq!(error(0, 0, &long).map(|error| error.code()), Some("long_id"));
        assert_eq!(error(0, 0, &long[1..]), None);
    }
}
