//! Shallow and partial clones.

use crate::common::{Repo, cloned, git, source};
use firstbad::{Error, Search, SlicedHistory};
use firstbad_git::{GraphOptions, Repository, Slices, open, porter};
use serde_json::{Value, json};

fn search(repository: &Repository, algorithm: &str, options: &Value) -> Result<Box<dyn Search>, Error> {
    let graph = repository.graph(&GraphOptions::default())?;
    open(algorithm, std::sync::Arc::new(graph), options)
}

fn sliced(base: &str, tip: &str) -> SlicedHistory {
    SlicedHistory::from_options(&json!({"history": {"base": base, "tip": tip}})).unwrap()
}

fn refused<T>(found: Result<T, Error>, argument: &str) -> String {
    let error = found.map(|_| ()).unwrap_err();
    assert_eq!(error.code(), "shallow", "{error}");
    let words = error.to_string();
    assert!(words.starts_with(&format!("{argument}: ")) && words.contains("git fetch --unshallow"), "{words}");
    words
}

#[test]
fn the_end_of_a_shallow_clone_is_not_the_start_of_the_history() {
    let (repo, shas) = source();
    let path = cloned(&repo, "shallow", "--depth=4");
    let shallow = Repository::open(&path).unwrap();
    let words = refused(search(&shallow, "regression", &json!({"bad": ["main"]})), "good");
    assert!(words.contains(&shas[6]) && words.contains("fetch-depth: 0") && words.contains("fetch=True"), "{words}");
    refused(search(&shallow, "culprit", &json!({"bad": ["main"], "flake_rate": 0.1})), "good");
    refused(search(&shallow, "regression", &json!({"good": ["main"], "bad": [], "find": "fix"})), "bad");
    refused(porter(&shallow, &json!({"start": "main"})), "good");
    let by_paths = GraphOptions { tips: vec!["main".into()], paths: vec!["folder".into()], ..GraphOptions::default() };
    let graph = std::sync::Arc::new(shallow.graph(&by_paths).unwrap());
    refused(open("regression", graph, &json!({"bad": ["main"]})), "good");

    // A good revision in the clone is enough, as is an excluded one. Swapped endpoints are a different error.
    for good in ["main~3", "main~1"] {
        search(&shallow, "regression", &json!({"bad": ["main"], "good": [good]})).unwrap();
    }
    let exchanged = search(&shallow, "regression", &json!({"bad": ["main~1"], "good": ["main"]}));
    assert_eq!(exchanged.map(|_| ()).unwrap_err().code(), "invalid_argument");
    porter(&shallow, &json!({"start": "main", "good": ["main~3"]})).unwrap();
    porter(&shallow, &json!({"start": "main", "oldest": "main~3"})).unwrap();
    porter(&shallow, &json!({"start": "main", "revisions": ["main~2"]})).unwrap();

    // A commit in the clone that is not connected to the bad revision is not enough.
    git(&path, &["fetch", "-q", "--depth=1", "origin", "refs/tags/v1:refs/tags/v1"], "");
    let words = refused(search(&shallow, "regression", &json!({"bad": ["main"], "good": ["v1"]})), "good");
    assert!(words.contains("v1") || words.contains(&shas[0]), "{words}");
    let history = sliced("v1", "main");
    refused(Slices::open(&shallow, &history, Some(&repo.temp.join("slices"))), "base");
    refused(shallow.check_beginning("good", &["v1".into()], &["main".into()]), "good");

    // If a merged branch is cut off, the culprit may be missing.
    let whole = Repo::new();
    for step in ["one", "two"] {
        whole.write("line", step);
        whole.commit(step);
    }
    whole.git(&["checkout", "-q", "-b", "side"]);
    for step in ["far", "away", "on", "the", "side"] {
        whole.write("side", step);
        whole.commit(step);
    }
    whole.git(&["checkout", "-q", "main"]);
    whole.write("line", "three");
    whole.commit("three");
    whole.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    let path = cloned(&whole, "cut", "--depth=4");
    let cut = Repository::open(&path).unwrap();
    let words = refused(search(&cut, "regression", &json!({"bad": ["main"], "good": ["main~1"]})), "good");
    assert!(words.contains("some commits between main and "), "{words}");
    let first = GraphOptions { tips: vec!["main".into()], first_parent: true, ..GraphOptions::default() };
    let graph = std::sync::Arc::new(cut.graph(&first).unwrap());
    open("regression", graph, &json!({"bad": ["main"], "good": ["main~1"]})).unwrap();
    porter(&cut, &json!({"start": "main", "good": ["main~1"]})).unwrap();

    // A complete clone has the start of the history.
    let whole = Repository::open(&repo.path).unwrap();
    search(&whole, "regression", &json!({"bad": ["main"]})).unwrap();
}

#[test]
fn the_rest_of_a_history_is_fetched_if_allowed() {
    let (repo, shas) = source();
    for (name, way) in [("by-graph", 0), ("by-name", 1), ("detached", 2)] {
        let path = cloned(&repo, name, "--depth=1");
        if way == 2 {
            git(&path, &["checkout", "-q", "--detach"], "");
        }
        let shallow = Repository::open(&path).unwrap();
        assert_eq!(shallow.graph(&GraphOptions::default()).unwrap().len(), 1);
        assert!(shallow.resolve("v1").is_err());
        let fetching = shallow.clone().fetching(true);
        if way == 1 {
            assert_eq!(fetching.resolve("v1").unwrap(), shas[0]);
        }
        search(&fetching, "regression", &json!({"bad": ["main"]})).unwrap();
        assert_eq!(shallow.graph(&GraphOptions::default()).unwrap().len(), 10);
        assert_eq!(shallow.boundary().unwrap(), [""; 0]);
        // Fetching changed nothing else.
        assert_eq!(git(&path, &["status", "--porcelain"], ""), "");
        assert!(!path.join(".git/FETCH_HEAD").exists());
    }
    // Without a remote, the error says so.
    let path = cloned(&repo, "alone", "--depth=1");
    git(&path, &["remote", "remove", "origin"], "");
    let error = Repository::open(&path).unwrap().fetching(true).graph(&GraphOptions::default()).unwrap_err();
    assert!(error.to_string().contains("has no remote to fetch from"), "{error}");
}

#[test]
fn concurrent_callers_fetch_the_history_once() {
    let (repo, _) = source();
    for round in 0..4 {
        let path = cloned(&repo, &format!("several-{round}"), "--depth=1");
        let fetching = Repository::open(&path).unwrap().fetching(true);
        std::thread::scope(|scope| {
            let askers: Vec<_> = (0..4).map(|_| scope.spawn(|| fetching.complete_history())).collect();
            askers.into_iter().for_each(|asker| asker.join().unwrap().unwrap());
        });
        assert_eq!(fetching.boundary().unwrap(), [""; 0]);
    }
}

#[test]
fn changed_files_are_listed_without_file_contents() {
    let (repo, shas) = source();
    let path = cloned(&repo, "partial", "--filter=blob:none");
    let partial = Repository::open(&path).unwrap();
    let changes = partial.changes(&shas[..1], &[shas[9].clone()], firstbad_git::Merges::Own).unwrap();
    assert_eq!(changes.len(), 9);
    let files: Vec<&str> = changes[4].files.iter().map(String::as_str).collect();
    assert_eq!(files, ["broken", "folder/number"]);
    let search = search(&partial, "regression", &json!({"bad": ["main"], "good": [shas[0]]})).unwrap();
    let why = search.inspect().why(&shas[5]).unwrap();
    assert_eq!(why.message, "touches 2 source files");
}
