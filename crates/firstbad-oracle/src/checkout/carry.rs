//! Files of the user's checkout that a test needs and git does not have: check scripts that nobody has committed yet.

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

/// The most bytes of one file that is carried, and of all together: they stand in the journal.
const MOST: u64 = 1 << 20;
const MOST_TOGETHER: u64 = 4 << 20;

/// How much of a file is looked at to tell a program from a text, in bytes: as much as git looks at.
const LOOKED_AT: usize = 8000;

/// Why an untracked file that a command names is not carried unless it is named as one to carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotCarried {
    /// It is no text: most likely a program that was built from some revision.
    Binary,
    /// It lies in a folder that git ignores, or it is ignored itself and something is built before the test: it may be what a
    /// build has left.
    Made,
    /// Its name begins with a dot: it may hold what is nobody else's business.
    Hidden,
    /// It is longer than 1 MiB.
    TooLong,
    /// Only a file that is carried names it, and no command.
    Within,
}

/// The files that the commands of a test name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamedFiles {
    /// Those that are carried, by their paths.
    pub carried: BTreeMap<String, CarriedFile>,
    /// Untracked ones that are not.
    pub left: BTreeMap<String, NotCarried>,
    /// Those that the revision has that is checked out.
    pub tracked: Vec<String>,
}

/// Returns whether the checkout or `HEAD` has a file at this path, relative to the top of the repository.
pub(crate) fn has_file(repository: &Repository, name: &str) -> bool {
    let Some(path) = words::below(Path::new(name)) else { return false };
    let is_here = repository.has_checkout() && repository.path().join(&path).is_file();
    is_here || repository.missing_files("HEAD", &[path]).is_ok_and(|missing| missing.is_empty())
}

/// The files of the checkout that a test names, and which of them lie in every work tree ([`CommandOptions::carry`]).
///
/// With [`CopyFiles::Auto`] these are the untracked ones: those in the checkout, below its top, that `HEAD` does not have. Names
/// are looked for in all words of `command` and of the stages, and in those of a shell's line. What a build may have left is
/// not carried, because it would be tested in place of what each revision builds ([`NotCarried`]). Which revisions have a
/// file of that path makes no difference here: where one has, its own is used.
///
/// # Errors
/// [`Error::InvalidArgument`] that names `copy_files` for a path that is no file below the top of the checkout, or for files
/// that are too long; [`Error::Git`], [`Error::Io`].
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
            let file = read(&repository.path().join(&path)).map_err(|error| refused(given, &error.to_string()))?;
            found.carried.insert(path, file);
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

/// The files that a test names by their paths from the folder `here`, though its commands run at the top of a work tree and
/// would not find them there: each name with the one to write instead. So is a program without a folder that is a file there or
/// at the top, and none that the system finds. Lines for a shell, which may change the folder, are not looked into.
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

/// Which of these files, which `HEAD` has, are other ones in the checkout. Line ends make no difference, and files that git
/// converts at a checkout are left out, as are those of more than 1 MiB: `git diff` would run what the configuration names for that.
///
/// # Errors
/// [`Error::Git`].
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

/// The untracked files that carried ones name, and that are not `known`; those that git ignores or whose names begin with a dot
/// are left out.
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
    // Installed programs are run from the checkout, not copied.
    let is_installed = |path: &String| programs::is_installed(repository.path(), path);
    let names: Vec<String> = names.into_iter().filter(|path| is_file(path) && !is_installed(path)).collect();
    let mut found = NamedFiles::default();
    if names.is_empty() {
        return Ok(found);
    }
    // There may be no commit yet.
    let new = repository.missing_files("HEAD", &names).unwrap_or_else(|_| names.clone());
    found.tracked = names.iter().filter(|name| !new.contains(name)).cloned().collect();
    if new.is_empty() {
        return Ok(found);
    }
    // Files of a submodule, or of a repository within, belong to that one.
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

/// A path relative to the top of the checkout.
fn below_top(repository: &Repository, given: &str) -> Result<String, Error> {
    let path = Path::new(given);
    let real = real_name(path);
    let relative = match path.is_absolute() {
        true => real.as_deref().and_then(|path| path.strip_prefix(repository.path()).ok()),
        false => Some(path),
    };
    let found = relative.and_then(words::below).filter(|_| repository.has_checkout());
    found.ok_or_else(|| refused(given, "it does not lie below the top of the checkout"))
}

/// The files that commands name, by their whole paths or from the current folder. Lines for a shell, which may change
/// that, count, too.
pub fn files_named<'a>(commands: impl Iterator<Item = &'a [String]>) -> BTreeSet<&'a Path> {
    words::all(commands).filter(|path| path.is_file()).collect()
}

/// All commands of a test.
pub(crate) fn commands<'a>(command: &'a [String], options: &'a CommandOptions) -> impl Iterator<Item = &'a [String]> {
    let others = options.before().map(|(_, words)| words.as_slice()).chain(options.control.as_deref());
    [command].into_iter().chain(others)
}

/// Whether the system finds a program of this name.
fn is_on_path(name: &Path) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(name).is_file())
}

/// The name of a file whose folder may be reached by a link; the file may be one itself. `None` if there is no such folder.
fn real_name(path: &Path) -> Option<PathBuf> {
    let above = files::real_path(path.parent()?).ok()?;
    Some(above.join(path.file_name()?))
}

/// Whether two texts are the same but for their line ends.
fn is_same_text(one: &[u8], other: &[u8]) -> bool {
    let is_text = |byte: &&u8| **byte != b'\r';
    one.iter().filter(is_text).eq(other.iter().filter(is_text))
}

fn refused(given: &str, why: &str) -> Error {
    Error::InvalidArgument {
        argument: "copy_files".to_owned(),
        value: format!("{given:?} ({why})"),
        expected: format!("a file in the checkout of at most {MOST} bytes, as a path from its top"),
    }
}

/// A file as it is now.
fn read(path: &Path) -> io::Result<CarriedFile> {
    let found = std::fs::metadata(path)?;
    if !found.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let bytes = files::read_file(File::open(path)?, MOST)?;
    let content = Content::new(&bytes).map_err(io::Error::other)?;
    Ok(CarriedFile { content, executable: files::is_executable(&found) })
}
