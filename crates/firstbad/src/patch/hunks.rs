//! Parses hunks: the `@@` line and the lines that it announces.

use super::model::{Hunk, Line, Place, Position, Section, Sign, Step};
use super::scan::{Scanner, shown, trimmed};
use super::{ChangeKind, Patch};
use crate::error::Error;

/// Parses a `@@` line. Returns its numbers and the start of the text after them.
pub(super) fn position(line: &[u8]) -> Option<(Position, usize)> {
    let rest = line.strip_prefix(b"@@ -")?;
    let (old_start, old_count, rest) = span(rest)?;
    let (new_start, new_count, rest) = span(rest.strip_prefix(b" +")?)?;
    let tail = rest.strip_prefix(b" @@")?;
    Some((Position { old_start, old_count, new_start, new_count }, line.len() - tail.len()))
}

/// Parses `start` or `start,count`, and returns the rest.
fn span(text: &[u8]) -> Option<(usize, usize, &[u8])> {
    let (start, rest) = number(text)?;
    match rest.strip_prefix(b",") {
        Some(rest) => number(rest).map(|(count, rest)| (start, count, rest)),
        None => Some((start, 1, rest)),
    }
}

/// Parses a number below 2^32, so that sums of such numbers cannot overflow.
fn number(text: &[u8]) -> Option<(usize, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value: u32 = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
    Some((value as usize, &text[digits..]))
}

/// Reads all hunks of a file.
///
/// # Errors
/// Returns [`Error::PatchSyntax`] if lines are missing, are invalid, or contradict the header.
pub(super) fn read(scanner: &mut Scanner<'_>, section: &mut Section, patch: &mut Patch) -> Result<(), Error> {
    section.hunks = patch.hunks.len()..patch.hunks.len();
    // A last line without newline ends its side.
    let mut ended = Ended::default();
    while scanner.sees(b"@@ -") {
        read_one(scanner, section, patch, &mut ended)?;
        section.hunks.end = patch.hunks.len();
    }
    Ok(())
}

#[derive(Debug, Default)]
struct Ended {
    old: bool,
    new: bool,
}

fn read_one(scanner: &mut Scanner<'_>, section: &Section, patch: &mut Patch, ended: &mut Ended) -> Result<(), Error> {
    let line = scanner.peek().unwrap_or_default();
    let Some((position, tail)) = position(line) else {
        return Err(scanner.refuse(format!("{} is not a hunk header. Expected `@@ -1,2 +1,3 @@`", shown(line))));
    };
    let opening = scanner.clone();
    let header = scanner.take();
    let (first_line, first_change) = (patch.lines.len(), patch.changes.len());
    let (mut old, mut new) = (position.old_count, position.new_count);
    while old > 0 || new > 0 {
        let sign = sign(scanner, old, new)?;
        let number = match sign {
            Sign::Added => position.new_start + (position.new_count - new),
            Sign::Context | Sign::Removed => position.old_start + (position.old_count - old),
        };
        old -= usize::from(sign != Sign::Added);
        new -= usize::from(sign != Sign::Removed);
        if (sign != Sign::Added && ended.old) || (sign != Sign::Removed && ended.new) {
            return Err(scanner.refuse("a line follows the last line, which has no newline"));
        }
        let line = take_line(scanner, sign, patch.changes.len(), number)?;
        ended.old |= line.open && sign != Sign::Added;
        ended.new |= line.open && sign != Sign::Removed;
        if sign != Sign::Context {
            let kind = if sign == Sign::Added { ChangeKind::Added } else { ChangeKind::Removed };
            let line = Some((patch.hunks.len(), patch.lines.len()));
            patch.changes.push(Place { kind, file: patch.sections.len(), line });
        }
        patch.lines.push(line);
    }
    if patch.changes.len() == first_change {
        return Err(opening.refuse("the hunk changes nothing"));
    }
    match section.step {
        Step::Created if position.old_count > 0 => {
            return Err(opening.refuse("a new file cannot have old lines"));
        }
        Step::Deleted if position.new_count > 0 => {
            return Err(opening.refuse("a deleted file cannot keep lines"));
        }
        _ => {}
    }
    patch.hunks.push(Hunk {
        file: patch.sections.len(),
        tail: header.start + tail..header.end,
        header,
        position,
        lines: first_line..patch.lines.len(),
        changes: first_change..patch.changes.len(),
    });
    Ok(())
}

/// Returns the kind of the next line. `old` and `new` are the numbers of lines that each side still announces.
fn sign(scanner: &Scanner<'_>, old: usize, new: usize) -> Result<Sign, Error> {
    let Some(line) = scanner.peek() else {
        return Err(scanner.refuse(format!(
            "the patch ends inside a hunk. {old} more lines of the old file and {new} lines of the new file are missing"
        )));
    };
    let (sign, fits) = match line.first() {
        // Some tools drop the space of an empty context line.
        Some(b' ' | b'\n') => (Sign::Context, old > 0 && new > 0),
        Some(b'-') => (Sign::Removed, old > 0),
        Some(b'+') => (Sign::Added, new > 0),
        _ => {
            let message = format!("{} is not a line of a hunk. Expected ' ', '+', '-' or '\\' first", shown(line));
            return Err(scanner.refuse(message));
        }
    };
    if !fits {
        return Err(scanner.refuse(format!("{} is an extra line according to the hunk header", shown(line))));
    }
    if !line.ends_with(b"\n") {
        return Err(scanner.refuse("the patch ends in the middle of a line: its last newline is missing"));
    }
    Ok(sign)
}

fn take_line(scanner: &mut Scanner<'_>, sign: Sign, change: usize, number: usize) -> Result<Line, Error> {
    let signed = scanner.peek().is_some_and(|line| line != b"\n");
    let mut range = scanner.take();
    let mut content = range.start + usize::from(signed)..range.end;
    let open = scanner.sees(b"\\ ");
    if open {
        if !signed {
            return Err(scanner.refuse("an empty line cannot be without a newline"));
        }
        range.end = scanner.take().end;
        content.end -= 1;
    } else if scanner.sees(b"\\") {
        let line = trimmed(scanner.peek().unwrap_or_default());
        return Err(scanner.refuse(format!("{} is not a line of a hunk. Expected `\\ No newline ...`", shown(line))));
    }
    Ok(Line { sign, open, range, content, change, number })
}
