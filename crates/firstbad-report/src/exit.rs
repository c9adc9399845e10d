//! Exit codes of the command line.

use firstbad::{Error, Report, Status};

/// The exit code of a command.
///
/// A triage has many verdicts and one code. The first code that applies counts: 16, 14, and 15 for a search without its end, then 19,
/// 13, 10, 12, and 11. Code 0 means that every test has a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// 0: the result was found, or the command succeeded.
    Done,
    /// 1: an error of Git, of a file, or of a program.
    Failure,
    /// 2: the command line, a configuration file, or an outcome is invalid.
    Usage,
    /// 10: several candidates, because revisions are unresolved or were not considered. For a triage, this is so for some tests. For a
    /// slice onto another branch, the commit needs others.
    Ambiguous,
    /// 11: no bad revision fails, or a number did not change by enough. For a triage, no failure was reproduced. For a ranking, no change can be the culprit.
    NotReproduced,
    /// 12: a good revision fails. For a triage, every searched test fails there.
    GoodEndFails,
    /// 13: a revision that the result depends on had two different outcomes. With a flaky test: no single culprit
    /// explains the outcomes, or a run carries almost no information. With a number: the change has no single commit, or the
    /// noise hides the commit. For a triage, some tests have no verdict.
    Flaky,
    /// 14: the budget is used up. The journal has the outcomes.
    Budget,
    /// 15: the test stopped the run, or the run was stopped.
    Stopped,
    /// 16: the search has not finished.
    Running,
    /// 17: another process writes to the journal.
    Locked,
    /// 18: no passing revision was found.
    NoPassingRevision,
    /// 19: the bad revision is unresolved. For a triage, the bad revision cannot be built.
    Untestable,
    /// 128 + the signal's number: a signal ended the run. The journal has the outcomes.
    Signal(i32),
}

impl Exit {
    /// Returns the exit code.
    #[must_use]
    pub fn code(self) -> i32 {
        match self {
            Exit::Done => 0,
            Exit::Failure => 1,
            Exit::Usage => 2,
            Exit::Ambiguous => 10,
            Exit::NotReproduced => 11,
            Exit::GoodEndFails => 12,
            Exit::Flaky => 13,
            Exit::Budget => 14,
            Exit::Stopped => 15,
            Exit::Running => 16,
            Exit::Locked => 17,
            Exit::NoPassingRevision => 18,
            Exit::Untestable => 19,
            Exit::Signal(signal) => 128 + signal,
        }
    }

    /// Returns the exit for an error.
    #[must_use]
    pub fn of(error: &Error) -> Exit {
        match error {
            Error::InvalidArgument { .. }
            | Error::UnknownRevision { .. }
            | Error::AmbiguousRevision { .. }
            | Error::UnknownBuildTarget { .. }
            | Error::UnknownProbe { .. }
            | Error::Contradiction { .. }
            | Error::NonDeterministic { .. }
            | Error::PatchSyntax { .. }
            | Error::Shallow { .. } => Exit::Usage,
            Error::NotReproduced { .. } => Exit::NotReproduced,
            Error::CommandNotFound { .. } | Error::CommandStopped { .. } => Exit::Stopped,
            Error::JournalLocked { .. } => Exit::Locked,
            _ => Exit::Failure,
        }
    }
}

impl From<Status> for Exit {
    fn from(status: Status) -> Self {
        match status {
            Status::Found => Exit::Done,
            Status::Running => Exit::Running,
            Status::Ambiguous => Exit::Ambiguous,
            Status::NotReproduced | Status::NoChange => Exit::NotReproduced,
            Status::GoodEndFails => Exit::GoodEndFails,
            Status::NoPassingRevision
            | Status::HistoryExhausted
            | Status::PatchTooLarge
            | Status::RevisionNotReadable => Exit::NoPassingRevision,
            Status::Untestable => Exit::Untestable,
            Status::Contradictory | Status::TooFlaky | Status::Spread => Exit::Flaky,
            Status::Budget => Exit::Budget,
            Status::Stopped => Exit::Stopped,
        }
    }
}

impl From<&Report> for Exit {
    fn from(report: &Report) -> Self {
        match report {
            // A commit that needs others cannot be picked alone.
            Report::Slice(slice) if slice.status == Status::Found && slice.needs_others() => Exit::Ambiguous,
            _ => Exit::from(report.status()),
        }
    }
}

#[cfg(test)]
mod tests {
    use firstbad::suite::{TestVerdict, TriageReport};
    use firstbad::{Budget, Outcome, Search as _, Stage, TriageConfig, TriageSearch, Verdict};

