//! The levels of a tree, from the top: what is taken away as one at each (IDD, Section 3.4: files, hunks, lines).

use super::config::ReductionConfig;
use super::requirements::Requirements;
use super::units::Units;

/// The smallest parts that are kept or dropped by themselves: items, those that need each other as one, and the branches
/// at the depth at which the tree is left alone.
pub(super) fn leaves(config: &ReductionConfig, requirements: Option<&Requirements>, count: usize) -> Units {
    let Some((parents, depth)) = config.parents.as_ref().zip(config.depth) else {
        let rank = |item: usize| requirements.map_or(item as u32, |requirements| requirements.ranks()[item]);
        return Units::labelled(&(0..count).map(|item| Some(rank(item))).collect::<Vec<_>>());
    };
    let last = |item: usize| way(parents, item).into_iter().take(depth).next_back().unwrap_or(item);
    let nodes: Vec<usize> = (0..count).map(last).collect();
    // In the order of their newest items.
    let mut newest = vec![0; parents.len()];
    (0..count).for_each(|item| newest[nodes[item]] = item as u32);
    Units::labelled(&nodes.iter().map(|&node| Some(newest[node])).collect::<Vec<_>>())
}

/// The nodes from the root down to an item.
fn way(parents: &[Option<usize>], item: usize) -> Vec<usize> {
    let mut path: Vec<usize> = std::iter::successors(Some(item), |&node| parents[node]).collect();
    path.reverse();
    path
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
    // Each item's way up, root first.
    let paths: Vec<Vec<usize>> = (0..count).map(|item| way(parents, item)).collect();
    let depth = paths.iter().map(Vec::len).max().unwrap_or(0);
    let mut levels: Vec<Vec<Option<u32>>> = Vec::new();
    for level in 0..depth.min(config.depth.unwrap_or(depth)) {
        // Branches in the order of their newest items.
        let mut newest = vec![None; parents.len()];
        for (item, path) in paths.iter().enumerate() {
            if let Some(&node) = path.get(level) {
                newest[node] = newest[node].max(Some((rank(item), item)));
            }
        }
        let mut order: Vec<usize> = (0..parents.len()).filter(|&node| newest[node].is_some()).collect();
        order.sort_by_key(|&node| newest[node]);
        let mut number = vec![0; parents.len()];
        order.iter().enumerate().for_each(|(place, &node)| number[node] = place as u32);
        let labels: Vec<Option<u32>> = paths.iter().map(|path| path.get(level).map(|&node| number[node])).collect();
        if levels.last() != Some(&labels) {
            levels.push(labels);
        }
    }
    levels.iter().map(|labels| Units::labelled(labels)).collect()
}
