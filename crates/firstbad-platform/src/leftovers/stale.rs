//! Leftovers of killed processes: their worktrees, and commands that may still run in them.

use std::path::Path;

use crate::{groups, processes};

use super::{lock, removal, watcher};

/// The file in a pool that contains the marker in the environment of its commands.
const MARKER: &str = "marker";

/// Removes the pools in `above` whose lock is free. Errors are ignored: a later sweep tries again.
pub fn sweep(above: &Path) {
    for entry in std::fs::read_dir(above).into_iter().flatten().flatten() {
        let path = entry.path();
        let kind = entry.file_type();
        if kind.as_ref().is_ok_and(std::fs::FileType::is_dir) {
            remove(&path);
        } else if path.extension().is_some_and(|extension| extension == "lock") && !path.with_extension("").exists() {
            // A lock without a pool: its process has died, or holds the lock and is about to create the pool.
            remove(&path.with_extension(""));
        }
    }
}

fn remove(pool: &Path) {
    let path = lock::path(pool);
    let Ok(Some(held)) = lock::take(&path) else { return };
    for entry in std::fs::read_dir(pool).into_iter().flatten().flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "run") {
            end_group(&entry.path(), pool);
        }
    }
    let marker = std::fs::read_to_string(pool.join(MARKER)).unwrap_or_default();
    // A shorter marker could match other processes.
    if marker.len() == watcher::MARKER_LENGTH && marker.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        watcher::end_marked(&marker);
    }
    let _ = removal::remove(pool, &held, removal::PATIENCE);
}

/// Records the marker that all commands of a pool have in their environment.
pub fn mark(pool: &Path, marker: &str) -> std::io::Result<()> {
    std::fs::write(pool.join(MARKER), marker)
}

/// Returns the record that lets [`sweep`] recognize a running group: its number, the start time of its leader, and the boot id.
pub fn record(group: i32) -> String {
    let start = processes::stat(group).map(|stat| stat.start.to_string()).unwrap_or_default();
    format!("{group} {start} {}\n", processes::boot_id())
}

fn end_group(file: &Path, pool: &Path) {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let mut words = text.split_whitespace();
    let (group, start, boot) = (words.next(), words.next(), words.next());
    let Some(group) = group.and_then(|word| word.parse::<i32>().ok()).filter(|&group| group > 1) else { return };
    if boot != Some(processes::boot_id().as_str()) {
        return;
    }
    let leader = processes::stat(group);
    let is_leader = leader.is_some_and(|stat| stat.group == group && Some(stat.start.to_string().as_str()) == start);
    // The leader may have ended before its children. Recognize the children by their working directory.
    let is_ours = is_leader || {
        let members = processes::members(group).unwrap_or_default();
        !members.is_empty() && members.iter().all(|&pid| processes::works_in(pid, pool))
    };
    if is_ours {
        groups::kill(group);
    }
}
