//! How a run ended: its outcome, reasons for doubt, and the fingerprint of its failure.

pub(crate) mod doubts;
pub(crate) mod exit_code;
pub(crate) mod judge;
pub(crate) mod patience;
pub(crate) mod signature;
