//! Reads the Git index of a worktree without a Git process: the tracked files and their recorded times.
//!
//! This module supports only the common format. `gix-index` supports all formats, but would add 19 crates to every package.

use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use firstbad_platform::files;
use firstbad_platform::trees::{Entry, Folder, Kind};

/// The header of the supported version 2, which Git writes unless it is configured otherwise or an entry needs another version.
const BEGIN: [u8; 8] = *b"DIRC\0\0\0\x02";

/// The offset of the entries, and in an entry the offsets of its mode and of its object id.
const ENTRIES: usize = 12;
const MODE: usize = 24;
const ID: usize = 40;

/// The mode of a submodule.
const SUBMODULE: u32 = 0o160_000;

/// The maximum size to read in bytes: an index of some million files.
const LARGEST: u64 = 1 << 30;

/// An index without conflicts and without extensions that change which files are tracked.
pub(crate) struct Index {
    bytes: Vec<u8>,
    id_length: usize,
    tracked: Vec<Tracked>,
}

/// The offsets of an entry and of its path.
struct Tracked {
    at: usize,
    path: Range<usize>,
}

impl Index {
    /// Reads the index of a Git directory whose ids have `id_length` bytes. Returns `None` if only Git can read it.
    pub(crate) fn of(git_dir: &Path, id_length: usize) -> Option<Index> {
        let file = files::open_regular(&git_dir.join("index")).ok()?;
        Index::parse(files::read_file(file, LARGEST).ok()?, id_length)
    }

    fn parse(bytes: Vec<u8>, id_length: usize) -> Option<Index> {
        if !bytes.starts_with(&BEGIN) {
            return None;
        }
        let mut tracked = Vec::new();
        let mut at = ENTRIES;
        for _ in 0..number(&bytes, 8)? {
            let flags = at.checked_add(ID + id_length)?;
            let name = flags.checked_add(2)?;
            let length = bytes.get(name..)?.iter().position(|&byte| byte == 0)?;
            // The entry is one side of a conflict, or has flags that version 2 does not know.
            if bytes.get(flags)? & 0x70 != 0 {
                return None;
            }
            tracked.push(Tracked { at, path: name..name + length });
            // One to eight zeros pad the entry.
            at += (ID + id_length + 2 + length + 8) & !7;
        }
        let end = bytes.len().checked_sub(id_length)?;
        while at < end {
            // Extensions with an uppercase name are optional.
            if !bytes.get(at)?.is_ascii_uppercase() {
                return None;
            }
            at = at.checked_add(8)?.checked_add(number(&bytes, at + 4)? as usize)?;
        }
        (at == end).then_some(Index { bytes, id_length, tracked })
    }

    fn path(&self, tracked: &Tracked) -> &[u8] {
        &self.bytes[tracked.path.clone()]
    }

    fn is_submodule(&self, tracked: &Tracked) -> bool {
        number(&self.bytes, tracked.at + MODE) == Some(SUBMODULE)
    }

    /// Returns the paths of the submodules and their commits.
    pub(crate) fn submodules(&self) -> impl Iterator<Item = (PathBuf, String)> {
        let submodule = |tracked: &Tracked| {
            let id = &self.bytes[tracked.at + ID..tracked.at + ID + self.id_length];
            (files::path_of(self.path(tracked)), id.iter().map(|byte| format!("{byte:02x}")).collect())
        };
        self.tracked.iter().filter(|tracked| self.is_submodule(tracked)).map(submodule)
    }

    /// Returns whether a worktree contains only tracked files, so `git clean` has nothing to remove. Like Git, does not look into
    /// submodules.
    ///
    /// # Errors
    /// Errors of the system, also if folders are nested too deeply.
    pub(crate) fn is_all_of(&self, tree: &Folder) -> io::Result<bool> {
        let (mut files, mut folders, mut submodules) = (HashSet::new(), HashSet::new(), HashSet::new());
        let mut last: &[u8] = b"";
        for tracked in &self.tracked {
            let path = self.path(tracked);
            let is_new = if self.is_submodule(tracked) { submodules.insert(path) } else { files.insert(path) };
            let folder = above(path);
            // Most neighboring entries are in the same folder.
            if is_new && folder != last {
                last = folder;
                let mut folder = folder;
                while !folder.is_empty() && folders.insert(folder) {
                    folder = above(folder);
                }
            }
        }
        let is_tracked = |path: &[u8], kind| match kind {
            Kind::Folder if path == b".git" || submodules.contains(path) => Some(Entry::PassOver),
            Kind::Folder => folders.contains(path).then_some(Entry::LookInto),
            Kind::File | Kind::Other => files.contains(path).then_some(Entry::PassOver),
        };
        tree.has_only(&is_tracked)
    }

