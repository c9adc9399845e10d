use fixedbitset::FixedBitSet;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::carrying::Carrying;
use super::confirmation::Claim;
use super::content::Content;
use super::forecast::CulpritQuestion;
use super::ledger::Ledger;
use super::observation::Observation;
use super::posterior::Posterior;
use super::probe::Key;
use super::reads::Reads;
use super::space::Space;
use super::status::Status;
use super::target::Target;
use crate::error::Error;
use crate::graph::Node;
use crate::suspicion::SelectionReason;

/// The effect of an outcome on earlier outcomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Reading {
    /// Earlier outcomes keep their meaning.
    Stands,
    /// All outcomes must be absorbed again, because the failure to search for is only now known.
    Anew,
}

/// The decisions of a search. [`AskTell`](super::AskTell) adds probes, events, replay, and undo.
///
/// [`Nested`](super::Nested) embeds an algorithm in another algorithm.
pub trait Algorithm: Sized + Send + Sync + 'static {
    /// The options of the algorithm.
    type Config: Serialize + DeserializeOwned + Clone;

    /// The final result, or the best result so far.
    type Report: Serialize;

    /// The search space, which gives keys their meaning.
    type Space: Space;

    /// The name of the algorithm in snapshots and journals.
    const NAME: &'static str;

    /// Creates the algorithm in its initial state.
    ///
    /// # Errors
    /// The errors of [`AskTell::new`](super::AskTell::new).
    fn new(world: <Self::Space as Space>::World, config: Self::Config) -> Result<Self, Error>;

    /// Returns the search space.
    fn space(&self) -> &Self::Space;

    /// Returns the mutable search space, which assigns keys to new targets.
    fn space_mut(&mut self) -> &mut Self::Space;

    /// Returns the configuration. A search created from it is the same search.
    fn config(&self) -> &Self::Config;

    /// Returns whether a target can be tested several times because the test is flaky. Every outcome then counts, and different
    /// outcomes are not a contradiction.
    fn repeats(&self) -> bool {
        false
    }

    /// Checks that [signals](Observation::signals) can be read. An accepted observation can be absorbed without errors.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] with the path of the wrong value.
    fn check(&self, key: Key, observation: &Observation) -> Result<(), Error> {
        let _ = (key, observation);
        Ok(())
    }

    /// Returns the part of an observation that concerns the search. The rest is not recorded.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the observation has [results](Observation::results), but the search has a single test.
    fn relevant(&self, observation: Observation) -> Result<Observation, Error> {
        match observation.results.keys().next() {
            Some(id) => Err(Error::invalid("results", id, "one outcome: this search does not ask for several tests")),
            None => Ok(observation),
        }
    }

    /// Takes an outcome into account. Unless targets [repeat](Algorithm::repeats), each target is absorbed once.
    ///
    /// After [`Reading::Anew`], the caller absorbs all outcomes again, including this one, between
    /// [`begin_rereading`](Algorithm::begin_rereading) and [`end_rereading`](Algorithm::end_rereading).
    fn absorb(&mut self, key: Key, observation: &Observation) -> Reading;

    /// Returns whether an observation is known to show another failure than the one searched for. Such a failure says nothing
    /// about the culprit.
    fn is_other_failure(&self, observation: &Observation) -> bool {
        let _ = observation;
        false
    }

    /// Forgets the effects of all outcomes, but not the failure to search for.
    fn begin_rereading(&mut self) {
        self.reset();
    }

    /// Ends the rereading. If the failure to search for is known only now, all outcomes are read again.
    fn end_rereading(&mut self) -> Reading {
        Reading::Stands
    }

    /// Forgets all outcomes. Contents that were read are kept, because they do not change.
    fn reset(&mut self);

    /// Prepares for many outcomes without a question between them. The algorithm can postpone work for questions and reports.
    fn begin_replay(&mut self) {}

    /// Ends a replay. The state is the same as if the outcomes had come one by one, after a rereading if the result asks for it.
    fn end_replay(&mut self) -> Reading {
        Reading::Stands
    }

    /// Returns up to `want` targets to test next, the most useful first.
    ///
    /// Unless targets [repeat](Algorithm::repeats), they exclude the targets in flight and absorbed targets. Otherwise, a target
    /// can occur several times.
    fn choose(&mut self, want: usize, in_flight: &[Key]) -> Vec<Key>;

    /// Returns, for each target in flight, whether its outcome can still change the result. Targets that were just
    /// [chosen](Algorithm::choose) are wanted. A driver can stop the tests of the others.
    fn wants(&self, in_flight: &[Key]) -> Vec<bool>;

    /// Returns the claims that the result depends on. They are [confirmed](super::Confirmation) before the search ends. The list
    /// is empty if there is nothing to confirm.
    fn claims(&self) -> Vec<Claim> {
        Vec::new()
    }

    /// Returns the status of the algorithm, [`Status::Running`] without a result.
    fn status(&self) -> Status;

    /// Returns the best result so far. `status` is the status of the whole search.
    fn report(&self, status: Status, ledger: &Ledger) -> Self::Report;

    /// Returns the sentences of a report that can contain options as tokens ([`option!`](crate::option)).
    fn sentences(report: &mut Self::Report) -> Vec<&mut String> {
        let _ = report;
        Vec::new()
    }

    /// Returns the best result in a report, for [`Inspect::best`](super::Inspect::best).
    fn best(report: &Self::Report, named: &mut dyn FnMut(&str) -> String) -> Vec<String> {
        let _ = (report, named);
        Vec::new()
    }

    /// Returns the reads of the algorithm, or `None` if it never reads.
    fn reads(&self) -> Option<&Reads> {
        None
    }

    /// Receives the content of an open read.
    ///
    /// # Errors
    /// An error if the content cannot be used. The algorithm then stays unchanged.
    fn receive(&mut self, id: u64, content: &Content) -> Result<(), Error> {
        let _ = content;
        Err(Error::UnknownRead { id, asked: 0 })
    }

    /// Returns the data for [forecasts](super::Forecast) if the algorithm searches for culprits in a history.
    fn question(&self) -> Option<CulpritQuestion> {
        None
    }

    /// Returns the probability of every suspect, or `None` if the algorithm has no probabilities.
    fn posterior(&self) -> Option<Posterior> {
        None
    }

    /// Returns the current revision and patch size, for [`Inspect::carrying`](super::Inspect::carrying).
    fn carrying(&self) -> Option<Carrying> {
        None
    }

    /// Returns the reason for testing a revision, for [`Inspect::why`](super::Inspect::why).
    fn why(&self, revision: &str) -> Option<SelectionReason> {
        let _ = revision;
        None
    }

    /// Returns the reason for a probe that would be asked in this state, for [`Inspect::reason`](super::Inspect::reason).
    fn reason(&self, target: &Target) -> Option<String> {
        let _ = target;
        None
    }

    /// Returns the ids of the tests to run for a target, for [`Inspect::tests`](super::Inspect::tests).
    fn tests(&self, target: &Target) -> Option<Vec<String>> {
        let _ = target;
        None
    }

    /// Returns the suspects, for [`Inspect::suspects`](super::Inspect::suspects).
    fn suspects(&self) -> Option<FixedBitSet> {
        None
    }

    /// Returns the weight of a [suspect](Algorithm::suspects), proportional to its probability and at least 0.
    fn weight(&self, suspect: Node) -> f64 {
        let _ = suspect;
        1.0
    }
}

/// Absorbs the last of `answers`, and rereads all of them if the algorithm asks for it.
pub(super) fn absorb_last<'a, A, I>(algorithm: &mut A, answers: I)
where
    A: Algorithm,
    I: DoubleEndedIterator<Item = (Key, &'a Observation)> + Clone,
{
    let Some((key, observation)) = answers.clone().next_back() else { return };
    if algorithm.absorb(key, observation) == Reading::Anew {
        read_again(algorithm, answers);
    }
}

pub(super) fn read_again<'a, A, I>(algorithm: &mut A, answers: I)
where
    A: Algorithm,
    I: Iterator<Item = (Key, &'a Observation)> + Clone,
{
    loop {
        algorithm.begin_rereading();
        for (key, observation) in answers.clone() {
            // The failure to search for does not change during the rereading.
            let _ = algorithm.absorb(key, observation);
        }
        if algorithm.end_rereading() == Reading::Stands {
            return;
        }
    }
}
