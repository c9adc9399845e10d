//! Metadata of commits in reports after a search.

use std::sync::Arc;

use crate::common::Repo;
use firstbad::{
    Commit, CommitGraph, Outcome, RegressionReport, Report, Search, SlicedHistory, TriageConfig, TriageSearch,
};
use firstbad_git::{GraphOptions, describe, name_ends, named_report, open, report_json};
use serde_json::{Value, json};

/// Returns four commits, of which the last two are broken.
fn history() -> (Repo, Vec<String>, Arc<CommitGraph>) {
    let repo = Repo::new();
    let shas = ["Begin", "Tidy", "Round \u{1b}[2J the total\n\nBody", "Note"].map(|subject| {
        repo.write("total", &format!("{}\n", subject.lines().next().unwrap()));
        repo.commit(subject)
    });
    repo.git(&["tag", "v2"]);
    // As in a clone. The name of the remote alone means the same branch.
    repo.git(&["update-ref", "refs/remotes/upstream/main", "HEAD"]);
    repo.git(&["symbolic-ref", "refs/remotes/upstream/HEAD", "refs/remotes/upstream/main"]);
    let graph = Arc::new(repo.open().graph(&GraphOptions::default()).unwrap());
    (repo, shas.to_vec(), graph)
}

fn answer(search: &mut dyn Search, shas: &[String]) {
    for probe in search.ask(1).unwrap() {
        let broken = shas[2..].iter().any(|sha| sha == probe.revision());
        search.tell(probe.id, if broken { Outcome::Fail } else { Outcome::Pass }.into()).unwrap();
    }
}

fn report(search: &dyn Search) -> RegressionReport {
    serde_json::from_str(&report_json(search.inspect(), search.status()).unwrap()).unwrap()
}

#[test]
fn reports_describe_commits_after_the_search() {
    let (repo, shas, graph) = history();
    let options = json!({"bad": ["main"], "good": [shas[0]]});
    let mut search = open("regression", graph.clone(), &options).unwrap();
    answer(&mut *search, &shas);
    assert!(report(&*search).commits.is_empty(), "a search that runs calls no git for what it says");
    let written = report_json(search.inspect(), search.status()).unwrap();
    let running = named_report(search.inspect(), &written).unwrap();
    assert!(!running.commits().unwrap().is_empty(), "its card does: {running:?}");
    while !search.is_done() {
        answer(&mut *search, &shas);
    }
    let found = report(&*search);
    let named: Vec<&str> = found.commits.keys().map(String::as_str).collect();
    // The culprit and all tested commits.
    let mut expected: Vec<&str> = shas.iter().map(String::as_str).collect();
    expected.sort_unstable();
    assert_eq!(named, expected);
    let again = named_report(search.inspect(), &serde_json::to_string(&found).unwrap()).unwrap();
    assert_eq!(again.commits(), Some(&found.commits));
    let Commit { subject, author, author_date, commit_date, changed, url, .. } = &found.commits[&shas[2]];
    assert_eq!((&**subject, &**author), ("Round \u{1b}[2J the total", "A"));
    assert_eq!((&**author_date, &**commit_date), ("2001-09-09T01:46:40Z", "2001-09-09T01:46:40Z"));
    // Only the culprit has its changed files. The page is missing, because no remote branch has the commit.
    let changed = changed.as_ref().unwrap();
    assert_eq!((changed.files, changed.added, url), (1, 1, &None));
    assert_eq!((changed.largest[0].path.as_str(), found.commits[&shas[1]].changed.as_ref()), ("total", None));
    assert_eq!(found.names[&shas[3]], ["main", "upstream/main", "v2"]);
    repo.git(&["remote", "add", "origin", "git@github.com:o/r.git"]);
    assert_eq!(report(&*search).commits[&shas[2]].url, None, "no branch of the remote has it");
    repo.git(&["update-ref", "refs/remotes/origin/main", &shas[3]]);
    let page = format!("https://github.com/o/r/commit/{}", shas[2]);
    assert_eq!(report(&*search).commits[&shas[2]].url, Some(page));
    assert_eq!(report(&*search).commits[&shas[2]].request_url, None);
    let found = report(&*search);

    // A report can be read back, also without the new fields.
    let mut written: Value = serde_json::from_str(&report_json(search.inspect(), search.status()).unwrap()).unwrap();
    let again: RegressionReport = serde_json::from_value(written.clone()).unwrap();
    assert_eq!(again, found);
    written.as_object_mut().unwrap().retain(|name, _| name != "commits" && name != "names");
    let bare: RegressionReport = serde_json::from_value(written).unwrap();
    assert!(bare.commits.is_empty() && bare.points == found.points);

    // If the repository no longer exists, the report stays as it is.
    std::fs::remove_dir_all(repo.open().path()).unwrap();
    assert_eq!(report(&*search), RegressionReport { names: found.names, ..bare });
}

