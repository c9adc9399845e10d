//! Untracked files of the user's checkout that a test needs, such as new check scripts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use firstbad::{Content, Error};
use firstbad_git::{Repository, git};
use firstbad_platform::files;

use super::{programs, words};
use crate::options::CommandOptions;
use crate::options::carried::{CarriedFile, CopyFiles};

/// The maximum size in bytes of one file, and of all files together, because journals contain them.
const MOST: u64 = 1 << 20;
const MOST_TOGETHER: u64 = 4 << 20;

/// The most files of one folder.
const MOST_FILES: usize = 2000;

/// The number of bytes in which to look for binary content, as in Git.
const LOOKED_AT: usize = 8000;

/// The reason why firstbad does not copy an untracked file that a command names, unless [`CommandOptions::copy_files`] lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotCarried {
    /// The file is binary, so it was probably built from some revision.
    Binary,
    /// The file may be build output: it is in an ignored folder, or it is ignored and the test has a build.
    Made,
    /// The name of the file begins with a dot, so the file may be private.
    Hidden,
    /// The file is larger than 1 MiB.
    TooLong,
    /// Only a copied file names this file, and no command does.
    Within,
}

/// The files that the commands of a test name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamedFiles {
    /// The files to copy into worktrees, by path.
    pub carried: BTreeMap<String, CarriedFile>,
    /// The untracked files that are not copied, with the reason.
    pub left: BTreeMap<String, NotCarried>,
    /// The files that `HEAD` has.
    pub tracked: Vec<String>,
}

/// Returns whether the checkout or `HEAD` has a file at this path, relative to the top of the repository.
pub(crate) fn has_file(repository: &Repository, name: &str) -> bool {
    let Some(path) = words::below(Path::new(name)) else { return false };
    let is_here = repository.has_checkout() && repository.path().join(&path).is_file();
    is_here || repository.missing_files("HEAD", &[path]).is_ok_and(|missing| missing.is_empty())
}

/// Finds the files of the checkout that a test names, and selects those to copy into every worktree ([`CommandOptions::copy_files`]).
///
/// [`CopyFiles::Auto`] selects untracked files: files of the checkout that `HEAD` does not have. firstbad looks for names in all
/// words of `command` and of the stages, including the words of shell lines. Possible build output is left out, because worktrees
/// would test it instead of their own builds ([`NotCarried`]). The selection does not depend on the revision. If a revision has a
/// file at a selected path, its worktree keeps that file.
///
/// # Errors
/// - [`Error::InvalidArgument`] for `copy_files` if a path is not a file or folder below the top of the checkout, or if files are too
///   many or too large.
/// - [`Error::Git`] or [`Error::Io`] if the checkout cannot be read.
pub fn carried_files(
    repository: &Repository,
    command: &[String],
    options: &CommandOptions,
) -> Result<NamedFiles, Error> {
    let mut found = match &options.copy_files {
        CopyFiles::Files(files) => return Ok(NamedFiles { carried: files.clone(), ..NamedFiles::default() }),
        CopyFiles::Paths(paths) if paths.is_empty() => return Ok(NamedFiles::default()),
        _ if !repository.has_checkout() => NamedFiles::default(),
        CopyFiles::Paths(_) => NamedFiles::default(),
        CopyFiles::Auto => named_files(repository, command, options)?,
    };
    if let CopyFiles::Paths(paths) = &options.copy_files {
        for given in paths {
            let path = below_top(repository, given)?;
            for path in files_below(repository, given, path)? {
                let file = read(&repository.path().join(&path)).map_err(|error| refused(given, &error.to_string()))?;
                found.carried.insert(path, file);
            }
        }
    }
    let together: usize = found.carried.values().map(|file| file.content.bytes().len()).sum();
    if together as u64 > MOST_TOGETHER {
        let names = found.carried.keys().cloned().collect::<Vec<_>>().join(", ");
        let expected = format!("files of at most {MOST_TOGETHER} bytes together");
        return Err(Error::invalid("copy_files", format!("{names} ({together} bytes)"), expected));
    }
    Ok(found)
}

