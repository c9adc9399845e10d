//! SVG of a history, without scripts, ids, links, and theme queries. Text has the color of the page.

use std::fmt::Write as _;

use firstbad::Find;
use firstbad::graph::CommitGraph;
use firstbad::search::Outcome;

use super::layout::Layout;
use super::marks::Marks;
use super::picture::{Has, Picture};
use super::sketch::{Sketch, Vertex};
use super::vertices::{Look, Looks, name_width};
use super::words::Words;
use crate::draw::markup::escaped;

const PASSES: &str = "#2b83c6";
const FAILS: &str = "#d2571a";
const UNRESOLVED: &str = "#8d73b8";

/// The radius of line corners.
const CORNER: f64 = 8.0;

/// The distance from the center of a commit to the frame of its name.
const NAME_SHIFT: f64 = 13.0;
const CULPRIT_NAME_SHIFT: f64 = 17.0;
const NAME_HALF: f64 = 9.5;
/// The gap between a name and a line that changes lanes.
const NAME_GAP: f64 = 3.0;

/// The frame of a name, which lines must not cross.
#[derive(Debug, Clone, Copy)]
struct NameFrame {
    left: f64,
    right: f64,
    lane: f64,
}

impl NameFrame {
    fn of(look: &Look, (x, y): (f64, f64)) -> Option<NameFrame> {
        let name = look.name.as_ref()?;
        let left = x + if look.culprit.is_some() { CULPRIT_NAME_SHIFT } else { NAME_SHIFT };
        Some(NameFrame { left, right: left + name_width(name), lane: y })
    }
}

/// SVG elements, grouped by their common attributes.
#[derive(Debug, Default)]
struct Parts {
    find: Find,
    lines: String,
    edges: String,
    folds: String,
    rings: String,
    passes: String,
    fails: String,
    unresolved: String,
    signs: String,
    frames: String,
    letters: String,
    labels: String,
    quiet: String,
    bold: String,
    name_frames: String,
    names: String,
}

pub(super) fn paint(
    graph: &CommitGraph,
    marks: &Marks<'_>,
    sketch: &Sketch,
    looks: &Looks,
    layout: &Layout,
) -> Picture {
    let words = Words { graph, marks };
    let mut parts = Parts { find: marks.find, ..Parts::default() };
    let frames = looks.each.iter().zip(&layout.centres).filter_map(|(look, &centre)| NameFrame::of(look, centre));
    parts.lines(&words, sketch, layout, &frames.collect::<Vec<_>>());
    for ((&vertex, look), &centre) in sketch.vertices.iter().zip(&looks.each).zip(&layout.centres) {
        match vertex {
            Vertex::Fold(fold) => parts.fold(fold.count, centre, look.half(), &words.fold(fold)),
            Vertex::Commit(node) => parts.commit(look, centre, &words.commit(node)),
        }
        parts.words(look, centre);
    }
    let width = layout.width.ceil();
    let is_culprit = |look: &&Look| look.culprit.is_some();
    let aim = looks.each.iter().zip(&layout.centres).find(|(look, _)| is_culprit(look)).map(|(_, (x, _))| x / width);
    let running = looks.each.iter().zip(&layout.centres).find(|(look, _)| look.is_running).map(|(_, (x, _))| x / width);
    let has_outcome = |outcome: Outcome| looks.each.iter().any(|look| look.outcome == Some(outcome) && !look.is_other);
    let has = Has {
        passes: has_outcome(Outcome::Pass),
        fails: has_outcome(Outcome::Fail),
        others: looks.each.iter().any(|look| look.is_other),
        unresolved: has_outcome(Outcome::Unresolved),
        not_run: !parts.rings.is_empty(),
        folds: !parts.folds.is_empty(),
        runs: marks.seen.values().any(|seen| seen.run.is_some()),
        suspects: looks.each.iter().any(|look| look.is_suspect),
    };
    let svg = parts.svg(width, layout.height, &words.title());
    Picture { svg, width: width as u32, aim: aim.or(running).unwrap_or(1.0), has }
}

fn path(data: &str) -> String {
    if data.is_empty() { String::new() } else { format!("<path d=\"{data}\"/>") }
}

/// Appends text. Writing to a `String` cannot fail.
fn write(text: &mut String, content: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(content);
}

