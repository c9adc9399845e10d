//! One example of each feature of patches, from real Git.

use std::collections::BTreeMap;

use firstbad::Patch;
use firstbad::patch::ChangeKind::{self, Added, Binary, Copy, Creation, Deletion, Mode, Removed, Rename};

use super::sandbox::{Entry, Sandbox, Tree, contents};

fn tree(files: &[(&[u8], Entry)]) -> Tree {
    files.iter().map(|(path, entry)| (path.to_vec(), entry.clone())).collect()
}

fn text(content: &str) -> Entry {
    Entry::file(content)
}

fn kinds(patch: &Patch) -> Vec<ChangeKind> {
    patch.changes().map(|change| change.kind).collect()
}

/// Parses Git's patch between two sets of files, and applies every subset of its changes with real Git.
fn check(old: &Tree, new: &Tree, options: &[&str], expected: &[ChangeKind]) -> Patch {
    let sandbox = Sandbox::new();
    let patch = read(&sandbox.diff(old, new, options));
    assert_eq!(kinds(&patch), expected, "{patch}");
    assert_eq!(&sandbox.apply(old, &patch).expect("git accepts its own patch"), new);
    check_subsets(&sandbox, old, &patch);
    patch
}

fn read(text: &[u8]) -> Patch {
    let patch = Patch::parse(text).expect("a patch");
    assert_eq!(patch.as_bytes(), text);
    patch
}

fn check_subsets(sandbox: &Sandbox, old: &Tree, patch: &Patch) {
    assert!(patch.len() <= 6, "too many subsets of {}", patch.len());
    let needs = patch.dependencies().unwrap();
    for bits in 0..1usize << patch.len() {
        let wanted: Vec<usize> = (0..patch.len()).filter(|change| bits >> change & 1 == 1).collect();
        let subset = patch.subset(&wanted).expect("a subset");
        let closed = wanted.iter().all(|&change| needs[change].iter().all(|need| wanted.contains(need)));
        assert_eq!(subset.origin() == wanted, closed, "{wanted:?} of\n{patch}");
        let by_git =
            sandbox.apply(old, &subset).unwrap_or_else(|error| panic!("{error}\n{wanted:?}\n{subset}of\n{patch}"));
        assert_eq!(subset.apply(&contents(old)), Ok(contents(&by_git)), "{wanted:?}\n{subset}of\n{patch}");
    }
}

fn numbered(range: std::ops::Range<usize>, changed: &[(usize, &str)]) -> Entry {
    let line = |number: usize| {
        changed.iter().find(|(at, _)| *at == number).map_or(format!("{number}\n"), |(_, text)| (*text).to_owned())
    };
    Entry::file(range.map(line).collect::<String>())
}

#[test]
fn a_rename_with_an_edit() {
    let old = tree(&[(b"old name", numbered(0..20, &[]))]);
    let new = tree(&[(b"d/new", numbered(0..20, &[(7, "seven\n")]))]);
    let patch = check(&old, &new, &["-M"], &[Rename, Removed, Added]);
    let file = patch.file(0).expect("a file");
    assert_eq!((file.old_path(), file.new_path()), (Some(&b"old name"[..]), Some(&b"d/new"[..])));
    assert_eq!(patch.change(0).expect("a change").text, &b"old name -> d/new"[..]);
    // Without the rename, the line changes under the old name, and no line states the similarity.
    let edit = patch.subset(&[1, 2]).expect("a subset").to_string();
    assert!(edit.starts_with("diff --git a/old name b/old name\nindex "), "{edit}");
    assert!(edit.contains("\n--- a/old name\t\n+++ b/old name\t\n@@ -5,7 +5,7 @@"), "{edit}");
    let rename = patch.subset(&[0]).expect("a subset").to_string();
    assert_eq!(rename, "diff --git a/old name b/d/new\nrename from old name\nrename to d/new\n");
}

#[test]
fn a_copy_with_an_edit() {
    let old = tree(&[(b"source", numbered(0..20, &[]))]);
    let new = tree(&[(b"copy", numbered(0..20, &[(7, "")])), (b"source", numbered(0..20, &[(3, "three\n")]))]);
    check(&old, &new, &["-C"], &[Copy, Removed, Removed, Added]);
}

#[test]
fn two_files_that_swap_their_names() {
    let old = tree(&[(b"a", numbered(0..200, &[])), (b"b", numbered(5000..5300, &[]))]);
    let new = tree(&[(b"a", numbered(5000..5300, &[])), (b"b", numbered(0..200, &[(7, "")]))]);
    let patch = check(&old, &new, &["-B", "-M"], &[Rename, Rename, Removed]);
    assert_eq!(patch.dependencies().unwrap(), [vec![1], vec![0], vec![1]]);
}

