//! The settings of a run in its journal.

use std::path::{Path, PathBuf};

use firstbad::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::args::FetchArgs;

/// The field `driver` in the header of a journal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct DriverRecord {
    /// The number of parallel tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) jobs: Option<usize>,
    /// The file of `--store`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) store: Option<PathBuf>,
    /// The folder of `--output-dir`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output_dir: Option<PathBuf>,
    /// The folder in which the test of a list runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) folder: Option<PathBuf>,
    /// Whether `--fetch` was given.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) fetch: bool,
}

impl DriverRecord {
    /// Creates the record with absolute paths.
    pub(crate) fn new(
        jobs: Option<usize>,
        store: Option<&Path>,
        output_dir: Option<&Path>,
        fetch: FetchArgs,
    ) -> Result<DriverRecord, Error> {
        let (store, output_dir) = (store.map(absolute).transpose()?, output_dir.map(absolute).transpose()?);
        Ok(DriverRecord { jobs, store, output_dir, folder: None, fetch: fetch.fetch })
    }

    /// Sets the folder of the test to the current folder.
    pub(crate) fn in_this_folder(self) -> Result<DriverRecord, Error> {
        Ok(DriverRecord { folder: Some(absolute(Path::new("."))?), ..self })
    }

    /// Returns the record as JSON.
    pub(crate) fn value(&self) -> Result<Value, Error> {
        serde_json::to_value(self).map_err(|error| Error::Io {
            action: "recording the settings of the test".to_owned(),
            message: error.to_string(),
        })
    }

    /// Reads the record of a journal, or returns the default if the journal has none.
    pub(crate) fn read(journal: &Path, driver: &Value) -> Result<DriverRecord, Error> {
        if driver.is_null() {
            return Ok(DriverRecord::default());
        }
        DriverRecord::deserialize(driver).map_err(|error| Error::Journal {
            path: journal.display().to_string(),
            message: format!("its settings of the test cannot be read: {error}"),
        })
    }

    /// Fills missing settings from `before`.
    pub(crate) fn over(self, before: DriverRecord) -> DriverRecord {
        DriverRecord {
            jobs: self.jobs.or(before.jobs),
            store: self.store.or(before.store),
            output_dir: self.output_dir.or(before.output_dir),
            folder: self.folder.or(before.folder),
            fetch: self.fetch || before.fetch,
        }
    }
}

fn absolute(path: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(path)
        .map_err(|error| Error::Io { action: format!("finding {}", path.display()), message: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_survives_a_round_trip() {
        let record = DriverRecord::new(Some(4), Some(Path::new("/s.db")), None, FetchArgs { fetch: true }).unwrap();
        let value = record.value().unwrap();
        assert_eq!(DriverRecord::read(Path::new("j"), &value), Ok(record.clone()));
        assert_eq!(DriverRecord::read(Path::new("j"), &Value::Null), Ok(DriverRecord::default()));
        assert!(DriverRecord::read(Path::new("j"), &serde_json::json!({"speed": 1})).is_err());
        let two = DriverRecord { jobs: Some(2), ..DriverRecord::default() };
        assert_eq!(two.over(record.clone()), DriverRecord { jobs: Some(2), ..record });
    }
}
