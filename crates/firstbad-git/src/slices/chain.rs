//! A history as a chain of trees.

use std::collections::HashSet;
use std::path::PathBuf;

use firstbad::{Error, Patch, SliceGranularity, SlicedHistory, SlicerConfig};

use super::change::SliceChange;
use super::onto;
use super::parsing::joined;
use super::parts::parts;
use super::sources::Sources;
use crate::git;
use crate::repository::Repository;
use crate::trees::{Context, Laid, Overlay, Spaces, Trees};

/// The maximum number of commits in a history. Each set of changes needs a merge per commit.
const MOST_COMMITS: usize = 10_000;

/// The changes between a base and a tip.
#[derive(Debug)]
pub(super) struct Chain {
    pub(super) history: SlicedHistory,
    pub(super) changes: Vec<SliceChange>,
    /// The tree that sets of changes are applied to: that of the base or of another branch.
    pub(super) ground: String,
    /// The trees before the first step and after each step. Each change is a step. Commits that the other branch already has
    /// are steps, but not changes.
    pub(super) states: Vec<String>,
    /// The change of each step.
    pub(super) change_of: Vec<Option<usize>>,
    /// The merge commits on the line.
    pub(super) merges: HashSet<String>,
    /// The step of each change.
    pub(super) step_of: Vec<usize>,
    pub(super) pieces: Vec<Piece>,
    /// The piece that contains each change.
    pub(super) piece_of: Vec<usize>,
}

/// The changes from one commit.
#[derive(Debug)]
pub(super) struct Piece {
    /// The first change of the commit.
    pub(super) first: usize,
    /// The patch of the commit, if it was split.
    pub(super) patch: Option<Patch>,
    /// The indices in the patch for each change.
    pub(super) parts: Vec<Vec<usize>>,
}

impl Chain {
    /// Reads the history.
    ///
    /// # Errors
    /// See [`Slices::open`](super::Slices::open).
    pub(super) fn of(
        repository: &Repository,
        trees: &Trees,
        options: &SlicedHistory,
        sources: &mut Sources,
    ) -> Result<Chain, Error> {
        repository.complete_history()?;
        let tip = repository.resolve_as("tip", &options.tip)?;
        let onto = options.onto.as_ref().map(|onto| repository.resolve_as("onto", onto)).transpose()?;
        let base = match (&options.onto, &onto) {
            (Some(name), Some(onto)) if options.base.is_empty() => {
                onto::fork(repository, (name, onto), (&options.tip, &tip))?
            }
            _ => repository.resolve_as("base", &options.base)?,
        };
        let beginning = if options.base.is_empty() { &base } else { &options.base };
        repository.check_beginning("base", std::slice::from_ref(beginning), std::slice::from_ref(&options.tip))?;
        let line = line(repository, options, &base, &tip)?;
        let all: Vec<&str> = [&base].into_iter().chain(&onto).chain(&line).map(String::as_str).collect();
        repository.complete_revisions(&all)?;
        let limits = Limits::of(repository, trees, options, &base, &tip)?;
        let there = onto.as_ref().map(|onto| onto::there(repository, onto, &tip, &line)).transpose()?;
        let history = SlicedHistory { base, tip, onto, ..options.clone() };
        let states = vec![limits.tree(&history.base)?];
        let ground = limits.ground(&history, &states[0])?;
        let mut chain = Chain::new(history, ground, states);
        chain.merges = merges(repository, &chain.history)?;
        for (whole, after) in wholes(trees, sources, &limits, &chain.states[0], changing(repository, options, &line)?)?
        {
            let is_there = whole.commits().all(|commit| there.iter().any(|there| there.contains(commit)));
            if is_there {
                chain.pass(after);
            } else {
                chain.add(trees, sources, whole, after)?;
            }
        }
        chain.check_tip(options, &there.unwrap_or_default())?;
        if !chain.changes.is_empty() {
            return Ok(chain);
        }
        let expected = format!("files or folders that change between {} and {}", options.base, options.tip);
        Err(match options.paths.is_empty() {
            true => Error::invalid("base", &options.base, format!("a revision from which {} differs", options.tip)),
            false => Error::invalid("paths", options.paths.join(", "), expected),
        })
    }

    fn new(history: SlicedHistory, ground: String, states: Vec<String>) -> Chain {
        Chain {
            history,
            ground,
            states,
            changes: Vec::new(),
            change_of: Vec::new(),
            step_of: Vec::new(),
            merges: HashSet::new(),
            pieces: Vec::new(),
            piece_of: Vec::new(),
        }
    }

