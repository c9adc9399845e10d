//! What is printed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use firstbad_testkit::simulated::Random;

use super::case::{Case, Dropped};
use super::ranks::{Hit, ORDERS, Several};
use super::runs::{History, Of, RATES, Score, Tests, WAYS, Weights};
use crate::statistics::mean;

fn kind(swapped: bool) -> &'static str {
    if swapped { "fixes, exchanged" } else { "regressions" }
}

fn projects(cases: &[Case]) -> BTreeSet<&str> {
    cases.iter().map(|case| case.project.as_str()).collect()
}

/// The mean over projects of the mean over a project's cases, with the 90% interval that resampling projects gives.
struct Mean {
    value: f64,
    low: f64,
    high: f64,
    by_project: BTreeMap<String, f64>,
}

fn over_projects<'a>(values: impl Iterator<Item = (&'a Case, f64)>) -> Mean {
    let mut grouped: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (case, value) in values {
        grouped.entry(case.project.clone()).or_default().push(value);
    }
    let by_project: BTreeMap<String, f64> = grouped.into_iter().map(|(name, values)| (name, mean(&values))).collect();
    let means: Vec<f64> = by_project.values().copied().collect();
    let mut random = Random::new(1);
    let mut resampled: Vec<f64> = (0..4000)
        .map(|_| mean(&means.iter().map(|_| means[random.below(means.len() as u64) as usize]).collect::<Vec<_>>()))
        .collect();
    resampled.sort_by(f64::total_cmp);
    Mean { value: mean(&means), low: resampled[200], high: resampled[3799], by_project }
}

pub(super) fn dropped(dropped: &Dropped) {
    println!(
        "\n### Instances\n\n| project | kind | proven culprits | no range of 5 to 400 | over the cap of 25 | used |\n\
         |---|---|---|---|---|---|"
    );
    for ((project, swapped), (found, kept)) in &dropped.found {
        println!(
            "| {project} | {} | {} | {} | {} | {kept} |",
            kind(*swapped),
            found.culprits,
            found.without_range,
            found.capped
        );
    }
    for ((project, reason), count) in &dropped.reasons {
        println!("\n{project}: {count} left out: {reason}.");
    }
}

/// Figures by project, kind and order; nothing of the projects' source.
pub(super) fn csv(cases: &[Case]) -> String {
    let mut text = "project,kind,tests,order,instances,first,first_five,reciprocal\n".to_owned();
    for (swapped, tests, of) in KINDS {
        for project in projects(cases) {
            let of_it: Vec<&Case> =
                cases.iter().filter(|case| case.project == project && case.swapped == swapped).collect();
            if of_it.is_empty() {
                continue;
            }
            for (number, order) in ORDERS.iter().enumerate() {
                let figure = |figure: fn(&Hit) -> f64| {
                    mean(&of_it.iter().map(|case| figure(&of(case).hits[number])).collect::<Vec<_>>())
                };
                let (first, five, reciprocal) =
                    (figure(|hit| hit.first), figure(|hit| hit.first_five), figure(|hit| hit.reciprocal));
                // Writing to a text cannot fail.
                let _ = writeln!(
                    text,
                    "{project},{},{tests},\"{order}\",{},{first:.4},{five:.4},{reciprocal:.4}",
                    kind(swapped).split(',').next().unwrap_or_default(),
                    of_it.len()
                );
            }
        }
    }
    text
}

const KINDS: [(bool, &str, Of); 4] = [
    (false, "as changed", |case| &case.ranked),
    (true, "as changed", |case| &case.ranked),
    (false, "held fixed", |case| &case.fixed),
    (true, "held fixed", |case| &case.fixed),
];

/// What is meant by a failure that lasts: so many steps.
const LASTING: usize = 20;

