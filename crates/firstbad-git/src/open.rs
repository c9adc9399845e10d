//! Searches whose options call for something to be read from the repository first.

use firstbad::culprit::{Culprit, PriorName};
use firstbad::graph::Node;
use firstbad::regression::Regression;
use firstbad::search::Algorithm as _;
use firstbad::suspicion::{ContentRanking, ContentWeights, rank_content_in};
use firstbad::{CommitGraph, Error, Find, Search, World};
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
    for (argument, what) in [("test", "no name of a test counts"), ("weights", "no weights of traits count")] {
        let given = configuration.get(argument).filter(|given| !matches!(given, Value::Null) && **given != json!([]));
        if let Some(given) = given.filter(|_| !asks && is_of_history(algorithm)) {
            let (argument, value) = (argument.to_owned(), given.to_string());
            let expected = format!("nothing, or the prior \"changes\" beside it: else {what}");
            return Err(Error::InvalidArgument { argument, value, expected });
        }
    }
    match &world {
        World::History(graph) if asks && graph.origin().is_some() => {
            let ends = Ends::of(configuration)?;
            let ranking = rank_changes(graph, &ends.bad, &ends.good, &ends.test, &ends.weights.unwrap_or_default())?;
            let mut configuration = configuration.clone();
            configuration["prior"] = json!(ranking.prior());
            firstbad::open(algorithm, world, &configuration)
        }
        _ => firstbad::open(algorithm, world, configuration),
    }
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
    weights: &ContentWeights,
) -> Result<ContentRanking, Error> {
    let Some(origin) = graph.origin() else {
        let expected = "a graph that was read from a git repository, to see what its commits touch";
        return Err(Error::invalid("graph", "made by hand", expected));
    };
    let ids = |names: &[String], argument| -> Result<Vec<String>, Error> {
        names.iter().map(|name| Ok(graph.id(graph.resolve(name, argument)?).to_owned())).collect()
    };
    let (bad, good) = (ids(bad, "bad")?, ids(good, "good")?);
    let nodes = |ids: &[String]| ids.iter().filter_map(|id| graph.get(id)).collect::<Vec<Node>>();
    let mut suspects = graph.ancestors(&nodes(&bad));
    suspects.difference_with(&graph.ancestors(&nodes(&good)));
    let count = suspects.count_ones(..);
    if count > MOST_SUSPECTS {
        let expected =
            format!("\"uniform\" for more than {MOST_SUSPECTS} suspects (there are {count}), or a good end nearer by");
        return Err(Error::invalid("prior", "changes", expected));
    }
    let merges = if origin.first_parent { Merges::FirstParent } else { Merges::Own };
    let changes = Repository::open(&origin.repository)?.changes(&good, &bad, merges)?;
    rank_content_in(&changes, tests, weights, graph, &bad, &good)
}
