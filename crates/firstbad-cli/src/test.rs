//! From the command line's words about the test to an oracle.

use firstbad::Error;
use firstbad_git::{CommandOptions, CommandOracle, Repository};

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
    repository.command_oracle(test.command.clone(), options(test)?)
}

fn options(test: &TestArgs) -> Result<CommandOptions, Error> {
    Ok(CommandOptions { timeout: test.timeout, output_dir: test.output_dir.clone(), ..CommandOptions::default() })
}