    use super::*;

    /// Searches for the culprits of tests in eight revisions, with the outcome of each test at each revision.
    fn triage(
        tests: &[&str],
        last: &[&str],
        budget: Option<u64>,
        outcome: impl Fn(&str, usize) -> Seen,
    ) -> TriageReport {
        let graph = firstbad::CommitGraph::linear((0..8).map(|place| format!("r{place}"))).unwrap();
        let mut config = TriageConfig::new("r7", tests.iter().copied()).good(["r0"]);
        config.last = last.iter().map(|id| ((*id).to_owned(), Outcome::Pass.into())).collect();
        let mut search = TriageSearch::new(graph, config).unwrap();
        search.set_budget(Budget { runs: budget, ..Budget::default() }).unwrap();
        while let Some(probe) = search.ask(1).unwrap().pop() {
            let place: usize = probe.revision()[1..].parse().unwrap();
            let asked: Vec<&str> =
                probe.target.tests.iter().flat_map(|asked| asked.iter()).map(|one| tests[one]).collect();
            let seen: Vec<(String, Seen)> = asked.iter().map(|id| ((*id).to_owned(), outcome(id, place))).collect();
            let is_built = place != 7 || outcome("(build)", place) != Seen::Nothing;
            let results = seen.into_iter().filter_map(|(id, seen)| match seen {
                Seen::Passes => Some((id, Outcome::Pass.into())),
                Seen::Fails => Some((id, Outcome::Fail.into())),
                Seen::Nothing => None,
            });
            let observation = match (is_built, asked.is_empty()) {
                (false, _) => firstbad::Observation { stage: Some(Stage::Build), ..Outcome::Unresolved.into() },
                (true, true) => Outcome::Pass.into(),
                (true, false) => {
                    firstbad::Observation { stage: Some(Stage::Test), ..firstbad::Observation::of_results(results) }
                }
            };
            search.tell(probe.id, observation).unwrap();
        }
        search.report()
    }

    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Passes,
        Fails,
        Nothing,
    }

    fn breaks(at: usize, place: usize) -> Seen {
        if place < at { Seen::Passes } else { Seen::Fails }
    }

    fn code(report: &TriageReport) -> i32 {
        Exit::from(report.status).code()
    }

    #[test]
    fn a_triage_has_the_code_of_its_worst_verdict() {
        let broken = triage(&["a"], &[], None, |_, place| breaks(3, place));
        assert_eq!((code(&broken), broken.tests[0].verdict), (0, Verdict::Broken));
        let sets = triage(&["a", "b"], &[], None, |id, place| match (id, place) {
            ("b", 3 | 4) => Seen::Nothing,
            _ => breaks(4, place),
        });
        let verdicts: Vec<Verdict> = sets.tests.iter().map(|one: &TestVerdict| one.verdict).collect();
        assert_eq!((code(&sets), &verdicts[..]), (10, &[Verdict::Broken, Verdict::BrokenIn][..]));
        assert_eq!(code(&triage(&["a"], &[], None, |_, _| Seen::Passes)), 11);
        assert_eq!(code(&triage(&["a", "b"], &["a"], None, |_, _| Seen::Fails)), 12);
        // A failure at the good revision counts only if every test has one.
        let mixed =
            triage(&["a", "b"], &["a"], None, |id, place| if id == "a" { Seen::Fails } else { breaks(3, place) });
        assert_eq!(code(&mixed), 0);
        assert_eq!(code(&triage(&["a"], &[], Some(2), |_, place| breaks(3, place))), 14);
        let unbuilt =
            triage(&["a"], &[], None, |id, place| if id == "(build)" { Seen::Nothing } else { breaks(3, place) });
        assert_eq!(code(&unbuilt), 19);
    }

    #[test]
    fn undecided_tests_count_more_than_sets() {
        let graph = firstbad::CommitGraph::linear(["a", "b"]).unwrap();
        let mut config = TriageConfig::new("b", ["x", "y"]).good(["a"]);
        config.max_tests = 1;
        let mut search = TriageSearch::new(graph, config).unwrap();
        assert_eq!(code(&search.report()), 16);
        while let Some(probe) = search.ask(1).unwrap().pop() {
            let outcome = if probe.revision() == "b" { Outcome::Fail } else { Outcome::Pass };
            search.tell(probe.id, outcome.into()).unwrap();
        }
        assert_eq!(code(&search.report()), 13);
    }
}
