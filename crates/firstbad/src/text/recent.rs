//! The parts of a text that were put together last.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::search::ChangeSet;

/// So many are kept: who tests a part asks for it again to tell its key, to show it and to write it down, while the next one
/// is looked at already.
const KEPT: usize = 4;

type Files = Arc<Vec<Vec<u8>>>;

/// The files of the sets of pieces that were asked about last, the latest first.
#[derive(Debug, Default)]
pub(super) struct Recent {
    all: Mutex<VecDeque<(ChangeSet, Files)>>,
}

impl Recent {
    /// The files of these pieces, which are made if they are not there. Nobody waits while that is done.
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
    fn the_last_ones_are_made_once() {
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
