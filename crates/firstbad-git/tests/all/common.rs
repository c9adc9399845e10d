//! Temporary repositories that are the same on every machine.
#![cfg_attr(not(unix), allow(dead_code, reason = "most of these tests need a Unix shell"))]

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use firstbad::SlicedHistory;
use firstbad_git::{Repository, Slices};

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A folder that is removed when dropped.
pub(crate) struct Temp(PathBuf);

impl Temp {
    pub(crate) fn new() -> Temp {
        let name = format!("firstbad-git-test-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Temp(firstbad_platform::files::real_path(&path).unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A repository in `<temp>/repo`. Other files can be stored next to it.
pub(crate) struct Repo {
    pub(crate) temp: Temp,
    pub(crate) path: PathBuf,
}

impl Repo {
    pub(crate) fn new() -> Repo {
        Repo::init(&[])
    }

    pub(crate) fn init(arguments: &[&str]) -> Repo {
        let temp = Temp::new();
        let path = temp.join("repo");
        std::fs::create_dir(&path).unwrap();
        let repo = Repo { temp, path };
        repo.git(&[&["init", "-q", "-b", "main"], arguments].concat());
        repo
    }

    pub(crate) fn open(&self) -> Repository {
        Repository::open(&self.path).unwrap()
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        git(&self.path, arguments, "")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Commits everything and returns the commit id.
    pub(crate) fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.sha("HEAD")
    }

    pub(crate) fn sha(&self, revision: &str) -> String {
        self.git(&["rev-parse", "--verify", &format!("{revision}^{{commit}}")])
    }
}

/// Runs Git without the configuration of this machine, and without background maintenance, which would write to the repository.
pub(crate) fn git(folder: &Path, arguments: &[&str], input: &str) -> String {
    let mut child = Command::new("git")
        .args(["-c", "maintenance.auto=false", "-c", "gc.auto=0"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("GIT_AUTHOR_NAME", "A")
        .env("GIT_AUTHOR_EMAIL", "a@example.org")
        .env("GIT_COMMITTER_NAME", "C")
        .env("GIT_COMMITTER_EMAIL", "c@example.org")
        .env("GIT_AUTHOR_DATE", "1000000000 +0000")
        .env("GIT_COMMITTER_DATE", "1000000000 +0000")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let feed = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = feed.join();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// Returns a history of `count` commits for `git fast-import`, numbered from `from`, with merges, octopus merges, several roots,
/// and clocks that go backwards. It is the same on every call.
pub(crate) fn history(from: u32, count: u32) -> String {
    let mut seed = 12345 + from;
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
        (seed >> 16) % below
    };
    let mut text = String::new();
    for number in from..from + count {
        let time = 1_000_000_000 + i64::from(number) * 60 - i64::from(random(5)) * 50;
        text.push_str(&format!("commit refs/heads/w{}\nmark :{}\n", random(4), number + 1));
        text.push_str(&format!("author A <a@example.org> {time} +0000\ncommitter C <c@example.org> {time} +0100\n"));
        text.push_str(&format!("data {}\nc{number}\n", format!("c{number}\n").len() - 1));
        let is_root = number == 0 || random(40) == 0;
        let parents = if is_root { 0 } else { [1, 1, 1, 1, 1, 2, 2, 3][random(8) as usize] };
        let mut seen = Vec::new();
        for _ in 0..parents {
            let parent = number.saturating_sub(random(8.min(number))).max(1);
            if !seen.contains(&parent) {
                text.push_str(if seen.is_empty() { "from" } else { "merge" });
                text.push_str(&format!(" :{parent}\n"));
                seen.push(parent);
            }
        }
        if is_root {
            text.push_str("deleteall\n");
        }
        text.push_str(&format!("M 644 inline f{}\ndata {}\n{number}\n\n", random(5), number.to_string().len()));
    }
    text
}

/// Returns the path, mode (0 on Windows), and content of every file below `folder`.
pub(crate) fn snapshot(folder: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    #[cfg(unix)]
    let mode = |data: &Metadata| std::os::unix::fs::PermissionsExt::mode(&data.permissions());
    #[cfg(windows)]
    let mode = |_: &Metadata| 0;
    let mut found = BTreeMap::new();
    let mut stack = vec![folder.to_owned()];
    while let Some(path) = stack.pop() {
        let data = std::fs::symlink_metadata(&path).unwrap();
        let content = if data.is_dir() {
            stack.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            Vec::new()
        } else if data.is_symlink() {
            std::fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
        } else {
            std::fs::read(&path).unwrap()
        };
        found.insert(path, (mode(&data), content));
    }
    found
}

/// Returns ten commits, of which the sixth adds `broken`, in a repository that supports partial clones.
pub(crate) fn source() -> (Repo, Vec<String>) {
    let repo = Repo::new();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let mut shas = Vec::new();
    for number in 0..10 {
        repo.write("folder/number", &number.to_string());
        if number == 5 {
            repo.write("broken", "");
        }
        shas.push(repo.commit("step"));
        if number == 0 {
            repo.git(&["tag", "v1"]);
        }
    }
    (repo, shas)
}

/// Clones the repository into the same temporary folder.
pub(crate) fn cloned(repo: &Repo, name: &str, how: &str) -> PathBuf {
    let url = format!("file://{}", repo.path.display());
    git(repo.temp.path(), &["clone", "-q", how, &url, name], "");
    repo.temp.join(name)
}

/// Returns slices of a history that changes two functions, one in each commit.
pub(crate) fn changed_functions() -> (Repo, Slices) {
    let repo = Repo::new();
    let program = |one: u8, two: u8| format!("def f():\n    return {one}\n\n\ndef g():\n    return {two}\n");
    repo.write("shop/a.py", &program(1, 1));
    let base = repo.commit("base");
    repo.write("shop/a.py", &program(2, 1));
    repo.commit("f");
    repo.write("shop/a.py", &program(2, 2));
    repo.commit("g");
    let options = SlicedHistory { base, tip: "main".to_owned(), ..SlicedHistory::default() };
    let slices = Slices::open(&repo.open(), &options, Some(&repo.temp.join("slices"))).unwrap();
    (repo, slices)
}
