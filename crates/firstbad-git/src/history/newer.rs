//! Commits that are newer than the commit-graph file, from one call of `git rev-list`.

use firstbad::Error;
use gix_commitgraph::{Graph, Position};
use gix_hash::ObjectId;

use super::file::damaged;
use crate::git;
use crate::repository::Repository;

pub(super) struct Newer {
    pub(super) id: ObjectId,
    pub(super) parents: Vec<ObjectId>,
    pub(super) time: i64,
}

/// Returns the commits that are reachable from `starts` but not in the file. Starts that are not commits are left out.
pub(super) fn read(repository: &Repository, file: &Graph, starts: &[ObjectId]) -> Result<Vec<Newer>, Error> {
    let mut input = String::new();
    for start in starts {
        input.push_str(&format!("{start}\n"));
    }
    for head in heads(file)? {
        input.push_str(&format!("^{}\n", file.id_at(head)));
    }
    let mut command = repository.git();
    command.args(["rev-list", "--parents", "--timestamp", "--stdin"]);
    let text = git::output(&mut command, input.as_bytes())?;
    String::from_utf8_lossy(&text).lines().map(parse).collect()
}

/// Returns the commits of the file that are not parents. The file contains all ancestors of its commits, so commits not reachable
/// from these are not in the file.
fn heads(file: &Graph) -> Result<Vec<Position>, Error> {
    let count = file.num_commits();
    let mut has_child = vec![false; count as usize];
    for place in 0..count {
        for parent in file.commit_at(Position(place)).iter_parents() {
            let parent = parent.map_err(|error| damaged(&error))?;
            has_child[parent.0 as usize] = true;
        }
    }
    Ok((0..count).filter(|&place| !has_child[place as usize]).map(Position).collect())
}

/// Parses `<time> <id> <parents>`.
fn parse(line: &str) -> Result<Newer, Error> {
    let unclear = || Error::Git { message: format!("cannot understand git rev-list's line {line:?}") };
    let mut words = line.split(' ');
    let time = words.next().and_then(git::seconds).ok_or_else(unclear)?;
    let mut ids = words.map(|word| ObjectId::from_hex(word.as_bytes()).map_err(|_| unclear()));
    let id = ids.next().ok_or_else(unclear)??;
    Ok(Newer { id, parents: ids.collect::<Result<_, _>>()?, time })
}
