//! `Search`: the class for searches with any algorithm.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use firstbad::search::Search as Core;
use firstbad::{Budget, Error, Event, Observation, StopReason, Target, World, json};
use firstbad_git::report_json;
use firstbad_journal::Session;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyString;

use crate::answer::{invalid, observation};
use crate::changes::change_set;
use crate::errors::OrRaise;
use crate::graph::CommitGraph;
use crate::pace::{Decision, Pace};
use crate::posterior::Posterior;
use crate::probe::{Probe, probes};
use crate::work::{LARGE, interruptible};

type Shared = Arc<Mutex<Session>>;

/// A search that asks for probes and is told observations.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct Search {
    shared: Shared,
    /// The number of items in a search among items.
    items: Option<usize>,
    pace: Pace,
    /// Whether changes wait for a disk.
    kept: AtomicBool,
}

/// Returns probes to the search if no caller received them.
pub(crate) fn put_back(session: &mut Session, asked: Result<Vec<firstbad::Probe>, Error>) {
    for probe in asked.unwrap_or_default() {
        // The search knows a probe that it just returned.
        let _ = session.abandon(probe.id);
    }
}

impl Search {
    fn make<M>(given: &Bound<'_, PyAny>, make: M) -> PyResult<Self>
    where
        M: FnOnce(World) -> Result<Box<dyn Core>, Error> + Send + 'static,
    {
        let py = given.py();
        let (world, size, items) = match given.cast::<CommitGraph>() {
            Ok(graph) => (World::History(Arc::clone(&graph.get().graph)), graph.get().graph.len(), None),
            Err(_) => given.extract().map(|items| (World::Items(items), items, Some(items)))?,
        };
        // Opening reads dependencies and trees once and replays snapshots. Later questions about items are short.
        let made = move || Ok((Pace::of(&world), Session::new(make(world)?)));
        let making = if size >= LARGE { interruptible(py, made, drop)? } else { made() };
        let (pace, session) = making.or_raise(py)?;
        Ok(Search { shared: Arc::new(Mutex::new(session)), items, pace, kept: AtomicBool::new(false) })
    }

    /// Wraps a search of the core.
    pub(crate) fn of(search: Box<dyn Core>) -> Self {
        let world = search.inspect().world();
        let items = match world {
            World::History(_) => None,
            World::Items(items) => Some(items),
        };
        let (pace, shared) = (Pace::of(&world), Arc::new(Mutex::new(Session::new(search))));
        Search { shared, items, pace, kept: AtomicBool::new(false) }
    }

    /// Converts a revision, or indices, to a target.
    fn target(&self, given: &Bound<'_, PyAny>) -> PyResult<Target> {
        match (self.items, given.cast::<PyString>()) {
            (Some(items), _) => Ok(change_set("indices", given, Some(items))?.into()),
            (None, Ok(revision)) => Ok(revision.to_str()?.into()),
            (None, Err(_)) => Err(invalid("revision", given, "a revision's id, as str")),
        }
    }

    /// Returns the session, or `None` if another thread uses it.
    fn idle(&self) -> Option<MutexGuard<'_, Session>> {
        match self.shared.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    pub(crate) fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Session> {
        let wait = || self.shared.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        self.idle().unwrap_or_else(wait)
    }

    /// Makes a decision, at once if it is short; `too_late` gets a result that nobody waited for.
    pub(crate) fn decide<T, W, L>(&self, py: Python<'_>, decision: Decision, work: W, too_late: L) -> PyResult<T>
    where
        T: Send + 'static,
        W: FnOnce(&mut Session) -> T + Send + 'static,
        L: FnOnce(&mut Session, T) + Send + 'static,
    {
        if self.pace.is_short(decision)
            && !self.kept.load(Ordering::Relaxed)
            && let Some(mut session) = self.idle()
        {
            return Ok(self.pace.timed(decision, || work(&mut session)));
        }
        let pace = self.pace.clone();
        self.detached(py, move |session| pace.timed(decision, || work(session)), too_late)
    }

    /// Returns the card of a report, given as JSON.
    pub(crate) fn card(&self, py: Python<'_>, report: String) -> PyResult<String> {
        let drawn = move |search: &mut Session| {
            let report = firstbad_git::named_report(search.inspect(), &report)?;
            Ok(firstbad_report::card::report(&report, Some(search)))
        };
        self.long(py, drawn, |_, _| {})?.or_raise(py)
    }

    /// Does what may take long on a large graph, or with a disk; `too_late` gets a result that nobody waited for.
    pub(crate) fn long<T, W, L>(&self, py: Python<'_>, work: W, too_late: L) -> PyResult<T>
    where
        T: Send + 'static,
        W: FnOnce(&mut Session) -> T + Send + 'static,
        L: FnOnce(&mut Session, T) + Send + 'static,
    {
        if self.pace.is_never_long() && !self.kept.load(Ordering::Relaxed) {
            return Ok(work(&mut self.lock(py)));
        }
        self.detached(py, work, too_late)
    }

    /// Does what may take long.
    fn detached<T, W, L>(&self, py: Python<'_>, work: W, too_late: L) -> PyResult<T>
    where
        T: Send + 'static,
        W: FnOnce(&mut Session) -> T + Send + 'static,
        L: FnOnce(&mut Session, T) + Send + 'static,
    {
        let (here, later) = (Arc::clone(&self.shared), Arc::clone(&self.shared));
        interruptible(
            py,
            move || work(&mut here.lock().unwrap_or_else(PoisonError::into_inner)),
            move |value| too_late(&mut later.lock().unwrap_or_else(PoisonError::into_inner), value),
        )
    }

    /// [`Search::long`] for what changes the search in a way that may stand even if nobody waited for it.
    fn change<W>(&self, py: Python<'_>, work: W) -> PyResult<()>
    where
        W: FnOnce(&mut Session) -> Result<(), Error> + Send + 'static,
    {
        let changed = self.long(py, work, |_, _| {});
        self.pace.forget();
        changed?.or_raise(py)
    }

    /// [`Search::change`] for what is short in however large a graph.
    pub(crate) fn change_briefly<W>(&self, py: Python<'_>, work: W) -> PyResult<()>
    where
        W: FnOnce(&mut Session) -> Result<(), Error> + Send + 'static,
    {
        if self.kept.load(Ordering::Relaxed) {
            return self.change(py, work);
        }
        work(&mut self.lock(py)).or_raise(py)
    }

    /// Begins to keep what happens on a disk; `too_late` undoes that where nobody waited for it.
    pub(crate) fn keep<T, W, L>(&self, py: Python<'_>, work: W, too_late: L) -> PyResult<T>
    where
        T: Send + 'static,
        W: FnOnce(&mut Session) -> Result<T, Error> + Send + 'static,
        L: FnOnce(&mut Session) + Send + 'static,
    {
        let value = self.detached(py, work, |session, _| too_late(session))?.or_raise(py)?;
        self.kept.store(true, Ordering::Relaxed);
        Ok(value)
    }

    /// Looks at it.
    pub(crate) fn look<T>(&self, py: Python<'_>, look: impl FnOnce(&Session) -> T) -> T {
        look(&self.lock(py))
    }
}

#[pymethods]
impl Search {
    /// Returns at most `k` probes to run next, leased for `lease` seconds.
    #[pyo3(signature = (k, lease=None))]
    fn ask(&self, py: Python<'_>, k: usize, lease: Option<f64>) -> PyResult<Vec<Probe>> {
        let is_alone = || self.idle().is_some_and(|session| session.in_flight().is_empty());
        let decision = if k == 1 && is_alone() { Decision::Ask } else { Decision::LookAhead };
        self.decide(py, decision, move |search| search.lend(k, lease), put_back)?.or_raise(py).map(probes)
    }

    /// Tells the outcome of a probe.
    fn tell(&self, py: Python<'_>, id: u64, outcome: &Bound<'_, PyAny>) -> PyResult<()> {
        let seen = observation(outcome)?;
        self.decide(py, Decision::Tell, move |search| search.tell(id, seen), |_, _| {})?.or_raise(py)
    }

    /// Abandons a probe.
    fn abandon(&self, py: Python<'_>, id: u64) -> PyResult<()> {
        self.change_briefly(py, move |search| search.abandon(id))
    }

    /// Tells an outcome that was not asked for.
    fn observe(&self, target: &Bound<'_, PyAny>, outcome: &Bound<'_, PyAny>) -> PyResult<()> {
        let (target, seen): (Target, Observation) = (self.target(target)?, observation(outcome)?);
        self.change(outcome.py(), move |search| search.observe(&target, seen))
    }

    /// Tells outcomes that are known before the search starts, except those that it already has.
    fn assume(&self, py: Python<'_>, known: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>) -> PyResult<()> {
        let known: Vec<(Target, Observation)> = known
            .iter()
            .map(|(target, outcome)| Ok((self.target(target)?, observation(outcome)?)))
            .collect::<PyResult<_>>()?;
        self.change(py, move |search| search.assume(&known))
    }

    /// Makes a suspect the next one to ask.
    fn enqueue(&self, target: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = target.py();
        let target = self.target(target)?;
        self.change_briefly(py, move |search| search.enqueue(&target))
    }

    /// Ends all leases, so a driver takes over the probes in flight.
    fn take_over(&self, py: Python<'_>) {
        self.lock(py).take_over();
    }

    /// The graph of the search, or `None`.
    #[getter]
    fn graph(&self, py: Python<'_>) -> Option<CommitGraph> {
        match self.lock(py).inspect().world() {
            World::History(graph) => Some(CommitGraph { graph }),
            World::Items(_) => None,
        }
    }

    /// Returns whether the outcome of a probe is still needed.
    fn wanted(&self, py: Python<'_>, id: u64) -> PyResult<bool> {
        self.decide(py, Decision::Wanted, move |search| search.wanted(id), |_, _| {})?.or_raise(py)
    }

    /// Returns the reads that the search needs before it can continue as a JSON list, or None if there are none.
    fn reads(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let open = self.lock(py).reads();
        if open.is_empty() {
            return Ok(None);
        }
        json::text(&open).map(Some).or_raise(py)
    }

    /// Provides the contents for a read.
    fn give(&self, py: Python<'_>, id: u64, content: Vec<u8>) -> PyResult<()> {
        self.change(py, move |search| search.give(id, &content))
    }

    /// Resumes a stopped search.
    fn resume(&self, py: Python<'_>) -> PyResult<()> {
        self.change_briefly(py, |search| search.resume())
    }

    /// Stops the search.
    fn stop(&self, py: Python<'_>, reason: &str) -> PyResult<()> {
        let reason: StopReason = serde_json::from_value(reason.into())
            .map_err(|_| Error::invalid("reason", reason, "\"stopped\" or \"budget\""))
            .or_raise(py)?;
        self.change_briefly(py, move |search| search.stop(reason))
    }

    /// Limits the number of runs and their cost.
    fn set_budget(&self, py: Python<'_>, runs: Option<u64>, cost: Option<f64>) -> PyResult<()> {
        self.change_briefly(py, move |search| search.set_budget(Budget { runs, cost }))
    }

    /// Takes back the last outcomes.
    fn undo(&self, py: Python<'_>, answers: u32) -> PyResult<()> {
        self.change(py, move |search| search.undo(answers))
    }

    /// The status of the search.
    #[getter]
    fn status(&self, py: Python<'_>) -> &'static str {
        self.lock(py).status().as_str()
    }

    /// Whether there are no more probes to ask or to wait for.
    #[getter]
    fn done(&self, py: Python<'_>) -> bool {
        self.lock(py).is_done()
    }

    /// Returns the probes in flight, oldest first.
    #[getter]
    fn in_flight(&self, py: Python<'_>) -> Vec<Probe> {
        probes(self.lock(py).in_flight())
    }

    /// The number of outcomes that cost a run.
    #[getter]
    fn runs(&self, py: Python<'_>) -> u64 {
        self.lock(py).runs()
    }

    /// The number of outcomes of probes, including those without a run.
    #[getter]
    fn asked(&self, py: Python<'_>) -> u64 {
        self.lock(py).asked()
    }

    /// Returns the events from this number as a JSON list.
    fn events(&self, py: Python<'_>, start: usize) -> PyResult<String> {
        let events = self.long(py, move |search| search.inspect().events(start), |_, _| {})?;
        json::text(&events).or_raise(py)
    }

    /// Applies one event, given as JSON.
    fn apply(&self, py: Python<'_>, event: &str) -> PyResult<()> {
        let event: Event = json::read(event)
            .map_err(|error| Error::Snapshot { reason: format!("not an event: {error}") })
            .or_raise(py)?;
        self.change(py, move |search| search.apply(&event))
    }

    /// Returns the same search in its initial state.
    fn fresh(&self, py: Python<'_>) -> PyResult<Self> {
        let made = |search: &mut Session| search.fresh();
        let session = Session::new(self.long(py, made, |_, _| {})?.or_raise(py)?);
        let shared = Arc::new(Mutex::new(session));
        Ok(Search { shared, items: self.items, pace: self.pace.fresh(), kept: AtomicBool::new(false) })
    }

    /// Returns the configuration and the events as JSON.
    fn snapshot(&self, py: Python<'_>) -> PyResult<String> {
        self.long(py, |search| search.inspect().snapshot(), |_, _| {})?.or_raise(py)
    }

    /// Returns the configuration as JSON.
    fn configuration(&self, py: Python<'_>) -> PyResult<String> {
        self.lock(py).inspect().configuration().map(|configuration| configuration.to_string()).or_raise(py)
    }

    /// Returns the report as JSON.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        self.long(py, |search| report_json(search.inspect(), search.status()), |_, _| {})?.or_raise(py)
    }

    /// Returns an explanation of each outcome as JSON.
    fn explanations(&self, py: Python<'_>) -> PyResult<String> {
        let explained = self.long(py, |search| firstbad::explain(search), |_, _| {})?.or_raise(py)?;
        json::text(&explained).or_raise(py)
    }

    /// Returns why a revision was tested as JSON, or None if unknown.
    fn why(&self, py: Python<'_>, revision: String) -> PyResult<Option<String>> {
        let why = self.long(py, move |search| search.inspect().why(&revision), |_, _| {})?;
        why.map(|why| json::text(&why)).transpose().or_raise(py)
    }

    /// Returns the report as JSON, and the posterior at the same moment if the search has probabilities.
    fn report_with_posterior(&self, py: Python<'_>) -> PyResult<(String, Option<Posterior>)> {
        let taken =
            |search: &mut Session| (report_json(search.inspect(), search.status()), search.inspect().posterior());
        let (report, posterior) = self.long(py, taken, |_, _| {})?;
        Ok((report.or_raise(py)?, posterior.map(Posterior::from)))
    }
}

/// Returns the default options of an algorithm as JSON.
#[pyfunction]
pub(crate) fn defaults(py: Python<'_>, algorithm: &str) -> PyResult<String> {
    Ok(firstbad::defaults(algorithm).or_raise(py)?.to_string())
}

/// Opens a search by the name of its algorithm, configured by JSON, in a graph or a number of items.
#[pyfunction]
pub(crate) fn open(algorithm: String, world: &Bound<'_, PyAny>, configuration: String) -> PyResult<Search> {
    Search::make(world, move |world| firstbad_git::open(&algorithm, world, &json::argument("options", &configuration)?))
}

/// Restores the search of a snapshot.
#[pyfunction]
pub(crate) fn restore(algorithm: String, world: &Bound<'_, PyAny>, snapshot: String) -> PyResult<Search> {
    Search::make(world, move |world| firstbad::restore(&algorithm, world, &snapshot))
}
