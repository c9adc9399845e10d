//! Suspects by what they touch: a prior from `git log` and the name of the failing test, without a build graph.
//!
//! A commit that touches source files is likelier to have broken a test than one that only touches documentation; one that
//! touches the file that the test is named after, or whose subject has the test's words, is likelier still. How much each
//! of that counts was fitted on recorded histories and on labelled pairs of culprit and fix ([`ContentWeights`]); a part of
//! the mass is shared by all, so that a wrong guess costs at most a run more or so.

mod classes;
mod command;
mod features;
mod words;

use std::collections::BTreeMap;

use hashbrown::HashSet;
use serde::{Deserialize, Serialize};

use self::features::{Rarity, Traits};
use self::words::TestName;
use super::changelist::Changelist;
use super::history::suspects_between;
use crate::error::Error;
use crate::graph::{CommitGraph, Node};

pub use command::tests_of_command;

/// What counts how much, in the logarithm of a suspect's weight.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContentWeights {
    /// That it touches a source file. For a merge only what differs from all of its parents counts, here and below.
    pub source: f64,
    /// The logarithm to base 2 of one more than the lines of source files that it adds and deletes; a file that is only
    /// renamed counts as one line, and one of a merge as 20 at most.
    pub lines: f64,
    /// That it touches source and test files; not of merges.
    pub source_and_test: f64,
    /// How well the source files that it touches fit the name of the test's file, in [0, 1].
    pub path: f64,
    /// Which share of the test's words its subject has, rare words counting more, in [0, 1].
    pub subject: f64,
    /// The part of the mass that all suspects share evenly, in [0, 1].
    pub floor: f64,
}

impl Default for ContentWeights {
    fn default() -> Self {
        ContentWeights { source: 2.5, lines: 0.25, source_and_test: 1.0, path: 2.0, subject: 5.0, floor: 0.5 }
    }
}

impl ContentWeights {
    fn check(&self) -> Result<(), Error> {
        let weights = [
            ("source", self.source),
            ("lines", self.lines),
            ("source_and_test", self.source_and_test),
            ("path", self.path),
            ("subject", self.subject),
        ];
        if let Some((name, weight)) = weights.into_iter().find(|(_, weight)| !(-MOST..=MOST).contains(weight)) {
            return Err(Error::invalid(name, weight, format!("a number in [-{MOST}, {MOST}]")));
        }
        match (0.0..=1.0).contains(&self.floor) {
            true => Ok(()),
            false => Err(Error::invalid("floor", self.floor, "a part of the whole, in [0, 1]")),
        }
    }
}

/// The most that one trait may count: with it, a suspect is `e` to this power times as likely.
const MOST: f64 = 50.0;

/// Why a commit is tried early, or late.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ContentReason {
    /// It touches a source file that the test is named after.
    Named {
        /// The file.
        file: String,
    },
    /// It touches source files whose names have words of the test's file.
    Paths {
        /// The words, without their endings.
        words: Vec<String>,
    },
    /// Its subject has words of the test.
    Subject {
        /// The words, without their endings.
        words: Vec<String>,
    },
    /// It touches source files.
    Source {
        /// How many.
        files: usize,
        /// How many lines it adds and deletes there.
        lines: u64,
        /// Whether it touches tests, too.
        tests: bool,
    },
    /// It touches no source file.
    NoSource,
}

impl ContentReason {
    /// The same for people, to follow the name of the commit.
    #[must_use]
    pub fn words(&self) -> String {
        let listed = |words: &[String]| words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ");
        match self {
            ContentReason::Named { file } => format!("touches {file}, which the test is named after"),
            ContentReason::Paths { words } => format!("touches files with the test's {} in their names", listed(words)),
            ContentReason::Subject { words } => format!("its subject has the test's {}", listed(words)),
            ContentReason::Source { files, lines, tests } => {
                let (files, lines) = (counted(*files as u64, "source file"), counted(*lines, "line"));
                format!("touches {files}{}, {lines}", if *tests { " and tests" } else { "" })
            }
            ContentReason::NoSource => "touches no source file".to_owned(),
        }
    }
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A suspect, with what speaks for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContentSuspect {
    /// The commit.
    pub change: String,
    /// How likely it is the culprit, before anything was run, in [0, 1]; that of all suspects together is 1.
    pub probability: f64,
    /// Why, what counts most first.
    pub reasons: Vec<ContentReason>,
}

/// Suspects by what they touch, the likeliest first; of equals the newest.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ContentRanking {
    /// The words of the failing tests that were looked for, without their endings.
    pub words: Vec<String>,
    /// All suspects.
    pub suspects: Vec<ContentSuspect>,
}

