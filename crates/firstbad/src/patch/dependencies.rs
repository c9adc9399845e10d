//! Which changes of a patch cannot stand without which others.

use super::model::{Section, Sign, Step};
use super::{Patch, paths};
use crate::error::Error;

/// Needs between changes, as links both ways. Nodes beyond the changes stand for whole files.
#[derive(Debug, Clone)]
pub(super) struct Needs {
    /// Per node what it needs.
    of: Vec<Vec<u32>>,
    /// Per node what needs it.
    by: Vec<Vec<u32>>,
    changes: usize,
}

/// Collects what needs what.
#[derive(Debug)]
pub(super) struct Collector {
    pairs: Vec<(u32, u32)>,
    nodes: u32,
}

impl Collector {
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

    /// All of these or none of them.
    fn together(&mut self, changes: &[usize]) {
        for pair in changes.windows(2) {
            self.need(pair[0], pair[1]);
        }
        if let [first, .., last] = changes {
            self.need(*last, *first);
        }
    }

    /// Each of the first needs every one of the second.
    pub(super) fn all_need_all(&mut self, changes: impl Iterator<Item = usize>, needed: impl Iterator<Item = usize>) {
        let whole = self.nodes as usize;
        self.nodes += 1;
        self.needs_each(Some(whole), needed);
        self.each_needs(changes, Some(whole));
    }
}

impl Needs {
    fn new(patch: &Patch) -> Needs {
        let mut collector = Collector { pairs: Vec::new(), nodes: patch.len() as u32 };
        for section in &patch.sections {
            inside_file(patch, section, &mut collector);
        }
        paths::between_files(&patch.sections, &mut collector);
        let mut of = vec![Vec::new(); collector.nodes as usize];
        let mut by = of.clone();
        for (change, needed) in collector.pairs {
            of[change as usize].push(needed);
            by[needed as usize].push(change);
        }
        Needs { of, by, changes: patch.len() }
    }

    /// Takes away, from all nodes that are kept, those that need one that is not.
    fn settle(&self, kept: &mut Vec<bool>) {
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

    fn listed(&self) -> Vec<Vec<usize>> {
        let own = |node: usize| self.of[node].iter().map(|&needed| needed as usize);
        (0..self.changes)
            .map(|change| {
                let mut needed: Vec<usize> = own(change).filter(|&needed| needed < self.changes).collect();
                needed.extend(own(change).filter(|&needed| needed >= self.changes).flat_map(own));
                needed.sort_unstable();
                needed.dedup();
                needed
            })
            .collect()
    }
}

fn inside_file(patch: &Patch, section: &Section, collector: &mut Collector) {
    let step = section.step_change();
    match section.step {
        Step::Created => {
            collector.each_needs(section.content(), step);
            // A plain diff has no words for a new file without lines.
            if section.plain {
                collector.needs_each(step, section.content().take(1));
            }
        }
        Step::Copied => collector.each_needs(section.changes.clone(), step),
        Step::Deleted => {
            collector.needs_each(step, section.content());
            // Where only `Binary files differ` stands, there is nothing to empty the file with.
            if section.binary.as_ref().is_some_and(|binary| binary.forward.is_none()) {
                collector.each_needs(section.content(), step);
            }
        }
        Step::Modified | Step::Renamed => {}
    }
    if section.indivisible {
        let step = step.filter(|_| matches!(section.step, Step::Created | Step::Deleted));
        collector.together(&step.into_iter().chain(section.content()).collect::<Vec<_>>());
    }
    at_end_of_file(patch, section, collector);
}

/// A line can only follow one that has no newline at its end where that one goes away.
fn at_end_of_file(patch: &Patch, section: &Section, collector: &mut Collector) {
    let Some(last) = section.hunks.clone().next_back() else { return };
    let lines = &patch.lines[patch.hunks[last].lines.clone()];
    for (at, end) in lines.iter().enumerate().filter(|(_, line)| line.open && line.sign != Sign::Context) {
        for after in &lines[at + 1..] {
            match (end.sign, after.sign) {
                (Sign::Removed, Sign::Added) => collector.need(after.change, end.change),
                (Sign::Added, Sign::Removed) => collector.need(end.change, after.change),
                _ => {}
            }
        }
    }
}

impl Patch {
    pub(super) fn needs(&self) -> &Needs {
        self.needs.get_or_init(|| Needs::new(self))
    }

    /// For each change the changes that it needs, all of them; a set that holds with each change what it needs is kept
    /// whole by [`Patch::subset`].
    ///
    /// - The content of a created or copied file needs the creation or the copy, and a deletion all lines of the file.
    /// - A line that is added behind a last line without newline needs the removal of that line.
    /// - Symbolic links and submodules change as a whole.
    /// - What comes to a path where another file of the patch goes away needs that to happen, and so do paths below it
    ///   and above it. The lines of a renamed file need the rename where something else happens under the old name.
    /// - Where a file stands in the patch again, what happens there needs all of what happened to it before.
    /// - In a plain `diff -u`, which has no words for an empty new file, a creation needs the file's first line.
    ///
    /// These links can form cycles: changes that stand only together.
    #[must_use]
    pub fn dependencies(&self) -> Vec<Vec<usize>> {
        self.needs().listed()
    }

    /// The changes that [`Patch::subset`] keeps of these: all, but without those that need one that is missing.
    /// Ascending.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] where a number is none of a change, or is given twice.
    pub fn standing(&self, changes: &[usize]) -> Result<Vec<usize>, Error> {
        let kept = self.kept(changes)?;
        Ok((0..self.len()).filter(|&change| kept[change]).collect())
    }

    pub(super) fn kept(&self, changes: &[usize]) -> Result<Vec<bool>, Error> {
        let mut kept = vec![false; self.len()];
        for &change in changes {
            match kept.get_mut(change) {
                None => {
                    let expected = format!("numbers of changes, below {}", self.len());
                    return Err(Error::invalid("changes", change, expected));
                }
                Some(true) => return Err(Error::invalid("changes", change, "each change once")),
                Some(kept) => *kept = true,
            }
        }
        self.needs().settle(&mut kept);
        Ok(kept)
    }
}
