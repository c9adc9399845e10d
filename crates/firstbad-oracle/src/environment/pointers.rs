//! What in an environment leads back into the work tree that it was made in: the work tree holds another revision the next
//! time, or is gone, and tests would run against that without a word.

use std::io;
use std::path::{Component, Path, PathBuf};

/// Where an environment was made, and of what.
pub(crate) struct Origin<'a> {
    pub(crate) tree: &'a Path,
    /// The paths that are linked.
    pub(crate) links: &'a [PathBuf],
    /// The files that say what belongs into the environment.
    pub(crate) files: &'a [PathBuf],
}

/// A file or link in an environment that leads back, as a path from there. It looks where tools put such things: the links to
/// packages in folders of packages (workspaces of Node), and what pip and uv write for what is installed from a folder.
///
/// # Errors
/// Those of the system.
pub(crate) fn leading_back(folder: &Path, origin: &Origin<'_>) -> io::Result<Option<PathBuf>> {
    for link in origin.links {
        for scope in std::iter::once(link.clone()).chain(scopes(folder, link)?) {
            for (path, target) in links_in(&folder.join(&scope))? {
                // Where it led before the folder was moved here.
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
        // PEP 610: where a package was installed from. A copy is right if what it was made of belongs to the key.
        let text = content(&path.join("direct_url.json"))?;
        let Some((_, rest)) = text.split_once(&encoded(origin.tree)) else { return Ok(false) };
        let from = rest.split('"').next().unwrap_or_default().trim_matches('/');
        let is_known = !from.is_empty() && origin.files.iter().any(|file| file.starts_with(from));
        return Ok(!is_known);
    }
    // What is "editable".
    let points = text.ends_with(".pth") || text.ends_with(".egg-link") || text.starts_with("__editable__");
    Ok(points && content(&path)?.contains(&*origin.tree.to_string_lossy()))
}

/// The largest file that is read: those that are looked for have some lines.
const LARGEST: u64 = 1 << 20;

/// What a file holds; empty if there is none, or it is far too large.
fn content(path: &Path) -> io::Result<String> {
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() && found.len() <= LARGEST => {
            Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned())
        }
        _ => Ok(String::new()),
    }
}

/// A path as a URL has it.
fn encoded(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    bytes.map(|&byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// The folders of packages whose names begin with `@`.
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

/// The links in a folder, and where they lead.
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

/// The names in a folder, in their order; none if it is no folder.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut names =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().into())).collect::<io::Result<Vec<_>>>()?;
    names.sort_unstable();
    Ok(names)
}

/// An absolute path without `..`, as if there were no links.
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
