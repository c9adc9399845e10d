//! What the little repository of a work tree starts from: a snapshot of the user's, without anything that runs.

use std::path::Path;
use std::process::Command;

use firstbad::Error;

use super::lfs::Lfs;
use super::tree::Folder;
use crate::repository::Repository;
use crate::{cache, git, objects};

/// Settings that only say how files are written. Nothing else is taken over from the user's configuration: filters,
/// hooks, helpers and monitors are commands. On Windows those of line ends are not, see [`SYSTEM`].
const HARMLESS: &[&str] = if cfg!(windows) {
    &["core.filemode", "core.symlinks", "core.ignorecase"]
} else {
    &["core.autocrlf", "core.eol", "core.filemode", "core.symlinks", "core.ignorecase"]
};

/// What work trees need on this system. Git for Windows comes with `core.autocrlf=true`: here files have the bytes that the
/// commit has, unless its own `.gitattributes` want others, so that a test finds the same on every system. Paths may be longer
/// than 260 characters.
const SYSTEM: &str = if cfg!(windows) { "\tautocrlf = false\n\teol = lf\n\tlongpaths = true\n" } else { "" };

/// Keeps git from running or changing anything by itself, also when the command under test calls it.
const QUIET: &str = "[core]\n\trepositoryformatversion = %\n\tbare = false\n\tlogallrefupdates = false\n\
    \thooksPath = /dev/null\n\tfsmonitor = false\n\tuntrackedCache = false\n\tsplitIndex = false\n\
    [gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[submodule]\n\trecurse = false\n[advice]\n\tdetachedHead = false\n";

/// The files of the little repository.
#[derive(Debug)]
pub(crate) struct Template {
    object_format: String,
    config: String,
    alternates: String,
    packed_refs: String,
    shallow: Option<Vec<u8>>,
    grafts: Option<Vec<u8>>,
    /// What git is told where it checks files out that Git LFS keeps elsewhere.
    lfs: Vec<(String, String)>,
}

impl Template {
    /// Reads what a work tree needs from the user's repository.
    ///
    /// # Errors
    /// [`Error::Git`], [`Error::Io`].
    pub(crate) fn of(repository: &Repository) -> Result<Template, Error> {
        let common = repository.common_dir();
        let folders = objects::folders(common);
        Ok(Template {
            object_format: repository.object_format().to_owned(),
            config: config(repository)?,
            // git follows alternates only five deep, so all are listed at the first level.
            alternates: folders.iter().map(|folder| objects::alternates_line(folder)).collect(),
            packed_refs: packed_refs(repository)?,
            shallow: content(&common.join("shallow"))?,
            grafts: content(&common.join("info/grafts"))?,
            lfs: Vec::new(),
        })
    }

    /// How many bytes the ids of its objects have.
    pub(super) fn id_length(&self) -> usize {
        if self.object_format == "sha1" { 20 } else { 32 }
    }

    /// The same, for work trees in which Git LFS finds its files.
    pub(super) fn with_lfs(mut self, lfs: &Lfs) -> Template {
        self.config.push_str(&lfs.config);
        self.lfs.clone_from(&lfs.headers);
        self
    }

    /// What a checkout has to know to get at files that are kept elsewhere.
    pub(super) fn reach(&self, checkout: &mut Command) {
        for (place, (key, value)) in self.lfs.iter().enumerate() {
            checkout.env(format!("GIT_CONFIG_KEY_{place}"), key).env(format!("GIT_CONFIG_VALUE_{place}"), value);
        }
        if !self.lfs.is_empty() {
            checkout.env("GIT_CONFIG_COUNT", self.lfs.len().to_string());
        }
    }

    /// `git init` for such a repository.
    pub(super) fn init(&self, mut git: Command) -> Command {
        git.args(["-c", "init.defaultRefFormat=files", "init", "--quiet", "--template="]);
        // Older gits do not know the option.
        if self.object_format != "sha1" {
            git.arg(format!("--object-format={}", self.object_format));
        }
        git
    }

