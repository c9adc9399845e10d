use std::collections::{BTreeMap, HashSet};

use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};

use crate::belief::Rate;
use crate::error::Error;
use crate::items::needs::Need;
use crate::items::repeats::Repeat;
use crate::search::{ChangeSet, Outcome};

/// An algorithm that chooses which sets of items to test.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Adaptive group testing. It learns from outcomes how many items are needed and whether needed items come in clusters.
    /// If most sets are unresolved, it switches to bisection and then tries neighboring items together.
    #[default]
    Auto,
    /// The ddmin algorithm, which tests subsets, then complements, and then cuts the items into more parts (Zeller and Hildebrandt
    /// 2002, Figure 5; IDD, Section 3.2).
    Ddmin,
    /// Recursive bisection with at most 2n - 1 tests for n items (IDD, Section 3.1).
    Recursive,
}

/// A guarantee about the size of a reduction's result.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Guarantee {
    /// No guarantee, because the search stopped early. The result is the smallest set found so far.
    #[cfg_attr(test, schemars(extend("only" = "reports")))]
    #[serde(rename = "best so far")]
    BestSoFar,
    /// No single item can be removed, provided that adding items never hides the property. In a tree, an item is removed
    /// together with everything below it. In a text, or if adding items can hide the property, some single items may still
    /// be removable.
    #[default]
    #[serde(rename = "fixpoint")]
    Fixpoint,
    /// Every set with one item less was tested, and none of them had the property.
    #[serde(rename = "1-minimal")]
    OneMinimal,
}

impl Guarantee {
    /// Returns the name as in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Guarantee::BestSoFar => "best so far",
            Guarantee::Fixpoint => "fixpoint",
            Guarantee::OneMinimal => "1-minimal",
        }
    }
}

/// Guessed dependencies between the lines of a text and their parts.
///
/// A search follows these guesses first. For [`Guarantee::OneMinimal`], it then ignores them: it tries each line alone, the
/// lines around each block, and each pair of neighboring lines that need no others. With any guarantee, it tries needed
/// blocks again before it finishes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guess {
    /// The number of items that are lines. They are the first items, and their parents in the tree are guesses.
    pub lines: usize,
    /// Other items whose dependency on their parent is a guess.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<usize>,
    /// Further guessed dependencies, by item index, in the form of [`ReductionConfig::dependencies`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dependencies: BTreeMap<usize, Vec<Need>>,
    /// The equal pieces. Unlike the other fields, they are certain. If sets differ only in equal pieces, firstbad tests one of
    /// them. Inner repeats come before the repeats that contain them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeats: Vec<Repeat>,
}

