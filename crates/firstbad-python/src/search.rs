//! `Search`: the class for searches with any algorithm.

use std::sync::{Arc, Mutex, PoisonError};

use firstbad::metric::Numbers;
use firstbad::search::{Algorithm as _, Search as Core};
use firstbad::suite::Triage;
use firstbad::{Budget, Error, Event, Observation, Spelling, StopReason, Target, World, json};
use firstbad_git::report_json;
use firstbad_journal::Session;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::answer::{observation, suite_observation};
use crate::changes::change_set;
use crate::errors::{OrRaise, invalid};
use crate::graph::CommitGraph;
use crate::measurement::measurement;
use crate::pace::{Pace, Step};
use crate::posterior::Posterior;
use crate::probe::{Asked, Probe, probes, with_tests};
use crate::work::{LARGE, brief, idle, released};

type Shared = Arc<Mutex<Session>>;

/// A search that asks for probes and is told observations.
#[pyclass(frozen, module = "firstbad._native")]
pub(crate) struct Search {
    shared: Shared,
    /// The number of items in a search among items.
    items: Option<usize>,
    answers: Answers,
    pace: Pace,
}

/// What the search is told.
#[derive(Clone)]
enum Answers {
    /// The outcome of a test.
    Outcome,
    /// The outcomes of several tests.
    Suite,
    /// A number, or a number for each of these metrics.
    Numbers(Arc<[String]>),
}

impl Answers {
    fn of(session: &Session) -> Self {
        match session.inspect().algorithm() {
            Triage::NAME => Answers::Suite,
            Numbers::NAME => {
                let configuration = session.inspect().configuration().unwrap_or_default();
                let metrics = configuration.get("metrics").and_then(serde_json::Value::as_object);
                Answers::Numbers(metrics.into_iter().flat_map(serde_json::Map::keys).cloned().collect())
            }
            _ => Answers::Outcome,
        }
    }
}

/// Returns probes to the search if no caller received them.
pub(crate) fn put_back(session: &mut Session, asked: Vec<Asked>) {
    for (probe, _) in asked {
        // The search knows a probe that it just returned.
        let _ = session.abandon(probe.id);
    }
}

