//! Suspicion: rankings of changes without a test run, from the files that they touch. Source: Culprit Finder (Ziftci and Reardon
//! 2017).
//!
//! A [`BuildGraph`] contains the files that a test depends on. If the graph [knows all inputs](BuildGraphKind::knows_all_inputs),
//! a change that touches none of these files cannot have broken the test (Definition 9). Other changes are more suspicious if
//! they touch more targets or closer targets (Definition 11). A [`Ranking`] can be read by people or become the
//! [prior](Ranking::prior) of a culprit search.
//!
//! ```
//! use firstbad::suspicion::{BuildGraphBuilder, Changelist, RankOptions, rank};
//!
//! let mut builder = BuildGraphBuilder::new();
//! builder.target("//app:test").file("app_test.py").dep("//app:lib");
//! builder.target("//app:lib").file("lib.py").dep("//base:base");
//! builder.target("//base:base").file("base.py");
//! builder.target("//docs:docs").file("readme.md");
//! let graph = builder.build()?;
//! let changes = [Changelist::new("c1", ["base.py"]), Changelist::new("c2", ["readme.md"]), Changelist::new("c3", ["lib.py"])];
//! let ranking = rank(&graph, &changes, &["//app:test"], &RankOptions::default())?;
//! assert_eq!(ranking.suspects.iter().map(|s| s.change.as_str()).collect::<Vec<_>>(), ["c3", "c1"]);
//! assert_eq!(ranking.excluded, ["c2"]);
//! # Ok::<(), firstbad::Error>(())
//! ```

mod build_graph;
mod changelist;
mod components;
mod content;
mod distance;
mod factor;
mod history;
mod kind;
mod message;
mod names;
mod owners;
mod prior;
mod rank;
mod ranking;
mod test_target;
mod trace;
mod written;

pub use build_graph::{BuildGraph, BuildGraphBuilder};
pub use changelist::{Changelist, FileStatus};
pub use content::{
    CommitRanking, CommitReason, CommitSuspect, ReasonedWeights, SelectionReason, is_documentation, is_test_file,
    rank_commits, rank_commits_in, tests_of_command,
};
pub use distance::weighted_distance;
pub use factor::{Factor, FactorConfig};
pub use history::HistoryPrior;
pub use kind::BuildGraphKind;
pub use prior::{PriorBy, PriorOptions, fit_sharpness};
pub use rank::rank;
pub use ranking::{Heuristic, RankOptions, Ranking, RankingReason, Suspect};
