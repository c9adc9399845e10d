//! Runs commands as oracles for `firstbad`.
//!
//! [`CommandOracle`] runs a command for a revision of a repository, optionally with a patch on top. Each run has a worktree
//! outside the user's checkout. [`SuiteOracle`] runs chosen tests of a revision with one build. [`MeasureOracle`] measures
//! numbers at a revision. [`FileOracle`] runs a command for the contents of files, and [`ListOracle`] for the ids of a
//! list. Each oracle starts the command in a new process group (`process/`) and judges how it ends (`judging/`).
//!
//! Worktrees run the filters of the user's own configuration, because Git LFS needs them. They run filters of the repository's
//! configuration only if [`CommandOptions::allow_filters`] is set.
//!
//! ```no_run
//! use firstbad_git::Repository;
//! use firstbad_oracle::{CommandOptions, CommandOracle};
//!
//! let repository = Repository::open(".")?;
//! let oracle = CommandOracle::new(&repository, vec!["make".into(), "test".into()], CommandOptions::default())?;
//! println!("main: {}", oracle.run("main")?.describe());
//! # Ok::<(), firstbad::Error>(())
//! ```

mod checkout;
mod command;
mod environment;
mod file;
mod judging;
mod list;
mod measure;
mod notices;
mod options;
mod process;
mod ready;
mod record;
mod suite;
mod worktree;

pub use checkout::carry::{NamedFiles, NotCarried, carried_files, changed_files, files_named, misplaced_files};
pub use command::{CommandOracle, RunKind};
pub use file::{FileOracle, FileRun};
pub use list::ListOracle;
pub use measure::{MeasureOracle, MetricKind};
pub use notices::Notice;
pub use options::CommandOptions;
pub use options::carried::{CarriedFile, CopyFiles};
pub use options::environment::Environment;
pub use options::measure::{MeasureOptions, Take};
pub use options::preset::{Preset, PresetChoice};
pub use options::suite::SuiteOptions;
pub use options::verdict::Verdict;
pub use ready::ready_revisions;
pub use record::TestRecord;
pub use suite::SuiteOracle;
