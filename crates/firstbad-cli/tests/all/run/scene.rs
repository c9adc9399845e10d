//! A repository with a given graph and a test with known outcomes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use firstbad::graph::Node;
use firstbad::{CommitGraph, Outcome};
use firstbad_testkit::git_repository::GitRepository;
use serde_json::Value;
use tempfile::TempDir;

/// The maximum time to remove worktrees after a run.
const REMOVAL: Duration = Duration::from_secs(30);

pub(crate) struct Scene {
    pub(crate) graph: CommitGraph,
    pub(crate) repository: GitRepository,
    folder: TempDir,
}

/// The result of the program.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) answer: Value,
    pub(crate) text: String,
    pub(crate) words: String,
}

impl Scene {
    pub(crate) fn new(graph: CommitGraph, outcomes: &[Outcome]) -> Scene {
        let repository = GitRepository::new(&graph).unwrap();
        let scene = Scene { graph, repository, folder: TempDir::new().unwrap() };
        let lines = outcomes.iter().enumerate().map(|(node, outcome)| {
            let code = match outcome {
                Outcome::Pass => 0,
                Outcome::Fail => 1,
                Outcome::Unresolved => 125,
            };
            format!("{} {code}\n", scene.sha(node as Node))
        });
        scene.write("outcomes", &lines.collect::<String>());
        scene
    }

    /// Returns a line of revisions that is bad from `culprit` on.
    pub(crate) fn line(revisions: usize, culprit: usize) -> Scene {
        let graph = CommitGraph::linear((0..revisions).map(|node| node.to_string())).unwrap();
        let outcomes = firstbad_testkit::simulated::monotonic(&graph, culprit as Node);
        Scene::new(graph, &outcomes)
    }

    pub(crate) fn sha(&self, node: Node) -> &str {
        self.repository.sha(node)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// Writes the settings of the project.
    pub(crate) fn configure(&self, settings: &str) {
        std::fs::write(self.repository.path().join("firstbad.toml"), settings).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// Returns the tested revisions in order.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.read("asked").lines().map(str::to_owned).collect()
    }

    /// Returns a test script that records its revision. `first` runs first.
    pub(crate) fn script(&self, first: &str) -> String {
        let here = self.folder.path().display();
        format!(
            "cd '{here}'; {first}\necho $FIRSTBAD_REVISION >> asked\n\
             exit $(grep \"^$FIRSTBAD_REVISION\" outcomes | cut -d' ' -f2)"
        )
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_firstbad"));
        command
            .args(arguments)
            .current_dir(self.repository.path())
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("XDG_STATE_HOME", self.path("state"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn program(&self, arguments: &[&str]) -> Ran {
        Ran::of(&self.command(arguments).output().unwrap())
    }

    /// Runs `firstbad run --json` with the usual test.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let script = self.script("");
        self.program(&[&["run", "--json"], arguments, &["--", "sh", "-c", &script]].concat())
    }

    /// Runs with the endpoints of a line.
    pub(crate) fn run_line(&self, arguments: &[&str]) -> Ran {
        let (good, bad) = self.ends();
        self.run(&[&["--good", &good, "--bad", &bad], arguments].concat())
    }

    pub(crate) fn repository_folder(&self) -> String {
        self.repository.path().display().to_string()
    }

    pub(crate) fn ends(&self) -> (String, String) {
        (self.sha(0).to_owned(), self.sha(self.graph.len() as Node - 1).to_owned())
    }

    /// Returns the worktrees that are left after their removal.
    pub(crate) fn work_trees(&self) -> Vec<PathBuf> {
        let began = Instant::now();
        loop {
            let left = self.work_trees_now();
            if left.is_empty() || began.elapsed() > REMOVAL {
                return left;
            }
            std::thread::yield_now();
        }
    }

    pub(crate) fn work_trees_now(&self) -> Vec<PathBuf> {
        inside(&self.path("cache/firstbad/worktrees"))
    }

    /// Returns the journals in the cache, oldest first.
    pub(crate) fn own_journals(&self) -> Vec<PathBuf> {
        let mut journals = inside(&self.path("cache/firstbad/journals"));
        journals.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
        journals.sort_unstable();
        journals
    }
}

fn inside(folder: &Path) -> Vec<PathBuf> {
    let read = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    read(folder).flat_map(|one| read(&one).collect::<Vec<_>>()).collect()
}

impl Ran {
    pub(crate) fn of(output: &Output) -> Ran {
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ran {
            code: output.status.code().unwrap_or_else(|| panic!("{}: {words}", output.status)),
            answer: serde_json::from_str(&text).unwrap_or(Value::Null),
            text,
            words,
        }
    }

    /// Returns the exit code and the bad revisions of the points.
    pub(crate) fn found(&self) -> (i32, Vec<&str>) {
        let points = self.answer["points"].as_array().map(Vec::as_slice).unwrap_or_default();
        (self.code, points.iter().filter_map(|point| point["bad"].as_str()).collect())
    }
}
