//! Submodules that a commit moves, and the commits of theirs in between.

use firstbad::SubmoduleChange;

use crate::git;
use crate::repository::Repository;

/// How many submodules of a commit, and how many commits of each, are told.
const SUBMODULES: usize = 5;
const SHOWN: &str = "--max-count=5";

/// How git writes the mode of a submodule, and the id of nothing.
const MODE: &str = "160000";

impl Repository {
    /// The submodules that a commit moves, against its first parent. Those that it adds or removes are none.
    pub(crate) fn moved_submodules(&self, commit: &str) -> Vec<SubmoduleChange> {
        let mut command = self.git();
        let parent = format!("{commit}^");
        command.args(["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", &parent, commit, "--"]);
        // A first commit has no parent.
        let Ok(printed) = git::output(&mut command, b"") else { return Vec::new() };
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

    /// The commits of a submodule between two, as far as it is here.
    fn between(&self, path: &str, before: &str, after: &str) -> SubmoduleChange {
        let mut change = SubmoduleChange {
            path: path.to_owned(),
            before: before.to_owned(),
            after: after.to_owned(),
            commits: 0,
            newest: Vec::new(),
        };
        let places = [self.path().join(path), self.common_dir().join("modules").join(path)];
        // In an empty folder it is this repository that git finds.
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
