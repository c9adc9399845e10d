//! Culprits that repositories name themselves, searched with a prior from what commits touch.

use std::path::{Path, PathBuf};

use firstbad::suspicion::is_test_file;
use firstbad_git::{GraphOptions, Merges, Repository};
use firstbad_testkit::git_run::{Cache, bisect};
use firstbad_testkit::simulated::Random;
use firstbad_testkit::soundness;

use super::content::prior;
use super::intervals::{interval, ratio};
use super::named::{NamedCulprit, named_culprits};
use super::ranges::{Range, draw};
use super::rows::{Row, WAYS, by_project};
use crate::options::Options;
use crate::parallel::in_parallel;

/// Projects whose recorded histories the weights were fitted on: what they say would be no news.
const FITTED_ON: [&str; 9] = [
    "astanin/python-tabulate",
    "dateutil/dateutil",
    "jmespath/jmespath.py",
    "ljharb/qs",
    "marshmallow-code/marshmallow",
    "pallets/click",
    "pallets/jinja",
    "python-humanize/humanize",
    "rustedpy/result",
];

/// The most pairs of one repository and kind, drawn at random.
const MOST: usize = 50;

/// A repository with fewer pairs of a kind says nothing of it.
const FEWEST: usize = 3;

/// What was measured of one pair.
struct Pair {
    row: Row,
    is_revert: bool,
    /// Whether the fix changes a test file.
    has_test: bool,
}

/// Which pairs are meant.
type Filter = fn(&Pair) -> bool;

/// Measures the pairs of all repositories in a folder, and prints it; true where every run was sound.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    println!("## Culprits that repositories name\n");
    let folder = options.repositories.as_ref().ok_or("REPOS is needed")?;
    let most = options.trials.map_or(MOST, |trials| usize::try_from(trials).unwrap_or(MOST));
    let mut pairs = Vec::new();
    for (project, path) in repositories(folder)? {
        if FITTED_ON.contains(&project.as_str()) || options.only.as_ref().is_some_and(|only| *only != project) {
            continue;
        }
        pairs.extend(of_repository(&project, &path, most).map_err(|error| format!("{project}: {error}"))?);
    }
    if let Some(file) = &options.dump {
        let line = |pair: &Pair| {
            let Row { project, culprit, runs, .. } = &pair.row;
            let numbers = runs.map(|count| count.to_string()).join(",");
            format!("{project},{culprit},{},{},{numbers}\n", pair.is_revert, pair.has_test)
        };
        let text: String = pairs.iter().map(line).collect();
        std::fs::write(file, format!("project,culprit,is_revert,has_test,git,alike,touch,test\n{text}"))
            .map_err(|error| error.to_string())?;
    }
    print(&pairs);
    let violations: Vec<&String> = pairs.iter().flat_map(|pair| &pair.row.violations).collect();
    match violations.first() {
        None => println!("\nEvery run was sound."),
        Some(first) => println!("\nNOT SOUND: {} violations, the first: {first}", violations.len()),
    }
    Ok(violations.is_empty())
}

/// The repositories below a folder, by the names of their projects.
fn repositories(folder: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut found: Vec<(String, PathBuf)> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| {
            let project = name.trim_end_matches(".git").replace('+', "/");
            Some((project.clone(), crate::repositories::find(folder, &project)?))
        })
        .collect();
    found.sort();
    Ok(found)
}

fn of_repository(project: &str, path: &Path, most: usize) -> Result<Vec<Pair>, String> {
    let words = |error: firstbad::Error| error.to_string();
    let repository = Repository::open(path).map_err(words)?;
    let named = named_culprits(path)?;
    let graph =
        repository.graph(&GraphOptions { tips: vec!["HEAD".to_owned()], ..GraphOptions::default() }).map_err(words)?;
    let mut jobs: Vec<(NamedCulprit, Range)> = Vec::new();
    for is_revert in [false, true] {
        let mut random = Random::new(17);
        let mut kind: Vec<&NamedCulprit> = named.iter().filter(|pair| pair.is_revert == is_revert).collect();
        let mut drawn = Vec::new();
        while drawn.len() < most && !kind.is_empty() {
            let pair = kind.swap_remove(random.below(kind.len() as u64) as usize);
            drawn.extend(draw(&graph, &pair.culprit, &pair.fix, &mut random).map(|range| (pair.clone(), range)));
        }
        if drawn.len() >= FEWEST {
            jobs.extend(drawn);
        }
    }
    let done = in_parallel(&jobs, |(pair, range)| measured(project, &repository, pair, range));
    // A copy of a repository may lack large files.
    let (found, unreadable): (Vec<_>, Vec<_>) = done.into_iter().partition(Result::is_ok);
    let (named, drawn, left_out) = (named.len(), jobs.len(), unreadable.len());
    eprintln!("{project}: {named} pairs named, {drawn} drawn, {left_out} of them not to be read");
    Ok(found.into_iter().flatten().collect())
}

