//! Processes of commands: how they start, their groups, their output, and how they end.

pub(crate) mod control;
pub(crate) mod group;
pub(crate) mod job;
pub(crate) mod launch;
pub(crate) mod log;
pub(crate) mod memory;
pub(crate) mod output;
pub(crate) mod signals;
pub(crate) mod stdout;
