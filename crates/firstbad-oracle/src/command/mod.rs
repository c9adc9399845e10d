//! Runs a command for a revision in a private worktree and judges the outcome.

mod environment;
pub(crate) mod execution;
mod fresh_build;
mod kept_build;
pub(crate) mod prepare;
mod tracing;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use firstbad::suspicion::tests_of_command;
use firstbad::{Error, Observation, Patch, option};
use firstbad_git::cache::{self, absolute, making};
use firstbad_git::{Repository, Template, git, is_network};
use firstbad_platform::leftovers::removal;
use firstbad_platform::trees;

use crate::checkout::Checkout;
use crate::checkout::carry::{carried_files, has_file};
use crate::environment::Environments;
use crate::judging::judge::Rules;
use crate::judging::patience::Patience;
use crate::notices::{Notice, Notices};
use crate::options::CommandOptions;
use crate::options::carried::{CarriedFile, CopyFiles};
use crate::process::control::Control;
use crate::process::launch;
use crate::process::output::Output;
use crate::record::TestRecord;
use crate::worktree::filters::Filters;
use crate::worktree::lfs::Lfs;
use crate::worktree::network::Network;
use crate::worktree::patched;
use crate::worktree::pool::Pool;
use crate::worktree::sources::Sources;
use crate::worktree::work_tree::{Preparation, WorkTree};

/// Options of a single run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunKind {
    /// Whether failures get a signature regardless of [`CommandOptions::distinguish_failures`], for searches that compare failures.
    pub signed: bool,
    /// Whether the run builds in a clean worktree regardless of [`CommandOptions::keep_build`], for a run that
    /// [confirms](firstbad::Probe::confirms) a result.
    pub fresh: bool,
}

/// An oracle that runs a command for any revision of a repository.
///
/// Each run has a worktree that contains the revision and nothing else. Worktrees are small private repositories outside the
/// user's checkout that borrow the user's objects. Before each run, they get the refs that the repository had when the oracle was
/// created, so `git describe` works, `main` is the local branch, and `origin/main` is the remote-tracking branch.
///
/// Later runs reuse worktrees. [`CommandOracle::close`] removes them, and so does dropping the oracle. If the process is killed,
/// the next oracle of the same repository removes them. Environments ([`CommandOptions::environment`]) stay for later oracles.
///
/// Threads can share the oracle. Each run takes a free worktree or creates one.
#[derive(Debug)]
pub struct CommandOracle {
    pub(crate) repository: Repository,
    pub(crate) command: Vec<String>,
    pub(crate) options: CommandOptions,
    pub(crate) rules: Rules,
    pub(crate) apply_patches: Vec<Patch>,
    pub(crate) carried: BTreeMap<String, CarriedFile>,
    pub(crate) checkout: Checkout,
    pub(crate) notices: Notices,
    filters: Filters,
    sources: Option<Sources>,
    pub(crate) environments: Option<Environments>,
    pub(crate) output: Output,
    template: Template,
    pool: Pool,
    control: Control,
    network: Network,
    /// The default time limits for parts of a patch.
    pub(crate) patience: Patience,
    /// Whether the limits also apply to runs without a patch.
    pub(crate) is_limited: AtomicBool,
    /// The number of runs with a patch.
    pub(crate) patched: AtomicU64,
    /// The file with the definitions for tracers.
    pub(crate) definitions: OnceLock<PathBuf>,
}

/// Observes a revision in a worktree.
pub(crate) type See<'a> = dyn FnMut(&mut WorkTree, &str, &mut Preparation<'_, '_>) -> Result<Observation, Error> + 'a;

/// The maximum time for Git to list the files that differ between two revisions, and the maximum size of its output. A run waits
/// for the list.
const COMPARING: Duration = Duration::from_secs(1);
const MOST_NAMES: u64 = 16 << 20;

