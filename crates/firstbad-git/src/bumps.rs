//! The submodules that a commit updates, with the submodule commits that the update brings in.

use std::time::Duration;

use firstbad::SubmoduleChange;

use crate::git;
use crate::repository::Repository;

/// The maximum number of submodules in a report, and of commits per submodule.
const SUBMODULES: usize = 5;
const SHOWN: &str = "--max-count=5";

/// How long Git may take to list the files of a commit, and how many bytes it may print.
const LOOKING: Duration = Duration::from_secs(5);
const MOST_BYTES: u64 = 1 << 26;

/// The file mode that Git prints for a submodule.
const MODE: &str = "160000";

impl Repository {
    /// Returns the submodules that a commit updates, compared with its first parent. Added and removed submodules are not
    /// included.
    pub(crate) fn moved_submodules(&self, commit: &str) -> Vec<SubmoduleChange> {
        let mut command = self.git();
        let parent = format!("{commit}^");
        command.args(["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", &parent, commit, "--"]);
        // A root commit has no parent.
        let Ok(printed) = git::output_within(&mut command, b"", LOOKING, MOST_BYTES) else { return Vec::new() };
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let fields: Vec<&str> = printed.split('\0').collect();
        let moved = fields.chunks_exact(2).filter_map(|pair| {
            let words: Vec<&str> = pair[0].trim_start_matches(':').split(' ').collect();
            match words[..] {
                [MODE, MODE, before, after, _] => Some((pair[1], before, after)),
                _ => None,
            }
        });
        moved.take(SUBMODULES).map(|(path, before, after)| self.between(path, before, after)).collect()
    }

    /// Lists the commits of a submodule between two of its commits. The list is empty if the submodule is not checked out here.
    fn between(&self, path: &str, before: &str, after: &str) -> SubmoduleChange {
        let mut change = SubmoduleChange {
            path: path.to_owned(),
            before: before.to_owned(),
            after: after.to_owned(),
            commits: 0,
            newest: Vec::new(),
        };
        let places = [self.path().join(path), self.common_dir().join("modules").join(path)];
        // In an empty folder, Git finds the superproject.
        let found = places.iter().filter_map(|place| Repository::open(place).ok());
        let Some(submodule) = found.into_iter().find(|found| found.common_dir() != self.common_dir()) else {
            return change;
        };
        let range = format!("{before}..{after}");
        let mut counting = submodule.git();
        counting.args(["rev-list", "--count", &range, "--"]);
        let count = git::output(&mut counting, b"").ok();
        let Some(count) = count.and_then(|text| String::from_utf8_lossy(&text).trim().parse().ok()) else {
            return change;
        };
        let mut listing = submodule.git();
        listing.args(["log", SHOWN, "--no-decorate", "--no-color", "--format=%h %s", &range, "--"]);
        let listed = git::output(&mut listing, b"").unwrap_or_default();
        change.newest = String::from_utf8_lossy(&listed).lines().map(str::to_owned).collect();
        change.commits = count;
        change
    }
}
