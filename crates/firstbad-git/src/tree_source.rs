//! The files of a revision, read without a checkout.

use std::collections::BTreeMap;

use firstbad::Error;
use firstbad_platform::files;

use crate::blobs::{self, Blob};
use crate::git;
use crate::repository::Repository;

/// The files of a revision; those that were asked for with what they hold. Links and submodules are no files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The full sha of the commit.
    pub commit: String,
    /// The paths of all files, sorted as git sorts them.
    pub paths: Vec<String>,
    /// What the files hold that were asked for, as they are stored, by their paths.
    pub contents: BTreeMap<String, Vec<u8>>,
    /// Files that are left out, and why, in words: names that are no UTF-8, objects that a partial clone lacks, contents of
    /// more than 8 MiB, and those beyond 1 GiB in all.
    pub unread: Vec<String>,
}

impl Repository {
    /// The paths of all files of a revision, from the top level, with `/` between their parts, as the bytes that git
    /// stores, sorted as git sorts them. Links and submodules are no files. Read into memory as a whole.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`] that name `revision`; [`Error::Git`].
    pub fn paths(&self, revision: &str) -> Result<Vec<Vec<u8>>, Error> {
        let listed = self.listing(&self.resolve(revision)?, None)?;
        entries(&listed).map(|entry| Ok(entry?.path.to_vec())).collect()
    }

    /// What a file holds at a revision, as it is stored; `None` if the revision has no file with this path. The path
    /// is one of those that [`Repository::paths`] lists, so that a folder, a link, a submodule, `./file` and `/file` are
    /// `None`. No filter is run, nothing is fetched, and the content is read into memory as a whole, however long it is.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`] that name `revision`; [`Error::Git`], also for
    /// content that a partial clone lacks.
    pub fn file(&self, revision: &str, path: impl AsRef<[u8]>) -> Result<Option<Vec<u8>>, Error> {
        let (commit, path) = (self.resolve(revision)?, path.as_ref());
        // git would resolve some of these, and complain about others.
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

    /// The files of a revision, and what those hold whose paths are `wanted`. Nothing is checked out, no filter is run,
    /// and nothing is fetched.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`] that name `revision`; [`Error::Git`].
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

    /// What files hold at a revision, by their paths, as they are stored; without those that it does not have, or that are too
    /// large. No filter is run, and nothing is fetched.
    ///
    /// # Errors
    /// Those of [`Repository::tree`].
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

    /// What `git ls-tree` says of the files of a commit at these paths, or of all where there are none.
    fn listing<'a>(&self, commit: &str, paths: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<u8>, Error> {
        let mut command = self.git();
        command.arg("--literal-pathspecs").args(["ls-tree", "--full-tree", "-r", "-z", commit, "--"]);
        command.args(paths.into_iter().map(files::name_of));
        git::output(&mut command, b"")
    }

    /// Reads the contents of files by their ids.
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
                    tree.unread.push(format!("{path:?} is more than the {} MiB that are read", blobs::MOST >> 20));
                }
            }
        }
        Ok(())
    }
}

/// A file in a listing.
pub(crate) struct Entry<'a> {
    pub(crate) id: &'a str,
    pub(crate) path: &'a [u8],
}

/// The files in what `git ls-tree -z` prints, links and submodules left out.
pub(crate) fn entries(listed: &[u8]) -> impl Iterator<Item = Result<Entry<'_>, Error>> {
    listed.split(|&byte| byte == 0).filter(|line| !line.is_empty()).filter_map(|line| {
        let parsed = entry(line).ok_or_else(|| {
            let line = String::from_utf8_lossy(line);
            Error::Git { message: format!("cannot understand git ls-tree's entry {line:?}") }
        });
        parsed.transpose()
    })
}

/// `100644 blob 5716ca5987cbf97d6bb54920bea6adde242d87e6\tname`; `None` inside if it is not a file.
fn entry(line: &[u8]) -> Option<Option<Entry<'_>>> {
    let tab = line.iter().position(|&byte| byte == b'\t')?;
    let mut words = std::str::from_utf8(&line[..tab]).ok()?.split(' ');
    let (mode, kind, id) = (words.next()?, words.next()?, words.next()?);
    Some((kind == "blob" && mode != "120000").then(|| Entry { id, path: &line[tab + 1..] }))
}
