//! How a patch is kept: its text as it came, and where in it files, hunks, lines and changes are.

use std::ops::Range;

use super::ChangeKind;

/// What a file's header does to it, besides its mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Modified,
    Created,
    Deleted,
    Renamed,
    Copied,
}

impl Step {
    /// The change that it counts as.
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

/// One line of a file's header.
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
    /// As the header has it, with its prefix and without quotes. If the file does not exist on this side, the
    /// name that it would have.
    pub(super) shown: Vec<u8>,
    /// Without the prefix.
    pub(super) path: Vec<u8>,
}

impl Side {
    /// What stands before the path.
    pub(super) fn prefix(&self) -> &[u8] {
        self.shown.strip_suffix(self.path.as_slice()).unwrap_or_default()
    }
}

/// The part of a patch about one file.
#[derive(Debug, Clone)]
pub(super) struct Section {
    pub(super) range: Range<usize>,
    pub(super) header: Vec<(Field, Range<usize>)>,
    /// Made by `diff -u`, without a `diff --git` line.
    pub(super) plain: bool,
    pub(super) old: Side,
    pub(super) new: Side,
    pub(super) step: Step,
    /// The mode before and after, as written.
    pub(super) mode: Option<(u32, u32)>,
    /// A symbolic link or a submodule: half of its content would be none.
    pub(super) indivisible: bool,
    pub(super) hunks: Range<usize>,
    pub(super) changes: Range<usize>,
    pub(super) binary: Option<Binary>,
}

impl Section {
    /// The number of the change of mode.
    pub(super) fn mode_change(&self) -> Option<usize> {
        self.mode.map(|_| self.changes.start)
    }

    /// The number of the creation, deletion, rename or copy.
    pub(super) fn step_change(&self) -> Option<usize> {
        self.step.kind().map(|_| self.changes.start + usize::from(self.mode.is_some()))
    }

    /// The numbers of the lines, or of the binary content.
    pub(super) fn content(&self) -> Range<usize> {
        let header = usize::from(self.mode.is_some()) + usize::from(self.step.kind().is_some());
        self.changes.start + header..self.changes.end
    }

    /// Whether the two sides have different names and no header line says why (`git diff --no-index`).
    pub(super) fn two_names(&self) -> bool {
        self.step == Step::Modified && self.old.path != self.new.path
    }
}

/// The content of a binary file.
#[derive(Debug, Clone)]
pub(super) struct Binary {
    pub(super) range: Range<usize>,
    /// What makes the new content; `None` if the patch only says that the files differ.
    pub(super) forward: Option<Blob>,
    /// What makes the old content of the new one.
    pub(super) reverse: Option<Blob>,
}

/// One `literal` or `delta` block.
#[derive(Debug, Clone)]
pub(super) struct Blob {
    pub(super) delta: bool,
    /// The number of bytes that it unpacks to.
    pub(super) size: usize,
    pub(super) data: Range<usize>,
}

/// One hunk.
#[derive(Debug, Clone)]
pub(super) struct Hunk {
    pub(super) file: usize,
    /// Its `@@` line.
    pub(super) header: Range<usize>,
    /// What follows the second `@@`, with the line end.
    pub(super) tail: Range<usize>,
    pub(super) position: Position,
    /// The numbers of its lines in [`super::Patch::lines`].
    pub(super) lines: Range<usize>,
    pub(super) changes: Range<usize>,
}

/// Where a hunk stands, as in its header. A start is the line before if the count is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) old_start: usize,
    pub(super) old_count: usize,
    pub(super) new_start: usize,
    pub(super) new_count: usize,
}

/// What a line of a hunk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Context,
    Removed,
    Added,
}

/// One line of a hunk.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) sign: Sign,
    /// Whether `\ No newline at end of file` follows.
    pub(super) open: bool,
    /// The line with its sign and line end, and with the `\` line if there is one.
    pub(super) range: Range<usize>,
    /// The content behind the sign, without the line end that the file does not have.
    pub(super) content: Range<usize>,
    /// Its number as a change, or of the next change if it is context.
    pub(super) change: usize,
    /// Its number in the new file if it is added, else in the old one.
    pub(super) number: usize,
}

/// Where a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) kind: ChangeKind,
    pub(super) file: usize,
    /// The number of the hunk in the patch, and of the line in the patch's lines.
    pub(super) line: Option<(usize, usize)>,
}
