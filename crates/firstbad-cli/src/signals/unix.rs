//! Signals on Unix.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag::register_conditional_default;
use signal_hook::iterator::{Handle, Signals};

/// A thread that waits for signals until it is dropped.
pub(super) struct Source(Handle);

impl Source {
    pub(super) fn listen(hear: impl Fn(i32) + Send + 'static) -> io::Result<Source> {
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let handle = signals.handle();
        let listen = move || signals.forever().for_each(hear);
        std::thread::Builder::new().name("firstbad-signals".to_owned()).spawn(listen)?;
        Ok(Source(handle))
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.0.close();
    }
}

pub(super) fn end_the_process() {
    for signal in [SIGINT, SIGTERM] {
        let _ = register_conditional_default(signal, Arc::new(AtomicBool::new(true)));
    }
}
