//! Sentences about a triage. Each follows from the observations in the report.

use firstbad::suite::CulpritEvidence;
use firstbad::{Status, TestVerdict, TriageCulprit, Verdict, percent, short, with_short_ids};

use super::told::TriageWriter;
use crate::draw::cut;
use crate::quantities::{count, duration};

/// The number of characters that are shown of a test id and of a signature.
const LONGEST: usize = 300;
/// The number of candidates that are named.
const CANDIDATES: usize = 4;
/// The number of good revisions that are named.
const ENDS: usize = 3;

impl<'a> TriageWriter<'a> {
    /// Returns a message of the search with short commit ids.
    pub(crate) fn said(&self, sentence: &str) -> String {
        self.style.sentence(&with_short_ids(sentence))
    }

    /// Replaces the short ids of the endpoints in a sentence by their names.
    fn with_names(&self, sentence: &str) -> String {
        let named = self.report.names.iter().filter_map(|(id, names)| Some((short(id), names.first()?)));
        named.fold(sentence.to_owned(), |sentence, (id, name)| sentence.replace(id, name))
    }

    /// Returns the name of an endpoint, or its short id.
    fn end(&self, id: &str) -> String {
        let name = self.report.names.get(id).and_then(|names| names.first());
        match name {
            Some(name) => self.style.code(&cut(name, LONGEST)),
            None => self.style.revision(id),
        }
    }

    pub(crate) fn bad(&self) -> String {
        self.end(&self.report.bad)
    }

