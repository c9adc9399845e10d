//! Rows of many nights: means over projects with intervals, and targets.

use std::collections::BTreeMap;

use firstbad::suite::SuiteCosts;
use firstbad_testkit::simulated::Random;

use super::play::Played;
use crate::figure::{Aim, Figure};

/// How often projects are drawn again for an interval.
const DRAWS: usize = 2000;

/// The costs of a build and of a test.
pub(super) const RATIOS: [SuiteCosts; 3] = [
    SuiteCosts { build: 10.0, test: 1.0 },
    SuiteCosts { build: 1.0, test: 1.0 },
    SuiteCosts { build: 1.0, test: 10.0 },
];
pub(super) const RATIO_NAMES: [&str; 3] = ["10:1", "1:1", "1:10"];

/// The nights of one search: each with its project and the night of the separate bisections.
pub(super) type Nights<'a> = Vec<(&'a str, Played, &'a Played)>;

/// A search at the three ratios of costs.
pub(super) struct Row<'a> {
    pub(super) name: &'static str,
    pub(super) ratios: [Nights<'a>; 3],
}

/// A quantity of a row.
#[derive(Debug, Clone, Copy)]
pub(super) enum Quantity {
    /// Relative to separate bisections.
    Builds,
    Cost,
    Elapsed,
    /// A share of all tests.
    Right,
    Wrong,
    Sets,
}

impl Quantity {
    fn name(self) -> &'static str {
        match self {
            Quantity::Builds => "builds",
            Quantity::Cost => "cost",
            Quantity::Elapsed => "elapsed",
            Quantity::Right => "right",
            Quantity::Wrong => "wrong or missed",
            Quantity::Sets => "sets",
        }
    }

    /// Returns numerator and denominator of a project. Ratios count each project once, and shares each test.
    fn of(self, nights: &[&(&str, Played, &Played)], costs: SuiteCosts) -> (f64, f64) {
        let sum = |value: &dyn Fn(&Played, &Played) -> f64| nights.iter().map(|(_, own, base)| value(own, base)).sum();
        let count = nights.len() as f64;
        let mean = |value: &dyn Fn(&Played, &Played) -> f64| (sum(value) / count, 1.0);
        let share = |value: fn(&Played) -> f64| (sum(&|own, _| value(own)), sum(&|own, _| own.score.tests));
        match self {
            Quantity::Builds => mean(&|own, base| own.builds / base.builds),
            Quantity::Cost => mean(&|own, base| own.cost(costs) / base.cost(costs)),
            Quantity::Elapsed => mean(&|own, base| own.elapsed / base.cost(costs)),
            Quantity::Right => share(|own| own.score.right),
            Quantity::Wrong => share(|own| own.score.wrong),
            Quantity::Sets => share(|own| own.score.sets),
        }
    }
}

/// A quantity with its 95% interval.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    pub(super) value: f64,
    low: f64,
    high: f64,
}

impl Row<'_> {
    pub(super) fn measure(&self, quantity: Quantity, ratio: usize) -> Measured {
        let mut projects: BTreeMap<&str, Vec<&(&str, Played, &Played)>> = BTreeMap::new();
        self.ratios[ratio].iter().for_each(|night| projects.entry(night.0).or_default().push(night));
        let projects: Vec<(f64, f64)> = projects.values().map(|nights| quantity.of(nights, RATIOS[ratio])).collect();
        let over = |parts: &[(f64, f64)]| {
            parts.iter().map(|part| part.0).sum::<f64>() / parts.iter().map(|part| part.1).sum::<f64>()
        };
        let mut random = Random::new(1);
        let mut draw = || projects[random.below(projects.len() as u64) as usize];
        let mut drawn: Vec<f64> =
            (0..DRAWS).map(|_| over(&projects.iter().map(|_| draw()).collect::<Vec<_>>())).collect();
        drawn.sort_by(f64::total_cmp);
        Measured { value: over(&projects), low: drawn[DRAWS / 40], high: drawn[DRAWS - 1 - DRAWS / 40] }
    }

    fn all(&self, quantity: Quantity) -> [Measured; 3] {
        [0, 1, 2].map(|ratio| self.measure(quantity, ratio))
    }

    /// Returns a target for each ratio, and prints them in one line.
    pub(super) fn aim(&self, quantity: Quantity, aims: [Aim; 3]) -> Vec<Figure> {
        let measured = self.all(quantity);
        let figures: Vec<Figure> = (0..3)
            .map(|ratio| {
                let what = format!("{}, {}: {}", self.name, RATIO_NAMES[ratio], quantity.name());
                Figure::aimed(what, measured[ratio].value, "", aims[ratio])
            })
            .collect();
        let cells = measured.map(|one| format!("{:.4} [{:.3}, {:.3}]", one.value, one.low, one.high)).join(" | ");
        let limits = aims.map(|aim| match aim {
            Aim::AtMost(limit) => format!("≤ {limit}"),
            Aim::AtLeast(limit) => format!("≥ {limit}"),
        });
        let is_same = limits.iter().all(|limit| *limit == limits[0]);
        let limits = if is_same { limits[0].clone() } else { limits.join(", ") };
        let verdicts: Vec<&str> = figures.iter().map(Figure::verdict).collect();
        let is_uniform = verdicts.iter().all(|verdict| *verdict == verdicts[0]);
        let verdicts = if is_uniform { verdicts[0].to_owned() } else { verdicts.join(", ") };
        println!("| {}: {} | {cells} | {limits} | {verdicts} |", self.name, quantity.name());
        figures
    }
}

/// Prints the head of the lines of [`Row::aim`].
pub(super) fn aims_head() {
    println!("\n| target | {} | aim | |\n|---|---|---|---|---|---|", RATIO_NAMES.join(" | "));
}

/// Prints a table with a line for each row.
pub(super) fn print(rows: &[Row<'_>], quantities: &[Quantity]) {
    let names: Vec<&str> = quantities.iter().map(|quantity| quantity.name()).collect();
    println!("| search | {} |\n|---{}|", names.join(" | "), "|---".repeat(names.len()));
    for row in rows {
        let cell = |quantity: &Quantity| {
            let values = row.all(*quantity).map(|one| format!("{:.3}", one.value));
            if values.iter().all(|value| *value == values[0]) { values[0].clone() } else { values.join(" / ") }
        };
        println!("| {} | {} |", row.name, quantities.iter().map(cell).collect::<Vec<_>>().join(" | "));
    }
}

/// Prints the verdicts that are not right, with the truth.
pub(super) fn print_misses(rows: &[Row<'_>]) {
    println!("\n| search | verdicts that are not right, and the truth |\n|---|---|");
    for row in rows {
        let mut counts: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
        for (ratio, nights) in row.ratios.iter().enumerate() {
            let misses = nights.iter().flat_map(|(_, own, _)| &own.score.misses);
            misses.for_each(|(name, count)| counts.entry(name).or_default()[ratio] += count);
        }
        let cells: Vec<String> = counts
            .iter()
            .map(|(name, counts)| format!("{name}: {}", counts.map(|one| one.to_string()).join(" / ")))
            .collect();
        println!("| {} | {} |", row.name, cells.join("; "));
    }
}
