use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::search::ChangeSet;

/// The number of sets to keep. A test needs its text for the key, for display, and for writing, while the next set is
/// already being prepared.
const KEPT: usize = 4;

type Files = Arc<Vec<Vec<u8>>>;

/// A cache of the files for recent sets of pieces, latest first.
#[derive(Debug, Default)]
pub(super) struct Recent {
    all: Mutex<VecDeque<(ChangeSet, Files)>>,
}

impl Recent {
    /// Returns the files of these pieces, and creates them outside the lock if they are missing.
    pub(super) fn files(&self, kept: &ChangeSet, make: impl FnOnce() -> Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let files = self.find(kept).unwrap_or_else(|| self.add(kept, make()));
        Files::unwrap_or_clone(files)
    }

    fn find(&self, kept: &ChangeSet) -> Option<Files> {
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().find(|(set, _)| set == kept).map(|(_, files)| Arc::clone(files))
    }

    fn add(&self, kept: &ChangeSet, files: Vec<Vec<u8>>) -> Files {
        let files = Arc::new(files);
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.push_front((kept.clone(), Arc::clone(&files)));
        all.truncate(KEPT);
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_files_are_created_once() {
        let (recent, mut made) = (Recent::default(), Vec::new());
        let mut ask = |piece: usize| {
            let kept = [piece].into_iter().collect();
            let files = recent.files(&kept, || {
                made.push(piece);
                vec![vec![piece as u8]]
            });
            assert_eq!(files, [[piece as u8]]);
        };
        [0, 0, 1, 0, 2, 3, 0, 4, 1, 0].into_iter().for_each(&mut ask);
        assert_eq!(made, [0, 1, 2, 3, 4, 0], "of five the first one was forgotten");
    }
}
