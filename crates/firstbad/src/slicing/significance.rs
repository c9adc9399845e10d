//! The significance sigma of each change, learned from facts (DEFINER, Figure 9: the rules pass, fail-1, and fail-n).

use fixedbitset::FixedBitSet;
use hashbrown::HashSet;

use super::facts::Facts;
use crate::reduction::Verdict;

/// The scores of all changes.
#[derive(Debug)]
pub(super) struct Significance {
    /// 0 at first, lower for changes that seem to matter less, and higher for changes that seem to matter more.
    pub(super) scores: Vec<i64>,
    /// The last passing set with its facts.
    last: Option<(FixedBitSet, Facts)>,
}

impl Significance {
    pub(super) fn new(count: usize) -> Self {
        Significance { scores: vec![0; count], last: None }
    }

    pub(super) fn forget(&mut self) {
        self.scores.fill(0);
        self.last = None;
    }

    /// Returns the changes that facts of the last passing run are charged to, or `None` without facts.
    pub(super) fn charged(&self) -> Option<HashSet<usize>> {
        self.last.as_ref().map(|(_, facts)| facts.charged()).filter(|charged| !charged.is_empty())
    }

    /// Learns from an observation, and returns whether scores changed.
    pub(super) fn learn(&mut self, set: &FixedBitSet, verdict: Verdict, facts: Option<Facts>) -> bool {
        let Some(facts) = facts else { return false };
        let Some((base, before)) = &self.last else {
            if verdict == Verdict::Holds {
                self.last = Some((set.clone(), facts));
            }
            return false;
        };
        // A late outcome can belong to a larger set, from which nothing was reverted.
        if !set.is_subset(base) {
            return false;
        }
        let reverted = base.difference_count(set);
        let step = match verdict {
            Verdict::Holds => -1,
            Verdict::Fails if reverted == 1 => 1,
            Verdict::Fails | Verdict::Unresolved => return false,
        };
        let charged = before.without(&facts);
        for &change in &charged {
            self.scores[change] += step;
        }
        if verdict == Verdict::Holds {
            self.last = Some((set.clone(), facts));
        }
        !charged.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::slicing::charges::{Charge, Charges};
    use crate::slicing::facts::Signals;

    fn facts(list: Value) -> Option<Facts> {
        Signals::read(Some(&json!({ "facts": list })), 8, &Charges::default()).unwrap().facts
    }

    fn fact(name: &str, kind: &str, values: Value, changes: &[usize]) -> Value {
        json!({ "file": "Foo.java", "name": name, "variable": "v", "kind": kind, "values": values, "changes": changes })
    }

    /// The facts of the final version in Example 1 (Figure 2a), charged to the paper's change numbers.
    fn last() -> Vec<Value> {
        vec![
            fact("B.x", "constant", json!([2]), &[1]),
            fact("B.s", "not_none", json!([]), &[3]),
            fact("B.h", "constant", json!([1]), &[5]),
            fact("B.y", "one_of", json!([0, 1]), &[2]),
            fact("B.g", "constant", json!([1]), &[4]),
            fact("B.m", "constant", json!([1]), &[6]),
            fact("A.f", "constant", json!([1]), &[]),
        ]
    }

    /// Returns the scores after reverting these changes, with only these facts of the final version left.
    fn learnt(reverted: &[usize], verdict: Verdict, kept: &[&str], more: Vec<Value>) -> Vec<(usize, i64)> {
        let mut significance = Significance::new(8);
        let mut set = FixedBitSet::with_capacity(8);
        set.insert_range(..);
        significance.learn(&set, Verdict::Holds, facts(last().into()));
        reverted.iter().for_each(|&change| set.remove(change));
        let mut now: Vec<Value> =
            last().into_iter().filter(|fact| kept.contains(&fact["name"].as_str().unwrap())).collect();
        now.extend(more);
        significance.learn(&set, verdict, facts(now.into()));
        significance.scores.iter().copied().enumerate().filter(|(_, score)| *score != 0).collect()
    }

    #[test]
    fn the_four_cases_of_figure_3() {
        let passing = ["B.s", "B.h", "B.y", "B.g", "B.m", "A.f"];
        // Case 1: passing without extra signal.
        assert_eq!(learnt(&[1], Verdict::Holds, &passing, vec![]), [(1, -1)]);
        // Case 2: passing with extra signals: 5 was not reverted.
        let family = learnt(&[1, 3], Verdict::Holds, &["B.y", "B.g", "B.m", "A.f"], vec![]);
        assert_eq!(family, [(1, -1), (3, -1), (5, -1)]);
        // Case 3: failing by determined causes. y takes only one of its two values, so the old fact no longer follows.
        let y = fact("B.y", "constant", json!([0]), &[2]);
        let causes = learnt(&[4], Verdict::Fails, &["B.x", "B.s", "B.h"], vec![y]);
        assert_eq!(causes, [(4, 1), (6, 1)]);
        let gone = learnt(&[4], Verdict::Fails, &["B.x", "B.s", "B.h"], vec![]);
        assert_eq!(gone, [(2, 1), (4, 1), (6, 1)]);
        // Case 4: failing by undetermined causes.
        assert_eq!(learnt(&[3, 4], Verdict::Fails, &["B.x"], vec![]), []);
        // A set that could not be built shows nothing.
        assert_eq!(learnt(&[4], Verdict::Unresolved, &[], vec![]), []);
    }

    #[test]
    fn facts_without_changes_use_the_table_of_charges() {
        let charge = |name: &str, changes: &[usize]| Charge {
            file: "Foo.java".into(),
            name: name.into(),
            variable: "v".into(),
            changes: changes.to_vec(),
        };
        let charges = Charges::of(&[charge("B.x", &[1]), charge("B.h", &[5, 6])], 8).unwrap();
        let read = |names: &[&str]| {
            let list: Vec<Value> = names
                .iter()
                .map(|name| {
                    let mut fact = fact(name, "constant", json!([1]), &[]);
                    fact.as_object_mut().unwrap().remove("changes");
                    fact
                })
                // An explicitly empty list of changes overrides the charges.
                .chain([fact("B.x", "opaque", json!([]), &[])])
                .collect();
            Signals::read(Some(&json!({ "facts": list })), 8, &charges).unwrap().facts
        };
        let mut significance = Significance::new(8);
        let mut set = FixedBitSet::with_capacity(8);
        set.insert_range(..);
        significance.learn(&set, Verdict::Holds, read(&["B.x", "B.h", "B.none"]));
        assert_eq!(significance.charged(), Some([1, 5, 6].into_iter().collect()));
        set.remove(1);
        significance.learn(&set, Verdict::Holds, read(&["B.h"]));
        assert_eq!(significance.scores, [0, -1, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn a_bundle_has_the_sum_of_its_members() {
        let mut significance = Significance::new(8);
        let two = json!([fact("a", "opaque", json!([]), &[1]), fact("b", "opaque", json!([]), &[1])]);
        let mut set = FixedBitSet::with_capacity(8);
        set.insert_range(..);
        significance.learn(&set, Verdict::Holds, facts(two));
        set.remove(0);
        significance.learn(&set, Verdict::Holds, facts(json!([])));
        assert_eq!(significance.scores[1], -2);
    }
}
