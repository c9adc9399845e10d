//! An algorithm inside another one.

use std::sync::Arc;

use hashbrown::HashSet;

use super::algorithm::{Algorithm, absorb_last};
use super::observation::Observation;
use super::probe::Key;
use super::space::Space;
use crate::error::Error;

/// An algorithm that another one uses: it decides, and the outer one has the probes, the ledger and the events.
///
/// Its keys are its own; the outer algorithm says what they stand for (a revision beside them, a
/// [universe](super::Target::universe)).
#[derive(Debug)]
pub struct Nested<A> {
    algorithm: A,
    answers: Vec<(Key, Arc<Observation>)>,
    answered: HashSet<Key>,
}

impl<A: Algorithm> Nested<A> {
    /// An algorithm at its start.
    ///
    /// # Errors
    /// Those of [`Algorithm::new`].
    pub fn new(world: <A::Space as Space>::World, config: A::Config) -> Result<Self, Error> {
        Ok(Nested { algorithm: A::new(world, config)?, answers: Vec::new(), answered: HashSet::new() })
    }

    /// The algorithm, to look at.
    pub fn algorithm(&self) -> &A {
        &self.algorithm
    }

    /// The algorithm, to be told what is no answer.
    pub(crate) fn algorithm_mut(&mut self) -> &mut A {
        &mut self.algorithm
    }

    /// What it searches in, for targets that somebody names for the first time.
    pub fn space_mut(&mut self) -> &mut A::Space {
        self.algorithm.space_mut()
    }

    /// As [`Algorithm::choose`].
    pub fn choose(&mut self, want: usize, in_flight: &[Key]) -> Vec<Key> {
        self.algorithm.choose(want, in_flight)
    }

    /// Calls [`Algorithm::wants`] with the keys that are `Some`. For `None`, a target of another algorithm, the result is
    /// false.
    pub fn wants(&self, in_flight: &[Option<Key>]) -> Vec<bool> {
        let own: Vec<Key> = in_flight.iter().flatten().copied().collect();
        let mut wanted = self.algorithm.wants(&own).into_iter();
        in_flight.iter().map(|key| key.is_some() && wanted.next() == Some(true)).collect()
    }

    /// Takes an answer into account. Unless targets repeat, a second one for the same target is passed over.
    pub fn absorb(&mut self, key: Key, observation: &Arc<Observation>) {
        if !self.answered.insert(key) && !self.algorithm.repeats() {
            return;
        }
        self.answers.push((key, Arc::clone(observation)));
        absorb_last(&mut self.algorithm, self.answers.iter().map(|(key, observation)| (*key, &**observation)));
    }
}
