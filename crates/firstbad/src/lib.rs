//! The algorithms of `firstbad`, which finds the commit that broke a test.
//!
//! A [`Search`] has an ask/tell interface and never runs a test: it asks for revisions, and the caller tells it their outcomes.
//! This crate does no I/O, starts no threads, reads no clock, and uses no ambient randomness. The same configuration and the same
//! events lead to the same probes in every language and on every machine.
//!
//! ```
//! use firstbad::{CommitGraph, Outcome, RegressionConfig, RegressionSearch, Search, Status};
//!
//! let graph = CommitGraph::linear(["1.0", "1.1", "1.2", "1.3"])?;
//! let mut search = RegressionSearch::new(graph, RegressionConfig::new(["1.3"]).good(["1.0"]))?;
//! while !search.is_done() {
//!     for probe in search.ask(1)? {
//!         let broken = matches!(probe.revision(), "1.2" | "1.3");
//!         search.tell(probe.id, if broken { Outcome::Fail } else { Outcome::Pass }.into())?;
//!     }
//! }
//! let report = search.report();
//! assert_eq!(report.status, Status::Found);
//! assert_eq!((report.points[0].good.as_deref(), report.points[0].bad.as_str()), (Some("1.1"), "1.2"));
//! # Ok::<(), firstbad::Error>(())
//! ```

#![deny(missing_docs)]

mod algorithms;
mod belief;
pub mod culprit;
mod error;
mod finding;
pub mod graph;
mod items;
pub mod metric;
#[cfg(test)]
mod options;
pub mod patch;
pub mod porting;
pub mod reduction;
pub mod regression;
mod report;
#[cfg(test)]
mod reports;
pub mod search;
pub mod slicing;
pub mod suite;
pub mod suspicion;
pub mod text;
mod words;

pub use algorithms::{Configuration, OPTIONS, defaults, open, restore};
pub use belief::percent;
pub use culprit::{
    CulpritConfig, CulpritReport, CulpritSearch, CulpritVerifier, VerificationConfig, VerificationReport,
};
pub use error::spelling::Spelling;
pub use error::{Details, Error, Stopping};
pub use finding::commit::{Commit, CommitStats, FileStats, SubmoduleChange};
pub use finding::find::Find;
pub use finding::fingerprint::fingerprint;
pub use graph::{CommitGraph, GraphBuilder, Origin};
pub use items::digest;
pub use metric::{ChangeConclusion, ChangeConfig, ChangeReport, ChangeSearch, Step};
pub use patch::Patch;
pub use porting::{PortedPatch, Porter, PorterConfig, PorterReport};
pub use reduction::{IsolateReport, Isolator, MinimizeReport, Minimizer, ReductionConfig};
pub use regression::{RegressionConfig, RegressionPoint, RegressionReport, RegressionSearch};
pub use report::Report;
pub use search::explanation::{Explanation, explain};
pub use search::{
    AskTell, Budget, Carrying, ChangeSet, Content, Driving, Event, EventLimits, Expense, Forecast, Inspect, Ledger,
    LedgerEntry, MOST_IN_FLIGHT, Observation, Outcome, OutcomeCache, Probe, Progress, Read, Request, Run, RunOptions,
    Search, Stage, Status, StopReason, Target, TargetObservation, TestResult, World,
};
pub use slicing::{SliceGranularity, SlicedHistory, Slicer, SlicerConfig, SlicerReport};
pub use suite::{KeepBuilds, TestVerdict, TriageConfig, TriageCulprit, TriageReport, TriageSearch, Verdict};
pub use text::Text;
pub use words::json;
pub use words::nearest::{instead, nearest};
pub use words::printable::{capital, for_logs, printable, printable_json, short, shortened, with_short_ids};
