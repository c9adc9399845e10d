//! Parsing the output of `git diff-tree`.

use std::collections::HashSet;

use firstbad::Error;
use firstbad::suspicion::{Changelist, FileStatus};

use crate::git;

/// The start of a commit. No line about a file starts with it.
pub(super) const COMMIT: &str = "commit ";

/// Parses the changes. Merges without changes of their own are left out.
pub(super) fn parsed(text: &[u8]) -> Result<Vec<Changelist>, Error> {
    let mut changes = Vec::new();
    let mut current: Option<ChangelistBuilder> = None;
    let mut tokens = text.split(|&byte| byte == 0);
    while let Some(token) = tokens.next() {
        // Git prints a line break before the first file of a commit.
        let token = token.strip_prefix(b"\n").unwrap_or(token);
        let mut path = || {
            let path = tokens.next().ok_or_else(|| not_understood(token))?;
            Ok::<_, Error>(String::from_utf8_lossy(path).into_owned())
        };
        if token.is_empty() {
            continue;
        }
        if token.starts_with(COMMIT.as_bytes()) {
            changes.extend(current.take().and_then(ChangelistBuilder::finish));
            current =
                Some(ChangelistBuilder::begin(&String::from_utf8_lossy(token)).ok_or_else(|| not_understood(token))?);
            continue;
        }
        let Some(draft) = &mut current else { return Err(not_understood(token)) };
        if token[0] == b':' {
            // `:100644 100644 <id> <id> R100`, followed by the names. A merge has a `:` and a letter (`MR`) for each parent, and
            // the names in all parents before the name in the merge.
            let parents = token.iter().take_while(|&&byte| byte == b':').count();
            let letters = token.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
            let letters: Vec<u8> = letters.iter().copied().filter(u8::is_ascii_alphabetic).collect();
            let before = if parents > 1 { parents } else { usize::from(matches!(letters[..], [b'R' | b'C'])) };
            let olds: Vec<String> = (0..before).map(|_| path()).collect::<Result<_, _>>()?;
            draft.touch(olds, path()?, &letters);
        } else {
            // `added\tdeleted\tname`. For a renamed file, the names follow. Binary files have `-`.
            let mut fields = token.splitn(3, |&byte| byte == b'\t');
            let mut number = || lines(fields.next()?);
            let (Some(added), Some(deleted)) = (number(), number()) else { return Err(not_understood(token)) };
            let name = match fields.next() {
                Some([]) => {
                    path()?;
                    path()?
                }
                Some(name) => String::from_utf8_lossy(name).into_owned(),
                None => return Err(not_understood(token)),
            };
            draft.counted.push((name, added, deleted));
        }
    }
    changes.extend(current.and_then(ChangelistBuilder::finish));
    Ok(changes)
}

/// Parses a number of lines. A binary file has `-` instead, which counts as 0.
fn lines(field: &[u8]) -> Option<u64> {
    if field == b"-" {
        return Some(0);
    }
    std::str::from_utf8(field).ok()?.parse().ok()
}

fn not_understood(token: &[u8]) -> Error {
    let shown: String = String::from_utf8_lossy(token).chars().take(80).collect();
    Error::Git { message: format!("cannot understand git diff-tree, which said {shown:?}") }
}

/// A commit under construction.
struct ChangelistBuilder {
    change: Changelist,
    merge: bool,
    seen: HashSet<String>,
    /// The counted lines of each file. For a merge, Git counts against the first parent and may list other files.
    counted: Vec<(String, u64, u64)>,
}

impl ChangelistBuilder {
    fn begin(header: &str) -> Option<ChangelistBuilder> {
        let mut lines = header.strip_prefix(COMMIT)?.splitn(6, '\n');
        let mut line = || lines.next().map(str::to_owned);
        let (id, parents, author, email, time) = (line()?, line()?, line()?, line()?, line()?);
        let message = line().unwrap_or_default().trim_end().to_owned();
        let parents: Vec<String> = parents.split_whitespace().map(str::to_owned).collect();
        let merge = parents.len() > 1;
        // Dates that Git cannot print count as the start of 1970.
        let time = if time.is_empty() { 0 } else { git::seconds(&time)? };
        let change = Changelist { id, parents, author, email, time, message, ..Changelist::default() };
        Some(ChangelistBuilder { change, merge, seen: HashSet::new(), counted: Vec::new() })
    }

    /// Adds a file with its names in the parents and one status letter per parent.
    fn touch(&mut self, olds: Vec<String>, new: String, letters: &[u8]) {
        let all = |letter: u8| !letters.is_empty() && letters.iter().all(|&one| one == letter);
        for (old, letter) in olds.into_iter().zip(letters) {
            // A copy does not change its source.
            if *letter == b'R' && old != new {
                self.mark(&old, FileStatus::Deleted);
                self.change.renames.insert(old, new.clone());
            }
        }
        let status = match () {
            () if all(b'D') => FileStatus::Deleted,
            () if letters.iter().all(|letter| matches!(letter, b'A' | b'R' | b'C')) => FileStatus::Added,
            () => FileStatus::Modified,
        };
        self.mark(&new, status);
    }

    fn mark(&mut self, file: &str, status: FileStatus) {
        if self.seen.insert(file.to_owned()) {
            self.change.files.push(file.to_owned());
        }
        self.change.statuses.insert(file.to_owned(), status);
    }

    /// Returns the change, or `None` for a merge without changes of its own.
    fn finish(self) -> Option<Changelist> {
        let ChangelistBuilder { mut change, merge, seen, counted } = self;
        if merge && change.files.is_empty() {
            return None;
        }
        for (file, added, deleted) in counted {
            if seen.contains(&file) {
                change.added += added;
                change.deleted += deleted;
                change.counts.insert(file, (added, deleted));
            }
        }
        Some(change)
    }
}
