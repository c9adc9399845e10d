//! Replays recorded histories: queries, distances and soundness of every search, side by side with git's bisection.

mod against_git;
mod averages;
mod several;
mod single;
mod tables;
mod targets;
mod violation;

use std::collections::BTreeMap;

use firstbad_testkit::recorded::{Choice, GoodEnd, History};

use crate::options::Options;
use violation::Violation;

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
