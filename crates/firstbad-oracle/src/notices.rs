//! Notices about a test, before it runs and after each run.

use std::sync::{Mutex, PoisonError};

use firstbad::Spelling;

/// A notice about a test. Its options are tokens ([`firstbad::option!`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Something that firstbad does and the user would not expect.
    Note(String),
    /// The reason why a result could be wrong, and how to fix that.
    Warning(String),
}

impl Notice {
    /// Returns the text of the notice in the spelling of a front end.
    #[must_use]
    pub fn text(&self, spelling: Spelling) -> String {
        match self {
            Notice::Note(text) | Notice::Warning(text) => spelling.render(text),
        }
    }
}

/// The notices that have not been taken yet.
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
