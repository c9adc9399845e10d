//! What can be seen of a patch: its files, their hunks and lines, and each change by its number.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Patch;
use super::kind::ChangeKind;
use super::model::{self, Sign, Step};

/// One change, as a row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change<'a> {
    /// Its number in the patch.
    pub index: usize,
    /// The number of its file in the patch, from 0.
    pub file: usize,
    /// The number of its hunk in the file, from 0; nothing for header changes and binary files.
    pub hunk: Option<usize>,
    /// What it does.
    pub kind: ChangeKind,
    /// The file's path: the new one, or the old one of a deleted file.
    pub path: &'a [u8],
    /// The line without its sign and line end; for header changes what changes in words (`100644 -> 100755`).
    pub text: Cow<'a, [u8]>,
    /// The number of the line, from 1: of a removed line in the old file, of an added one in the new file.
    pub line: Option<usize>,
}

/// The part of a patch about one file.
#[derive(Debug, Clone, Copy)]
pub struct FilePatch<'a> {
    patch: &'a Patch,
    index: usize,
}

/// One hunk.
#[derive(Debug, Clone, Copy)]
pub struct Hunk<'a> {
    patch: &'a Patch,
    index: usize,
}

/// What a line of a hunk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineKind {
    /// In both files.
    Context,
    /// In the old file only.
    Removed,
    /// In the new file only.
    Added,
}

/// One line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// What it is.
    pub kind: LineKind,
    /// Its content as in the file, with its line end if it has one.
    pub content: &'a [u8],
    /// Its number as a change; nothing for context.
    pub change: Option<usize>,
}

impl Patch {
    /// The files, in the order of the patch. A file may stand there more than once (a deletion and a creation where
    /// its type changes, or several patches in one text).
    pub fn files(&self) -> impl ExactSizeIterator<Item = FilePatch<'_>> + Clone {
        (0..self.sections.len()).map(|index| FilePatch { patch: self, index })
    }

    /// The file with this number.
    #[must_use]
    pub fn file(&self, index: usize) -> Option<FilePatch<'_>> {
        (index < self.sections.len()).then_some(FilePatch { patch: self, index })
    }

    /// The change with this number.
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

    /// All changes, in order.
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

    /// Its number in the patch, from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.index
    }

    /// The path before, without git's `a/`; nothing for a new file.
    #[must_use]
    pub fn old_path(self) -> Option<&'a [u8]> {
        let section = self.section();
        (section.step != Step::Created).then_some(&section.old.path)
    }

    /// The path after, without git's `b/`; nothing for a deleted file.
    #[must_use]
    pub fn new_path(self) -> Option<&'a [u8]> {
        let section = self.section();
        (section.step != Step::Deleted).then_some(&section.new.path)
    }

    /// The new path, or the old one of a deleted file.
    #[must_use]
    pub fn path(self) -> &'a [u8] {
        self.section().path()
    }

    /// [`FilePatch::path`] as text; bytes that are not UTF-8 are replaced.
    #[must_use]
    pub fn name(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.path())
    }

    /// What its header changes: nothing, a mode, one of creation, deletion, rename and copy, or both.
    pub fn header(self) -> impl Iterator<Item = ChangeKind> + 'a {
        let section = self.section();
        section.mode.map(|_| ChangeKind::Mode).into_iter().chain(section.step.kind())
    }

    /// The numbers of its changes.
    #[must_use]
    pub fn changes(self) -> Range<usize> {
        self.section().changes.clone()
    }

    /// Whether its content is binary: one change, or none where only the header changes.
    #[must_use]
    pub fn is_binary(self) -> bool {
        self.section().binary.is_some()
    }

    /// Its hunks, in order.
    pub fn hunks(self) -> impl ExactSizeIterator<Item = Hunk<'a>> + Clone {
        self.section().hunks.clone().map(move |index| Hunk { patch: self.patch, index })
    }
}

impl<'a> Hunk<'a> {
    fn hunk(self) -> &'a model::Hunk {
        &self.patch.hunks[self.index]
    }

    /// Start and count on the old side, as in the `@@` line; with a count of 0 the start is the line before.
    #[must_use]
    pub fn old_span(self) -> (usize, usize) {
        (self.hunk().position.old_start, self.hunk().position.old_count)
    }

    /// Start and count on the new side.
    #[must_use]
    pub fn new_span(self) -> (usize, usize) {
        (self.hunk().position.new_start, self.hunk().position.new_count)
    }

    /// The text behind the second `@@`: git puts the function's name there.
    #[must_use]
    pub fn heading(self) -> &'a [u8] {
        super::scan::trimmed(&self.patch.text[self.hunk().tail.clone()]).trim_ascii()
    }

    /// The numbers of its changes.
    #[must_use]
    pub fn changes(self) -> Range<usize> {
        self.hunk().changes.clone()
    }

    /// Its lines, in order.
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
    /// A line's content; a context line that lost its space is empty.
    pub(super) fn content(&self, line: &model::Line) -> &[u8] {
        &self.text[line.content.clone()]
    }
}
