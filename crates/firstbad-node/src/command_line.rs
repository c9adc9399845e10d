//! The command line, for the script that npm installs.

use std::ffi::OsString;

use napi_derive::napi;

/// Runs the command line with these arguments, without the name of the program, and returns its exit code. Blocks JavaScript
/// until it ends.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn cli(args: Vec<String>) -> i32 {
    firstbad_cli::main(std::iter::once("firstbad".into()).chain(exact(args)))
}

/// Returns the original bytes of the arguments, because JavaScript strings cannot contain invalid UTF-8. `args` must be the last
/// arguments of the process.
fn exact(args: Vec<String>) -> Vec<OsString> {
    let process: Vec<OsString> = std::env::args_os().collect();
    let last = process.len().checked_sub(args.len()).map(|from| &process[from..]);
    match last {
        Some(last) if last.iter().zip(&args).all(|(raw, text)| raw.to_string_lossy() == text.as_str()) => last.to_vec(),
        _ => args.into_iter().map(OsString::from).collect(),
    }
}
