//! Small histories with arbitrary behavior, and their outcomes.

use std::collections::{BTreeMap, HashMap};

use firstbad::reduction::Need;
use firstbad::slicing::{Scheme, SliceMethod};
use firstbad::{ChangeSet, Observation, Outcome, SlicerConfig};
use firstbad_testkit::simulated::Random;
use serde_json::json;

/// A history with dependencies on earlier changes, and the outcomes of the sets that can be built.
pub(crate) struct History {
    pub(crate) needs: Vec<Vec<usize>>,
    /// The changes that the behavior needs.
    pub(crate) slice: Vec<usize>,
    /// A change that spoils the behavior unless another one is present, so the behavior is not monotonic.
    pub(crate) spoiler: Option<(usize, usize)>,
    /// Whether outcomes are arbitrary, but deterministic.
    pub(crate) is_wild: bool,
    /// Whether conflicts name the change. Otherwise, such sets do not build.
    pub(crate) names_conflicts: bool,
    said: HashMap<ChangeSet, Outcome>,
    random: Random,
}

impl History {
    pub(crate) fn new(count: usize, random: &mut Random) -> Self {
        let mut below = |bound: usize| random.below(bound.max(1) as u64) as usize;
        let needs = (0..count)
            .map(|change| {
                let how_many = if change == 0 { 0 } else { below(3) };
                (0..how_many).map(|_| below(change)).collect()
            })
            .collect();
        let slice = (0..below(4)).map(|_| below(count)).collect();
        let spoiler = (below(3) == 0).then(|| (below(count), below(count)));
        let (is_wild, names_conflicts) = (below(6) == 0, below(2) == 0);
        let random = Random::new(random.draw());
        History { needs, slice, spoiler, is_wild, names_conflicts, said: HashMap::new(), random }
    }

    pub(crate) fn count(&self) -> usize {
        self.needs.len()
    }

    /// Returns a member of a set that conflicts.
    pub(crate) fn conflict(&self, set: &ChangeSet) -> Option<usize> {
        set.iter().find(|&change| self.needs[change].iter().any(|&other| !set.contains(other)))
    }

    pub(crate) fn outcome(&mut self, set: &ChangeSet) -> Outcome {
        if self.conflict(set).is_some() {
            return Outcome::Unresolved;
        }
        if self.is_wild {
            let drawn =
                [Outcome::Pass, Outcome::Fail, Outcome::Fail, Outcome::Unresolved][self.random.below(4) as usize];
            let drawn = if set.len() == self.count() { Outcome::Pass } else { drawn };
            return *self.said.entry(set.clone()).or_insert(drawn);
        }
        let spoilt = self.spoiler.is_some_and(|(spoiler, cure)| set.contains(spoiler) && !set.contains(cure));
        let holds = self.slice.iter().all(|&change| set.contains(change)) && !spoilt;
        if holds { Outcome::Pass } else { Outcome::Fail }
    }

    /// Returns the signature of an arbitrary unresolved outcome.
    pub(crate) fn signature(set: &ChangeSet) -> String {
        format!("exit code {}", 2 + set.iter().sum::<usize>() % 2)
    }

    pub(crate) fn observation(&mut self, set: &ChangeSet) -> Observation {
        let mut seen = Observation::from(self.outcome(set));
        if self.is_wild && seen.outcome == Outcome::Unresolved {
            seen.signature = Some(History::signature(set));
        }
        if let Some(change) = self.conflict(set).filter(|_| self.names_conflicts) {
            seen.ran = false;
            seen.signals = Some(json!({ "conflict": change }));
        }
        seen
    }

    /// Returns a configuration with some wrong and some missing predictions.
    pub(crate) fn config(&self, random: &mut Random) -> SlicerConfig {
        let mut dependencies: BTreeMap<usize, Vec<Need>> = BTreeMap::new();
        for (change, needs) in self.needs.iter().enumerate() {
            let mut thought: Vec<usize> = needs.iter().copied().filter(|_| random.chance(700)).collect();
            if change > 0 && random.chance(150) {
                thought.push(random.below(change as u64) as usize);
            }
            thought.sort_unstable();
            thought.dedup();
            if !thought.is_empty() {
                dependencies.insert(change, thought.into_iter().map(Need::Item).collect());
            }
        }
        let methods =
            [SliceMethod::Auto, SliceMethod::Auto, SliceMethod::Definer, SliceMethod::Ddmin, SliceMethod::Recursive];
        let schemes = [Scheme::Random, Scheme::Neg, Scheme::Nonpos, Scheme::Low, Scheme::Combined];
        let start = random.chance(300).then(|| (0..self.count()).filter(|_| random.chance(600)).collect());
        SlicerConfig {
            algorithm: methods[random.below(methods.len() as u64) as usize],
            scheme: schemes[random.below(schemes.len() as u64) as usize],
            dependencies: if random.chance(500) { dependencies } else { BTreeMap::new() },
            start,
            seed: random.draw(),
            ..SlicerConfig::default()
        }
    }
}

/// Returns the members of a set that depend on a change, directly or not, including the change.
pub(crate) fn resting_on(needs: &[Vec<usize>], set: &[usize], change: usize) -> Vec<usize> {
    let mut gone = vec![change];
    for &other in set.iter().filter(|&&other| other > change) {
        if needs[other].iter().any(|need| gone.contains(need)) {
            gone.push(other);
        }
    }
    gone
}
