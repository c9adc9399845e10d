//! Ranking suspects by what they touch.

use std::collections::BTreeMap;

use hashbrown::HashSet;
use serde::{Deserialize, Serialize};

use super::reason::{ContentReason, message};
use super::traits::{Rarity, Traits, reasons};
use super::weights::FLOOR;
use super::words::TestName;
use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::suspicion::changelist::Changelist;
use crate::suspicion::history::suspects_between;

/// How many words of tests are named.
const WORDS: usize = 8;

/// A suspect, with what speaks for it.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentSuspect {
    /// The commit.
    pub change: String,
    /// How likely it is the culprit, before anything was run, in [0, 1]; that of all suspects together is 1.
    pub probability: f64,
    /// Why, what counts most first.
    pub reasons: Vec<ContentReason>,
    /// The same for people, to follow the name of the commit.
    #[cfg_attr(test, schemars(with = "String"))]
    #[serde(with = "crate::words::printable::words")]
    pub message: String,
}

/// Suspects by what they touch, the likeliest first; of equals the newest.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentRanking {
    /// The words of the failing tests that were looked for; other endings are found, too.
    pub words: Vec<String>,
    /// All suspects; empty if nothing tells them apart.
    pub suspects: Vec<ContentSuspect>,
    /// What is to be known of it, in a sentence: why there are no suspects.
    #[serde(default)]
    pub warning: Option<String>,
}

impl ContentRanking {
    /// What was ranked, and by which words of the tests, in a sentence.
    #[must_use]
    pub fn message(&self) -> String {
        let count = self.suspects.len();
        let what = format!("{count} {}", if count == 1 { "change" } else { "changes" });
        if self.words.is_empty() {
            return format!("{what}, by what they touch");
        }
        let words: Vec<String> = self.words.iter().take(WORDS).map(|word| format!("{word:?}")).collect();
        let more = if self.words.len() > WORDS { " and more" } else { "" };
        format!("{what}, by what they touch and the test's {}{more}", words.join(", "))
    }

    /// A weight for every suspect, summing to 1, with its reasons: a prior for every search.
    #[must_use]
    pub fn prior(&self) -> ReasonedWeights {
        let weights = self.suspects.iter().map(|suspect| (suspect.change.clone(), suspect.probability)).collect();
        let kept = |suspect: &ContentSuspect| suspect.reasons.iter().take(MOST_REASONS).cloned().collect();
        let reasons = self.suspects.iter().map(|suspect| (suspect.change.clone(), kept(suspect))).collect();
        ReasonedWeights { weights, reasons, warning: self.warning.clone() }
    }

    /// The likeliest first; of equals the order stays.
    pub(super) fn sort(&mut self) {
        self.suspects.sort_by(|one, other| other.probability.total_cmp(&one.probability));
    }
}

/// How many reasons a search keeps of each suspect.
const MOST_REASONS: usize = 3;

/// A weight for each revision, and what speaks for it: what a search has to know to say why it tried one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReasonedWeights {
    /// Weights by revision, finite and 0 or above; they need not sum to 1.
    pub weights: BTreeMap<String, f64>,
    /// Reasons by revision, what counts most first. A revision without has none that is known.
    pub reasons: BTreeMap<String, Vec<ContentReason>>,
    /// What is to be known of them, in a sentence: why there are none, and all are alike.
    #[serde(default)]
    pub warning: Option<String>,
}

/// Ranks changes, given oldest first, by what they touch and what the failing tests are called. Of several tests the
/// probabilities are the mean; without any only what is touched counts.
///
/// # Errors
/// [`Error::InvalidArgument`] for a change that is given twice.
pub fn rank_content<T: AsRef<str>>(changes: &[Changelist], tests: &[T]) -> Result<ContentRanking, Error> {
    let mut seen = HashSet::with_capacity(changes.len());
    if let Some(twice) = changes.iter().find(|change| !seen.insert(&change.id)) {
        return Err(Error::invalid("changes", &twice.id, "each change once"));
    }
    let traits: Vec<Traits> = changes.iter().map(Traits::of).collect();
    let rarity = Rarity::of(&traits);
    let names: Vec<TestName> = tests.iter().map(|test| TestName::of(test.as_ref())).collect();
    let words = names.iter().flat_map(|name| name.all.clone()).collect::<BTreeMap<_, _>>();
    let unnamed = [TestName::default()];
    let names = if names.is_empty() { &unnamed[..] } else { &names };
    let mut sums = vec![0.0; changes.len()];
    for name in names {
        let logs = traits.iter().map(|traits| traits.fit(name, &rarity).log(traits));
        sums.iter_mut().zip(probabilities(logs)).for_each(|(sum, one)| *sum += one);
    }
    let suspects = changes.iter().zip(&traits).zip(sums).map(|((change, traits), probability)| {
        let reasons = reasons(traits, names, &rarity);
        let message = message(&reasons);
        ContentSuspect { change: change.id.clone(), probability: probability / names.len() as f64, reasons, message }
    });
    let mut ranking =
        ContentRanking { words: words.into_values().collect(), suspects: suspects.rev().collect(), warning: None };
    ranking.sort();
    Ok(ranking)
}

/// Of logarithms of weights the probabilities, with a part of the mass spread evenly.
fn probabilities(logs: impl Iterator<Item = f64>) -> Vec<f64> {
    let logs: Vec<f64> = logs.collect();
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shares: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
    let sum: f64 = shares.iter().sum();
    let even = FLOOR / logs.len() as f64;
    shares.into_iter().map(|share| (1.0 - FLOOR) * share / sum + even).collect()
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
    rank_content(&inside, tests)
}
