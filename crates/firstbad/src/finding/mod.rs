pub(crate) mod commit;
pub(crate) mod find;
pub(crate) mod fingerprint;
