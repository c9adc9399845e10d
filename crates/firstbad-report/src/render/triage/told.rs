//! The findings of a triage in words, in the style of a format.

use std::collections::HashMap;

use firstbad::suite::RevisionRuns;
use firstbad::{TestVerdict, TriageCulprit, TriageReport, Verdict};

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

/// The people and the pull request of a culprit.
#[derive(Debug, Default)]
pub(super) struct People {
    pub(super) author: Option<String>,
    /// A number as `#812`, or a page.
    pub(super) request: Option<String>,
    pub(super) co_authors: Vec<String>,
    pub(super) owners: Vec<String>,
}

/// The tests with one verdict.
#[derive(Debug)]
pub(super) struct Group<'a> {
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
    pub(super) fn new(summary: &'a Summary, report: &'a TriageReport, style: &'a dyn Style) -> TriageWriter<'a> {
        let tests = report.tests.iter().map(|test| (test.id.as_str(), test)).collect();
        TriageWriter { summary, report, style, tests }
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
        let label = |verdict: Verdict, label| match verdict {
            Verdict::Undecided if self.is_cut_off() => "open",
            _ => label,
        };
        let groups =
            GROUPS.into_iter().map(|(verdict, name)| Group { label: label(verdict, name), tests: of(verdict) });
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