pub(super) fn rankings(cases: &[Case]) {
    for (swapped, tests, of) in KINDS {
        let chosen: Vec<&Case> = cases.iter().filter(move |case| case.swapped == swapped).collect();
        if chosen.is_empty() {
            continue;
        }
        println!("\n### Ranking: {}, tests {tests}\n", kind(swapped));
        orders(&chosen, of);
        by_project(&chosen, of);
        let lasting: Vec<&Case> = chosen.into_iter().filter(|case| case.instance.lasts >= LASTING).collect();
        println!("\nOnly failures that last {LASTING} steps or more towards the tip:\n");
        orders(&lasting, of);
    }
    println!("\n### Ranking with data files\n\nWith `data`, other files belong to the packages that they are in.\n");
    for (swapped, tests, of) in [
        (false, "as changed", (|case| &case.data) as Of),
        (true, "as changed", |case| &case.data),
        (false, "held fixed", |case| &case.fixed_data),
        (true, "held fixed", |case| &case.fixed_data),
    ] {
        println!("{}, tests {tests}:\n", kind(swapped));
        orders(&cases.iter().filter(|case| case.swapped == swapped).collect::<Vec<_>>(), of);
    }
}

fn orders(chosen: &[&Case], of: Of) {
    if chosen.is_empty() {
        return;
    }
    let all = |value: &dyn Fn(&Case) -> f64| over_projects(chosen.iter().map(|&case| (case, value(case))));
    let yes = |holds: bool| f64::from(u8::from(holds));
    let suspects = all(&|case| case.instance.suspects.len() as f64);
    println!(
        "{} instances of {} projects, {:.1} suspects on average. The filter leaves {:.1}% of them, and loses {:.1}% of the \
         culprits; {:.1}% of the culprits touch the test's file.\n\n\
         | order | first | among five | reciprocal |\n|---|---|---|---|",
        chosen.len(),
        suspects.by_project.len(),
        suspects.value,
        100.0 * all(&|case| of(case).left).value,
        100.0 * all(&|case| yes(of(case).is_lost())).value,
        100.0 * all(&|case| yes(case.touches_test)).value
    );
    for (number, order) in ORDERS.iter().enumerate() {
        let figure = |figure: fn(&Hit) -> f64| all(&|case| figure(&of(case).hits[number]));
        let percent =
            |mean: Mean| format!("{:.1}% ({:.0} to {:.0})", 100.0 * mean.value, 100.0 * mean.low, 100.0 * mean.high);
        let reciprocal = figure(|hit| hit.reciprocal);
        println!(
            "| {order} | {} | {} | {:.3} ({:.2} to {:.2}) |",
            percent(figure(|hit| hit.first)),
            percent(figure(|hit| hit.first_five)),
            reciprocal.value,
            reciprocal.low,
            reciprocal.high
        );
    }
    println!();
}

fn by_project(chosen: &[&Case], of: Of) {
    println!(
        "| project | instances | suspects | left | lost | largest circle | first / among five / reciprocal: random | newest \
         first | size, no graph | changelog, newest first | suspiciousness |\n|---|---|---|---|---|---|---|---|---|---|---|"
    );
    let names: BTreeSet<&str> = chosen.iter().map(|case| case.project.as_str()).collect();
    for project in names {
        let of_it: Vec<&Case> = chosen.iter().copied().filter(|case| case.project == project).collect();
        let average = |value: &dyn Fn(&Case) -> f64| mean(&of_it.iter().map(|case| value(case)).collect::<Vec<_>>());
        let circle = |case: &Case| of(case).ranking.cycles.iter().map(Vec::len).max().unwrap_or(0) as f64;
        let cell = |number: usize| {
            let figure = |figure: fn(&Hit) -> f64| average(&|case| figure(&of(case).hits[number]));
            format!(
                "{:.0}% / {:.0}% / {:.2}",
                100.0 * figure(|hit| hit.first),
                100.0 * figure(|hit| hit.first_five),
                figure(|hit| hit.reciprocal)
            )
        };
        println!(
            "| {project} | {} | {:.0} | {:.0}% | {} | {:.1} | {} | {} | {} | {} | {} |",
            of_it.len(),
            average(&|case| case.instance.suspects.len() as f64),
            100.0 * average(&|case| of(case).left),
            of_it.iter().filter(|case| of(case).is_lost()).count(),
            average(&circle),
            cell(0),
            cell(1),
            cell(2),
            cell(4),
            cell(7)
        );
    }
}

