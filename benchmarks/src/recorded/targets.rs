//! Each aim with the figure measured.

use serde_json::{Value, json};

use super::averages::{runs, total_queries};
use super::several::Total;
use super::single::{Row, place};
use super::violation::Violation;
use crate::statistics::Average;

/// One aim. A target with two figures (over instances, over projects) is met when both are.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    what: &'static str,
    figures: Vec<f64>,
    limit: f64,
    at_least: bool,
}

impl Target {
    fn at_most(what: &'static str, average: Average, limit: f64) -> Self {
        Target { what, figures: vec![average.over_instances, average.over_projects], limit, at_least: false }
    }

    fn met(&self) -> bool {
        self.figures.iter().all(|&figure| if self.at_least { figure >= self.limit } else { figure <= self.limit })
    }

    pub(crate) fn json(&self) -> Value {
        json!({"what": self.what, "figures": self.figures, "limit": self.limit, "met": self.met()})
    }
}

fn share<'r>(rows: impl IntoIterator<Item = &'r Row>, holds: impl Fn(&Row) -> bool) -> Average {
    Average::of(rows.into_iter().map(|row| (row.project.as_str(), f64::from(u8::from(holds(row))))))
}

/// What our queries are of theirs, over some rows.
fn ratio(rows: &[&Row], ours: &str, theirs: &str) -> Average {
    runs(rows, ours).over(runs(rows, theirs))
}

pub(crate) fn judge(rows: &[Row], totals: &[Total], violations: &[Violation]) -> Vec<Target> {
    let soundness = Target {
        what: "soundness: violations in all runs",
        figures: vec![violations.len() as f64],
        limit: 0.0,
        at_least: false,
    };
    let mut targets = vec![soundness];
    targets.extend(of_fewest(rows));
    targets.extend(of_latest(rows));
    targets.extend(of_several(totals));
    let confirmations = rows.iter().map(|row| (row.project.as_str(), row.confirmations as f64));
    targets.push(Target::at_most("confirmation: mean runs of one job", Average::of(confirmations), 0.8));
    targets
}

/// Searches for any point, by as few queries as possible.
fn of_fewest(rows: &[Row]) -> [Target; 5] {
    let (unresolved, resolved): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.unresolved);
    let clean = |row: &Row, name: &str| row.answers[place(name)].clean;
    let both_clean: Vec<&Row> =
        resolved.iter().copied().filter(|row| clean(row, "auto fewest") && clean(row, "git + parents")).collect();
    [
        Target::at_most(
            "fewest, nothing unresolved: runs, ratio to git + parents",
            ratio(&resolved, "auto fewest", "git + parents"),
            1.0,
        ),
        Target::at_most("  (the same where both end clean)", ratio(&both_clean, "auto fewest", "git + parents"), 1.0),
        Target::at_most(
            "  (the same, ratio to git + all parents)",
            ratio(&resolved, "auto fewest", "git + all parents"),
            1.0,
        ),
        Target::at_most(
            "fewest, some unresolved: runs, ratio to RPA binary made clean",
            ratio(&unresolved, "auto fewest", "binary, clean"),
            1.0,
        ),
        Target::at_most(
            "fewest, some unresolved: mean runs (reference 9.4 to 11.5)",
            runs(&unresolved, "auto fewest"),
            11.5,
        ),
    ]
}

/// Searches for the point nearest to the leaf.
fn of_latest(rows: &[Row]) -> [Target; 5] {
    let all: Vec<&Row> = rows.iter().collect();
    let near: Vec<&Row> = rows.iter().filter(|row| row.nearest.is_some_and(|nearest| nearest <= 7)).collect();
    let (latest, git) = (place("auto latest"), place("git"));
    let not_farther = share(rows, |row| {
        row.answers[latest].distance.is_some_and(|ours| row.answers[git].distance.is_none_or(|theirs| ours <= theirs))
    });
    [
        Target {
            what: "latest: share of instances not farther from the leaf than git",
            figures: vec![not_farther.over_instances, not_farther.over_projects],
            limit: 0.97,
            at_least: true,
        },
        Target::at_most(
            "latest, nearest clean point within 7 edges: runs, ratio to git",
            ratio(&near, "auto latest", "git"),
            0.55,
        ),
        Target::at_most("latest, all instances: runs, ratio to git", ratio(&all, "auto latest", "git"), 1.1),
        Target::at_most(
            "  (the same within 7 edges, ratio to git + parents)",
            ratio(&near, "auto latest", "git + parents"),
            0.55,
        ),
        Target::at_most(
            "  (the same over all, ratio to git + parents)",
            ratio(&all, "auto latest", "git + parents"),
            1.1,
        ),
    ]
}

/// Searches from several leaves at once.
fn of_several(totals: &[Total]) -> [Target; 2] {
    let spared = total_queries(totals, 2);
    [
        Target::at_most(
            "several leaves, propagated, clean: runs, ratio to git with a shared cache",
            spared.over(total_queries(totals, 0)),
            0.17,
        ),
        Target::at_most(
            "  (the same, ratio to git + parents with a shared cache)",
            spared.over(total_queries(totals, 1)),
            0.17,
        ),
    ]
}

pub(crate) fn print(targets: &[Target]) {
    println!(
        "\n## Targets\n\nA target with two figures (over instances, over projects) is met when both are.\n\n\
         | target | limit | measured | |\n|---|---|---|---|"
    );
    for target in targets {
        let figures: Vec<String> = target.figures.iter().map(|figure| format!("{figure:.3}")).collect();
        println!(
            "| {} | {} {} | {} | {} |",
            target.what,
            if target.at_least { "at least" } else { "at most" },
            target.limit,
            figures.join(", "),
            if target.met() { "met" } else { "missed" },
        );
    }
}
