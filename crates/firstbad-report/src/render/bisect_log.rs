//! What was seen as a `git bisect log`: for `git bisect replay`, and for whoever reads such logs.

use std::collections::HashMap;

use firstbad::{Error, Find, Outcome, RegressionReport, Report};

use super::style::plain;
use crate::summary::Summary;

/// The log. git knows one newer end: of several it is that of the first point, or the first one.
///
/// # Errors
/// [`Error::InvalidArgument`] for another search than one for regressions.
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

/// What git is told of a revision.
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

    /// Quoted as git does.
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

    /// Each revision once, the newer end first and the newer side of the answer last of its kind: git goes by the last one.
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
                // Otherwise than before: that is nothing to go by. A run that could not tell takes nothing back.
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
        // What the answer rests on, even where it was only said, or outcomes come and go.
        if let Some(older) = point.and_then(|point| point.older()) {
            match places.get(older) {
                Some(&place) => seen[place].1 = Mark::Old,
                None => seen.insert(fixed, (older.to_owned(), Mark::Old)),
            }
        }
        if let Some(point) = point {
            let newer = point.newer().to_owned();
            // The newer end itself stays where it is.
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
