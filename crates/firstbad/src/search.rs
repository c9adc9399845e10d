//! The waist: every algorithm is asked for probes and told observations, and never runs a test itself.

use std::collections::VecDeque;
use std::sync::Arc;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::event::{Event, StopReason};
use crate::graph::{CommitGraph, Node};
use crate::observation::{Observation, Outcome};

/// One request to test something. Its id is its number, from 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// The id to answer with.
    pub id: u64,
    /// The revision to test.
    pub revision: String,
}

/// Where a search stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not done yet: there is something to ask, or answers are awaited.
    Running,
    /// Every bad revision has its answer, down to an edge (or to "no ancestor passes").
    Found,
    /// Unresolved revisions stand between: the answer names candidates.
    Ambiguous,
    /// No bad revision fails (or not with the failure searched for).
    NotReproduced,
    /// A revision given as good fails.
    GoodEndFails,
    /// The budget was used up first.
    Budget,
    /// The caller or its oracle stopped it first.
    Stopped,
}

impl Status {
    /// The status in `snake_case`, as in the public contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Running => "running",
            Status::Found => "found",
            Status::Ambiguous => "ambiguous",
            Status::NotReproduced => "not_reproduced",
            Status::GoodEndFails => "good_end_fails",
            Status::Budget => "budget",
            Status::Stopped => "stopped",
        }
    }
}

/// How much may be spent. What is not given is not limited. The wall clock is the driver's to watch: it ends a
/// search with [`Search::stop`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// At most this many answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<u64>,
    /// No further probe once the observations' costs add up to this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// What any algorithm supplies: decisions over evidence. [`AskTell`] adds the rest.
pub trait Algorithm: Send + Sync {
    /// The final answer, or the best one so far.
    type Report: Serialize;

    /// Its name in snapshots and journals.
    const NAME: &'static str;

    /// The graph that it searches.
    fn graph(&self) -> &Arc<CommitGraph>;

    /// The configuration, as it would be given to make the same search again.
    fn configuration(&self) -> serde_json::Value;

    /// The revisions whose ancestors are the history that matters, for the fingerprint in a snapshot.
    fn tips(&self) -> &[Node];

    /// Takes an answer into account. A revision is absorbed once.
    fn absorb(&mut self, revision: Node, observation: &Observation);

    /// Forgets all answers.
    fn reset(&mut self);

    /// At most `want` revisions to test next, the most useful first; none of those in flight, none absorbed.
    fn choose(&mut self, want: usize, in_flight: &[Node]) -> Vec<Node>;

    /// Whether an answer for this revision could still change the outcome.
    fn wants(&self, revision: Node) -> bool;

    /// [`Status::Running`] until there is an answer.
    fn status(&self) -> Status;

    /// The best answer so far; `status` is the search's own.
    fn report(&self, status: Status, ledger: &Ledger) -> Self::Report;
}

/// A search as drivers see it: the same for every algorithm.
pub trait Search: Send + Sync {
    /// At most `k` probes to run next, useful side by side, given what is in flight already. Empty when the search
    /// is done, or when answers in flight must come first.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `k = 0`.
    fn ask(&mut self, k: usize) -> Result<Vec<Probe>, Error>;

    /// Answers a probe. In any order; the same answer twice is accepted; one for an abandoned probe counts.
    ///
    /// # Errors
    /// [`Error::UnknownProbe`]; [`Error::Contradiction`] where the revision is known to be otherwise (the first
    /// answer is kept); [`Error::InvalidArgument`] for times or costs that are no numbers or negative.
    fn tell(&mut self, id: u64, observation: Observation) -> Result<(), Error>;

    /// Says that a probe will not be answered: its revision may be asked again, and nothing is concluded.
    ///
    /// # Errors
    /// [`Error::UnknownProbe`]. A probe that was answered already stays answered.
    fn abandon(&mut self, id: u64) -> Result<(), Error>;

    /// Tells something known that was never asked. It is no query.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] and those of [`Search::tell`].
    fn observe(&mut self, revision: &str, observation: Observation) -> Result<(), Error>;

    /// Puts a suspect at the head of what is asked next.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`].
    fn enqueue(&mut self, revision: &str) -> Result<(), Error>;

