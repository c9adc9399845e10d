//! The findings of a triage in words, in the style of a format.

use std::collections::HashMap;

use firstbad::suite::RevisionRuns;
use firstbad::{TestVerdict, TriageCulprit, TriageReport, Verdict, percent};

use crate::style::Style;
use crate::summary::Summary;

/// A triage in words.
#[derive(Debug)]
pub(crate) struct Told<'a> {
    /// The first line.
    pub(crate) headline: String,
    pub(crate) culprits: Vec<Found<'a>>,
    /// The tests in groups by verdict. A new or intermittent test is also a test of its culprit.
    pub(crate) groups: Vec<Group<'a>>,
    pub(crate) warnings: Vec<String>,
    pub(crate) cost: String,
}

/// A culprit in words.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    pub(crate) of: &'a TriageCulprit,
    /// The short id and the subject.
    pub(crate) title: String,
    /// The number of its tests.
    pub(crate) count: String,
    pub(crate) people: People,
    pub(crate) evidence: String,
    /// The probability of the culprit.
    pub(crate) odds: String,
    /// The signature of the failure.
    pub(crate) failure: Option<String>,
}

/// The people and the pull request of a culprit.
#[derive(Debug, Default)]
pub(crate) struct People {
    pub(crate) author: Option<String>,
    /// A number as `#812`, or a page.
    pub(crate) request: Option<String>,
    pub(crate) co_authors: Vec<String>,
    pub(crate) owners: Vec<String>,
}

/// The tests with one verdict.
#[derive(Debug)]
pub(crate) struct Group<'a> {
    pub(crate) label: &'static str,
    pub(crate) tests: Vec<&'a TestVerdict>,
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

/// The facts of the host that the report lacks.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Host<'a> {
    /// The option that stopped the search.
    pub(crate) limit: Option<&'a str>,
    /// The time from start to end, in seconds.
    pub(crate) waited: Option<f64>,
    /// Whether people are mentioned.
    pub(crate) mention: bool,
}

impl<'a> Host<'a> {
    pub(crate) fn of(summary: &'a Summary) -> Host<'a> {
        let limit = summary.left.as_ref().and_then(|left| left.limit.as_deref());
        Host { limit, waited: summary.waited, mention: summary.mention }
    }
}

/// Writes a triage in one style.
pub(crate) struct TriageWriter<'a> {
    pub(crate) report: &'a TriageReport,
    pub(crate) host: Host<'a>,
    pub(crate) style: &'a dyn Style,
    tests: HashMap<&'a str, &'a TestVerdict>,
}

impl<'a> TriageWriter<'a> {
    pub(crate) fn new(report: &'a TriageReport, host: Host<'a>, style: &'a dyn Style) -> TriageWriter<'a> {
        let tests = report.tests.iter().map(|test| (test.id.as_str(), test)).collect();
        TriageWriter { report, host, style, tests }
    }

    pub(crate) fn told(&self) -> Told<'a> {
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
            odds: percent(of.probability),
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
    pub(crate) fn tests_of(&self, culprit: &'a TriageCulprit) -> impl Iterator<Item = &'a TestVerdict> {
        culprit.tests.iter().filter_map(|id| self.tests.get(id.as_str()).copied())
    }

    /// Returns whether a test of a culprit was asked for at one of the parents.
    pub(crate) fn is_tested_before(&self, culprit: &'a TriageCulprit) -> bool {
        let is_parent = |runs: &RevisionRuns| culprit.parents.contains(&runs.revision);
        self.tests_of(culprit).any(|test| test.observations.iter().any(is_parent))
    }
}