#[test]
fn a_triage_has_the_names_of_its_endpoints() {
    let (_repo, shas, graph) = history();
    let config = TriageConfig::new("main", ["test"]).good([&shas[0][..]]);
    let search = TriageSearch::new(Arc::clone(&graph), config).unwrap();
    let mut report = Report::Triage(Box::new(search.report()));
    name_ends(&mut report, &graph);
    let Report::Triage(report) = report else { panic!("another report") };
    assert_eq!(
        (&report.names[&shas[3]][..], report.names.len()),
        (&["main", "upstream/main", "v2"].map(str::to_owned)[..], 1)
    );
}

/// The commit itself names no request. Its topic was merged into `next`, which was merged into `main`.
#[test]
fn a_commit_has_the_request_of_its_innermost_merge() {
    let repo = Repo::new();
    repo.write("total", "1\n");
    let good = repo.commit("Begin");
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("total", "2\n");
    let culprit = repo.commit("Round the total");
    let merge = |branch: &str, onto: &str, message: &str| {
        repo.git(&["checkout", "-q", onto]);
        repo.git(&["merge", "-q", "--no-ff", "-m", message, branch]);
    };
    repo.git(&["branch", "next", "main"]);
    merge("topic", "next", "Merge pull request #7 from a/topic");
    merge("next", "main", "Merge pull request #8 from a/next");
    repo.write("other", "1\n");
    let bad = repo.commit("Later (#9)");
    repo.git(&["remote", "add", "origin", "git@github.com:o/r.git"]);
    repo.git(&["update-ref", "refs/remotes/origin/main", &bad]);
    let graph = Arc::new(repo.open().graph(&GraphOptions::default()).unwrap());
    let mut search = open("regression", graph, &json!({"bad": ["main"], "good": [good]})).unwrap();
    while let Some(probe) = search.ask(1).unwrap().pop() {
        let outcome = if probe.revision() == good { Outcome::Pass } else { Outcome::Fail };
        search.tell(probe.id, outcome.into()).unwrap();
    }
    let request = || report(&*search).commits[&culprit].request_url.clone();
    assert_eq!(request().as_deref(), Some("https://github.com/o/r/pull/7"));
    // A commit made on the branch itself has no merge.
    repo.git(&["update-ref", "refs/remotes/origin/main", &culprit]);
    assert_eq!(request(), None);
}

/// The change `Round the total` breaks each branch. On `next`, it is a cherry-pick.
#[test]
fn cherry_picks_of_a_culprit_are_linked() {
    let repo = Repo::new();
    repo.write("total", "1\n");
    let good = repo.commit("Begin");
    repo.git(&["checkout", "-q", "-b", "next"]);
    repo.write("other", "1\n");
    repo.commit("Work on next");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("total", "2\n");
    let culprit = repo.commit("Round the total");
    repo.git(&["checkout", "-q", "next"]);
    repo.git(&["cherry-pick", "-x", &culprit]);
    let picked = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["checkout", "-q", "-b", "third", &good]);
    repo.write("total", "3\n");
    let unlike = repo.commit("Round the total otherwise");
    let graph = Arc::new(repo.open().graph(&GraphOptions::default()).unwrap());
    let options = json!({"bad": ["main", "next", "third"], "good": [good]});
    let mut search = open("regression", graph, &options).unwrap();
    let broken = [culprit.as_str(), picked.trim(), unlike.as_str()];
    while !search.is_done() {
        for probe in search.ask(1).unwrap() {
            let outcome = if broken.contains(&probe.revision()) { Outcome::Fail } else { Outcome::Pass };
            search.tell(probe.id, outcome.into()).unwrap();
        }
    }
    let found = report(&*search);
    let same = |culprit: &str| found.points.iter().find(|point| point.newer() == culprit).unwrap().same_change.clone();
    assert_eq!(found.points.len(), 3);
    assert_eq!(same(&culprit), [broken[1]]);
    assert_eq!(same(broken[1]), [culprit.as_str()]);
    assert!(same(&unlike).is_empty());
}

