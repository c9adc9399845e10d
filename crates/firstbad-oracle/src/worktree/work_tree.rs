//! Private worktrees: small repositories that borrow the user's objects and share nothing else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use firstbad::Error;
use firstbad_git::{Template, cache, git};
use firstbad_platform::files::Identity;
use firstbad_platform::trees::{self, Folder};

use super::index::Index;
use super::sources::Sources;
use crate::process::control::ActiveRun;
use crate::process::group::{Ended, Limits, POLL, supervise};

/// Files in `.git` with which a test could break or redirect Git.
const OVERRIDING: [&str; 8] = [
    "index.lock",
    "HEAD.lock",
    "shallow.lock",
    "commondir",
    "gitdir",
    "info/exclude",
    "info/attributes",
    "info/sparse-checkout",
];

/// A private worktree.
#[derive(Debug)]
pub(crate) struct WorkTree {
    /// The folder of the worktree. Its repository is in `.git`.
    folder: PathBuf,
    /// The folder of the outermost worktree, if this one is a submodule, or its own folder.
    top: PathBuf,
    /// The revision in the worktree, if any.
    pub(crate) revision: Option<String>,
    /// Whether no stage has passed in the worktree since its creation.
    pub(crate) new: bool,
    /// Whether a command ran in the worktree since its creation or since the last full cleaning.
    pub(crate) used: bool,
    /// The revision whose build the worktree has, if all stages before the test passed there.
    pub(crate) built: Option<String>,
    /// Whether nothing was run or changed in the worktree since its checkout.
    pub(crate) untouched: bool,
    /// The filled submodules, by path.
    pub(crate) filled: BTreeMap<PathBuf, WorkTree>,
}

/// The settings that the Git commands of a preparation share.
pub(crate) struct Preparation<'a, 'b> {
    pub(crate) template: &'a Template,
    pub(crate) active: &'a ActiveRun<'b>,
    pub(crate) keep_going: &'a mut dyn FnMut() -> bool,
    pub(crate) keep_build: bool,
    /// The sources of submodules, or `None` if submodules stay empty.
    pub(crate) sources: Option<&'a Sources>,
}

impl WorkTree {
    /// Describes a worktree that is created in `folder` when it is first needed.
    pub(crate) fn new(folder: PathBuf) -> WorkTree {
        let top = folder.clone();
        WorkTree {
            folder,
            top,
            revision: None,
            new: true,
            used: false,
            built: None,
            untouched: false,
            filled: BTreeMap::new(),
        }
    }

