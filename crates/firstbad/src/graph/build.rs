use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::csr::Csr;
use super::ids::Ids;
use super::{CommitGraph, Node, Origin};
use crate::error::Error;

/// A builder of a [`CommitGraph`] that takes revisions in any order.
///
/// If the input lists parents first, the graph keeps this order. If it lists children first, as in `git log`, the graph reverses
/// it. Otherwise, the graph has the topological order that is closest to the input.
#[derive(Debug, Default)]
pub struct GraphBuilder {
    ids: Ids,
    parent_ids: Ids,
    starts: Vec<u32>,
    ranks: Option<Vec<Node>>,
    times: Vec<i64>,
    names: Vec<(String, String)>,
    origin: Option<Origin>,
}

impl GraphBuilder {
    /// Creates a builder without revisions.
    #[must_use]
    pub fn new() -> Self {
        GraphBuilder { starts: vec![0], ..GraphBuilder::default() }
    }

    /// Adds a revision with its parents in order.
    pub fn revision<P>(&mut self, id: &str, parents: P) -> &mut Self
    where
        P: IntoIterator<Item: AsRef<str>>,
    {
        self.ids.push(id);
        for parent in parents {
            self.parent_ids.push(parent.as_ref());
        }
        self.starts.push(self.parent_ids.len() as u32);
        self
    }

    /// Adds a revision with its parents as indices of revisions in the order of addition, counted from 0. Parents can be added
    /// later.
    ///
    /// A graph must use either this method or [`GraphBuilder::revision`] for all revisions. This method is faster, because it
    /// looks up no ids. It does not check that ids are distinct, as Git's ids are.
    pub fn numbered_revision(&mut self, id: &str, parents: &[u32]) -> &mut Self {
        self.ids.push(id);
        let ranks = self.ranks.get_or_insert_default();
        ranks.extend_from_slice(parents);
        self.starts.push(ranks.len() as u32);
        self
    }

    /// Sets the time of the revision added last, in any unit. Either all revisions have a time or none.
    pub fn time(&mut self, time: i64) -> &mut Self {
        self.times.push(time);
        self
    }

    /// Adds a name of a revision, such as a branch or a tag, for [`CommitGraph::resolve`]. Names of ids outside of the graph are
    /// ignored.
    pub fn name(&mut self, name: impl Into<String>, id: impl Into<String>) -> &mut Self {
        self.names.push((name.into(), id.into()));
        self
    }

    /// Sets the source of the graph.
    pub fn origin(&mut self, origin: Origin) -> &mut Self {
        self.origin = Some(origin);
        self
    }

    /// Checks numbered revisions whose ids may not be distinct.
    pub(super) fn check_distinct(&mut self) -> Result<(), Error> {
        self.ids.check_distinct()
    }

    /// Builds the graph.
    ///
    /// # Errors
    /// - [`Error::EmptyGraph`] if there are no revisions.
    /// - [`Error::DuplicateRevision`] if an id is duplicated.
    /// - [`Error::UnknownParent`] if a parent is not a revision.
    /// - [`Error::Cycle`] if a revision is its own ancestor.
    /// - [`Error::InvalidArgument`] if only some revisions have a time.
    pub fn build(mut self) -> Result<CommitGraph, Error> {
        let count = self.ids.len();
        if count == 0 {
            return Err(Error::EmptyGraph);
        }
        if !self.times.is_empty() && self.times.len() != count {
            return Err(Error::invalid(
                "times",
                self.times.len(),
                format!("one time for each of the {count} revisions"),
            ));
        }
        let parents = match self.ranks.take() {
            Some(ranks) => {
                if let Some(bad) = ranks.iter().find(|&&rank| rank as usize >= count) {
                    return Err(Error::invalid("parents", bad, format!("numbers below {count}")));
                }
                Csr::from_parts(self.starts, ranks)
            }
            None => {
                self.ids.check_distinct()?;
                Csr::from_parts(self.starts.clone(), self.parents_by_id()?)
            }
        };
        let mut graph = CommitGraph {
            ids: self.ids,
            children: parents.transposed(),
            parents,
            times: (!self.times.is_empty()).then_some(self.times),
            origin: self.origin,
        };
        if let Some(rank) = ranks_parents_first(&graph)? {
            graph.parents = graph.parents.renamed(&rank);
            graph.children = graph.parents.transposed();
            graph.ids = graph.ids.reordered(&rank);
            graph.times = graph.times.map(|times| {
                let mut moved = vec![0; times.len()];
                for (old, time) in times.into_iter().enumerate() {
                    moved[rank[old] as usize] = time;
                }
                moved
            });
        }
        for (name, id) in self.names {
            if let Some(node) = graph.ids.find(&id) {
                graph.ids.name(name, node);
            }
        }
        Ok(graph)
    }