/// Options that all reductions share: how items depend on each other, and how outcomes are judged.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReductionConfig {
    /// The algorithm that chooses which sets to test. Default: `"auto"`.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("only" = "minimize")))]
    pub algorithm: Method,
    /// The indices of the items that each item needs, by item index. A list among them means that any one of its members is
    /// enough. firstbad never tests a set in which a needed item is missing, and items that need each other stay together.
    /// Default: no dependencies.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dependencies: BTreeMap<usize, Vec<Need>>,
    /// The weight of each item, above 0: its size, or its probability of being needed relative to the other items. Default:
    /// equal weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("only" = "minimize")))]
    pub weights: Option<Vec<f64>>,
    /// The parent of each item in a tree, as an index, or none. Indices from the number of items on are groups, which are
    /// not items themselves. firstbad goes through the tree level by level from the top, and removes an item together with
    /// its parent. Default: no tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parents: Option<Vec<Option<usize>>>,
    /// The number of tree levels to go through, at least 1. Items below the last level stay together. The number of tree
    /// entries times the number of levels can be at most 2^24. Default: all levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub depth: Option<usize>,
    /// Passes over single items that follow after the tree: one list of item indices for each pass. In its pass, an item is
    /// removed together with everything below it. Before its pass, it is removed only with its parent. If a pass removes
    /// anything, firstbad repeats the tree and all passes so far before the next pass. Default: no later passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("only" = "minimize")))]
    pub later: Option<Vec<Vec<usize>>>,
    /// The parts of the tree and the dependencies that are guesses. Texts set this field themselves. Default: no guesses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(skip))]
    pub guess: Option<Guess>,
    /// Whether every set that contains a set with the property also has the property. If so, firstbad does not test sets
    /// whose outcomes follow from this. Default: false.
    #[serde(default)]
    pub monotonic: bool,
    /// The guarantee to reach: `"fixpoint"` or `"1-minimal"`. Default: `"fixpoint"`.
    #[serde(default, deserialize_with = "asked")]
    #[cfg_attr(test, schemars(extend("only" = "minimize")))]
    pub guarantee: Guarantee,
    /// The outcome that means that the property holds: `"pass"` or `"fail"`. Default: `"pass"`, or `"fail"` if firstbad runs
    /// an oracle.
    #[serde(default = "pass", deserialize_with = "kept")]
    #[cfg_attr(test, schemars(extend("enum" = ["pass", "fail"])))]
    pub keep: Outcome,
    /// The failure to keep if `keep` is `"fail"`. Other failures count as unresolved. Default: the first failure that
    /// firstbad observes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// The probability, at least 0.5 and below 1, with which the result must be correct although outcomes can be wrong.
    /// firstbad repeats tests until it reaches this confidence. Default: firstbad trusts every outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("minimum" = 0.5, "exclusiveMaximum" = 1)))]
    pub confidence: Option<f64>,
    /// The probability that a set with the property is observed without it: a rate in [0, 1), counts of past runs, or
    /// `"estimate"`. It applies only with a `confidence`. Default: `"estimate"`.
    #[serde(default = "estimate")]
    pub flake_rate: Rate,
    /// The probability that a set without the property is observed with it, in the forms of `flake_rate`. It applies only
    /// with a `confidence`. Default: `"estimate"`.
    #[serde(default = "estimate")]
    pub false_pass_rate: Rate,
}

fn asked<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Guarantee, D::Error> {
    #[derive(Deserialize)]
    enum Asked {
        #[serde(rename = "fixpoint")]
        Fixpoint,
        #[serde(rename = "1-minimal")]
        OneMinimal,
    }
    Ok(match Asked::deserialize(deserializer)? {
        Asked::Fixpoint => Guarantee::Fixpoint,
        Asked::OneMinimal => Guarantee::OneMinimal,
    })
}

pub(crate) fn kept<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Kept {
        Pass,
        Fail,
    }
    Ok(match Kept::deserialize(deserializer)? {
        Kept::Pass => Outcome::Pass,
        Kept::Fail => Outcome::Fail,
    })
}

fn pass() -> Outcome {
    Outcome::Pass
}

fn estimate() -> Rate {
    Rate::Estimate
}

impl Default for ReductionConfig {
    fn default() -> Self {
        ReductionConfig {
            algorithm: Method::Auto,
            dependencies: BTreeMap::new(),
            weights: None,
            parents: None,
            depth: None,
            later: None,
            guess: None,
            monotonic: false,
            guarantee: Guarantee::Fixpoint,
            keep: Outcome::Pass,
            signature: None,
            confidence: None,
            flake_rate: Rate::Estimate,
            false_pass_rate: Rate::Estimate,
        }
    }
}

impl ReductionConfig {
    /// Sets the algorithm.
    #[must_use]
    pub fn algorithm(mut self, algorithm: Method) -> Self {
        self.algorithm = algorithm;
        self
    }

    /// Sets the dependencies.
    #[must_use]
    pub fn dependencies(mut self, dependencies: BTreeMap<usize, Vec<Need>>) -> Self {
        self.dependencies = dependencies;
        self
    }

    /// Sets the confidence, for an oracle whose outcomes can be wrong.
    #[must_use]
    pub fn confidence(mut self, confidence: f64) -> Self {
        self.confidence = Some(confidence);
        self
    }

