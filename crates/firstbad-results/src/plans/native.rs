//! CTest: a file with names, or a pattern before version 3.29.

use super::escape::{Dialect, any_of, escape};
use super::plan::{Plan, PlannedFile, Request, file, in_batches, plain};
use super::words::Arguments;
use crate::error::ResultsError;
use crate::format::Format;

pub(super) fn plan_ctest(request: &Request<'_>) -> Result<Vec<Plan>, ResultsError> {
    if let Some(id) = request.tests.and_then(|tests| tests.iter().find(|id| id.contains(['\n', '\r']))) {
        return Err(ResultsError::UnwritableId { id: id.clone() });
    }
    let reads_files = request.version.is_none_or(|version| version >= (3, 29));
    // A file has room for all tests.
    let length = |id: &str| if reads_files { 0 } else { escape(id, Dialect::Cmake).len() + 1 };
    in_batches(request, length, |tests, number| {
        let path = request.path(&format!("results-{number}.xml"));
        let mut arguments =
            Arguments { options: vec!["--output-junit".to_owned(), path.clone()], ..Arguments::default() };
        let mut files = Vec::new();
        match tests {
            Some(tests) if reads_files => {
                let list = request.path("tests.txt");
                files.push(PlannedFile { path: list.clone(), content: tests.join("\n") + "\n" });
                arguments.options.extend(["--tests-from-file".to_owned(), list]);
            }
            Some(tests) => {
                let pattern = any_of(tests.iter().map(String::as_str), Dialect::Cmake);
                arguments.options.extend(["-R".to_owned(), pattern]);
            }
            None => {}
        }
        let plan = plain(request.command, tests, arguments, file(Format::Junit, path))?;
        Ok(Plan { files, ..plan })
    })
}
