//! What is printed and written.

use std::fmt::Write as _;

use firstbad_testkit::recorded::{Choice, History};
use serde_json::{Value, json};

use super::averages::{runs, total_queries};
use super::several::{self, Total};
use super::single::{ALGORITHMS, Row, place};
use super::targets::Target;
use crate::statistics::{Average, median};

pub(crate) fn projects(histories: &[History], choice: &Choice) {
    println!("## Projects\n\n| project | head | commits | functions | good end |\n|---|---|---|---|---|");
    for history in histories {
        let functions = history.chosen_functions(choice).len() / 2;
        let head = &history.head[..history.head.len().min(12)];
        println!(
            "| {} | {head} | {} | {functions} of {} | {:?} |",
            history.repo,
            history.graph.len(),
            history.functions.len(),
            choice.good
        );
    }
}

pub(crate) fn single(rows: &[Row]) {
    let all: Vec<&Row> = rows.iter().collect();
    let resolved: Vec<&Row> = rows.iter().filter(|row| !row.unresolved).collect();
    let unresolved: Vec<&Row> = rows.iter().filter(|row| row.unresolved).collect();
    for (title, rows) in [
        ("One leaf, nothing unresolved among the suspects", &resolved),
        ("One leaf, some suspects unresolved", &unresolved),
        ("One leaf, all instances", &all),
    ] {
        println!(
            "\n## {title}: {} instances\n\nMean runs over instances and over projects; distance from the leaf in edges.\n\n\
             | search | runs (instances) | ratio | runs (projects) | ratio | most | mean distance | median | clean |\n\
             |---|---|---|---|---|---|---|---|---|",
            rows.len()
        );
        let baseline = runs(rows, "git + parents");
        for (at, name) in ALGORITHMS.iter().enumerate() {
            let mean = runs(rows, name);
            let ratio = mean.over(baseline);
            let distances: Vec<f64> = rows.iter().filter_map(|row| row.answers[at].distance.map(f64::from)).collect();
            let clean = rows.iter().filter(|row| row.answers[at].clean).count();
            println!(
                "| {name} | {:.2} | {:.3} | {:.2} | {:.3} | {} | {:.1} | {:.1} | {:.1}% |",
                mean.over_instances,
                ratio.over_instances,
                mean.over_projects,
                ratio.over_projects,
                rows.iter().map(|row| row.answers[at].runs).max().unwrap_or(0),
                distances.iter().sum::<f64>() / distances.len() as f64,
                median(distances.clone()),
                100.0 * clean as f64 / rows.len() as f64,
            );
        }
    }
}

/// Whether an algorithm did better than another one on an instance.
type Less = fn(&Row, usize, usize) -> bool;

/// The paper's Tables 1 and 2, with its own searches as it has them.
pub(crate) fn paper(rows: &[Row]) {
    let names = [("mult", "multiplying"), ("bin", "binary"), ("git", "git")];
    let tables: [(&str, Less); 2] = [
        ("Table 1 of the paper: strictly fewer runs than", |row, a, b| row.answers[a].runs < row.answers[b].runs),
        ("Table 2 of the paper: strictly closer than", |row, a, b| {
            match (row.answers[a].distance, row.answers[b].distance) {
                (Some(a), Some(b)) => a < b,
                _ => false,
            }
        }),
    ];
    for (title, less) in tables {
        println!("\n## {title}\n\n| < | mult | bin | git |\n|---|---|---|---|");
        for (short, row_name) in names {
            let mut line = format!("| {short} |");
            for (_, column_name) in names {
                let (a, b) = (place(row_name), place(column_name));
                if a == b {
                    line.push_str(" - |");
                } else {
                    let count = rows.iter().filter(|row| less(row, a, b)).count();
                    let _ = write!(line, " {count} ({:.0}%) |", 100.0 * count as f64 / rows.len() as f64);
                }
            }
            println!("{line}");
        }
    }
}

pub(crate) fn several(totals: &[Total]) {
    let leaves = Average::of(totals.iter().map(|total| (total.project.as_str(), total.leaves as f64)));
    println!(
        "\n## Several leaves: {} instances, {:.1} leaves on average ({:.1} over projects)\n\n\
         | search | runs (instances) | ratio to git | runs (projects) | ratio to git | most |\n|---|---|---|---|---|---|",
        totals.len(),
        leaves.over_instances,
        leaves.over_projects
    );
    let git = total_queries(totals, 0);
    for (at, name) in several::ALGORITHMS.iter().enumerate() {
        let mean = total_queries(totals, at);
        let ratio = mean.over(git);
        println!(
            "| {name} | {:.2} | {:.3} | {:.2} | {:.3} | {} |",
            mean.over_instances,
            ratio.over_instances,
            mean.over_projects,
            ratio.over_projects,
            totals.iter().map(|total| total.runs[at]).max().unwrap_or(0),
        );
    }
    let clean = totals.iter().filter(|total| total.clean).count();
    println!("\nAll points of `auto fewest` clean in {clean} of {} instances.", totals.len());
}

/// One line per instance.
pub(crate) fn csv(rows: &[Row]) -> String {
    let mut text = String::from("project,function,polarity,leaf,suspects,unresolved,nearest_clean");
    for name in ALGORITHMS {
        let name = name.replace(", ", "_").replace(' ', "_");
        let _ = write!(text, ",{name}_queries,{name}_distance,{name}_clean");
    }
    text.push('\n');
    let number = |value: Option<u32>| value.map_or(String::new(), |value| value.to_string());
    for row in rows {
        let _ = write!(
            text,
            "{},{},{},{},{},{},{}",
            row.project,
            row.function,
            if row.swapped { "swapped" } else { "recorded" },
            row.leaf,
            row.suspects,
            row.unresolved,
            number(row.nearest)
        );
        for answer in &row.answers {
            let _ = write!(text, ",{},{},{}", answer.runs, number(answer.distance), answer.clean);
        }
        text.push('\n');
    }
    text
}

/// The figures, for other programs.
pub(crate) fn json(histories: &[History], rows: &[Row], totals: &[Total], targets: &[Target]) -> Value {
    let average = |average: Average| json!({"instances": average.over_instances, "projects": average.over_projects, "count": average.count});
    let resolved: Vec<&Row> = rows.iter().filter(|row| !row.unresolved).collect();
    let unresolved: Vec<&Row> = rows.iter().filter(|row| row.unresolved).collect();
    let of = |rows: &[&Row]| -> Value {
        ALGORITHMS.iter().map(|name| ((*name).to_owned(), average(runs(rows, name)))).collect()
    };
    let several: Value = (several::ALGORITHMS.iter().enumerate())
        .map(|(at, name)| ((*name).to_owned(), average(total_queries(totals, at))))
        .collect();
    json!({
        "projects": histories.iter().map(|h| json!({"repo": h.repo, "head": h.head})).collect::<Vec<_>>(),
        "runs": {"nothing_unresolved": of(&resolved), "some_unresolved": of(&unresolved), "several_leaves": several},
        "targets": targets.iter().map(Target::json).collect::<Vec<_>>(),
    })
}
