//! The coverage argument of the front ends.

use std::path::PathBuf;

use firstbad::Error;
use serde_json::Value;

use crate::reports::{CoverageOptions, Reports};
use crate::wrong::ARGUMENT;

/// The reports to read, with options.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CoverageGiven {
    /// Report files, and folders of V8 reports.
    pub paths: Vec<PathBuf>,
    /// The options for reading.
    pub options: CoverageOptions,
}

impl CoverageGiven {
    /// Parses JSON: a path, a list of paths, or an object with `paths` and the fields of [`CoverageOptions`].
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the value is invalid, with the field, the value, and the expected value.
    pub fn read(given: &Value) -> Result<CoverageGiven, Error> {
        let Value::Object(members) = given else {
            return Ok(CoverageGiven { paths: paths(ARGUMENT, given)?, options: CoverageOptions::default() });
        };
        let mut read = CoverageGiven::default();
        for (name, value) in members {
            let field = format!("{ARGUMENT}.{name}");
            let word = || match value {
                Value::Null => Ok(None),
                Value::String(word) => Ok(Some(word.as_str())),
                other => Err(Error::invalid(field.as_str(), other, "a text")),
            };
            match name.as_str() {
                "paths" => read.paths = paths(&field, value)?,
                "format" => read.options.format = word()?.map(str::parse).transpose()?,
                "root" => read.options.root = word()?.map(str::to_owned),
                _ => return Err(Error::invalid(ARGUMENT, name, "paths, format or root")),
            }
        }
        if read.paths.is_empty() {
            return Err(Error::invalid(format!("{ARGUMENT}.paths"), "nothing", EXPECTED));
        }
        Ok(read)
    }

    /// Reads the reports for the repository whose worktree is `top`.
    ///
    /// # Errors
    /// The errors of [`Reports::new`] and [`Reports::read`].
    pub fn reports(&self, top: &str) -> Result<Reports, Error> {
        let mut reports = Reports::new(top, &self.options)?;
        reports.read(&self.paths)?;
        Ok(reports)
    }
}

const EXPECTED: &str = "the path of a report, or several";

fn paths(argument: &str, given: &Value) -> Result<Vec<PathBuf>, Error> {
    let list =
        if given.is_array() { given.as_array().map_or(&[][..], Vec::as_slice) } else { std::slice::from_ref(given) };
    let path = |value: &Value| match value.as_str() {
        Some(path) if !path.is_empty() => Ok(PathBuf::from(path)),
        _ => Err(Error::invalid(argument, value, EXPECTED)),
    };
    let paths: Vec<PathBuf> = list.iter().map(path).collect::<Result<_, _>>()?;
    if paths.is_empty() { Err(Error::invalid(argument, paths, EXPECTED)) } else { Ok(paths) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::CoverageFormat;

    #[test]
    fn coverage_is_a_path_a_list_or_an_object() {
        let read = |given: Value| CoverageGiven::read(&given);
        assert_eq!(read(json!("a.info")).unwrap().paths, [PathBuf::from("a.info")]);
        assert_eq!(read(json!(["a", "b"])).unwrap().paths.len(), 2);
        let all = read(json!({"paths": "a", "format": "v8", "root": "/builds/shop"})).unwrap();
        assert_eq!(all.options.format, Some(CoverageFormat::V8));
        assert_eq!(all.options.root.as_deref(), Some("/builds/shop"));
        assert_eq!(read(json!({"paths": ["a"], "format": null})).unwrap().options, CoverageOptions::default());
        for (given, words) in [
            (json!([]), "coverage: [] is not valid; expected the path"),
            (json!(3), "coverage: Number(3)"),
            (json!(""), "coverage: "),
            (json!({"format": "lcov"}), "coverage.paths: "),
            (json!({"paths": [1]}), "coverage.paths: "),
            (json!({"paths": "a", "format": "gcov"}), "coverage.format: \"gcov\" is not valid; expected one of lcov"),
            (json!({"paths": "a", "root": 1}), "coverage.root: "),
            (json!({"paths": "a", "top": "x"}), "paths, format or root"),
        ] {
            let shown = read(given).unwrap_err().to_string();
            assert!(shown.contains(words), "{shown}");
        }
    }
}
