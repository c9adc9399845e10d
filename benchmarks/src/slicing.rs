//! Slices of simulated histories with the sizes of the paper's eight subjects (DEFINER, Tables 2 and 3, Figures 9 and 10).

use std::collections::BTreeMap;

use firstbad::reduction::Need;
use firstbad::slicing::{Scheme, SliceMethod};
use firstbad::{ChangeSet, Observation, Outcome, Search as _, Slicer, SlicerConfig};
use firstbad_testkit::sliced::{SUBJECTS, SlicedHistory, Subject};

use crate::csv::{Csv, cells, rounded};
use crate::options::Options;
use crate::parallel::in_parallel;

const TRIALS: u64 = 100;

/// A way to search, and what it knows besides outcomes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way {
    name: &'static str,
    method: SliceMethod,
    scheme: Scheme,
    /// The dependencies.
    told: bool,
    /// The coverage slice.
    start: bool,
    /// The facts of runs.
    facts: bool,
}

const fn way(name: &'static str, method: SliceMethod, scheme: Scheme) -> Way {
    Way { name, method, scheme, told: false, start: false, facts: false }
}

const fn scheme(name: &'static str, scheme: Scheme) -> Way {
    Way { told: true, facts: true, ..way(name, SliceMethod::Definer, scheme) }
}

/// The default of firstbad in a repository, where the dependencies of commits are known.
pub(crate) const DEFAULT: Way = Way { told: true, ..PLAIN };

const PLAIN: Way = way("firstbad", SliceMethod::Auto, Scheme::Combined);

const WAYS: [Way; 12] = [
    way("ddmin", SliceMethod::Ddmin, Scheme::Combined),
    PLAIN,
    Way { name: "firstbad + facts", facts: true, ..PLAIN },
    Way { name: "firstbad + dependencies", ..DEFAULT },
    Way { name: "firstbad + dependencies + coverage", start: true, ..DEFAULT },
    way("DEFINER basic", SliceMethod::Definer, Scheme::Random),
    Way { facts: true, ..way("DEFINER learn", SliceMethod::Definer, Scheme::Neg) },
    scheme("DEFINER default", Scheme::Neg),
    Way { facts: false, ..scheme("DEFINER random", Scheme::Random) },
    scheme("DEFINER nonpos", Scheme::Nonpos),
    scheme("DEFINER low", Scheme::Low),
    scheme("DEFINER combined", Scheme::Combined),
];

/// Runs of the test, and sets that do not build.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spent {
    pub(crate) runs: f64,
    pub(crate) unbuilt: f64,
}

/// The cost of a search.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// Until the smallest slice passed.
    found: Spent,
    /// Until no change can be left out alone, if the rest can be built (Definition 2).
    alone: Spent,
    /// Until the end, with the proof for the changes that depend on others.
    pub(crate) proven: Spent,
    /// The size of the smallest slice so far after each run.
    sizes: Vec<usize>,
}

/// Searches a history.
pub(crate) fn taken(way: Way, history: &SlicedHistory, seed: u64) -> Result<Taken, String> {
    let words = |error: firstbad::Error| error.to_string();
    let needs = history.needs.iter().enumerate().filter(|(_, needs)| way.told && !needs.is_empty());
    let dependencies: BTreeMap<usize, Vec<Need>> =
        needs.map(|(change, needs)| (change, needs.iter().map(|&other| Need::Item(other)).collect())).collect();
    let start = way.start.then(|| history.covered.iter().collect());
    let config = SlicerConfig {
        algorithm: way.method,
        scheme: way.scheme,
        dependencies,
        start,
        learn: way.facts,
        seed,
        ..SlicerConfig::default()
    };
    let mut search = Slicer::new(history.needs.len(), config).map_err(words)?;
    let (mut spent, mut taken, mut size) = (Spent::default(), Taken::default(), history.needs.len());
    while !search.is_done() {
        for probe in search.ask(1).map_err(words)? {
            let set = probe.changes().ok_or("no set of changes")?;
            let mut seen = Observation::from(history.outcome(set));
            let is_built = seen.outcome != Outcome::Unresolved;
            if is_built {
                spent.runs += 1.0
            } else {
                spent.unbuilt += 1.0
            }
            if is_built && way.facts {
                seen.signals = Some(history.signals(set, None));
            }
            if seen.outcome == Outcome::Pass {
                size = size.min(set.len());
            }
            taken.sizes.push(size);
            if *set == history.slice {
                (taken.found, taken.alone) = (spent, spent);
            } else if is_alone(history, set, way.told) {
                taken.alone = spent;
            }
            search.tell(probe.id, seen).map_err(words)?;
        }
    }
    taken.proven = spent;
    if search.report().kept.into_iter().collect::<ChangeSet>() == history.slice {
        Ok(taken)
    } else {
        Err(format!("{}, seed {seed}: the slice is wrong", way.name))
    }
}

/// Returns whether a set is the slice without one change, and is known to build.
fn is_alone(history: &SlicedHistory, set: &ChangeSet, told: bool) -> bool {
    set.len() + 1 == history.slice.len()
        && set.iter().all(|change| history.slice.contains(change))
        && (!told || history.builds(set))
}

/// Writes `slices.csv` (means over all seeds) and `slice_sizes.csv` (the mean share of the history that is left).
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let trials = options.trials.unwrap_or(TRIALS);
    let mut table = Csv::new(&[
        "subject",
        "commits",
        "slice",
        "covered",
        "way",
        "found_runs",
        "found_unbuilt",
        "alone_runs",
        "alone_unbuilt",
        "proven_runs",
        "proven_unbuilt",
    ]);
    let mut sizes = Csv::new(&["way", "run", "left"]);
    for way in WAYS {
        let mut left: Vec<f64> = Vec::new();
        let all = in_parallel(&SUBJECTS, |subject| {
            (0..trials).map(|seed| taken(way, &SlicedHistory::new(*subject, seed), seed)).collect::<Result<Vec<_>, _>>()
        });
        let longest = all.iter().flatten().flatten().map(|taken| taken.sizes.len()).max().unwrap_or(0);
        left.resize(longest, 0.0);
        for (subject, taken) in SUBJECTS.iter().zip(all) {
            let taken = taken?;
            for one in &taken {
                let last = one.sizes.last().copied().unwrap_or(subject.changes);
                let sizes = one.sizes.iter().copied().chain(std::iter::repeat(last));
                left.iter_mut().zip(sizes).for_each(|(left, size)| *left += size as f64 / subject.changes as f64);
            }
            table.row(row(*subject, way, &taken));
        }
        let mut before = String::new();
        for (run, left) in left.iter().enumerate() {
            let share = rounded(left / (trials * SUBJECTS.len() as u64) as f64, 3);
            if share != before {
                sizes.row(cells![way.name, run + 1, share]);
            }
            before = share;
        }
    }
    table.write(options, "slices")?;
    sizes.write(options, "slice_sizes")
}

fn row(subject: Subject, way: Way, taken: &[Taken]) -> Vec<String> {
    let mut cells = cells![subject.name, subject.changes, subject.slice, subject.covered, way.name];
    for spent in [|one: &Taken| one.found, |one: &Taken| one.alone, |one: &Taken| one.proven] {
        let mean =
            |value: fn(Spent) -> f64| taken.iter().map(|one| value(spent(one))).sum::<f64>() / taken.len() as f64;
        cells.extend([rounded(mean(|spent| spent.runs), 2), rounded(mean(|spent| spent.unbuilt), 2)]);
    }
    cells
}