/// The test file that a fix changes most; of equals the first.
fn test_of(repository: &Repository, fix: &str) -> Result<Option<String>, firstbad::Error> {
    let changes = repository.changes(&[format!("{fix}^")], &[fix.to_owned()], Merges::FirstParent)?;
    let Some(fix) = changes.last() else { return Ok(None) };
    let lines = |file: &String| fix.counts.get(file).map_or(0, |(added, deleted)| added + deleted);
    let tests = fix.files.iter().filter(|file| is_test_file(file));
    Ok(tests.reduce(|best, next| if lines(next) > lines(best) { next } else { best }).cloned())
}

fn measured(project: &str, repository: &Repository, pair: &NamedCulprit, range: &Range) -> Result<Pair, String> {
    let words = |error: firstbad::Error| error.to_string();
    let Range { good, bad, case } = range;
    let changes =
        repository.changes(std::slice::from_ref(good), std::slice::from_ref(bad), Merges::Own).map_err(words)?;
    let test = test_of(repository, &pair.fix).map_err(words)?;
    let mut cache = Cache::new(&case.outcomes, &case.leaves, &case.goods);
    bisect(&case.graph, case.leaves[0], &case.goods, &mut cache);
    let mut runs = [cache.asked().len(), 0, 0, 0];
    let mut violations = Vec::new();
    let named: Vec<String> = test.iter().cloned().collect();
    for (way, tests) in [(1, None), (2, Some(&[][..])), (3, Some(&named[..]))] {
        let mut config = case.config();
        config.prior = tests.map(|tests| prior(&changes, tests, case)).transpose()?;
        let run = case.run(config);
        runs[way] = run.asked.len();
        let found = run.report.as_ref().and_then(|report| report.points.first()).map(|point| point.bad.as_str());
        violations.extend(
            soundness::violations(case, &run, true)
                .into_iter()
                .chain((found != Some(&pair.culprit)).then(|| format!("found {found:?}")))
                .map(|words| format!("{project} {} {}: {words}", pair.culprit, WAYS[way])),
        );
    }
    let row = Row {
        project: project.to_owned(),
        swapped: false,
        unresolved: false,
        returns: false,
        culprit: pair.culprit.clone(),
        runs,
        clean: [false; WAYS.len()],
        distances: [None; WAYS.len()],
        violations,
    };
    Ok(Pair { row, is_revert: pair.is_revert, has_test: test.is_some() })
}

fn print(pairs: &[Pair]) {
    println!(
        "Queries over those of `git bisect`: the mean over repositories, with 95% intervals by drawing repositories anew. *Worse*:\n\
         how many pairs took two runs or more above ours with all suspects alike, without and with the test's file.\n"
    );
    println!("| pairs | repositories | git | {} | worse |\n|---|---|---|---|---|---|---|", WAYS[1..].join(" | "));
    let sets: [(&str, Filter); 4] = [
        ("`Fixes:` and \"regression in\"", |pair| !pair.is_revert),
        ("of these with a test file", |pair| !pair.is_revert && pair.has_test),
        ("reverts", |pair| pair.is_revert),
        ("of these with a test file", |pair| pair.is_revert && pair.has_test),
    ];
    for (name, is_in) in sets {
        let chosen: Vec<&Pair> = pairs.iter().filter(|pair| is_in(pair)).collect();
        let projects: Vec<[f64; WAYS.len()]> = by_project(chosen.iter().map(|pair| &pair.row)).into_values().collect();
        if projects.is_empty() {
            continue;
        }
        let git = projects.iter().map(|means| means[0]).sum::<f64>() / projects.len() as f64;
        let ratios: Vec<String> = (1..WAYS.len())
            .map(|way| {
                let (low, high) = interval(&projects, way, 0);
                format!("{:.3} [{low:.2}, {high:.2}]", ratio(&projects, way, 0))
            })
            .collect();
        let worse = |way: usize| chosen.iter().filter(|pair| pair.row.runs[way] >= pair.row.runs[1] + 2).count();
        let (count, ratios) = (chosen.len(), ratios.join(" | "));
        println!("| {name}: {count} | {} | {git:.2} | {ratios} | {}, {} |", projects.len(), worse(2), worse(3));
    }
    println!("\n| repository | pairs, reverts | git | {} |\n|---|---|---|---|---|---|", WAYS[1..].join(" | "));
    let by =
        |is_revert: bool| by_project(pairs.iter().filter(|pair| pair.is_revert == is_revert).map(|pair| &pair.row));
    let (named, all) = (by(false), by_project(pairs.iter().map(|pair| &pair.row)));
    for (project, means) in named.iter().chain(all.iter().filter(|(project, _)| !named.contains_key(*project))) {
        let count = |is_revert: bool| {
            pairs.iter().filter(|pair| pair.row.project == **project && pair.is_revert == is_revert).count()
        };
        let ratios: Vec<String> = (1..WAYS.len()).map(|way| format!("{:.3}", means[way] / means[0])).collect();
        println!("| {project} | {}, {} | {:.2} | {} |", count(false), count(true), means[0], ratios.join(" | "));
    }
    println!(
        "\nIn the second table the figures are those of the pairs; of reverts only where a repository has no others."
    );
}
