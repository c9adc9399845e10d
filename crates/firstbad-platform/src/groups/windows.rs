//! Jobs. A process joins the job of its parent. The system ends the processes of a job when its last handle is closed, at the
//! latest when this process ends.

use std::any::Any;
use std::io;
use std::os::windows::io::AsRawHandle as _;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use process_wrap::std::{ChildWrapper, CommandWrap, CommandWrapper, CreationFlags, JobObject};
use send_ctrlc::Interruptible;
use wait4::Wait4 as _;
use win32job::{ExtendedLimitInfo, Job};
use windows::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;

use super::ending::Ending;

/// The polling interval.
const GLANCE: Duration = Duration::from_millis(5);

type Shared = Arc<Mutex<Box<dyn ChildWrapper>>>;

#[derive(Debug)]
pub(super) struct Group {
    number: u32,
    /// The first process, in a job that can be killed.
    child: Shared,
    /// The outer job, which ends with this process.
    job: Arc<Job>,
    ended: Option<Ending>,
}

// No code panics while the lock is held, so a poisoned lock is still valid.
fn locked(child: &Shared) -> MutexGuard<'_, Box<dyn ChildWrapper>> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the standard library's process inside the wrappers of process-wrap.
fn own(child: &mut dyn ChildWrapper) -> io::Result<&mut Child> {
    let inner: &mut dyn Any = child.inner_mut();
    inner.downcast_mut().ok_or_else(|| io::Error::other("it is not a process of the standard library"))
}

/// Assigns a suspended process to a job.
#[derive(Debug)]
struct Into(Arc<Job>);

impl CommandWrapper for Into {
    fn wrap_child(&mut self, mut child: Box<dyn ChildWrapper>, _: &CommandWrap) -> io::Result<Box<dyn ChildWrapper>> {
        let handle = child.process_handle().map(|handle| handle.as_raw_handle() as isize);
        let assigned = handle.map(|handle| self.0.assign_process(handle).map_err(io::Error::other));
        if let Some(Err(error)) = assigned {
            let _ = child.start_kill();
            return Err(error);
        }
        Ok(child)
    }
}

impl Group {
    pub(super) fn start(command: &mut Command) -> io::Result<Group> {
        let mut limits = ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = Arc::new(Job::create_with_limit_info(&limits).map_err(io::Error::other)?);
        let mut wrapped = CommandWrap::from(std::mem::replace(command, Command::new("")));
        // A new process group does not receive Ctrl-C from the console. The process starts once it is in both jobs.
        wrapped.wrap(CreationFlags(CREATE_NEW_PROCESS_GROUP)).wrap(Into(Arc::clone(&job))).wrap(JobObject);
        let started = wrapped.spawn();
        *command = wrapped.into_command();
        let child = started?;
        Ok(Group { number: child.id(), child: Arc::new(Mutex::new(child)), job, ended: None })
    }

    pub(super) fn number(&self) -> i32 {
        self.number.cast_signed()
    }

    pub(super) fn leader(&self) -> Leader {
        Leader(Arc::clone(&self.child))
    }

    pub(super) fn ask(&mut self) {
        // Fails without a console. Then the group can only be killed.
        let _ = self.terminate();
    }

    pub(super) fn kill(&mut self) {
        let _ = locked(&self.child).start_kill();
    }

    pub(super) fn reap(&mut self) -> io::Result<Ending> {
        if let Some(ended) = self.ended {
            return Ok(ended);
        }
        Leader(Arc::clone(&self.child)).wait();
        let mut child = locked(&self.child);
        let found = own(child.as_mut())?.wait4()?;
        let cpu = found.rusage.utime + found.rusage.stime;
        Ok(*self.ended.insert(Ending { status: found.status, memory: found.rusage.maxrss, cpu }))
    }

    pub(super) fn is_gone(&self, _: bool) -> bool {
        self.job.query_process_id_list().is_ok_and(|left| left.is_empty())
    }
}

impl Interruptible for Group {
    fn pid(&mut self) -> io::Result<Option<u32>> {
        let ended = own(locked(&self.child).as_mut())?.try_wait()?;
        Ok(ended.is_none().then_some(self.number))
    }
}

#[derive(Debug)]
pub(super) struct Leader(Shared);

impl Leader {
    /// Polls, because a blocking wait would hold the lock, and other threads must be able to kill the process.
    pub(super) fn wait(self) {
        while let Ok(None) = own(locked(&self.0).as_mut()).and_then(Child::try_wait) {
            std::thread::sleep(GLANCE);
        }
    }
}

pub(super) fn kill(_: i32) {}
