//! Searches whose options call for something to be read from the repository first.

use std::collections::HashMap;
use std::time::Duration;

use firstbad::culprit::{Culprit, PriorName};
use firstbad::graph::Node;
use firstbad::regression::Regression;
use firstbad::search::Algorithm as _;
use firstbad::suspicion::{Changelist, ContentRanking, ContentWeights, rank_content_in};
use firstbad::{CommitGraph, Error, Find, Search, World};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::changes::Merges;
use crate::repository::Repository;

/// The most suspects whose changes are read for a prior: git takes some seconds for so many.
const MOST_SUSPECTS: usize = 20_000;

/// How long to wait for what commits touch.
const PATIENCE: Duration = Duration::from_secs(10);

/// A search as [`firstbad::open`] makes it. `"prior": "changes"` becomes the ranking that [`rank_changes`] gives, where the
/// history was read from a repository; that is the default there of every search that takes a prior. Where what the commits
/// touch cannot be read, or not in time, all are alike, and the ranking says why. `"incremental": true` becomes the number of
/// files that each suspect changes, by the same reading, and stays as it is where that fails.
///
/// # Errors
/// Those of [`firstbad::open`]; [`Error::InvalidArgument`] for a `test` beside another prior.
pub fn open(algorithm: &str, world: impl Into<World>, configuration: &Value) -> Result<Box<dyn Search>, Error> {
    let world = world.into();
    let given = configuration.get("prior").filter(|prior| !prior.is_null());
    let is_asked_for = given.is_none_or(|prior| *prior == json!(PriorName::Changes));
    for (argument, what) in [("test", "no name of a test counts"), ("weights", "no weights of traits count")] {
        let given = configuration.get(argument).filter(|given| !matches!(given, Value::Null) && **given != json!([]));
        if let Some(given) = given.filter(|_| !is_asked_for && is_of_history(algorithm)) {
            let (argument, value) = (argument.to_owned(), given.to_string());
            let expected = format!("nothing, or the prior \"changes\" beside it: else {what}");
            return Err(Error::InvalidArgument { argument, value, expected });
        }
    }
    let ranks = is_asked_for && (given.is_some() || by_default(algorithm, configuration));
    let counts = configuration.get("incremental") == Some(&json!(true)) && takes_nearest(algorithm, configuration);
    match &world {
        World::History(graph) if graph.origin().is_some() && (ranks || counts) => {
            match prepared(graph, configuration, ranks, counts) {
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

/// The options with a ranking of the suspects, with how many files they change, or with both.
fn prepared(graph: &CommitGraph, configuration: &Value, ranks: bool, counts: bool) -> Result<Value, Error> {
    let mut prepared = configuration.clone();
    let ends = Ends::of(configuration)?;
    let suspects = between(graph, &ends.bad, &ends.good)?;
    let count = suspects.len();
    let changes = if count > MOST_SUSPECTS {
        Err(format!("there are {count} suspects, and at most {MOST_SUSPECTS} are looked at"))
    } else {
        touched(graph, suspects.clone()).map_err(|error| error.to_string())
    };
    if let (true, Ok(changes)) = (counts, &changes) {
        let files: HashMap<&str, usize> =
            changes.iter().map(|change| (change.id.as_str(), change.files.len())).collect();
        // A merge without changes of its own is not among them.
        let of = |&suspect: &Node| (graph.id(suspect), files.get(graph.id(suspect)).copied().unwrap_or(0));
        prepared["incremental"] = suspects.iter().map(of).map(|(id, files)| (id.to_owned(), json!(files))).collect();
    }
    if ranks {
        prepared["prior"] = json!(ranked(graph, &ends, changes)?.prior());
    }
    Ok(prepared)
}

/// Whether a search goes by what commits touch if nothing is said.
fn by_default(algorithm: &str, configuration: &Value) -> bool {
    let says = |name: &str, one_of: &[&str]| {
        configuration.get(name).is_none_or(|value| value.as_str().is_some_and(|value| one_of.contains(&value)))
    };
    match algorithm {
        Regression::NAME => says("search", &["auto", "weighted", "bayes"]),
        Culprit::NAME => says("choose", &["cdf", "expected-gain", "information"]),
        _ => false,
    }
}

/// Whether a search can take the nearest of equally good revisions.
fn takes_nearest(algorithm: &str, configuration: &Value) -> bool {
    let search = configuration.get("search").and_then(Value::as_str).unwrap_or("auto");
    algorithm == Regression::NAME && ["auto", "weighted"].contains(&search)
}

/// Whether the options are those of a search for regressions or a culprit: `weights` of a reduction are something else.
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
    weights: Option<ContentWeights>,
    #[serde(default)]
    find: Find,
}

impl Ends {
    /// `bad` are the newer ends, whatever is sought.
    fn of(configuration: &Value) -> Result<Ends, Error> {
        let ends: Ends = serde_json::from_value(configuration.clone()).map_err(|error| {
            let expected = format!("lists of names, and numbers for weights, which they are not ({error})");
            Error::invalid("options", "bad, good, test or weights", expected)
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
        Ok(changes) => {
            let weights = ends.weights.unwrap_or_default();
            rank_content_in(&changes, &ends.test, &weights, graph, &ends.bad, &ends.good)
        }
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
    let suspects = between(graph, &ends.bad, &ends.good)?;
    Ok(suspects.into_iter().map(|node| graph.id(node).to_owned()).collect())
}

/// The revisions that are among `bad` or their ancestors, and not among `good` or theirs.
fn between(graph: &CommitGraph, bad: &[String], good: &[String]) -> Result<Vec<Node>, Error> {
    let nodes = |names: &[String], argument| -> Result<Vec<Node>, Error> {
        names.iter().map(|name| graph.resolve(name, argument)).collect()
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
    weights: &ContentWeights,
) -> Result<ContentRanking, Error> {
    let suspects = between(graph, bad, good)?;
    let count = suspects.len();
    if count > MOST_SUSPECTS {
        let expected =
            format!("\"uniform\" for more than {MOST_SUSPECTS} suspects (there are {count}), or a good end nearer by");
        return Err(Error::invalid("prior", "changes", expected));
    }
    rank_content_in(&touched(graph, suspects)?, tests, weights, graph, bad, good)
}

/// What some revisions touch.
fn touched(graph: &CommitGraph, revisions: Vec<Node>) -> Result<Vec<Changelist>, Error> {
    let Some(origin) = graph.origin() else {
        let expected = "a graph that was read from a git repository, to see what its commits touch";
        return Err(Error::invalid("graph", "made by hand", expected));
    };
    let merges = if origin.first_parent { Merges::FirstParent } else { Merges::Own };
    let (merged, plain): (Vec<Node>, Vec<Node>) =
        revisions.into_iter().partition(|&revision| graph.parents(revision).len() > 1);
    let ids = |nodes: Vec<Node>| nodes.into_iter().map(|node| graph.id(node).to_owned()).collect::<Vec<_>>();
    Repository::open(&origin.repository)?.touched(&ids(plain), &ids(merged), merges, PATIENCE)
}
