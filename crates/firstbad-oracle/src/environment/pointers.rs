//! References in an environment to the worktree in which it was created. Later, that worktree contains another revision, and
//! tests would use its files unnoticed.

use std::io;
use std::path::{Component, Path, PathBuf};

/// The worktree and the files from which an environment was created.
pub(crate) struct Origin<'a> {
    pub(crate) tree: &'a Path,
    /// The paths of links.
    pub(crate) links: &'a [PathBuf],
    /// The files that define the environment.
    pub(crate) files: &'a [PathBuf],
}

/// Returns the path of a file or link in an environment that refers to the worktree. Checks links between packages (Node
/// workspaces) and the files that pip and uv write for packages from local folders.
///
/// # Errors
/// Errors of the system.
pub(crate) fn leading_back(folder: &Path, origin: &Origin<'_>) -> io::Result<Option<PathBuf>> {
    for link in origin.links {
        for scope in std::iter::once(link.clone()).chain(scopes(folder, link)?) {
            for (path, target) in links_in(&folder.join(&scope))? {
                // Links are relative to the place of the folder before firstbad moved it.
                let led = normal(&origin.tree.join(&scope).join(target));
                if led.starts_with(origin.tree) && !led.starts_with(origin.tree.join(link)) {
                    return Ok(Some(scope.join(path)));
                }
            }
        }
    }
    for packages in packages_of_python(folder)? {
        for entry in entries(&packages)? {
            if leads_back(&packages, &entry, origin)? {
                let path = packages.join(entry);
                return Ok(Some(path.strip_prefix(folder).unwrap_or(&path).to_owned()));
            }
        }
    }
    Ok(None)
}

fn leads_back(packages: &Path, name: &Path, origin: &Origin<'_>) -> io::Result<bool> {
    let text = name.to_string_lossy();
    let path = packages.join(name);
    if text.ends_with(".dist-info") {
        // PEP 610 records the source of a package. A copy is safe if its source is part of the key.
        let text = content(&path.join("direct_url.json"))?;
        let Some((_, rest)) = text.split_once(&encoded(origin.tree)) else { return Ok(false) };
        let from = rest.split('"').next().unwrap_or_default().trim_matches('/');
        let is_known = !from.is_empty() && origin.files.iter().any(|file| file.starts_with(from));
        return Ok(!is_known);
    }
    // Files of editable installs.
    let points = text.ends_with(".pth") || text.ends_with(".egg-link") || text.starts_with("__editable__");
    Ok(points && content(&path)?.contains(&*origin.tree.to_string_lossy()))
}

/// The maximum size of a file to read. The relevant files have a few lines.
const LARGEST: u64 = 1 << 20;

/// Returns the contents of a file, or an empty string if the file is missing or too large.
fn content(path: &Path) -> io::Result<String> {
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() && found.len() <= LARGEST => {
            Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned())
        }
        _ => Ok(String::new()),
    }
}

/// Returns a path in the encoding of URLs.
fn encoded(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    bytes.map(|&byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Returns the folders of packages whose names begin with `@`.
fn scopes(folder: &Path, link: &Path) -> io::Result<Vec<PathBuf>> {
    let names = entries(&folder.join(link))?.into_iter();
    Ok(names.filter(|name| name.to_string_lossy().starts_with('@')).map(|name| link.join(name)).collect())
}

fn packages_of_python(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let windows = folder.join("Lib").join("site-packages");
    if cfg!(windows) && windows.is_dir() {
        return Ok(vec![windows]);
    }
    let lib = folder.join("lib");
    let names = entries(&lib)?.into_iter().filter(|name| name.to_string_lossy().starts_with("python"));
    Ok(names.map(|name| lib.join(name).join("site-packages")).collect())
}

/// Returns the links in a folder and their targets.
fn links_in(folder: &Path) -> io::Result<Vec<(PathBuf, PathBuf)>> {
    let mut found = Vec::new();
    for name in entries(folder)? {
        let path = folder.join(&name);
        if std::fs::symlink_metadata(&path)?.is_symlink() {
            found.push((name, std::fs::read_link(path)?));
        }
    }
    Ok(found)
}

/// Returns the sorted names in a folder. The list is empty if the path is not a folder.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut names =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().into())).collect::<io::Result<Vec<_>>>()?;
    names.sort_unstable();
    Ok(names)
}

/// Resolves `..` in an absolute path without following links.
fn normal(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = found.pop(),
            Component::CurDir => {}
            other => found.push(other),
        }
    }
    found
}