fn apply_patches(options: &CommandOptions) -> Result<Vec<Patch>, Error> {
    let parsed = options.apply_patches.iter().enumerate().map(|(place, text)| {
        Patch::parse(text).map_err(|error| match error {
            Error::PatchSyntax { line, message } => {
                Error::PatchSyntax { line, message: format!("apply_patches[{place}]: {message}") }
            }
            other => other,
        })
    });
    parsed.collect()
}

fn pools(repository: &Repository, options: &CommandOptions) -> Result<PathBuf, Error> {
    let pools = match &options.worktrees {
        Some(folder) => absolute(folder)?,
        None => cache::folder(Some(repository))?.join("worktrees"),
    };
    if cache::is_inside(&pools, repository) {
        // Programs search parent folders for configuration and would find that of the checkout.
        return Err(Error::invalid("worktrees", &pools, "a folder outside the repository's worktree"));
    }
    Ok(pools)
}

fn output(repository: &Repository, options: &CommandOptions, name: &str) -> Result<Output, Error> {
    if let Some(folder) = &options.output_dir {
        let folder = absolute(folder)?;
        std::fs::create_dir_all(&folder).map_err(|error| making(&folder, &error))?;
        return Ok(Output::given(folder));
    }
    let above = cache::folder(Some(repository))?.join("output");
    Output::cached(&above, name).map_err(|error| making(&above, &error))
}

impl CommandOracle {
    /// Creates an oracle that runs `command` (a program and its arguments, no shell) in worktrees of this repository.
    ///
    /// # Errors
    /// - [`Error::InvalidArgument`] if the command of the test or of a stage is empty, if an option is invalid, or if the folder
    ///   for worktrees is inside the user's worktree.
    /// - [`Error::Io`] or [`Error::Git`] if the repository cannot be read or the folders cannot be created.
    pub fn new(repository: &Repository, command: Vec<String>, options: CommandOptions) -> Result<Self, Error> {
        if command.first().is_none_or(String::is_empty) {
            return Err(Error::invalid("command", &command, "a program and its arguments"));
        }
        options.check_stages().and_then(|()| options.check_time_limit())?;
        let carried = carried_files(repository, &command, &options)?.carried;
        let is_known = |name: &str| has_file(repository, name);
        launch::check_words("command", &command, &options.env, is_known)?;
        for (stage, words) in options.before() {
            launch::check_words(stage.as_str(), words, &options.env, is_known)?;
        }
        let preset = options.preset.of(&command).into();
        let options = CommandOptions { copy_files: CopyFiles::Files(carried.clone()), preset, ..options };
        let (checkout, found) = Checkout::of(repository, &command, &options)?;
        let notices = Notices::default();
        notices.add(found);
        let rules = Rules::of(&options)?.suspecting(&command, &options);
        let apply_patches = apply_patches(&options)?;
        let (name, pools) = (cache::name(repository), pools(repository, &options)?);
        let environments = Environments::of(repository, &options)?;
        let output = output(repository, &options, &name)?;
        let filters = Filters::of(repository, &options);
        notices.add(filters.notices(repository));
        let mut template = Template::of(repository)?.with_config(&filters.config(repository));
        template = template.with_attributes(filters.attributes().map(<[u8]>::to_vec));
        let control = Control::new();
        let pool = Pool::open(&pools.join(&name), control.marker())?;
        if options.lfs {
            let lfs = Lfs::of(repository, pool.folder())?;
            template = template.with_config(&lfs.config).with_checkout_settings(lfs.headers);
        }
        let sources = options.submodules.then(|| Sources::new(pool.folder().join("submodules")));
        let (repository, patched) = (repository.clone(), AtomicU64::new(0));
        Ok(CommandOracle {
            repository,
            command,
            options,
            rules,
            apply_patches,
            carried,
            checkout,
            notices,
            filters,
            sources,
            environments,
            output,
            template,
            pool,
            control,
            network: Network::default(),
            patience: Patience::default(),
            is_limited: AtomicBool::new(false),
            patched,
            definitions: OnceLock::new(),
        })
    }

