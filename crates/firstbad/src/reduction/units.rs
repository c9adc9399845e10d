//! What is kept or dropped as one: single items, items that need each other, or the branches of a tree at one level.

use fixedbitset::FixedBitSet;

/// Units, numbered so that those with higher numbers are tried first.
#[derive(Debug, Clone)]
pub(super) struct Units {
    count: usize,
    /// `None` if each item is a unit by itself under its own number.
    groups: Option<Groups>,
}

#[derive(Debug, Clone)]
struct Groups {
    /// The members of unit u are `members[starts[u]..starts[u + 1]]`.
    members: Vec<u32>,
    starts: Vec<u32>,
    /// The unit of each item; `NONE` if it is in none.
    of: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Units {
    /// Each item by itself.
    pub(super) fn singles(items: usize) -> Self {
        Units { count: items, groups: None }
    }

    /// Items with the same label together, in the order of their labels; those without one are in no unit.
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

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Whether a unit may have several items.
    pub(super) fn are_groups(&self) -> bool {
        self.groups.is_some()
    }

    /// Whether all these items are in units.
    pub(super) fn cover(&self, items: &FixedBitSet) -> bool {
        !self.are_groups() || items.ones().all(|item| self.unit_of(item).is_some())
    }

    /// The items of a unit.
    pub(super) fn items_of(&self, unit: usize) -> impl Iterator<Item = usize> + Clone + '_ {
        let (groups, single) = match &self.groups {
            None => (&[][..], Some(unit)),
            Some(groups) => (&groups.members[groups.starts[unit] as usize..groups.starts[unit + 1] as usize], None),
        };
        groups.iter().map(|&item| item as usize).chain(single)
    }

    /// The unit that an item is in.
    pub(super) fn unit_of(&self, item: usize) -> Option<usize> {
        match &self.groups {
            None => Some(item),
            Some(groups) => Some(groups.of[item]).filter(|&unit| unit != NONE).map(|unit| unit as usize),
        }
    }

    /// Takes the items of these units out of a set of items.
    pub(super) fn take_out(&self, units: &FixedBitSet, set: &mut FixedBitSet) {
        match &self.groups {
            None => set.difference_with(units),
            Some(_) => units.ones().flat_map(|unit| self.items_of(unit)).for_each(|item| set.remove(item)),
        }
    }

    /// The units that have an item in this set.
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

    /// How much each unit weighs, 1 on average; `None` if all weigh the same.
    pub(super) fn weights(&self, of_items: Option<&[f64]>) -> Option<Vec<f64>> {
        let weigh =
            |unit: usize| of_items.map_or(1.0, |weights| self.items_of(unit).map(|item| weights[item]).sum::<f64>());
        of_items?;
        let weights: Vec<f64> = (0..self.count).map(weigh).collect();
        let mean = weights.iter().sum::<f64>() / self.count.max(1) as f64;
        Some(weights.into_iter().map(|weight| weight / mean).collect())
    }
}
