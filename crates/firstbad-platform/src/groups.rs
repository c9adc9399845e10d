//! Commands together with all processes that they start.
//!
//! A group is a process group on Unix and a job on Windows.

use std::io;
use std::process::Command;

mod ending;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub use ending::Ending;
#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

/// A running command with all processes that it started.
///
/// On Windows, the processes end when the group is dropped or when this process ends. On Unix, call [`Group::kill`].
#[derive(Debug)]
pub struct Group(system::Group);

/// The first process of a group, which another thread can wait for.
#[derive(Debug)]
pub struct Leader(system::Leader);

impl Group {
    /// Starts a command in a new group.
    ///
    /// # Errors
    /// If the system cannot start the command.
    pub fn start(command: &mut Command) -> io::Result<Group> {
        system::Group::start(command).map(Group)
    }

    /// Returns the number of the group, which is that of its first process.
    #[must_use]
    pub fn number(&self) -> i32 {
        self.0.number()
    }

    /// Returns the first process.
    #[must_use]
    pub fn leader(&self) -> Leader {
        Leader(self.0.leader())
    }

    /// Asks all processes to end: with SIGTERM, and on Windows with Ctrl-Break, which only processes on the same console receive.
    pub fn ask(&mut self) {
        self.0.ask();
    }

    /// Kills all processes.
    pub fn kill(&mut self) {
        self.0.kill();
    }

    /// Waits for the first process and returns how it ended. Can be called again.
    ///
    /// # Errors
    /// If the system cannot wait for the process.
    pub fn reap(&mut self) -> io::Result<Ending> {
        self.0.reap()
    }

    /// Returns whether no process of the group is left. Call it after the first process was reaped. `thoroughly` ignores dead
    /// processes that nobody reaps, as in a container without an init.
    #[must_use]
    pub fn is_gone(&self, thoroughly: bool) -> bool {
        self.0.is_gone(thoroughly)
    }
}

impl Leader {
    /// Waits until the process has ended. On Unix, its number stays reserved until [`Group::reap`].
    pub fn wait(self) {
        self.0.wait();
    }
}

/// Kills a group that an earlier process of firstbad left behind. Does nothing on Windows, which leaves none.
pub fn kill(number: i32) {
    system::kill(number);
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use super::*;

    /// Returns a command that exits with this code, or waits forever.
    fn command(code: Option<i32>) -> Command {
        let script = code.map_or("waits".to_owned(), |code| code.to_string());
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["groups::tests::child", "--exact", "--nocapture"]).env("FIRSTBAD_TEST_GROUP", script);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// The body of the child process. It does nothing without the variable.
    #[test]
    fn child() {
        match std::env::var("FIRSTBAD_TEST_GROUP").as_deref() {
            // This process starts another one.
            Ok("waits") => {
                let mut below = command(None).env("FIRSTBAD_TEST_GROUP", "below").spawn().unwrap();
                below.wait().unwrap();
            }
            Ok("below") => loop {
                std::thread::park();
            },
            Ok(code) => std::process::exit(code.parse().unwrap()),
            Err(_) => {}
        }
    }

    #[test]
    fn a_group_returns_the_exit_code() {
        for code in [0, 1, 77] {
            let mut group = Group::start(&mut command(Some(code))).unwrap();
            assert!(group.number() > 0);
            group.leader().wait();
            assert_eq!(group.reap().unwrap().status.code(), Some(code));
            assert_eq!(group.reap().unwrap().status.code(), Some(code));
            while !group.is_gone(true) {
                std::thread::yield_now();
            }
        }
    }

    #[test]
    fn killing_a_group_ends_all_its_processes() {
        let mut group = Group::start(&mut command(None)).unwrap();
        let leader = group.leader();
        let waiting = std::thread::spawn(move || leader.wait());
        group.kill();
        waiting.join().unwrap();
        assert!(!group.reap().unwrap().status.success());
        while !group.is_gone(true) {
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_missing_program_is_an_error() {
        let mut command = Command::new("./no/such/program");
        command.arg("argument");
        assert_eq!(Group::start(&mut command).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!((command.get_program(), command.get_args().count()), ("./no/such/program".as_ref(), 1));
    }
}
