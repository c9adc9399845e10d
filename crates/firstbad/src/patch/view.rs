//! Views of a patch: files, hunks, lines, and changes by number.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Patch;
use super::kind::ChangeKind;
use super::model::{self, Sign, Step};

/// One change, as a row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change<'a> {
    /// The number of the change in the patch, from 0.
    pub index: usize,
    /// The number of the file in the patch, from 0.
    pub file: usize,
    /// The number of the hunk in the file, from 0. It is empty for header changes and binary files.
    pub hunk: Option<usize>,
    /// The kind of the change.
    pub kind: ChangeKind,
    /// The path of the file. For a deleted file, this is the old path.
    pub path: &'a [u8],
    /// The line without its sign and line end. For a header change, a description (`100644 -> 100755`).
    pub text: Cow<'a, [u8]>,
    /// The line number, from 1: in the old file for a removed line, and in the new file for an added line.
    pub line: Option<usize>,
}

/// The part of a patch about one file.
#[derive(Debug, Clone, Copy)]
pub struct FilePatch<'a> {
    patch: &'a Patch,
    index: usize,
}

/// A hunk of a file.
#[derive(Debug, Clone, Copy)]
pub struct Hunk<'a> {
    patch: &'a Patch,
    index: usize,
}

/// The kind of a line in a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineKind {
    /// A line in both files.
    Context,
    /// A line only in the old file.
    Removed,
    /// A line only in the new file.
    Added,
}

/// A line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// The kind of the line.
    pub kind: LineKind,
    /// The content of the line in the file, with its line end if it has one.
    pub content: &'a [u8],
    /// The number of the change. It is empty for context.
    pub change: Option<usize>,
}

impl Patch {
    /// Returns the files in the order of the patch. A file can occur more than once, for example if its type changes or if
    /// the text contains several patches.
    pub fn files(&self) -> impl ExactSizeIterator<Item = FilePatch<'_>> + Clone {
        (0..self.sections.len()).map(|index| FilePatch { patch: self, index })
    }

    /// Returns the file with this number.
    #[must_use]
    pub fn file(&self, index: usize) -> Option<FilePatch<'_>> {
        (index < self.sections.len()).then_some(FilePatch { patch: self, index })
    }

    /// Returns the change with this number.
    #[must_use]
    pub fn change(&self, index: usize) -> Option<Change<'_>> {
        self.changes.get(index).map(|place| self.change_at(index, place))
    }

    fn change_at(&self, index: usize, place: &model::Place) -> Change<'_> {
        let section = &self.sections[place.file];
        let hunk = place.line.map(|(hunk, _)| hunk - section.hunks.start);
        let (text, line) = match place.line {
            Some((_, line)) => (Cow::Borrowed(self.bare(line)), Some(self.lines[line].number)),
            None => (section.in_words(place.kind), None),
        };
        let path = section.path();
        Change { index, file: place.file, hunk, kind: place.kind, path, text, line }
    }

    /// Returns all changes in order.
    pub fn changes(&self) -> impl ExactSizeIterator<Item = Change<'_>> + Clone {
        self.changes.iter().enumerate().map(|(index, place)| self.change_at(index, place))
    }

    fn bare(&self, line: usize) -> &[u8] {
        super::scan::trimmed(&self.text[self.lines[line].content.clone()])
    }
}

impl model::Section {
    pub(super) fn path(&self) -> &[u8] {
        if self.step == Step::Deleted { &self.old.path } else { &self.new.path }
    }

    fn in_words(&self, kind: ChangeKind) -> Cow<'_, [u8]> {
        match (kind, self.mode) {
            (ChangeKind::Mode, Some((old, new))) => Cow::Owned(format!("{old:o} -> {new:o}").into_bytes()),
            (ChangeKind::Rename | ChangeKind::Copy, _) => {
                Cow::Owned([&self.old.path[..], b" -> ", &self.new.path].concat())
            }
            _ => Cow::Borrowed(self.path()),
        }
    }
}

impl<'a> FilePatch<'a> {
    fn section(self) -> &'a model::Section {
        &self.patch.sections[self.index]
    }

    /// Returns the number of the file in the patch, from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.index
    }

    /// Returns the path before the patch without Git's `a/`, or `None` for a new file.
    #[must_use]
    pub fn old_path(self) -> Option<&'a [u8]> {
        let section = self.section();
        (section.step != Step::Created).then_some(&section.old.path)
    }

    /// Returns the path after the patch without Git's `b/`, or `None` for a deleted file.
    #[must_use]
    pub fn new_path(self) -> Option<&'a [u8]> {
        let section = self.section();
        (section.step != Step::Deleted).then_some(&section.new.path)
    }

    /// Returns the new path, or the old path of a deleted file.
    #[must_use]
    pub fn path(self) -> &'a [u8] {
        self.section().path()
    }

    /// Returns [`FilePatch::path`] as text, replacing bytes that are not UTF-8.
    #[must_use]
    pub fn name(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.path())
    }

    /// Returns the kinds of header changes: a mode, or one of creation, deletion, rename, and copy, or both, or none.
    pub fn header(self) -> impl Iterator<Item = ChangeKind> + 'a {
        let section = self.section();
        section.mode.map(|_| ChangeKind::Mode).into_iter().chain(section.step.kind())
    }

    /// Returns the numbers of the file's changes.
    #[must_use]
    pub fn changes(self) -> Range<usize> {
        self.section().changes.clone()
    }

    /// Returns whether the content is binary. It has one change, or none if only the header changes.
    #[must_use]
    pub fn is_binary(self) -> bool {
        self.section().binary.is_some()
    }

    /// Returns the hunks in order.
    pub fn hunks(self) -> impl ExactSizeIterator<Item = Hunk<'a>> + Clone {
        self.section().hunks.clone().map(move |index| Hunk { patch: self.patch, index })
    }
}

impl<'a> Hunk<'a> {
    fn hunk(self) -> &'a model::Hunk {
        &self.patch.hunks[self.index]
    }

    /// Returns the start and the count on the old side of the `@@` line. If the count is 0, the start is the line before.
    #[must_use]
    pub fn old_span(self) -> (usize, usize) {
        (self.hunk().position.old_start, self.hunk().position.old_count)
    }

    /// Returns the start and the count on the new side.
    #[must_use]
    pub fn new_span(self) -> (usize, usize) {
        (self.hunk().position.new_start, self.hunk().position.new_count)
    }

    /// Returns the text after the second `@@`, for which Git uses the name of the function.
    #[must_use]
    pub fn heading(self) -> &'a [u8] {
        super::scan::trimmed(&self.patch.text[self.hunk().tail.clone()]).trim_ascii()
    }

    /// Returns the numbers of the hunk's changes.
    #[must_use]
    pub fn changes(self) -> Range<usize> {
        self.hunk().changes.clone()
    }

    /// Returns the lines in order.
    pub fn lines(self) -> impl ExactSizeIterator<Item = Line<'a>> + Clone {
        self.patch.lines[self.hunk().lines.clone()].iter().map(move |line| {
            let (kind, change) = match line.sign {
                Sign::Context => (LineKind::Context, None),
                Sign::Removed => (LineKind::Removed, Some(line.change)),
                Sign::Added => (LineKind::Added, Some(line.change)),
            };
            Line { kind, content: self.patch.content(line), change }
        })
    }
}

impl Patch {
    /// Returns a line's content, which is empty for a context line that lost its space.
    pub(super) fn content(&self, line: &model::Line) -> &[u8] {
        &self.text[line.content.clone()]
    }
}
