//! Reorders diffs so that each added line follows the removed line that it replaces.
//!
//! Git writes all removed lines of a place before all added ones. If a partial patch keeps a removed line, that line ends up
//! before all added lines, even before lines that belong in front of it.

use std::collections::HashMap;

/// The most comparisons of lines at one place. Larger places stay as they are.
const MOST_COMPARED: usize = 1 << 14;

/// The least similarity of two lines that form a pair: the share of the shorter line that is a common prefix or suffix.
const SIMILAR: f64 = 0.5;

/// Returns an equivalent diff in which each added line directly follows the removed line that it replaces.
///
/// Similar lines form pairs. Between these pairs, lines pair up in order if equally many are added and removed. All other
/// text stays unchanged, and so do places with lines that lack a newline.
#[must_use]
pub fn interleaved(diff: &[u8]) -> Vec<u8> {
    let mut made = Vec::with_capacity(diff.len());
    let (mut old_left, mut new_left) = (0, 0);
    let mut place = Place::default();
    for line in diff.split_inclusive(|&byte| byte == b'\n') {
        if (old_left, new_left) == (0, 0) && !line.starts_with(b"\\") {
            place.write(&mut made);
            (old_left, new_left) = counts(line).unwrap_or_default();
            made.extend(line);
            continue;
        }
        match line[0] {
            b'-' => {
                if !place.new.is_empty() {
                    place.write(&mut made);
                }
                old_left -= 1.min(old_left);
                place.old.push(line);
            }
            b'+' => {
                new_left -= 1.min(new_left);
                place.new.push(line);
            }
            b'\\' => place.end(line, &mut made),
            _ => {
                place.write(&mut made);
                (old_left, new_left) = (old_left - 1.min(old_left), new_left - 1.min(new_left));
                made.extend(line);
            }
        }
    }
    place.write(&mut made);
    made
}

/// The removed and the added lines of a place.
#[derive(Default)]
struct Place<'a> {
    old: Vec<&'a [u8]>,
    new: Vec<&'a [u8]>,
}

impl<'a> Place<'a> {
    /// Handles a last line without newline, which leaves the place unchanged.
    fn end(&mut self, marker: &[u8], made: &mut Vec<u8>) {
        made.extend(self.old.drain(..).chain(self.new.drain(..)).flatten());
        made.extend(marker);
    }

    fn write(&mut self, made: &mut Vec<u8>) {
        let (old, new) = (std::mem::take(&mut self.old), std::mem::take(&mut self.new));
        let (mut from, mut to) = (0, 0);
        let bare = |lines: &[&'a [u8]]| lines.iter().map(|line| &line[1..]).collect::<Vec<_>>();
        for (at, with) in pairs(&bare(&old), &bare(&new)) {
            // Lines without a partner come before the next pair.
            made.extend(old[from..at].iter().chain(&new[to..with]).copied().flatten());
            made.extend([old[at], new[with]].into_iter().flatten());
            (from, to) = (at + 1, with + 1);
        }
        made.extend(old[from..].iter().chain(&new[to..]).copied().flatten());
    }
}

/// Returns the number of lines of a hunk in the old and the new file.
fn counts(line: &[u8]) -> Option<(usize, usize)> {
    let text = std::str::from_utf8(line.strip_prefix(b"@@ -")?.split(|&byte| byte == b'@').next()?).ok()?;
    let (old, new) = text.trim_end().split_once(" +")?;
    let count = |range: &str| range.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok());
    Some((count(old)?, count(new)?))
}

/// Returns pairs of removed and added lines, ascending: similar ones, and those between them in order if their numbers
/// match.
fn pairs(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut next = (0, 0);
    for (at, with) in similar(old, new).into_iter().chain([(old.len(), new.len())]) {
        if at - next.0 == with - next.1 {
            found.extend((next.0..at).zip(next.1..with));
        }
        if at < old.len() {
            found.push((at, with));
        }
        next = (at + 1, with + 1);
    }
    found
}

/// Returns the pairs of sufficiently similar removed and added lines, ascending.
pub(crate) fn similar(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut next = (0, 0);
    for (at, with) in same(old, new).into_iter().chain([(old.len(), new.len())]) {
        let between = most_similar(&old[next.0..at], &new[next.1..with]);
        found.extend(between.into_iter().map(|(one, other)| (next.0 + one, next.1 + other)));
        if at < old.len() {
            found.push((at, with));
        }
        next = (at + 1, with + 1);
    }
    found
}

