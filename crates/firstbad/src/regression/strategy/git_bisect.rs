//! Git's choice, commit for commit: the output of `git rev-list --bisect`, and the handling of skips of `git bisect`.

use fixedbitset::FixedBitSet;

use crate::graph::{AncestorSums, CommitGraph, Node};

/// The revision that Git (2.30 and later) would test next, with the share of suspects among its ancestors. `None` if Git would
/// stop.
///
/// `suspects` are `bad` and its ancestors that no good revision clears. `skipped` are the skipped suspects.
pub(super) fn choose(graph: &CommitGraph, suspects: &FixedBitSet, bad: Node, skipped: &[Node]) -> Option<(Node, f64)> {
    // Git walks by date, newest first, and reverses the list.
    let mut list = graph.by_date(bad, suspects);
    list.reverse();
    let count = list.len() as i64;
    let sums = AncestorSums::counts(graph, suspects);
    let mut weights = vec![0i64; graph.len()];
    for (node, sum) in sums.iter() {
        weights[node as usize] = sum as i64;
    }
    let weight = |node: Node| weights[node as usize];
    let chosen = if skipped.is_empty() {
        first_halfway(graph, suspects, &list, &weight).or_else(|| farthest(&list, count, &weight))
    } else {
        beside_skipped(graph, list, count, &weight, bad, skipped)
    };
    chosen.filter(|&node| node != bad).map(|node| (node, weight(node) as f64 / count as f64))
}

/// Git counts merges first and fills in the rest in sweeps. The first revision near enough to the middle ends the count.
fn first_halfway(
    graph: &CommitGraph,
    suspects: &FixedBitSet,
    list: &[Node],
    weight: &impl Fn(Node) -> i64,
) -> Option<Node> {
    let count = list.len() as i64;
    let halfway = |node: Node| {
        let off = (2 * weight(node) - count).abs();
        off <= 1 || off < count / 1024
    };
    let parents = |node: Node| graph.parents(node).iter().copied().filter(|&p| suspects.contains(p as usize));
    let mut known = FixedBitSet::with_capacity(graph.len());
    let mut left = Vec::new();
    for &node in list {
        match parents(node).count() {
            0 => known.insert(node as usize),
            1 => left.push(node),
            _ => {
                if halfway(node) {
                    return Some(node);
                }
                known.insert(node as usize);
            }
        }
    }
    while !left.is_empty() {
        let before = left.len();
        let mut found = None;
        left.retain(|&node| {
            if found.is_some() || !parents(node).any(|parent| known.contains(parent as usize)) {
                return true;
            }
            known.insert(node as usize);
            if halfway(node) {
                found = Some(node);
            }
            false
        });
        if found.is_some() {
            return found;
        }
        if left.len() == before {
            break;
        }
    }
    None
}

fn distance(weight: i64, count: i64) -> i64 {
    weight.min(count - weight)
}

/// The first of the revisions with the largest distance from both ends.
fn farthest(list: &[Node], count: i64, weight: &impl Fn(Node) -> i64) -> Option<Node> {
    let mut best: Option<(i64, Node)> = None;
    for &node in list {
        let distance = distance(weight(node), count);
        if best.is_none_or(|(most, _)| distance > most) {
            best = Some((distance, node));
        }
    }
    best.map(|(_, node)| node)
}

/// Sorts by distance, ties by id. If the best revision is skipped, takes another place by Git's pseudorandom rule.
fn beside_skipped(
    graph: &CommitGraph,
    mut list: Vec<Node>,
    count: i64,
    weight: &impl Fn(Node) -> i64,
    bad: Node,
    skipped: &[Node],
) -> Option<Node> {
    list.sort_unstable_by(|&a, &b| {
        let best = distance(weight(b), count).cmp(&distance(weight(a), count));
        best.then_with(|| graph.id(a).cmp(graph.id(b)))
    });
    let is_skipped = |node: &Node| skipped.contains(node);
    if !is_skipped(list.first()?) {
        return list.first().copied();
    }
    list.retain(|node| !is_skipped(node));
    let index = skip_away(list.len());
    match list.get(index) {
        Some(&node) if node != bad => Some(node),
        Some(_) if index > 0 => list.get(index - 1).copied(),
        _ => list.first().copied(),
    }
}

/// `skip_away` of Git's `bisect.c`: an index biased toward the front.
fn skip_away(count: usize) -> usize {
    const MODULO: u32 = 32768;
    let count = count as u32;
    let random = (count.wrapping_mul(1_103_515_245).wrapping_add(12345) / 65536) % MODULO;
    let place = u64::from(count) * u64::from(random) / u64::from(MODULO);
    (place * u64::from(random.isqrt()) / u64::from(MODULO.isqrt())) as usize
}
