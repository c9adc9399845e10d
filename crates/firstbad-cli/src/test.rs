//! From the command line's words about the test to an oracle.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use firstbad::digest::sha256_hex;
use firstbad::{Error, Patch, Spelling};
use firstbad_git::Repository;
use firstbad_oracle::{
    CommandOptions, CommandOracle, Environment, FileOracle, ListOracle, Notice, Preset, PresetChoice, TestRecord,
    Verdict, files_named,
};
use firstbad_platform::programs;

use crate::args::TestArgs;
use crate::driver_record::DriverRecord;
use crate::{input, streams};

/// The test that the command line describes; what it leaves out is as in `before`, that of a journal.
///
/// # Errors
/// [`Error::InvalidArgument`] that names the option; [`Error::Io`] for a patch that cannot be read.
pub(crate) fn record(args: &TestArgs, before: TestRecord) -> Result<TestRecord, Error> {
    let TestRecord { command: theirs, options: before, kept } = before;
    let command = if args.command.is_empty() { theirs } else { args.command.clone() };
    let preset = match args.preset.as_deref() {
        Some(name) => preset(name)?.of(&command).into(),
        // The journal records the preset of the first run.
        None if args.command.is_empty() || before.preset != PresetChoice::Off => before.preset,
        None => PresetChoice::Auto.of(&command).into(),
    };
    let fixups = args.apply.iter().map(|path| {
        let failed = |message: String| Error::Io { action: format!("--apply: {}", path.display()), message };
        let text = input::read(path)?;
        Patch::parse(&text).map_err(|error| failed(error.to_string()))?;
        Ok(text)
    });
    let fixups = fixups.collect::<Result<Vec<_>, Error>>()?;
    let shell = |line: &Option<String>, before: Option<Vec<String>>| line.as_deref().map(shell).or(before);
    let options = CommandOptions {
        preset,
        exit_codes: exit_codes(args)?.unwrap_or(before.exit_codes),
        on_timeout: args.on_timeout.unwrap_or(before.on_timeout),
        on_signal: args.on_signal.unwrap_or(before.on_signal),
        fail_pattern: args.fail_pattern.clone().or(before.fail_pattern),
        timeout: args.timeout.or(before.timeout),
        pass_pattern: args.pass_pattern.clone().or(before.pass_pattern),
        setup: shell(&args.setup, before.setup),
        configure: shell(&args.configure, before.configure),
        build: shell(&args.build, before.build),
        control: shell(&args.control, before.control),
        stage_timeout: args.stage_timeout.or(before.stage_timeout),
        environment: environment(args)?.or(before.environment),
        apply_patches: if fixups.is_empty() { before.apply_patches } else { fixups },
        submodules: args.submodules || before.submodules,
        lfs: args.lfs || before.lfs,
        allow_filters: args.allow_filters || before.allow_filters,
        keep_build: args.keep_build || before.keep_build,
        output_limit: args.output_limit.unwrap_or(before.output_limit),
        ..before
    };
    Ok(TestRecord { command, options, kept })
}

/// Parses the value of `--preset`.
///
/// # Errors
/// [`Error::InvalidArgument`] if the name is unknown.
pub(crate) fn preset(name: &str) -> Result<PresetChoice, Error> {
    PresetChoice::from_str(name).map_err(|_| {
        let names: Vec<&str> = PresetChoice::NAMES.into_iter().chain(Preset::NAMES).collect();
        Error::invalid("--preset", name, format!("one of {}", names.join(", ")))
    })
}

/// What the options say of exit codes; `None` if they say nothing.
///
/// # Errors
/// [`Error::InvalidArgument`] for a code with two meanings.
fn exit_codes(args: &TestArgs) -> Result<Option<BTreeMap<i32, Verdict>>, Error> {
    let mut codes = BTreeMap::new();
    for (code, verdict) in &args.exit_code {
        if codes.insert(*code, *verdict).is_some_and(|before| before != *verdict) {
            return Err(Error::invalid("--exit-code", code, "one meaning for each exit code"));
        }
    }
    Ok((!codes.is_empty()).then_some(codes))
}

/// The words for a shell that runs a line.
fn shell(line: &str) -> Vec<String> {
    vec!["sh".to_owned(), "-c".to_owned(), line.to_owned()]
}

/// The environment that the options name or describe.
///
/// # Errors
/// [`Error::InvalidArgument`] that names the option.
fn environment(args: &TestArgs) -> Result<Option<Environment>, Error> {
    if let Some(line) = &args.environment_command {
        return Ok(Some(Environment {
            files: args.environment_file.clone(),
            command: shell(line),
            link: args.environment_link.clone(),
            version: args.environment_version.as_deref().map(shell),
        }));
    }
    let Some(name) = args.environment.as_deref() else { return Ok(None) };
    Environment::preset(name).map(Some).map_err(|_| {
        let expected = format!("one of {}, or --environment-command", Environment::NAMES.join(", "));
        Error::invalid("--environment", name, expected)
    })
}

/// What is tested, in words that are the same for the same test: all that its outcome may depend on.
///
/// # Errors
/// Those of [`TestRecord::value`].
pub(crate) fn words(test: &TestRecord) -> Result<String, Error> {
    let mut value = test.value()?;
    if let Some(fixups) = value.get_mut("apply_patches") {
        *fixups = test.options.apply_patches.iter().map(|patch| sha256_hex(patch)).collect();
    }
    for (path, file) in &test.kept.carried {
        value["carried"][path]["content"] = file.content.digest().into();
    }
    Ok(value.to_string())
}

