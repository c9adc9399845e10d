//! The prior of a culprit search from a build graph and the repository.

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

/// The input for ranking the suspects of a culprit search.
#[derive(Debug, Clone)]
pub struct Suspicion<'a> {
    /// The build graph at the bad revision.
    pub build: &'a BuildGraph,
    /// The loader for build graphs at other revisions, if available.
    pub revisions: Option<&'a Revisions>,
    /// The build graph before the first change. If `None`, `revisions` loads it at the newest good revision.
    pub before: Option<&'a BuildGraph>,
    /// Build graphs at revisions in between. Any name that the history knows can be used.
    pub graphs: &'a [(&'a str, &'a BuildGraph)],
    /// The changes of each revision, oldest first.
    pub changes: &'a [Changelist],
    /// The failing tests.
    pub tests: &'a [String],
    /// The bad revisions.
    pub bad: &'a [String],
    /// The good revisions. If empty, the roots.
    pub good: &'a [String],
    /// The options for the prior.
    pub options: &'a PriorOptions,
    /// Whether to combine the build graph with a ranking by the content of the changes.
    pub content: bool,
}

/// Returns whether to combine a build graph with a ranking by content: for the prior `"changes"`, and by default if `are_read`.
/// `are_read` means that the changes come from the repository. Changes listed by a caller may lack messages and lines.
///
/// # Errors
/// [`Error::InvalidArgument`] if the prior is neither `"changes"` nor `"uniform"`.
pub fn content_beside(prior: Option<&str>, are_read: bool) -> Result<bool, Error> {
    match prior {
        Some("changes") => Ok(true),
        None => Ok(are_read),
        Some("uniform") => Ok(false),
        Some(other) => {
            let expected = "\"changes\" to also use the changes, \"uniform\" to use the build graph alone, or nothing \
                            (see factors)";
            Err(Error::invalid("prior", other, expected))
        }
    }
}

/// The ranked suspects of a culprit search.
#[derive(Debug, Clone)]
pub struct Suspected {
    /// The changes, most suspicious first.
    pub ranking: Ranking,
    /// The prior from the build graph alone.
    pub prior: HistoryPrior,
    /// The ranking by content, combined with the build graph, if requested.
    pub content: Option<CommitRanking>,
}

impl Suspected {
    /// Returns the prior for the search, or `None` if all suspects are equally likely.
    #[must_use]
    pub fn search_prior(&self) -> Option<Prior> {
        match &self.content {
            Some(content) => Some(content.prior().into()),
            None => self.prior.weights.clone().map(Prior::from),
        }
    }
}

/// Ranks the suspects of a culprit search on `history` and computes their prior, as `find_culprit` does with a build graph.
///
/// # Errors
/// The errors of [`rank`] and [`Ranking::prior_in`]. [`Error::Git`] if the graph before the changes cannot be loaded.
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

/// Ranks the suspects by content and combines the result with the build graph.
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

/// Returns the changes of all revisions that are reachable from `bad` but not from `good`. If `good` is empty, the roots are
/// used. Returns `None` if the history does not come from a repository.
///
/// # Errors
/// - [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] if the history cannot resolve an endpoint.
/// - [`Error::Git`] if Git fails.
pub fn changes_between(
    history: &CommitGraph,
    bad: &[String],
    good: &[String],
) -> Result<Option<Vec<Changelist>>, Error> {
    let Some(origin) = history.origin() else { return Ok(None) };
    let repository = Repository::open(&origin.repository)?;
    // The history must resolve the endpoints, because the repository may have changed since.
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

/// Returns the good revision that is latest in the order of the history.
fn newest_good<'a>(history: &'a CommitGraph, given: &Suspicion<'_>) -> Result<Option<&'a str>, Error> {
    let leading = history.ancestors(&all(history, given.bad, "bad")?);
    let goods = goods(history, given.good)?;
    Ok(goods.into_iter().filter(|&node| leading.contains(node as usize)).max().map(|node| history.id(node)))
}

/// Graphs with the names of their revisions, which are those of the changes if possible.
type NamedGraphs<'a> = Vec<(String, &'a BuildGraph)>;

/// Replaces the names of parents and of graphs' revisions with the names of the changes.
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
