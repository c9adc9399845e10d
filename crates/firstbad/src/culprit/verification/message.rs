//! The messages of a culprit verification.

use super::findings::Finding;
use super::report::{ReasonCode, VerificationReason};
use crate::graph::CommitGraph;
use crate::search::Status;

/// Describes a finding. `earlier` is the verdict of an earlier verification.
pub(super) fn reason(graph: &CommitGraph, finding: &Finding, earlier: Option<bool>) -> VerificationReason {
    let revision = graph.id(finding.node).to_owned();
    let failing = finding.failing.map_or("", |node| graph.id(node));
    let (passes, fails, runs) = (finding.runs.passes, finding.runs.fails, finding.runs.runs());
    let says = match finding.code {
        ReasonCode::CulpritPasses => format!("is the named culprit, but passes ({passes} of {runs} runs)"),
        ReasonCode::BadPasses => format!("passes ({passes} of {runs} runs), so its failure was a flake"),
        ReasonCode::BadNeverPasses => format!("never passes ({fails} runs), so its failure was not a flake"),
        ReasonCode::ParentNeverPasses => {
            format!("never passes ({fails} runs), so an earlier revision broke it")
        }
        ReasonCode::GoodNeverPasses => {
            format!("never passes ({fails} runs), so the failure may depend on the time or the environment")
        }
        ReasonCode::NoBadFailBeforeGoodPass | ReasonCode::NoCulpritFailBeforeParentPass => {
            format!("did not pass after {failing} failed, so the environment may have changed")
        }
        ReasonCode::NoGoodPassBeforeBadFail | ReasonCode::NoParentPassBeforeCulpritFail => {
            format!("did not pass before {failing} failed")
        }
        ReasonCode::Unresolved => "is unresolved, so its outcome proves nothing".to_owned(),
        ReasonCode::NotReproducible => {
            return VerificationReason { code: finding.code, revision, message: not_reproducible(earlier) };
        }
    };
    VerificationReason { code: finding.code, message: format!("{revision} {says}"), revision }
}

fn not_reproducible(earlier: Option<bool>) -> String {
    let (earlier, now) = if earlier == Some(true) { ("correct", "incorrect") } else { ("incorrect", "correct") };
    format!(
        "an earlier verification found the conclusion {earlier}, and this one {now}. The outcome depends on the time \
         or the environment"
    )
}

/// Returns the message of a report.
pub(super) fn message(
    culprit: Option<&str>,
    correct: Option<bool>,
    status: Status,
    reasons: &[VerificationReason],
    runs: u64,
) -> String {
    let conclusion = culprit.map_or_else(|| "a flake".to_owned(), |culprit| format!("{culprit} as the culprit"));
    let because = || reasons.iter().map(|reason| reason.message.as_str()).collect::<Vec<_>>().join("; ");
    let says = match (correct, status) {
        (Some(true), _) if runs == 1 => "verified in 1 run".to_owned(),
        (Some(true), _) => format!("verified in {runs} runs"),
        (Some(false), _) => format!("not correct. {}", because()),
        (None, Status::Running) => "not verified yet".to_owned(),
        (None, Status::Budget) => "not verified before the budget was used up".to_owned(),
        (None, Status::Stopped) => "not verified, because the search was stopped".to_owned(),
        (None, _) => format!("cannot be verified. {}", because()),
    };
    format!("{conclusion}: {says}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_counted_in_words() {
        let verified = |runs| message(Some("c"), Some(true), Status::Found, &[], runs);
        assert_eq!(verified(1), "c as the culprit: verified in 1 run");
        assert_eq!(verified(2), "c as the culprit: verified in 2 runs");
    }
}