/// Where the culprit comes if all tests that it broke are given, and not one of them.
pub(super) fn several(cases: &[Case]) {
    let chosen: Vec<(&Case, &Several)> = cases.iter().filter_map(|case| Some((case, case.several.as_ref()?))).collect();
    if chosen.is_empty() {
        return;
    }
    println!(
        "\n### Several tests at once\n\n{} instances in which the culprit broke the tests of several files, {:.1} files on \
         average.\n\n| score | first | among five | reciprocal |\n|---|---|---|---|",
        chosen.len(),
        mean(&chosen.iter().map(|(_, several)| several.tests as f64).collect::<Vec<_>>())
    );
    for (number, name) in
        ["one of the tests", "all tests, the mean of the scores", "all tests, their product"].iter().enumerate()
    {
        let figure = |figure: fn(&Hit) -> f64| {
            over_projects(chosen.iter().map(|&(case, several)| (case, figure(&several.hits[number])))).value
        };
        println!(
            "| {name} | {:.1}% | {:.1}% | {:.3} |",
            100.0 * figure(|hit| hit.first),
            100.0 * figure(|hit| hit.first_five),
            figure(|hit| hit.reciprocal)
        );
    }
}

/// Every culprit that the filter takes away, for somebody to look at, on standard error.
pub(super) fn lost(cases: &[Case]) {
    for case in cases {
        for (name, ranked) in [("as changed", &case.ranked), ("held fixed", &case.fixed), ("data", &case.data)] {
            if ranked.is_lost() {
                let change = ranked.changes.iter().find(|change| change.id == ranked.culprit);
                let merge = case.graph.parents(case.instance.culprit).len() > 1;
                eprintln!(
                    "lost ({name}, {}): {} {} by {} at {}{}: {:?}",
                    kind(case.swapped),
                    case.project,
                    ranked.culprit,
                    ranked.ranking.tests.join(", "),
                    case.graph.id(case.instance.bad),
                    if merge { ", a merge" } else { "" },
                    change.map(|change| change.files.iter().take(8).collect::<Vec<_>>())
                );
            }
        }
    }
}

/// What the tests are taken for in searches.
const TESTS: [(&str, Tests); 2] = [
    ("as changed", (|case| &case.ranked, |case| &case.data)),
    ("held fixed", (|case| &case.fixed, |case| &case.fixed_data)),
];

/// The sharpness by which the other projects' culprits are likeliest, for each way and project.
fn sharpness(cases: &[Case], of: Tests) -> BTreeMap<(usize, String), f64> {
    let mut found = BTreeMap::new();
    for project in projects(cases) {
        for (number, way) in WAYS.iter().enumerate() {
            found.insert((number, project.to_owned()), way.sharpness(cases, project, of));
        }
    }
    found
}

pub(super) fn bits(cases: &[Case]) -> Result<(), String> {
    for (tests, of) in TESTS {
        let sharpness = sharpness(cases, of);
        println!(
            "\n### What the priors are worth, tests {tests}\n\nBits: the logarithm of the culprit's weight over 1 / \
             suspects, mean over projects, without the culprits that weigh nothing. *Fitted* is by the cases of all other \
             projects.\n\n| prior | sharpness | bits, regressions | bits, fixes | worst project | culprits impossible |\n\
             |---|---|---|---|---|---|"
        );
        for (number, way) in WAYS.iter().enumerate().skip(1) {
            let mut values = Vec::new();
            let mut impossible = 0;
            for case in cases {
                let bits = way.bits(case, of, sharpness[&(number, case.project.clone())])?;
                if bits.is_finite() { values.push((case, bits)) } else { impossible += 1 }
            }
            let kind = |swapped: bool| {
                let chosen = values.iter().filter(move |(case, _)| case.swapped == swapped);
                let chosen: Vec<(&Case, f64)> = chosen.copied().collect();
                if chosen.is_empty() { f64::NAN } else { over_projects(chosen.into_iter()).value }
            };
            let all = over_projects(values.iter().copied());
            let worst = all.by_project.iter().min_by(|a, b| a.1.total_cmp(b.1));
            let (name, bits) = worst.map_or(("-", f64::NAN), |(name, bits)| (name.as_str(), *bits));
            let fitted = projects(cases).into_iter().map(|project| sharpness[&(number, project.to_owned())]);
            let (least, most) = fitted.fold((f64::INFINITY, 0.0_f64), |(low, high), s| (low.min(s), high.max(s)));
            println!(
                "| {} | {least:.2} to {most:.2} | {:.2} | {:.2} | {bits:.2} ({name}) | {impossible} of {} |",
                way.name,
                kind(false),
                kind(true),
                cases.len()
            );
        }
    }
    Ok(())
}

