//! `Run`: the decisions of a driver during one run of a search.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use firstbad::{Budget, Error, Progress, RunOptions};
use firstbad_journal::Session;
use pyo3::prelude::*;

use crate::answer::observation;
use crate::errors::OrRaise;
use crate::pace::Decision;
use crate::probe::{Probe, probes};
use crate::search::{Search, put_back};

/// The status, and the numbers of queries, asked probes, and probes in flight.
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

fn locked(run: &Mutex<firstbad::Run>) -> MutexGuard<'_, firstbad::Run> {
    run.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Run {
    /// Does what may take long on a large graph, or with a disk.
    fn long<T, W>(&self, py: Python<'_>, work: W) -> PyResult<T>
    where
        T: Send + 'static,
        W: FnOnce(&mut firstbad::Run, &mut Session) -> Result<T, Error> + Send + 'static,
    {
        let run = Arc::clone(&self.run);
        let done = move |session: &mut Session| work(&mut locked(&run), session);
        self.search.get().long(py, done, |_, _| {})?.or_raise(py)
    }

    /// Makes a decision, at once if it is short.
    fn decide<T, W>(&self, py: Python<'_>, decision: Decision, work: W) -> PyResult<T>
    where
        T: Send + 'static,
        W: FnOnce(&mut firstbad::Run, &mut Session) -> Result<T, Error> + Send + 'static,
    {
        let run = Arc::clone(&self.run);
        let done = move |session: &mut Session| work(&mut locked(&run), session);
        self.search.get().decide(py, decision, done, |_, _| {})?.or_raise(py)
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
        budget: Option<(Option<u64>, Option<f64>)>,
    ) -> PyResult<Self> {
        let py = search.py();
        let options = RunOptions {
            jobs,
            retries,
            budget: budget.map(|(runs, cost)| Budget { runs, cost }),
            ..RunOptions::default()
        };
        let begin = move |session: &mut Session| {
            let run = firstbad::Run::new(session, options)?;
            session.take_over();
            Ok(run)
        };
        let run = search.get().long(py, begin, |_, _| {})?.or_raise(py)?;
        Ok(Run { search: search.clone().unbind(), run: Arc::new(Mutex::new(run)), jobs })
    }

    /// Returns whether the run is finished.
    fn over(&self, py: Python<'_>, is_late: bool) -> PyResult<bool> {
        if is_late {
            return self.long(py, |run, session| run.over(session, true));
        }
        let mut session = self.search.get().lock(py);
        locked(&self.run).over(&mut *session, false).or_raise(py)
    }

    /// Returns probes for the free jobs.
    fn take(&self, py: Python<'_>) -> PyResult<Vec<Probe>> {
        let run = Arc::clone(&self.run);
        let take = move |session: &mut Session| {
            let until = Instant::now() + firstbad::Run::SLICE;
            locked(&run).take(session, &mut || Instant::now() < until)
        };
        let decision = if self.jobs == 1 { Decision::Ask } else { Decision::LookAhead };
        self.search.get().decide(py, decision, take, put_back)?.or_raise(py).map(probes)
    }

    /// Returns how long to wait for a result before the next `take`, in seconds; None for no limit.
    fn patience(&self) -> Option<f64> {
        locked(&self.run).patience().map(|left| left.as_secs_f64())
    }

    /// Tells an outcome and returns whether it counts.
    fn answered(&self, py: Python<'_>, id: u64, outcome: &Bound<'_, PyAny>) -> PyResult<bool> {
        let seen = observation(outcome)?;
        self.decide(py, Decision::Tell, move |run, session| run.answered(session, id, seen))
    }

    /// Returns a probe to be asked again. Returns False after too many retries.
    fn retry(&self, py: Python<'_>, id: u64) -> PyResult<bool> {
        self.long(py, move |run, session| run.retry(session, id))
    }

    /// Returns the probes in flight whose outcomes are no longer needed.
    fn useless(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        self.decide(py, Decision::Wanted, |run, session| run.useless(&*session))
    }

    /// The seconds to wait for an outcome before a call of `upcoming`.
    #[classattr]
    const BEFORE_UPCOMING: f64 = firstbad::Run::BEFORE_UPCOMING.as_millis() as f64 / 1000.0;

    /// Returns the revisions that are likely next. After each outcome, only the first call looks ahead.
    fn upcoming(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let targets = self.long(py, |run, session| run.upcoming(session))?;
        Ok(targets.into_iter().filter_map(|target| target.revision).collect())
    }

    /// Abandons a probe whose test was interrupted.
    fn cancelled(&self, py: Python<'_>, id: u64) -> PyResult<()> {
        self.long(py, move |run, session| run.cancelled(session, id))
    }

    /// Frees the job of a test that has ended. Returns False if its probe was not cancelled.
    fn ended(&self, id: u64) -> bool {
        locked(&self.run).ended(id)
    }

    /// Returns all probes in flight to the search.
    fn give_back(&self, py: Python<'_>) -> PyResult<()> {
        self.long(py, |run, session| run.give_back(session))
    }

    /// Returns the progress of the run.
    fn progress(&self, py: Python<'_>) -> PyResult<(Counts, Outlook)> {
        let until = Instant::now() + firstbad::Run::PATIENCE;
        let look =
            move |run: &mut firstbad::Run, session: &mut Session| run.progress(session, &mut || Instant::now() < until);
        let Progress { status, runs, asked, in_flight, carrying, suspects, forecast, best } = self.long(py, look)?;
        let (likely, worst) = (forecast.map(|found| found.likely.runs), forecast.map(|found| found.worst.runs));
        let (revision, patch) = carrying.map(|carrying| (carrying.revision, carrying.patch)).unzip();
        Ok(((status.as_str(), runs, asked, in_flight), (revision, patch, suspects, likely, worst, best)))
    }
}
