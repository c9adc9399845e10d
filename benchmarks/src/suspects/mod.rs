//! Suspects ranked by import graphs of real projects, and searches with those rankings as priors.

mod case;
mod instances;
mod ranks;
mod runs;
mod scale;
mod sources;
mod tables;

use std::rc::Rc;

use firstbad::Outcome;
use firstbad::graph::Node;
use firstbad::suspicion::{BuildGraph, Changelist};
use firstbad_build::Loaded;
use firstbad_testkit::recorded::History;

use crate::figure::Figure;
use crate::options::Options;
use crate::repositories::find;

use self::case::{Case, Dropped};
use self::instances::{Instance, file_of, instances};
use self::ranks::{Range, ranked, several};
use self::sources::{Sources, TestFile, target};

/// Measures everything and prints it.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    println!("## Suspects");
    let mut cases = Vec::new();
    if let Some(folder) = &options.repositories {
        let started = std::time::Instant::now();
        let mut dropped = Dropped::default();
        let histories = History::read_all(&options.data.join("histories")).map_err(|failure| failure.to_string())?;
        for history in histories.iter().filter(|history| options.only.as_ref().is_none_or(|only| only == &history.repo))
        {
            let Some(path) = find(folder, &history.repo) else {
                println!("\n{} is not in REPOS: left out.", history.repo);
                continue;
            };
            let mut sources = Sources::open(&path)?;
            for swapped in [false, true] {
                let (instances, found) = instances(history, swapped);
                let mut kept = 0;
                for instance in instances {
                    match case(history, &mut sources, instance, swapped) {
                        Ok(case) => {
                            kept += 1;
                            cases.push(case);
                        }
                        Err(reason) => {
                            *dropped.reasons.entry((history.repo.clone(), reason)).or_default() += 1;
                        }
                    }
                }
                dropped.found.insert((history.repo.clone(), swapped), (found, kept));
            }
            eprintln!("{:6.1} s  {}: read", started.elapsed().as_secs_f64(), history.repo);
        }
        tables::dropped(&dropped);
        if let Some(path) = &options.dump {
            std::fs::write(path, tables::csv(&cases)).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        tables::rankings(&cases);
        tables::several(&cases);
        tables::lost(&cases);
        tables::bits(&cases)?;
        tables::searches(&cases, options.trials.unwrap_or(5))?;
    } else {
        println!("\nNo repositories of the recorded projects were given (`--repositories`): only the cost.");
    }
    if options.only.is_none() {
        println!("\n### Cost of ranking\n\n| what | measured | aim | |\n|---|---|---|---|");
        scale::run()?.iter().for_each(Figure::print);
    }
    Ok(true)
}

fn case(history: &History, sources: &mut Sources, instance: Instance, swapped: bool) -> Result<Case, String> {
    let function = &history.functions[instance.function];
    let graph = &history.graph;
    let test = sources.locate(file_of(&function.name), &function.tests_from)?;
    let mut graphs = |data: bool| {
        let now = sources.graph(graph.id(instance.bad), &test, data)?;
        Ok::<_, String>((now, sources.graph(graph.id(instance.good), &test, data).ok()))
    };
    let (now, before) = graphs(false)?;
    let (now_data, before_data) = graphs(true)?;
    let name = target(&now.graph, &test)?;
    let culprit = graph.id(instance.culprit).to_owned();
    let mut changes = sources.changes(graph.id(instance.good), graph.id(instance.bad))?;
    changes.retain(|change| graph.get(&change.id).is_some());
    let without_tests: Vec<Changelist> = changes.iter().map(|change| held_fixed(change, &test)).collect();
    let touches_test = changes.iter().any(|change| change.id == culprit && change.files.contains(&test.path));
    let tests = failing_together(history, sources, &instance, swapped, &now.graph)?;
    let before_all = before.as_deref().map(|before| &before.graph);
    let several = several(&now.graph, before_all, &changes, &tests, &name, &culprit)?;
    let range = Range { history: graph, instance: &instance, test: &name };
    let ranked = |now: &Loaded, before: &Option<Rc<Loaded>>, changes| ranked(&range, now, before.as_deref(), changes);
    Ok(Case {
        project: history.repo.clone(),
        swapped,
        graph: graph.clone(),
        fixed_data: ranked(&now_data, &before_data, without_tests.clone())?,
        fixed: ranked(&now, &before, without_tests)?,
        data: ranked(&now_data, &before_data, changes.clone())?,
        ranked: ranked(&now, &before, changes)?,
        instance: instance.clone(),
        touches_test,
        several,
    })
}

/// The build targets of all recorded tests that the culprit broke, and that pass at the good end and fail at the bad one.
fn failing_together(
    history: &History,
    sources: &mut Sources,
    instance: &Instance,
    swapped: bool,
    build: &BuildGraph,
) -> Result<Vec<String>, String> {
    let from = &history.functions[instance.function].tests_from;
    let mut found = Vec::new();
    for (number, function) in history.functions.iter().enumerate().filter(|(_, function)| function.tests_from == *from)
    {
        let outcomes = history.outcomes(number, swapped);
        let is = |node: Node, outcome: Outcome| outcomes[node as usize] == outcome;
        let passes = history.graph.parents(instance.culprit).iter().chain([&instance.good]);
        let broken = [instance.culprit, instance.bad].iter().all(|&node| is(node, Outcome::Fail));
        if broken && passes.into_iter().all(|&node| is(node, Outcome::Pass)) {
            let test = sources.locate(file_of(&function.name), from)?;
            found.extend(build.target_of_test(&test.path).map(str::to_owned));
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// A change without what it did to tests.
fn held_fixed(change: &Changelist, test: &TestFile) -> Changelist {
    let mut change = change.clone();
    change.files.retain(|file| !is_test(file, test));
    change.statuses.retain(|file, _| !is_test(file, test));
    change.renames.retain(|old, new| !is_test(old, test) && !is_test(new, test));
    change
}

/// Whether a file is one of the tests, which came from one revision wherever they ran.
fn is_test(file: &str, test: &TestFile) -> bool {
    file.starts_with(&test.folder) || file.split('/').rev().skip(1).any(|part| matches!(part, "test" | "tests"))
}
