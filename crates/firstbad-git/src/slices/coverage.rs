//! From the lines that a test covers to the changes that it may need (Li et al., "Semantic Slicing of Software Version
//! Histories": CSlicer).

use std::collections::{BTreeMap, BTreeSet};

use firstbad::Error;
use firstbad_coverage::CoverageGiven;
use firstbad_syntax::Kind;
use serde_json::Value;

use super::Slices;

impl Slices {
    /// The changes to what reports of coverage tools say that a test covers, as [`Slices::covered`] says: paths and contents
    /// are those of the tip. `given` is a path, several, or an object with `paths`, `format` and `root`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] that names `coverage`, the report and the place in it; [`Error::Io`] for a report that
    /// cannot be read; [`Error::Git`].
    pub fn reported(&self, given: &Value) -> Result<Vec<usize>, Error> {
        let reports = CoverageGiven::read(given)?.reports(&self.repository.path().to_string_lossy())?;
        let tip = &self.chain.history.tip;
        self.covered(&reports.lines(&mut |file| self.repository.file(tip, file))?)
    }

    /// The changes to what a test covers, oldest first: a search adds what these rest on. `lines` are those that it covers at
    /// the tip, from 1, by files from the top of the repository.
    ///
    /// A definition counts where a line of its body is covered, and a statement with all its lines: reports name only the
    /// first. All changes of a covered file count that no grammar reads.
    ///
    /// # Errors
    /// [`Error::Git`].
    pub fn covered(&self, lines: &BTreeMap<String, Vec<u32>>) -> Result<Vec<usize>, Error> {
        let all = self.read_definitions()?;
        let mut found: BTreeSet<usize> = BTreeSet::new();
        for (path, lines) in lines.iter().filter(|(_, lines)| !lines.is_empty()) {
            let Some(outline) = all.tip.get(path) else {
                let changing = all.files.iter().enumerate().filter(|(_, files)| files.contains(path));
                found.extend(changing.map(|(change, _)| change));
                continue;
            };
            let mut running = outline.running(lines);
            let attributes = outline.definitions.iter().enumerate().filter(|(_, own)| own.kind == Kind::Attribute);
            running.extend(
                attributes.filter(|(_, own)| running.contains(&own.parent)).map(|(index, _)| index).collect::<Vec<_>>(),
            );
            let nodes = running.iter().filter_map(|&own| all.place(path, &outline.definitions[own].name));
            found.extend(nodes.flat_map(|node| all.nodes[node].changes().map(|atomic| atomic.change)));
        }
        Ok(found.into_iter().collect())
    }
}
