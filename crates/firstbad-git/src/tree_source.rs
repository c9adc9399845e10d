//! Reading the files of a revision without a checkout.

use std::collections::BTreeMap;

use firstbad::Error;
use firstbad_platform::files;

use crate::blobs::{self, Blob};
use crate::git;
use crate::repository::Repository;

/// The files of a revision, with some of their contents. Links and submodules are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The full id of the commit.
    pub commit: String,
    /// The paths of all files, in Git's order.
    pub paths: Vec<String>,
    /// The requested contents by path, as stored.
    pub contents: BTreeMap<String, Vec<u8>>,
    /// Messages about files that were left out: names that are not UTF-8, objects that a partial clone lacks, contents of more
    /// than 8 MiB, and contents beyond 1 GiB in total.
    pub unread: Vec<String>,
}

impl Repository {
    /// Returns the paths of all files of a revision as bytes, relative to the top level, with `/` between their parts, in Git's
    /// order. Links and submodules are left out. The whole list is read into memory.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] for `revision`. [`Error::Git`] if Git fails.
    pub fn paths(&self, revision: &str) -> Result<Vec<Vec<u8>>, Error> {
        let listed = self.listing(&self.resolve(revision)?, None)?;
        entries(&listed).map(|entry| Ok(entry?.path.to_vec())).collect()
    }

    /// Returns the content of a file at a revision, as stored, or `None` if there is no such file. The path must have the form
    /// that [`Repository::paths`] returns, so a folder, a link, a submodule, `./file`, and `/file` give `None`. Does not run
    /// filters and does not fetch. The content is read into memory, whatever its size.
    ///
    /// # Errors
    /// - [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] for `revision`.
    /// - [`Error::Git`] if Git fails, or if a partial clone lacks the content.
    pub fn file(&self, revision: &str, path: impl AsRef<[u8]>) -> Result<Option<Vec<u8>>, Error> {
        let (commit, path) = (self.resolve(revision)?, path.as_ref());
        // Git would resolve some of these paths and reject others.
        let is_odd = |part: &[u8]| matches!(part, b"" | b"." | b"..");
        if path.contains(&0) || path.split(|&byte| byte == b'/').any(is_odd) {
            return Ok(None);
        }
        let listed = self.listing(&commit, Some(path))?;
        let found = entries(&listed).find(|entry| entry.as_ref().map_or(true, |entry| entry.path == path));
        match found.transpose()? {
            Some(entry) => git::output(self.git().args(["cat-file", "blob", entry.id]), b"").map(Some),
            None => Ok(None),
        }
    }

    /// Returns the files of a revision, with the contents of those that `wanted` accepts. Does not check out, run filters, or
    /// fetch.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] for `revision`. [`Error::Git`] if Git fails.
    pub fn tree(&self, revision: &str, wanted: impl Fn(&str) -> bool) -> Result<Tree, Error> {
        let commit = self.resolve(revision)?;
        let listed = self.listing(&commit, None)?;
        let mut tree = Tree { commit, paths: Vec::new(), contents: BTreeMap::new(), unread: Vec::new() };
        let mut asked: Vec<(&str, String)> = Vec::new();
        for entry in entries(&listed) {
            let Entry { id, path } = entry?;
            match std::str::from_utf8(path) {
                Ok(path) => {
                    if wanted(path) {
                        asked.push((id, path.to_owned()));
                    }
                    tree.paths.push(path.to_owned());
                }
                Err(_) => {
                    let path = String::from_utf8_lossy(path);
                    tree.unread.push(format!("{path:?} has a name that is not valid UTF-8"));
                }
            }
        }
        self.read_contents(asked, &mut tree)?;
        Ok(tree)
    }

    /// Returns the contents of files at a revision by path, as stored. Missing and too large files are left out. Does not run
    /// filters and does not fetch.
    ///
    /// # Errors
    /// See [`Repository::tree`].
    pub fn contents_of(&self, revision: &str, paths: &[String]) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        let commit = self.resolve(revision)?;
        let listed = self.listing(&commit, paths.iter().map(String::as_bytes))?;
        let named = |entry: Result<Entry<'_>, Error>| {
            let Entry { id, path } = entry.ok()?;
            Some((id.to_owned(), String::from_utf8(path.to_vec()).ok()?))
        };
        let found: Vec<(String, String)> = entries(&listed).filter_map(named).collect();
        let asked = found.iter().map(|(id, path)| (id.as_str(), path.clone())).collect();
        let mut tree = Tree { commit, paths: Vec::new(), contents: BTreeMap::new(), unread: Vec::new() };
        self.read_contents(asked, &mut tree)?;
        Ok(tree.contents)
    }

    /// Returns the output of `git ls-tree` for these paths, or for all files if `paths` is empty.
    fn listing<'a>(&self, commit: &str, paths: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<u8>, Error> {
        let mut command = self.git();
        command.arg("--literal-pathspecs").args(["ls-tree", "--full-tree", "-r", "-z", commit, "--"]);
        command.args(paths.into_iter().map(files::name_of));
        git::output(&mut command, b"")
    }

    /// Adds the contents of files by id.
    fn read_contents(&self, asked: Vec<(&str, String)>, tree: &mut Tree) -> Result<(), Error> {
        let ids: Vec<&str> = asked.iter().map(|(id, _)| *id).collect();
        for ((_, path), blob) in asked.into_iter().zip(blobs::read(|| self.git(), &ids)?) {
            match blob {
                Blob::Content(content) => {
                    tree.contents.insert(path, content);
                }
                Blob::Missing => tree.unread.push(format!("{path:?} is not in this clone")),
                Blob::Large => tree.unread.push(format!("{path:?} has more than {} MiB", blobs::LARGEST >> 20)),
                Blob::TooMuch => {
                    tree.unread.push(format!("{path:?} exceeds the total of {} MiB", blobs::MOST >> 20));
                }
            }
        }
        Ok(())
    }
}

pub(crate) struct Entry<'a> {
    pub(crate) id: &'a str,
    pub(crate) path: &'a [u8],
}

/// Parses the output of `git ls-tree -z`, without links and submodules.
pub(crate) fn entries(listed: &[u8]) -> impl Iterator<Item = Result<Entry<'_>, Error>> {
    listed.split(|&byte| byte == 0).filter(|line| !line.is_empty()).filter_map(|line| {
        let parsed = entry(line).ok_or_else(|| {
            let line = String::from_utf8_lossy(line);
            Error::Git { message: format!("cannot understand git ls-tree's entry {line:?}") }
        });
        parsed.transpose()
    })
}

/// Parses `100644 blob 5716ca5987cbf97d6bb54920bea6adde242d87e6\tname`. The inner `None` means that the entry is not a file.
fn entry(line: &[u8]) -> Option<Option<Entry<'_>>> {
    let tab = line.iter().position(|&byte| byte == b'\t')?;
    let mut words = std::str::from_utf8(&line[..tab]).ok()?.split(' ');
    let (mode, kind, id) = (words.next()?, words.next()?, words.next()?);
    Some((kind == "blob" && mode != "120000").then(|| Entry { id, path: &line[tab + 1..] }))
}