    /// Returns the names of the good revisions.
    fn good(&self) -> String {
        match &self.report.good[..] {
            good if good.len() <= ENDS => good.iter().map(|id| self.end(id)).collect::<Vec<_>>().join(", "),
            good => count(good.len(), "good revision"),
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

    /// Returns the id of a test.
    pub(crate) fn test(&self, id: &str) -> String {
        self.style.code(&cut(id, LONGEST))
    }

    /// Returns the number of tests that a culprit broke.
    pub(crate) fn count(&self, culprit: &TriageCulprit) -> String {
        if self.is_build_broken() { "the build".to_owned() } else { count(culprit.tests.len(), "test") }
    }

    fn is_build_broken(&self) -> bool {
        self.report.status == Status::Untestable
    }

    /// Returns whether the search has not finished.
    pub(crate) fn is_cut_off(&self) -> bool {
        matches!(self.report.status, Status::Running | Status::Budget | Status::Stopped)
    }

    /// Returns the result in one line.
    pub(super) fn headline(&self) -> String {
        let (answer, counts) = self.answer();
        if counts.is_empty() { answer } else { format!("{answer}: {}", counts.join(", ")) }
    }

    /// Returns the result, and the number of tests by verdict if they belong to it.
    pub(crate) fn answer(&self) -> (String, Vec<String>) {
        let bad = self.bad();
        let failing = self.report.tests.iter().filter(|test| is_red(test)).count();
        let (words, has_counts) = match self.report.status {
            Status::Running | Status::Budget | Status::Stopped => (self.progress(failing), false),
            Status::Untestable => (self.broken_build(), false),
            Status::NotReproduced if failing > 0 => (format!("No failure of {bad} was reproduced"), true),
            _ if failing == 0 => (format!("No test of {bad} fails"), false),
            _ => {
                let fail = if failing == 1 { "fails" } else { "fail" };
                (format!("{} of {bad} {fail}{}", count(failing, "test"), self.since()), true)
            }
        };
        (words, if has_counts { self.counts() } else { Vec::new() })
    }

    /// Returns the result if the bad revision cannot be built or has no results.
    fn broken_build(&self) -> String {
        let bad = self.bad();
        match self.report.culprits.first() {
            Some(culprit) => format!("Cannot build {bad}: {} broke the build", self.titled(&culprit.commit)),
            None if self.report.tests.is_empty() => format!("No test has a result at {bad}"),
            None => format!("Cannot build {bad}, and no commit was found that broke the build"),
        }
    }

    /// Returns the good revisions and the number of commits after them.
    fn since(&self) -> String {
        match self.report.suspects {
            0 => String::new(),
            commits => format!(" since {} ({})", self.good(), count(commits, "commit")),
        }
    }

    /// Returns the state of a search that has not finished.
    fn progress(&self, failing: usize) -> String {
        let runs = count(usize::try_from(self.report.test_runs).unwrap_or(usize::MAX), "test run");
        let limit = self.host.limit.map_or(String::new(), |limit| format!(" ({limit})"));
        let begin = match self.report.status {
            Status::Running => format!("Not finished after {runs}"),
            _ => format!("Stopped after {runs}{limit}"),
        };
        let is_decided = |test: &&TestVerdict| is_red(test) && test.verdict != Verdict::Undecided;
        let decided = self.report.tests.iter().filter(is_decided).count();
        let have = if decided == 1 { "has" } else { "have" };
        format!("{begin}: {decided} of {} {have} a verdict", count(failing, "test"))
    }

    /// Returns the number of tests by verdict.
    fn counts(&self) -> Vec<String> {
        let of = |verdict: Verdict| self.report.tests.iter().filter(|test| test.verdict == verdict).count();
        let named = self.report.tests.iter().filter(|test| test.culprit.is_some()).count();
        let environment = of(Verdict::Environment);
        let fail = if environment == 1 { "fails" } else { "fail" };
        let parts = [
            (named, format!("broken by {}", count(self.report.culprits.len(), "commit"))),
            (of(Verdict::BrokenIn), "broken by one of several commits".to_owned()),
            (of(Verdict::Flaky), "flaky".to_owned()),
            (environment, format!("{fail} at {} as well", self.good())),
            (of(Verdict::FailedBefore), "failed before".to_owned()),
            (of(Verdict::Quarantined), "in quarantine".to_owned()),
            (of(Verdict::Infra), "without a result".to_owned()),
            (of(Verdict::Undecided), "undecided".to_owned()),
        ];
        parts.into_iter().filter(|(tests, _)| *tests > 0).map(|(tests, words)| format!("{tests} {words}")).collect()
    }

    /// Returns the runs of a culprit's tests at the culprit and at its parents.
    pub(crate) fn evidence(&self, culprit: &'a TriageCulprit) -> String {
        let mut parts = vec![at_commit(&culprit.evidence, culprit.tests.len())];
        parts.extend(self.at_parents(culprit));
        parts.join("; ")
    }

    fn at_parents(&self, culprit: &'a TriageCulprit) -> Option<String> {
        let CulpritEvidence { passing, at_parents, .. } = culprit.evidence;
        let place = match &culprit.parents[..] {
            [] => return None,
            [parent] => format!("at its parent {}", self.style.revision(parent)),
            [_, _] => "at both parents".to_owned(),
            parents => format!("at all {} parents", parents.len()),
        };
        let words = match (passing, culprit.tests.len()) {
            (0, _) if self.is_tested_before(culprit) => format!("no result {place}"),
            (0, _) => format!("not tested {place}"),
            (1, 1) => format!("passes {place}"),
            (2, 2) => format!("both pass {place}"),
            (passing, all) if passing == all => format!("all {all} pass {place}"),
            (1, _) => format!("1 of them ran {place} and passes"),
            (passing, _) => format!("{passing} of them ran {place} and pass"),
        };
        let failed = match at_parents.fails {
            0 => String::new(),
            fails => format!(" ({fails} of {} there failed)", count(at_parents.runs() as usize, "run")),
        };
        Some(words + &failed)
    }

    /// Returns the signature of a culprit's failure. Other failures of its tests are counted.
    pub(crate) fn failure(&self, culprit: &'a TriageCulprit) -> Option<String> {
        let signature = culprit.signature.as_ref()?;
        let alike = self.tests_of(culprit).filter(|test| test.signature.as_ref() == Some(signature)).count();
        let tests = culprit.tests.len();
        let share = if alike < tests { format!(" ({alike} of {})", count(tests, "test")) } else { String::new() };
        Some(self.style.words(&cut(signature, LONGEST)) + &share)
    }

    /// Returns the detail of a verdict, or an empty text without one.
    pub(crate) fn note(&self, test: &TestVerdict) -> String {
        let mut parts: Vec<String> = test.note.iter().map(|note| self.said(&self.with_names(note))).collect();
        parts.extend(test.culprit.iter().map(|culprit| format!("broken by {}", self.style.revision(culprit))));
        parts.extend(self.candidates(test));
        parts.join(", ")
    }

    fn candidates(&self, test: &TestVerdict) -> Option<String> {
        let odds = test.probability.map_or(String::new(), |probability| format!(" ({})", percent(probability)));
        let named = |ids: &[String]| ids.iter().map(|id| self.style.revision(id)).collect::<Vec<_>>().join(", ");
        match &test.candidates[..] {
            [] => None,
            [one] => Some(format!("most likely {}{odds}", self.style.revision(one))),
            candidates if candidates.len() <= CANDIDATES => Some(format!("one of {}{odds}", named(candidates))),
            [.., last] => {
                let commits = count(test.candidates.len(), "commit");
                Some(format!("one of {commits} up to {}{odds}", self.style.revision(last)))
            }
        }
    }

    /// Returns the cost of the search. That of separate searches is an estimate for finished searches.
    pub(crate) fn cost(&self) -> String {
        let number = |number: u64, what: &str| count(usize::try_from(number).unwrap_or(usize::MAX), what);
        let mut parts = vec![number(self.report.builds, "build"), number(self.report.test_runs, "test run")];
        parts.extend(self.report.seconds.filter(|&seconds| seconds > 0.0).map(duration));
        parts.extend(self.host.waited.map(|waited| format!("{} in total", duration(waited))));
        let separate = self.report.separate_estimate;
        let is_known = !self.is_cut_off() && separate.builds > self.report.builds && self.report.runs > 0;
        let searches = format!(" (separate searches: about {})", number(separate.builds, "build"));
        parts.join(", ") + if is_known { &searches } else { "" }
    }
}

/// Returns whether a test failed last night.
pub(super) fn is_red(test: &TestVerdict) -> bool {
    !matches!(test.verdict, Verdict::Fixed | Verdict::Removed)
}

fn at_commit(evidence: &CulpritEvidence, tests: usize) -> String {
    let CulpritEvidence { failing, at_commit, .. } = evidence;
    let words = match (*failing, tests) {
        (1, 1) => "fails here".to_owned(),
        (2, 2) => "both fail here".to_owned(),
        (failing, tests) if failing == tests => format!("all {tests} fail here"),
        (failing, tests) => format!("{failing} of {} failed here", count(tests, "test")),
    };
    match at_commit.passes {
        0 => words,
        passes => format!("{words} ({passes} of {} passed)", count(at_commit.runs() as usize, "run")),
    }
}
