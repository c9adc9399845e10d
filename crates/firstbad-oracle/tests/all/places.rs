//! Default locations of files.

// The commands are Unix shell scripts.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Repo, sh};
use firstbad_git::Repository;
use firstbad_oracle::{CommandOptions, CommandOracle};

/// Returns the output folder and the worktree of a run in a process with these environment variables.
fn places(repo: &Repo, environment: &[(&str, &Path)]) -> (PathBuf, PathBuf) {
    let answer = repo.temp.join("answer");
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "places::child_that_tells", "--ignored"]).env_remove("XDG_CACHE_HOME");
    command.env("TEST_REPO", &repo.path).env("TEST_ANSWER", &answer);
    let ended = command.envs(environment.iter().copied()).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stdout));
    let text = std::fs::read_to_string(answer).unwrap();
    let (output, tree) = text.trim().split_once('\n').unwrap();
    assert!(Path::new(output).exists() && !Path::new(tree).exists());
    (output.into(), tree.into())
}

#[test]
#[ignore = "run by the test below"]
fn child_that_tells() {
    let path = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let (Some(repo), Some(answer)) = (path("TEST_REPO"), path("TEST_ANSWER")) else { return };
    let oracle = CommandOracle::new(&Repository::open(repo).unwrap(), sh("pwd"), CommandOptions::default()).unwrap();
    let log = oracle.run("HEAD").unwrap().note.unwrap().split_once("output in ").unwrap().1.to_owned();
    let tree = std::fs::read_to_string(log).unwrap();
    std::fs::write(answer, format!("{}\n{tree}", oracle.output_dir().display())).unwrap();
}

#[test]
fn files_are_in_the_cache_and_never_in_the_checkout() {
    let repo = Repo::new();
    repo.commit("one");
    let (cache, home, spare) = (repo.temp.join("cache"), repo.temp.join("home"), repo.temp.join("spare"));
    std::fs::create_dir(&spare).unwrap();
    let is_in = |(output, tree): (PathBuf, PathBuf), folder: &Path| {
        assert!(output.starts_with(folder.join("output")), "{}", output.display());
        assert!(tree.starts_with(folder.join("worktrees")), "{}", tree.display());
    };
    is_in(places(&repo, &[("XDG_CACHE_HOME", &cache)]), &cache.join("firstbad"));
    is_in(places(&repo, &[("HOME", &home)]), &home.join(".cache/firstbad"));
    // If the home folder is the checkout, no files may appear in it.
    let environment = [("HOME", &*repo.path), ("TMPDIR", &*spare)];
    let (output, tree) = places(&repo, &environment);
    assert!(output.starts_with(&spare) && tree.starts_with(&spare));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}
