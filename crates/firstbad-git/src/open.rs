//! Searches whose options need information from the repository.

use std::cell::OnceCell;
use std::path::Path;
use std::time::Duration;

use firstbad::culprit::{CulpritStrategy, Prior, PriorName};
use firstbad::graph::Node;
use firstbad::regression::{LookBack, SearchKind};
use firstbad::suspicion::{Changelist, CommitRanking, rank_commits_in};
use firstbad::{CommitGraph, Configuration, Error, Find, Origin, RegressionConfig, Search, World, option};
use serde_json::Value;

use crate::changes::Merges;
use crate::dates;
use crate::repository::Repository;

/// The maximum number of suspects whose changes are read for a prior. Git takes some seconds for that many.
const MOST_SUSPECTS: usize = 20_000;

/// The maximum number of failing tests whose names rank the suspects.
const MOST_TESTS: usize = 100;

/// The time limit for reading the changes of commits.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens a search like [`firstbad::open`]. If the history comes from a repository, more options are available:
///
/// - Endpoints can be any revision in Git's syntax (`main~3`), or a date.
/// - `"prior": "changes"` ranks the suspects as [`rank_changes`] does. This is the default for searches with a prior. If the
///   changes cannot be read in time, all suspects are equally likely, and the ranking contains a warning.
/// - `"find_good": true` starts at the last tag before each bad revision, if there is one.
///
/// # Errors
/// The errors of [`firstbad::open`]. [`Error::Shallow`] if the history is a shallow clone and the search may need the missing
/// commits.
pub fn open(algorithm: &str, world: impl Into<World>, configuration: &Value) -> Result<Box<dyn Search>, Error> {
    opened(Configuration::parse(algorithm, configuration)?, world.into(), &Source::default())
}

/// Opens a search like [`open`], if the caller has already opened the repository of the history. Does not fetch.
///
/// # Errors
/// See [`open`].
pub fn open_in(
    repository: &Repository,
    world: impl Into<World>,
    configuration: Configuration,
) -> Result<Box<dyn Search>, Error> {
    let source = Source { repository: OnceCell::from(repository.clone().fetching(false)) };
    opened(configuration, world.into(), &source)
}

/// The repository of a history, opened on first use.
#[derive(Default)]
struct Source {
    repository: OnceCell<Repository>,
}

impl Source {
    /// Returns the repository.
    ///
    /// # Errors
    /// The errors of [`Repository::open`], because the repository may no longer exist.
    fn repository(&self, origin: &Origin) -> Result<&Repository, Error> {
        match self.repository.get() {
            Some(repository) => Ok(repository),
            None => Repository::open(&origin.repository).map(|opened| self.repository.get_or_init(|| opened)),
        }
    }
}

fn opened(mut configuration: Configuration, world: World, source: &Source) -> Result<Box<dyn Search>, Error> {
    let World::History(graph) = &world else { return configuration.open(world) };
    resolve_ends(graph, &mut configuration, source)?;
    match &mut configuration {
        Configuration::Regression(config) => find_good_at_tags(graph, config, source),
        Configuration::Triage(config) => config.name_tests(),
        _ => {}
    }
    let Some(origin) = graph.origin() else { return configuration.open(world) };
    check_is_whole(origin, &configuration, source)?;
    if let Some(prior) = ranking_of(graph, &configuration, source) {
        let (prior, error) = match prior {
            Ok(ranking) => (ranking.prior().into(), None),
            Err(error) => (Prior::Named(PriorName::Uniform), Some(error)),
        };
        match &mut configuration {
            Configuration::Regression(config) => config.prior = Some(prior),
            Configuration::Culprit(config) => config.prior = Some(prior),
            Configuration::Triage(config) => config.prior = Some(prior),
            Configuration::Change(config) => config.prior = Some(prior),
            _ => {}
        }
        // Opening the search reports invalid options more clearly.
        if let Some(error) = error {
            return configuration.open(world).and(Err(error));
        }
    }
    configuration.open(world)
}

