//! A repository on disk: where its parts are, and how git is called on it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use firstbad::Error;
use firstbad_platform::files;

use crate::{git, promisor};

/// A git repository, opened for reading. Clones are cheap and share everything; nothing is ever written to it, but for what
/// [`Repository::fetching`] allows.
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
    /// Of a partial clone the remote that has what is missing.
    promisor: OnceLock<Option<String>>,
    /// One download at a time.
    fetching: Mutex<()>,
}

impl Repository {
    /// The repository that `path` belongs to: any folder inside a work tree (linked ones too), or a bare repository.
    ///
    /// # Errors
    /// [`Error::Git`] with git's words if there is none, or if git is not installed.
    pub fn open(path: impl AsRef<Path>) -> Result<Repository, Error> {
        let path = path.as_ref();
        let start = folder(path)?;
        let mut command = git::git(&start);
        command.args(["rev-parse", "--show-object-format", "--absolute-git-dir", "--git-common-dir"]);
        // Where there is no work tree, git ends with an error at the last one, and has answered the others.
        command.args(["--is-inside-work-tree", "--show-toplevel"]);
        let (error, text) = git::finished(&mut command, b"")?;
        let Ok(text) = String::from_utf8(text) else {
            let message = format!(
                "the path of the repository {} is not UTF-8; rename the folder, or clone it elsewhere",
                path.display()
            );
            return Err(Error::Git { message });
        };
        let parts: Vec<String> = text.lines().map(str::to_owned).collect();
        let (object_format, git_dir, common_dir, top) = match (&parts[..], error) {
            ([format, git_dir, common_dir, inside, top], None) if inside == "true" => {
                (format, git_dir, common_dir, top)
            }
            // In the git folder of a submodule there is a work tree, elsewhere.
            ([format, git_dir, common_dir, inside, ..], _) if inside == "false" => {
                (format, git_dir, common_dir, git_dir)
            }
            (_, Some(Error::Git { message })) if message.contains("not a git repository") => {
                let message = format!(
                    "there is no repository in {}, nor in a folder above it; give a folder inside a work tree, or a bare \
                     repository",
                    path.display()
                );
                return Err(Error::Git { message });
            }
            // Git prints one path per line, so a line break in a path makes the output ambiguous.
            _ if start.to_string_lossy().contains(['\n', '\r']) => {
                let message = format!(
                    "the path of the repository {start:?} contains a line break; rename the folder, or clone it elsewhere"
                );
                return Err(Error::Git { message });
            }
            (_, Some(error)) => return Err(error),
            _ => return Err(Error::Git { message: format!("cannot understand git rev-parse in {}", path.display()) }),
        };
        let mut top = PathBuf::from(top);
        if cfg!(windows) {
            // git writes it with slashes.
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

    /// The same repository, where what a shallow or partial clone does not have may be fetched, into the repository itself: the
    /// rest of the history when it is read, and what a revision holds before it is looked at. It is fetched from the remote of the
    /// branch that is checked out (or else the only one, or `origin`), for a revision from the one that the clone was made
    /// from, by https, http, ssh, git and from a folder. No program that the repository's configuration names is run for it.
    #[must_use]
    pub fn fetching(mut self, allowed: bool) -> Repository {
        self.fetches = allowed;
        self
    }

    /// Whether what is missing may be fetched.
    pub fn fetches(&self) -> bool {
        self.fetches
    }

    /// Of a partial clone the remote that has what is missing.
    pub fn promisor(&self) -> Option<&str> {
        self.parts.promisor.get_or_init(|| promisor::promisor(&mut self.git())).as_deref()
    }

    /// Waits until nobody else fetches.
    pub(crate) fn turn(&self) -> MutexGuard<'_, ()> {
        self.parts.fetching.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The commits whose parents exist and are not here, as full shas: those at which a shallow clone was cut off; none in a
    /// whole one.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn boundary(&self) -> Result<Vec<String>, Error> {
        /// A line for each commit.
        const MOST_BOUNDARY: u64 = 1 << 28;
        let path = self.common_dir().join("shallow");
        match files::open_regular(&path).and_then(|file| files::read_file(file, MOST_BOUNDARY)) {
            Ok(text) => Ok(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(git::io(format!("reading {}", path.display()), &error)),
        }
    }

    /// Whether commits are missing that others of it come from, as in a shallow clone.
    pub(crate) fn is_shallow(&self) -> bool {
        self.boundary().is_ok_and(|boundary| !boundary.is_empty())
    }

    /// The top level of the work tree; the git folder itself of a bare repository.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.parts.top
    }

    /// A git command on this repository, however the environment or the current folder may look.
    pub fn git(&self) -> Command {
        let mut command = git::git(&self.parts.top);
        command.arg("--git-dir").arg(&self.parts.git_dir);
        command
    }

    /// The repository's own folder: that of a linked work tree, if it is one.
    pub fn git_dir(&self) -> &Path {
        &self.parts.git_dir
    }

    /// The folder that all linked work trees share: objects, refs, configuration.
    pub fn common_dir(&self) -> &Path {
        &self.parts.common_dir
    }

    /// `sha1` or `sha256`.
    pub fn object_format(&self) -> &str {
        &self.parts.object_format
    }
}

/// The real path of a folder.
///
/// # Errors
/// [`Error::Io`] if it cannot be read; [`Error::Git`] for anything but a folder.
fn folder(path: &Path) -> Result<PathBuf, Error> {
    let start = files::real_path(path).map_err(|error| git::io(format!("opening {}", path.display()), &error))?;
    if start.is_dir() {
        return Ok(start);
    }
    let message = format!("{} is not a folder; give a folder inside a worktree, or a bare repository", path.display());
    Err(Error::Git { message })
}
