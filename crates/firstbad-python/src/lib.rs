//! The native module `firstbad._native`, which only converts values. The package in `python/firstbad` is the public interface.
//!
//! Long work releases the interpreter's lock and can be interrupted with Ctrl-C (`work`). Errors become the exceptions of
//! `firstbad._errors` (`errors`).

mod answer;
mod build_graph;
mod card;
mod changes;
mod command_line;
mod content;
mod digest;
mod errors;
mod explain;
mod graph;
mod graph_input;
mod journal;
mod measurement;
mod nearest;
mod number;
mod pace;
mod patch;
mod porting;
mod posterior;
mod probe;
mod ranking;
mod report;
mod repository;
mod results;
mod run;
mod sample;
mod search;
mod series;
mod slices;
mod store;
mod text;
mod variants;
mod work;

/// The private binding under the package `firstbad`.
///
/// Free-threaded Python is not tested. Such an interpreter re-enables its lock for this module, with a warning.
#[pyo3::pymodule(gil_used = true)]
mod _native {
    #[pymodule_export]
    use super::answer::{counted_outcome, none_returned, outcome_name, outcome_of_results, stage_name};
    #[pymodule_export]
    use super::build_graph::{BuildGraph, changes_between};
    #[pymodule_export]
    use super::card::{belief_card, card, card_page, journal_card, reduction_card, store_card};
    #[pymodule_export]
    use super::command_line::cli;
    #[pymodule_export]
    use super::content::rank_commits;
    #[pymodule_export]
    use super::digest::digest;
    #[pymodule_export]
    use super::explain::{explain, explained, explained_report};
    #[pymodule_export]
    use super::graph::CommitGraph;
    #[pymodule_export]
    use super::journal::{attach, detach, records, tested_by};
    #[pymodule_export]
    use super::nearest::instead;
    #[pymodule_export]
    use super::patch::{Patch, options_in_patch};
    #[pymodule_export]
    use super::porting::{port_also, port_svg};
    #[pymodule_export]
    use super::posterior::{Posterior, percent};
    #[pymodule_export]
    use super::probe::Probe;
    #[pymodule_export]
    use super::ranking::{CommitRanking, Factor, Ranking, fit_sharpness};
    #[pymodule_export]
    use super::report::{cause_cards, change_svg, in_form, printable, read_causes, read_report, spelled};
    #[pymodule_export]
    use super::repository::{CommandOracle, Repository};
    #[pymodule_export]
    use super::results::read_results;
    #[pymodule_export]
    use super::run::Run;
    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use super::sample::sample_for_verification;
    #[pymodule_export]
    use super::search::{Search, defaults, open, restore};
    #[pymodule_export]
    use super::series::hunk_dependencies;
    #[pymodule_export]
    use super::slices::{Slices, describe_slice};
    #[pymodule_export]
    use super::store::{count_stored, forget_stored, share, store, store_trouble, stored};
    #[pymodule_export]
    use super::text::{Text, options_in_lines, options_in_text, outline};
    #[pymodule_export]
    use super::variants::{Carried, Variants};
}