#[test]
fn a_report_without_a_repository_stays_unchanged() {
    let graph = CommitGraph::linear(["1", "2"]).unwrap();
    let mut search = open("regression", Arc::new(graph), &json!({"bad": ["2"], "good": ["1"]})).unwrap();
    search.stop(firstbad::StopReason::Stopped).unwrap();
    assert_eq!(report_json(search.inspect(), search.status()).unwrap(), search.inspect().report_json().unwrap());
}

#[test]
fn a_slice_report_describes_its_commits_and_endpoints() {
    let (repo, shas, _) = history();
    let options = json!({"changes": [shas[1], format!("{}:a.py#0", shas[2])], "keep": "pass"});
    let search = open("slice", 2, &options).unwrap();
    let mut report = Report::of(search.inspect()).unwrap();
    let history = SlicedHistory { base: shas[0].clone(), tip: shas[3].clone(), ..SlicedHistory::default() };
    describe(&mut report, &repo.open(), Some(&history));
    let commits = report.commits_mut().unwrap();
    assert_eq!(commits.len(), 4);
    assert_eq!(commits[&shas[1]].subject, "Tidy");
}

#[test]
fn a_culprit_after_skipped_commits_is_not_found() {
    let repo = Repo::new();
    let commit = |path: &str, subject: &str| {
        repo.write(path, &format!("{subject}\n"));
        repo.commit(subject)
    };
    let start = commit("lib", "Start");
    commit("other", "Skipped");
    let broken = commit("lib", "Break");
    let paths = vec!["lib".to_owned()];
    let found = |good: &str| {
        let graph = repo.open().graph(&GraphOptions { paths: paths.clone(), ..GraphOptions::default() }).unwrap();
        let options = json!({"bad": ["main"], "good": [good], "confirm": false});
        let mut search = open("regression", Arc::new(graph), &options).unwrap();
        while let Some(probe) = search.ask(1).unwrap().pop() {
            let outcome = if probe.revision() == broken { Outcome::Fail } else { Outcome::Pass };
            search.tell(probe.id, outcome.into()).unwrap();
        }
        report(&*search)
    };
    let skipped = found(&start);
    assert_eq!((skipped.status, &skipped.points[0].culprit), (firstbad::Status::Ambiguous, &None));
    let warning = format!("1 commit between {start} and {broken} was not considered. Omit ⟦paths⟧ to test it");
    assert!(skipped.warnings.contains(&warning), "{:?}", skipped.warnings);
}

#[test]
fn a_culprit_that_changes_only_documentation_has_a_warning() {
    let repo = Repo::new();
    let [good, bad] = ["One", "Two"].map(|subject| {
        repo.write("README.md", subject);
        repo.commit(subject)
    });
    let graph = Arc::new(repo.open().graph(&GraphOptions::default()).unwrap());
    let mut search = open("regression", graph, &json!({"bad": [bad], "good": [good]})).unwrap();
    while let Some(probe) = search.ask(1).unwrap().pop() {
        let outcome = if probe.revision() == bad { Outcome::Fail } else { Outcome::Pass };
        search.tell(probe.id, outcome.into()).unwrap();
    }
    let warnings = report(&*search).warnings;
    assert!(warnings.iter().any(|warning| warning.contains("changes no source file")), "{warnings:?}");
}
