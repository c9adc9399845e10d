//! Whose lines a file is made of, without the lines themselves.

use serde::{Deserialize, Serialize};

use super::model::{Hunk, Line, Sign};

/// Who did something: a number that the caller knows.
pub(super) type Owner = u32;

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

/// So many lines of one owner, or with a length of 0 a place where the owner removed lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    owner: Option<Owner>,
    length: usize,
}

/// A file as pieces, from the first line on. Behind the last piece come lines that nobody touched, without end: how
/// long the file is does not matter, nor what is in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Lineage {
    pieces: Vec<Piece>,
}

impl Lineage {
    /// The lineage after some hunks, each with its owner and lines, in the order of the file. For each hunk `needs`
    /// gets the owners that it rests on, perhaps more than once.
    pub(super) fn after<'a>(
        &self,
        hunks: impl Iterator<Item = (Owner, &'a Hunk, &'a [Line])>,
        reach: Reach,
        mut needs: impl FnMut(Owner, Owner),
    ) -> Lineage {
        let mut walk = Walk { old: &self.pieces, used: 0, at: 0, last: None, new: Lineage::default() };
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

    fn push(&mut self, owner: Option<Owner>, length: usize) {
        match self.pieces.last_mut() {
            Some(last) if last.owner == owner && (last.length > 0) == (length > 0) => last.length += length,
            _ => self.pieces.push(Piece { owner, length }),
        }
    }
}

/// One pass through a file: what was, and what becomes of it.
#[derive(Debug)]
struct Walk<'a> {
    old: &'a [Piece],
    /// How many lines of the first old piece are behind already.
    used: usize,
    /// How many old lines are behind already.
    at: usize,
    /// Whose the last old line was.
    last: Option<Owner>,
    new: Lineage,
}

impl Walk<'_> {
    /// The owner of a removal right here, and past it.
    fn scar(&mut self) -> Option<Owner> {
        let (piece, rest) = self.old.split_first().filter(|(piece, _)| piece.length == 0)?;
        self.old = rest;
        piece.owner
    }

    /// The owner of the next old line.
    fn next_owner(&self) -> Option<Owner> {
        self.old.iter().find(|piece| piece.length > 0).and_then(|piece| piece.owner)
    }

    /// Past at most so many lines of one owner.
    fn lines(&mut self, most: usize) -> Piece {
        let Some((piece, rest)) = self.old.split_first() else {
            self.at += most;
            self.last = None;
            return Piece { owner: None, length: most };
        };
        let length = most.min(piece.length - self.used);
        self.used += length;
        if self.used == piece.length {
            (self.old, self.used) = (rest, 0);
        }
        self.at += length;
        self.last = piece.owner;
        Piece { owner: piece.owner, length }
    }

    /// So many lines stay, with what was removed before each of them.
    fn copy(&mut self, mut count: usize) {
        while count > 0 {
            if let Some(owner) = self.scar() {
                self.new.push(Some(owner), 0);
                continue;
            }
            let piece = self.lines(count);
            self.new.push(piece.owner, piece.length);
            count -= piece.length;
        }
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
                self.new.push(Some(owner), 1);
                changed_before = true;
                continue;
            }
            self.scars(all || changed || changed_before, &mut needs);
            let piece = self.lines(1);
            if let Some(needed) = piece.owner.filter(|_| all || changed) {
                needs(needed);
            }
            if changed {
                self.new.push(Some(owner), 0);
            } else {
                self.new.push(piece.owner, 1);
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
            self.new.push(Some(scar), 0);
        }
    }

    fn finish(mut self) -> Lineage {
        if let Some((first, rest)) = self.old.split_first() {
            self.new.push(first.owner, first.length - self.used);
            for piece in rest {
                self.new.push(piece.owner, piece.length);
            }
        }
        while self.new.pieces.last().is_some_and(|piece| piece.owner.is_none()) {
            self.new.pieces.pop();
        }
        self.new
    }
}
