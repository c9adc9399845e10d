//! Building trees in a private repository that borrows the user's objects. Nothing else is written, no files are checked out, and
//! no configuration applies, so no merge driver runs.

mod authored;
mod differing;
mod overlay;
mod seen;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use firstbad::{Error, Patch, option};

use crate::blobs::{self, Blob};
use crate::own_folder::OwnFolder;
use crate::repository::Repository;
use crate::template::Template;
use crate::tree_source::entries;
use crate::{apply, git, objects};

pub(crate) use authored::Authored;
pub(crate) use differing::Differing;
pub(crate) use overlay::Laid;
pub use overlay::Overlay;
pub(crate) use seen::Seen;

/// Whether differences in white space count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spaces {
    Count,
    Ignore,
}

/// How many lines of context around a change must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Context {
    All,
    OneLine,
}

/// The conflicts of a merge.
#[derive(Debug)]
pub(crate) struct Conflicts {
    pub(crate) paths: Vec<String>,
    /// The message of Git about the first conflict.
    pub(crate) words: Option<String>,
}

/// The two sides of a merge. They are commits, because older versions of Git merge only commits.
#[derive(Debug)]
pub(crate) struct Sides {
    ours: String,
    theirs: String,
}

/// The private repository.
#[derive(Debug)]
pub(crate) struct Trees {
    repository: Repository,
    folder: OwnFolder,
    /// Counts the index files, to give each a unique name.
    indices: AtomicU64,
}

