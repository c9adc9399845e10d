//! How long it takes to read what commits touch, on a large repository.

use std::path::Path;

use firstbad_git::{GraphOptions, Repository, rank_changes};

use crate::repositories::find;
use crate::time::seconds;

/// The repository.
const LARGE: &str = "git/git";

/// About so many suspects, and the seconds that they may take.
const SIZES: [(usize, f64); 3] = [(1000, 0.3), (3000, 0.9), (10_000, 3.0)];

/// The best of so many times: on a shared machine the others measure the neighbours.
const TIMES: usize = 3;

/// Prints the table, where the repository is there.
pub(super) fn run(repositories: &Path) -> Result<(), String> {
    let Some(path) = find(repositories, LARGE) else {
        println!("\n{LARGE} is not in REPOS: reading it was not timed.");
        return Ok(());
    };
    let words = |error: firstbad::Error| error.to_string();
    let graph = Repository::open(&path)
        .and_then(|repository| {
            let options = GraphOptions { tips: vec!["HEAD".into()], first_parent: false, ..GraphOptions::default() };
            repository.graph(&options)
        })
        .map_err(words)?;
    let bad = vec![graph.id(graph.resolve("HEAD", "bad").map_err(words)?).to_owned()];
    println!("\nReading and ranking what the newest commits of {LARGE} touch, the best of {TIMES}:\n");
    println!("| suspects | seconds | at most |\n|---|---|---|");
    for (size, most) in SIZES {
        let mut good = graph.resolve("HEAD", "bad").map_err(words)?;
        let all = graph.ancestors(&[good]).count_ones(..);
        while all - graph.ancestors(&[good]).count_ones(..) < size {
            let Some(&parent) = graph.parents(good).first() else { break };
            good = parent;
        }
        let good = vec![graph.id(good).to_owned()];
        let mut best = f64::INFINITY;
        let mut count = 0;
        for _ in 0..TIMES {
            let (took, ranking) = seconds(|| rank_changes(&graph, &bad, &good, &["t1092-sparse".to_owned()]));
            count = ranking.map_err(words)?.suspects.len();
            best = best.min(took);
        }
        let verdict = if best <= most * count as f64 / size as f64 { "met" } else { "missed" };
        println!("| {count} | {best:.2} | {:.2}: {verdict} |", most * count as f64 / size as f64);
    }
    Ok(())
}