/// By way: scores with a culprit and without one, by project.
type Scores = Vec<BTreeMap<String, (Score, Score)>>;

pub(super) fn searches(cases: &[Case], trials: u64) -> Result<(), String> {
    println!(
        "\n### Searches with the priors\n\nMeans over projects of {trials} searches of each instance with its culprit, and \
         {} with nobody to blame; confidence 0.99. Ratios are to the runs of the uniform prior; *worst* is the project with \
         the highest.",
        trials.div_ceil(2)
    );
    for (tests, of) in TESTS {
        let sharpness = sharpness(cases, of);
        let priors = |case: &Case| -> Result<Vec<Option<Weights>>, String> {
            let of = |(number, way): (usize, &super::runs::Way)| {
                way.weights(case, of, sharpness[&(number, case.project.clone())])
            };
            WAYS.iter().enumerate().map(of).collect()
        };
        let priors: Vec<Vec<Option<Weights>>> = cases.iter().map(priors).collect::<Result<_, String>>()?;
        for shape in ["as they are", "in a row"] {
            for rate in RATES {
                let half = |odd: usize| -> Result<Scores, String> {
                    let mut scores: Scores = vec![BTreeMap::new(); WAYS.len()];
                    for (number, case) in cases.iter().enumerate().filter(|(number, _)| number % 2 == odd) {
                        let history = if shape == "in a row" { History::list(case)? } else { History::dag(case)? };
                        for (way, weights) in priors[number].iter().enumerate().filter(|(way, _)| WAYS[*way].plays) {
                            let score = scores[way].entry(case.project.clone()).or_default();
                            for trial in 0..trials {
                                let seed = number as u64 * 1000 + trial;
                                score.0.add(history.play(weights.as_ref(), rate, true, seed)?);
                                if trial % 2 == 0 {
                                    score.1.add(history.play(weights.as_ref(), rate, false, seed)?);
                                }
                            }
                        }
                    }
                    Ok(scores)
                };
                let (one, other) = std::thread::scope(|scope| {
                    let other = scope.spawn(|| half(1));
                    (half(0), other.join())
                });
                let mut scores = one?;
                let other = other.map_err(|_| "a thread died")??;
                for (way, by_project) in other.into_iter().enumerate() {
                    for (name, (guilty, nobody)) in by_project {
                        let score = scores[way].entry(name).or_default();
                        score.0.join(guilty);
                        score.1.join(nobody);
                    }
                }
                eprintln!("searches: tests {tests}, {shape}, {rate}");
                print(&format!("Tests {tests}, histories {shape}, {:.0}% of healthy runs fail", 100.0 * rate), &scores);
            }
        }
    }
    Ok(())
}

fn print(what: &str, scores: &Scores) {
    println!(
        "\n{what}:\n\n| prior | runs, somebody to blame | ratio | right | runs, nobody | right | worst ratio | least right of a \
         project |\n|---|---|---|---|---|---|---|---|"
    );
    let uniform = &scores[0];
    for (way, by_project) in WAYS.iter().zip(scores).filter(|(way, _)| way.plays) {
        let over = |value: &dyn Fn(&(Score, Score)) -> f64| mean(&by_project.values().map(value).collect::<Vec<_>>());
        let ratios = by_project.iter().map(|(name, score)| (score.0.mean() / uniform[name].0.mean(), name.as_str()));
        let worst = ratios.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::NAN, "-"));
        let least = by_project
            .iter()
            .map(|(name, score)| (score.0.accuracy(), name.as_str()))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .unwrap_or((f64::NAN, "-"));
        let runs = over(&|score| score.0.mean());
        let base = mean(&uniform.values().map(|score| score.0.mean()).collect::<Vec<_>>());
        println!(
            "| {} | {runs:.2} | {:.3} | {:.2}% | {:.2} | {:.2}% | {:.3} ({}) | {:.1}% ({}) |",
            way.name,
            runs / base,
            100.0 * over(&|score| score.0.accuracy()),
            over(&|score| score.1.mean()),
            100.0 * over(&|score| score.1.accuracy()),
            worst.0,
            worst.1,
            100.0 * least.0,
            least.1
        );
    }
}
