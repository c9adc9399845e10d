//! Simulated histories for slicing: the changes that a behavior needs, their dependencies, and the signals of runs.
//!
//! Their sizes are those of the eight subjects of "Precise Semantic History Slicing through Dynamic Delta Refinement" (Li et al.
//! 2016), from the tables that its authors published.

use firstbad::{ChangeSet, Outcome};
use serde_json::{Value, json};

use crate::simulated::Random;

/// The sizes of a subject's history and slices.
#[derive(Debug, Clone, Copy)]
pub struct Subject {
    /// The name of the subject in the paper.
    pub name: &'static str,
    /// The number of changes.
    pub changes: usize,
    /// The number of changes that the behavior needs.
    pub slice: usize,
    /// The number of changes in a coverage slice (CSlicer).
    pub covered: usize,
}

/// The eight subjects of the paper.
pub const SUBJECTS: [Subject; 8] = [
    Subject { name: "I1", changes: 150, slice: 28, covered: 30 },
    Subject { name: "I2", changes: 50, slice: 3, covered: 4 },
    Subject { name: "I3", changes: 100, slice: 2, covered: 12 },
    Subject { name: "C1", changes: 100, slice: 12, covered: 25 },
    Subject { name: "C2", changes: 100, slice: 5, covered: 31 },
    Subject { name: "M1", changes: 50, slice: 13, covered: 16 },
    Subject { name: "M2", changes: 50, slice: 2, covered: 2 },
    Subject { name: "M3", changes: 100, slice: 2, covered: 7 },
];

/// A history of changes, oldest first.
#[derive(Debug, Clone)]
pub struct SlicedHistory {
    /// The dependencies of each change, without which it cannot be built.
    pub needs: Vec<Vec<usize>>,
    /// The changes that the behavior needs, with all of their dependencies.
    pub slice: ChangeSet,
    /// The coverage slice: the slice, other changes, and all of their dependencies.
    pub covered: ChangeSet,
    /// For each covered change, the changes whose values flow into its value. Most are of the same kind, needed or not.
    pub flows: Vec<Vec<usize>>,
}

impl SlicedHistory {
    /// Creates a history with the sizes of a subject. Every second change depends on one or two earlier ones.
    #[must_use]
    pub fn new(subject: Subject, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let needs: Vec<Vec<usize>> = (0..subject.changes)
            .map(|change| {
                if change == 0 || !random.chance(500) {
                    return Vec::new();
                }
                let mut needs: Vec<usize> =
                    (0..1 + random.below(2)).map(|_| random.below(change as u64) as usize).collect();
                needs.sort_unstable();
                needs.dedup();
                needs
            })
            .collect();
        let slice = closed(&needs, vec![false; subject.changes], subject.slice, &mut random);
        let covered = closed(&needs, slice.clone(), subject.covered, &mut random);
        let set = |members: &[bool]| (0..members.len()).filter(|&change| members[change]).collect::<ChangeSet>();
        let everything: Vec<usize> = (0..subject.changes).collect();
        let flows = (0..subject.changes)
            .map(|change| {
                let kin = |other: &usize| slice[*other] == slice[change] && covered[*other] == covered[change];
                let kin: Vec<usize> = everything.iter().copied().filter(kin).collect();
                let mut drawn = || {
                    let from = if random.chance(850) { &kin } else { &everything };
                    from[random.below(from.len() as u64) as usize]
                };
                vec![drawn(), drawn()]
            })
            .collect();
        SlicedHistory { slice: set(&slice), covered: set(&covered), needs, flows }
    }

    /// Returns whether a set of changes can be built.
    #[must_use]
    pub fn builds(&self, changes: &ChangeSet) -> bool {
        changes.iter().all(|change| self.needs[change].iter().all(|&other| changes.contains(other)))
    }

    /// Returns the outcome of a set, which is unresolved if the set cannot be built.
    #[must_use]
    pub fn outcome(&self, changes: &ChangeSet) -> Outcome {
        match self.builds(changes) {
            false => Outcome::Unresolved,
            true if self.slice.iter().all(|change| changes.contains(change)) => Outcome::Pass,
            true => Outcome::Fail,
        }
    }

    /// Returns the [`signals`](firstbad::Observation::signals) of a run of a set: one fact for the value of each executed change,
    /// computed from the values that flow into it. The fact belongs to the change or, with a seed for `noise`, to a random one.
    #[must_use]
    pub fn signals(&self, changes: &ChangeSet, noise: Option<u64>) -> Value {
        let version = |change: usize| u64::from(changes.contains(change));
        let fact = |change: usize| {
            let value = self.flows[change].iter().fold(version(change), |value, &other| 2 * value + version(other));
            let charged = match noise {
                None => change,
                Some(seed) => Random::new(seed ^ (change as u64) << 20).below(self.needs.len() as u64) as usize,
            };
            json!({
                "file": "a", "name": change.to_string(), "variable": "return", "kind": "constant", "values": [value],
                "changes": [charged],
            })
        };
        let executed = (0..self.needs.len()).filter(|&change| noise.is_some() || self.covered.contains(change));
        json!({ "facts": executed.map(fact).collect::<Vec<_>>() })
    }
}

/// Adds random changes with all of their dependencies until there are `count` members.
fn closed(needs: &[Vec<usize>], members: Vec<bool>, count: usize, random: &mut Random) -> Vec<bool> {
    let mut members = members;
    let mut left = count.saturating_sub(members.iter().filter(|member| **member).count());
    let mut order: Vec<usize> = (0..needs.len()).collect();
    for place in (1..order.len()).rev() {
        order.swap(place, random.below(place as u64 + 1) as usize);
    }
    for change in order {
        let (mut open, mut fresh) = (vec![change], Vec::new());
        while let Some(change) = open.pop() {
            if !members[change] && !fresh.contains(&change) {
                fresh.push(change);
                open.extend(&needs[change]);
            }
        }
        if fresh.len() <= left {
            left -= fresh.len();
            fresh.into_iter().for_each(|change| members[change] = true);
        }
    }
    members
}