    /// Runs the command for a revision and waits until it ends. Kills processes that the command leaves running. `revision` is a
    /// full commit id or any other name that Git understands.
    ///
    /// The observation contains:
    ///
    /// - the outcome and a `note` that says how the run ended and where its output is
    /// - `seconds`, the wall time of the command, and `memory`
    /// - `output`, the file with the output
    /// - the `stage` if the revision did not pass, and a `signature` if it is unresolved (see [`CommandOptions::distinguish_failures`])
    /// - `signals`, the JSON object that the test wrote to the file in `FIRSTBAD_SIGNALS`, at most 16 MiB
    ///
    /// If a patch, a submodule, or an earlier stage prevents the test, there are no `seconds` and no `memory`. A test that is
    /// killed or exceeds its time limit has no `signals`.
    ///
    /// # Errors
    /// No error says anything about the revision.
    ///
    /// - [`Error::CommandNotFound`] if the program of the test or of a stage does not exist, or exits with 126 or 127.
    /// - [`Error::CommandStopped`] if the verdict of the run is `stop`.
    /// - [`Error::Retry`] if the verdict is `retry`, or if the network fails during a fetch.
    /// - [`Error::Interrupted`] if the run is interrupted.
    /// - [`Error::UnknownRevision`] if there is no such revision.
    /// - [`Error::MissingObjects`] if objects are missing in a partial clone.
    /// - [`Error::Git`] or [`Error::Io`] if the worktree cannot be prepared.
    /// - [`Error::InvalidArgument`] for `FIRSTBAD_SIGNALS` if the signals are not a JSON object, with the position in the file.
    pub fn run(&self, revision: &str) -> Result<Observation, Error> {
        self.run_until(revision, &mut || true)
    }

    /// Runs the command like [`CommandOracle::run`] until `keep_going` returns false.
    ///
    /// Calls `keep_going` on the calling thread at least every 50 milliseconds. When it returns false, kills all processes of the
    /// run and returns [`Error::Interrupted`].
    ///
    /// # Errors
    /// The errors of [`CommandOracle::run`].
    pub fn run_until(&self, revision: &str, keep_going: &mut dyn FnMut() -> bool) -> Result<Observation, Error> {
        self.run_as(revision, None, RunKind::default(), keep_going)
    }

    /// Runs the command like [`CommandOracle::run`], with a patch applied to the revision. [`Repository::diff`] creates patches,
    /// and [`Patch::subset`] selects parts of them.
    ///
    /// The changes of the patch are in the index and in the worktree, but not committed: `git status` shows them, and `git
    /// ls-files` lists new files. `FIRSTBAD_PATCH` names a file with the patch outside the worktree. An empty patch changes
    /// nothing.
    ///
    /// If the patch does not apply, the revision is unresolved at the stage `patch`. The note names the file and the hunk.
    /// Because no command runs, the observation has no `seconds` and no `output`.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), firstbad::Error> {
    /// # let repository = firstbad_git::Repository::open(".")?;
    /// # let command = vec!["make".into(), "test".into()];
    /// # let oracle = firstbad_oracle::CommandOracle::new(&repository, command, Default::default())?;
    /// let patch = firstbad::Patch::parse(&repository.diff("v1.0", "v1.1")?)?;
    /// let first_change = patch.subset(&[0])?;
    /// println!("{}", oracle.run_patched("v1.0", first_change.as_bytes())?.describe());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::PatchSyntax`] if the text is not a patch, and the errors of [`CommandOracle::run`].
    pub fn run_patched(&self, revision: &str, patch: &[u8]) -> Result<Observation, Error> {
        self.run_patched_until(revision, patch, &mut || true)
    }

