//! The smallest slice of a history that keeps a behaviour (Li, Zhu, Rubin and Chechik, "Precise Semantic History Slicing
//! through Dynamic Delta Refinement", 2016: DEFINER).
//!
//! Which changes does a feature need, to port it or to split a pull request? The search asks for sets of changes on top of a
//! base: all of them, none, and then smaller and smaller ones. Facts (`facts`) that runs show say how much each change matters
//! (`significance`), and what may go at once (`hints`); what changes rest on is predicted and seen (`dependencies`).
//! They say what is asked and when, and do not decide: what is answered was seen, and the proof (`proof`) asks for every set
//! that was put off.

mod algorithm;
mod charges;
mod config;
mod definer;
mod dependencies;
mod evidence;
mod facts;
mod hints;
mod message;
mod proof;
mod reduction;
mod report;
mod significance;
mod versions;

pub use algorithm::{Slice, Slicer};
pub use charges::Charge;
pub use config::{Scheme, SliceGranularity, SliceMethod, SlicedHistory, SlicerConfig};
pub use report::{SliceEvidence, SliceSize, SlicerReport, change_parts};
pub use versions::{Timeline, Uses, VersionGraph};
