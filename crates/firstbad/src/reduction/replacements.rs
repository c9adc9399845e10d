//! Replacements: old and new lines that make sense only together.
//!
//! Half a replacement often compiles but means nothing: an old line is gone without the new one, or both are there. Readers
//! look for the cause in the remaining lines of a patch, so such halves are misleading.

use crate::patch::{Hunk, LineKind, similar};
use crate::text::decides;

/// The most dissimilar lines that still form one replacement. A larger place is a rewrite, of which only a part may matter.
const SMALL: usize = 6;

/// Old lines of a hunk with the new ones in their place, as numbers of changes.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Replacements {
    /// Indivisible replacements: two similar lines, a few lines for a few others, or reindented lines with the condition
    /// that was added or removed around them.
    pub(super) whole: Vec<Vec<usize>>,
    /// Rewrites, of which a part can stay.
    pub(super) divisible: Vec<Vec<usize>>,
}

impl Replacements {
    /// Returns the replacements of a hunk. Dissimilar lines between two similar pairs form one group.
    ///
    /// An unchanged empty line does not end a place, because it is often the only line that a rewritten block has in common.
    pub(super) fn of(hunk: Hunk<'_>) -> Replacements {
        let mut found = Replacements::default();
        let mut place = Place::default();
        let mut stretch = 0;
        for line in hunk.lines() {
            let content = line.content;
            match (line.kind, line.change) {
                (LineKind::Removed, Some(change)) => place.old.push(Changed { change, content, stretch }),
                (LineKind::Added, Some(change)) => place.new.push(Changed { change, content, stretch }),
                _ if content.trim_ascii().is_empty() => stretch += 1,
                _ => std::mem::take(&mut place).put_into(&mut found),
            }
        }
        place.put_into(&mut found);
        found
    }
}

/// Changes between two unchanged lines.
#[derive(Default)]
struct Place<'a> {
    old: Vec<Changed<'a>>,
    new: Vec<Changed<'a>>,
}

/// An added or removed line.
#[derive(Clone, Copy)]
struct Changed<'a> {
    change: usize,
    content: &'a [u8],
    /// Equal for lines with no unchanged line between them.
    stretch: usize,
}

impl Place<'_> {
    fn put_into(self, found: &mut Replacements) {
        let (old, new) = (contents(&self.old), contents(&self.new));
        let mut indented = Vec::new();
        let mut next = (0, 0);
        for (at, with) in similar(&old, &new).into_iter().chain([(old.len(), new.len())]) {
            let (mut old, mut new) = (&self.old[next.0..at], &self.new[next.1..with]);
            if let Some((before, after)) = self.old.get(at).zip(self.new.get(with)) {
                let both = [before.change, after.change];
                if before.differs_otherwise(after) {
                    found.whole.push(both.to_vec());
                } else {
                    for lines in [&mut old, &mut new] {
                        if let Some((head, rest)) = lines.split_last()
                            && decides(&String::from_utf8_lossy(head.content))
                        {
                            indented.push(head.change);
                            *lines = rest;
                        }
                    }
                    indented.extend(both);
                }
            }
            found.push_unlike(old, new);
            next = (at + 1, with + 1);
        }
        if !indented.is_empty() {
            found.whole.push(indented);
        }
    }
}

impl Replacements {
    /// Adds dissimilar lines between the same similar pairs.
    fn push_unlike(&mut self, old: &[Changed<'_>], new: &[Changed<'_>]) {
        for old in old.chunk_by(|one, other| one.stretch == other.stretch) {
            let new = new.iter().filter(|line| line.stretch == old[0].stretch).collect::<Vec<_>>();
            if !new.is_empty() {
                let changes: Vec<usize> = old.iter().chain(new).map(|line| line.change).collect();
                if changes.len() <= SMALL { self.whole.push(changes) } else { self.divisible.push(changes) }
            }
        }
    }
}

impl Changed<'_> {
    /// Returns whether the lines differ in more than their indentation. Reindented lines stay together, because a single one
    /// would not be in any block.
    fn differs_otherwise(&self, other: &Changed<'_>) -> bool {
        let indent = |line: &Changed<'_>| line.content.len() - line.content.trim_ascii_start().len();
        self.content.trim_ascii() != other.content.trim_ascii()
            || self.content[..indent(self)] == other.content[..indent(other)]
    }
}

fn contents<'a>(lines: &[Changed<'a>]) -> Vec<&'a [u8]> {
    lines.iter().map(|line| line.content).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Patch;

    fn of(lines: &str) -> Replacements {
        let count = |signs: [char; 2]| lines.lines().filter(|line| line.starts_with(signs)).count();
        let text = format!("--- a/f\n+++ b/f\n@@ -1,{} +1,{} @@\n{lines}", count(['-', ' ']), count(['+', ' ']));
        let patch = Patch::parse(text.as_bytes()).unwrap();
        let hunk = patch.file(0).unwrap().hunks().next().unwrap();
        Replacements::of(hunk)
    }

    #[test]
    fn each_pair_of_similar_lines_is_a_replacement() {
        let found = of(" x\n-requests==1.0\n-flask==2.1\n+requests==2.0\n+# pinned\n+flask==2.2\n y\n");
        assert_eq!(found, Replacements { whole: vec![vec![0, 2], vec![1, 4]], divisible: vec![] });
    }

    #[test]
    fn few_dissimilar_lines_are_indivisible_and_many_are_not() {
        let found = of(" x\n-value = 1\n+n = self.count()\n+log(n)\n y\n-gone\n z\n+come\n");
        assert_eq!(found, Replacements { whole: vec![vec![0, 1, 2]], divisible: vec![] });
        let found = of("-a\n-b\n-c\n+u\n+v\n+w\n+x\n");
        assert_eq!(found, Replacements { whole: vec![], divisible: vec![(0..7).collect()] });
    }

    #[test]
    fn new_lines_can_be_next_to_their_old_lines() {
        let found = of("-a = 1\n+a = 2\n-b = 1\n+b = 2\n");
        assert_eq!(found.whole, [[0, 1], [2, 3]]);
    }

    #[test]
    fn reindented_lines_go_with_their_condition() {
        let found = of(
            " x\n-total = 1\n-else:\n-    a()\n-    b(1)\n+return\n+a()\n+b(2)\n y\n-c()\n-d()\n+if e:\n+    c()\n+    d()\n",
        );
        let whole = vec![vec![0, 4], vec![3, 6], vec![1, 2, 5], vec![9, 7, 10, 8, 11]];
        assert_eq!(found, Replacements { whole, divisible: vec![] });
        // Line ends are not indentation.
        assert_eq!(of("-a()\n-b()\n+a()\r\n+b()\r\n").whole, [[0, 2], [1, 3]]);
    }

    #[test]
    fn empty_lines_divide_only_dissimilar_lines() {
        let found = of("-go(1)\n \n+go(2)\n x\n-gone\n \n+come\n");
        assert_eq!(found, Replacements { whole: vec![vec![0, 1]], divisible: vec![] });
    }
}
