//! Hostile inputs for everything that is read from outside.
//!
//! A [`Target`] takes bytes, hands them to one parser (or plays them as a driver against a search) and panics where that does
//! not do as it promises: what it reads it can write and read again, an input is refused with an error, and neither memory
//! ([`Target::memory`]) nor time ([`WATCHDOG`]) goes beyond what is stated. `cargo test` runs every target on its seeds, on
//! the [corpus](Target::corpus) that fuzzing has left here, and on mutations of these from a fixed number;
//! `make fuzz SECONDS=600` lets libFuzzer look for more, guided by what the code covers.

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
