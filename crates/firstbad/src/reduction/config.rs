//! What a reduction is told before it starts.

use std::collections::{BTreeMap, HashSet};

use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};

use crate::belief::Rate;
use crate::error::Error;
use crate::items::needs::Need;
use crate::items::repeats::Repeat;
use crate::search::{ChangeSet, Outcome};

/// How to minimise.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Group testing that learns how many items are needed, and whether they come in clusters. Where most sets cannot be told,
    /// bisection and neighbours take over.
    #[default]
    Auto,
    /// Subsets, complements, finer and finer (Zeller and Hildebrandt 2002, Figure 5; IDD, Section 3.2).
    Ddmin,
    /// Bisection with at most 2n - 1 questions (IDD, Section 3.1).
    Recursive,
}

/// What is certain about a reduction's result.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Guarantee {
    /// Nothing yet: it was ended before.
    #[cfg_attr(test, schemars(extend("only" = "reports")))]
    #[serde(rename = "best so far")]
    BestSoFar,
    /// No single item can go, in a tree with all below it, if more items never hide the property. Where they may, and
    /// in a text, single ones may still go.
    #[default]
    #[serde(rename = "fixpoint")]
    Fixpoint,
    /// Every set with one item less was tested, and was not seen to have the property.
    #[serde(rename = "1-minimal")]
    OneMinimal,
}

impl Guarantee {
    /// As in the public contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Guarantee::BestSoFar => "best so far",
            Guarantee::Fixpoint => "fixpoint",
            Guarantee::OneMinimal => "1-minimal",
        }
    }
}

/// How the lines of a text, and what is in them, seem to need each other. A search goes by it; for [`Guarantee::OneMinimal`] it
/// then tries each line alone, whatever seems to need it, what stands around blocks, and each two lines that are next to each other
/// in what is left and seem to need no others. Blocks that were needed are tried again before the end, whatever the guarantee.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guess {
    /// So many items, from the first on, are lines. What they stand below in the tree is a guess.
    pub lines: usize,
    /// Other items of which it is a guess that they need what is above them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<usize>,
    /// What else items seem to need, by index, as in [`ReductionConfig::dependencies`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dependencies: BTreeMap<usize, Vec<Need>>,
    /// The equal pieces. They are known, not guessed: of the sets that differ only in equal pieces, firstbad tests one.
    /// Inner repeats come before the repeats that contain them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeats: Vec<Repeat>,
}

/// What a set of changes is tested for, and how it is judged: shared by all reductions.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReductionConfig {
    /// How to minimise; by default `"auto"`.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("only" = "minimize")))]
    pub algorithm: Method,
    /// By index, the indices of what an item needs, all of it; a list among them means any one of its members. A set
    /// without what its items need is never asked, and items that need each other stay together. By default no item
    /// needs another.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dependencies: BTreeMap<usize, Vec<Need>>,
    /// For each item how much it weighs, above 0: its size, or how likely it is needed, against the others. By default
    /// all weigh alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("only" = "minimize")))]
    pub weights: Option<Vec<f64>>,
    /// The tree that the items form: for each the index of its parent, or none. Indices from the number of items on are
    /// groups, which are no items themselves. The tree is gone through from the top, level by level, and an item goes
    /// with its parent. By default there is no tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parents: Option<Vec<Option<usize>>>,
    /// How many levels of the tree to go through, at least 1: what lies deeper stays together. By default all; entries of
    /// the tree times levels may be 2^24 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub depth: Option<usize>,
    /// Items that are tried by themselves only when the tree was gone through, in passes: a list of items for each, in which
    /// an item goes with all that is below it. Until then each goes with its parent. When a pass drops something, the tree and
    /// the passes so far are gone through again before the next one. By default there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("only" = "minimize")))]
    pub later: Option<Vec<Vec<usize>>>,
    /// What of the tree is a guess, and what items seem to need beside it: texts say so of themselves. By default nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(skip))]
    pub guess: Option<Guess>,
    /// Whether what has the property has it with any further item, too: then nothing is asked that follows. By default
    /// not.
    #[serde(default)]
    pub monotonic: bool,
    /// How far to go; by default `"fixpoint"`.
    #[serde(default, deserialize_with = "asked")]
    #[cfg_attr(test, schemars(extend("only" = "minimize")))]
    pub guarantee: Guarantee,
    /// Which outcome means that the property holds: `"pass"`, the default, or `"fail"` if an oracle is asked.
    #[serde(default = "pass", deserialize_with = "kept")]
    #[cfg_attr(test, schemars(extend("enum" = ["pass", "fail"])))]
    pub keep: Outcome,
    /// With `keep = "fail"`: the failure to be kept, others count as unresolved. By default the one seen first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// If answers may be wrong: how sure the result is to be, at least 0.5 and below 1; sets are then asked until they
    /// are sure. By default every answer is trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("minimum" = 0.5, "exclusiveMaximum" = 1)))]
    pub confidence: Option<f64>,
    /// With a `confidence`: how often a set that has the property is seen without it: a rate in [0, 1), counts of past
    /// runs, or `"estimate"`, the default.
    #[serde(default = "estimate")]
    pub flake_rate: Rate,
    /// With a `confidence`: how often a set that has not the property is seen with it, in the forms of `flake_rate`; by
    /// default it is estimated.
    #[serde(default = "estimate")]
    pub false_pass_rate: Rate,
}

/// A guarantee that can be asked for.
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

/// The outcomes that may be kept.
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
    /// The configuration with another algorithm.
    #[must_use]
    pub fn algorithm(mut self, algorithm: Method) -> Self {
        self.algorithm = algorithm;
        self
    }

    /// The configuration with dependencies.
    #[must_use]
    pub fn dependencies(mut self, dependencies: BTreeMap<usize, Vec<Need>>) -> Self {
        self.dependencies = dependencies;
        self
    }

    /// The configuration for an oracle that errs.
    #[must_use]
    pub fn confidence(mut self, confidence: f64) -> Self {
        self.confidence = Some(confidence);
        self
    }

    /// Refuses what cannot be meant for `count` items.
    pub(super) fn check(&self, count: usize) -> Result<(), Error> {
        if count == 0 {
            return Err(Error::invalid("items", count, "at least one item: there is nothing to reduce"));
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
                    return Err(Error::invalid_value(
                        argument,
                        rate,
                        "a confidence beside it: without one every answer is trusted",
                    ));
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