    /// Checks that the tip can be picked onto another branch.
    fn check_tip(&self, options: &SlicedHistory, there: &HashSet<String>) -> Result<(), Error> {
        let tip = &self.history.tip;
        let Some(onto) = options.onto.as_ref().filter(|_| !self.changes.iter().any(|change| change.is_of(tip))) else {
            return Ok(());
        };
        let expected = match there.contains(tip) {
            true => format!("a commit that {onto} does not have"),
            false => "a commit that changes files".to_owned(),
        };
        Err(Error::invalid("tip", &options.tip, expected))
    }

    /// Returns the changes that are in every set: with another branch, those of the tip.
    pub(super) fn always(&self) -> Vec<usize> {
        let is_tip = |change: &SliceChange| self.history.onto.is_some() && change.is_of(&self.history.tip);
        (0..self.changes.len()).filter(|&index| is_tip(&self.changes[index])).collect()
    }

    /// Returns the tree before a piece.
    pub(super) fn before(&self, piece: usize) -> &str {
        &self.states[self.step_of[self.pieces[piece].first]]
    }

    /// Returns the changes of these steps, ascending.
    pub(super) fn changes_of(&self, steps: impl IntoIterator<Item = usize>) -> Vec<usize> {
        steps.into_iter().filter_map(|step| self.change_of[step]).collect()
    }

    /// Adds a step that is not a change.
    fn pass(&mut self, after: String) {
        self.change_of.push(None);
        self.states.push(after);
    }

    fn push(&mut self, change: SliceChange, after: String) {
        self.piece_of.push(self.pieces.len());
        self.step_of.push(self.change_of.len());
        self.change_of.push(Some(self.changes.len()));
        self.changes.push(change);
        self.states.push(after);
    }

    /// Adds the changes of a commit after the last state.
    fn add(&mut self, trees: &Trees, sources: &mut Sources, whole: SliceChange, after: String) -> Result<(), Error> {
        let finely = self.history.granularity;
        let Some(before) = self.states.last().filter(|before| **before != after).cloned() else { return Ok(()) };
        let first = self.changes.len();
        if finely == SliceGranularity::Commit {
            self.push(whole, after);
            self.pieces.push(Piece { first, patch: None, parts: Vec::new() });
            return Ok(());
        }
        let patch = Patch::parse(&trees.diff(&before, &after)?)?;
        let parts = parts(trees, sources, (&before, &after), (&patch, &whole), finely)?;
        let commit = &whole.commit;
        let (most, there) = (SlicerConfig::MOST_CHANGES, first + parts.len());
        if there > most {
            // Each change needs a tree, so check before creating any.
            let expected = format!(
                "a coarser one, because there are more than {most} changes ({there} up to commit \
                                    {commit})"
            );
            return Err(Error::invalid("granularity", format!("{finely:?}").to_lowercase(), expected));
        }
        let (mut taken, mut pieces): (Vec<usize>, Vec<Vec<usize>>) = Default::default();
        let last = parts.len().saturating_sub(1);
        for (place, (change, indices)) in parts.into_iter().enumerate() {
            taken.extend(&indices);
            taken.sort_unstable();
            pieces.push(indices);
            let state = match place == last {
                true => after.clone(),
                false => trees.applied(&before, &patch.subset(&taken)?, Spaces::Count, Context::All)?,
            };
            self.push(change, state);
        }
        self.pieces.push(Piece { first, patch: Some(patch), parts: pieces });
        Ok(())
    }
}

/// Returns the commits as changes with the trees after them. Commits that do not parse are merged with their child.
fn wholes(
    trees: &Trees,
    sources: &mut Sources,
    limits: &Limits<'_>,
    base: &str,
    commits: Vec<String>,
) -> Result<Vec<(SliceChange, String)>, Error> {
    let mut states = vec![base.to_owned()];
    let mut changing = Vec::new();
    for commit in commits {
        let tree = limits.tree(&commit)?;
        if states.last() != Some(&tree) {
            states.push(tree);
            changing.push(commit);
        }
    }
    let joined = joined(trees, sources, &states)?;
    let (mut found, mut merged) = (Vec::new(), Vec::new());
    for ((commit, after), is_joined) in changing.into_iter().zip(states.into_iter().skip(1)).zip(joined) {
        if is_joined {
            merged.push(commit);
        } else {
            let merged = std::mem::take(&mut merged);
            found.push((SliceChange { commit, path: None, hunk: None, definition: None, merged }, after));
        }
    }
    Ok(found)
}

