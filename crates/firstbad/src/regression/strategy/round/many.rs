//! Many suspects on a DAG: cut in two, again and again, at the revision whose ancestors hold the best share of the mass.

use fixedbitset::FixedBitSet;

use super::parts::{AS_MUCH, Suspects, Wanted, shares, sides};
use crate::graph::{AncestorSums, Node, flood};

/// How many parts what is tested already may leave: each is a set of its own.
const PARTS: usize = 64;

/// Revisions that, with those tested already, cut the suspects into parts of about even mass.
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
    /// By node.
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

    /// What is told apart already.
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

    /// The best revision to cut a part at that gets so many cuts in all, with how many of the `cuts + 1` parts are to be
    /// below it.
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
            // The oldest of equals.
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

/// How much more is told apart with a cut that leaves this share below, where the rest of the cuts part both sides evenly,
/// than by the rest alone; and how many of all parts are to be below.
fn gain(share: f64, cuts: usize) -> (f64, usize) {
    let lower = ((share * (cuts + 1) as f64).round() as usize).clamp(1, cuts);
    let upper = cuts + 1 - lower;
    let (below, above) = (lower as f64 / share, upper as f64 / (1.0 - share));
    (share * below.ln() + (1.0 - share) * above.ln() - (cuts as f64).ln(), lower)
}
