//! Searches whose options call for something to be read from the repository first.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::path::Path;
use std::time::Duration;

use firstbad::culprit::{Culprit, PriorName};
use firstbad::graph::Node;
use firstbad::regression::{LookBack, Regression};
use firstbad::search::Algorithm as _;
use firstbad::suspicion::{Changelist, ContentRanking, rank_content_in, tests_of_command};
use firstbad::{CommitGraph, Error, Find, Origin, Search, World};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::changes::Merges;
use crate::dates;
use crate::repository::Repository;

/// The most suspects whose changes are read for a prior: git takes some seconds for so many.
const MOST_SUSPECTS: usize = 20_000;

/// How long to wait for what commits touch.
const PATIENCE: Duration = Duration::from_secs(10);

/// The options that name revisions, one or several.
const ENDS: [&str; 3] = ["bad", "good", "culprit"];

/// A search as [`firstbad::open`] makes it. Its ends may be written as git writes revisions (`main~3`) where the history was
/// read from a repository. `"prior": "changes"` becomes the ranking that [`rank_changes`] gives, where the
/// history was read from a repository; that is the default there of every search that takes a prior. Where what the commits
/// touch cannot be read, or not in time, all are alike, and the ranking says why. `"look_back": true` becomes the last tag before
/// each newer end, where there is one.
///
/// # Errors
/// Those of [`firstbad::open`]; [`Error::Shallow`] for a search without an older end in a history that was read from a shallow
/// clone and goes back to where that was cut off.
pub fn open(algorithm: &str, world: impl Into<World>, configuration: &Value) -> Result<Box<dyn Search>, Error> {
    opened(algorithm, world.into(), configuration, &Source::default())
}

/// As [`open`], for who has the repository open that the history was read from. Nothing is fetched into it.
///
/// # Errors
/// Those of [`open`].
pub fn open_in(
    repository: &Repository,
    algorithm: &str,
    world: impl Into<World>,
    configuration: &Value,
) -> Result<Box<dyn Search>, Error> {
    let source = Source { repository: OnceCell::from(repository.clone().fetching(false)) };
    opened(algorithm, world.into(), configuration, &source)
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

fn opened(algorithm: &str, world: World, configuration: &Value, source: &Source) -> Result<Box<dyn Search>, Error> {
    let configuration = with_ids(&world, configuration, source)?;
    let configuration = &*with_tags(&world, configuration, source)?;
    if is_of_history(algorithm) {
        check_is_whole(&world, configuration, source)?;
    }
    match &world {
        World::History(graph) if goes_by_changes(algorithm, &world, configuration) => {
            match prepared(graph, configuration, source) {
                Ok(prepared) => firstbad::open(algorithm, world, &prepared),
                // The search knows better what is wrong with its options.
                Err(error) => {
                    let mut plain = configuration.clone();
                    plain["prior"] = json!(PriorName::Uniform);
                    firstbad::open(algorithm, world, &plain).and(Err(error))
                }
            }
        }
        _ => firstbad::open(algorithm, world, configuration),
    }
}

/// Checks that nothing that a search may look at was cut off from a shallow clone.
fn check_is_whole(world: &World, configuration: &Value, source: &Source) -> Result<(), Error> {
    let World::History(graph) = world else { return Ok(()) };
    let (Some(origin), Ok(ends)) = (graph.origin(), Ends::of(configuration)) else { return Ok(()) };
    // Nearly always it is a whole one, and git need not be asked.
    let git_dir = Path::new(&origin.repository).join(".git");
    if git_dir.is_dir() && !git_dir.join("shallow").exists() {
        return Ok(());
    }
    // The repository may have gone; the history is the same without it.
    let Ok(repository) = source.repository(origin) else { return Ok(()) };
    let argument = if ends.find == Find::Fix { "bad" } else { "good" };
    // What was excluded is older, too, and nobody looks behind it.
    let older: Vec<String> = ends.good.iter().chain(&origin.exclude).cloned().collect();
    repository.check_between(argument, &older, &ends.bad, origin.first_parent)
}

/// The options with a ranking of the suspects.
fn prepared(graph: &CommitGraph, configuration: &Value, source: &Source) -> Result<Value, Error> {
    let mut prepared = configuration.clone();
    let ends = Ends::of(configuration)?;
    // What is before the last tag seldom comes into play, and may be very much.
    let older = match &ends.look_back {
        Some(LookBack::First(tags)) if ends.good.is_empty() => tags,
        _ => &ends.good,
    };
    let suspects = between(graph, &ends.bad, older, source)?;
    let count = suspects.len();
    let changes = if count > MOST_SUSPECTS {
        Err(format!("there are {count} suspects, and at most {MOST_SUSPECTS} are looked at"))
    } else {
        touched(graph, suspects.clone(), source).map_err(|error| match error {
            Error::MissingObjects { .. } => "this partial clone does not have what they changed".to_owned(),
            error => error.to_string(),
        })
    };
    prepared["prior"] = json!(ranked(graph, &ends, changes)?.prior());
    Ok(prepared)
}

/// The options with the last tags before the newer ends, where a history that was read from git is to be looked back on.
fn with_tags<'a>(world: &World, mut configuration: Cow<'a, Value>, source: &Source) -> Result<Cow<'a, Value>, Error> {
    let World::History(graph) = world else { return Ok(configuration) };
    let Some(origin) = graph.origin().filter(|_| configuration.get("look_back") == Some(&json!(true))) else {
        return Ok(configuration);
    };
    // Who opens the search says what is wrong with its ends; where no tag can be read, it looks back without.
    let (Ok(ends), Ok(repository)) = (Ends::of(&configuration), source.repository(origin)) else {
        return Ok(configuration);
    };
    let tag = |end: &String| repository.last_tag(graph.id(graph.resolve(end, "bad").ok()?));
    let tags = ends.bad.iter().filter_map(tag);
    let mut tags: Vec<String> = tags.filter(|id| graph.get(id).is_some()).collect();
    tags.dedup();
    if !tags.is_empty() {
        configuration.to_mut()["look_back"] = json!(tags);
    }
    Ok(configuration)
}

