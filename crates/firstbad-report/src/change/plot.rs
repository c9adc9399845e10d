//! A change in numbers as a picture of characters, for terminals and logs.

use firstbad::metric::amount;
use firstbad::{ChangeReport, short};

use super::curve::{Controls, Curve, controls, thinned};
use crate::draw::cut;
use crate::style::plain;

/// The number of columns of the picture.
const WIDTH: usize = 80;
/// The number of rows of the plot.
const ROWS: usize = 9;
/// The number of characters of a label, and of the name of an endpoint.
const LABEL: usize = 12;
const NAME: usize = 20;
/// The number of measurements of an endpoint.
const CONTROLS: usize = 30;

/// Draws the numbers of each measured revision, the fitted step, and the measurements of the endpoints over time, as lines of at
/// most 80 characters. Returns an empty text if fewer than two revisions have a number.
#[must_use]
pub fn text_plot(report: &ChangeReport) -> String {
    let Some(curve) = Curve::new(report, &report.main).filter(|curve| curve.points.len() > 1) else {
        return String::new();
    };
    let ticks = curve.ticks(3);
    let label = |text: &str| cut(&plain(text), LABEL);
    let room = ticks.iter().map(|(_, text)| label(text).chars().count()).max().unwrap_or_default();
    let mut grid = Grid::new(WIDTH - room - 2);
    grid.draw(&curve);
    let mut lines: Vec<String> = Vec::new();
    for (row, signs) in grid.rows.iter().enumerate() {
        let tick = ticks.iter().find(|(number, _)| grid.row(curve.height(*number)) == row);
        let (text, edge) = tick.map_or((String::new(), '│'), |(_, text)| (label(text), '┤'));
        lines.push(format!("{text:>room$} {edge}{}", signs.iter().collect::<String>()));
    }
    lines.push(format!("{:>room$} └{}", "", "─".repeat(grid.width)));
    let indent = " ".repeat(room + 2);
    lines.extend(grid.marks(&curve).map(|marks| indent.clone() + &marks));
    lines.push(indent + &grid.ends(report, &curve));
    let strips = if curve.of.exact { Vec::new() } else { controls(report, curve.of) };
    lines.extend(strips.iter().map(|one| strip(report, one, curve.of.unit.as_deref())));
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The characters of the plot.
struct Grid {
    width: usize,
    rows: Vec<Vec<char>>,
}

impl Grid {
    fn new(width: usize) -> Grid {
        Grid { width, rows: vec![vec![' '; width]; ROWS] }
    }

    fn column(&self, at: f64) -> usize {
        // A column remains free on both sides.
        1 + (at * (self.width - 3) as f64).round() as usize
    }

    fn row(&self, height: f64) -> usize {
        ROWS - 1 - (height * (ROWS - 1) as f64).round() as usize
    }

    fn draw(&mut self, curve: &Curve<'_>) {
        self.line(curve);
        let numbers = |are_limits: bool| {
            curve.points.iter().flat_map(move |(at, point)| {
                let is_drawn = move |value: &usize| curve.is_limit(point, *value) == are_limits;
                (0..point.values.len()).filter(is_drawn).map(move |value| (*at, point.values[value]))
            })
        };
        let medians = curve.points.iter().map(|(at, point)| (*at, point.median));
        // A later sign covers an earlier one.
        let signs = numbers(false).map(|place| (place, '·')).chain(medians.map(|place| (place, '●')));
        for ((at, number), sign) in signs.chain(numbers(true).map(|place| (place, '↑'))) {
            let (row, column) = (self.row(curve.height(number)), self.column(at));
            self.rows[row][column] = sign;
        }
    }

    /// Draws the fitted line.
    fn line(&mut self, curve: &Curve<'_>) {
        let corners: Vec<(usize, usize)> =
            curve.fitted().into_iter().map(|(at, number)| (self.column(at), self.row(curve.height(number)))).collect();
        for pair in corners.windows(2) {
            let [(from, row), (to, other)] = *pair else { continue };
            if row == other {
                self.rows[row][from..=to].fill('─');
            }
        }
        for pair in corners.windows(2) {
            let [(column, from), (_, to)] = *pair else { continue };
            if from != to {
                for row in from.min(to)..=from.max(to) {
                    self.rows[row][column] = '│';
                }
                let rises = to < from;
                self.rows[from][column] = if rises { '╯' } else { '╮' };
                self.rows[to][column] = if rises { '╭' } else { '╰' };
            }
        }
    }

    /// Returns the row below the plot with the ids of the commits, or `None` without a step.
    fn marks(&self, curve: &Curve<'_>) -> Option<String> {
        let mut signs = vec![' '; self.width];
        let mut end = 0;
        for jump in &curve.jumps {
            let column = self.column(jump.at);
            let id: Vec<char> = cut(&plain(short(&jump.step.commit)), NAME).chars().collect();
            // Near the right edge, the id is on the left of its mark.
            let start =
                if column + 2 + id.len() <= self.width { column + 2 } else { column.saturating_sub(1 + id.len()) };
            if start.min(column) >= end {
                signs[start..(start + id.len()).min(self.width)]
                    .copy_from_slice(&id[..id.len().min(self.width - start)]);
                end = start + id.len() + 1;
            }
            signs[column] = '▲';
        }
        (!curve.jumps.is_empty()).then(|| signs.into_iter().collect())
    }

    /// Returns the names of the endpoints, with the legend between them if there is room.
    fn ends(&self, report: &ChangeReport, curve: &Curve<'_>) -> String {
        let good = report.good.first().map(|good| name(report, good)).unwrap_or_default();
        let bad = name(report, &report.bad);
        let room = self.width.saturating_sub(good.chars().count() + bad.chars().count());
        let timeout = if curve.points.iter().any(|(_, point)| point.censored > 0) { "  ↑ timeout" } else { "" };
        let legend = format!("● median  · measurement{timeout}");
        let legend = if legend.chars().count() + 4 <= room { legend } else { String::new() };
        format!("{good}{legend:^room$}{bad}")
    }
}

fn name(report: &ChangeReport, end: &str) -> String {
    let name = report.names.get(end).and_then(|names| names.first());
    cut(&plain(name.map_or_else(|| short(end), String::as_str)), NAME)
}

/// Returns the measurements of an endpoint over time, as one line of bars.
fn strip(report: &ChangeReport, controls: &Controls<'_>, unit: Option<&str>) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let numbers: Vec<f64> = controls.numbers.iter().map(|(_, number)| *number).collect();
    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let bar = |place: usize| {
        let share = if high > low { (numbers[place] - low) / (high - low) } else { 0.5 };
        BARS[(share * 7.0).round() as usize]
    };
    let bars: String = thinned(numbers.len(), CONTROLS).into_iter().map(bar).collect();
    let range = plain(&format!("{} to {}", amount(low, unit), amount(high, unit)));
    cut(&format!("{} over time: {bars} {range}", name(report, controls.end)), WIDTH)
}
