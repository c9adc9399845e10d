//! `Run`: the decisions of a driver during one run of a search.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use firstbad::{Budget, Error, Progress, RunOptions};
use firstbad_journal::Session;
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::pace::Step;
use crate::probe::{Probe, probes, with_tests};
use crate::search::{Search, put_back, stands};
use crate::work::brief;

/// The status, and the numbers of runs, asked probes, and probes in flight.
type Counts = (&'static str, u64, u64, usize);

/// The revision, the size of a patch, the numbers of suspects, likely runs, and runs in the worst case, and the most likely
/// culprit.
type Outlook = (Option<String>, Option<usize>, Option<usize>, Option<u64>, Option<u64>, Option<String>);

/// The decisions of a driver.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct Run {
    search: Py<Search>,
    /// If both are locked, the search is locked first.
    run: Arc<Mutex<firstbad::Run>>,
    jobs: usize,
}

impl Run {
    /// Takes a step of the run, as [`Search::step`] does.
    fn step<T, W, L>(&self, py: Python<'_>, step: Step, work: W, too_late: L) -> PyResult<T>
    where
        T: Send + 'static,
        W: FnOnce(&mut firstbad::Run, &mut Session) -> Result<T, Error> + Send + 'static,
        L: FnOnce(&mut Session, T) + Send + 'static,
    {
        let run = Arc::clone(&self.run);
        let done = move |session: &mut Session| work(&mut run.lock().unwrap_or_else(PoisonError::into_inner), session);
        self.search.get().step(py, step, done, too_late)
    }
}

#[pymethods]
impl Run {
    /// Starts a run of a search.
    #[new]
    #[pyo3(signature = (search, jobs, retries, budget=None))]
    fn new(
        search: &Bound<'_, Search>,
        jobs: usize,
        retries: u32,
        budget: Option<(Option<u64>, Option<f64>, Option<u64>)>,
    ) -> PyResult<Self> {
        let py = search.py();
        let options = RunOptions {
            jobs,
            retries,
            budget: budget.map(|(runs, cost, builds)| Budget { runs, cost, builds }),
            ..RunOptions::default()
        };
        let begin = move |session: &mut Session| {
            let run = firstbad::Run::new(session, options)?;
            session.take_over();
            Ok(run)
        };
        let run = search.get().step(py, Step::Walk, begin, stands)?;
        Ok(Run { search: search.clone().unbind(), run: Arc::new(Mutex::new(run)), jobs })
    }

    /// Returns whether the run is finished.
    fn over(&self, py: Python<'_>, is_late: bool) -> PyResult<bool> {
        if is_late {
            return self.step(py, Step::Walk, |run, session| run.over(session, true), stands);
        }
        let over = |session: &mut Session| brief(py, &self.run, |run| run.over(session, false));
        self.search.get().brief(py, over).or_raise(py)
    }

    /// Returns probes for the free jobs.
    fn take(&self, py: Python<'_>) -> PyResult<Vec<Probe>> {
        let take = |run: &mut firstbad::Run, session: &mut Session| {
            let until = Instant::now() + firstbad::Run::SLICE;
            run.take(session, &mut || Instant::now() < until).map(|taken| with_tests(session, taken))
        };
        let step = if self.jobs == 1 { Step::Ask } else { Step::LookAhead };
        self.step(py, step, take, put_back).map(probes)
    }

    /// Returns how long to wait for a result before the next `take`, in seconds; None for no limit.
    fn patience(&self, py: Python<'_>) -> Option<f64> {
        brief(py, &self.run, |run| run.patience()).map(|left| left.as_secs_f64())
    }

    /// Tells an outcome and returns whether it counts.
    fn answered(&self, py: Python<'_>, id: u64, outcome: &Bound<'_, PyAny>) -> PyResult<bool> {
        let seen = self.search.get().observation(outcome)?;
        self.step(py, Step::Tell, move |run, session| run.answered(session, id, seen), stands)
    }

    /// Returns a probe to be asked again. Returns False after too many retries.
    fn retry(&self, py: Python<'_>, id: u64) -> PyResult<bool> {
        self.step(py, Step::Walk, move |run, session| run.retry(session, id), stands)
    }

    /// Returns the probes in flight whose outcomes are no longer needed.
    fn useless(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        self.step(py, Step::Wanted, |run, session| run.useless(&*session), stands)
    }

    /// The seconds to wait for an outcome before a call of `upcoming`.
    #[classattr]
    const BEFORE_UPCOMING: f64 = firstbad::Run::BEFORE_UPCOMING.as_millis() as f64 / 1000.0;

    /// Returns the revisions that are likely next. After each outcome, only the first call looks ahead.
    fn upcoming(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let targets = self.step(py, Step::Walk, |run, session| run.upcoming(session), stands)?;
        Ok(targets.into_iter().filter_map(|target| target.revision).collect())
    }

    /// Abandons a probe whose test was interrupted.
    fn cancelled(&self, py: Python<'_>, id: u64) -> PyResult<()> {
        self.step(py, Step::Walk, move |run, session| run.cancelled(session, id), stands)
    }

    /// Frees the place of a test that has ended; False if its probe was not cancelled.
    fn ended(&self, py: Python<'_>, id: u64) -> bool {
        brief(py, &self.run, |run| run.ended(id))
    }

    /// Returns all probes in flight to the search.
    fn give_back(&self, py: Python<'_>) -> PyResult<()> {
        self.step(py, Step::Walk, |run, session| run.give_back(session), stands)
    }

    /// Returns the progress of the run.
    fn progress(&self, py: Python<'_>) -> PyResult<(Counts, Outlook)> {
        let until = Instant::now() + firstbad::Run::PATIENCE;
        let look =
            move |run: &mut firstbad::Run, session: &mut Session| run.progress(session, &mut || Instant::now() < until);
        let Progress { status, runs, asked, in_flight, carrying, suspects, forecast, best } =
            self.step(py, Step::Walk, look, stands)?;
        let (likely, worst) = (forecast.map(|found| found.likely.runs), forecast.map(|found| found.worst.runs));
        let (revision, patch) = carrying.map(|carrying| (carrying.revision, carrying.patch)).unzip();
        Ok(((status.as_str(), runs, asked, in_flight), (revision, patch, suspects, likely, worst, best)))
    }
}
