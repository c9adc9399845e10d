//! Commands that run chosen tests.

mod bazel;
mod cargo;
mod custom;
mod escape;
mod go;
mod javascript;
mod native;
mod of_runner;
mod plan;
mod pytest;
mod words;

pub use bazel::bazel_label;
pub use plan::{EnvironmentChange, Place, Plan, PlannedFile, Request, ResultsAt};
