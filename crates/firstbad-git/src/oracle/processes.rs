//! What the system says about processes (`/proc`; `None` on systems without it).

use std::path::Path;

/// What we need of `/proc/<pid>/stat`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stat {
    /// `Z` and `X` are dead already.
    pub(super) state: char,
    pub(super) group: i32,
    /// In clock ticks since the machine started.
    pub(super) start: u64,
}

pub(super) fn stat(pid: i32) -> Option<Stat> {
    parse(&std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

fn parse(text: &str) -> Option<Stat> {
    // The second field is the program's name in parentheses, with whatever characters it has.
    let mut fields = text.get(text.rfind(')')? + 2..)?.split(' ');
    let state = fields.next()?.chars().next()?;
    let group = fields.nth(1)?.parse().ok()?;
    let start = fields.nth(16)?.parse().ok()?;
    Some(Stat { state, group, start })
}

/// The living processes of a group; `None` if the system does not tell.
pub(super) fn members(group: i32) -> Option<Vec<i32>> {
    let entries = std::fs::read_dir("/proc").ok()?;
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let mut seen = false;
    let mut found = Vec::new();
    for pid in pids {
        let Some(stat) = stat(pid) else { continue };
        seen = true;
        if stat.group == group && !matches!(stat.state, 'Z' | 'X') {
            found.push(pid);
        }
    }
    seen.then_some(found)
}

/// Whether a process works in `folder` or below.
pub(super) fn works_in(pid: i32, folder: &Path) -> bool {
    std::fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|place| place.starts_with(folder))
}

/// What changes with every start of the machine.
pub(super) fn boot_id() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_does_not_confuse() {
        let text = "42 (a) b (c) S 1 77 77 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 123456 9 9";
        assert_eq!(parse(text), Some(Stat { state: 'S', group: 77, start: 123_456 }));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn knows_this_process() {
        let me = std::process::id() as i32;
        let stat = stat(me).unwrap();
        assert!(members(stat.group).unwrap().contains(&me));
        assert!(works_in(me, Path::new("/")));
    }
}
