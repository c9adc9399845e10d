//! Fills submodules of a revision with small repositories that borrow the user's objects.

use std::collections::BTreeMap;
use std::hash::Hasher as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use firstbad::Error;
use firstbad_git::{CANNOT_FILL, Repository, Template, cache, git, is_network};
use siphasher::sip::SipHasher13;

use super::gitmodules::{Module, declared, entries, is_safe, joined};
use super::links::Link;
use super::sources::Sources;
use super::work_tree::{Preparation, WorkTree};

/// The maximum depth of nested submodules.
const DEEPEST: usize = 20;

/// The parent repository of a submodule, as far as it affects where to look.
struct Above {
    /// The folders with the Git directories of submodules, by name.
    modules: Vec<PathBuf>,
    /// The base of relative URLs.
    url: String,
    /// A worktree whose submodules may contain their Git directories, as with old versions of Git.
    tree: Option<PathBuf>,
    /// The user's settings `submodule.<name>.url`.
    urls: BTreeMap<String, String>,
    /// Whether URLs of revisions may name local folders, which Git allows with `protocol.file.allow=always`.
    folders: bool,
    /// The number of parent repositories.
    depth: usize,
}

/// Fills all submodules of a worktree that contains a revision of `repository`, recursively. Returns a description if a submodule
/// cannot be filled.
///
/// # Errors
/// [`Error::Git`] if the network fails, [`Error::Io`], [`Error::Interrupted`].
pub(crate) fn fill(
    work_tree: &mut WorkTree,
    repository: &Repository,
    how: &mut Preparation<'_, '_>,
) -> Result<Option<String>, Error> {
    let Some(sources) = how.sources else { return Ok(None) };
    let checkout = (repository.path() != repository.common_dir()).then(|| repository.path().to_owned());
    let url = setting(repository, "remote.origin.url").unwrap_or_else(|| repository.path().display().to_string());
    let folders = setting(repository, "protocol.file.allow").is_some_and(|allow| allow == "always");
    fill_from(work_tree, &Above::of(repository, checkout, url, folders, 0)?, sources, how)
}

fn fill_from(
    work_tree: &mut WorkTree,
    above: &Above,
    sources: &Sources,
    how: &mut Preparation<'_, '_>,
) -> Result<Option<String>, Error> {
    let declared = match declared(work_tree) {
        Ok(declared) => declared,
        Err(error) => return Ok(Some(format!("cannot read .gitmodules: {error}"))),
    };
    for link in work_tree.links(how.template)? {
        let obstacle = |why: &str| Ok(Some(format!("{CANNOT_FILL}{}: {why}", link.path.display())));
        let Some((name, module)) = declared.iter().find(|(_, module)| module.path.as_ref() == Some(&link.path)) else {
            return obstacle("the revision's .gitmodules does not list it");
        };
        if module.update.as_deref() == Some("none") {
            continue;
        }
        if above.depth >= DEEPEST {
            return obstacle("submodules are nested too deeply");
        }
        if !is_safe(name) {
            return obstacle(&format!("it has the name {name:?}"));
        }
        match fill_one(work_tree, &link, name, module, above, sources, how) {
            Ok(None) => {}
            // A network failure says nothing about the revision.
            Err(Error::Git { message }) if !is_network(&message) => return obstacle(&message),
            ended => return ended,
        }
    }
    Ok(None)
}

/// Fills one submodule and its nested submodules. Returns a description if a nested submodule cannot be filled.
///
/// # Errors
/// [`Error::Git`] if this submodule cannot be filled, [`Error::Io`], [`Error::Interrupted`].
fn fill_one(
    work_tree: &mut WorkTree,
    link: &Link,
    name: &str,
    module: &Module,
    above: &Above,
    sources: &Sources,
    how: &mut Preparation<'_, '_>,
) -> Result<Option<String>, Error> {
    let url = above.urls.get(name).cloned().or_else(|| module.url.as_deref().map(|url| joined(&above.url, url)));
    let source = source(link, name, url.as_deref(), above, sources, how)?;
    let (repository, template) = &*source;
    let mut inner = work_tree.filled.remove(&link.path).unwrap_or_else(|| work_tree.within(&link.path));
    let mut inside = Preparation {
        template,
        active: how.active,
        keep_going: &mut *how.keep_going,
        keep_build: how.keep_build,
        sources: how.sources,
    };
    let prepared = inner.prepare(&link.commit, &mut inside);
    let found = match &prepared {
        Ok(()) => {
            let tree = above.tree.as_ref().map(|tree| tree.join(&link.path));
            Above::of(repository, tree, url.unwrap_or_default(), above.folders, above.depth + 1)
                .and_then(|next| fill_from(&mut inner, &next, sources, &mut inside))
        }
        Err(_) => Ok(None),
    };
    // Also keeps a broken worktree, which is recreated at the next preparation.
    work_tree.filled.insert(link.path.clone(), inner);
    prepared?;
    Ok(found?.map(|words| format!("{words} (within {})", link.path.display())))
}

