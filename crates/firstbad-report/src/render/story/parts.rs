//! Findings of a reduction and of a slice.

use firstbad::slicing::change_parts;
use firstbad::{ChangeSet, Report, SlicerReport, Status, short};

use super::{Block, Story, StoryWriter, brief, share};
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
            story.details.push(("sure", guarantee.as_str().to_owned()));
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
        let status = report.status.as_str().replace('_', " ");
        let mut story = Story { headline: format!("{status}: {}", report.message), ..Story::default() };
        let details = &mut story.details;
        let slice = self.summary.slice.as_ref();
        details
            .extend(slice.and_then(|slice| slice.history.as_ref()).map(|history| ("base", self.commit(&history.base))));
        if report.status != Status::NotReproduced && report.status != Status::Untestable {
            details.push(("sure", report.guarantee.as_str().to_owned()));
        }
        details.extend(slice.and_then(|slice| slice.branch.as_ref()).map(|branch| {
            ("branch", format!("{} at {}", self.style.code(&branch.name), self.style.code(short(&branch.commit))))
        }));
        details.extend(slice.and_then(|slice| {
            let folder = self.style.code(&slice.patch_folder()?);
            Some(("patches", format!("{} in {folder}", slice.patches.len())))
        }));
        let needed = report.kept.iter().zip(&report.names).map(|(&change, name)| {
            let why = report.evidence(change, |name| self.style.code(&brief(name)));
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
