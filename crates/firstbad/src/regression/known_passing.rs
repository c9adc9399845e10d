//! The passing revisions that searches start from, and what follows from them (RPA, Algorithms 4 and 5).

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use super::outcomes::View;
use crate::graph::{CommitGraph, Distances, Node, flood};
use crate::search::Outcome;

/// The passing revisions, with their ancestors and descendants, and how far away others are.
///
/// A passing revision *clears* its ancestors and itself: none of them is a suspect.
#[derive(Debug, Clone)]
pub(super) struct KnownPassing {
    /// All that paths may begin at, in the order in which it came to be known.
    sources: Vec<Node>,
    /// Roots taken to pass until they are asked; empty if passing revisions were given.
    assumed: Vec<Node>,
    /// How much of the log is taken into account, and how much of it in `distances`.
    seen: usize,
    measured: usize,
    /// Passing revisions and their ancestors.
    cleared: FixedBitSet,
    /// Passing revisions and their descendants, those of the assumed roots included.
    above: FixedBitSet,
    distances: Distances,
}

/// Whether a failing revision has a passing ancestor.
pub(super) enum PassingAncestor {
    /// It has one that passes, or is taken to.
    Known,
    /// It has none as far as is known: this one should be asked.
    Ask(Node),
    /// It has none: its roots were all tested, and none passes.
    Missing,
}

/// What paths begin at: roots that are assumed to pass, as far as nothing else was seen, and all that was seen to pass.
fn sources(view: View<'_>, assumed: &[Node]) -> Vec<Node> {
    let roots = assumed.iter().copied().filter(|&root| matches!(view.outcome(root), None | Some(Outcome::Pass)));
    roots.chain(view.passing()).collect()
}

impl KnownPassing {
    pub(super) fn new(graph: &CommitGraph, view: View<'_>, assumed: Vec<Node>) -> Self {
        let sources = sources(view, &assumed);
        let passing: Vec<Node> = sources.iter().copied().filter(|&node| view.outcome(node).is_some()).collect();
        KnownPassing {
            cleared: graph.ancestors(&passing),
            above: graph.descendants(&sources),
            distances: Distances::from(graph, &sources),
            seen: view.len(),
            measured: view.len(),
            assumed: sources.iter().copied().filter(|&node| view.outcome(node).is_none()).collect(),
            sources,
        }
    }

    /// The same for other answers, or for the same ones read again. Nothing is walked where the same revisions pass: the ends
    /// of a search are told one after the other, and most of them fail.
    pub(super) fn begin_again(passing: &mut Arc<Self>, graph: &CommitGraph, view: View<'_>, assumed: Vec<Node>) {
        if passing.measured == passing.seen && passing.sources == sources(view, &assumed) {
            let passing = Arc::make_mut(passing);
            (passing.seen, passing.measured) = (view.len(), view.len());
        } else {
            *passing = Arc::new(KnownPassing::new(graph, view, assumed));
        }
    }

    /// Whether [`KnownPassing::update`] would change anything.
    pub(super) fn is_behind(&self, view: View<'_>) -> bool {
        self.seen < view.len()
    }

    /// Takes the newest outcomes into account. Each revision is marked once in each direction: O(V + E) in all.
    pub(super) fn update(&mut self, graph: &CommitGraph, view: View<'_>) {
        let news: Vec<(Node, Outcome)> = view.since(self.seen).collect();
        self.seen = view.len();
        if news.iter().any(|(node, outcome)| *outcome != Outcome::Pass && self.assumed.contains(node)) {
            *self = KnownPassing::new(graph, view, std::mem::take(&mut self.assumed));
            return;
        }
        for (node, outcome) in news {
            if outcome == Outcome::Pass {
                self.sources.push(node);
                self.assumed.retain(|&root| root != node);
                flood(&mut self.cleared, node, |node| graph.parents(node), |_| true);
                flood(&mut self.above, node, |node| graph.children(node), |_| true);
            }
        }
    }

    /// Brings distances up to date (Algorithm 5, for every revision at once).
    pub(super) fn measure(&mut self, graph: &CommitGraph, view: View<'_>) {
        let news: Vec<Node> =
            view.since(self.measured).filter(|entry| entry.1 == Outcome::Pass).map(|entry| entry.0).collect();
        self.measured = view.len();
        self.distances.add(graph, &news);
    }

