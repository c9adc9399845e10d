use std::collections::BTreeMap;

use firstbad::Error;

/// The covered lines of each file, sorted and counted from 1. Paths are relative to the top of the repository.
pub type CoveredLines = BTreeMap<String, Vec<u32>>;

/// A function that returns the content of a file at a revision, or `None` if the file does not exist.
pub type Contents<'a> = dyn FnMut(&str) -> Result<Option<Vec<u8>>, Error> + 'a;
