pub mod digest;
pub(crate) mod needs;
pub(crate) mod repeats;
