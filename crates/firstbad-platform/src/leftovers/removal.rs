//! Removal of large folders in the background.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::lock;
use crate::trees;

/// The usual time to wait for a removal.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// Removes a folder and its lock, which the caller holds. If the removal takes longer than `patience`, a separate process
/// finishes it. That process outlives this one and holds the lock until it is done. If no shell is available or the shell fails,
/// this call waits.
///
/// # Errors
/// If the system cannot remove the folder.
pub fn remove(folder: &Path, held: &File, patience: Duration) -> io::Result<()> {
    #[cfg(unix)]
    if shell::remove(shell::SCRIPT, folder, held, patience) {
        return Ok(());
    }
    #[cfg(not(unix))]
    let _ = (held, patience);
    trees::remove(folder)?;
    match std::fs::remove_file(lock::path(folder)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(unix)]
mod shell {
    use std::fs::File;
    use std::os::unix::process::CommandExt as _;
    use std::path::Path;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use super::super::{lock, watcher};

    const GLANCE: Duration = Duration::from_millis(2);

    /// Removes the trees in parallel, then the rest. Makes folders writable, and follows no links.
    pub(super) const SCRIPT: &str = r#"
for tree in "$1"/*; do
    [ -d "$tree" ] && rm -rf "$tree" &
done
wait
rm -rf "$1" || { chmod -R u+rwX "$1" && rm -rf "$1"; } || exit
rm -f "$2"
"#;

    /// Returns whether the folder is gone or a separate process is still removing it.
    pub(super) fn remove(script: &str, folder: &Path, held: &File, patience: Duration) -> bool {
        // The process holds the lock through its standard input.
        let Ok(input) = held.try_clone() else { return false };
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script, "firstbad-remove"]).arg(folder).arg(lock::path(folder));
        // A separate group, so that killing our group or an oracle does not end the removal.
        command.process_group(0).current_dir("/").env_remove(watcher::VARIABLE);
        command.stdin(input).stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(mut child) = crate::programs::start(&mut command) else { return false };
        let deadline = Instant::now() + patience;
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return status.success(),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(GLANCE),
                Ok(None) => {
                    // Reaps the process, which would otherwise stay a zombie.
                    let _ = std::thread::Builder::new().spawn(move || child.wait());
                    return true;
                }
                Err(_) => return false,
            }
        }
    }
}

// Links, modes, and the shell exist only on Unix.
#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::path::PathBuf;

    use super::*;

    fn world(name: &str) -> (PathBuf, PathBuf, File) {
        let base = std::env::temp_dir().join(format!("firstbad-removal-{name}-{}", std::process::id()));
        let pool = base.join("pool");
        fs::create_dir_all(pool.join("tree-1/closed")).unwrap();
        fs::create_dir_all(base.join("outside/inner")).unwrap();
        fs::write(pool.join("tree-1/closed/file"), "x").unwrap();
        fs::write(pool.join("tree-1.run"), "x").unwrap();
        for link in ["pool/link", "pool/tree-1/link"] {
            symlink(base.join("outside"), base.join(link)).unwrap();
        }
        fs::set_permissions(pool.join("tree-1/closed"), Permissions::from_mode(0o500)).unwrap();
        let held = lock::take(&lock::path(&pool)).unwrap().unwrap();
        (base, pool, held)
    }

    #[test]
    fn a_folder_is_removed_with_its_lock_without_following_links() {
        let (base, pool, held) = world("whole");
        remove(&pool, &held, PATIENCE).unwrap();
        assert!(!pool.exists() && !lock::path(&pool).exists());
        assert!(base.join("outside/inner").exists());
        fs::remove_dir_all(&base).unwrap();
    }

    #[test]
    fn a_slow_removal_continues_in_the_background_with_the_lock() {
        let (base, pool, held) = world("long");
        let gate = base.join("gate");
        assert!(std::process::Command::new("mkfifo").arg(&gate).status().unwrap().success());
        let script = format!("read go < '{}'\n{}", gate.display(), shell::SCRIPT);
        assert!(shell::remove(&script, &pool, &held, Duration::from_millis(50)));
        drop(held);
        assert!(pool.join("tree-1").exists());
        // The lock is still held, so sweeping skips the folder.
        assert!(lock::take(&lock::path(&pool)).unwrap().is_none());
        fs::write(&gate, "go\n").unwrap();
        while lock::path(&pool).exists() {
            std::thread::yield_now();
        }
        assert!(!pool.exists());
        fs::remove_dir_all(&base).unwrap();
    }

    #[test]
    fn a_failed_shell_falls_back_to_this_process() {
        let (base, pool, held) = world("failed");
        assert!(!shell::remove("exit 1", &pool, &held, PATIENCE));
        assert!(pool.exists());
        remove(&pool, &held, PATIENCE).unwrap();
        fs::remove_dir_all(&base).unwrap();
    }
}