/// Returns the files that a test names relative to the folder `here` although its commands run at the top of a worktree. Each
/// name comes with the path to use instead.
///
/// A program without a folder counts if it is a file in `here` or at the top and is not on `PATH`. Shell lines do not count,
/// because they can change the folder.
#[must_use]
pub fn misplaced_files(
    repository: &Repository,
    command: &[String],
    options: &CommandOptions,
    here: &Path,
) -> BTreeMap<String, String> {
    let top = repository.has_checkout().then(|| repository.path());
    let is_found = |name| top.zip(words::below(name)).is_some_and(|(top, path)| top.join(path).exists());
    let programs: Vec<&Path> =
        words::bare_programs(commands(command, options)).filter(|name| !is_on_path(name)).collect();
    let mut found = BTreeMap::new();
    for name in words::whole(commands(command, options)).into_iter().chain(programs.iter().copied()) {
        let is_program = programs.contains(&name);
        if name.is_absolute() || !is_program && is_found(name) {
            continue;
        }
        let there = top.filter(|_| is_program).map(|top| top.join(name));
        let files = [Some(here.join(name)), there].into_iter().flatten();
        let Some(file) = files.filter_map(|file| real_name(&file)).find(|file| file.is_file()) else { continue };
        let from_top = top.and_then(|top| file.strip_prefix(top).ok()).and_then(words::below);
        let instead = from_top.map_or_else(|| file.display().to_string(), |path| format!("./{path}"));
        found.insert(name.display().to_string(), instead);
    }
    found
}

/// Returns the paths whose contents in the checkout differ from `HEAD`. All paths must be in `HEAD`.
///
/// Line endings do not count. Files that Git converts on checkout and files over 1 MiB are left out, because `git diff` would run
/// the configured programs for them.
///
/// # Errors
/// [`Error::Git`] if Git cannot read the files.
pub fn changed_files(repository: &Repository, paths: &[String]) -> Result<Vec<String>, Error> {
    if paths.is_empty() || !repository.has_checkout() {
        return Ok(Vec::new());
    }
    let committed = repository.contents_of("HEAD", paths)?;
    let is_changed = |path: &&String| {
        let here = read(&repository.path().join(path)).ok();
        committed.get(*path).zip(here).is_some_and(|(there, here)| !is_same_text(there, here.content.bytes()))
    };
    let mut changed: Vec<String> = paths.iter().filter(is_changed).cloned().collect();
    if !changed.is_empty() {
        let converted = repository.converted(&changed)?;
        changed.retain(|path| !converted.contains(path));
    }
    Ok(changed)
}

/// Returns the untracked files that copied files name, except those in `known`, ignored files, and files whose name begins with a
/// dot.
fn named_within(
    repository: &Repository,
    carried: &BTreeMap<String, CarriedFile>,
    known: &[String],
) -> Result<Vec<String>, Error> {
    let is_one = |path: &String| !known.contains(path) && repository.path().join(path).is_file();
    let mut names: Vec<String> = carried
        .iter()
        .flat_map(|(path, file)| words::within(path, &String::from_utf8_lossy(file.content.bytes())))
        .filter(is_one)
        .collect();
    names.retain(|path| !path.split('/').any(|name| name.starts_with('.')));
    if names.is_empty() {
        return Ok(names);
    }
    names.sort_unstable();
    names.dedup();
    repository.paths_of(&["ls-files", "-z", "--others", "--exclude-standard", "--"], &names)
}

