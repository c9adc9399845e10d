//! Journals, leases, and shared outcomes for searches that outlive their process.
//!
//! A [`Session`] wraps any [`Search`](firstbad::Search):
//!
//! - With a journal, every event is on disk before the caller receives it, so a killed run can be resumed.
//! - With leases, probes of machines that disappear are handed out again.
//! - With an [outcome cache](firstbad::OutcomeCache), a search reuses the outcomes of other runs.
//!
//! A journal is a file of JSON lines: a [`Header`] that identifies the search and the source of its history, then one [`Record`]
//! for each event. Each line has a checksum that reveals damage. Only one process can write to a journal at a time.
//!
//! ```
//! use firstbad::{CommitGraph, Outcome, Search};
//! use firstbad_journal::{Options, Session};
//!
//! let folder = std::env::temp_dir().join(format!("firstbad-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).unwrap();
//! let path = folder.join("run.jsonl");
//! let configuration = serde_json::json!({"bad": ["1.3"], "good": ["1.0"]});
//! let search = || -> Result<Session, firstbad::Error> {
//!     let graph = CommitGraph::linear(["1.0", "1.1", "1.2", "1.3"])?;
//!     let mut session = Session::new(firstbad::open("regression", std::sync::Arc::new(graph), &configuration)?);
//!     session.attach(&path, &Options::default())?;
//!     Ok(session)
//! };
//! let mut first = search()?;
//! let probe = first.ask(1)?.remove(0);
//! first.tell(probe.id, Outcome::Pass.into())?;
//! drop(first); // or the process is killed
//! assert_eq!(search()?.runs(), 1);
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok::<(), firstbad::Error>(())
//! ```

mod clock;
mod contents;
mod difference;
mod disk;
mod duplicates;
mod facts;
mod fields;
mod file;
mod graph_file;
mod header;
mod known;
mod limits;
mod lock;
mod mark;
mod options;
mod reads;
mod record;
mod recorded;
mod sealed;
mod session;
mod shared_outcomes;
mod test;
mod variables;

pub use clock::moment;
pub use contents::{Contents, read, read_header};
pub use header::{Header, WorldRecord};
pub use options::Options;
pub use record::{Record, now};
pub use session::{Opening, Session};
pub use test::Test;
