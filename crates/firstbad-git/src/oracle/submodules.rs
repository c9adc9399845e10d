//! Submodules of a revision: little repositories like the work tree's own, that borrow what the user has of them.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::hash::Hasher as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use firstbad::Error;
use siphasher::sip::SipHasher13;

use super::seed::Seed;
use super::slot::{Preparation, Slot};
use crate::git;
use crate::repository::Repository;

/// How deep submodules lie within submodules before we take them for endless.
const DEEPEST: usize = 20;

/// How often somebody who waits for another's download looks whether to go on.
const GLANCE: Duration = Duration::from_millis(20);

/// A submodule in the index: a folder, and the commit that belongs there.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) path: PathBuf,
    commit: String,
}

/// Where submodules come from.
#[derive(Debug)]
pub(super) struct Sources {
    /// A folder with a repository for each URL that something had to be fetched from, shared by all work trees.
    fetched: PathBuf,
    /// One download at a time: two of the same would be one too many.
    fetching: Mutex<()>,
    /// What the repositories that we borrow from hold, read once.
    seeds: Mutex<HashMap<PathBuf, Arc<(Repository, Seed)>>>,
}

/// The repository that a submodule is one of, as far as that says where to look.
struct Above {
    /// Folders with the git folders of submodules, by name.
    modules: Vec<PathBuf>,
    /// What relative URLs start from.
    url: String,
    /// Work trees that may have submodules with a git folder of their own, as old gits made them.
    tree: Option<PathBuf>,
    /// Settings `submodule.<name>.url` of the user's.
    urls: BTreeMap<String, String>,
}

impl Sources {
    /// Nothing is read before it is needed; `fetched` is made when something has to be fetched.
    pub(super) fn new(fetched: PathBuf) -> Sources {
        Sources { fetched, fetching: Mutex::default(), seeds: Mutex::default() }
    }

    fn seeds(&self) -> MutexGuard<'_, HashMap<PathBuf, Arc<(Repository, Seed)>>> {
        self.seeds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The repository with this git folder and what a work tree of it starts from; nothing where it is none.
    fn seed(&self, git_dir: &Path) -> Option<Arc<(Repository, Seed)>> {
        if let Some(known) = self.seeds().get(git_dir) {
            return Some(known.clone());
        }
        let repository = Repository::open(git_dir).ok()?;
        // A folder that is none may lie in one.
        if repository.common_dir() != git_dir.canonicalize().ok()? {
            return None;
        }
        let seed = Seed::of(&repository).ok()?;
        let made = Arc::new((repository, seed));
        self.seeds().insert(git_dir.to_owned(), made.clone());
        Some(made)
    }

    /// Waits for its turn to fetch.
    fn turn(&self, how: &mut Preparation<'_, '_>) -> Result<MutexGuard<'_, ()>, Error> {
        loop {
            match self.fetching.try_lock() {
                Ok(guard) => return Ok(guard),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if how.ticket.stopped() || !(how.keep_going)() => {
                    return Err(Error::Interrupted);
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(GLANCE),
            }
        }
    }
}

/// The submodules that a slot's index has.
pub(super) fn links(slot: &Slot) -> Result<Vec<Link>, Error> {
    let index = git::output(slot.git().args(["ls-files", "--stage", "-z"]), b"")?;
    let entries = index.split(|&byte| byte == 0).filter(|entry| entry.starts_with(b"160000 "));
    Ok(entries
        .filter_map(|entry| {
            let (words, path) = entry.split_at(entry.iter().position(|&byte| byte == b'\t')?);
            let commit = words.split(|&byte| byte == b' ').nth(1)?;
            let path = PathBuf::from(OsStr::from_bytes(path.get(1..)?));
            Some(Link { path, commit: String::from_utf8_lossy(commit).into_owned() })
        })
        .collect())
}

/// Fills all submodules of a slot that holds a revision of `repository`, and theirs. What stands in the way comes back
/// in words.
///
/// # Errors
/// [`Error::Io`], [`Error::Interrupted`].
pub(super) fn fill(
    slot: &mut Slot,
    repository: &Repository,
    how: &mut Preparation<'_, '_>,
) -> Result<Option<String>, Error> {
    let Some(sources) = how.sources else { return Ok(None) };
    let work_tree = (repository.path() != repository.common_dir()).then(|| repository.path().to_owned());
    let url = setting(repository, "remote.origin.url").unwrap_or_else(|| repository.path().display().to_string());
    fill_from(slot, &Above::of(repository, work_tree, url), sources, how, 0)
}

