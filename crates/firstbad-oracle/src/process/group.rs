//! One command in a group of its own, from its start to the end of its last process.

use std::io;
use std::process::{Command, ExitStatus};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use firstbad_platform::groups::{self, Ending};
use firstbad_platform::leftovers::watcher::{self, Watched};
use firstbad_platform::programs;

use super::control::{ActiveRun, Event};
use super::memory::Memory;

/// How often `keep_going` is asked.
const POLL: Duration = Duration::from_millis(50);
/// How often we look whether the rest of a group is gone.
const GLANCE: Duration = Duration::from_millis(5);
/// How long processes may take to go away after SIGKILL; those that hang in the kernel take longer, and we go on.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// The most that an interrupted run may take between being asked to end and being killed, however long the grace of a timeout is.
pub(crate) const HURRIED_GRACE: Duration = Duration::from_millis(500);

/// A grace that is longer is meant to be for ever, which clocks cannot count.
const LONGEST_GRACE: Duration = Duration::from_secs(24 * 60 * 60);

/// How a command came to its end.
#[derive(Debug)]
pub(crate) enum Ended {
    Exited(ExitStatus),
    TimedOut,
    Interrupted,
}

/// A command that has come to its end.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) ended: Ended,
    pub(crate) took: Duration,
    /// The most memory that one of its processes had, in bytes; `None` if that cannot be told.
    pub(crate) memory: Option<u64>,
}

/// What bounds a run.
pub(crate) struct Limits<'a, 'b> {
    pub(crate) active: &'a ActiveRun<'b>,
    pub(crate) keep_going: &'a mut dyn FnMut() -> bool,
    pub(crate) timeout: Option<Duration>,
    /// Between asking and killing (SIGTERM and SIGKILL); once the run is interrupted, at most [`HURRIED_GRACE`].
    pub(crate) grace: Duration,
}

/// Runs `command` to its end. When this returns, no process of its group is left; if it
/// was ended before its time, also none that it started in another group. Should this process end before, however that
/// comes about, all of them are ended.
///
/// `started` is told the group's number.
///
/// # Errors
/// Those of starting it, and those of `started`, which end it.
pub(crate) fn supervise(
    command: &mut Command,
    limits: Limits<'_, '_>,
    started: impl FnOnce(i32) -> io::Result<()>,
) -> io::Result<Finished> {
    let Limits { active, keep_going, timeout, grace } = limits;
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
    let cut = group.wait(active, keep_going, &mut memory, timeout.and_then(|timeout| start.checked_add(timeout)));
    let took = start.elapsed();
    let patience = match cut {
        Some(Ended::Interrupted) => Patience::hurried(active, grace),
        _ => Patience::new(active, keep_going, grace),
    };
    let ending = group.end(cut.is_none(), patience)?;
    // Without a moment to spare it is left to the watcher.
    if cut.is_some() && !active.killed() {
        active.end_marked();
    }
    let ended = match cut {
        None if asks_to_end(ending.status) && was_meant_for_us(active, keep_going) => Ended::Interrupted,
        cut => cut.unwrap_or(Ended::Exited(ending.status)),
    };
    Ok(Finished { ended, took, memory: memory.most(Some(ending.memory)) })
}

/// Whether a command died by a signal that terminals and machines end whole groups of processes with (SIGHUP, SIGINT, SIGTERM).
fn asks_to_end(status: ExitStatus) -> bool {
    matches!(programs::signal(status), Some(1 | 2 | 15))
}

/// Whether a run is interrupted right after its command died by such a signal. Until it has a group of its own, a command that is
/// being started is reached by what is sent to ours, Ctrl-C for one: that says nothing about what is tested.
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

/// A running group; dropped before its time it is killed.
struct Group<'a> {
    group: groups::Group,
    done: bool,
    _watched: Watched<'a>,
}

impl Group<'_> {
    /// Waits for the leader; returns why it did not wait to the end.
    fn wait(
        &self,
        active: &ActiveRun<'_>,
        keep_going: &mut dyn FnMut() -> bool,
        memory: &mut Memory,
        deadline: Option<Instant>,
    ) -> Option<Ended> {
        loop {
            if active.stopped() || !keep_going() {
                return Some(Ended::Interrupted);
            }
            let left = deadline.map_or(POLL, |deadline| deadline.saturating_duration_since(Instant::now()));
            if active.events.recv_timeout(left.min(POLL)) == Ok(Event::Exited) {
                return None;
            }
            memory.look();
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                return Some(Ended::TimedOut);
            }
        }
    }

    /// Ends what is left of the group, politely at first.
    fn end(&mut self, mut exited: bool, mut patience: Patience<'_, '_>) -> io::Result<Ending> {
        // The leader has not been waited for yet, so the number is still ours even if it is dead.
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

    /// Whether no process of the group is left before patience ends, its leader having exited.
    fn vanishes_while(&mut self, patient: &mut dyn FnMut() -> bool) -> io::Result<bool> {
        // The dead leader would count as a member. From here on only members keep the number taken.
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

/// How long processes have that were asked to end.
struct Patience<'a, 'b> {
    active: &'a ActiveRun<'b>,
    /// Asked until it says no once, or the run is interrupted.
    keep_going: Option<&'a mut dyn FnMut() -> bool>,
    asked: Instant,
    deadline: Instant,
}

impl<'a, 'b> Patience<'a, 'b> {
    fn new(active: &'a ActiveRun<'b>, keep_going: &'a mut dyn FnMut() -> bool, grace: Duration) -> Self {
        let now = Instant::now();
        Patience { active, keep_going: Some(keep_going), asked: now, deadline: now + grace.min(LONGEST_GRACE) }
    }

    /// That of a run that is interrupted already.
    fn hurried(active: &'a ActiveRun<'b>, grace: Duration) -> Self {
        let now = Instant::now();
        Patience { active, keep_going: None, asked: now, deadline: now + grace.min(HURRIED_GRACE) }
    }

    /// Whether there is some left. An interruption on the way shortens it.
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
        // Only after an error or a panic (of `keep_going`) on the way.
        if !self.done {
            self.group.kill();
            let _ = self.group.reap();
        }
    }
}