    /// Whether an answer in flight is still of use; a driver may cancel a probe that is not.
    ///
    /// # Errors
    /// [`Error::UnknownProbe`].
    fn wanted(&self, id: u64) -> Result<bool, Error>;

    /// Ends the search from outside; answers in flight still count when they come.
    fn stop(&mut self, reason: StopReason);

    /// Limits what may be spent; a larger budget takes up a search that ended for want of one.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a cost that is no number or negative.
    fn set_budget(&mut self, budget: Budget) -> Result<(), Error>;

    /// Takes back the last `answers` answers. Their probes count as abandoned: they are asked again, and a
    /// corrected answer under the old id is accepted.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] where there are fewer answers.
    fn undo(&mut self, answers: u32) -> Result<(), Error>;

    /// Where the search stands.
    fn status(&self) -> Status;

    /// Whether there is nothing left to ask or to wait for.
    fn is_done(&self) -> bool {
        self.status() != Status::Running
    }

    /// Probes asked and not answered, oldest first.
    fn in_flight(&self) -> Vec<Probe>;

    /// How many answers came from the oracle.
    fn queries(&self) -> u64;

    /// The events so far, from number `from` (0: all).
    fn events(&self, from: usize) -> Vec<Event>;

    /// Applies one event of another run of the same search.
    ///
    /// # Errors
    /// [`Error::Snapshot`] for an event that does not fit, and what the event itself can raise.
    fn apply(&mut self, event: &Event) -> Result<(), Error>;

    /// Configuration and events as one JSON text, for [`AskTell::apply_snapshot`].
    fn snapshot(&self) -> String;

    /// The report as JSON.
    fn report_json(&self) -> String;
}

/// An answer, with where it came from.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The revision.
    pub revision: Node,
    /// The probe that it answers; nothing where it was [observed](Search::observe).
    pub probe: Option<u64>,
    /// What was seen.
    pub observation: Observation,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum ProbeState {
    InFlight,
    Abandoned,
    Answered,
}

/// The book of a search: what was asked, what was answered, in which order.
#[derive(Debug, Default)]
pub struct Ledger {
    events: Vec<Event<Node>>,
    probes: Vec<(Node, ProbeState)>,
    in_flight: Vec<u64>,
    answers: Vec<Answer>,
    known: HashMap<Node, usize>,
    enqueued: VecDeque<Node>,
    queries: u64,
    cost: f64,
    stopped: Option<StopReason>,
}

impl Ledger {
    /// The answers in the order told.
    #[must_use]
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// What is known of a revision.
    #[must_use]
    pub fn observation(&self, revision: Node) -> Option<&Observation> {
        self.known.get(&revision).map(|&place| &self.answers[place].observation)
    }

    /// How many answers came from the oracle.
    #[must_use]
    pub fn queries(&self) -> u64 {
        self.queries
    }

    fn probe(&mut self, id: u64) -> Result<&mut (Node, ProbeState), Error> {
        let asked = self.probes.len() as u64;
        usize::try_from(id).ok().and_then(|id| self.probes.get_mut(id)).ok_or(Error::UnknownProbe { id, asked })
    }

    fn end_flight(&mut self, id: u64, state: ProbeState) {
        self.probes[id as usize].1 = state;
        self.in_flight.retain(|&other| other != id);
    }
}

/// Any [`Algorithm`] as a [`Search`].
pub struct AskTell<A: Algorithm> {
    algorithm: A,
    ledger: Ledger,
    budget: Budget,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Snapshot {
    schema: u32,
    algorithm: String,
    configuration: serde_json::Value,
    fingerprint: String,
    events: Vec<Event>,
}

/// The version of snapshots that this version writes and reads.
const SCHEMA: u32 = 1;

impl<A: Algorithm> AskTell<A> {
    /// A search that has not been asked anything.
    pub fn new(algorithm: A) -> Self {
        AskTell { algorithm, ledger: Ledger::default(), budget: Budget::default() }
    }

    /// The best answer so far, at any moment.
    #[must_use]
    pub fn report(&self) -> A::Report {
        self.algorithm.report(self.status(), &self.ledger)
    }

    /// The algorithm.
    pub fn algorithm(&self) -> &A {
        &self.algorithm
    }

