//! Creates the first worktree while the history is read.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use firstbad::Error;
use firstbad_git::Repository;
use firstbad_oracle::{CommandOracle, TestRecord};

use crate::driver_record::DriverRecord;
use crate::signals::Signals;
use crate::test;

/// The oracle of a run, created before the search.
pub(super) struct HeadStart<'a> {
    signals: &'a Signals,
    oracle: Option<Arc<CommandOracle>>,
    /// Sends the revision for the worktree.
    wanted: Option<Sender<String>>,
}

impl<'a> HeadStart<'a> {
    pub(super) fn new(signals: &'a Signals) -> Self {
        HeadStart { signals, oracle: None, wanted: None }
    }

    /// Checks out a revision in the background.
    pub(super) fn begin(
        &mut self,
        repository: &Repository,
        test: &TestRecord,
        driver: &DriverRecord,
        revision: &str,
    ) -> Result<(), Error> {
        if let Some(wanted) = &self.wanted {
            let _ = wanted.send(revision.to_owned());
            return Ok(());
        }
        let oracle = self.oracle(repository, test, driver)?;
        let last = Arc::clone(&oracle);
        self.signals.before_exit(move || {
            let _ = last.close();
        });
        let (sender, revisions) = channel::<String>();
        let _ = sender.send(revision.to_owned());
        self.wanted = Some(sender);
        // The first run reports the errors of the checkout.
        let work = move || revisions.iter().for_each(|revision| drop(oracle.check_out(&revision)));
        let _ = std::thread::Builder::new().spawn(work);
        Ok(())
    }

    /// Removes the worktree if the search cannot start.
    pub(super) fn give_up(&mut self) {
        self.wanted = None;
        // The next run removes what is left.
        let _ = self.oracle.take().map(|oracle| oracle.close());
    }

    /// Returns the oracle for the search.
    pub(super) fn end(
        mut self,
        repository: &Repository,
        test: &TestRecord,
        driver: &DriverRecord,
    ) -> Result<Arc<CommandOracle>, Error> {
        self.oracle(repository, test, driver)
    }

    fn oracle(
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
