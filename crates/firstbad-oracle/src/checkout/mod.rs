//! References from a worktree back to the user's checkout. A command that follows one tests the checkout instead of the revision.
//!
//! Before the first run, this module looks for paths of the checkout in commands ([`named`]) and in environment variables
//! ([`variables`]), for packages installed from the checkout ([`python`]), and for programs that only the checkout has
//! ([`programs`]). After a run, it looks for files of the checkout in the output.

pub(crate) mod carry;
mod named;
pub(crate) mod programs;
mod python;
mod variables;
pub(crate) mod words;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use firstbad::{Error, short};
use firstbad_git::Repository;
use firstbad_platform::{files, programs as system};

use self::carry::commands;
use self::python::Way;
use crate::notices::Notice;
use crate::options::CommandOptions;
use crate::process::launch;

/// The maximum number of programs or paths in notices.
const SHOWN: usize = 3;

/// The maximum bytes of output to search, and the maximum number of paths to find in it.
const LOOKED_AT: usize = 4 << 20;
const MOST_PATHS: usize = 200;

/// The references of a test to the checkout.
#[derive(Debug)]
pub(crate) struct Checkout {
    /// The top of the checkout, or `None` in a bare repository.
    top: Option<PathBuf>,
    /// The folders to put first on `PYTHONPATH`, relative to the top.
    python: Vec<PathBuf>,
    /// The variables, with their folders that firstbad replaces with those of the worktree.
    variables: BTreeMap<&'static str, Vec<PathBuf>>,
    /// The parts of commands that name a file which only the checkout has, with that file.
    programs: BTreeMap<String, PathBuf>,
    /// The paths that the commands name. They are ignored in output.
    named: BTreeSet<PathBuf>,
    /// Whether firstbad has warned about a file of the checkout in output.
    is_printed: AtomicBool,
}

impl Checkout {
    /// Finds the references of a test to the checkout. Also returns the notices about them.
    ///
    /// # Errors
    /// [`Error::Git`] if Git cannot list the files of `HEAD`.
    pub(crate) fn of(
        repository: &Repository,
        command: &[String],
        options: &CommandOptions,
    ) -> Result<(Checkout, Vec<Notice>), Error> {
        let mut checkout = Checkout {
            top: repository.has_checkout().then(|| repository.path().to_owned()),
            python: Vec::new(),
            variables: BTreeMap::new(),
            programs: BTreeMap::new(),
            named: BTreeSet::new(),
            is_printed: AtomicBool::new(false),
        };
        let Some(top) = checkout.top.clone() else { return Ok((checkout, Vec::new())) };
        let mut notices = checkout.look_at_programs(repository, &top, commands(command, options))?;
        notices.extend(checkout.look_at_paths(repository, &top, commands(command, options))?);
        notices.extend(checkout.look_at_variables(repository, &top, options)?);
        let path = launch::path(&options.env);
        let ways = python::ways(&top, commands(command, options), path.as_deref(), options.environment.is_none());
        notices.extend(checkout.look_at_packages(repository, &top, ways, commands(command, options))?);
        Ok((checkout, notices))
    }

