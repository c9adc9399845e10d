//! The lines that a test runs.

use std::collections::BTreeMap;

use firstbad::Error;

/// The lines that ran, from 1 and in order, of each file, from the top of the repository.
pub type CoveredLines = BTreeMap<String, Vec<u32>>;

/// What a file has at a revision; `None` where there is no such file.
pub type Contents<'a> = dyn FnMut(&str) -> Result<Option<Vec<u8>>, Error> + 'a;