impl Trees {
    /// Creates a private repository in a new folder in `above`.
    ///
    /// # Errors
    /// [`Error::Git`] or [`Error::Io`] if the repository cannot be created.
    pub(crate) fn open(repository: &Repository, above: &Path) -> Result<Trees, Error> {
        let folder = OwnFolder::open(above)?;
        Template::of(repository)?.make(folder.path())?;
        Ok(Trees { repository: repository.clone(), folder, indices: AtomicU64::new(0) })
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn remove(&self) -> Result<(), Error> {
        self.folder.remove()
    }

    pub(crate) fn git(&self) -> Command {
        let mut command = git::git(self.folder.path());
        command
            .args(["--git-dir", ".git"])
            .args(["-c", "core.attributesFile=/dev/null"])
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env_remove("GIT_CONFIG_COUNT");
        command
    }

    /// Returns the patch between two trees in the format of [`Repository::diff`].
    pub(crate) fn diff(&self, old: &str, new: &str) -> Result<Vec<u8>, Error> {
        let made = objects::alternates_line(&self.folder.path().join(".git/objects"));
        let mut git = self.repository.git();
        git.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", made.trim_end_matches('\n'));
        Repository::diff_trees(git, old, new)
    }

    /// Returns the paths that differ between two trees.
    pub(crate) fn changed(&self, old: &str, new: &str) -> Result<Vec<Vec<u8>>, Error> {
        let mut command = self.git();
        command.args([
            "diff-tree",
            "-r",
            "-z",
            "--no-renames",
            "--name-only",
            "--ignore-submodules=none",
            old,
            new,
            "--",
        ]);
        let listed = git::output(&mut command, b"")?;
        Ok(listed.split(|&byte| byte == 0).filter(|path| !path.is_empty()).map(<[u8]>::to_vec).collect())
    }

    /// Returns the files that differ between the trees of each pair, without links and submodules.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails.
    pub(crate) fn differing(&self, pairs: &[(&str, &str)]) -> Result<Vec<Vec<Differing>>, Error> {
        let lines: String = pairs.iter().map(|(old, new)| format!("{old} {new}\n")).collect();
        let mut command = self.git();
        command.args(["diff-tree", "--stdin", "-r", "-z", "--raw", "--no-renames", "--no-abbrev"]);
        let listed = git::output(&mut command, lines.as_bytes())?;
        differing::read(&listed, pairs)
    }

    /// Returns the files of a tree with the ids of their contents, without links and submodules.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails.
    pub(crate) fn files(&self, tree: &str) -> Result<Vec<(Vec<u8>, String)>, Error> {
        let listed = git::output(self.git().args(["ls-tree", "--full-tree", "-r", "-z", tree]), b"")?;
        entries(&listed).map(|entry| entry.map(|entry| (entry.path.to_vec(), entry.id.to_owned()))).collect()
    }

    /// Returns the contents with these ids.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails.
    pub(crate) fn contents(&self, ids: &[&str]) -> Result<Vec<Blob>, Error> {
        blobs::read(|| self.git(), ids)
    }

    /// Applies a patch to a tree.
    ///
    /// # Errors
    /// [`Error::PatchConflict`] if the patch does not apply. [`Error::Git`] if Git fails.
    pub(crate) fn applied(&self, tree: &str, patch: &Patch, spaces: Spaces, context: Context) -> Result<String, Error> {
        let index = self.index(tree)?;
        let mut command = apply::to_index(index.git(), patch);
        if context == Context::OneLine {
            command.arg("-C1");
        }
        if spaces == Spaces::Ignore {
            command.arg("--ignore-whitespace");
        }
        let ended = git::ended(&mut command, patch.as_bytes())?;
        if ended.status.success() {
            return index.tree();
        }
        let words = String::from_utf8_lossy(&ended.stderr);
        if let Some(lacking) = words.lines().find_map(|line| line.strip_prefix("error: failed to read ")) {
            let message = format!(
                "{lacking:?} of the tree {tree} is not in this partial clone\nhelp: fetch it with {} or git fetch \
                 --refetch --no-filter",
                option!(fetch = true)
            );
            return Err(Error::Git { message });
        }
        Err(apply::conflict(patch, &words).unwrap_or_else(|| git::failed(&command, &ended.stderr)))
    }

    /// Applies an overlay to a tree.
    pub(crate) fn overlaid(&self, tree: &str, overlay: &Laid) -> Result<String, Error> {
        let index = self.index(tree)?;
        let mut command = index.git();
        command.arg("--literal-pathspecs").args(["ls-files", "--cached", "-z", "--"]).args(&overlay.paths);
        let nothing = "0".repeat(tree.len());
        let mut lines = Vec::new();
        for path in git::output(&mut command, b"")?.split(|&byte| byte == 0).filter(|path| !path.is_empty()) {
            lines.extend_from_slice(format!("0 {nothing}\t").as_bytes());
            lines.extend_from_slice(path);
            lines.push(0);
        }
        lines.extend_from_slice(&overlay.entries);
        // `--replace` removes a file in the place of a folder.
        git::output(index.git().args(["update-index", "--add", "--replace", "-z", "--index-info"]), &lines)?;
        index.tree()
    }

    /// Prepares a merge of two trees with a common base.
    pub(crate) fn sides(&self, base: &str, ours: &str, theirs: &str) -> Result<Sides, Error> {
        let base = self.commit(base, None)?;
        Ok(Sides { ours: self.commit(ours, Some(&base))?, theirs: self.commit(theirs, Some(&base))? })
    }

    fn commit(&self, tree: &str, parent: Option<&str>) -> Result<String, Error> {
        self.committed(tree, parent, &Authored::nobody())
    }

    /// Creates a commit in the private repository.
    pub(crate) fn commit_as(&self, tree: &str, parent: &str, authored: &Authored) -> Result<String, Error> {
        self.committed(tree, Some(parent), authored)
    }

    fn committed(&self, tree: &str, parent: Option<&str>, authored: &Authored) -> Result<String, Error> {
        let mut command = self.git();
        command.args(["commit-tree", tree]).args(parent.into_iter().flat_map(|parent| ["-p", parent]));
        authored.sign(&mut command);
        id(&git::output(command.args(["-F", "-"]), &authored.message)?)
    }

    /// Returns a commit in the format of `git format-patch`.
    pub(crate) fn mail(&self, commit: &str) -> Result<Vec<u8>, Error> {
        let mut command = self.git();
        command.args([
            "format-patch",
            "--stdout",
            "--no-signature",
            "--no-stat",
            "--full-index",
            "--binary",
            "-1",
            commit,
        ]);
        git::output(&mut command, b"")
    }

    /// Returns a pack of the objects in `commit` that `without` does not have.
    pub(crate) fn pack(&self, commit: &str, without: &str) -> Result<Vec<u8>, Error> {
        let revisions = format!("{commit}\n^{without}\n");
        git::output(self.git().args(["pack-objects", "-q", "--revs", "--stdout"]), revisions.as_bytes())
    }

    /// Returns the tree of a merge, or its conflicts. Renamed files and folders are followed.
    pub(crate) fn merged(&self, sides: &Sides, spaces: Spaces) -> Result<Result<String, Conflicts>, Error> {
        let mut command = self.git();
        // The attributes of the revision (binary, union) apply, but merge drivers have no commands here.
        command.env("GIT_ATTR_SOURCE", &sides.ours).args(["-c", "merge.directoryRenames=true"]);
        command.args(["merge-tree", "--write-tree", "--name-only", "-z", "--messages"]);
        if spaces == Spaces::Ignore {
            // This option also accepts indentation that is missing on one side.
            command.args(["-X", "ignore-all-space"]);
        }
        let ended = git::ended(command.args([&sides.ours, &sides.theirs]), b"")?;
        match ended.status.code() {
            Some(0) => id(ended.stdout.split(|&byte| byte == 0).next().unwrap_or_default()).map(Ok),
            Some(1) => Ok(Err(conflicts(&ended.stdout))),
            // Versions of Git before 2.44 do not support `-X` here.
            Some(129) if spaces == Spaces::Ignore => Ok(Err(Conflicts { paths: Vec::new(), words: None })),
            _ => Err(git::failed(&command, &ended.stderr)),
        }
    }

    fn index(&self, tree: &str) -> Result<Index<'_>, Error> {
        let name = format!("index-{}", self.indices.fetch_add(1, Ordering::Relaxed));
        let index = Index { trees: self, path: self.folder.path().join(name) };
        git::output(index.git().args(["read-tree", tree]), b"")?;
        Ok(index)
    }
}

