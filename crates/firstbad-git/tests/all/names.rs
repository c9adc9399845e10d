//! Resolving names and opening repositories.

use crate::common::{Repo, Temp, git, history};
use firstbad::Error;
use firstbad_git::{GraphOptions, Repository};

fn options(tips: &[&str], exclude: &[&str]) -> GraphOptions {
    let texts = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    GraphOptions { tips: texts(tips), exclude: texts(exclude), ..GraphOptions::default() }
}

#[test]
fn names_resolve_as_in_git() {
    let repo = Repo::new();
    let (a, b, c) = (repo.commit("a"), repo.commit("b"), repo.commit("c"));
    repo.git(&["branch", "both", &a]);
    repo.git(&["tag", "-a", "-m", "t", "both", &b]);
    repo.git(&["update-ref", "refs/remotes/origin/main", &a]);
    repo.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
    // Neither of these is a commit.
    repo.write("x", "x");
    let blob = repo.git(&["hash-object", "-w", "x"]);
    repo.git(&["tag", "blob", &blob]);
    for write in [&["status"][..], &["commit-graph", "write", "--reachable"]] {
        repo.git(write);
        let graph = repo.open().graph(&GraphOptions::default()).unwrap();
        let id = |name: &str| graph.resolve(name, "bad").map(|node| graph.id(node).to_owned());
        for (name, sha) in
            [("both", &b), ("refs/heads/both", &a), ("main", &c), ("HEAD", &c), ("origin/main", &a), ("origin", &a)]
        {
            assert_eq!(id(name).as_ref(), Ok(sha), "{name}");
        }
        assert!(id("blob").is_err());
        let graph = repo.open().graph(&options(&["HEAD~1"], &["main~2"])).unwrap();
        let id = |name: &str| graph.resolve(name, "bad").map(|node| graph.id(node).to_owned());
        assert_eq!((id("HEAD~1"), id("main~2"), id("main").is_err()), (Ok(b.clone()), Ok(a.clone()), true));
    }
}

#[test]
fn commits_have_metadata() {
    let repo = Repo::new();
    let sha = repo.commit("Größe: \"x\"\n\nThe body");
    let unnamed = repo.git(&["commit-tree", "HEAD^{tree}", "-m", ""]);
    let opened = repo.open();
    let (found, commit) = opened.commit("HEAD").unwrap();
    assert_eq!((&*commit.subject, &*commit.author), ("Größe: \"x\"", "A"));
    assert_eq!((&*commit.commit_date, commit.day()), ("2001-09-09T01:46:40Z", "2001-09-09"));
    assert_eq!((found, opened.commit(&unnamed).unwrap().1.subject), (sha, String::new()));
    assert_eq!(opened.commit("nowhere").unwrap_err().code(), "unknown_revision");
}

#[test]
fn unknown_revisions_are_rejected_with_suggestions() {
    let repo = Repo::new();
    repo.commit("a");
    repo.git(&["tag", "release-1"]);
    let opened = repo.open();
    assert_eq!(opened.resolve("HEAD"), Ok(repo.sha("HEAD")));
    assert_eq!(opened.resolve(":/a"), Ok(repo.sha("HEAD")));
    let error = opened.resolve("relaese-1").unwrap_err();
    assert_eq!(error.to_string(), "revision: unknown revision \"relaese-1\"\nhelp: did you mean \"release-1\"?");
    for odd in ["", "--help", "HEAD^{tree}", "a\nb", "-x", "HEAD:f", &"0".repeat(40)] {
        assert_eq!(opened.resolve(odd).unwrap_err().code(), "unknown_revision", "{odd:?}");
    }
    let error = opened.graph(&options(&["HEAD"], &["nowhere"])).unwrap_err();
    assert!(matches!(&error, Error::UnknownRevision { argument, .. } if argument == "exclude"), "{error}");
    assert_eq!(opened.graph(&options(&["HEAD"], &["HEAD"])).unwrap_err(), Error::EmptyGraph);
}

#[test]
fn an_empty_repository_is_reported() {
    let error = Repo::new().open().resolve("HEAD").unwrap_err().to_string();
    assert_eq!(error, "revision: unknown revision \"HEAD\": this repository has no commits yet");
}

