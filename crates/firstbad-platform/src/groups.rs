//! A command with all the processes that it starts, to be ended together.
//!
//! On Unix systems that is a process group, on Windows a job.

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

/// A command that was started, and whatever it starts.
///
/// On Windows all of it ends when this is dropped, and when our process ends, however that is; on Unix systems somebody has to
/// do that.
#[derive(Debug)]
pub struct Group(system::Group);

/// The first process of a group, to be waited for in another thread.
#[derive(Debug)]
pub struct Leader(system::Leader);

impl Group {
    /// Starts a command in a group of its own.
    ///
    /// # Errors
    /// Those of the system.
    pub fn start(command: &mut Command) -> io::Result<Group> {
        system::Group::start(command).map(Group)
    }

    /// Its number: that of its first process.
    #[must_use]
    pub fn number(&self) -> i32 {
        self.0.number()
    }

    /// Its first process.
    #[must_use]
    pub fn leader(&self) -> Leader {
        Leader(self.0.leader())
    }

    /// Asks all of it to end: SIGTERM; on Windows Ctrl-Break, which only those get that have our console.
    pub fn ask(&mut self) {
        self.0.ask();
    }

    /// Ends all of it at once.
    pub fn kill(&mut self) {
        self.0.kill();
    }

    /// Waits for the first process, and says how it ended, also when it is asked again.
    ///
    /// # Errors
    /// Those of the system.
    pub fn reap(&mut self) -> io::Result<Ending> {
        self.0.reap()
    }

    /// Whether no process of it is left, once its first one has been waited for. `thoroughly` also looks whether those
    /// left are dead, and nobody collects them, as in a container without an init.
    #[must_use]
    pub fn is_gone(&self, thoroughly: bool) -> bool {
        self.0.is_gone(thoroughly)
    }
}

impl Leader {
    /// Waits until it has ended. Its number stays taken on Unix systems until [`Group::reap`].
    pub fn wait(self) {
        self.0.wait();
    }
}

/// Ends a group that an earlier process of ours has left behind at once. On Windows there are none.
pub fn kill(number: i32) {
    system::kill(number);
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use super::*;

    /// A process that ends with this code, or waits for ever.
    fn command(code: Option<i32>) -> Command {
        let script = code.map_or("waits".to_owned(), |code| code.to_string());
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["groups::tests::child", "--exact", "--nocapture"]).env("FIRSTBAD_TEST_GROUP", script);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// The process that is started, if the variable says so.
    #[test]
    fn child() {
        match std::env::var("FIRSTBAD_TEST_GROUP").as_deref() {
            // With another process below it.
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
    fn a_group_ends_with_its_code() {
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
    fn a_killed_group_takes_all_with_it() {
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
    fn a_command_that_is_not_there_is_an_error_and_the_command_stays() {
        let mut command = Command::new("./no/such/program");
        command.arg("argument");
        assert_eq!(Group::start(&mut command).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!((command.get_program(), command.get_args().count()), ("./no/such/program".as_ref(), 1));
    }
}
