//! Patches: parsing, inspection, subsets, and application.

use std::collections::BTreeMap;

use firstbad::patch::{Change, ChangeKind, FilePatch, Hunk, Reach};
use firstbad::{ChangeSet, Error, Patch};
use napi::bindgen_prelude::{Uint8Array, Uint32Array};
use napi_derive::napi;
use serde::Serialize;

use crate::error::thrown;
use crate::json::{parsed, text};

/// A patch.
#[napi]
pub struct BindingPatch {
    patch: Patch,
}

/// Files with their paths, as parallel lists.
#[napi(object)]
pub struct BindingFiles {
    pub paths: Vec<String>,
    pub contents: Vec<Uint8Array>,
}

impl BindingPatch {
    pub(crate) fn parsed(bytes: &[u8]) -> Result<BindingPatch, Error> {
        Ok(BindingPatch { patch: Patch::parse(bytes)? })
    }

    fn taken(&self, changes: &[usize]) -> napi::Result<BindingPatch> {
        Ok(BindingPatch { patch: self.patch.subset(changes).map_err(thrown)? })
    }
}

fn numbers(given: &Uint32Array) -> Vec<usize> {
    given.iter().map(|&number| number as usize).collect()
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// [`Change`] in its JavaScript form.
#[derive(Serialize)]
struct Row {
    index: usize,
    file: usize,
    hunk: Option<usize>,
    kind: ChangeKind,
    path: String,
    text: String,
    line: Option<usize>,
}

impl From<Change<'_>> for Row {
    fn from(change: Change<'_>) -> Self {
        let Change { index, file, hunk, kind, path, text, line } = change;
        Row { index, file, hunk, kind, path: shown(path), text: shown(&text), line }
    }
}

/// [`FilePatch`] in its JavaScript form.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File {
    path: String,
    old_path: Option<String>,
    new_path: Option<String>,
    binary: bool,
    header: Vec<ChangeKind>,
    changes: Vec<usize>,
    hunks: Vec<Part>,
}

impl From<FilePatch<'_>> for File {
    fn from(file: FilePatch<'_>) -> Self {
        File {
            path: shown(file.path()),
            old_path: file.old_path().map(shown),
            new_path: file.new_path().map(shown),
            binary: file.is_binary(),
            header: file.header().collect(),
            changes: file.changes().collect(),
            hunks: file.hunks().map(Part::from).collect(),
        }
    }
}

/// [`Hunk`] in its JavaScript form.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    old_start: usize,
    old_count: usize,
    new_start: usize,
    new_count: usize,
    heading: String,
    changes: Vec<usize>,
}

impl From<Hunk<'_>> for Part {
    fn from(hunk: Hunk<'_>) -> Self {
        let ((old_start, old_count), (new_start, new_count)) = (hunk.old_span(), hunk.new_span());
        let (heading, changes) = (shown(hunk.heading()), hunk.changes().collect());
        Part { old_start, old_count, new_start, new_count, heading, changes }
    }
}

/// Returns the dependencies of the hunks in a series of patches as a JSON array.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn hunk_dependencies(patches: Vec<Uint8Array>, reach: String) -> napi::Result<String> {
    let reach = match reach.as_str() {
        "context" => Reach::Context,
        "touched" => Reach::Touched,
        other => return Err(thrown(Error::invalid("reach", other, "\"context\" or \"touched\""))),
    };
    let patches: Result<Vec<Patch>, Error> = patches.iter().map(|bytes| Patch::parse(bytes)).collect();
    text(&firstbad::patch::hunk_dependencies(&patches.map_err(thrown)?, reach).map_err(thrown)?)
}

/// Adds the options that a patch implies to the options of a reduction, as JSON.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn options_in_patch(options: String, patch: &BindingPatch, granularity: String) -> napi::Result<String> {
    let (options, granularity) = (parsed("options", &options)?, granularity.parse().map_err(thrown)?);
    text(&firstbad::reduction::options_in_patch(&options, &patch.patch, granularity).map_err(thrown)?)
}

#[napi]
impl BindingPatch {
    #[napi(factory, catch_unwind)]
    pub fn parse(bytes: Uint8Array) -> napi::Result<BindingPatch> {
        BindingPatch::parsed(&bytes).map_err(thrown)
    }

    #[napi(getter)]
    pub fn size(&self) -> u32 {
        self.patch.len() as u32
    }

    #[napi(catch_unwind)]
    pub fn bytes(&self) -> Uint8Array {
        self.patch.to_bytes().into()
    }

    #[napi(catch_unwind)]
    pub fn text(&self) -> String {
        self.patch.to_string()
    }

    #[napi(catch_unwind)]
    pub fn subset(&self, changes: Uint32Array) -> napi::Result<BindingPatch> {
        self.taken(&numbers(&changes))
    }

    /// Returns a subset, given as a set of changes in its short form.
    #[napi(catch_unwind)]
    pub fn pick(&self, set: String) -> napi::Result<BindingPatch> {
        let set: ChangeSet = set.parse().map_err(thrown)?;
        self.taken(&set.iter().collect::<Vec<_>>())
    }

    #[napi(catch_unwind)]
    pub fn with_content(&self) -> napi::Result<BindingPatch> {
        let (patch, _) = self.patch.with_content().map_err(thrown)?;
        Ok(BindingPatch { patch })
    }

    #[napi(catch_unwind)]
    pub fn standing(&self, changes: Uint32Array) -> napi::Result<String> {
        text(&self.patch.standing(&numbers(&changes)).map_err(thrown)?)
    }

    /// Returns the original numbers of the changes as a JSON array.
    #[napi(catch_unwind)]
    pub fn origin(&self) -> napi::Result<String> {
        text(&self.patch.origin())
    }

    /// Returns a JSON array with the parent's number or null for each change, hunk, and file.
    #[napi(catch_unwind)]
    pub fn parents(&self) -> napi::Result<String> {
        text(&self.patch.parents())
    }

    /// Returns a JSON array with an array of numbers for each change.
    #[napi(catch_unwind)]
    pub fn dependencies(&self) -> napi::Result<String> {
        text(&self.patch.dependencies().map_err(thrown)?)
    }

    /// Returns a JSON array of files with their hunks.
    #[napi(catch_unwind)]
    pub fn files(&self) -> napi::Result<String> {
        text(&self.patch.files().map(File::from).collect::<Vec<_>>())
    }

    /// Returns a JSON array with a row for each change.
    #[napi(catch_unwind)]
    pub fn changes(&self) -> napi::Result<String> {
        text(&self.patch.changes().map(Row::from).collect::<Vec<_>>())
    }

    #[napi(catch_unwind)]
    pub fn apply(&self, files: BindingFiles) -> napi::Result<BindingFiles> {
        let BindingFiles { paths, contents } = files;
        let before: BTreeMap<Vec<u8>, Vec<u8>> =
            paths.into_iter().zip(contents).map(|(path, content)| (path.into_bytes(), content.to_vec())).collect();
        let after = self.patch.apply(&before).map_err(thrown)?;
        let (paths, contents) = after.into_iter().map(|(path, content)| (shown(&path), content.into())).unzip();
        Ok(BindingFiles { paths, contents })
    }
}
