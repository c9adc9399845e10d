//! A change in numbers as an SVG picture.

use firstbad::ChangeReport;
use firstbad::metric::{MetricChange, SeriesPoint, amount};

use super::curve::{Controls, Curve, Jump, controls, thinned};
use super::words::signed;
use crate::draw::{brief, cut, escaped};

/// The width of the picture.
pub(crate) const WIDTH: u32 = 720;
const LEFT: f64 = 76.0;
const RIGHT: f64 = WIDTH as f64 - 18.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 244.0;
/// The height of the picture without the controls.
const HEIGHT: f64 = 288.0;
/// The height of the measurements of the endpoints over time.
const STRIP: f64 = 96.0;
/// The largest number of revisions, and of dots.
const REVISIONS: usize = 200;
const DOTS: usize = 400;

const STEP: &str = "#d2571a";
const DOT: &str = "#2b83c6";

/// The themes of a picture without a page. Programs without media queries draw the light theme.
const THEMES: &str = "<style>@media screen and (prefers-color-scheme: dark) { .firstbad-figure { color: #eee } \
                      .firstbad-figure .paper { fill: #111 } }</style>\
                      <rect class=\"paper\" width=\"720\" height=\"500\" fill=\"#fff\"/>";

/// Draws the numbers of each measured revision, the fitted steps, and the measurements of the endpoints over time, as an SVG file
/// for light and dark themes.
#[must_use]
pub fn change_svg(report: &ChangeReport) -> String {
    let svg = picture(report, &report.main).unwrap_or_else(|| {
        let words = "No revision has a number";
        let label = label((18.0, 25.0), "start", "", words);
        format!("{}{label}</svg>", start(0.0, 40.0, words))
    });
    let svg = svg.replacen(
        "<svg class=\"fb-g\"",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"firstbad-figure\" color=\"#222\"",
        1,
    );
    svg.replacen("</title>", &format!("</title>{THEMES}"), 1) + "\n"
}

/// Returns the start of a picture.
fn start(top: f64, height: f64, title: &str) -> String {
    format!(
        "<svg class=\"fb-g\" role=\"img\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 {top} {WIDTH} {height}\" fill=\"none\" \
         font-family=\"system-ui,sans-serif\" font-size=\"12\"><title>{}</title>",
        escaped(title)
    )
}

/// Draws a metric for a card. Returns `None` without a measurement.
pub(crate) fn picture(report: &ChangeReport, of: &MetricChange) -> Option<String> {
    let curve = Curve::new(report, of)?;
    let controls = if of.exact { Vec::new() } else { controls(report, of) };
    // Without a step, there is no name above the plot.
    let top = if curve.jumps.is_empty() { TOP - 12.0 } else { 0.0 };
    let height = HEIGHT - top + if controls.is_empty() { 0.0 } else { STRIP };
    let mut svg = start(top, height, &title(&curve));
    svg += &frame(&curve);
    svg += &ends(report);
    curve.jumps.iter().filter(|_| !of.exact).for_each(|jump| svg += &band(&curve, jump));
    svg += &dots(&curve);
    svg += &fitted(&curve);
    svg += &medians(&curve);
    svg += &marks(report, &curve);
    svg += &legend(&curve);
    if !controls.is_empty() {
        svg += &strip(report, of, &controls);
    }
    Some(svg + "</svg>")
}

/// Returns the place of the first step from 0 to 1, where a narrow page shows the picture first.
pub(crate) fn aim(report: &ChangeReport, of: &MetricChange) -> f64 {
    let at = Curve::new(report, of).and_then(|curve| Some(curve.jumps.first()?.at));
    at.map_or(0.0, |at| x(at) / f64::from(WIDTH))
}

fn title(curve: &Curve<'_>) -> String {
    let unit = curve.of.unit.as_deref();
    let steps = curve.jumps.iter().map(|jump| {
        let (before, after) = (amount(jump.step.before, unit), amount(jump.step.after, unit));
        format!(", {before} before {} and {after} at it", brief(&jump.step.commit))
    });
    format!("Numbers of {} measured revisions{}", curve.points.len(), steps.take(5).collect::<String>())
}

fn x(at: f64) -> f64 {
    LEFT + 10.0 + at * (RIGHT - LEFT - 20.0)
}

fn y(curve: &Curve<'_>, number: f64) -> f64 {
    BOTTOM - curve.height(number) * (BOTTOM - TOP)
}

/// Returns a text. The words are escaped here.
fn label((x, y): (f64, f64), anchor: &str, more: &str, words: &str) -> String {
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"currentColor\"{more}>{}</text>",
        escaped(words)
    )
}

const MUTED: &str = " fill-opacity=\".75\"";

