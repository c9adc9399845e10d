//! The command line of `firstbad`. The program, the Python package, and the Node package all use it.
//!
//! ```text
//! firstbad run --good v1.0 --bad main -- make test
//! ```
//!
//! Results go to standard output, and progress and errors go to standard error. [`Exit`] describes the exit codes.

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
mod opened_search;
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

/// Runs the command line and returns the exit code. The first word is the name of the program.
pub fn main(words: impl IntoIterator<Item = OsString>) -> i32 {
    let given = match args::Cli::read(words) {
        Ok(given) => given,
        Err(args::Refused::Words(error)) => {
            // Help and the version are not errors.
            streams::usage(&error);
            return if error.use_stderr() { Exit::Usage.code() } else { 0 };
        }
        Err(args::Refused::Invalid(error)) => {
            failure::say(&error);
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
    // Python and Node do not flush the output of Rust.
    let _ = std::io::stdout().flush();
    exit.code()
}
