//! Which steps of a search are taken at once: those short enough that Ctrl-C can wait for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use firstbad::World;
use firstbad::graph::CommitGraph;

use crate::work::{LARGE, MANY};

/// What takes less than this is not worth another thread: handing it over costs ten microseconds and, on a busy
/// machine, many more.
const SHORT: Duration = Duration::from_micros(200);

/// Up to this many revisions one decision for one probe takes less than 0.1 s, whatever came before it.
const BRANCHED: usize = 1 << 14;

/// The same where every revision has one parent and one child: no decision goes through all of them.
const LINE: usize = 1 << 22;

/// A step of a search, by the time that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// `ask` for one probe with none in flight.
    Ask,
    /// `tell`.
    Tell,
    /// `wanted`.
    Wanted,
    /// `ask` for what is useful beside others: it looks ahead, which takes some hundred times as long or no time.
    LookAhead,
    /// A walk over the graph or the events, which changes nothing.
    Walk,
    /// A change that other steps have to take in: the next ones may be long.
    Change,
    /// A change that is short in a graph of any size, unless it waits for a disk.
    Note,
    /// Work on a disk, after which each step may wait for it.
    Disk,
}

/// How many kinds of steps are timed: the first ones.
const TIMED: usize = 3;

/// How long a decision may take in a world of this size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Size {
    /// Never long.
    Small,
    /// About as long as the last of its kind; if not, still less than 0.1 s.
    Medium,
    /// Seconds, and without notice: an answer that ends the search for one point begins the search for the next.
    Large,
}

/// How long the decisions of a search take.
#[derive(Debug, Clone)]
pub(crate) struct Pace {
    size: Size,
    /// Whether the last of each kind was short; the first is not known to be.
    short: Arc<[AtomicBool; TIMED]>,
    /// Whether steps wait for a disk.
    kept: Arc<AtomicBool>,
}

impl Pace {
    pub(crate) fn of(world: &World) -> Pace {
        let size = match world {
            World::Items(items) if *items < MANY => Size::Small,
            World::History(graph) if graph.len() < LARGE => Size::Small,
            World::History(graph) if graph.len() <= BRANCHED || graph.len() <= LINE && is_line(graph) => Size::Medium,
            _ => Size::Large,
        };
        Pace { size, short: Arc::default(), kept: Arc::default() }
    }

    /// The same for another search there.
    pub(crate) fn fresh(&self) -> Pace {
        Pace { size: self.size, short: Arc::default(), kept: Arc::default() }
    }

    /// Whether a step is short, or short enough.
    pub(crate) fn is_short(&self, step: Step) -> bool {
        if step == Step::Disk || self.kept.load(Ordering::Relaxed) {
            return false;
        }
        match self.size {
            Size::Small => true,
            _ if step == Step::Note => true,
            Size::Medium => self.short.get(step as usize).is_some_and(|short| short.load(Ordering::Relaxed)),
            Size::Large => false,
        }
    }

    /// Takes a step, and notes whether that took long.
    pub(crate) fn timed<T>(&self, step: Step, work: impl FnOnce() -> T) -> T {
        match step {
            Step::Change => self.short.iter().for_each(|short| short.store(false, Ordering::Relaxed)),
            Step::Disk => self.kept.store(true, Ordering::Relaxed),
            _ => {}
        }
        let Some(short) = self.short.get(step as usize).filter(|_| self.size == Size::Medium) else {
            return work();
        };
        let start = Instant::now();
        let value = work();
        short.store(start.elapsed() < SHORT, Ordering::Relaxed);
        value
    }
}

/// Whether every revision has the one before it as its only parent.
fn is_line(graph: &CommitGraph) -> bool {
    graph.edge_count() + 1 == graph.len() && (1..graph.len() as u32).all(|node| graph.parents(node) == [node - 1])
}
