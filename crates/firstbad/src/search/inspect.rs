//! What there is to look at in a search.

use fixedbitset::FixedBitSet;
use serde_json::Value;

use super::carrying::Carrying;
use super::content::Content;
use super::event::Event;
use super::forecast::Forecast;
use super::observation::Observation;
use super::posterior::Posterior;
use super::reads::Request;
use super::space::World;
use super::target::Target;
use crate::error::Error;
use crate::suspicion::WhyTried;

/// What there is to look at in a search, whatever its algorithm. Nothing here changes it.
pub trait Inspect: Send + Sync {
    /// The name of its algorithm, as [`open`](crate::open) knows it.
    fn algorithm(&self) -> &'static str;

    /// The configuration, as it would be given to make the same search again.
    ///
    /// # Errors
    /// [`Error::Internal`] if it has no JSON form.
    fn configuration(&self) -> Result<Value, Error>;

    /// A fingerprint over the part of the world that matters.
    fn fingerprint(&self) -> String;

    /// What it searches in.
    fn world(&self) -> World;

    /// What a [universe](super::Target::universe) is: the request of a read, and what it was given. `None` if the search has
    /// no such read, or it was given nothing yet.
    fn universe(&self, id: u64) -> Option<(Request, Content)>;

    /// Whether one target may be tested again and again, because the test is flaky.
    fn repeats(&self) -> bool;

    /// How many events there are.
    fn event_count(&self) -> usize;

    /// The events so far, from number `from` (0: all).
    fn events(&self, from: usize) -> Vec<Event>;

    /// Configuration and events as one JSON text, for [`restore`](crate::restore).
    ///
    /// # Errors
    /// [`Error::Internal`] if they have no JSON form.
    fn snapshot(&self) -> Result<String, Error>;

    /// The report as JSON, with a token for each option ([`option!`](crate::option)).
    ///
    /// # Errors
    /// [`Error::Internal`] if it has no JSON form.
    fn report_json(&self) -> Result<String, Error>;

    /// The best answer so far in words, a line for each part of it; empty if there is none. `named` says how a revision is
    /// written where there is room.
    fn best(&self, named: &mut dyn FnMut(&str) -> String) -> Vec<String>;

    /// The belief about every suspect as it stands; `None` if the search keeps none. It is not part of the report, because
    /// there may be a million suspects.
    fn posterior(&self) -> Option<Posterior>;

    /// Whether the search has a result that it still confirms.
    fn is_confirming(&self) -> bool;

    /// Where the search stands and how large the patch is that it carries there; `None` if it carries none (only iterative delta
    /// debugging does), or has ended.
    fn carrying(&self) -> Option<Carrying>;

    /// Whether a failure is known to be another one than that which is looked for, by their signatures: it counts as unresolved.
    fn is_other_failure(&self, observation: &Observation) -> bool;

    /// Why a revision, by its full id, is tried early: what speaks for it, or for the one right after it, where the prior knows
    /// (`prior = "changes"`). `None` if it does not, nothing does, or the search is not about a history.
    fn why(&self, revision: &str) -> Option<WhyTried>;

    /// The revisions that can still be blamed, as [nodes](crate::graph::Node) of the graph that is searched: those of the
    /// bad revision at hand and of the ones after it. Of a flaky test that never passes by mistake only a pass rules out; where
    /// passes may be false, nothing does. Empty when nothing is left to search; `None` if the search has
    /// none that could be ruled out one by one (it may have a [posterior](Inspect::posterior), or is not about a history).
    fn suspects(&self) -> Option<FixedBitSet>;

    /// How many revisions are left to blame, and how many runs of the test that will take with `jobs` at a time, played out
    /// for a few of them; `None` if the search is not about culprits in a history. `keep_going` is asked before every
    /// question of a game: it ends them early.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for `jobs = 0`.
    fn forecast(&self, jobs: usize, keep_going: &mut dyn FnMut() -> bool) -> Result<Option<Forecast>, Error>;

    /// What would be asked next where the oldest probe in flight passes, and where it fails: at most two
    /// targets, the likelier one first, and none in flight unless targets [repeat](Inspect::repeats). Empty if nothing is in flight,
    /// or if answers or reads must come first.
    ///
    /// # Errors
    /// None for a search that was opened before.
    fn upcoming(&self) -> Result<Vec<Target>, Error>;
}
