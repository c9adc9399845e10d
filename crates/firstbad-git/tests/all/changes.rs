//! The changes of commits, compared with the output of Git.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use crate::common::{Repo, git, history};
use firstbad::suspicion::FileStatus;
use firstbad_git::{Changelist, Merges};

fn changes(repo: &Repo, good: &[&str], bad: &[&str], merges: Merges) -> Vec<Changelist> {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    repo.open().changes(&owned(good), &owned(bad), merges).unwrap()
}

fn told(changes: &[Changelist]) -> Vec<(&str, Vec<&str>)> {
    changes.iter().map(|c| (c.message.as_str(), c.files.iter().map(String::as_str).collect())).collect()
}

/// Returns the files with their statuses.
fn statuses(change: &Changelist) -> String {
    let status = |status| match status {
        FileStatus::Added => "added",
        FileStatus::Modified => "modified",
        FileStatus::Deleted => "deleted",
    };
    let all: Vec<String> = change.statuses.iter().map(|(file, what)| format!("{file} {}", status(*what))).collect();
    all.join(", ")
}

fn renames(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|&(old, new)| (old.to_owned(), new.to_owned())).collect()
}

#[test]
fn a_merge_lists_both_names_of_a_renamed_file() {
    let repo = Repo::new();
    repo.write("old", "1\n2\n3\n4\n5\n6\n");
    repo.write("empty", "");
    repo.commit("base");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("old", "1\n2\n3\n4\n5\n6\n7\n");
    repo.commit("edits");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["mv", "old", "new"]);
    repo.git(&["mv", "empty", "as empty"]);
    let renamed = repo.commit("renames");
    repo.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    let own = changes(&repo, &[&renamed], &["main"], Merges::Own);
    assert_eq!(told(&own), [("edits", vec!["old"]), ("merge", vec!["old", "new"])], "the rename itself is older");
    assert_eq!(
        (&own[1].renames, statuses(&own[1])),
        (&renames(&[("old", "new")]), "new modified, old deleted".to_owned())
    );
    assert_eq!(own[1].parents.len(), 2);
    let moves = changes(&repo, &["main~2"], &[&renamed], Merges::Own);
    assert_eq!(moves[0].renames, renames(&[("old", "new")]), "empty files are alike, and not taken for renamed ones");
}

#[test]
fn changes_list_files_oldest_commit_first() {
    let repo = Repo::new();
    repo.write("a", "1\n2\n3\n4\n5\n");
    let root = repo.commit("root");
    repo.write("a", "1\n2\n3\n4\nfive\n6\n");
    std::fs::write(repo.path.join("data"), [0, 1, 2, 0, 255]).unwrap();
    repo.write("odd \"näme\"\tand\nmore", "x\n");
    repo.write(":colon", "x\n");
    repo.commit("two\n\nwith a body\ncommit 1234");
    repo.git(&["mv", "a", "b"]);
    repo.commit("moves");
    std::fs::remove_file(repo.path.join("data")).unwrap();
    repo.commit("deletes");
    repo.commit("nothing");
    let all = changes(&repo, &[], &["main"], Merges::Own);
    assert_eq!(
        told(&all),
        [
            ("root", vec!["a"]),
            ("two\n\nwith a body\ncommit 1234", vec![":colon", "a", "data", "odd \"näme\"\tand\nmore"]),
            ("moves", vec!["a", "b"]),
            ("deletes", vec!["data"]),
            ("nothing", vec![]),
        ]
    );
    assert_eq!((all[0].id.as_str(), all[0].added, all[0].deleted), (root.as_str(), 5, 0));
    assert_eq!((all[1].added, all[1].deleted), (4, 1), "binary files have no lines");
    assert_eq!((all[2].added, all[2].deleted), (0, 0));
    assert_eq!(statuses(&all[1]), ":colon added, a modified, data added, odd \"näme\"\tand\nmore added");
    assert_eq!(statuses(&all[2]), "a deleted, b added");
    assert_eq!(all[2].renames, renames(&[("a", "b")]));
    assert_eq!((statuses(&all[3]), all[3].renames.len()), ("data deleted".to_owned(), 0));
    assert_eq!((all[0].parents.len(), &all[1].parents), (0, &vec![root.clone()]));
    assert_eq!((all[1].author.as_str(), all[1].email.as_str(), all[1].time), ("A", "a@example.org", 1_000_000_000));
    assert_eq!(told(&changes(&repo, &["main~2"], &["main"], Merges::Own)), told(&all[3..]));
    assert!(changes(&repo, &["main"], &["main~1"], Merges::Own).is_empty());
}