    fn parents_by_id(&self) -> Result<Vec<Node>, Error> {
        let mut unknown = Vec::new();
        let mut parents = Vec::with_capacity(self.parent_ids.len());
        for child in 0..self.ids.len() as u32 {
            for link in self.starts[child as usize]..self.starts[child as usize + 1] {
                let parent = self.parent_ids.get(link);
                match self.ids.find(parent) {
                    Some(node) => parents.push(node),
                    None => unknown.push((self.ids.get(child).to_owned(), parent.to_owned())),
                }
            }
        }
        if unknown.is_empty() { Ok(parents) } else { Err(Error::UnknownParent { pairs: unknown }) }
    }
}

/// Returns the rank of every revision, or `None` if the input is already in topological order.
fn ranks_parents_first(graph: &CommitGraph) -> Result<Option<Vec<Node>>, Error> {
    let nodes = 0..graph.len() as Node;
    let all = |holds: fn(Node, Node) -> bool| {
        nodes.clone().all(|node| graph.parents(node).iter().all(|&parent| holds(parent, node)))
    };
    if all(|parent, node| parent < node) {
        return Ok(None);
    }
    if all(|parent, node| parent > node) {
        return Ok(Some(nodes.rev().collect()));
    }
    let mut missing: Vec<u32> = nodes.clone().map(|node| graph.parents(node).len() as u32).collect();
    let mut ready: BinaryHeap<Reverse<Node>> =
        nodes.clone().filter(|&node| missing[node as usize] == 0).map(Reverse).collect();
    let mut rank = vec![Node::MAX; graph.len()];
    let mut placed = 0;
    while let Some(Reverse(node)) = ready.pop() {
        rank[node as usize] = placed;
        placed += 1;
        for &child in graph.children(node) {
            missing[child as usize] -= 1;
            if missing[child as usize] == 0 {
                ready.push(Reverse(child));
            }
        }
    }
    if placed as usize == graph.len() {
        return Ok(Some(rank));
    }
    Err(Error::Cycle { ids: a_cycle(graph, &rank) })
}

/// Returns one cycle among the revisions without a rank. Each has a parent among them, so a walk along parents meets a revision
/// twice.
fn a_cycle(graph: &CommitGraph, rank: &[Node]) -> Vec<String> {
    let unplaced = |node: &Node| rank[*node as usize] == Node::MAX;
    let mut walk: Vec<Node> = (0..graph.len() as Node).find(unplaced).into_iter().collect();
    let mut met = vec![usize::MAX; graph.len()];
    while let Some(&node) = walk.last() {
        if met[node as usize] != usize::MAX {
            return walk[met[node as usize]..].iter().map(|&n| graph.id(n).to_owned()).collect();
        }
        met[node as usize] = walk.len() - 1;
        walk.extend(graph.parents(node).iter().copied().find(unplaced));
    }
    Vec::new()
}

impl CommitGraph {
    /// Creates a graph from `(id, parent ids)` pairs in any order.
    ///
    /// # Errors
    /// [`Error::EmptyGraph`], [`Error::DuplicateRevision`], [`Error::UnknownParent`], or [`Error::Cycle`], as in
    /// [`GraphBuilder::build`].
    pub fn new<I, S, P>(revisions: I) -> Result<Self, Error>
    where
        I: IntoIterator<Item = (S, P)>,
        S: AsRef<str>,
        P: IntoIterator<Item: AsRef<str>>,
    {
        let mut builder = GraphBuilder::new();
        for (id, parents) in revisions {
            builder.revision(id.as_ref(), parents);
        }
        builder.build()
    }

