//! Runs a command in a new process group until its last process ends.

use std::io;
use std::process::{Command, ExitStatus};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use firstbad_platform::groups::{self, Ending};
use firstbad_platform::leftovers::watcher::{self, Watched};
use firstbad_platform::programs;

use super::control::{ActiveRun, Event};
use super::memory::Memory;

/// The usual interval between calls of `keep_going` and between samples of the memory.
pub(crate) const POLL: Duration = Duration::from_millis(50);
/// The interval at which to check whether the group is gone.
const GLANCE: Duration = Duration::from_millis(5);
/// The maximum wait after SIGKILL. Processes that hang in the kernel can take longer.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// The maximum grace period of an interrupted run.
pub(crate) const HURRIED_GRACE: Duration = Duration::from_millis(500);

/// The maximum grace period, because clocks cannot represent an endless one.
const LONGEST_GRACE: Duration = Duration::from_secs(24 * 60 * 60);

/// The reason why a command ended.
#[derive(Debug)]
pub(crate) enum Ended {
    Exited(ExitStatus),
    TimedOut,
    Interrupted,
}

/// A command that has ended.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) ended: Ended,
    pub(crate) took: Duration,
    /// The peak memory of its largest process in bytes, or `None` if unknown.
    pub(crate) memory: Option<u64>,
    /// The processor time of its processes.
    pub(crate) cpu: Duration,
}

/// The limits of a run.
pub(crate) struct Limits<'a, 'b> {
    pub(crate) active: &'a ActiveRun<'b>,
    pub(crate) keep_going: &'a mut dyn FnMut() -> bool,
    pub(crate) timeout: Option<Duration>,
    /// The time between SIGTERM and SIGKILL. At most [`HURRIED_GRACE`] after an interruption.
    pub(crate) grace: Duration,
    /// The interval between calls of `keep_going` and between samples of the memory, [`POLL`] or less.
    pub(crate) poll: Duration,
}

/// Runs `command` until it ends, and then ends the rest of its process group. If the command is stopped early, also ends
/// processes that it started in other groups. If this process dies, the watcher ends them all.
///
/// Calls `started` with the number of the group.
///
/// # Errors
/// Errors from starting the command, and those of `started`, which end the command.
pub(crate) fn supervise(
    command: &mut Command,
    limits: Limits<'_, '_>,
    started: impl FnOnce(i32) -> io::Result<()>,
) -> io::Result<Finished> {
    let Limits { active, keep_going, timeout, grace, poll } = limits;
    command.env(watcher::VARIABLE, active.marker());
    let start = Instant::now();
    let started_group = groups::Group::start(command)?;
    let number = started_group.number();
    let leader = started_group.leader();
    let mut group = Group { group: started_group, done: false, _watched: active.watch(number) };
    let mut memory = Memory::of(number);
    started(number)?;
    let sender = active.sender.clone();
    std::thread::Builder::new().name("firstbad-wait".to_owned()).spawn(move || {
        leader.wait();
        let _ = sender.send(Event::Exited);
    })?;
    let deadline = timeout.and_then(|timeout| start.checked_add(timeout));
    let cut = group.wait(active, keep_going, &mut memory, (deadline, poll));
    let took = start.elapsed();
    let patience = match cut {
        Some(Ended::Interrupted) => Patience::hurried(active, grace),
        _ => Patience::new(active, keep_going, grace),
    };
    let ending = group.end(cut.is_none(), patience)?;
    // If the process exits immediately, the watcher does this.
    if cut.is_some() && !active.killed() {
        active.end_marked();
    }
    let ended = match cut {
        None if asks_to_end(ending.status) && was_meant_for_us(active, keep_going) => Ended::Interrupted,
        cut => cut.unwrap_or(Ended::Exited(ending.status)),
    };
    Ok(Finished { ended, took, memory: memory.most(Some(ending.memory)), cpu: ending.cpu })
}

/// Returns whether the command died by a signal that terminals and systems send to whole groups (SIGHUP, SIGINT, SIGTERM).
fn asks_to_end(status: ExitStatus) -> bool {
    matches!(programs::signal(status), Some(1 | 2 | 15))
}

