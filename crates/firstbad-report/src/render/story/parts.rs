//! Findings of a reduction and of a slice.

use firstbad::slicing::change_parts;
use firstbad::{ChangeSet, Report, Status, short};

use super::{Block, Story, StoryWriter, brief, share};
use crate::summary::{Reduced, ReducedFile, Sliced};

impl StoryWriter<'_> {
    pub(super) fn of_reduction(&self, reduced: &Reduced) -> Story {
        let set = |indices: &[usize]| {
            let set: ChangeSet = indices.iter().copied().collect();
            self.style.code(&set.to_string())
        };
        let mut story = Story { headline: self.summary.message.clone(), ..Story::default() };
        if self.summary.status != Status::NotReproduced {
            story
                .details
                .push(("kept", if reduced.kept.is_empty() { "nothing".to_owned() } else { set(&reduced.kept) }));
            story.details.extend(reduced.difference.as_ref().map(|apart| ("difference", set(apart))));
            story.details.push(("sure", reduced.guarantee.as_str().to_owned()));
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

    pub(super) fn of_slice(&self, sliced: &Sliced) -> Story {
        let report = &sliced.report;
        let status = report.status.as_str().replace('_', " ");
        let mut story = Story { headline: format!("{status}: {}", report.message), ..Story::default() };
        let details = &mut story.details;
        details.extend(sliced.history.iter().map(|history| ("base", self.commit(&history.base))));
        if report.status != Status::NotReproduced && report.status != Status::Untestable {
            details.push(("sure", report.guarantee.as_str().to_owned()));
        }
        details.extend(report.warnings.iter().map(|warning| ("warning", self.said(warning))));
        details.extend(sliced.branch.iter().map(|branch| {
            ("branch", format!("{} at {}", self.style.code(&branch.name), self.style.code(short(&branch.commit))))
        }));
        details.extend(
            sliced
                .patch_folder()
                .map(|folder| ("patches", format!("{} in {}", sliced.patches.len(), self.style.code(&folder)))),
        );
        // The summary's own has no observations, which say which run it was.
        let seen = match &self.summary.report {
            Report::Slice(whole) => whole,
            _ => report,
        };
        let needed = report.kept.iter().zip(&report.names).map(|(&change, name)| {
            let why = seen.evidence(change, |name| self.style.code(&brief(name)));
            format!("{}{}", self.change(name), why.map(|why| format!(": {why}")).unwrap_or_default())
        });
        story.list = Some(("slice", needed.collect::<Vec<_>>())).filter(|(_, needed)| !needed.is_empty());
        story
    }

    /// A change of a history: its commit, and which part of it.
    pub(super) fn change(&self, name: &str) -> String {
        let (commit, part) = change_parts(name);
        let part = if part.is_empty() { String::new() } else { format!(", {}", self.style.code(part)) };
        format!("{}{part}", self.commit(commit))
    }
}
