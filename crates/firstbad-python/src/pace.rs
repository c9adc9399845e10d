//! Decides which steps of a search run directly, because Ctrl-C can wait for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use firstbad::World;
use firstbad::graph::CommitGraph;

use crate::work::{LARGE, MANY};

/// Shorter work is not worth another thread. A handover costs ten microseconds, and much more on a busy machine.
const SHORT: Duration = Duration::from_micros(200);

/// The maximum number of revisions for which one decision about one probe takes less than 0.1 s in any state.
const BRANCHED: usize = 1 << 14;

/// The same limit for a linear history, because no decision visits all of its revisions.
const LINE: usize = 1 << 22;

/// A call of a search. The kinds differ in how long they take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// `ask` for one probe with none in flight.
    Ask,
    /// `tell`.
    Tell,
    /// `wanted`.
    Wanted,
    /// `ask` with other probes in flight, which can look ahead. It takes no time or some hundred times as long.
    LookAhead,
    /// A walk over the graph or the events, which changes nothing.
    Walk,
    /// A change after which the next decisions can be long.
    Change,
    /// A change that is short for a graph of any size, unless it waits for a disk.
    Note,
    /// Work on a disk. Each later step can wait for the disk.
    Disk,
}

/// The number of timed kinds, which come first.
const TIMED: usize = 3;

/// The possible duration of a decision in a world of this size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Size {
    /// Never long.
    Small,
    /// About as long as the last decision of its kind, and always less than 0.1 s.
    Medium,
    /// Possibly seconds: an outcome that ends the search for one point starts the search for the next one.
    Large,
}

/// The durations of a search's decisions.
#[derive(Debug, Clone)]
pub(crate) struct Pace {
    size: Size,
    /// Whether the last decision of each kind was short. Initially false.
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

    /// Returns the initial state for another search in the same world.
    pub(crate) fn fresh(&self) -> Pace {
        Pace { size: self.size, short: Arc::default(), kept: Arc::default() }
    }

    /// Returns whether a step is short enough.
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

    /// Takes a step and records whether it took long.
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

/// Returns whether the previous revision is the only parent of every revision.
fn is_line(graph: &CommitGraph) -> bool {
    graph.edge_count() + 1 == graph.len() && (1..graph.len() as u32).all(|node| graph.parents(node) == [node - 1])
}
