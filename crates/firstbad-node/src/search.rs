//! The class for searches with any algorithm.

use firstbad::search::Algorithm as _;
use firstbad::suite::Triage;
use firstbad::{
    ChangeSet, Error, Event, Observation, Outcome, Probe, Run, Search, Spelling, StopReason, Target, World,
};
use firstbad_journal::Session;
use napi::Env;
use napi::bindgen_prelude::{ClassInstance, Either, Object, Uint8Array, Uint32Array};
use napi_derive::napi;

use crate::error::thrown;
use crate::graph::BindingGraph;
use crate::json::{parsed, text};
use crate::posterior::BindingPosterior;
use crate::promise::promised;

/// A search with an optional journal.
#[napi]
pub struct BindingSearch {
    pub(crate) session: Session,
    /// The number of items, or 0 for a search in a history.
    pub(crate) items: usize,
    /// The current or last run.
    pub(crate) run: Option<Run>,
}

/// Returns the world of a search and its number of items.
fn world(given: &Either<ClassInstance<'_, BindingGraph>, u32>) -> (World, usize) {
    match given {
        Either::A(graph) => (graph.graph.clone().into(), 0),
        Either::B(items) => ((*items as usize).into(), *items as usize),
    }
}

/// Joins probes into one text, `id\0revision\0changes\0id\0...`, which is twice as fast as creating objects through Node-API. A
/// missing revision and missing changes are `*`. Changes of a read are `changes@number`. The id of a confirming probe ends with
/// `!`. A triage has `tests` and the set and the ids of the tests as JSON instead of changes.
pub(crate) fn joined(session: &Session, probes: &[Probe]) -> napi::Result<String> {
    use std::fmt::Write;
    if session.inspect().algorithm() == Triage::NAME {
        return joined_suite(session, probes);
    }
    let mut text = String::new();
    for probe in probes {
        let id = if probe.confirms { format!("{}!", probe.id) } else { probe.id.to_string() };
        let revision = probe.target.revision.as_deref().unwrap_or("*");
        let before = if text.is_empty() { "" } else { "\0" };
        // Writing to a string cannot fail.
        let _ = match (probe.changes(), probe.target.universe) {
            (None, _) => write!(text, "{before}{id}\0{revision}\0*"),
            (Some(changes), None) => write!(text, "{before}{id}\0{revision}\0{changes}"),
            (Some(changes), Some(universe)) => write!(text, "{before}{id}\0{revision}\0{changes}@{universe}"),
        };
    }
    Ok(text)
}

fn joined_suite(session: &Session, probes: &[Probe]) -> napi::Result<String> {
    let one = |probe: &Probe| {
        let tests = text(&(&probe.target.tests, session.inspect().tests(&probe.target)))?;
        Ok(format!("{}\0{}\0tests{tests}", probe.id, probe.revision()))
    };
    Ok(probes.iter().map(one).collect::<napi::Result<Vec<String>>>()?.join("\0"))
}

/// Returns a probe's id. An invalid number becomes an id that no probe has.
pub(crate) fn number(id: f64) -> u64 {
    if id.fract() == 0.0 && id >= 0.0 { id as u64 } else { u64::MAX }
}

/// Returns the outcome with this number in JavaScript.
pub(crate) fn outcome(bare: u32) -> Outcome {
    match bare {
        0 => Outcome::Pass,
        1 => Outcome::Fail,
        _ => Outcome::Unresolved,
    }
}

impl BindingSearch {
    pub(crate) fn new(search: Box<dyn Search>, items: usize) -> Self {
        BindingSearch { session: Session::new(search), items, run: None }
    }

    /// Returns the run's id in its journal, or `run` without a journal.
    pub(crate) fn called(&self, run: String) -> String {
        self.session.header().map_or(run, |header| header.id.clone())
    }

    /// Returns items as a target.
    pub(crate) fn changes(&self, indices: &[usize]) -> napi::Result<Target> {
        Ok(ChangeSet::checked("changes", indices, self.items).map_err(thrown)?.into())
    }

    /// Returns a revision, or the indices of changes, as a target.
    fn target(&self, named: Either<String, Uint32Array>) -> napi::Result<Target> {
        match named {
            Either::A(revision) => Ok(revision.into()),
            Either::B(indices) => self.changes(&indices.iter().map(|&index| index as usize).collect::<Vec<_>>()),
        }
    }
}

#[napi]
impl BindingSearch {
    #[napi(factory, catch_unwind)]
    pub fn open(
        algorithm: String,
        within: Either<ClassInstance<'_, BindingGraph>, u32>,
        configuration: String,
    ) -> napi::Result<BindingSearch> {
        let configuration = parsed("options", &configuration)?;
        let (world, items) = world(&within);
        Ok(BindingSearch::new(firstbad_git::open(&algorithm, world, &configuration).map_err(thrown)?, items))
    }

