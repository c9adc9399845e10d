//! From a build graph to the prior of a culprit search, with what git knows beside it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use firstbad::culprit::Prior;
use firstbad::graph::Node;
use firstbad::suspicion::{
    BuildGraph, Changelist, CommitRanking, HistoryPrior, PriorOptions, RankOptions, Ranking, Suspect, rank,
    rank_commits_in,
};
use firstbad::{CommitGraph, Error};
use firstbad_git::{Merges, Repository};
use hashbrown::HashMap;

use crate::revisions::Revisions;

/// What the suspects of a culprit search are judged by.
#[derive(Debug, Clone)]
pub struct Suspicion<'a> {
    /// The build graph at the failure.
    pub build: &'a BuildGraph,
    /// Where the same can be read at other revisions, if it can.
    pub revisions: Option<&'a Revisions>,
    /// The one before the first change. `None`: read at the newest good revision, where `revisions` can.
    pub before: Option<&'a BuildGraph>,
    /// Build graphs at revisions between, by any name that the history knows.
    pub graphs: &'a [(&'a str, &'a BuildGraph)],
    /// What each revision changed, oldest first.
    pub changes: &'a [Changelist],
    /// The tests that failed at once.
    pub tests: &'a [String],
    /// The revision seen to fail.
    pub bad: &'a [String],
    /// Revisions that pass; by default the roots.
    pub good: &'a [String],
    /// How the ranking becomes a prior.
    pub options: &'a PriorOptions,
    /// Whether what the changes touch counts as well as the build graph.
    pub content: bool,
}

