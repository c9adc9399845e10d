//! The files of a revision, read without a checkout.

use std::collections::BTreeMap;

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
    /// Files that are left out, and why, in words: names that are no UTF-8, objects that a partial clone lacks.
    pub unread: Vec<String>,
}

impl Repository {
    /// The files of a revision, and what those hold whose paths are `wanted`. Nothing is checked out, no filter is run,
    /// and nothing is fetched.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`] that name `revision`; [`Error::Git`].
    pub fn tree(&self, revision: &str, wanted: impl Fn(&str) -> bool) -> Result<Tree, Error> {
        let commit = self.resolve(revision)?;
        let listed = git::output(self.git().args(["ls-tree", "-r", "-z", &commit]), b"")?;
        let mut tree = Tree { commit, paths: Vec::new(), contents: BTreeMap::new(), unread: Vec::new() };
        let mut asked: Vec<(&str, String)> = Vec::new();
        for entry in listed.split(|&byte| byte == 0).filter(|entry| !entry.is_empty()) {
            // `100644 blob 5716ca5987cbf97d6bb54920bea6adde242d87e6\tname`
            let Some(tab) = entry.iter().position(|&byte| byte == b'\t') else { continue };
            let about = std::str::from_utf8(&entry[..tab]).unwrap_or_default();
            let [mode, "blob", id] = about.split(' ').collect::<Vec<_>>()[..] else { continue };
            if mode == "120000" {
                continue;
            }
            match std::str::from_utf8(&entry[tab + 1..]) {
                Ok(path) => {
                    if wanted(path) {
                        asked.push((id, path.to_owned()));
                    }
                    tree.paths.push(path.to_owned());
                }
                Err(_) => {
                    let path = String::from_utf8_lossy(&entry[tab + 1..]);
                    tree.unread.push(format!("{path:?} has a name that is not valid UTF-8"));
                }
            }
        }
        if asked.is_empty() {
            return Ok(tree);
        }
        let questions: String = asked.iter().map(|(id, _)| format!("{id}\n")).collect();
        let answers = git::output(self.git().args(["cat-file", "--batch"]), questions.as_bytes())?;
        let mut rest = answers.as_slice();
        for (id, path) in asked {
            match answer(&mut rest, id) {
                Some(Some(content)) => {
                    tree.contents.insert(path, content.to_vec());
                }
                Some(None) => tree.unread.push(format!("{path:?} is not in this clone")),
                None => return Err(Error::Git { message: format!("cannot understand git cat-file about {path:?}") }),
            }
        }
        Ok(tree)
    }
}

/// Takes the next answer, which is about `id`: the content, or nothing inside where git has no such object.
fn answer<'a>(rest: &mut &'a [u8], id: &str) -> Option<Option<&'a [u8]>> {
    let end = rest.iter().position(|&byte| byte == b'\n')?;
    let line = std::str::from_utf8(&rest[..end]).ok()?.strip_prefix(id)?;
    *rest = &rest[end + 1..];
    if line == " missing" {
        return Some(None);
    }
    let size: usize = line.strip_prefix(" blob ")?.parse().ok()?;
    let content = rest.get(..size)?;
    // A line break ends each answer.
    *rest = rest.get(size + 1..)?;
    Some(Some(content))
}
