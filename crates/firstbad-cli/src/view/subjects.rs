//! Revisions as people like to read them.

use std::collections::HashMap;

use firstbad::{ChangeSet, Target};
use firstbad_git::Repository;
use firstbad_report::plain;

/// How many characters of a sha are shown.
const SHORT: usize = 9;

/// What a search among sets of changes is about, in words.
pub(crate) trait Sets {
    /// What a set is called.
    fn name(&self, set: &ChangeSet) -> String;

    /// That so much is left, like `14 bytes in 2 lines left (20 %)`.
    fn left(&self, set: &ChangeSet) -> String;
}

/// Subjects of commits, each asked of git once.
pub(crate) struct Subjects<'r> {
    repository: Option<&'r Repository>,
    known: HashMap<String, String>,
    /// What sets of changes are called; by themselves, by their numbers.
    sets: Option<&'r dyn Sets>,
}

impl<'r> Subjects<'r> {
    pub(crate) fn new(repository: Option<&'r Repository>) -> Self {
        Subjects { repository, known: HashMap::new(), sets: None }
    }

    /// The revision's short name.
    #[expect(clippy::unused_self, reason = "how long it is is theirs to say")]
    pub(crate) fn short<'t>(&self, revision: &'t str) -> &'t str {
        let is_sha = revision.len() >= 40 && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_sha { &revision[..SHORT] } else { revision }
    }

    /// Calls sets of changes so.
    pub(crate) fn call_sets(&mut self, sets: &'r dyn Sets) {
        self.sets = Some(sets);
    }

    /// How much is left, if that was said of sets of changes.
    pub(crate) fn left(&self, set: &ChangeSet) -> Option<String> {
        self.sets.map(|sets| plain(&sets.left(set)))
    }

    /// What is tested, in a word or two.
    pub(crate) fn name(&self, target: &Target) -> String {
        match (self.sets, &target.changes, &target.revision) {
            (Some(sets), Some(set), None) => plain(&sets.name(set)),
            _ => plain(self.short(&target.to_string())),
        }
    }

    /// The subject of what is tested; empty if that is no commit alone: what sets of changes are called may be a commit's
    /// name, too.
    pub(crate) fn of(&mut self, target: &Target) -> String {
        match (&target.revision, &target.changes) {
            (Some(revision), None) => self.subject(revision).to_owned(),
            _ => String::new(),
        }
    }

    /// The subject of the commit; empty if there is none.
    fn subject(&mut self, revision: &str) -> &str {
        if !self.known.contains_key(revision) {
            let found = self.repository.and_then(|repository| repository.commits([revision]).ok()?.pop_first());
            let subject = found.map(|(_, commit)| plain(&commit.subject)).unwrap_or_default();
            self.known.insert(revision.to_owned(), subject);
        }
        self.known.get(revision).map_or("", String::as_str)
    }

    /// Both.
    pub(crate) fn described(&mut self, revision: &str) -> String {
        let short = plain(self.short(revision));
        format!("{short} {}", self.subject(revision)).trim_end().to_owned()
    }
}
