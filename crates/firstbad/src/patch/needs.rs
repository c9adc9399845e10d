//! Needs between changes, and how they are collected.

use crate::error::Error;

/// The largest number of needs that can be listed. Each takes up to 50 bytes in Python and Node.
const MOST_LISTED: usize = 1 << 21;

/// The needs between changes, as links in both directions. Nodes after the changes each represent several changes.
#[derive(Debug, Clone)]
pub(super) struct Needs {
    /// The needs of each node.
    of: Vec<Vec<u32>>,
    /// The nodes that need each node.
    by: Vec<Vec<u32>>,
    changes: usize,
}

#[derive(Debug)]
pub(super) struct Collector {
    pairs: Vec<(u32, u32)>,
    nodes: u32,
}

impl Collector {
    pub(super) fn new(changes: usize) -> Self {
        Collector { pairs: Vec::new(), nodes: changes as u32 }
    }

    pub(super) fn need(&mut self, change: usize, needed: usize) {
        if change != needed {
            self.pairs.push((change as u32, needed as u32));
        }
    }

    pub(super) fn each_needs(&mut self, changes: impl Iterator<Item = usize>, needed: Option<usize>) {
        if let Some(needed) = needed {
            changes.for_each(|change| self.need(change, needed));
        }
    }

    pub(super) fn needs_each(&mut self, change: Option<usize>, needed: impl Iterator<Item = usize>) {
        if let Some(change) = change {
            needed.for_each(|needed| self.need(change, needed));
        }
    }

    /// Ties changes together, so that all or none of them are kept.
    pub(super) fn together(&mut self, changes: &[usize]) {
        for pair in changes.windows(2) {
            self.need(pair[0], pair[1]);
        }
        if let [first, .., last] = changes {
            self.need(*last, *first);
        }
    }

    /// Each change in `changes` needs every change in `needed`.
    pub(super) fn all_need_all(&mut self, changes: impl Iterator<Item = usize>, needed: impl Iterator<Item = usize>) {
        let whole = self.all_of(needed);
        self.each_needs(changes, Some(whole));
    }

    /// Adds a node that represents all of these.
    pub(super) fn all_of(&mut self, needed: impl Iterator<Item = usize>) -> usize {
        let whole = self.nodes as usize;
        self.nodes += 1;
        self.needs_each(Some(whole), needed);
        whole
    }
}

impl Needs {
    pub(super) fn new(collector: Collector, changes: usize) -> Needs {
        let mut of = vec![Vec::new(); collector.nodes as usize];
        let mut by = of.clone();
        for (change, needed) in collector.pairs {
            of[change as usize].push(needed);
            by[needed as usize].push(change);
        }
        Needs { of, by, changes }
    }

    /// Removes kept nodes that need a removed node, until none is left.
    pub(super) fn settle(&self, kept: &mut Vec<bool>) {
        kept.resize(self.of.len(), true);
        let mut gone: Vec<u32> = (0..kept.len() as u32).filter(|&node| !kept[node as usize]).collect();
        while let Some(node) = gone.pop() {
            for &other in &self.by[node as usize] {
                if std::mem::replace(&mut kept[other as usize], false) {
                    gone.push(other);
                }
            }
        }
        kept.truncate(self.changes);
    }

    /// Returns the changes that each change needs, ascending.
    ///
    /// # Errors
    /// Returns [`Error::InvalidArgument`] if there are more than [`MOST_LISTED`] needs.
    pub(super) fn listed(&self) -> Result<Vec<Vec<usize>>, Error> {
        let mut room = MOST_LISTED;
        // For each node, the last change that needs it.
        let mut needed_by: Vec<usize> = vec![usize::MAX; self.of.len()];
        let mut listed = Vec::with_capacity(self.changes);
        for change in 0..self.changes {
            let mut needed = Vec::new();
            let mut open: Vec<u32> = self.of[change].clone();
            needed_by[change] = change;
            while let Some(node) = open.pop() {
                let node = node as usize;
                if std::mem::replace(&mut needed_by[node], change) == change {
                    continue;
                }
                if node < self.changes {
                    room = room.checked_sub(1).ok_or_else(|| self.too_many())?;
                    needed.push(node);
                } else {
                    open.extend(&self.of[node]);
                }
            }
            needed.sort_unstable();
            listed.push(needed);
        }
        Ok(listed)
    }

    fn too_many(&self) -> Error {
        let expected = format!(
            "a patch with at most {MOST_LISTED} needs between its changes\nhelp: split it into smaller patches"
        );
        Error::invalid("patch", format!("a patch with {} changes", self.changes), expected)
    }
}
