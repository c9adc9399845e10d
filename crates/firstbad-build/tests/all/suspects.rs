//! Searches in real repositories whose culprits are behind moved and deleted files.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use firstbad::culprit::{Conclusion, CulpritReport, Rate};
use firstbad::suspicion::{BuildGraph, BuildGraphBuilder, BuildGraphKind, PriorOptions};
use firstbad::{CommitGraph, CulpritConfig, CulpritSearch, Outcome, Search};
use firstbad_build::{
    Revisions, SourceOptions, Suspected, Suspicion, changes_between, content_beside, read_folder, suspects,
};
use firstbad_git::{GraphOptions, Repository};
use tempfile::TempDir;

/// A build graph with its loader.
struct Build {
    graph: BuildGraph,
    revisions: Option<Revisions>,
}

struct Place {
    folder: TempDir,
    /// Whether the content of commits also counts.
    content: bool,
}

const TAX: &str = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\ng = 7\nh = 8\n";

impl Place {
    /// Creates a repository in which `till.py` imports `tax.py`, with a test. Tags the commit `good`.
    fn new() -> Place {
        let place = Place { folder: TempDir::new().unwrap(), content: false };
        place.git(&["init", "-q", "-b", "main"]);
        for (file, text) in
            [("till.py", "import tax\n"), ("tax.py", TAX), ("test_till.py", "import till\n# of tills\n")]
        {
            place.write(file, text);
        }
        place.commit("start");
        place.git(&["tag", "good"]);
        place
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=A", "-c", "user.email=a@example.org"]).args(arguments).current_dir(self.path());
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        let done = command.output().unwrap();
        assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Commits everything and returns the commit id.
    fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn notes(&self, count: usize) {
        for number in 0..count {
            self.write("notes", &format!("{}{number}\n", self.git(&["rev-parse", "HEAD"])));
            self.commit("notes");
        }
    }

    fn edit_tax(&self) -> String {
        self.write("tax.py", &format!("{TAX}i = 9\n"));
        self.commit("edits")
    }

    fn python(&self) -> Build {
        let repository = Repository::open(self.path()).unwrap();
        let revisions = Revisions::new(repository, "python", SourceOptions::default());
        Build { graph: revisions.at("main").unwrap().graph, revisions: Some(revisions) }
    }

    /// Searches between `good` and `main` with the prior from a build graph.
    fn search(&self, build: &Build, before: Option<&BuildGraph>, tests: &[&str], culprit: &str) -> Searched {
        let request = GraphOptions { tips: vec!["main".into()], ..GraphOptions::default() };
        let history = Arc::new(Repository::open(self.path()).unwrap().graph(&request).unwrap());
        let (bad, good) = (vec!["main".to_owned()], vec!["good".to_owned()]);
        let changes = changes_between(&history, &bad, &good).unwrap().unwrap();
        let tests: Vec<String> = tests.iter().map(|&test| test.to_owned()).collect();
        let options = PriorOptions::default();
        let (bad, good, options) = (&bad[..], &good[..], &options);
        let (build, revisions) = (&build.graph, build.revisions.as_ref());
        let (changes, tests, content) = (&changes[..], &tests[..], self.content);
        let given = Suspicion { build, revisions, before, graphs: &[], changes, tests, bad, good, options, content };
        let found = suspects(&history, &given).unwrap();
        let report = self.run(&history, &found, culprit);
        Searched { found, report }
    }

    fn run(&self, history: &Arc<CommitGraph>, found: &Suspected, culprit: &str) -> CulpritReport {
        let mut config = CulpritConfig::new("main", Rate::Known(0.1)).good(["good"]);
        config.prior = found.search_prior();
        let broken: BTreeSet<String> = self
            .git(&["rev-list", "--ancestry-path", &format!("{culprit}..main")])
            .lines()
            .map(str::to_owned)
            .collect();
        let mut search = CulpritSearch::new(history.clone(), config).unwrap();
        while !search.is_done() {
            for probe in search.ask(1).unwrap() {
                let fails = probe.revision() == culprit || broken.contains(probe.revision());
                search.tell(probe.id, if fails { Outcome::Fail } else { Outcome::Pass }.into()).unwrap();
            }
        }
        search.report()
    }
}

struct Searched {
    found: Suspected,
    report: CulpritReport,
}

impl Searched {
    fn is(&self, culprit: &str) -> bool {
        self.report.conclusion == Conclusion::Culprit && self.report.culprit.as_deref() == Some(culprit)
    }

    fn first(&self) -> &str {
        &self.found.ranking.suspects[0].change
    }

