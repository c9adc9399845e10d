//! Sizes of files.

use std::path::{Path, PathBuf};

use firstbad::Error;
use globset::{GlobBuilder, GlobMatcher};

use super::values::{Found, is_below};

/// The most files that count, and the most files and folders that a search for them visits.
const MOST_FILES: usize = 100_000;
const MOST_VISITED: usize = 1_000_000;
/// The greatest depth of folders.
const DEEPEST: usize = 100;
/// The longest glob, in bytes.
const LONGEST: usize = 1000;

/// A glob for files below the worktree.
#[derive(Debug, Clone)]
pub(super) struct SizeReader {
    /// The folder that contains all matches.
    base: PathBuf,
    glob: GlobMatcher,
}

impl SizeReader {
    /// # Errors
    /// [`Error::InvalidArgument`] for `metric` if the glob is invalid or leads out of the worktree.
    pub(super) fn parse(kind: &str, text: &str) -> Result<SizeReader, Error> {
        let text = text.trim_start_matches("./");
        if !is_below(text) || text.len() > LONGEST {
            let expected = "a relative glob below the worktree, for example file-size:dist/**/*.js";
            return Err(Error::invalid("metric", kind, expected));
        }
        let glob = GlobBuilder::new(text)
            .literal_separator(true)
            .build()
            .map_err(|error| Error::invalid("metric", kind, format!("a glob ({})", error.kind())))?;
        let folders = text.rsplit_once('/').map_or("", |(folders, _)| folders);
        let base = folders.split('/').take_while(|name| !name.contains(['*', '?', '[', '{', '\\'])).collect();
        Ok(SizeReader { base, glob: glob.compile_matcher() })
    }

    /// Returns the size of all matching files together. Does not follow links.
    pub(super) fn read(&self, tree: &Path) -> Found {
        let (mut bytes, mut files, mut visited) = (0_u64, 0, 0);
        let mut folders = vec![(self.base.clone(), self.base.components().count())];
        // A link would lead out of the worktree.
        let mut above = self.base.ancestors();
        if above.any(|folder| std::fs::symlink_metadata(tree.join(folder)).is_ok_and(|found| found.is_symlink())) {
            folders.clear();
        }
        while let Some((folder, depth)) = folders.pop() {
            for entry in std::fs::read_dir(tree.join(&folder)).into_iter().flatten().flatten() {
                visited += 1;
                if visited > MOST_VISITED {
                    return Err(format!("it searches more than {MOST_VISITED} files"));
                }
                let path = folder.join(entry.file_name());
                let Ok(found) = entry.metadata() else { continue };
                if found.is_dir() && depth < DEEPEST && path != Path::new(".git") {
                    folders.push((path, depth + 1));
                } else if found.is_file() && self.glob.is_match(&path) {
                    files += 1;
                    bytes = bytes.saturating_add(found.len());
                }
            }
            if files > MOST_FILES {
                return Err(format!("it matches more than {MOST_FILES} files"));
            }
        }
        if files == 0 { Err("no file matches".to_owned()) } else { Ok(vec![bytes as f64]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(tree: &Path, glob: &str) -> Found {
        SizeReader::parse(glob, glob).unwrap().read(tree)
    }

    #[test]
    fn a_glob_adds_the_sizes_of_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path();
        for (path, bytes) in
            [("dist/app.js", 10), ("dist/deep/er/b.js", 200), ("dist/c.css", 4000), ("top", 3), (".git/x.js", 50_000)]
        {
            std::fs::create_dir_all(tree.join(path).parent().unwrap()).unwrap();
            std::fs::write(tree.join(path), vec![0; bytes]).unwrap();
        }
        for (glob, bytes) in [
            ("dist/app.js", 10.0),
            ("./dist/*.js", 10.0),
            ("dist/**/*.js", 210.0),
            ("**/*.js", 210.0),
            ("dist/*.{js,css}", 4010.0),
            ("top", 3.0),
            ("t?p", 3.0),
            ("*/deep/*/b.js", 200.0),
        ] {
            assert_eq!(size(tree, glob), Ok(vec![bytes]), "{glob}");
        }
        for glob in ["dist", "nope/*", "*.css", "dist/*/b.js"] {
            assert_eq!(size(tree, glob), Err("no file matches".to_owned()), "{glob}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(outside.path().join("big"), [0; 99]).unwrap();
        std::fs::write(folder.path().join("own"), [0; 1]).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("out")).unwrap();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("loop")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("big"), folder.path().join("big")).unwrap();
        assert_eq!(size(folder.path(), "**/*"), Ok(vec![1.0]));
        for glob in ["out/*", "out/big", "big", "loop/own"] {
            assert_eq!(size(folder.path(), glob), Err("no file matches".to_owned()), "{glob}");
        }
    }
}
