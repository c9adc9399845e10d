//! Ratios by project, with intervals over projects.

use firstbad_testkit::simulated::Random;

use super::rows::{Row, WAYS, by_project};

/// How often projects are drawn anew.
const DRAWS: usize = 2000;

/// So many queries more are counted as many.
const MANY: usize = 3;

/// Which rows are meant.
type Filter = fn(&Row) -> bool;

/// Prints the table.
pub(super) fn print(rows: &[Row]) {
    println!(
        "Queries over those of `git bisect`, and over those of ours with all suspects alike: the mean over projects, with"
    );
    println!("95 % intervals by drawing projects anew. A culprit counts once, whichever tests found it.\n");
    println!("| instances | culprits | git | {} | worst loss |", WAYS[1..].join(" | "));
    println!("|---|---|---|---|---|---|---|");
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
        let worst = chosen.iter().map(|row| row.queries[3] as i64 - row.queries[1] as i64).max().unwrap_or_default();
        println!("| {name}: {} | {} | {git:.2} | {} | {worst:+} |", chosen.len(), culprits.len(), ratios.join(" | "));
    }
    let losses: Vec<usize> = rows.iter().filter_map(|row| row.queries[3].checked_sub(row.queries[1])).collect();
    let many = losses.iter().filter(|&&loss| loss >= MANY).count();
    println!(
        "\n{many} of the {} instances took {MANY} queries or more above ours with all suspects alike.",
        rows.len()
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
