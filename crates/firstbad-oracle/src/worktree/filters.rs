//! The filters defined in `.git/config` and the attributes in `.git/info/attributes`. Worktrees ignore both unless
//! `allow_filters` is set, because filters run programs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use firstbad::{option, short};
use firstbad_git::{Repository, git};
use firstbad_platform::files;

use crate::notices::Notice;
use crate::options::CommandOptions;

/// The maximum bytes of attributes to read.
const MOST: u64 = 1 << 20;

/// The attributes besides `filter` that change the files of a checkout.
const WRITING: [&str; 5] = ["text", "crlf", "eol", "ident", "working-tree-encoding"];

/// The filter of Git LFS, which has a separate option.
const LFS: &str = "lfs";

/// The settings of one filter.
#[derive(Debug, Default)]
struct Driver {
    settings: BTreeMap<String, String>,
    /// Whether the repository's configuration has one of them.
    is_own: bool,
}

impl Driver {
    /// Returns whether the filter changes files on checkout.
    fn writes(&self) -> bool {
        let is_some = |name: &str| self.settings.get(name).is_some_and(|value| !matches!(value.trim(), "" | "cat"));
        is_some("smudge") || is_some("process")
    }
}

/// The filters and attributes of a repository's configuration that change files on checkout.
#[derive(Debug)]
pub(crate) struct Filters {
    drivers: BTreeMap<String, Driver>,
    /// The contents of `.git/info/attributes`, if they change files on checkout.
    attributes: Option<Vec<u8>>,
    is_allowed: bool,
    /// Whether firstbad has warned about a filter that is not run.
    is_said: AtomicBool,
}

impl Filters {
    pub(crate) fn of(repository: &Repository, options: &CommandOptions) -> Filters {
        let mut drivers = drivers(repository);
        if options.lfs {
            drivers.remove(LFS);
        }
        let path = repository.common_dir().join("info/attributes");
        let text = files::open_regular(&path).and_then(|file| files::read_file(file, MOST)).ok();
        let attributes = text.filter(|text| decides(text, &drivers));
        let is_allowed = options.allow_filters;
        Filters { drivers, attributes, is_allowed, is_said: AtomicBool::new(false) }
    }

    /// Returns the notices to show before the first run.
    pub(crate) fn notices(&self, repository: &Repository) -> Vec<Notice> {
        let mut notices: Vec<Notice> = self.at(repository, "HEAD").into_iter().collect();
        if self.attributes.is_some() && !self.is_allowed {
            let path = repository.common_dir().join("info/attributes");
            notices.push(Notice::Warning(format!(
                "the attributes of {} change files in your checkout, but not in worktrees. Set {} to use them in \
                 worktrees",
                path.display(),
                option!(allow_filters = true)
            )));
        }
        notices
    }

    /// Returns a warning if a revision uses a filter of the repository's configuration that firstbad does not run. Warns only
    /// once.
    pub(crate) fn at(&self, repository: &Repository, revision: &str) -> Option<Notice> {
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
        let option = if left == LFS { option!(lfs = true) } else { option!(allow_filters = true) };
        let place = if revision == "HEAD" { String::new() } else { format!(" at {}", short(revision)) };
        Some(Notice::Warning(format!(
            "the filter {left:?} of .git/config changes files in your checkout{place}, but not in worktrees, which \
             have the committed files. Set {option} to run it"
        )))
    }

    /// Returns the configuration that runs the filters in worktrees. They run in the user's repository, which can contain their
    /// keys.
    pub(crate) fn config(&self, repository: &Repository) -> String {
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

    /// Returns the attributes of worktrees in addition to those of the revision.
    pub(crate) fn attributes(&self) -> Option<&[u8]> {
        self.attributes.as_deref().filter(|_| self.is_allowed)
    }
}

/// Reads the filters that the configuration defines.
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
    // The exit code is 1 if the configuration defines no filters.
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

/// Returns the attribute lines of a revision that name filters.
fn attributes_at(repository: &Repository, revision: &str) -> Vec<u8> {
    let mut command = repository.git();
    command.args(["grep", "-h", "-a", "--no-color", "-e", "filter=", revision, "--", ":(top,glob)**/.gitattributes"]);
    // The exit code is 1 if no line matches. Before the first commit, Git reports an error.
    git::finished(&mut command, b"").map(|(_, printed)| printed).unwrap_or_default()
}

/// Returns the attributes in a text, without the patterns.
fn attributes(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    lines.flat_map(|line| line.split_whitespace().skip(1))
}

/// Returns the filters that an attributes file names.
fn filters_named(text: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(text);
    attributes(&text).filter_map(|one| one.strip_prefix("filter=")).map(str::to_owned).collect()
}

/// Returns whether an attributes file changes files on checkout.
fn decides(text: &[u8], drivers: &BTreeMap<String, Driver>) -> bool {
    let text = String::from_utf8_lossy(text);
    let is_one = |attribute: &str| {
        let (name, value) = attribute.split_once('=').unwrap_or((attribute, ""));
        let name = name.trim_start_matches(['-', '!']);
        WRITING.contains(&name) || name == "filter" && drivers.get(value).is_some_and(Driver::writes)
    };
    attributes(&text).any(is_one)
}

/// Returns a prefix for shell commands that points Git to the user's repository.
fn at_home(repository: &Repository) -> String {
    let word = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', "'\\''"));
    format!("export GIT_DIR={} GIT_WORK_TREE={}; ", word(repository.git_dir()), word(repository.path()))
}

/// Quotes a value for Git's configuration.
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
