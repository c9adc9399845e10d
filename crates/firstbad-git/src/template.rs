//! The template for the repositories of worktrees: a copy of the user's repository without anything that runs.

use std::path::Path;
use std::process::Command;

use firstbad::Error;
use firstbad_platform::files;
use firstbad_platform::trees::Folder;

use crate::refs::Ref;
use crate::repository::Repository;
use crate::{cache, git, objects};

/// Settings that only affect how files are written. Other settings of the user, such as filters and hooks, contain commands. On
/// Windows, line endings are fixed by [`SYSTEM`].
const HARMLESS: &[&str] = if cfg!(windows) {
    &["core.filemode", "core.symlinks", "core.ignorecase"]
} else {
    &["core.autocrlf", "core.eol", "core.filemode", "core.symlinks", "core.ignorecase"]
};

/// Settings that this system needs. Git for Windows sets `core.autocrlf=true`, but tests should find the same bytes on every
/// system unless `.gitattributes` says otherwise. Paths may be longer than 260 characters.
const SYSTEM: &str = if cfg!(windows) { "\tautocrlf = false\n\teol = lf\n\tlongpaths = true\n" } else { "" };

/// Settings that keep Git from running programs or background work, also when the command under test calls Git.
const QUIET: &str = "[core]\n\trepositoryformatversion = %\n\tbare = false\n\tlogallrefupdates = false\n\
    \thooksPath = /dev/null\n\tfsmonitor = false\n\tuntrackedCache = false\n\tsplitIndex = false\n\
    [gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[submodule]\n\trecurse = false\n[advice]\n\tdetachedHead = false\n";

/// The contents of the files in a worktree's repository.
#[derive(Debug)]
pub struct Template {
    object_format: String,
    config: String,
    alternates: String,
    packed_refs: String,
    /// The symbolic refs, such as `refs/remotes/origin/HEAD`, with their targets.
    symbolic_refs: Vec<(String, String)>,
    shallow: Option<Vec<u8>>,
    grafts: Option<Vec<u8>>,
    /// The content of `.git/info/attributes`.
    attributes: Option<Vec<u8>>,
    /// Settings that Git gets only during a checkout, because no file may contain them.
    at_checkout: Vec<(String, String)>,
}

impl Template {
    /// Reads the template from the user's repository.
    ///
    /// # Errors
    /// [`Error::Git`] or [`Error::Io`] if the repository cannot be read.
    pub fn of(repository: &Repository) -> Result<Template, Error> {
        let common = repository.common_dir();
        let folders = objects::folders(common);
        let refs = shared_refs(repository)?;
        Ok(Template {
            object_format: repository.object_format().to_owned(),
            config: config(repository)?,
            // Git follows alternates only five levels deep, so all are listed at the first level.
            alternates: folders.iter().map(|folder| objects::alternates_line(folder)).collect(),
            symbolic_refs: symbolic_refs(repository, &refs)?,
            packed_refs: packed_refs(refs),
            shallow: content(&common.join("shallow"))?,
            grafts: content(&common.join("info/grafts"))?,
            attributes: None,
            at_checkout: Vec::new(),
        })
    }

    /// Returns the length of object ids in bytes.
    pub fn id_length(&self) -> usize {
        if self.object_format == "sha1" { 20 } else { 32 }
    }

    /// Adds lines to the configuration.
    #[must_use]
    pub fn with_config(mut self, lines: &str) -> Template {
        self.config.push_str(lines);
        self
    }

    /// Sets `.git/info/attributes`.
    #[must_use]
    pub fn with_attributes(mut self, attributes: Option<Vec<u8>>) -> Template {
        self.attributes = attributes;
        self
    }

    /// Sets the settings that Git gets only during a checkout.
    #[must_use]
    pub fn with_checkout_settings(mut self, settings: Vec<(String, String)>) -> Template {
        self.at_checkout = settings;
        self
    }

    /// Adds the settings for a checkout to a command.
    pub fn reach(&self, checkout: &mut Command) {
        for (place, (key, value)) in self.at_checkout.iter().enumerate() {
            checkout.env(format!("GIT_CONFIG_KEY_{place}"), key).env(format!("GIT_CONFIG_VALUE_{place}"), value);
        }
        if !self.at_checkout.is_empty() {
            checkout.env("GIT_CONFIG_COUNT", self.at_checkout.len().to_string());
        }
    }

    /// Returns the `git init` command for the repository.
    pub fn init(&self, mut git: Command) -> Command {
        git.args(["-c", "init.defaultRefFormat=files", "init", "--quiet", "--template="]);
        // Older versions of Git do not know this option.
        if self.object_format != "sha1" {
            git.arg(format!("--object-format={}", self.object_format));
        }
        git
    }

