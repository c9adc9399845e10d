//! Long work: without the interpreter's lock, and with an ear for Ctrl-C.

use std::cell::RefCell;
use std::sync::mpsc::{RecvTimeoutError, SendError, Sender, channel, sync_channel};
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::{OrRaise, internal};

/// From this many revisions on, work on a graph may be long.
pub(crate) const LARGE: usize = 4096;

/// From this many items on, work on sets of them is long.
pub(crate) const MANY: usize = 1 << 20;

/// How long a signal may wait for its handler.
pub(crate) const SLICE: Duration = Duration::from_millis(40);

type Job = Box<dyn FnOnce() + Send>;

/// A thread that does one job after another, until this is dropped and its last job done.
struct Helper {
    jobs: Sender<Job>,
    /// The process it is a thread of: a fork leaves threads behind.
    process: u32,
}

thread_local! {
    /// The helper of this thread, while it has no job. Nobody else sees it, so a fork cannot find it locked.
    static IDLE: RefCell<Option<Helper>> = const { RefCell::new(None) };
}

impl Helper {
    /// The one of this thread, or a new one.
    fn take() -> Result<Helper, firstbad::Error> {
        match IDLE.take() {
            Some(helper) if helper.process == std::process::id() => return Ok(helper),
            // What a thread left behind held at the fork may be held for ever: it is not touched.
            Some(left_behind) => std::mem::forget(left_behind),
            None => {}
        }
        let (jobs, given) = channel::<Job>();
        std::thread::Builder::new()
            .name("firstbad".to_owned())
            .spawn(move || given.into_iter().for_each(|job| job()))
            .map_err(|error| firstbad::Error::Io { action: "starting a thread".into(), message: error.to_string() })?;
        Ok(Helper { jobs, process: std::process::id() })
    }
}

/// Does `work` on another thread while this one keeps answering signals. A handler that raises (Ctrl-C) ends the wait
/// at once; what the work then still brings is handed to `too_late`.
pub(crate) fn interruptible<T, W, L>(py: Python<'_>, work: W, too_late: L) -> PyResult<T>
where
    T: Send + 'static,
    W: FnOnce() -> T + Send + 'static,
    L: FnOnce(T) + Send + 'static,
{
    // Without room in the channel a result is either received or known not to be.
    let (give, mut take) = sync_channel(0);
    let job = move || {
        if let Err(SendError(value)) = give.send(work()) {
            too_late(value);
        }
    };
    let helper = Helper::take().or_raise(py)?;
    helper.jobs.send(Box::new(job)).map_err(|_| internal(py))?;
    loop {
        let take = &mut take;
        match py.detach(move || take.recv_timeout(SLICE)) {
            Ok(value) => {
                // One whose work was not waited for ends with it, and one that panicked has ended.
                IDLE.set(Some(helper));
                return Ok(value);
            }
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Err(internal(py)),
        }
    }
}
