//! Conversion of report paths to repository paths.

/// How report paths are resolved.
#[derive(Debug, Clone)]
pub(crate) struct Root {
    /// The parts of the absolute path of the repository.
    top: Vec<String>,
    /// The parts of the folder that relative paths start at, relative to the top.
    below: Vec<String>,
}

impl Root {
    /// Creates the root for a repository with its worktree in `top`.
    ///
    /// `root` is the folder in which the reports were made. An absolute `root` is the top of the repository on the machine that
    /// made the reports. A relative `root` is a folder in the repository. Returns `None` if `root` is outside the repository.
    pub(crate) fn new(top: &str, root: Option<&str>) -> Option<Root> {
        let (top, below) = match root {
            Some(root) if is_absolute(root) => (root, ""),
            Some(root) => (top, root),
            None => (top, ""),
        };
        Some(Root { top: joined(&[], top)?, below: joined(&[], below)? })
    }

    /// Returns a file relative to the top of the repository, or `None` if it is outside.
    pub(crate) fn file(&self, path: &str) -> Option<String> {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let parts = if is_absolute(path) {
            let parts = joined(&[], path)?;
            parts.strip_prefix(self.top.as_slice())?.to_vec()
        } else {
            joined(&self.below, path)?
        };
        (!parts.is_empty()).then(|| parts.join("/"))
    }
}

/// Returns whether a path is absolute on Unix or Windows. Reports may come from either.
pub(crate) fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && path.get(1..2) == Some(":");
    path.starts_with(['/', '\\']) || drive
}

/// Returns the parts of `path` relative to `folder`, or `None` if `path` leads out.
fn joined(folder: &[String], path: &str) -> Option<Vec<String>> {
    let mut parts = folder.to_vec();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            _ => parts.push(part.to_owned()),
        }
    }
    Some(parts)
}

/// Decodes the percent-encoding of a URL path.
pub(crate) fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok());
        match code.filter(|_| byte == b'%') {
            Some(code) => {
                bytes.push(code);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_relative_to_the_top() {
        let own = Root::new("/home/me/shop", None).unwrap();
        assert_eq!(own.file("/home/me/shop/src/../a.py"), Some("a.py".into()));
        assert_eq!(own.file("./src//a.py"), Some("src/a.py".into()));
        assert_eq!(own.file("file:///home/me/shop/a.py"), Some("a.py".into()));
        assert_eq!(own.file("src\\a.py"), Some("src/a.py".into()));
        for other in ["/home/me/shopping/a.py", "/home/me/shop", "../a.py", "/usr/lib/a.py", "", "C:\\a.py"] {
            assert_eq!(own.file(other), None, "{other:?}");
        }
        let elsewhere = Root::new("/home/me/shop", Some("/builds/shop/")).unwrap();
        assert_eq!(elsewhere.file("/builds/shop/a.py"), Some("a.py".into()));
        assert_eq!(elsewhere.file("/home/me/shop/a.py"), None);
        assert_eq!(elsewhere.file("a.py"), Some("a.py".into()));
        let below = Root::new("/home/me/shop", Some("web")).unwrap();
        assert_eq!(below.file("a.js"), Some("web/a.js".into()));
        assert_eq!(below.file("../a.js"), Some("a.js".into()));
        assert_eq!(below.file("/home/me/shop/a.js"), Some("a.js".into()));
        assert!(Root::new("/home/me/shop", Some("../other")).is_none());
        assert_eq!(Root::new("x", Some("C:\\b")).unwrap().file("C:\\b\\a.js"), Some("a.js".into()));
    }

    #[test]
    fn urls_are_decoded() {
        assert_eq!(decoded("/a%20b/%C3%A4%zz%"), "/a b/ä%zz%");
    }
}
