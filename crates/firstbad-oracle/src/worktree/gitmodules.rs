//! Reads `.gitmodules`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use firstbad::Error;
use firstbad_git::git;

use super::work_tree::WorkTree;

/// The entry of a submodule in `.gitmodules`.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) path: Option<PathBuf>,
    pub(crate) url: Option<String>,
    pub(crate) update: Option<String>,
}

/// Returns the submodules that the revision in a worktree declares, by name.
///
/// # Errors
/// [`Error::Git`] if `.gitmodules` cannot be read.
pub(crate) fn declared(work_tree: &WorkTree) -> Result<BTreeMap<String, Module>, Error> {
    let mut found: BTreeMap<String, Module> = BTreeMap::new();
    if git::finished(work_tree.git().args(["cat-file", "-e", ":.gitmodules"]), b"")?.0.is_some() {
        return Ok(found);
    }
    let mut command = work_tree.git();
    command.args(["config", "--null", "--blob", ":.gitmodules", "--get-regexp", r"^submodule\..*\.(path|url|update)$"]);
    for (name, key, value) in entries(&git::finished(&mut command, b"")?.1) {
        let module = found.entry(name).or_default();
        match key.as_str() {
            "path" => module.path = Some(PathBuf::from(value)),
            "url" => module.url = Some(value),
            _ => module.update = Some(value),
        }
    }
    Ok(found)
}

/// Returns the entries `submodule.<name>.<key>` in the output of `git config --null`.
pub(crate) fn entries(text: &[u8]) -> impl Iterator<Item = (String, String, String)> + '_ {
    text.split(|&byte| byte == 0).filter_map(|entry| {
        let entry = String::from_utf8_lossy(entry);
        let (key, value) = entry.split_once('\n')?;
        let (name, key) = key.strip_prefix("submodule.")?.rsplit_once('.')?;
        Some((name.to_owned(), key.to_owned(), value.to_owned()))
    })
}

/// Returns whether a name stays inside its parent folder. Git has the same rule.
pub(crate) fn is_safe(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('/') && name.split(['/', '\\']).all(|part| part != "..")
}

/// Resolves a URL as Git does. If it begins with `./` or `../`, it is relative to the URL of the parent repository.
pub(crate) fn joined(base: &str, url: &str) -> String {
    if !url.starts_with("./") && !url.starts_with("../") {
        return url.to_owned();
    }
    let (mut base, mut rest) = (base.trim_end_matches('/'), url);
    let mut separator = '/';
    loop {
        if let Some(after) = rest.strip_prefix("../") {
            rest = after;
            if let Some(place) = base.rfind(['/', ':']) {
                separator = if base[place..].starts_with(':') { ':' } else { '/' };
                base = &base[..place];
            }
        } else if let Some(after) = rest.strip_prefix("./") {
            rest = after;
        } else {
            return format!("{base}{separator}{}", rest.trim_end_matches('/'));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_urls_start_from_the_repository_above() {
        for (base, url, expected) in [
            ("https://x.org/a/b.git", "../c.git", "https://x.org/a/c.git"),
            ("https://x.org/a/b.git/", "../../c/d", "https://x.org/c/d"),
            ("git@x.org:a/b", "../c", "git@x.org:a/c"),
            ("git@x.org:b", "../c", "git@x.org:c"),
            ("/home/me/repo", "./sub/", "/home/me/repo/sub"),
            ("https://x.org/a", "ssh://y.org/b", "ssh://y.org/b"),
            ("https://x.org/a", "/srv/b", "/srv/b"),
        ] {
            assert_eq!(joined(base, url), expected, "{base} {url}");
        }
    }

    #[test]
    fn submodule_names_outside_their_folder_are_unsafe() {
        for (name, safe) in
            [("sub", true), ("libs/a..b", true), ("", false), ("../x", false), ("a/../b", false), ("/x", false)]
        {
            assert_eq!(is_safe(name), safe, "{name}");
        }
    }
}