    pub(super) fn distances(&self) -> &Distances {
        &self.distances
    }

    /// Whether the revision is one that passes or an ancestor of one.
    pub(super) fn clears(&self, node: Node) -> bool {
        self.cleared.contains(node as usize)
    }

    /// Takes cleared revisions out of a set; whether there were any.
    pub(super) fn take_cleared(&self, suspects: &mut FixedBitSet) -> bool {
        let found = !suspects.is_disjoint(&self.cleared);
        suspects.difference_with(&self.cleared);
        found
    }

    /// Whether the revision passes or has a passing ancestor, assumed ones included.
    pub(super) fn has_passing_ancestor(&self, node: Node) -> bool {
        self.above.contains(node as usize)
    }

    /// Leaves only revisions that pass or have a passing ancestor.
    pub(super) fn keep_those_above(&self, set: &mut FixedBitSet) {
        set.intersect_with(&self.above);
    }

    /// Leaves only revisions that pass or have an ancestor that does, or that a passing revision clears: as git does, what
    /// comes before a passing revision is taken to pass until it is asked. Where one was seen to fail, that is not so here.
    pub(super) fn keep_those_that_come_from_passing(&self, graph: &CommitGraph, view: View<'_>, set: &mut FixedBitSet) {
        if self.is_misled(view) {
            return self.keep_those_above(set);
        }
        let mut kept = graph.none();
        // Parents come first, and between suspects there are only suspects.
        for node in set.ones() {
            let stands = |&parent: &Node| self.clears(parent) || kept.contains(parent as usize);
            if self.above.contains(node) || graph.parents(node as Node).iter().any(stands) {
                kept.insert(node);
            }
        }
        *set = kept;
    }

    /// What to ask where a search has come down to `bad`, of which no ancestor is known to pass: the oldest revision that it comes
    /// from and that a passing one clears. If it passes, most that come from another such one come from this one, too. `None` if
    /// there is none, or if it was asked.
    pub(super) fn base_to_ask(&self, graph: &CommitGraph, view: View<'_>, bad: Node) -> Option<Node> {
        let mut bases: HashMap<Node, Node> = HashMap::new();
        // Parents come first, and between suspects there are only suspects.
        for suspect in self.suspects(graph, view, bad).ones() {
            let base = |&parent: &Node| if self.clears(parent) { Some(parent) } else { bases.get(&parent).copied() };
            if let Some(base) = graph.parents(suspect as Node).iter().filter_map(base).min() {
                bases.insert(suspect as Node, base);
            }
        }
        bases.get(&bad).copied().filter(|&base| view.outcome(base).is_none())
    }

    /// Whether something fails that a passing revision clears.
    pub(super) fn is_misled(&self, view: View<'_>) -> bool {
        view.since(0).any(|(node, outcome)| outcome == Outcome::Fail && self.clears(node))
    }

    /// The ancestors of `bad`, itself included, that may be culprits: those that no passing revision clears.
    ///
    /// A passing revision that comes after `bad` proves nothing about what led to `bad` and does not clear it.
    pub(super) fn suspects(&self, graph: &CommitGraph, view: View<'_>, bad: Node) -> FixedBitSet {
        // An assumed root is no suspect: it is asked when a point rests on it.
        self.not_cleared(graph, view, bad, |node| !self.assumed.contains(&node))
    }

    /// The same with the roots that are only taken to pass.
    pub(super) fn suspects_and_roots(&self, graph: &CommitGraph, view: View<'_>, bad: Node) -> FixedBitSet {
        self.not_cleared(graph, view, bad, |_| true)
    }