/// Returns whether an interruption follows immediately after such a signal. A starting command still belongs to our process group
/// and receives its signals, such as Ctrl-C, so its death says nothing about the revision.
fn was_meant_for_us(active: &ActiveRun<'_>, keep_going: &mut dyn FnMut() -> bool) -> bool {
    let deadline = Instant::now() + HURRIED_GRACE;
    loop {
        if active.stopped() || !keep_going() {
            return true;
        }
        if deadline <= Instant::now() {
            return false;
        }
        let _ = active.events.recv_timeout(POLL);
    }
}

/// A running process group. Dropping it early kills it.
struct Group<'a> {
    group: groups::Group,
    done: bool,
    _watched: Watched<'a>,
}

impl Group<'_> {
    /// Waits for the leader. Returns the reason if the wait ends early.
    fn wait(
        &self,
        active: &ActiveRun<'_>,
        keep_going: &mut dyn FnMut() -> bool,
        memory: &mut Memory,
        (deadline, poll): (Option<Instant>, Duration),
    ) -> Option<Ended> {
        loop {
            if active.stopped() || !keep_going() {
                return Some(Ended::Interrupted);
            }
            let left = deadline.map_or(poll, |deadline| deadline.saturating_duration_since(Instant::now()));
            if active.events.recv_timeout(left.min(poll)) == Ok(Event::Exited) {
                return None;
            }
            memory.look();
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                return Some(Ended::TimedOut);
            }
        }
    }

    /// Ends the remaining processes of the group, first with SIGTERM.
    fn end(&mut self, mut exited: bool, mut patience: Patience<'_, '_>) -> io::Result<Ending> {
        // The leader is not reaped yet, so no other group can have its number.
        self.group.ask();
        while !exited && patience.lasts() {
            exited = patience.heard_exit();
        }
        if !exited || !self.vanishes_while(&mut || patience.lasts())? {
            self.group.kill();
            while !exited {
                exited = patience.heard_exit();
            }
            let deadline = Instant::now() + LAST_WAIT;
            self.vanishes_while(&mut || Instant::now() < deadline)?;
        }
        self.done = true;
        self.group.reap()
    }

    /// Returns whether all processes of the group end while `patient` returns true. The leader has exited.
    fn vanishes_while(&mut self, patient: &mut dyn FnMut() -> bool) -> io::Result<bool> {
        // The dead leader would count as a member. After this call, only members keep the number in use.
        self.group.reap()?;
        for glance in 0.. {
            if self.group.is_gone(glance >= 3) {
                return Ok(true);
            }
            if !patient() {
                break;
            }
            std::thread::sleep(GLANCE);
        }
        Ok(false)
    }
}

/// The grace period of processes that were asked to end.
struct Patience<'a, 'b> {
    active: &'a ActiveRun<'b>,
    /// The caller's function, until it returns false or the run is interrupted.
    keep_going: Option<&'a mut dyn FnMut() -> bool>,
    asked: Instant,
    deadline: Instant,
}

impl<'a, 'b> Patience<'a, 'b> {
    fn new(active: &'a ActiveRun<'b>, keep_going: &'a mut dyn FnMut() -> bool, grace: Duration) -> Self {
        let now = Instant::now();
        Patience { active, keep_going: Some(keep_going), asked: now, deadline: now + grace.min(LONGEST_GRACE) }
    }

    /// Returns the grace period of an interrupted run.
    fn hurried(active: &'a ActiveRun<'b>, grace: Duration) -> Self {
        let now = Instant::now();
        Patience { active, keep_going: None, asked: now, deadline: now + grace.min(HURRIED_GRACE) }
    }

    /// Returns whether time is left. An interruption shortens the grace period.
    fn lasts(&mut self) -> bool {
        let now = Instant::now();
        if let Some(keep_going) = &mut self.keep_going
            && now >= self.asked + POLL
        {
            self.asked = now;
            if self.active.stopped() || !keep_going() {
                self.keep_going = None;
                self.deadline = self.deadline.min(now + HURRIED_GRACE);
            }
        }
        now < self.deadline && !self.active.killed()
    }

    fn heard_exit(&self) -> bool {
        match self.active.events.recv_timeout(POLL) {
            Ok(Event::Exited) => true,
            Ok(Event::Wake) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => false,
        }
    }
}

impl Drop for Group<'_> {
    fn drop(&mut self) {
        // The group is still running only after an error or a panic in `keep_going`.
        if !self.done {
            self.group.kill();
            let _ = self.group.reap();
        }
    }
}