    /// Makes files that Git has just written older than the index, and returns the new contents of the index. Otherwise Git
    /// treats files as new as the index as possibly modified and reads them all at the next checkout.
    ///
    /// The new time is the second before `written`. With an even older time, `make` could rebuild targets from files that
    /// did not change.
    ///
    /// # Errors
    /// Errors of the system, also if it has no such times. Git then reads the files.
    pub(crate) fn age(mut self, tree: &Folder, written: i64) -> io::Result<Vec<u8>> {
        let Some(hash) = Some(gix_hash::Kind::Sha1).filter(|hash| hash.len_in_bytes() == self.id_length) else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        let mut open: Option<(PathBuf, Folder)> = None;
        for tracked in &self.tracked {
            let changed = number(&self.bytes, tracked.at + 8).unwrap_or_default();
            if i64::from(changed) < written || self.is_submodule(tracked) {
                continue;
            }
            let path = files::path_of(self.path(tracked));
            let (Some(above), Some(name)) = (path.parent(), path.file_name()) else { continue };
            if open.as_ref().is_none_or(|(folder, _)| folder != above) {
                open = Some((above.to_owned(), tree.inside(above)?));
            }
            let Some((_, folder)) = &open else { continue };
            let times = folder.set_modified(Path::new(name), written - 1)?;
            self.bytes[tracked.at..tracked.at + 16].copy_from_slice(&times.map(u32::to_be_bytes).concat());
        }
        let end = self.bytes.len() - self.id_length;
        let mut hasher = gix_hash::hasher(hash);
        hasher.update(&self.bytes[..end]);
        let checksum = hasher.try_finalize().map_err(io::Error::other)?;
        self.bytes[end..].copy_from_slice(checksum.as_bytes());
        Ok(self.bytes)
    }
}

