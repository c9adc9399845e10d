//! The hierarchy of a patch: files, hunks, and changes.

use super::Patch;

impl Patch {
    /// Returns the tree of files, hunks, and changes, as the number of each entry's parent (Artho, "Iterative Delta
    /// Debugging", Section 3.4, Figure 5).
    ///
    /// Entries 0 to [`Patch::len`] exclusive are the changes. All hunks come next, then all files, each in the order of the
    /// patch. The parent of a line is its hunk. The parent of a header change or binary content is its file. Files have no
    /// parent.
    #[must_use]
    pub fn parents(&self) -> Vec<Option<usize>> {
        let first_hunk = self.len();
        let first_file = first_hunk + self.hunks.len();
        let changes = self.changes.iter().map(|place| match place.line {
            Some((hunk, _)) => first_hunk + hunk,
            None => first_file + place.file,
        });
        let hunks = self.hunks.iter().map(|hunk| first_file + hunk.file);
        changes.chain(hunks).map(Some).chain(self.sections.iter().map(|_| None)).collect()
    }
}
