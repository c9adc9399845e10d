//! The files of a revision, compared with the output of Git.

use crate::common::Repo;

#[test]
#[cfg(unix)] // Windows restricts links and quotes in names.
fn files_of_a_revision_are_read_without_a_checkout() {
    use firstbad::Error;

    let repo = Repo::new();
    repo.write("src/a.py", "import b\n");
    repo.write("src/ärger \"here\".py", "no end");
    repo.write("empty.py", "");
    repo.write("deep/er/x.txt", "left out\n");
    std::fs::write(repo.path.join("data.py"), [0, 1, b'\n', 255]).unwrap();
    std::os::unix::fs::symlink("data.py", repo.path.join("link.py")).unwrap();
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},sub.py", "1".repeat(40))]);
    repo.git(&["add", "-A", "--", ":!sub.py"]);
    repo.git(&["commit", "-q", "-m", "one"]);
    repo.git(&["tag", "one"]);
    repo.write("src/a.py", "changed\n");
    repo.git(&["commit", "-q", "-a", "-m", "two"]);
    repo.write("src/a.py", "not committed\n");

    let opened = repo.open();
    let tree = opened.tree("one", |path| path.ends_with(".py")).unwrap();
    assert_eq!(tree.commit, repo.git(&["rev-parse", "one"]).trim());
    assert_eq!(tree.paths, ["data.py", "deep/er/x.txt", "empty.py", "src/a.py", "src/ärger \"here\".py"]);
    let contents: Vec<(&str, &[u8])> = tree.contents.iter().map(|(path, bytes)| (path.as_str(), &bytes[..])).collect();
    let expected: [(&str, &[u8]); 4] = [
        ("data.py", &[0, 1, b'\n', 255]),
        ("empty.py", b""),
        ("src/a.py", b"import b\n"),
        ("src/ärger \"here\".py", b"no end"),
    ];
    assert_eq!(contents, expected);
    assert!(tree.unread.is_empty());
    assert_eq!(opened.tree("main", |_| true).unwrap().contents["src/a.py"], b"changed\n");
    // One file, or all paths without contents.
    let paths: Vec<&[u8]> = tree.paths.iter().map(String::as_bytes).collect();
    assert_eq!(opened.paths("one").unwrap(), paths);
    for (path, content) in expected {
        assert_eq!(opened.file("one", path).unwrap().as_deref(), Some(content), "{path}");
    }
    assert_eq!(opened.file("main", "src/a.py").unwrap().unwrap(), b"changed\n");
    for absent in ["no", "src", "src/", "src/*.py", "./src/a.py", "src/../src/a.py", "/src/a.py", "../a", "", "a\0b"] {
        assert_eq!(opened.file("one", absent).unwrap(), None, "{absent:?}");
    }
    assert_eq!((opened.file("one", "link.py").unwrap(), opened.file("one", "sub.py").unwrap()), (None, None));
    for unknown in [opened.file("nothing", "a").unwrap_err(), opened.paths("nothing").unwrap_err()] {
        assert!(matches!(unknown, Error::UnknownRevision { argument, .. } if argument == "revision"));
    }
    // A repository opened from a subfolder still gives all files.
    let inside = firstbad_git::Repository::open(repo.path.join("deep")).unwrap();
    assert_eq!(inside.tree("one", |_| false).unwrap().paths, tree.paths);
    assert_eq!(inside.paths("one").unwrap(), paths);
    assert_eq!(inside.file("one", "empty.py").unwrap().unwrap(), b"");
    assert!(
        matches!(opened.tree("nothing", |_| true), Err(Error::UnknownRevision { argument, .. }) if argument == "revision")
    );
}

#[test]
fn missing_objects_of_a_damaged_clone_are_reported() {
    let repo = Repo::new();
    repo.write("a.py", "one\n");
    repo.write("b.py", "two\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "one"]);
    let id = repo.git(&["rev-parse", "main:a.py"]);
    let (folder, file) = id.trim().split_at(2);
    std::fs::remove_file(repo.path.join(".git/objects").join(folder).join(file)).unwrap();
    let tree = repo.open().tree("main", |_| true).unwrap();
    assert_eq!(tree.unread, ["\"a.py\" is not in this clone"]);
    assert_eq!(tree.contents["b.py"], b"two\n");
    assert_eq!(repo.open().file("main", "a.py").unwrap_err().code(), "git");
    assert_eq!(repo.open().file("main", "b.py").unwrap().unwrap(), b"two\n");
}

#[test]
#[cfg(unix)] // On Windows, names are text.
fn names_that_are_not_utf8_are_paths() {
    use std::os::unix::ffi::OsStrExt as _;

    let repo = Repo::new();
    let name = b"a\xff\n b";
    std::fs::write(repo.path.join(std::ffi::OsStr::from_bytes(name)), "bytes").unwrap();
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "one"]);
    assert_eq!(repo.open().paths("main").unwrap(), [name]);
    assert_eq!(repo.open().file("main", name).unwrap().unwrap(), b"bytes");
    assert!(repo.open().tree("main", |_| true).unwrap().unread[0].contains("not valid UTF-8"));
}

#[test]
fn large_files_are_left_out_without_reading_them() {
    let repo = Repo::new();
    repo.write("small", "x\n");
    repo.write("large", &"x".repeat((8 << 20) + 1));
    repo.write("largest", &"x".repeat(8 << 20));
    repo.commit("one");
    let tree = repo.open().tree("HEAD", |_| true).unwrap();
    assert_eq!(tree.contents.keys().collect::<Vec<_>>(), ["largest", "small"]);
    assert_eq!(tree.unread, ["\"large\" has more than 8 MiB"]);
}
