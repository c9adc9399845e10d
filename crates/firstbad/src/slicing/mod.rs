//! The smallest slice of a history that keeps a behavior (Li, Zhu, Rubin and Chechik, "Precise Semantic History Slicing
//! through Dynamic Delta Refinement", 2016: DEFINER).
//!
//! A slice contains the changes that a feature needs, for example to port it or to split a pull request. The search tests
//! sets of changes on top of a base: all of them, none, and then smaller and smaller sets. Facts that runs observe (`facts`)
//! estimate how much each change matters (`significance`) and suggest removals (`hints`). Dependencies are predicted and
//! observed (`dependencies`). All of these only influence the order of the tests. The result relies on observed outcomes
//! alone, and the proof (`proof`) tests every set that was postponed.

mod algorithm;
mod charges;
mod config;
mod definer;
mod dependencies;
mod evidence;
mod facts;
mod findings;
mod growth;
mod hints;
mod message;
mod proof;
mod reduction;
mod report;
mod significance;
mod unresolved;
mod versions;

pub use algorithm::{Slice, Slicer};
pub use charges::Charge;
pub use config::{Scheme, SliceGranularity, SliceMethod, SlicedHistory, SlicerConfig};
pub use report::{SliceEvidence, SliceSize, SlicerReport, change_parts};
pub use versions::{Timeline, Uses, VersionGraph};
