//! Findings of a regression search.

use firstbad::regression::{LeafReport, LeafResult};
use firstbad::{Find, Outcome, RegressionPoint, Status, percent, short};

use super::{Block, List, SHOWN, Story, StoryWriter};
use crate::quantities::count;
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
        let (first, culprit) = match point.find {
            Find::Regression => ("First bad commit", "culprit"),
            Find::Fix => ("First fixed commit", "fix"),
        };
        let newer = self.titled(point.newer());
        let odds = point.probability.map_or(String::new(), |probability| format!(" ({})", percent(probability)));
        match (point.older(), point.candidates.len()) {
            (None, _) => format!("No {} revision found: {newer} {}", outcome_before(point.find), state(point.find)),
            _ if point.outside_paths => format!("No commit that touches {} is the {culprit}", self.paths()),
            _ if self.is_after_gap(point) => {
                let what = if point.find == Find::Regression { "failure" } else { "pass" };
                format!("Among commits that touch {}, the first {what} is {newer}", self.paths())
            }
            (_, 1) if self.is_perhaps(point) => format!("Most likely {culprit}: {newer}{odds}"),
            (_, 0 | 1) => format!("{first}: {newer}"),
            (_, n) if self.is_perhaps(point) => {
                format!("Most likely {culprit}: one of {n} commits up to {newer}{odds}")
            }
            (Some(older), n) => format!(
                "Narrowed down to {n} commits; {}: {} {}, {} {}",
                self.left_open(&point.candidates),
                self.style.code(short(older)),
                state_before(point.find),
                self.style.code(short(point.newer())),
                state(point.find)
            ),
        }
    }

    /// Returns whether commits between a point's two sides do not touch the paths of the history, and were not considered.
    pub(in crate::render) fn is_after_gap(&self, point: &RegressionPoint) -> bool {
        let is_described = self.summary.commits().contains_key(point.newer());
        let is_edge = point.candidates.is_empty() && point.inconsistent.is_empty() && point.older().is_some();
        is_edge && is_described && !self.summary.paths().is_empty() && point.culprit.is_none()
    }

    /// Returns whether, with a flaky test, another commit could be the culprit.
    pub(in crate::render) fn is_perhaps(&self, point: &RegressionPoint) -> bool {
        point.probability.is_some() && (self.summary.is_provisional(point) || !point.candidates.is_empty())
    }

    pub(super) fn of_point(&self, place: usize) -> Story {
        let point = &self.summary.points()[place];
        let mut story = Story { headline: self.headline(point), ..Story::default() };
        let is_one = point.candidates.len() < 2 && !point.outside_paths && !self.is_after_gap(point);
        if is_one && point.older().is_some() {
            story.details.extend(self.described(point.newer()));
        }
        if is_one || self.summary.leaves().len() > 1 {
            story.details.push(("on", self.ends(point)));
        }
        story.details.extend(self.replaced(point).map(|words| ("endpoint", words)));
        let same =
            self.summary.points().iter().filter(|other| point.same_change.iter().any(|one| one == other.newer()));
        story.details.extend(same.map(|other| {
            let differs = point.parents_pass != other.parents_pass;
            let evidence = if differs { format!(" ({})", self.evidence(other)) } else { String::new() };
            ("also", format!("the same change is {}, on {}{evidence}", self.commit(other.newer()), self.ends(other)))
        }));
        if let Some(probability) = point.probability.filter(|_| !self.is_perhaps(point)) {
            let doubt = match point.parents_pass || !point.candidates.is_empty() {
                true => String::new(),
                false => format!(", but it is not certain that every parent {}", state_before(point.find)),
            };
            story.details.push(("probability", percent(probability) + &doubt));
        }
        // The headline has the outcomes on both sides of several candidates.
        let is_plain = point.candidates.len() > 1 && !point.outside_paths && point.untested_endpoints.is_empty();
        if !is_plain || point.probability.is_some() {
            story.details.push(("evidence", self.evidence(point)));
        }
        if is_one {
            story.details.extend(self.suspected(self.summary.report.why().get(point.newer())));
        }
        if !point.inconsistent.is_empty() {
            let inconsistent: Vec<String> = point.inconsistent.iter().map(|id| self.style.code(short(id))).collect();
            story.details.push(("warning", format!("inconsistent outcomes of {}", inconsistent.join(", "))));
        }
        if point.candidates.len() > usize::from(point.outside_paths) {
            story.lists = List::new("", self.candidates(point));
        }
        if let Some(cause) = self.summary.cause(place) {
            story.details.push(("cause", self.cause(cause)));
            let failure = cause.failure.as_ref().filter(|_| cause.report.kept.len() < cause.changes);
            story.details.extend(
                failure.map(|failure| {
                    ("fails as", format!("{}, also with these changes alone", self.style.words(failure)))
                }),
            );
            // A whole patch that does not fail is not a cause.
            let is_answer = cause.report.status != Status::NotReproduced && !cause.patch.is_empty();
            let line_ends = cause.line_ends().filter(|_| is_answer);
            story.details.extend(line_ends.map(|words| ("line ends", words)));
            story.blocks.extend(is_answer.then(|| Block::diff(cause.patch.clone())));
        }
        let no_cause = self.summary.causes.get(place).and_then(|found| found.no_cause.as_ref());
        story.details.extend(no_cause.map(|why| ("cause", format!("not found: {}", self.style.words(why)))));
        story
    }

    /// Returns the endpoints of a point, with their distances.
    fn ends(&self, point: &RegressionPoint) -> String {
        let ends = point.leaves.iter().zip(&point.distances).map(|(leaf, &far)| self.end(leaf, far));
        ends.collect::<Vec<_>>().join(", ")
    }

    /// Returns the unresolved bad revisions of a point, and their replacements.
    pub(super) fn replaced<'b>(&'b self, point: &'b RegressionPoint) -> impl Iterator<Item = String> + 'b {
        let of_point = self.summary.leaves().iter().filter(|leaf| point.leaves.contains(&leaf.leaf));
        of_point.filter_map(|leaf| {
            let instead = self.commit(leaf.replaced_by.as_ref()?);
            Some(format!("{} is unresolved, so the search started at {instead}", self.end(&leaf.leaf, 0)))
        })
    }

    /// Returns the outcome of a revision with the number of its runs, such as `passes (2 runs)`.
    fn does(&self, id: &str, find: Find, is_newer: bool) -> String {
        let (verb, fails) = match (find, is_newer) {
            (Find::Regression, true) | (Find::Fix, false) => ("fails", true),
            _ => ("passes", false),
        };
        let Some(seen) = self.summary.seen_of(id) else { return verb.to_owned() };
        let Counts { pass, fail, .. } = seen.outcomes;
        let (these, all) = (if fails { fail } else { pass }, pass + fail);
        let runs = |n| count(usize::try_from(n).unwrap_or(usize::MAX), "run");
        match seen.runs {
            0 => format!("{verb} (known)"),
            _ if these == all => format!("{verb} ({})", runs(all)),
            _ => format!("{verb} ({these} of {})", runs(all)),
        }
    }

    /// Returns the outcomes that show a point.
    pub(super) fn evidence(&self, point: &RegressionPoint) -> String {
        let is_given = |id: &str| point.untested_endpoints.iter().any(|end| end == id);
        let given = |is_newer: bool| {
            let is_good = (point.find == Find::Fix) == is_newer;
            format!("was given as {}, not tested", if is_good { "good" } else { "bad" })
        };
        let does = |id: &str, is_newer: bool| {
            if is_given(id) { given(is_newer) } else { self.does(id, point.find, is_newer) }
        };
        let here = does(point.newer(), true);
        let Some(older) = point.older() else {
            return format!("{here}, and no ancestor {}", state_before(point.find));
        };
        let named = self.style.code(short(older));
        if point.outside_paths || point.candidates.len() > 1 {
            let newer = self.style.code(short(point.newer()));
            let joined = if is_given(older) || is_given(point.newer()) { ", and" } else { "," };
            return format!("{named} {}{joined} {newer} {here}", does(older, false));
        }
        if self.is_after_gap(point) {
            let parent = if self.summary.follows_first_parents() { "first parent" } else { "real parent" };
            return format!("{named} {}; its {parent} was not tested", does(older, false));
        }
        let described = self.summary.commits().contains_key(point.newer());
        let at = match (is_given(older), self.summary.paths().is_empty() || described) {
            (true, _) => format!("{named} {}", given(false)),
            (false, true) => {
                let parent = if self.summary.follows_first_parents() { "first parent" } else { "parent" };
                at_place(&does(older, false), &format!("its {parent} {named}"))
            }
            (false, false) => {
                at_place(&does(older, false), &format!("{named}, the commit before it that touches the paths"))
            }
        };
        let here = if is_given(point.newer()) { here } else { at_place(&here, "") };
        let joined = if is_given(older) || is_given(point.newer()) { ", and" } else { "," };
        let mut words = format!("{here}{joined} {at}");
        let is_whole = point.parents_pass || point.probability.is_some() || !self.summary.paths().is_empty();
        if !point.unresolved_parents.is_empty() {
            let parents: Vec<String> = point.unresolved_parents.iter().map(|id| self.style.code(short(id))).collect();
            words += &format!("; {} of its parents unresolved: {}", parents.len(), parents.join(", "));
        } else if !is_whole && point.untested_endpoints.is_empty() && point.candidates.is_empty() {
            words += &format!("; another parent {}, or was not tested", state(point.find));
        }
        words
    }

    /// Returns the numbers of unresolved, untested, and otherwise failing candidates.
    pub(super) fn left_open(&self, candidates: &[String]) -> String {
        let told = |id: &&String| self.summary.seen_of(id).is_some_and(|seen| seen.outcome != Outcome::Unresolved);
        let untested = candidates.iter().filter(|id| self.summary.seen_of(id).is_none()).count();
        let unresolved = candidates.len() - untested - candidates.iter().filter(told).count();
        // The newest candidate fails in this way.
        let otherwise = (candidates.len() - unresolved - untested).saturating_sub(1);
        let is = |n: usize, words: &str| match n {
            0 => None,
            1 => Some(format!("1 of them {}", words.replacen("are", "is", 1).replacen("fail", "fails", 1))),
            n => Some(format!("{n} of them {words}")),
        };
        let parts =
            [is(unresolved, "are unresolved"), is(untested, "are untested"), is(otherwise, "fail in another way")];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Returns the candidates, newest first, with their outcomes.
    pub(super) fn candidates(&self, point: &RegressionPoint) -> Vec<String> {
        let row = |id: &String| {
            let does = match self.summary.seen_of(id) {
                None => "untested".to_owned(),
                Some(one) => match (one.outcome, &one.note) {
                    (Outcome::Unresolved, Some(note)) => {
                        let note = note.split("; output in ").next().unwrap_or_default();
                        format!("unresolved ({})", self.style.words(note))
                    }
                    (Outcome::Unresolved, None) => "unresolved".to_owned(),
                    (Outcome::Pass, _) => "passes".to_owned(),
                    (Outcome::Fail, _) => self.fails(one, point),
                },
            };
            let subject = self.summary.commits().get(id).map(|commit| self.style.title(&commit.subject));
            [self.style.code(short(id)), subject.unwrap_or_default(), does]
        };
        let mut lines = self.style.columns(point.candidates.iter().rev().take(SHOWN).map(row).collect());
        if point.candidates.len() > SHOWN {
            lines.push(format!("... and {}", count(point.candidates.len() - SHOWN, "older commit")));
        }
        lines
    }

    /// Returns the story of a search that has not finished.
    pub(super) fn unfinished(&self) -> Story {
        let summary = self.summary;
        let mut story = Story { headline: self.progress(), ..Story::default() };
        for point in summary.points().iter().filter(|point| summary.is_provisional(point)) {
            let newer = self.commit(point.newer());
            match (point.probability, point.older()) {
                (Some(probability), _) => {
                    story.details.push(("most likely", format!("{newer} ({})", percent(probability))));
                }
                (None, None) => {
                    let known =
                        format!("{newer} {}, no {} revision found yet", state(point.find), outcome_before(point.find));
                    story.details.push(("evidence", known));
                }
                (None, Some(older)) => {
                    let does = |id: &str, seen: &'static str, given: &str| match point
                        .untested_endpoints
                        .iter()
                        .any(|one| one == id)
                    {
                        true => format!("was given as {given}"),
                        false => seen.to_owned(),
                    };
                    let [older_given, newer_given] = match point.find {
                        Find::Regression => ["good", "bad"],
                        Find::Fix => ["bad", "good"],
                    };
                    let known = format!(
                        "{} {}, {newer} {}",
                        self.commit(older),
                        does(older, state_before(point.find), older_given),
                        does(point.newer(), state(point.find), newer_given)
                    );
                    story.details.push(("evidence", known));
                }
            }
            if summary.leaves().len() > 1 {
                story.details.push(("on", self.ends(point)));
            }
        }
        story
    }

    /// Returns one line with the runs so far and the expected runs of a search that has not finished.
    pub(super) fn progress(&self) -> String {
        let summary = self.summary;
        let runs = count(usize::try_from(summary.report.runs()).unwrap_or(usize::MAX), "run");
        let limit = summary.left.as_ref().and_then(|left| left.limit.as_ref());
        let limit = limit.map_or(String::new(), |limit| format!(" ({limit})"));
        let begin = match summary.status() {
            Status::Running => format!("Not finished after {runs}"),
            _ => format!("Stopped after {runs}{limit}"),
        };
        let left = summary.left.as_ref().map(|left| {
            let suspects = count(left.suspects, "suspect");
            match left.likely {
                Some(runs) if runs > 0 => {
                    let runs = count(usize::try_from(runs).unwrap_or(usize::MAX), "more run");
                    format!(": {suspects} left, about {runs} needed")
                }
                _ => format!(": {suspects} left"),
            }
        });
        begin + &left.unwrap_or_default()
    }

    /// Returns the story of a flake: the only bad revision failed, but not reliably.
    pub(super) fn flake(&self) -> Option<Story> {
        let [leaf] = self.summary.leaves() else { return None };
        let seen = self.summary.seen_of(leaf.replaced_by.as_deref().unwrap_or(&leaf.leaf))?;
        let Counts { pass, fail, .. } = seen.outcomes;
        let is_flake = self.summary.status() == Status::NotReproduced && pass > 0 && fail > 0;
        if !is_flake || self.summary.find() == Find::Fix {
            return None;
        }
        let runs = count(usize::try_from(pass + fail).unwrap_or(usize::MAX), "run");
        let named = self.named_end(&leaf.leaf);
        Some(Story {
            headline: format!("No culprit: the failure at {named} was probably a flake"),
            details: vec![("evidence", format!("failed in {fail} of {runs} at {}", self.end(&leaf.leaf, 0)))],
            ..Story::default()
        })
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
            Status::NotReproduced => return format!("not found: {}", self.style.words(&cause.report.message)),
            _ if cause.report.kept.is_empty() => "the test fails without any of the changes".to_owned(),
            // The whole patch is known to fail, so it is not a finding.
            status if status != Status::Found && cause.report.kept.len() == cause.changes => {
                format!("no part of its {} causes the failure alone", count(cause.changes, "change"))
            }
            _ => format!(
                "{} of {}{} {} the failure",
                cause.report.kept.len(),
                count(cause.changes, "change"),
                match cause.report.kept.len() as f64 / cause.changes as f64 {
                    part if part < 1.0 => format!(" ({})", percent(part)),
                    _ => String::new(),
                },
                match cause.report.kept.len() {
                    1 => "causes",
                    _ => "cause",
                }
            ),
        };
        let at = if places.is_empty() { String::new() } else { format!(", at {}{more}", places.join(", ")) };
        format!("{head} ({}, {runs}){at}", cause.report.guarantee.as_str())
    }

    /// Returns the bad revisions without a point.
    pub(in crate::render) fn others(&self) -> Vec<String> {
        let is_told = self.summary.points().is_empty() && (self.flake().is_some() || self.endpoint_error().is_some());
        if is_told && self.summary.leaves().len() == 1 {
            return Vec::new();
        }
        let is_shown = |leaf: &&LeafReport| leaf.points.is_empty() && leaf.result != LeafResult::Open;
        let without = self.summary.leaves().iter().filter(is_shown);
        without
            .map(|leaf| {
                let why = match leaf.result {
                    LeafResult::Open => "not finished".to_owned(),
                    LeafResult::NotReproduced => self.not_reproduced(leaf),
                    LeafResult::NoPassingRevision => {
                        format!("no {} revision found before it", outcome_before(self.summary.find()))
                    }
                    LeafResult::Untestable => "unresolved".to_owned(),
                    LeafResult::Contradictory => "flaky, the outcomes fit no culprit".to_owned(),
                    LeafResult::Searched | LeafResult::Propagated => "no culprit".to_owned(),
                };
                format!("{}: {why}", self.end(&leaf.leaf, 0))
            })
            .collect()
    }

    /// Returns the outcome of a bad revision that does not fail.
    pub(super) fn not_reproduced(&self, leaf: &LeafReport) -> String {
        let Some(seen) = self.summary.seen_of(leaf.replaced_by.as_deref().unwrap_or(&leaf.leaf)) else {
            return "not tested".to_owned();
        };
        let Counts { pass, fail, .. } = seen.outcomes;
        let find = self.summary.find();
        if fail > 0 && find == Find::Regression && (self.summary.flakiness.is_flaky || pass > 0) {
            let runs = count(usize::try_from(pass + fail).unwrap_or(usize::MAX), "run");
            return format!("failed in {fail} of {runs}, which can be a flake");
        }
        let words = match (find, seen.outcome) {
            (Find::Fix, Outcome::Pass) => "no failing revision found before it",
            (Find::Fix, _) => "does not pass",
            (Find::Regression, Outcome::Pass) => "passes",
            (Find::Regression, Outcome::Fail) => "fails in another way",
            (Find::Regression, Outcome::Unresolved) => "fails, but in another way than the options require",
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

/// Returns the outcome before the culprit, as an adjective.
fn outcome_before(find: Find) -> &'static str {
    match find {
        Find::Regression => "passing",
        Find::Fix => "failing",
    }
}

/// Inserts a place between a verb and its number of runs: `fails here (1 run)`.
fn at_place(does: &str, place: &str) -> String {
    let at = if place.is_empty() { "here".to_owned() } else { format!("at {place}") };
    match does.split_once(" (") {
        Some((verb, runs)) => format!("{verb} {at} ({runs}"),
        None => format!("{does} {at}"),
    }
}
