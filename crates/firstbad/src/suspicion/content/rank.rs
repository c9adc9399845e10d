use std::collections::BTreeMap;

use hashbrown::HashSet;
use serde::{Deserialize, Serialize};

use super::reason::{CommitReason, message};
use super::traits::{Rarity, Traits, reasons};
use super::weights::FLOOR;
use super::words::TestName;
use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::suspicion::changelist::Changelist;
use crate::suspicion::history::suspects_between;

/// The maximum number of words of the tests in a message.
const WORDS: usize = 8;

/// A suspect with its probability and the reasons for it.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommitSuspect {
    /// The id of the commit.
    pub change: String,
    /// The probability that the commit is the culprit before anything was run, from 0 to 1. The probabilities of all suspects sum
    /// to 1.
    pub probability: f64,
    /// The reasons, strongest first.
    pub reasons: Vec<CommitReason>,
    /// The reasons as text that can follow the name of the commit.
    #[cfg_attr(test, schemars(with = "String"))]
    #[serde(with = "crate::words::printable::words")]
    pub message: String,
}

/// The suspects ranked by the files they touch, most likely first. Of equally likely suspects, newer ones come first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommitRanking {
    /// The words of the failing tests that were searched for. Words with other endings also match.
    pub words: Vec<String>,
    /// The suspects. Empty if all changes are equally likely.
    pub suspects: Vec<CommitSuspect>,
    /// The reason why there are no suspects, as a sentence.
    #[serde(default)]
    pub warning: Option<String>,
}

impl CommitRanking {
    /// Returns a sentence about the ranked changes and the words of the tests.
    #[must_use]
    pub fn message(&self) -> String {
        let count = self.suspects.len();
        let what = format!("{count} {}", if count == 1 { "change" } else { "changes" });
        if self.words.is_empty() {
            return format!("{what}, ranked by their files");
        }
        let words: Vec<String> = self.words.iter().take(WORDS).map(|word| format!("{word:?}")).collect();
        let more = if self.words.len() > WORDS { " and more" } else { "" };
        format!("{what}, ranked by their files and the test's {}{more}", words.join(", "))
    }

    /// Returns a weight for every suspect, with its reasons, as a prior for any search. Weights sum to 1.
    #[must_use]
    pub fn prior(&self) -> ReasonedWeights {
        let weights = self.suspects.iter().map(|suspect| (suspect.change.clone(), suspect.probability)).collect();
        let kept = |suspect: &CommitSuspect| suspect.reasons.iter().take(MOST_REASONS).cloned().collect();
        let reasons = self.suspects.iter().map(|suspect| (suspect.change.clone(), kept(suspect))).collect();
        ReasonedWeights { weights, reasons, warning: self.warning.clone() }
    }

    /// Sorts suspects by probability. Equally likely suspects keep their order.
    pub(super) fn sort(&mut self) {
        self.suspects.sort_by(|one, other| other.probability.total_cmp(&one.probability));
    }
}

/// The maximum number of reasons that a search keeps for each suspect.
const MOST_REASONS: usize = 3;

/// Weights of revisions with their reasons, so that a search can explain why it tested a revision.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReasonedWeights {
    /// The weights by revision, finite and at least 0. They need not sum to 1.
    pub weights: BTreeMap<String, f64>,
    /// The reasons by revision, strongest first. Revisions without known reasons are missing.
    pub reasons: BTreeMap<String, Vec<CommitReason>>,
    /// The reason why there are no weights, so that all revisions are equally likely, as a sentence.
    #[serde(default)]
    pub warning: Option<String>,
}

/// Ranks changes by the files they touch and the names of the failing tests. The changes must be sorted from old to new.
///
/// For several tests, each probability is the mean over the tests. Without tests, only the files count.
///
/// # Errors
/// [`Error::InvalidArgument`] if a change is duplicated.
pub fn rank_commits<T: AsRef<str>>(changes: &[Changelist], tests: &[T]) -> Result<CommitRanking, Error> {
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
        CommitSuspect { change: change.id.clone(), probability: probability / names.len() as f64, reasons, message }
    });
    let mut ranking =
        CommitRanking { words: words.into_values().collect(), suspects: suspects.rev().collect(), warning: None };
    ranking.sort();
    Ok(ranking)
}

/// Turns logarithms of weights into probabilities, part of which is spread evenly.
fn probabilities(logs: impl Iterator<Item = f64>) -> Vec<f64> {
    let logs: Vec<f64> = logs.collect();
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shares: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
    let sum: f64 = shares.iter().sum();
    let even = FLOOR / logs.len() as f64;
    shares.into_iter().map(|share| (1.0 - FLOOR) * share / sum + even).collect()
}

/// Ranks the suspects of a search in a history. The suspects are the `bad` revisions and their ancestors, without the `good`
/// revisions and their ancestors. Without `good`, the roots are good.
///
/// A revision without an entry in `changes`, such as a clean merge, touches nothing. Changes that are not suspects have no
/// effect.
///
/// # Errors
/// The errors of [`rank_commits`], and [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] if the history does not know an
/// endpoint.
pub fn rank_commits_in<T: AsRef<str>>(
    changes: &[Changelist],
    tests: &[T],
    history: &CommitGraph,
    bad: &[String],
    good: &[String],
) -> Result<CommitRanking, Error> {
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
    rank_commits(&inside, tests)
}