/// Whether what the changes touch counts beside a build graph. It does with the prior `"changes"`, and if no prior is named
/// where the changes `are_read` from the history's repository: what a caller lists may lack messages and lines.
///
/// # Errors
/// [`Error::InvalidArgument`] for another prior than `"changes"` and `"uniform"`.
pub fn content_beside(prior: Option<&str>, are_read: bool) -> Result<bool, Error> {
    match prior {
        Some("changes") => Ok(true),
        None => Ok(are_read),
        Some("uniform") => Ok(false),
        Some(other) => {
            let expected = "\"changes\" beside a build graph, for both together, \"uniform\", for the build graph alone, or \
                            nothing (see factors)";
            Err(Error::invalid("prior", other, expected))
        }
    }
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Suspected {
    /// The changes, the most suspicious first.
    pub ranking: Ranking,
    /// What the build graph alone gives.
    pub prior: HistoryPrior,
    /// The suspects by what they touch, multiplied with what the build graph says of them, where that was asked for.
    pub content: Option<CommitRanking>,
}

impl Suspected {
    /// The prior for the search; `None` if all are alike.
    #[must_use]
    pub fn search_prior(&self) -> Option<Prior> {
        match &self.content {
            Some(content) => Some(content.prior().into()),
            None => self.prior.weights.clone().map(Prior::from),
        }
    }
}

/// The suspects of a culprit search on `history`, ranked, and the prior that they make: what `find_culprit` does with a build
/// graph.
///
/// # Errors
/// Those of [`rank`] and [`Ranking::prior_in`]; [`Error::Git`] if the graph before the changes cannot be read.
pub fn suspects(history: &CommitGraph, given: &Suspicion<'_>) -> Result<Suspected, Error> {
    let read = match (given.before, given.revisions) {
        (None, Some(revisions)) => match newest_good(history, given)? {
            Some(good) => revisions.before(good)?,
            None => None,
        },
        _ => None,
    };
    let before = given.before.or(read.as_ref().map(|loaded| &loaded.graph));
    let (changes, graphs) = named_alike(history, given)?;
    let graphs: Vec<(&str, &BuildGraph)> = graphs.iter().map(|(name, graph)| (name.as_str(), *graph)).collect();
    let by = RankOptions { before, graphs: &graphs, ..RankOptions::default() };
    let ranking = rank(given.build, &changes, given.tests, &by)?;
    let prior = ranking.prior_in(history, given.bad, given.good, given.options)?;
    let content = given.content.then(|| content(history, given, &changes, &ranking, &prior)).transpose()?;
    Ok(Suspected { ranking, prior, content })
}

/// What the changes touch, with what the build graph says of them.
fn content(
    history: &CommitGraph,
    given: &Suspicion<'_>,
    changes: &[Changelist],
    ranking: &Ranking,
    prior: &HistoryPrior,
) -> Result<CommitRanking, Error> {
    let id = |name: &str| Ok::<_, Error>(history.id(history.resolve(name, "changes")?).to_owned());
    let changes: Vec<Changelist> = changes
        .iter()
        .map(|change| Ok(Changelist { id: id(&change.id)?, ..change.clone() }))
        .collect::<Result<_, Error>>()?;
    let suspects: Vec<Suspect> = ranking
        .suspects
        .iter()
        .map(|suspect| Ok(Suspect { change: id(&suspect.change)?, ..suspect.clone() }))
        .collect::<Result<_, Error>>()?;
    let named = Ranking { suspects, ..ranking.clone() };
    let content = rank_commits_in(&changes, given.tests, history, given.bad, given.good)?;
    Ok(content.with_build_graph(&named, prior.weights.as_ref().unwrap_or(&BTreeMap::new())))
}

/// What the revisions changed that come from `bad` and not from `good`, by default the roots, as the history's repository
/// tells it; `None` if it was not read from one.
///
/// # Errors
/// [`Error::UnknownRevision`], [`Error::AmbiguousRevision`] for ends that the history does not know; [`Error::Git`].
pub fn changes_between(
    history: &CommitGraph,
    bad: &[String],
    good: &[String],
) -> Result<Option<Vec<Changelist>>, Error> {
    let Some(origin) = history.origin() else { return Ok(None) };
    let repository = Repository::open(&origin.repository)?;
    // What an end means is for the history to say: it was read before.
    let ids = |nodes: Vec<Node>| nodes.into_iter().map(|node| history.id(node).to_owned()).collect::<Vec<_>>();
    let merges = if origin.first_parent { Merges::FirstParent } else { Merges::Own };
    let found = repository.changes(&ids(goods(history, good)?), &ids(all(history, bad, "bad")?), merges)?;
    Ok(Some(found.into_iter().filter(|change| history.get(&change.id).is_some()).collect()))
}

fn all(history: &CommitGraph, names: &[String], argument: &str) -> Result<Vec<Node>, Error> {
    names.iter().map(|name| firstbad_git::resolve(history, name, argument)).collect()
}

fn goods(history: &CommitGraph, good: &[String]) -> Result<Vec<Node>, Error> {
    if good.is_empty() { Ok(history.roots().collect()) } else { all(history, good, "good") }
}

/// The good revision that is closest to the failure, by the order of the history.
fn newest_good<'a>(history: &'a CommitGraph, given: &Suspicion<'_>) -> Result<Option<&'a str>, Error> {
    let leading = history.ancestors(&all(history, given.bad, "bad")?);
    let goods = goods(history, given.good)?;
    Ok(goods.into_iter().filter(|&node| leading.contains(node as usize)).max().map(|node| history.id(node)))
}

/// The graphs at revisions, each by the name that a change has, if one is of it.
type NamedGraphs<'a> = Vec<(String, &'a BuildGraph)>;

/// Changes whose parents, and graphs whose revisions, have the names that the changes have.
fn named_alike<'a>(
    history: &CommitGraph,
    given: &Suspicion<'a>,
) -> Result<(Cow<'a, [Changelist]>, NamedGraphs<'a>), Error> {
    if given.graphs.is_empty() {
        return Ok((Cow::Borrowed(given.changes), Vec::new()));
    }
    let nodes: Vec<Node> =
        given.changes.iter().map(|change| history.resolve(&change.id, "changes")).collect::<Result<_, _>>()?;
    let by_node: HashMap<Node, &str> =
        nodes.iter().copied().zip(given.changes.iter().map(|change| change.id.as_str())).collect();
    let name = |node: Node| by_node.get(&node).copied().unwrap_or(history.id(node)).to_owned();
    let parented = |(change, &node): (&Changelist, &Node)| {
        let parents = history.parents(node).iter().map(|&parent| name(parent)).collect();
        Changelist { parents, ..change.clone() }
    };
    let changes = given.changes.iter().zip(&nodes).map(parented).collect();
    let graphs = given.graphs.iter().map(|(revision, graph)| Ok((name(history.resolve(revision, "graphs")?), *graph)));
    Ok((Cow::Owned(changes), graphs.collect::<Result<_, Error>>()?))
}
