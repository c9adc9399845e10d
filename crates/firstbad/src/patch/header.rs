//! Parses the header of a file: Git's extended header, or the two lines of a plain `diff -u`.

use std::ops::Range;

use super::model::{Field, Section, Side, Step};
use super::names::{self, Hints, NOTHING, before_tab, whole_line, without_first};
use super::scan::{Scanner, shown, trimmed};
use crate::error::Error;

const SYMBOLIC_LINK: u32 = 0o120_000;
const SUBMODULE: u32 = 0o160_000;
/// The file type bits of a mode.
const TYPE: u32 = 0o170_000;

/// The lines below `diff --git`. The `+++` line is read together with the `---` line before it.
const FIELDS: [(&[u8], Field); 15] = [
    (b"old mode ", Field::OldMode),
    (b"new mode ", Field::NewMode),
    (b"deleted file mode ", Field::Deleted),
    (b"new file mode ", Field::Created),
    (b"copy from ", Field::CopyFrom),
    (b"copy to ", Field::CopyTo),
    (b"rename from ", Field::RenameFrom),
    (b"rename to ", Field::RenameTo),
    // Git wrote these before 2005, and still reads them.
    (b"rename old ", Field::RenameFrom),
    (b"rename new ", Field::RenameTo),
    (b"similarity index ", Field::Similarity),
    (b"dissimilarity index ", Field::Dissimilarity),
    (b"index ", Field::Index),
    (b"--- ", Field::OldName),
    (b"+++ ", Field::NewName),
];

/// The values in the lines of one header.
#[derive(Debug, Default)]
struct Said {
    lines: Vec<(Field, Range<usize>)>,
    hints: Hints,
    old_mode: Option<u32>,
    new_mode: Option<u32>,
    step: Option<(Step, u32)>,
    index_mode: u32,
}

/// Reads a header that starts with `diff --git`. Returns `None` if no header follows, so that the line is plain text.
///
/// # Errors
/// Returns [`Error::PatchSyntax`] if lines contradict each other or the names are ambiguous.
pub(super) fn read_git(scanner: &mut Scanner<'_>) -> Result<Option<Section>, Error> {
    let opening = scanner.clone();
    let first = scanner.peek().unwrap_or_default();
    let mut said = Said { lines: vec![(Field::Git, scanner.take())], ..Said::default() };
    while let Some(line) = scanner.peek() {
        let Some(&(key, field)) = FIELDS.iter().find(|(key, _)| line.starts_with(key)) else { break };
        if field == Field::OldName && !followed_by_new_name(scanner) {
            break;
        }
        if !line.ends_with(b"\n") {
            return Err(scanner.refuse("the patch ends in the middle of a line: its last newline is missing"));
        }
        said.take(field, &line[key.len()..], scanner)?;
        said.lines.push((field, scanner.take()));
        if field == Field::NewName {
            break;
        }
    }
    if said.lines.len() == 1 {
        return Ok(None);
    }
    super::safety::check_length(first).map_err(|message| opening.refuse(message))?;
    let names = names::pair(first.strip_prefix(b"diff --git ").unwrap_or_default(), &said.hints);
    let Some((old, new)) = names.filter(|(old, new)| said.hints.fit(old, new)) else {
        return Err(opening.refuse(format!(
            "{} does not separate the two names, or differs from the names below it. Expected `diff --git a/old b/new`",
            shown(first)
        )));
    };
    let step = said.step.map_or(Step::Modified, |(step, _)| step);
    if matches!(step, Step::Renamed | Step::Copied) && (said.hints.from.is_none() || said.hints.to.is_none()) {
        return Err(opening.refuse("a rename or copy needs `from` and `to`"));
    }
    let both_same = old == new;
    let side = |shown: Vec<u8>, named: Option<Vec<u8>>| {
        // Git's own prefixes differ, so two equal names have no prefix.
        let bare = if both_same { &shown } else { without_first(&shown) };
        Side { path: named.unwrap_or_else(|| bare.to_vec()), shown }
    };
    let mode = said.old_mode.zip(said.new_mode).filter(|(old, new)| old != new);
    let types = [said.step.map_or(0, |(_, mode)| mode), said.index_mode, said.new_mode.unwrap_or(0)];
    let indivisible = types.iter().any(|mode| matches!(mode & TYPE, SYMBOLIC_LINK | SUBMODULE));
    Ok(Some(Section {
        range: opening.at()..scanner.at(),
        header: said.lines,
        plain: false,
        old: side(old, said.hints.from),
        new: side(new, said.hints.to),
        step,
        mode,
        indivisible,
        hunks: 0..0,
        changes: 0..0,
        binary: None,
    }))
}

