//! Tables as CSV files.

use crate::options::Options;

/// A table with named columns.
#[derive(Debug)]
pub(crate) struct Csv {
    columns: usize,
    text: String,
}

/// Returns the texts of some values.
macro_rules! cells {
    ($($cell:expr),* $(,)?) => { vec![$($cell.to_string()),*] };
}
pub(crate) use cells;

impl Csv {
    pub(crate) fn new(columns: &[impl AsRef<str>]) -> Csv {
        let names: Vec<&str> = columns.iter().map(AsRef::as_ref).collect();
        Csv { columns: names.len(), text: names.join(",") + "\n" }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// If the number of cells is wrong, or a cell needs quotes.
    pub(crate) fn row(&mut self, cells: impl AsRef<[String]>) {
        let cells = cells.as_ref();
        assert_eq!(cells.len(), self.columns, "{cells:?}");
        assert!(cells.iter().all(|cell| !cell.contains([',', '"', '\n'])), "{cells:?}");
        self.text += &(cells.join(",") + "\n");
    }

    /// Writes `NAME.csv`.
    pub(crate) fn write(&self, options: &Options, name: &str) -> Result<(), String> {
        let path = options.to.join(name).with_extension("csv");
        std::fs::write(&path, &self.text).map_err(|error| format!("writing {}: {error}", path.display()))
    }
}

/// Returns a number with up to so many decimal places.
pub(crate) fn rounded(number: f64, places: usize) -> String {
    let text = format!("{number:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
