//! The passing revisions from which searches start, and their consequences (RPA, Algorithms 4 and 5).

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use super::outcomes::View;
use crate::graph::{CommitGraph, Distances, Node, flood};
use crate::search::Outcome;

/// The passing revisions with their ancestors and descendants, and distances from them.
///
/// A passing revision *clears* itself and its ancestors, which are then not suspects.
#[derive(Debug, Clone)]
pub(super) struct KnownPassing {
    /// All revisions where a path can start, in the order in which they became known.
    sources: Vec<Node>,
    /// Roots that are assumed to pass until they are tested. Empty if passing revisions were given.
    assumed: Vec<Node>,
    /// How much of the log is included, and how much of it in `distances`.
    seen: usize,
    measured: usize,
    /// Passing revisions and their ancestors.
    cleared: FixedBitSet,
    /// Passing revisions, assumed roots, and their descendants.
    above: FixedBitSet,
    distances: Distances,
}

/// Whether a failing revision has a passing ancestor.
pub(super) enum PassingAncestor {
    /// An ancestor passes, or is assumed to pass.
    Known,
    /// No ancestor is known to pass. This revision should be tested.
    Ask(Node),
    /// No ancestor passes, and all roots were tested.
    Missing,
}

/// The revisions where a path can start: passing revisions, and roots that are assumed to pass.
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

    /// Starts again for other outcomes, or for the same ones read again. If the same revisions pass, this takes no walk.
    /// Endpoints are reported one after the other, and most of them fail.
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

    /// Includes the latest outcomes. Each revision is marked once in each direction, so all updates take O(V + E).
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

    /// Updates the distances (Algorithm 5, for all revisions at once).
    pub(super) fn measure(&mut self, graph: &CommitGraph, view: View<'_>) {
        let news: Vec<Node> =
            view.since(self.measured).filter(|entry| entry.1 == Outcome::Pass).map(|entry| entry.0).collect();
        self.measured = view.len();
        self.distances.add(graph, &news);
    }

    pub(super) fn distances(&self) -> &Distances {
        &self.distances
    }

    /// Whether a revision passes or has a passing descendant.
    pub(super) fn clears(&self, node: Node) -> bool {
        self.cleared.contains(node as usize)
    }

    /// Removes cleared revisions from a set. Returns whether there were any.
    pub(super) fn take_cleared(&self, suspects: &mut FixedBitSet) -> bool {
        let found = !suspects.is_disjoint(&self.cleared);
        suspects.difference_with(&self.cleared);
        found
    }

    /// Whether a revision passes, is assumed to pass, or has such an ancestor.
    pub(super) fn has_passing_ancestor(&self, node: Node) -> bool {
        self.above.contains(node as usize)
    }

    /// Keeps only revisions that pass or have a passing ancestor.
    pub(super) fn keep_those_above(&self, set: &mut FixedBitSet) {
        set.intersect_with(&self.above);
    }

    /// Keeps only revisions that pass or descend from a passing or cleared revision. Like Git, this assumes that ancestors of
    /// passing revisions pass. If a cleared revision is known to fail, the set only keeps those of
    /// [`KnownPassing::keep_those_above`].
    pub(super) fn keep_those_that_come_from_passing(&self, graph: &CommitGraph, view: View<'_>, set: &mut FixedBitSet) {
        if self.is_misled(view) {
            return self.keep_those_above(set);
        }
        let mut kept = graph.none();
        // Parents come first, and all revisions between suspects are suspects.
        for node in set.ones() {
            let stands = |&parent: &Node| self.clears(parent) || kept.contains(parent as usize);
            if self.above.contains(node) || graph.parents(node as Node).iter().any(stands) {
                kept.insert(node);
            }
        }
        *set = kept;
    }

    /// Returns the revision to test if a search has reached `bad` and no ancestor is known to pass: the oldest cleared revision
    /// that the suspects descend from. If it passes, most other candidates descend from it. `None` if there is none, or if it was
    /// tested.
    pub(super) fn base_to_ask(&self, graph: &CommitGraph, view: View<'_>, bad: Node) -> Option<Node> {
        let mut bases: HashMap<Node, Node> = HashMap::new();
        // Parents come first, and all revisions between suspects are suspects.
        for suspect in self.suspects(graph, view, bad).ones() {
            let base = |&parent: &Node| if self.clears(parent) { Some(parent) } else { bases.get(&parent).copied() };
            if let Some(base) = graph.parents(suspect as Node).iter().filter_map(base).min() {
                bases.insert(suspect as Node, base);
            }
        }
        bases.get(&bad).copied().filter(|&base| view.outcome(base).is_none())
    }

    /// Whether a cleared revision fails.
    pub(super) fn is_misled(&self, view: View<'_>) -> bool {
        view.since(0).any(|(node, outcome)| outcome == Outcome::Fail && self.clears(node))
    }

    /// The suspects for `bad`: `bad` and the ancestors that no passing revision clears.
    ///
    /// A passing descendant of `bad` says nothing about the cause of the failure and does not clear `bad`.
    pub(super) fn suspects(&self, graph: &CommitGraph, view: View<'_>, bad: Node) -> FixedBitSet {
        // An assumed root is not a suspect. It is tested before a point depends on it.
        self.not_cleared(graph, view, bad, |node| !self.assumed.contains(&node))
    }

    /// The suspects and the roots that are assumed to pass.
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

    /// Whether `bad` has a passing ancestor, or which revision to test to find out. The nearest ancestor that a passing revision
    /// on another branch clears (Git's merge base) is first, then the nearest root.
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

    /// A shortest path from the nearest root to `bad`.
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

    /// The line r0 to r9 with culprit r8. "beside" branches off at r5, "between" at r6, and "repair" is after r9.
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
    fn a_pass_on_another_branch_clears_its_ancestors() {
        for kind in [SearchKind::Auto, SearchKind::Bisect] {
            assert_eq!(asked(kind, &[], &[]).len(), 4);
            assert_eq!(asked(kind, &["beside"], &[]), ["r7", "r8"].map(String::from));
            assert_ne!(asked(kind, &[], &["between"])[1], "r6");
        }
    }

    /// Searches for the culprit before "bad", with a trusted "good". Descendants of the culprit fail unless `otherwise` says so.
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

    /// A line "m" with a stable line "s", merged at every fourth commit up to the fortieth, which is given as good.
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
    fn a_branch_with_merges_from_a_good_branch_is_searched_as_a_whole() {
        for culprit in (1..48).map(|number| format!("m{number}")) {
            let (asked, found) = merged(&culprit, &[]);
            assert_eq!(found, culprit);
            // 47 suspects take six runs. Add one for the base, and one for the other parent of a merge.
            assert!(asked.len() <= 8, "{culprit}: {asked:?}");
            assert!(asked.iter().filter(|name| name.starts_with('s')).count() <= 2, "{culprit}: {asked:?}");
        }
        // If the base fails, only suspects with a passing ancestor are searched.
        let (_, found) = merged("m45", &[("s0", Outcome::Fail)]);
        assert_eq!(found, "m45");
        // If the base is unresolved, the search continues as if it passed.
        for culprit in (2..48).map(|number| format!("m{number}")) {
            let (asked, found) = merged(&culprit, &[("s0", Outcome::Unresolved)]);
            assert_eq!(found, culprit);
            assert!(asked.len() <= 9, "{culprit}: {asked:?}");
        }
    }

    #[test]
    fn branches_from_before_the_good_revision_are_searched_with_the_others() {
        let mut edges = vec![("m0".to_owned(), vec![])];
        edges.extend((1..9).map(|number| (format!("m{number}"), vec![format!("m{}", number - 1)])));
        for side in 0..8 {
            let before = |step: i32| if step == 0 { format!("m{side}") } else { format!("s{side}-{}", step - 1) };
            edges.extend((0..8).map(|step| (format!("s{side}-{step}"), vec![before(step)])));
        }
        // m8 is good, and each side is merged after it.
        edges.extend(
            (9..17)
                .map(|number| (format!("m{number}"), vec![format!("m{}", number - 1), format!("s{}-7", number - 9)])),
        );
        for culprit in (0..64).map(|number| format!("s{}-{}", number / 8, number % 8)) {
            let (asked, found) = searched(edges.clone(), "m8", "m16", &culprit, &[]);
            assert_eq!(found, culprit);
            // 72 suspects take about seven runs. Add one for the base of a side.
            assert!(asked.len() <= 9, "{culprit}: {asked:?}");
        }
    }

    #[test]
    fn a_pass_after_a_fix_clears_nothing() {
        for kind in [SearchKind::Auto, SearchKind::Bisect] {
            assert_eq!(asked(kind, &["repair"], &[]), asked(kind, &[], &[]));
        }
    }
}
