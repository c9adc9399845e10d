//! Long work: without the interpreter's lock, and with an ear for Ctrl-C.

use std::sync::mpsc::{RecvTimeoutError, SendError, sync_channel};
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::{OrRaise, internal};

/// From this many revisions on, work on a graph is long: below it takes less than a thread's switch is worth.
pub(crate) const LARGE: usize = 4096;

/// From this many items on, work on sets of them is long.
pub(crate) const MANY: usize = 1 << 20;

/// How long a signal may wait for its handler.
pub(crate) const SLICE: Duration = Duration::from_millis(40);

/// Does `work` on a thread of its own while this one keeps answering signals. A handler that raises (Ctrl-C) ends
/// the wait at once; what the work then still brings is handed to `too_late`.
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
    std::thread::Builder::new()
        .name("firstbad".to_owned())
        .spawn(job)
        .map_err(|error| firstbad::Error::Io { action: "starting a thread".into(), message: error.to_string() })
        .or_raise(py)?;
    loop {
        let take = &mut take;
        match py.detach(move || take.recv_timeout(SLICE)) {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Err(internal(py)),
        }
    }
}
