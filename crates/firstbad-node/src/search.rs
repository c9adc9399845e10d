//! One class for the searches of all algorithms.

use firstbad::{Error, Event, Observation, Outcome, Probe, Search, StopReason};
use napi_derive::napi;

use crate::error::thrown;
use crate::graph::BindingGraph;
use crate::json::{parsed, text};
use crate::posterior::BindingPosterior;

/// Any search.
#[napi]
pub struct BindingSearch {
    search: Box<dyn Search>,
}

/// Probes as one text, `id\0revision\0id\0revision`: half the price of objects made through Node-API.
fn joined(probes: &[Probe]) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    for probe in probes {
        let (id, revision) = (probe.id, probe.revision());
        let before = if text.is_empty() { "" } else { "\0" };
        // Writing to a text cannot fail.
        let _ = write!(text, "{before}{id}\0{revision}");
    }
    text
}

/// A probe's number; what cannot be one becomes a number that no probe has.
fn number(id: f64) -> u64 {
    if id.fract() == 0.0 && id >= 0.0 { id as u64 } else { u64::MAX }
}

#[napi]
impl BindingSearch {
    #[napi(factory, catch_unwind)]
    pub fn open(algorithm: String, graph: &BindingGraph, configuration: String) -> napi::Result<BindingSearch> {
        let configuration = parsed("options", &configuration)?;
        Ok(BindingSearch { search: firstbad::open(&algorithm, graph.graph.clone(), &configuration).map_err(thrown)? })
    }

    #[napi(factory, catch_unwind)]
    pub fn restore(algorithm: String, graph: &BindingGraph, snapshot: String) -> napi::Result<BindingSearch> {
        Ok(BindingSearch { search: firstbad::restore(&algorithm, graph.graph.clone(), &snapshot).map_err(thrown)? })
    }

    /// The probes to run, as `joined` writes them.
    #[napi(catch_unwind)]
    pub fn ask(&mut self, k: u32) -> napi::Result<String> {
        Ok(joined(&self.search.ask(k as usize).map_err(thrown)?))
    }

    /// The quick way for a bare outcome: 0 pass, 1 fail, 2 unresolved.
    #[napi(catch_unwind)]
    pub fn tell(&mut self, id: f64, outcome: u32) -> napi::Result<()> {
        let outcome = match outcome {
            0 => Outcome::Pass,
            1 => Outcome::Fail,
            _ => Outcome::Unresolved,
        };
        self.search.tell(number(id), outcome.into()).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn tell_observation(&mut self, id: f64, observation: String) -> napi::Result<()> {
        self.search.tell(number(id), parsed("answer", &observation)?).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn abandon(&mut self, id: f64) -> napi::Result<()> {
        self.search.abandon(number(id)).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn observe(&mut self, revision: String, observation: String) -> napi::Result<()> {
        let observation: Observation = parsed("answer", &observation)?;
        self.search.observe(&revision.into(), observation).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn enqueue(&mut self, revision: String) -> napi::Result<()> {
        self.search.enqueue(&revision.into()).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn wanted(&self, id: f64) -> napi::Result<bool> {
        self.search.wanted(number(id)).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn stop(&mut self, reason: String) -> napi::Result<()> {
        let reason = match reason.as_str() {
            "budget" => StopReason::Budget,
            "stopped" => StopReason::Stopped,
            other => return Err(thrown(Error::invalid("reason", other, "\"stopped\" or \"budget\""))),
        };
        self.search.stop(reason);
        Ok(())
    }

    #[napi(catch_unwind)]
    pub fn set_budget(&mut self, budget: String) -> napi::Result<()> {
        self.search.set_budget(parsed("budget", &budget)?).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn undo(&mut self, answers: u32) -> napi::Result<()> {
        self.search.undo(answers).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn status(&self) -> &'static str {
        self.search.status().as_str()
    }

    #[napi(catch_unwind)]
    pub fn is_done(&self) -> bool {
        self.search.is_done()
    }

    /// As [`BindingSearch::ask`] gives them.
    #[napi(catch_unwind)]
    pub fn in_flight(&self) -> String {
        joined(&self.search.in_flight())
    }

    #[napi(catch_unwind)]
    pub fn queries(&self) -> i64 {
        self.search.queries() as i64
    }

    /// The events from number `from` on, as a JSON array.
    #[napi(catch_unwind)]
    pub fn events(&self, from: u32) -> napi::Result<String> {
        text(&self.search.events(from as usize))
    }

    #[napi(catch_unwind)]
    pub fn apply(&mut self, event: String) -> napi::Result<()> {
        let event: Event = parsed("event", &event)?;
        self.search.apply(&event).map_err(thrown)
    }

    #[napi(catch_unwind)]
    pub fn snapshot(&self) -> String {
        self.search.snapshot()
    }

    #[napi(catch_unwind)]
    pub fn report(&self) -> String {
        self.search.report_json()
    }

    /// What is believed about every suspect now; nothing where the search keeps no belief.
    #[napi(catch_unwind)]
    pub fn posterior(&self) -> Option<BindingPosterior> {
        self.search.posterior().map(BindingPosterior::new)
    }
}
