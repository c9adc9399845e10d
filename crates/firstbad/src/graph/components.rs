use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

/// Computes the strongly connected components of the nodes `0..count`. Returns the component of each node and the number of
/// components. Components are numbered by their first nodes, so nodes outside of cycles keep their order. Takes O(V + E).
///
/// Kosaraju's algorithm is used because petgraph's version of Tarjan's algorithm is recursive. A chain of 100,000 nodes would
/// overflow the stack.
pub(crate) fn components(count: usize, edges: impl IntoIterator<Item = (u32, u32)>) -> (Vec<u32>, usize) {
    let mut graph = DiGraph::<(), ()>::with_capacity(count, 0);
    graph.extend_with_edges(edges);
    // Nodes without edges.
    (graph.node_count()..count).for_each(|_| {
        graph.add_node(());
    });
    let mut found = kosaraju_scc(&graph);
    found.sort_by_cached_key(|component| component.iter().min().copied());
    let mut number = vec![0; count];
    for (place, component) in (0..).zip(&found) {
        component.iter().for_each(|node| number[node.index()] = place);
    }
    (number, found.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_one_component_and_other_nodes_keep_their_order() {
        let edges = [(3, 1), (1, 3), (0, 4), (4, 2), (2, 2)];
        assert_eq!(components(5, edges), (vec![0, 1, 2, 1, 3], 4));
        assert_eq!(components(0, []), (vec![], 0));
    }

    #[test]
    fn a_long_path_does_not_overflow_the_stack() {
        let count = 300_000;
        let path = (1..count).map(|node| (node - 1, node));
        assert_eq!(components(count as usize, path.clone()).1, count as usize);
        assert_eq!(components(count as usize, path.chain([(count - 1, 0)])).1, 1);
    }
}
