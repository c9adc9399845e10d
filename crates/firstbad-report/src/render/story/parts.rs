//! Findings of a reduction.

use firstbad::{ChangeSet, Report, Status};

use super::{Block, List, Story, StoryWriter, share};
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
            story.lists = List::new("files", sizes.collect());
        }
        let kind = if reduced.is_patch { "diff" } else { "" };
        let block = |name: String, text: &String| Block { name, kind, text: text.clone() };
        story.blocks.extend(reduced.text.iter().map(|text| block(String::new(), text)));
        for ReducedFile { name, text, .. } in &reduced.files {
            story.blocks.extend(text.iter().map(|text| block(self.style.code(name), text)));
        }
        story
    }
}
