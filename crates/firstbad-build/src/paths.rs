//! Paths as git writes them: from the root, with `/` between.

/// `path` seen from `folder`, with `.` and `..` resolved. What would leave the root keeps its `..` in front.
pub(crate) fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The folder of a path; the empty one at the root.
pub(crate) fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |end| &path[..end])
}

/// The last part of a path.
pub(crate) fn name(path: &str) -> &str {
    path.rfind('/').map_or(path, |end| &path[end + 1..])
}

/// A folder and all above it, the root last.
pub(crate) fn upwards(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| (!folder.is_empty()).then(|| parent(folder)))
}

/// Whether a path is `folder` or below it.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A path on some machine, seen from a folder there; `None` if it is not below it. Both may be Windows paths.
pub(crate) fn relative(path: &str, root: &str) -> Option<String> {
    let (path, root) = (path.replace('\\', "/"), root.replace('\\', "/"));
    let root = root.trim_end_matches('/');
    is_below(&path, root).then(|| join("", &path[root.len()..]))
}

/// The longest folder that all of these are below; `None` if there are none.
pub(crate) fn common<'a>(folders: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut folders = folders.into_iter();
    let mut common: Vec<&str> = folders.next()?.split('/').collect();
    for folder in folders {
        let same = common.iter().zip(folder.split('/')).take_while(|(a, b)| *a == b).count();
        common.truncate(same);
    }
    Some(common.join("/"))
}
