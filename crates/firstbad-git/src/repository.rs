//! A repository on disk.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use firstbad::Error;
use firstbad_platform::files;

use crate::{git, promisor};

/// A Git repository, opened for reading. Clones are cheap and share their data. Nothing is written to the repository, except if
/// [`Repository::fetching`] allows it.
#[derive(Debug, Clone)]
pub struct Repository {
    parts: Arc<Parts>,
    fetches: bool,
}

#[derive(Debug)]
struct Parts {
    top: PathBuf,
    git_dir: PathBuf,
    common_dir: PathBuf,
    object_format: String,
    /// The promisor remote of a partial clone.
    promisor: OnceLock<Option<String>>,
    /// Allows one download at a time.
    fetching: Mutex<()>,
}

impl Repository {
    /// Opens the repository that contains `path`. `path` can be any folder in a worktree, including linked worktrees, or a bare
    /// repository.
    ///
    /// # Errors
    /// [`Error::Git`] if there is no repository, or if Git is not installed. [`Error::Io`] if `path` does not exist.
    pub fn open(path: impl AsRef<Path>) -> Result<Repository, Error> {
        let path = path.as_ref();
        let start = folder(path)?;
        let mut command = git::git(&start);
        command.args(["rev-parse", "--show-object-format", "--absolute-git-dir", "--git-common-dir"]);
        // Without a worktree, Git prints the other results and then exits with an error.
        command.args(["--is-inside-work-tree", "--show-toplevel"]);
        let (error, text) = git::finished(&mut command, b"")?;
        let Ok(text) = String::from_utf8(text) else {
            let message = format!(
                "the path of the repository {} is not UTF-8\nhelp: rename the folder, or clone the repository elsewhere",
                path.display()
            );
            return Err(Error::Git { message });
        };
        let parts: Vec<String> = text.lines().map(str::to_owned).collect();
        let (object_format, git_dir, common_dir, top) = match (&parts[..], error) {
            ([format, git_dir, common_dir, inside, top], None) if inside == "true" => {
                (format, git_dir, common_dir, top)
            }
            // The Git directory of a submodule has a worktree elsewhere.
            ([format, git_dir, common_dir, inside, ..], _) if inside == "false" => {
                (format, git_dir, common_dir, git_dir)
            }
            (_, Some(Error::Git { message })) if message.contains("not a git repository") => {
                let message = format!(
                    "{} is not in a Git repository\nhelp: give a folder inside a worktree, or a bare repository",
                    path.display()
                );
                return Err(Error::Git { message });
            }
            // Git prints one path per line, so a line break in a path makes the output ambiguous.
            _ if start.to_string_lossy().contains(['\n', '\r']) => {
                let message = format!(
                    "the path of the repository {start:?} contains a line break\nhelp: rename the folder, or clone \
                     the repository elsewhere"
                );
                return Err(Error::Git { message });
            }
            (_, Some(error)) => return Err(error),
            _ => return Err(Error::Git { message: format!("cannot understand git rev-parse in {}", path.display()) }),
        };
        let mut top = PathBuf::from(top);
        if cfg!(windows) {
            // Git prints the path with slashes.
            top = files::real_path(&top).unwrap_or(top);
        }
        let common_dir = start.join(common_dir);
        let common_dir = files::real_path(&common_dir)
            .map_err(|error| git::io(format!("opening {}", common_dir.display()), &error))?;
        let object_format = object_format.clone();
        let git_dir = PathBuf::from(git_dir);
        let (promisor, fetching) = (OnceLock::new(), Mutex::default());
        let parts = Parts { top, git_dir, common_dir, object_format, promisor, fetching };
        Ok(Repository { parts: Arc::new(parts), fetches: false })
    }

    /// Returns the same repository with fetching allowed or forbidden (the default).
    ///
    /// If allowed, firstbad fetches missing objects of shallow and partial clones into the repository. It fetches the rest of a
    /// shallow history from the remote of the current branch, or else from the only remote or `origin`. It fetches the contents
    /// of revisions from the remote that the partial clone was made from. The allowed protocols are https, http, ssh, git, and
    /// local folders. No program that the repository's configuration names is run.
    #[must_use]
    pub fn fetching(mut self, allowed: bool) -> Repository {
        self.fetches = allowed;
        self
    }

    /// Returns whether missing objects may be fetched.
    pub fn fetches(&self) -> bool {
        self.fetches
    }

    /// Returns the promisor remote of a partial clone.
    pub fn promisor(&self) -> Option<&str> {
        self.parts.promisor.get_or_init(|| promisor::promisor(&mut self.git())).as_deref()
    }

    /// Waits until no other thread fetches.
    pub(crate) fn turn(&self) -> MutexGuard<'_, ()> {
        self.parts.fetching.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the full ids of the commits at which a shallow clone was cut off. Their parents exist but are not in the clone.
    ///
    /// # Errors
    /// [`Error::Io`] if the list cannot be read.
    pub fn boundary(&self) -> Result<Vec<String>, Error> {
        /// The maximum size of the file, which has one line per commit.
        const MOST_BOUNDARY: u64 = 1 << 28;
        let path = self.common_dir().join("shallow");
        match files::open_regular(&path).and_then(|file| files::read_file(file, MOST_BOUNDARY)) {
            Ok(text) => Ok(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(git::io(format!("reading {}", path.display()), &error)),
        }
    }

    /// Returns whether the clone is shallow.
    pub(crate) fn is_shallow(&self) -> bool {
        self.boundary().is_ok_and(|boundary| !boundary.is_empty())
    }

    /// Returns the top level of the worktree, or the Git directory of a bare repository.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.parts.top
    }

    /// Returns a Git command for this repository. The environment and current folder do not matter.
    pub fn git(&self) -> Command {
        let mut command = git::git(&self.parts.top);
        command.arg("--git-dir").arg(&self.parts.git_dir);
        command
    }

    /// Returns the Git directory, which is specific to a linked worktree.
    pub fn git_dir(&self) -> &Path {
        &self.parts.git_dir
    }

    /// Returns the common directory that all linked worktrees share, with objects, refs, and configuration.
    pub fn common_dir(&self) -> &Path {
        &self.parts.common_dir
    }

    /// Returns the object format: `sha1` or `sha256`.
    pub fn object_format(&self) -> &str {
        &self.parts.object_format
    }
}

/// Returns the real path of a folder.
///
/// # Errors
/// [`Error::Io`] if it cannot be read. [`Error::Git`] if it is not a folder.
fn folder(path: &Path) -> Result<PathBuf, Error> {
    let start = files::real_path(path).map_err(|error| git::io(format!("opening {}", path.display()), &error))?;
    if start.is_dir() {
        return Ok(start);
    }
    let message =
        format!("{} is not a folder\nhelp: give a folder inside a worktree, or a bare repository", path.display());
    Err(Error::Git { message })
}
