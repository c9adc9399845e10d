//! Suspects ranked by import graphs of recorded projects (Culprit Finder).

mod instances;
mod ranks;
mod sources;

use firstbad::suspicion::Changelist;
use firstbad_testkit::recorded::History;

use crate::csv::{Csv, cells};
use crate::options::Options;

use self::instances::{Instance, file_of, instances};
use self::ranks::{ORDERS, Range, places};
use self::sources::{Sources, TestFile, target};

/// Writes `suspects.csv`. A place is empty if the changelog filter removes the culprit.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let mut columns = cells!["project", "kind", "tests", "suspects", "left"];
    columns.extend(ORDERS.map(str::to_owned));
    let mut table = Csv::new(&columns);
    let mut found = false;
    for history in History::read_all(&options.data.join("histories")).map_err(|failure| failure.to_string())? {
        let Some(path) = options.repository(&history.repo) else { continue };
        found = true;
        let mut sources = Sources::open(&path)?;
        for swapped in [false, true] {
            for instance in instances(&history, swapped) {
                match rows(&history, &mut sources, &instance, swapped) {
                    Ok(rows) => rows.iter().for_each(|row| table.row(row)),
                    Err(reason) => eprintln!("{}: an instance was left out: {reason}", history.repo),
                }
            }
        }
    }
    if !found {
        eprintln!("suspects: the data has no repositories of its histories, so suspects.csv stays as it is");
        return Ok(());
    }
    table.write(options, "suspects")
}

/// Returns a row for the tests as changed, and one for tests held fixed: the recorded tests were the same everywhere, so no change
/// of a test can have changed an outcome.
fn rows(
    history: &History,
    sources: &mut Sources,
    instance: &Instance,
    swapped: bool,
) -> Result<[Vec<String>; 2], String> {
    let function = &history.functions[instance.function];
    let graph = &history.graph;
    let test = sources.locate(file_of(&function.name), &function.tests_from)?;
    let now = sources.graph(graph.id(instance.bad), &test)?;
    let before = sources.graph(graph.id(instance.good), &test).ok();
    let name = target(&now.graph, &test)?;
    let mut changed = sources.changes(graph.id(instance.good), graph.id(instance.bad))?;
    changed.retain(|change| graph.get(&change.id).is_some());
    let fixed: Vec<Changelist> = changed.iter().map(|change| held_fixed(change, &test)).collect();
    let range = Range { history: graph, instance, test: &name };
    let row = |tests: &str, changes: &[Changelist]| {
        let kind = if swapped { "fix" } else { "regression" };
        let places = places(&range, &now, before.as_deref(), changes)?;
        let mut cells = cells![history.repo, kind, tests, instance.suspects.len(), places.left];
        cells.extend(places.of.map(|place| place.map_or_else(String::new, |place| place.to_string())));
        Ok::<_, String>(cells)
    };
    Ok([row("as changed", &changed)?, row("held fixed", &fixed)?])
}

/// Returns a change without its changes of tests.
fn held_fixed(change: &Changelist, test: &TestFile) -> Changelist {
    let mut change = change.clone();
    change.files.retain(|file| !is_test(file, test));
    change.statuses.retain(|file, _| !is_test(file, test));
    change.renames.retain(|old, new| !is_test(old, test) && !is_test(new, test));
    change
}

/// Returns whether a file is one of the tests.
fn is_test(file: &str, test: &TestFile) -> bool {
    file.starts_with(&test.folder) || file.split('/').rev().skip(1).any(|part| matches!(part, "test" | "tests"))
}
