//! What an algorithm supplies, so that [`AskTell`](super::AskTell) can make a search of it.

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
use crate::error::Error;
use crate::graph::Node;
use crate::suspicion::WhyTried;

/// What an answer means for those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Reading {
    /// They stand as they were read.
    Stands,
    /// All of them are to be read again: only now is it known which failure is meant.
    Anew,
}

/// Decisions over evidence. [`AskTell`](super::AskTell) adds probes, events, replay and undo.
///
/// An algorithm is used inside another one through [`Nested`](super::Nested).
pub trait Algorithm: Sized + Send + Sync + 'static {
    /// What it is told before it starts.
    type Config: Serialize + DeserializeOwned + Clone;

    /// The final answer, or the best one so far.
    type Report: Serialize;

    /// What it searches in, and what its keys stand for.
    type Space: Space;

    /// Its name in snapshots and journals.
    const NAME: &'static str;

    /// The algorithm at its start.
    ///
    /// # Errors
    /// Those of [`AskTell::new`](super::AskTell::new).
    fn new(world: <Self::Space as Space>::World, config: Self::Config) -> Result<Self, Error>;

    /// What it searches in.
    fn space(&self) -> &Self::Space;

    /// The same, for targets that somebody names for the first time.
    fn space_mut(&mut self) -> &mut Self::Space;

    /// The configuration, as it would be given to make the same search again.
    fn config(&self) -> &Self::Config;

    /// Whether one target may be tested again and again, because the test is flaky: then every answer counts, and
    /// answers that differ are no contradiction.
    fn repeats(&self) -> bool {
        false
    }

    /// Refuses an answer whose [signals](Observation::signals) cannot be read. What it lets pass, it absorbs.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] that names the place.
    fn check(&self, key: Key, observation: &Observation) -> Result<(), Error> {
        let _ = (key, observation);
        Ok(())
    }

    /// Takes an answer into account; unless targets [repeat](Algorithm::repeats), each is absorbed once. Where it says
    /// [`Reading::Anew`], all answers, this one included, are absorbed again between
    /// [`begin_rereading`](Algorithm::begin_rereading) and [`end_rereading`](Algorithm::end_rereading).
    fn absorb(&mut self, key: Key, observation: &Observation) -> Reading;

    /// Whether a failure is known to be another one than that which it looks for, so that it says nothing.
    fn is_other_failure(&self, observation: &Observation) -> bool {
        let _ = observation;
        false
    }

    /// Forgets what it took from the answers, but not which failure they showed.
    fn begin_rereading(&mut self) {
        self.reset();
    }

    /// Ends the rereading. If the failure to search for is known only now, all outcomes are read again.
    fn end_rereading(&mut self) -> Reading {
        Reading::Stands
    }

    /// Forgets all answers. Contents that were read are kept: they do not change.
    fn reset(&mut self);

    /// Many answers follow, with no question between them: what only questions and reports need may wait.
    fn begin_replay(&mut self) {}

    /// The end of that: everything is as though the answers had come one by one, once they are read again if it says so.
    fn end_replay(&mut self) -> Reading {
        Reading::Stands
    }

    /// At most `want` targets to test next, the most useful first. Unless targets [repeat](Algorithm::repeats),
    /// none of those in flight and none absorbed; else one target may be named several times.
    fn choose(&mut self, want: usize, in_flight: &[Key]) -> Vec<Key>;

    /// Whether an answer could still change the outcome, for each target in flight. What was just
    /// [chosen](Algorithm::choose) is wanted: a driver may end the tests of the others.
    fn wants(&self, in_flight: &[Key]) -> Vec<bool>;

    /// Returns the claims that its result depends on, which are [confirmed](super::Confirmation) before the search
    /// ends. Empty if there is nothing to confirm.
    fn claims(&self) -> Vec<Claim> {
        Vec::new()
    }

    /// [`Status::Running`] until there is an answer.
    fn status(&self) -> Status;

    /// The best answer so far; `status` is the search's own.
    fn report(&self, status: Status, ledger: &Ledger) -> Self::Report;

    /// The sentences of a report that may name options, each as a token ([`option!`](crate::option)).
    fn sentences(report: &mut Self::Report) -> Vec<&mut String> {
        let _ = report;
        Vec::new()
    }

    /// The best answer in a report, as [`Inspect::best`](super::Inspect::best) says.
    fn best(report: &Self::Report, named: &mut dyn FnMut(&str) -> String) -> Vec<String> {
        let _ = (report, named);
        Vec::new()
    }

    /// What it has to see of the world; `None` if it never has to.
    fn reads(&self) -> Option<&Reads> {
        None
    }

    /// Takes in what it asked to see: the read with this id, which is open.
    ///
    /// # Errors
    /// For a content that cannot be used; the algorithm is as it was then.
    fn receive(&mut self, id: u64, content: &Content) -> Result<(), Error> {
        let _ = content;
        Err(Error::UnknownRead { id, asked: 0 })
    }

    /// What it searches for, if that is culprits in a history: for [forecasts](super::Forecast).
    fn question(&self) -> Option<CulpritQuestion> {
        None
    }

    /// The belief about every suspect; `None` if it keeps none.
    fn posterior(&self) -> Option<Posterior> {
        None
    }

    /// Where it stands and what it carries there, as [`Inspect::carrying`](super::Inspect::carrying) says.
    fn carrying(&self) -> Option<Carrying> {
        None
    }

    /// Why a revision is tried, as [`Inspect::why`](super::Inspect::why) says.
    fn why(&self, revision: &str) -> Option<WhyTried> {
        let _ = revision;
        None
    }

    /// The revisions that can still be blamed, as [`Inspect::suspects`](super::Inspect::suspects) says.
    fn suspects(&self) -> Option<FixedBitSet> {
        None
    }

    /// How likely one of the [suspects](Algorithm::suspects) is to blame beside the others, 0 or above, in any unit.
    fn weight(&self, suspect: Node) -> f64 {
        let _ = suspect;
        1.0
    }
}

/// Takes the last of `answers` into account, and reads all of them again if that says so.
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

/// Reads all answers again.
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
