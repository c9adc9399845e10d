//! A command as an oracle for `firstbad`.
//!
//! [`CommandOracle`] runs a command for a revision of a repository, in a work tree of its own outside the user's checkout, with a
//! patch on it if one is given. [`FileOracle`] runs one for contents of a file, and [`ListOracle`] for ids. Each runs a command in a
//! process group of its own ([`process`]) and judges its ending ([`judging`]). Filters of the user's own configuration are run in work
//! trees, as Git LFS needs it; those of the repository's only if [`CommandOptions`] allow them.
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
mod notices;
mod options;
mod process;
mod ready;
mod record;
mod worktree;

pub use checkout::carry::{NamedFiles, NotCarried, carried_files, changed_files, files_named, misplaced_files};
pub use command::{CommandOracle, RunKind};
pub use file::{FileOracle, FileRun};
pub use list::ListOracle;
pub use notices::Notice;
pub use options::carried::{CarriedFile, Carry};
pub use options::environment::Environment;
pub use options::preset::{Preset, PresetChoice};
pub use options::verdict::Verdict;
pub use options::{BuildFolders, CommandOptions};
pub use ready::ready_revisions;
pub use record::TestRecord;
