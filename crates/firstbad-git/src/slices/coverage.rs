//! From covered lines to the changes that a test may need (Li et al., "Semantic Slicing of Software Version Histories": CSlicer).

use std::collections::{BTreeMap, BTreeSet};

use firstbad::Error;
use firstbad_coverage::CoverageGiven;
use firstbad_syntax::Kind;
use serde_json::Value;

use super::Slices;

impl Slices {
    /// Returns the changes to covered code, from reports of coverage tools. See [`Slices::covered`]. Paths and contents are those
    /// at the tip. `given` is a path, a list of paths, or an object with `paths`, `format`, and `root`.
    ///
    /// # Errors
    /// - [`Error::InvalidArgument`] for `coverage` with the report and the location in it, if a report is invalid.
    /// - [`Error::Io`] if a report cannot be read.
    /// - [`Error::Git`] if Git fails.
    pub fn reported(&self, given: &Value) -> Result<Vec<usize>, Error> {
        let reports = CoverageGiven::read(given)?.reports(&self.repository.path().to_string_lossy())?;
        let tip = &self.chain.history.tip;
        self.covered(&reports.lines(&mut |file| self.repository.file(tip, file))?)
    }

    /// Returns the changes to covered code, oldest first. A search adds the changes that these depend on. `lines` are the covered
    /// lines at the tip, counted from 1, by file relative to the top of the repository.
    ///
    /// A definition counts if a line of its body is covered. Reports name only the first line of a statement, so it stands for
    /// the whole statement. If there is no grammar for a covered file, all changes of the file count.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails.
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
        Ok(self.chain.changes_of(found))
    }
}
