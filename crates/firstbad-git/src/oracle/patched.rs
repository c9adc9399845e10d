//! A patch over a work tree: `git apply`, and what it says where it does not fit.

use std::path::PathBuf;

use firstbad::{Error, Patch};

use super::slot::{Preparation, Slot};
use crate::git;

impl Slot {
    /// Applies a patch to the revision that the slot holds, in the index and in the work tree. Returns a file with
    /// the patch. The next [`Slot::prepare`] undoes it like anything that a command has done.
    ///
    /// # Errors
    /// [`Error::PatchConflict`]; [`Error::Git`], [`Error::Io`], [`Error::Interrupted`].
    pub(super) fn apply(&self, patch: &Patch, how: &mut Preparation<'_, '_>) -> Result<PathBuf, Error> {
        let path = self.beside("patch");
        std::fs::write(&path, patch.as_bytes())
            .map_err(|error| git::io(format!("writing {}", path.display()), &error))?;
        if patch.is_empty() {
            return Ok(path);
        }
        // First the index alone: git refuses to touch a file of the work tree that it takes for modified, as it does
        // with any whose line ends are not what the attributes want.
        let mut apply = self.git();
        apply.args(["-c", "apply.ignoreWhitespace=no", "apply", "--cached", "--whitespace=nowarn"]);
        apply.arg(format!("-p{}", patch.strip()));
        if patch.is_without_context() {
            apply.arg("--unidiff-zero");
        }
        apply.arg("--").arg(&path);
        self.run(&mut apply, how).map_err(|error| match error {
            Error::Git { .. } => conflict(patch, &self.words()).unwrap_or(error),
            other => other,
        })?;
        // What the patch deletes or moves away is untracked now.
        if patch.files().any(|file| file.old_path().is_some_and(|old| file.new_path() != Some(old))) {
            self.clean(how)?;
        }
        self.run(self.git().args(["checkout-index", "--all", "--force", "--index", "--quiet"]), how)?;
        Ok(path)
    }
}

/// The error for a patch that `git apply` refused with these words; nothing where they are about something else.
fn conflict(patch: &Patch, words: &str) -> Option<Error> {
    words.lines().filter_map(|line| line.strip_prefix("error: ")).find_map(|line| {
        let (file, hunk, message) = misfit(patch, line).or_else(|| refused(patch, line))?;
        Some(Error::PatchConflict { file, hunk, message })
    })
}

/// `patch failed: <file>:<line>`, with the line on the old side that the hunk begins with.
fn misfit(patch: &Patch, line: &str) -> Option<(String, Option<usize>, String)> {
    let (file, start) = line.strip_prefix("patch failed: ")?.rsplit_once(':')?;
    let start: usize = start.parse().ok()?;
    let mut files = patch.files().filter(|part| names(*part).any(|name| name == file));
    let hunk = files.find_map(|part| part.hunks().position(|hunk| hunk.old_span().0 == start));
    Some((file.to_owned(), hunk.map(|hunk| hunk + 1), format!("the revision has other lines at line {start}")))
}

/// `<file>: <words>`, or words with the file between quotes.
fn refused(patch: &Patch, line: &str) -> Option<(String, Option<usize>, String)> {
    patch.files().flat_map(names).find_map(|name| {
        let rest = line.strip_prefix(&name).and_then(|rest| rest.strip_prefix(": "));
        let message = rest.or_else(|| line.contains(&format!("'{name}'")).then_some(line))?.to_owned();
        Some((name, None, message))
    })
}

fn names(file: firstbad::patch::FileChange<'_>) -> impl Iterator<Item = String> {
    [file.old_path(), file.new_path()].into_iter().flatten().map(|path| String::from_utf8_lossy(path).into_owned())
}