    /// Runs the command like [`CommandOracle::run_patched`] until `keep_going` returns false, as in [`CommandOracle::run_until`].
    ///
    /// # Errors
    /// The errors of [`CommandOracle::run_patched`].
    pub fn run_patched_until(
        &self,
        revision: &str,
        patch: &[u8],
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Observation, Error> {
        self.run_as(revision, Some(patch), RunKind::default(), keep_going)
    }

    /// Runs the command like [`CommandOracle::run_until`] or, with a patch, [`CommandOracle::run_patched_until`], and adds a
    /// signature to failures regardless of [`CommandOptions::distinguish_failures`]. For searches that compare failures.
    ///
    /// Such searches start with the whole patch, and parts of the patch can hang. If the options have no timeout, a run with a
    /// part can take ten times as long as the slowest run with the most changes on that revision, and at least five seconds. The
    /// same limit applies to each stage if there is no `stage_timeout`.
    ///
    /// # Errors
    /// The errors of [`CommandOracle::run_patched`].
    pub fn run_with_signature(
        &self,
        revision: &str,
        patch: Option<&[u8]>,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Observation, Error> {
        self.run_as(revision, patch, RunKind { signed: true, fresh: false }, keep_going)
    }

    /// Runs the command like [`CommandOracle::run_until`] or, with a patch, [`CommandOracle::run_patched_until`]. `kind` has
    /// further options.
    ///
    /// # Errors
    /// The errors of [`CommandOracle::run_patched`].
    pub fn run_as(
        &self,
        revision: &str,
        patch: Option<&[u8]>,
        kind: RunKind,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Observation, Error> {
        let signed = kind.signed || self.options.distinguish_failures;
        let patch = patch.map(Patch::parse).transpose()?;
        self.test(revision, patch.as_ref(), RunKind { signed, ..kind }, keep_going)
    }

    fn test(
        &self,
        revision: &str,
        patch: Option<&Patch>,
        kind: RunKind,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Observation, Error> {
        self.within(revision, keep_going, &mut |work_tree, revision, how| {
            self.see(work_tree, revision, patch, kind, how)
        })
    }

    /// Keeps the builds of this number of revisions in worktrees.
    pub(crate) fn keep_builds(&mut self, builds: usize) {
        self.pool.keep(builds);
    }

    /// Returns whether a free worktree has a build of a revision.
    pub(crate) fn has_build(&self, revision: &str) -> Result<bool, Error> {
        Ok(self.pool.has_build(&self.full_sha(revision)?))
    }

    /// Takes a worktree, and observes a revision in it with `see`.
    pub(crate) fn within(
        &self,
        revision: &str,
        keep_going: &mut dyn FnMut() -> bool,
        see: &mut See<'_>,
    ) -> Result<Observation, Error> {
        let active = self.control.enter()?;
        let revision = self.full_sha(revision)?;
        let mut going_on = || !active.stopped() && keep_going();
        self.network.wait(&mut going_on)?;
        let mut work_tree = self.pool.take(&revision, |held| self.changed(held, &revision), &mut going_on)?;
        let mut how = Preparation {
            template: &self.template,
            active: &active,
            keep_going,
            keep_build: self.options.keep_build,
            sources: self.sources.as_ref(),
        };
        self.notices.add(self.filters.at(&self.repository, &revision));
        let complete = self.repository.complete_revisions(&[&revision]);
        if matches!(complete, Err(Error::Retry { .. })) {
            self.network.failed();
        }
        let seen = match complete.and_then(|()| see(&mut work_tree, &revision, &mut how)) {
            Ok(seen) => {
                self.network.answered();
                Ok(seen)
            }
            Err(conflict @ Error::PatchConflict { .. }) => {
                Ok(patched::unresolved(&conflict, &self.rules.signatures, work_tree.folder()))
            }
            Err(error @ (Error::Interrupted | Error::MissingObjects { .. } | Error::Retry { .. })) => Err(error),
            // The next run may reach the network again.
            Err(Error::Git { message }) if is_network(&message) => {
                self.network.failed();
                Err(Error::Retry { revision: revision.clone(), reason: message, output: "none".to_owned() })
            }
            Err(Error::Git { message }) if !self.options.lfs && is_of_lfs(&message) => {
                let advice = concat!("set ", option!(lfs = true), " to fetch the Git LFS files of the revision");
                Err(Error::Git { message: format!("{message}\nhelp: {advice}") })
            }
            // For an unknown commit id, the error of `resolve` is clearer than that of the checkout.
            Err(error) => Err(self.repository.resolve(&revision).err().unwrap_or(error)),
        };
        // The next run that takes the worktree repairs it.
        self.pool.give(work_tree);
        seen
    }

    /// Prepares a worktree for a run that is likely to come, of this revision or of a similar one. Runs no command of the test,
    /// and returns immediately if a worktree already contains the revision.
    ///
    /// Takes a worktree that no run uses. Creates one only if there is none at all, or if all runs are executing their commands.
    /// With warm builds, and if objects or large files must be fetched, only the first worktree is prepared early.
    ///
    /// Call it from a separate thread while the search starts, and then while tests run. See
    /// [`Run::upcoming`](firstbad::Run::upcoming) and [`CommandOracle::testing_for`].
    ///
    /// # Errors
    /// The errors of [`CommandOracle::run`] for the worktree. You can ignore them, because the next run prepares its worktree
    /// itself and reports the problem.
    pub fn check_out(&self, revision: &str) -> Result<(), Error> {
        self.check_out_until(revision, &mut || true)
    }

    /// Prepares a worktree like [`CommandOracle::check_out`] until `keep_going` returns false, as in
    /// [`CommandOracle::run_until`].
    ///
    /// # Errors
    /// The errors of [`CommandOracle::check_out`].
    pub fn check_out_until(&self, revision: &str, keep_going: &mut dyn FnMut() -> bool) -> Result<(), Error> {
        let another = self.control.testing_for().is_some();
        let active = self.control.enter()?;
        let revision = self.full_sha(revision)?;
        let is_first = self.is_incremental() || self.options.lfs || self.repository.promisor().is_some();
        if is_first && !self.pool.is_unused() {
            return Ok(());
        }
        let Some(mut work_tree) = self.pool.begin(&revision, another) else { return Ok(()) };
        let mut how = Preparation {
            template: &self.template,
            active: &active,
            keep_going,
            keep_build: self.options.keep_build,
            sources: None,
        };
        let complete = self.repository.complete_revisions(&[&revision]);
        let made = complete.and_then(|()| work_tree.prepare(&revision, &mut how));
        work_tree.untouched = made.is_ok();
        self.pool.came(work_tree, &revision);
        made
    }

    /// Returns how long all current runs have been executing their commands. Returns `None` if there are no runs or if a worktree
    /// is being prepared. During this time, [`CommandOracle::check_out`] competes with no other checkout.
    #[must_use]
    pub fn testing_for(&self) -> Option<Duration> {
        self.control.testing_for()
    }

    /// Returns the number of files that differ between two revisions, as an estimate of the build. Returns `None` if builds are
    /// not kept or if Git takes too long.
    fn changed(&self, from: &str, to: &str) -> Option<usize> {
        if !self.is_incremental() {
            return None;
        }
        let mut command = self.repository.git();
        command.args(["diff-tree", "-r", "-z", "--no-renames", "--name-only", from, to, "--"]);
        let names = git::output_within(&mut command, b"", COMPARING, MOST_NAMES).ok()?;
        Some(names.iter().filter(|&&byte| byte == 0).count())
    }

    fn full_sha(&self, revision: &str) -> Result<String, Error> {
        let length = if self.repository.object_format() == "sha1" { 40 } else { 64 };
        let is_full =
            revision.len() == length && revision.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if is_full { Ok(revision.to_owned()) } else { self.repository.resolve(revision) }
    }

    /// Writes the definitions for tracers to a file for the tests of later runs.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be written.
    pub(crate) fn show_definitions(&self, text: &[u8]) -> Result<(), Error> {
        let path = self.pool.folder().join("definitions.json");
        let written = trees::fresh(&path).and_then(|mut file| file.write_all(text));
        written.map_err(|error| making(&path, &error))?;
        let _ = self.definitions.set(path);
        Ok(())
    }

    /// Limits each later run to ten times the slowest earlier run, and at least five seconds, unless the options have a timeout.
    /// The first run has no limit.
    pub fn limit_by_earlier_runs(&self) {
        self.is_limited.store(true, Ordering::Relaxed);
    }

    /// Records how many seconds the test took with the whole patch in an earlier process. See
    /// [`CommandOracle::run_with_signature`].
    pub fn expect_seconds(&self, seconds: f64) {
        self.patience.expect(seconds);
    }

    /// Interrupts all runs and kills their process groups, without waiting. The runs return [`Error::Interrupted`]. Later runs
    /// also return this error until [`CommandOracle::resume`] is called.
    pub fn interrupt(&self) {
        self.control.interrupt();
    }

    /// Kills the process groups of all runs and allows no further runs. Waits at most 250 milliseconds. Call it before the
    /// process exits. Worktrees stay for [`CommandOracle::close`] or for the next oracle of the same repository.
    pub fn kill(&self) {
        self.control.kill();
    }

    /// Allows runs again after [`CommandOracle::interrupt`].
    pub fn resume(&self) {
        self.control.resume();
    }

    /// Detaches this oracle in a process that was just forked. Only the process that created the oracle can use it. Without this
    /// call, the processes of runs outlive that process until the fork exits.
    pub fn forked(&self) {
        self.control.forked();
    }

    /// Returns the names of the tests that the command runs, as far as the command names them ([`tests_of_command`]).
    ///
    /// # Errors
    /// The errors of [`CommandOracle::record`].
    pub fn tests(&self) -> Result<Vec<String>, Error> {
        Ok(tests_of_command(&self.record().command))
    }

    /// Returns whether builds reuse the files of earlier builds in the same worktree ([`CommandOptions::keep_build`]).
    #[must_use]
    pub fn is_incremental(&self) -> bool {
        self.options.keep_build
    }

    /// Returns whether a [control command](CommandOptions::control) runs after a failing test.
    #[must_use]
    pub fn is_controlled(&self) -> bool {
        self.options.control.is_some()
    }

    /// Returns the new notices about the test. Call it after creating the oracle, before the first run, and after each run.
    pub fn take_notices(&self) -> Vec<Notice> {
        self.notices.take()
    }

    /// Returns the record of the test for a journal.
    #[must_use]
    pub fn record(&self) -> TestRecord {
        TestRecord::of(&self.command, &self.options)
    }

    /// Returns the paths of the files that are copied into every worktree whose revision does not have them
    /// ([`CommandOptions::copy_files`]).
    pub fn carried(&self) -> impl Iterator<Item = &str> {
        self.carried.keys().map(String::as_str)
    }

    /// Returns the folder with the output of all runs.
    #[must_use]
    pub fn output_dir(&self) -> &Path {
        self.output.path()
    }

    /// Interrupts all runs permanently, waits until their commands have ended, kills their remaining processes, and removes all
    /// worktrees. The output stays.
    ///
    /// If the removal takes more than two seconds, it continues in a process that outlives this one. Dropping the oracle has the
    /// same effect. A second call does nothing, and neither does a call in a forked process.
    ///
    /// # Errors
    /// [`Error::Io`] if a file could not be removed. The next oracle of the same repository tries again. All outcomes are valid,
    /// so report this error as a warning.
    pub fn close(&self) -> Result<(), Error> {
        if self.control.is_fork() {
            return Ok(());
        }
        self.control.close();
        self.pool.remove(removal::PATIENCE)
    }
}

/// Returns whether a checkout failed because Git LFS did not find a file.
fn is_of_lfs(words: &str) -> bool {
    words.contains("smudge filter lfs failed") || words.contains("git-lfs")
}

impl Drop for CommandOracle {
    fn drop(&mut self) {
        // A drop cannot report errors. The next oracle removes remaining files.
        let _ = self.close();
    }
}