    /// Opens a search in a history on another thread, because reading the changes of commits can take seconds.
    #[napi(catch_unwind, ts_return_type = "Promise<BindingSearch>")]
    pub fn opened<'env>(
        env: &'env Env,
        algorithm: String,
        history: &BindingGraph,
        configuration: String,
    ) -> napi::Result<Object<'env>> {
        let configuration = parsed("options", &configuration)?;
        let world = history.graph.clone();
        promised(env, move || Ok(BindingSearch::new(firstbad_git::open(&algorithm, world, &configuration)?, 0)))
    }

    #[napi(factory, catch_unwind)]
    pub fn restore(
        algorithm: String,
        within: Either<ClassInstance<'_, BindingGraph>, u32>,
        snapshot: String,
    ) -> napi::Result<BindingSearch> {
        let (world, items) = world(&within);
        Ok(BindingSearch::new(firstbad::restore(&algorithm, world, &snapshot).map_err(thrown)?, items))
    }

    /// Returns the probes to run, in the form of `joined`.
    #[napi(catch_unwind)]
    pub fn ask(&mut self, k: u32) -> napi::Result<String> {
        let asked = self.session.ask(k as usize).map_err(thrown)?;
        joined(&self.session, &asked)
    }

    /// Tells an outcome without details: 0 pass, 1 fail, 2 unresolved.
    #[napi(catch_unwind)]
    pub fn tell(&mut self, id: f64, bare: u32) -> napi::Result<()> {
        self.session.tell(number(id), outcome(bare).into()).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn tell_observation(&mut self, id: f64, observation: String) -> napi::Result<()> {
        self.session.tell(number(id), parsed("answer", &observation)?).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn abandon(&mut self, id: f64) -> napi::Result<()> {
        self.session.abandon(number(id)).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn observe(&mut self, named: Either<String, Uint32Array>, observation: String) -> napi::Result<()> {
        let target = self.target(named)?;
        let observation: Observation = parsed("answer", &observation)?;
        self.session.observe(&target, observation).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn enqueue(&mut self, named: Either<String, Uint32Array>) -> napi::Result<()> {
        let target = self.target(named)?;
        self.session.enqueue(&target).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn wanted(&self, id: f64) -> napi::Result<bool> {
        self.session.wanted(number(id)).map_err(thrown)
    }

    /// Returns the reads that the search needs before it can continue as a JSON array, or null if there are none.
    #[napi(catch_unwind)]
    pub fn reads(&self) -> napi::Result<Option<String>> {
        let open = self.session.reads();
        if open.is_empty() { Ok(None) } else { text(&open).map(Some) }
    }

    #[napi(catch_unwind)]
    pub fn give(&mut self, id: f64, content: Uint8Array) -> napi::Result<()> {
        self.session.give(number(id), &content).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn resume(&mut self) -> napi::Result<()> {
        self.session.resume().map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn stop(&mut self, reason: String) -> napi::Result<()> {
        let reason = match reason.as_str() {
            "budget" => StopReason::Budget,
            "stopped" => StopReason::Stopped,
            other => return Err(thrown(Error::invalid("reason", other, "\"stopped\" or \"budget\""))),
        };
        self.session.stop(reason).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn set_budget(&mut self, budget: String) -> napi::Result<()> {
        self.session.set_budget(parsed("budget", &budget)?).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn undo(&mut self, answers: u32) -> napi::Result<()> {
        self.session.undo(answers).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn status(&self) -> &'static str {
        self.session.status().as_str()
    }

    #[napi(catch_unwind)]
    pub fn is_done(&self) -> bool {
        self.session.is_done()
    }

    /// Returns probes in the form of [`BindingSearch::ask`].
    #[napi(catch_unwind)]
    pub fn in_flight(&self) -> napi::Result<String> {
        joined(&self.session, &self.session.in_flight())
    }

    #[napi(catch_unwind)]
    pub fn runs(&self) -> i64 {
        self.session.runs() as i64
    }

    #[napi(catch_unwind)]
    pub fn asked(&self) -> i64 {
        self.session.asked() as i64
    }

    /// Returns the events from number `from` as a JSON array.
    #[napi(catch_unwind)]
    pub fn events(&self, from: u32) -> napi::Result<String> {
        text(&self.session.inspect().events(from as usize))
    }

    #[napi(catch_unwind)]
    pub fn apply(&mut self, event: String) -> napi::Result<()> {
        let event: Event = parsed("event", &event)?;
        self.session.apply(&event).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn snapshot(&self) -> napi::Result<String> {
        self.session.inspect().snapshot().map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn configuration(&self) -> napi::Result<String> {
        self.session.inspect().configuration().map(|configuration| configuration.to_string()).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn report(&self) -> napi::Result<String> {
        firstbad_git::report_json(self.session.inspect(), self.session.status()).map_err(thrown)
    }

    /// Returns the card of a report, given as JSON.
    #[napi(catch_unwind)]
    pub fn card(&self, report: String) -> napi::Result<String> {
        let mut report = firstbad_git::named_report(self.session.inspect(), &report).map_err(thrown)?;
        report.spell(Spelling::Node);
        Ok(firstbad_report::card::report(&report, Some(&self.session)))
    }

    /// Returns an explanation of each outcome as JSON.
    #[napi(catch_unwind)]
    pub fn explanations(&self) -> napi::Result<String> {
        text(&firstbad::explain(&self.session).map_err(thrown)?)
    }

    /// Returns why a revision was tested as JSON, or `None` if unknown.
    #[napi(catch_unwind)]
    pub fn why(&self, revision: String) -> napi::Result<Option<String>> {
        self.session.inspect().why(&revision).map(|why| text(&why)).transpose()
    }

    /// Returns the posterior of all suspects, or `None` if the search has no probabilities.
    #[napi(catch_unwind)]
    pub fn posterior(&self) -> Option<BindingPosterior> {
        self.session.inspect().posterior().map(BindingPosterior::new)
    }
}