/// Returns pairs of lines that are unique on each side and equal apart from surrounding whitespace, ascending. They divide a
/// long place into short ones.
fn same(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    let once = |lines: &[&[u8]]| {
        let mut places: HashMap<Vec<u8>, Option<usize>> = HashMap::new();
        for (place, line) in lines.iter().enumerate() {
            places.entry(line.trim_ascii().to_vec()).and_modify(|found| *found = None).or_insert(Some(place));
        }
        places
    };
    let (of_old, of_new) = (once(old), once(new));
    let place_in_both = |line: &[u8]| {
        let line = line.trim_ascii();
        Some((of_old.get(line).copied()??, of_new.get(line).copied()??)).filter(|_| !line.is_empty())
    };
    // Find the longest ascending subsequence by patience sorting.
    let found: Vec<(usize, usize)> = old.iter().filter_map(|line| place_in_both(line)).collect();
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; found.len()];
    for (number, &(_, with)) in found.iter().enumerate() {
        let length = ends.partition_point(|&end| found[end].1 < with);
        before[number] = length.checked_sub(1).map(|last| ends[last]);
        if length == ends.len() {
            ends.push(number);
        } else {
            ends[length] = number;
        }
    }
    let mut row: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |&number| before[number]).map(|number| found[number]).collect();
    row.reverse();
    row
}

/// Returns the pairs with the highest total similarity.
fn most_similar(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    if old.len().saturating_mul(new.len()) > MOST_COMPARED {
        return Vec::new();
    }
    // The best total from each position on.
    let width = new.len() + 1;
    let mut best = vec![0.0_f64; (old.len() + 1) * width];
    let together = |at: usize, with: usize, best: &[f64]| {
        let alike = similarity(old[at], new[with]);
        if alike < SIMILAR { 0.0 } else { alike + best[(at + 1) * width + with + 1] }
    };
    for at in (0..old.len()).rev() {
        for with in (0..new.len()).rev() {
            let apart = best[(at + 1) * width + with].max(best[at * width + with + 1]);
            best[at * width + with] = together(at, with, &best).max(apart);
        }
    }
    let (mut found, mut at, mut with) = (Vec::new(), 0, 0);
    while at < old.len() && with < new.len() {
        let here = best[at * width + with];
        if here > 0.0 && together(at, with, &best) >= here {
            found.push((at, with));
            (at, with) = (at + 1, with + 1);
        } else if best[(at + 1) * width + with] >= here {
            at += 1;
        } else {
            with += 1;
        }
    }
    found
}

/// Returns the share of the shorter line that is a common prefix or suffix, without surrounding whitespace, from 0 to 1.
#[allow(clippy::cast_precision_loss, reason = "a ratio of lengths")]
fn similarity(old: &[u8], new: &[u8]) -> f64 {
    let (old, new) = (old.trim_ascii(), new.trim_ascii());
    let shorter = old.len().min(new.len());
    if shorter == 0 {
        return 0.0;
    }
    let begin = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let end = old[begin..].iter().rev().zip(new[begin..].iter().rev()).take_while(|(one, other)| one == other).count();
    (begin + end) as f64 / shorter as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Patch;

    fn hunk(lines: &str) -> String {
        let old = lines.lines().filter(|line| line.starts_with(['-', ' '])).count();
        let new = lines.lines().filter(|line| line.starts_with(['+', ' '])).count();
        format!("--- a/f\n+++ b/f\n@@ -1,{old} +1,{new} @@\n{lines}")
    }

    fn made(lines: &str) -> String {
        let text = String::from_utf8(interleaved(hunk(lines).as_bytes())).unwrap();
        assert_eq!(Patch::parse(text.as_bytes()).unwrap().len(), Patch::parse(hunk(lines).as_bytes()).unwrap().len());
        text.split_once("@@\n").unwrap().1.to_owned()
    }

    #[test]
    fn an_extended_line_pairs_with_the_original() {
        let lines = ["    return cents", "    # The price as printed.", "    return round(cents, -1)"];
        let pair = pairs(&[lines[0].as_bytes()], &[lines[1].as_bytes(), lines[2].as_bytes()]);
        assert_eq!(pair, [(0, 1)]);
    }

    #[test]
    fn equally_many_lines_pair_in_order() {
        assert_eq!(made(" x\n-one\n-two\n+ONE\n+TWO\n y\n"), " x\n-one\n+ONE\n-two\n+TWO\n y\n");
    }

    #[test]
    fn similar_lines_pair() {
        assert_eq!(
            made("-  return int(a)\n-\n-def kinds():\n-  return sorted(R)\n+  return round(a)\n"),
            "-  return int(a)\n+  return round(a)\n-\n-def kinds():\n-  return sorted(R)\n"
        );
        assert_eq!(made("-fn call(a)\n+// new\n+fn call(a, b)\n"), "+// new\n-fn call(a)\n+fn call(a, b)\n");
        assert_eq!(made("-one\n-two\n+three\n"), "-one\n-two\n+three\n");
    }

    #[test]
    fn other_places_stay_unchanged() {
        let end = "-one\n-two\n\\ No newline at end of file\n+ONE\n+TWO\n\\ No newline at end of file\n";
        assert_eq!(made(end), end);
        let header = "--- a/f\n+++ b/f\n";
        assert_eq!(interleaved(header.as_bytes()), header.as_bytes());
        assert_eq!(interleaved(b""), b"");
        // Lines of a hunk can look like headers.
        assert_eq!(made("--- a\n--- b\n+++ a\n+++ b\n"), "--- a\n+++ a\n--- b\n+++ b\n");
    }
}
