//! Reports of the command line, and files with their expected texts.

use std::path::Path;

use firstbad::Report;
use firstbad_report::{Known, Summary};

/// Returns a report as the command line shows it.
pub(crate) fn summary(report: Report) -> Summary {
    let known = Known {
        journal: Some("night.jsonl".to_owned()),
        is_last_run: true,
        at_command_line: true,
        resumes: true,
        repository: Some("/a/repository".to_owned()),
        ..Known::default()
    };
    Summary::of(report, known).unwrap()
}

/// Compares a text with a file below `tests/all`, or writes the file with `WRITE_VECTORS=1`.
pub(crate) fn is_as_in(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all").join(file);
    if std::env::var_os("WRITE_VECTORS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "{file} changes with WRITE_VECTORS=1:\n{text}");
}
