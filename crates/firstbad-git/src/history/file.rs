//! Conditions for using a commit-graph file.

use std::path::{Path, PathBuf};

use firstbad::Error;
use gix_commitgraph::file::Position;
use gix_commitgraph::{File, Graph};

use super::request::Request;
use crate::refs::Ref;
use crate::repository::Repository;
use crate::{git, objects};

/// Opens the commit-graph file or chain of the repository or of its first alternate with one. Returns `None` if there is none, if
/// the configuration disables it, or if Git shows another history than the file: for shallow clones, grafts, replaced objects,
/// and simplification by paths.
pub(super) fn open(repository: &Repository, request: &Request<'_>, refs: &[Ref]) -> Option<Result<Graph, Damaged>> {
    let common = repository.common_dir();
    let has_text = |name: &str| std::fs::metadata(common.join(name)).is_ok_and(|file| file.len() > 0);
    if !request.paths.is_empty()
        || repository.object_format() != "sha1"
        || refs.iter().any(|found| found.name.starts_with("refs/replace/"))
        || has_text("shallow")
        || has_text("info/grafts")
    {
        return None;
    }
    let found = objects::folders(common).into_iter().find_map(|folder| files(&folder.join("info")))?;
    let graph = || found.and_then(|paths| verified(&paths)).ok_or(Damaged);
    allowed(repository).then(graph)
}

/// A commit-graph file with a wrong checksum or invalid content.
pub(super) struct Damaged;

/// Returns the commit-graph files in `objects/info`: one file or a chain. The inner `None` means that they are invalid.
fn files(info: &Path) -> Option<Option<Vec<PathBuf>>> {
    /// The maximum number of files in a chain, times the length of a name.
    const LONGEST: u64 = 256 * 41;
    let single = info.join("commit-graph");
    if single.is_file() {
        return Some(Some(vec![single]));
    }
    let chain = info.join("commit-graphs/commit-graph-chain");
    let length = chain.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    let listed = if length > LONGEST { None } else { std::fs::read_to_string(&chain).ok() };
    let named = |line: &str| {
        let is_name = line.len() == 40 && line.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_name.then(|| chain.with_file_name(format!("graph-{line}.graph")))
    };
    Some(listed.and_then(|listed| listed.lines().map(named).collect()))
}

/// Opens the graph in these files if the checksums are correct and each commit occurs once. `git commit-graph verify` also checks
/// this first.
pub(super) fn verified(paths: &[PathBuf]) -> Option<Graph> {
    let whole = |path: &PathBuf| {
        let file = path.is_file().then(|| File::at(path).ok()).flatten()?;
        (file.object_hash() == gix_hash::Kind::Sha1 && file.verify_checksum().is_ok()).then_some(file)
    };
    let files: Vec<File> = paths.iter().map(whole).collect::<Option<_>>()?;
    // No earlier file of the chain contains a commit of this one.
    let is_apart =
        |place: usize| files[place].iter_ids().all(|id| files[..place].iter().all(|file| file.lookup(id).is_none()));
    ((0..files.len()).all(is_apart) && files.iter().all(is_sorted)).then(|| Graph::new(files).ok()).flatten()
}

/// Returns whether the commits are sorted and each can be found. A lookup uses the first byte of an id, so it is enough to look
/// up the first and last id for each byte.
fn is_sorted(file: &File) -> bool {
    let is_found = |place: u32| file.lookup(file.id_at(Position(place))) == Some(Position(place));
    let last = file.num_commits().checked_sub(1);
    let is_next = |place: u32| {
        let (id, next) = (file.id_at(Position(place)), file.id_at(Position(place + 1)));
        id < next && (id.first_byte() == next.first_byte() || is_found(place) && is_found(place + 1))
    };
    last.is_none_or(|last| is_found(0) && is_found(last) && (0..last).all(is_next))
}

fn allowed(repository: &Repository) -> bool {
    let mut command = repository.git();
    command.args(["config", "--type=bool", "--get", "core.commitGraph"]);
    !matches!(git::finished(&mut command, b""), Ok((None, answer)) if answer.starts_with(b"false"))
}

/// Returns the error for a damaged commit-graph file.
pub(super) fn damaged(error: &dyn std::fmt::Display) -> Error {
    Error::Git { message: format!("damaged commit-graph file: {error}") }
}
