//! Runs the tests of a search in threads.

mod plan;
mod threads;

use firstbad::{Error, Search as _, StopReason};
use firstbad_journal::Session;

use crate::view::View;
use threads::Threads;

pub(crate) use plan::{Ahead, End, Job, Plan};

/// Runs a search to its end. No test is running when this returns.
pub(crate) fn drive(session: &mut Session, plan: &Plan<'_>, view: &mut View<'_>) -> Result<End, Error> {
    let ended = std::thread::scope(|scope| {
        let mut threads = Threads::new(session, plan, view)?;
        let ended = threads.work(scope);
        let closed = threads.wind_down();
        ended.and_then(|end| closed.map(|()| end))
    });
    if !matches!(ended, Ok(End::Done)) && !session.is_done() {
        let stopped = session.stop(StopReason::Stopped);
        return ended.and_then(|end| stopped.map(|()| end));
    }
    ended
}
