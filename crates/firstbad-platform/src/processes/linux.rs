//! Processes on Linux, from `/proc`.

use std::path::Path;

use super::stat::Stat;

pub(super) fn stat(process: i32) -> Option<Stat> {
    parse(&std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
}

fn parse(text: &str) -> Option<Stat> {
    // The second field is the program name in parentheses, which may contain any character.
    let mut fields = text.get(text.rfind(')')? + 2..)?.split(' ');
    let state = fields.next()?.chars().next()?;
    let group = fields.nth(1)?.parse().ok()?;
    // In clock ticks since boot.
    let start = fields.nth(16)?.parse().ok()?;
    Some(Stat { is_dead: matches!(state, 'Z' | 'X'), group, start })
}

pub(super) fn members(group: i32) -> Option<Vec<i32>> {
    let entries = std::fs::read_dir("/proc").ok()?;
    let processes = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let mut seen = false;
    let mut found = Vec::new();
    for process in processes {
        let Some(stat) = stat(process) else { continue };
        seen = true;
        if stat.group == group && !stat.is_dead {
            found.push(process);
        }
    }
    seen.then_some(found)
}

pub(super) fn works_in(process: i32, folder: &Path) -> bool {
    std::fs::read_link(format!("/proc/{process}/cwd")).is_ok_and(|place| place.starts_with(folder))
}

pub(super) fn boot_id() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_names_may_contain_parentheses() {
        let text = "42 (a) b (c) S 1 77 77 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 123456 9 9";
        assert_eq!(parse(text), Some(Stat { is_dead: false, group: 77, start: 123_456 }));
        let dead = parse(&text.replace(" S ", " Z ")).unwrap();
        assert!(dead.is_dead);
    }
}
