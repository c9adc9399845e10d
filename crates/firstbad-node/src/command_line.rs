//! The command line, for the script that npm installs.

use std::ffi::OsString;

use napi_derive::napi;

/// Runs the command line with these arguments, the program's name not among them; its exit code. Nothing of JavaScript
/// runs until it is over.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn cli(args: Vec<String>) -> i32 {
    firstbad_cli::main(std::iter::once("firstbad".into()).chain(exact(args)))
}

/// The arguments as the process got them, where these are the last of them: JavaScript cannot hold what is not UTF-8.
fn exact(args: Vec<String>) -> Vec<OsString> {
    let process: Vec<OsString> = std::env::args_os().collect();
    let last = process.len().checked_sub(args.len()).map(|from| &process[from..]);
    match last {
        Some(last) if last.iter().zip(&args).all(|(raw, text)| raw.to_string_lossy() == text.as_str()) => last.to_vec(),
        _ => args.into_iter().map(OsString::from).collect(),
    }
}