/// Checks that no commit relevant to the search is missing from a shallow clone.
fn check_is_whole(origin: &Origin, configuration: &Configuration, source: &Source) -> Result<(), Error> {
    let argument = match configuration {
        Configuration::Regression(config) if config.find == Find::Fix => "bad",
        Configuration::Regression(_)
        | Configuration::Culprit(_)
        | Configuration::Triage(_)
        | Configuration::Change(_) => "good",
        _ => return Ok(()),
    };
    // Most clones are complete, which can be checked without calling Git.
    let git_dir = Path::new(&origin.repository).join(".git");
    if git_dir.is_dir() && !git_dir.join("shallow").exists() {
        return Ok(());
    }
    // The repository may no longer exist, but the history is still valid.
    let Ok(repository) = source.repository(origin) else { return Ok(()) };
    let ends = Ends::of(configuration);
    // Excluded commits are older, and the search does not go beyond them.
    let older: Vec<String> = ends.older.iter().chain(&origin.exclude).cloned().collect();
    repository.check_between(argument, &older, ends.newer, origin.first_parent)
}

/// Returns the ranking of the suspects by the files they touch, or `None` if the search does not use it.
fn ranking_of(
    graph: &CommitGraph,
    configuration: &Configuration,
    source: &Source,
) -> Option<Result<CommitRanking, Error>> {
    let (prior, is_default) = match configuration {
        Configuration::Regression(config) => {
            (&config.prior, matches!(config.search, SearchKind::Auto | SearchKind::Weighted | SearchKind::Bayes))
        }
        Configuration::Culprit(config) => (&config.prior, config.strategy != CulpritStrategy::Bisect),
        Configuration::Triage(config) => (&config.prior, true),
        Configuration::Change(config) => (&config.prior, true),
        _ => return None,
    };
    let is_asked_for = match prior {
        Some(prior) => *prior == Prior::Named(PriorName::Changes),
        None => is_default,
    };
    is_asked_for.then(|| ranked(graph, &Ends::of(configuration), source))
}

/// Ranks the suspects by the files they touch. If git cannot list the files, the ranking is empty and says why.
fn ranked(graph: &CommitGraph, ends: &Ends<'_>, source: &Source) -> Result<CommitRanking, Error> {
    let suspects = between(graph, ends.newer, ends.oldest(), source)?;
    let count = suspects.len();
    let changes = if count > MOST_SUSPECTS {
        Err(format!("there are {count} suspects, and firstbad reads at most {MOST_SUSPECTS}"))
    } else {
        touched(graph, suspects, source).map_err(|error| match error {
            Error::MissingObjects { .. } => "this partial clone does not have their changes".to_owned(),
            error => error.to_string(),
        })
    };
    match changes {
        Ok(changes) => rank_commits_in(&changes, ends.test, graph, ends.newer, ends.older),
        Err(why) => Ok(CommitRanking {
            warning: Some(format!(
                "firstbad cannot read the changes of the commits, so all suspects are equally \
                                   likely: {why}"
            )),
            ..CommitRanking::default()
        }),
    }
}

/// Looks back at the last tags before the bad revisions, in a history that was read from git.
fn find_good_at_tags(graph: &CommitGraph, config: &mut RegressionConfig, source: &Source) {
    let Some(origin) = graph.origin().filter(|_| config.find_good == Some(LookBack::Named(true))) else { return };
    // If git cannot list tags, the search looks back without them.
    let Ok(repository) = source.repository(origin) else { return };
    let newer = Ends::of_regression(config).newer;
    // Opening the search reports wrong endpoints.
    let tag = |end: &String| repository.last_tag(graph.id(graph.resolve(end, "bad").ok()?));
    let mut tags: Vec<String> = newer.iter().filter_map(tag).filter(|id| graph.get(id).is_some()).collect();
    tags.dedup();
    if !tags.is_empty() {
        config.find_good = Some(LookBack::First(tags));
    }
}

/// Replaces endpoints that only Git understands, such as `main~3`, with full ids.
fn resolve_ends(graph: &CommitGraph, configuration: &mut Configuration, source: &Source) -> Result<(), Error> {
    let newer = Ends::of(configuration).newer.first().cloned();
    for (argument, name) in configuration.endpoints_mut() {
        if graph.resolve(name, argument).is_err() {
            let node = match dated(graph, name, argument, newer.as_deref(), source)? {
                Some(node) => node,
                None => resolved(graph, name, argument, source)?,
            };
            graph.id(node).clone_into(name);
        }
    }
    Ok(())
}

