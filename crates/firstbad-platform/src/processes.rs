//! What the system says about processes that are not ours to wait for.

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

/// What the system says of a process; `None` if there is none, or the system does not tell.
#[must_use]
pub fn stat(process: i32) -> Option<Stat> {
    system::stat(process)
}

/// The living processes of a group; `None` if the system does not tell.
#[must_use]
pub fn members(group: i32) -> Option<Vec<i32>> {
    system::members(group)
}

/// Whether a process works in `folder` or below.
#[must_use]
pub fn works_in(process: i32, folder: &Path) -> bool {
    system::works_in(process, folder)
}

/// What changes with every start of the machine; empty if the system does not tell.
#[must_use]
pub fn boot_id() -> String {
    system::boot_id()
}

/// The name of this machine.
#[must_use]
pub fn machine() -> String {
    gethostname::gethostname().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)] // Windows has no process groups.
    fn knows_this_process() {
        let me = std::process::id().cast_signed();
        let stat = stat(me).unwrap();
        assert!(!stat.is_dead);
        assert!(members(stat.group).unwrap().contains(&me));
        assert!(works_in(me, Path::new("/")));
        assert!(!boot_id().is_empty());
    }

    #[test]
    fn a_machine_has_a_name() {
        assert!(!machine().is_empty());
    }
}
