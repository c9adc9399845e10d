//! Which decisions of a search are made at once: those short enough that Ctrl-C can wait for them.

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

/// What a search decides for a driver.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Decision {
    /// `ask` for one probe with none in flight.
    Ask,
    /// `tell`.
    Tell,
    /// `wanted`.
    Wanted,
    /// `ask` for what is useful beside others: it looks ahead, which takes some hundred times as long or no time.
    LookAhead,
}

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
    short: Arc<[AtomicBool; 3]>,
}

impl Pace {
    pub(crate) fn of(world: &World) -> Pace {
        let size = match world {
            World::Items(items) if *items < MANY => Size::Small,
            World::History(graph) if graph.len() < LARGE => Size::Small,
            World::History(graph) if graph.len() <= BRANCHED || graph.len() <= LINE && is_line(graph) => Size::Medium,
            _ => Size::Large,
        };
        Pace { size, short: Arc::default() }
    }

    /// The same for another search there.
    pub(crate) fn fresh(&self) -> Pace {
        Pace { size: self.size, short: Arc::default() }
    }

    /// Whether nothing that a search does there takes long.
    pub(crate) fn is_never_long(&self) -> bool {
        self.size == Size::Small
    }

    /// Whether a decision is short, or short enough.
    pub(crate) fn is_short(&self, decision: Decision) -> bool {
        match self.size {
            Size::Small => true,
            Size::Medium => self.short.get(decision as usize).is_some_and(|short| short.load(Ordering::Relaxed)),
            Size::Large => false,
        }
    }

    /// Makes a decision, and notes whether that took long.
    pub(crate) fn timed<T>(&self, decision: Decision, work: impl FnOnce() -> T) -> T {
        let Some(short) = self.short.get(decision as usize).filter(|_| self.size == Size::Medium) else {
            return work();
        };
        let start = Instant::now();
        let value = work();
        short.store(start.elapsed() < SHORT, Ordering::Relaxed);
        value
    }

    /// Says that something else has changed the search: what was short need not be any more.
    pub(crate) fn forget(&self) {
        self.short.iter().for_each(|short| short.store(false, Ordering::Relaxed));
    }
}

/// Whether every revision has the one before it as its only parent.
fn is_line(graph: &CommitGraph) -> bool {
    graph.edge_count() + 1 == graph.len() && (1..graph.len() as u32).all(|node| graph.parents(node) == [node - 1])
}
