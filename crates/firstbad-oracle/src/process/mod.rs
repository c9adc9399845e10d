//! Commands as processes: how they start, which group they are, what they print, and how they end.

pub(crate) mod control;
pub(crate) mod group;
pub(crate) mod job;
pub(crate) mod launch;
pub(crate) mod log;
pub(crate) mod memory;
pub(crate) mod output;
pub(crate) mod signals;
