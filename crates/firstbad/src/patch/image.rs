//! A file's lines while hunks are applied to them, and where a hunk fits, as `git apply` finds it.

use super::model::{Hunk, Line, Sign};
use super::{Patch, model};

/// A file as lines.
#[derive(Debug)]
pub(super) struct Image<'a> {
    lines: Vec<&'a [u8]>,
    /// Which lines came from a hunk already: no other hunk may touch them.
    patched: Vec<bool>,
}

impl<'a> Image<'a> {
    pub(super) fn new(content: &'a [u8]) -> Self {
        let lines: Vec<&[u8]> = content.split_inclusive(|&byte| byte == b'\n').collect();
        Image { patched: vec![false; lines.len()], lines }
    }

    pub(super) fn content(&self) -> Vec<u8> {
        self.lines.concat()
    }

    /// Replaces a hunk's old lines by its new ones, at the position that it states or else at the nearest one where
    /// they all fit.
    ///
    /// # Errors
    /// What does not fit, in words.
    pub(super) fn apply(&mut self, patch: &'a Patch, hunk: &Hunk) -> Result<(), String> {
        let side = |without: Sign| {
            let lines = patch.lines[hunk.lines.clone()].iter().filter(move |line| line.sign != without);
            lines.map(|line| patch.content(line)).collect::<Vec<_>>()
        };
        let old = side(Sign::Added);
        let ends = ends(&patch.lines[hunk.lines.clone()], hunk.position, patch.without_context);
        // Hunks before this one are applied already, so the position on the new side is the one to look at.
        let stated = hunk.position.new_start.saturating_sub(1);
        let Some(at) = self.place(&old, stated, ends) else {
            return Err(format!("its lines are not where they should be: {}", self.difference(&old, stated)));
        };
        let new = side(Sign::Removed);
        self.patched.splice(at..at + old.len(), std::iter::repeat_n(true, new.len()));
        self.lines.splice(at..at + old.len(), new);
        Ok(())
    }

    /// The place nearest to the stated one where the lines fit; of two that are as near the later one.
    fn place(&self, old: &[&[u8]], stated: usize, ends: Ends) -> Option<usize> {
        let last = self.lines.len().checked_sub(old.len())?;
        match (ends.first, ends.last) {
            (true, true) => (last == 0 && self.fits(old, 0)).then_some(0),
            (true, false) => self.fits(old, 0).then_some(0),
            (false, true) => self.fits(old, last).then_some(last),
            (false, false) => {
                let later = stated..=last;
                let earlier = (0..stated.min(last + 1)).rev();
                let later = later.into_iter().find(|&at| self.fits(old, at));
                // Nothing earlier can be nearer than what is as far as it.
                let earlier = match later {
                    Some(later) => {
                        earlier.take_while(|&at| stated - at < later - stated).find(|&at| self.fits(old, at))
                    }
                    None => earlier.into_iter().find(|&at| self.fits(old, at)),
                };
                earlier.or(later)
            }
        }
    }

    fn fits(&self, old: &[&[u8]], at: usize) -> bool {
        self.lines[at..].starts_with(old) && !self.patched[at..at + old.len()].contains(&true)
    }

    /// What is at the stated position instead.
    fn difference(&self, old: &[&[u8]], stated: usize) -> String {
        let here = self.lines.iter().skip(stated).map(Some).chain(std::iter::repeat(None));
        match old.iter().zip(here).zip(stated + 1..).find(|((old, here), _)| Some(*old) != *here) {
            Some(((old, Some(here)), line)) => {
                format!("line {line} is {}, expected {}", super::scan::shown(here), super::scan::shown(old))
            }
            Some(((old, None), line)) => {
                format!("the file has {} lines, expected {} as line {line}", self.lines.len(), super::scan::shown(old))
            }
            None => "they are not at the beginning or the end of the file, or another hunk was there".to_owned(),
        }
    }
}

/// Whether a hunk has to be at the beginning or at the end of the file.
#[derive(Debug, Clone, Copy)]
struct Ends {
    first: bool,
    last: bool,
}

/// A hunk that begins with the first line of the file, or has no context behind its last change, is at that end:
/// otherwise there would have been context. Nothing is known of the ends where there was to be none.
fn ends(lines: &[Line], position: model::Position, without_context: bool) -> Ends {
    let context_behind = lines.last().is_some_and(|line| line.sign == Sign::Context);
    Ends {
        first: position.old_start == 0 || (position.old_start == 1 && !without_context),
        last: !without_context && !context_behind,
    }
}
