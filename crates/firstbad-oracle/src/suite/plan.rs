//! The commands of a runner for chosen tests.

use std::path::{Component, Path};

use firstbad::Error;
use firstbad_results::{Place, ResultsAt};

/// Checks that a custom runner writes its results into the worktree.
///
/// # Errors
/// [`Error::InvalidArgument`] for `results` if the path is absolute or leads out of the worktree.
pub(super) fn check_place(results: &ResultsAt) -> Result<(), Error> {
    let (Place::File(path) | Place::Folder { path, .. }) = &results.place else { return Ok(()) };
    if Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Ok(());
    }
    Err(Error::invalid("results", path, "a path below the worktree, such as junit:out/results.xml"))
}

/// Returns the version that CTest prints, such as `cmake version 3.25.1`.
pub(super) fn version(printed: &str) -> Option<(u32, u32)> {
    let number = printed.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()))?;
    let mut parts = number.split('.').map(|part| part.parse().ok());
    parts.next().flatten().zip(parts.next().flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stay_in_the_worktree() {
        for (place, is_valid) in [
            ("junit:out/a.xml", true),
            ("junit:./a.xml", true),
            ("tap:-", true),
            ("exit", true),
            ("junit:/tmp/a", false),
            ("junit:../a", false),
        ] {
            assert_eq!(check_place(&place.parse().unwrap()).is_ok(), is_valid, "{place}");
        }
    }

    #[test]
    fn the_version_of_ctest_is_read() {
        assert_eq!(version("ctest version 3.25.1\n\nCMake suite"), Some((3, 25)));
        assert_eq!(version("no version"), None);
    }
}
