//! The levels of a tree, from the top: what is taken away as one at each (IDD, Section 3.4: files, hunks, lines).

use super::config::ReductionConfig;
use super::requirements::Requirements;
use super::tree::Tree;
use super::units::Units;

/// The smallest parts that are kept or dropped by themselves: items, those that need each other as one, and the branches
/// at the depth at which the tree is left alone.
pub(super) fn leaves(config: &ReductionConfig, requirements: Option<&Requirements>, count: usize) -> Units {
    let Some((parents, depth)) = config.parents.as_ref().zip(config.depth) else {
        let rank = |item: usize| requirements.map_or(item as u32, |requirements| requirements.ranks()[item]);
        return Units::labelled(&(0..count).map(|item| Some(rank(item))).collect::<Vec<_>>());
    };
    let nodes = Tree::of(parents).map_or_else(|_| (0..count).collect(), |tree| tree.at_most(depth));
    // In the order of their newest items.
    let mut newest = vec![0; parents.len()];
    (0..count).for_each(|item| newest[nodes[item]] = item as u32);
    Units::labelled(&nodes[..count].iter().map(|&node| Some(newest[node])).collect::<Vec<_>>())
}

/// The units of each level, coarsest first; at least one.
pub(super) fn levels(config: &ReductionConfig, requirements: Option<&Requirements>, count: usize) -> Vec<Units> {
    if config.parents.is_none() && requirements.is_none() {
        return vec![Units::singles(count)];
    }
    let rank = |item: usize| requirements.map_or(item as u32, |requirements| requirements.ranks()[item]);
    let Some(parents) = &config.parents else {
        return vec![Units::labelled(&(0..count).map(|item| Some(rank(item))).collect::<Vec<_>>())];
    };
    let Ok(tree) = Tree::of(parents) else { return vec![Units::singles(count)] };
    let depth = tree.levels(count).min(config.depth.unwrap_or(usize::MAX));
    let mut levels: Vec<Units> = Vec::new();
    let mut below: Vec<Option<u32>> = Vec::new();
    for nodes in tree.upwards(count, depth) {
        // Branches in the order of their newest items.
        let mut newest = vec![None; parents.len()];
        for (item, &node) in nodes.iter().enumerate() {
            if let Some(node) = node {
                newest[node] = newest[node].max(Some((rank(item), item)));
            }
        }
        let mut order: Vec<usize> = (0..parents.len()).filter(|&node| newest[node].is_some()).collect();
        order.sort_by_key(|&node| newest[node]);
        let mut number = vec![0; parents.len()];
        order.iter().enumerate().for_each(|(place, &node)| number[node] = place as u32);
        let labels: Vec<Option<u32>> = nodes.iter().map(|node| node.map(|node| number[node])).collect();
        if below != labels {
            levels.push(Units::labelled(&labels));
            below = labels;
        }
    }
    levels.reverse();
    levels
}