/// An index file for one tree.
struct Index<'a> {
    trees: &'a Trees,
    path: PathBuf,
}

impl Index<'_> {
    fn git(&self) -> Command {
        let mut command = self.trees.git();
        command.env("GIT_INDEX_FILE", &self.path);
        command
    }

    /// Writes the index as a tree. Contents that a partial clone lacks are not needed.
    fn tree(&self) -> Result<String, Error> {
        id(&git::output(self.git().args(["write-tree", "--missing-ok"]), b"")?)
    }
}

impl Drop for Index<'_> {
    fn drop(&mut self) {
        // If removal fails, the file is removed with its folder.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Parses an object id.
fn id(text: &[u8]) -> Result<String, Error> {
    let id = String::from_utf8_lossy(text).trim_end().to_owned();
    if id.len() >= 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(id);
    }
    let shown: String = id.chars().take(80).collect();
    Err(Error::Git { message: format!("cannot understand git, which printed {shown:?} instead of an object id") })
}

/// Parses the conflicts from `git merge-tree -z --name-only`: the tree, the files, an empty field, and messages. Each message has
/// a file count, the files, its kind, and its text.
fn conflicts(text: &[u8]) -> Conflicts {
    let lossy = |field: &[u8]| String::from_utf8_lossy(field).trim().to_owned();
    let mut fields = text.split(|&byte| byte == 0).skip(1);
    let paths: Vec<String> = fields.by_ref().take_while(|field| !field.is_empty()).map(lossy).collect();
    let words = std::iter::from_fn(|| {
        let count: usize = lossy(fields.next()?).parse().ok()?;
        let (kind, words) = (fields.by_ref().nth(count)?, fields.next()?);
        Some((lossy(kind), lossy(words)))
    })
    .find_map(|(kind, words)| kind.starts_with("CONFLICT").then_some(words));
    Conflicts { paths, words }
}
