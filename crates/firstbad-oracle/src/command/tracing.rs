//! Which definitions a test is to look at, for tracers that make facts of its run.

use firstbad::Error;
use firstbad_git::Slices;

use super::CommandOracle;

impl CommandOracle {
    /// Tells the tests which definitions of a sliced history change, from here on: `FIRSTBAD_DEFINITIONS` names a file with
    /// [`Slices::definitions`] as JSON. Tracers look at these and write facts to `FIRSTBAD_SIGNALS`, as
    /// `pytest --firstbad-facts` and `node --import firstbad/facts` do.
    ///
    /// # Errors
    /// [`Error::Io`]; those of [`Slices::definitions`].
    pub fn trace(&self, slices: &Slices) -> Result<(), Error> {
        let definitions = slices.definitions()?;
        let text = serde_json::to_vec(&definitions).map_err(|error| Error::internal("a definition", &error))?;
        self.show_definitions(&text)
    }
}
