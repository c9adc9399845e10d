//! Folders of files, with real Git to create and apply patches.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The entry at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    File { content: Vec<u8>, executable: bool },
    Link(Vec<u8>),
}

impl Entry {
    pub(crate) fn file(content: impl Into<Vec<u8>>) -> Self {
        Entry::File { content: content.into(), executable: false }
    }

    pub(crate) fn content(&self) -> &[u8] {
        match self {
            Entry::File { content, .. } | Entry::Link(content) => content,
        }
    }
}

/// The entries by path.
pub(crate) type Tree = BTreeMap<Vec<u8>, Entry>;

/// Returns only the contents, as [`firstbad::Patch::apply`] takes them.
pub(crate) fn contents(tree: &Tree) -> BTreeMap<Vec<u8>, Vec<u8>> {
    tree.iter().map(|(path, entry)| (path.clone(), entry.content().to_vec())).collect()
}

/// A folder for one test, removed when dropped.
#[derive(Debug)]
pub(crate) struct Sandbox {
    path: PathBuf,
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

impl Sandbox {
    /// Creates a folder that contains an empty Git repository named `repository`.
    pub(crate) fn new() -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let name = format!("firstbad-patch-{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let sandbox = Sandbox { path: std::env::temp_dir().join(name) };
        fs::create_dir_all(sandbox.path.join("repository")).expect("a folder");
        sandbox.git("repository", &["init", "--quiet", "--initial-branch=main", "."], b"").expect("git init");
        sandbox
    }

    /// Runs `work` in a sandbox that one test shares, because creating a repository is slow.
    pub(crate) fn shared<T>(work: impl FnOnce(&Sandbox) -> T) -> T {
        thread_local! {
            static SHARED: Sandbox = Sandbox::new();
        }
        SHARED.with(work)
    }

    /// Runs Git in a folder of the sandbox.
    pub(crate) fn git(&self, folder: &str, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
        let mut child = Command::new("git")
            .args(["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c", "core.autocrlf=false"])
            .args(arguments)
            .current_dir(self.path.join(folder))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CEILING_DIRECTORIES", &self.path)
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("git runs");
        child.stdin.take().expect("an input").write_all(input).expect("git reads");
        let output = child.wait_with_output().expect("git ends");
        // `git diff --no-index` exits with 1 if there are differences.
        let differs = arguments.contains(&"--no-index") && output.status.code() == Some(1);
        if output.status.success() || differs {
            Ok(output.stdout)
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }

    /// Replaces the content of a folder.
    pub(crate) fn write(&self, folder: &str, tree: &Tree) {
        let root = self.path.join(folder);
        if let Ok(entries) = fs::read_dir(&root) {
            for entry in entries.map(|entry| entry.expect("an entry")).filter(|entry| entry.file_name() != ".git") {
                let path = entry.path();
                let folder = entry.file_type().expect("a type").is_dir();
                if folder { fs::remove_dir_all(path) } else { fs::remove_file(path) }.expect("removed");
            }
        }
        fs::create_dir_all(&root).expect("a folder");
        for (path, entry) in tree {
            let path = root.join(OsStr::from_bytes(path));
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            match entry {
                Entry::Link(target) => symlink(OsStr::from_bytes(target), path).expect("a link"),
                Entry::File { content, executable } => {
                    fs::write(&path, content).expect("a file");
                    if *executable {
                        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
                    }
                }
            }
        }
    }

    /// Returns the content of a folder.
    pub(crate) fn read(&self, folder: &str) -> Tree {
        let mut tree = Tree::new();
        let root = self.path.join(folder);
        read_folder(&root, &root, &mut tree);
        tree
    }

    /// Runs `git diff` between two sets of files, committed to the repository.
    pub(crate) fn diff(&self, old: &Tree, new: &Tree, options: &[&str]) -> Vec<u8> {
        let trees = [old, new].map(|tree| {
            self.write("repository", tree);
            self.git("repository", &["add", "--all", "--force", "."], b"").expect("git add");
            let id = self.git("repository", &["write-tree"], b"").expect("git write-tree");
            String::from_utf8(id).expect("an id").trim().to_owned()
        });
        let arguments = [&["diff-tree", "-p", "-r"], options, &[&trees[0], &trees[1]]].concat();
        self.git("repository", &arguments, b"").expect("git diff-tree")
    }

    /// Runs the program `diff` in the sandbox.
    pub(crate) fn diff_program(&self, arguments: &[&str]) -> Vec<u8> {
        let mut command = Command::new("diff");
        command.args(arguments).current_dir(&self.path).env("LC_ALL", "C").env("TZ", "UTC");
        command.output().expect("diff runs").stdout
    }

    /// Runs `git apply` on files outside of any repository.
    pub(crate) fn apply(&self, tree: &Tree, patch: &firstbad::Patch) -> Result<Tree, String> {
        self.write("applied", tree);
        let strip = format!("-p{}", patch.strip());
        let mut arguments = vec!["apply", "--whitespace=nowarn", &strip];
        if patch.is_without_context() {
            arguments.push("--unidiff-zero");
        }
        if patch.is_empty() {
            arguments.push("--allow-empty");
        }
        self.git("applied", &arguments, patch.as_bytes())?;
        Ok(self.read("applied"))
    }
}

fn read_folder(root: &Path, folder: &Path, tree: &mut Tree) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let kind = fs::symlink_metadata(&path).expect("what it is");
        if kind.is_dir() {
            read_folder(root, &path, tree);
            continue;
        }
        let entry = if kind.is_symlink() {
            Entry::Link(fs::read_link(&path).expect("a link").into_os_string().into_vec())
        } else {
            let executable = kind.permissions().mode() & 0o100 != 0;
            Entry::File { content: fs::read(&path).expect("a file"), executable }
        };
        tree.insert(path.strip_prefix(root).expect("inside").as_os_str().as_bytes().to_vec(), entry);
    }
}
