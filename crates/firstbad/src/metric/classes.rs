//! Classes of suspects that the measurements cannot tell apart.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use super::noise::Measured;
use super::part::Part;
use crate::graph::Node;

/// The suspects of a part, grouped by the measured revisions that they change.
pub(super) struct Classes {
    /// The class of each suspect.
    pub(super) of: Vec<u32>,
    /// The prior of each class.
    pub(super) shares: Vec<f64>,
    /// The number of suspects of each class.
    pub(super) sizes: Vec<u32>,
    /// The measured revisions, in the order of their first measurement.
    pub(super) nodes: Vec<Node>,
    /// For each class, the measured revisions that it changes, as indices.
    pub(super) changes: Vec<FixedBitSet>,
}

impl Classes {
    pub(super) fn new(part: &Part, measured: &[Measured]) -> Self {
        let mut nodes: Vec<Node> = Vec::new();
        for one in measured {
            if !nodes.contains(&one.node) {
                nodes.push(one.node);
            }
        }
        let (mut of, mut changes) = (vec![0u32; part.past.len()], vec![FixedBitSet::with_capacity(nodes.len())]);
        for (index, &node) in nodes.iter().enumerate() {
            let suspects = part.suspects_of(node);
            let mut split: HashMap<(u32, bool), u32> = HashMap::new();
            let mut next: Vec<FixedBitSet> = Vec::new();
            for (place, class) in of.iter_mut().enumerate() {
                let is_changed = suspects.contains(place);
                *class = *split.entry((*class, is_changed)).or_insert_with(|| {
                    let mut set = changes[*class as usize].clone();
                    set.set(index, is_changed);
                    next.push(set);
                    (next.len() - 1) as u32
                });
            }
            changes = next;
        }
        let (mut shares, mut sizes) = (vec![0.0; changes.len()], vec![0; changes.len()]);
        for (place, &class) in of.iter().enumerate() {
            shares[class as usize] += part.shares[place];
            sizes[class as usize] += 1;
        }
        Classes { of, shares, sizes, nodes, changes }
    }

    pub(super) fn len(&self) -> usize {
        self.shares.len()
    }

    /// Returns the suspects of a class, as places.
    pub(super) fn members(&self, class: usize) -> impl Iterator<Item = usize> + '_ {
        self.of.iter().enumerate().filter(move |(_, of)| **of as usize == class).map(|(place, _)| place)
    }

    /// Returns the index of a measured revision.
    pub(super) fn index(&self, node: Node) -> Option<usize> {
        self.nodes.iter().position(|&other| other == node)
    }
}
