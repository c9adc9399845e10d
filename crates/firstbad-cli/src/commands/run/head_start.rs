//! The first work tree, made while the search is still being prepared: in a large repository both take seconds.

use std::sync::Arc;

use firstbad::Error;
use firstbad_git::{CommandOracle, Repository, TestRecord};

use crate::driver_record::DriverRecord;
use crate::signals::Signals;
use crate::test;

/// The oracle of a run, as soon as there is one.
pub(super) struct HeadStart<'a> {
    signals: &'a Signals,
    oracle: Option<Arc<CommandOracle>>,
}

impl<'a> HeadStart<'a> {
    pub(super) fn new(signals: &'a Signals) -> Self {
        HeadStart { signals, oracle: None }
    }

    /// Has a work tree of `revision` made on a thread of its own. Should a signal end the process before the search begins,
    /// the tree goes with it.
    ///
    /// # Errors
    /// Those of [`test::oracle`].
    pub(super) fn begin(
        &mut self,
        repository: &Repository,
        test: &TestRecord,
        driver: &DriverRecord,
        revision: &str,
    ) -> Result<(), Error> {
        let oracle = self.oracle(repository, test, driver)?;
        let last = Arc::clone(&oracle);
        self.signals.before_exit(move || {
            let _ = last.close();
        });
        let revision = revision.to_owned();
        // What goes wrong here the first run says.
        let _ = std::thread::Builder::new().spawn(move || oracle.check_out(&revision));
        Ok(())
    }

    /// The oracle, made if it is not there yet.
    ///
    /// # Errors
    /// Those of [`test::oracle`].
    pub(super) fn oracle(
        &mut self,
        repository: &Repository,
        test: &TestRecord,
        driver: &DriverRecord,
    ) -> Result<Arc<CommandOracle>, Error> {
        if let Some(oracle) = &self.oracle {
            return Ok(Arc::clone(oracle));
        }
        let example = "firstbad run --good v1.0 --bad main -- make test";
        let oracle = Arc::new(test::oracle(repository, test, driver.output_dir.as_deref(), example)?);
        self.oracle = Some(Arc::clone(&oracle));
        Ok(oracle)
    }
}
