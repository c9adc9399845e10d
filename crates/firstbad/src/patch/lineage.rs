//! The origin of each line of a file, without the lines themselves.

use serde::{Deserialize, Serialize};

use super::model::{Hunk, Line, Sign};
use super::pieces::{Owner, Piece, Pieces};

/// The part of a hunk that determines its dependencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    /// The changed lines and their context. Without its dependencies, the hunk would not apply.
    #[default]
    Context,
    /// Only the changed lines. The hunk depends on the hunks whose lines it edits, regardless of its context.
    Touched,
}

/// The pieces of a file from the first line on. After the last piece, the file continues with unowned lines, so neither its
/// length nor its content matters.
#[derive(Debug, Clone, Default)]
pub(super) struct Lineage {
    pieces: Pieces,
}

impl Lineage {
    /// Applies hunks in the order of the file, each with its owner and lines, and returns the new lineage.
    ///
    /// `needs` receives the owners that each hunk depends on, with possible repetitions. The time depends on the hunks'
    /// lines, not on the length of the file.
    pub(super) fn after<'a>(
        &self,
        hunks: impl Iterator<Item = (Owner, &'a Hunk, &'a [Line])>,
        reach: Reach,
        mut needs: impl FnMut(Owner, Owner),
    ) -> Lineage {
        let mut walk = Walk { old: self.pieces.clone(), at: 0, last: None, new: Pieces::default() };
        for (owner, hunk, lines) in hunks {
            // If the old count is 0, the start is the line before.
            let start =
                hunk.position.old_start - usize::from(hunk.position.old_count > 0 && hunk.position.old_start > 0);
            walk.copy(start.saturating_sub(walk.at));
            walk.hunk(owner, lines, reach, |needed| needs(owner, needed));
        }
        walk.finish()
    }

    /// Returns all owners of lines and removals.
    pub(super) fn owners(&self) -> impl Iterator<Item = Owner> + '_ {
        self.pieces.iter().filter_map(|piece| piece.owner)
    }
}

/// One pass through a file, from the old pieces to the new ones.
#[derive(Debug)]
struct Walk {
    /// The pieces that are still ahead.
    old: Pieces,
    /// The number of old lines that were passed.
    at: usize,
    /// The owner of the last old line.
    last: Option<Owner>,
    new: Pieces,
}

impl Walk {
    /// Consumes a removal at the current position and returns its owner.
    fn scar(&mut self) -> Option<Owner> {
        self.old.first().filter(|piece| piece.length == 0)?;
        let (piece, rest) = self.old.pop_first()?;
        self.old = rest;
        piece.owner
    }

    fn next_owner(&self) -> Option<Owner> {
        self.old.first_with_lines().and_then(|piece| piece.owner)
    }

    /// Keeps `count` lines, with the removals before each of them.
    fn copy(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        let (same, rest) = self.old.split(count);
        let beyond = count - same.lines();
        self.new.append(&same);
        if beyond > 0 {
            self.new.push(Piece { owner: None, length: beyond });
        }
        self.last = if beyond > 0 { None } else { same.last().and_then(|piece| piece.owner) };
        self.old = rest;
        self.at += count;
    }

    /// Consumes the next old line and returns its owner.
    fn line(&mut self) -> Option<Owner> {
        let (_, rest) = self.old.split(1);
        self.last = self.next_owner();
        self.old = rest;
        self.at += 1;
        self.last
    }

    fn hunk(&mut self, owner: Owner, lines: &[Line], reach: Reach, mut needs: impl FnMut(Owner)) {
        let all = reach == Reach::Context;
        let mut changed_before = false;
        for line in lines {
            let changed = line.sign != Sign::Context;
            if line.sign == Sign::Added {
                // This position exists only between two lines of the same owner.
                if let Some(around) = self.last.filter(|&last| Some(last) == self.next_owner()) {
                    needs(around);
                }
                self.new.push(Piece { owner: Some(owner), length: 1 });
                changed_before = true;
                continue;
            }
            self.scars(all || changed || changed_before, &mut needs);
            let before = self.line();
            if let Some(needed) = before.filter(|_| all || changed) {
                needs(needed);
            }
            if changed {
                self.new.push(Piece { owner: Some(owner), length: 0 });
            } else {
                self.new.push(Piece { owner: before, length: 1 });
            }
            changed_before = changed;
        }
        self.scars(all || changed_before, &mut needs);
    }

    fn scars(&mut self, needed: bool, needs: &mut impl FnMut(Owner)) {
        while let Some(scar) = self.scar() {
            if needed {
                needs(scar);
            }
            self.new.push(Piece { owner: Some(scar), length: 0 });
        }
    }

    fn finish(mut self) -> Lineage {
        self.new.append(&self.old);
        self.new.trim();
        Lineage { pieces: self.new }
    }
}