    /// Creates a graph from a list of versions or builds, oldest first. Each revision is the only parent of the next one.
    ///
    /// # Errors
    /// [`Error::EmptyGraph`] if the list is empty, or [`Error::DuplicateRevision`] if an id is duplicated.
    pub fn linear<I>(ids: I) -> Result<Self, Error>
    where
        I: IntoIterator<Item: AsRef<str>>,
    {
        let mut builder = GraphBuilder::new();
        let mut previous: Option<I::Item> = None;
        for id in ids {
            builder.revision(id.as_ref(), previous.iter());
            previous = Some(id);
        }
        builder.build()
    }

    /// Creates a graph from `(parent, child)` edges, the direction of the paper. The parents of a child keep the order of its
    /// edges.
    ///
    /// # Errors
    /// [`Error::EmptyGraph`] if there are no edges, or [`Error::Cycle`] if a revision is its own ancestor.
    pub fn from_edges<I, S>(edges: I) -> Result<Self, Error>
    where
        I: IntoIterator<Item = (S, S)>,
        S: AsRef<str>,
    {
        let mut order: Vec<(String, Vec<String>)> = Vec::new();
        let mut position: hashbrown::HashMap<String, usize> = hashbrown::HashMap::new();
        let mut at = |id: &str, order: &mut Vec<(String, Vec<String>)>| -> usize {
            *position.entry_ref(id).or_insert_with(|| {
                order.push((id.to_owned(), Vec::new()));
                order.len() - 1
            })
        };
        for (parent, child) in edges {
            at(parent.as_ref(), &mut order);
            let child = at(child.as_ref(), &mut order);
            order[child].1.push(parent.as_ref().to_owned());
        }
        CommitGraph::new(order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pairs = Vec<(&'static str, Vec<&'static str>)>;

    fn ids(pairs: Pairs) -> Vec<String> {
        CommitGraph::new(pairs).map(|g| g.ids().map(str::to_owned).collect()).unwrap_or_default()
    }

    #[test]
    fn keeps_orders_with_parents_first_and_reverses_orders_with_children_first() {
        assert_eq!(ids(vec![("r", vec![]), ("b", vec!["r"]), ("a", vec!["r"])]), ["r", "b", "a"]);
        assert_eq!(ids(vec![("a", vec!["r"]), ("b", vec!["r"]), ("r", vec![])]), ["r", "b", "a"]);
        assert_eq!(ids(vec![("a", vec!["r"]), ("r", vec![]), ("b", vec!["r"])]), ["r", "a", "b"]);
    }

    #[test]
    fn errors_name_the_invalid_revisions() {
        let error = |pairs: Pairs| CommitGraph::new(pairs).map(|_| ()).unwrap_err();
        assert_eq!(error(vec![]), Error::EmptyGraph);
        assert_eq!(error(vec![("a", vec![]), ("a", vec![])]), Error::DuplicateRevision { ids: vec!["a".into()] });
        assert_eq!(error(vec![("a", vec!["x"])]), Error::UnknownParent { pairs: vec![("a".into(), "x".into())] });
        let Error::Cycle { ids } = error(vec![("a", vec!["c"]), ("b", vec!["a"]), ("c", vec!["b"]), ("r", vec![])])
        else {
            panic!("no cycle found")
        };
        assert_eq!(ids, ["a", "c", "b", "a"]);
        let Error::Cycle { ids } = error(vec![("a", vec!["a"])]) else { panic!("no cycle found") };
        assert_eq!(ids, ["a", "a"]);
    }

    #[test]
    fn resolves_ids_names_and_prefixes() {
        let mut builder = GraphBuilder::new();
        builder
            .numbered_revision("aabbccddee001122", &[])
            .numbered_revision("aabbccddee00ffff", &[0])
            .name("main", "aabbccddee00ffff");
        let graph = builder.build().unwrap();
        assert_eq!(graph.resolve("main", "bad"), Ok(1));
        assert_eq!(graph.resolve("aabbccddee0011", "bad"), Ok(0));
        assert_eq!(graph.resolve("aabb", "bad").unwrap_err().code(), "ambiguous_revision");
        let error = graph.resolve("mian", "bad").unwrap_err().to_string();
        assert_eq!(error, "bad: unknown revision \"mian\"\nhelp: did you mean \"main\"?");
    }
}
