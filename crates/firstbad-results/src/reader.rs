//! The reader of all formats.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::collector::Collector;
use crate::error::ResultsError;
use crate::format::Format;
use crate::formats::{go, jest, jsonl, junit, junit_properties, libtest, mocha, tap};
use crate::limits::LARGEST_REPORT;
use crate::report::Report;
use crate::runner::Runner;
use crate::tree::Tree;

/// Reads a test report. The format is recognized by its content.
///
/// The ids of the results are those of the runner if the content names the runner. Use [`Reader`] to name the runner and the tree.
///
/// # Errors
/// [`ResultsError`] if the report is too large, has an unknown format, or is invalid.
pub fn read(report: &[u8]) -> Result<Report, ResultsError> {
    Reader::new().read(report)
}

/// A reader of test reports with options.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    format: Option<Format>,
    runner: Option<Runner>,
    tree: Tree<'a>,
}

impl Default for Reader<'_> {
    fn default() -> Self {
        Reader::new()
    }
}

impl<'a> Reader<'a> {
    /// Creates a reader without options.
    #[must_use]
    pub fn new() -> Reader<'a> {
        Reader { format: None, runner: None, tree: Tree::unknown() }
    }

    /// Sets the format, which is otherwise recognized by the content.
    #[must_use]
    pub fn format(self, format: Format) -> Reader<'a> {
        Reader { format: Some(format), ..self }
    }

    /// Sets the runner whose ids the results have. Otherwise, the content can name the runner.
    #[must_use]
    pub fn runner(self, runner: Runner) -> Reader<'a> {
        Reader { runner: Some(runner), ..self }
    }

    /// Sets the tree that the report is about.
    #[must_use]
    pub fn tree(self, tree: Tree<'a>) -> Reader<'a> {
        Reader { tree, ..self }
    }

    /// Reads a report from a file.
    ///
    /// # Errors
    /// [`ResultsError::InFile`] if the file cannot be read, or its report is too large, has an unknown format, or is invalid.
    pub fn read_file(&self, path: &Path) -> Result<Report, ResultsError> {
        let in_file =
            |error| ResultsError::InFile { path: path.to_string_lossy().into_owned(), error: Box::new(error) };
        let mut report = Vec::new();
        // One more byte than the limit shows that the report is too large.
        let read = File::open(path).and_then(|file| file.take(LARGEST_REPORT as u64 + 1).read_to_end(&mut report));
        read.map_err(|error| in_file(ResultsError::Unreadable { message: error.to_string() }))?;
        self.read(&report).map_err(in_file)
    }

    /// Reads a report.
    ///
    /// # Errors
    /// [`ResultsError`] if the report is too large, has an unknown format, or is invalid.
    pub fn read(&self, report: &[u8]) -> Result<Report, ResultsError> {
        if report.len() > LARGEST_REPORT {
            return Err(ResultsError::TooLarge { bytes: report.len() });
        }
        let text = text(report);
        let (format, text) = match self.format {
            Some(_) if text.trim().is_empty() => return Err(ResultsError::Empty),
            Some(format) => (format, &*text),
            None => Format::of(&text)?,
        };
        let mut collector = Collector::new(format, self.runner, self.tree);
        match format {
            Format::Junit => drop(junit::read(text, &mut collector)?),
            Format::Tap => tap::read(text, &mut collector)?,
            Format::Jest => jest::read(text, &mut collector)?,
            Format::Mocha => mocha::read(text, &mut collector)?,
            Format::Go => go::read(text, &mut collector)?,
            Format::Libtest => libtest::read(text, &mut collector)?,
            Format::Jsonl => jsonl::read(text, &mut collector)?,
        }
        Ok(collector.finish())
    }

    /// Adds properties to the test cases of a report in JUnit XML. `properties` returns the names and values for the id of a test.
    /// Otherwise the report stays as it is, in UTF-8.
    ///
    /// # Errors
    /// [`ResultsError`] if the report is too large, or is not JUnit XML.
    pub fn with_properties(
        &self,
        report: &[u8],
        properties: &dyn Fn(&str) -> Vec<(&'static str, String)>,
    ) -> Result<String, ResultsError> {
        if report.len() > LARGEST_REPORT {
            return Err(ResultsError::TooLarge { bytes: report.len() });
        }
        let text = text(report);
        let mut collector = Collector::new(Format::Junit, self.runner, self.tree);
        let places = junit::read(&text, &mut collector)?;
        let tests = collector.finish().tests;
        let of_case = |number: usize| match places.get(number) {
            Some(Some(place)) => properties(&tests[*place].id),
            _ => Vec::new(),
        };
        Ok(junit_properties::add(&text, &of_case))
    }
}

/// Decodes UTF-8, or UTF-16 with a byte order mark. Invalid bytes, which tests print, are replaced.
fn text(report: &[u8]) -> Cow<'_, str> {
    let units = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let (pairs, _) = bytes.as_chunks::<2>();
        let characters = char::decode_utf16(pairs.iter().map(|pair| unit(*pair)));
        characters.map(|sign| sign.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match report {
        [0xff, 0xfe, rest @ ..] => Cow::Owned(units(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(units(rest, u16::from_be_bytes)),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest),
        _ => String::from_utf8_lossy(report),
    }
}