fn fill_from(
    slot: &mut Slot,
    above: &Above,
    sources: &Sources,
    how: &mut Preparation<'_, '_>,
    depth: usize,
) -> Result<Option<String>, Error> {
    let declared = match declared(slot) {
        Ok(declared) => declared,
        Err(error) => return Ok(Some(format!("cannot read .gitmodules: {error}"))),
    };
    for link in links(slot)? {
        let shown = link.path.display().to_string();
        let obstacle = |why: &str| Ok(Some(format!("cannot fill the submodule {shown}: {why}")));
        let Some((name, module)) = declared.iter().find(|(_, module)| module.path.as_ref() == Some(&link.path)) else {
            return obstacle("the revision's .gitmodules says nothing about it");
        };
        if module.update.as_deref() == Some("none") {
            continue;
        }
        if depth >= DEEPEST {
            return obstacle("submodules lie too deep in one another");
        }
        if !is_safe(name) {
            return obstacle(&format!("it has the name {name:?}"));
        }
        let url = above.urls.get(name).cloned().or_else(|| module.url.as_deref().map(|url| joined(&above.url, url)));
        let source = match source(&link, name, url.as_deref(), above, sources, how) {
            Ok(source) => source,
            Err(Error::Git { message }) => return obstacle(&message),
            Err(error) => return Err(error),
        };
        let mut inner = slot.filled.remove(&link.path).unwrap_or_else(|| slot.within(&link.path));
        let (repository, seed) = &*source;
        let mut inside = Preparation {
            seed,
            ticket: how.ticket,
            keep_going: &mut *how.keep_going,
            build: how.build,
            sources: how.sources,
        };
        match inner.prepare(&link.commit, &mut inside) {
            Ok(()) => {}
            Err(Error::Git { message }) => {
                slot.filled.insert(link.path, inner);
                return obstacle(&message);
            }
            Err(error) => return Err(error),
        }
        let tree = above.tree.as_ref().map(|tree| tree.join(&link.path));
        let found = fill_from(
            &mut inner,
            &Above::of(repository, tree, url.unwrap_or_default()),
            sources,
            &mut inside,
            depth + 1,
        );
        slot.filled.insert(link.path, inner);
        if let Some(words) = found? {
            return Ok(Some(format!("{words} (within {shown})")));
        }
    }
    Ok(None)
}

/// A repository that has the commit: one of the user's, or ours after fetching it.
fn source(
    link: &Link,
    name: &str,
    url: Option<&str>,
    above: &Above,
    sources: &Sources,
    how: &mut Preparation<'_, '_>,
) -> Result<Arc<(Repository, Seed)>, Error> {
    let own = above.tree.as_ref().map(|tree| tree.join(&link.path).join(".git")).filter(|folder| folder.is_dir());
    for folder in above.modules.iter().map(|modules| modules.join(name)).chain(own) {
        if let Some(found) = sources.seed(&folder)
            && has(&found.0, &link.commit)
        {
            return Ok(found);
        }
    }
    let url = url.ok_or_else(|| Error::Git { message: "the revision's .gitmodules has no URL for it".to_owned() })?;
    if url.starts_with('-') {
        return Err(Error::Git { message: format!("the URL {url:?} looks like an option") });
    }
    let _turn = sources.turn(how)?;
    let mut hasher = SipHasher13::new();
    hasher.write(url.as_bytes());
    let folder = sources.fetched.join(format!("{:016x}", hasher.finish()));
    let found = || sources.seed(&folder).filter(|found| has(&found.0, &link.commit));
    if let Some(found) = found() {
        return Ok(found);
    }
    let slot = Slot::new(folder.clone());
    if !folder.exists() {
        super::cache::make(&folder).map_err(|error| git::io(format!("making {}", folder.display()), &error))?;
        let mut init = git::git(&folder);
        init.args(["-c", "init.defaultRefFormat=files", "init", "--quiet", "--bare", "--template="]);
        if how.seed.object_format != "sha1" {
            init.arg(format!("--object-format={}", how.seed.object_format));
        }
        slot.run(init.arg("."), how)?;
    }
    // Everything that has a name first: not every server gives away a commit that has none.
    for what in [&["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"][..], &[&link.commit]] {
        slot.run(fetching(&folder).args(["--", url]).args(what), how)?;
        sources.seeds().remove(&folder);
        if let Some(found) = found() {
            return Ok(found);
        }
    }
    Err(Error::Git { message: format!("{url} does not have the commit {}", link.commit) })
}

