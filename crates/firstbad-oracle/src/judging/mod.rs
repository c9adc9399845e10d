//! How a run ended: its outcome, what makes it doubtful, and which failure it is.

pub(crate) mod doubts;
pub(crate) mod exit_code;
pub(crate) mod judge;
pub(crate) mod patience;
pub(crate) mod signature;
