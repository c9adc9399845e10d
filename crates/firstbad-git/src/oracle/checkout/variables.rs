//! Variables that lead into the checkout, and how they are for a worktree.

use std::env::{join_paths, split_paths};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use firstbad_platform::files;

/// The variables with folders in which programs look for what they load.
pub(super) const SEARCHED: [&str; 6] = ["PYTHONPATH", "NODE_PATH", "RUBYLIB", "PERL5LIB", "CLASSPATH", "PATH"];

/// The entries of a variable that lie in the checkout, as paths from its top.
pub(super) fn entries_inside(top: &Path, value: &OsStr) -> Vec<PathBuf> {
    split_paths(value).filter_map(|entry| inside(top, &entry)).collect()
}

fn inside(top: &Path, entry: &Path) -> Option<PathBuf> {
    let real = files::real_path(entry).ok().filter(|_| entry.is_absolute())?;
    Some(real.strip_prefix(top).ok()?.to_owned())
}

/// A variable in which the worktree takes the place of the checkout for these of its folders.
pub(super) fn moved(value: &OsStr, top: &Path, folders: &[PathBuf], tree: &Path) -> OsString {
    let entry = |entry: PathBuf| match inside(top, &entry) {
        Some(below) if folders.contains(&below) => in_tree(tree, &below),
        _ => entry,
    };
    join_paths(split_paths(value).map(entry)).unwrap_or_else(|_| value.to_owned())
}

/// A search path with folders of a worktree before all others.
pub(super) fn led_by(value: Option<&OsStr>, folders: &[PathBuf], tree: &Path) -> Option<OsString> {
    let before = folders.iter().map(|below| in_tree(tree, below));
    let rest = value.filter(|value| !value.is_empty()).map(split_paths).into_iter().flatten();
    join_paths(before.chain(rest)).ok()
}

/// A folder of a worktree, without a slash at its end for the top.
fn in_tree(tree: &Path, below: &Path) -> PathBuf {
    if below.as_os_str().is_empty() { tree.to_owned() } else { tree.join(below) }
}
