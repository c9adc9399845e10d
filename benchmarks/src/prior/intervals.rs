//! Ratios by project, with intervals over projects.

use firstbad_testkit::simulated::Random;

use super::rows::{Row, WAYS, by_project};

/// How often projects are drawn anew.
const DRAWS: usize = 2000;

/// So many queries more are counted as some, and as many.
const SOME: i64 = 2;
const MANY: i64 = 4;

/// Which rows are meant.
type Filter = fn(&Row) -> bool;

/// Prints the table.
pub(super) fn print(rows: &[Row]) {
    println!(
        "Queries over those of `git bisect`, and over those of ours with all suspects alike: the mean over projects, with"
    );
    println!("95% intervals by drawing projects anew. A culprit counts once, whichever tests found it.\n");
    println!("| instances | culprits | git | {} | worst loss | where outcomes change once |", WAYS[1..].join(" | "));
    println!("|---|---|---|---|---|---|---|---|");
    let sets: [(&str, Filter); 4] = [
        ("true regressions", |row| !row.swapped),
        ("of these, nothing unresolved", |row| !row.swapped && !row.unresolved),
        ("swapped", |row| row.swapped),
        ("of these, nothing unresolved", |row| row.swapped && !row.unresolved),
    ];
    for (name, is_in) in sets {
        let chosen: Vec<&Row> = rows.iter().filter(|row| is_in(row)).collect();
        let mut culprits: Vec<(&str, &str)> =
            chosen.iter().map(|row| (row.project.as_str(), row.culprit.as_str())).collect();
        culprits.sort_unstable();
        culprits.dedup();
        let projects: Vec<[f64; WAYS.len()]> = by_project(chosen.iter().copied()).into_values().collect();
        if projects.is_empty() {
            continue;
        }
        let git = projects.iter().map(|means| means[0]).sum::<f64>() / projects.len() as f64;
        let ratios: Vec<String> = (1..WAYS.len())
            .map(|way| {
                let (low, high) = interval(&projects, way, 0);
                format!("{:.3} [{low:.2}, {high:.2}], {:.3}", ratio(&projects, way, 0), ratio(&projects, way, 1))
            })
            .collect();
        let worst = |rows: &mut dyn Iterator<Item = &&Row>| rows.map(|row| row.loss()).max().unwrap_or_default();
        println!(
            "| {name}: {} | {} | {git:.2} | {} | {:+} | {:+} |",
            chosen.len(),
            culprits.len(),
            ratios.join(" | "),
            worst(&mut chosen.iter()),
            worst(&mut chosen.iter().filter(|row| !row.returns)),
        );
    }
    let answers = |way: usize| {
        let clean = rows.iter().filter(|row| row.clean[way]).count() as f64 / rows.len().max(1) as f64;
        let distances: Vec<f64> = rows.iter().filter_map(|row| row.distances[way].map(f64::from)).collect();
        let mean = distances.iter().sum::<f64>() / distances.len().max(1) as f64;
        format!("{}: {:.1}% clean, {mean:.1} edges from the leaf", WAYS[way], 100.0 * clean)
    };
    println!("\nAnswers: {}.", (1..WAYS.len()).map(answers).collect::<Vec<_>>().join("; "));
    let losing = |least: i64| rows.iter().filter(|row| row.loss() >= least).count();
    println!(
        "\n{} of the {} instances took {SOME} runs or more above ours with all suspects alike, {} of them {MANY} or more.",
        losing(SOME),
        rows.len(),
        losing(MANY),
    );
}

/// The mean over projects of what one way takes, over that of another.
pub(super) fn ratio(projects: &[[f64; WAYS.len()]], way: usize, over: usize) -> f64 {
    projects.iter().map(|means| means[way]).sum::<f64>() / projects.iter().map(|means| means[over]).sum::<f64>()
}

pub(super) fn interval(projects: &[[f64; WAYS.len()]], way: usize, over: usize) -> (f64, f64) {
    let mut random = Random::new(1);
    let mut ratios: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let drawn: Vec<[f64; WAYS.len()]> =
                projects.iter().map(|_| projects[random.below(projects.len() as u64) as usize]).collect();
            ratio(&drawn, way, over)
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    (ratios[DRAWS / 40], ratios[DRAWS - 1 - DRAWS / 40])
}
