//! Binary content of a patch.

use super::Patch;
use super::binary;
use super::model::{Binary, Blob, Section};
use crate::error::Error;

impl Patch {
    /// Returns the patch for display, with the sizes of binary files instead of their content. The result is a patch
    /// with the same changes, but it cannot be applied to binary files.
    ///
    /// ```
    /// use firstbad::Patch;
    /// let text = b"diff --git a/x b/x\nindex 0000..1111\nGIT binary patch\nliteral 1\nIc${+r002V(LjV8(\n\n\
    ///     literal 2\nJc${-|0ssKU0E7Sl\n\n";
    /// let shown = Patch::parse(text)?.summarized().to_string();
    /// assert!(shown.ends_with("\nBinary files a/x (2 bytes) and b/x (1 byte) differ\n"), "{shown}");
    /// # Ok::<(), firstbad::Error>(())
    /// ```
    #[must_use]
    pub fn summarized(&self) -> Patch {
        let with_content = |section: &&Section| section.binary.as_ref().is_some_and(|binary| binary.forward.is_some());
        if !self.sections.iter().any(|section| with_content(&section)) {
            return self.clone();
        }
        let (mut text, mut from) = (Vec::new(), 0);
        for section in &self.sections {
            let Some(binary) = section.binary.as_ref().filter(|binary| binary.forward.is_some()) else { continue };
            text.extend_from_slice(&self.text[from..binary.range.start]);
            text.extend(self.sizes(section, binary));
            from = binary.range.end;
        }
        text.extend_from_slice(&self.text[from..]);
        // The inserted lines have the form that Git writes for binary files, so the patch parses.
        let shown = Patch::parse(&text).unwrap_or_else(|_| self.clone());
        Patch { origin: self.origin.clone(), without_context: self.without_context, ..shown }
    }

    /// Returns the line that replaces the content of a binary file.
    fn sizes(&self, section: &Section, binary: &Binary) -> Vec<u8> {
        let side = |name: &[u8], blob: Option<&Blob>| {
            let size = blob.map(|blob| binary::result_size(&self.text, blob).unwrap_or(blob.size));
            let words = match size {
                None => String::new(),
                Some(1) => " (1 byte)".to_owned(),
                Some(size) => format!(" ({size} bytes)"),
            };
            [name, words.as_bytes()].concat()
        };
        let old = side(&section.old.shown, binary.reverse.as_ref());
        let new = side(&section.new.shown, binary.forward.as_ref());
        [b"Binary files ", &old[..], b" and ", &new, b" differ\n"].concat()
    }

    /// Removes the binary files whose content is not in the patch, because they cannot be applied. Returns the rest of
    /// the patch, and the names of the removed files. Use `git diff --binary` to include the content.
    ///
    /// # Errors
    /// The errors of [`Patch::subset`].
    pub fn with_content(&self) -> Result<(Patch, Vec<String>), Error> {
        let is_bare = |section: &Section| section.binary.as_ref().is_some_and(|binary| binary.forward.is_none());
        let (bare, whole): (Vec<&Section>, Vec<&Section>) = self.sections.iter().partition(|section| is_bare(section));
        if bare.is_empty() {
            return Ok((self.clone(), Vec::new()));
        }
        let changes: Vec<usize> = whole.iter().flat_map(|section| section.changes.clone()).collect();
        let names = bare.iter().map(|section| String::from_utf8_lossy(section.path()).into_owned()).collect();
        Ok((self.subset(&changes)?, names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"--- a/t\n+++ b/t\n@@ -1 +1 @@\n-a\n+b\n";
    const BINARY: &[u8] = b"diff --git a/x b/x\nindex 0000..1111\nGIT binary patch\nliteral 1\nIc${+r002V(LjV8(\n\n\
        literal 2\nJc${-|0ssKU0E7Sl\n\n";
    const BARE: &[u8] = b"diff --git a/y b/y\nindex 2222..3333 100644\nBinary files a/y and b/y differ\n";

    #[test]
    fn a_summary_has_sizes_instead_of_content_and_the_same_changes() {
        let patch = Patch::parse(&[BINARY, TEXT].concat()).unwrap();
        let shown = patch.summarized();
        let words =
            "diff --git a/x b/x\nindex 0000..1111\nBinary files a/x (2 bytes) and b/x (1 byte) differ\n--- a/t\n";
        assert!(shown.to_string().starts_with(words), "{shown}");
        assert_eq!(shown.changes().collect::<Vec<_>>(), patch.changes().collect::<Vec<_>>());
        assert_eq!(Patch::parse(TEXT).unwrap().summarized(), Patch::parse(TEXT).unwrap());
    }

    #[test]
    fn files_without_content_are_removed_and_named() {
        let (patch, names) = Patch::parse(&[BARE, TEXT, BINARY].concat()).unwrap().with_content().unwrap();
        assert_eq!(
            (patch.to_string(), names),
            (String::from_utf8([TEXT, BINARY].concat()).unwrap(), vec!["y".to_owned()])
        );
        let whole = Patch::parse(&[TEXT, BINARY].concat()).unwrap();
        assert_eq!(whole.with_content().unwrap(), (whole, Vec::new()));
    }
}
