//! The promisor remote of a partial clone.

use std::process::Command;

use crate::git;

/// Returns the remote that provides the missing objects of a partial clone, or `None` for a complete clone.
pub(crate) fn promisor(git: &mut Command) -> Option<String> {
    git.args(["config", "--null", "--get-regexp", r"^(remote\..*\.promisor|extensions\.partialclone)$"]);
    let (_, text) = git::finished(git, b"").ok()?;
    let text = String::from_utf8_lossy(&text);
    text.split('\0').find_map(|entry| {
        let (key, value) = entry.split_once('\n')?;
        if key == "extensions.partialclone" {
            return Some(value.to_owned());
        }
        let is_on = !matches!(value.to_lowercase().as_str(), "false" | "no" | "off" | "0" | "");
        key.strip_prefix("remote.")?.strip_suffix(".promisor").filter(|_| is_on).map(str::to_owned)
    })
}