/// `git fetch` that runs nothing of a repository's, asks nothing, and takes no other ways than to fetch.
fn fetching(folder: &Path) -> std::process::Command {
    let mut fetch = git::git(folder);
    fetch
        .env_remove("GIT_CONFIG_COUNT")
        .env("GIT_ALLOW_PROTOCOL", "file:git:http:https:ssh")
        .args(["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "gc.auto=0"])
        .args(["-c", "maintenance.auto=false", "--git-dir", "."])
        .args(["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"]);
    if std::env::var_os("GIT_SSH_COMMAND").is_none() && std::env::var_os("GIT_SSH").is_none() {
        // It would ask at the terminal, whatever we say about terminals.
        fetch.env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes");
    }
    fetch
}

fn has(repository: &Repository, commit: &str) -> bool {
    let mut command = repository.git();
    command.args(["cat-file", "-e", &format!("{commit}^{{tree}}")]);
    git::output(&mut command, b"").is_ok()
}

impl Above {
    fn of(repository: &Repository, tree: Option<PathBuf>, url: String) -> Above {
        let mut modules: Vec<PathBuf> =
            [repository.git_dir(), repository.common_dir()].map(|folder| folder.join("modules")).into();
        modules.dedup();
        let text =
            git::finished(repository.git().args(["config", "--null", "--get-regexp", r"^submodule\..*\.url$"]), b"");
        let text = text.map(|(_, text)| text).unwrap_or_default();
        let urls = entries(&text).filter_map(|(name, key, value)| (key == "url").then_some((name, value))).collect();
        Above { modules, url, tree, urls }
    }
}

fn setting(repository: &Repository, key: &str) -> Option<String> {
    let text = git::output(repository.git().args(["config", "--get", key]), b"").ok()?;
    Some(String::from_utf8_lossy(&text).trim_end_matches('\n').to_owned()).filter(|text| !text.is_empty())
}

/// What `.gitmodules` says about a submodule.
#[derive(Debug, Default)]
struct Module {
    path: Option<PathBuf>,
    url: Option<String>,
    update: Option<String>,
}

fn declared(slot: &Slot) -> Result<BTreeMap<String, Module>, Error> {
    let mut found: BTreeMap<String, Module> = BTreeMap::new();
    if git::finished(slot.git().args(["cat-file", "-e", ":.gitmodules"]), b"")?.0.is_some() {
        return Ok(found);
    }
    let mut command = slot.git();
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

/// The entries `submodule.<name>.<key>` of what `git config --null` prints.
fn entries(text: &[u8]) -> impl Iterator<Item = (String, String, String)> + '_ {
    text.split(|&byte| byte == 0).filter_map(|entry| {
        let entry = String::from_utf8_lossy(entry);
        let (key, value) = entry.split_once('\n')?;
        let (name, key) = key.strip_prefix("submodule.")?.rsplit_once('.')?;
        Some((name.to_owned(), key.to_owned(), value.to_owned()))
    })
}

/// Whether a name stays inside the folder that it names a part of; git has the same rule.
fn is_safe(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('/') && name.split(['/', '\\']).all(|part| part != "..")
}

/// A URL as git reads it: one that begins with `./` or `../` starts from that of the repository above.
fn joined(base: &str, url: &str) -> String {
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
    fn names_that_lead_elsewhere_are_not_safe() {
        for (name, safe) in
            [("sub", true), ("libs/a..b", true), ("", false), ("../x", false), ("a/../b", false), ("/x", false)]
        {
            assert_eq!(is_safe(name), safe, "{name}");
        }
    }
}