/// Draws the axes.
fn frame(curve: &Curve<'_>) -> String {
    let mut svg = format!("<path d=\"M{LEFT} {BOTTOM}H{RIGHT}\" stroke=\"currentColor\" stroke-opacity=\".32\"/>");
    for (number, text) in curve.ticks(5) {
        let at = y(curve, number);
        svg += &format!("<path d=\"M{LEFT} {at:.1}H{RIGHT}\" stroke=\"currentColor\" stroke-opacity=\".14\"/>");
        svg += &label((LEFT - 8.0, at + 4.0), "end", MUTED, &cut(&text, 12));
    }
    svg
}

fn ends(report: &ChangeReport) -> String {
    let good = report.good.first().map(|good| name(report, good)).unwrap_or_default();
    label((LEFT, BOTTOM + 17.0), "start", "", &good)
        + &label((RIGHT, BOTTOM + 17.0), "end", "", &name(report, &report.bad))
}

/// Returns the name of an endpoint, or its short id.
fn name(report: &ChangeReport, end: &str) -> String {
    let name = report.names.get(end).and_then(|names| names.first());
    name.map_or_else(|| brief(end), |name| cut(name, 24))
}

/// Draws the 95% interval of the number after a step.
fn band(curve: &Curve<'_>, jump: &Jump<'_>) -> String {
    let (low, high) = (y(curve, jump.band.0), y(curve, jump.band.1));
    let (from, to) = (x(jump.from), x(jump.to));
    format!(
        "<rect x=\"{from:.1}\" y=\"{high:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{STEP}\" fill-opacity=\".16\"/>",
        (to - from).max(0.0),
        (low - high).max(0.0)
    )
}

/// Draws the measurements. They are spread around their revision in the order in which they were made.
fn dots(curve: &Curve<'_>) -> String {
    let points = thinned(curve.points.len(), REVISIONS);
    let most = (DOTS / points.len().max(1)).max(2);
    let mut svg = String::new();
    for place in points {
        let (at, point) = curve.points[place];
        let room = room(curve, place);
        for value in thinned(point.values.len(), most) {
            let turn = (0.5 + 0.618_034 * value as f64).fract() - 0.5;
            let center = (x(at) + room * turn, y(curve, point.values[value]));
            let number = amount(point.values[value], curve.of.unit.as_deref());
            let shape = if curve.is_limit(point, value) { Shape::Triangle } else { Shape::Disc };
            svg += &dot(center, shape, &format!("{}: {number}", brief(&point.revision)));
        }
    }
    svg
}

/// Returns the width that the measurements of a revision can have.
fn room(curve: &Curve<'_>, place: usize) -> f64 {
    let at = curve.points[place].0;
    let gap = |other: Option<&(f64, &SeriesPoint)>| other.map_or(f64::INFINITY, |other| (x(other.0) - x(at)).abs());
    let before = gap(place.checked_sub(1).and_then(|before| curve.points.get(before)));
    (0.7 * before.min(gap(curve.points.get(place + 1)))).min(14.0)
}

/// The shape of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Disc,
    /// A measurement of the bad revision over time.
    Square,
    /// A number that is only a limit.
    Triangle,
}

fn dot((x, y): (f64, f64), shape: Shape, title: &str) -> String {
    let (element, outline, colour) = match shape {
        Shape::Disc => ("circle", format!("cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\""), DOT),
        Shape::Square => {
            ("rect", format!("x=\"{:.1}\" y=\"{:.1}\" width=\"5.6\" height=\"5.6\"", x - 2.8, y - 2.8), STEP)
        }
        Shape::Triangle => ("path", format!("d=\"M{x:.1} {:.1}l4 7h-8z\"", y - 4.0), DOT),
    };
    format!("<{element} {outline} fill=\"{colour}\" fill-opacity=\".8\"><title>{}</title></{element}>", escaped(title))
}

fn fitted(curve: &Curve<'_>) -> String {
    let corners: Vec<String> =
        curve.fitted().iter().map(|(at, number)| format!("{:.1} {:.1}", x(*at), y(curve, *number))).collect();
    if corners.is_empty() {
        return String::new();
    }
    format!("<path d=\"M{}\" stroke=\"{STEP}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>", corners.join("L"))
}

fn medians(curve: &Curve<'_>) -> String {
    let lines = thinned(curve.points.len(), REVISIONS).into_iter().map(|place| {
        let (at, point) = curve.points[place];
        let half = (0.5 * room(curve, place) + 1.0).max(3.0);
        format!("M{:.1} {:.1}h{:.1}", x(at) - half, y(curve, point.median), 2.0 * half)
    });
    format!("<path d=\"{}\" stroke=\"currentColor\" stroke-width=\"2\"/>", lines.collect::<String>())
}

