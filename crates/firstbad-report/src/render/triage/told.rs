//! The findings of a triage in words, in the style of a format.

use std::collections::HashMap;

use firstbad::suite::RevisionRuns;
use firstbad::{TestVerdict, TriageCulprit, TriageReport, Verdict};

use super::people::People;
use crate::render::style::Style;
use crate::summary::Summary;

/// A triage in words.
#[derive(Debug)]
pub(super) struct Told<'a> {
    /// The first line.
    pub(super) headline: String,
    pub(super) culprits: Vec<Found<'a>>,
    /// The tests in groups by verdict. A new or intermittent test is also a test of its culprit.
    pub(super) groups: Vec<Group<'a>>,
    pub(super) warnings: Vec<String>,
    pub(super) cost: String,
}

/// A culprit in words.
#[derive(Debug)]
pub(super) struct Found<'a> {
    pub(super) of: &'a TriageCulprit,
    /// The short id and the subject.
    pub(super) title: String,
    /// The number of its tests.
    pub(super) count: String,
    pub(super) people: People,
    pub(super) evidence: String,
    /// The signature of the failure.
    pub(super) failure: Option<String>,
}

/// The tests with one verdict.
#[derive(Debug)]
pub(super) struct Group<'a> {
    pub(super) verdict: Verdict,
    pub(super) label: &'static str,
    pub(super) tests: Vec<&'a TestVerdict>,
}

/// The groups in the order of a report.
const GROUPS: [(Verdict, &str); 11] = [
    (Verdict::BrokenIn, "broken in"),
    (Verdict::Flaky, "flaky"),
    (Verdict::Environment, "environment"),
    (Verdict::FailedBefore, "failed before"),
    (Verdict::New, "new"),
    (Verdict::Intermittent, "intermittent"),
    (Verdict::Infra, "infra"),
    (Verdict::Quarantined, "quarantined"),
    (Verdict::Undecided, "undecided"),
    (Verdict::Removed, "removed"),
    (Verdict::Fixed, "fixed"),
];

/// Writes a triage in one style.
pub(super) struct TriageWriter<'a> {
    pub(super) summary: &'a Summary,
    pub(super) report: &'a TriageReport,
    pub(super) style: &'a dyn Style,
    tests: HashMap<&'a str, &'a TestVerdict>,
}

impl<'a> TriageWriter<'a> {
    /// Creates a writer, or `None` for the report of another search.
    pub(super) fn new(summary: &'a Summary, style: &'a dyn Style) -> Option<TriageWriter<'a>> {
        let report = summary.triage()?;
        let tests = report.tests.iter().map(|test| (test.id.as_str(), test)).collect();
        Some(TriageWriter { summary, report, style, tests })
    }

    pub(super) fn told(&self) -> Told<'a> {
        Told {
            headline: self.headline(),
            culprits: self.report.culprits.iter().map(|culprit| self.found(culprit)).collect(),
            groups: self.groups(),
            warnings: self.report.warnings.iter().map(|warning| self.said(warning)).collect(),
            cost: self.cost(),
        }
    }

    fn found(&self, of: &'a TriageCulprit) -> Found<'a> {
        Found {
            of,
            title: self.titled(&of.commit),
            count: self.count(of),
            people: self.people(of),
            evidence: self.evidence(of),
            failure: self.failure(of),
        }
    }

    fn groups(&self) -> Vec<Group<'a>> {
        let of = |verdict: Verdict| self.report.tests.iter().filter(|test| test.verdict == verdict).collect();
        let label =
            |verdict: Verdict, label| if verdict == Verdict::Undecided && self.is_cut_off() { "open" } else { label };
        let groups = GROUPS.into_iter().map(|(verdict, name)| Group {
            verdict,
            label: label(verdict, name),
            tests: of(verdict),
        });
        groups.filter(|group| !group.tests.is_empty()).collect()
    }

    /// Returns the verdicts about the tests of a culprit.
    pub(super) fn tests_of(&self, culprit: &'a TriageCulprit) -> impl Iterator<Item = &'a TestVerdict> {
        culprit.tests.iter().filter_map(|id| self.tests.get(id.as_str()).copied())
    }

    /// Returns whether a test of a culprit was asked for at one of the parents.
    pub(super) fn is_tested_before(&self, culprit: &'a TriageCulprit) -> bool {
        let is_parent = |runs: &RevisionRuns| culprit.parents.contains(&runs.revision);
        self.tests_of(culprit).any(|test| test.observations.iter().any(is_parent))
    }
}
