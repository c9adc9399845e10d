//! Helpers for oracles that run commands in a repository.
#![cfg(unix)]

use crate::common::{Repo, sh};
use firstbad::{Error, Observation};
use firstbad_oracle::{CommandOptions, CommandOracle};

/// Creates a repository with one commit.
pub(crate) fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("f", "1\n");
    repo.commit("one");
    repo
}

/// Creates an oracle that runs a shell script.
pub(crate) fn oracle_with(repo: &Repo, script: &str, options: CommandOptions) -> CommandOracle {
    CommandOracle::new(&repo.open(), sh(script), options).unwrap()
}

/// Creates an oracle that runs a shell script, with changes to the default options of tests.
pub(crate) fn oracle(repo: &Repo, script: &str, change: impl FnOnce(&mut CommandOptions)) -> CommandOracle {
    let mut options = repo.options();
    change(&mut options);
    oracle_with(repo, script, options)
}

/// Runs a script at the newest commit.
pub(crate) fn run(repo: &Repo, script: &str, change: impl FnOnce(&mut CommandOptions)) -> Result<Observation, Error> {
    oracle(repo, script, change).run("HEAD")
}

/// Returns the outcome of a run, or the code of its error.
pub(crate) fn word(ended: &Result<Observation, Error>) -> &'static str {
    match ended {
        Ok(observation) => observation.outcome.as_str(),
        Err(error) => error.code(),
    }
}

/// Returns the output of a test.
pub(crate) fn output(seen: &Observation) -> String {
    std::fs::read_to_string(seen.output.as_ref().unwrap()).unwrap()
}
