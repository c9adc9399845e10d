//! A round for many suspects on a DAG: repeatedly cuts parts in two at the revision with the best share of the probability.

use fixedbitset::FixedBitSet;

use super::parts::{AS_MUCH, Suspects, Wanted, shares, sides};
use crate::graph::{AncestorSums, Node, flood};

/// The maximum number of parts from tested revisions. Each part is a separate set.
const PARTS: usize = 64;

/// Revisions that, with the tested ones, cut the suspects into parts of about even probability.
pub(super) fn places(suspects: &Suspects<'_>, wanted: Wanted<'_>) -> Vec<Node> {
    let mut many = Many::new(suspects, wanted.tested);
    let parts = many.parts(wanted.tested);
    let masses: Vec<(f64, usize)> =
        parts.iter().map(|part| (part.ones().map(|node| many.weights[node]).sum(), 0)).collect();
    for (part, share) in parts.into_iter().zip(shares(&masses, wanted.want)) {
        many.cut(part, share);
    }
    many.places
}

struct Many<'a> {
    suspects: &'a Suspects<'a>,
    tested: &'a [Node],
    /// Indexed by node.
    weights: Vec<f64>,
    worth: Vec<f64>,
    places: Vec<Node>,
}

impl<'a> Many<'a> {
    fn new(suspects: &'a Suspects<'a>, tested: &'a [Node]) -> Self {
        let mut weights = vec![0.0; suspects.graph.len()];
        let mut worth = vec![0.0; suspects.graph.len()];
        for (place, node) in suspects.set.ones().enumerate() {
            (weights[node], worth[node]) = (suspects.weights[place], suspects.worth[place]);
        }
        Many { suspects, tested, weights, worth, places: Vec::new() }
    }

    fn within(&self, part: &FixedBitSet, node: Node) -> FixedBitSet {
        let graph = self.suspects.graph;
        let mut set = graph.none();
        flood(&mut set, node, |node| graph.parents(node), |node| self.suspects.set.contains(node as usize));
        set.intersect_with(part);
        set
    }

    /// The parts into which tested revisions divide the suspects.
    fn parts(&self, tested: &[Node]) -> Vec<FixedBitSet> {
        let mut parts = vec![self.suspects.set.clone()];
        for &node in tested.iter().filter(|&&node| self.suspects.set.contains(node as usize)) {
            for place in 0..parts.len() {
                if parts.len() == PARTS {
                    return parts;
                }
                let below = self.within(&parts[place], node);
                let mut above = parts[place].clone();
                above.difference_with(&below);
                if !below.is_clear() && !above.is_clear() {
                    parts[place] = below;
                    parts.push(above);
                }
            }
        }
        parts
    }

    fn cut(&mut self, part: FixedBitSet, cuts: usize) {
        let mut open = vec![(part, cuts)];
        while let Some((part, cuts)) = open.pop() {
            if cuts == 0 {
                continue;
            }
            let Some((node, lower)) = self.best(&part, cuts) else { continue };
            let below = self.within(&part, node);
            let mut above = part;
            above.difference_with(&below);
            let (lower, upper) = sides(cuts - 1, lower - 1, below.count_ones(..), above.count_ones(..));
            self.places.push(node);
            open.push((above, upper));
            open.push((below, lower));
        }
    }

    /// The best revision for the first of `cuts` cuts of a part, with the number of resulting parts that are below it.
    fn best(&self, part: &FixedBitSet, cuts: usize) -> Option<(Node, usize)> {
        let weights: Vec<f64> = part.ones().map(|node| self.weights[node]).collect();
        let total: f64 = weights.iter().sum();
        let sums = AncestorSums::new(self.suspects.graph, part, &weights);
        let mut best: Option<(f64, Node, usize)> = None;
        for (node, sum) in sums.iter() {
            let share = sum / total;
            if share <= 0.0 || share >= 1.0 || !self.may_be_asked(node) {
                continue;
            }
            let (gain, lower) = gain(share, cuts);
            let gain = gain * self.worth[node as usize];
            // Ties go to the oldest.
            if gain > 0.0 && best.is_none_or(|(most, _, _)| gain > most * AS_MUCH) {
                best = Some((gain, node, lower));
            }
        }
        best.map(|(_, node, lower)| (node, lower))
    }

    fn may_be_asked(&self, node: Node) -> bool {
        self.suspects.view.outcome(node).is_none() && !self.tested.contains(&node)
    }
}

/// The gain of a cut with this share below, compared with the remaining cuts alone, and the number of parts below. The remaining
/// cuts divide both sides evenly.
fn gain(share: f64, cuts: usize) -> (f64, usize) {
    let lower = ((share * (cuts + 1) as f64).round() as usize).clamp(1, cuts);
    let upper = cuts + 1 - lower;
    let (below, above) = (lower as f64 / share, upper as f64 / (1.0 - share));
    (share * below.ln() + (1.0 - share) * above.ln() - (cuts as f64).ln(), lower)
}
