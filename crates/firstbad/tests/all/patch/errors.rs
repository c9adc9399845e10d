//! Errors for invalid patches, with their lines and messages.

use std::collections::BTreeMap;

use firstbad::{Error, Patch};

const HEADER: &str = "diff --git a/x b/x\n--- a/x\n+++ b/x\n";

#[track_caller]
fn refused(text: &str, line: usize, words: &str) {
    match Patch::parse(text.as_bytes()) {
        Err(Error::PatchSyntax { line: at, message }) => {
            assert!(message.contains(words), "{message}");
            assert_eq!(at, line, "{message}");
        }
        other => panic!("{other:?} for {text}"),
    }
}

#[test]
fn syntax_errors_name_the_line() {
    refused(
        &format!("{HEADER}@@ -1,2 +1,2 @@\n one\n"),
        6,
        "ends inside a hunk. 1 more lines of the old file and 1 lines of the new file",
    );
    refused(&format!("{HEADER}@@ -1,2 +1 @@\n one\n-two"), 6, "its last newline is missing");
    refused(&format!("{HEADER}@@ -1 +1 @@\n-one\n-two\n+2\n"), 6, "is an extra line according to the hunk header");
    refused(&format!("{HEADER}@@ -1 +1 @@\n-one\nxtwo\n"), 6, "\"xtwo\" is not a line of a hunk");
    refused(&format!("{HEADER}@@ -1 +1 @@\n-one\n\\oops\n+two\n"), 6, "not a line of a hunk");
    refused(&format!("{HEADER}@@ -1,x +1 @@\n-one\n"), 4, "is not a hunk header");
    refused(&format!("{HEADER}@@ -1,99999999999 +1 @@\n-one\n"), 4, "is not a hunk header");
    refused(&format!("{HEADER}@@ -1 +1 @@\n one\n"), 4, "changes nothing");
    refused(
        &format!("{HEADER}@@ -1 +1,2 @@\n one\n\\ No newline at end of file\n+two\n"),
        7,
        "a line follows the last line, which has no newline",
    );
    refused("some text\n@@ -1 +1 @@\n-one\n+two\n", 2, "lines of this hunk are missing");
    refused(
        "diff --git a/x b/x\nindex 1..2\n@@ -1 +1 @@\n-one\n+two\n",
        3,
        "the `---` and `+++` lines of this hunk are missing",
    );
    refused(
        "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -1 +1 @@\n-one\n+two\n",
        5,
        "new file",
    );
    refused("diff --git a/x b/x\nnew file mode 100644\n--- a/x\n+++ b/x\n", 3, "go together");
    refused(
        "diff --git a/x b/x\ndeleted file mode 1\n--- a/x\n+++ /dev/null\n@@ -1 +1 @@\n-one\n+two\n",
        5,
        "deleted file",
    );
    refused("diff --git a/x b/x\nnew file mode 100644\nrename from x\n", 3, "only one of these");
    refused("diff --git a/x b/x\nold mode 10064x\n", 2, "is not a mode");
    refused("diff --git a/x b/y\nrename from x\n", 1, "needs `from` and `to`");
    refused("diff --git a/x b/y\nrename from x\nrename to z\n", 1, "differs from the names below it");
    refused("diff --git a/x y b/z\nold mode 100644\nnew mode 100755\n", 1, "does not separate the two names");
    refused("diff --git a/x b/x\nindex 1..2\nGIT binary patch\noops\n", 4, "expected `literal` or `delta`");
    refused("diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 1\n?\n\n", 5, "not a line of binary data");
    // Five characters encode four bytes.
    refused("diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 1\nAxxxx\n\n", 5, "not a line of binary data");
    refused("diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 1\nA\n\n", 5, "not a line of binary data");
    refused("diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 1\n", 5, "inside binary data");
    refused(
        "diff --git a/x b/x\nold mode 100644\nnew mode 100755\nGIT binary patch\nliteral 0\n\n",
        4,
        "needs an `index` line",
    );
    refused("diff --git a/x b/x\nnew file mode 100644", 2, "its last newline is missing");
    refused("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-one\n+two\n", 1, "without a name");
}

#[test]
fn combined_diffs_are_rejected_with_a_suggestion() {
    for start in ["diff --cc x\n", "diff --combined x\n", "@@@ -1,2 -1,2 +1,3 @@@\n"] {
        refused(&format!("commit 1234\n\n{start}"), 3, "git diff merge^1 merge");
    }
}

#[test]
fn invalid_change_numbers_are_named() {
    let patch = Patch::parse(format!("{HEADER}@@ -1 +1 @@\n-one\n+two\n").as_bytes()).expect("a patch");
    let told = |changes: &[usize]| patch.subset(changes).expect_err("wrong").to_string();
    assert_eq!(told(&[0, 2]), "changes: 2 is not valid; expected numbers of changes, below 2");
    assert_eq!(told(&[1, 1]), "changes: 1 is not valid; expected each change once");
    assert_eq!(patch.standing(&[7]).expect_err("wrong").code(), "invalid_argument");
}

