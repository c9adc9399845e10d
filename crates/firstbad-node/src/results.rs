//! Test reports.

use std::path::PathBuf;

use firstbad::{Error, json};
use firstbad_results::{Runner, Source};
use napi::Env;
use napi::bindgen_prelude::{Either, Object, Uint8Array};
use napi_derive::napi;

use crate::promise::promised;

/// Returns the results of the tests in reports by id, as JSON. A report is a path or its content. `root` is the folder that the test
/// command ran in.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind, ts_return_type = "Promise<string>")]
pub(crate) fn read_results<'env>(
    env: &'env Env,
    reports: Vec<Either<String, Uint8Array>>,
    runner: Option<String>,
    root: String,
) -> napi::Result<Object<'env>> {
    let source = |report: Either<String, Uint8Array>| match report {
        Either::A(path) => Source::File(PathBuf::from(path)),
        Either::B(content) => Source::Content(content.to_vec()),
    };
    let sources: Vec<Source> = reports.into_iter().map(source).collect();
    promised(env, move || {
        let runner = runner.map(|name| name.parse::<Runner>()).transpose()?;
        json::text(&firstbad_results::read_results(&sources, runner, &PathBuf::from(root)).map_err(Error::from)?)
    })
}