    /// Brings a fresh search to where a snapshot was taken.
    ///
    /// # Errors
    /// [`Error::Snapshot`] where the text is no snapshot, or one of another algorithm, configuration or history.
    pub fn apply_snapshot(&mut self, text: &str) -> Result<(), Error> {
        let mismatch = |reason: String| Error::Snapshot { reason };
        let snapshot: Snapshot =
            serde_json::from_str(text).map_err(|error| mismatch(format!("not a snapshot: {error}")))?;
        let differs = |what: &str, theirs: &str, ours: &str| {
            mismatch(format!("it was taken with another {what}: {theirs} there, {ours} here"))
        };
        if snapshot.schema != SCHEMA {
            return Err(differs("schema version", &snapshot.schema.to_string(), &SCHEMA.to_string()));
        }
        if snapshot.algorithm != A::NAME {
            return Err(differs("algorithm", &snapshot.algorithm, A::NAME));
        }
        let configuration = self.algorithm.configuration();
        if snapshot.configuration != configuration {
            return Err(differs("configuration", &snapshot.configuration.to_string(), &configuration.to_string()));
        }
        let fingerprint = self.fingerprint();
        if snapshot.fingerprint != fingerprint {
            return Err(differs("history (fingerprint)", &snapshot.fingerprint, &fingerprint));
        }
        snapshot.events.iter().try_for_each(|event| self.apply(event))
    }

    /// The configuration inside a snapshot, to make the search that it belongs to.
    ///
    /// # Errors
    /// [`Error::Snapshot`] where the text is no snapshot, or one of another algorithm.
    pub fn configuration_in(text: &str) -> Result<serde_json::Value, Error> {
        let snapshot: Snapshot = serde_json::from_str(text)
            .map_err(|error| Error::Snapshot { reason: format!("not a snapshot: {error}") })?;
        if snapshot.algorithm == A::NAME {
            Ok(snapshot.configuration)
        } else {
            Err(Error::Snapshot { reason: format!("it belongs to {:?}, not to {:?}", snapshot.algorithm, A::NAME) })
        }
    }

    fn fingerprint(&self) -> String {
        self.graph().fingerprint(self.algorithm.tips())
    }

    fn graph(&self) -> &CommitGraph {
        self.algorithm.graph()
    }

    fn probe(&self, id: u64) -> Probe {
        Probe { id, revision: self.graph().id(self.ledger.probes[id as usize].0).to_owned() }
    }

    fn hand_out(&mut self, revision: Node) -> u64 {
        let id = self.ledger.probes.len() as u64;
        self.ledger.stopped = None;
        self.ledger.probes.push((revision, ProbeState::InFlight));
        self.ledger.in_flight.push(id);
        self.ledger.events.push(Event::Asked { id, revision });
        id
    }

    fn flying(&self) -> Vec<Node> {
        self.ledger.in_flight.iter().map(|&id| self.ledger.probes[id as usize].0).collect()
    }

    /// How many probes the budget allows beside those in flight.
    fn affordable(&self) -> u64 {
        if self.budget.cost.is_some_and(|cost| self.ledger.cost >= cost) {
            return 0;
        }
        let spoken_for = self.ledger.queries + self.ledger.in_flight.len() as u64;
        self.budget.runs.map_or(u64::MAX, |runs| runs.saturating_sub(spoken_for))
    }

    /// Ends the search where nothing more can be afforded or awaited.
    fn end_if_spent(&mut self) {
        let spent = self.ledger.in_flight.is_empty() && self.affordable() == 0;
        if spent && self.ledger.stopped.is_none() && self.algorithm.status() == Status::Running {
            self.stop(StopReason::Budget);
        }
    }

    fn accept(&mut self, answer: Answer) -> Result<(), Error> {
        let revision = answer.revision;
        if let Some(&place) = self.ledger.known.get(&revision) {
            let first = &self.ledger.answers[place];
            if !first.observation.agrees_with(&answer.observation) {
                let source = |probe: Option<u64>| probe.map_or(String::new(), |id| format!(" (probe {id})"));
                return Err(Error::Contradiction {
                    revision: self.graph().id(revision).to_owned(),
                    first: first.observation.describe() + &source(first.probe),
                    second: answer.observation.describe() + &source(answer.probe),
                });
            }
        } else {
            self.ledger.known.insert(revision, self.ledger.answers.len());
            self.algorithm.absorb(revision, &answer.observation);
        }
        self.ledger.queries += u64::from(answer.probe.is_some());
        self.ledger.cost += answer.observation.cost.unwrap_or(0.0);
        self.ledger.answers.push(answer);
        Ok(())
    }