#[test]
fn conflicts_name_the_file_and_the_hunk() {
    let hunks = "@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n@@ -8,3 +8,3 @@\n 8\n-9\n+nine\n 10\n";
    let patch = Patch::parse(format!("{HEADER}{hunks}").as_bytes()).expect("a patch");
    let told = |text: &str, path: &str, patch: &Patch| {
        let files = BTreeMap::from([(path.as_bytes().to_vec(), text.as_bytes().to_vec())]);
        patch.apply(&files).expect_err("a conflict").to_string()
    };
    assert_eq!(
        told("1\n2\n3\n4\n5\n6\n7\n8\nneuf\n10\n", "x", &patch),
        "the patch does not apply to x (hunk 2): its lines do not match: line 9 is \"neuf\", expected \"9\""
    );
    assert!(told("1\n2\n3\n", "x", &patch).contains("(hunk 2): its lines do not match: the file has 3 lines"));
    assert!(told("1\n", "x", &patch).contains("the file has 1 line, expected"));
    assert_eq!(told("", "y", &patch), "the patch does not apply to x: the file does not exist");
    let created = Patch::parse(b"diff --git a/x b/x\nnew file mode 100644\n").expect("a patch");
    assert_eq!(told("", "x", &created), "the patch does not apply to x: the patch creates it, but it exists");
    assert!(told("", "x/y", &created).contains("a folder has this name"));
    let below = Patch::parse(b"diff --git a/x/y b/x/y\nnew file mode 100644\n").expect("a patch");
    assert!(told("", "x", &below).contains("\"x\" is a file, not a folder"));
    let deleted = Patch::parse(b"diff --git a/x b/x\ndeleted file mode 100644\n").expect("a patch");
    assert!(told("1\n", "x", &deleted).contains("has other lines than the patch"));
}

/// Returns a patch that deletes a file with this name.
fn deleting(name: &str) -> String {
    format!("diff --git a/{name} b/{name}\ndeleted file mode 100644\n--- a/{name}\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n")
}

#[test]
fn prefixes_must_not_differ_between_names() {
    let absolute = "diff --git /tmp/f /tmp/f\ndeleted file mode 100644\n--- /tmp/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
    refused(absolute, 1, "absolute");
    let bare = |name: &str| deleting(name).replace(" a/", " ").replace(" b/", " ");
    assert!(Patch::parse((bare("x") + &bare("dir/y")).as_bytes()).is_ok_and(|patch| patch.strip() == 0));
    refused(&(deleting("x") + &bare("dir/y")), 7, "another prefix");
    refused(&(bare("x") + &deleting("y")), 7, "another prefix");
    refused("diff --git a/b/c d/e/f\nsimilarity index 100%\nrename from c\nrename to f\n", 1, "another prefix");
}

#[test]
fn names_below_a_new_link_are_rejected() {
    let new = |name: &str, mode: &str| {
        format!("diff --git a/{name} b/{name}\nnew file mode {mode}\n--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+x\n")
    };
    refused(&(new("dir", "120000") + &new("dir/sub/x", "100644")), 7, "symbolic link");
    refused(&(new("dir", "160000") + &new("dir/x", "100644")), 7, "submodule");
    // A link replaces a folder, and a folder replaces a link, as Git writes them.
    let link_for_folder = new("dir", "120000") + &deleting("dir/x");
    let folder_for_link = deleting("dir").replace("100644", "120000") + &new("dir/x", "100644");
    for text in [&link_for_folder, &folder_for_link, &(link_for_folder.clone() + &folder_for_link)] {
        assert!(Patch::parse(text.as_bytes()).is_ok(), "{text}");
    }
}

/// Returns a binary file in the format of `git diff --binary`.
fn binary(method: &str, size: usize, bytes: &[u8]) -> String {
    use std::io::Write as _;
    const DIGITS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(bytes).and_then(|()| packed.try_finish()).expect("memory");
    let mut text =
        format!("diff --git a/x b/x\nindex {:040}..{:040} 100644\nGIT binary patch\n{method} {size}\n", 1, 2);
    for line in packed.get_ref().chunks(52) {
        let length = line.len() as u8;
        text.push(char::from(if length <= 26 { b'A' + length - 1 } else { b'a' + length - 27 }));
        for group in line.chunks(4) {
            let mut bytes = [0; 4];
            bytes[..group.len()].copy_from_slice(group);
            let value = u32::from_be_bytes(bytes);
            text.extend((0..5).rev().map(|digit| char::from(DIGITS[(value / 85_u32.pow(digit) % 85) as usize])));
        }
        text.push('\n');
    }
    text + "\n"
}

