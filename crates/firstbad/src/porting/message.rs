//! Messages of iterative delta debugging.

use super::config::PorterConfig;
use super::ending::Found;
use super::failure::Failure;
use super::report::{PortedPatch, PorterReduction, PorterReport, PorterStep, StepOutcome};
use crate::reduction::{Granularity, Guarantee};
use crate::search::{Observation, Outcome, Stage, Status};
use crate::words::printable::short;

/// The reason why the fix was not brought forward.
pub(super) const FORWARD_CONTRADICTED: &str =
    "the fix was not ported forward, because equal versions had different outcomes";

pub(super) fn older_than_bad(to: &str, bad: &str) -> String {
    format!("the fix was not ported forward, because {to} is older than {bad}, which the fix repairs")
}

pub(super) fn passes_by_itself(revision: &str) -> String {
    format!("no fix is needed at {revision}, because it passes without one")
}

/// Describes the passing and the failing version and the sizes of the patches, once a version passed.
pub(super) fn best(report: &PorterReport, named: &mut dyn FnMut(&str) -> String) -> Vec<String> {
    let (Some(good), Some(bad)) = (&report.good, &report.bad) else { return Vec::new() };
    let mut lines = vec![format!("{} passes, {} fails", named(good), short(bad))];
    if report.status == Status::Running && report.runs_to_commit.is_some() {
        lines.insert(0, explaining(report, &named(bad)));
    }
    lines.extend(report.patches().into_iter().map(|(name, _, patch)| {
        let plural = if patch.changes == 1 { "" } else { "s" };
        format!("{name}: {} change{plural} of {}", patch.changes, patch.of)
    }));
    lines
}

/// Says that the commit is known, and about how many runs will explain it.
fn explaining(report: &PorterReport, bad: &str) -> String {
    let runs = runs_to_explain(report);
    let plural = if runs == 1 { "" } else { "s" };
    let others = match report.between.len() {
        0 => String::new(),
        1 => " or a skipped revision".to_owned(),
        more => format!(" or one of {more} skipped revisions"),
    };
    format!("culprit known: {bad}{others}; now explaining it (about {runs} run{plural})")
}

/// Estimates the number of runs that the explanation still takes: one for each change of the carried patch, and a bisection of
/// the difference for the cause.
fn runs_to_explain(report: &PorterReport) -> u64 {
    let carried = report.steps.iter().rfind(|step| !step.forward).map_or(0, |step| step.patch);
    let bisection = |size: usize| 2 * u64::from(usize::BITS - size.leading_zeros());
    let is_open =
        |patch: &Option<PortedPatch>| patch.as_ref().is_none_or(|patch| patch.guarantee == Guarantee::BestSoFar);
    let proof = if report.carried.is_none() && report.cause.is_none() { carried as u64 } else { 0 };
    let size = report.cause.as_ref().map_or(USUAL_SIZE, |cause| cause.changes);
    let cause = if is_open(&report.cause) { bisection(size) } else { 0 };
    proof + cause + u64::from(is_open(&report.repair))
}

/// The number of changes between two versions before the difference is read.
const USUAL_SIZE: usize = 64;

