//! Commands that run chosen tests, and the recognition of runners from commands.

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
mod recognize;
mod words;

pub use bazel::bazel_label;
pub use plan::{EnvironmentChange, Place, Plan, PlannedFile, Request, ResultsAt};
