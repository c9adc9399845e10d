//! Moves files of an environment out of a worktree, and links them into worktrees.

use std::io;
use std::path::{Path, PathBuf};

use firstbad::Error;
use firstbad_git::git;

use crate::options::environment::Environment;
use crate::worktree::work_tree::{Preparation, WorkTree};

impl WorkTree {
    /// Removes the files at the paths of links.
    ///
    /// # Errors
    /// Errors of the system, also if a link leads to the folder.
    pub(crate) fn clear(&self, links: &[PathBuf]) -> io::Result<()> {
        let folder = self.open()?;
        links.iter().try_for_each(|link| match folder.remove(link) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(()),
            ended => ended,
        })
    }

    /// Moves the files that the command created in the worktree into the environment.
    ///
    /// # Errors
    /// [`Error::Git`] with the output of the program that moves them, [`Error::Io`], [`Error::Interrupted`].
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

    /// Moves a file or folder with `mv`, which can also move to another disk.
    #[cfg(unix)]
    fn hand_over(&self, from: &Path, to: &Path, how: &mut Preparation<'_, '_>) -> Result<(), Error> {
        self.run(std::process::Command::new("mv").arg("--").arg(from).arg(to), how)
    }

    /// Moves a file or folder. On Windows, both paths must be on one disk.
    #[cfg(windows)]
    fn hand_over(&self, from: &Path, to: &Path, _: &mut Preparation<'_, '_>) -> Result<(), Error> {
        std::fs::rename(from, to)
            .map_err(|error| git::io(format!("moving {} to {}", from.display(), to.display()), &error))
    }

    /// Links the files of an environment into the worktree. Returns a description if something blocks a link.
    ///
    /// # Errors
    /// [`Error::Io`] if a link cannot be created.
    pub(crate) fn show(&self, environment: &Environment, from: &Path) -> Result<Option<String>, Error> {
        let links: Vec<PathBuf> = environment.links().filter(|link| from.join(link).exists()).collect();
        if links.is_empty() {
            return Ok(None);
        }
        let failed = |error: &io::Error| git::io(format!("linking into {}", self.folder().display()), error);
        let folder = self.open().map_err(|error| failed(&error))?;
        for link in &links {
            // The revision may have a link or a file at a parent path.
            if let Err(error) = folder.made(link.parent().unwrap_or(Path::new(""))) {
                return Ok(Some(format!("nothing can be linked at {}: {error}", link.display())));
            }
            folder.remove(link).and_then(|()| folder.link(link, &from.join(link))).map_err(|error| failed(&error))?;
        }
        // Most revisions ignore `node_modules/`, which matches only folders, so Git would list the link as untracked. The next
        // preparation removes these lines.
        let lines: String = links.iter().map(|link| format!("/{}\n", escaped(link))).collect();
        let info = folder.inside(Path::new(".git")).and_then(|git_dir| git_dir.made(Path::new("info")));
        let written = info.and_then(|info| info.write(Path::new("exclude"), lines.as_bytes()));
        written.map(|()| None).map_err(|error| failed(&error))
    }
}

/// Returns a pattern that matches only this path.
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
