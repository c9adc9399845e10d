//! A `testcase` of JUnit XML with its children.

use super::{is_script, names_file};
use crate::case::Case;
use crate::limits::{LONGEST_TEXT, append};
use crate::report::Scope;
use crate::signature::Failure;

/// The reason that Node gives for tests that were not chosen.
const NOT_CHOSEN: &str = "test name does not match pattern";

/// A child of a test case.
pub(super) struct Part {
    kind: PartKind,
    /// The attribute `type`.
    type_name: Option<String>,
    message: Option<String>,
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartKind {
    /// `failure` or `error`.
    Failure,
    /// Surefire: another failed run.
    RerunFailure,
    /// Surefire: a run that failed before one that passed.
    FlakyFailure,
    Skipped,
    /// `system-out` or `system-err`.
    Output,
}

impl Part {
    /// Returns the part that an element starts, or `None` for an element without meaning.
    pub(super) fn of(name: &str, attribute: &dyn Fn(&str) -> Option<String>) -> Option<Part> {
        let kind = match name {
            "failure" | "error" => PartKind::Failure,
            "rerunFailure" | "rerunError" => PartKind::RerunFailure,
            "flakyFailure" | "flakyError" => PartKind::FlakyFailure,
            "skipped" => PartKind::Skipped,
            "system-out" | "system-err" => PartKind::Output,
            _ => return None,
        };
        Some(Part { kind, type_name: attribute("type"), message: attribute("message"), text: String::new() })
    }

    pub(super) fn text(&mut self, text: &str) {
        append(&mut self.text, text, LONGEST_TEXT);
    }

    /// Returns the failure, or `None` if the part is not a failure.
    pub(super) fn failure(self) -> Option<Failure> {
        let is_failure = !matches!(self.kind, PartKind::Skipped | PartKind::Output);
        let message = self.message.unwrap_or_default();
        is_failure.then_some(Failure { kind: self.type_name, message, text: self.text, frame: None })
    }
}

/// The status of a test case by its attribute, for tools that write no child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    Ran,
    Failed,
    NotRun,
}

/// A test case whose children are read.
pub(super) struct OpenCase {
    case: Case,
    status: Status,
    failure: Option<Failure>,
    failed: u32,
    has_flaky: bool,
    skipped: Option<String>,
    output: String,
}

/// A test case after its children.
pub(super) enum Ended {
    Case(Box<Case>),
    /// The test was not chosen, so it has no result.
    NotChosen,
}

impl OpenCase {
    pub(super) fn new(case: Case, status: Option<&str>) -> OpenCase {
        let status = match status.unwrap_or_default().to_ascii_lowercase().as_str() {
            "fail" | "failed" | "failure" | "error" => Status::Failed,
            "notrun" | "disabled" | "skipped" | "suppressed" | "ignored" | "pending" => Status::NotRun,
            _ => Status::Ran,
        };
        let (failure, skipped) = (None, None);
        OpenCase { case, status, failure, failed: 0, has_flaky: false, skipped, output: String::new() }
    }

    pub(super) fn add(&mut self, part: Part) {
        match part.kind {
            PartKind::Output => append(&mut self.output, &part.text, LONGEST_TEXT),
            PartKind::Skipped => self.skipped = Some(part.message.unwrap_or(part.text)),
            PartKind::RerunFailure => self.failed = self.failed.saturating_add(1),
            PartKind::FlakyFailure => {
                self.failed = self.failed.saturating_add(1);
                self.has_flaky = true;
                self.failure = self.failure.take().or(part.failure());
            }
            PartKind::Failure => {
                // Several failures of one run are one failure.
                if self.failure.is_none() {
                    self.failed = self.failed.saturating_add(1);
                }
                self.failure = self.failure.take().or(part.failure());
            }
        }
    }

    pub(super) fn end(self) -> Ended {
        let OpenCase { mut case, status, failure, failed, has_flaky, skipped, output } = self;
        if skipped.as_deref() == Some(NOT_CHOSEN) {
            return Ended::NotChosen;
        }
        let is_whole_file = is_file(&case) && failure.is_some();
        case.fails = failed.max(u32::from(status == Status::Failed && skipped.is_none()));
        case.passes = u32::from(has_flaky || case.fails == 0 && skipped.is_none() && status == Status::Ran);
        case.skipped = case.fails == 0 && case.passes == 0;
        case.failure = failure.unwrap_or_default();
        if case.fails == 0 {
            case.failure.message = skipped.unwrap_or_default();
        } else if case.failure.text.trim().is_empty() {
            case.failure.text = output;
        }
        if is_whole_file {
            (case.scope, case.fails) = (Scope::File, 0);
        }
        Ended::Case(Box::new(case))
    }
}

/// Returns whether the case stands for a file that could not be run.
fn is_file(case: &Case) -> bool {
    let suite = case.suites.last().map(|suite| &**suite);
    // pytest names the module. Vitest names the file three times. Node names the path.
    case.class.is_none() && suite == Some("pytest")
        || is_script(&case.name) && case.class.as_deref() == Some(&case.name) && suite == Some(&case.name)
        || case.class.as_deref() == Some("test") && names_file(case)
}
