//! Names of revisions for the view.

use std::collections::HashMap;

use firstbad::{ChangeSet, Target};
use firstbad_git::Repository;
use firstbad_report::plain;

/// The length of a short id.
const SHORT: usize = 9;

/// Names for sets of changes.
pub(crate) trait Sets {
    /// Returns the name of a set.
    fn name(&self, set: &ChangeSet) -> String;

    /// Returns the remaining size, such as `14 bytes in 2 lines left (20%)`.
    fn left(&self, set: &ChangeSet) -> String;
}

/// The subjects of commits, read once.
pub(crate) struct Subjects<'r> {
    repository: Option<&'r Repository>,
    known: HashMap<String, String>,
    /// The names for sets of changes. Without them, sets are named by numbers.
    sets: Option<&'r dyn Sets>,
}

impl<'r> Subjects<'r> {
    pub(crate) fn new(repository: Option<&'r Repository>) -> Self {
        Subjects { repository, known: HashMap::new(), sets: None }
    }

    /// Returns the short name of a revision.
    #[expect(clippy::unused_self, reason = "the length of short names belongs here")]
    pub(crate) fn short<'t>(&self, revision: &'t str) -> &'t str {
        let is_sha = revision.len() >= 40 && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_sha { &revision[..SHORT] } else { revision }
    }

    /// Sets the names for sets of changes.
    pub(crate) fn call_sets(&mut self, sets: &'r dyn Sets) {
        self.sets = Some(sets);
    }

    /// Returns the remaining size, if sets have names.
    pub(crate) fn left(&self, set: &ChangeSet) -> Option<String> {
        self.sets.map(|sets| plain(&sets.left(set)))
    }

    /// Returns the name of a target.
    pub(crate) fn name(&self, target: &Target) -> String {
        match (self.sets, &target.changes, &target.revision) {
            (Some(sets), Some(set), None) => plain(&sets.name(set)),
            (_, None, Some(revision)) => plain(self.short(revision)),
            _ => plain(self.short(&target.to_string())),
        }
    }

    /// Returns the subject of a commit, or an empty string for a set of changes.
    pub(crate) fn of(&mut self, target: &Target) -> String {
        match (&target.revision, &target.changes) {
            (Some(revision), None) => self.subject(revision).to_owned(),
            _ => String::new(),
        }
    }

    /// Returns the subject of a commit, or an empty string if it is unknown.
    fn subject(&mut self, revision: &str) -> &str {
        if !self.known.contains_key(revision) {
            let found = self.repository.and_then(|repository| repository.commits([revision]).ok()?.pop_first());
            let subject = found.map(|(_, commit)| plain(&commit.subject)).unwrap_or_default();
            self.known.insert(revision.to_owned(), subject);
        }
        self.known.get(revision).map_or("", String::as_str)
    }

    /// Returns the short name and the subject.
    pub(crate) fn described(&mut self, revision: &str) -> String {
        let short = plain(self.short(revision));
        format!("{short} {}", self.subject(revision)).trim_end().to_owned()
    }
}
