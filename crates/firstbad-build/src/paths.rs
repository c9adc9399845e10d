//! Paths as in Git: relative to the root, with `/` between their parts.

/// Joins `path` to `folder` and resolves `.` and `..`. A path that leaves the root keeps its leading `..`.
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

/// Returns the parent folder of a path, which is empty for the root.
pub(crate) fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |end| &path[..end])
}

/// Returns the last part of a path.
pub(crate) fn name(path: &str) -> &str {
    path.rfind('/').map_or(path, |end| &path[end + 1..])
}

/// Returns a folder and all its parents, the root last.
pub(crate) fn upwards(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| (!folder.is_empty()).then(|| parent(folder)))
}

/// Returns whether a path is `folder` or below it.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns `path` relative to `root`, or `None` if it is not below it. Both may be Windows paths.
pub(crate) fn relative(path: &str, root: &str) -> Option<String> {
    let (path, root) = (path.replace('\\', "/"), root.replace('\\', "/"));
    let root = root.trim_end_matches('/');
    is_below(&path, root).then(|| join("", &path[root.len()..]))
}

/// Returns the longest common parent of these folders, or `None` if there are none.
pub(crate) fn common<'a>(folders: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut folders = folders.into_iter();
    let mut common: Vec<&str> = folders.next()?.split('/').collect();
    for folder in folders {
        let same = common.iter().zip(folder.split('/')).take_while(|(a, b)| *a == b).count();
        common.truncate(same);
    }
    Some(common.join("/"))
}
