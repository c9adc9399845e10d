//! What a user should know of a test before it runs, and after a run.

use std::sync::{Mutex, PoisonError};

/// A sentence about a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// What firstbad does that the user may not expect.
    Note(String),
    /// Why an answer may be wrong, and what to do about it.
    Warning(String),
}

impl Notice {
    /// The sentence.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Notice::Note(text) | Notice::Warning(text) => text,
        }
    }
}

/// The notices that nobody has taken yet.
#[derive(Debug, Default)]
pub(super) struct Notices(Mutex<Vec<Notice>>);

impl Notices {
    pub(super) fn add(&self, notices: impl IntoIterator<Item = Notice>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(notices);
    }

    pub(super) fn take(&self) -> Vec<Notice> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
