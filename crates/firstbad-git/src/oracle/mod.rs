//! Commands as oracles: [`command`] for revisions of a repository, [`file`] for contents of a file. Both run a command in
//! a folder of its own ([`group`], [`launch`]) and judge its ending ([`judge`]).

mod anew;
mod command;
mod control;
mod environment;
mod execution;
mod exit_code;
mod file;
mod gitmodules;
mod group;
mod judge;
mod launch;
mod links;
mod lock;
mod log;
mod memory;
mod options;
mod own_folder;
mod patched;
mod pool;
mod prepare;
mod preset;
mod ready;
mod record;
mod removal;
mod runner_rows;
mod signals;
mod signature;
mod sources;
mod stale;
mod submodules;
mod template;
mod tree;
mod verdict;
mod watcher;
mod work_tree;

pub use command::CommandOracle;
pub use environment::Environment;
pub use file::{FileOracle, FileRun};
pub use options::{BuildFolders, CommandOptions};
pub(crate) use own_folder::OwnFolder;
pub use preset::Preset;
pub use record::TestRecord;
pub(crate) use template::Template;
pub use verdict::Verdict;
