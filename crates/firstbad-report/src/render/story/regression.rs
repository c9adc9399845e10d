//! Findings of a regression search.

use firstbad::regression::{LeafReport, LeafResult};
use firstbad::{Find, Outcome, RegressionPoint, Status, percent, short};

use super::{Block, SHOWN, Story, StoryWriter, count};
use crate::summary::{Asked, Cause, Counts};

impl StoryWriter<'_> {
    /// Returns the places of the points, without those that make the same change as an earlier point.
    pub(super) fn findings(&self) -> impl Iterator<Item = usize> {
        let points = self.summary.points();
        (0..points.len()).filter(|&place| {
            let same = &points[place].same_change;
            !points[..place].iter().any(|earlier| same.iter().any(|one| one == earlier.newer()))
        })
    }

    /// Returns one line that names the culprit, or the result without one.
    pub(super) fn headline(&self, point: &RegressionPoint) -> String {
        let verb = match point.find {
            Find::Regression => "broken",
            Find::Fix => "repaired",
        };
        let so_far = if self.summary.is_provisional(point) { ", so far" } else { "" };
        let perhaps = if self.is_perhaps(point) { "perhaps " } else { "" };
        let newer = self.commit(point.newer());
        match point.candidates.len() {
            _ if point.older().is_none() => {
                format!("{newer} {}{so_far}, and nothing before it was seen to be otherwise", state(point.find))
            }
            _ if point.outside_paths => format!("{verb} at the latest by {newer}{so_far}"),
            0 | 1 => format!("{perhaps}{verb} by {newer}{so_far}"),
            n => format!("{perhaps}{verb} by one of {n} commits, the last of them {newer}{so_far}"),
        }
    }

    /// Returns whether, with a flaky test, another commit could be the culprit.
    pub(in crate::render) fn is_perhaps(&self, point: &RegressionPoint) -> bool {
        point.probability.is_some() && (self.summary.is_provisional(point) || !point.candidates.is_empty())
    }

    pub(super) fn of_point(&self, place: usize) -> Story {
        let point = &self.summary.points()[place];
        let mut story = Story { headline: self.headline(point), ..Story::default() };
        story.details.extend(self.described(point.newer()));
        let leaves: Vec<String> =
            point.leaves.iter().zip(&point.distances).map(|(leaf, &far)| self.end(leaf, far)).collect();
        story.details.push(("on", leaves.join(", ")));
        story.details.extend(self.replaced(point).map(|words| ("instead", words)));
        let same =
            self.summary.points().iter().filter(|other| point.same_change.iter().any(|one| one == other.newer()));
        story.details.extend(same.map(|other| {
            let ends: Vec<String> =
                other.leaves.iter().zip(&other.distances).map(|(leaf, &far)| self.end(leaf, far)).collect();
            let certainty = self.certainty(other);
            let differs =
                if certainty == self.certainty(point) { String::new() } else { format!("; sure: {certainty}") };
            ("also", format!("the same change is {}, on {}{differs}", self.commit(other.newer()), ends.join(", ")))
        }));
        let state = state_before(point.find);
        let before = match (point.older(), point.candidates.is_empty()) {
            (None, _) => format!("no ancestor of it was seen to be one that {state}, so that nobody is blamed"),
            (Some(older), _) if point.untested_endpoints.iter().any(|end| end == older) => {
                format!("{}, which {state} as was said: it was not tested", self.commit(older))
            }
            (Some(older), true) if !self.summary.paths().is_empty() => {
                format!("{} {state}, right before it in the history of {}", self.commit(older), self.paths())
            }
            (Some(older), true) => format!("its parent {} {state}", self.commit(older)),
            (Some(older), false) => format!("{} {state}", self.commit(older)),
        };
        story.details.push(("before", before));
        story.details.push(("sure", self.certainty(point)));
        story.details.extend(self.suspected(self.summary.report.why().get(point.newer())));
        if !point.inconsistent.is_empty() {
            let inconsistent: Vec<String> = point.inconsistent.iter().map(|id| self.style.code(short(id))).collect();
            story.details.push(("but", format!("outcomes come and go: see {}", inconsistent.join(", "))));
        }
        if point.candidates.len() > usize::from(point.outside_paths) {
            story.list = Some(("candidates", self.candidates(point)));
        }
        if let Some(cause) = self.summary.cause(place) {
            story.details.push(("cause", self.cause(cause)));
            let failure = cause.failure.as_ref().filter(|_| cause.report.kept.len() < cause.changes);
            story.details.extend(failure.map(|failure| {
                ("fails as", format!("{}, with these changes alone as with all", self.style.words(failure)))
            }));
            // A whole patch that does not fail is not a cause.
            let is_answer = cause.report.status != Status::NotReproduced && !cause.patch.is_empty();
            let line_ends = cause.line_ends().filter(|_| is_answer);
            story.details.extend(line_ends.map(|words| ("line ends", words)));
            story.blocks.extend(is_answer.then(|| Block::diff(cause.patch.clone())));
        }
        let no_cause = self.summary.causes.get(place).and_then(|found| found.no_cause.as_ref());
        story.details.extend(no_cause.map(|why| ("cause", format!("none found: {}", self.style.words(why)))));
        story
    }

    /// Returns the unresolved bad revisions of a point, and their replacements.
    pub(super) fn replaced<'b>(&'b self, point: &'b RegressionPoint) -> impl Iterator<Item = String> + 'b {
        let of_point = self.summary.leaves().iter().filter(|leaf| point.leaves.contains(&leaf.leaf));
        of_point.filter_map(|leaf| {
            let instead = self.commit(leaf.replaced_by.as_ref()?);
            Some(format!("{} cannot be tested; searched from {instead}", self.end(&leaf.leaf, 0)))
        })
    }

    /// Returns how certain a point is.
    pub(super) fn certainty(&self, point: &RegressionPoint) -> String {
        let (passes, fails) = match point.find {
            Find::Regression => ("passes", "fails too"),
            Find::Fix => ("fails", "passes too"),
        };
        if point.outside_paths {
            let paths = self.paths();
            return format!(
                "no: it does not touch {paths}, and commits between the two that do not were not looked at"
            );
        }
        let mut words = Vec::new();
        words.extend(point.probability.map(|probability| format!("probability {}", percent(probability))));
        match (&point.candidates[..], &point.unresolved_parents[..], point.parents_pass) {
            _ if point.older().is_none() => {
                words.push("no: that is how far the history goes that was searched".to_owned())
            }
            ([], ..) if !self.summary.paths().is_empty() && point.untested_endpoints.is_empty() => words.push(format!(
                "as far as commits that touch {} are to blame: it was tested, and others were not looked at",
                self.paths()
            )),
            ([], _, true) if self.summary.follows_first_parents() => {
                words.push(format!("it was tested, and its first parent {passes}"));
            }
            ([], _, true) => words.push(format!("it was tested, and every parent of it {passes}")),
            ([], ..) if !point.untested_endpoints.is_empty() => {
                let trusted: Vec<String> =
                    point.untested_endpoints.iter().map(|id| self.style.code(short(id))).collect();
                words.push(format!("only if what was said of {} is true: that was not tested", trusted.join(", ")));
            }
            ([], [], false) if point.probability.is_some() => {
                words.push(format!("not quite: it is not certain that every parent of it {passes}"));
            }
            ([], [], false) => words.push(format!("not quite: another parent of it {fails}, or was not tested")),
            ([], unresolved, false) => {
                let parents: Vec<String> = unresolved.iter().map(|id| self.style.code(short(id))).collect();
                words.push(format!("not quite: another parent of it could not be tested ({})", parents.join(", ")));
            }
            ([_, ..], ..) if self.summary.is_provisional(point) => {
                words.push("no: the search has not ended".to_owned())
            }
            (candidates, ..) => words.push(self.left_open(candidates)),
        }
        words.join("; ")
    }

    /// Returns why several candidates remain: the numbers of unresolved and of untested candidates.
    pub(super) fn left_open(&self, candidates: &[String]) -> String {
        let told = |id: &&String| self.summary.seen_of(id).is_some_and(|seen| seen.outcome != Outcome::Unresolved);
        let untested = candidates.iter().filter(|id| self.summary.seen_of(id).is_none()).count();
        let unresolved = candidates.len() - untested - candidates.iter().filter(told).count();
        // The newest candidate fails in this way.
        let otherwise = (candidates.len() - unresolved - untested).saturating_sub(1);
        match (unresolved, untested) {
            _ if otherwise > 0 => {
                let others = [(unresolved, "could not be tested"), (untested, "were not tried")];
                let others =
                    others.into_iter().filter(|(many, _)| *many > 0).map(|(many, what)| format!(", {many} {what}"));
                format!(
                    "no: of what stands between {} failed in another way{}",
                    count(otherwise, "commit"),
                    others.collect::<String>()
                )
            }
            (0, _) => "no: what stands between was not tested".to_owned(),
            (_, 0) => "no: what stands between could not be tested".to_owned(),
            _ => format!(
                "no: of what stands between {} could not be tested, and {untested} beside these were not tried",
                count(unresolved, "commit")
            ),
        }
    }

    /// Returns the candidates, newest first, with their outcomes.
    pub(super) fn candidates(&self, point: &RegressionPoint) -> Vec<String> {
        let mut lines: Vec<String> = point
            .candidates
            .iter()
            .rev()
            .take(SHOWN)
            .map(|id| {
                let why = match self.summary.seen_of(id) {
                    None => "not tested".to_owned(),
                    Some(one) => match (one.outcome, &one.note) {
                        (Outcome::Unresolved, Some(note)) => format!("cannot be tested: {}", self.style.words(note)),
                        (Outcome::Unresolved, None) => "cannot be tested".to_owned(),
                        (Outcome::Pass, _) => "passes".to_owned(),
                        (Outcome::Fail, _) => self.fails(one, point),
                    },
                };
                format!("{}: {why}", self.commit(id))
            })
            .collect();
        if point.candidates.len() > SHOWN {
            lines.push(format!("and {} older ones", point.candidates.len() - SHOWN));
        }
        lines
    }

    /// Returns whether a candidate fails as the bad revisions of its point do.
    pub(super) fn fails(&self, one: &Asked, point: &RegressionPoint) -> String {
        let of_end = |leaf: &LeafReport| {
            self.summary.seen_of(leaf.replaced_by.as_deref().unwrap_or(&leaf.leaf))?.failure.as_ref()
        };
        let leaves = self.summary.leaves().iter().filter(|leaf| point.leaves.contains(&leaf.leaf));
        let ends: Vec<&String> = leaves.filter_map(of_end).collect();
        match &one.failure {
            Some(failure) if !ends.is_empty() && !ends.contains(&failure) => {
                format!("fails in another way: {}", self.style.words(failure))
            }
            _ => "fails".to_owned(),
        }
    }

    /// Describes the part of a commit that causes the failure.
    pub(super) fn cause(&self, cause: &Cause) -> String {
        let places: Vec<String> = cause
            .places
            .iter()
            .take(SHOWN)
            .map(|place| {
                let line = match (place.line, place.end_line) {
                    (Some(first), Some(last)) if last > first => format!(":{first}-{last}"),
                    (Some(first), _) => format!(":{first}"),
                    (None, _) => String::new(),
                };
                self.style.code(&format!("{}{line}", place.file))
            })
            .collect();
        let more = cause.places.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {}", count(more, "more place")) } else { String::new() };
        let runs = count(usize::try_from(cause.report.runs).unwrap_or(usize::MAX), "run");
        let head = match cause.report.status {
            Status::NotReproduced => return format!("none found: {}", self.style.words(&cause.report.message)),
            _ if cause.report.kept.is_empty() => "it fails without any of the changes".to_owned(),
            // The whole patch is known to fail, so it is not a finding.
            status if status != Status::Found && cause.report.kept.len() == cause.changes => {
                format!("no part of its {} was seen to do it alone", count(cause.changes, "change"))
            }
            _ => format!(
                "{} of {}{} still {}",
                cause.report.kept.len(),
                count(cause.changes, "change"),
                match cause.report.kept.len() as f64 / cause.changes as f64 {
                    part if part < 1.0 => format!(" ({})", percent(part)),
                    _ => String::new(),
                },
                match cause.report.kept.len() {
                    1 => "does it",
                    _ => "do it",
                }
            ),
        };
        let at = if places.is_empty() { String::new() } else { format!(", at {}{more}", places.join(", ")) };
        format!("{head} ({}, {runs}){at}", cause.report.guarantee.as_str())
    }

    /// Returns the bad revisions without a point.
    pub(in crate::render) fn others(&self) -> Vec<String> {
        let without = self.summary.leaves().iter().filter(|leaf| leaf.points.is_empty());
        without
            .map(|leaf| {
                let why = match leaf.result {
                    LeafResult::Open => "not answered yet".to_owned(),
                    LeafResult::NotReproduced => self.not_reproduced(leaf),
                    LeafResult::NoPassingRevision if self.summary.find() == Find::Fix => {
                        "nothing before it was seen to fail".to_owned()
                    }
                    LeafResult::NoPassingRevision => "nothing before it was seen to pass".to_owned(),
                    LeafResult::Untestable => "cannot be tested".to_owned(),
                    LeafResult::Contradictory => "flaky: what was seen fits no culprit".to_owned(),
                    LeafResult::Searched | LeafResult::Propagated => "no point".to_owned(),
                };
                format!("{}: {why}", self.end(&leaf.leaf, 0))
            })
            .collect()
    }

    /// Returns the outcome of a bad revision that does not fail.
    pub(super) fn not_reproduced(&self, leaf: &LeafReport) -> String {
        let Some(seen) = self.summary.seen_of(leaf.replaced_by.as_deref().unwrap_or(&leaf.leaf)) else {
            return "nothing was seen of it".to_owned();
        };
        let Counts { pass, fail, .. } = seen.outcomes;
        let find = self.summary.find();
        if fail > 0 && find == Find::Regression && (self.summary.flakiness.is_flaky || pass > 0) {
            let runs = count(usize::try_from(pass + fail).unwrap_or(usize::MAX), "run");
            return format!("failed in {fail} of {runs}, no more often than a flaky test may");
        }
        let words = match (find, seen.outcome) {
            (Find::Fix, Outcome::Pass) => "nothing before it was seen to fail",
            (Find::Fix, _) => "does not pass",
            (Find::Regression, Outcome::Pass) => "passes",
            (Find::Regression, Outcome::Fail) => "fails in another way",
            (Find::Regression, Outcome::Unresolved) => "fails, but not as asked for",
        };
        words.to_owned()
    }
}

/// Returns the outcome from the culprit on.
fn state(find: Find) -> &'static str {
    match find {
        Find::Regression => "fails",
        Find::Fix => "passes",
    }
}

/// Returns the outcome before the culprit.
pub(in crate::render) fn state_before(find: Find) -> &'static str {
    match find {
        Find::Regression => "passes",
        Find::Fix => "fails",
    }
}
