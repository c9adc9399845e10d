//! Checks of file names. A patch can come from anyone, and applying it writes and removes files by these names.

use std::collections::HashSet;

use super::model::{Section, Side, Step};
use super::scan::shown;

/// The longest path that any system opens, in bytes (`PATH_MAX` on Linux). It also bounds the work for a header line.
const LONGEST: usize = 4096;
/// The longest `diff --git` line, in bytes: two names, each byte of which may be quoted as `\ooo`.
const LONGEST_LINE: usize = 2 * 4 * LONGEST + 100;

/// The names in the patch so far.
#[derive(Debug, Default)]
pub(super) struct Names {
    strip: Option<usize>,
    /// The paths at which the patch creates a symbolic link or a submodule.
    links: HashSet<Vec<u8>>,
}

impl Names {
    /// Checks the names of the next file.
    ///
    /// # Errors
    /// Describes why a name could lead outside the target folder.
    pub(super) fn take(&mut self, section: &Section) -> Result<(), String> {
        for side in [&section.old, &section.new] {
            if side.shown.starts_with(b"/") {
                return Err(refusal(&side.shown, "is absolute"));
            }
            check(&side.path)?;
        }
        self.check_prefix(section)?;
        self.check_links(section)
    }

    /// `git apply` strips the same number of folders from all names.
    fn check_prefix(&mut self, section: &Section) -> Result<(), String> {
        for side in [&section.old, &section.new] {
            let Some(prefix) = prefix(side) else { continue };
            let strip = prefix.iter().filter(|&&byte| byte == b'/').count();
            if strip > 1 || *self.strip.get_or_insert(strip) != strip {
                let why = "has another prefix than an earlier name (such as `a/` and `b/`, or none), so `git apply` \
                           cannot apply both";
                return Err(format!("the name {} {why}", shown(&side.shown)));
            }
        }
        Ok(())
    }

    /// A file below a link would be written to the target of the link.
    fn check_links(&mut self, section: &Section) -> Result<(), String> {
        let (old, new) = (&section.old.path, &section.new.path);
        if section.step == Step::Deleted {
            self.links.remove(old);
            return Ok(());
        }
        if section.step == Step::Renamed {
            self.links.remove(old);
        }
        let mut folders = (0..new.len()).filter(|&at| new[at] == b'/').map(|at| &new[..at]);
        if let Some(link) = folders.find(|&folder| self.links.contains(folder)) {
            let link = shown(link);
            return Err(refusal(
                new,
                &format!("is below {link}, which the patch makes a symbolic link or a submodule"),
            ));
        }
        if section.indivisible {
            self.links.insert(new.clone());
        }
        Ok(())
    }
}

/// Returns the part of a name that `git apply` must strip, or `None` if it is unknown.
fn prefix(side: &Side) -> Option<&[u8]> {
    side.shown.strip_suffix(side.path.as_slice())
}

impl Section {
    /// Returns the number of folders to strip (`-p`), or `None` if the names do not show it.
    pub(super) fn strip(&self) -> Option<usize> {
        [&self.old, &self.new].into_iter().find_map(prefix).map(|prefix| usize::from(!prefix.is_empty()))
    }
}

/// # Errors
/// Returns a description if a header line is too long.
pub(super) fn check_length(line: &[u8]) -> Result<(), String> {
    if line.len() <= LONGEST_LINE {
        return Ok(());
    }
    Err(format!(
        "this line has {} bytes. Expected at most {LONGEST_LINE} bytes, and at most {LONGEST} in a name",
        line.len()
    ))
}

fn refusal(name: &[u8], why: &str) -> String {
    format!("the name {} {why}. Expected a path inside the repository", shown(name))
}

/// # Errors
/// Returns a description if the path might not name a file below the target folder on any system that Git supports.
fn check(path: &[u8]) -> Result<(), String> {
    let refuse = |why: &str| Err(refusal(path, why));
    match path {
        [] => return refuse("is empty"),
        [b'/' | b'\\', ..] => return refuse("is absolute"),
        [drive, b':', ..] if drive.is_ascii_alphabetic() => return refuse("starts with a drive"),
        _ if path.len() > LONGEST => return refuse(&format!("has more than {LONGEST} bytes")),
        _ if path.contains(&0) => return refuse("has a NUL byte"),
        _ => {}
    }
    if path.split(|&byte| byte == b'/').any(|part| part.is_empty() || part == b".") {
        return refuse("has an empty folder or `.` in it");
    }
    for part in path.split(|byte| matches!(byte, b'/' | b'\\')) {
        if part == b".." {
            return refuse("leads upwards");
        }
        if is_git_folder(part) {
            return refuse("is in a `.git` folder");
        }
    }
    Ok(())
}

/// Returns whether any file system treats this name as `.git`, as Git's `verify_path` (read-cache.c) does with
/// `core.protectHFS` and `core.protectNTFS`.
fn is_git_folder(name: &[u8]) -> bool {
    let visible = without_ignored(name);
    if visible.eq_ignore_ascii_case(b".git") {
        return true;
    }
    // NTFS ignores spaces and dots at the end, has a short name, and has streams after a colon.
    let begins = |start: &[u8]| name.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    let Some(start) = [&b".git"[..], b"git~1"].into_iter().find(|start| begins(start)) else { return false };
    let rest = name[start.len()..].iter().find(|byte| !matches!(byte, b'.' | b' '));
    rest.is_none_or(|&byte| byte == b':')
}

/// Removes the characters that HFS+ ignores.
fn without_ignored(name: &[u8]) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(name) else { return name.to_vec() };
    let ignored = |letter: &char| matches!(letter, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    text.chars().filter(|letter| !ignored(letter)).collect::<String>().into_bytes()
}
