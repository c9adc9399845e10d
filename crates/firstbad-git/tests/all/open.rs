//! Searches whose prior comes from the repository.

use crate::common::Repo;
use firstbad::{CommitGraph, Outcome, RegressionConfig, Search};
use firstbad_git::{GraphOptions, open, rank_changes, suspects};
use serde_json::{Value, json};

/// Returns a repository with twenty commits after the first, of which one touches the cart and the others touch documentation.
fn shop() -> (Repo, String) {
    let repo = Repo::new();
    let mut culprit = String::new();
    for number in 0..21 {
        if number == 14 {
            repo.write("src/cart.py", "total = 2\n");
            culprit = repo.commit("Round the total");
        } else {
            repo.write("notes.md", &format!("{number}\n"));
            repo.commit(&format!("Note {number}"));
        }
    }
    (repo, culprit)
}

/// Runs a search, and returns the number of runs and the culprit.
fn driven(mut search: Box<dyn Search>, culprit: &str, repo: &Repo) -> (u64, String) {
    while !search.is_done() {
        for probe in search.ask(1).unwrap() {
            let is_newer = !repo.git(&["rev-list", &format!("{culprit}^..{}", probe.revision())]).trim().is_empty();
            search.tell(probe.id, if is_newer { Outcome::Fail } else { Outcome::Pass }.into()).unwrap();
        }
    }
    let report: Value = serde_json::from_str(&search.inspect().report_json().unwrap()).unwrap();
    (search.runs(), report["points"][0]["bad"].as_str().unwrap().to_owned())
}

#[test]
fn changed_files_order_the_search() {
    let (repo, culprit) = shop();
    let graph = std::sync::Arc::new(repo.open().graph(&GraphOptions::default()).unwrap());
    let first = repo.git(&["rev-parse", "main~20"]).trim().to_owned();
    let of = |more: Value| {
        let mut options = json!({"bad": ["main"], "good": [first], "test_endpoints": false, "confirm": false});
        options.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        open("regression", graph.clone(), &options).unwrap()
    };
    let named = of(json!({"prior": "changes", "test": ["tests/test_cart.py::test_total"]}));
    // The configuration in a journal contains the ranking, so inspecting it reads nothing.
    let kept = named.inspect().configuration().unwrap();
    assert_eq!(kept["prior"]["weights"].as_object().unwrap().len(), 20);
    let why = named.inspect().why(&culprit).unwrap();
    assert_eq!(
        why.message,
        "has the test's \"total\" in its subject; touches src/cart.py, which the test is named after; touches 1 source file, 1 line"
    );
    assert_eq!(driven(named, &culprit, &repo), (2, culprit.clone()));
    assert_eq!(driven(of(json!({"prior": "changes"})), &culprit, &repo), (2, culprit.clone()));
    assert_eq!(driven(of(json!({})), &culprit, &repo), (2, culprit.clone()), "by default");
    let (alike, found) = driven(of(json!({"prior": "uniform"})), &culprit, &repo);
    assert!(alike >= 4 && found == culprit, "{alike} {found}");
}

#[test]
fn changed_files_order_a_triage() {
    let (repo, culprit) = shop();
    let graph = std::sync::Arc::new(repo.open().graph(&GraphOptions::default()).unwrap());
    let options = json!({"bad": ["main"], "good": ["main~20"], "tonight": {"tests/test_cart.py::test_total": "fail"}});
    let search = open("triage", graph, &options).unwrap();
    let kept = search.inspect().configuration().unwrap();
    assert!(kept["prior"]["weights"][&culprit].as_f64() > Some(0.2), "{kept}");
    assert!(search.inspect().why(&culprit).unwrap().message.contains("\"total\" in its subject"));
}

#[test]
fn a_search_for_a_fix_swaps_the_endpoints() {
    let (repo, culprit) = shop();
    let graph = repo.open().graph(&GraphOptions::default()).unwrap();
    let first = repo.git(&["rev-parse", "main~20"]).trim().to_owned();
    let options = json!({"bad": [first], "good": ["main"], "find": "fix", "prior": "changes"});
    let search = open("regression", std::sync::Arc::new(graph), &options).unwrap();
    let kept = search.inspect().configuration().unwrap();
    let weights = kept["prior"]["weights"].as_object().unwrap();
    assert!(weights[&culprit].as_f64() > Some(0.2), "{weights:?}");
}

#[test]
fn a_history_without_a_repository_cannot_rank_changes() {
    let graph = firstbad::CommitGraph::linear(["a", "b"]).unwrap();
    let refused = rank_changes(&graph, &["b".into()], &["a".into()], &[]).unwrap_err();
    assert!(refused.to_string().contains("expected a graph from a Git repository"), "{refused}");
    let options = json!({"bad": ["b"], "prior": "changes"});
    let refused = open("regression", std::sync::Arc::new(graph), &options).map(|_| ()).unwrap_err();
    assert!(refused.to_string().starts_with("prior: \"changes\" is not valid"), "{refused}");
    let (repo, _) = shop();
    let graph = std::sync::Arc::new(repo.open().graph(&GraphOptions::default()).unwrap());
    for (wrong, name) in [
        (json!({"bad": "main", "prior": "changes"}), "bad: \"main\""),
        (json!({"bad": ["nobody"], "prior": "changes"}), "bad"),
    ] {
        let refused = open("regression", graph.clone(), &wrong).map(|_| ()).unwrap_err();
        assert!(refused.to_string().starts_with(name), "{refused}");
    }
}

