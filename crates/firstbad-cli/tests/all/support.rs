//! Runs the program in test repositories.
#![cfg_attr(not(unix), allow(dead_code, reason = "most of these tests need a Unix shell"))]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A temporary folder with a repository in `repo` and the caches.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

/// The result of the program.
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ended {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err))
    }

    /// Checks the exit code.
    pub(crate) fn exits(self, code: i32) -> Ended {
        assert_eq!(self.code, code, "{}\n{}", self.out, self.err);
        self
    }
}

impl Place {
    pub(crate) fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(place.repo()).unwrap();
        std::fs::create_dir(place.path("tmp")).unwrap();
        place.git(&["init", "-q", "-b", "main"]);
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn repo(&self) -> PathBuf {
        self.path("repo")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let who = ["-c", "user.name=Ann", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false"];
        let output = Command::new("git").args(who).args(arguments).current_dir(self.repo()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Writes the settings of the project.
    pub(crate) fn configure(&self, settings: &str) {
        self.write("repo/firstbad.toml", settings);
    }

    /// Commits a file with this content. Returns the sha.
    pub(crate) fn commit(&self, name: &str, text: &str, subject: &str) -> String {
        self.write(&format!("repo/{name}"), text);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", subject]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Runs the program in a folder.
    pub(crate) fn run_in(&self, folder: &Path, arguments: &[&str]) -> Ended {
        self.run_with(folder, arguments, Stdio::null())
    }

    fn run_with(&self, folder: &Path, arguments: &[&str], input: Stdio) -> Ended {
        let output = Command::new(env!("CARGO_BIN_EXE_firstbad"))
            .args(arguments)
            .current_dir(folder)
            .stdin(input)
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("XDG_STATE_HOME", self.path("state"))
            .env("TMPDIR", self.path("tmp"))
            .output();
        let Output { status, stdout, stderr } = output.unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ended { code: status.code().unwrap_or(-1), out: text(stdout), err: text(stderr) }
    }

    /// Runs the program in the repository with this input.
    pub(crate) fn run_given(&self, arguments: &[&str], input: &str) -> Ended {
        self.write("given.txt", input);
        let given = std::fs::File::open(self.path("given.txt")).unwrap();
        self.run_with(&self.repo(), arguments, Stdio::from(given))
    }

    /// Runs the program in the repository.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        self.run_in(&self.repo(), arguments)
    }
}

/// Returns ten lines, some of them replaced.
pub(crate) fn lines(other: &[(usize, &str)]) -> String {
    let line = |number: usize| {
        let found = other.iter().find(|(place, _)| *place == number);
        found.map_or(format!("line {number}\n"), |(_, text)| format!("{text}\n"))
    };
    (0..10).map(line).collect()
}
