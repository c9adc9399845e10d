//! What a search has beside asking and telling: a journal, leases, outcomes that are known before.

use std::time::Duration;

use firstbad::{Error, Observation, Search};
use firstbad_journal::{Options, Test, read};
use napi_derive::napi;
use serde::Deserialize;

use crate::error::thrown;
use crate::json::{parsed, text};
use crate::oracle::BindingOracle;
use crate::search::{BindingSearch, joined, number};

/// What a journal was when it was opened.
#[napi(object)]
pub struct BindingOpening {
    pub id: String,
    pub path: String,
    pub resumed: bool,
    /// A description of the journal's possible losses.
    pub recovered: Option<String>,
}

/// What is known, as JavaScript writes it: a revision, or the indices of items.
#[derive(Deserialize)]
#[serde(untagged)]
enum Named {
    Revision(String),
    Changes(Vec<usize>),
}

/// Events reach the disk within the call that makes them, on the calling thread: what JavaScript is told has happened
/// has happened for good.
#[napi]
impl BindingSearch {
    /// Keeps the search in a journal, waiting for the right to write to it at most so many seconds. It is answered by a
    /// command, or by a function, or by hand.
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

    /// Says that a command answers the probes from here on; the journal may belong to another.
    #[napi(catch_unwind)]
    pub fn tested_by(&mut self, command: &BindingOracle) -> napi::Result<()> {
        self.session.tested_by(&command.test()?).map_err(thrown)?;
        if let Some(seconds) = self.session.seconds_of_whole() {
            command.shared().expect_seconds(seconds);
        }
        Ok(())
    }

    /// As [`BindingSearch::ask`], for so many seconds.
    #[napi(catch_unwind)]
    pub fn lend(&mut self, k: u32, lease: f64) -> napi::Result<String> {
        Ok(joined(&self.session.lend(k as usize, Some(lease)).map_err(thrown)?))
    }

    /// Ends all leases: whoever calls this answers what is in flight.
    #[napi(catch_unwind)]
    pub fn take_over(&mut self) {
        self.session.take_over();
    }

    /// Until when a probe is lent, in seconds since 1970.
    #[napi(catch_unwind)]
    pub fn leased_until(&self, id: f64) -> Option<f64> {
        self.session.leased_until(number(id))
    }

    /// A JSON array of pairs: a revision or indices, and an observation.
    #[napi(catch_unwind)]
    pub fn assume(&mut self, known: String) -> napi::Result<()> {
        let known: Vec<(Named, Observation)> = parsed("known", &known)?;
        let known = known.into_iter().map(|(named, observation)| match named {
            Named::Revision(revision) => Ok((revision.into(), observation)),
            Named::Changes(indices) => Ok((self.changes(&indices)?, observation)),
        });
        let known = known.collect::<napi::Result<Vec<_>>>()?;
        self.session.assume(&known).map_err(thrown)
    }

    /// Lets others write to the journal.
    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        self.session.close();
    }

    /// The same search at its start, without a journal.
    #[napi(catch_unwind)]
    pub fn afresh(&self) -> napi::Result<BindingSearch> {
        let search = self.session.fresh().map_err(thrown)?;
        Ok(BindingSearch::new(search, self.items))
    }
}

/// What happened, as a JSON array of events, each with the seconds since 1970 at which it did.
#[cfg_attr(test, allow(dead_code, reason = "nothing is registered in a test build"))]
#[napi(catch_unwind)]
pub(crate) fn journal_records(path: String) -> napi::Result<String> {
    text(&read(path).map_err(thrown)?.records)
}
