//! Files that are carried, put into a work tree.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use firstbad::Error;
use firstbad_git::git;
use firstbad_platform::{files, programs};

use super::work_tree::WorkTree;
use crate::options::carried::CarriedFile;

/// How old a carried file looks, in seconds since 1970: older than all that is checked out, so that `make` and its like build
/// what they would build without it. Archives know no time before 1980.
const AGE: Duration = Duration::from_secs(946_684_800);

/// What came of carrying files into a work tree.
#[derive(Debug, Default)]
pub(crate) struct Placed {
    /// Paths at which the revision has a file of its own, which was left as it is.
    pub(crate) own: BTreeSet<String>,
    /// Why one of them has no place there.
    pub(crate) obstacle: Option<String>,
}

impl WorkTree {
    /// Puts files into the work tree, where its revision has none of that path.
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
            // What is run here must not be open in a process that just begins elsewhere.
            match if file.executable { programs::written(put) } else { put() } {
                Ok(()) => {}
                Err(error) if is_in_the_way(&error) => {
                    placed.obstacle = Some(format!("{path} cannot be carried to this revision: {error}"));
                    break;
                }
                Err(error) => return Err(git::io(format!("writing {path}"), &error)),
            }
        }
        // Below a path that is a folder here, there are others.
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

/// Whether the revision has something else there: a file or a link where there has to be a folder, or a folder where there has
/// to be a file.
fn is_in_the_way(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, DirectoryNotEmpty, IsADirectory, NotADirectory, PermissionDenied};
    let kinds = [AlreadyExists, DirectoryNotEmpty, IsADirectory, NotADirectory, PermissionDenied];
    kinds.contains(&error.kind()) || files::is_link_error(error)
}
