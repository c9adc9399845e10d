//! A work tree of our own: a little repository that borrows the user's objects and shares nothing else with it.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use firstbad::Error;

use super::control::ActiveRun;
use super::group::{Ended, Limits, supervise};
use super::options::Build;
use super::sources::Sources;
use super::template::Template;
use super::tree;
use crate::{cache, git};

/// One work tree.
#[derive(Debug)]
pub(super) struct WorkTree {
    /// The work tree; the repository is its `.git`.
    folder: PathBuf,
    /// What the names of files beside the work tree begin with.
    stem: PathBuf,
    /// The revision it holds; `None` if it holds none.
    pub(super) revision: Option<String>,
    /// Whether nothing has been through in it since it was made.
    pub(super) new: bool,
    /// The submodules that are filled, by their paths.
    pub(super) filled: BTreeMap<PathBuf, WorkTree>,
}

/// What the git commands of a preparation have in common.
pub(super) struct Preparation<'a, 'b> {
    pub(super) template: &'a Template,
    pub(super) active: &'a ActiveRun<'b>,
    pub(super) keep_going: &'a mut dyn FnMut() -> bool,
    pub(super) build: Build,
    /// Where submodules come from; `None` if they are not to be filled.
    pub(super) sources: Option<&'a Sources>,
}

impl WorkTree {
    /// A work tree that will be made in `folder` when it is first needed.
    pub(super) fn new(folder: PathBuf) -> WorkTree {
        let stem = folder.clone();
        WorkTree { folder, stem, revision: None, new: true, filled: BTreeMap::new() }
    }

    /// One for a submodule in this one.
    pub(super) fn within(&self, path: &Path) -> WorkTree {
        WorkTree { stem: self.stem.clone(), ..WorkTree::new(self.folder.join(path)) }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A file beside the work tree, out of the way of the command under test.
    pub(super) fn beside(&self, extension: &str) -> PathBuf {
        self.stem.with_extension(extension)
    }

    fn git_dir(&self) -> PathBuf {
        self.folder.join(".git")
    }

    /// Makes the work tree what the revision is, and nothing else.
    ///
    /// # Errors
    /// [`Error::Git`], [`Error::Io`], [`Error::Interrupted`]; the work tree is then of no use any more.
    pub(super) fn prepare(&mut self, revision: &str, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        // A test may have done anything to the tree and the repository. If git cannot repair it, a new one is made.
        let repaired = self.revision.take().is_some()
            && match self.update(revision, how) {
                Err(Error::Interrupted) => return Err(Error::Interrupted),
                ended => ended.is_ok(),
            };
        if !repaired {
            self.make(how)?;
            self.checkout(revision, how)?;
        }
        self.revision = Some(revision.to_owned());
        Ok(())
    }

    fn make(&mut self, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        self.new = true;
        self.filled.clear();
        self.remove()?;
        let making = |error: &std::io::Error| git::io(format!("making the work tree {}", self.folder.display()), error);
        cache::make(&self.folder).map_err(|error| making(&error))?;
        let mut init = self.git();
        init.args(["-c", "init.defaultRefFormat=files", "init", "--quiet", "--template="]);
        // Older gits do not know the option.
        if how.template.object_format != "sha1" {
            init.arg(format!("--object-format={}", how.template.object_format));
        }
        self.run(&mut init, how)?;
        how.template.fill(&self.git_dir()).map_err(|error| making(&error))
    }

    fn update(&mut self, revision: &str, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        let git_dir = self.git_dir();
        // A `.git` that is a link or a file could lead to a repository that is not ours.
        if !std::fs::symlink_metadata(&git_dir).is_ok_and(|found| found.is_dir()) {
            return Err(Error::Git { message: format!("{} is no folder any more", git_dir.display()) });
        }
        let repairing = |error: &std::io::Error| git::io(format!("repairing {}", git_dir.display()), error);
        how.template.configure(&git_dir).map_err(|error| repairing(&error))?;
        for name in
            ["index.lock", "HEAD.lock", "shallow.lock", "info/exclude", "info/attributes", "info/sparse-checkout"]
        {
            match std::fs::remove_file(git_dir.join(name)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(repairing(&error)),
                _ => {}
            }
        }
        self.checkout(revision, how)?;
        self.empty_submodules()?;
        self.clean(how)
    }

    fn checkout(&self, revision: &str, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        let mut command = self.git();
        command.args(["checkout", "--quiet", "--force", "--detach", revision, "--"]);
        self.run(&mut command, how)
    }

    /// Removes everything that is not tracked: repositories within, read-only folders, and ignored files unless
    /// builds are to stay warm.
    pub(super) fn clean(&self, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        let options = match how.build {
            Build::Fresh => "-ffdxq",
            Build::Warm => "-ffdq",
        };
        let clean = || {
            let mut command = self.git();
            // What is ignored is for the revision to say.
            command.args(["-c", "core.excludesFile=/dev/null", "clean", options]);
            command
        };
        match self.run(&mut clean(), how) {
            Err(Error::Git { .. }) => {
                tree::open_up(&self.folder);
                self.run(&mut clean(), how)
            }
            ended => ended,
        }
    }

    /// A git that cannot take any other repository for this one, not even when `.git` was removed.
    pub(super) fn git(&self) -> Command {
        let mut command = git::own(&self.folder);
        command.env_remove("GIT_CONFIG_COUNT");
        command.arg("--git-dir").arg(self.git_dir()).arg("--work-tree").arg(&self.folder);
        command
    }

    /// # Errors
    /// [`Error::Git`] if it ends badly ([`WorkTree::words`] are then what it said); [`Error::Io`],
    /// [`Error::Interrupted`].
    pub(super) fn run(&self, command: &mut Command, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        let path = self.words_path();
        let words = File::create(&path).map_err(|error| git::io(format!("writing {}", path.display()), &error))?;
        command.stdout(Stdio::null()).stderr(words);
        let limits = Limits {
            active: how.active,
            keep_going: &mut *how.keep_going,
            timeout: None,
            grace: Duration::from_secs(2),
        };
        match supervise(command, limits, |_| Ok(())).map_err(|error| git::cannot_run(&error))?.0 {
            Ended::Exited(status) if status.success() => Ok(()),
            Ended::Exited(_) => Err(git::failed(command, self.words().as_bytes())),
            Ended::TimedOut | Ended::Interrupted => Err(Error::Interrupted),
        }
    }

    fn words_path(&self) -> PathBuf {
        self.beside("git")
    }

    /// What the last git command complained about.
    pub(super) fn words(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(self.words_path()).unwrap_or_default()).into_owned()
    }

    /// Removes the work tree from the disk.
    pub(super) fn remove(&self) -> Result<(), Error> {
        tree::remove(&self.folder).map_err(|error| git::io(format!("removing {}", self.folder.display()), &error))
    }
}
