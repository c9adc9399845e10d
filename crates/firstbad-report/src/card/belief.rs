//! The figure of the probabilities by run.

use std::fmt::Write as _;

use firstbad::search::{Outcome, Search, TargetObservation};

use super::element::wide;
use super::figures::percent;
use crate::draw::{brief, escaped};

/// The largest suspects times runs with a figure, because the figure replays every run.
const MOST: usize = 300_000;
/// The largest number of runs with a figure, because the marks need space.
const RUNS: usize = 400;
/// The largest number of suspects with a line.
const LINES: usize = 8;

/// The probabilities of suspects and of a flake, before the first and after each run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Movement {
    /// The suspects with the highest peaks, sorted by their final probability.
    suspects: Vec<(String, Vec<f64>)>,
    nobody: Vec<f64>,
    runs: Vec<(String, Outcome)>,
}

impl Movement {
    /// Replays the observations. Returns `None` if there are too few or too many.
    pub(super) fn of(search: &dyn Search, observations: &[TargetObservation]) -> Option<Movement> {
        let now = search.inspect().posterior()?;
        if observations.len() < 2 || observations.len() > RUNS || now.len() * observations.len() > MOST {
            return None;
        }
        let mut again = search.fresh().ok()?;
        let mut steps: Vec<Vec<f64>> = Vec::new();
        let mut nobody = Vec::new();
        let mut runs = Vec::new();
        let mut look = |search: &dyn Search| {
            let posterior = search.inspect().posterior()?;
            steps.push((0..posterior.len()).map(|place| posterior.probability(place)).collect());
            nobody.push(posterior.no_culprit());
            Some(())
        };
        look(again.as_ref())?;
        for one in observations {
            again.observe(&one.target, one.observation.clone()).ok()?;
            look(again.as_ref())?;
            runs.push((one.target.revision.clone().unwrap_or_default(), one.observation.outcome));
        }
        let last = steps.last()?;
        let best = |place: usize| steps.iter().map(|step| step[place]).fold(0.0, f64::max);
        let mut places: Vec<usize> = (0..now.len()).collect();
        places.sort_by(|&one, &other| best(other).total_cmp(&best(one)));
        places.truncate(LINES);
        places.sort_by(|&one, &other| last[other].total_cmp(&last[one]));
        let line = |&place: &usize| (now.id(place).to_owned(), steps.iter().map(|step| step[place]).collect());
        Some(Movement { suspects: places.iter().map(line).collect(), nobody, runs })
    }