    /// Rebuilds everything that is derived from the answers.
    fn reconsider(&mut self, answers: Vec<Answer>) {
        self.ledger.answers.clear();
        self.ledger.known.clear();
        self.ledger.queries = 0;
        self.ledger.cost = 0.0;
        self.algorithm.reset();
        for answer in answers {
            let accepted = self.accept(answer);
            debug_assert!(accepted.is_ok(), "answers that agreed once agree again");
        }
    }
}

fn check(observation: &Observation) -> Result<(), Error> {
    for (argument, value) in [("seconds", observation.seconds), ("cost", observation.cost)] {
        if value.is_some_and(|value| !value.is_finite() || value < 0.0) {
            return Err(Error::invalid(argument, value.unwrap_or(f64::NAN), "a finite number, 0 or above"));
        }
    }
    Ok(())
}

impl<A: Algorithm> Search for AskTell<A> {
    fn ask(&mut self, k: usize) -> Result<Vec<Probe>, Error> {
        if k == 0 {
            return Err(Error::invalid("k", k, "at least 1"));
        }
        self.end_if_spent();
        if self.is_done() {
            return Ok(Vec::new());
        }
        let mut want = k.min(usize::try_from(self.affordable()).unwrap_or(usize::MAX));
        let mut probes = Vec::with_capacity(want.min(64));
        while want > 0 {
            let Some(revision) = self.ledger.enqueued.pop_front() else { break };
            if !self.ledger.known.contains_key(&revision) && !self.flying().contains(&revision) {
                let id = self.hand_out(revision);
                probes.push(self.probe(id));
                want -= 1;
            }
        }
        if want > 0 {
            let flying = self.flying();
            for revision in self.algorithm.choose(want, &flying) {
                let id = self.hand_out(revision);
                probes.push(self.probe(id));
            }
        }
        Ok(probes)
    }

    fn tell(&mut self, id: u64, observation: Observation) -> Result<(), Error> {
        check(&observation)?;
        let &mut (revision, state) = self.ledger.probe(id)?;
        if state == ProbeState::Answered {
            // Twice the same is accepted and leaves no trace.
            let kept = self.ledger.answers.iter().rev().find(|answer| answer.probe == Some(id));
            if kept.is_some_and(|kept| kept.observation.agrees_with(&observation)) {
                return Ok(());
            }
        }
        self.accept(Answer { revision, probe: Some(id), observation: observation.clone() })?;
        self.ledger.end_flight(id, ProbeState::Answered);
        self.ledger.events.push(Event::Told { id, observation });
        self.end_if_spent();
        Ok(())
    }

    fn abandon(&mut self, id: u64) -> Result<(), Error> {
        if self.ledger.probe(id)?.1 == ProbeState::InFlight {
            self.ledger.end_flight(id, ProbeState::Abandoned);
            self.ledger.events.push(Event::Abandoned { id });
        }
        Ok(())
    }

    fn observe(&mut self, revision: &str, observation: Observation) -> Result<(), Error> {
        check(&observation)?;
        let revision = self.graph().resolve(revision, "revision")?;
        if self.ledger.observation(revision).is_some_and(|known| known.agrees_with(&observation)) {
            return Ok(());
        }
        self.accept(Answer { revision, probe: None, observation: observation.clone() })?;
        self.ledger.events.push(Event::Observed { revision, observation });
        Ok(())
    }

    fn enqueue(&mut self, revision: &str) -> Result<(), Error> {
        let revision = self.graph().resolve(revision, "revision")?;
        self.ledger.enqueued.push_back(revision);
        self.ledger.events.push(Event::Enqueued { revision });
        Ok(())
    }

