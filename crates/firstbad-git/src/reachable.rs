//! Commits that are no longer reachable.

use std::collections::HashSet;

use firstbad::Error;

use crate::git;
use crate::repository::Repository;

impl Repository {
    /// Returns the commits that no branch, tag, or checkout contains, for example after a rebase, and those that are missing.
    /// Names that are not full ids are ignored.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails.
    pub fn left_behind<'a>(&self, ids: &[&'a str]) -> Result<Vec<&'a str>, Error> {
        let is_full = |id: &&&str| matches!(id.len(), 40 | 64) && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let ids: Vec<&str> = ids.iter().filter(is_full).copied().collect();
        let input: String = ids.iter().flat_map(|&id| [id, "\n"]).collect();
        let mut here = self.git();
        here.args(["rev-list", "--no-walk=unsorted", "--ignore-missing", "--stdin"]);
        let here = lines(&git::output(&mut here, input.as_bytes())?);
        // Passed as arguments, because the meaning of `--not` for standard input differs between versions of Git.
        let mut lost = self.git();
        lost.args(["rev-list", "--ignore-missing"]).args(&here).args(["--not", "--all", "--"]);
        let lost = if here.is_empty() { HashSet::new() } else { lines(&git::output(&mut lost, b"")?) };
        Ok(ids.into_iter().filter(|&id| !here.contains(id) || lost.contains(id)).collect())
    }
}

fn lines(printed: &[u8]) -> HashSet<String> {
    String::from_utf8_lossy(printed).lines().map(str::to_owned).collect()
}
