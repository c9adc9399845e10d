//! The part of an environment that lies in a work tree: what is moved out of it, and linked into it.

use std::io;
use std::path::{Path, PathBuf};

use firstbad::Error;
use firstbad_git::git;

use crate::options::environment::Environment;
use crate::worktree::work_tree::{Preparation, WorkTree};

impl WorkTree {
    /// Removes what a run has left where there are to be links.
    ///
    /// # Errors
    /// Those of the system, also where a link leads to the place.
    pub(crate) fn clear(&self, links: &[PathBuf]) -> io::Result<()> {
        let folder = self.open()?;
        links.iter().try_for_each(|link| match folder.remove(link) {
            // Neither is the folder above it.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(()),
            ended => ended,
        })
    }

    /// Moves what the command has left in the work tree into the environment.
    ///
    /// # Errors
    /// [`Error::Git`], with the words of the program that moves it; [`Error::Io`], [`Error::Interrupted`].
    pub(crate) fn give_up(
        &self,
        links: &[PathBuf],
        environment: &Path,
        how: &mut Preparation<'_, '_>,
    ) -> Result<(), Error> {
        for link in links {
            let (from, to) = (self.folder().join(link), environment.join(link));
            let is_there = |path: &Path| std::fs::symlink_metadata(path);
            let above = link.parent().unwrap_or(Path::new(""));
            let is_plain = self.open().and_then(|folder| folder.inside(above)).is_ok();
            if !is_plain || is_there(&to).is_ok() || is_there(&from).map_or(true, |found| found.is_symlink()) {
                continue;
            }
            let made = to.parent().map_or(Ok(()), std::fs::create_dir_all);
            made.map_err(|error| git::io(format!("making the folder for {}", to.display()), &error))?;
            self.hand_over(&from, &to, how)?;
        }
        Ok(())
    }

    /// Moves a file or a folder. The two may lie on different disks, and this program knows how to do that.
    #[cfg(unix)]
    fn hand_over(&self, from: &Path, to: &Path, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        self.run(std::process::Command::new("mv").arg("--").arg(from).arg(to), how)
    }

    /// Moves a file or a folder. On Windows both have to lie on one disk.
    #[cfg(windows)]
    fn hand_over(&self, from: &Path, to: &Path, _: &mut Preparation<'_, '_>) -> Result<(), Error> {
        std::fs::rename(from, to)
            .map_err(|error| git::io(format!("moving {} to {}", from.display(), to.display()), &error))
    }

    /// Links what an environment has into the work tree. What stands in the way comes back in words.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(crate) fn show(&self, environment: &Environment, from: &Path) -> Result<Option<String>, Error> {
        let links: Vec<PathBuf> = environment.links().filter(|link| from.join(link).exists()).collect();
        if links.is_empty() {
            return Ok(None);
        }
        let failed = |error: &io::Error| git::io(format!("linking into {}", self.folder().display()), error);
        let folder = self.open().map_err(|error| failed(&error))?;
        for link in &links {
            // A link or a file of the revision's own may be on the way.
            if let Err(error) = folder.made(link.parent().unwrap_or(Path::new(""))) {
                return Ok(Some(format!("nothing can be linked at {}: {error}", link.display())));
            }
            folder.remove(link).and_then(|()| folder.link(link, &from.join(link))).map_err(|error| failed(&error))?;
        }
        // `git status` is as it would be with a folder that the revision ignores: most say "node_modules/", and mean folders
        // alone. It goes with the next preparation.
        let lines: String = links.iter().map(|link| format!("/{}\n", escaped(link))).collect();
        let info = folder.inside(Path::new(".git")).and_then(|git_dir| git_dir.made(Path::new("info")));
        let written = info.and_then(|info| info.write(Path::new("exclude"), lines.as_bytes()));
        written.map(|()| None).map_err(|error| failed(&error))
    }
}

/// A path as a pattern that matches nothing else.
fn escaped(path: &Path) -> String {
    let mut text = String::new();
    for letter in path.to_string_lossy().chars() {
        if matches!(letter, '\\' | '*' | '?' | '[' | ' ') {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}
