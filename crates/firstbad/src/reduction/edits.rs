//! Replacements: a level between hunks and lines.
//!
//! Half a replacement often does not compile. If a reduction removes single lines, it may never see a version pass without
//! one half, and would then keep the bug itself (Artho, Section 4.1: one commit may hold a cause and a conflict).

use crate::patch::{Hunk, LineKind, Patch};

/// Returns the tree of a patch ([`Patch::parents`]) with one more entry above each replacement.
pub(crate) fn parents(patch: &Patch) -> Vec<Option<usize>> {
    let mut parents = patch.parents();
    for hunk in patch.files().flat_map(|file| file.hunks().collect::<Vec<_>>()) {
        for edit in edits(hunk) {
            let entry = parents.len();
            parents.push(parents[edit[0]]);
            edit.iter().for_each(|&change| parents[change] = Some(entry));
        }
    }
    parents
}

/// Returns the replacements of a hunk, as numbers of changes.
///
/// If a place has as many old lines as new ones, each old line forms a pair with its new one. Otherwise, all lines of the
/// place belong together. Lines that replace nothing are left out.
pub(super) fn edits(hunk: Hunk<'_>) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for line in hunk.lines() {
        match (line.kind, line.change) {
            (LineKind::Removed, Some(change)) => {
                if !new.is_empty() {
                    end(&mut found, &mut old, &mut new);
                }
                old.push(change);
            }
            (LineKind::Added, Some(change)) => new.push(change),
            _ => end(&mut found, &mut old, &mut new),
        }
    }
    end(&mut found, &mut old, &mut new);
    found
}

fn end(found: &mut Vec<Vec<usize>>, old: &mut Vec<usize>, new: &mut Vec<usize>) {
    let (old, new) = (std::mem::take(old), std::mem::take(new));
    if old.is_empty() || new.is_empty() {
        return;
    }
    if old.len() == new.len() {
        found.extend(old.into_iter().zip(new).map(|(old, new)| vec![old, new]));
    } else {
        found.push([old, new].concat());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_and_new_lines_share_an_entry() {
        let text =
            b"--- a/f\n+++ b/f\n@@ -1,9 +1,10 @@\n one\n-two\n-three\n+TWO\n+THREE\n four\n+new\n five\n-six\n+SIX\n\
                     +and\n seven\n-eight\n nine\n";
        let patch = Patch::parse(text).unwrap();
        let plain = patch.parents();
        let (hunk, made) = (patch.len(), parents(&patch));
        let first = plain.len();
        assert_eq!(made[..4], [first, first + 1, first, first + 1].map(Some));
        assert_eq!(made[4], Some(hunk));
        assert_eq!(made[5..8], [Some(first + 2); 3]);
        assert_eq!(made[8], Some(hunk));
        assert_eq!(made[first..], [Some(hunk); 3]);
        assert_eq!(made[9..first], plain[9..]);
    }

    #[test]
    fn adjacent_lines_share_an_entry() {
        let text = b"--- a/f\n+++ b/f\n@@ -1,4 +1,3 @@\n-one\n+ONE\n-two\n-three\n-four\n+FOUR\n+and\n";
        let made = parents(&Patch::parse(text).unwrap());
        let first = made.len() - 2;
        assert_eq!(made[..7], [0, 0, 1, 1, 1, 1, 1].map(|entry| Some(first + entry)));
    }
}
