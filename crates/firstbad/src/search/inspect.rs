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
use crate::suspicion::SelectionReason;

/// A read-only view of a search of any algorithm.
pub trait Inspect: Send + Sync {
    /// Returns the name of the algorithm, as in [`open`](crate::open).
    fn algorithm(&self) -> &'static str;

    /// Returns the configuration. A search created from it is the same search.
    ///
    /// # Errors
    /// [`Error::Internal`] if the configuration has no JSON form.
    fn configuration(&self) -> Result<Value, Error>;

    /// Returns a fingerprint of the part of the world that affects the search.
    fn fingerprint(&self) -> String;

    /// Returns the world of the search.
    fn world(&self) -> World;

    /// Returns the request and the content of a read, which form a [universe](super::Target::universe). `None` if there is no
    /// such read or it has no content yet.
    fn universe(&self, id: u64) -> Option<(Request, Content)>;

    /// Returns whether a target can be tested several times because the test is flaky.
    fn repeats(&self) -> bool;

    /// Returns the number of events.
    fn event_count(&self) -> usize;

    /// Returns the events from index `from` on. Index 0 returns all events.
    fn events(&self, from: usize) -> Vec<Event>;

    /// Returns the configuration and the events as JSON, for [`restore`](crate::restore).
    ///
    /// # Errors
    /// [`Error::Internal`] if the search has no JSON form.
    fn snapshot(&self) -> Result<String, Error>;

    /// Returns the report as JSON. Its options are tokens ([`option!`](crate::option)).
    ///
    /// # Errors
    /// [`Error::Internal`] if the report has no JSON form.
    fn report_json(&self) -> Result<String, Error>;

    /// Returns the best result so far as text, with one line for each part. The list is empty if there is no result. `named`
    /// returns the long form of a revision.
    fn best(&self, named: &mut dyn FnMut(&str) -> String) -> Vec<String>;

    /// Returns the probability of every suspect, or `None` if the search has no probabilities. It is not part of the report,
    /// because there can be a million suspects.
    fn posterior(&self) -> Option<Posterior>;

    /// Returns whether the search has a result that is not confirmed yet.
    fn is_confirming(&self) -> bool;

    /// Returns the current revision and the size of the patch there. `None` if the search has ended or carries no patch. Only
    /// iterative delta debugging carries a patch.
    fn carrying(&self) -> Option<Carrying>;

    /// Returns whether the signature of an observation shows another failure than the one searched for. Such an observation
    /// counts as unresolved.
    fn is_other_failure(&self, observation: &Observation) -> bool;

    /// Returns the reason why a revision, given by its full id, is tested early. The reason concerns this revision or the one
    /// right after it. `None` unless the prior gives a reason (`prior = "changes"`).
    fn why(&self, revision: &str) -> Option<SelectionReason>;

    /// Returns the reason for a probe of this target if the search asked for it now, as a clause. `None` if the algorithm gives no
    /// reasons.
    fn reason(&self, target: &Target) -> Option<String>;

    /// Returns the ids of the tests to run for a target. `None` means the whole suite, or that the search has a single test.
    fn tests(&self, target: &Target) -> Option<Vec<String>>;

    /// Returns the suspects as [nodes](crate::graph::Node) of the commit graph. They belong to the current bad revision and to
    /// the bad revisions after it.
    ///
    /// If failures can be flaky, only a pass rules out suspects. If passes can be flaky, nothing does. The set is empty when
    /// nothing is left to search. `None` if the search does not rule out suspects one by one: it may have a
    /// [posterior](Inspect::posterior), or not search in a history.
    fn suspects(&self) -> Option<FixedBitSet>;

    /// Returns the number of suspects and the expected number of runs with `jobs` parallel tests, from simulations of a few
    /// culprits. `None` if the search does not look for culprits in a history.
    ///
    /// `keep_going` is called before every simulated run. If it returns false, the simulations stop.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if `jobs` is 0.
    fn forecast(&self, jobs: usize, keep_going: &mut dyn FnMut() -> bool) -> Result<Option<Forecast>, Error>;

    /// Returns the next targets for a pass and for a failure of the oldest probe in flight: at most two, the more likely first.
    ///
    /// Unless targets [repeat](Inspect::repeats), targets in flight are left out. The list is empty if nothing is in flight, or
    /// if more outcomes or reads must come first.
    ///
    /// # Errors
    /// Errors do not occur for a search that was created successfully.
    fn upcoming(&self) -> Result<Vec<Target>, Error>;
}
