//! How much memory the processes of a command had.
//!
//! What the system tells of a process that has ended (`ru_maxrss`) is exact, and covers all that it has waited for. But
//! Linux lets a program begin with the figure of the process that started it, which is ours: only what is above our own
//! peak is the command's. Below that we go by what we have seen of the processes while they ran.

/// How many processes, and how many threads of them, one look takes in: it is done again and again.
const MOST: usize = 256;

/// Figures of the kernel are put together from counters that lag behind, by not more than this.
const BLUR: u64 = 4 << 20;

/// The memory of a command that runs.
#[derive(Debug)]
pub(crate) struct Memory {
    leader: i32,
    /// The most that our own process had when the command began; `None` if the system does not tell.
    ours: Option<u64>,
    seen: Option<u64>,
}

impl Memory {
    /// For a command that has just been started as the process `leader`.
    pub(crate) fn of(leader: i32) -> Memory {
        Memory { leader, ours: peak("self"), seen: None }
    }

    /// Looks at the processes that the command has now.
    pub(crate) fn look(&mut self) {
        self.seen = self.seen.max(largest(self.leader));
    }

    /// The most that one of its processes had, in bytes; `None` if that cannot be told. `reaped` is what the system says
    /// of the leader now that it has ended.
    pub(crate) fn most(&self, reaped: Option<u64>) -> Option<u64> {
        self.seen.max(reaped.filter(|&bytes| bytes > 0 && self.is_its_own(bytes)))
    }

    fn is_its_own(&self, bytes: u64) -> bool {
        self.ours.map_or(!cfg!(target_os = "linux"), |ours| bytes > ours.saturating_add(BLUR))
    }
}

/// The largest peak of a process and those below it.
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

/// The most resident memory that a process had since it began its program; `None` on systems without `/proc`, or if it
/// is gone.
fn peak(pid: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

// These are about `/proc`.
#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_above_our_own_peak_may_be_ours() {
        let memory = |ours, seen| Memory { leader: 1, ours, seen };
        assert_eq!(memory(Some(100 << 20), None).most(Some(100 << 20)), None);
        assert_eq!(memory(Some(100 << 20), None).most(Some(200 << 20)), Some(200 << 20));
        assert_eq!(memory(Some(100 << 20), Some(7)).most(Some(100 << 20)), Some(7));
        assert_eq!(memory(None, None).most(Some(200 << 20)), None);
        assert_eq!(memory(Some(0), Some(300 << 20)).most(Some(200 << 20)), Some(300 << 20));
    }

    #[test]
    fn a_look_takes_in_what_runs_below_a_process() {
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