#[test]
fn a_mode_with_an_edit() {
    let old = tree(&[(b"run", text("1\n"))]);
    let new = tree(&[(b"run", Entry::File { content: b"1\n2\n".to_vec(), executable: true })]);
    let patch = check(&old, &new, &[], &[Mode, Added]);
    assert_eq!(patch.change(0).expect("a change").text, &b"100644 -> 100755"[..]);
    assert_eq!(
        patch.subset(&[0]).expect("a mode").to_string(),
        "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n"
    );
}

#[test]
fn a_symbolic_link_changes_as_a_whole() {
    let old = tree(&[(b"changed", Entry::Link(b"one".to_vec())), (b"gone", Entry::Link(b"two".to_vec()))]);
    let new = tree(&[(b"changed", Entry::Link(b"three".to_vec())), (b"new", Entry::Link(b"four".to_vec()))]);
    let patch = check(&old, &new, &["--no-renames"], &[Removed, Added, Deletion, Removed, Creation, Added]);
    assert_eq!(patch.standing(&[0, 2, 4]), Ok(vec![]));
}

#[test]
fn a_file_becomes_a_link_or_a_folder() {
    let old = tree(&[(b"a", text("")), (b"b", text("x\n"))]);
    let new = tree(&[(b"a/b", text("")), (b"b", Entry::Link(b"a".to_vec()))]);
    let expected = [Deletion, Creation, Deletion, Removed, Creation, Added];
    let patch = check(&old, &new, &["--no-renames"], &expected);
    assert_eq!(patch.dependencies().unwrap(), [vec![], vec![0], vec![3], vec![], vec![2, 5], vec![4]]);
}

#[test]
fn a_folder_becomes_a_file() {
    let old = tree(&[(b"a/x", text("1\n")), (b"a/y", text(""))]);
    let new = tree(&[(b"a", text("3\n"))]);
    check(&old, &new, &["--no-renames"], &[Creation, Added, Deletion, Removed, Deletion]);
}

#[test]
fn carriage_returns_stay_in_the_content() {
    let (old, new) = (tree(&[(b"x", text("a\r\nb\r\n"))]), tree(&[(b"x", text("a\r\nc\r\nd\n"))]));
    let patch = check(&old, &new, &[], &[Removed, Added, Added]);
    assert_eq!(patch.change(1).expect("a change").text, &b"c"[..]);
    let hunk = patch.file(0).expect("a file").hunks().next().expect("a hunk");
    assert_eq!(hunk.lines().nth(2).expect("a line").content, b"c\r\n");
}

#[test]
fn patches_with_line_ends_changed_by_a_mailer() {
    let old = tree(&[(b"a b", text("1\r\n2\r\n")), (b"mode", text(""))]);
    let run = Entry::File { content: b"1\r\n".to_vec(), executable: true };
    let new = tree(&[(b"c d", text("1\r\n3\r\n")), (b"mode", run)]);
    let sandbox = Sandbox::new();
    let lines = String::from_utf8(sandbox.diff(&old, &new, &["-M20%"])).expect("text");
    let mailed = lines.replace("\r\n", "\n").replace('\n', "\r\n");
    let patch = read(mailed.as_bytes());
    assert_eq!(kinds(&patch), [Rename, Removed, Added, Mode, Added]);
    assert_eq!(&sandbox.apply(&old, &patch).expect("git accepts it"), &new);
    check_subsets(&sandbox, &old, &patch);
}

#[test]
fn no_newline_at_the_end() {
    let check = |old: &str, new: &str, expected: &[ChangeKind]| {
        check(&tree(&[(b"x", text(old))]), &tree(&[(b"x", text(new))]), &[], expected)
    };
    let patch = check("a\nb", "a\nb\nc\n", &[Removed, Added, Added]);
    assert_eq!(patch.dependencies().unwrap(), [vec![], vec![0], vec![0]]);
    assert_eq!(patch.standing(&[1, 2]), Ok(vec![]));
    check("a\nb\n", "a\nb", &[Removed, Added]);
    check("a\nb", "a\nc", &[Removed, Added]);
    check("a\nb", "0\na\nb", &[Added]);
    check("a\nb\nc", "a", &[Removed, Removed, Removed, Added]);
    check("a", "b\nc\nd", &[Removed, Added, Added, Added]);
    check("", "a", &[Added]);
    check("a", "", &[Removed]);
}

