//! Finds or creates the environment of a revision, and links it into the worktree.

use std::io;
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use firstbad::digest::sha256_hex;
use firstbad::{Error, Observation, Stage};
use firstbad_git::git;
use firstbad_platform::files;
use serde_json::{Value, json};

use super::execution::{Running, Step};
use crate::environment::place::Environments;
use crate::environment::pointers::{self, Origin};
use crate::environment::store::{self, Found, InUse, Making};
use crate::judging::doubts;
use crate::options::environment::{Environment, VARIABLE};

/// The interval at which a run checks whether another run has created the environment.
const POLL: Duration = Duration::from_millis(50);

/// The number of digits of a key in a folder name: 128 bits. The first lines of scripts contain the folder, and systems read only
/// 127 characters of them.
const DIGITS: usize = 32;

/// The name of this step in logs and notes.
const NAME: &str = "environment";

/// The inputs that determine an environment.
struct Key {
    digits: String,
    /// The files that define the environment.
    files: Vec<PathBuf>,
    /// The readable form of the key, stored with the environment.
    words: Value,
}

impl Running<'_, '_, '_> {
    /// Creates the environment of the revision if it is missing and links it into the worktree. Returns an observation if that
    /// fails.
    ///
    /// # Errors
    /// [`Error::CommandNotFound`], [`Error::Retry`], [`Error::Interrupted`], [`Error::Git`], [`Error::Io`].
    pub(crate) fn provide(&mut self, environments: &Environments) -> Result<ControlFlow<Observation, InUse>, Error> {
        let Environments { environment, above } = environments;
        if let Some(own) = self.of_the_revision(environment)? {
            let words = format!("the revision has {}, so firstbad cannot link it", own.display());
            return Ok(Break(self.obstacle(&words)));
        }
        let key = match self.key(environment)? {
            Continue(key) => key,
            Break(seen) => return Ok(Break(seen)),
        };
        let found = match self.found(environment, above, &key)? {
            Continue(found) => found,
            Break(seen) => return Ok(Break(seen)),
        };
        Ok(match self.work_tree.show(environment, found.folder())? {
            None => Continue(found),
            Some(words) => Break(self.obstacle(&words)),
        })
    }

    /// Returns a tracked file at the path of a link.
    fn of_the_revision(&self, environment: &Environment) -> Result<Option<PathBuf>, Error> {
        if environment.link.is_empty() {
            return Ok(None);
        }
        let paths = environment.link.iter().map(|path| format!(":(literal){path}"));
        let tracked = git::output(self.work_tree.git().args(["ls-files", "-z", "--"]).args(paths), b"")?;
        let first = tracked.split(|&byte| byte == 0).find(|path| !path.is_empty());
        Ok(first.map(files::path_of))
    }

    /// Computes the key from the files in the index, which includes the changes of patches.
    fn key(&mut self, environment: &Environment) -> Result<ControlFlow<Observation, Key>, Error> {
        let patterns = environment.files.iter().map(|pattern| format!(":(glob){pattern}"));
        let listed = git::output(self.work_tree.git().args(["ls-files", "--stage", "-z", "--"]).args(patterns), b"")?;
        let entries: Vec<&[u8]> = listed.split(|&byte| byte == 0).filter(|entry| !entry.is_empty()).collect();
        let mut paths = Vec::new();
        for entry in &entries {
            let path = entry.splitn(2, |&byte| byte == b'\t').nth(1).unwrap_or_default();
            let path = files::path_of(path);
            if entry.starts_with(b"120000 ") {
                let words = format!("{} is a symbolic link\nhelp: name its target instead", path.display());
                return Ok(Break(self.obstacle(&words)));
            }
            paths.push(path);
        }
        let version = match self.version(environment)? {
            Continue(version) => version,
            Break(seen) => return Ok(Break(seen)),
        };
        let variables = &self.run.options.env;
        let mut words = json!({
            "environment": environment,
            "files": entries.iter().map(|entry| String::from_utf8_lossy(entry)).collect::<Vec<_>>(),
            "listed": sha256_hex(&listed),
            "version": String::from_utf8_lossy(&version),
            "system": [std::env::consts::OS, std::env::consts::ARCH],
            "env": variables.iter().map(|(name, value)| json!([name, sha256_hex(value.as_bytes())])).collect::<Value>(),
        });
        let mut digits = sha256_hex(words.to_string().as_bytes());
        digits.truncate(DIGITS);
        // Values can be secrets, and digests of short values can be guessed.
        words["env"] = variables.iter().map(|(name, _)| name.as_str()).collect();
        Ok(Continue(Key { digits, files: paths, words }))
    }

    /// Returns the output of the environment's `version` command.
    fn version(&mut self, environment: &Environment) -> Result<ControlFlow<Observation, Vec<u8>>, Error> {
        let Some(words) = &environment.version else { return Ok(Continue(Vec::new())) };
        let (name, timeout) = ("environment's version", self.run.options.stage_timeout);
        let (finished, printed) =
            self.finish(Step { name, words, timeout, variables: Vec::new(), changes: &[], input: None, stdout: None })?;
        if let Some(seen) = self.run.judge_part(Stage::Setup, name, words, &finished, &printed)? {
            return Ok(Break(seen));
        }
        let read = printed.read(self.run.log);
        read.map(Continue).map_err(|error| git::io(format!("reading {}", self.run.log.display()), &error))
    }

    /// Waits until another run has created the environment, or creates it.
    fn found(
        &mut self,
        environment: &Environment,
        above: &Path,
        key: &Key,
    ) -> Result<ControlFlow<Observation, InUse>, Error> {
        let looking = |error: &io::Error| git::io(format!("looking for an environment in {}", above.display()), error);
        let limit = self.run.options.stage_timeout;
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        loop {
            match store::look(above, &key.digits).map_err(|error| looking(&error))? {
                Found::Ready(found) => return Ok(Continue(found)),
                Found::Missing(making) => match self.make(environment, key, making)? {
                    Continue(None) => {}
                    Continue(Some(made)) => return Ok(Continue(made)),
                    Break(seen) => return Ok(Break(seen)),
                },
                Found::Busy => {}
            }
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                let seconds = limit.unwrap_or_default().as_secs_f64();
                let words = format!("another run is still creating the environment after {seconds} s");
                let seen = self.obstacle(&words);
                return Ok(Break(doubts::with(seen, Some(doubts::late_stage(&words)))));
            }
            // An interruption ends the wait early.
            let _ = self.how.active.events.recv_timeout(POLL);
            if self.how.active.stopped() || !(self.how.keep_going)() {
                return Err(Error::Interrupted);
            }
        }
    }

    /// Creates an environment. Returns `None` if another run took it immediately after it was ready.
    fn make(
        &mut self,
        environment: &Environment,
        key: &Key,
        making: Making,
    ) -> Result<ControlFlow<Observation, Option<InUse>>, Error> {
        let folder = making.folder().to_owned();
        let failed = |error: &io::Error| git::io(format!("creating the environment {}", folder.display()), error);
        let links: Vec<PathBuf> = environment.links().collect();
        self.work_tree.clear(&links).map_err(|error| failed(&error))?;
        let timeout = self.run.options.stage_timeout;
        let input = Some(making.input().map_err(|error| failed(&error))?);
        let variables = vec![(VARIABLE, folder.clone())];
        let step =
            Step { name: NAME, words: &environment.command, timeout, variables, changes: &[], input, stdout: None };
        let (finished, printed) = self.finish(step)?;
        let seen = self.run.judge_part(Stage::Setup, NAME, &environment.command, &finished, &printed)?;
        if let Some(seen) = seen {
            return Ok(Break(seen));
        }
        self.work_tree.give_up(&links, &folder, self.how)?;
        let origin = Origin { tree: self.work_tree.folder(), links: &links, files: &key.files };
        if let Some(path) = pointers::leading_back(&folder, &origin).map_err(|error| failed(&error))? {
            let words = format!(
                "it refers to the worktree in which it was created ({}), which has only one revision. Install the \
                 dependencies there, but not the project",
                path.display()
            );
            return Ok(Break(self.obstacle(&words)));
        }
        // The command ran only in this worktree. Restoring the worktree gives all runs the same files.
        self.work_tree.restore(self.how)?;
        self.work_tree.place_files(self.carried)?;
        Ok(Continue(making.end(&format!("{:#}\n", key.words)).map_err(|error| failed(&error))?))
    }

    /// Returns the observation of a revision without an environment.
    fn obstacle(&mut self, words: &str) -> Observation {
        let words = format!("{NAME}: {words}");
        // The note also has these words.
        self.log(&words);
        self.run.not_tested(Stage::Setup, &words, self.run.rules.signatures.sign_words(&words, self.run.tree))
    }
}
