//! Observations as a `git bisect log`, for `git bisect replay`.

use std::collections::HashMap;

use firstbad::{Error, Find, Outcome, RegressionReport, Report};

use crate::style::plain;
use crate::summary::Summary;

/// Renders the log. Git has one bad revision: that of the first point, or the first one given.
///
/// # Errors
/// [`Error::InvalidArgument`] if the search is not for regressions.
pub(super) fn render(summary: &Summary) -> Result<String, Error> {
    let Report::Regression(report) = &summary.report else {
        let expected = "a search for regressions, because git bisect has no other search";
        return Err(Error::invalid("bisect log", summary.algorithm, expected));
    };
    Ok(Log { summary, report, find: summary.find() }.written())
}

struct Log<'a> {
    summary: &'a Summary,
    report: &'a RegressionReport,
    find: Find,
}

/// The mark of a revision in Git.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Old,
    Skip,
}

impl Log<'_> {
    fn written(&self) -> String {
        let mut text = format!("git bisect start{}\n", self.options());
        for (revision, mark) in self.marks() {
            let word = self.word(mark);
            text += &format!("# {word}: [{revision}]{}\ngit bisect {word} {revision}\n", self.subject(&revision));
        }
        if let [point] = self.summary.points()
            && let Some(culprit) = &point.culprit
        {
            text += &format!("# first {} commit: [{culprit}]{}\n", self.word(Mark::New), self.subject(culprit));
        }
        text
    }

    /// Returns the options, quoted as Git quotes them.
    fn options(&self) -> String {
        let mut words = Vec::new();
        if self.find == Find::Fix {
            words.extend(["--term-new=fixed".to_owned(), "--term-old=broken".to_owned()]);
        }
        if self.report.first_parent {
            words.push("--first-parent".to_owned());
        }
        if !self.report.paths.is_empty() {
            words.push("--".to_owned());
            words.extend(self.report.paths.iter().cloned());
        }
        words.iter().map(|word| format!(" '{}'", word.replace('\'', "'\\''").replace('!', "'\\!'"))).collect()
    }

    fn word(&self, mark: Mark) -> &'static str {
        match (mark, self.find) {
            (Mark::Skip, _) => "skip",
            (Mark::New, Find::Regression) => "bad",
            (Mark::Old, Find::Regression) => "good",
            (Mark::New, Find::Fix) => "fixed",
            (Mark::Old, Find::Fix) => "broken",
        }
    }

    fn subject(&self, revision: &str) -> String {
        self.summary.commits().get(revision).map(|commit| format!(" {}", plain(&commit.subject))).unwrap_or_default()
    }

    /// Returns each revision once, with the culprit last, because Git uses the last mark.
    fn marks(&self) -> Vec<(String, Mark)> {
        let mut seen: Vec<(String, Mark)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let point = self.summary.points().first();
        let end = point.and_then(|point| point.leaves.first()).or(self.report.leaves.first().map(|leaf| &leaf.leaf));
        if let Some(revision) = end {
            places.insert(revision.clone(), 0);
            seen.push((revision.clone(), Mark::New));
        }
        let fixed = seen.len();
        for observed in &self.report.observations {
            let Some(revision) = &observed.target.revision else { continue };
            let mark = match (observed.observation.outcome, self.find) {
                (Outcome::Unresolved, _) => Mark::Skip,
                (Outcome::Fail, Find::Regression) | (Outcome::Pass, Find::Fix) => Mark::New,
                (Outcome::Pass, Find::Regression) | (Outcome::Fail, Find::Fix) => Mark::Old,
            };
            match places.get(revision) {
                // Skip a revision with contradictory outcomes. An unresolved run does not contradict.
                Some(&place) if place >= fixed && mark != Mark::Skip && seen[place].1 != mark => {
                    let before = seen[place].1;
                    seen[place].1 = if before == Mark::Skip { mark } else { Mark::Skip };
                }
                Some(_) => {}
                None => {
                    places.insert(revision.clone(), seen.len());
                    seen.push((revision.clone(), mark));
                }
            }
        }
        // The good revision of the result, even if it was declared or its outcomes vary.
        if let Some(older) = point.and_then(|point| point.older()) {
            match places.get(older) {
                Some(&place) => seen[place].1 = Mark::Old,
                None => seen.insert(fixed, (older.to_owned(), Mark::Old)),
            }
        }
        if let Some(point) = point {
            let newer = point.newer().to_owned();
            // The bad revision keeps its place.
            if Some(&newer) != end {
                seen.retain(|(revision, _)| *revision != newer);
                seen.push((newer, Mark::New));
            } else if seen.iter().skip(1).any(|(_, mark)| *mark == Mark::New) {
                seen.push((newer, Mark::New));
            }
        }
        seen
    }
}