    /// Makes such a repository in a folder that nobody else uses; its git folder is `.git`.
    ///
    /// # Errors
    /// [`Error::Git`], [`Error::Io`].
    pub(crate) fn make(&self, folder: &Path) -> Result<(), Error> {
        git::output(&mut self.init(git::git(folder)), b"")?;
        let filled = Folder::open(&folder.join(".git")).and_then(|git_dir| self.fill(&git_dir));
        filled.map_err(|error| cache::making(folder, &error))
    }

    /// Fills a new git folder, made by `git init`.
    pub(super) fn fill(&self, git_dir: &Folder) -> std::io::Result<()> {
        git_dir.made(Path::new("info"))?;
        git_dir.made(Path::new("objects/info"))?.write(Path::new("alternates"), self.alternates.as_bytes())?;
        git_dir.write(Path::new("packed-refs"), self.packed_refs.as_bytes())?;
        if let Some(shallow) = &self.shallow {
            git_dir.write(Path::new("shallow"), shallow)?;
        }
        if let Some(grafts) = &self.grafts {
            git_dir.write(Path::new("info/grafts"), grafts)?;
        }
        self.configure(git_dir)
    }

    /// Puts the configuration back as it should be, whatever a command under test has done to it.
    pub(super) fn configure(&self, git_dir: &Folder) -> std::io::Result<()> {
        git_dir.write(Path::new("config"), self.config.as_bytes())
    }
}

/// What a file holds; `None` if there is none.
fn content(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(git::io(format!("reading {}", path.display()), &error)),
    }
}

fn config(repository: &Repository) -> Result<String, Error> {
    let sha1 = repository.object_format() == "sha1";
    let mut text = QUIET.replace('%', if sha1 { "0" } else { "1" });
    if !sha1 {
        text.push_str(&format!("[extensions]\n\tobjectformat = {}\n", repository.object_format()));
    }
    text.push_str("[core]\n");
    text.push_str(SYSTEM);
    let mut command = repository.git();
    command.args(["config", "--null", "--get-regexp", r"^core\.(autocrlf|eol|filemode|symlinks|ignorecase)$"]);
    // It ends with 1 if none of them is set.
    let (_, answer) = git::finished(&mut command, b"")?;
    for entry in String::from_utf8_lossy(&answer).split('\0') {
        let (key, value) = entry.split_once('\n').unwrap_or((entry, "true"));
        let is_word = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if let Some(name) = key.strip_prefix("core.")
            && HARMLESS.contains(&key)
            && is_word
        {
            text.push_str(&format!("\t{name} = {value}\n"));
        }
    }
    Ok(text)
}

/// Tags as they are; branches as those of `origin`, as in a clone; remote branches and replaced objects as they are.
fn packed_refs(repository: &Repository) -> Result<String, Error> {
    let mut lines: Vec<(String, String)> = Vec::new();
    for found in repository.refs()? {
        let (name, is_branch) = match found.name.strip_prefix("refs/heads/") {
            Some(branch) => (format!("refs/remotes/origin/{branch}"), true),
            None => (found.name, false),
        };
        let folders = ["refs/tags/", "refs/remotes/", "refs/replace/"];
        if !folders.iter().any(|folder| name.starts_with(folder)) || name.ends_with("/HEAD") {
            continue;
        }
        let peeled = found.peeled.map(|peeled| format!("^{peeled}\n")).unwrap_or_default();
        // A branch comes before the remote one of the same name: that sort keeps the first.
        lines.push((format!("{name}\0{}", u8::from(!is_branch)), format!("{} {name}\n{peeled}", found.target)));
    }
    lines.sort_unstable();
    lines.dedup_by(|later, first| later.0.split('\0').next() == first.0.split('\0').next());
    let mut text = "# pack-refs with: peeled fully-peeled sorted \n".to_owned();
    text.extend(lines.into_iter().map(|(_, line)| line));
    Ok(text)
}
