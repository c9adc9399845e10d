//! Process groups.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use wait4::Wait4 as _;

use super::ending::Ending;
use crate::{processes, programs};

#[derive(Debug)]
pub(super) struct Group {
    child: Child,
    pid: Pid,
    ended: Option<Ending>,
}

impl Group {
    pub(super) fn start(command: &mut Command) -> io::Result<Group> {
        let child = programs::start(command.process_group(0))?;
        let pid = Pid::from_child(&child);
        Ok(Group { child, pid, ended: None })
    }

    pub(super) fn number(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }

    pub(super) fn leader(&self) -> Leader {
        Leader(self.pid)
    }

    pub(super) fn ask(&mut self) {
        self.signal(Signal::TERM);
    }

    pub(super) fn kill(&mut self) {
        self.signal(Signal::KILL);
    }

    fn signal(&self, signal: Signal) {
        // Fails if the group has already ended.
        let _ = rustix::process::kill_process_group(self.pid, signal);
    }

    pub(super) fn reap(&mut self) -> io::Result<Ending> {
        if let Some(ended) = self.ended {
            return Ok(ended);
        }
        loop {
            match self.child.wait4() {
                Ok(found) => {
                    let cpu = found.rusage.utime + found.rusage.stime;
                    return Ok(*self.ended.insert(Ending { status: found.status, memory: found.rusage.maxrss, cpu }));
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn is_gone(&self, thoroughly: bool) -> bool {
        rustix::process::test_kill_process_group(self.pid).is_err()
            || thoroughly && processes::members(self.number()).is_some_and(|left| left.is_empty())
    }
}

#[derive(Debug)]
pub(super) struct Leader(Pid);

impl Leader {
    pub(super) fn wait(self) {
        // With NOWAIT, the number stays reserved until the rest of the group has ended.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(rustix::process::waitid(WaitId::Pid(self.0), options), Err(Errno::INTR)) {}
    }
}

pub(super) fn kill(number: i32) {
    if let Some(group) = Pid::from_raw(number) {
        let _ = rustix::process::kill_process_group(group, Signal::KILL);
    }
}
