//! Whether a work tree holds nothing but what its index has: then there is nothing for git to remove, and most tests leave
//! it like that. git takes several times as long to find out.

use std::io;
use std::path::{Path, PathBuf};

use hashbrown::{HashMap, HashSet};

use super::links::Index;

/// How deep folders may lie in one another.
const DEEPEST: usize = 100;

/// False also where that cannot be told. Submodules are not looked into, and no link is followed.
pub(super) fn is_tidy(work_tree: &Path, index: &Index) -> bool {
    let files: HashMap<&[u8], bool> = index.paths().collect();
    let mut folders: HashSet<&[u8]> = HashSet::new();
    for path in files.keys() {
        let mut above = *path;
        // Whatever lies above a folder that is known is known, too.
        while let Some(end) = above.iter().rposition(|&byte| byte == b'/')
            && folders.insert(&above[..end])
        {
            above = &above[..end];
        }
    }
    holds_only(work_tree, &files, &folders).unwrap_or(false)
}

fn holds_only(work_tree: &Path, files: &HashMap<&[u8], bool>, folders: &HashSet<&[u8]>) -> io::Result<bool> {
    let mut left: Vec<(PathBuf, Vec<u8>, usize)> = vec![(work_tree.to_owned(), Vec::new(), 0)];
    while let Some((folder, path, depth)) = left.pop() {
        if depth > DEEPEST {
            return Ok(false);
        }
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let name = entry.file_name();
            if depth == 0 && name == ".git" {
                continue;
            }
            let mut path = path.clone();
            if depth > 0 {
                path.push(b'/');
            }
            path.extend_from_slice(name.as_encoded_bytes());
            let is_folder = entry.file_type()?.is_dir();
            if is_folder && folders.contains(&*path) {
                left.push((entry.path(), path, depth + 1));
            } else if files.get(&*path) != Some(&is_folder) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_index_does_not_have_is_seen() {
        let base = std::env::temp_dir().join(format!("firstbad-tidy-{}", std::process::id()));
        std::fs::create_dir_all(base.join("a/b")).unwrap();
        std::fs::create_dir_all(base.join(".git")).unwrap();
        for file in ["a/b/file", "top", ".git/HEAD"] {
            std::fs::write(base.join(file), "x").unwrap();
        }
        let index = Index::listed("100644 1 0\ta/b/file\0100644 1 0\ttop\0160000 1 0\tsub\0");
        assert!(is_tidy(&base, &index));
        // A file that is missing is no matter of this; git puts it back.
        std::fs::remove_file(base.join("top")).unwrap();
        assert!(is_tidy(&base, &index));
        std::fs::create_dir_all(base.join("sub/inner")).unwrap();
        assert!(is_tidy(&base, &index));
        for (path, is_folder) in
            [("new", false), ("a/new", false), ("a/.git", true), ("empty", true), ("a/b/deep", true)]
        {
            let path = base.join(path);
            if is_folder {
                std::fs::create_dir(&path).unwrap();
            } else {
                std::fs::write(&path, "x").unwrap();
            }
            assert!(!is_tidy(&base, &index), "{}", path.display());
            let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir(&path));
            assert!(is_tidy(&base, &index), "{}", path.display());
        }
        assert!(!is_tidy(&base.join("nothing"), &index));
        std::fs::remove_dir_all(&base).unwrap();
    }
}