/// Returns the last revision before a date in the history of the newer revision. If that is also a date, uses the history of
/// `HEAD`.
fn dated(
    graph: &CommitGraph,
    date: &str,
    argument: &str,
    newer: Option<&str>,
    source: &Source,
) -> Result<Option<Node>, Error> {
    let Some(origin) = graph.origin().filter(|_| dates::is_date(date)) else { return Ok(None) };
    let tip = newer.filter(|newer| !dates::is_date(newer)).unwrap_or("HEAD");
    let id = source.repository(origin)?.last_before(argument, date, tip)?;
    id.map(|id| graph.get(&id).ok_or_else(|| Error::invalid(argument, date, outside(origin, source)))).transpose()
}

/// Returns the revision that `name` refers to. A name that the graph does not know is resolved by Git, if the graph comes from a
/// repository.
///
/// # Errors
/// - [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] if `name` cannot be resolved.
/// - [`Error::InvalidArgument`] if the commit exists but is not in the graph.
pub fn resolve(graph: &CommitGraph, name: &str, argument: &str) -> Result<Node, Error> {
    resolved(graph, name, argument, &Source::default())
}

fn resolved(graph: &CommitGraph, name: &str, argument: &str, source: &Source) -> Result<Node, Error> {
    let (error, origin) = match (graph.resolve(name, argument), graph.origin()) {
        (Err(error @ Error::UnknownRevision { .. }), Some(origin)) => (error, origin),
        (found, _) => return found,
    };
    let found = source.repository(origin).and_then(|repository| repository.resolve_as(argument, name));
    match found {
        Ok(id) => graph.get(&id).ok_or_else(|| Error::invalid(argument, name, outside(origin, source))),
        Err(of_git @ (Error::UnknownRevision { advice: Some(_), .. } | Error::AmbiguousRevision { .. })) => Err(of_git),
        // If the repository no longer exists, only the names in the history can be resolved.
        Err(_) => Err(error),
    }
}

/// Returns the expectation in the error for a commit that is not in the graph.
fn outside(origin: &Origin, source: &Source) -> String {
    let why = if origin.first_parent || !origin.paths.is_empty() || !origin.exclude.is_empty() {
        concat!("the graph was read without it (by exclude, ", option!(first_parent), " or ", option!(paths), ")")
    } else if source.repository(origin).is_ok_and(|repository| repository.is_shallow()) {
        concat!(
            "it is not an ancestor of the graph's tips in this shallow clone\nhelp: fetch the history (git fetch \
             --unshallow, fetch-depth: 0 in CI, or ",
            option!(fetch = true),
            "), or also name it as a tip"
        )
    } else {
        "it is not an ancestor of the graph's tips\nhelp: also name it as a tip"
    };
    format!("a revision of the graph. Git knows it, but {why}")
}

/// Returns the first revision that a search for regressions will test: the first bad revision, unless endpoints are trusted.
/// Front ends use it to prepare the revision early.
#[must_use]
pub fn first_asked(graph: &CommitGraph, config: &RegressionConfig) -> Option<String> {
    let first = Ends::of_regression(config).newer.first().filter(|_| config.test_endpoints)?;
    resolve(graph, first, "bad").ok().map(|node| graph.id(node).to_owned())
}

/// The options of a search that determine its suspects and its test.
#[derive(Default)]
struct Ends<'a> {
    newer: &'a [String],
    older: &'a [String],
    /// The revisions to look back at, if no good revision is given.
    tags: &'a [String],
    test: &'a [String],
}