/// Returns a repository that has the commit: one of the user's, or a fetched one.
fn source(
    link: &Link,
    name: &str,
    url: Option<&str>,
    above: &Above,
    sources: &Sources,
    how: &mut Preparation<'_, '_>,
) -> Result<Arc<(Repository, Template)>, Error> {
    let own = above.tree.as_ref().map(|tree| tree.join(&link.path).join(".git")).filter(|folder| folder.is_dir());
    for folder in above.modules.iter().map(|modules| modules.join(name)).chain(own) {
        if let Some(found) = sources.template(&folder)
            && has(&found.0, &link.commit)
        {
            return Ok(found);
        }
    }
    let url = url.ok_or_else(|| Error::Git { message: "the revision's .gitmodules has no URL for it".to_owned() })?;
    if url.starts_with('-') {
        return Err(Error::Git { message: format!("the URL {url:?} looks like an option") });
    }
    // The user can choose any URL. A revision is untrusted.
    let folders = above.folders || above.urls.contains_key(name);
    let _turn = sources.turn(how.active, how.keep_going)?;
    let mut hasher = SipHasher13::new();
    hasher.write(url.as_bytes());
    let folder = sources.fetched.join(format!("{:016x}", hasher.finish()));
    let found = || sources.template(&folder).filter(|found| has(&found.0, &link.commit));
    if let Some(found) = found() {
        return Ok(found);
    }
    let work_tree = WorkTree::new(folder.clone());
    if !folder.exists() {
        cache::make(&folder).map_err(|error| git::io(format!("making {}", folder.display()), &error))?;
        let mut init = how.template.init(git::own(&folder));
        work_tree.run(init.args(["--bare", "."]), how)?;
    }
    // Fetches all refs first, because some servers refuse to send a commit that no ref names.
    for what in [&["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"][..], &[&link.commit]] {
        work_tree.run(fetching(&folder, folders).args(["--", url]).args(what), how)?;
        sources.templates().remove(&folder);
        if let Some(found) = found() {
            return Ok(found);
        }
    }
    Err(Error::Git { message: format!("{url} does not have the commit {}", link.commit) })
}

/// Returns a `git fetch` that runs no command of a repository, does not prompt, and uses only the safe protocols.
fn fetching(folder: &Path, folders: bool) -> std::process::Command {
    let mut fetch = git::own(folder);
    fetch
        .env_remove("GIT_CONFIG_COUNT")
        .env("GIT_ALLOW_PROTOCOL", if folders { "file:git:http:https:ssh" } else { "git:http:https:ssh" })
        .args(["--git-dir", "."])
        .args(["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"]);
    if std::env::var_os("GIT_SSH_COMMAND").is_none() && std::env::var_os("GIT_SSH").is_none() {
        // SSH prompts on the terminal regardless of Git's settings.
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
    fn of(
        repository: &Repository,
        tree: Option<PathBuf>,
        url: String,
        folders: bool,
        depth: usize,
    ) -> Result<Above, Error> {
        let mut modules: Vec<PathBuf> =
            [repository.git_dir(), repository.common_dir()].map(|folder| folder.join("modules")).into();
        modules.dedup();
        let text =
            git::finished(repository.git().args(["config", "--null", "--get-regexp", r"^submodule\..*\.url$"]), b"");
        // The exit code is 1 if there are no such settings.
        let (_, text) = text?;
        let urls = entries(&text).filter_map(|(name, key, value)| (key == "url").then_some((name, value))).collect();
        Ok(Above { modules, url, tree, urls, folders, depth })
    }
}

fn setting(repository: &Repository, key: &str) -> Option<String> {
    let text = git::output(repository.git().args(["config", "--get", key]), b"").ok()?;
    Some(String::from_utf8_lossy(&text).trim_end_matches('\n').to_owned()).filter(|text| !text.is_empty())
}
