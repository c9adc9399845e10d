//! Everything that takes bytes from outside.

mod bisect_log;
mod build;
mod commit_graph;
mod commit_graph_file;
mod journal;
mod patch;
mod search;
mod snapshot;

use crate::seeds;
use crate::target::Target;

const MIB: usize = 1 << 20;

/// All targets.
///
/// What a target may take is some thousand bytes for each byte of the longest input, and no more where the input only says
/// that something is large.
pub const ALL: &[Target] = &[
    target("commit-graph", 1500, commit_graph::take, seeds::commit_graphs),
    target("commit-graph-file", 1000, commit_graph_file::take, seeds::commit_graph_files),
    target("patch", 4000, patch::take, seeds::patches),
    target("journal", 700, journal::take, seeds::journals),
    target("snapshot", 400, snapshot::take, seeds::snapshots),
    target("bazel", 1000, build::bazel, seeds::bazel),
    target("nx", 2000, build::nx, seeds::nx),
    target("turborepo", 1500, build::turborepo, seeds::turborepo),
    target("cargo", 600, build::cargo, seeds::cargo),
    target("go", 1000, build::go, seeds::go),
    target("workspaces", 400, build::workspaces, seeds::workspaces),
    target("python", 150, build::python, seeds::python),
    target("javascript", 150, build::javascript, seeds::javascript),
    target("bisect-log", 4000, bisect_log::take, seeds::bisect_logs),
    target("search", 120, search::take, seeds::plays),
];

const fn target(name: &'static str, iterations: usize, take: fn(&[u8]), seeds: fn() -> Vec<Vec<u8>>) -> Target {
    Target { name, memory: 256 * MIB, iterations, take, seeds }
}
