//! Searches whose options call for something to be read from the repository first.

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

/// The most suspects whose changes are read for a prior: git takes some seconds for so many.
const MOST_SUSPECTS: usize = 20_000;

/// How long to wait for what commits touch.
const PATIENCE: Duration = Duration::from_secs(10);

/// A search as [`firstbad::open`] makes it. Its ends may be written as git writes revisions (`main~3`) where the history was
/// read from a repository. `"prior": "changes"` becomes the ranking that [`rank_changes`] gives, where the
/// history was read from a repository; that is the default there of every search that takes a prior. Where what the commits
/// touch cannot be read, or not in time, all are alike, and the ranking says why. `"find_good": true` becomes the last tag before
/// each newer end, where there is one.
///
/// # Errors
/// Those of [`firstbad::open`]; [`Error::Shallow`] for a search without an older end in a history that was read from a shallow
/// clone and goes back to where that was cut off.
pub fn open(algorithm: &str, world: impl Into<World>, configuration: &Value) -> Result<Box<dyn Search>, Error> {
    opened(Configuration::parse(algorithm, configuration)?, world.into(), &Source::default())
}

/// As [`open`], for who has the repository open that the history was read from. Nothing is fetched into it.
///
/// # Errors
/// Those of [`open`].
pub fn open_in(
    repository: &Repository,
    world: impl Into<World>,
    configuration: Configuration,
) -> Result<Box<dyn Search>, Error> {
    let source = Source { repository: OnceCell::from(repository.clone().fetching(false)) };
    opened(configuration, world.into(), &source)
}

/// The repository that a history was read from, opened once something is to be read from it.
#[derive(Default)]
struct Source {
    repository: OnceCell<Repository>,
}

impl Source {
    /// # Errors
    /// Those of [`Repository::open`]: it may have gone.
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
    if let Configuration::Regression(config) = &mut configuration {
        find_good_at_tags(graph, config, source);
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
            _ => {}
        }
        // The search has better messages for wrong options.
        if let Some(error) = error {
            return configuration.open(world).and(Err(error));
        }
    }
    configuration.open(world)
}

/// Checks that nothing that a search may look at was cut off from a shallow clone.
fn check_is_whole(origin: &Origin, configuration: &Configuration, source: &Source) -> Result<(), Error> {
    let argument = match configuration {
        Configuration::Regression(config) if config.find == Find::Fix => "bad",
        Configuration::Regression(_) | Configuration::Culprit(_) => "good",
        _ => return Ok(()),
    };
    // Nearly always it is a whole one, and git need not be asked.
    let git_dir = Path::new(&origin.repository).join(".git");
    if git_dir.is_dir() && !git_dir.join("shallow").exists() {
        return Ok(());
    }
    // The repository may have gone; the history is the same without it.
    let Ok(repository) = source.repository(origin) else { return Ok(()) };
    let ends = Ends::of(configuration);
    // What was excluded is older, too, and nobody looks behind it.
    let older: Vec<String> = ends.older.iter().chain(&origin.exclude).cloned().collect();
    repository.check_between(argument, &older, ends.newer, origin.first_parent)
}

