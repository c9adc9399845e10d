//! Messages of iterative delta debugging.

use super::config::PorterConfig;
use super::ending::Found;
use super::failure::Failure;
use super::report::{PorterReduction, PorterReport, PorterStep, StepOutcome};
use crate::reduction::Granularity;
use crate::search::{Observation, Outcome, Stage, Status};
use crate::words::printable::short;

/// The reason why the fix was not brought forward.
pub(super) const FORWARD_CONTRADICTED: &str =
    "the fix was not brought forward: equal versions answered differently on the way";

pub(super) fn older_than_bad(to: &str, bad: &str) -> String {
    format!("there is nothing to bring forward: {to} is older than {bad}, which the fix is for")
}

pub(super) fn passes_by_itself(revision: &str) -> String {
    format!("no fix is needed at {revision}: it passes as it is")
}

/// Describes the passing and the failing version and the sizes of the patches, once a version passed.
pub(super) fn best(report: &PorterReport, named: &mut dyn FnMut(&str) -> String) -> Vec<String> {
    let (Some(good), Some(bad)) = (&report.good, &report.bad) else { return Vec::new() };
    let mut lines = vec![format!("{} passes, {} fails", named(good), short(bad))];
    lines.extend(report.patches().into_iter().map(|(name, _, patch)| {
        let plural = if patch.changes == 1 { "" } else { "s" };
        format!("{name}: {} change{plural} of {}", patch.changes, patch.of)
    }));
    lines
}

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
        let doubt =
            if status == Status::Contradictory { "; but later on equal versions answered differently" } else { "" };
        return found_words(found) + doubt;
    }
    let last = steps.iter().rev().find(|step| !step.forward && step.outcome != StepOutcome::Skipped);
    let oldest = last.map_or(start.as_str(), |step| step.revision.as_str());
    match status {
        Status::NotReproduced => format!("the test passes at the start {start}: there is nothing to look for"),
        Status::Untestable => match first {
            Some(seen) if seen.stage == Some(Stage::Control) => {
                format!("the control fails at the start {start}: {}", with_note(seen))
            }
            Some(seen) if seen.outcome == Outcome::Unresolved => {
                format!("the test could not be run at the start {start}: {}", with_note(seen))
            }
            _ => format!("the test could not be run at the start {start}"),
        },
        Status::Contradictory if steps.is_empty() => {
            let first = failure.map(Failure::words).unwrap_or_default();
            format!(
                "two runs at the start {start} ended differently, the first with {first}: no failure can be followed"
            )
        }
        Status::Contradictory => "equal versions answered differently: the test is not reliable enough".to_owned(),
        Status::HistoryExhausted => {
            format!("no revision that passes was found: the walk came to its end at {oldest}")
        }
        Status::RevisionNotReadable => {
            format!(
                "no revision that passes was found: the parents of {oldest} are not in this repository (a shallow clone?)"
            )
        }
        Status::PatchTooLarge => {
            let size = reduced.and_then(|reduced| reduced.after).unwrap_or_default();
            format!(
                "at {oldest} the test needs a patch of {size} changes, more than the {} that are allowed",
                config.max_patch.unwrap_or_default()
            )
        }
        _ if failure.is_none() => format!("nothing is known yet: the start {start} was not tested"),
        _ => format!("no revision that passes was found so far; the walk has come to {oldest}"),
    }
}

fn with_note(seen: &Observation) -> String {
    match &seen.note {
        Some(note) => format!("{} ({note})", seen.describe()),
        None => seen.describe(),
    }
}

fn found_words(found: &Found) -> String {
    let Found { good, bad, good_part, bad_part, between, .. } = found;
    let with = |empty: bool| if empty { "" } else { " with what the test needs carried to it" };
    let mut words = format!(
        "{good} passes{}; the next newer version, {bad}, fails as the start does{}",
        with(good_part.is_empty()),
        with(bad_part.is_empty()),
    );
    match between.len() {
        0 => {}
        1 => words.push_str("; 1 revision between them does not build and may be the one that broke it"),
        many => words
            .push_str(&format!("; {many} revisions between them do not build, and any may be the one that broke it")),
    }
    words
}

/// Describes the evidence for an early pass (Section 4.1).
pub(super) fn passes_early(good: &str) -> String {
    format!(
        "{good} was seen to pass only with a part of a patch that was tried while the patch was reduced, and with what the \
         failure needs no older version was seen to pass: a test that passes with half of what it needs ends the walk too \
         early; give a control that fails there, or ignore early passes to walk on"
    )
}

/// Describes an early pass that an older version refuted.
pub(super) fn passes_too_early(early: &str, good: &str) -> String {
    format!(
        "{early} was seen to pass with a part of a patch that was tried while the patch was reduced, which did not count: with \
         all that the failure needs {early} fails, and {good} passes"
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
            if found { "the answer may be too old or too new" } else { "a version that passes may have been missed" };
        warnings.push(format!(
            "patches were reduced {finely} with nothing to guard what a pass needs: {what}; give a control, or the paths to \
             always keep"
        ));
    }
    warnings
}
