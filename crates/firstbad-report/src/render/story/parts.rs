//! Findings of a reduction and of a slice.

use firstbad::reduction::Guarantee;
use firstbad::slicing::change_parts;
use firstbad::{ChangeSet, Report, SlicerReport, Status, short};

use super::{Block, Story, StoryWriter, brief, share};
use crate::quantities::count;
use crate::summary::{Reduced, ReducedFile};

impl StoryWriter<'_> {
    pub(super) fn of_reduction(&self, reduced: &Reduced) -> Story {
        let set = |indices: &[usize]| {
            let set: ChangeSet = indices.iter().copied().collect();
            self.style.code(&set.to_string())
        };
        let mut story = Story { headline: self.summary.message().to_owned(), ..Story::default() };
        let (kept, difference, guarantee) = match &self.summary.report {
            Report::Minimize(report) => (&report.kept, None, report.guarantee),
            Report::Isolate(report) => (&report.kept, Some(&report.difference), report.guarantee),
            _ => return story,
        };
        if self.summary.status() != Status::NotReproduced {
            story.details.push(("kept", if kept.is_empty() { "nothing".to_owned() } else { set(kept) }));
            story.details.extend(difference.map(|apart| ("difference", set(apart))));
            story.details.push(("guarantee", guarantee.as_str().to_owned()));
        }
        for (what, sizes) in [("lines", reduced.lines), ("bytes", reduced.sizes)] {
            if let Some([before, after]) = sizes {
                story.details.push((what, format!("{after} of {before} ({})", share(after, before))));
            }
        }
        if !reduced.files.is_empty() {
            let sizes = reduced.files.iter().map(|file| {
                let ReducedFile { name, lines, sizes, .. } = file;
                let name = self.style.code(name);
                format!("{name}: {} of {} lines, {} of {} bytes", lines[1], lines[0], sizes[1], sizes[0])
            });
            story.list = Some(("files", sizes.collect()));
        }
        let kind = if reduced.is_patch { "diff" } else { "" };
        let block = |name: String, text: &String| Block { name, kind, text: text.clone() };
        story.blocks.extend(reduced.text.iter().map(|text| block(String::new(), text)));
        for ReducedFile { name, text, .. } in &reduced.files {
            story.blocks.extend(text.iter().map(|text| block(self.style.code(name), text)));
        }
        story
    }

    pub(super) fn of_slice(&self, report: &SlicerReport) -> Story {
        let mut story = Story { headline: self.slice_headline(report), ..Story::default() };
        let details = &mut story.details;
        let slice = self.summary.slice.as_ref();
        details
            .extend(slice.and_then(|slice| slice.history.as_ref()).map(|history| ("base", self.commit(&history.base))));
        details.extend(slice.and_then(|slice| slice.branch.as_ref()).map(|branch| {
            ("branch", format!("{} at {}", self.style.code(&branch.name), self.style.code(short(&branch.commit))))
        }));
        details.extend(slice.and_then(|slice| {
            let folder = self.style.code(&slice.patch_folder()?);
            Some(("patches", format!("{} in {folder}", slice.patches.len())))
        }));
        let row = |(&change, name): (&usize, &String)| {
            let (commit, part) = change_parts(name);
            let subject = self.summary.commits().get(commit).map(|commit| self.style.title(&commit.subject));
            let subject = subject.into_iter().chain((!part.is_empty()).then(|| self.style.code(part)));
            let why = report.evidence(change, |name| self.style.code(&brief(name)));
            [self.style.code(short(commit)), subject.collect::<Vec<_>>().join(", "), why.unwrap_or_default()]
        };
        let needed = self.style.changes(report.kept.iter().zip(&report.names).map(row).collect());
        story.list = Some(("", needed)).filter(|(_, needed)| !needed.is_empty());
        story
    }

    /// Returns the size of a slice and its guarantee, or the reason why there is no slice.
    fn slice_headline(&self, report: &SlicerReport) -> String {
        let SlicerReport { kept, names, of, guarantee, .. } = report;
        if report.sizes.is_empty() || kept.is_empty() {
            return self.said(&report.message);
        }
        let has_commits = self.summary.slice.as_ref().is_some_and(|slice| slice.history.is_some());
        let is_whole = names.iter().all(|name| change_parts(name).1.is_empty());
        let what = if has_commits && is_whole { "commits" } else { "changes" };
        let keeps = if report.message.contains(" passes") { "pass" } else { "failure" };
        let runs = count(usize::try_from(report.runs).unwrap_or(usize::MAX), "run");
        let are = if kept.len() == 1 { "is" } else { "are" };
        match (report.status, guarantee) {
            (Status::Found, Guarantee::BestSoFar) => {
                format!("{} of {of} {what} {are} enough for the {keeps} ({}, {runs})", kept.len(), guarantee.as_str())
            }
            (Status::Found, _) => {
                format!("{} of {of} {what} {are} needed for the {keeps} ({}, {runs})", kept.len(), guarantee.as_str())
            }
            _ => format!("{} of {of} {what} {are} left after {runs}", kept.len()),
        }
    }
}