fn followed_by_new_name(scanner: &Scanner<'_>) -> bool {
    let mut ahead = scanner.clone();
    ahead.take();
    ahead.sees(b"+++ ")
}

impl Said {
    fn take(&mut self, field: Field, rest: &[u8], scanner: &Scanner<'_>) -> Result<(), Error> {
        let name = |rest: &[u8]| Some(before_tab(rest)).filter(|name| name != NOTHING);
        match field {
            Field::Git | Field::Similarity | Field::Dissimilarity => {}
            Field::OldMode => self.old_mode = Some(mode(rest, scanner)?),
            Field::NewMode => self.new_mode = Some(mode(rest, scanner)?),
            Field::Deleted => self.step(Step::Deleted, mode(rest, scanner)?, scanner)?,
            Field::Created => self.step(Step::Created, mode(rest, scanner)?, scanner)?,
            Field::CopyFrom | Field::RenameFrom => self.hints.from = Some(whole_line(rest)),
            Field::CopyTo | Field::RenameTo => self.hints.to = Some(whole_line(rest)),
            Field::Index => {
                let words = trimmed(rest).splitn(2, |&byte| byte == b' ');
                self.index_mode = words.skip(1).find_map(octal).unwrap_or(0);
            }
            Field::OldName => {
                self.hints.old = name(rest);
                let created = self.step.is_some_and(|(step, _)| step == Step::Created);
                if self.hints.old.is_none() != created {
                    return Err(scanner.refuse("`--- /dev/null` and `new file mode` go together"));
                }
            }
            Field::NewName => {
                self.hints.new = name(rest);
                let deleted = self.step.is_some_and(|(step, _)| step == Step::Deleted);
                if self.hints.new.is_none() != deleted {
                    return Err(scanner.refuse("`+++ /dev/null` and `deleted file mode` go together"));
                }
            }
        }
        match field {
            Field::CopyFrom | Field::CopyTo => self.step(Step::Copied, 0, scanner),
            Field::RenameFrom | Field::RenameTo => self.step(Step::Renamed, 0, scanner),
            _ => Ok(()),
        }
    }

    fn step(&mut self, step: Step, mode: u32, scanner: &Scanner<'_>) -> Result<(), Error> {
        match self.step {
            Some((other, _)) if other != step => {
                Err(scanner.refuse("a file is created, deleted, renamed or copied, but only one of these"))
            }
            _ => {
                self.step = Some((step, mode));
                Ok(())
            }
        }
    }
}

fn mode(rest: &[u8], scanner: &Scanner<'_>) -> Result<u32, Error> {
    let text = trimmed(rest);
    octal(text).ok_or_else(|| scanner.refuse(format!("{} is not a mode. Expected a mode such as 100644", shown(text))))
}

fn octal(text: &[u8]) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(text).ok()?, 8).ok()
}

/// Returns whether a plain diff starts here: `---`, `+++`, and a hunk.
pub(super) fn sees_plain(scanner: &Scanner<'_>) -> bool {
    let mut ahead = scanner.clone();
    ahead.sees(b"--- ") && {
        ahead.take();
        ahead.sees(b"+++ ") && {
            ahead.take();
            ahead.sees(b"@@ -")
        }
    }
}

