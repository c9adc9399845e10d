//! The lines of a file while hunks are applied, with the positions that `git apply` would choose.

use std::ops::Range;

use super::model::{Hunk, Line, Sign};
use super::{Patch, model};

/// The most comparisons of lines for one file. A misplaced hunk is searched for in the whole file, and a patch can have
/// many.
const MOST_STEPS: usize = 100_000_000;

/// A line of the file, and whether a hunk wrote it. Other hunks must not touch such a line.
#[derive(Debug, Clone, Copy)]
struct Row<'a> {
    line: &'a [u8],
    patched: bool,
}

/// A gap buffer of lines with the gap at the last hunk, so that successive hunks only move the lines between them.
#[derive(Debug)]
pub(super) struct Image<'a> {
    before: Vec<Row<'a>>,
    /// The lines after the gap, last line first.
    behind: Vec<Row<'a>>,
    steps: usize,
}

impl<'a> Image<'a> {
    pub(super) fn new(content: &'a [u8]) -> Self {
        let lines = content.split_inclusive(|&byte| byte == b'\n');
        let mut behind: Vec<Row<'a>> = lines.map(|line| Row { line, patched: false }).collect();
        behind.reverse();
        Image { before: Vec::new(), behind, steps: MOST_STEPS }
    }

    pub(super) fn content(&self) -> Vec<u8> {
        self.before.iter().chain(self.behind.iter().rev()).map(|row| row.line).collect::<Vec<_>>().concat()
    }

    fn len(&self) -> usize {
        self.before.len() + self.behind.len()
    }

    fn row(&self, at: usize) -> Row<'a> {
        let behind = |at: usize| self.behind[self.behind.len() - 1 - (at - self.before.len())];
        self.before.get(at).copied().unwrap_or_else(|| behind(at))
    }

    /// Replaces a hunk's old lines with its new ones, at the stated position or else at the nearest one that fits.
    ///
    /// # Errors
    /// Returns a description of what does not fit.
    pub(super) fn apply(&mut self, patch: &'a Patch, hunk: &Hunk) -> Result<(), String> {
        let side = |without: Sign| {
            let lines = patch.lines[hunk.lines.clone()].iter().filter(move |line| line.sign != without);
            lines.map(|line| patch.content(line)).collect::<Vec<_>>()
        };
        let old = side(Sign::Added);
        let ends = ends(&patch.lines[hunk.lines.clone()], hunk.position, patch.without_context);
        // Earlier hunks are already applied, so the position on the new side counts.
        let stated = hunk.position.new_start.saturating_sub(1);
        let Some(at) = self.place(&old, stated, ends)? else {
            return Err(format!("its lines do not match: {}", self.difference(&old, stated)));
        };
        self.move_gap(at)?;
        self.behind.truncate(self.behind.len() - old.len());
        self.before.extend(side(Sign::Removed).into_iter().map(|line| Row { line, patched: true }));
        Ok(())
    }

    fn move_gap(&mut self, at: usize) -> Result<(), String> {
        self.spend(at.abs_diff(self.before.len()))?;
        if at < self.before.len() {
            self.behind.extend(self.before.drain(at..).rev());
        } else {
            let rest = self.behind.len() - (at - self.before.len());
            self.before.extend(self.behind.drain(rest..).rev());
        }
        Ok(())
    }

    fn spend(&mut self, steps: usize) -> Result<(), String> {
        self.steps = self
            .steps
            .checked_sub(steps)
            .ok_or_else(|| format!("firstbad compared {MOST_STEPS} lines without finding its hunks"))?;
        Ok(())
    }

    /// Returns the matching position nearest to the stated one, preferring the later of two.
    fn place(&mut self, old: &[&[u8]], stated: usize, ends: Ends) -> Result<Option<usize>, String> {
        let Some(last) = self.len().checked_sub(old.len()) else { return Ok(None) };
        self.spend(old.len())?;
        Ok(match (ends.first, ends.last) {
            (true, true) => (last == 0 && self.fits(old, 0)).then_some(0),
            (true, false) => self.fits(old, 0).then_some(0),
            (false, true) => self.fits(old, last).then_some(last),
            (false, false) if old.is_empty() => Some(stated.min(last)),
            (false, false) if stated <= last && self.fits(old, stated) => Some(stated),
            (false, false) => return self.nearest(old, stated.min(self.len()), stated, last),
        })
    }

    /// Searches increasingly large surroundings of `from`, which is the stated position, or the end if the file is shorter.
    fn nearest(&mut self, old: &[&[u8]], from: usize, stated: usize, last: usize) -> Result<Option<usize>, String> {
        let mut far = old.len().max(64);
        loop {
            let (first, end) = (from.saturating_sub(far), last.min(from + far) + old.len());
            self.spend(end.saturating_sub(first))?;
            let nearness = |at: &usize| (at.abs_diff(stated), std::cmp::Reverse(*at));
            let found = self.places(old, first..end).min_by_key(nearness);
            if found.is_some() || far > self.len() {
                return Ok(found);
            }
            far *= 4;
        }
    }

    fn fits(&self, old: &[&[u8]], at: usize) -> bool {
        old.iter().zip(at..).all(|(line, at)| self.has(at, line))
    }

    fn has(&self, at: usize, line: &[u8]) -> bool {
        let row = self.row(at);
        !row.patched && row.line == line
    }

    /// Returns all positions in a range at which these lines match (Knuth, Morris, and Pratt). Reads each line at most
    /// twice. `old` must not be empty.
    fn places<'b>(&'b self, old: &'b [&[u8]], range: Range<usize>) -> impl Iterator<Item = usize> + 'b {
        let borders = borders(old);
        let mut matched = 0;
        range.filter_map(move |at| {
            while matched == old.len() || matched > 0 && !self.has(at, old[matched]) {
                matched = borders[matched - 1];
            }
            matched += usize::from(self.has(at, old[matched]));
            (matched == old.len()).then(|| at + 1 - old.len())
        })
    }

    /// Describes the lines at the stated position.
    fn difference(&self, old: &[&[u8]], stated: usize) -> String {
        let here = (stated..self.len()).map(|at| Some(self.row(at).line)).chain(std::iter::repeat(None));
        match old.iter().zip(here).zip(stated + 1..).find(|((old, here), _)| Some(**old) != *here) {
            Some(((old, Some(here)), line)) => {
                format!("line {line} is {}, expected {}", super::scan::shown(here), super::scan::shown(old))
            }
            Some(((old, None), line)) => {
                let lines = if self.len() == 1 { "line" } else { "lines" };
                format!("the file has {} {lines}, expected {} as line {line}", self.len(), super::scan::shown(old))
            }
            None => "they are not at the start or end of the file, or another hunk is there".to_owned(),
        }
    }
}