    fn weight(&self, revision: &str) -> f64 {
        self.found.prior.weights.as_ref().unwrap()[revision]
    }
}

#[test]
fn finds_a_culprit_in_a_later_renamed_file() {
    let place = Place::new();
    place.notes(3);
    let culprit = place.edit_tax();
    place.notes(2);
    place.git(&["mv", "tax.py", "duty.py"]);
    place.write("till.py", "import duty\n");
    place.commit("renames");
    place.notes(2);
    let searched = place.search(&place.python(), None, &["test_till.py"], &culprit);
    assert!(searched.is(&culprit), "{:?}", searched.report);
    assert!(searched.weight(&culprit) > 0.3, "{:?}", searched.found.prior);
    let reason = &searched.found.ranking.suspects.last().unwrap().reasons[0];
    assert_eq!((&reason.files[..], reason.target.as_str()), (&["tax.py".to_owned()][..], "duty.py"));
    assert!(!reason.before);
}

#[test]
fn finds_a_culprit_in_a_later_deleted_file() {
    let place = Place::new();
    place.notes(3);
    let culprit = place.edit_tax();
    place.notes(2);
    place.write("till.py", "i = 9\n");
    std::fs::remove_file(place.path().join("tax.py")).unwrap();
    place.commit("deletes");
    place.notes(2);
    let options = SourceOptions::default();
    let folder = Build {
        graph: read_folder("python", place.path(), &options).unwrap().graph,
        revisions: Revisions::of_folder(place.path(), "python", options),
    };
    for build in [place.python(), folder] {
        let searched = place.search(&build, None, &["test_till.py"], &culprit);
        assert!(searched.is(&culprit), "{:?}", searched.report);
        assert!(searched.weight(&culprit) > 0.3, "the graph at the good revision knows it");
    }
}

#[test]
fn finds_a_culprit_after_all_files_moved() {
    let place = Place::new();
    place.notes(2);
    let culprit = place.edit_tax();
    place.git(&["mv", "tax.py", "rates.py"]);
    place.write("till.py", "import rates\n");
    place.commit("renames once");
    std::fs::create_dir_all(place.path().join("tests")).unwrap();
    place.git(&["mv", "test_till.py", "tests/test_till.py"]);
    place.git(&["mv", "rates.py", "duty.py"]);
    place.write("till.py", "import duty\n");
    place.commit("renames again, and the test");
    place.notes(2);
    for test in ["tests/test_till.py::test_x", "test_till.py"] {
        let searched = place.search(&place.python(), None, &[test], &culprit);
        assert_eq!(searched.found.ranking.tests, ["tests/test_till.py"]);
        assert!(searched.is(&culprit), "{:?}", searched.report);
        assert!(searched.weight(&culprit) > 0.15, "{:?}", searched.found.prior);
    }
}

#[test]
fn finds_a_culprit_on_a_side_branch_with_the_old_name() {
    let place = Place::new();
    place.git(&["checkout", "-q", "-b", "side"]);
    let culprit = place.edit_tax();
    place.git(&["checkout", "-q", "main"]);
    place.git(&["mv", "tax.py", "duty.py"]);
    place.write("till.py", "import duty\n");
    place.commit("renames");
    place.git(&["tag", "-f", "good"]);
    place.notes(2);
    place.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    place.notes(2);
    let searched = place.search(&place.python(), None, &["test_till.py"], &culprit);
    assert!(searched.is(&culprit), "{:?}", searched.report);
    assert!(searched.weight(&culprit) > 0.3, "the rename is older than the good revision; the merge says so");
}

#[test]
fn import_graphs_exclude_no_suspect() {
    let place = Place::new();
    place.write("rates.json", "{}\n");
    let unrelated = place.commit("data that is opened at run time");
    place.notes(3);
    place.edit_tax();
    place.notes(3);
    let searched = place.search(&place.python(), None, &["test_till.py"], &unrelated);
    assert!(searched.is(&unrelated), "{:?}", searched.report);
    let ranking = &searched.found.ranking;
    assert_eq!((ranking.excluded.len(), ranking.unlikely.len(), ranking.complete), (0, 7, false));
    assert!((searched.weight(&unrelated) - 0.02 / 7.0).abs() < 1e-12);
    assert!(ranking.message.ends_with("7 unlikely but not excluded, because the build graph does not know all inputs"));
}

/// Returns the targets as Bazel would declare them.
fn declared(files: &[&str], kind: BuildGraphKind) -> Build {
    let mut builder = BuildGraphBuilder::new();
    builder.kind(kind).target("//:test").file("test_till.py").dep("//:till");
    builder.target("//:till").file("till.py");
    files.iter().for_each(|file| {
        builder.file(file);
    });
    Build { graph: builder.build().unwrap(), revisions: None }
}

#[test]
fn complete_graphs_exclude_unrelated_files() {
    let place = Place::new();
    place.notes(1);
    let notes = place.git(&["rev-parse", "HEAD"]);
    place.write("brief.py", "x = 1\n");
    let brief = place.commit("comes");
    let culprit = place.edit_tax();
    std::fs::remove_file(place.path().join("brief.py")).unwrap();
    place.commit("goes");
    place.git(&["mv", "tax.py", "duty.py"]);
    place.write("till.py", "import duty\n");
    place.commit("renames");
    let now = declared(&["duty.py"], BuildGraphKind::Bazel);
    let searched = place.search(&now, None, &["//:test"], &culprit);
    assert!(searched.is(&culprit), "{:?}", searched.report);
    assert_eq!(searched.weight(&notes), 0.0, "it is there at the failure, and no input");
    assert!(searched.weight(&brief) > 0.0, "neither end has seen it");
    let partial = place.search(&declared(&["duty.py"], BuildGraphKind::Nx), None, &["//:test"], &culprit);
    assert!(partial.weight(&notes) > 0.0);
}

#[test]
fn deleted_files_are_excluded_only_by_the_graph_before() {
    let place = Place::new();
    let culprit = place.edit_tax();
    place.notes(1);
    place.write("till.py", "i = 9\n");
    std::fs::remove_file(place.path().join("tax.py")).unwrap();
    place.commit("deletes");
    let now = declared(&[], BuildGraphKind::Bazel);
    let searched = place.search(&now, None, &["//:test"], &culprit);
    assert!(searched.is(&culprit), "{:?}", searched.report);
    assert!((searched.weight(&culprit) - 0.02).abs() < 1e-12);
    let before = declared(&["tax.py"], BuildGraphKind::Bazel).graph;
    let searched = place.search(&now, Some(&before), &["//:test"], &culprit);
    assert!(searched.is(&culprit) && searched.weight(&culprit) > 0.3, "{:?}", searched.report);
}

#[test]
fn several_tests_favor_their_common_files() {
    let place = Place::new();
    place.write("test_shop.py", "import shop\nimport tax\n");
    place.write("shop.py", "");
    place.commit("a shop");
    place.git(&["tag", "-f", "good"]);
    place.notes(1);
    place.write("shop.py", "x = 1\n");
    let one = place.commit("a shop's own");
    let culprit = place.edit_tax();
    let both = place.search(
        &place.python(),
        None,
        &["test_shop.py::test_a", "test_till.py", "test_shop.py::test_b"],
        &culprit,
    );
    assert_eq!(both.found.ranking.tests, ["test_shop.py", "test_till.py"], "each file once");
    assert_eq!(both.first(), culprit);
    let suspects = &both.found.ranking.suspects;
    assert_eq!(suspects.iter().map(|suspect| suspect.tests).collect::<Vec<_>>(), [2, 1]);
    assert!(both.weight(&culprit) > 1.8 * both.weight(&one) && both.weight(&one) > 0.2);
    assert!(both.is(&culprit));
}

#[test]
fn imports_and_changed_files_are_combined() {
    let mut place = Place::new();
    place.notes(20);
    place.write("hours.py", "a = 1\n");
    place.commit("other");
    place.write("till.py", "import tax\n# till\n");
    let near = place.commit("Comment");
    let culprit = place.edit_tax();
    place.notes(20);
    let tests = ["test_till.py::test_edits"];
    let alone = place.search(&place.python(), None, &tests, &culprit);
    place.content = true;
    let both = place.search(&place.python(), None, &tests, &culprit);
    assert!(alone.is(&culprit) && both.is(&culprit));
    assert!(both.report.runs <= alone.report.runs, "{} {}", both.report.runs, alone.report.runs);
    let content = both.found.content.unwrap();
    let order: Vec<&str> = content.suspects.iter().map(|suspect| suspect.change.as_str()).collect();
    assert_eq!(order[..2], [culprit.as_str(), &near]);
    let message = &content.suspects[0].message;
    assert!(message.starts_with("touches tax.py, which the test depends on; has the test's \"edits\""), "{message}");
    assert_eq!(both.report.why[&culprit].message, *message);
    let weights = both.found.prior.weights.unwrap();
    assert!((content.suspects.iter().map(|suspect| suspect.probability).sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(content.suspects[0].probability > weights[&culprit]);
}

#[test]
fn content_counts_if_read_or_requested() {
    assert_eq!(content_beside(None, true), Ok(true));
    assert_eq!(content_beside(None, false), Ok(false));
    assert_eq!(content_beside(Some("changes"), false), Ok(true));
    assert_eq!(content_beside(Some("uniform"), true), Ok(false));
    assert!(content_beside(Some("even"), true).unwrap_err().to_string().starts_with("prior: "));
}
