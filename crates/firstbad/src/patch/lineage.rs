//! Whose lines a file is made of, without the lines themselves.

use serde::{Deserialize, Serialize};

use super::model::{Hunk, Line, Sign};
use super::pieces::{Owner, Piece, Pieces};

/// How far a hunk reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    /// To its context: without what it needs, the hunk would not apply.
    #[default]
    Context,
    /// To the lines that it changes: what it needs is what it edits, wherever its context comes from.
    Touched,
}

/// A file as pieces, from the first line on. Behind the last piece come lines that nobody touched, without end: how
/// long the file is does not matter, nor what is in it.
#[derive(Debug, Clone, Default)]
pub(super) struct Lineage {
    pieces: Pieces,
}

impl Lineage {
    /// The lineage after some hunks, each with its owner and lines, in the order of the file. For each hunk `needs`
    /// gets the owners that it rests on, perhaps more than once. Takes time for the lines of the hunks, not of the file.
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

    /// Everybody who did something here.
    pub(super) fn owners(&self) -> impl Iterator<Item = Owner> + '_ {
        self.pieces.iter().filter_map(|piece| piece.owner)
    }
}

/// One pass through a file: what was, and what becomes of it.
#[derive(Debug)]
struct Walk {
    /// What is still ahead.
    old: Pieces,
    /// How many old lines are behind already.
    at: usize,
    /// Whose the last old line was.
    last: Option<Owner>,
    new: Pieces,
}

impl Walk {
    /// The owner of a removal right here, and past it.
    fn scar(&mut self) -> Option<Owner> {
        self.old.first().filter(|piece| piece.length == 0)?;
        let (piece, rest) = self.old.pop_first()?;
        self.old = rest;
        piece.owner
    }

    /// The owner of the next old line.
    fn next_owner(&self) -> Option<Owner> {
        self.old.first_with_lines().and_then(|piece| piece.owner)
    }

    /// So many lines stay, with what was removed before each of them.
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

    /// Past the next old line; whose it was.
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
                // Between two lines of one owner: without it there is no such place.
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
