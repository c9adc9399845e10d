//! The first work tree, made while the search is still being prepared: in a large repository both take seconds.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use firstbad::Error;
use firstbad_git::Repository;
use firstbad_oracle::{CommandOracle, TestRecord};

use crate::driver_record::DriverRecord;
use crate::signals::Signals;
use crate::test;

/// The oracle of a run, as soon as there is one.
pub(super) struct HeadStart<'a> {
    signals: &'a Signals,
    oracle: Option<Arc<CommandOracle>>,
    /// Takes what the first work tree is to hold.
    wanted: Option<Sender<String>>,
}

impl<'a> HeadStart<'a> {
    pub(super) fn new(signals: &'a Signals) -> Self {
        HeadStart { signals, oracle: None, wanted: None }
    }

    /// Has a work tree of `revision` made on a thread of its own; the second time it is moved there. Should a signal end the
    /// process before the search begins, the tree goes with it.
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
        // What goes wrong here the first run says.
        let work = move || revisions.iter().for_each(|revision| drop(oracle.check_out(&revision)));
        let _ = std::thread::Builder::new().spawn(work);
        Ok(())
    }

    /// The search does not begin: what was made is removed.
    pub(super) fn give_up(&mut self) {
        self.wanted = None;
        // What is left is removed by the next run.
        let _ = self.oracle.take().map(|oracle| oracle.close());
    }

    /// The oracle of the search that begins, which has its work trees made itself.
    ///
    /// # Errors
    /// Those of [`test::oracle`].
    pub(super) fn end(
        mut self,
        repository: &Repository,
        test: &TestRecord,
        driver: &DriverRecord,
    ) -> Result<Arc<CommandOracle>, Error> {
        self.oracle(repository, test, driver)
    }

    /// The oracle, made if it is not there yet.
    ///
    /// # Errors
    /// Those of [`test::oracle`].
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
