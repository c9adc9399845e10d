//! The hierarchy of a patch, for reductions that go from files over hunks to lines.

use super::Patch;

impl Patch {
    /// Files, hunks and changes as a tree (Artho, "Iterative Delta Debugging", Section 3.4, Figure 5): for each entry
    /// the number of its parent entry.
    ///
    /// Entries 0 to [`Patch::len`] exclusive are the changes; then come all hunks, then all files, each in the order
    /// of the patch. Lines hang under their hunk; header changes and binary contents directly under their file; files
    /// have no parent.
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
