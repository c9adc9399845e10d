//! Dependencies between hunks of successive patches: examples, and closed sets of hunks applied alone.

use std::collections::{BTreeMap, BTreeSet};

use firstbad::Patch;
use firstbad::patch::{HunkId, Reach, hunk_dependencies};

use super::sandbox::{Entry, Sandbox, Tree, contents};
use crate::random::Random;

/// Returns all dependencies in a short form: `1.0.2` is hunk 2 of file 0 in patch 1, and `1.0` is the header of that file.
fn needs(patches: &[&str], reach: Reach) -> Vec<String> {
    let patches: Vec<Patch> = patches.iter().map(|text| Patch::parse(text.as_bytes()).expect("a patch")).collect();
    let short = |id: &HunkId| match id.hunk {
        Some(hunk) => format!("{}.{}.{hunk}", id.patch, id.file),
        None => format!("{}.{}", id.patch, id.file),
    };
    let found = hunk_dependencies(&patches, reach).expect("few");
    let with = found.iter().filter(|dependency| !dependency.needs.is_empty());
    with.map(|dependency| {
        let needs: Vec<String> = dependency.needs.iter().map(short).collect();
        format!("{}: {}", short(&dependency.of), needs.join(" "))
    })
    .collect()
}

fn edit(hunks: &str) -> String {
    format!("diff --git a/x b/x\n--- a/x\n+++ b/x\n{hunks}")
}

#[test]
fn a_line_needs_the_hunk_that_added_it() {
    let first = edit("@@ -5,2 +5,3 @@\n 5\n+new\n 6\n@@ -20,2 +21,3 @@\n 20\n+other\n 21\n");
    let second = edit("@@ -6 +6 @@\n-new\n+newer\n");
    let third = edit("@@ -20,2 +20,3 @@\n 19\n+more\n 20\n");
    let apart = edit("@@ -40,2 +40,3 @@\n 40\n+apart\n 41\n");
    let all = needs(&[&first, &second, &third, &apart], Reach::Context);
    // The third patch's hunk ends directly before the line that the first patch added, so it does not need the first patch.
    assert_eq!(all, ["1.0.0: 0.0.0"]);
}

#[test]
fn context_counts_only_on_request() {
    let first = edit("@@ -5,2 +5,3 @@\n 5\n+new\n 6\n");
    let second = edit("@@ -5,4 +5,5 @@\n 5\n new\n 6\n+more\n 7\n");
    assert_eq!(needs(&[&first, &second], Reach::Context), ["1.0.0: 0.0.0"]);
    assert!(needs(&[&first, &second], Reach::Touched).is_empty());
    let between = edit("@@ -5,2 +5,4 @@\n 5\n+one\n+two\n 6\n");
    let inside = edit("@@ -6,0 +7 @@\n+one and a half\n");
    assert_eq!(needs(&[&between, &inside], Reach::Touched), ["1.0.0: 0.0.0"]);
}

#[test]
fn hunks_next_to_removed_lines_need_the_removal() {
    let first = edit("@@ -5,3 +5,2 @@\n 5\n-6\n 7\n");
    for (second, context, touched) in [
        ("@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 7\n", true, true),
        ("@@ -5,2 +5,3 @@\n 5\n+new\n 7\n", true, true),
        ("@@ -6,2 +6,3 @@\n 7\n+new\n 8\n", true, false),
        ("@@ -3,3 +3,4 @@\n 3\n+new\n 4\n 5\n", true, false),
        ("@@ -3,2 +3,3 @@\n 3\n+new\n 4\n", false, false),
        ("@@ -7,2 +7,3 @@\n 8\n+new\n 9\n", false, false),
    ] {
        let patches = [&first[..], &edit(second)];
        assert_eq!(!needs(&patches, Reach::Context).is_empty(), context, "{second}");
        assert_eq!(!needs(&patches, Reach::Touched).is_empty(), touched, "{second}");
    }
}

#[test]
fn files_are_followed_through_renames() {
    let created = "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+1\n+2\n";
    let moved = "diff --git a/x b/y\nrename from x\nrename to y\n";
    let edited = "diff --git a/y b/y\nold mode 100644\nnew mode 100755\n--- a/y\n+++ b/y\n@@ -2 +2 @@\n-2\n+two\n";
    let again = created;
    let gone = "diff --git a/y b/y\ndeleted file mode 100755\n--- a/y\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-two\n";
    let all = needs(&[created, moved, edited, again, gone], Reach::Context);
    let expected = [
        "1.0: 0.0",
        "2.0: 1.0",
        "2.0.0: 0.0.0 1.0",
        // The new file x needs the removal of the old one.
        "3.0: 1.0",
        "3.0.0: 1.0",
        "4.0: 0.0.0 1.0 2.0 2.0.0",
        "4.0.0: 0.0.0 1.0 2.0.0",
    ];
    assert_eq!(all, expected);
}

