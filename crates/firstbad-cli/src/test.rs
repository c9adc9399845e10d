//! Creates the oracle from the options.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::sync::{Mutex, PoisonError};

use firstbad::digest::sha256_hex;
use firstbad::{Error, Patch, Spelling};
use firstbad_git::Repository;
use firstbad_oracle::{
    CommandOptions, CommandOracle, Environment, FileOracle, ListOracle, MeasureOracle, Notice, Preset, PresetChoice,
    SuiteOracle, TestRecord, Verdict, files_named,
};
use firstbad_platform::programs;

use crate::args::{TestArgs, Treatment};
use crate::driver_record::DriverRecord;
use crate::{input, streams};

/// Returns the test of the command line. Missing options come from `before`, the test of a journal.
pub(crate) fn record(args: &TestArgs, before: TestRecord) -> Result<TestRecord, Error> {
    let TestRecord { command: theirs, options: before, suite, measure, kept } = before;
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
        on_timeout: args.on_timeout().unwrap_or(before.on_timeout),
        on_signal: args.on_signal().unwrap_or(before.on_signal),
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
    Ok(TestRecord { command, options, suite, measure, kept })
}

/// Parses the value of `--preset`.
pub(crate) fn preset(name: &str) -> Result<PresetChoice, Error> {
    PresetChoice::from_str(name).map_err(|_| {
        let names: Vec<&str> = PresetChoice::NAMES.into_iter().chain(Preset::NAMES).collect();
        Error::invalid("--preset", name, format!("one of {}", names.join(", ")))
    })
}

/// Returns the exit codes of `--treat`, or `None` if there are none.
fn exit_codes(args: &TestArgs) -> Result<Option<BTreeMap<i32, Verdict>>, Error> {
    let mut codes = BTreeMap::new();
    for treatment in &args.treat {
        if let Treatment::Code(code, verdict) = *treatment
            && codes.insert(code, verdict).is_some_and(|before| before != verdict)
        {
            return Err(Error::invalid("--treat", code, "one outcome for each exit code"));
        }
    }
    Ok((!codes.is_empty()).then_some(codes))
}

/// Returns the command that runs a line in a shell.
fn shell(line: &str) -> Vec<String> {
    vec!["sh".to_owned(), "-c".to_owned(), line.to_owned()]
}

/// Returns the environment of the options.
fn environment(args: &TestArgs) -> Result<Option<Environment>, Error> {
    if let Some(line) = &args.environment_command {
        if args.environment.is_some() {
            let expected = "either environment or environment-command";
            return Err(Error::invalid("environment-command", line, expected));
        }
        if args.environment_files.is_empty() {
            let expected = "environment-files as well: the files that determine the environment";
            return Err(Error::invalid("environment-command", line, expected));
        }
        return Ok(Some(Environment {
            files: args.environment_files.clone(),
            command: shell(line),
            link: args.environment_link.clone(),
            version: args.environment_version.as_deref().map(shell),
        }));
    }
    for (key, is_given) in [
        ("environment-files", !args.environment_files.is_empty()),
        ("environment-link", !args.environment_link.is_empty()),
        ("environment-version", args.environment_version.is_some()),
    ] {
        if is_given {
            return Err(Error::invalid_value(key, "given".to_owned(), "environment-command as well"));
        }
    }
    let Some(name) = args.environment.as_deref() else { return Ok(None) };
    Environment::preset(name).map(Some).map_err(|_| {
        let expected = format!("one of {}, or environment-command in firstbad.toml", Environment::NAMES.join(", "));
        Error::invalid("--environment", name, expected)
    })
}

/// Returns the key of a test: everything that can change its outcome.
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

/// Creates the oracle of a test. `example` is a command line for the error of a missing command.
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

/// Creates the oracle of a suite. `example` is a command line for the error of a missing command.
pub(crate) fn suite_oracle(
    repository: &Repository,
    test: &TestRecord,
    output_dir: Option<&Path>,
    example: &str,
) -> Result<SuiteOracle, Error> {
    check_command(test, example)?;
    let options = CommandOptions { output_dir: output_dir.map(Path::to_owned), ..test.options()? };
    let suite = test.suite.clone().unwrap_or_default();
    SuiteOracle::new(repository, test.command.clone(), &suite, options)
}

