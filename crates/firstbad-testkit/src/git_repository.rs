//! Temporary repositories with the shape of a graph, for comparison with Git.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use firstbad::graph::Node;
use firstbad::{CommitGraph, GraphBuilder, Outcome};

use crate::Failure;
use crate::git_bisect::Step;

/// A bare repository of empty commits. Dropping it removes the folder.
#[derive(Debug)]
pub struct GitRepository {
    path: PathBuf,
    shas: Vec<String>,
}

impl GitRepository {
    /// Creates a repository with one commit per revision, with the same parents and times. Leaves become branches `tip-<node>`.
    ///
    /// # Errors
    /// [`Failure`] with Git's error.
    pub fn new(graph: &CommitGraph) -> Result<Self, Failure> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let name = format!("firstbad-testkit-{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        let mut repository = GitRepository { path, shas: Vec::new() };
        std::fs::create_dir_all(&repository.path).map_err(|error| Failure::new("making a folder", error))?;
        repository.git(&["init", "--quiet", "--bare", "--initial-branch=build", "."], "")?;
        let marks = repository.path.join("marks");
        repository.git(&["fast-import", "--quiet", &format!("--export-marks={}", marks.display())], &stream(graph))?;
        let text = std::fs::read_to_string(&marks).map_err(|error| Failure::new("reading marks", error))?;
        let mut shas = vec![String::new(); graph.len()];
        for line in text.lines() {
            let mark = line.split_once(' ').and_then(|(mark, sha)| Some((mark.strip_prefix(':')?.parse().ok()?, sha)));
            if let Some((mark, sha)) = mark.map(|(mark, sha): (usize, &str)| (mark - 1, sha)) {
                shas[mark] = sha.to_owned();
            }
        }
        repository.shas = shas;
        Ok(repository)
    }

    /// Returns the folder of the repository.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the full id of a commit.
    #[must_use]
    pub fn sha(&self, node: Node) -> &str {
        &self.shas[node as usize]
    }

    /// Returns the graph with this repository's ids.
    ///
    /// # Errors
    /// [`Failure`] if the graph is invalid, which does not happen in practice.
    pub fn renamed(&self, graph: &CommitGraph) -> Result<CommitGraph, Failure> {
        let mut builder = GraphBuilder::new();
        for (node, sha) in self.shas.iter().enumerate() {
            builder.numbered_revision(sha, graph.parents(node as Node)).time(graph.time(node as Node));
        }
        builder.build().map_err(|error| Failure::new("renaming a graph", error))
    }

