//! The patches and the branch of a slice.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use firstbad::{ChangeSet, Error, SlicerReport};
use firstbad_git::{Repository, Slices};
use firstbad_report::{SliceBranch, Sliced};

use crate::args::SliceArgs;
use crate::folders;

/// The requested patches and branch.
pub(super) struct Product<'a> {
    patches: Option<&'a Path>,
    branch: Option<&'a str>,
}

impl<'a> Product<'a> {
    pub(super) fn of(args: &'a SliceArgs) -> Self {
        Product { patches: args.patches.as_deref(), branch: args.branch.as_deref() }
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.patches.is_some() || self.branch.is_some()
    }

    /// Checks the folder and the branch before the first test.
    pub(super) fn check(&self, repository: &Repository) -> Result<(), Error> {
        if let Some(name) = self.branch {
            Slices::check_branch(repository, name).map_err(|error| error.renamed("name", "--branch"))?;
        }
        let Some(folder) = self.patches else { return Ok(()) };
        let failed = |error: &std::io::Error| Error::Io {
            action: format!("reading {}", folder.display()),
            message: error.to_string(),
        };
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) if error.kind() == ErrorKind::NotADirectory => {
                return Err(Error::invalid("--patches", folder.display(), "a folder, or a new path"));
            }
            Err(error) => return Err(failed(&error)),
        };
        for entry in entries {
            // `git am DIR/*.patch` must not apply other patches.
            let name = entry.map_err(|error| failed(&error))?.file_name();
            if Path::new(&name).extension().is_some_and(|ending| ending == "patch") {
                let expected = format!("a folder without patches, and this folder has {}", name.display());
                return Err(Error::invalid("--patches", folder.display(), expected));
            }
        }
        Ok(())
    }

    /// Writes the patches and creates the branch.
    pub(super) fn make(&self, slices: &Slices, report: &SlicerReport, sliced: &mut Sliced) -> Result<(), Error> {
        let kept = report.slice()?;
        if let Some(folder) = self.patches {
            sliced.patches = write(folder, slices, &kept)?;
        }
        if let Some(name) = self.branch {
            let commit = slices.create_branch(name, &kept).map_err(|error| error.renamed("name", "--branch"))?;
            sliced.branch = Some(SliceBranch { name: name.to_owned(), commit });
        }
        Ok(())
    }
}

/// Writes the patches and returns their paths.
fn write(folder: &Path, slices: &Slices, kept: &ChangeSet) -> Result<Vec<String>, Error> {
    let named = slices.commits(kept)?.into_iter().map(|commit| (commit.name, commit.patch));
    let written = folders::write(folder, named)?;
    Ok(written.iter().map(|path| path.display().to_string()).collect())
}