/// Returns the first-parent commits from the base to the tip, oldest first.
fn line(repository: &Repository, options: &SlicedHistory, base: &str, tip: &str) -> Result<Vec<String>, Error> {
    let mut command = repository.git();
    command.args(["rev-list", "--first-parent", "--reverse", "--parents"]);
    command.arg(format!("--max-count={}", MOST_COMMITS + 1)).args([tip, &format!("^{base}"), "--"]);
    let text = git::output(&mut command, b"")?;
    let text = String::from_utf8_lossy(&text);
    let commits: Vec<(&str, Option<&str>)> = text
        .lines()
        .filter_map(|line| {
            let mut shas = line.split(' ');
            Some((shas.next()?, shas.next()))
        })
        .collect();
    let refused = |expected: String| Err(Error::invalid("base", &options.base, expected));
    match commits.first() {
        None => refused(format!("an ancestor of {:?}, older than it", options.tip)),
        Some(_) if commits.len() > MOST_COMMITS => refused(format!("at most {MOST_COMMITS} commits before the tip")),
        Some((_, Some(parent))) if *parent == base => Ok(commits.iter().map(|(sha, _)| (*sha).to_owned()).collect()),
        Some((oldest, parent)) => {
            let is_older = git::ended(repository.git().args(["merge-base", "--is-ancestor", base, tip]), b"")?;
            match (is_older.status.success(), parent) {
                (true, Some(parent)) => {
                    refused(format!("a revision among the first parents of {:?}, such as {parent}", options.tip))
                }
                (true, None) => refused(format!("a revision before {oldest}, where the first parents start")),
                (false, _) => refused(onto::not_an_ancestor(&options.base, &options.tip)),
            }
        }
    }
}

/// Returns the merge commits among the first parents from the base to the tip.
fn merges(repository: &Repository, history: &SlicedHistory) -> Result<HashSet<String>, Error> {
    let mut command = repository.git();
    command.args(["rev-list", "--first-parent", "--merges", &history.tip, &format!("^{}", history.base), "--"]);
    Ok(String::from_utf8_lossy(&git::output(&mut command, b"")?).lines().map(str::to_owned).collect())
}

/// Returns the commits that change the selected paths.
fn changing(repository: &Repository, options: &SlicedHistory, line: &[String]) -> Result<Vec<String>, Error> {
    let (Some(oldest), Some(newest)) = (line.first(), line.last()) else { return Ok(Vec::new()) };
    if options.paths.is_empty() {
        return Ok(line.to_vec());
    }
    let mut command = repository.git();
    command.arg("--literal-pathspecs").args(["rev-list", "--first-parent", "--reverse", newest]);
    command.arg(format!("^{oldest}^")).arg("--").args(&options.paths);
    Ok(String::from_utf8_lossy(&git::output(&mut command, b"")?).lines().map(str::to_owned).collect())
}

/// The selected paths of revisions, and the overlay on them.
struct Limits<'a> {
    repository: &'a Repository,
    trees: &'a Trees,
    /// The base's tree and the selected paths. `None` if all paths are selected.
    within: Option<(String, &'a [String])>,
    tests: Option<Laid>,
}

impl<'a> Limits<'a> {
    fn of(
        repository: &'a Repository,
        trees: &'a Trees,
        options: &'a SlicedHistory,
        base: &str,
        tip: &str,
    ) -> Result<Limits<'a>, Error> {
        let within = match options.paths.is_empty() {
            true => None,
            false => Some((own_tree(repository, base)?, options.paths.as_slice())),
        };
        let tests = Overlay { revision: tip.to_owned(), paths: options.tests.iter().map(PathBuf::from).collect() };
        let tests = (!tests.paths.is_empty()).then(|| Laid::of(repository, "tests", &tests)).transpose()?;
        Ok(Limits { repository, trees, within, tests })
    }

    /// Returns the tree that changes are applied to, with the overlay. `base` is that of the base.
    fn ground(&self, history: &SlicedHistory, base: &str) -> Result<String, Error> {
        let Some(onto) = &history.onto else { return Ok(base.to_owned()) };
        let own = own_tree(self.repository, onto)?;
        self.tests.as_ref().map_or_else(|| Ok(own.clone()), |tests| self.trees.overlaid(&own, tests))
    }

    /// Returns the tree of a revision with only the selected changes, and with the overlay.
    fn tree(&self, commit: &str) -> Result<String, Error> {
        let own = match &self.within {
            None => own_tree(self.repository, commit)?,
            Some((base, paths)) => {
                self.trees.overlaid(base, &Laid::where_there(|| self.repository.git(), commit, paths)?)?
            }
        };
        self.tests.as_ref().map_or_else(|| Ok(own.clone()), |tests| self.trees.overlaid(&own, tests))
    }
}

fn own_tree(repository: &Repository, commit: &str) -> Result<String, Error> {
    let found = repository.tree_ids(&[commit.to_owned()])?.pop();
    found.map(|(_, tree)| tree).ok_or_else(|| Error::Git { message: format!("git printed no tree of {commit}") })
}
