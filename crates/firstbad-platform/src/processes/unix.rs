//! Processes on macOS and the BSDs, which have no `/proc`. Compiled and linted for macOS, but not run there.

use std::path::Path;

use rustix::process::{Pid, getpgid};
use sysinfo::{Process, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System, UpdateKind};

use super::stat::Stat;

fn seen(which: ProcessesToUpdate<'_>) -> System {
    let mut system = System::new();
    system.refresh_processes_specifics(which, false, ProcessRefreshKind::nothing().with_cwd(UpdateKind::Always));
    system
}

fn of<T>(process: i32, look: impl FnOnce(&Process) -> Option<T>) -> Option<T> {
    let process = sysinfo::Pid::from_u32(u32::try_from(process).ok()?);
    look(seen(ProcessesToUpdate::Some(&[process])).process(process)?)
}

fn group(process: i32) -> Option<i32> {
    Some(getpgid(Some(Pid::from_raw(process)?)).ok()?.as_raw_nonzero().get())
}

fn is_dead(process: &Process) -> bool {
    matches!(process.status(), ProcessStatus::Zombie | ProcessStatus::Dead)
}

pub(super) fn stat(process: i32) -> Option<Stat> {
    let group = group(process)?;
    of(process, |found| Some(Stat { is_dead: is_dead(found), group, start: found.start_time() }))
}

pub(super) fn members(wanted: i32) -> Option<Vec<i32>> {
    let system = seen(ProcessesToUpdate::All);
    let alive = system.processes().iter().filter(|(_, process)| !is_dead(process));
    let numbers: Vec<i32> = alive.map(|(process, _)| process.as_u32().cast_signed()).collect();
    let members = || numbers.iter().copied().filter(|&process| group(process) == Some(wanted)).collect();
    (!numbers.is_empty()).then(members)
}

pub(super) fn works_in(process: i32, folder: &Path) -> bool {
    of(process, |found| found.cwd().map(|place| place.starts_with(folder))).unwrap_or_default()
}

pub(super) fn boot_id() -> String {
    System::boot_time().to_string()
}
