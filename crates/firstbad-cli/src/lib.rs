//! The command line of `firstbad`: the same in the program, in the Python package and in the Node package.
//!
//! ```text
//! firstbad run --good v1.0 --bad main -- make test
//! ```
//!
//! Results go to standard output, everything said on the way to standard error. What an exit code means is in [`Exit`].

mod answer;
mod args;
mod bisect_log;
mod carry;
mod commands;
mod drive;
mod driver_record;
mod ending;
mod endpoint_output;
mod failure;
mod folders;
mod history;
mod input;
mod kept_cause;
mod known;
mod last_run;
mod not_reproduced;
mod opened_journal;
mod patched;
mod printed;
mod reduction;
mod shared;
mod signals;
mod stop_record;
mod streams;
mod test;
mod trust;
mod view;

use std::ffi::OsString;
use std::io::Write as _;

#[doc(hidden)]
pub use bisect_log::BisectLog;
pub use firstbad_report::Exit;

/// Runs the command line; `words` begin with the program's name. Returns the exit code.
pub fn main(words: impl IntoIterator<Item = OsString>) -> i32 {
    let given = match args::Cli::read(words) {
        Ok(given) => given,
        Err(args::Refused::Words(error)) => {
            // Help and version go to standard output and are no error.
            streams::usage(&error);
            return if error.use_stderr() { Exit::Usage.code() } else { 0 };
        }
        Err(args::Refused::File(error)) => {
            streams::note(&error);
            return Exit::of(&error).code();
        }
    };
    if !given.command.drives() {
        signals::end_the_process();
    }
    let exit = commands::run(given).unwrap_or_else(|error| {
        failure::say(&error);
        Exit::of(&error)
    });
    // In Python and Node nobody else does.
    let _ = std::io::stdout().flush();
    exit.code()
}