/// Describes the status. `first` is the first observation at the start, and `reduced` is the last reduction.
pub(super) fn message(
    status: Status,
    config: &PorterConfig,
    failure: Option<&Failure>,
    first: Option<&Observation>,
    found: Option<&Found>,
    steps: &[PorterStep],
    reduced: Option<&PorterReduction>,
) -> String {
    let start = &config.start;
    if let Some(found) = found {
        let doubt = if status == Status::Contradictory { ". Later, equal versions had different outcomes" } else { "" };
        return found_words(found, steps) + doubt;
    }
    let last = steps.iter().rev().find(|step| !step.forward && step.outcome != StepOutcome::Skipped);
    let oldest = last.map_or(start.as_str(), |step| step.revision.as_str());
    match status {
        Status::NotReproduced => format!("the test passes at the start {start}, so there is no failure to follow"),
        Status::Untestable => match first {
            Some(seen) if seen.stage == Some(Stage::Control) => {
                format!("the control fails at the start {start}: {}", with_note(seen))
            }
            Some(seen) if seen.outcome == Outcome::Unresolved => {
                format!("the start {start} is unresolved: {}", with_note(seen))
            }
            _ => format!("the start {start} is unresolved"),
        },
        Status::Contradictory if steps.is_empty() => {
            let first = failure.map(Failure::words).unwrap_or_default();
            format!(
                "two runs at the start {start} had different outcomes, first {first}. There is no stable failure to \
                 follow"
            )
        }
        Status::Contradictory => "equal versions had different outcomes, so the test is too unreliable".to_owned(),
        Status::HistoryExhausted => {
            format!("no passing revision found: the history ends at {oldest}")
        }
        Status::RevisionNotReadable => {
            format!(
                "no passing revision found: the parents of {oldest} are not in this repository. The clone may be \
                 shallow"
            )
        }
        Status::PatchTooLarge => {
            let size = reduced.and_then(|reduced| reduced.after).unwrap_or_default();
            format!(
                "at {oldest}, the test needs a patch of {size} changes. The limit is {}",
                config.max_patch.unwrap_or_default()
            )
        }
        _ if failure.is_none() => format!("the start {start} was not tested yet"),
        _ => format!("no passing revision found so far, back to {oldest}"),
    }
}

fn with_note(seen: &Observation) -> String {
    match &seen.note {
        Some(note) => format!("{} ({note})", seen.describe()),
        None => seen.describe(),
    }
}

fn found_words(found: &Found, steps: &[PorterStep]) -> String {
    let Found { good, bad, good_part, bad_part, between, .. } = found;
    let with = |empty: bool| if empty { "" } else { " with the patch that the test needs" };
    let mut words = format!(
        "{bad} fails like the start{}, and the next older version {good} passes{}",
        with(bad_part.is_empty()),
        with(good_part.is_empty()),
    );
    match between.len() {
        0 => {}
        1 => words.push_str(". 1 revision between them does not build and may be the culprit"),
        many => {
            let is_tested = |revision: &&String| steps.iter().any(|step| step.revision == **revision);
            let tested = between.iter().filter(is_tested).count();
            let some = if tested < many { format!(" ({tested} tested)") } else { String::new() };
            words.push_str(&format!(". {many} revisions between them do not build{some}, and each may be the culprit"));
        }
    }
    words
}

/// Describes the evidence for an early pass (Section 4.1).
pub(super) fn passes_early(good: &str) -> String {
    format!(
        "{good} passed only with a part of a patch, during the reduction of that patch. No older version passed with \
         the whole patch. A test that passes with half of its patch ends the walk too early. Add a control that fails \
         at {good}, or ignore early passes"
    )
}

/// Describes an early pass that an older version refuted.
pub(super) fn passes_too_early(early: &str, good: &str) -> String {
    format!(
        "{early} passed with a part of a patch, during the reduction of that patch. This pass does not count, because \
         {early} fails with the whole patch, and {good} passes"
    )
}

/// Returns the warnings about the result (Section 5.2).
pub(super) fn warnings(config: &PorterConfig, steps: &[PorterStep], found: bool) -> Vec<String> {
    // On the way forward, the kept outcome is a pass, which needs no control.
    let reduced = steps.iter().any(|step| step.outcome == StepOutcome::Reduced && !step.forward);
    let guarded = config.controlled || !config.always_keep.is_empty();
    let mut warnings = Vec::new();
    if reduced && !guarded {
        let finely = if config.granularity == Granularity::Lines { "line by line" } else { "part by part" };
        let what =
            if found { "the result may be too old or too new" } else { "the search may have missed a passing version" };
        warnings.push(format!(
            "patches were reduced {finely} without a control, so {what}. Add a control, or name paths to always keep"
        ));
    }
    warnings
}