#[test]
fn unusual_names() {
    for name in [
        &b"with space"[..],
        b"tab\there",
        "uml\u{e4}ut".as_bytes(),
        b"latin\xe4",
        b"quote\"",
        b"a b/b a b/b",
        b"back\\slash",
        b"new\nline",
    ] {
        let old = tree(&[(name, text("1\n2\n"))]);
        let new = tree(&[(name, text("1\n3\n"))]);
        let patch = check(&old, &new, &[], &[Removed, Added]);
        assert_eq!(patch.file(0).expect("a file").path(), name);
        check(&old, &new, &["--no-prefix"], &[Removed, Added]);
        check(&tree(&[(name, text(""))]), &tree(&[]), &[], &[Deletion]);
        check(&tree(&[(name, text("1\n2\n"))]), &tree(&[(b"moved to", text("1\n2\n"))]), &["-M"], &[Rename]);
    }
}

#[test]
fn empty_files_come_and_go() {
    let (old, new) = (tree(&[(b"gone", text(""))]), tree(&[(b"new", text(""))]));
    check(&old, &new, &["--no-renames"], &[Deletion, Creation]);
    check(&old, &new, &["-M"], &[Rename]);
}

#[test]
fn a_deletion_needs_all_lines_but_not_vice_versa() {
    let patch = check(&tree(&[(b"x", text("1\n2\n"))]), &tree(&[]), &[], &[Deletion, Removed, Removed]);
    assert_eq!(patch.dependencies().unwrap(), [vec![1, 2], vec![], vec![]]);
    assert_eq!(patch.standing(&[0, 1]), Ok(vec![1]));
    let emptied = patch.subset(&[1, 2]).expect("a subset").to_string();
    assert_eq!(emptied, "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +0,0 @@\n-1\n-2\n");
}

#[test]
fn binary_content_is_one_change() {
    let noise = |seed: u32| {
        (0..3000u32).map(|i| (i.wrapping_mul(2_654_435_761).wrapping_add(seed) >> 13) as u8).collect::<Vec<u8>>()
    };
    let mut edited = noise(1);
    edited[100] ^= 1;
    let old = tree(&[
        (b"delta", Entry::file(noise(1))),
        (b"gone", Entry::file(&b"\0one"[..])),
        (b"moved", Entry::file(noise(7))),
    ]);
    let new = tree(&[
        (b"delta", Entry::File { content: edited, executable: true }),
        (b"literal", Entry::file(&b"\0two"[..])),
    ]);
    let expected = [Mode, Binary, Deletion, Binary, Creation, Binary];
    let old_without_moved: Tree =
        old.iter().filter(|(path, _)| path[..] != b"moved"[..]).map(|(p, e)| (p.clone(), e.clone())).collect();
    let patch = check(&old_without_moved, &new, &["--binary", "--no-renames"], &expected);
    assert!(patch.to_string().contains("\ndelta ") && patch.to_string().contains("\nliteral "), "{patch}");
    // The file is emptied, but not deleted.
    let emptied = patch.subset(&[3]).expect("a subset").to_string();
    assert!(emptied.contains("..e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\nGIT binary patch\nliteral 0\n"), "{emptied}");
    // The patch does not apply to another file of the same length, although a literal could replace any content.
    let literal = patch.subset(&[2, 3]).expect("a subset");
    let other = BTreeMap::from([(b"gone".to_vec(), b"\0eno".to_vec())]);
    assert!(literal.apply(&other).is_err_and(|error| error.code() == "patch_conflict"));
}

#[test]
fn binary_files_without_content_cannot_be_applied() {
    let (old, new) = (tree(&[(b"x", Entry::file(&b"\0a"[..]))]), tree(&[(b"x", Entry::file(&b"\0b"[..]))]));
    let patch = read(&Sandbox::new().diff(&old, &new, &[]));
    assert_eq!(kinds(&patch), [Binary]);
    let error = patch.apply(&contents(&old)).expect_err("no data");
    assert!(error.to_string().contains("git diff --binary"), "{error}");
}

