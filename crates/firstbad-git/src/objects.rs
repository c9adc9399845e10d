//! The object folders of a repository and its alternates.

use std::path::{Path, PathBuf};

use firstbad_platform::files;

/// Returns the absolute paths of the object folders in Git's order: that of the repository, then its alternates and theirs, each
/// once.
pub(crate) fn folders(common_dir: &Path) -> Vec<PathBuf> {
    let mut found = vec![common_dir.join("objects")];
    let mut next = 0;
    while let Some(folder) = found.get(next).cloned() {
        next += 1;
        let Ok(text) = std::fs::read(folder.join("info/alternates")) else { continue };
        for line in String::from_utf8_lossy(&text).lines() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let line = unquoted(line).unwrap_or_else(|| line.to_owned());
            if let Ok(path) = files::real_path(&folder.join(line))
                && !found.contains(&path)
            {
                found.push(path);
            }
        }
    }
    found
}

/// Removes the quotes and the relevant escapes of a path.
fn unquoted(line: &str) -> Option<String> {
    let inner = line.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => match characters.next()? {
                'n' => '\n',
                't' => '\t',
                other => other,
            },
            other => other,
        });
    }
    Some(text)
}

/// Returns a line of `info/alternates` for `folder`. Without the line break, it is an entry of
/// `GIT_ALTERNATE_OBJECT_DIRECTORIES`.
pub(crate) fn alternates_line(folder: &Path) -> String {
    let name = files::with_slashes(folder);
    let text = name.to_string_lossy();
    if text.contains(['"', '\n', '\\', ':', ';']) || text.starts_with('#') {
        let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        return format!("\"{escaped}\"\n");
    }
    format!("{text}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_folder_names_survive_quoting() {
        for name in ["/a/b", "/a b/ü", "/a:b", "/a\"b\\c\nd"] {
            let line = alternates_line(Path::new(name));
            let line = line.strip_suffix('\n').unwrap();
            // On Windows, a backslash separates folders.
            let name = if cfg!(windows) { name.replace('\\', "/") } else { name.to_owned() };
            assert_eq!(unquoted(line).unwrap_or_else(|| line.to_owned()), name);
        }
    }
}