impl ContentRanking {
    /// A weight for every suspect, summing to 1: a prior for every search.
    #[must_use]
    pub fn prior(&self) -> BTreeMap<String, f64> {
        self.suspects.iter().map(|suspect| (suspect.change.clone(), suspect.probability)).collect()
    }
}

/// Ranks changes, given oldest first, by what they touch and what the failing tests are called. Of several tests the
/// probabilities are the mean; without any only what is touched counts.
///
/// # Errors
/// [`Error::InvalidArgument`] for a change that is given twice, and weights out of range.
pub fn rank_content<T: AsRef<str>>(
    changes: &[Changelist],
    tests: &[T],
    weights: &ContentWeights,
) -> Result<ContentRanking, Error> {
    weights.check()?;
    let mut seen = HashSet::with_capacity(changes.len());
    if let Some(twice) = changes.iter().find(|change| !seen.insert(&change.id)) {
        return Err(Error::invalid("changes", &twice.id, "each change once"));
    }
    let traits: Vec<Traits> = changes.iter().map(Traits::of).collect();
    let rarity = Rarity::of(&traits);
    let names: Vec<TestName> = tests.iter().map(|test| TestName::of(test.as_ref())).collect();
    let words = names.iter().flat_map(|name| name.all.iter().cloned()).collect::<std::collections::BTreeSet<_>>();
    let unnamed = [TestName::default()];
    let names = if names.is_empty() { &unnamed[..] } else { &names };
    let mut probabilities = vec![0.0; changes.len()];
    for name in names {
        let logs: Vec<f64> = traits.iter().map(|traits| traits.fit(name, &rarity).log(traits, weights)).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
        let sum: f64 = shares.iter().sum();
        for (probability, share) in probabilities.iter_mut().zip(shares) {
            *probability += (1.0 - weights.floor) * share / sum + weights.floor / changes.len() as f64;
        }
    }
    let suspects =
        changes.iter().zip(&traits).zip(probabilities).map(|((change, traits), probability)| ContentSuspect {
            change: change.id.clone(),
            probability: probability / names.len() as f64,
            reasons: features::reasons(traits, names, &rarity),
        });
    let mut suspects: Vec<ContentSuspect> = suspects.collect();
    suspects.reverse();
    suspects.sort_by(|one, other| other.probability.total_cmp(&one.probability));
    Ok(ContentRanking { words: words.into_iter().collect(), suspects })
}

/// The same for the suspects of a search in a history: the revisions that are among `bad` or their ancestors, and not among
/// `good` (by default the roots) nor their ancestors. What is not among the changes, a clean merge, touches nothing;
/// changes outside count for nothing.
///
/// # Errors
/// As [`rank_content`]; [`Error::UnknownRevision`], [`Error::AmbiguousRevision`] for an end that the history does not know.
pub fn rank_content_in<T: AsRef<str>>(
    changes: &[Changelist],
    tests: &[T],
    weights: &ContentWeights,
    history: &CommitGraph,
    bad: &[String],
    good: &[String],
) -> Result<ContentRanking, Error> {
    let mut by_node: BTreeMap<Node, &Changelist> = BTreeMap::new();
    for change in changes {
        if let Some(node) = history.get(&change.id) {
            by_node.insert(node, change);
        }
    }
    let suspects = suspects_between(history, bad, good)?;
    let inside: Vec<Changelist> = suspects
        .ones()
        .map(|node| match by_node.get(&(node as Node)) {
            Some(change) => Changelist { id: history.id(node as Node).to_owned(), ..(*change).clone() },
            None => Changelist::new(history.id(node as Node), Vec::<String>::new()),
        })
        .collect();
    rank_content(&inside, tests, weights)
}