impl<'a> Ends<'a> {
    fn of(configuration: &'a Configuration) -> Ends<'a> {
        match configuration {
            Configuration::Regression(config) => Ends::of_regression(config),
            Configuration::Culprit(config) => {
                Ends { newer: &config.bad, older: &config.good, test: &config.test, ..Ends::default() }
            }
            Configuration::Triage(config) => {
                let test = &config.tests[..config.tests.len().min(MOST_TESTS)];
                Ends { newer: &config.bad, older: &config.good, test, ..Ends::default() }
            }
            Configuration::Change(config) => Ends { newer: &config.bad, older: &config.good, ..Ends::default() },
            Configuration::Verification(config) => Ends { newer: &config.bad, older: &config.good, ..Ends::default() },
            _ => Ends::default(),
        }
    }

    fn of_regression(config: &'a RegressionConfig) -> Ends<'a> {
        let (newer, older) = match config.find {
            Find::Regression => (&config.bad, &config.good),
            Find::Fix => (&config.good, &config.bad),
        };
        let tags: &[String] = if let Some(LookBack::First(tags)) = &config.find_good { tags } else { &[] };
        Ends { newer, older, tags, test: &config.test }
    }

    /// Returns the revisions that limit the suspects. Commits before the last tag may be numerous and rarely matter.
    fn oldest(&self) -> &'a [String] {
        if self.older.is_empty() { self.tags } else { self.older }
    }
}

/// Returns the ids of the suspects of a search, oldest first: the bad revisions and their ancestors, without the good revisions
/// and their ancestors. For a search for a fix, the roles are swapped.
///
/// # Errors
/// [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] if an endpoint cannot be resolved.
pub fn suspects(graph: &CommitGraph, config: &RegressionConfig) -> Result<Vec<String>, Error> {
    let ends = Ends::of_regression(config);
    let suspects = between(graph, ends.newer, ends.oldest(), &Source::default())?;
    Ok(suspects.into_iter().map(|node| graph.id(node).to_owned()).collect())
}

/// Returns `bad` and their ancestors, without `good` and their ancestors.
fn between(graph: &CommitGraph, bad: &[String], good: &[String], source: &Source) -> Result<Vec<Node>, Error> {
    let nodes = |names: &[String], argument| -> Result<Vec<Node>, Error> {
        names.iter().map(|name| resolved(graph, name, argument, source)).collect()
    };
    let mut suspects = graph.ancestors(&nodes(bad, "bad")?);
    suspects.difference_with(&graph.ancestors(&nodes(good, "good")?));
    Ok(suspects.ones().map(|suspect| suspect as Node).collect())
}

/// Ranks the suspects by the files they touch, like [`rank_commits_in`], with the changes read from the repository of the
/// history. Suspects are `bad` and their ancestors, without `good` and their ancestors. If `good` is empty, the roots are used.
///
/// # Errors
/// - [`Error::InvalidArgument`] if the history does not come from a repository, or if there are more than 20,000 suspects.
/// - [`Error::Git`] if Git fails or takes longer than 10 seconds.
/// - The errors of [`rank_commits_in`].
pub fn rank_changes(
    graph: &CommitGraph,
    bad: &[String],
    good: &[String],
    tests: &[String],
) -> Result<CommitRanking, Error> {
    let source = Source::default();
    let suspects = between(graph, bad, good, &source)?;
    let count = suspects.len();
    if count > MOST_SUSPECTS {
        let expected =
            format!("\"uniform\" for more than {MOST_SUSPECTS} suspects (there are {count}), or a newer good revision");
        return Err(Error::invalid("prior", "changes", expected));
    }
    rank_commits_in(&touched(graph, suspects, &source)?, tests, graph, bad, good)
}

/// Returns the changes of some revisions.
fn touched(graph: &CommitGraph, revisions: Vec<Node>, source: &Source) -> Result<Vec<Changelist>, Error> {
    let Some(origin) = graph.origin() else {
        let expected = "a graph from a Git repository, which has the changes of its commits";
        return Err(Error::invalid("graph", "a graph without a repository", expected));
    };
    let merges = if origin.first_parent { Merges::FirstParent } else { Merges::Own };
    let (merged, plain): (Vec<Node>, Vec<Node>) =
        revisions.into_iter().partition(|&revision| graph.parents(revision).len() > 1);
    let ids = |nodes: Vec<Node>| nodes.into_iter().map(|node| graph.id(node).to_owned()).collect::<Vec<_>>();
    source.repository(origin)?.touched(&ids(plain), &ids(merged), merges, PATIENCE)
}