    /// Runs Git in the repository without the user's configuration, and returns its output.
    ///
    /// # Errors
    /// [`Failure`] with Git's error.
    pub fn git(&self, arguments: &[&str], input: &str) -> Result<String, Failure> {
        use std::io::Write as _;
        let action = format!("git {}", arguments.first().unwrap_or(&""));
        let mut child = Command::new("git")
            .args(arguments)
            .current_dir(&self.path)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Failure::new(&action, error))?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input.as_bytes()).map_err(|error| Failure::new(&action, error))?;
        }
        let output = child.wait_with_output().map_err(|error| Failure::new(&action, error))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok(text);
        }
        Err(Failure(format!("{action}: {}{text}", String::from_utf8_lossy(&output.stderr))))
    }

    /// Returns the output of `git rev-list --bisect`.
    ///
    /// # Errors
    /// [`Failure`] with Git's error.
    pub fn rev_list_bisect(&self, bad: Node, good: &[Node]) -> Result<String, Failure> {
        let good: Vec<String> = good.iter().map(|&node| format!("^{}", self.sha(node))).collect();
        let mut arguments = vec!["rev-list", "--bisect", self.sha(bad)];
        arguments.extend(good.iter().map(String::as_str));
        Ok(self.git(&arguments, "")?.trim().to_owned())
    }

    /// Runs a complete `git bisect run`, and returns the tested revisions in order and the final step.
    ///
    /// # Errors
    /// [`Failure`] with Git's error.
    pub fn bisect_run(&self, bad: Node, good: &[Node], outcomes: &[Outcome]) -> Result<(Vec<Node>, Step), Failure> {
        let mut table = String::new();
        for (sha, outcome) in self.shas.iter().zip(outcomes) {
            let code = match outcome {
                Outcome::Pass => 0,
                Outcome::Fail => 1,
                Outcome::Unresolved => 125,
            };
            let _ = writeln!(table, "{sha} {code}");
        }
        let write = |name: &str, text: &str| {
            std::fs::write(self.path.join(name), text).map_err(|error| Failure::new("writing", error))
        };
        write("outcomes", &table)?;
        write("asked", "")?;
        let folder = self.path.display();
        write(
            "oracle.sh",
            &format!(
                "sha=$(git rev-parse BISECT_HEAD)\necho $sha >>{folder}/asked\n\
                 exit $(grep \"^$sha\" {folder}/outcomes | cut -d' ' -f2)\n"
            ),
        )?;
        let mut start = vec!["bisect", "start", "--no-checkout", self.sha(bad)];
        start.extend(good.iter().map(|&node| self.sha(node)));
        self.git(&start, "")?;
        let script = format!("{folder}/oracle.sh");
        let words = match self.git(&["bisect", "run", "sh", &script], "") {
            Ok(words) => words,
            // Git exits with an error if only skipped commits are left.
            Err(Failure(words)) => words,
        };
        let log = self.git(&["bisect", "log"], "")?;
        self.git(&["bisect", "reset"], "")?;
        let node = |sha: &str| self.shas.iter().position(|other| other == sha).map(|place| place as Node);
        let asked = std::fs::read_to_string(self.path.join("asked")).map_err(|error| Failure::new("reading", error))?;
        let asked: Vec<Node> = asked.lines().filter_map(node).collect();
        let last_bad =
            asked.iter().rev().copied().find(|&node| outcomes[node as usize] == Outcome::Fail).unwrap_or(bad);
        let first_bad = log
            .lines()
            // Newer versions of Git print 'bad' in quotes.
            .find_map(|line| {
                ["# first bad commit: [", "# first 'bad' commit: ["].iter().find_map(|words| line.strip_prefix(words))
            })
            .and_then(|l| node(l.split(']').next()?));
        match first_bad {
            Some(first_bad) => Ok((asked, Step::FirstBad(first_bad))),
            None if words.contains("only 'skip'ped commits left") || log.contains("only skipped commits left") => {
                Ok((asked, Step::OnlySkippedLeft(last_bad)))
            }
            None => Err(Failure(format!("git bisect ended otherwise: {words}"))),
        }
    }
}

impl Drop for GitRepository {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Returns the graph as input for `git fast-import`. The mark of a commit is its node plus one.
fn stream(graph: &CommitGraph) -> String {
    let mut text = String::with_capacity(100 * graph.len());
    for node in 0..graph.len() as Node {
        let message = node.to_string();
        if graph.parents(node).is_empty() {
            text.push_str("reset refs/heads/build\n");
        }
        let _ = write!(
            text,
            "commit refs/heads/build\nmark :{}\ncommitter T <t@example.org> {} +0000\ndata {}\n{message}\n",
            node + 1,
            graph.time(node),
            message.len(),
        );
        for (place, parent) in graph.parents(node).iter().enumerate() {
            let _ = writeln!(text, "{} :{}", if place == 0 { "from" } else { "merge" }, parent + 1);
        }
        // All commits have different files.
        let _ = writeln!(text, "M 100644 inline number\ndata {}\n{message}", message.len());
        text.push('\n');
    }
    for leaf in graph.leaves() {
        let _ = write!(text, "reset refs/heads/tip-{leaf}\nfrom :{}\n\n", leaf + 1);
    }
    text
}