    /// Creates the repository in a private folder, with its Git directory in `.git`.
    ///
    /// # Errors
    /// [`Error::Git`] or [`Error::Io`] if the repository cannot be created.
    pub fn make(&self, folder: &Path) -> Result<(), Error> {
        git::output(&mut self.init(git::git(folder)), b"")?;
        let filled = Folder::open(&folder.join(".git")).and_then(|git_dir| self.fill(&git_dir));
        filled.map_err(|error| cache::making(folder, &error))
    }

    /// Writes the template into a new Git directory that `git init` created.
    pub fn fill(&self, git_dir: &Folder) -> std::io::Result<()> {
        git_dir.made(Path::new("info"))?;
        git_dir.made(Path::new("objects/info"))?.write(Path::new("alternates"), self.alternates.as_bytes())?;
        self.reset_refs(git_dir, None)?;
        self.reset_attributes(git_dir)?;
        if let Some(shallow) = &self.shallow {
            git_dir.write(Path::new("shallow"), shallow)?;
        }
        if let Some(grafts) = &self.grafts {
            git_dir.write(Path::new("info/grafts"), grafts)?;
        }
        self.configure(git_dir)
    }

    /// Resets all refs to those of the repository, after a command under test could have changed them. `packed` is the current
    /// `packed-refs` file, if there is one.
    pub fn reset_refs(&self, git_dir: &Folder, packed: Option<&Path>) -> std::io::Result<()> {
        let refs = git_dir.made(Path::new("refs"))?;
        refs.empty()?;
        // Git recognizes a repository only if `refs` exists.
        for folder in ["heads", "tags"] {
            refs.made(Path::new(folder))?;
        }
        for (name, target) in &self.symbolic_refs {
            let path = Path::new(name);
            git_dir.made(path.parent().unwrap_or(Path::new("refs")))?;
            git_dir.write(path, format!("ref: {target}\n").as_bytes())?;
        }
        let most = self.packed_refs.len() as u64;
        let is_same = |path: &Path| {
            let held = files::open_regular(path).and_then(|file| files::read_file(file, most));
            held.is_ok_and(|held| held == self.packed_refs.as_bytes())
        };
        if packed.is_some_and(is_same) {
            return Ok(());
        }
        git_dir.write(Path::new("packed-refs"), self.packed_refs.as_bytes())
    }

    /// Restores `.git/info/attributes`.
    pub fn reset_attributes(&self, git_dir: &Folder) -> std::io::Result<()> {
        match &self.attributes {
            Some(attributes) => git_dir.made(Path::new("info"))?.write(Path::new("attributes"), attributes),
            None => Ok(()),
        }
    }

    /// Restores the configuration, which a command under test may have changed.
    pub fn configure(&self, git_dir: &Folder) -> std::io::Result<()> {
        git_dir.write(Path::new("config"), self.config.as_bytes())
    }
}

/// Returns the content of a file, or `None` if it does not exist.
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
    // Git exits with 1 if none of the settings exist.
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

/// The refs that belong to one checkout and are not shared.
const OWN_REFS: [&str; 5] = ["refs/stash", "refs/bisect/", "refs/worktree/", "refs/rewritten/", "refs/prefetch/"];

/// Returns branches, tags, remote-tracking branches, replacement refs and notes, sorted by name.
fn shared_refs(repository: &Repository) -> Result<Vec<Ref>, Error> {
    let is_shared = |name: &str| name.starts_with("refs/") && !OWN_REFS.iter().any(|own| name.starts_with(own));
    let mut refs = repository.refs()?;
    refs.retain(|found| is_shared(&found.name));
    refs.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    Ok(refs)
}

/// Formats refs as a `packed-refs` file.
fn packed_refs(refs: Vec<Ref>) -> String {
    let mut text = "# pack-refs with: peeled fully-peeled sorted \n".to_owned();
    for found in refs {
        let peeled = found.peeled.map(|peeled| format!("^{peeled}\n")).unwrap_or_default();
        text.push_str(&format!("{} {}\n{peeled}", found.target, found.name));
    }
    text
}

/// Returns the symbolic refs of remotes whose targets are among `refs`.
fn symbolic_refs(repository: &Repository, refs: &[Ref]) -> Result<Vec<(String, String)>, Error> {
    // Git creates symbolic refs only with the name `HEAD`.
    if !refs.iter().any(|found| found.name.ends_with("/HEAD")) {
        return Ok(Vec::new());
    }
    let mut command = repository.git();
    command.args(["for-each-ref", "--format=%(refname) %(symref)", "refs/remotes"]);
    let printed = git::output(&mut command, b"")?;
    let lines = String::from_utf8_lossy(&printed).into_owned();
    let is_here = |name: &str| refs.iter().any(|found| found.name == name);
    let pairs = lines.lines().filter_map(|line| line.split_once(' '));
    let named = pairs.filter(|(name, target)| is_here(name) && is_here(target));
    Ok(named.map(|(name, target)| (name.to_owned(), target.to_owned())).collect())
}
