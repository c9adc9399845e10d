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
mod commands;
mod drive;
mod ending;
mod exit;
mod history;
mod known;
mod outlook;
mod remembered;
mod render;
mod say;
mod signals;
mod taken_up;
mod test;
mod view;

use std::ffi::OsString;

use clap::Parser as _;

pub use exit::Exit;

/// Runs the command line; `words` begin with the program's name. Returns the exit code.
pub fn main(words: impl IntoIterator<Item = OsString>) -> i32 {
    let given = match args::Cli::try_parse_from(words) {
        Ok(given) => given,
        Err(error) => {
            // Help and version go to standard output and are no error.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage.code() } else { 0 };
        }
    };
    match commands::run(given) {
        Ok(exit) => exit.code(),
        Err(error) => {
            say::note(&error);
            Exit::of(&error).code()
        }
    }
}
