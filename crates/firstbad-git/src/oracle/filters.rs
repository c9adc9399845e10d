//! Filters that `.git/config` defines, and the attributes of `.git/info/attributes`. Worktrees have neither unless that is
//! allowed: a repository's configuration names programs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use firstbad::short;
use firstbad_platform::files;

use super::notices::Notice;
use super::options::CommandOptions;
use super::spelling::Spelling;
use crate::git;
use crate::repository::Repository;

/// The most bytes of attributes that are read.
const MOST: u64 = 1 << 20;

/// The attributes that decide what a checkout writes, beside `filter`.
const WRITING: [&str; 5] = ["text", "crlf", "eol", "ident", "working-tree-encoding"];

/// The filter of Git LFS, which has an option of its own.
const LFS: &str = "lfs";

/// The settings of one filter.
#[derive(Debug, Default)]
struct Driver {
    settings: BTreeMap<String, String>,
    /// Whether the repository's own configuration has one of them.
    is_own: bool,
}

impl Driver {
    /// Whether a file is written in another way with it.
    fn writes(&self) -> bool {
        let is_some = |name: &str| self.settings.get(name).is_some_and(|value| !matches!(value.trim(), "" | "cat"));
        is_some("smudge") || is_some("process")
    }
}

/// What a repository's own configuration does to files that are checked out.
#[derive(Debug)]
pub(super) struct Filters {
    drivers: BTreeMap<String, Driver>,
    /// `.git/info/attributes`, if it decides what a checkout writes.
    attributes: Option<Vec<u8>>,
    is_allowed: bool,
    spelling: Spelling,
    /// Whether it was said that a filter is not run.
    is_said: AtomicBool,
}

impl Filters {
    pub(super) fn of(repository: &Repository, options: &CommandOptions) -> Filters {
        let mut drivers = drivers(repository);
        if options.lfs {
            drivers.remove(LFS);
        }
        let path = repository.common_dir().join("info/attributes");
        let text = files::open_regular(&path).and_then(|file| files::read_file(file, MOST)).ok();
        let attributes = text.filter(|text| decides(text, &drivers));
        let (is_allowed, spelling) = (options.allow_filters, options.spelling);
        Filters { drivers, attributes, is_allowed, spelling, is_said: AtomicBool::new(false) }
    }

    /// What there is to say before the first run.
    pub(super) fn notices(&self, repository: &Repository) -> Vec<Notice> {
        let mut notices: Vec<Notice> = self.at(repository, "HEAD").into_iter().collect();
        if self.attributes.is_some() && !self.is_allowed {
            let path = repository.common_dir().join("info/attributes");
            notices.push(Notice::Warning(format!(
                "the attributes of {} change files in your checkout, and not in worktrees; {} has worktrees follow them",
                path.display(),
                self.spelling.on("allow_filters")
            )));
        }
        notices
    }

    /// What there is to say where the attributes of a revision name a filter of the repository's own configuration that is not
    /// run; once.
    pub(super) fn at(&self, repository: &Repository, revision: &str) -> Option<Notice> {
        let is_known = |name: &str| self.drivers.get(name).is_some_and(|driver| driver.is_own && driver.writes());
        let is_left = |name: &&String| is_known(name) && (!self.is_allowed || *name == LFS);
        if self.is_said.load(Ordering::Relaxed) || !self.drivers.keys().any(|name| is_left(&name)) {
            return None;
        }
        let named = filters_named(&attributes_at(repository, revision));
        let left = named.iter().find(is_left)?;
        if self.is_said.swap(true, Ordering::Relaxed) {
            return None;
        }
        let option = if left == LFS { "lfs" } else { "allow_filters" };
        let place = if revision == "HEAD" { String::new() } else { format!(" at {}", short(revision)) };
        Some(Notice::Warning(format!(
            "files go through the filter {left:?} of .git/config in your checkout{place}, and not in worktrees: a test sees what \
             is committed; {} has firstbad run it for this repository",
            self.spelling.on(option)
        )))
    }

