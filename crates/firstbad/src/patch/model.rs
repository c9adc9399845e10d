//! The internal representation of a patch: its text, and the positions of files, hunks, lines, and changes.

use std::ops::Range;

use super::ChangeKind;

/// The effect of a file's header, besides its mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Modified,
    Created,
    Deleted,
    Renamed,
    Copied,
}

impl Step {
    pub(super) fn kind(self) -> Option<ChangeKind> {
        match self {
            Step::Modified => None,
            Step::Created => Some(ChangeKind::Creation),
            Step::Deleted => Some(ChangeKind::Deletion),
            Step::Renamed => Some(ChangeKind::Rename),
            Step::Copied => Some(ChangeKind::Copy),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Git,
    OldMode,
    NewMode,
    Deleted,
    Created,
    CopyFrom,
    CopyTo,
    RenameFrom,
    RenameTo,
    Similarity,
    Dissimilarity,
    Index,
    OldName,
    NewName,
}

/// A file's name on one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Side {
    /// The name in the header, with its prefix and unquoted. If the file does not exist on this side, the name it would
    /// have.
    pub(super) shown: Vec<u8>,
    /// The name without its prefix.
    pub(super) path: Vec<u8>,
}

impl Side {
    pub(super) fn prefix(&self) -> &[u8] {
        self.shown.strip_suffix(self.path.as_slice()).unwrap_or_default()
    }
}

/// The part of a patch about one file.
#[derive(Debug, Clone)]
pub(super) struct Section {
    pub(super) range: Range<usize>,
    pub(super) header: Vec<(Field, Range<usize>)>,
    /// Whether `diff -u` wrote it, without a `diff --git` line.
    pub(super) plain: bool,
    pub(super) old: Side,
    pub(super) new: Side,
    pub(super) step: Step,
    /// The mode before and after, as written.
    pub(super) mode: Option<(u32, u32)>,
    /// Whether it is a symbolic link or a submodule, whose content cannot be split.
    pub(super) indivisible: bool,
    pub(super) hunks: Range<usize>,
    pub(super) changes: Range<usize>,
    pub(super) binary: Option<Binary>,
}

impl Section {
    pub(super) fn mode_change(&self) -> Option<usize> {
        self.mode.map(|_| self.changes.start)
    }

    /// Returns the number of the creation, deletion, rename, or copy.
    pub(super) fn step_change(&self) -> Option<usize> {
        self.step.kind().map(|_| self.changes.start + usize::from(self.mode.is_some()))
    }

    /// Returns the numbers of the lines, or of the binary content.
    pub(super) fn content(&self) -> Range<usize> {
        let header = usize::from(self.mode.is_some()) + usize::from(self.step.kind().is_some());
        self.changes.start + header..self.changes.end
    }

    /// Returns whether the names of the two sides differ without a header line for it (`git diff --no-index`).
    pub(super) fn two_names(&self) -> bool {
        self.step == Step::Modified && self.old.path != self.new.path
    }
}

/// The content of a binary file.
#[derive(Debug, Clone)]
pub(super) struct Binary {
    pub(super) range: Range<usize>,
    /// The change to the new content, or `None` if the patch only says that the files differ.
    pub(super) forward: Option<Blob>,
    /// The change back to the old content.
    pub(super) reverse: Option<Blob>,
}

/// One `literal` or `delta` block.
#[derive(Debug, Clone)]
pub(super) struct Blob {
    pub(super) delta: bool,
    /// The number of unpacked bytes.
    pub(super) size: usize,
    pub(super) data: Range<usize>,
}

#[derive(Debug, Clone)]
pub(super) struct Hunk {
    pub(super) file: usize,
    /// The `@@` line.
    pub(super) header: Range<usize>,
    /// The text after the second `@@`, with the line end.
    pub(super) tail: Range<usize>,
    pub(super) position: Position,
    /// The indices of the hunk's lines in [`super::Patch::lines`].
    pub(super) lines: Range<usize>,
    pub(super) changes: Range<usize>,
}

/// The position in a hunk's header. If a count is 0, the start is the line before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) old_start: usize,
    pub(super) old_count: usize,
    pub(super) new_start: usize,
    pub(super) new_count: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Context,
    Removed,
    Added,
}

#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) sign: Sign,
    /// Whether `\ No newline at end of file` follows.
    pub(super) open: bool,
    /// The line with its sign and line end, and with any `\` line.
    pub(super) range: Range<usize>,
    /// The content after the sign, without a line end that the file does not have.
    pub(super) content: Range<usize>,
    /// The number of the change, or for context, of the next change.
    pub(super) change: usize,
    /// The line number in the new file if it is added, and otherwise in the old one.
    pub(super) number: usize,
}

/// The position of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) kind: ChangeKind,
    pub(super) file: usize,
    /// The number of the hunk in the patch, and of the line in the patch's lines.
    pub(super) line: Option<(usize, usize)>,
}