#[test]
fn swapped_files_keep_their_lines() {
    let line = |name: &str, text: &str| {
        format!("diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -3,0 +4 @@\n+{text}\n")
    };
    let first = line("a", "one") + &line("b", "two");
    let swap = "diff --git a/a b/b\nrename from a\nrename to b\ndiff --git a/b b/a\nrename from b\nrename to a\n";
    let removed = "diff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -4 +3,0 @@\n-one\n";
    assert_eq!(needs(&[&first, swap, removed], Reach::Touched), ["2.0.0: 0.0.0 1.0"]);
}

/// Returns versions of files in which all lines differ.
fn history(random: &mut Random) -> Vec<Tree> {
    let mut fresh = 0;
    let mut line = move || {
        fresh += 1;
        format!("line {fresh}\n")
    };
    let mut files: BTreeMap<&[u8], Vec<String>> = BTreeMap::new();
    for name in [&b"a"[..], b"b"] {
        files.insert(name, (0..30).map(|_| line()).collect());
    }
    let as_tree = |files: &BTreeMap<&[u8], Vec<String>>| {
        files.iter().map(|(name, lines)| (name.to_vec(), Entry::file(lines.concat()))).collect::<Tree>()
    };
    let mut trees = vec![as_tree(&files)];
    for _ in 0..4 {
        for lines in files.values_mut() {
            for _ in 0..random.below(3) {
                let at = random.below(lines.len() + 1);
                let end = (at + random.below(4)).min(lines.len());
                let new: Vec<String> = (0..random.below(4)).map(|_| line()).collect();
                lines.splice(at..end, new);
            }
        }
        trees.push(as_tree(&files));
    }
    trees
}

/// Any hunks of a series apply in order if all their dependencies do. If only other hunks are left out, there is no
/// conflict.
pub(crate) fn closed_sets_apply(sandbox: &Sandbox, seed: u64) {
    let mut random = Random(seed);
    let trees = history(&mut random);
    let context = *random.of(&["-U1", "-U2", "-U3"]);
    let patches: Vec<Patch> = trees
        .windows(2)
        .map(|pair| Patch::parse(&sandbox.diff(&pair[0], &pair[1], &[context])).expect("a patch"))
        .collect();
    let found = hunk_dependencies(&patches, Reach::Context).expect("few");
    for _ in 0..20 {
        let mut kept: BTreeSet<HunkId> = BTreeSet::new();
        for dependency in &found {
            let stands = dependency.needs.iter().all(|need| kept.contains(need));
            if stands && random.percent(70) {
                kept.insert(dependency.of);
            }
        }
        let mut files = contents(&trees[0]);
        for (number, patch) in patches.iter().enumerate() {
            let hunks = patch.files().flat_map(|file| {
                let of = move |hunk| HunkId { patch: number, file: file.index(), hunk: Some(hunk) };
                file.hunks().enumerate().map(move |(hunk, view)| (of(hunk), view))
            });
            let changes: Vec<usize> =
                hunks.filter(|(id, _)| kept.contains(id)).flat_map(|(_, hunk)| hunk.changes()).collect();
            let subset = patch.subset(&changes).expect("a subset");
            files = subset.apply(&files).unwrap_or_else(|error| panic!("{error}: {kept:?}\n{patches:?}\n{subset}"));
        }
    }
}

/// Many copies of a file with many hunks are deleted, so the dependencies number copies times hunks.
#[test]
fn too_many_dependencies_are_rejected() {
    let count = 2100;
    let copies: String = (0..count)
        .map(|copy| format!("diff --git a/f b/g{copy}\nsimilarity index 100%\ncopy from f\ncopy to g{copy}\n"))
        .collect();
    let deletions: String =
        (0..count).map(|copy| format!("diff --git a/g{copy} b/g{copy}\ndeleted file mode 100644\n")).collect();
    let hunks: String = (0..count).map(|hunk| format!("@@ -{0} +{0} @@\n-x\n+y\n", 2 * hunk + 1)).collect();
    let edit = format!("diff --git a/f b/f\n--- a/f\n+++ b/f\n{hunks}");
    let patches = [edit, copies, deletions].map(|text| Patch::parse(text.as_bytes()).expect("a patch"));
    assert!(hunk_dependencies(&patches[..2], Reach::Context).is_ok());
    let refused =
        hunk_dependencies(&patches, Reach::Context).map(|found| found.len()).expect_err("too many").to_string();
    assert!(refused.starts_with("patches: 3 is not valid") && refused.contains("4194304 needs"), "{refused}");
}