fn named_files(repository: &Repository, command: &[String], options: &CommandOptions) -> Result<NamedFiles, Error> {
    let names = words::paths(commands(command, options));
    let is_file = |path: &String| std::fs::metadata(repository.path().join(path)).is_ok_and(|found| found.is_file());
    // Worktrees run installed programs from the checkout.
    let is_installed = |path: &String| programs::is_installed(repository.path(), path);
    let names: Vec<String> = names.into_iter().filter(|path| is_file(path) && !is_installed(path)).collect();
    let mut found = NamedFiles::default();
    if names.is_empty() {
        return Ok(found);
    }
    // `HEAD` does not exist before the first commit.
    let new = repository.missing_files("HEAD", &names).unwrap_or_else(|_| names.clone());
    found.tracked = names.iter().filter(|name| !new.contains(name)).cloned().collect();
    if new.is_empty() {
        return Ok(found);
    }
    // Git does not list files of submodules and nested repositories.
    let ours = repository.paths_of(&["ls-files", "-z", "--cached", "--others", "--"], &new)?;
    let ignored = repository.ignored(&ours)?;
    let builds = options.before().next().is_some() || options.environment.is_some() || words::is_several(command);
    for path in ours {
        let above = Path::new(&path).ancestors().skip(1).filter_map(Path::to_str);
        let is_made = above.into_iter().any(|folder| ignored.iter().any(|name| name == folder));
        let is_hidden = path.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
        let why = if is_hidden {
            NotCarried::Hidden
        } else if is_made || builds && ignored.contains(&path) {
            NotCarried::Made
        } else {
            match read(&repository.path().join(&path)) {
                Ok(file) if file.content.bytes().iter().take(LOOKED_AT).any(|&byte| byte == 0) => NotCarried::Binary,
                Ok(file) => {
                    found.carried.insert(path, file);
                    continue;
                }
                Err(error) if error.kind() == io::ErrorKind::FileTooLarge => NotCarried::TooLong,
                Err(error) => return Err(git::io(format!("reading {path}"), &error)),
            }
        };
        found.left.insert(path, why);
    }
    let within = named_within(repository, &found.carried, &names)?;
    found.left.extend(within.into_iter().map(|path| (path, NotCarried::Within)));
    Ok(found)
}

/// Returns a path relative to the top of the checkout.
fn below_top(repository: &Repository, given: &str) -> Result<String, Error> {
    let path = Path::new(given);
    let real = real_name(path);
    let relative = match path.is_absolute() {
        true => real.as_deref().and_then(|path| path.strip_prefix(repository.path()).ok()),
        false => Some(path),
    };
    let found = relative.and_then(words::below).filter(|_| repository.has_checkout());
    found.ok_or_else(|| refused(given, "it is not inside the checkout"))
}

/// Returns the files below a folder that Git does not ignore, or the path itself if it is not a folder.
fn files_below(repository: &Repository, given: &str, path: String) -> Result<Vec<String>, Error> {
    if !repository.path().join(&path).is_dir() {
        return Ok(vec![path]);
    }
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"];
    let mut files = repository.paths_of(&list, std::slice::from_ref(&path))?;
    // A tracked file can be missing in the checkout, and a link can lead out of it.
    files.retain(|file| std::fs::symlink_metadata(repository.path().join(file)).is_ok_and(|found| found.is_file()));
    match files.len() {
        0 => Err(refused(given, "the folder has no files")),
        1..=MOST_FILES => Ok(files),
        count => Err(refused(given, &format!("the folder has {count} files, and at most {MOST_FILES} are copied"))),
    }
}

/// Returns the files that commands name, as absolute paths or relative to the current folder. Shell lines also count, although
/// they can change the folder.
pub fn files_named<'a>(commands: impl Iterator<Item = &'a [String]>) -> BTreeSet<&'a Path> {
    words::all(commands).filter(|path| path.is_file()).collect()
}

pub(crate) fn commands<'a>(command: &'a [String], options: &'a CommandOptions) -> impl Iterator<Item = &'a [String]> {
    let others = options.before().map(|(_, words)| words.as_slice()).chain(options.control.as_deref());
    [command].into_iter().chain(others)
}

/// Returns whether `PATH` has a program with this name.
fn is_on_path(name: &Path) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(name).is_file())
}

/// Returns a path without links in its folder, or `None` if the folder does not exist. The file itself can be a link.
fn real_name(path: &Path) -> Option<PathBuf> {
    let above = files::real_path(path.parent()?).ok()?;
    Some(above.join(path.file_name()?))
}

/// Returns whether two texts are equal except for line endings.
fn is_same_text(one: &[u8], other: &[u8]) -> bool {
    let is_text = |byte: &&u8| **byte != b'\r';
    one.iter().filter(is_text).eq(other.iter().filter(is_text))
}

fn refused(given: &str, why: &str) -> Error {
    Error::InvalidArgument {
        argument: "copy_files".to_owned(),
        value: format!("{given:?} ({why})"),
        expected: format!("a folder or a file in the checkout, of at most {MOST} bytes, as a path from its top"),
    }
}

fn read(path: &Path) -> io::Result<CarriedFile> {
    let found = std::fs::metadata(path)?;
    if !found.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let bytes = files::read_file(File::open(path)?, MOST)?;
    let content = Content::new(&bytes).map_err(io::Error::other)?;
    Ok(CarriedFile { content, executable: files::is_executable(&found) })
}
