//! Which definitions a test is to look at, for tracers that make facts of its run.

use firstbad::Error;

use super::Slices;
use crate::oracle::CommandOracle;

impl Slices {
    /// Tells the tests of an oracle which definitions change, from here on: `FIRSTBAD_DEFINITIONS` names a file with
    /// [`Slices::definitions`] as JSON. Tracers look at these and write facts to `FIRSTBAD_SIGNALS`, as
    /// `pytest --firstbad-facts` and `node --import firstbad/facts` do.
    ///
    /// # Errors
    /// [`Error::Io`]; those of [`Slices::definitions`].
    pub fn trace(&self, oracle: &CommandOracle) -> Result<(), Error> {
        let text = serde_json::to_vec(&self.definitions()?).map_err(|error| Error::internal("a definition", &error))?;
        oracle.show_definitions(&text)
    }
}
