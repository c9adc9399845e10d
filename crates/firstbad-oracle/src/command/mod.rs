//! A command as an oracle: a revision's tree in a work tree of our own, the command run there, its ending judged.

mod environment;
pub(crate) mod execution;
mod fresh_build;
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
use crate::worktree::work_tree::Preparation;

/// How a command is run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunKind {
    /// Whether failures get a signature regardless of [`CommandOptions::signatures`], for searches that compare failures.
    pub signed: bool,
    /// Whether the run builds from a clean worktree regardless of [`CommandOptions::keep_build`], for a run that
    /// [confirms](firstbad::Probe::confirms) a result.
    pub fresh: bool,
}

/// Runs one command for any revision of a repository, each run in a work tree that holds that revision and nothing
/// else.
///
/// The work trees are little repositories of their own outside the user's checkout; they borrow the user's objects and
/// have its refs under their own names as they were when the oracle was made, before each run: `git describe` works, `main`
/// is the local branch and `origin/main` the remote-tracking one. They are reused from run to run and removed by [`CommandOracle::close`], when this is dropped, or, should
/// the process be killed, when the next oracle of the same repository is made. Submodules are filled only where
/// [`CommandOptions::submodules`] says so. Environments ([`CommandOptions::environment`]) stay for later oracles.
///
/// May be shared between threads; every call of [`CommandOracle::run`] takes a free work tree or makes a new one.
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
    /// How many runs had a patch.
    pub(crate) patched: AtomicU64,
    /// The file with the definitions that tracers look at, once there is one.
    pub(crate) definitions: OnceLock<PathBuf>,
}

/// How long git may take to list the files that change between two revisions, and how much it may print: a run waits for it.
const COMPARING: Duration = Duration::from_secs(1);
const MOST_NAMES: u64 = 16 << 20;

/// Parses the patches that are applied to every revision.
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

/// Returns the folder above all worktrees.
fn pools(repository: &Repository, options: &CommandOptions) -> Result<PathBuf, Error> {
    let pools = match &options.worktrees {
        Some(folder) => absolute(folder)?,
        None => cache::folder(Some(repository))?.join("worktrees"),
    };
    if cache::is_inside(&pools, repository) {
        // Programs search parent folders for configuration and would find that of the checkout.
        return Err(Error::invalid("worktrees", &pools, "a folder outside the repository's own work tree"));
    }
    Ok(pools)
}

