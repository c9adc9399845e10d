//! SVG pictures without scripts, links, and ids, for light themes, dark themes, and paper.

use std::fmt::Write as _;

use super::markup::{cut, escaped};

/// The width of a picture in SVG units.
pub(crate) const WIDTH: f64 = 640.0;

/// The font size. Tick labels are legible from a width of 400 pixels.
pub(crate) const LETTERS: f64 = 16.0;

/// The kind of a mark. The colors are visible on white and on black.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A disc for results.
    Disc,
    /// A triangle for inputs.
    Triangle,
    Diamond,
}

impl Mark {
    pub(crate) fn colour(self) -> &'static str {
        match self {
            Mark::Disc => "#12899f",
            Mark::Triangle => "#a87414",
            Mark::Diamond => "#8d73b8",
        }
    }
}

/// The horizontal alignment of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn as_str(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// An SVG picture.
#[derive(Debug)]
pub(crate) struct Svg {
    text: String,
}

impl Svg {
    /// Creates an empty picture with a title. `says` describes the picture for screen readers.
    pub(crate) fn new(height: f64, title: &str, says: &str) -> Svg {
        let mut svg = Svg { text: String::new() };
        let (shown, said) = (escaped(title), escaped(says));
        svg.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"firstbad-figure\" role=\"img\" width=\"{WIDTH}\" height=\"{height}\" \
             viewBox=\"0 0 {WIDTH} {height}\" style=\"max-width:100%;height:auto\" font-family=\"system-ui, sans-serif\" \
             font-size=\"{LETTERS}\">"
        ));
        svg.line(format_args!("<title>{shown}</title>"));
        svg.line(format_args!("<desc>{said}</desc>"));
        // Programs without media queries draw the light theme.
        svg.line(format_args!(
            "<style>@media screen and (prefers-color-scheme: dark) {{ .firstbad-figure .paper {{ fill: #111 }} \
             .firstbad-figure .ink {{ fill: #eee }} .firstbad-figure .line {{ stroke: #eee }} }}</style>"
        ));
        svg.line(format_args!("<rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>"));
        svg.line(format_args!(
            "<text class=\"ink\" x=\"16\" y=\"28\" font-size=\"18\" font-weight=\"600\" fill=\"#222\">{shown}</text>"
        ));
        svg
    }

    fn line(&mut self, content: std::fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.text, "{content}");
    }

    pub(crate) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, words: &str) {
        let (anchor, words) = (anchor.as_str(), escaped(&cut(words, 90)));
        self.line(format_args!(
            "<text class=\"ink\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"#222\">{words}</text>"
        ));
    }

    /// Draws vertical text, which is read from bottom to top.
    pub(crate) fn upright(&mut self, (x, y): (f64, f64), words: &str) {
        let words = escaped(words);
        self.line(format_args!(
            "<text class=\"ink\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"middle\" fill=\"#222\">{words}</text>"
        ));
    }

    /// Draws a grid line.
    pub(crate) fn rule(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.stroke(from, to, "stroke=\"#808080\" stroke-opacity=\".3\"");
    }

    /// Draws an axis.
    pub(crate) fn axis(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.stroke(from, to, "class=\"line\" stroke=\"#222\"");
    }

    /// Draws a line in the secondary color.
    pub(crate) fn aside(&mut self, from: (f64, f64), to: (f64, f64), dashes: bool) {
        let dashes = if dashes { " stroke-dasharray=\"5 4\"" } else { "" };
        self.stroke(from, to, &format!("stroke=\"#8a8f96\" stroke-width=\"2\"{dashes}"));
    }

    /// Draws a polyline in the secondary color.
    pub(crate) fn path(&mut self, corners: &[(f64, f64)]) {
        let points = points(corners);
        self.line(format_args!("<polyline points=\"{points}\" fill=\"none\" stroke=\"#8a8f96\" stroke-width=\"2\"/>"));
    }

    fn stroke(&mut self, from: (f64, f64), to: (f64, f64), how: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.line(format_args!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {how}/>"));
    }

    /// Draws a bar from its top left corner.
    pub(crate) fn bar(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), mark: Mark, title: &str) {
        let (colour, title) = (mark.colour(), escaped(title));
        self.line(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"2\" fill=\"{colour}\">\
             <title>{title}</title></rect>"
        ));
    }

    /// Draws a mark with a tooltip.
    pub(crate) fn mark(&mut self, (x, y): (f64, f64), mark: Mark, title: &str) {
        let shape = match mark {
            Mark::Disc => format!("circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\""),
            Mark::Triangle => polygon(&[(x - 9.5, y - 7.0), (x + 9.5, y - 7.0), (x, y + 10.0)]),
            Mark::Diamond => polygon(&[(x, y - 12.0), (x + 12.0, y), (x, y + 12.0), (x - 12.0, y)]),
        };
        let name = shape.split(' ').next().unwrap_or_default();
        let (colour, title) = (mark.colour(), escaped(title));
        // Only discs are filled and other marks are wider, so overlapping marks stay visible.
        let how = match mark {
            Mark::Disc => format!("fill=\"{colour}\""),
            Mark::Triangle | Mark::Diamond => {
                format!("fill=\"{colour}\" fill-opacity=\".12\" stroke=\"{colour}\" stroke-width=\"2.5\"")
            }
        };
        self.line(format_args!("<{shape} {how}><title>{title}</title></{name}>"));
    }

    pub(crate) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

fn polygon(corners: &[(f64, f64)]) -> String {
    format!("polygon points=\"{}\"", points(corners))
}

fn points(corners: &[(f64, f64)]) -> String {
    let points: Vec<String> = corners.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    points.join(" ")
}