/// Returns, for each line, the length of the longest proper prefix that ends there (the failure function).
fn borders(lines: &[&[u8]]) -> Vec<usize> {
    let mut borders = vec![0; lines.len()];
    for at in 1..lines.len() {
        let mut length: usize = borders[at - 1];
        while length > 0 && lines[at] != lines[length] {
            length = borders[length - 1];
        }
        borders[at] = length + usize::from(lines[at] == lines[length]);
    }
    borders
}

/// Whether a hunk must be at the start or at the end of the file.
#[derive(Debug, Clone, Copy)]
struct Ends {
    first: bool,
    last: bool,
}

/// A hunk at the first line, or one without context after its last change, is at that end, because Git would have included
/// context. Patches without context reveal nothing.
fn ends(lines: &[Line], position: model::Position, without_context: bool) -> Ends {
    let context_behind = lines.last().is_some_and(|line| line.sign == Sign::Context);
    Ends {
        first: position.old_start == 0 || (position.old_start == 1 && !without_context),
        last: !without_context && !context_behind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image<'a>(letters: &'a [u8], patched: &[bool], gap: usize) -> Image<'a> {
        let rows = letters.chunks(1).zip(patched).map(|(line, &patched)| Row { line, patched });
        let mut image = Image { before: Vec::new(), behind: rows.rev().collect(), steps: MOST_STEPS };
        image.move_gap(gap).unwrap();
        image
    }

    #[test]
    fn the_nearest_position_matches_a_full_search() {
        let mut state = 3_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..5000 {
            let letters: Vec<u8> = (0..random(20)).map(|_| b'a' + random(2) as u8).collect();
            let patched: Vec<bool> = letters.iter().map(|_| random(8) == 0).collect();
            let mut image = image(&letters, &patched, random(letters.len() + 1));
            let old: Vec<u8> = (0..random(5)).map(|_| b'a' + random(2) as u8).collect();
            let old: Vec<&[u8]> = old.chunks(1).collect();
            let stated = random(25);
            let fits = |at: usize| old.iter().zip(at..).all(|(&line, at)| !patched[at] && letters[at..=at] == *line);
            let all = (0..=letters.len()).filter(|at| at + old.len() <= letters.len()).filter(|&at| fits(at));
            let nearest = all.min_by_key(|&at| (at.abs_diff(stated), std::cmp::Reverse(at)));
            let ends = Ends { first: false, last: false };
            assert_eq!(image.place(&old, stated, ends), Ok(nearest), "{letters:?} {patched:?} {old:?} {stated}");
        }
    }

    #[test]
    fn equal_lines_take_linear_time_for_each_hunk() {
        let letters = vec![b'x'; 40_000];
        let mut image = image(&letters, &vec![false; letters.len()], 0);
        let mut old = vec![&b"x"[..]; 20_000];
        old.push(b"y");
        assert_eq!(image.place(&old, 10, Ends { first: false, last: false }), Ok(None));
        // Each search reads the hunk itself, and its surroundings up to the end of the file twice.
        assert!(MOST_STEPS - image.steps <= 20_001 + 2 * 40_000);
        image.steps = 30_000;
        assert!(image.place(&old, 10, Ends { first: false, last: false }).is_err());
    }
}
