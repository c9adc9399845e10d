//! Journals, leases, and known outcomes of a search.

use std::time::Duration;

use firstbad::{Error, Observation, Search, Target};
use firstbad_journal::{Options, Test, read};
use napi_derive::napi;
use serde::Deserialize;

use crate::error::thrown;
use crate::json::{parsed, text};
use crate::oracle::BindingOracle;
use crate::search::{BindingSearch, joined, number};

/// The result of opening a journal.
#[napi(object)]
pub struct BindingOpening {
    pub id: String,
    pub path: String,
    pub resumed: bool,
    /// A description of the journal's possible losses.
    pub recovered: Option<String>,
}

/// The target of a known outcome in its JavaScript form.
#[derive(Deserialize)]
#[serde(untagged)]
enum Named {
    Revision(String),
    Changes(Vec<usize>),
    /// A revision with a set of tests.
    Target(Target),
}

/// Every call writes its events to disk before it returns, on the calling thread.
#[napi]
impl BindingSearch {
    /// Adds a journal to the search, and waits at most `wait` seconds for its lock. The test is a command, a function, or
    /// neither.
    #[napi(catch_unwind)]
    pub fn attach(
        &mut self,
        path: String,
        wait: f64,
        digest: Option<String>,
        command: Option<&BindingOracle>,
        is_function: bool,
    ) -> napi::Result<BindingOpening> {
        let wait = Duration::try_from_secs_f64(wait)
            .map_err(|_| thrown(Error::invalid("wait", wait, "seconds, 0 or above")))?;
        let test = match command {
            Some(oracle) => oracle.test()?,
            None if is_function => Test::Function,
            None => Test::ByHand,
        };
        let options = Options { wait, digest, test, ..Options::default() };
        let opening = self.session.attach(&path, &options).map_err(thrown)?;
        let recovered = opening.recovered();
        let path = self.session.journal().map_or(path, |path| path.to_string_lossy().into_owned());
        Ok(BindingOpening { id: opening.id, path, resumed: opening.resumed, recovered })
    }

    /// Sets the command that answers the probes from now on. Fails if the journal belongs to another test.
    #[napi(catch_unwind)]
    pub fn tested_by(&mut self, command: &BindingOracle) -> napi::Result<()> {
        self.session.tested_by(&command.test()?).map_err(thrown)?;
        if let Some(seconds) = self.session.seconds_of_whole() {
            command.shared().expect_seconds(seconds);
        }
        Ok(())
    }

    /// Asks for probes like [`BindingSearch::ask`], and leases them for `lease` seconds.
    #[napi(catch_unwind)]
    pub fn lend(&mut self, k: u32, lease: f64) -> napi::Result<String> {
        let lent = self.session.lend(k as usize, Some(lease)).map_err(thrown)?;
        joined(&self.session, &lent)
    }

    /// Ends all leases, so the caller takes over the probes in flight.
    #[napi(catch_unwind)]
    pub fn take_over(&mut self) {
        self.session.take_over();
    }

    /// Returns the end of a probe's lease in seconds since 1970.
    #[napi(catch_unwind)]
    pub fn leased_until(&self, id: f64) -> Option<f64> {
        self.session.leased_until(number(id))
    }

    /// Tells known outcomes, given as a JSON array of pairs: a revision or indices, and an observation.
    #[napi(catch_unwind)]
    pub fn assume(&mut self, known: String) -> napi::Result<()> {
        let known: Vec<(Named, Observation)> = parsed("known", &known)?;
        let known = known.into_iter().map(|(named, observation)| match named {
            Named::Revision(revision) => Ok((revision.into(), observation)),
            Named::Changes(indices) => Ok((self.changes(&indices)?, observation)),
            Named::Target(target) => Ok((target, observation)),
        });
        let known = known.collect::<napi::Result<Vec<_>>>()?;
        self.session.assume(&known).map_err(thrown)
    }

    /// Releases the journal, so other processes can write to it.
    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        self.session.close();
    }

    /// Returns the same search in its initial state, without a journal.
    #[napi(catch_unwind)]
    pub fn afresh(&self) -> napi::Result<BindingSearch> {
        let search = self.session.fresh().map_err(thrown)?;
        Ok(BindingSearch::new(search, self.items))
    }
}

/// Returns the events of a journal as a JSON array, each with its time in seconds since 1970.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn journal_records(path: String) -> napi::Result<String> {
    text(&read(path).map_err(thrown)?.records)
}