/// Encodes a number of a delta.
fn seven_bits(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

#[test]
fn a_small_patch_cannot_expand_to_gigabytes() {
    let files = BTreeMap::from([(b"x".to_vec(), vec![b'x'; 1 << 16])]);
    // Repeats 64 KiB.
    let delta = |times: usize| {
        let copies = [0x80].repeat(times);
        [seven_bits(1 << 16), seven_bits((times as u64) << 16), copies].concat()
    };
    let small = delta(3);
    let patch = Patch::parse(binary("delta", small.len(), &small).as_bytes()).expect("a patch");
    assert_eq!(patch.apply(&files).expect("it fits")[&b"x"[..]].len(), 3 << 16);
    let large = delta(200_000);
    let text = binary("delta", large.len(), &large);
    assert!(text.len() < 1000, "{}", text.len());
    refused(&text, 4, "binary content of 13107200000 bytes. Expected at most 536870912 bytes");
    refused(&binary("literal", 1 << 40, b"x"), 4, "binary content of 1099511627776 bytes");
    refused(&binary("literal", usize::MAX, b"x"), 4, "binary content of");
    let half = binary("literal", 300 << 20, b"x");
    refused(&(half.clone() + &half), 10, "in all files of a patch");
    // The delta announces less than it contains.
    let lying = [seven_bits(1 << 16), seven_bits(1), vec![0x80; 200_000]].concat();
    let patch = Patch::parse(binary("delta", lying.len(), &lying).as_bytes()).expect("a patch");
    assert_eq!(patch.apply(&files).expect_err("damaged").code(), "patch_conflict");
}

#[test]
fn a_hunk_with_wrong_counts_takes_no_memory() {
    let most = u32::MAX;
    refused(&format!("{HEADER}@@ -1,{most} +1,{most} @@\n one\n"), 6, "ends inside a hunk");
    let far = format!("{HEADER}@@ -{most},1 +{most},1 @@\n-one\n+two\n");
    let patch = Patch::parse(far.as_bytes()).expect("a patch");
    assert_eq!(patch.subset(&[0]).expect("a part").len(), 1);
    let files = BTreeMap::from([(b"x".to_vec(), b"none\n".to_vec())]);
    assert_eq!(patch.apply(&files).expect_err("no such line").code(), "patch_conflict");
}

#[test]
fn names_up_to_the_limit_are_accepted() {
    let renamed = |bytes: usize| {
        let name = "\\303\\244".repeat(bytes / 2);
        format!("diff --git \"a/{name}\" \"b/{name}\"\nold mode 100644\nnew mode 100755\n")
    };
    let patch = Patch::parse(renamed(4096).as_bytes()).expect("a patch");
    assert_eq!(patch.files().next().expect("a file").path().len(), 4096);
    refused(&renamed(4098), 1, "more than 4096 bytes");
    refused(&renamed(8192), 1, "Expected at most 32868");
}

#[test]
fn absolute_names_of_any_system_are_rejected() {
    for (name, words) in [("\\\\x", "is absolute"), ("/x", "is absolute"), ("c:x", "starts with a drive")] {
        let text = format!("diff --git \"a/{name}\" \"b/{name}\"\nold mode 100644\nnew mode 100755\n");
        refused(&text, 1, words);
    }
}

/// Creates and deletes one file repeatedly.
fn coming_and_going(times: usize) -> String {
    const BOTH: &str = "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n\
        diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
    BOTH.repeat(times)
}

#[test]
fn quadratic_dependencies_are_listed_up_to_a_limit() {
    let parse = |text: &str| Patch::parse(text.as_bytes()).expect("a patch");
    let listed = parse(&coming_and_going(3)).dependencies().expect("few needs");
    // Each creation needs the deletions before it.
    assert_eq!(
        listed,
        [
            vec![],
            vec![0],
            vec![0, 1, 3],
            vec![0, 1],
            vec![2],
            vec![4],
            vec![4, 5, 7],
            vec![4, 5],
            vec![2, 6],
            vec![8],
            vec![8, 9, 11],
            vec![8, 9]
        ]
    );
    let large = parse(&coming_and_going(7000));
    assert!(large.as_bytes().len() > 1 << 20);
    let error = large.dependencies().expect_err("24 million needs").to_string();
    assert!(
        error.starts_with("patch: \"a patch with 28000 changes\" is not valid; expected a patch with at most 2097152"),
        "{error}"
    );
    // Standing changes and the tests of a reduction are still known.
    assert_eq!(large.standing(&[4, 5]), Ok(vec![]));
    let all: Vec<usize> = (0..large.len()).collect();
    assert_eq!(large.standing(&all), Ok(all));
    let config = firstbad::reduction::ReductionConfig::of_patch(&large, firstbad::reduction::Granularity::Lines);
    assert!(config.dependencies.len() <= large.len());
    // One file below a folder that is created and deleted, and many folders above one file.
    let below = (0..2000).map(|number| format!("diff --git a/x/{number} b/x/{number}\ndeleted file mode 100644\n"));
    let above = "diff --git a/x b/x\nnew file mode 100644\n".repeat(2000);
    assert!(parse(&(below.collect::<String>() + &above)).dependencies().is_err());
}
