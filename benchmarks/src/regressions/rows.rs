//! Rows of a table.

use crate::csv::Csv;

/// The cells of an instance, and what was not sound.
pub(super) type Row = (Vec<String>, Vec<String>);

/// Adds rows to a table, and returns what was not sound.
pub(super) fn add(table: &mut Csv, rows: impl IntoIterator<Item = Result<Row, String>>) -> Result<Vec<String>, String> {
    let mut violations = Vec::new();
    for row in rows {
        let (cells, words) = row?;
        table.row(cells);
        violations.extend(words);
    }
    Ok(violations)
}