    /// Returns the worktree for a submodule of this worktree.
    pub(crate) fn within(&self, path: &Path) -> WorkTree {
        WorkTree { top: self.top.clone(), ..WorkTree::new(self.folder.join(path)) }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the identity of the folder, or `None` if it does not exist.
    pub(crate) fn place(&self) -> Option<Identity> {
        Identity::of_place(&self.folder).ok()
    }

    /// Returns the path of a file next to the worktree, where commands are unlikely to touch it.
    pub(crate) fn beside(&self, extension: &str) -> PathBuf {
        self.top.with_extension(extension)
    }

    /// Opens the folder without following links.
    ///
    /// # Errors
    /// Errors of the system, also if a link is in place of the folder.
    pub(crate) fn open(&self) -> std::io::Result<Folder> {
        Folder::open(&self.top)?.inside(self.below_top())
    }

    fn below_top(&self) -> &Path {
        self.folder.strip_prefix(&self.top).unwrap_or(Path::new(".."))
    }

    pub(crate) fn git_dir(&self) -> PathBuf {
        self.folder.join(".git")
    }

    /// Changes the worktree to contain exactly the files of a revision.
    ///
    /// # Errors
    /// [`Error::Git`], [`Error::Io`], [`Error::Interrupted`]. The worktree must not be used after an error.
    pub(crate) fn prepare(&mut self, revision: &str, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        self.built = None;
        let (held, is_untouched) = (self.revision.take(), std::mem::take(&mut self.untouched));
        if is_untouched && held.as_deref() == Some(revision) {
            self.revision = held;
            return Ok(());
        }
        // A test may have changed the worktree and its repository in any way. If Git cannot repair it, a new one is created.
        let update = if is_untouched { WorkTree::checkout } else { WorkTree::update };
        let repaired = held.is_some()
            && match update(self, revision, how) {
                Err(Error::Interrupted) => return Err(Error::Interrupted),
                ended => ended.is_ok(),
            };
        if !repaired {
            self.make(how)?;
            self.checkout(revision, how)?;
            // Without this step, Git only reads more files than necessary.
            let _ = self.age(how.template);
        }
        self.revision = Some(revision.to_owned());
        Ok(())
    }

    fn make(&mut self, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        (self.new, self.used) = (true, false);
        self.filled.clear();
        let making =
            |error: &std::io::Error| git::io(format!("creating the worktree {}", self.folder.display()), error);
        if self.folder == self.top {
            self.remove()?;
            cache::make(&self.folder).map_err(|error| making(&error))?;
        } else {
            let made = Folder::open(&self.top).and_then(|top| top.made(self.below_top()));
            made.and_then(|folder| folder.empty()).map_err(|error| making(&error))?;
        }
        let mut init = how.template.init(self.git());
        self.run(&mut init, how)?;
        let git_dir = self.open().and_then(|folder| folder.inside(Path::new(".git")));
        git_dir.and_then(|git_dir| how.template.fill(&git_dir)).map_err(|error| making(&error))
    }

    fn update(&mut self, revision: &str, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        self.repair(how).map_err(|error| git::io(format!("repairing {}", self.git_dir().display()), &error))?;
        self.checkout(revision, how)?;
        self.clean(how)?;
        self.empty_submodules(self.links(how.template)?)
    }

    /// Makes the files of a new worktree older than its index ([`Index::age`]).
    fn age(&self, template: &Template) -> std::io::Result<()> {
        let Some(index) = Index::of(&self.git_dir(), template.id_length()) else { return Ok(()) };
        let tree = self.open()?;
        let git_dir = tree.inside(Path::new(".git"))?;
        let written = git_dir.modified(Path::new("index"))?;
        git_dir.write(Path::new("index"), &index.age(&tree, written)?)
    }

    /// Restores the private repository: a `.git` that is a link or a file, links in it, and files that refer to other
    /// repositories could lead elsewhere. Also resets the refs to those of the user's repository.
    fn repair(&self, how: &Preparation<'_, '_>) -> std::io::Result<()> {
        let git_dir = self.open()?.inside(Path::new(".git"))?;
        how.template.configure(&git_dir)?;
        for name in OVERRIDING {
            git_dir.remove_file(Path::new(name))?;
        }
        git_dir.check_plain()?;
        how.template.reset_attributes(&git_dir)?;
        how.template.reset_refs(&git_dir, Some(&self.git_dir().join("packed-refs")))
    }

    fn checkout(&mut self, revision: &str, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        let mut command = self.git();
        how.template.reach(&mut command);
        command.args(["checkout", "--quiet", "--force", "--detach", revision, "--"]);
        self.run(&mut command, how)
    }

    /// Undoes the changes of a command. The index keeps the changes of patches.
    ///
    /// # Errors
    /// [`Error::Git`], [`Error::Io`], [`Error::Interrupted`].
    pub(crate) fn restore(&self, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        self.repair(how).map_err(|error| git::io(format!("repairing {}", self.git_dir().display()), &error))?;
        let mut command = self.git();
        how.template.reach(&mut command);
        self.run(command.args(["checkout-index", "--all", "--force", "--index", "--quiet"]), how)?;
        self.clean(how)
    }

    /// Removes all untracked files, including nested repositories and read-only folders. Ignored files stay if builds are warm.
    pub(crate) fn clean(&self, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        // Most tests leave no files, which can be checked without a process.
        let tree = Index::of(&self.git_dir(), how.template.id_length()).zip(self.open().ok());
        if tree.is_some_and(|(index, tree)| index.is_all_of(&tree).unwrap_or(false)) {
            return Ok(());
        }
        let options = match how.keep_build {
            false => "-ffdxq",
            true => "-ffdq",
        };
        let clean = || {
            let mut command = self.git();
            // Only the revision decides which files are ignored.
            command.args(["-c", "core.excludesFile=/dev/null", "clean", options]);
            command
        };
        match self.run(&mut clean(), how) {
            Err(Error::Git { .. }) => {
                trees::open_up(&self.folder);
                self.run(&mut clean(), how)
            }
            ended => ended,
        }
    }

    /// Returns a Git command that cannot use any other repository, even if `.git` was removed.
    pub(crate) fn git(&self) -> Command {
        let mut command = git::own(&self.folder);
        command.env_remove("GIT_CONFIG_COUNT");
        command.arg("--git-dir").arg(self.git_dir()).arg("--work-tree").arg(&self.folder);
        command
    }

    /// # Errors
    /// [`Error::Git`] with [`WorkTree::words`] if the command fails, [`Error::Io`], [`Error::Interrupted`].
    pub(crate) fn run(&self, command: &mut Command, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        let path = self.words_path();
        let words = trees::fresh(&path).map_err(|error| git::io(format!("writing {}", path.display()), &error))?;
        command.stdout(Stdio::null()).stderr(words);
        let limits = Limits {
            active: how.active,
            keep_going: &mut *how.keep_going,
            timeout: None,
            grace: Duration::from_secs(2),
            poll: POLL,
        };
        match supervise(command, limits, |_| Ok(())).map_err(|error| git::cannot_run(&error))?.ended {
            Ended::Exited(status) if status.success() => Ok(()),
            Ended::Exited(_) => {
                let words = self.words();
                let words = if words.trim().is_empty() { unwritten(&path).unwrap_or(words) } else { words };
                Err(git::failed(command, words.as_bytes()))
            }
            Ended::TimedOut | Ended::Interrupted => Err(Error::Interrupted),
        }
    }

    fn words_path(&self) -> PathBuf {
        self.beside("git")
    }

    /// Returns the error output of the last Git command.
    pub(crate) fn words(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(self.words_path()).unwrap_or_default()).into_owned()
    }

    /// Removes the worktree from disk.
    pub(crate) fn remove(&self) -> Result<(), Error> {
        trees::remove(&self.folder).map_err(|error| git::io(format!("removing {}", self.folder.display()), &error))
    }
}

/// Returns why a file cannot be written, or `None` if it can. A full disk also prevents Git from writing its error message.
fn unwritten(path: &Path) -> Option<String> {
    // Writes enough bytes to fill the remaining space.
    let error = std::fs::write(path, vec![b' '; 1 << 20]).err();
    let _ = std::fs::File::create(path);
    error.map(|error| format!("the reason is unknown: {error}"))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_reported_if_git_cannot_report_it() {
        let words = unwritten(Path::new("/dev/full")).unwrap_or_default();
        assert!(words.contains("No space left on device"), "{words}");
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(unwritten(&folder.path().join("words")), None);
    }
}
