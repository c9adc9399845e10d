//! `Search`: any search of the core behind one class.

use std::sync::{Arc, Mutex, PoisonError};

use firstbad::search::Search as Core;
use firstbad::{Budget, Error, Event, Observation, Spelling, StopReason, Target, World, json};
use firstbad_git::report_json;
use firstbad_journal::Session;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::answer::{invalid, observation};
use crate::changes::change_set;
use crate::errors::OrRaise;
use crate::graph::CommitGraph;
use crate::pace::{Pace, Step};
use crate::posterior::Posterior;
use crate::probe::{Probe, probes};
use crate::work::{LARGE, brief, idle, released};

type Shared = Arc<Mutex<Session>>;

/// A search that asks for probes and is told observations.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct Search {
    shared: Shared,
    /// How many items there are, where it is about sets of them.
    items: Option<usize>,
    pace: Pace,
}

/// Gives probes back that nobody waited for.
pub(crate) fn put_back(session: &mut Session, asked: Vec<firstbad::Probe>) {
    for probe in asked {
        // A probe just handed out is known.
        let _ = session.abandon(probe.id);
    }
}

/// Keeps what a step did, even if nobody waited for it.
pub(crate) fn stands<T>(_: &mut Session, _: T) {}

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
        // Dependencies and trees are read once, snapshots played back; a question among items is a short one.
        let made = move || Ok((Pace::of(&world), Session::new(make(world)?)));
        let (pace, session) = if size >= LARGE { released(py, made, drop)? } else { made().or_raise(py)? };
        Ok(Search { shared: Arc::new(Mutex::new(session)), items, pace })
    }

    /// A search that was made elsewhere.
    pub(crate) fn of(search: Box<dyn Core>) -> Self {
        let world = search.inspect().world();
        let items = match world {
            World::History(_) => None,
            World::Items(items) => Some(items),
        };
        let (pace, shared) = (Pace::of(&world), Arc::new(Mutex::new(Session::new(search))));
        Search { shared, items, pace }
    }

    /// What a revision, or indices, stand for.
    fn target(&self, given: &Bound<'_, PyAny>) -> PyResult<Target> {
        match (self.items, given.cast::<PyString>()) {
            (Some(items), _) => Ok(change_set("indices", given, Some(items))?.into()),
            (None, Ok(revision)) => Ok(revision.to_str()?.into()),
            (None, Err(_)) => Err(invalid("revision", given, "a revision's id, as str")),
        }
    }

    /// Looks at the session, briefly.
    pub(crate) fn brief<T>(&self, py: Python<'_>, look: impl FnOnce(&mut Session) -> T) -> T {
        brief(py, &self.shared, look)
    }

    /// Takes a step, at once if it is short; `too_late` gets a result that nobody waited for ([`stands`] keeps what was done).
    pub(crate) fn step<T, W, L>(&self, py: Python<'_>, step: Step, work: W, too_late: L) -> PyResult<T>
    where
        T: Send + 'static,
        W: FnOnce(&mut Session) -> Result<T, Error> + Send + 'static,
        L: FnOnce(&mut Session, T) + Send + 'static,
    {
        let pace = self.pace.clone();
        let timed = move |session: &mut Session| pace.timed(step, || work(session));
        // A wait for a thread that makes a long decision would not hear signals.
        if self.pace.is_short(step) && idle(&self.shared).is_some() {
            return self.brief(py, timed).or_raise(py);
        }
        let (here, later) = (Arc::clone(&self.shared), Arc::clone(&self.shared));
        released(
            py,
            move || timed(&mut here.lock().unwrap_or_else(PoisonError::into_inner)),
            move |value| too_late(&mut later.lock().unwrap_or_else(PoisonError::into_inner), value),
        )
    }

    /// The card of a report of this search, given as JSON.
    pub(crate) fn card(&self, py: Python<'_>, report: String) -> PyResult<String> {
        let drawn = move |search: &mut Session| {
            let mut report = firstbad_git::named_report(search.inspect(), &report)?;
            report.spell(Spelling::Python);
            Ok(firstbad_report::card::report(&report, Some(search)))
        };
        self.step(py, Step::Walk, drawn, stands)
    }
}