/// Creates the oracle of a measurement. `example` is a command line for the error of a missing command.
pub(crate) fn measure_oracle(
    repository: &Repository,
    test: &TestRecord,
    output_dir: Option<&Path>,
    example: &str,
) -> Result<MeasureOracle, Error> {
    check_command(test, example)?;
    let options = CommandOptions { output_dir: output_dir.map(Path::to_owned), ..test.options()? };
    let measure = test.measure.clone().unwrap_or_default();
    MeasureOracle::new(repository, test.command.clone(), &measure, options)
}

/// Returns the notices after a run, and keeps the warnings for the report.
pub(crate) fn late_warnings(oracle: &CommandOracle, kept: &Mutex<Vec<String>>) -> Vec<String> {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let said = oracle.take_notices().into_iter().map(|notice| {
        let text = notice.text(Spelling::CommandLine);
        match notice {
            Notice::Note(_) => text,
            Notice::Warning(warning) => {
                kept.push(warning);
                format!("warning: {text}")
            }
        }
    });
    said.collect()
}

/// Passes the new notes about a test to `note`. Returns the new warnings for the report.
pub(crate) fn say(oracle: &CommandOracle, note: &mut dyn FnMut(&str)) -> Vec<String> {
    let mut warnings = Vec::new();
    for notice in oracle.take_notices() {
        let text = notice.text(Spelling::CommandLine);
        match notice {
            Notice::Note(_) => note(&text),
            Notice::Warning(warning) => {
                streams::warning(&text);
                warnings.push(warning);
            }
        }
    }
    warnings
}

/// Creates the oracle that runs the test on files, which have these names in the folder of a run.
pub(crate) fn file_oracle(
    paths: &[PathBuf],
    names: &[PathBuf],
    args: &TestArgs,
    keeps_failure: bool,
) -> Result<FileOracle, Error> {
    check_no_work_trees(args, "with a file", "a patch, because this option applies to worktrees")?;
    let test = record(args, TestRecord::default())?;
    check_command(&test, "firstbad minimize input.c -- ./crashes.sh")?;
    let mut options = CommandOptions { output_dir: args.output_dir.clone(), ..test.options()? };
    // Parts of a file can make a program crash in any way, so signals do not stop the search.
    options.on_signal = args.on_signal().unwrap_or(Verdict::Fail);
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

/// Refuses options that only apply to worktrees.
fn check_no_work_trees(args: &TestArgs, value: &str, expected: &str) -> Result<(), Error> {
    let work_trees = [
        ("--setup", args.setup.is_some()),
        ("configure", args.configure.is_some()),
        ("--build", args.build.is_some()),
        ("control", args.control.is_some()),
        ("stage-timeout", args.stage_timeout.is_some()),
        ("--keep-build", args.keep_build),
        ("--environment", args.environment.is_some()),
        ("environment-command", args.environment_command.is_some()),
        ("--apply", !args.apply.is_empty()),
        ("submodules", args.submodules),
        ("--copy", !args.copy_files.is_empty()),
        ("lfs", args.lfs),
        ("--allow-filters", args.allow_filters),
    ];
    if let Some((option, _)) = work_trees.iter().find(|(_, given)| *given) {
        return Err(Error::invalid(*option, value, expected));
    }
    Ok(())
}

/// Creates the oracle of a list.
pub(crate) fn list_oracle(args: &TestArgs, test: &TestRecord, driver: &DriverRecord) -> Result<ListOracle, Error> {
    check_no_work_trees(args, "with a list", "a repository, because this option applies to worktrees")?;
    check_command(test, "firstbad run --list builds.txt -- ./test.sh {}")?;
    let options = CommandOptions { output_dir: driver.output_dir.clone(), ..test.options()? };
    let folder = driver.folder.as_deref().unwrap_or(Path::new("."));
    ListOracle::new(folder, test.command.clone(), options)
}

/// Makes the paths of a command absolute, because the command runs in another folder.
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
                "the test runs in another folder, for the file {} in this folder use {}",
                path.display(),
                whole.display()
            ));
        }
    }
    command
}

/// Returns whether two paths are the same file.
fn is_same(one: &Path, other: &Path) -> bool {
    std::path::absolute(one).ok() == std::path::absolute(other).ok()
}

fn check_command(test: &TestRecord, example: &str) -> Result<(), Error> {
    if !test.command.is_empty() {
        return Ok(());
    }
    Err(Error::InvalidArgument {
        argument: "COMMAND".into(),
        value: String::new(),
        expected: format!("no test command\nhelp: give the test after `--`, such as: {example}"),
    })
}
