//! Writes some changes of a patch as a new patch.

use std::ops::Range;

use super::Patch;
use super::model::{Field, Hunk, Line, Position, Section, Sign, Step};
use super::names::quoted;
use super::scan::trimmed;
use crate::error::Error;

impl Patch {
    /// Returns the patch with only these changes, given in any order. Changes that cannot stand alone are left out
    /// ([`Patch::standing`]). The changes of the result are renumbered, and [`Patch::origin`] returns their old numbers.
    ///
    /// `git apply` accepts the result on the files that the whole patch fits. Without any changes, the result is empty, and
    /// `git apply` accepts it only with `--allow-empty`.
    ///
    /// A removed line that is not selected becomes context, limited to three lines on each side of a change as in Git. An
    /// added line that is not selected disappears, and a file without its rename keeps its old name. `index` and
    /// `similarity` lines stay only if they are still true. All changes together give the original bytes, and a smaller
    /// selection omits the text around the diffs, because that text describes the whole patch.
    ///
    /// # Errors
    /// Returns [`Error::InvalidArgument`] if a number is not a change of the patch, or occurs twice.
    pub fn subset(&self, changes: &[usize]) -> Result<Patch, Error> {
        let kept = self.kept(changes)?;
        let origin: Vec<usize> = (0..self.len()).filter(|&change| kept[change]).collect();
        if origin.len() == self.len() && !self.is_empty() {
            return Ok(Patch { origin, ..self.clone() });
        }
        let mut text = Vec::with_capacity(self.text.len());
        let mut ends_in_header = false;
        for section in &self.sections {
            let taken = origin_in(&origin, &section.changes);
            if taken == 0 {
                continue;
            }
            if section.plain && ends_in_header {
                // Without a line between them, the names of a plain diff would be read as the end of that header.
                text.push(b'\n');
            }
            ends_in_header = origin_in(&origin, &section.content()) == 0;
            if taken == section.changes.len() {
                text.extend_from_slice(&self.text[section.range.clone()]);
            } else {
                Printer { patch: self, section, kept: &kept, text: &mut text }.print();
            }
        }
        let mut patch = Patch::parse(&text)?;
        debug_assert_eq!(patch.len(), origin.len(), "what was printed is what was kept");
        patch.origin = origin;
        patch.without_context = self.without_context;
        Ok(patch)
    }
}

/// Counts the numbers in a range. `origin` is ascending.
fn origin_in(origin: &[usize], range: &Range<usize>) -> usize {
    let below = |bound: usize| origin.partition_point(|&change| change < bound);
    below(range.end) - below(range.start)
}

struct Printer<'a> {
    patch: &'a Patch,
    section: &'a Section,
    kept: &'a [bool],
    text: &'a mut Vec<u8>,
}