/// Formats a number with at most one decimal place.
pub(super) fn number(number: f64) -> String {
    let text = format!("{number:.1}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_owned(),
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

impl Parts {
    fn lines(&mut self, words: &Words<'_>, sketch: &Sketch, layout: &Layout, names: &[NameFrame]) {
        for (link, corners) in sketch.links.iter().zip(&layout.lines) {
            let edge = words.marks.edges.iter().find(|edge| {
                let ends = (sketch.vertices[link.from], sketch.vertices[link.to]);
                edge.older.is_some_and(|older| ends == (Vertex::Commit(older), Vertex::Commit(edge.newer)))
            });
            match edge {
                None => self.lines += &round(corners, names),
                Some(edge) => {
                    let (path, title) = (zigzag(corners), escaped(&words.edge(edge)));
                    write(&mut self.edges, format_args!("<path d=\"{path}\"><title>{title}</title></path>"));
                }
            }
        }
    }

    fn fold(&mut self, count: usize, (x, y): (f64, f64), half: f64, title: &str) {
        let (left, top, wide, title) = (number(x - half), number(y - 9.0), number(2.0 * half), escaped(title));
        write(
            &mut self.folds,
            format_args!(
                "<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"18\" rx=\"9\"><title>{title}</title></rect>"
            ),
        );
        let (x, y) = (number(x), number(y + 4.0));
        write(&mut self.quiet, format_args!("<text x=\"{x}\" y=\"{y}\">⋯ {count}</text>"));
    }

    fn commit(&mut self, look: &Look, (x, y): (f64, f64), title: &str) {
        let title = escaped(title);
        let at = |dx: f64, dy: f64| (number(x + dx), number(y + dy));
        let (cx, cy) = at(0.0, 0.0);
        let letter = look.culprit.flatten();
        match look.outcome {
            None => write(
                &mut self.rings,
                format_args!("<circle cx=\"{cx}\" cy=\"{cy}\" r=\"3.5\"><title>{title}</title></circle>"),
            ),
            Some(Outcome::Pass) => {
                write(
                    &mut self.passes,
                    format_args!("<circle cx=\"{cx}\" cy=\"{cy}\" r=\"8\"><title>{title}</title></circle>"),
                );
                let (x, y) = at(-3.3, 0.0);
                if letter.is_none() {
                    write(&mut self.signs, format_args!("M{x} {y}l2.7 2.8 4.7-5.4"));
                }
            }
            Some(Outcome::Fail) if look.is_other => {
                let (left, top) = at(-7.0, -7.0);
                write(
                    &mut self.unresolved,
                    format_args!(
                        "<path d=\"M{left} {top}h14v14h-14zm3.8 3.8l6.4 6.4m0-6.4l-6.4 6.4\"><title>{title}</title></path>"
                    ),
                );
            }
            Some(Outcome::Fail) => {
                let (left, top) = at(-7.5, -7.5);
                write(
                    &mut self.fails,
                    format_args!(
                        "<rect x=\"{left}\" y=\"{top}\" width=\"15\" height=\"15\" rx=\"2\"><title>{title}</title></rect>"
                    ),
                );
                let (x, y) = at(-3.2, -3.2);
                if letter.is_none() {
                    write(&mut self.signs, format_args!("M{x} {y}l6.4 6.4m0-6.4l-6.4 6.4"));
                }
            }
            Some(Outcome::Unresolved) => {
                let (x, y) = at(0.0, -9.0);
                write(
                    &mut self.unresolved,
                    format_args!("<path d=\"M{x} {y}l9 9-9 9-9-9zm-3.2 9h6.4\"><title>{title}</title></path>"),
                );
            }
        }
        self.frame(look, (x, y));
        if let Some(letter) = letter {
            let (x, y) = at(0.0, 4.0);
            write(&mut self.letters, format_args!("<text x=\"{x}\" y=\"{y}\">{letter}</text>"));
        }
    }

    /// Draws the frames of culprits, suspects, and running tests.
    fn frame(&mut self, look: &Look, (x, y): (f64, f64)) {
        let (left, top) = (number(x - 11.0), number(y - 11.0));
        let colour = if self.find == Find::Regression { FAILS } else { PASSES };
        if look.culprit.is_some() {
            write(
                &mut self.frames,
                format_args!(
                    "<rect x=\"{left}\" y=\"{top}\" width=\"22\" height=\"22\" rx=\"4.5\" stroke=\"{colour}\" stroke-width=\"2\"/>"
                ),
            );
        } else if look.is_suspect {
            write(
                &mut self.frames,
                format_args!(
                    "<rect x=\"{left}\" y=\"{top}\" width=\"22\" height=\"22\" rx=\"4.5\" stroke=\"{colour}\" \
                     stroke-dasharray=\"3 2.4\" stroke-width=\"1.5\"/>"
                ),
            );
        }
        if look.is_running {
            let (x, y) = (number(x), number(y));
            write(
                &mut self.frames,
                format_args!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"8.5\" stroke=\"currentColor\" stroke-dasharray=\"3 2.4\" \
                     stroke-width=\"1.5\"/>"
                ),
            );
        }
    }

    /// Draws the labels and the name of a commit.
    fn words(&mut self, look: &Look, (x, y): (f64, f64)) {
        let far = if look.culprit.is_some() { 17.0 } else { 14.0 };
        let text =
            |words: &str, y: f64| format!("<text x=\"{}\" y=\"{}\">{}</text>", number(x), number(y), escaped(words));
        if let Some(above) = &look.above {
            let part = if look.bold.0 { &mut self.bold } else { &mut self.labels };
            *part += &text(above, y - far);
        }
        if let Some(below) = &look.below {
            let part = if look.bold.1 { &mut self.bold } else { &mut self.quiet };
            *part += &text(below, y + far + if look.culprit.is_some() { 8.0 } else { 7.0 });
        }
        if let Some((name, frame)) = look.name.as_ref().zip(NameFrame::of(look, (x, y))) {
            let (left, top) = (number(frame.left), number(y - NAME_HALF));
            let wide = number(frame.right - frame.left);
            write(
                &mut self.name_frames,
                format_args!("<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"19\" rx=\"4\"/>"),
            );
            let (x, y, name) = (number(frame.left + 6.0), number(y + 4.0), escaped(name));
            write(&mut self.names, format_args!("<text x=\"{x}\" y=\"{y}\">{name}</text>"));
        }
    }

    fn svg(self, width: f64, height: f64, title: &str) -> String {
        let title = escaped(title);
        let mut svg = format!(
            "<svg class=\"fb-g\" role=\"img\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" fill=\"none\" \
             font-family=\"ui-monospace,Menlo,Consolas,&#39;DejaVu Sans Mono&#39;,monospace\" font-size=\"10.5\" \
             text-anchor=\"middle\"><title>{title}</title>"
        );
        let edges = if self.find == Find::Regression { FAILS } else { PASSES };
        let groups = [
            (path(&self.lines), "stroke=\"currentColor\" stroke-opacity=\".4\" stroke-width=\"1.5\"".to_owned()),
            (self.edges, format!("stroke=\"{edges}\" stroke-width=\"3\" stroke-linejoin=\"round\"")),
            (self.folds, "fill=\"#808080\" fill-opacity=\".2\"".to_owned()),
            (
                self.rings,
                "stroke=\"currentColor\" stroke-opacity=\".65\" stroke-width=\"1.5\" fill=\"#808080\" fill-opacity=\"0\"".to_owned(),
            ),
            (self.passes, format!("fill=\"{PASSES}\"")),
            (self.fails, format!("fill=\"{FAILS}\"")),
            (
                self.unresolved,
                format!("stroke=\"{UNRESOLVED}\" stroke-width=\"1.8\" fill=\"{UNRESOLVED}\" fill-opacity=\".14\""),
            ),
            (path(&self.signs), "stroke=\"#fff\" stroke-width=\"1.9\" pointer-events=\"none\"".to_owned()),
            (self.frames, "pointer-events=\"none\"".to_owned()),
            (self.letters, "fill=\"#fff\" font-weight=\"700\" pointer-events=\"none\"".to_owned()),
            (self.labels, "fill=\"currentColor\"".to_owned()),
            (self.quiet, "fill=\"currentColor\" fill-opacity=\".75\" pointer-events=\"none\"".to_owned()),
            (self.bold, "fill=\"currentColor\" font-weight=\"700\"".to_owned()),
            (self.name_frames, "stroke=\"currentColor\" stroke-opacity=\".35\"".to_owned()),
            (self.names, "fill=\"currentColor\" font-size=\"11\" text-anchor=\"start\"".to_owned()),
        ];
        for (content, how) in groups.iter().filter(|(content, _)| !content.is_empty()) {
            write(&mut svg, format_args!("<g {how}>{content}</g>"));
        }
        svg + "</svg>"
    }
}

/// Returns a path with round corners and with gaps at names.
fn round(corners: &[(f64, f64)], names: &[NameFrame]) -> String {
    let corners = straightened(corners);
    let (Some(&(x, y)), Some(&(end_x, end_y))) = (corners.first(), corners.last()) else { return String::new() };
    let mut path = format!("M{} {}", number(x), number(y));
    let mut pen = (x, y);
    for window in corners.windows(3) {
        let (before, at, after) = (window[0], window[1], window[2]);
        let (from, to) = (towards(at, before), towards(at, after));
        straight(&mut path, pen, from, names);
        let (tx, ty) = (number(to.0), number(to.1));
        write(&mut path, format_args!("Q{} {} {tx} {ty}", number(at.0), number(at.1)));
        pen = to;
    }
    straight(&mut path, pen, (end_x, end_y), names);
    path
}

/// Appends a straight line with gaps at names.
fn straight(path: &mut String, pen: (f64, f64), to: (f64, f64), names: &[NameFrame]) {
    if (pen.0 - to.0).abs() < 1e-6 {
        let is_between = |y: f64| (pen.1.min(to.1)..=pen.1.max(to.1)).contains(&y);
        let far = NAME_HALF + NAME_GAP;
        let is_hit = |name: &&NameFrame| {
            (name.left - NAME_GAP..=name.right + NAME_GAP).contains(&to.0)
                && is_between(name.lane - far)
                && is_between(name.lane + far)
        };
        let mut gaps: Vec<f64> = names.iter().filter(is_hit).map(|name| name.lane).collect();
        let down = if to.1 < pen.1 { -1.0 } else { 1.0 };
        gaps.sort_unstable_by(|one, other| (down * one).total_cmp(&(down * other)));
        for lane in gaps {
            let (before, after) = (number(lane - down * far), number(lane + down * far));
            write(path, format_args!("V{before}M{} {after}", number(to.0)));
        }
    }
    write(path, format_args!("L{} {}", number(to.0), number(to.1)));
}

/// Returns the point at which the curve of a corner ends.
fn towards(at: (f64, f64), next: (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (next.0 - at.0, next.1 - at.1);
    let length = dx.abs() + dy.abs();
    let far = CORNER.min(length / 2.0);
    if length > 0.0 { (at.0 + dx / length * far, at.1 + dy / length * far) } else { at }
}

/// Removes corners on a straight line.
fn straightened(corners: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut left: Vec<(f64, f64)> = Vec::new();
    for &corner in corners {
        if let [.., before, at] = left[..] {
            let same = |one: f64, other: f64| (one - other).abs() < 1e-6;
            if (same(before.0, at.0) && same(at.0, corner.0)) || (same(before.1, at.1) && same(at.1, corner.1)) {
                left.pop();
            }
        }
        left.push(corner);
    }
    left
}

/// Returns a path with round corners and a zigzag near its end.
fn zigzag(corners: &[(f64, f64)]) -> String {
    let mut corners = corners.to_vec();
    let (Some(end), Some(&(before, _))) = (corners.pop(), corners.last()) else { return String::new() };
    let middle = before.max(end.0 - 50.0).midpoint(end.0);
    corners.push((middle - 6.0, end.1));
    format!("{}l3-6 6 12 3-6H{}", round(&corners, &[]), number(end.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_change_their_lane_leave_names_out() {
        let names =
            [NameFrame { left: 10.0, right: 50.0, lane: 100.0 }, NameFrame { left: 0.0, right: 9.0, lane: 60.0 }];
        let drawn = |from, to| {
            let mut path = String::new();
            straight(&mut path, from, to, &names);
            path
        };
        assert_eq!(drawn((20.0, 50.0), (20.0, 150.0)), "V87.5M20 112.5L20 150");
        assert_eq!(drawn((20.0, 150.0), (20.0, 50.0)), "V112.5M20 87.5L20 50");
        assert_eq!(drawn((10.0, 20.0), (10.0, 150.0)), "V47.5M10 72.5V87.5M10 112.5L10 150");
        // Lines beside a name or along a lane have no gap.
        assert_eq!(drawn((60.0, 50.0), (60.0, 150.0)), "L60 150");
        assert_eq!(drawn((0.0, 100.0), (80.0, 100.0)), "L80 100");
    }
}
