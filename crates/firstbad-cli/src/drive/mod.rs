//! Driving a search: threads that test, and one that asks and tells. What is decided is decided by [`firstbad::Run`].

mod plan;
mod threads;

use firstbad::{Error, Search as _, StopReason};
use firstbad_journal::Session;

use crate::view::View;
use threads::Threads;

pub(crate) use plan::{Ahead, End, Plan};

/// Asks and tells until the search is done. When this returns no test is running, and nothing is in flight.
///
/// # Errors
/// What a test ended with, or the session; all answers that were there before were told.
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