    /// Draws the figure and its legend. The line of `culprit` is thick.
    pub(super) fn figure(&self, culprit: Option<&str>) -> String {
        const LEFT: f64 = 42.0;
        const RIGHT: f64 = 278.0;
        let runs = self.runs.len();
        let x = |step: usize| LEFT + (RIGHT - LEFT) * step as f64 / runs as f64;
        let y = |share: f64| 128.0 - 116.0 * share.clamp(0.0, 1.0);
        let path = |line: &[f64]| {
            let corners: Vec<String> =
                line.iter().enumerate().map(|(step, &share)| format!("{:.0} {:.1}", x(step), y(share))).collect();
            format!("M{}", corners.join("L"))
        };
        let (named, others): (Vec<_>, Vec<_>) = self.suspects.iter().partition(|(id, _)| Some(id.as_str()) == culprit);
        let mut svg = self.frame(&named.iter().map(|(_, line)| line.last()).next().flatten().copied(), culprit, y);
        let mut draw = |words: std::fmt::Arguments<'_>| {
            // Writing to a `String` cannot fail.
            let _ = svg.write_fmt(words);
        };
        let thin: Vec<String> = others.iter().map(|(_, line)| path(line)).collect();
        draw(format_args!(
            "<path d=\"{}\" stroke=\"currentColor\" stroke-opacity=\".33\" stroke-linejoin=\"round\"/>\
             <path d=\"{}\" stroke=\"currentColor\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"/>",
            thin.concat(),
            path(&self.nobody)
        ));
        let end_of_nobody = y(self.nobody.last().copied().unwrap_or(0.0)) + 1.0;
        let mut below = end_of_nobody;
        if let [(id, line)] = &named[..] {
            let end = y(line.last().copied().unwrap_or(0.0));
            // Move the label "flake" away from the label of the culprit.
            if (end - below).abs() < 12.0 {
                below = if end < 70.0 { end + 14.0 } else { end - 12.0 };
            }
            draw(format_args!(
                "<path d=\"{}\" stroke=\"#d2571a\" stroke-width=\"2.5\" stroke-linejoin=\"round\"/>\
                 <rect x=\"274\" y=\"{:.1}\" width=\"8\" height=\"8\" rx=\"1\" fill=\"#d2571a\"/>\
                 <text x=\"286\" y=\"{:.1}\" fill=\"currentColor\" font-weight=\"700\">{}</text>",
                path(line),
                end - 4.0,
                end + 4.0,
                escaped(&crate::draw::cut(&brief(id), 8))
            ));
        }
        draw(format_args!("<text x=\"286\" y=\"{below:.1}\" fill=\"currentColor\">flake</text>"));
        for (step, (revision, outcome)) in (1..).zip(&self.runs) {
            let title = format!("Run {step}: {} {}", escaped(&brief(revision)), super::element::verb(*outcome));
            draw(format_args!("{}", mark(x(step), *outcome, &title, (RIGHT - LEFT) / runs as f64)));
        }
        draw(format_args!(
            "<text x=\"{:.0}\" y=\"165\" text-anchor=\"middle\" fill=\"currentColor\" fill-opacity=\".75\">1</text>\
             <text x=\"278\" y=\"165\" text-anchor=\"middle\" fill=\"currentColor\" fill-opacity=\".75\">{runs}</text></svg>",
            x(1)
        ));
        wide("Probability by run", &svg, 340, 1.0) + &self.legend()
    }

    fn legend(&self) -> String {
        let unresolved = if self.runs.iter().any(|(_, outcome)| *outcome == Outcome::Unresolved) {
            "<span><i class=\"fb-u\">◆</i> unresolved</span> "
        } else {
            ""
        };
        format!(
            "<p class=\"fb-l\"><span><i class=\"fb-p\">●</i> passes</span> <span><i class=\"fb-f\">■</i> fails</span> {unresolved}\
             <span>dashed: flake</span> <span>thin: other suspects</span></p>"
        )
    }

    /// Draws the axes.
    fn frame(&self, end: &Option<f64>, culprit: Option<&str>, y: impl Fn(f64) -> f64) -> String {
        let runs = self.runs.len();
        let flake = percent(self.nobody.last().copied().unwrap_or(0.0));
        let ends = end
            .zip(culprit)
            .map_or(String::new(), |(end, culprit)| format!("{} ends at {}, ", escaped(&brief(culprit)), percent(end)));
        let mut svg = format!(
            "<svg class=\"fb-g\" role=\"img\" width=\"340\" height=\"170\" viewBox=\"0 0 340 170\" fill=\"none\" \
             font-family=\"ui-monospace,Menlo,Consolas,&#39;DejaVu Sans Mono&#39;,monospace\" font-size=\"10.5\">\
             <title>Probabilities after {runs} runs: {ends}a flake at {flake}</title>"
        );
        for (share, opacity) in [(0.0, 0.32), (0.5, 0.16), (1.0, 0.16)] {
            let (at, below, shown) = (y(share), y(share) + 4.0, 100.0 * share);
            // Writing to a `String` cannot fail.
            let _ = write!(
                svg,
                "<path d=\"M42 {at:.0}H278\" stroke=\"currentColor\" stroke-opacity=\"{opacity}\"/>\
                 <text x=\"36\" y=\"{below:.0}\" text-anchor=\"end\" fill=\"currentColor\" fill-opacity=\".75\">{shown}%</text>"
            );
        }
        svg
    }
}

/// Draws the mark of a run below the axes. Marks are narrower if there are many runs.
fn mark(x: f64, outcome: Outcome, title: &str, room: f64) -> String {
    let half = (room / 2.0 - 0.8).clamp(0.5, 4.0);
    let title = format!("<title>{title}</title>");
    match outcome {
        Outcome::Pass => format!("<circle cx=\"{x:.1}\" cy=\"145\" r=\"{half:.1}\" fill=\"#2b83c6\">{title}</circle>"),
        Outcome::Fail => format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"1\" fill=\"#d2571a\">{title}</rect>",
            x - half,
            145.0 - half,
            2.0 * half,
            2.0 * half
        ),
        Outcome::Unresolved => format!(
            "<path d=\"M{x:.1} {:.1}l{half:.1} {half:.1}-{half:.1} {half:.1}-{half:.1}-{half:.1}z\" fill=\"#8d73b8\">{title}</path>",
            145.0 - half
        ),
    }
}
