//! The waist: every algorithm is asked for probes and told observations, and never runs a test itself.

use fixedbitset::FixedBitSet;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::belief::Posterior;
use crate::change_set::ChangeSet;
use crate::error::Error;
use crate::event::{Event, StopReason};
use crate::ledger::Ledger;
use crate::observation::Observation;
use crate::target::Target;
use crate::world::World;

/// One request to test something. Its id is its number, from 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// The id to answer with.
    pub id: u64,
    /// What to test.
    #[serde(flatten)]
    pub target: Target,
}

impl Probe {
    /// The revision to test; empty where the search has no revisions.
    #[must_use]
    pub fn revision(&self) -> &str {
        self.target.revision.as_deref().unwrap_or_default()
    }

    /// The changes to keep; nothing where the search tests whole revisions.
    #[must_use]
    pub fn changes(&self) -> Option<&ChangeSet> {
        self.target.changes.as_ref()
    }
}

/// The number by which an algorithm knows a target: a revision's [`Node`](crate::graph::Node), or the number of a set of
/// changes in the order in which it met them.
pub type Key = u32;

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
    /// The answers fit no single culprit at the flake rate given.
    Contradictory,
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
            Status::Contradictory => "contradictory",
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

/// What any algorithm supplies: decisions over evidence. [`AskTell`](crate::AskTell) adds the rest.
pub trait Algorithm: Sized + Send + Sync {
    /// What it is told before it starts.
    type Config: Serialize + DeserializeOwned;

    /// The final answer, or the best one so far.
    type Report: Serialize;

    /// Its name in snapshots and journals.
    const NAME: &'static str;

    /// What it searches in: a commit graph, or a number of items.
    type World;

    /// The algorithm at its start.
    ///
    /// # Errors
    /// Those of [`AskTell::new`](crate::AskTell::new).
    fn new(world: Self::World, config: Self::Config) -> Result<Self, Error>;

    /// What a key stands for.
    fn target(&self, key: Key) -> Target;

    /// The key of a target that somebody names.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`], [`Error::AmbiguousRevision`], [`Error::InvalidArgument`] for what is none.
    fn key(&mut self, target: &Target) -> Result<Key, Error>;

    /// The configuration, as it would be given to make the same search again.
    fn configuration(&self) -> serde_json::Value;

    /// A fingerprint over the part of the world that matters: a snapshot of another one is refused.
    fn fingerprint(&self) -> String;

    /// What it searches in.
    fn world(&self) -> World;

    /// Whether one target may be tested again and again, because the test is flaky: then every answer counts, and
    /// answers that differ are no contradiction.
    fn repeats(&self) -> bool {
        false
    }

    /// Takes an answer into account; where nothing [repeats](Algorithm::repeats), a target is absorbed once.
    fn absorb(&mut self, key: Key, observation: &Observation);

    /// Forgets all answers.
    fn reset(&mut self);

    /// Many answers follow, with no question between them: what only questions and reports need may wait.
    fn begin_replay(&mut self) {}

    /// The end of that: everything is as though the answers had come one by one.
    fn end_replay(&mut self) {}

    /// At most `want` targets to test next, the most useful first. Where nothing [repeats](Algorithm::repeats),
    /// none of those in flight and none absorbed; else one target may be named several times.
    fn choose(&mut self, want: usize, in_flight: &[Key]) -> Vec<Key>;

    /// Whether an answer for this target could still change the outcome.
    fn wants(&self, key: Key) -> bool;

    /// The error for a second answer that says otherwise, `first` and `second` in words.
    fn contradiction(&self, key: Key, first: String, second: String) -> Error {
        Error::Contradiction { revision: self.target(key).to_string(), first, second }
    }

    /// [`Status::Running`] until there is an answer.
    fn status(&self) -> Status;

    /// The best answer so far; `status` is the search's own.
    fn report(&self, status: Status, ledger: &Ledger) -> Self::Report;

    /// The belief about every suspect, where there is one.
    fn posterior(&self) -> Option<Posterior> {
        None
    }

    /// The revisions that can still be blamed, as [`Search::suspects`] says.
    fn suspects(&self) -> Option<FixedBitSet> {
        None
    }
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
    /// [`Error::UnknownProbe`]; [`Error::Contradiction`] ([`Error::NonDeterministic`] for a set of changes) where
    /// the target (with a flaky test: this very probe) is known to be otherwise (the first answer is kept); [`Error::InvalidArgument`] for times or costs that are no numbers or negative.
    fn tell(&mut self, id: u64, observation: Observation) -> Result<(), Error>;

    /// Says that a probe will not be answered: what it tests may be asked again, and nothing is concluded.
    ///
    /// # Errors
    /// [`Error::UnknownProbe`]. A probe that was answered already stays answered.
    fn abandon(&mut self, id: u64) -> Result<(), Error>;

    /// Tells something known that was never asked. It is no query.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] and those of [`Search::tell`].
    fn observe(&mut self, target: &Target, observation: Observation) -> Result<(), Error>;

    /// Puts a suspect at the head of what is asked next.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`].
    fn enqueue(&mut self, target: &Target) -> Result<(), Error>;

    /// Whether an answer in flight is still of use; a driver may cancel a probe that is not.
    ///
    /// # Errors
    /// [`Error::UnknownProbe`].
    fn wanted(&self, id: u64) -> Result<bool, Error>;

    /// Ends the search from outside; answers in flight still count when they come.
    ///
    /// # Errors
    /// None by itself; one that keeps a journal may fail to write.
    fn stop(&mut self, reason: StopReason) -> Result<(), Error>;

    /// Takes up a search that was ended from outside. One that has its answer keeps it.
    fn resume(&mut self);

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

    /// Applies events of another run of the same search, which is faster than one by one. It ends with the first that
    /// does not fit.
    ///
    /// # Errors
    /// Those of [`Search::apply`].
    fn apply_all(&mut self, events: &mut dyn Iterator<Item = &Event>) -> Result<(), Error> {
        for event in events {
            self.apply(event)?;
        }
        Ok(())
    }

    /// The name of its algorithm, as [`open`](crate::open) knows it.
    fn algorithm(&self) -> &'static str;

    /// The configuration, as it would be given to make the same search again.
    fn configuration(&self) -> serde_json::Value;

    /// A fingerprint over the part of the world that matters.
    fn fingerprint(&self) -> String;

    /// What it searches in.
    fn world(&self) -> World;

    /// Whether one target may be tested again and again, because the test is flaky.
    fn repeats(&self) -> bool;

    /// Configuration and events as one JSON text, for [`AskTell::apply_snapshot`](crate::AskTell::apply_snapshot).
    fn snapshot(&self) -> String;

    /// The report as JSON.
    fn report_json(&self) -> String;

    /// The belief about every suspect as it stands, where the search keeps one. It is not part of the report, because
    /// there may be a million suspects.
    fn posterior(&self) -> Option<Posterior>;

    /// The revisions that can still be blamed, as [nodes](crate::graph::Node) of the graph that is searched: those of the
    /// bad revision at hand and of the ones after it. Empty when nothing is left to search; nothing where the search has
    /// none that could be ruled out one by one (it may have a [posterior](Search::posterior), or is not about a history).
    fn suspects(&self) -> Option<FixedBitSet>;
}