impl Printer<'_> {
    fn print(&mut self) {
        let section = self.section;
        let content = self.count(section.content());
        for (field, range) in &section.header {
            self.header_line(*field, &self.patch.text[range.clone()], content);
        }
        if let Some(binary) = section.binary.as_ref().filter(|_| content > 0) {
            self.text.extend_from_slice(&self.patch.text[binary.range.clone()]);
        }
        // The offset of new positions from those in the whole patch.
        let mut shift = 0i64;
        for hunk in &self.patch.hunks[section.hunks.clone()] {
            shift += self.hunk(hunk, shift);
        }
    }

    fn count(&self, changes: Range<usize>) -> usize {
        self.kept[changes].iter().filter(|kept| **kept).count()
    }

    fn takes_step(&self, step: Step) -> bool {
        self.section.step == step && self.section.step_change().is_some_and(|change| self.kept[change])
    }

    fn header_line(&mut self, field: Field, line: &[u8], content: usize) {
        let section = self.section;
        let whole = content == section.content().len();
        // Without its rename, the file keeps its name. Without its deletion, it stays, even if it is empty.
        let stays = section.step == Step::Renamed && !self.takes_step(Step::Renamed);
        let survives = section.step == Step::Deleted && !self.takes_step(Step::Deleted);
        let same = match field {
            Field::Git => !stays,
            Field::OldMode | Field::NewMode => section.mode_change().is_some_and(|change| self.kept[change]),
            Field::Deleted => self.takes_step(Step::Deleted),
            Field::Created => self.takes_step(Step::Created),
            Field::CopyFrom | Field::CopyTo => self.takes_step(Step::Copied),
            Field::RenameFrom | Field::RenameTo => self.takes_step(Step::Renamed),
            Field::Similarity => whole && (self.takes_step(Step::Renamed) || self.takes_step(Step::Copied)),
            Field::Dissimilarity => whole,
            Field::Index => whole && !survives,
            // If no other line names the file on both sides, these two must.
            Field::OldName => content > 0 || section.two_names(),
            Field::NewName => (content > 0 || section.two_names()) && !stays && !survives,
        };
        if same {
            // Only this header has the name, so a carriage return, perhaps from a mailer, would become part of it.
            self.line(&[trimmed(line), b"\n"]);
            return;
        }
        let new_name = || [section.new.prefix(), &section.old.path].concat();
        match field {
            Field::Git => {
                let (old, new) = (quoted(&section.old.shown), quoted(&new_name()));
                self.line(&[b"diff --git ", &old, b" ", &new, b"\n"]);
            }
            Field::NewName if content > 0 => {
                let shown = if stays { new_name() } else { section.new.shown.clone() };
                // Some tools read text after a space as a timestamp, so a tab ends the name.
                let tab: &[u8] = if shown.contains(&b' ') { b"\t" } else { b"" };
                self.line(&[b"+++ ", &quoted(&shown), tab, b"\n"]);
            }
            Field::Index if survives && whole && section.binary.is_some() => self.index_of_emptied(line),
            _ => {}
        }
    }

    /// Git checks binary content against the `index` line. An emptied file that stays has the id of the empty blob.
    fn index_of_emptied(&mut self, line: &[u8]) {
        const EMPTY_SHA1: &[u8] = b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
        const EMPTY_SHA256: &[u8] = b"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813";
        let old = line.strip_prefix(b"index ").unwrap_or_default();
        let length = old.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        let empty = if length > EMPTY_SHA1.len() { EMPTY_SHA256 } else { EMPTY_SHA1 };
        self.line(&[b"index ", &old[..length], b"..", &empty[..length.min(empty.len())], b"\n"]);
    }

    fn line(&mut self, parts: &[&[u8]]) {
        for part in parts {
            self.text.extend_from_slice(part);
        }
    }

    /// Writes a hunk if any of its changes is selected. Returns by how many lines the file grows less than with the whole
    /// patch.
    fn hunk(&mut self, hunk: &Hunk, shift: i64) -> i64 {
        let lines = &self.patch.lines[hunk.lines.clone()];
        let given_up: i64 = lines
            .iter()
            .filter(|line| line.sign != Sign::Context && !self.kept[line.change])
            .map(|line| if line.sign == Sign::Added { -1 } else { 1 })
            .sum();
        if self.count(hunk.changes.clone()) == 0 {
            return given_up;
        }
        let position = moved(hunk.position, shift, given_up);
        let lines: Vec<&Line> =
            lines.iter().filter(|line| line.sign != Sign::Added || self.kept[line.change]).collect();
        let parts = self.parts(&lines);
        if position == hunk.position && parts == [Range { start: 0, end: lines.len() }] {
            self.text.extend_from_slice(&self.patch.text[hunk.header.clone()]);
            self.lines(&lines);
            return given_up;
        }
        for part in &parts {
            let before = &lines[..part.start];
            let old_start = position.old_start + before.iter().filter(|line| line.sign != Sign::Added).count();
            let new_start = position.new_start + before.iter().filter(|line| !self.is_gone(line)).count();
            let old = lines[part.clone()].iter().filter(|line| line.sign != Sign::Added).count();
            let new = lines[part.clone()].iter().filter(|line| !self.is_gone(line)).count();
            let numbers = format!("@@ -{old_start},{old} +{new_start},{new} @@");
            // The text after `@@` describes the start of the original hunk.
            let tail = if part.start == 0 { &self.patch.text[hunk.tail.clone()] } else { b"\n" };
            self.line(&[numbers.as_bytes(), tail]);
            self.lines(&lines[part.clone()]);
        }
        given_up
    }

    fn is_gone(&self, line: &Line) -> bool {
        line.sign == Sign::Removed && self.kept[line.change]
    }

    fn is_changed(&self, line: &Line) -> bool {
        line.sign != Sign::Context && self.kept[line.change]
    }

    /// Returns the parts of a hunk to write. Unselected removed lines can be very many, so only Git's number of context
    /// lines is written around each change.
    fn parts(&self, lines: &[&Line]) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = 0;
        let mut at = 0;
        for run in lines.chunk_by(|one, other| self.is_changed(one) == self.is_changed(other)) {
            let (first, end) = (at, at + run.len());
            at = end;
            let is_original = run.iter().all(|line| line.sign == Sign::Context);
            if is_original || self.is_changed(run[0]) {
                continue;
            }
            let head = if first == 0 { 0 } else { CONTEXT };
            let foot = if end == lines.len() { 0 } else { CONTEXT };
            if run.len() > head + foot {
                if first > 0 {
                    parts.push(start..first + head);
                }
                start = end - foot;
            }
        }
        if start < lines.len() {
            parts.push(start..lines.len());
        }
        parts
    }

    fn lines(&mut self, lines: &[&Line]) {
        for line in lines {
            let text = &self.patch.text[line.range.clone()];
            match line.sign {
                Sign::Removed if !self.kept[line.change] => self.line(&[b" ", &text[1..]]),
                _ => self.text.extend_from_slice(text),
            }
        }
    }
}