#[test]
fn searches_without_a_prior_read_no_changes() {
    let (repo, _) = shop();
    let graph = std::sync::Arc::new(repo.open().graph(&GraphOptions::default()).unwrap());
    for (algorithm, more) in [
        ("regression", json!({"search": "bisect"})),
        ("regression", json!({"search": "linear", "test": ["test_cart"]})),
        ("regression", json!({"prior": "uniform"})),
        ("culprit", json!({"strategy": "bisect"})),
    ] {
        let mut options = json!({"bad": ["main"]});
        options.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let search = open(algorithm, graph.clone(), &options).unwrap_or_else(|error| panic!("{options}: {error}"));
        assert_eq!(search.inspect().configuration().unwrap()["prior"], Value::Null, "{options}");
    }
}

#[test]
fn endpoints_accept_the_syntax_of_git() {
    let (repo, _) = shop();
    let graph = std::sync::Arc::new(repo.open().graph(&GraphOptions::default()).unwrap());
    let sha = |name: &str| repo.git(&["rev-parse", name]).trim().to_owned();
    for (algorithm, options) in [
        ("regression", json!({"bad": ["main~3"], "good": ["HEAD^{/Note 3}", "main~20"]})),
        ("culprit", json!({"bad": ["main~3"], "good": ["HEAD~20"], "flake_rate": 0.1})),
        ("verification", json!({"culprit": "main~3", "bad": ["main"], "good": ["HEAD~20"], "flake_rate": 0.1})),
    ] {
        let search = open(algorithm, graph.clone(), &options).unwrap_or_else(|error| panic!("{options}: {error}"));
        let kept = search.inspect().configuration().unwrap().to_string();
        assert!(!kept.contains('~') && kept.contains(&sha("main~20")) && kept.contains(&sha("main~3")), "{kept}");
    }
    assert_eq!(
        suspects(&graph, &RegressionConfig::new(["main~3"]).good(["main~5"])),
        Ok(vec![sha("main~4"), sha("main~3")])
    );
    let wrong = |graph: &std::sync::Arc<CommitGraph>, name: &str| {
        open("regression", graph.clone(), &json!({"bad": [name]})).map(|_| ()).unwrap_err()
    };
    assert_eq!(wrong(&graph, "main~99").to_string(), "bad: unknown revision \"main~99\"\nhelp: did you mean \"main\"?");
    let part = GraphOptions { tips: vec!["main".into()], exclude: vec!["main~5".into()], ..GraphOptions::default() };
    let part = std::sync::Arc::new(repo.open().graph(&part).unwrap());
    let left_out = wrong(&part, "main~9").to_string();
    assert!(left_out.starts_with("bad: \"main~9\" is not valid; expected a revision of the graph"), "{left_out}");
}

#[test]
fn a_revision_missing_from_a_shallow_clone_is_reported() {
    let (repo, _) = shop();
    let old = repo.git(&["rev-parse", "main~9"]).trim().to_owned();
    let copy = repo.temp.join("copy");
    let from = format!("file://{}", repo.path.display());
    repo.git(&["clone", "-q", "--depth", "3", &from, &copy.display().to_string()]);
    let shallow = firstbad_git::Repository::open(&copy).unwrap();
    let graph = std::sync::Arc::new(shallow.graph(&GraphOptions::default()).unwrap());
    let missing = open("regression", graph, &json!({"bad": ["main"], "good": [old]})).map(|_| ()).unwrap_err();
    assert!(missing.to_string().ends_with("git fetch --unshallow, or set fetch-depth: 0 in CI"), "{missing}");
    assert_eq!(missing.code(), "unknown_revision");
}

#[test]
fn unreadable_changes_give_a_uniform_prior_and_a_warning() {
    let (repo, culprit) = shop();
    let graph = std::sync::Arc::new(repo.open().graph(&GraphOptions::default()).unwrap());
    let first = repo.git(&["rev-parse", "main~20"]).trim().to_owned();
    let options = json!({"bad": ["main"], "good": [first], "test_endpoints": false});
    let alike = open(
        "regression",
        graph.clone(),
        &json!({"bad": ["main"], "good": [first], "test_endpoints": false, "prior": "uniform"}),
    );
    let expected = driven(alike.unwrap(), &culprit, &repo);
    let moved = repo.path.with_extension("moved");
    std::fs::rename(&repo.path, &moved).unwrap();
    let search = open("regression", graph, &options);
    std::fs::rename(&moved, &repo.path).unwrap();
    let search = search.unwrap();
    let report: Value = serde_json::from_str(&search.inspect().report_json().unwrap()).unwrap();
    let warning = report["warnings"][0].as_str().unwrap();
    assert!(
        warning.starts_with("firstbad cannot read the changes of the commits, so all suspects are equally likely: "),
        "{warning}"
    );
    assert_eq!(driven(search, &culprit, &repo), expected);
}

/// If only first parents are followed, the changes of a branch belong to the merge.
#[test]
fn a_first_parent_history_attributes_branch_changes_to_the_merge() {
    let repo = Repo::new();
    repo.write("notes.md", "0\n");
    let first = repo.commit("Begin");
    for number in 1..6 {
        repo.write("notes.md", &format!("{number}\n"));
        repo.commit(&format!("Note {number}"));
    }
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("src/cart.py", "total = 2\n");
    repo.commit("Round");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "Take the side in", "side"]);
    let merge = repo.sha("HEAD");
    repo.write("notes.md", "7\n");
    repo.commit("Note 7");
    let options = GraphOptions { tips: vec!["main".into()], first_parent: true, ..GraphOptions::default() };
    let graph = repo.open().graph(&options).unwrap();
    let ranking = rank_changes(&graph, &["main".into()], &[first], &["tests/test_cart.py".into()]);
    let likeliest = ranking.unwrap().suspects.remove(0);
    assert_eq!(likeliest.change, merge);
    assert_eq!(likeliest.message, "touches src/cart.py, which the test is named after; touches 1 source file, 1 line");
}
