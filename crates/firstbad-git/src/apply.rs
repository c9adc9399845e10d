//! Calls of `git apply`, and its error messages.

use std::process::Command;

use firstbad::patch::FilePatch;
use firstbad::{Error, Patch};

/// Returns the `git apply` command for a patch that changes only the index. Callers can add options, and pass the patch as an
/// argument or on standard input.
pub fn to_index(mut git: Command, patch: &Patch) -> Command {
    git.args(["-c", "apply.ignoreWhitespace=no", "apply", "--cached", "--whitespace=nowarn"]);
    git.arg(format!("-p{}", patch.strip()));
    if patch.is_without_context() {
        git.arg("--unidiff-zero");
    }
    git
}

/// Returns the error for a patch that `git apply` rejected with this message, or `None` if the message is about something else.
pub fn conflict(patch: &Patch, words: &str) -> Option<Error> {
    words.lines().filter_map(|line| line.strip_prefix("error: ")).find_map(|line| {
        let (file, hunk, message) = misfit(patch, line).or_else(|| refused(patch, line))?;
        Some(Error::PatchConflict { file, hunk, message })
    })
}

/// Parses `patch failed: <file>:<line>`. The line is the first old line of the hunk.
fn misfit(patch: &Patch, line: &str) -> Option<(String, Option<usize>, String)> {
    let (file, start) = line.strip_prefix("patch failed: ")?.rsplit_once(':')?;
    let start: usize = start.parse().ok()?;
    let mut files = patch.files().filter(|part| names(*part).any(|name| name == file));
    let hunk = files.find_map(|part| part.hunks().position(|hunk| hunk.old_span().0 == start));
    Some((file.to_owned(), hunk.map(|hunk| hunk + 1), format!("the revision has other lines at line {start}")))
}

/// Parses `<file>: <message>`, or a message that quotes the file.
fn refused(patch: &Patch, line: &str) -> Option<(String, Option<usize>, String)> {
    patch.files().flat_map(names).find_map(|name| {
        let rest = line.strip_prefix(&name).and_then(|rest| rest.strip_prefix(": "));
        let message = rest.or_else(|| line.contains(&format!("'{name}'")).then_some(line))?.to_owned();
        Some((name, None, message))
    })
}

fn names(file: FilePatch<'_>) -> impl Iterator<Item = String> {
    [file.old_path(), file.new_path()].into_iter().flatten().map(|path| String::from_utf8_lossy(path).into_owned())
}