#[test]
fn a_prefix_of_several_commits_is_ambiguous() {
    let repo = Repo::new();
    git(&repo.path, &["fast-import", "--quiet"], &history(0, 800));
    let text = repo.git(&["rev-list", "--all"]);
    let mut ids: Vec<&str> = text.lines().collect();
    ids.sort_unstable();
    let pair = ids.windows(2).find(|pair| pair[0][..4] == pair[1][..4]).unwrap();
    let error = repo.open().resolve(&pair[0][..4]).unwrap_err();
    let Error::AmbiguousRevision { examples, count, .. } = error else { panic!("{error}") };
    assert!(count >= 2 && examples.contains(&pair[1].to_owned()));
}

#[test]
fn repositories_open_from_any_folder_inside() {
    let repo = Repo::new();
    repo.write("a/b/f", "1");
    let sha = repo.commit("a");
    let inner = Repository::open(repo.path.join("a/b")).unwrap();
    assert_eq!(inner.path(), repo.path);
    git(repo.temp.path(), &["clone", "-q", "--bare", "repo", "bare"], "");
    let bare = Repository::open(repo.temp.join("bare")).unwrap();
    assert_eq!((bare.path(), bare.resolve("HEAD")), (&*repo.temp.join("bare"), Ok(sha.clone())));
    let linked = repo.temp.join("linked");
    repo.git(&["worktree", "add", "-q", "--detach", linked.to_str().unwrap()]);
    let second = git(&linked, &["commit-tree", "-p", "HEAD", "-m", "x", "HEAD^{tree}"], "");
    git(&linked, &["checkout", "-q", &second], "");
    let linked = Repository::open(linked).unwrap();
    assert_eq!(linked.resolve("HEAD"), Ok(second));
    assert_eq!(linked.graph(&GraphOptions::default()).unwrap().len(), 2);
    let outside = Repository::open(repo.temp.path()).unwrap_err();
    assert!(outside.code() == "git" && outside.to_string().contains("is not in a Git repository"), "{outside}");
    assert_eq!(Repository::open(repo.temp.join("nothing")).unwrap_err().code(), "io");
    assert_eq!(Repo::new().open().graph(&GraphOptions::default()).unwrap_err(), Error::EmptyGraph);
}

#[test]
fn tree_ids_returns_commits_and_trees_in_order() {
    let repo = Repo::new();
    repo.write("f", "1\n");
    let one = repo.commit("one");
    repo.git(&["tag", "-a", "-m", "t", "v1"]);
    repo.write("f", "2\n");
    let two = repo.commit("two");
    repo.git(&["revert", "--no-edit", "HEAD"]);
    let (repository, three) = (repo.open(), repo.sha("HEAD"));
    let trees = |names: &[&str]| repository.tree_ids(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
    let tree = |name: &str| repo.git(&["rev-parse", &format!("{name}^{{tree}}")]);
    let (first, second) = (tree("v1"), tree("main~1"));
    let expected = [(&three, &first), (&two, &second), (&one, &first), (&one, &first)];
    let expected: Vec<(String, String)> = expected.map(|(sha, tree)| (sha.clone(), tree.clone())).into();
    assert_eq!(trees(&["main", &two, "v1", &one[..10]]).unwrap(), expected);
    assert_eq!(trees(&[":/two", "main"]).unwrap(), [(three.clone(), first.clone()), (three.clone(), first.clone())]);
    assert_eq!(trees(&[]).unwrap(), []);
    for names in [&["main", "nowhere"][..], &["main\nmain"], &[&"12".repeat(20)], &["main", &first]] {
        let error = trees(names).unwrap_err();
        assert!(matches!(&error, Error::UnknownRevision { argument, .. } if argument == "revisions"), "{error}");
    }
    assert_eq!(trees(&["nowhere"]).unwrap_err().code(), "unknown_revision");
}

#[cfg(target_os = "linux")]
#[test]
fn repositories_in_odd_folders_are_refused_with_the_cause() {
    use std::os::unix::ffi::OsStringExt as _;
    for (name, cause) in [(&b"not-\xff-utf8"[..], "is not UTF-8"), (b"two\nlines", "contains a line break")] {
        let temp = Temp::new();
        let folder = temp.path().join(std::ffi::OsString::from_vec(name.to_vec()));
        std::fs::create_dir(&folder).unwrap();
        git(&folder, &["init", "-q"], "");
        let error = Repository::open(&folder).unwrap_err();
        assert!(error.code() == "git" && error.to_string().contains(cause), "{error}");
    }
}