/// The options with the full ids of those ends that only git understands, such as `main~3`.
fn with_ids<'a>(world: &World, configuration: &'a Value, source: &Source) -> Result<Cow<'a, Value>, Error> {
    let mut written = Cow::Borrowed(configuration);
    let World::History(graph) = world else { return Ok(written) };
    let id = |argument: &str, name: &Value| -> Result<Option<Value>, Error> {
        let Some(name) = name.as_str().filter(|name| graph.resolve(name, argument).is_err()) else { return Ok(None) };
        if let Some(node) = dated(graph, name, argument, configuration, source)? {
            return Ok(Some(json!(graph.id(node))));
        }
        Ok(Some(json!(graph.id(resolved(graph, name, argument, source)?))))
    };
    for argument in ENDS {
        match given(configuration, argument) {
            Some(Value::Array(names)) => {
                for (place, name) in names.iter().enumerate() {
                    if let Some(id) = id(argument, name)? {
                        written.to_mut()[argument][place] = id;
                    }
                }
            }
            Some(name) => {
                if let Some(id) = id(argument, name)? {
                    written.to_mut()[argument] = id;
                }
            }
            None => {}
        }
    }
    Ok(written)
}

/// Returns the last revision before a date in the history of the newer revision. If that is also a date, uses the history of `HEAD`.
fn dated(
    graph: &CommitGraph,
    date: &str,
    argument: &str,
    configuration: &Value,
    source: &Source,
) -> Result<Option<Node>, Error> {
    let Some(origin) = graph.origin().filter(|_| dates::is_date(date)) else { return Ok(None) };
    let newer = Ends::of(configuration).ok().and_then(|ends| ends.bad.into_iter().next());
    let tip = newer.filter(|newer| !dates::is_date(newer)).unwrap_or_else(|| "HEAD".to_owned());
    let id = source.repository(origin)?.last_before(argument, date, &tip)?;
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
        "the graph was read without it (by exclude, first_parent or paths)"
    } else if source.repository(origin).is_ok_and(|repository| repository.is_shallow()) {
        "it is no ancestor of the tips that the graph was read from, as far as this shallow clone knows: have the rest fetched \
         (git fetch --unshallow; in CI fetch-depth: 0; the option fetch of the repository), or name it as a tip, too"
    } else {
        "it is no ancestor of the tips that the graph was read from: name it as a tip, too"
    };
    format!("a revision of the graph: git knows it, but {why}")
}

/// The revision that a search of regressions with these options asks first, as far as that is known before what the commits
/// touch is read: the first of its newer ends, unless the ends are trusted. For who has to make ready what is tested.
#[must_use]
pub fn first_asked(graph: &CommitGraph, configuration: &Value) -> Option<String> {
    let ends = Ends::of(configuration).ok()?;
    let is_tested = configuration.get("verify_ends") != Some(&json!(false));
    let first = ends.bad.first().filter(|_| is_tested)?;
    resolve(graph, first, "bad").ok().map(|node| graph.id(node).to_owned())
}