/// Keeps the effect of an abandoned step.
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
        // Opening reads dependencies and trees once and replays snapshots. Later questions about items are short.
        let made = move || Ok((Pace::of(&world), Session::new(make(world)?)));
        let (pace, session) = if size >= LARGE { released(py, made, drop)? } else { made().or_raise(py)? };
        Ok(Search::new(session, items, pace))
    }

    fn new(session: Session, items: Option<usize>, pace: Pace) -> Self {
        let answers = Answers::of(&session);
        Search { shared: Arc::new(Mutex::new(session)), items, answers, pace }
    }

    /// Converts a value to an observation for this search.
    pub(crate) fn observation(&self, value: &Bound<'_, PyAny>) -> PyResult<Observation> {
        match &self.answers {
            Answers::Outcome => observation(value),
            Answers::Suite => suite_observation(value),
            Answers::Numbers(metrics) => measurement(value, metrics),
        }
    }

    /// Wraps a search of the core.
    pub(crate) fn of(search: Box<dyn Core>) -> Self {
        let world = search.inspect().world();
        let items = match world {
            World::History(_) => None,
            World::Items(items) => Some(items),
        };
        let pace = Pace::of(&world);
        Search::new(Session::new(search), items, pace)
    }

    /// Converts a revision, a revision with a set of tests, or indices, to a target.
    fn target(&self, given: &Bound<'_, PyAny>) -> PyResult<Target> {
        if let (None, Ok((revision, tests))) = (self.items, given.extract::<(String, Bound<'_, PyAny>)>()) {
            return Ok(Target { tests: Some(change_set("tests", &tests, None)?), ..revision.into() });
        }
        match (self.items, given.cast::<PyString>()) {
            (Some(items), _) => Ok(change_set("indices", given, Some(items))?.into()),
            (None, Ok(revision)) => Ok(revision.to_str()?.into()),
            (None, Err(_)) => Err(invalid("revision", given, "a revision's id, as str")),
        }
    }

    /// Runs brief work on the session.
    pub(crate) fn brief<T>(&self, py: Python<'_>, look: impl FnOnce(&mut Session) -> T) -> T {
        brief(py, &self.shared, look)
    }

    /// Takes a step, directly if it is short. The result of an abandoned step goes to `too_late`, which can be [`stands`].
    pub(crate) fn step<T, W, L>(&self, py: Python<'_>, step: Step, work: W, too_late: L) -> PyResult<T>
    where
        T: Send + 'static,
        W: FnOnce(&mut Session) -> Result<T, Error> + Send + 'static,
        L: FnOnce(&mut Session, T) + Send + 'static,
    {
        let pace = self.pace.clone();
        let timed = move |session: &mut Session| pace.timed(step, || work(session));
        // A wait for a long decision of another thread must handle signals.
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

    /// Returns the card of a report, given as JSON.
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
    /// Returns at most `k` probes to run next, leased for `lease` seconds.
    #[pyo3(signature = (k, lease=None))]
    fn ask(&self, py: Python<'_>, k: usize, lease: Option<f64>) -> PyResult<Vec<Probe>> {
        let is_alone = || idle(&self.shared).is_some_and(|session| session.in_flight().is_empty());
        let step = if k == 1 && is_alone() { Step::Ask } else { Step::LookAhead };
        let lend = move |search: &mut Session| search.lend(k, lease).map(|asked| with_tests(search, asked));
        self.step(py, step, lend, put_back).map(probes)
    }

    /// Tells the outcome of a probe.
    fn tell(&self, py: Python<'_>, id: u64, outcome: &Bound<'_, PyAny>) -> PyResult<()> {
        let seen = self.observation(outcome)?;
        self.step(py, Step::Tell, move |search| search.tell(id, seen), stands)
    }

    /// Returns a value that the oracle can return as an observation in JSON.
    fn observed(&self, outcome: &Bound<'_, PyAny>) -> PyResult<String> {
        json::text(&self.observation(outcome)?).or_raise(outcome.py())
    }

    /// Abandons a probe.
    fn abandon(&self, py: Python<'_>, id: u64) -> PyResult<()> {
        self.step(py, Step::Note, move |search| search.abandon(id), stands)
    }

    /// Tells an outcome that was not asked for.
    fn observe(&self, target: &Bound<'_, PyAny>, outcome: &Bound<'_, PyAny>) -> PyResult<()> {
        let (target, seen): (Target, Observation) = (self.target(target)?, self.observation(outcome)?);
        self.step(outcome.py(), Step::Change, move |search| search.observe(&target, seen), stands)
    }

    /// Tells outcomes that are known before the search starts, except those that it already has.
    fn assume(&self, py: Python<'_>, known: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>) -> PyResult<()> {
        let known: Vec<(Target, Observation)> = known
            .iter()
            .map(|(target, outcome)| Ok((self.target(target)?, self.observation(outcome)?)))
            .collect::<PyResult<_>>()?;
        self.step(py, Step::Change, move |search| search.assume(&known), stands)
    }

    /// Makes a suspect the next one to ask.
    fn enqueue(&self, target: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = target.py();
        let target = self.target(target)?;
        self.step(py, Step::Note, move |search| search.enqueue(&target), stands)
    }

    /// Ends all leases, so a driver takes over the probes in flight.
    fn take_over(&self, py: Python<'_>) {
        self.brief(py, |search| search.take_over());
    }

    /// The graph of the search, or `None`.
    #[getter]
    fn graph(&self, py: Python<'_>) -> Option<CommitGraph> {
        match self.brief(py, |search| search.inspect().world()) {
            World::History(graph) => Some(CommitGraph { graph }),
            World::Items(_) => None,
        }
    }

    /// Returns whether the outcome of a probe is still needed.
    fn wanted(&self, py: Python<'_>, id: u64) -> PyResult<bool> {
        self.step(py, Step::Wanted, move |search| search.wanted(id), stands)
    }

    /// Returns the reads that the search needs before it can continue as a JSON list, or None if there are none.
    fn reads(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let open = self.brief(py, |search| search.reads());
        if open.is_empty() {
            return Ok(None);
        }
        json::text(&open).map(Some).or_raise(py)
    }

    /// Provides the contents for a read.
    fn give(&self, py: Python<'_>, id: u64, content: Vec<u8>) -> PyResult<()> {
        self.step(py, Step::Change, move |search| search.give(id, &content), stands)
    }

    /// Resumes a stopped search.
    fn resume(&self, py: Python<'_>) -> PyResult<()> {
        self.step(py, Step::Note, |search| search.resume(), stands)
    }

    /// Stops the search.
    fn stop(&self, py: Python<'_>, reason: &str) -> PyResult<()> {
        let reason: StopReason = serde_json::from_value(reason.into())
            .map_err(|_| Error::invalid("reason", reason, "\"stopped\" or \"budget\""))
            .or_raise(py)?;
        self.step(py, Step::Note, move |search| search.stop(reason), stands)
    }

    /// Limits the number of runs, their cost, and the number of builds.
    fn set_budget(&self, py: Python<'_>, runs: Option<u64>, cost: Option<f64>, builds: Option<u64>) -> PyResult<()> {
        self.step(py, Step::Note, move |search| search.set_budget(Budget { runs, cost, builds }), stands)
    }

    /// Takes back the last outcomes.
    fn undo(&self, py: Python<'_>, answers: u32) -> PyResult<()> {
        self.step(py, Step::Change, move |search| search.undo(answers), stands)
    }

    /// The status of the search.
    #[getter]
    fn status(&self, py: Python<'_>) -> &'static str {
        self.brief(py, |search| search.status().as_str())
    }

    /// Whether there are no more probes to ask or to wait for.
    #[getter]
    fn done(&self, py: Python<'_>) -> bool {
        self.brief(py, |search| search.is_done())
    }

    /// Returns the probes in flight, oldest first.
    #[getter]
    fn in_flight(&self, py: Python<'_>) -> Vec<Probe> {
        probes(self.brief(py, |search| with_tests(search, search.in_flight())))
    }

    /// The number of outcomes that cost a run.
    #[getter]
    fn runs(&self, py: Python<'_>) -> u64 {
        self.brief(py, |search| search.runs())
    }

    /// The number of outcomes of probes, including those without a run.
    #[getter]
    fn asked(&self, py: Python<'_>) -> u64 {
        self.brief(py, |search| search.asked())
    }

    /// Returns the events from this number as a JSON list.
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

    /// Returns the same search in its initial state.
    fn fresh(&self, py: Python<'_>) -> PyResult<Self> {
        let session = Session::new(self.step(py, Step::Walk, |search| search.fresh(), stands)?);
        Ok(Search::new(session, self.items, self.pace.fresh()))
    }

    /// Returns the configuration and the events as JSON.
    fn snapshot(&self, py: Python<'_>) -> PyResult<String> {
        self.step(py, Step::Walk, |search| search.inspect().snapshot(), stands)
    }

    /// Returns the configuration as JSON.
    fn configuration(&self, py: Python<'_>) -> PyResult<String> {
        self.brief(py, |search| search.inspect().configuration())
            .map(|configuration| configuration.to_string())
            .or_raise(py)
    }

    /// Returns the report as JSON.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        self.step(py, Step::Walk, |search| report_json(search.inspect(), search.status()), stands)
    }

    /// Returns an explanation of each outcome as JSON.
    fn explanations(&self, py: Python<'_>) -> PyResult<String> {
        let explained = self.step(py, Step::Walk, |search| firstbad::explain(search), stands)?;
        json::text(&explained).or_raise(py)
    }

    /// Returns why a revision was tested as JSON, or None if unknown.
    fn why(&self, py: Python<'_>, revision: String) -> PyResult<Option<String>> {
        let why = self.step(py, Step::Walk, move |search| Ok(search.inspect().why(&revision)), stands)?;
        why.map(|why| json::text(&why)).transpose().or_raise(py)
    }

    /// Returns the report as JSON, and the posterior at the same moment if the search has probabilities.
    fn report_with_posterior(&self, py: Python<'_>) -> PyResult<(String, Option<Posterior>)> {
        let taken =
            |search: &mut Session| Ok((report_json(search.inspect(), search.status())?, search.inspect().posterior()));
        let (report, posterior) = self.step(py, Step::Walk, taken, stands)?;
        Ok((report, posterior.map(Posterior::from)))
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
