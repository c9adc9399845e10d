//! The files of a revision, read without a checkout.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use firstbad::Error;

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

    /// What `git ls-tree` says of all files of a commit, or of one path.
    fn listing(&self, commit: &str, path: Option<&[u8]>) -> Result<Vec<u8>, Error> {
        let mut command = self.git();
        command.arg("--literal-pathspecs").args(["ls-tree", "--full-tree", "-r", "-z", commit, "--"]);
        command.args(path.map(OsStr::from_bytes));
        git::output(&mut command, b"")
    }

    /// Reads the contents of files by their ids, with one call of git.
    fn read_contents(&self, asked: Vec<(&str, String)>, tree: &mut Tree) -> Result<(), Error> {
        let asked = self.without_large(asked, tree)?;
        if asked.is_empty() {
            return Ok(());
        }
        let questions: String = asked.iter().map(|(id, _)| format!("{id}\n")).collect();
        let answers = git::output(self.git().args(["cat-file", "--batch"]), questions.as_bytes())?;
        let mut rest = answers.as_slice();
        for (id, path) in asked {
            match answer(&mut rest, id) {
                Some(Object::Content(content)) => {
                    tree.contents.insert(path, content.to_vec());
                }
                Some(Object::Missing) => tree.unread.push(format!("{path:?} is not in this clone")),
                None => return Err(Error::Git { message: format!("cannot understand git cat-file about {path:?}") }),
            }
        }
        Ok(())
    }
}

impl Repository {
    /// Leaves out what is too large, or more than there is room for, before any content is read.
    fn without_large<'a>(
        &self,
        asked: Vec<(&'a str, String)>,
        tree: &mut Tree,
    ) -> Result<Vec<(&'a str, String)>, Error> {
        if asked.is_empty() {
            return Ok(asked);
        }
        let questions: String = asked.iter().map(|(id, _)| format!("{id}\n")).collect();
        let mut command = self.git();
        let answers = git::output(command.args(["cat-file", "--batch-check=%(objectsize)"]), questions.as_bytes())?;
        // What is missing has no size, and is told apart when it is read.
        let sizes = answers
            .split(|&byte| byte == b'\n')
            .map(|line| std::str::from_utf8(line).ok().and_then(|line| line.parse::<usize>().ok()).unwrap_or_default());
        let mut room = MOST_CONTENTS;
        let mut kept = Vec::with_capacity(asked.len());
        for ((id, path), size) in asked.into_iter().zip(sizes) {
            if size > LARGEST_CONTENT {
                tree.unread.push(format!("{path:?} has more than {} MiB", LARGEST_CONTENT >> 20));
            } else if size > room {
                tree.unread.push(format!("{path:?} is more than the {} MiB that are read", MOST_CONTENTS >> 20));
            } else {
                room -= size;
                kept.push((id, path));
            }
        }
        Ok(kept)
    }
}

/// The largest file that is read with a tree, in bytes: source files are far smaller.
const LARGEST_CONTENT: usize = 8 << 20;
/// How many bytes of contents are read with a tree: they are all in memory at once.
const MOST_CONTENTS: usize = 1 << 30;

/// A file in a listing.
struct Entry<'a> {
    id: &'a str,
    path: &'a [u8],
}

/// The files in what `git ls-tree -z` prints, links and submodules left out.
fn entries(listed: &[u8]) -> impl Iterator<Item = Result<Entry<'_>, Error>> {
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

/// What git says of an object.
enum Object<'a> {
    Content(&'a [u8]),
    Missing,
}

/// Takes the next answer, which is about `id`; `None` if it cannot be understood.
fn answer<'a>(rest: &mut &'a [u8], id: &str) -> Option<Object<'a>> {
    let end = rest.iter().position(|&byte| byte == b'\n')?;
    let line = std::str::from_utf8(&rest[..end]).ok()?.strip_prefix(id)?;
    *rest = &rest[end + 1..];
    if line == " missing" {
        return Some(Object::Missing);
    }
    let size: usize = line.strip_prefix(" blob ")?.parse().ok()?;
    let content = rest.get(..size)?;
    // A line break ends each answer.
    *rest = rest.get(size + 1..)?;
    Some(Object::Content(content))
}
