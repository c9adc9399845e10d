//! Dependencies between the changes of a patch.

use super::model::{Section, Sign, Step};
use super::needs::{Collector, Needs};
use super::{Patch, paths};
use crate::error::Error;

fn inside_file(patch: &Patch, section: &Section, collector: &mut Collector) {
    let step = section.step_change();
    match section.step {
        Step::Created => {
            collector.each_needs(section.content(), step);
            // A plain diff cannot express a new file without lines.
            if section.plain {
                collector.needs_each(step, section.content().take(1));
            }
        }
        Step::Copied => collector.each_needs(section.changes.clone(), step),
        Step::Deleted => {
            collector.needs_each(step, section.content());
            // A `Binary files differ` line cannot empty the file.
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

/// A line can follow a line without newline at its end only if that line is removed.
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
        self.needs.get_or_init(|| {
            let mut collector = Collector::new(self.len());
            for section in &self.sections {
                inside_file(self, section, &mut collector);
            }
            paths::between_files(&self.sections, &mut collector);
            Needs::new(collector, self.len())
        })
    }

    /// Returns the changes that each change needs, all of them. [`Patch::subset`] keeps every change of a set that contains
    /// everything its changes need.
    ///
    /// - The content of a created or copied file needs the creation or the copy. A deletion needs the removal of all lines.
    /// - A line added after a last line without newline needs the removal of that line.
    /// - Symbolic links and submodules change as a whole.
    /// - A file that moves to a path, or above or below a path, needs the removal of the file that was there. The lines of a
    ///   renamed file need the rename if the patch uses the old name for something else.
    /// - If a file occurs in the patch again, its later changes need all of its earlier changes.
    /// - In a plain `diff -u`, which cannot express an empty new file, a creation needs the file's first line.
    ///
    /// Dependencies can form cycles. The changes of a cycle stand only together.
    ///
    /// # Errors
    /// Returns [`Error::InvalidArgument`] if there are more than 2^21 dependencies. Their number can grow with the square of
    /// the number of changes.
    pub fn dependencies(&self) -> Result<Vec<Vec<usize>>, Error> {
        self.needs().listed()
    }

    /// Returns the changes that [`Patch::subset`] keeps of these, ascending: all except those that need a missing change.
    ///
    /// # Errors
    /// Returns [`Error::InvalidArgument`] if a number is not a change of the patch, or occurs twice.
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
