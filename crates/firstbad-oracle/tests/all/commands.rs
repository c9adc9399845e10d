//! Commands as oracles of a repository.
#![cfg(unix)]

use crate::common::{Repo, sh};
use firstbad::{Error, Observation};
use firstbad_oracle::{CommandOptions, CommandOracle};

/// A repository of one commit.
pub(crate) fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("f", "1\n");
    repo.commit("one");
    repo
}

/// A script as an oracle.
pub(crate) fn oracle_with(repo: &Repo, script: &str, options: CommandOptions) -> CommandOracle {
    CommandOracle::new(&repo.open(), sh(script), options).unwrap()
}

/// A script as an oracle, with options that differ from those of all tests.
pub(crate) fn oracle(repo: &Repo, script: &str, change: impl FnOnce(&mut CommandOptions)) -> CommandOracle {
    let mut options = repo.options();
    change(&mut options);
    oracle_with(repo, script, options)
}

/// What a script says of the newest commit.
pub(crate) fn run(repo: &Repo, script: &str, change: impl FnOnce(&mut CommandOptions)) -> Result<Observation, Error> {
    oracle(repo, script, change).run("HEAD")
}

/// The outcome of a run, or the code of its error.
pub(crate) fn word(ended: &Result<Observation, Error>) -> &'static str {
    match ended {
        Ok(observation) => observation.outcome.as_str(),
        Err(error) => error.code(),
    }
}

/// What a test printed.
pub(crate) fn output(seen: &Observation) -> String {
    std::fs::read_to_string(seen.output.as_ref().unwrap()).unwrap()
}
