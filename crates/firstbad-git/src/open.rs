//! Searches whose options call for something to be read from the repository first.

use firstbad::culprit::PriorName;
use firstbad::graph::Node;
use firstbad::suspicion::{ContentRanking, ContentWeights, rank_content_in};
use firstbad::{CommitGraph, Error, Find, Search, World};
use fixedbitset::FixedBitSet;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::changes::Merges;
use crate::repository::Repository;

/// The most suspects whose changes are read for a prior: git takes some seconds for so many.
const MOST_SUSPECTS: usize = 20_000;

/// A search as [`firstbad::open`] makes it. `"prior": "changes"` becomes the weights that [`rank_changes`] gives, where the
/// history was read from a repository.
///
/// # Errors
/// Those of [`firstbad::open`] and of [`rank_changes`]; [`Error::InvalidArgument`] for a `test` without that prior.
pub fn open(algorithm: &str, world: impl Into<World>, configuration: &Value) -> Result<Box<dyn Search>, Error> {
    let world = world.into();
    let asks = configuration.get("prior") == Some(&json!(PriorName::Changes));
    if let Some(named) = configuration.get("test").and_then(Value::as_array).filter(|named| !asks && !named.is_empty())
    {
        let expected = "nothing, or the prior \"changes\" beside it: else no name of a test counts";
        let (argument, value) = ("test".to_owned(), json!(named).to_string());
        return Err(Error::InvalidArgument { argument, value, expected: expected.to_owned() });
    }
    match &world {
        World::History(graph) if asks && graph.origin().is_some() => {
            let ends = Ends::of(configuration)?;
            let ranking = rank_changes(graph, &ends.bad, &ends.good, &ends.test)?;
            let mut configuration = configuration.clone();
            configuration["prior"] = json!(ranking.prior());
            firstbad::open(algorithm, world, &configuration)
        }
        _ => firstbad::open(algorithm, world, configuration),
    }
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

/// The ids of the revisions that a search with these options looks for the culprit among, oldest first: the newer ends and
/// their ancestors, less the older ends and theirs. For who has to say something of each before it begins.
///
/// # Errors
/// [`Error::InvalidArgument`] for options that are none; [`Error::UnknownRevision`], [`Error::AmbiguousRevision`].
pub fn suspects(graph: &CommitGraph, configuration: &Value) -> Result<Vec<String>, Error> {
    let ends = Ends::of(configuration)?;
    let suspects = between(graph, &nodes(graph, &ends.bad, "bad")?, &nodes(graph, &ends.good, "good")?);
    Ok(suspects.ones().map(|node| graph.id(node as Node).to_owned()).collect())
}

fn nodes(graph: &CommitGraph, names: &[String], argument: &str) -> Result<Vec<Node>, Error> {
    names.iter().map(|name| graph.resolve(name, argument)).collect()
}

fn between(graph: &CommitGraph, bad: &[Node], good: &[Node]) -> FixedBitSet {
    let mut suspects = graph.ancestors(bad);
    suspects.difference_with(&graph.ancestors(good));
    suspects
}

/// Ranks the revisions that are among `bad` or their ancestors, and not among `good` (by default the roots) or theirs, by what
/// they touch, as [`rank_content_in`] does, with the changes read from the repository that the history comes from.
///
/// # Errors
/// [`Error::InvalidArgument`] for a history that comes from no repository, and for more than 20,000 suspects; those of
/// [`rank_content_in`] and [`Repository::changes`].
pub fn rank_changes(
    graph: &CommitGraph,
    bad: &[String],
    good: &[String],
    tests: &[String],
) -> Result<ContentRanking, Error> {
    let Some(origin) = graph.origin() else {
        let expected = "a graph that was read from a git repository, to see what its commits touch";
        return Err(Error::invalid("graph", "made by hand", expected));
    };
    let (bad, good) = (nodes(graph, bad, "bad")?, nodes(graph, good, "good")?);
    let count = between(graph, &bad, &good).count_ones(..);
    let ids = |nodes: &[Node]| nodes.iter().map(|&node| graph.id(node).to_owned()).collect::<Vec<String>>();
    let (bad, good) = (ids(&bad), ids(&good));
    if count > MOST_SUSPECTS {
        let expected =
            format!("\"uniform\" for more than {MOST_SUSPECTS} suspects (there are {count}), or a good end nearer by");
        return Err(Error::invalid("prior", "changes", expected));
    }
    let merges = if origin.first_parent { Merges::FirstParent } else { Merges::Own };
    let changes = Repository::open(&origin.repository)?.changes(&good, &bad, merges)?;
    rank_content_in(&changes, tests, &ContentWeights::default(), graph, &bad, &good)
}