    fn look_at_programs<'a>(
        &mut self,
        repository: &Repository,
        top: &Path,
        commands: impl Iterator<Item = &'a [String]>,
    ) -> Result<Vec<Notice>, Error> {
        let mut found = programs::installed(top, commands);
        let below = |file: &Path| Some(file.strip_prefix(top).ok()?.to_str()?.to_owned());
        let paths: Vec<String> = found.values().filter_map(|file| below(file)).collect();
        let untracked = missing(repository, paths)?;
        found.retain(|_, file| below(file).is_some_and(|path| untracked.contains(&path)));
        let note = |(name, file): (&String, &PathBuf)| {
            let file = file.display();
            Notice::Note(format!(
                "{name} is not in Git: firstbad runs {file} of your checkout unless a revision has one"
            ))
        };
        let notes = found.iter().take(SHOWN).map(note).collect();
        self.programs = found;
        Ok(notes)
    }

    fn look_at_paths<'a>(
        &mut self,
        repository: &Repository,
        top: &Path,
        commands: impl Iterator<Item = &'a [String]>,
    ) -> Result<Vec<Notice>, Error> {
        let paths = commands.flat_map(named::parts).flat_map(named::absolute);
        let inside: Vec<(PathBuf, PathBuf)> =
            paths.filter_map(|path| below(top, &path).map(|below| (path, below))).collect();
        self.named = inside.iter().map(|(_, below)| below.clone()).collect();
        let tracked = tracked(repository, self.named.iter())?;
        let named = inside.iter().filter(|(_, below)| tracked.contains(below)).take(SHOWN);
        let warning = |(path, below): &(PathBuf, PathBuf)| {
            let path = path.display();
            Notice::Warning(match below.as_os_str().is_empty() {
                true => format!(
                    "the command names {path}, which is your checkout and not the revision under test. Omit the path, \
                     because commands start at the top of the revision's worktree"
                ),
                false => format!(
                    "the command names {path}, which is in your checkout and not in the revision under test. Use ./{} \
                     for the file of the revision",
                    below.display()
                ),
            })
        };
        let mut warnings: Vec<Notice> = named.map(warning).collect();
        warnings.dedup();
        Ok(warnings)
    }

    fn look_at_variables(
        &mut self,
        repository: &Repository,
        top: &Path,
        options: &CommandOptions,
    ) -> Result<Vec<Notice>, Error> {
        let mut notices = Vec::new();
        for name in variables::SEARCHED {
            let given =
                options.env.iter().rev().find(|(given, _)| given == name).map(|(_, value)| OsString::from(value));
            let is_given = given.is_some();
            let Some(value) = given.or_else(|| std::env::var_os(name)) else { continue };
            let inside = variables::entries_inside(top, &value);
            let tracked = tracked(repository, inside.iter())?;
            let folders: Vec<PathBuf> = inside.into_iter().filter(|folder| tracked.contains(folder)).collect();
            let Some(first) = folders.first() else { continue };
            let place = top.join(first);
            let place = place.display();
            // Variables from `env` are set on purpose, so firstbad only warns about them.
            notices.push(if is_given {
                Notice::Warning(format!(
                    "{name} names {place}, which is in your checkout and not in the revision under test. Use a path \
                     relative to the top of the repository"
                ))
            } else {
                Notice::Note(format!(
                    "{name} names {place} in your checkout. firstbad uses the path in each worktree \
                                      instead"
                ))
            });
            if !is_given {
                self.variables.insert(name, folders);
            }
        }
        Ok(notices)
    }

    fn look_at_packages<'a>(
        &mut self,
        repository: &Repository,
        top: &Path,
        ways: Vec<Way>,
        mut commands: impl Iterator<Item = &'a [String]>,
    ) -> Result<Vec<Notice>, Error> {
        let tracked = tracked(repository, ways.iter().map(|way| &way.root))?;
        let is_isolated = !ways.is_empty() && commands.any(ignores_variables);
        let mut notices = Vec::new();
        for Way { root, by, shadows } in ways {
            let place = top.join(&root);
            let (place, by) = (place.display(), by.display());
            if tracked.contains(&root) && !shadows && !is_isolated {
                let folder = if root.as_os_str().is_empty() { "the top".into() } else { root.to_string_lossy() };
                notices.push(Notice::Note(format!(
                    "Python packages are installed from your checkout, {place} ({by}). firstbad puts {folder} of each \
                     worktree first on PYTHONPATH"
                )));
                self.python.push(root);
            } else {
                notices.push(Notice::Warning(format!(
                    "Python imports modules from your checkout, {place} ({by}), and not from the revision under test. \
                     Install the package in an environment of each revision, or set PYTHONPATH"
                )));
            }
        }
        notices.truncate(SHOWN);
        Ok(notices)
    }

    /// Returns the command with paths to the programs that only the checkout has.
    pub(crate) fn resolved<'a>(&self, command: &'a [String], tree: &Path) -> Cow<'a, [String]> {
        programs::in_checkout(command, &self.programs, tree)
    }

    /// Returns `PATH` for a command in a worktree.
    pub(crate) fn path(&self, usual: Option<OsString>, tree: &Path) -> Option<OsString> {
        match (&usual, self.variables.get("PATH"), &self.top) {
            (Some(value), Some(folders), Some(top)) => Some(variables::moved(value, top, folders, tree)),
            _ => usual,
        }
    }

    /// Returns the variables with the folders of the worktree instead of the checkout. `given` are the variables of the test.
    pub(crate) fn variables(&self, given: &[(String, String)], tree: &Path) -> Vec<(&'static str, OsString)> {
        let Some(top) = &self.top else { return Vec::new() };
        let inherited = |name: &str| {
            let value = given.iter().rev().find(|(given, _)| given == name).map(|(_, value)| OsString::from(value));
            value.or_else(|| if system::is_search_path(name) { system::usual_path() } else { std::env::var_os(name) })
        };
        let moved = |(name, folders): (&&'static str, &Vec<PathBuf>)| {
            Some((*name, variables::moved(&inherited(name)?, top, folders, tree)))
        };
        let mut found: BTreeMap<&'static str, OsString> = self.variables.iter().filter_map(moved).collect();
        if !self.python.is_empty() {
            let value = found.get("PYTHONPATH").cloned().or_else(|| inherited("PYTHONPATH"));
            found.extend(variables::led_by(value.as_deref(), &self.python, tree).map(|value| ("PYTHONPATH", value)));
        }
        found.into_iter().collect()
    }

    /// Returns a warning if the output names a tracked file of the checkout. Warns only once.
    pub(crate) fn printed(&self, repository: &Repository, revision: &str, output: &[u8]) -> Option<Notice> {
        let top = self.top.as_ref().filter(|_| !self.is_printed.load(Ordering::Relaxed))?;
        let found = paths_in(top, output);
        if found.is_empty() {
            return None;
        }
        let files: Vec<PathBuf> = found.into_iter().filter(|path| !self.named.contains(path)).collect();
        // Untracked files do not belong to a revision.
        let tracked = tracked(repository, files.iter()).ok()?;
        let file = files.iter().find(|file| tracked.contains(*file))?;
        if self.is_printed.swap(true, Ordering::Relaxed) {
            return None;
        }
        Some(Notice::Warning(format!(
            "the output at {} names {}, a file in your checkout. The test may not run the code of the revision, so \
             check how it gets there",
            short(revision),
            top.join(file).display()
        )))
    }
}

