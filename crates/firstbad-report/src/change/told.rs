//! A change in numbers in words, in the style of a format.

use std::collections::HashSet;

use firstbad::metric::{ChangeConclusion, MetricChange, SeriesPoint};
use firstbad::{ChangeReport, Step, percent, with_short_ids};

use super::metrics;
use crate::quantities::{count, duration};
use crate::style::Style;
use crate::triage::told::Host;

/// A named fact.
pub(crate) type Fact = (&'static str, String);

/// A change in words.
#[derive(Debug)]
pub(crate) struct Told {
    /// The metrics, the main one first.
    pub(crate) parts: Vec<Part>,
    pub(crate) warnings: Vec<String>,
    pub(crate) cost: String,
}

/// One metric in words.
#[derive(Debug)]
pub(crate) struct Part {
    /// The result without numbers.
    pub(crate) answer: String,
    /// The numbers of the result, or an empty text.
    pub(crate) numbers: String,
    pub(crate) found: Vec<Found>,
    /// The suspects that remain, with their probabilities.
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) facts: Vec<Fact>,
    is_open: bool,
    pub(crate) of: MetricChange,
}

impl Part {
    /// Returns the result in one line.
    pub(crate) fn headline(&self) -> String {
        let answer = firstbad::capital(&self.answer);
        if self.numbers.is_empty() { answer } else { format!("{answer}: {}", self.numbers) }
    }

    /// Returns whether the result can still change, because the search has not finished.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns what the candidates are.
    pub(crate) fn candidates_label(&self) -> &'static str {
        match self.of.conclusion {
            ChangeConclusion::Set => "candidates",
            _ => "most likely",
        }
    }
}

/// A commit that changed the number, in words.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) of: Step,
    /// The short id and the subject.
    pub(crate) title: String,
    /// The author and the date, or an empty text.
    pub(crate) author: String,
    /// The number before and after the commit.
    pub(crate) numbers: String,
    pub(crate) facts: Vec<Fact>,
}

/// A suspect in words.
#[derive(Debug)]
pub(crate) struct Candidate {
    /// The short id and the subject.
    pub(crate) title: String,
    /// The probability, and whether there is a number.
    pub(crate) note: String,
    pub(crate) has_number: bool,
    /// The full id.
    pub(crate) revision: String,
    pub(crate) probability: f64,
}

/// Writes a change in one style.
pub(crate) struct ChangeWriter<'a> {
    pub(crate) report: &'a ChangeReport,
    pub(crate) host: Host<'a>,
    pub(crate) style: &'a dyn Style,
    pub(super) unresolved: HashSet<&'a str>,
}

impl<'a> ChangeWriter<'a> {
    pub(crate) fn new(report: &'a ChangeReport, host: Host<'a>, style: &'a dyn Style) -> ChangeWriter<'a> {
        ChangeWriter { report, host, style, unresolved: report.unresolved.iter().map(String::as_str).collect() }
    }

    pub(crate) fn told(&self) -> Told {
        let said = |warning: &String| self.style.sentence(&with_short_ids(warning));
        Told {
            parts: metrics(self.report).cloned().enumerate().map(|(place, of)| self.part(place, of)).collect(),
            warnings: self.report.warnings.iter().map(said).collect(),
            cost: self.cost(),
        }
    }

    fn part(&self, place: usize, of: MetricChange) -> Part {
        let (answer, numbers) = self.result(&of, place == 0);
        Part {
            answer,
            numbers,
            found: of.steps.iter().map(|step| self.found(&of, step)).collect(),
            candidates: self.candidates(&of),
            facts: self.facts(&of, place == 0),
            is_open: place == 0 && self.is_cut_off(),
            of,
        }
    }

    fn found(&self, of: &MetricChange, step: &Step) -> Found {
        Found {
            of: step.clone(),
            title: self.titled(&step.commit),
            author: self.author(&step.commit),
            numbers: self.numbers_of(of, step),
            facts: self.evidence(of, step),
        }
    }

    fn candidates(&self, of: &MetricChange) -> Vec<Candidate> {
        let candidate = |one: &firstbad::search::Hypothesis| {
            let revision = one.revision.clone()?;
            let has_number = !self.unresolved.contains(revision.as_str());
            let note = percent(one.probability) + if has_number { "" } else { ", has no number" };
            Some(Candidate { title: self.titled(&revision), note, has_number, probability: one.probability, revision })
        };
        of.candidates.iter().filter_map(candidate).collect()
    }

    /// Returns the name of an endpoint, or its short id.
    pub(crate) fn end(&self, id: &str) -> String {
        match self.report.names.get(id).and_then(|names| names.first()) {
            Some(name) => self.style.code(&crate::draw::cut(name, 100)),
            None => self.style.revision(id),
        }
    }

    /// Returns the short id of a commit and its subject.
    pub(crate) fn titled(&self, id: &str) -> String {
        let code = self.style.revision(id);
        match self.report.commits.get(id) {
            Some(commit) if !commit.subject.trim().is_empty() => {
                format!("{code} {}", self.style.title(&commit.subject))
            }
            _ => code,
        }
    }

    fn author(&self, id: &str) -> String {
        let Some(commit) = self.report.commits.get(id) else { return String::new() };
        let parts = [self.style.words(&commit.author), self.style.words(commit.day())];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn measurements(&self, number: u64) -> String {
        count(usize::try_from(number).unwrap_or(usize::MAX), "measurement")
    }

    fn cost(&self) -> String {
        let builds = usize::try_from(self.report.builds).unwrap_or(usize::MAX);
        let mut parts = vec![self.measurements(self.report.measurements)];
        // A function does not say whether it built anything.
        if self.report.builds < self.report.measurements {
            parts.push(count(builds, "build"));
        }
        parts.extend(self.report.seconds.filter(|&seconds| seconds > 0.0).map(duration));
        parts.extend(self.host.waited.map(|waited| format!("{} in total", duration(waited))));
        parts.join(", ")
    }
}

/// Returns the measurements at a revision.
pub(super) fn at<'m>(of: &'m MetricChange, revision: &str) -> Option<&'m SeriesPoint> {
    of.series.iter().find(|point| point.revision == revision)
}