    fn wanted(&self, id: u64) -> Result<bool, Error> {
        let asked = self.ledger.probes.len() as u64;
        let &(revision, state) = usize::try_from(id)
            .ok()
            .and_then(|id| self.ledger.probes.get(id))
            .ok_or(Error::UnknownProbe { id, asked })?;
        Ok(state == ProbeState::InFlight
            && !self.is_done()
            && !self.ledger.known.contains_key(&revision)
            && self.algorithm.wants(revision))
    }

    fn stop(&mut self, reason: StopReason) {
        if self.ledger.stopped != Some(reason) && self.algorithm.status() == Status::Running {
            self.ledger.stopped = Some(reason);
            self.ledger.events.push(Event::Stopped { reason });
        }
    }

    fn set_budget(&mut self, budget: Budget) -> Result<(), Error> {
        if budget.cost.is_some_and(|cost| !cost.is_finite() || cost < 0.0) {
            return Err(Error::invalid("budget.cost", budget.cost, "a finite number, 0 or above"));
        }
        self.budget = budget;
        if self.ledger.stopped == Some(StopReason::Budget) && self.affordable() > 0 {
            self.ledger.stopped = None;
        }
        Ok(())
    }

    fn undo(&mut self, answers: u32) -> Result<(), Error> {
        let mut kept = std::mem::take(&mut self.ledger.answers);
        let Some(left) = kept.len().checked_sub(answers as usize) else {
            let available = kept.len();
            self.ledger.answers = kept;
            return Err(Error::invalid("answers", answers, format!("at most {available}, the answers told so far")));
        };
        for undone in kept.split_off(left) {
            if let Some(id) = undone.probe {
                self.ledger.end_flight(id, ProbeState::Abandoned);
            }
        }
        self.reconsider(kept);
        self.ledger.stopped = None;
        self.ledger.events.push(Event::Undone { answers });
        Ok(())
    }

    fn status(&self) -> Status {
        match (self.algorithm.status(), self.ledger.stopped) {
            (Status::Running, Some(StopReason::Budget)) => Status::Budget,
            (Status::Running, Some(StopReason::Stopped)) => Status::Stopped,
            (status, _) => status,
        }
    }

    fn in_flight(&self) -> Vec<Probe> {
        self.ledger.in_flight.iter().map(|&id| self.probe(id)).collect()
    }

    fn queries(&self) -> u64 {
        self.ledger.queries
    }

    fn events(&self, from: usize) -> Vec<Event> {
        let name = |revision: &Node| self.graph().id(*revision).to_owned();
        self.ledger.events.iter().skip(from).map(|event| event.map(name)).collect()
    }

    fn apply(&mut self, event: &Event) -> Result<(), Error> {
        match event {
            Event::Asked { id, revision } => {
                let revision = self.graph().resolve(revision, "revision")?;
                let next = self.ledger.probes.len() as u64;
                if *id != next {
                    return Err(Error::Snapshot { reason: format!("probe {id} where probe {next} should follow") });
                }
                self.ledger.enqueued.retain(|&other| other != revision);
                self.hand_out(revision);
                Ok(())
            }
            Event::Told { id, observation } => self.tell(*id, observation.clone()),
            Event::Abandoned { id } => self.abandon(*id),
            Event::Enqueued { revision } => self.enqueue(revision),
            Event::Observed { revision, observation } => self.observe(revision, observation.clone()),
            Event::Undone { answers } => self.undo(*answers),
            Event::Stopped { reason } => {
                self.stop(*reason);
                Ok(())
            }
        }
    }

    fn snapshot(&self) -> String {
        let snapshot = Snapshot {
            schema: SCHEMA,
            algorithm: A::NAME.to_owned(),
            configuration: self.algorithm.configuration(),
            fingerprint: self.fingerprint(),
            events: self.events(0),
        };
        // Plain maps with text keys always have a JSON form.
        serde_json::to_string(&snapshot).unwrap_or_default()
    }

    fn report_json(&self) -> String {
        serde_json::to_string(&self.report()).unwrap_or_default()
    }
}

/// Outcomes that may be told in place of an observation.
impl dyn Search {
    /// [`Search::tell`] with a bare outcome.
    ///
    /// # Errors
    /// Those of [`Search::tell`].
    pub fn tell_outcome(&mut self, id: u64, outcome: Outcome) -> Result<(), Error> {
        self.tell(id, outcome.into())
    }
}
