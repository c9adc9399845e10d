//! The peak memory of a command's processes.
//!
//! The system reports an exact value for a process that has ended and for its children (`ru_maxrss`). But on Linux, a program
//! starts with the value of the process that started it, which is ours. Only a value above our own peak is certainly the
//! command's. Below that, firstbad uses values that it sampled while the processes ran.

/// The maximum number of processes and threads in one sample.
const MOST: usize = 256;

/// The maximum lag of the kernel's counters in bytes.
const BLUR: u64 = 4 << 20;

/// The memory of a running command.
#[derive(Debug)]
pub(crate) struct Memory {
    leader: i32,
    /// The peak of our own process when the command started, if the system reports it.
    ours: Option<u64>,
    seen: Option<u64>,
}

impl Memory {
    /// Starts the measurement of a command that was just started as the process `leader`.
    pub(crate) fn of(leader: i32) -> Memory {
        Memory { leader, ours: peak("self"), seen: None }
    }

    /// Samples the current processes of the command.
    pub(crate) fn look(&mut self) {
        self.seen = self.seen.max(largest(self.leader));
    }

    /// Returns the peak memory of the largest process in bytes, or `None` if unknown. `reaped` is the value that the system
    /// reported when the leader ended.
    pub(crate) fn most(&self, reaped: Option<u64>) -> Option<u64> {
        self.seen.max(reaped.filter(|&bytes| bytes > 0 && self.is_its_own(bytes)))
    }

    fn is_its_own(&self, bytes: u64) -> bool {
        self.ours.map_or(!cfg!(target_os = "linux"), |ours| bytes > ours.saturating_add(BLUR))
    }
}

/// Returns the largest peak of a process and its descendants.
fn largest(leader: i32) -> Option<u64> {
    let mut most = None;
    let mut waiting = vec![leader];
    let mut looks = 0;
    while let Some(pid) = waiting.pop() {
        most = most.max(peak(&pid.to_string()));
        let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else { continue };
        for thread in threads.flatten() {
            looks += 1;
            if looks > MOST {
                return most;
            }
            let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            waiting.extend(children.split_whitespace().filter_map(|child| child.parse::<i32>().ok()));
        }
    }
    most
}

/// Returns the peak resident memory of a process, or `None` if the process is gone or the system has no `/proc`.
fn peak(pid: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

// These tests need `/proc`.
#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn memory_below_the_peak_of_the_parent_is_not_certain() {
        let memory = |ours, seen| Memory { leader: 1, ours, seen };
        assert_eq!(memory(Some(100 << 20), None).most(Some(100 << 20)), None);
        assert_eq!(memory(Some(100 << 20), None).most(Some(200 << 20)), Some(200 << 20));
        assert_eq!(memory(Some(100 << 20), Some(7)).most(Some(100 << 20)), Some(7));
        assert_eq!(memory(None, None).most(Some(200 << 20)), None);
        assert_eq!(memory(Some(0), Some(300 << 20)).most(Some(200 << 20)), Some(300 << 20));
    }

    #[test]
    fn a_memory_sample_includes_child_processes() {
        let me = std::process::id() as i32;
        let mut own = Memory::of(me);
        own.look();
        assert!(own.seen.is_some_and(|bytes| bytes > 1 << 20), "{own:?}");
        // The child has a larger peak than its parent, a shell that waits for it.
        let script = "sh -c 'x=$(head -c 50000000 /dev/zero | tr \"\\0\" a); echo ready; read y' | cat";
        let mut child = std::process::Command::new("sh")
            .args(["-c", script])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut ready = [0];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
        let mut below = Memory::of(child.id() as i32);
        below.look();
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(below.seen.is_some_and(|bytes| bytes > 50_000_000), "{below:?}");
        assert_eq!(peak("no such process"), None);
    }
}
