//! Reports with the metadata of their commits.

use std::collections::BTreeMap;
use std::time::Duration;

use firstbad::regression::RegressionReport;
use firstbad::suspicion::{Changelist, is_documentation};
use firstbad::{
    CommitGraph, CommitStats, Error, FileStats, Inspect, Origin, RegressionPoint, Report, SlicedHistory, Status, World,
    option,
};

use crate::changes::Merges;
use crate::empty_files;
use crate::forge::Forge;
use crate::git::side_by_side;
use crate::repository::Repository;
use crate::{people, same_change, same_tree, skipped};

/// The maximum number of names for an endpoint.
const NAMES: usize = 3;
/// The maximum number of tested revisions with names if every revision fails.
const SEEN: usize = 20;

/// The maximum number of culprits with a list of changed files, and the maximum length of the list.
const BLAMED: usize = 20;
const LARGEST: usize = 10;
/// The maximum number of commits with a list of updated submodules.
const MOVED: usize = 3;
const LOOKING: Duration = Duration::from_secs(5);

/// Returns the report of a search as JSON, like [`Inspect::report_json`]. After the search has ended, adds the metadata of
/// commits ([`describe`], [`name_ends`]) if the history comes from a repository. This takes some calls of Git.
///
/// # Errors
/// See [`Inspect::report_json`].
pub fn report_json(search: &dyn Inspect, status: Status) -> Result<String, Error> {
    let written = search.report_json()?;
    let World::History(graph) = search.world() else { return Ok(written) };
    let Some(origin) = graph.origin().filter(|_| status != Status::Running) else { return Ok(written) };
    // Reports of other algorithms do not change.
    let Ok(mut report) = Report::from_json(search.algorithm(), &written) else { return Ok(written) };
    name_commits(&mut report, &graph, origin);
    serde_json::to_string(&report).map_err(|error| Error::internal("a report", &error))
}

/// Parses a report from the JSON of [`report_json`]. While the search runs, adds the metadata of the commits tested so far if the
/// history comes from a repository. This takes some calls of Git.
///
/// # Errors
/// [`Error::InvalidArgument`] if the text is not a report of this search's algorithm.
pub fn named_report(search: &dyn Inspect, report: &str) -> Result<Report, Error> {
    let mut report = Report::from_json(search.algorithm(), report)?;
    if report.commits().is_some_and(BTreeMap::is_empty)
        && let World::History(graph) = search.world()
        && let Some(origin) = graph.origin()
    {
        name_commits(&mut report, &graph, origin);
    }
    Ok(report)
}

/// Adds the metadata of the commits in a report. If the repository no longer exists, the report stays as it is.
fn name_commits(report: &mut Report, graph: &CommitGraph, origin: &Origin) {
    if let Ok(repository) = Repository::open(&origin.repository) {
        describe(report, &repository, None);
    }
    name_ends(report, graph);
}

/// Adds the metadata of the commits in a report, and of the endpoints of `history`, from the repository. This takes one call of
/// Git, and some more for the culprits. If no revision could be tested, adds warnings about submodules and Git LFS files that
/// were not checked out. If information cannot be read, it is left out.
pub fn describe(report: &mut Report, repository: &Repository, history: Option<&SlicedHistory>) {
    let ends = history.into_iter().flat_map(|history| [&history.base, &history.tip].into_iter().chain(&history.onto));
    let named = report.named().into_iter().chain(ends.map(String::as_str));
    let blamed: Vec<&str> = report.blamed().into_iter().take(BLAMED).collect();
    let (mut found, (looks, changes)) = side_by_side(
        || repository.commits(named).unwrap_or_default(),
        || if blamed.is_empty() { Default::default() } else { look_at(repository, &blamed) },
    );
    let mut without_source = Vec::new();
    for Look { sha, changed, has_source, url, request_url } in looks {
        without_source.extend((!has_source).then(|| sha.clone()));
        if let Some(commit) = found.get_mut(&sha) {
            (commit.changed, commit.url, commit.request_url) = (changed, url, request_url);
        }
    }
    for sha in blamed.iter().take(MOVED) {
        if let Some(commit) = found.get_mut(*sha) {
            commit.submodules = repository.moved_submodules(sha);
        }
    }
    if let Some(commits) = report.commits_mut() {
        *commits = found;
    }
    for reason in empty_files::reasons(report, repository) {
        report.warn(reason);
    }
    if let Report::Triage(report) = report {
        people::fill(report, repository, &changes);
    }
    if let Report::Regression(report) = report {
        warn_without_source(report, &without_source);
        same_tree::check(report, repository);
        skipped::check(report, repository);
        same_change::check(report, repository);
    }
}

