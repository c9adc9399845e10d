//! The presentation of results: for a terminal, as Markdown, as HTML with pictures as SVG, as annotations of CI services, and as JSON.
//!
//! [`Summary::of`] combines a report of the core with the facts of its host, and [`Summary::in_form`] presents it. The command
//! line, Python, and Node use this crate, so their output is the same. The crate performs no I/O. Cards for notebooks and pages
//! are in [`card`], pictures of histories in [`draw`], figures of iterative delta debugging in [`porting`], and plots of changes in numbers are
//! [`change_svg`] and [`text_plot`].
//!
//! ```
//! use firstbad::{CommitGraph, Outcome, RegressionConfig, RegressionSearch, Report, Search};
//! use firstbad_report::{Form, Known, Summary};
//!
//! let graph = CommitGraph::linear(["1.0", "1.1", "1.2"])?;
//! let mut search = RegressionSearch::new(graph, RegressionConfig::new(["1.2"]).good(["1.0"]))?;
//! while !search.is_done() {
//!     for probe in search.ask(1)? {
//!         let seen = if probe.revision() == "1.2" { Outcome::Fail } else { Outcome::Pass };
//!         search.tell(probe.id, seen.into())?;
//!     }
//! }
//! let words = Summary::of(Report::Regression(search.report()), Known::default())?.in_form(Form::Text)?;
//! assert!(words.starts_with("First bad commit: 1.2\n"), "{words}");
//! # Ok::<(), firstbad::Error>(())
//! ```

#![deny(missing_docs)]

pub mod card;
mod change;
pub mod draw;
mod exit;
pub mod porting;
mod quantities;
mod rankings;
mod render;
mod rows;
mod slicing;
mod style;
mod summary;
mod triage;

pub use change::{change_svg, text_plot};
pub use exit::Exit;
pub use rankings::{content_markdown, content_text, ranking_markdown, ranking_text};
pub use render::{Form, ReadCause, cards_of_causes, cause_cards, in_form, junit, ranking, read, read_causes, share};
pub use rows::{Row, rows};
pub use style::plain;
pub use summary::{
    About, Asked, Cause, CauseOfPoint, Counts, Explained, Flakiness, Inside, Judged, Known, KnownCause, Left, Order,
    Place, Ranked, Reduced, ReducedFile, SliceBranch, Sliced, Summary,
};
