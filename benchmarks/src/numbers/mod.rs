//! Changes in numbers, compared with the ways of people and tools.

mod play;
mod table;
mod ways;
mod world;

pub(crate) use play::{config, search};
pub(crate) use table::run;
pub(crate) use world::{Machine, Noise, World};