/// What a command says of the search that it answers, where its options do not: what its tests are called (`test`), for the
/// report, and for the prior that is made of what commits touch. Of the options only names need be there, and of others whether they are given.
#[must_use]
pub fn said_by_command(algorithm: &str, configuration: &Value, command: &[String]) -> Map<String, Value> {
    let mut said = Map::new();
    let tests = tests_of_command(command);
    if is_of_history(algorithm) && given(configuration, "test").is_none() && !tests.is_empty() {
        said.insert("test".to_owned(), json!(tests));
    }
    said
}

/// Whether a search goes by what commits touch, read from the repository that its history comes from.
fn goes_by_changes(algorithm: &str, world: &World, configuration: &Value) -> bool {
    let is_read = matches!(world, World::History(graph) if graph.origin().is_some());
    let is_asked_for = match given(configuration, "prior") {
        Some(prior) => *prior == json!(PriorName::Changes),
        None => by_default(algorithm, configuration),
    };
    is_read && is_asked_for
}

fn given<'a>(configuration: &'a Value, name: &str) -> Option<&'a Value> {
    configuration.get(name).filter(|value| !value.is_null())
}

/// Whether a search goes by what commits touch if nothing is said.
fn by_default(algorithm: &str, configuration: &Value) -> bool {
    let says = |name: &str, one_of: &[&str]| {
        given(configuration, name).is_none_or(|value| value.as_str().is_some_and(|value| one_of.contains(&value)))
    };
    match algorithm {
        Regression::NAME => says("search", &["auto", "weighted", "bayes"]),
        Culprit::NAME => says("choose", &["cdf", "expected-gain", "information"]),
        _ => false,
    }
}

/// Whether the options are those of a search for regressions or a culprit.
fn is_of_history(algorithm: &str) -> bool {
    [Regression::NAME, Culprit::NAME].contains(&algorithm)
}

/// What a search says of the suspects, and of the test.
#[derive(Deserialize)]
struct Ends {
    #[serde(default)]
    bad: Vec<String>,
    #[serde(default)]
    good: Vec<String>,
    #[serde(default)]
    test: Vec<String>,
    #[serde(default)]
    find: Find,
    #[serde(default)]
    look_back: Option<LookBack>,
}

impl Ends {
    /// `bad` are the newer ends, whatever is sought.
    fn of(configuration: &Value) -> Result<Ends, Error> {
        let ends: Ends = serde_json::from_value(configuration.clone()).map_err(|error| {
            Error::invalid("options", "bad, good or test", format!("lists of names, which they are not ({error})"))
        })?;
        Ok(match ends.find {
            Find::Regression => ends,
            Find::Fix => Ends { bad: ends.good, good: ends.bad, ..ends },
        })
    }
}

/// As [`rank_changes`]; where the changes could not be read a ranking that says why.
fn ranked(graph: &CommitGraph, ends: &Ends, changes: Result<Vec<Changelist>, String>) -> Result<ContentRanking, Error> {
    match changes {
        Ok(changes) => rank_content_in(&changes, &ends.test, graph, &ends.bad, &ends.good),
        Err(why) => Ok(ContentRanking {
            warning: Some(format!("what the commits touch is not known, so all suspects count alike: {why}")),
            ..ContentRanking::default()
        }),
    }
}

/// The ids of the revisions that a search with these options looks for the culprit among, oldest first: the newer ends and
/// their ancestors, less the older ends and theirs. For who has to say something of each before it begins.
///
/// # Errors
/// [`Error::InvalidArgument`] for options that are none; [`Error::UnknownRevision`], [`Error::AmbiguousRevision`].
pub fn suspects(graph: &CommitGraph, configuration: &Value) -> Result<Vec<String>, Error> {
    let ends = Ends::of(configuration)?;
    // What is before the last tag seldom comes into play, and may be very much.
    let older = match &ends.look_back {
        Some(LookBack::First(tags)) if ends.good.is_empty() => tags,
        _ => &ends.good,
    };
    let suspects = between(graph, &ends.bad, older, &Source::default())?;
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
/// they touch, as [`rank_content_in`] does, with the changes read from the repository that the history comes from.
///
/// # Errors
/// [`Error::InvalidArgument`] for a history that comes from no repository, and for more than 20,000 suspects; those of
/// [`rank_content_in`]; [`Error::Git`], also if git takes longer than 10 seconds.
pub fn rank_changes(
    graph: &CommitGraph,
    bad: &[String],
    good: &[String],
    tests: &[String],
) -> Result<ContentRanking, Error> {
    let source = Source::default();
    let suspects = between(graph, bad, good, &source)?;
    let count = suspects.len();
    if count > MOST_SUSPECTS {
        let expected =
            format!("\"uniform\" for more than {MOST_SUSPECTS} suspects (there are {count}), or a good end nearer by");
        return Err(Error::invalid("prior", "changes", expected));
    }
    rank_content_in(&touched(graph, suspects, &source)?, tests, graph, bad, good)
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
