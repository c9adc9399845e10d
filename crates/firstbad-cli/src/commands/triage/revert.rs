//! `--verify-revert`: runs the tests of each culprit at the bad revision with the culprit reverted.

use firstbad::{Error, Outcome, Report, short};
use firstbad_git::Repository;
use firstbad_oracle::SuiteOracle;
use firstbad_report::{Summary, plain};

use crate::signals::Signals;
use crate::streams;

/// Checks every culprit once. A test that still fails is a warning of the report.
pub(super) fn verify(
    summary: &mut Summary,
    repository: &Repository,
    oracle: &SuiteOracle,
    signals: &Signals,
) -> Result<(), Error> {
    let Report::Triage(report) = &summary.report else { return Ok(()) };
    let (bad, culprits) = (report.bad.clone(), report.culprits.clone());
    for culprit in culprits {
        let Some(parent) = culprit.parents.first() else { continue };
        let revert = repository.diff(&culprit.commit, parent)?;
        let mut keep_going = || signals.caught().is_none();
        let seen = oracle.run_patched(&bad, &revert, &culprit.tests, &mut keep_going)?;
        let count = |outcome| seen.results.values().filter(|result| result.outcome == outcome).count();
        let (passed, failed, tests) = (count(Outcome::Pass), count(Outcome::Fail), culprit.tests.len());
        let what = format!("with {} reverted at {}", short(&culprit.commit), short(&bad));
        if failed > 0 {
            summary.report.warn(format!("{what}, {failed} of its {tests} tests still fail"));
        } else if passed == tests {
            streams::note(format_args!("{what}, all of its tests pass ({tests})"));
        } else {
            let why = plain(seen.note.as_deref().unwrap_or_default());
            streams::note(format_args!(
                "{what}, {passed} of its {tests} tests pass, and the others have no outcome: {why}"
            ));
        }
    }
    Ok(())
}
