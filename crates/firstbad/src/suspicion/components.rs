//! Cycles among targets. Real build graphs have cycles, unlike those of the paper. The targets of a cycle count as one target.

use crate::graph::{Csr, components};

/// The strongly connected components of targets.
#[derive(Debug, Clone)]
pub(super) struct Components {
    /// The component of each target. `None` if there are no cycles and every target is a component.
    of: Option<Vec<u32>>,
    /// The targets of each component. Empty if there are no cycles.
    members: Vec<Vec<u32>>,
}

impl Components {
    pub(super) fn new(deps: &Csr) -> Components {
        if is_acyclic(deps) {
            return Components { of: None, members: Vec::new() };
        }
        let links = (0..deps.rows() as u32).flat_map(|row| deps.row(row).iter().map(move |&dep| (row, dep)));
        let (of, count) = components(deps.rows(), links);
        let mut members = vec![Vec::new(); count];
        for (target, &component) in (0..).zip(&of) {
            members[component as usize].push(target);
        }
        Components { of: Some(of), members }
    }

    pub(super) fn count(&self, targets: usize) -> usize {
        if self.of.is_some() { self.members.len() } else { targets }
    }

    pub(super) fn of(&self, target: u32) -> u32 {
        self.of.as_ref().map_or(target, |of| of[target as usize])
    }

    pub(super) fn members(&self, component: u32) -> impl Iterator<Item = u32> + '_ {
        let single = self.of.is_none().then_some(component);
        let several = self.of.as_ref().map(|_| self.members[component as usize].as_slice()).unwrap_or_default();
        single.into_iter().chain(several.iter().copied())
    }

    /// Returns the components of several targets.
    pub(super) fn cycles(&self) -> impl Iterator<Item = &[u32]> {
        self.members.iter().map(Vec::as_slice).filter(|targets| targets.len() > 1)
    }
}

/// Returns whether repeatedly removing targets without users removes all targets (Kahn). The builder has removed dependencies of
/// targets on themselves.
fn is_acyclic(deps: &Csr) -> bool {
    let mut users = vec![0u32; deps.rows()];
    (0..deps.rows() as u32).flat_map(|row| deps.row(row)).for_each(|&dep| users[dep as usize] += 1);
    let mut free: Vec<u32> = (0..deps.rows() as u32).filter(|&target| users[target as usize] == 0).collect();
    let mut taken = 0;
    while let Some(target) = free.pop() {
        taken += 1;
        for &dep in deps.row(target) {
            users[dep as usize] -= 1;
            if users[dep as usize] == 0 {
                free.push(dep);
            }
        }
    }
    taken == deps.rows()
}
