//! The definitions that tracers record facts about.

use firstbad::Error;
use firstbad_git::Slices;

use super::CommandOracle;

impl CommandOracle {
    /// Passes the changed definitions of a sliced history to later tests. `FIRSTBAD_DEFINITIONS` names a JSON file with
    /// [`Slices::definitions`]. Tracers such as `pytest --firstbad-facts` and `node --import firstbad/facts` record how these
    /// definitions run and write facts to `FIRSTBAD_SIGNALS`.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be written, and the errors of [`Slices::definitions`].
    pub fn trace(&self, slices: &Slices) -> Result<(), Error> {
        let definitions = slices.definitions()?;
        let text = serde_json::to_vec(&definitions).map_err(|error| Error::internal("a definition", &error))?;
        self.show_definitions(&text)
    }
}
