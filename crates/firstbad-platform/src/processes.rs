//! Information about processes that are not our children.

use std::path::Path;

#[cfg(target_os = "linux")]
mod linux;
mod stat;
#[cfg(all(unix, not(target_os = "linux")))]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
use linux as system;
pub use stat::Stat;
#[cfg(all(unix, not(target_os = "linux")))]
use unix as system;
#[cfg(windows)]
use windows as system;

/// Returns information about a process, or `None` if the process does not exist or the system does not report it.
#[must_use]
pub fn stat(process: i32) -> Option<Stat> {
    system::stat(process)
}

/// Returns the living processes of a group, or `None` if the system does not report them.
#[must_use]
pub fn members(group: i32) -> Option<Vec<i32>> {
    system::members(group)
}

/// Returns whether the working directory of a process is `folder` or below it.
#[must_use]
pub fn works_in(process: i32, folder: &Path) -> bool {
    system::works_in(process, folder)
}

/// Returns an id that changes with every boot of the machine. Empty if the system has none.
#[must_use]
pub fn boot_id() -> String {
    system::boot_id()
}

/// Returns the host name.
#[must_use]
pub fn machine() -> String {
    gethostname::gethostname().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)] // Windows has no process groups.
    fn reports_the_current_process() {
        let me = std::process::id().cast_signed();
        let stat = stat(me).unwrap();
        assert!(!stat.is_dead);
        assert!(members(stat.group).unwrap().contains(&me));
        assert!(works_in(me, Path::new("/")));
        assert!(!boot_id().is_empty());
    }

    #[test]
    fn the_host_has_a_name() {
        assert!(!machine().is_empty());
    }
}
