//! From the paths in reports to those of the repository.

/// Where the paths of reports lead.
#[derive(Debug, Clone)]
pub(crate) struct Root {
    /// What absolute paths begin with.
    top: Vec<String>,
    /// The folder that relative paths start at, from the top.
    below: Vec<String>,
}

impl Root {
    /// Of a repository with its work tree in `top`. `root` is the folder that the reports were made under: an absolute one
    /// was the repository's top, on whatever machine; a relative one is a folder of the repository.
    /// `None` for one that leads out of the repository.
    pub(crate) fn new(top: &str, root: Option<&str>) -> Option<Root> {
        let (top, below) = match root {
            Some(root) if is_absolute(root) => (root, ""),
            Some(root) => (top, root),
            None => (top, ""),
        };
        Some(Root { top: joined(&[], top)?, below: joined(&[], below)? })
    }

    /// A file from the top of the repository; `None` for one that is not in it.
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

/// Whether a path begins at the root of a file system: that of Windows, too, where a report may be made.
pub(crate) fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && path.get(1..2) == Some(":");
    path.starts_with(['/', '\\']) || drive
}

/// The parts of a path from a folder; `None` if it leads out of where that begins.
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

/// The text of a URL's path, where `%20` stands for a space.
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
    fn paths_lead_to_the_top() {
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
