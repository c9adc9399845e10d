//! Texts in pieces, and the trees of their lines.

use firstbad::reduction::KnownParts;
use firstbad::{ChangeSet, Report, Text};
use firstbad_report::card as core;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;

use crate::error::thrown;
use crate::json::{parsed, text};
use crate::search::BindingSearch;

/// Returns a JSON array with the parent of each line, and an object with the dependencies of lines.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn outline(lines: Vec<String>) -> napi::Result<String> {
    text(&firstbad::text::outline(lines.iter().map(String::as_str)))
}

/// Adds the options that the lines of a text imply to the options of a reduction, as JSON.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn options_in_lines(options: String, lines: Vec<String>) -> napi::Result<String> {
    let options = parsed("options", &options)?;
    let lines: Vec<&[u8]> = lines.iter().map(String::as_bytes).collect();
    text(&firstbad::reduction::options_in_lines(&options, &lines).map_err(thrown)?)
}

/// A text in pieces, with the outcomes of parts that are known without a run.
#[napi]
pub struct BindingText {
    text: Text,
    known: KnownParts,
}

#[napi]
impl BindingText {
    #[napi(factory, catch_unwind)]
    pub fn parse(files: Vec<Uint8Array>, fine: bool, language: Option<String>) -> napi::Result<BindingText> {
        let files: Vec<&[u8]> = files.iter().map(AsRef::as_ref).collect();
        let text = Text::of_files(&files, fine).map_err(thrown)?;
        let known = firstbad_git::known_texts(&text, language.as_deref()).map_err(thrown)?;
        Ok(BindingText { text, known })
    }

    /// Gives the known outcomes to a search among the pieces.
    #[napi(catch_unwind)]
    pub fn known_to(&self, search: &mut BindingSearch) {
        search.session.know_parts(self.known.clone());
    }

    #[napi(getter, catch_unwind)]
    pub fn length(&self) -> u32 {
        self.text.len() as u32
    }

    /// Returns each file with the pieces of a set, given in its short form.
    #[napi(catch_unwind)]
    pub fn pick(&self, set: String) -> napi::Result<Vec<Uint8Array>> {
        let set: ChangeSet = set.parse().map_err(thrown)?;
        Ok(self.text.files_of(&set).into_iter().map(Uint8Array::from).collect())
    }

    /// Returns the digest of the text, or `null` if it has none.
    #[napi(catch_unwind)]
    pub fn digest(&self) -> Option<String> {
        self.text.digest()
    }

    /// Adds the options that the text implies to the options of a reduction, as JSON.
    #[napi(catch_unwind)]
    pub fn complete(&self, options: String) -> napi::Result<String> {
        let options = parsed("options", &options)?;
        text(&firstbad::reduction::options_in_text(&options, &self.text).map_err(thrown)?)
    }

    /// Returns the card of a report on the text, given as JSON.
    #[napi(catch_unwind)]
    pub fn card(&self, algorithm: String, report: String) -> napi::Result<String> {
        let report = Report::from_json(&algorithm, &report).map_err(thrown)?;
        Ok(core::reduction(&report, core::Items::Text(&self.text)))
    }
}
