//! The finding of a slice: which commits to pick, and why.

use firstbad::reduction::Guarantee;
use firstbad::slicing::change_parts;
use firstbad::{SlicerReport, Status, short, with_short_ids};

use super::{List, Story, StoryWriter, brief};
use crate::quantities::count;
use crate::slicing::{Need, not_needed};

impl StoryWriter<'_> {
    pub(super) fn of_slice(&self, report: &SlicerReport) -> Story {
        let mut story = Story { headline: self.slice_headline(report), ..Story::default() };
        let details = &mut story.details;
        let slice = self.summary.slice.as_ref();
        details.extend(slice.and_then(|slice| slice.history.as_ref()).map(|history| match &history.onto {
            Some(onto) => ("onto", self.commit(onto)),
            None => ("base", self.commit(&history.base)),
        }));
        details.extend(slice.and_then(|slice| slice.branch.as_ref()).map(|branch| {
            ("branch", format!("{} at {}", self.style.code(&branch.name), self.style.code(short(&branch.commit))))
        }));
        details.extend(slice.and_then(|slice| {
            let folder = self.style.code(&slice.patch_folder()?);
            Some(("patches", format!("{} in {folder}", slice.patches.len())))
        }));
        let picks = report.cherry_pick.as_ref().filter(|_| report.status == Status::Found);
        details.extend(picks.map(|picks| ("pick", self.style.code(&with_short_ids(picks)))));
        // The headline already names a commit that passes alone.
        let is_alone = report.status == Status::Found && report.others() == 0;
        let needs = Need::ALL.into_iter().filter(|need| *need != Need::Given || !is_alone);
        story.lists = needs.filter_map(|need| self.needed(report, need)).collect();
        let rest = not_needed(report, self.has_whole_commits(report));
        story.lists.extend(rest.map(|rest| List { label: "not needed", legend: "", entries: vec![rest] }));
        story
    }

    /// Lists the changes that a slice has for one reason.
    fn needed(&self, report: &SlicerReport, need: Need) -> Option<List> {
        let changes = report.kept.iter().zip(&report.names).filter(|(change, _)| Need::of(report, **change) == need);
        let row = |(&change, name): (&usize, &String)| {
            let (commit, part) = change_parts(name);
            let subject = self.summary.commits().get(commit).map(|commit| self.style.title(&commit.subject));
            let subject = subject.into_iter().chain((!part.is_empty()).then(|| self.style.code(part)));
            let subject = subject.collect::<Vec<_>>().join(", ");
            match report.context(change) {
                Some(other) if need == Need::Git => {
                    let context = format!("{subject}, for the context of {}", self.style.code(&brief(other)));
                    [self.style.code(short(commit)), context, String::new()]
                }
                _ => {
                    let why = report.evidence(change, |name| self.style.code(&brief(name))).unwrap_or_default();
                    [self.style.code(short(commit)), subject, why]
                }
            }
        };
        let (label, legend) = need.words(report);
        let entries = self.style.changes(changes.map(row).collect());
        (!entries.is_empty()).then_some(List { label, legend, entries })
    }

    /// Returns whether the slice consists of whole commits of a repository.
    fn has_whole_commits(&self, report: &SlicerReport) -> bool {
        let has_commits = self.summary.slice.as_ref().is_some_and(|slice| slice.history.is_some());
        has_commits && report.names.iter().all(|name| change_parts(name).1.is_empty())
    }

    /// Returns the size of a slice and its guarantee, or the reason why there is no slice.
    fn slice_headline(&self, report: &SlicerReport) -> String {
        let SlicerReport { kept, of, guarantee, .. } = report;
        if report.sizes.is_empty() || kept.is_empty() {
            return self.said(&report.message);
        }
        let what = if self.has_whole_commits(report) { "commits" } else { "changes" };
        let keeps = if report.message.contains(" passes") { "pass" } else { "failure" };
        let runs = count(usize::try_from(report.runs).unwrap_or(usize::MAX), "run");
        let are = if kept.len() == 1 { "is" } else { "are" };
        let how = format!("({}, {runs})", guarantee.as_str());
        match (report.status, guarantee) {
            (Status::Found, _) if !report.always.is_empty() => self.pick_headline(report, &runs),
            (Status::Found, Guarantee::BestSoFar) => {
                format!("{} of {of} {what} {are} enough for the {keeps} {how}", kept.len())
            }
            (Status::Found, _) => format!("{} of {of} {what} {are} needed for the {keeps} {how}", kept.len()),
            _ => format!("{} of {of} {what} {are} left after {runs}", kept.len()),
        }
    }

    /// Returns which other commits a commit needs, by the numbers of their pull requests if all are known.
    fn pick_headline(&self, report: &SlicerReport, runs: &str) -> String {
        let named = |is_given: bool| {
            let changes = report.kept.iter().zip(&report.names);
            let own = changes.filter(move |(change, _)| report.always.contains(change) == is_given);
            let mut names: Vec<&str> = own.map(|(_, name)| change_parts(name).0).collect();
            names.dedup();
            names
        };
        let (given, others) = (named(true), named(false));
        let given: Vec<String> = given.into_iter().map(|commit| self.commit(commit)).collect();
        let given = given.join(", ");
        if others.is_empty() {
            return format!("{given} passes alone ({runs})");
        }
        let requests: Option<Vec<String>> =
            others.iter().map(|commit| self.summary.commits().get(*commit)?.request()).collect();
        let needs = requests.map_or_else(
            || count(others.len(), "other commit"),
            |mut requests| {
                requests.dedup();
                requests.join(", ")
            },
        );
        format!("{given} needs {needs} ({}, {runs})", report.guarantee.as_str())
    }
}