/// Returns whether a command makes Python ignore environment variables (`-E`, `-I`).
fn ignores_variables(command: &[String]) -> bool {
    let is_python =
        |text: &str| Path::new(text).file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with("python"));
    let parts: Vec<&str> = named::parts(command).map(|part| part.text).collect();
    let flags = parts.iter().skip_while(|part| !is_python(part)).skip(1).take_while(|part| part.starts_with('-'));
    let is_one = |part: &&&str| !part.starts_with("--") && part.contains(['E', 'I']) && !part.starts_with("-W");
    flags.take_while(|part| !["-c", "-m"].contains(part)).any(|part| is_one(&part))
}

/// Returns a path relative to the top of the checkout, or `None` if it is outside the checkout or in `.git`. Does not follow a
/// symbolic link at the end of a path inside the checkout.
fn below(top: &Path, path: &Path) -> Option<PathBuf> {
    let real = match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => files::real_path(parent).ok()?.join(name),
        _ => files::real_path(path).ok()?,
    };
    let real = if real.starts_with(top) { real } else { files::real_path(path).ok()? };
    let below = real.strip_prefix(top).ok()?;
    (!below.starts_with(".git")).then(|| below.to_owned())
}

/// Returns the paths that `HEAD` has. The top always counts.
fn tracked<'a>(
    repository: &Repository,
    paths: impl Iterator<Item = &'a PathBuf> + Clone,
) -> Result<BTreeSet<PathBuf>, Error> {
    let names: Vec<String> = paths.clone().filter_map(|path| words::below(path)).collect();
    let missing = missing(repository, names)?;
    let is_tracked = |path: &&PathBuf| {
        let is_top = path.as_os_str().is_empty();
        is_top || words::below(path).is_some_and(|name| !missing.contains(&name))
    };
    Ok(paths.filter(is_tracked).cloned().collect())
}

/// Returns the paths that `HEAD` does not have.
fn missing(repository: &Repository, paths: Vec<String>) -> Result<Vec<String>, Error> {
    if paths.is_empty() {
        return Ok(paths);
    }
    // `HEAD` does not exist before the first commit.
    Ok(repository.missing_files("HEAD", &paths).unwrap_or(paths))
}

/// Returns the paths below the top of the checkout that an output names.
fn paths_in(top: &Path, output: &[u8]) -> Vec<PathBuf> {
    let output = &output[output.len().saturating_sub(LOOKED_AT)..];
    let mut start = top.as_os_str().as_encoded_bytes().to_vec();
    start.push(b'/');
    let mut found: Vec<PathBuf> = Vec::new();
    let is_end =
        |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_control() || b"\"'`:;,()<>[]{}|*?".contains(byte);
    let mut from = 0;
    while let Some(at) = memchr::memmem::find(&output[from..], &start).map(|at| from + at) {
        let before = output[..at].last().is_none_or(|byte| !(byte.is_ascii_alphanumeric() || b"/._-".contains(byte)));
        from = at + start.len();
        let length = output[from..].iter().position(is_end).unwrap_or(output.len() - from);
        let path = PathBuf::from(String::from_utf8_lossy(&output[from..from + length]).trim_end_matches('.'));
        if before && length > 0 && !path.starts_with(".git") && !found.contains(&path) {
            found.push(path);
        }
        if found.len() == MOST_PATHS {
            break;
        }
    }
    found
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn checkout_paths_are_found_in_output() {
        let text = b"File \"/r/a.py\", line 3\n/r/b/c.rs:3:1: no\nx/r/d /r2/e /r/.git/config (/r/f). /r/ /r";
        let found = paths_in(Path::new("/r"), text);
        assert_eq!(found, ["a.py", "b/c.rs", "f"].map(PathBuf::from));
    }

    #[test]
    fn an_isolated_python_is_detected() {
        let of = |words: &[&str]| ignores_variables(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        assert!(of(&["python3", "-I", "a.py"]) && of(&["sh", "-c", "/v/bin/python -sE -m x"]));
        assert!(!of(&["python", "a.py", "-I"]) && !of(&["python", "-m", "x", "-E"]) && !of(&["grep", "-E"]));
    }
}
