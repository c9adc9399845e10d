//! The results of searches: the direction of the change, the commit that made it, and a fingerprint to recognize it.

pub(crate) mod commit;
pub(crate) mod find;
pub(crate) mod fingerprint;
