//! Units that are kept or removed as one: single items, items that need each other, or branches of a tree.

use fixedbitset::FixedBitSet;

/// Units in ascending order. The highest numbers are tried first.
#[derive(Debug, Clone)]
pub(super) struct Units {
    count: usize,
    /// `None` if each item is a unit with its own number.
    groups: Option<Groups>,
}

#[derive(Debug, Clone)]
struct Groups {
    /// The members of unit u are `members[starts[u]..starts[u + 1]]`.
    members: Vec<u32>,
    starts: Vec<u32>,
    /// The unit of each item, or `NONE`.
    of: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Units {
    /// Makes a unit of each item.
    pub(super) fn singles(items: usize) -> Self {
        Units { count: items, groups: None }
    }

    /// Groups items with equal labels, in the order of the labels. Items without a label are in no unit.
    pub(super) fn labelled(labels: &[Option<u32>]) -> Self {
        let items = labels.len();
        if labels.iter().enumerate().all(|(item, label)| *label == Some(item as u32)) {
            return Units::singles(items);
        }
        let mut members: Vec<u32> = (0..items as u32).filter(|&item| labels[item as usize].is_some()).collect();
        members.sort_by_key(|&item| labels[item as usize]);
        let mut starts = Vec::new();
        let mut of = vec![NONE; items];
        for (place, &item) in members.iter().enumerate() {
            if place == 0 || labels[members[place - 1] as usize] != labels[item as usize] {
                starts.push(place as u32);
            }
            of[item as usize] = starts.len() as u32 - 1;
        }
        let count = starts.len();
        starts.push(members.len() as u32);
        Units { count, groups: Some(Groups { members, starts, of }) }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Returns whether a unit can have several items.
    pub(super) fn are_groups(&self) -> bool {
        self.groups.is_some()
    }

    /// Returns whether all these items are in units.
    pub(super) fn cover(&self, items: &FixedBitSet) -> bool {
        !self.are_groups() || items.ones().all(|item| self.unit_of(item).is_some())
    }

    pub(super) fn items_of(&self, unit: usize) -> impl Iterator<Item = usize> + Clone + '_ {
        let (groups, single) = match &self.groups {
            None => (&[][..], Some(unit)),
            Some(groups) => (&groups.members[groups.starts[unit] as usize..groups.starts[unit + 1] as usize], None),
        };
        groups.iter().map(|&item| item as usize).chain(single)
    }

    pub(super) fn unit_of(&self, item: usize) -> Option<usize> {
        match &self.groups {
            None => Some(item),
            Some(groups) => Some(groups.of[item]).filter(|&unit| unit != NONE).map(|unit| unit as usize),
        }
    }

    /// Removes the items of these units from a set of items.
    pub(super) fn take_out(&self, units: &FixedBitSet, set: &mut FixedBitSet) {
        match &self.groups {
            None => set.difference_with(units),
            Some(_) => units.ones().flat_map(|unit| self.items_of(unit)).for_each(|item| set.remove(item)),
        }
    }

    /// Returns the units that have an item in this set.
    pub(super) fn touched_by(&self, items: FixedBitSet) -> FixedBitSet {
        match &self.groups {
            None => items,
            Some(_) => {
                let mut units = FixedBitSet::with_capacity(self.count);
                items.ones().filter_map(|item| self.unit_of(item)).for_each(|unit| units.insert(unit));
                units
            }
        }
    }

    /// Returns the weight of each unit, 1 on average, or `None` if all weigh the same.
    pub(super) fn weights(&self, of_items: Option<&[f64]>) -> Option<Vec<f64>> {
        let weigh =
            |unit: usize| of_items.map_or(1.0, |weights| self.items_of(unit).map(|item| weights[item]).sum::<f64>());
        of_items?;
        let weights: Vec<f64> = (0..self.count).map(weigh).collect();
        let mean = weights.iter().sum::<f64>() / self.count.max(1) as f64;
        Some(weights.into_iter().map(|weight| weight / mean).collect())
    }
}
