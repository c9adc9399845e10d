//! Patches that apply to every revision.

// The commands are Unix shell scripts.
#![cfg(unix)]

use crate::commands::output;
use crate::common::{Repo, sh};
use firstbad::{Error, Outcome};
use firstbad_oracle::{CommandOptions, CommandOracle};

/// Creates commits 0 to 3 of a file with ten lines: the original, line 5 changed, line 5 as in [`FIX`], and line 9 changed.
fn repo() -> (Repo, Vec<String>) {
    let repo = Repo::new();
    let lines = |fifth: &str, ninth: &str| format!("1\n2\n3\n4\n{fifth}\n6\n7\n8\n{ninth}\n10\n");
    let mut shas = Vec::new();
    for (fifth, ninth) in [("5", "9"), ("other", "9"), ("five", "9"), ("five", "nine")] {
        repo.write("f", &lines(fifth, ninth));
        shas.push(repo.commit(fifth));
    }
    (repo, shas)
}

const FIX: &str = "--- a/f\n+++ b/f\n@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+five\n 6\n 7\n";
const NEW: &str = "diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+new\n";

fn oracle(repo: &Repo, script: &str, apply_patches: &[&str]) -> CommandOracle {
    let apply_patches = apply_patches.iter().map(|text| text.as_bytes().to_vec()).collect();
    CommandOracle::new(&repo.open(), sh(script), CommandOptions { apply_patches, ..repo.options() }).unwrap()
}

#[test]
fn fixups_apply_unless_the_revision_has_them() {
    let (repo, shas) = repo();
    let oracle = oracle(&repo, "sed -n '5p;9p' f; cat new; git status --porcelain; touch left", &[FIX, NEW]);
    for (sha, expected) in [
        (&shas[0], "five\n9\nnew\nM  f\nA  new\n"),
        (&shas[2], "five\n9\nnew\nA  new\n"),
        (&shas[3], "five\nnine\nnew\nA  new\n"),
        (&shas[0], "five\n9\nnew\nM  f\nA  new\n"),
    ] {
        let seen = oracle.run(sha).unwrap();
        assert_eq!((seen.outcome, output(&seen).as_str()), (Outcome::Pass, expected));
    }
}

#[test]
fn a_fixup_that_does_not_apply_is_unresolved() {
    let (repo, shas) = repo();
    let oracle = oracle(&repo, "exit 1", &[NEW, FIX]);
    let seen = oracle.run(&shas[1]).unwrap();
    assert_eq!((seen.outcome, seen.seconds), (Outcome::Unresolved, None));
    let words = "fix-up 2 of 2: the patch does not apply to f (hunk 1): the revision has other lines at line 3";
    let log = oracle.output_dir().join(format!("{}.log", shas[1])).display().to_string();
    assert_eq!(seen.note.as_deref(), Some(&*format!("{words}; output in {log}")));
    assert_eq!(output(&seen), format!("{words}\n"));
    // The next run does not see the previous patch.
    assert_eq!(oracle.run(&shas[0]).unwrap().outcome, Outcome::Fail);
    let patched = oracle.run_patched(&shas[1], b"").unwrap();
    assert!(patched.note.unwrap().starts_with(&format!("{words}, patch 1; output in ")));
}

#[test]
fn a_patch_applies_after_the_fixups() {
    let (repo, shas) = repo();
    let oracle = oracle(&repo, "sed -n 5p f; cat new; git write-tree", &[FIX, NEW]);
    let over =
        "--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n 4\n-five\n+FIVE\n 6\n--- a/new\n+++ b/new\n@@ -1 +1 @@\n-new\n+NEW\n";
    for sha in [&shas[0], &shas[2]] {
        let seen = output(&oracle.run_patched(sha, over.as_bytes()).unwrap());
        assert!(seen.starts_with("FIVE\nNEW\n"), "{seen}");
    }
    // The patch must apply after the fixups.
    let wrong = "--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+FIVE\n 6\n";
    let seen = oracle.run_patched(&shas[0], wrong.as_bytes()).unwrap();
    let words = "the patch does not apply to f (hunk 1): the revision has other lines at line 4";
    assert_eq!((seen.outcome, seen.note.as_deref()), (Outcome::Unresolved, Some(words)));
}

/// Such patches can be reverted almost anywhere, or be applied twice.
#[test]
fn patches_without_context_are_applied_once() {
    let (repo, shas) = repo();
    let remove = "--- a/f\n+++ b/f\n@@ -5 +4,0 @@\n-five\n";
    let add = "--- a/f\n+++ b/f\n@@ -10,0 +11 @@\n+11\n";
    let oracle = oracle(&repo, "cat f | tr '\\n' ' '", &[add, remove]);
    assert_eq!(output(&oracle.run(&shas[2]).unwrap()), "1 2 3 4 6 7 8 9 10 11 ");
    repo.write("f", "1\n2\n3\n4\n6\n7\n8\n9\n10\n11\n");
    let there = repo.commit("both");
    assert_eq!(output(&oracle.run(&there).unwrap()), "1 2 3 4 6 7 8 9 10 11 ");
    // If a line is missing, its removal counts as already applied.
    assert_eq!(output(&oracle.run(&shas[0]).unwrap()), "1 2 3 4 5 6 7 8 9 10 11 ");
}

#[test]
fn an_invalid_patch_is_rejected_immediately() {
    let (repo, _) = repo();
    for (apply_patches, expected) in [
        (vec![FIX, "no patch\n"], "patch, line 1: apply_patches[1]: "),
        (vec!["--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n 0\n"], "apply_patches[0]: "),
    ] {
        let apply_patches = apply_patches.iter().map(|text| text.as_bytes().to_vec()).collect();
        let options = CommandOptions { apply_patches, ..repo.options() };
        let error = CommandOracle::new(&repo.open(), sh("exit 0"), options).unwrap_err();
        assert!(matches!(error, Error::PatchSyntax { .. }) && error.to_string().contains(expected), "{error}");
    }
    let nothing = oracle(&repo, "git status --porcelain", &["", "\n"]);
    assert_eq!(output(&nothing.run("HEAD").unwrap()), "");
}