/// The number of context lines before and after a change.
const CONTEXT: usize = 3;

/// Returns the position of a hunk whose new side starts `shift` lines later and has `growth` more lines.
fn moved(position: Position, shift: i64, growth: i64) -> Position {
    // If the count is 0, the start is the line before the hunk.
    let before = position.new_start as i64 - i64::from(position.new_count > 0) + shift;
    let count = position.new_count as i64 + growth;
    let start = before + i64::from(count > 0);
    Position { new_start: start.max(0) as usize, new_count: count.max(0) as usize, ..position }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_keep_three_lines_of_context() {
        let lines = |sign: &str, end: &str| (1..=30).map(|n| format!("{sign}{n}{end}\n")).collect::<String>();
        let text = format!("--- a/f\n+++ b/f\n@@ -1,30 +1,30 @@ top\n{}{}", lines("-", ""), lines("+", "!"));
        let patch = Patch::parse(super::super::interleaved(text.as_bytes()).as_slice()).unwrap();
        let part = patch.subset(&[18, 19, 26, 27, 54]).unwrap();
        let expected = "@@ -7,11 +7,11 @@\n 7\n 8\n 9\n-10\n+10!\n 11\n 12\n 13\n-14\n+14!\n 15\n 16\n 17\n\
                        @@ -25,6 +25,5 @@\n 25\n 26\n 27\n-28\n 29\n 30\n";
        assert_eq!(part.to_string().split_once("+++ b/f\n").unwrap().1, expected);
        assert_eq!(part.origin(), [18, 19, 26, 27, 54]);
        let first = patch.subset(&[0, 1]).unwrap();
        assert_eq!(first.to_string().split_once("+++ b/f\n").unwrap().1, "@@ -1,4 +1,4 @@ top\n-1\n+1!\n 2\n 3\n 4\n");
    }
}
