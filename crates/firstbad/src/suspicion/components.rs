//! Cycles among targets: real build graphs have them, and the paper's has none. The targets of one count as one.

use crate::graph::{Csr, components};

/// What counts as one target.
#[derive(Debug, Clone)]
pub(super) struct Components {
    /// By target, its component; `None` if no targets form a cycle, so that each is a component by itself.
    of: Option<Vec<u32>>,
    /// By component, its targets; `None` likewise.
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

    /// How many there are, of so many targets.
    pub(super) fn count(&self, targets: usize) -> usize {
        if self.of.is_some() { self.members.len() } else { targets }
    }

    /// The component of a target.
    pub(super) fn of(&self, target: u32) -> u32 {
        self.of.as_ref().map_or(target, |of| of[target as usize])
    }

    /// The targets of a component.
    pub(super) fn members(&self, component: u32) -> impl Iterator<Item = u32> + '_ {
        let single = self.of.is_none().then_some(component);
        let several = self.of.as_ref().map(|_| self.members[component as usize].as_slice()).unwrap_or_default();
        single.into_iter().chain(several.iter().copied())
    }

    /// Those of several targets.
    pub(super) fn cycles(&self) -> impl Iterator<Item = &[u32]> {
        self.members.iter().map(Vec::as_slice).filter(|targets| targets.len() > 1)
    }
}

/// Whether taking away targets that nobody depends on takes away all (Kahn). A target that depends on itself is no cycle worth
/// speaking of, and the builder has left such links out.
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
