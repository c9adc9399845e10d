//! One reducer on one problem, with every question counted.

use std::collections::HashMap;

use firstbad::reduction::Method;
use firstbad::{ChangeSet, Minimizer, Outcome, ReductionConfig, Search};

use super::reference;

/// Who reduces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reducer {
    /// One of ours.
    Ours(Method),
    /// As published: ddmin.
    Ddmin,
    /// As published: one pass of the recursion, newest first.
    Recursion,
    /// The recursion until nothing goes any more.
    Fixpoint,
}

/// Our algorithms.
pub(super) const OURS: [Reducer; 3] = [Reducer::Ours(Method::Ddmin), Reducer::Ours(Method::Recursive), AUTO];

/// Our default.
pub(super) const AUTO: Reducer = Reducer::Ours(Method::Auto);

impl Reducer {
    pub(super) fn name(self) -> String {
        match self {
            Reducer::Ours(algorithm) => format!("firstbad, {}", name(algorithm)),
            Reducer::Ddmin => "ddmin as published".to_owned(),
            Reducer::Recursion => "recursion as published".to_owned(),
            Reducer::Fixpoint => "recursion to a fixpoint".to_owned(),
        }
    }
}

/// What a reduction came to.
#[derive(Debug)]
pub(super) struct Played {
    /// Different sets asked, without the full one.
    pub(super) asked: u64,
    /// Of them, those that were unresolved.
    pub(super) unresolved: u64,
    /// All runs of the oracle, the full set included.
    pub(super) runs: u64,
    pub(super) kept: ChangeSet,
    /// In our words; empty for the others.
    pub(super) guarantee: &'static str,
}

/// Runs the reducer to its end. The configuration is for ours; its algorithm is replaced.
pub(super) fn play(
    reducer: Reducer,
    count: usize,
    config: &ReductionConfig,
    oracle: &mut dyn FnMut(&ChangeSet) -> Outcome,
) -> Result<Played, String> {
    let mut seen = HashMap::new();
    let mut runs = 0;
    let mut ask = |set: &ChangeSet| {
        let outcome = oracle(set);
        runs += 1;
        seen.insert(set.clone(), outcome);
        outcome
    };
    let (kept, guarantee) = match reducer {
        Reducer::Ours(algorithm) => ours(count, config.clone().algorithm(algorithm), &mut ask)?,
        published => {
            let mut known = HashMap::new();
            let mut test = |items: &[usize]| {
                let set: ChangeSet = items.iter().copied().collect();
                *known.entry(set).or_insert_with_key(|set| ask(set)) == Outcome::Pass
            };
            let kept = match published {
                Reducer::Recursion => reference::recursion(&(0..count).collect::<Vec<_>>(), &mut test),
                Reducer::Fixpoint => reference::fixpoint(count, &mut test),
                _ => reference::ddmin(count, &mut test),
            };
            (kept.into_iter().collect(), "")
        }
    };
    seen.remove(&ChangeSet::all(count));
    let unresolved = seen.values().filter(|&&outcome| outcome == Outcome::Unresolved).count() as u64;
    Ok(Played { asked: seen.len() as u64, unresolved, runs, kept, guarantee })
}

fn ours(
    count: usize,
    config: ReductionConfig,
    ask: &mut dyn FnMut(&ChangeSet) -> Outcome,
) -> Result<(ChangeSet, &'static str), String> {
    let words = |error: firstbad::Error| error.to_string();
    let mut search = Minimizer::new(count, config).map_err(words)?;
    while !search.is_done() {
        let probe = search.ask(1).map_err(words)?.pop().ok_or("asks nothing")?;
        let set = probe.changes().ok_or("asks for no changes")?;
        search.tell(probe.id, ask(set).into()).map_err(words)?;
    }
    let report = search.report();
    Ok((report.kept.into_iter().collect(), report.guarantee.as_str()))
}

/// As it is called in all faces.
pub(super) fn name(algorithm: Method) -> &'static str {
    match algorithm {
        Method::Auto => "auto",
        Method::Ddmin => "ddmin",
        Method::Recursive => "recursive",
    }
}
