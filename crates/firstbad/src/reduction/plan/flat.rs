use super::interface::Plan;
use super::tree::Order;
use crate::reduction::tested_sets::TestedSets;
use crate::reduction::units::Units;

/// The plan for a list: one pass over all items.
#[derive(Debug)]
pub(super) struct Flat([Units; 1]);

impl Flat {
    pub(super) fn new(tested: &TestedSets) -> Self {
        Flat([Order::of(tested).alone()])
    }
}

impl Plan for Flat {
    fn passes(&self) -> &[Units] {
        &self.0
    }
}