/// Draws the commits that changed the number: a square on the axis, and the id above the plot.
fn marks(report: &ChangeReport, curve: &Curve<'_>) -> String {
    let mut svg = String::new();
    let mut end = 0.0;
    let is_single = curve.jumps.len() == 1;
    for jump in &curve.jumps {
        let at = x(jump.at);
        svg += &format!(
            "<path d=\"M{at:.1} {:.1}V{BOTTOM}\" stroke=\"{STEP}\" stroke-dasharray=\"2 3\"/>\
             <rect x=\"{:.1}\" y=\"{:.1}\" width=\"8\" height=\"8\" rx=\"1\" fill=\"{STEP}\"/>",
            TOP - 10.0,
            at - 4.0,
            BOTTOM - 4.0
        );
        let subject = report.commits.get(&jump.step.commit).filter(|_| is_single).map(|commit| commit.subject.as_str());
        let words = [&jump.name, &*brief(&jump.step.commit), subject.unwrap_or_default()].join(" ");
        let words = cut(words.trim(), 60);
        // Letters of this size are about 6.4 wide.
        let width = 6.4 * words.chars().count() as f64;
        let is_left = at + width > RIGHT && at - width > LEFT;
        let (start, anchor) = if is_left { (at - width, "end") } else { (at, "start") };
        if start >= end {
            let start = if is_left { at } else { at.min(RIGHT - width).max(LEFT) };
            svg += &label((start, TOP - 15.0), anchor, " font-weight=\"600\"", &words);
            end = if is_left { at } else { at + width } + 8.0;
        }
    }
    svg
}

fn legend(curve: &Curve<'_>) -> String {
    let mut x = LEFT;
    let mut svg = String::new();
    let at = HEIGHT - 12.0;
    let mut entry = |sign: String, words: &str| {
        svg += &sign;
        svg += &label((x + 14.0, at + 4.0), "start", MUTED, words);
        x += 38.0 + 6.8 * words.len() as f64;
        x
    };
    let mut next = entry(dot((LEFT + 4.0, at), Shape::Disc, "measurement"), "measurement");
    if curve.points.iter().any(|(_, point)| point.censored > 0) {
        next = entry(dot((next + 4.0, at), Shape::Triangle, "timeout"), "timeout");
    }
    let line = |x: f64, colour: &str| format!("<path d=\"M{x:.1} {at}h9\" stroke=\"{colour}\" stroke-width=\"2\"/>");
    next = entry(line(next, "currentColor"), "median");
    if !curve.jumps.is_empty() {
        let words = if curve.of.exact { "fitted" } else { "fitted, with the 95% interval of the step" };
        entry(line(next, STEP), words);
    }
    svg
}

/// Draws the measurements of the endpoints over time, in percent of their medians.
fn strip(report: &ChangeReport, of: &MetricChange, controls: &[Controls<'_>]) -> String {
    let (top, bottom) = (HEIGHT + 34.0, HEIGHT + STRIP - 10.0);
    let is_relative = controls.iter().all(|one| one.median > 0.0);
    let apart = |one: &Controls<'_>, number: f64| match is_relative {
        true => number / one.median - 1.0,
        false => number - one.median,
    };
    let all = || controls.iter().flat_map(|one| one.numbers.iter().map(move |&(order, number)| (one, order, number)));
    let most = all().map(|(one, _, number)| apart(one, number).abs()).fold(0.0, f64::max);
    let last = all().map(|(_, order, _)| order).max().unwrap_or_default().max(1);
    let middle = f64::midpoint(top, bottom);
    let words = "Endpoints over time, each relative to its median";
    let mut svg = label((LEFT, HEIGHT + 22.0), "start", MUTED, words);
    let tick = |number: f64| match is_relative {
        true => signed(&firstbad::metric::percent(100.0 * number)),
        false => signed(&amount(number, of.unit.as_deref())),
    };
    for (at, number) in [(top, most), (middle, 0.0), (bottom, -most)] {
        svg += &format!("<path d=\"M{LEFT} {at:.1}H{RIGHT}\" stroke=\"currentColor\" stroke-opacity=\".14\"/>");
        if most > 0.0 || number == 0.0 && at == middle {
            svg += &label((LEFT - 8.0, at + 4.0), "end", MUTED, &cut(&tick(number), 12));
        }
    }
    let mut next = RIGHT;
    for one in controls.iter().rev() {
        let shape = if one.is_bad { Shape::Square } else { Shape::Disc };
        let end = name(report, one.end);
        svg += &label((next, HEIGHT + 22.0), "end", MUTED, &end);
        next -= 7.2 * end.chars().count() as f64 + 14.0;
        svg += &dot((next + 4.0, HEIGHT + 18.0), shape, &end);
        next -= 14.0;
        for place in thinned(one.numbers.len(), DOTS / 2) {
            let (order, number) = one.numbers[place];
            let share = if most > 0.0 { apart(one, number) / most } else { 0.0 };
            let center = (x(order as f64 / last as f64), middle - share * (bottom - middle));
            let what = format!("{end}, measurement {}: {}", order + 1, amount(number, of.unit.as_deref()));
            svg += &dot(center, shape, &what);
        }
    }
    svg
}
