//! Where source files are read from: a folder, or whatever can list paths and read them, like a revision in git.

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
    /// All files, in any order.
    fn paths(&self) -> Box<dyn Iterator<Item = &str> + '_>;

    /// What a file holds. Loaders take no more than 8 MiB.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
    fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, String>;
}

/// What a file holds.
///
/// # Errors
/// Why it cannot be read, in words; also if it is too large.
pub(crate) fn read<'a>(source: &'a dyn Source, path: &str) -> Result<Cow<'a, [u8]>, String> {
    source.read(path).and_then(|bytes| match bytes.len() {
        ..=LARGEST_FILE => Ok(bytes),
        _ => Err(limits::too_large()),
    })
}

/// All files whose paths are not too long; the others go to `warnings`.
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
        self.get(path).map(|bytes| Cow::Borrowed(bytes.as_slice())).ok_or_else(|| "it is not here".to_owned())
    }
}

/// Files as somebody else has listed and read them: those of a revision, for one. [`is_read`](crate::is_read) says which
/// contents a loader needs.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// All files.
    pub paths: Vec<String>,
    /// What some of them hold, by their paths.
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

/// Files that describe packages: they count where `.gitignore` names them, too, for git may track them all the same.
const DESCRIPTIONS: [&str; 5] =
    ["package.json", "pnpm-workspace.yaml", "tsconfig.json", "jsconfig.json", "pyproject.toml"];

/// A folder on disk, without what its `.gitignore` files name (but with what describes a package), `.git`, `node_modules`, virtual environments of Python and
/// symbolic links. Its files are listed once, when it is opened.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
    files: Vec<String>,
    /// What could not be listed, in words.
    unread: Vec<String>,
}

impl Folder {
    /// Lists a folder.
    ///
    /// # Errors
    /// [`Error::Io`] if it is not a folder that can be read.
    pub fn open(root: impl AsRef<Path>) -> Result<Folder, Error> {
        let root = root.as_ref().to_owned();
        let failed = |message: String| Error::Io { action: format!("reading the folder {}", root.display()), message };
        std::fs::read_dir(&root).map_err(|error| failed(error.to_string()))?;
        let slashes = |path: &str| path.replace(std::path::MAIN_SEPARATOR, "/");
        let mut walk = WalkBuilder::new(&root);
        // Neither what lies above the folder nor what the user has set up may change the graph.
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

    /// What could not be listed, in words.
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
        // A pipe that took the place of a file would never open.
        let read =
            files::open_regular(&self.root.join(path)).and_then(|file| files::read_file(file, LARGEST_FILE as u64));
        read.map(Cow::Owned).map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => limits::too_large(),
            _ => error.to_string(),
        })
    }
}
