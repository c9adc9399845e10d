//! From the command line's words about the test to an oracle.

use std::ffi::OsStr;
use std::str::FromStr as _;

use firstbad::{Error, Patch};
use firstbad_git::{Build, CommandOptions, CommandOracle, FileOracle, Preset, Repository, Verdict};

use crate::args::TestArgs;

/// The oracle that runs the test.
///
/// # Errors
/// [`Error::InvalidArgument`] that names the option; those of [`Repository::command_oracle`].
pub(crate) fn oracle(repository: &Repository, test: &TestArgs) -> Result<CommandOracle, Error> {
    if test.command.is_empty() {
        let expected = "the test after --, as in: firstbad run --good v1.0 --bad main -- make test";
        return Err(Error::InvalidArgument {
            argument: "the command".into(),
            value: "nothing".into(),
            expected: expected.into(),
        });
    }
    repository.command_oracle(test.command.clone(), options(test)?).map_err(as_option)
}

/// The oracle that runs the test for a file of this name, in place of a revision.
///
/// # Errors
/// [`Error::InvalidArgument`] that names the option; those of [`FileOracle::new`].
pub(crate) fn file_oracle(name: &OsStr, test: &TestArgs) -> Result<FileOracle, Error> {
    let work_trees = [
        ("--setup", test.setup.is_some()),
        ("--warm", test.warm),
        ("--fixup", !test.fixup.is_empty()),
        ("--submodules", test.submodules),
    ];
    if let Some((option, _)) = work_trees.iter().find(|(_, given)| *given) {
        return Err(Error::invalid(*option, "with a file", "a patch: it is about work trees"));
    }
    if test.command.is_empty() {
        let expected = "the test after --, as in: firstbad reduce input.c -- ./crashes.sh";
        return Err(Error::InvalidArgument {
            argument: "the command".into(),
            value: "nothing".into(),
            expected: expected.into(),
        });
    }
    let mut options = options(test)?;
    // Parts of a file do all kinds of things to a program, and none of them is a reason to stop.
    options.on_signal = Verdict::Fail;
    if options.preset.is_none() {
        options.exit_codes.extend([(126, Verdict::Unresolved), (127, Verdict::Unresolved)]);
    }
    FileOracle::new(test.command.clone(), name, options).map_err(as_option)
}

fn options(test: &TestArgs) -> Result<CommandOptions, Error> {
    let preset = test.preset.as_deref().map(|name| {
        Preset::from_str(name)
            .map_err(|_| Error::invalid("--preset", name, format!("one of {}", Preset::NAMES.join(", "))))
    });
    let fixups = test.fixup.iter().map(|path| {
        let text = std::fs::read(path).map_err(|error| Error::Io {
            action: format!("--fixup: reading {}", path.display()),
            message: error.to_string(),
        })?;
        Patch::parse(&text).map_err(|error| Error::Io {
            action: format!("--fixup: {}", path.display()),
            message: error.to_string(),
        })?;
        Ok(text)
    });
    let default = CommandOptions::default();
    Ok(CommandOptions {
        timeout: test.timeout,
        preset: preset.transpose()?,
        signature: test.signature.clone(),
        setup: test.setup.as_ref().map(|line| vec!["sh".to_owned(), "-c".to_owned(), line.clone()]),
        fixups: fixups.collect::<Result<_, Error>>()?,
        submodules: test.submodules,
        build: if test.warm { Build::Warm } else { Build::Fresh },
        output_dir: test.output_dir.clone(),
        output_limit: test.output_limit.unwrap_or(default.output_limit),
        ..default
    })
}

/// The error of an oracle that cannot be made, about the option that it comes from.
fn as_option(error: Error) -> Error {
    match error {
        Error::InvalidArgument { argument, value, expected } => {
            let argument = match argument.as_str() {
                "signature" => "--signature".to_owned(),
                "output_limit" => "--output-limit".to_owned(),
                _ => argument,
            };
            Error::InvalidArgument { argument, value, expected }
        }
        other => other,
    }
}
