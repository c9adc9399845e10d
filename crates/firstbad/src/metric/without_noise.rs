//! The search for the changes of a metric without noise.

use hashbrown::HashMap;

use super::config::Exact as ExactMode;
use super::exact::{Exact, Halved};
use super::hunt::{Found, Hunt, Note, Shared, Task};
use super::noise::Measured;
use super::rule::Why;
use crate::graph::Node;

impl Hunt {
    /// Whether the numbers are exact so far. `None` if the endpoints do not tell yet.
    pub(super) fn is_exact(&self, shared: &Shared) -> Option<bool> {
        match shared.config.exact {
            _ if self.is_noisy => Some(false),
            ExactMode::Given(given) => Some(given),
            ExactMode::Auto => {
                let enough = |node: Node| self.by_revision.count(node) >= 2;
                (enough(shared.ends.first_good()) && enough(shared.ends.bad)).then_some(true)
            }
        }
    }

    /// Searches with exact numbers. Returns whether this search applies.
    pub(super) fn settle_exact(&mut self, shared: &Shared) -> bool {
        if shared.config.exact == ExactMode::Auto {
            let mut first: HashMap<Node, f64> = HashMap::new();
            let differs = |one: &Measured| *first.entry(one.node).or_insert(one.seen.level) != one.seen.level;
            let is_noisy = self.levels.iter().any(differs) || self.levels.iter().any(|one| one.seen.limit.is_some());
            if is_noisy && !self.is_noisy {
                // What exact numbers showed does not hold.
                (self.found, self.notes) = (Vec::new(), Vec::new());
                self.tasks = vec![Task::Search(shared.whole())];
            }
            self.is_noisy |= is_noisy;
        }
        self.exact = None;
        if self.is_exact(shared) != Some(true) {
            return false;
        }
        let (good, bad) = (shared.ends.first_good(), shared.ends.bad);
        let Some(change) = self.by_revision.change(good, bad) else {
            if self.is_untestable(good) || self.is_untestable(bad) {
                (self.notes, self.tasks) = (vec![Note::Untestable], Vec::new());
            }
            return true;
        };
        if change.level < self.scale.least * (1.0 - 1e-9) {
            (self.notes, self.tasks) = (vec![Note::NoChange(Some(1.0))], Vec::new());
            return true;
        }
        let halved = Exact {
            graph: &shared.graph,
            good: &shared.ends.good,
            bad,
            least: self.scale.least * (1.0 - 1e-9),
            all_steps: shared.config.all_steps,
            level: &|node| self.by_revision.at(node).map(|at| at.level),
            is_untestable: &|node| self.is_untestable(node),
            weight: &|node| shared.weight(node),
        };
        let halved = halved.run();
        let unconfirmed = self.unconfirmed(shared, &halved);
        self.found = halved.steps.iter().map(|&(commit, _)| Found { commit, probability: 1.0 }).collect();
        self.notes.clear();
        if halved.missing.is_empty() && unconfirmed.is_empty() {
            if !halved.set.is_empty() {
                self.notes.push(Note::Set(halved.set.clone(), 1.0));
            } else if self.found.is_empty() {
                self.notes.push(Note::Spread(halved.largest.map(|largest| largest.0)));
            }
            self.tasks.clear();
        }
        let missing = if halved.missing.is_empty() { unconfirmed } else { halved.missing.clone() };
        self.exact = Some(Halved { missing, ..halved });
        true
    }

    /// Returns the revisions of a step that were measured once. The endpoints alone showed that numbers are exact.
    fn unconfirmed(&self, shared: &Shared, halved: &Halved) -> Vec<Node> {
        if shared.config.exact != ExactMode::Auto {
            return Vec::new();
        }
        let of = |&(commit, _): &(Node, f64)| {
            std::iter::once(commit).chain(self.parent(shared, commit)).filter(|&node| self.by_revision.count(node) == 1)
        };
        halved.steps.iter().flat_map(of).collect()
    }

    /// Returns the next measurement if the numbers are exact. The outer `None` means that they are not, or not known to be.
    #[allow(clippy::option_option, reason = "the levels have different meanings")]
    pub(super) fn next_exact(&self, shared: &Shared, flying: &[Node]) -> Option<Option<(Node, Why)>> {
        let (good, bad) = (shared.ends.first_good(), shared.ends.bad);
        match (&self.exact, shared.config.exact) {
            (Some(halved), _) => {
                let next = halved.missing.iter().find(|node| !flying.contains(node));
                Some(next.map(|&node| (node, if halved.steps.is_empty() { Why::Halves } else { Why::Verify })))
            }
            (None, ExactMode::Given(true)) => {
                let is_open = |node: &Node| self.by_revision.count(*node) == 0 && !flying.contains(node);
                Some([good, bad].into_iter().find(is_open).map(|node| (node, Why::Start)))
            }
            _ => None,
        }
    }
}
