//! Sources of files: a folder, a snapshot of a revision, or files in memory.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use firstbad::Error;
use firstbad_platform::files;
use ignore::WalkBuilder;

use crate::limits::{self, LARGEST_FILE, LONGEST_PATH};
use crate::paths;
use crate::warnings::left_out;

/// A tree of files. Paths are relative to its root, with `/` between their parts.
pub trait Source {
    /// Returns the paths of all files, in any order.
    fn paths(&self) -> Box<dyn Iterator<Item = &str> + '_>;

    /// Returns the content of a file. Loaders accept at most 8 MiB.
    ///
    /// # Errors
    /// A description of the problem, if the file cannot be read.
    fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, String>;
}

/// Returns the content of a file.
///
/// # Errors
/// A description of the problem, if the file cannot be read or is too large.
pub(crate) fn read<'a>(source: &'a dyn Source, path: &str) -> Result<Cow<'a, [u8]>, String> {
    source.read(path).and_then(|bytes| match bytes.len() {
        ..=LARGEST_FILE => Ok(bytes),
        _ => Err(limits::too_large()),
    })
}

/// Returns the paths that are not too long, and adds a warning about the others.
pub(crate) fn paths<'a>(source: &'a dyn Source, warnings: &mut Vec<String>) -> BTreeSet<&'a str> {
    let (paths, long): (BTreeSet<&str>, BTreeSet<&str>) = source.paths().partition(|path| path.len() <= LONGEST_PATH);
    let begin = |path: &&str| format!("{}...", path.chars().take(60).collect::<String>());
    warnings.extend(left_out("files with paths of more than 4096 bytes", &long.iter().map(begin).collect()));
    paths
}

/// Files in memory.
impl Source for BTreeMap<String, Vec<u8>> {
    fn paths(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.keys().map(String::as_str))
    }

    fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, String> {
        self.get(path).map(|bytes| Cow::Borrowed(bytes.as_slice())).ok_or_else(|| "it does not exist".to_owned())
    }
}

/// A list of files with some of their contents, for example of a revision. [`is_read`](crate::is_read) determines which contents
/// a loader needs.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// The paths of all files.
    pub paths: Vec<String>,
    /// The contents by path.
    pub contents: BTreeMap<String, Vec<u8>>,
}

impl Source for Snapshot {
    fn paths(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.paths.iter().map(String::as_str))
    }

    fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, String> {
        self.contents.read(path)
    }
}

/// Files that describe packages. They count even if `.gitignore` matches them, because Git may still track them.
const DESCRIPTIONS: [&str; 5] =
    ["package.json", "pnpm-workspace.yaml", "tsconfig.json", "jsconfig.json", "pyproject.toml"];

/// A folder on disk. Leaves out `.git`, `node_modules`, `__pycache__`, virtual environments of Python, symbolic links, and files
/// that `.gitignore` matches, except for those that describe packages. The files are listed once, on opening.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
    files: Vec<String>,
    /// Messages about items that could not be listed.
    unread: Vec<String>,
}

impl Folder {
    /// Opens and lists a folder.
    ///
    /// # Errors
    /// [`Error::Io`] if the folder cannot be read.
    pub fn open(root: impl AsRef<Path>) -> Result<Folder, Error> {
        let root = root.as_ref().to_owned();
        let failed = |message: String| Error::Io { action: format!("reading the folder {}", root.display()), message };
        std::fs::read_dir(&root).map_err(|error| failed(error.to_string()))?;
        let slashes = |path: &str| path.replace(std::path::MAIN_SEPARATOR, "/");
        let mut walk = WalkBuilder::new(&root);
        // Parent folders and the user's configuration must not change the graph.
        walk.hidden(false).parents(false).ignore(false).git_global(false).git_exclude(false).require_git(false);
        walk.filter_entry(|entry| {
            let skipped = matches!(entry.file_name().to_str(), Some(".git" | "node_modules" | "__pycache__"));
            let environment = || entry.depth() > 0 && entry.path().join("pyvenv.cfg").exists();
            let folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            !(folder && (skipped || environment()))
        });
        let (mut files, mut unread, mut described) = (Vec::new(), Vec::new(), Vec::new());
        for entry in walk.build() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    unread.push(error.to_string());
                    continue;
                }
            };
            let path = entry.path().strip_prefix(&root).unwrap_or(entry.path());
            if entry.file_type().is_some_and(|kind| kind.is_dir()) {
                let there = DESCRIPTIONS.iter().filter(|name| entry.path().join(name).is_file());
                described.extend(there.filter_map(|name| Some((path.to_str()?.to_owned(), *name))));
                continue;
            }
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                continue;
            }
            match path.to_str() {
                Some(path) => files.push(slashes(path)),
                None => unread.push(format!("{} is not valid UTF-8", path.display())),
            }
        }
        files.extend(described.into_iter().map(|(folder, name)| paths::join(&slashes(&folder), name)));
        files.sort_unstable();
        files.dedup();
        Ok(Folder { root, files, unread })
    }

    /// Returns messages about items that could not be listed.
    #[must_use]
    pub fn unread(&self) -> &[String] {
        &self.unread
    }
}

impl Source for Folder {
    fn paths(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.files.iter().map(String::as_str))
    }

    fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, String> {
        // Opening a pipe that has replaced the file would block forever.
        let read =
            files::open_regular(&self.root.join(path)).and_then(|file| files::read_file(file, LARGEST_FILE as u64));
        read.map(Cow::Owned).map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => limits::too_large(),
            _ => error.to_string(),
        })
    }
}
