//! A number that grows in many small steps.

use super::hunt::{Hunt, Shared};
use super::part::Part;
use crate::graph::Node;

impl Hunt {
    /// Whether the number grows in so many steps that no single commit explains it: several measured revisions, each an ancestor
    /// of the next, differ from each other and from both ends. One such revision is enough at the end of the search.
    pub(super) fn is_gradual(&self, shared: &Shared, part: &Part) -> bool {
        /// The number of revisions between the ends that make a ramp.
        const RAMP: usize = 3;
        /// The number of standard errors between two of them.
        const APART: f64 = 2.58;
        let enough = match (self.is_exhausted(shared), shared.config.all_steps) {
            (true, _) => 1,
            (false, false) => RAMP,
            (false, true) => return false,
        };
        let mut nodes: Vec<Node> =
            self.levels.iter().map(|one| one.node).filter(|&node| part.past.place(node).is_some()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.insert(0, part.low);
        // The length of the longest chain that ends at each revision. Nodes are in topological order.
        let mut lengths = vec![Some(0usize)];
        for (at, &node) in nodes.iter().enumerate().skip(1) {
            let longer = |older: usize| {
                let change = self.by_revision.change(nodes[older], node)?;
                let is_above = change.at_least(APART) > 0.0 && part.graph.is_ancestor(nodes[older], node);
                lengths[older].filter(|_| is_above).map(|length| length + 1)
            };
            let longest = (0..at).filter_map(longer).max();
            lengths.push(longest);
        }
        let at_high = nodes.iter().position(|&node| node == part.high).and_then(|at| lengths[at]);
        at_high.is_some_and(|length| length > enough)
    }
}