#[test]
fn a_submodule_changes_as_a_whole() {
    let sandbox = Sandbox::new();
    let commit = |digit: &str| {
        let id = digit.repeat(40);
        sandbox
            .git("repository", &["update-index", "--add", "--cacheinfo", &format!("160000,{id},module")], b"")
            .expect("git");
        String::from_utf8(sandbox.git("repository", &["write-tree"], b"").expect("git"))
            .expect("an id")
            .trim()
            .to_owned()
    };
    let (old, new) = (commit("1"), commit("2"));
    let patch = read(&sandbox.git("repository", &["diff-tree", "-p", &old, &new], b"").expect("git"));
    assert_eq!(kinds(&patch), [Removed, Added]);
    assert_eq!(patch.dependencies().unwrap(), [[1], [0]]);
    sandbox.git("repository", &["read-tree", &old], b"").expect("git");
    sandbox.git("repository", &["apply", "--cached", "--check"], patch.as_bytes()).expect("git accepts it");
}

#[test]
fn two_names_without_a_rename() {
    let sandbox = Sandbox::new();
    let files = tree(&[
        (b"one.txt", text("1\n2\n3\n")),
        (b"two.txt", Entry::File { content: b"1\nx\n".to_vec(), executable: true }),
    ]);
    sandbox.write("repository", &files);
    let patch = read(&sandbox.git("repository", &["diff", "--no-index", "one.txt", "two.txt"], b"").expect("git"));
    assert_eq!(kinds(&patch), [Mode, Removed, Removed, Added]);
    let file = patch.file(0).expect("a file");
    assert_eq!((file.old_path(), file.new_path()), (Some(&b"one.txt"[..]), Some(&b"two.txt"[..])));
    let old = tree(&[(b"one.txt", text("1\n2\n3\n"))]);
    check_subsets(&sandbox, &old, &patch);
}

#[test]
fn diffs_outside_a_repository() {
    let sandbox = Sandbox::new();
    sandbox.write("old", &tree(&[(b"x", text("1\n2\n")), (b"gone", text("gone\n"))]));
    sandbox.write("new", &tree(&[(b"x", text("1\n3\n")), (b"new", text("1\n"))]));
    let patch = read(&sandbox.git(".", &["diff", "--no-index", "old", "new"], b"").expect("git"));
    assert_eq!(kinds(&patch), [Deletion, Removed, Creation, Added, Removed, Added]);
    let paths: Vec<&[u8]> = patch.files().map(|file| file.path()).collect();
    assert_eq!(paths, [&b"old/gone"[..], b"new/new", b"new/x"]);
}

#[test]
fn hunks_without_context() {
    let old = tree(&[(b"x", numbered(0..9, &[]))]);
    let new = tree(&[(b"x", numbered(0..9, &[(2, ""), (4, "4\nnew\n"), (7, "seven\n")]))]);
    let patch = check(&old, &new, &["-U0"], &[Removed, Added, Removed, Added]);
    assert!(patch.is_without_context());
    assert!(patch.to_string().contains("@@ -3 +2,0 @@"), "{patch}");
    assert!(patch.subset(&[2, 3]).expect("a subset").is_without_context());
    for (old, new) in [("b\n", "a\nb\n"), ("a\nb\n", "c\nb\n"), ("a\nb\n", "b\n")] {
        let (old, new) = (tree(&[(b"x", text(old))]), tree(&[(b"x", text(new))]));
        let patch = read(&Sandbox::new().diff(&old, &new, &["-U0"]));
        check_subsets(&Sandbox::new(), &old, &patch);
    }
}

#[test]
fn mails_keep_their_text() {
    let sandbox = Sandbox::new();
    for (number, content) in ["1\n", "1\n2\n", "1\n2\n3\n"].into_iter().enumerate() {
        sandbox.write(
            "repository",
            &tree(&[(b"x", text(content)), (format!("y{}", number.min(1)).as_bytes(), text("y\n"))]),
        );
        sandbox.git("repository", &["add", "--all"], b"").expect("git");
        sandbox
            .git("repository", &["commit", "--quiet", "-m", "A subject\n\nAnd a body.\n--- not a diff"], b"")
            .expect("git");
    }
    let mails = sandbox.git("repository", &["format-patch", "--stdout", "-M", "HEAD~2"], b"").expect("git");
    let patch = read(&mails);
    assert!(mails.windows(4).any(|window| window == b"\n-- "));
    assert_eq!(kinds(&patch), [Added, Rename, Added]);
    // The second mail's line changes the file that the first mail left.
    assert_eq!(patch.dependencies().unwrap(), [vec![], vec![], vec![0]]);
    let first = patch.subset(&[0]).expect("a subset").to_string();
    assert!(first.starts_with("diff --git a/x b/x\n") && first.ends_with("+2\n"), "{first}");
}