#[pymethods]
impl Search {
    /// At most k probes to run next, lent for so many seconds.
    #[pyo3(signature = (k, lease=None))]
    fn ask(&self, py: Python<'_>, k: usize, lease: Option<f64>) -> PyResult<Vec<Probe>> {
        let is_alone = || idle(&self.shared).is_some_and(|session| session.in_flight().is_empty());
        let step = if k == 1 && is_alone() { Step::Ask } else { Step::LookAhead };
        self.step(py, step, move |search| search.lend(k, lease), put_back).map(probes)
    }

    /// Answers a probe.
    fn tell(&self, py: Python<'_>, id: u64, outcome: &Bound<'_, PyAny>) -> PyResult<()> {
        let seen = observation(outcome)?;
        self.step(py, Step::Tell, move |search| search.tell(id, seen), stands)
    }

    /// Says that a probe will not be answered.
    fn abandon(&self, py: Python<'_>, id: u64) -> PyResult<()> {
        self.step(py, Step::Note, move |search| search.abandon(id), stands)
    }

    /// Tells something known that was never asked.
    fn observe(&self, target: &Bound<'_, PyAny>, outcome: &Bound<'_, PyAny>) -> PyResult<()> {
        let (target, seen): (Target, Observation) = (self.target(target)?, observation(outcome)?);
        self.step(outcome.py(), Step::Change, move |search| search.observe(&target, seen), stands)
    }

    /// Tells what is known before the search begins, but for what it was told already.
    fn assume(&self, py: Python<'_>, known: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>) -> PyResult<()> {
        let known: Vec<(Target, Observation)> = known
            .iter()
            .map(|(target, outcome)| Ok((self.target(target)?, observation(outcome)?)))
            .collect::<PyResult<_>>()?;
        self.step(py, Step::Change, move |search| search.assume(&known), stands)
    }

    /// Puts a suspect at the head of what is asked next.
    fn enqueue(&self, target: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = target.py();
        let target = self.target(target)?;
        self.step(py, Step::Note, move |search| search.enqueue(&target), stands)
    }

    /// Ends all leases, for a driver that answers what is in flight, however long that takes.
    fn take_over(&self, py: Python<'_>) {
        self.brief(py, |search| search.take_over());
    }

    /// The graph that is searched; `None` if there is none.
    #[getter]
    fn graph(&self, py: Python<'_>) -> Option<CommitGraph> {
        match self.brief(py, |search| search.inspect().world()) {
            World::History(graph) => Some(CommitGraph { graph }),
            World::Items(_) => None,
        }
    }

    /// Whether an answer is still of use.
    fn wanted(&self, py: Python<'_>, id: u64) -> PyResult<bool> {
        self.step(py, Step::Wanted, move |search| search.wanted(id), stands)
    }

    /// What the search has to see before it can ask on, as a JSON list; None if it has to see nothing.
    fn reads(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let open = self.brief(py, |search| search.reads());
        if open.is_empty() {
            return Ok(None);
        }
        json::text(&open).map(Some).or_raise(py)
    }

    /// Hands over what a read asks for.
    fn give(&self, py: Python<'_>, id: u64, content: Vec<u8>) -> PyResult<()> {
        self.step(py, Step::Change, move |search| search.give(id, &content), stands)
    }

    /// Takes up a search that was ended from outside.
    fn resume(&self, py: Python<'_>) -> PyResult<()> {
        self.step(py, Step::Note, |search| search.resume(), stands)
    }

    /// Ends the search from outside.
    fn stop(&self, py: Python<'_>, reason: &str) -> PyResult<()> {
        let reason: StopReason = serde_json::from_value(reason.into())
            .map_err(|_| Error::invalid("reason", reason, "\"stopped\" or \"budget\""))
            .or_raise(py)?;
        self.step(py, Step::Note, move |search| search.stop(reason), stands)
    }

    /// Limits the answers and their cost.
    fn set_budget(&self, py: Python<'_>, runs: Option<u64>, cost: Option<f64>) -> PyResult<()> {
        self.step(py, Step::Note, move |search| search.set_budget(Budget { runs, cost }), stands)
    }

    /// Takes back the last answers.
    fn undo(&self, py: Python<'_>, answers: u32) -> PyResult<()> {
        self.step(py, Step::Change, move |search| search.undo(answers), stands)
    }

