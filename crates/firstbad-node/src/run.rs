//! The decisions of a driver during a run.

use std::time::Instant;

use firstbad::{Error, Progress, Run, RunOptions};
use firstbad_journal::Session;
use napi_derive::napi;

use crate::error::thrown;
use crate::json::{parsed, text};
use crate::search::{BindingSearch, joined, number, outcome};

impl BindingSearch {
    /// Returns the current run and its session.
    fn driving(&mut self) -> napi::Result<(&mut Run, &mut Session)> {
        let none = || Error::Internal { message: "no run was begun".to_owned() };
        let run = self.run.as_mut().ok_or_else(|| thrown(none()))?;
        Ok((run, &mut self.session))
    }
}

/// The methods of a run belong to its search, because passing a second object costs as much as the call.
#[napi]
impl BindingSearch {
    /// Starts a run, which replaces an earlier one. `options` are [`RunOptions`] as JSON.
    #[napi(catch_unwind)]
    pub fn begin_run(&mut self, options: String) -> napi::Result<()> {
        let options: RunOptions = parsed("options", &options)?;
        self.run = Some(Run::new(&mut self.session, options).map_err(thrown)?);
        self.session.take_over();
        Ok(())
    }

    #[napi(catch_unwind)]
    pub fn over(&mut self, is_late: bool) -> napi::Result<bool> {
        let (run, session) = self.driving()?;
        run.over(session, is_late).map_err(thrown)
    }

    /// Returns probes in the form of [`BindingSearch::ask`].
    #[napi(catch_unwind)]
    pub fn take(&mut self) -> napi::Result<String> {
        let (run, session) = self.driving()?;
        let until = Instant::now() + Run::SLICE;
        let taken = run.take(session, &mut || Instant::now() < until).map_err(thrown)?;
        joined(session, &taken)
    }

    /// Returns how long to wait for a result before the next `take`, in milliseconds; null for no limit.
    #[napi(getter, catch_unwind)]
    pub fn patience(&self) -> Option<f64> {
        self.run.as_ref()?.patience().map(|left| left.as_secs_f64() * 1000.0)
    }

    /// Tells an outcome without details, in the form of [`BindingSearch::tell`].
    #[napi(catch_unwind)]
    pub fn answered(&mut self, id: f64, bare: u32) -> napi::Result<bool> {
        let (run, session) = self.driving()?;
        run.answered(session, number(id), outcome(bare).into()).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn answered_with(&mut self, id: f64, observation: String) -> napi::Result<bool> {
        let observation = parsed("answer", &observation)?;
        let (run, session) = self.driving()?;
        run.answered(session, number(id), observation).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn retry(&mut self, id: f64) -> napi::Result<bool> {
        let (run, session) = self.driving()?;
        run.retry(session, number(id)).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn useless(&mut self) -> napi::Result<Vec<f64>> {
        let (run, session) = self.driving()?;
        let ids = run.useless(session).map_err(thrown)?;
        Ok(ids.into_iter().map(|id| id as f64).collect())
    }

    /// Returns how many milliseconds to wait for an outcome before a call of `upcoming`.
    #[napi(getter, catch_unwind)]
    pub fn before_upcoming(&self) -> f64 {
        Run::BEFORE_UPCOMING.as_millis() as f64
    }

    /// Returns the revisions that are likely next. After each outcome, only the first call looks ahead.
    #[napi(catch_unwind)]
    pub fn upcoming(&mut self) -> napi::Result<Vec<String>> {
        let (run, session) = self.driving()?;
        let targets = run.upcoming(session).map_err(thrown)?;
        Ok(targets.into_iter().filter_map(|target| target.revision).collect())
    }

    #[napi(catch_unwind)]
    pub fn cancelled(&mut self, id: f64) -> napi::Result<()> {
        let (run, session) = self.driving()?;
        run.cancelled(session, number(id)).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn ended(&mut self, id: f64) -> napi::Result<bool> {
        Ok(self.driving()?.0.ended(number(id)))
    }

    #[napi(catch_unwind)]
    pub fn give_back(&mut self) -> napi::Result<()> {
        let (run, session) = self.driving()?;
        run.give_back(session).map_err(thrown)
    }

    /// Returns [`Progress`] as JSON.
    #[napi(catch_unwind)]
    pub fn progress(&mut self) -> napi::Result<String> {
        let until = Instant::now() + Run::PATIENCE;
        let (run, session) = self.driving()?;
        let progress: Progress = run.progress(session, &mut || Instant::now() < until).map_err(thrown)?;
        text(&progress)
    }
}