/// Returns the folder of a path, or an empty path at the top.
fn above(path: &[u8]) -> &[u8] {
    let slash = path.iter().rposition(|&byte| byte == b'/');
    &path[..slash.unwrap_or(0)]
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(four.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an index of these paths, modes, and flags, followed by `more`.
    fn index(entries: &[(&str, u32, u8)], more: &[u8]) -> Vec<u8> {
        let mut bytes = BEGIN.to_vec();
        bytes.extend((entries.len() as u32).to_be_bytes());
        for (path, mode, flags) in entries {
            let mut entry = vec![0; MODE];
            entry.extend(mode.to_be_bytes());
            entry.resize(ID, 0);
            entry.extend([0xab; 20]);
            entry.extend([*flags, path.len() as u8]);
            entry.extend(path.bytes());
            entry.resize((entry.len() + 8) & !7, 0);
            bytes.extend(entry);
        }
        bytes.extend(more);
        bytes.extend([0; 20]);
        bytes
    }

    #[cfg(unix)]
    fn git(tree: &Path, words: &[&str]) -> String {
        let mut command = firstbad_git::git::own(tree);
        let text =
            firstbad_git::git::output(command.args(["-c", "core.excludesFile=/dev/null"]).args(words), b"").unwrap();
        String::from_utf8(text).unwrap()
    }

    #[cfg(unix)]
    fn read(tree: &Path) -> Index {
        Index::parse(std::fs::read(tree.join(".git/index")).unwrap(), 20).unwrap()
    }

    /// Creates a repository with some tracked files.
    #[cfg(unix)]
    fn repository() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path();
        std::fs::create_dir_all(tree.join("folder/inner")).unwrap();
        for (path, text) in [("a", "1"), ("folder.txt", "2"), ("folder/inner/b", "3"), (".gitignore", "*.log\n")] {
            std::fs::write(tree.join(path), text).unwrap();
        }
        git(tree, &["init", "--quiet"]);
        git(tree, &["add", "."]);
        folder
    }

    // This test creates links as on Unix.
    #[cfg(unix)]
    #[test]
    fn untracked_files_are_detected_like_git_clean() {
        use std::fs;
        use std::os::unix::fs::symlink;

        type Left = fn(&Path) -> io::Result<()>;
        let cases: [(&str, bool, Left); 13] = [
            ("nothing", true, |_| Ok(())),
            ("other contents", true, |tree| fs::write(tree.join("a"), "other")),
            ("a file less", true, |tree| fs::remove_file(tree.join("folder/inner/b"))),
            ("a folder less", true, |tree| fs::remove_dir_all(tree.join("folder"))),
            ("a link in place of a file", true, |tree| {
                fs::remove_file(tree.join("a"))?;
                symlink("folder", tree.join("a"))
            }),
            ("a file", false, |tree| fs::write(tree.join("new"), "")),
            ("a file in a folder", false, |tree| fs::write(tree.join("folder/inner/new"), "")),
            ("an ignored file", false, |tree| fs::write(tree.join("folder/a.log"), "")),
            ("an empty folder", false, |tree| fs::create_dir(tree.join("folder/empty"))),
            ("a link", false, |tree| symlink("/", tree.join("folder/link"))),
            ("a folder in place of a file", false, |tree| {
                fs::remove_file(tree.join("a"))?;
                fs::create_dir(tree.join("a"))?;
                fs::write(tree.join("a/b"), "")
            }),
            ("a file in place of a folder", false, |tree| {
                fs::remove_dir_all(tree.join("folder"))?;
                fs::write(tree.join("folder"), "")
            }),
            ("a repository", false, |tree| {
                fs::create_dir(tree.join("within"))?;
                git(&tree.join("within"), &["init", "--quiet"]);
                Ok(())
            }),
        ];
        for (what, is_all, left) in cases {
            let folder = repository();
            let tree = folder.path();
            left(tree).unwrap();
            let cleaned = git(tree, &["clean", "-ffdxn"]);
            // `git clean` does not remove a folder in place of a file. In this case, calling it is only unnecessary.
            assert!(cleaned.is_empty() == is_all || what == "a folder in place of a file", "{what}: {cleaned}");
            let found = read(tree).is_all_of(&Folder::open(tree).unwrap());
            assert_eq!(found.unwrap(), is_all, "{what}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn git_notices_changes_in_an_aged_worktree() {
        use std::os::unix::fs::MetadataExt as _;

        let folder = repository();
        let tree = folder.path();
        let path = tree.join(".git/index");
        let written = std::fs::metadata(&path).unwrap().mtime();
        let times = |name: &str| std::fs::metadata(tree.join(name)).unwrap();
        let old = std::time::UNIX_EPOCH + std::time::Duration::from_secs(written as u64 - 100);
        std::fs::File::options().write(true).open(tree.join("folder.txt")).unwrap().set_modified(old).unwrap();
        git(tree, &["add", "."]);
        // As if Git had written the index in the same second as this file.
        let written = times("a").mtime();
        let aged = read(tree).age(&Folder::open(tree).unwrap(), written).unwrap();
        std::fs::write(&path, &aged).unwrap();
        assert_eq!((times("a").mtime(), times("a").mtime_nsec()), (written - 1, 999_999_999));
        assert!(times("folder.txt").mtime() < written - 50, "it was older already");
        assert_eq!(git(tree, &["diff-files", "--name-only"]), "", "its entries are those of the files");
        git(tree, &["fsck", "--no-dangling"]);
        std::fs::write(tree.join("folder/inner/b"), "4").unwrap();
        assert_eq!(git(tree, &["diff-files", "--name-only"]), "folder/inner/b\n");
    }

    #[test]
    fn unsupported_index_formats_are_left_to_git() {
        let plain = [("a", 0o100_644, 0), ("b/c", 0o120_000, 0), ("seven77", SUBMODULE, 0)];
        let read = Index::parse(index(&plain, b"TREE\0\0\0\x02xx"), 20).unwrap();
        assert_eq!(read.tracked.iter().map(|one| read.path(one)).collect::<Vec<_>>(), [&b"a"[..], b"b/c", b"seven77"]);
        assert_eq!(read.submodules().collect::<Vec<_>>(), [(PathBuf::from("seven77"), "ab".repeat(20))]);
        assert!(Index::parse(index(&plain, b""), 20).is_some());
        assert!(Index::parse(index(&plain, b""), 32).is_none(), "another length of ids");
        assert!(Index::parse(index(&[("a", 0o100_644, 0x10)], b""), 20).is_none(), "a conflict");
        assert!(Index::parse(index(&[("a", 0o100_644, 0x40)], b""), 20).is_none(), "more flags");
        assert!(Index::parse(index(&plain, b"link\0\0\0\x02xx"), 20).is_none(), "another file has the rest");
        assert!(Index::parse(index(&plain, b"TREE\xff\xff\xff\xffxx"), 20).is_none(), "an extension without an end");
        let whole = index(&plain, b"");
        for length in 0..whole.len() {
            assert!(Index::parse(whole[..length].to_vec(), 20).is_none(), "{length} bytes of it");
        }
    }
}
