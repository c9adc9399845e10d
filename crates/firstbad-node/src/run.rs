//! What a driver decides, for one run of a search.

use std::time::Instant;

use firstbad::{Progress, Run, RunOptions};
use napi_derive::napi;

use crate::error::thrown;
use crate::json::{parsed, text};
use crate::search::{BindingSearch, joined, number, outcome};

/// The decisions of a driver; each method gets the search that it was made with.
#[napi]
pub struct BindingRun {
    run: Run,
}

#[napi]
impl BindingRun {
    /// A run from here on; `options` are [`RunOptions`] as JSON.
    #[napi(factory, catch_unwind)]
    pub fn begin(search: &mut BindingSearch, options: String) -> napi::Result<BindingRun> {
        let options: RunOptions = parsed("options", &options)?;
        search.session.take_over();
        Ok(BindingRun { run: Run::new(&mut search.session, options).map_err(thrown)? })
    }

    #[napi(catch_unwind)]
    pub fn over(&mut self, search: &mut BindingSearch, is_late: bool) -> napi::Result<bool> {
        self.run.over(&mut search.session, is_late).map_err(thrown)
    }

    /// As [`BindingSearch::ask`] gives them.
    #[napi(catch_unwind)]
    pub fn take(&mut self, search: &mut BindingSearch) -> napi::Result<String> {
        Ok(joined(&self.run.take(&mut search.session).map_err(thrown)?))
    }

    /// The quick way for a bare outcome, as [`BindingSearch::tell`].
    #[napi(catch_unwind)]
    pub fn answered(&mut self, search: &mut BindingSearch, id: f64, bare: u32) -> napi::Result<bool> {
        self.run.answered(&mut search.session, number(id), outcome(bare).into()).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn answered_with(&mut self, search: &mut BindingSearch, id: f64, observation: String) -> napi::Result<bool> {
        let observation = parsed("answer", &observation)?;
        self.run.answered(&mut search.session, number(id), observation).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn retry(&mut self, search: &mut BindingSearch, id: f64) -> napi::Result<bool> {
        self.run.retry(&mut search.session, number(id)).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn useless(&self, search: &BindingSearch) -> napi::Result<Vec<f64>> {
        let ids = self.run.useless(&search.session).map_err(thrown)?;
        Ok(ids.into_iter().map(|id| id as f64).collect())
    }

    #[napi(catch_unwind)]
    pub fn cancelled(&mut self, search: &mut BindingSearch, id: f64) -> napi::Result<()> {
        self.run.cancelled(&mut search.session, number(id)).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn ended(&mut self, id: f64) -> bool {
        self.run.ended(number(id))
    }

    #[napi(catch_unwind)]
    pub fn give_back(&mut self, search: &mut BindingSearch) -> napi::Result<()> {
        self.run.give_back(&mut search.session).map_err(thrown)
    }

    /// [`Progress`] as JSON.
    #[napi(catch_unwind)]
    pub fn progress(&mut self, search: &BindingSearch) -> napi::Result<String> {
        let until = Instant::now() + Run::PATIENCE;
        let progress: Progress = self.run.progress(&search.session, &mut || Instant::now() < until).map_err(thrown)?;
        text(&progress)
    }
}