/// Warns about culprits that change only documentation, because a flaky test can lead to them.
fn warn_without_source(report: &mut RegressionReport, without_source: &[String]) {
    let is_doubtful = |point: &&RegressionPoint| {
        let culprit = point.culprit.as_ref().filter(|_| point.probability.is_none());
        culprit.is_some_and(|culprit| without_source.contains(culprit))
    };
    let culprits: Vec<&str> = report.points.iter().filter(is_doubtful).map(RegressionPoint::newer).collect();
    let warnings = culprits.into_iter().map(|culprit| {
        format!("{culprit} changes no source file. If the test is flaky, rerun with {}", option!(search = "bayes"))
    });
    let warnings: Vec<String> = warnings.collect();
    report.warnings.extend(warnings);
}

/// The changed files and web pages of a culprit.
struct Look {
    sha: String,
    changed: Option<CommitStats>,
    has_source: bool,
    url: Option<String>,
    request_url: Option<String>,
}

/// Returns whether all objects of these commits and their parents are available, after fetching them if allowed. A partial clone
/// has only the objects of tested revisions.
fn has_contents(repository: &Repository, commits: &[&str]) -> bool {
    let parents = || commits.iter().filter_map(|sha| repository.parents(sha).ok()).flatten();
    repository.promisor().is_none() || {
        let all: Vec<String> = commits.iter().map(|sha| (*sha).to_owned()).chain(parents()).collect();
        repository.complete_revisions(&all.iter().map(String::as_str).collect::<Vec<_>>()).is_ok()
    }
}

/// Returns the changed files and web pages of the culprits.
fn look_at(repository: &Repository, blamed: &[&str]) -> (Vec<Look>, Vec<Changelist>) {
    let listed: String = blamed.iter().map(|sha| format!("{sha}\n")).collect();
    let newest = blamed.last().copied().unwrap_or("HEAD");
    let (forge, changes) = side_by_side(
        || Forge::of(repository),
        || {
            let contents = has_contents(repository, blamed);
            let changes = repository.changes_within(listed.as_bytes(), newest, Merges::FirstParent, contents, LOOKING);
            changes.unwrap_or_default()
        },
    );
    let look = |change: &Changelist| {
        // In a clone without file contents, lines were not counted.
        let changed = (change.files.is_empty() || !change.counts.is_empty()).then(|| changed(change));
        let pages = forge.as_ref().map(|forge| forge.pages(repository, &change.id, &change.message));
        let (url, request_url) = pages.unwrap_or_default();
        let has_source = change.files.is_empty() || !change.files.iter().all(|file| is_documentation(file));
        Look { sha: change.id.clone(), changed, has_source, url, request_url }
    };
    (changes.iter().map(look).collect(), changes)
}

fn changed(change: &Changelist) -> CommitStats {
    let counted = |path: &String| {
        let (added, deleted) = change.counts.get(path).copied().unwrap_or_default();
        FileStats { path: path.clone(), added, deleted }
    };
    // A renamed file is listed under both names.
    let renamed: Vec<&String> = change.renames.keys().collect();
    let mut largest: Vec<FileStats> = change.files.iter().filter(|path| !renamed.contains(path)).map(counted).collect();
    let files = largest.len();
    largest.sort_by_key(|file| std::cmp::Reverse(file.added.saturating_add(file.deleted)));
    largest.truncate(LARGEST);
    CommitStats { files, added: change.added, deleted: change.deleted, largest }
}

/// Adds the branch and tag names of the endpoints to a report of a search for regressions, of a triage, or of a search for a change.
pub fn name_ends(report: &mut Report, graph: &CommitGraph) {
    match report {
        Report::Regression(report) => {
            let older = report.points.iter().filter_map(RegressionPoint::older);
            let seen = report.observations.iter().filter_map(|seen| seen.target.revision.as_deref());
            let is_alike = matches!(report.status, Status::GoodEndFails | Status::NoPassingRevision);
            let leaves = report.leaves.iter().map(|leaf| leaf.leaf.as_str());
            report.names = names(leaves.chain(older).chain(seen.filter(|_| is_alike).take(SEEN)), graph);
        }
        Report::Change(report) => {
            let ends = std::iter::once(&report.bad).chain(&report.good).map(String::as_str);
            report.names = names(ends.take(SEEN), graph);
        }
        Report::Triage(report) => {
            let ends = std::iter::once(&report.bad).chain(&report.good).map(String::as_str);
            report.names = names(ends.take(SEEN), graph);
        }
        _ => {}
    }
}

/// Returns the branch and tag names of revisions.
fn names<'a>(ends: impl Iterator<Item = &'a str>, graph: &CommitGraph) -> BTreeMap<String, Vec<String>> {
    let named = ends.filter_map(|end| {
        // Only short names are useful, and `HEAD` is not specific.
        let is_short = |name: &str| !name.starts_with("refs/") && name != "HEAD" && !end.starts_with(name);
        let names = graph.names(graph.get(end)?);
        // The name of a remote means its main branch, which also has its own name.
        let is_remote = |name: &str| names.contains(&format!("refs/remotes/{name}/HEAD").as_str());
        let shown = names.iter().copied().filter(|name| is_short(name) && !is_remote(name));
        let names: Vec<String> = shown.take(NAMES).map(str::to_owned).collect();
        (!names.is_empty()).then(|| (end.to_owned(), names))
    });
    named.collect()
}