    pub(super) fn check(&self, count: usize) -> Result<(), Error> {
        if count == 0 {
            return Err(Error::invalid("items", count, "at least one item"));
        }
        if count > ChangeSet::MOST {
            return Err(Error::invalid("items", count, format!("at most {}", ChangeSet::MOST)));
        }
        if self.guarantee == Guarantee::BestSoFar {
            return Err(Error::invalid("guarantee", "best so far", "\"fixpoint\" or \"1-minimal\""));
        }
        if self.keep == Outcome::Unresolved {
            return Err(Error::invalid("keep", "unresolved", "\"pass\" or \"fail\""));
        }
        if let Some(confidence) = self.confidence.filter(|confidence| !(0.5..1.0).contains(confidence)) {
            return Err(Error::invalid("confidence", confidence, "a probability, at least 0.5 and below 1"));
        }
        if self.confidence.is_none() {
            for (argument, rate) in [("flake_rate", self.flake_rate), ("false_pass_rate", self.false_pass_rate)] {
                if rate != Rate::Estimate {
                    let rate = serde_json::to_string(&rate).unwrap_or_default();
                    return Err(Error::invalid_value(argument, rate, "a value only with a confidence"));
                }
            }
        }
        self.check_weights(count)?;
        self.check_dependencies(&self.dependencies, count)?;
        self.check_guess(count)?;
        self.check_later(count)?;
        self.check_parents(count)
    }

    fn check_later(&self, count: usize) -> Result<(), Error> {
        let mut seen = FixedBitSet::with_capacity(count);
        for (place, pass) in self.later.iter().flatten().enumerate() {
            for &item in pass {
                if item >= count {
                    return Err(Error::invalid(
                        format!("later[{place}]"),
                        item,
                        format!("indices of items, below {count}"),
                    ));
                }
                if seen.put(item) {
                    return Err(Error::invalid(format!("later[{place}]"), item, "each item in one pass, once"));
                }
            }
        }
        Ok(())
    }

    fn check_weights(&self, count: usize) -> Result<(), Error> {
        let Some(weights) = &self.weights else { return Ok(()) };
        if weights.len() != count {
            return Err(Error::invalid("weights", weights.len(), format!("one weight for each of the {count} items")));
        }
        match weights.iter().position(|weight| !(weight.is_finite() && *weight > 0.0)) {
            Some(place) => Err(Error::invalid(format!("weights[{place}]"), weights[place], "a finite number above 0")),
            None => Ok(()),
        }
    }

    fn check_guess(&self, count: usize) -> Result<(), Error> {
        let Some(guess) = &self.guess else { return Ok(()) };
        self.check_dependencies(&guess.dependencies, count)?;
        guess.repeats.iter().try_for_each(|repeat| repeat.check(count))?;
        match guess.frames.iter().chain(guess.lines.checked_sub(1).iter()).find(|&&item| item >= count) {
            Some(item) => Err(Error::invalid("guess", item, format!("indices of items, below {count}"))),
            None => Ok(()),
        }
    }

    fn check_dependencies(&self, dependencies: &BTreeMap<usize, Vec<Need>>, count: usize) -> Result<(), Error> {
        let there = format!("indices of items, below {count}");
        for (item, needs) in dependencies {
            let argument = format!("dependencies[{item}]");
            if *item >= count {
                return Err(Error::invalid("dependencies", item, there));
            }
            for need in needs {
                let named = match need {
                    Need::Item(other) => std::slice::from_ref(other),
                    Need::AnyOf(others) if others.is_empty() => {
                        return Err(Error::invalid(argument, others, "at least one item in a list of alternatives"));
                    }
                    Need::AnyOf(others) => others,
                };
                if let Some(other) = named.iter().find(|&&other| other >= count) {
                    return Err(Error::invalid(argument, other, there));
                }
            }
            let mut seen = HashSet::with_capacity(needs.len());
            if let Some(need) = needs.iter().find(|need| !seen.insert(*need)) {
                let need = serde_json::to_string(need).unwrap_or_default();
                return Err(Error::invalid_value(argument, need, "each need once; this one is a duplicate"));
            }
        }
        Ok(())
    }
}
