use std::sync::Arc;

use hashbrown::HashSet;

use super::algorithm::{Algorithm, absorb_last};
use super::observation::Observation;
use super::probe::Key;
use super::space::Space;
use crate::error::Error;

/// An algorithm inside another algorithm. The outer algorithm has the probes, the ledger, and the events.
///
/// The nested algorithm has separate keys. The outer algorithm maps them to targets, for example by adding a revision or a
/// [universe](super::Target::universe).
#[derive(Debug)]
pub struct Nested<A> {
    algorithm: A,
    answers: Vec<(Key, Arc<Observation>)>,
    answered: HashSet<Key>,
}

impl<A: Algorithm> Nested<A> {
    /// Creates the nested algorithm in its initial state.
    ///
    /// # Errors
    /// The errors of [`Algorithm::new`].
    pub fn new(world: <A::Space as Space>::World, config: A::Config) -> Result<Self, Error> {
        Ok(Nested { algorithm: A::new(world, config)?, answers: Vec::new(), answered: HashSet::new() })
    }

    /// Returns the nested algorithm.
    pub fn algorithm(&self) -> &A {
        &self.algorithm
    }

    /// Returns the mutable nested algorithm, for input other than outcomes.
    pub(crate) fn algorithm_mut(&mut self) -> &mut A {
        &mut self.algorithm
    }

    /// Returns the mutable search space, which assigns keys to new targets.
    pub fn space_mut(&mut self) -> &mut A::Space {
        self.algorithm.space_mut()
    }

    /// Calls [`Algorithm::choose`].
    pub fn choose(&mut self, want: usize, in_flight: &[Key]) -> Vec<Key> {
        self.algorithm.choose(want, in_flight)
    }

    /// Calls [`Algorithm::wants`] for the targets that belong to the nested algorithm. The others, `None`, are not wanted.
    pub fn wants(&self, in_flight: &[Option<Key>]) -> Vec<bool> {
        let own: Vec<Key> = in_flight.iter().flatten().copied().collect();
        let mut wanted = self.algorithm.wants(&own).into_iter();
        in_flight.iter().map(|key| key.is_some() && wanted.next() == Some(true)).collect()
    }

    /// Takes an outcome into account. Unless targets repeat, only the first outcome of a target counts.
    pub fn absorb(&mut self, key: Key, observation: &Arc<Observation>) {
        if !self.answered.insert(key) && !self.algorithm.repeats() {
            return;
        }
        self.answers.push((key, Arc::clone(observation)));
        absorb_last(&mut self.algorithm, self.answers.iter().map(|(key, observation)| (*key, &**observation)));
    }
}
