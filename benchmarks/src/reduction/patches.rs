//! A commit of 512 one-line hunks in a real repository, ten of which are needed.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use firstbad::reduction::Method;
use firstbad::{ChangeSet, Outcome, ReductionConfig};
use firstbad_testkit::simulated::Random;

use super::bench::Bench;
use super::folder::Folder;
use super::play::{AUTO, Reducer, play};
use super::problem::Problem;
use crate::figure::{Aim, Figure};
use crate::statistics::mean;

const FILES: usize = 16;
const HUNKS: usize = 512;
const NEEDED: usize = 10;
const TRIALS: u64 = 3;

/// A changed line in so many: hunks with three lines of context stay apart.
const APART: usize = 10;

/// One table: every test applies the patch to a clean work tree with git, and runs a script there.
pub(super) fn run(bench: &mut Bench) -> Result<(), String> {
    let trials = bench.trials.unwrap_or(TRIALS);
    println!(
        "\n### Patches\n\n{HUNKS} hunks of one line in {FILES} files, {NEEDED} of them needed; `git apply` and a shell \
         script per run.\n\n| reducer | trials | runs | exact |\n|---|---|---|---|"
    );
    for reducer in [Reducer::Recursion, Reducer::Ours(Method::Recursive), AUTO] {
        let (mut runs, mut exact) = (Vec::new(), 0);
        for seed in 0..trials {
            let problem = Problem::scattered(HUNKS, NEEDED, seed);
            let repository = Repository::new(&problem.answer, seed)?;
            let mut failure = None;
            let played = play(reducer, HUNKS, &ReductionConfig::default(), &mut |set| {
                repository.run(set).unwrap_or_else(|error| {
                    failure = Some(error);
                    Outcome::Unresolved
                })
            })?;
            if let Some(failure) = failure {
                return Err(failure);
            }
            runs.push(played.runs as f64);
            exact += u64::from(played.kept == problem.answer);
        }
        let runs = mean(&runs);
        println!("| {} | {trials} | {runs:.1} | {exact} |", reducer.name());
        bench.hold(exact == trials, || format!("hunks, {}: exact in {exact} of {trials}", reducer.name()));
        if reducer == AUTO {
            bench.target(Figure::aimed(
                format!("{HUNKS} hunks, auto: runs of the script"),
                runs,
                "",
                Aim::AtMost(95.0),
            ));
        }
        bench.progress(format!("hunks, {}", reducer.name()));
    }
    Ok(())
}

/// A repository with a commit to take apart.
struct Repository {
    folder: Folder,
    /// For each file the lines that name it, and its hunks.
    files: Vec<(String, Vec<String>)>,
}

impl Repository {
    fn new(needed: &ChangeSet, seed: u64) -> Result<Self, String> {
        let repository = Repository { folder: Folder::new()?, files: Vec::new() };
        let folder = repository.folder.path();
        git(folder, &["init", "-q"])?;
        let mut random = Random::new(seed);
        let names: Vec<String> = (0..FILES).map(|file| format!("module{file:02}.txt")).collect();
        let each = HUNKS / FILES;
        let mut contents: Vec<Vec<String>> = Vec::new();
        for _ in &names {
            contents.push((0..each * APART).map(|_| format!("{:016x}\n", random.draw())).collect());
        }
        let write = |contents: &[Vec<String>]| {
            names.iter().zip(contents).try_for_each(|(name, lines)| {
                fs::write(folder.join(name), lines.concat()).map_err(|error| format!("{name}: {error}"))
            })
        };
        write(&contents)?;
        // What the script looks for: every needed line as the commit makes it.
        let mut script = "cd \"$1\" || exit 125\n".to_owned();
        for hunk in 0..HUNKS {
            let (file, line) = (hunk / each, hunk % each * APART + APART / 2);
            contents[file][line] = format!("{:016x}\n", random.draw());
            if needed.contains(hunk) {
                script += &format!("grep -q '^{}$' {} || exit 1\n", contents[file][line].trim_end(), names[file]);
            }
        }
        fs::write(folder.join(".git").join("oracle.sh"), script).map_err(|error| error.to_string())?;
        git(folder, &["add", "."])?;
        git(folder, &["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "before"])?;
        write(&contents)?;
        let patch = git(folder, &["diff", "--no-color", "--no-ext-diff"])?;
        git(folder, &["checkout", "-q", "."])?;
        let files: Vec<(String, Vec<String>)> = patch.split("diff --git ").skip(1).map(parts).collect();
        let found: usize = files.iter().map(|(_, hunks)| hunks.len()).sum();
        if found != HUNKS {
            return Err(format!("git made {found} hunks of {HUNKS} changed lines"));
        }
        Ok(Repository { files, ..repository })
    }

    /// Applies those hunks to a clean work tree and runs the script.
    fn run(&self, kept: &ChangeSet) -> Result<Outcome, String> {
        let folder = self.folder.path();
        git(folder, &["checkout", "-q", "."])?;
        let mut patch = String::new();
        let mut first = 0;
        for (head, hunks) in &self.files {
            let chosen: Vec<&String> = hunks
                .iter()
                .enumerate()
                .filter(|(place, _)| kept.contains(first + place))
                .map(|(_, hunk)| hunk)
                .collect();
            if !chosen.is_empty() {
                patch += head;
                chosen.iter().for_each(|hunk| patch += hunk);
            }
            first += hunks.len();
        }
        if !patch.is_empty() {
            let mut apply = Command::new("git")
                .args(["apply", "-"])
                .current_dir(folder)
                .stdin(Stdio::piped())
                .spawn()
                .map_err(|error| format!("git apply: {error}"))?;
            let written = apply.stdin.take().map(|mut input| input.write_all(patch.as_bytes()));
            written.transpose().map_err(|error| format!("git apply: {error}"))?;
            if !apply.wait().map_err(|error| format!("git apply: {error}"))?.success() {
                return Ok(Outcome::Unresolved);
            }
        }
        let script = folder.join(".git").join("oracle.sh");
        let status = Command::new("sh").arg(script).arg(folder).status().map_err(|error| format!("sh: {error}"))?;
        match status.code() {
            Some(0) => Ok(Outcome::Pass),
            Some(1) => Ok(Outcome::Fail),
            _ => Err(format!("the script: {status}")),
        }
    }
}

/// The lines that name a file, and its hunks.
fn parts(file: &str) -> (String, Vec<String>) {
    let mut pieces = file.split("\n@@ ");
    let head = format!("diff --git {}\n", pieces.next().unwrap_or_default());
    let hunks = pieces.map(|piece| format!("@@ {}\n", piece.trim_end_matches('\n'))).collect();
    (head, hunks)
}

fn git(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("git: {error}"))?;
    if !output.status.success() {
        return Err(format!("git {}: {}", arguments.join(" "), output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("git {}: {error}", arguments.join(" ")))
}
