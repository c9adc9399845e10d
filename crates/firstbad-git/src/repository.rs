//! A repository on disk: where its parts are, and the way to its graph and its oracles.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use firstbad::{CommitGraph, Error};

use crate::history::{self, GraphOptions};
use crate::oracle::{self, CommandOptions, CommandOracle};
use crate::{diff, git, revisions};

/// A git repository, opened for reading. Clones are cheap and share everything; nothing is ever written to it.
#[derive(Debug, Clone)]
pub struct Repository {
    parts: Arc<Parts>,
}

#[derive(Debug)]
struct Parts {
    top: PathBuf,
    git_dir: PathBuf,
    common_dir: PathBuf,
    object_format: String,
}

impl Repository {
    /// The repository that `path` belongs to: any folder inside a work tree (linked ones too), or a bare repository.
    ///
    /// # Errors
    /// [`Error::Git`] with git's words where there is none, or where git is not installed.
    pub fn open(path: impl AsRef<Path>) -> Result<Repository, Error> {
        let path = path.as_ref();
        let start = path.canonicalize().map_err(|error| git::io(format!("opening {}", path.display()), &error))?;
        if !start.is_dir() {
            let message =
                format!("{} is not a folder; give a folder inside a work tree, or a bare repository", path.display());
            return Err(Error::Git { message });
        }
        let ask = |arguments: &[&str]| -> Result<Vec<String>, Error> {
            let text = git::output(git::git(&start).arg("rev-parse").args(arguments), b"")?;
            Ok(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect())
        };
        let parts = ask(&["--is-inside-work-tree", "--show-object-format", "--absolute-git-dir", "--git-common-dir"])?;
        let [inside, object_format, git_dir, common_dir] = &parts[..] else {
            return Err(Error::Git { message: format!("cannot understand git rev-parse in {}", path.display()) });
        };
        let inside = inside == "true";
        let top = if inside { ask(&["--show-toplevel"])?.into_iter().next() } else { None };
        let top = PathBuf::from(top.as_ref().unwrap_or(git_dir));
        let common_dir = start.join(common_dir);
        let common_dir =
            common_dir.canonicalize().map_err(|error| git::io(format!("opening {}", common_dir.display()), &error))?;
        let object_format = object_format.clone();
        let parts = Parts { top, git_dir: PathBuf::from(git_dir), common_dir, object_format };
        Ok(Repository { parts: Arc::new(parts) })
    }

    /// The top level of the work tree; the git folder itself of a bare repository.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.parts.top
    }

    /// The full sha of the commit that `revision` means to git (`main`, `v1.0~3`, `HEAD^{/fix}`, a unique prefix).
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] with the nearest branch and tag names, [`Error::AmbiguousRevision`] for a prefix of
    /// several commits; [`Error::Git`].
    pub fn resolve(&self, revision: &str) -> Result<String, Error> {
        self.resolve_as("revision", revision)
    }

    /// As [`Repository::resolve`], with the name of the argument that errors are about.
    pub(crate) fn resolve_as(&self, argument: &str, revision: &str) -> Result<String, Error> {
        let mut found = revisions::resolve(self, argument, &[revision.to_owned()])?;
        found.pop().ok_or_else(|| Error::Git { message: format!("no answer for {revision:?}") })
    }

    /// For each revision the full shas of its commit and of its tree, in order; one call of git. Revisions with the
    /// same tree have the same files, so what a test says about one it says about the other.
    ///
    /// # Errors
    /// As [`Repository::resolve`], about the argument `revisions`.
    pub fn tree_ids(&self, revisions: &[String]) -> Result<Vec<(String, String)>, Error> {
        revisions::trees(self, revisions)
    }

    /// The full shas of a revision's parents, first parent first; none for a root commit. What a shallow clone does
    /// not have is no parent.
    ///
    /// # Errors
    /// As [`Repository::resolve`].
    pub fn parents(&self, revision: &str) -> Result<Vec<String>, Error> {
        let sha = self.resolve(revision)?;
        let text = git::output(self.git().args(["rev-parse", &format!("{sha}^@")]), b"")?;
        let mut parents: Vec<String> = Vec::new();
        for parent in String::from_utf8_lossy(&text).lines() {
            // A commit may name one twice; in the graph it has it once.
            if !parents.iter().any(|known| known == parent) {
                parents.push(parent.to_owned());
            }
        }
        Ok(parents)
    }

    /// The patch from one revision's tree to another's, in git's words: `git diff old new` with full object names,
    /// binary content, renames and three lines of context. [`firstbad::Patch::parse`] reads it.
    ///
    /// It is the same whatever the user has configured, and nothing that is configured is run. Whether a file is
    /// binary is for the attributes of `new` to say.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`] that name `old` or `new`; [`Error::Git`].
    pub fn diff(&self, old: &str, new: &str) -> Result<Vec<u8>, Error> {
        diff::diff(self, Some(old), new)
    }

    /// As [`Repository::diff`] from the empty tree: the patch that creates everything a revision has. That is what a
    /// root commit changes.
    ///
    /// # Errors
    /// Those of [`Repository::diff`].
    pub fn diff_root(&self, new: &str) -> Result<Vec<u8>, Error> {
        diff::diff(self, None, new)
    }

    /// The commit graph of the history that `options` choose; ids are full shas, times those of the committers, in
    /// seconds since 1970. Branches, tags and the expressions in `options` are names in the graph.
    ///
    /// A commit-graph file is read where there is one and nothing changes history on the way (shallow clones, grafts,
    /// replaced objects, paths); `git rev-list` is asked otherwise. Both give the same graph.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`] that name `tips` or `exclude`;
    /// [`Error::EmptyGraph`] where nothing is left; [`Error::Git`].
    pub fn graph(&self, options: &GraphOptions) -> Result<CommitGraph, Error> {
        history::graph(self, options)
    }

    /// An oracle that runs `command` (a program and its arguments, no shell) in a work tree of the revision asked for.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an empty command, or for work trees inside the user's own; [`Error::Io`],
    /// [`Error::Git`].
    pub fn command_oracle(&self, command: Vec<String>, options: CommandOptions) -> Result<CommandOracle, Error> {
        CommandOracle::new(self, command, options)
    }

    /// A folder for what somebody keeps about this repository, the same in all its linked work trees, made if need be:
    /// `firstbad/<kind>/<a name for the repository>` in the cache folder (`$XDG_CACHE_HOME`, `~/.cache`, or else the
    /// folder for temporary files).
    ///
    /// # Errors
    /// [`Error::Io`] where it cannot be made.
    pub fn cache_folder(&self, kind: &str) -> Result<PathBuf, Error> {
        oracle::kept(self, kind)
    }

    /// A git command on this repository, however the environment or the current folder may look.
    pub(crate) fn git(&self) -> Command {
        let mut command = git::git(&self.parts.top);
        command.arg("--git-dir").arg(&self.parts.git_dir);
        command
    }

    /// The repository's own folder: that of a linked work tree, where it is one.
    pub(crate) fn git_dir(&self) -> &Path {
        &self.parts.git_dir
    }

    /// The folder that all linked work trees share: objects, refs, configuration.
    pub(crate) fn common_dir(&self) -> &Path {
        &self.parts.common_dir
    }

    /// `sha1` or `sha256`.
    pub(crate) fn object_format(&self) -> &str {
        &self.parts.object_format
    }
}
