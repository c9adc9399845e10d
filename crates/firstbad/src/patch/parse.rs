//! Parses a patch: finds the files, and keeps the text between them.

use std::ops::Range;

use super::model::{Binary, Blob, Field, Place, Section};
use super::safety::Names;
use super::scan::{Scanner, shown, trimmed};
use super::{ChangeKind, Patch, binary, header, hunks};
use crate::error::Error;

impl Patch {
    /// Parses a patch. [`Patch::as_bytes`] returns the same bytes again. An empty text is a patch without changes.
    ///
    /// A patch can come from anyone, so the parser rejects names that could lead outside the target folder: absolute names
    /// and drives, `..`, any form of `.git` that a file system accepts, NUL bytes, and names longer than 4,096 bytes. It
    /// also rejects names below a symbolic link or submodule from the same patch, and prefixes that differ between files.
    ///
    /// # Errors
    /// Returns [`Error::PatchSyntax`], with the line, if the text is not a patch in Git's format, contains a name as above,
    /// or has more than 512 MiB of unpacked binary content. Combined diffs of merges (`diff --cc`) are errors because they
    /// cannot be applied. A nonempty text without any diff is also an error.
    pub fn parse(text: &[u8]) -> Result<Patch, Error> {
        read(text)
    }
}

fn read(text: &[u8]) -> Result<Patch, Error> {
    let mut patch = Patch::of_text(text);
    let mut scanner = Scanner::new(text);
    let mut names = Names::default();
    let mut room = Room(MOST_BINARY);
    while let Some(line) = scanner.peek() {
        let opening = scanner.clone();
        let section = if line.starts_with(b"diff --git ") {
            header::read_git(&mut scanner)?
        } else if header::sees_plain(&scanner) {
            Some(header::read_plain(&mut scanner)?)
        } else {
            refuse_stray(&scanner, line)?;
            scanner.take();
            None
        };
        if let Some(section) = section {
            names.take(&section).map_err(|message| opening.refuse(message))?;
            read_changes(&mut scanner, section, &mut patch, &mut room)?;
        }
    }
    if patch.sections.is_empty() && !text.trim_ascii().is_empty() {
        return Err(Scanner::new(text)
            .refuse("the text is not a patch. It has no `diff --git` line, and no `---` and `+++` lines"));
    }
    patch.origin = (0..patch.changes.len()).collect();
    patch.without_context = patch.looks_without_context();
    Ok(patch)
}

/// Text between files can be anything that does not look like a lost part of a patch.
fn refuse_stray(scanner: &Scanner<'_>, line: &[u8]) -> Result<(), Error> {
    let combined =
        line.starts_with(b"diff --cc ") || line.starts_with(b"diff --combined ") || line.starts_with(b"@@@ -");
    if combined {
        return Err(scanner.refuse(
            "a combined diff of a merge cannot be applied\nhelp: create a diff against one parent, with git diff \
             merge^1 merge or git show -m --first-parent",
        ));
    }
    if line.starts_with(b"@@ -") && hunks::position(line).is_some() {
        return Err(scanner.refuse("the `---` and `+++` lines of this hunk are missing"));
    }
    if line.starts_with(b"@@ ") {
        return Err(scanner.refuse(format!("{} is not a hunk header. Expected `@@ -1,2 +1,3 @@`", shown(line))));
    }
    Ok(())
}

fn read_changes(
    scanner: &mut Scanner<'_>,
    mut section: Section,
    patch: &mut Patch,
    room: &mut Room,
) -> Result<(), Error> {
    let file = patch.sections.len();
    let start = patch.changes.len();
    let of_header = |kind| Place { kind, file, line: None };
    patch.changes.extend(section.mode.map(|_| of_header(ChangeKind::Mode)));
    patch.changes.extend(section.step.kind().map(of_header));
    let has = |section: &Section, wanted: Field| section.header.iter().any(|(field, _)| *field == wanted);
    if scanner.sees(b"@@ -") && !has(&section, Field::NewName) {
        return Err(scanner.refuse("the `---` and `+++` lines of this hunk are missing"));
    }
    hunks::read(scanner, &mut section, patch)?;
    if section.hunks.is_empty() && !section.plain {
        let opening = scanner.clone();
        section.binary = read_binary(scanner, room)?;
        if section.binary.is_some() && !has(&section, Field::Index) {
            return Err(opening.refuse("binary content needs an `index` line"));
        }
        patch.changes.extend(section.binary.as_ref().map(|_| of_header(ChangeKind::Binary)));
    }
    section.range.end = scanner.at();
    section.changes = start..patch.changes.len();
    patch.sections.push(section);
    Ok(())
}

/// Reads binary content, if it follows the header.
fn read_binary(scanner: &mut Scanner<'_>, room: &mut Room) -> Result<Option<Binary>, Error> {
    let start = scanner.at();
    let line = trimmed(scanner.peek().unwrap_or_default());
    if (line.starts_with(b"Binary files ") || line.starts_with(b"Files ")) && line.ends_with(b" differ") {
        scanner.take();
        return Ok(Some(Binary { range: start..scanner.at(), forward: None, reverse: None }));
    }
    if line != b"GIT binary patch" {
        return Ok(None);
    }
    scanner.take();
    let Some(forward) = read_blob(scanner, room)? else {
        return Err(scanner.refuse("expected `literal` or `delta` with a size after `GIT binary patch`"));
    };
    let reverse = read_blob(scanner, room)?;
    Ok(Some(Binary { range: start..scanner.at(), forward: Some(forward), reverse }))
}

fn read_blob(scanner: &mut Scanner<'_>, room: &mut Room) -> Result<Option<Blob>, Error> {
    let line = trimmed(scanner.peek().unwrap_or_default());
    let method = line.strip_prefix(b"literal ").map(|size| (false, size));
    let Some((delta, size)) = method.or_else(|| line.strip_prefix(b"delta ").map(|size| (true, size))) else {
        return Ok(None);
    };
    let Some(size) = std::str::from_utf8(size).ok().and_then(|size| size.parse().ok()) else {
        return Err(scanner.refuse(format!("{} has no size", shown(line))));
    };
    let opening = scanner.clone();
    room.take(size).map_err(|message| opening.refuse(message))?;
    scanner.take();
    let start = scanner.at();
    loop {
        let line = scanner.peek().map(trimmed);
        match line {
            None => return Err(scanner.refuse("the patch ends inside binary data, without the empty line after it")),
            Some(b"") => break,
            // A letter for the number of bytes, then five characters for every four bytes.
            Some([b'A'..=b'Z' | b'a'..=b'z', data @ ..]) if !data.is_empty() && data.len() % 5 == 0 => scanner.take(),
            Some(line) => return Err(scanner.refuse(format!("{} is not a line of binary data", shown(line)))),
        };
    }
    let data: Range<usize> = start..scanner.at();
    let blob = Blob { delta, size, data };
    // `apply` reports damaged content.
    if let Some(result) = binary::result_size(scanner.text(), &blob) {
        room.take(result).map_err(|message| opening.refuse(message))?;
    }
    scanner.take();
    Ok(Some(blob))
}

/// The most unpacked bytes of binary content in a patch, in both directions. A few hundred bytes can expand to gigabytes.
const MOST_BINARY: usize = 512 << 20;

/// The remaining bytes.
#[derive(Debug)]
struct Room(usize);

impl Room {
    fn take(&mut self, size: usize) -> Result<(), String> {
        self.0 = self.0.checked_sub(size).ok_or_else(|| {
            format!("binary content of {size} bytes. Expected at most {MOST_BINARY} bytes in all files of a patch")
        })?;
        Ok(())
    }
}
