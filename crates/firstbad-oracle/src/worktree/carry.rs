//! Copies files of the checkout into worktrees.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use firstbad::Error;
use firstbad_git::git;
use firstbad_platform::{files, programs};

use super::work_tree::WorkTree;
use crate::options::carried::CarriedFile;

/// The modification time of copied files, in seconds since 1970: the year 2000. They are older than all checked-out files, so
/// `make` does not rebuild anything because of them. Archives cannot express times before 1980.
const AGE: Duration = Duration::from_secs(946_684_800);

/// The result of copying files into a worktree.
#[derive(Debug, Default)]
pub(crate) struct Placed {
    /// The paths at which the revision has a file, which stays unchanged.
    pub(crate) own: BTreeSet<String>,
    /// The reason why one of the files could not be placed.
    pub(crate) obstacle: Option<String>,
}

impl WorkTree {
    /// Copies files into the worktree, except those that its revision has.
    ///
    /// # Errors
    /// [`Error::Git`], [`Error::Io`].
    pub(crate) fn place_files(&self, carried: &BTreeMap<String, CarriedFile>) -> Result<Placed, Error> {
        let mut placed = Placed::default();
        if carried.is_empty() {
            return Ok(placed);
        }
        let mut listing = self.git();
        listing.args(["--literal-pathspecs", "ls-files", "-z", "--cached", "--"]).args(carried.keys());
        placed.own = git::names_of(&git::output(&mut listing, b"")?).into_iter().collect();
        for (path, file) in carried.iter().filter(|(path, _)| !placed.own.contains(*path)) {
            let put = || self.put(Path::new(path), file);
            // An executable file must not stay open in a process that is just starting.
            match if file.executable { programs::written(put) } else { put() } {
                Ok(()) => {}
                Err(error) if is_in_the_way(&error) => {
                    placed.obstacle = Some(format!("{path} cannot be copied to this revision: {error}"));
                    break;
                }
                Err(error) => return Err(git::io(format!("writing {path}"), &error)),
            }
        }
        // If a path is a folder here, Git also lists the files in it.
        placed.own.retain(|path| carried.contains_key(path));
        Ok(placed)
    }

    fn put(&self, path: &Path, file: &CarriedFile) -> io::Result<()> {
        let top = self.open()?;
        top.made(path.parent().unwrap_or(Path::new("")))?;
        let mut to = top.fresh(path)?;
        to.write_all(file.content.bytes())?;
        if file.executable {
            files::make_executable(&to)?;
        }
        to.set_modified(SystemTime::UNIX_EPOCH + AGE)
    }
}

/// Returns whether the revision has a file or link at the path of a folder, or a folder at the path of a file.
fn is_in_the_way(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, DirectoryNotEmpty, IsADirectory, NotADirectory, PermissionDenied};
    let kinds = [AlreadyExists, DirectoryNotEmpty, IsADirectory, NotADirectory, PermissionDenied];
    kinds.contains(&error.kind()) || files::is_link_error(error)
}