    /// Returns the revisions that cannot have caused the failure at `bad`, because passing revisions clear them. A
    /// passing descendant of `bad` proves nothing about the ancestors of `bad`.
    pub(super) fn cleared_before(&self, graph: &CommitGraph, view: View<'_>, bad: Node) -> Cow<'_, FixedBitSet> {
        if !self.clears(bad) {
            return Cow::Borrowed(&self.cleared);
        }
        let after = graph.descendants(&[bad]);
        let passing: Vec<Node> = view.passing().filter(|&node| !after.contains(node as usize)).collect();
        Cow::Owned(graph.ancestors(&passing))
    }

    fn not_cleared(
        &self,
        graph: &CommitGraph,
        view: View<'_>,
        bad: Node,
        admits: impl Fn(Node) -> bool,
    ) -> FixedBitSet {
        let mut set = graph.none();
        let cleared = self.cleared_before(graph, view, bad);
        flood(&mut set, bad, |node| graph.parents(node), |node| !cleared.contains(node as usize) && admits(node));
        set
    }

    /// Whether `bad` has a passing ancestor, or what to ask to find out: first the nearest ancestor that a passing
    /// revision on another branch clears (git's merge base), then the roots, nearest first.
    pub(super) fn passing_ancestor(&self, graph: &CommitGraph, view: View<'_>, bad: Node) -> PassingAncestor {
        if self.has_passing_ancestor(bad) {
            return PassingAncestor::Known;
        }
        let mut met = graph.none();
        let mut queue = VecDeque::from([bad]);
        met.insert(bad as usize);
        let mut root = None;
        let mut base = None;
        while let Some(node) = queue.pop_front() {
            let parents = graph.parents(node);
            if parents.is_empty() && view.outcome(node).is_none() && root.is_none() {
                root = Some(node);
            }
            for &parent in parents {
                if self.clears(parent) && !self.clears(node) && base.is_none() {
                    base = Some(parent);
                }
                if !met.put(parent as usize) {
                    queue.push_back(parent);
                }
            }
        }
        let base = base.filter(|&base| view.outcome(base).is_none());
        base.or(root).map_or(PassingAncestor::Missing, PassingAncestor::Ask)
    }

    /// A shortest path from the nearest root up to `bad`.
    pub(super) fn path_from_root(graph: &CommitGraph, bad: Node) -> Vec<Node> {
        let mut above = vec![Node::MAX; bad as usize + 1];
        let mut queue = VecDeque::from([bad]);
        above[bad as usize] = bad;
        while let Some(node) = queue.pop_front() {
            if graph.parents(node).is_empty() {
                let mut path = vec![node];
                let mut at = node;
                while at != bad {
                    at = above[at as usize];
                    path.push(at);
                }
                return path;
            }
            for &parent in graph.parents(node) {
                if above[parent as usize] == Node::MAX {
                    above[parent as usize] = node;
                    queue.push_back(parent);
                }
            }
        }
        vec![bad]
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use std::sync::Arc;

    use super::super::{RegressionConfig, RegressionSearch, SearchKind};
    use crate::graph::CommitGraph;
    use crate::search::{Outcome, Search as _};

    /// r0 to r9, of which r8 is the culprit. "beside" leaves the line at r5, "between" at r6, the repair comes after r9.
    fn asked(kind: SearchKind, passing: &[&str], later: &[&str]) -> Vec<String> {
        let line = |number: usize| (format!("r{number}"), number.checked_sub(1).map(|before| format!("r{before}")));
        let side = |name: &str, from: &str| (name.to_owned(), Some(from.to_owned()));
        let sides = [side("repair", "r9"), side("beside", "r5"), side("between", "r6")];
        let graph = Arc::new(CommitGraph::new((0..10).map(line).chain(sides)).unwrap());
        let config = RegressionConfig::new(["r9"]).good(["r0"]).no_test_endpoints().unconfirmed().search(kind);
        let mut search = RegressionSearch::new(graph, config).unwrap();
        let observe = |search: &mut RegressionSearch, names: &[&str]| {
            for &name in names {
                search.observe(&name.to_owned().into(), Outcome::Pass.into()).unwrap();
            }
        };
        observe(&mut search, passing);
        let mut asked = Vec::new();
        while let Some(probe) = search.ask(1).unwrap().pop() {
            asked.push(probe.revision().to_owned());
            let outcome = if probe.revision() < "r8" { Outcome::Pass } else { Outcome::Fail };
            search.tell(probe.id, outcome.into()).unwrap();
            observe(&mut search, later);
        }
        assert_eq!(search.report().points[0].bad, "r8");
        asked
    }

    #[test]
    fn what_passes_beside_the_suspects_clears_those_that_it_comes_after() {
        for kind in [SearchKind::Auto, SearchKind::Bisect] {
            assert_eq!(asked(kind, &[], &[]).len(), 4);
            assert_eq!(asked(kind, &["beside"], &[]), ["r7", "r8"].map(String::from));
            assert_ne!(asked(kind, &[], &["between"])[1], "r6");
        }
    }

    /// Searches below "bad", with "good" to pass and to be trusted. What comes from the culprit fails, if nothing else is said.
    fn searched(
        graph: Vec<(String, Vec<String>)>,
        good: &str,
        bad: &str,
        culprit: &str,
        otherwise: &[(&str, Outcome)],
    ) -> (Vec<String>, String) {
        let graph = Arc::new(CommitGraph::new(graph).unwrap());
        let config = RegressionConfig::new([bad]).good([good]).no_test_endpoints().unconfirmed();
        let mut search = RegressionSearch::new(Arc::clone(&graph), config).unwrap();
        let broken = graph.get(culprit).unwrap();
        let mut asked = Vec::new();
        while let Some(probe) = search.ask(1).unwrap().pop() {
            let node = graph.get(probe.revision()).unwrap();
            let outcome = if graph.is_ancestor(broken, node) { Outcome::Fail } else { Outcome::Pass };
            let otherwise = otherwise.iter().find(|(revision, _)| *revision == probe.revision());
            let outcome = otherwise.map_or(outcome, |(_, outcome)| *outcome);
            asked.push(probe.revision().to_owned());
            search.tell(probe.id, outcome.into()).unwrap();
        }
        (asked, search.report().points[0].bad.clone())
    }

    /// A line "m" into which a stable one, "s", is merged at every fourth commit up to the fortieth, which is given as good.
    fn merged(culprit: &str, otherwise: &[(&str, Outcome)]) -> (Vec<String>, String) {
        let mut edges = vec![("s0".to_owned(), vec![]), ("m0".to_owned(), vec!["s0".to_owned()])];
        for number in 1..48 {
            edges.push((format!("s{number}"), vec![format!("s{}", number - 1)]));
            let merged = (number % 4 == 0 && number <= 40).then(|| format!("s{number}"));
            edges.push((format!("m{number}"), [format!("m{}", number - 1)].into_iter().chain(merged).collect()));
        }
        searched(edges, "s40", "m47", culprit, otherwise)
    }

    #[test]
    fn a_branch_that_another_one_was_merged_into_is_searched_at_once() {
        for culprit in (1..48).map(|number| format!("m{number}")) {
            let (asked, found) = merged(&culprit, &[]);
            assert_eq!(found, culprit);
            // 47 suspects are six questions; one for what they come from, and one for the other parent of a merge.
            assert!(asked.len() <= 8, "{culprit}: {asked:?}");
            assert!(asked.iter().filter(|name| name.starts_with('s')).count() <= 2, "{culprit}: {asked:?}");
        }
        // Where what they come from fails, only what has a passing ancestor is searched.
        let (_, found) = merged("m45", &[("s0", Outcome::Fail)]);
        assert_eq!(found, "m45");
        // Where it cannot be tested, the search goes on as though it passed.
        for culprit in (2..48).map(|number| format!("m{number}")) {
            let (asked, found) = merged(&culprit, &[("s0", Outcome::Unresolved)]);
            assert_eq!(found, culprit);
            assert!(asked.len() <= 9, "{culprit}: {asked:?}");
        }
    }

    #[test]
    fn branches_that_left_before_the_good_end_are_searched_with_the_others() {
        let mut edges = vec![("m0".to_owned(), vec![])];
        edges.extend((1..9).map(|number| (format!("m{number}"), vec![format!("m{}", number - 1)])));
        for side in 0..8 {
            let before = |step: i32| if step == 0 { format!("m{side}") } else { format!("s{side}-{}", step - 1) };
            edges.extend((0..8).map(|step| (format!("s{side}-{step}"), vec![before(step)])));
        }
        // m8 is good; each side is merged after it.
        edges.extend(
            (9..17)
                .map(|number| (format!("m{number}"), vec![format!("m{}", number - 1), format!("s{}-7", number - 9)])),
        );
        for culprit in (0..64).map(|number| format!("s{}-{}", number / 8, number % 8)) {
            let (asked, found) = searched(edges.clone(), "m8", "m16", &culprit, &[]);
            assert_eq!(found, culprit);
            // 72 suspects are some seven questions; one for what a side comes from.
            assert!(asked.len() <= 9, "{culprit}: {asked:?}");
        }
    }

    #[test]
    fn what_passes_after_a_revision_that_was_repaired_clears_nothing() {
        for kind in [SearchKind::Auto, SearchKind::Bisect] {
            assert_eq!(asked(kind, &["repair"], &[]), asked(kind, &[], &[]));
        }
    }
}
