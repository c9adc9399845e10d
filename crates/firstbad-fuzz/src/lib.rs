//! Fuzz targets for all untrusted input.
//!
//! A [`Target`] passes bytes to a parser, or plays them as the steps of a driver, and panics if the code breaks a promise:
//!
//! - Parsed values can be written and parsed again.
//! - Invalid input is rejected with an error.
//! - Memory stays below [`Target::memory`], and time below [`WATCHDOG`].
//!
//! `cargo test` runs every target on its seeds, on its [corpus](Target::corpus), and on mutations from a fixed seed. `make fuzz
//! SECONDS=600` runs libFuzzer, which is guided by code coverage.

mod cost;
mod mutations;
mod peak;
mod seeds;
mod target;
mod targets;

pub use mutations::Mutations;
pub use peak::Measured;
pub use target::{LONGEST, Target, WATCHDOG};
pub use targets::ALL;
