//! All fuzz targets.

mod bisect_log;
mod build;
mod commit_graph;
mod commit_graph_file;
mod coverage;
mod journal;
mod patch;
mod repeated;
mod results;
mod search;
mod snapshot;
mod syntax;
mod text;

use crate::seeds;
use crate::target::Target;

const MIB: usize = 1 << 20;

/// All targets.
///
/// The memory limits are some thousand bytes per byte of the longest input. An input that only claims a large size must not need
/// more.
pub const ALL: &[Target] = &[
    target("commit-graph", 3000, commit_graph::take, seeds::commit_graphs),
    target("commit-graph-file", 2000, commit_graph_file::take, seeds::commit_graph_files),
    target("patch", 8000, patch::take, seeds::patches),
    target("journal", 1400, journal::take, seeds::journals),
    target("snapshot", 800, snapshot::take, seeds::snapshots),
    target("bazel", 2000, build::bazel, seeds::bazel),
    target("nx", 4000, build::nx, seeds::nx),
    target("turborepo", 3000, build::turborepo, seeds::turborepo),
    target("cargo", 1200, build::cargo, seeds::cargo),
    target("go", 2000, build::go, seeds::go),
    target("workspaces", 800, build::workspaces, seeds::workspaces),
    target("python", 300, build::python, seeds::python),
    target("javascript", 300, build::javascript, seeds::javascript),
    target("coverage", 8000, coverage::take, seeds::coverage),
    target("results-junit", 300, results::junit, seeds::results_junit),
    target("results-tap", 300, results::tap, seeds::results_tap),
    target("results-jest", 600, results::jest, seeds::results_jest),
    target("results-mocha", 800, results::mocha, seeds::results_mocha),
    target("results-go", 400, results::go, seeds::results_go),
    target("results-libtest", 800, results::libtest, seeds::results_libtest),
    target("results-jsonl", 500, results::jsonl, seeds::results_jsonl),
    target("results", 700, results::any, seeds::results),
    target("test-plan", 1000, results::plan, seeds::test_plans),
    target("outline", 40, syntax::outlines, seeds::outlines),
    target("repeated-source", 8, repeated::units, seeds::units),
    target("repeated-patch", 20, patch::repeated, seeds::patches),
    target("text", 200, text::texts, seeds::whole_texts),
    target("bisect-log", 8000, bisect_log::take, seeds::bisect_logs),
    target("search", 240, search::take, seeds::plays),
];

const fn target(name: &'static str, iterations: usize, take: fn(&[u8]), seeds: fn() -> Vec<Vec<u8>>) -> Target {
    Target { name, memory: 256 * MIB, iterations, take, seeds }
}
