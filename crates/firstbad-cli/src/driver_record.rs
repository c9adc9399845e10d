//! What a journal holds beside the search: the test, and how it is run.

use std::path::{Path, PathBuf};

use firstbad::Error;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::args::TestArgs;

/// What stands in the header of a journal as `driver`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct DriverRecord {
    /// The test.
    pub(crate) test: TestArgs,
    /// How many to run side by side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) jobs: Option<usize>,
    /// The file that shares outcomes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) store: Option<PathBuf>,
}

impl DriverRecord {
    /// What is to be written down, with paths that mean the same from any folder.
    ///
    /// # Errors
    /// [`Error::Io`] where the current folder cannot be told.
    pub(crate) fn new(test: &TestArgs, jobs: Option<usize>, store: Option<&Path>) -> Result<DriverRecord, Error> {
        let mut test = test.clone();
        test.fixup = test.fixup.iter().map(|path| absolute(path)).collect::<Result<_, _>>()?;
        test.output_dir = test.output_dir.as_deref().map(absolute).transpose()?;
        Ok(DriverRecord { test, jobs, store: store.map(absolute).transpose()? })
    }

    /// As it stands in a journal.
    ///
    /// # Errors
    /// [`Error::Io`] for a path that JSON has no form for.
    pub(crate) fn value(&self) -> Result<Value, Error> {
        serde_json::to_value(self)
            .map_err(|error| Error::Io { action: "writing the test down".to_owned(), message: error.to_string() })
    }

    /// What a journal holds; that of no test if somebody else made it.
    ///
    /// # Errors
    /// [`Error::Journal`] for words that this version does not know.
    pub(crate) fn read(journal: &Path, driver: &Value) -> Result<DriverRecord, Error> {
        if driver.is_null() {
            return Ok(DriverRecord::default());
        }
        serde_json::from_value(driver.clone()).map_err(|error| Error::Journal {
            path: journal.display().to_string(),
            message: format!("what it says about the test cannot be read: {error}"),
        })
    }

    /// Checks words given now against those that were written down; those about the folder for output may differ. What
    /// was not given now is no difference, unless a command was: then all of it was given.
    ///
    /// # Errors
    /// [`Error::Journal`] that names what differs.
    pub(crate) fn check(&self, journal: &Path, given: &TestArgs) -> Result<(), Error> {
        let fields = |test: &TestArgs| match serde_json::to_value(TestArgs { output_dir: None, ..test.clone() }) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        };
        let (theirs, ours) = (fields(&self.test), fields(given));
        let names = ours.keys().chain(theirs.keys().filter(|name| !ours.contains_key(*name)));
        let complete = !given.command.is_empty();
        let differences: Vec<String> = names
            .filter(|name| (complete || ours.contains_key(*name)) && theirs.get(*name) != ours.get(*name))
            .map(|name| {
                let option = if name == "command" { "command".to_owned() } else { format!("--{name}") };
                format!("its {option} is {}, and here {}", shown(theirs.get(name)), shown(ours.get(name)))
            })
            .collect();
        if differences.is_empty() {
            return Ok(());
        }
        let message = format!(
            "it belongs to another test: {}; give another file, or leave the options of the test out",
            differences.join("; ")
        );
        Err(Error::Journal { path: journal.display().to_string(), message })
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or("not given".to_owned(), Value::to_string)
}

fn absolute(path: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(path)
        .map_err(|error| Error::Io { action: format!("finding {}", path.display()), message: error.to_string() })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn test(command: &[&str], timeout: Option<u64>) -> TestArgs {
        let command = command.iter().map(|&word| word.to_owned()).collect();
        TestArgs { command, timeout: timeout.map(Duration::from_secs), ..TestArgs::default() }
    }

    #[test]
    fn what_is_written_down_comes_back() {
        let all = TestArgs { warm: true, fixup: vec!["/a.patch".into()], ..test(&["make", "test"], Some(90)) };
        let record = DriverRecord::new(&all, Some(4), Some(Path::new("/s.db"))).unwrap();
        let value = record.value().unwrap();
        assert_eq!(value["test"]["timeout"], "1m 30s");
        assert_eq!(DriverRecord::read(Path::new("j"), &value), Ok(record));
        assert_eq!(DriverRecord::read(Path::new("j"), &Value::Null), Ok(DriverRecord::default()));
        assert!(DriverRecord::read(Path::new("j"), &serde_json::json!({"test": {"speed": 1}})).is_err());
    }

    #[test]
    fn what_differs_is_named() {
        let record = DriverRecord { test: test(&["make", "test"], Some(90)), ..DriverRecord::default() };
        let check = |given: &TestArgs| record.check(Path::new("j"), given).map_err(|error| error.to_string());
        assert_eq!(check(&test(&["make", "test"], Some(90))), Ok(()));
        assert_eq!(check(&TestArgs::default()), Ok(()));
        let words = check(&test(&[], Some(60))).unwrap_err();
        assert!(words.contains("its --timeout is \"1m 30s\", and here \"1m\""), "{words}");
        let words = check(&test(&["make", "check"], None)).unwrap_err();
        let whole = r#"its command is ["make","test"], and here ["make","check"]; its --timeout is "1m 30s", and here not given"#;
        assert!(words.contains(whole), "{words}");
    }
}
