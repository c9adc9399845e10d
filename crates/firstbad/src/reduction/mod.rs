//! Delta debugging: finds the smallest set of items that still has a property, or the smallest difference between two sets.
//!
//! The same code reduces any list. Items are numbered from 0, oldest first, and the newest are tried first. The algorithms
//! are ddmin and dd (Zeller and Hildebrandt 2002; IDD, Section 3.2), the recursion of IDD (Section 3.1), and adaptive group
//! testing. Group testing is equivalent to delta debugging if every superset of a set with the property also has it.

mod config;
mod dd;
mod ddmin;
mod definitions;
mod density;
mod edits;
mod expected;
mod futures;
mod granularity;
mod isolate;
mod known;
mod message;
mod minimize;
mod nested;
mod pass;
mod pieces;
mod plan;
mod recursive;
mod replacements;
mod report;
mod requirements;
mod singles;
mod steps;
mod structure;
mod tested_sets;
mod tree;
mod units;
mod verdicts;

pub use crate::items::needs::Need;
pub use crate::items::repeats::Repeat;
pub(crate) use config::kept;
pub use config::{Guarantee, Guess, Method, ReductionConfig};
pub use granularity::Granularity;
pub use isolate::Isolate;
pub use known::{Accepts, KnownParts};
pub use minimize::Minimize;
pub use report::{IsolateReport, MinimizeReport};
pub use structure::{options_in_lines, options_in_patch, options_in_text};

pub(crate) use definitions::brackets;
pub(crate) use edits::parents as edits;
pub(crate) use expected::Expect;
pub(crate) use requirements::Requirements;
pub(crate) use tested_sets::TestedSets;
pub(crate) use verdicts::{FULL, Verdict};

use crate::search::AskTell;

/// A search for the smallest set of items that still has a property.
///
/// ```
/// use firstbad::{Minimizer, Outcome, ReductionConfig, Search};
///
/// let mut search = Minimizer::new(8usize, ReductionConfig::default())?;
/// while !search.is_done() {
///     for probe in search.ask(1)? {
///         let holds = probe.changes().is_some_and(|kept| kept.contains(5));
///         search.tell(probe.id, if holds { Outcome::Pass } else { Outcome::Fail }.into())?;
///     }
/// }
/// assert_eq!(search.report().kept, [5]);
/// # Ok::<(), firstbad::Error>(())
/// ```
pub type Minimizer = AskTell<Minimize>;

/// A search for the smallest difference between a set that has a property and a set that lacks it.
pub type Isolator = AskTell<Isolate>;