    /// The settings of worktrees in which the filters are run. They find the user's repository, which may hold their keys.
    pub(super) fn config(&self, repository: &Repository) -> String {
        if !self.is_allowed {
            return String::new();
        }
        let own = self.drivers.iter().filter(|(name, driver)| driver.is_own && *name != LFS);
        own.map(|(name, driver)| {
            let settings = driver.settings.iter().map(|(key, value)| match key.as_str() {
                "smudge" | "clean" | "process" if !value.trim().is_empty() => {
                    format!("\t{key} = {}\n", quoted(&format!("{}{value}", at_home(repository))))
                }
                _ => format!("\t{key} = {}\n", quoted(value)),
            });
            format!("[filter {}]\n{}", quoted(name), settings.collect::<String>())
        })
        .collect()
    }

    /// The attributes that worktrees have beside those of the revision.
    pub(super) fn attributes(&self) -> Option<&[u8]> {
        self.attributes.as_deref().filter(|_| self.is_allowed)
    }
}

/// The filters that the configuration defines.
fn drivers(repository: &Repository) -> BTreeMap<String, Driver> {
    let mut command = repository.git();
    command.args([
        "config",
        "--show-scope",
        "--null",
        "--get-regexp",
        r"^filter\..*\.(clean|smudge|process|required)$",
    ]);
    let mut drivers: BTreeMap<String, Driver> = BTreeMap::new();
    // It ends with 1 if there are none.
    let Ok((_, printed)) = git::finished(&mut command, b"") else { return drivers };
    let printed = String::from_utf8_lossy(&printed).into_owned();
    let fields: Vec<&str> = printed.split('\0').collect();
    for pair in fields.chunks_exact(2) {
        let (key, value) = pair[1].split_once('\n').unwrap_or((pair[1], "true"));
        let Some((name, setting)) = key.strip_prefix("filter.").and_then(|rest| rest.rsplit_once('.')) else {
            continue;
        };
        let driver = drivers.entry(name.to_owned()).or_default();
        driver.settings.insert(setting.to_owned(), value.to_owned());
        driver.is_own |= matches!(pair[0], "local" | "worktree");
    }
    drivers
}

/// The lines of attributes of a revision that name filters.
fn attributes_at(repository: &Repository, revision: &str) -> Vec<u8> {
    let mut command = repository.git();
    command.args(["grep", "-h", "-a", "--no-color", "-e", "filter=", revision, "--", ":(top,glob)**/.gitattributes"]);
    // It ends with 1 if there are none, and with an error where there is no commit.
    git::finished(&mut command, b"").map(|(_, printed)| printed).unwrap_or_default()
}

/// The attributes in a text, each of its lines without the pattern.
fn attributes(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    lines.flat_map(|line| line.split_whitespace().skip(1))
}

/// The filters that a text of attributes names.
fn filters_named(text: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(text);
    attributes(&text).filter_map(|one| one.strip_prefix("filter=")).map(str::to_owned).collect()
}

/// Whether a text of attributes decides what a checkout writes.
fn decides(text: &[u8], drivers: &BTreeMap<String, Driver>) -> bool {
    let text = String::from_utf8_lossy(text);
    let is_one = |attribute: &str| {
        let (name, value) = attribute.split_once('=').unwrap_or((attribute, ""));
        let name = name.trim_start_matches(['-', '!']);
        WRITING.contains(&name) || name == "filter" && drivers.get(value).is_some_and(Driver::writes)
    };
    attributes(&text).any(is_one)
}

/// What a command of a shell begins with so that it finds the user's repository.
fn at_home(repository: &Repository) -> String {
    let word = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', "'\\''"));
    format!("export GIT_DIR={} GIT_WORK_TREE={}; ", word(repository.git_dir()), word(repository.path()))
}

/// A value as Git's configuration has it.
fn quoted(value: &str) -> String {
    let escaped = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_attributes_that_change_files_count() {
        let smudge = |value: &str| Driver { settings: [("smudge".to_owned(), value.to_owned())].into(), is_own: true };
        let drivers = BTreeMap::from([("rot".to_owned(), smudge("tr a b")), ("strip".to_owned(), smudge("cat"))]);
        let of = |text: &str| decides(text.as_bytes(), &drivers);
        assert!(of("# x\n*.txt filter=rot\n") && of("*.txt eol=crlf") && of("* -text") && of("* text=auto"));
        assert!(!of("*.ipynb filter=strip diff=ipynb\n#* text\n*.x filter=other -diff merge=union\ntext"));
        assert_eq!(filters_named(b"[attr]s filter=rot diff\n# a filter=no\n").into_iter().collect::<Vec<_>>(), ["rot"]);
    }
}