/// The ranking of the suspects by the files that commits touch; `None` if the search does not use it.
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
        Err(format!("there are {count} suspects, and at most {MOST_SUSPECTS} are looked at"))
    } else {
        touched(graph, suspects, source).map_err(|error| match error {
            Error::MissingObjects { .. } => "this partial clone does not have what they changed".to_owned(),
            error => error.to_string(),
        })
    };
    match changes {
        Ok(changes) => rank_commits_in(&changes, ends.test, graph, ends.newer, ends.older),
        Err(why) => Ok(CommitRanking {
            warning: Some(format!("what the commits touch is not known, so all suspects count alike: {why}")),
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

/// Replaces endpoints that only git understands by full ids, such as `main~3`.
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

/// Returns the last revision before a date in the history of the newer revision. If that is also a date, uses the history of `HEAD`.
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

/// The revision that a name stands for: as the graph knows it, else as git does (`main~3`) where the graph was read from a
/// repository.
///
/// # Errors
/// [`Error::UnknownRevision`], [`Error::AmbiguousRevision`]; [`Error::InvalidArgument`] for a commit that the graph was read
/// without.
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
        // The repository may have gone; the history knows its own names.
        Err(_) => Err(error),
    }
}

/// What would be right in place of a commit that a graph was read without.
fn outside(origin: &Origin, source: &Source) -> String {
    let why = if origin.first_parent || !origin.paths.is_empty() || !origin.exclude.is_empty() {
        concat!("the graph was read without it (by exclude, ", option!(first_parent), " or ", option!(paths), ")")
    } else if source.repository(origin).is_ok_and(|repository| repository.is_shallow()) {
        concat!(
            "it is no ancestor of the tips that the graph was read from, as far as this shallow clone knows: have the rest \
             fetched (git fetch --unshallow; in CI fetch-depth: 0; or with ",
            option!(fetch = true),
            "), or name it as a tip, too"
        )
    } else {
        "it is no ancestor of the tips that the graph was read from: name it as a tip, too"
    };
    format!("a revision of the graph: git knows it, but {why}")
}

/// The revision that a search of regressions with these options asks first, as far as that is known before what the commits
/// touch is read: the first of its newer ends, unless the ends are trusted. For who has to make ready what is tested.
#[must_use]
pub fn first_asked(graph: &CommitGraph, config: &RegressionConfig) -> Option<String> {
    let first = Ends::of_regression(config).newer.first().filter(|_| config.test_endpoints)?;
    resolve(graph, first, "bad").ok().map(|node| graph.id(node).to_owned())
}

/// The options of a search that name its suspects and its test.
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

    /// The revisions before which there are no suspects. Commits before the last tag may be very many, and seldom matter.
    fn oldest(&self) -> &'a [String] {
        if self.older.is_empty() { self.tags } else { self.older }
    }
}

/// The ids of the revisions that a search with these options looks for the culprit among, oldest first: the newer ends and
/// their ancestors, less the older ends and theirs. For who has to say something of each before it begins.
///
/// # Errors
/// [`Error::UnknownRevision`], [`Error::AmbiguousRevision`].
pub fn suspects(graph: &CommitGraph, config: &RegressionConfig) -> Result<Vec<String>, Error> {
    let ends = Ends::of_regression(config);
    let suspects = between(graph, ends.newer, ends.oldest(), &Source::default())?;
    Ok(suspects.into_iter().map(|node| graph.id(node).to_owned()).collect())
}

/// The revisions that are among `bad` or their ancestors, and not among `good` or theirs.
fn between(graph: &CommitGraph, bad: &[String], good: &[String], source: &Source) -> Result<Vec<Node>, Error> {
    let nodes = |names: &[String], argument| -> Result<Vec<Node>, Error> {
        names.iter().map(|name| resolved(graph, name, argument, source)).collect()
    };
    let mut suspects = graph.ancestors(&nodes(bad, "bad")?);
    suspects.difference_with(&graph.ancestors(&nodes(good, "good")?));
    Ok(suspects.ones().map(|suspect| suspect as Node).collect())
}

/// Ranks the revisions that are among `bad` or their ancestors, and not among `good` (by default the roots) or theirs, by what
/// they touch, as [`rank_commits_in`] does, with the changes read from the repository that the history comes from.
///
/// # Errors
/// [`Error::InvalidArgument`] for a history that comes from no repository, and for more than 20,000 suspects; those of
/// [`rank_commits_in`]; [`Error::Git`], also if git takes longer than 10 seconds.
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
            format!("\"uniform\" for more than {MOST_SUSPECTS} suspects (there are {count}), or a good end nearer by");
        return Err(Error::invalid("prior", "changes", expected));
    }
    rank_commits_in(&touched(graph, suspects, &source)?, tests, graph, bad, good)
}

/// What some revisions touch.
fn touched(graph: &CommitGraph, revisions: Vec<Node>, source: &Source) -> Result<Vec<Changelist>, Error> {
    let Some(origin) = graph.origin() else {
        let expected = "a graph that was read from a git repository, to see what its commits touch";
        return Err(Error::invalid("graph", "made by hand", expected));
    };
    let merges = if origin.first_parent { Merges::FirstParent } else { Merges::Own };
    let (merged, plain): (Vec<Node>, Vec<Node>) =
        revisions.into_iter().partition(|&revision| graph.parents(revision).len() > 1);
    let ids = |nodes: Vec<Node>| nodes.into_iter().map(|node| graph.id(node).to_owned()).collect::<Vec<_>>();
    source.repository(origin)?.touched(&ids(plain), &ids(merged), merges, PATIENCE)
}
