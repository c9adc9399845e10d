//! What a search finds: which change is sought, the commit that made it, and a name by which it is known again.

pub(crate) mod commit;
pub(crate) mod find;
pub(crate) mod fingerprint;