    /// Where the search stands.
    #[getter]
    fn status(&self, py: Python<'_>) -> &'static str {
        self.brief(py, |search| search.status().as_str())
    }

    /// Whether there is nothing left to ask or to wait for.
    #[getter]
    fn done(&self, py: Python<'_>) -> bool {
        self.brief(py, |search| search.is_done())
    }

    /// Probes asked and not answered, oldest first.
    #[getter]
    fn in_flight(&self, py: Python<'_>) -> Vec<Probe> {
        probes(self.brief(py, |search| search.in_flight()))
    }

    /// How many answers of the oracle cost a run.
    #[getter]
    fn queries(&self, py: Python<'_>) -> u64 {
        self.brief(py, |search| search.queries())
    }

    /// How many answers came to probes, those without a run included.
    #[getter]
    fn asked(&self, py: Python<'_>) -> u64 {
        self.brief(py, |search| search.asked())
    }

    /// The events from this number on, as a JSON list.
    fn events(&self, py: Python<'_>, start: usize) -> PyResult<String> {
        let events = self.step(py, Step::Walk, move |search| Ok(search.inspect().events(start)), stands)?;
        json::text(&events).or_raise(py)
    }

    /// Applies one event, given as JSON.
    fn apply(&self, py: Python<'_>, event: &str) -> PyResult<()> {
        let event: Event = json::read(event)
            .map_err(|error| Error::Snapshot { reason: format!("not an event: {error}") })
            .or_raise(py)?;
        self.step(py, Step::Change, move |search| search.apply(&event), stands)
    }

    /// The same search at its start.
    fn fresh(&self, py: Python<'_>) -> PyResult<Self> {
        let session = Session::new(self.step(py, Step::Walk, |search| search.fresh(), stands)?);
        Ok(Search { shared: Arc::new(Mutex::new(session)), items: self.items, pace: self.pace.fresh() })
    }

    /// Configuration and events as JSON.
    fn snapshot(&self, py: Python<'_>) -> PyResult<String> {
        self.step(py, Step::Walk, |search| search.inspect().snapshot(), stands)
    }

    /// The configuration as JSON.
    fn configuration(&self, py: Python<'_>) -> PyResult<String> {
        self.brief(py, |search| search.inspect().configuration())
            .map(|configuration| configuration.to_string())
            .or_raise(py)
    }

    /// The report as JSON.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        self.step(py, Step::Walk, |search| report_json(search.inspect(), search.status()), stands)
    }

    /// How it came to where it stands, as JSON: an explanation for each answer.
    fn explanations(&self, py: Python<'_>) -> PyResult<String> {
        let explained = self.step(py, Step::Walk, |search| firstbad::explain(search), stands)?;
        json::text(&explained).or_raise(py)
    }

    /// Why a revision is tried, as JSON; None if nothing is known.
    fn why(&self, py: Python<'_>, revision: String) -> PyResult<Option<String>> {
        let why = self.step(py, Step::Walk, move |search| Ok(search.inspect().why(&revision)), stands)?;
        why.map(|why| json::text(&why)).transpose().or_raise(py)
    }

    /// The report as JSON, and the posterior at the same moment, where the search keeps one.
    fn report_with_posterior(&self, py: Python<'_>) -> PyResult<(String, Option<Posterior>)> {
        let taken =
            |search: &mut Session| Ok((report_json(search.inspect(), search.status())?, search.inspect().posterior()));
        let (report, posterior) = self.step(py, Step::Walk, taken, stands)?;
        Ok((report, posterior.map(Posterior::from)))
    }
}

/// The options of an algorithm as JSON, as they are if none is given.
#[pyfunction]
pub(crate) fn defaults(py: Python<'_>, algorithm: &str) -> PyResult<String> {
    Ok(firstbad::defaults(algorithm).or_raise(py)?.to_string())
}

/// A search by the name of its algorithm, configured by JSON, in a graph or in a number of items.
#[pyfunction]
pub(crate) fn open(algorithm: String, world: &Bound<'_, PyAny>, configuration: String) -> PyResult<Search> {
    Search::make(world, move |world| firstbad_git::open(&algorithm, world, &json::argument("options", &configuration)?))
}

/// The search that a snapshot holds.
#[pyfunction]
pub(crate) fn restore(algorithm: String, world: &Bound<'_, PyAny>, snapshot: String) -> PyResult<Search> {
    Search::make(world, move |world| firstbad::restore(&algorithm, world, &snapshot))
}