/// Returns the folder for the output of runs.
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
    /// An oracle that runs `command` (a program and its arguments, no shell) in a work tree of the revision asked for.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an empty command, also of a stage, for an expression that is none, or for work trees inside the user's own; [`Error::Io`],
    /// [`Error::Git`].
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

    /// Runs the command for a revision (a full sha, or anything that git understands) and waits for it. Processes
    /// that it leaves running are ended.
    ///
    /// The observation has the outcome, the command's own wall time as `seconds`, its `memory`, the file with what it
    /// printed as `output`, and a `note` that says how it ended and where its output is; where it did not pass also the
    /// `stage`, and where it is unresolved the `signature` (see [`CommandOptions::signatures`]). If a fix-up, a submodule
    /// or a stage before the test kept it from being run, there are neither `seconds` nor `memory`.
    ///
    /// What the test writes into the file that `FIRSTBAD_SIGNALS` names is the observation's `signals`: one JSON object of at
    /// most 16 MiB. A test that is killed, or ended for its time, has none.
    ///
    /// # Errors
    /// [`Error::CommandNotFound`] for a program, also that of a stage, that does not exist or for exit codes 126 and 127;
    /// [`Error::CommandStopped`] if the ending means `stop`; [`Error::Interrupted`];
    /// [`Error::UnknownRevision`]; [`Error::MissingObjects`] in a partial clone; [`Error::Retry`] where the network kept it from
    /// what it was to fetch; [`Error::Git`] and [`Error::Io`] if the work tree could not be made;
    /// [`Error::InvalidArgument`] that names `FIRSTBAD_SIGNALS` and the place in it, for signals that are no JSON object.
    /// None of them says anything about the revision.
    pub fn run(&self, revision: &str) -> Result<Observation, Error> {
        self.run_until(revision, &mut || true)
    }

    /// As [`CommandOracle::run`], and asks `keep_going` on the calling thread at least every 50 milliseconds; when
    /// that says false, all processes of the run are ended and [`Error::Interrupted`] is returned.
    ///
    /// # Errors
    /// Those of [`CommandOracle::run`].
    pub fn run_until(&self, revision: &str, keep_going: &mut dyn FnMut() -> bool) -> Result<Observation, Error> {
        self.run_as(revision, None, RunKind::default(), keep_going)
    }

    /// As [`CommandOracle::run`], in a work tree of the revision with a patch applied to it, as
    /// [`Repository::diff`] makes them and [`Patch::subset`] takes parts of them.
    ///
    /// The command finds the revision checked out, and what the patch changes in the index and in the work tree,
    /// not committed: `git status` shows it, and new files are among those that `git ls-files` lists. The variable
    /// `FIRSTBAD_PATCH` names a file with the patch outside the work tree. An empty patch changes nothing.
    ///
    /// A patch that does not apply to the revision is no error: the revision with it is unresolved at the stage `patch`, the note
    /// names the file and the hunk, and as no command was run there are neither `seconds` nor `output`.
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
    /// [`Error::PatchSyntax`] for a text that is no patch, and those of [`CommandOracle::run`].
    pub fn run_patched(&self, revision: &str, patch: &[u8]) -> Result<Observation, Error> {
        self.run_patched_until(revision, patch, &mut || true)
    }

    /// As [`CommandOracle::run_patched`], with the `keep_going` of [`CommandOracle::run_until`].
    ///
    /// # Errors
    /// Those of [`CommandOracle::run_patched`].
    pub fn run_patched_until(
        &self,
        revision: &str,
        patch: &[u8],
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Observation, Error> {
        self.run_as(revision, Some(patch), RunKind::default(), keep_going)
    }

    /// As [`CommandOracle::run_until`], or with a patch [`CommandOracle::run_patched_until`], with a signature for a
    /// failure too, whatever [`CommandOptions::signatures`] says: for searches that compare failures.
    ///
    /// Such searches start with the whole patch, and parts of the patch can hang. If the options have no timeout, a run with a part
    /// can take ten times as long as the slowest run with the most changes on that revision, and at least five seconds. The same
    /// limit applies to each stage if there is no `stage_timeout`.
    ///
    /// # Errors
    /// Those of [`CommandOracle::run_patched`].
    pub fn run_with_signature(
        &self,
        revision: &str,
        patch: Option<&[u8]>,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Observation, Error> {
        self.run_as(revision, patch, RunKind { signed: true, fresh: false }, keep_going)
    }

    /// Runs the command as [`CommandOracle::run_until`] or, with a patch, [`CommandOracle::run_patched_until`] does. `kind` selects
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
        let seen = match complete.and_then(|()| self.see(&mut work_tree, &revision, patch, kind, &mut how)) {
            Ok(seen) => {
                self.network.answered();
                Ok(seen)
            }
            Err(conflict @ Error::PatchConflict { .. }) => {
                Ok(patched::unresolved(&conflict, &self.rules.signatures, work_tree.folder()))
            }
            Err(error @ (Error::Interrupted | Error::MissingObjects { .. } | Error::Retry { .. })) => Err(error),
            // The network may be there the next time.
            Err(Error::Git { message }) if is_network(&message) => {
                self.network.failed();
                Err(Error::Retry { revision: revision.clone(), reason: message, output: "none".to_owned() })
            }
            Err(Error::Git { message }) if !self.options.lfs && is_of_lfs(&message) => {
                let advice =
                    concat!("the revision's large files are kept by Git LFS: ", option!(lfs = true), " fetches them");
                Err(Error::Git { message: format!("{message}; {advice}") })
            }
            // A sha that git has never heard of deserves a better word than what checkout says.
            Err(error) => Err(self.repository.resolve(&revision).err().unwrap_or(error)),
        };
        // Whatever happened to it, it makes itself clean or anew when it is taken the next time.
        self.pool.give(work_tree);
        seen
    }

    /// Has a work tree hold a revision and nothing else, for a run that likely comes: of it, or of one near it. It is one that no
    /// run uses, or a new one if there are none at all, or all runs are at their commands. Runs nothing; returns at once where one
    /// holds it already. For a thread beside the one that finds out what to ask first, and then while tests run
    /// ([`Run::upcoming`](firstbad::Run::upcoming), [`CommandOracle::testing_for`]). Where builds go on from what earlier ones left,
    /// and where objects or large files would have to be fetched for it, only the very first one is made like that.
    ///
    /// # Errors
    /// Those of [`CommandOracle::run`] for a work tree that could not be made. They are no reason to end anything: the next run
    /// makes its own, and says what is wrong.
    pub fn check_out(&self, revision: &str) -> Result<(), Error> {
        self.check_out_until(revision, &mut || true)
    }

    /// As [`CommandOracle::check_out`], with the `keep_going` of [`CommandOracle::run_until`].
    ///
    /// # Errors
    /// Those of [`CommandOracle::check_out`].
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

    /// For how long all its runs have been at their commands; `None` if there are none, or if a work tree is made ready. What is
    /// made ready then competes with no other checkout.
    #[must_use]
    pub fn testing_for(&self) -> Option<Duration> {
        self.control.testing_for()
    }

    /// How many files change from a revision to another, where that says what there is to build; `None` if it does not, or is
    /// not known in time.
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

    /// Shows the tests of later runs which definitions tracers are to look at: a file with this text.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(crate) fn show_definitions(&self, text: &[u8]) -> Result<(), Error> {
        let path = self.pool.folder().join("definitions.json");
        let written = trees::fresh(&path).and_then(|mut file| file.write_all(text));
        written.map_err(|error| making(&path, &error))?;
        // It is the same file the second time.
        let _ = self.definitions.set(path);
        Ok(())
    }

    /// Limits each later run to ten times the slowest earlier run, and at least five seconds, unless the options have a timeout. The
    /// first run has no limit.
    pub fn limit_by_earlier_runs(&self) {
        self.is_limited.store(true, Ordering::Relaxed);
    }

    /// Records how many seconds the test took with the whole patch in an earlier process. See
    /// [`CommandOracle::run_with_signature`].
    pub fn expect_seconds(&self, seconds: f64) {
        self.patience.expect(seconds);
    }

    /// Ends every running command with all processes of its group: their [`CommandOracle::run`] returns
    /// [`Error::Interrupted`], and so do all later ones until [`CommandOracle::resume`]. Does not wait for that.
    pub fn interrupt(&self) {
        self.control.interrupt();
    }

    /// Kills every running command with all processes of its group, and allows no further runs. Waits at most a quarter
    /// of a second for that. For a process that is about to exit: work trees are left to the next oracle of the same
    /// repository, or to [`CommandOracle::close`].
    pub fn kill(&self) {
        self.control.kill();
    }

    /// Allows runs again after [`CommandOracle::interrupt`].
    pub fn resume(&self) {
        self.control.resume();
    }

    /// For a process that has just been forked: leaves all that runs to the process that made this. Only that one may go
    /// on using it, and without this call what runs would outlive it as long as the fork lives.
    pub fn forked(&self) {
        self.control.forked();
    }

    /// What the tests that it runs are called, as far as the command says ([`tests_of_command`]).
    ///
    /// # Errors
    /// Those of [`CommandOracle::record`].
    pub fn tests(&self) -> Result<Vec<String>, Error> {
        Ok(tests_of_command(&self.record().command))
    }

    /// Whether its builds go on from what earlier ones left in the same work tree ([`CommandOptions::keep_build`]).
    #[must_use]
    pub fn is_incremental(&self) -> bool {
        self.options.keep_build
    }

    /// Whether it runs a [control](CommandOptions::control) after a test that fails.
    #[must_use]
    pub fn is_controlled(&self) -> bool {
        self.options.control.is_some()
    }

    /// Returns the new notices about the test. Call it after creating the oracle, before the first run, and after each run.
    pub fn take_notices(&self) -> Vec<Notice> {
        self.notices.take()
    }

    /// What the test is, as a journal keeps it.
    #[must_use]
    pub fn record(&self) -> TestRecord {
        TestRecord::of(&self.command, &self.options)
    }

    /// The paths of the files that lie in every work tree whose revision has none of that path ([`CommandOptions::carry`]).
    pub fn carried(&self) -> impl Iterator<Item = &str> {
        self.carried.keys().map(String::as_str)
    }

    /// The folder with the output of every run.
    #[must_use]
    pub fn output_dir(&self) -> &Path {
        self.output.path()
    }

    /// Interrupts for good, waits until no command runs any more, ends what they left running in other process groups, and
    /// removes all work trees; the output stays. What takes longer than two seconds goes on in a process that outlives
    /// this one. Does nothing the second time or in a fork of the process that made the
    /// oracle, and is done by itself when the oracle is dropped.
    ///
    /// # Errors
    /// [`Error::Io`] if something could not be removed; the next oracle of the same repository tries again. It says nothing
    /// about the answers: a reason for a warning, and not to lose them.
    pub fn close(&self) -> Result<(), Error> {
        if self.control.is_fork() {
            return Ok(());
        }
        self.control.close();
        self.pool.remove(removal::PATIENCE)
    }
}

/// Whether git could not check a file out because Git LFS did not find it.
fn is_of_lfs(words: &str) -> bool {
    words.contains("smudge filter lfs failed") || words.contains("git-lfs")
}

impl Drop for CommandOracle {
    fn drop(&mut self) {
        // There is nobody to tell, and the next oracle removes what is left.
        let _ = self.close();
    }
}
