//! The columns of the matrix: the tested revisions in the order of the history, folded where there are many.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use firstbad::{TestVerdict, TriageReport};

use super::letters::name;
use crate::card::element::id;
use crate::draw::escaped;

/// The number of columns, which are as many as a wide card has room for.
const MOST: usize = 34;

/// Passes, failures, and runs without a result.
pub(super) type Cell = [u64; 3];

/// The columns of the matrix.
pub(super) struct Columns<'a> {
    report: &'a TriageReport,
    /// The place of each revision.
    places: HashMap<&'a str, usize>,
    /// The first revision of each column. A column with several revisions is a fold.
    starts: Vec<usize>,
}

impl<'a> Columns<'a> {
    pub(super) fn new(report: &'a TriageReport) -> Columns<'a> {
        let places = report.revisions.iter().enumerate().map(|(place, id)| (id.as_str(), place)).collect();
        let mut columns = Columns { report, places, starts: Vec::new() };
        columns.starts = columns.folded();
        columns
    }

    pub(super) fn count(&self) -> usize {
        self.starts.len()
    }

    /// Keeps the most important revisions as far as there is room, and folds the others.
    fn folded(&self) -> Vec<usize> {
        let all = self.report.revisions.len();
        if all <= MOST {
            return (0..all).collect();
        }
        let mut kept = BTreeSet::new();
        for place in self.by_importance() {
            kept.insert(place);
            if starts(&kept, all).len() > MOST {
                kept.remove(&place);
                break;
            }
        }
        starts(&kept, all)
    }

    /// The places of the revisions: the endpoints, the culprits with their parents, then those with the most runs.
    fn by_importance(&self) -> Vec<usize> {
        let culprits =
            self.report.culprits.iter().flat_map(|culprit| [&culprit.commit].into_iter().chain(&culprit.parents));
        let ends = [&self.report.bad].into_iter().chain(self.report.good.first());
        let mut runs: BTreeMap<usize, u64> = BTreeMap::new();
        for seen in self.report.tests.iter().flat_map(|test| &test.observations) {
            if let Some(&place) = self.places.get(seen.revision.as_str()) {
                *runs.entry(place).or_default() += 1;
            }
        }
        let mut others: Vec<(u64, usize)> = runs.into_iter().map(|(place, tests)| (tests, place)).collect();
        others.sort_unstable_by(|one, other| other.cmp(one));
        let named = ends.chain(culprits).filter_map(|id| self.places.get(id.as_str()).copied());
        named.chain(others.into_iter().map(|(_, place)| place)).collect()
    }

    fn revisions(&self, column: usize) -> &'a [String] {
        let end = self.starts.get(column + 1).copied().unwrap_or(self.report.revisions.len());
        &self.report.revisions[self.starts[column]..end]
    }

    /// The place of a culprit among the culprits, if the column is the culprit.
    pub(super) fn culprit(&self, column: usize) -> Option<usize> {
        let [revision] = self.revisions(column) else { return None };
        self.report.culprits.iter().position(|culprit| culprit.commit == *revision)
    }

    /// The head of a column.
    pub(super) fn head(&self, column: usize) -> String {
        match (self.revisions(column), self.culprit(column)) {
            ([revision], Some(place)) => {
                format!("<th class=\"fb-k\"><span><b>{}</b> {}</span></th>", name(place), id(revision))
            }
            ([revision], None) => format!("<th><span>{}{}</span></th>", self.end(revision), id(revision)),
            (several, _) => format!("<th title=\"{0} tested revisions\"><span>⋯ {0}</span></th>", several.len()),
        }
    }

    /// The name of an endpoint.
    fn end(&self, revision: &str) -> String {
        let name = self.report.names.get(revision).and_then(|names| names.first());
        name.map_or(String::new(), |name| format!("{} ", escaped(&crate::draw::cut(name, 12))))
    }

    /// The cells of a test.
    pub(super) fn cells(&self, test: &TestVerdict) -> Vec<Cell> {
        let mut cells = vec![[0; 3]; self.count()];
        for seen in &test.observations {
            let Some(&place) = self.places.get(seen.revision.as_str()) else { continue };
            let column = self.starts.partition_point(|&start| start <= place);
            let Some(cell) = column.checked_sub(1).and_then(|column| cells.get_mut(column)) else { continue };
            for (sum, runs) in cell.iter_mut().zip([seen.passes, seen.fails, seen.unresolved]) {
                *sum += u64::from(runs);
            }
        }
        cells
    }
}

/// The first place of each column, if these places are columns by themselves and those between them are folded.
fn starts(kept: &BTreeSet<usize>, all: usize) -> Vec<usize> {
    let after = kept.iter().map(|place| place + 1).filter(|place| *place < all);
    let starts: BTreeSet<usize> = kept.iter().copied().chain(after).chain((all > 0).then_some(0)).collect();
    starts.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_between_kept_ones_are_one_column() {
        assert_eq!(starts(&BTreeSet::from([2, 3, 7]), 10), [0, 2, 3, 4, 7, 8]);
        assert_eq!(starts(&BTreeSet::from([0, 9]), 10), [0, 1, 9]);
        assert_eq!(starts(&BTreeSet::new(), 10), [0]);
        assert!(starts(&BTreeSet::new(), 0).is_empty());
    }
}