/// The oracle that runs a test, with its output in this folder. `example` is a command line that has a test.
///
/// # Errors
/// [`Error::InvalidArgument`] that names the option; those of [`CommandOracle::new`].
pub(crate) fn oracle(
    repository: &Repository,
    test: &TestRecord,
    output_dir: Option<&Path>,
    example: &str,
) -> Result<CommandOracle, Error> {
    check_command(test, example)?;
    let options = CommandOptions { output_dir: output_dir.map(Path::to_owned), ..test.options()? };
    CommandOracle::new(repository, test.command.clone(), options)
}

/// Passes the new notes about a test to `note`. Returns the new warnings for the report.
pub(crate) fn say(oracle: &CommandOracle, note: &mut dyn FnMut(&str)) -> Vec<String> {
    let mut warnings = Vec::new();
    for notice in oracle.take_notices() {
        let text = notice.text(Spelling::CommandLine);
        match notice {
            Notice::Note(_) => note(&text),
            Notice::Warning(warning) => {
                streams::note(format_args!("warning: {text}"));
                warnings.push(warning);
            }
        }
    }
    warnings
}

/// The oracle that runs the test for these files, which are called `names`, in place of a revision; `keeps_failure` if
/// that is what it is for.
///
/// # Errors
/// [`Error::InvalidArgument`] that names the option; those of [`FileOracle::new`].
pub(crate) fn file_oracle(
    paths: &[PathBuf],
    names: &[PathBuf],
    args: &TestArgs,
    keeps_failure: bool,
) -> Result<FileOracle, Error> {
    check_no_work_trees(args, "with a file", "a patch: it is about work trees")?;
    let test = record(args, TestRecord::default())?;
    check_command(&test, "firstbad minimize input.c -- ./crashes.sh")?;
    let mut options = CommandOptions { output_dir: args.output_dir.clone(), ..test.options()? };
    // Parts of a file can make a program crash in any way, so signals do not stop the search.
    options.on_signal = args.on_signal.unwrap_or(Verdict::Fail);
    if !matches!(options.preset, PresetChoice::Is(_)) || args.preset.is_none() {
        for code in [126, 127] {
            options.exit_codes.entry(code).or_insert(Verdict::Unresolved);
        }
    }
    // Parts of a file can cause other failures than the whole file.
    options.distinguish_failures |= keeps_failure;
    let is_reduced = |path: &Path| paths.iter().chain(names).any(|reduced| is_same(reduced, path));
    FileOracle::new(from_anywhere(test.command, is_reduced), names, options)
}

/// # Errors
/// [`Error::InvalidArgument`] for an option that only applies to worktrees.
fn check_no_work_trees(args: &TestArgs, value: &str, expected: &str) -> Result<(), Error> {
    let work_trees = [
        ("--setup", args.setup.is_some()),
        ("--configure", args.configure.is_some()),
        ("--build", args.build.is_some()),
        ("--control", args.control.is_some()),
        ("--stage-timeout", args.stage_timeout.is_some()),
        ("--keep-build", args.keep_build),
        ("--environment", args.environment.is_some()),
        ("--environment-command", args.environment_command.is_some()),
        ("--apply", !args.apply.is_empty()),
        ("--submodules", args.submodules),
        ("--copy", !args.copy_files.is_empty()),
        ("--no-copy", args.no_copy),
        ("--lfs", args.lfs),
        ("--allow-filters", args.allow_filters),
    ];
    if let Some((option, _)) = work_trees.iter().find(|(_, given)| *given) {
        return Err(Error::invalid(*option, value, expected));
    }
    Ok(())
}

/// Creates the oracle for the ids of a list. It runs the test in the folder where the run was started.
///
/// # Errors
/// [`Error::InvalidArgument`] for an option that does not apply to a list, and the errors of [`ListOracle::new`].
pub(crate) fn list_oracle(args: &TestArgs, test: &TestRecord, driver: &DriverRecord) -> Result<ListOracle, Error> {
    check_no_work_trees(args, "with a list", "a search in a repository: it is about work trees")?;
    check_command(test, "firstbad run --list builds.txt -- ./test.sh {}")?;
    let options = CommandOptions { output_dir: driver.output_dir.clone(), ..test.options()? };
    let folder = driver.folder.as_deref().unwrap_or(Path::new("."));
    ListOracle::new(folder, test.command.clone(), options)
}

/// A command for another folder than this one: what names a file here, and looks like a path, is its whole path. Of
/// what else may name one, a user is told.
fn from_anywhere(mut command: Vec<String>, is_reduced: impl Fn(&Path) -> bool) -> Vec<String> {
    for (place, word) in command.iter_mut().enumerate() {
        let is_path = programs::is_path(word) || place > 0 && word.contains('.');
        if is_path
            && Path::new(word).is_file()
            && !is_reduced(Path::new(word))
            && let Ok(path) = std::path::absolute(&*word)
        {
            *word = path.to_string_lossy().into_owned();
        }
    }
    for path in files_named([command.as_slice()].into_iter()) {
        if path.is_relative() && !is_reduced(path) {
            let whole = std::path::absolute(path).unwrap_or_default();
            streams::note(format_args!(
                "the command runs in a folder of its own: if {} is the file here, write {}",
                path.display(),
                whole.display()
            ));
        }
    }
    command
}

/// Whether two paths from here lead to one place, however they are written.
fn is_same(one: &Path, other: &Path) -> bool {
    std::path::absolute(one).ok() == std::path::absolute(other).ok()
}

fn check_command(test: &TestRecord, example: &str) -> Result<(), Error> {
    if !test.command.is_empty() {
        return Ok(());
    }
    Err(Error::InvalidArgument {
        argument: "the command".into(),
        value: String::new(),
        expected: format!("the test after --, as in: {example}"),
    })
}