#[test]
fn merges_show_their_own_changes_or_those_to_the_first_parent() {
    let repo = Repo::new();
    repo.write("base", "base\n");
    repo.commit("base");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("side", "side\n");
    repo.commit("side");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("mainline", "main\n");
    repo.commit("mainline");
    repo.git(&["merge", "-q", "--no-ff", "-m", "clean merge", "side"]);
    repo.git(&["checkout", "-q", "side"]);
    repo.write("side", "more\n");
    repo.write("new", "beside\n");
    repo.git(&["mv", "base", "renamed"]);
    repo.commit("side again");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "--no-commit", "side"]);
    repo.write("side", "evil\nof the merge\n");
    repo.commit("evil merge");
    repo.git(&["checkout", "-q", "-b", "other"]);
    repo.write("other", "other\n");
    repo.commit("other");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "-s", "ours", "--no-ff", "-m", "ours", "other"]);

    let own = changes(&repo, &["main~3"], &["main"], Merges::Own);
    let mut messages = told(&own);
    messages.sort();
    assert_eq!(
        messages,
        [
            ("evil merge", vec!["side"]),
            ("other", vec!["other"]),
            ("side", vec!["side"]),
            ("side again", vec!["new", "base", "renamed", "side"])
        ]
    );
    assert_eq!(own[own.len() - 2].added, 2, "against the first parent, its own file only");
    let first = changes(&repo, &["main~3"], &["main"], Merges::FirstParent);
    assert_eq!(
        told(&first),
        [("clean merge", vec!["side"]), ("evil merge", vec!["new", "base", "renamed", "side"])],
        "and of the last merge nothing"
    );
    let several = changes(&repo, &["side", "main~1^1~1"], &["main", "side"], Merges::Own);
    assert_eq!(told(&several), [("evil merge", vec!["side"]), ("other", vec!["other"])]);
}

#[test]
fn the_users_configuration_changes_nothing() {
    let repo = Repo::new();
    repo.write("a/a", "1\n2\n3\n");
    repo.commit("one");
    repo.git(&["mv", "a/a", "b"]);
    repo.commit("two");
    let expected = changes(&repo, &[], &["main"], Merges::Own);
    for (name, value) in [
        ("diff.renames", "false"),
        ("log.showRoot", "false"),
        ("diff.relative", "true"),
        ("core.quotePath", "false"),
        ("diff.external", "false"),
        ("diff.noprefix", "true"),
        ("i18n.logOutputEncoding", "latin1"),
        ("diff.ignoreSubmodules", "all"),
    ] {
        repo.git(&["config", name, value]);
    }
    assert_eq!(changes(&repo, &[], &["main"], Merges::Own), expected);
    std::fs::create_dir_all(repo.path.join("deep")).unwrap();
    let below = firstbad_git::Repository::open(repo.path.join("deep")).unwrap();
    assert_eq!(below.changes(&[], &["main".into()], Merges::Own).unwrap(), expected);
}

#[test]
fn unknown_revisions_are_errors_with_suggestions() {
    let repo = Repo::new();
    repo.commit("one");
    let error = repo.open().changes(&["mian".into()], &["main".into()], Merges::Own).unwrap_err();
    assert_eq!(error.to_string(), "good: unknown revision \"mian\"\nhelp: did you mean \"main\"?");
    let error = repo.open().changes(&[], &[], Merges::Own).unwrap_err();
    assert_eq!(error.to_string(), "bad: [] is not valid; expected at least one revision");
}

#[test]
fn large_histories_agree_with_git_log() {
    let repo = Repo::new();
    git(&repo.path, &["fast-import", "--quiet"], &history(0, 3000));
    let tips = repo.git(&["for-each-ref", "--format=%(objectname)"]);
    let tips: Vec<String> = tips.lines().map(str::to_owned).collect();
    let began = Instant::now();
    let found = repo.open().changes(&[], &tips, Merges::Own).unwrap();
    let taken = began.elapsed();
    let mut expected: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let text = repo.git(
        &[
            &["log", "-c", "--format=commit %H", "--name-only", "--no-renames"][..],
            &tips.iter().map(String::as_str).collect::<Vec<_>>(),
        ]
        .concat(),
    );
    let mut sha = String::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("commit ") {
            Some(next) => sha = next.to_owned(),
            None => {
                expected.entry(sha.clone()).or_default().insert(line.to_owned());
            }
        }
    }
    let listed: BTreeMap<String, BTreeSet<String>> = found
        .iter()
        .filter(|change| !change.files.is_empty())
        .map(|change| (change.id.clone(), change.files.iter().cloned().collect()))
        .collect();
    assert_eq!(listed, expected);
    assert!(taken < Duration::from_secs(60), "two calls of git, not one for each commit: {taken:?}");
}
