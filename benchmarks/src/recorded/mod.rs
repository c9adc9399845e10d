//! Replays recorded histories: queries, distances and soundness of every search, side by side with git's bisection.

mod against_git;
mod several;
mod single;

mod tables;
mod targets;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use firstbad_testkit::recorded::{Choice, GoodEnd, History};

use crate::Options;

/// A run that is not sound.
#[derive(Debug, Clone)]
pub(crate) struct Violation {
    pub(crate) algorithm: &'static str,
    pub(crate) instance: String,
    pub(crate) words: String,
}

/// Applies a function to all items on all cores; results keep the order of the items.
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(place) else { break };
                    let result = work(item);
                    results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((place, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Runs everything, prints the tables; true where every run was sound.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let words = |failure: firstbad_testkit::Failure| failure.to_string();
    let mut histories = History::read_all(&options.data.join("histories")).map_err(words)?;
    if let Some(only) = &options.only {
        histories.retain(|history| history.repo.contains(only.as_str()));
    }
    if histories.is_empty() {
        return Err("no project of that name".into());
    }
    let good = if options.roots { GoodEnd::Roots } else { GoodEnd::Oldest };
    let choice = Choice { good, ..Choice::default() };
    tables::projects(&histories, &choice);

    let (rows, mut violations) = single::run(&histories, &choice);
    let (totals, more) = several::run(&histories, &choice);
    violations.extend(more);
    tables::single(&rows);
    tables::paper(&rows);
    tables::several(&totals);
    let targets = targets::judge(&rows, &totals, &violations);
    targets::print(&targets);

    let agreement =
        if options.no_git { Ok(None) } else { against_git::check(&histories, &choice).map(Some) }.map_err(words)?;
    if let Some(agreement) = &agreement {
        println!("\n## git's bisection as replayed here against the real git\n\n{}", agreement.words());
    }
    if let Some(path) = &options.dump {
        std::fs::write(path, tables::csv(&rows)).map_err(|error| format!("writing {}: {error}", path.display()))?;
    }
    if let Some(path) = &options.json {
        let figures = tables::json(&histories, &rows, &totals, &targets);
        std::fs::write(path, format!("{figures:#}\n"))
            .map_err(|error| format!("writing {}: {error}", path.display()))?;
    }
    print_violations(&violations);
    Ok(violations.is_empty() && agreement.is_none_or(|agreement| agreement.holds()))
}

fn print_violations(violations: &[Violation]) {
    const SHOWN: usize = 8;
    let mut by_algorithm: BTreeMap<&str, Vec<&Violation>> = BTreeMap::new();
    for violation in violations {
        by_algorithm.entry(violation.algorithm).or_default().push(violation);
    }
    println!("\n## Soundness\n");
    if violations.is_empty() {
        println!("Every run was sound.");
    }
    for (algorithm, of_it) in by_algorithm {
        println!("NOT SOUND: {algorithm}: {} violations", of_it.len());
        for violation in of_it.iter().take(SHOWN) {
            println!("  {}: {}", violation.instance, violation.words);
        }
    }
}