/// Reads the two lines of a plain diff. GNU diff marks a missing side with the start of 1970.
pub(super) fn read_plain(scanner: &mut Scanner<'_>) -> Result<Section, Error> {
    let opening = scanner.clone();
    let old = scanner.peek().and_then(|line| line.strip_prefix(b"--- ")).unwrap_or_default();
    let old_range = scanner.take();
    let new = scanner.peek().and_then(|line| line.strip_prefix(b"+++ ")).unwrap_or_default();
    let new_range = scanner.take();
    let names = (before_tab(old), before_tab(new));
    let step = match (names.0 == NOTHING, names.1 == NOTHING) {
        (true, true) => return Err(opening.refuse("a file without a name: both sides are /dev/null")),
        (true, false) => Step::Created,
        (false, true) => Step::Deleted,
        (false, false) if is_epoch(old) => Step::Created,
        (false, false) if is_epoch(new) => Step::Deleted,
        (false, false) => Step::Modified,
    };
    let (old, new) = match (names.0 == NOTHING, names.1 == NOTHING) {
        (true, _) => (other_side(&names.1, b"a/", b"b/"), names.1),
        (_, true) => (names.0.clone(), other_side(&names.0, b"b/", b"a/")),
        _ => names,
    };
    let bare = |name: &[u8]| if old == new { name.to_vec() } else { without_first(name).to_vec() };
    let (first, second) = (bare(&old), bare(&new));
    // `x.orig` and `x~` refer to x. Like Git, prefer the shorter name if the longer one starts with it.
    let path = if second.starts_with(&first) { first } else { second };
    Ok(Section {
        range: opening.at()..scanner.at(),
        header: vec![(Field::OldName, old_range), (Field::NewName, new_range)],
        plain: true,
        old: Side { shown: old, path: path.clone() },
        new: Side { shown: new, path },
        step,
        mode: None,
        indivisible: false,
        hunks: 0..0,
        changes: 0..0,
        binary: None,
    })
}

/// Returns a name for a side that is `/dev/null`, with another prefix so that one can be stripped.
fn other_side(name: &[u8], prefix: &[u8], else_prefix: &[u8]) -> Vec<u8> {
    let rest = without_first(name);
    if rest.len() == name.len() {
        return name.to_vec();
    }
    let prefix = if name.starts_with(prefix) { else_prefix } else { prefix };
    [prefix, rest].concat()
}

/// Returns whether a timestamp is the start of 1970 in any time zone.
fn is_epoch(rest: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(trimmed(rest)) else { return false };
    let Some((_, stamp)) = text.rsplit_once('\t') else { return false };
    let (day, rest) = match stamp.split_once(' ') {
        Some(("1970-01-01", rest)) => (0, rest),
        Some(("1969-12-31", rest)) => (24 * 60, rest),
        _ => return false,
    };
    let Some((time, zone)) = rest.split_once(' ') else { return false };
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let digits =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<i32>().ok()).flatten();
    let minutes = |text: &str| (text.len() == 4).then(|| digits(text)).flatten().map(|hm| hm / 100 * 60 + hm % 100);
    let [hour, minute, "00"] = time.split(':').collect::<Vec<_>>()[..] else { return false };
    let (sign, zone) = match zone.split_at_checked(1) {
        Some(("+", zone)) => (1, zone),
        Some(("-", zone)) => (-1, zone),
        _ => return false,
    };
    let clock = minutes(&format!("{hour}{minute}"));
    let ahead = minutes(&zone.replace(':', ""));
    let whole = fraction.bytes().all(|byte| byte == b'0');
    whole && clock.zip(ahead).is_some_and(|(clock, ahead)| clock - sign * ahead == day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_1970_is_recognized_in_every_time_zone() {
        for stamp in
            ["1970-01-01 00:00:00.000000000 +0000", "1970-01-01 01:00:00 +0100", "1969-12-31 19:00:00.0 -05:00"]
        {
            assert!(is_epoch(format!("x\t{stamp}\n").as_bytes()), "{stamp}");
        }
        for stamp in
            ["1970-01-01 00:00:01 +0000", "1970-01-01 00:00:00 +0100", "2026-01-01 00:00:00 +0000", "", "1970-01-01"]
        {
            assert!(!is_epoch(format!("x\t{stamp}\n").as_bytes()), "{stamp}");
        }
    }
}