#[test]
fn plain_diffs() {
    let sandbox = Sandbox::new();
    let old = tree(&[(b"x", text("1\n2\n3")), (b"gone", text("1\n2\n")), (b"d/y z", text("1\n"))]);
    let new = tree(&[(b"x", text("1\ntwo\n3")), (b"d/y z", text("1\n2\n"))]);
    sandbox.write("old", &old);
    sandbox.write("new", &new);
    let patch = read(&sandbox.diff_program(&["-ru", "-N", "old", "new"]));
    assert_eq!(kinds(&patch), [Added, Deletion, Removed, Removed, Removed, Added]);
    assert_eq!(&sandbox.apply(&old, &patch).expect("git accepts it"), &new);
    check_subsets(&sandbox, &old, &patch);
}

#[test]
fn a_plain_diff_cannot_express_an_empty_new_file() {
    let sandbox = Sandbox::new();
    sandbox.write("old", &tree(&[]));
    sandbox.write("new", &tree(&[(b"x", text("1\n2\n"))]));
    let patch = read(&sandbox.diff_program(&["-ru", "-N", "old", "new"]));
    assert_eq!(kinds(&patch), [Creation, Added, Added]);
    assert_eq!(patch.standing(&[0, 2]), Ok(vec![]));
    assert_eq!(patch.standing(&[0, 1]), Ok(vec![0, 1]));
    check_subsets(&sandbox, &tree(&[]), &patch);
    let null = read(b"--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+1\n+2\n");
    check_subsets(&sandbox, &tree(&[]), &null);
    let gone = read(b"--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n");
    check_subsets(&sandbox, &tree(&[(b"x", text("1\n2\n"))]), &gone);
}

#[test]
fn hunk_headers_with_and_without_counts_and_headings() {
    let old = tree(&[(b"x", numbered(0..30, &[(10, "fn main() {\n")]))]);
    let new = tree(&[(b"x", numbered(0..30, &[(10, "fn main() {\n"), (20, "twenty\n")]))]);
    let patch = check(&old, &new, &["-U1"], &[Removed, Added]);
    let hunk = patch.file(0).expect("a file").hunks().next().expect("a hunk");
    assert_eq!((hunk.old_span(), hunk.new_span(), hunk.heading()), ((20, 3), (20, 3), &b"fn main() {"[..]));
    let removed = patch.change(0).expect("a change");
    assert_eq!((removed.line, removed.hunk, removed.file, &removed.text[..]), (Some(21), Some(0), 0, &b"20"[..]));
    let half = patch.subset(&[0]).expect("a subset").to_string();
    assert!(half.contains("@@ -20,3 +20,2 @@ fn main() {\n"), "{half}");
}

#[test]
fn files_hunks_and_changes_are_a_tree() {
    let old = tree(&[(b"a", numbered(0..30, &[])), (b"b", text(""))]);
    let new = tree(&[(b"a", numbered(0..30, &[(3, ""), (20, "")])), (b"c", text("1\n"))]);
    let patch = check(&old, &new, &["--no-renames"], &[Removed, Removed, Deletion, Creation, Added]);
    // Five changes, three hunks (5, 6, 7), and three files (8, 9, 10).
    let expected = [Some(5), Some(6), Some(9), Some(10), Some(7), Some(8), Some(8), Some(10), None, None, None];
    assert_eq!(patch.parents(), expected);
}

#[test]
fn hunks_do_not_overlap() {
    let patch =
        read(b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n 1\n+2\n 2\n 3\n@@ -2,2 +3,3 @@\n 2\n+new\n 3\n");
    let old = tree(&[(b"x", text("1\n2\n3\n4\n"))]);
    assert!(Sandbox::new().apply(&old, &patch).is_err());
    assert!(patch.apply(&contents(&old)).is_err_and(|error| error.to_string().contains("(hunk 2)")));
}

#[test]
fn an_empty_text_is_a_patch() {
    for text in [&b""[..], b"\n"] {
        let patch = read(text);
        assert_eq!((patch.len(), patch.is_empty(), patch.files().len()), (0, true, 0));
        assert_eq!(patch.subset(&[]).expect("nothing").as_bytes(), b"");
    }
    for (text, line) in
        [("just text\n", 1), ("--- a/x\n+++ b/x\n@@ nonsense\n", 3), ("diff --git a/x b/x\n@@ -x @@\n", 2)]
    {
        let error = Patch::parse(text.as_bytes()).expect_err("no patch");
        assert!(matches!(error, firstbad::Error::PatchSyntax { line: at, .. } if at == line), "{error}");
    }
    let files = BTreeMap::from([(b"x".to_vec(), b"1".to_vec())]);
    assert_eq!(read(b"").apply(&files), Ok(files));
}
