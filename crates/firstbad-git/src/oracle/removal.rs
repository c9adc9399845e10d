//! Removing folders that may hold very many files: what takes long goes on without us.

use std::fs::File;
use std::io;
use std::path::Path;

use super::{lock, tree};

/// Removes a folder and its lock, which is held. What takes longer than a quarter of a second goes on in a process of its own
/// that outlives ours and holds the lock until then. Where there is no shell, or it does not get through, it is waited for.
///
/// # Errors
/// Those of the system.
pub(super) fn remove(folder: &Path, held: &File) -> io::Result<()> {
    #[cfg(unix)]
    if shell::remove(folder, held) {
        return Ok(());
    }
    #[cfg(not(unix))]
    let _ = held;
    tree::remove(folder)?;
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

    /// How long to wait for the end.
    const PATIENCE: Duration = Duration::from_millis(250);
    const GLANCE: Duration = Duration::from_millis(2);

    /// The trees side by side, then the rest; folders that may not be written to are opened up, and no link is followed.
    const SCRIPT: &str = r#"
for tree in "$1"/*; do
    [ -d "$tree" ] && rm -rf "$tree" &
done
wait
rm -rf "$1" || { chmod -R u+rwX "$1" && rm -rf "$1"; } || exit
rm -f "$2"
"#;

    /// Whether the folder is gone, or a process works at it that we need not wait for.
    pub(super) fn remove(folder: &Path, held: &File) -> bool {
        // The process has the lock as long as it has its standard input.
        let Ok(input) = held.try_clone() else { return false };
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SCRIPT, "firstbad-remove"]).arg(folder).arg(lock::path(folder));
        // What ends our group leaves it alone, as does an oracle in whose command we run.
        command.process_group(0).current_dir("/").env_remove(watcher::VARIABLE);
        command.stdin(input).stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else { return false };
        let deadline = Instant::now() + PATIENCE;
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return status.success(),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(GLANCE),
                Ok(None) => {
                    // Nobody else would take note of its end as long as we live.
                    let _ = std::thread::Builder::new().spawn(move || child.wait());
                    return true;
                }
                Err(_) => return false,
            }
        }
    }
}
