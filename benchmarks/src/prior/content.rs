//! The prior that is measured.

use firstbad::culprit::Prior;
use firstbad::suspicion::{Changelist, rank_commits_in};
use firstbad_testkit::replay::Case;

/// What the changes, and the names of the tests, say of the suspects of a search.
pub(super) fn prior<T: AsRef<str>>(changes: &[Changelist], tests: &[T], case: &Case) -> Result<Prior, String> {
    let config = case.config();
    let ranking = rank_commits_in(changes, tests, &case.graph, &config.bad, &config.good);
    ranking.map(|ranking| ranking.prior().into()).map_err(|error| error.to_string())
}
