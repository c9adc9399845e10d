//! Figures of patch sizes: along the walk, before and after reduction, and in the fixpoint (IDD, Figures 9 to 25).

use std::collections::BTreeMap;

use firstbad::porting::{PorterReduction, PorterStep, Purpose, ReductionResult, StepOutcome};
use firstbad::{Error, PorterReport, short};

use super::words::sizes as sizes_of;
use crate::draw::{Anchor, Axis, Mark, Svg, WIDTH, cut};

/// The left edge of a plot.
const LEFT: f64 = 72.0;
const RIGHT: f64 = WIDTH - 24.0;

/// The height of a plot of sizes.
const HEIGHT: f64 = 220.0;

/// The approximate maximum width of a letter in a name.
const LETTER: f64 = 10.0;

/// The largest number of bars that are readable.
const BARS: usize = 16;

/// The largest number of characters of a name.
const NAME: usize = 16;

/// The largest number of listed reductions at one version.
const TOLD: usize = 8;

/// A figure of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// The sizes of patches along the walk, before and after reduction (IDD, Figures 9 to 22).
    Sizes,
    /// The size of each patch before and after its reduction (Figures 23 and 24).
    Reductions,
    /// The part of each patch that later rounds removed, until a fixpoint (Figure 25).
    Fixpoint,
}

impl Figure {
    /// All figures.
    pub const ALL: [Figure; 3] = [Figure::Sizes, Figure::Reductions, Figure::Fixpoint];

    /// Returns the name: `sizes`, `reductions`, or `fixpoint`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Figure::Sizes => "sizes",
            Figure::Reductions => "reductions",
            Figure::Fixpoint => "fixpoint",
        }
    }
}

impl std::str::FromStr for Figure {
    type Err = Error;

    /// # Errors
    /// [`Error::InvalidArgument`] if there is no such figure.
    fn from_str(name: &str) -> Result<Figure, Error> {
        Figure::ALL.into_iter().find(|figure| figure.as_str() == name).ok_or_else(|| {
            let names = Figure::ALL.map(|figure| format!("{:?}", figure.as_str()));
            Error::invalid("figure", name, format!("one of {}", names.join(", ")))
        })
    }
}

/// Returns a figure as an SVG file without scripts and links. If the report has no data for it, the figure says so.
#[must_use]
pub fn svg(report: &PorterReport, figure: Figure) -> String {
    match figure {
        Figure::Sizes => sizes(report),
        Figure::Reductions => reductions(&report.reductions),
        Figure::Fixpoint => fixpoint(&report.reductions),
    }
}

/// Draws a picture that contains only text.
fn words(title: &str, words: &str) -> String {
    let mut svg = Svg::new(84.0, title, words);
    svg.text((16.0, 60.0), Anchor::Start, words);
    svg.finish()
}

/// Shortens a revision for a figure. A sha has eight characters.
fn named(revision: &str) -> String {
    let short = short(revision);
    if short.len() < revision.len() { short[..8].to_owned() } else { cut(revision, NAME) }
}

/// Describes a reduction.
fn described(made: &PorterReduction) -> String {
    let why = made.reason.map(|reason| format!(" ({})", reason.words())).unwrap_or_default();
    format!("{}, {}{why}: changes {}", named(&made.revision), made.purpose.as_str(), sizes_of(made))
}

/// Formats a count for an axis.
fn short_count(count: usize) -> String {
    match count {
        1_000_000.. => format!("{}M", count / 1_000_000),
        10_000.. => format!("{}k", count / 1000),
        _ => count.to_string(),
    }
}

/// Draws the legend in one line.
fn legend(svg: &mut Svg, y: f64, marks: &[(Mark, &str)]) -> f64 {
    let mut x = 24.0;
    for (mark, words) in marks {
        svg.mark((x, y - 5.0), *mark, words);
        svg.text((x + 20.0, y), Anchor::Start, words);
        x += 48.0 + 8.2 * words.len() as f64;
    }
    x
}

/// A walk in one direction.
struct Panel<'r> {
    forward: bool,
    steps: Vec<&'r PorterStep>,
    reductions: Vec<&'r PorterReduction>,
}

impl<'r> Panel<'r> {
    fn of(report: &'r PorterReport, forward: bool) -> Panel<'r> {
        let along = [Purpose::Walk, if forward { Purpose::Forward } else { Purpose::Carried }];
        let is_here = |made: &&PorterReduction| made.forward == forward && along.contains(&made.purpose);
        Panel {
            forward,
            steps: report.steps.iter().filter(|step| step.forward == forward).collect(),
            reductions: report.reductions.iter().filter(is_here).collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.reductions.is_empty() && self.steps.iter().all(|step| step.patch == 0)
    }

    fn sizes(&self) -> impl Iterator<Item = usize> {
        let reduced = self.reductions.iter().flat_map(|made| [Some(made.before), made.after]).flatten();
        self.steps.iter().map(|step| step.patch).chain(reduced)
    }

    /// Returns the positions that kept the outcome with their numbers of changes, in walk order.
    fn kept(&self) -> Vec<(i64, usize)> {
        let mut kept: Vec<(i64, usize)> =
            self.steps.iter().filter(|step| step.outcome == StepOutcome::Kept).map(|s| (s.place, s.patch)).collect();
        kept.extend(
            self.reductions
                .iter()
                .filter(|made| made.purpose == Purpose::Walk)
                .filter_map(|m| Some((m.place, m.after?))),
        );
        kept.sort_by_key(|&(place, _)| place);
        if self.forward {
            kept.reverse();
        }
        kept
    }

    /// Returns the oldest and the newest position.
    fn ends(&self) -> (i64, i64) {
        let places = || self.steps.iter().map(|step| step.place).chain(self.reductions.iter().map(|made| made.place));
        (places().max().unwrap_or_default(), places().min().unwrap_or_default())
    }
}

fn sizes(report: &PorterReport) -> String {
    let title = "Sizes of the patches";
    let panels: Vec<Panel> =
        [false, true].map(|forward| Panel::of(report, forward)).into_iter().filter(|panel| !panel.is_empty()).collect();
    if panels.is_empty() {
        return words(title, "No patch was needed.");
    }
    let reduced = panels.iter().map(|panel| panel.reductions.len()).sum::<usize>();
    let says = format!("A patch was reduced at {reduced} revisions. Newer revisions are to the right.");
    let height = 84.0 + panels.len() as f64 * (HEIGHT + 96.0);
    let mut svg = Svg::new(height, title, &says);
    let x = legend(&mut svg, 60.0, &[(Mark::Triangle, "before reduction"), (Mark::Disc, "after it")]);
    svg.aside((x - 8.0, 55.0), (x + 16.0, 55.0), false);
    svg.text((x + 24.0, 60.0), Anchor::Start, "carried on");
    for (number, panel) in panels.iter().enumerate() {
        panel.draw(&mut svg, 112.0 + number as f64 * (HEIGHT + 96.0), report);
    }
    svg.finish()
}

impl Panel<'_> {
    fn draw(&self, svg: &mut Svg, top: f64, report: &PorterReport) {
        let bottom = top + HEIGHT;
        let axis = Axis::new(self.sizes(), bottom, top + 12.0);
        let (oldest, newest) = self.ends();
        let newer = |place: i64| oldest as f64 - place as f64;
        let x = |place: i64| LEFT + 16.0 + newer(place) / newer(newest).max(1.0) * (RIGHT - LEFT - 48.0);
        svg.text((LEFT, top - 8.0), Anchor::Start, if self.forward { "Forward, with the fix" } else { "Back" });
        for tick in axis.ticks() {
            svg.rule((LEFT, axis.at(tick)), (RIGHT, axis.at(tick)));
            svg.text((LEFT - 8.0, axis.at(tick) + 5.0), Anchor::End, &short_count(tick));
        }
        svg.upright(
            (20.0, f64::midpoint(top, bottom)),
            if axis.logarithmic { "changes (log scale)" } else { "changes" },
        );
        let kept = self.kept();
        let mut corners: Vec<(f64, f64)> = Vec::new();
        for &(place, size) in &kept {
            // The size stays the same up to this position.
            corners.extend(corners.last().map(|&(_, before)| (x(place), before)));
            corners.push((x(place), axis.at(size)));
        }
        svg.path(&corners);
        let good = self.steps.iter().find(|step| Some(&step.revision) == report.good.as_ref() && !self.forward);
        if let (Some(good), Some(&end)) = (good, corners.last()) {
            svg.aside(end, (x(good.place), end.1), true);
        }
        for made in &self.reductions {
            let (at, title) = (x(made.place), described(made));
            if let Some(after) = made.after {
                svg.rule((at, axis.at(made.before)), (at, axis.at(after)));
            }
            svg.mark((at, axis.at(made.before)), Mark::Triangle, &title);
            if let Some(after) = made.after {
                svg.mark((at, axis.at(after)), Mark::Disc, &title);
            }
        }
        svg.axis((LEFT, bottom), (RIGHT, bottom));
        for step in &self.steps {
            svg.axis((x(step.place), bottom), (x(step.place), bottom + 5.0));
        }
        self.name(svg, bottom + 24.0, &x, report);
        svg.text((f64::midpoint(LEFT, RIGHT), bottom + 48.0), Anchor::Middle, "revisions, older to the left");
    }

    /// Draws the names on the axis that fit, the most important first.
    fn name(&self, svg: &mut Svg, y: f64, x: &impl Fn(i64) -> f64, report: &PorterReport) {
        let good = self.steps.iter().filter(|step| Some(&step.revision) == report.good.as_ref());
        let ends = self.steps.iter().filter(|step| [self.ends().0, self.ends().1].contains(&step.place));
        let reduced = self.steps.iter().filter(|step| step.outcome == StepOutcome::Reduced);
        let mut taken: Vec<(f64, f64)> = Vec::new();
        for step in good.chain(ends).chain(reduced) {
            let passes = if Some(&step.revision) == report.good.as_ref() { " passes" } else { "" };
            let name = named(&step.revision) + passes;
            let half = LETTER * name.chars().count() as f64 / 2.0;
            let at = x(step.place).clamp(half + 8.0, (WIDTH - half - 8.0).max(half + 8.0));
            if taken.iter().all(|&(from, to)| at - half >= to || at + half <= from) {
                svg.text((at, y), Anchor::Middle, &name);
                taken.push((at - half, at + half));
            }
        }
    }
}

fn reductions(made: &[PorterReduction]) -> String {
    let title = "Patches before and after reduction";
    let ended: Vec<(&PorterReduction, usize)> = made.iter().filter_map(|made| Some((made, made.after?))).collect();
    if ended.is_empty() {
        return words(title, none(made));
    }
    let says = format!("{} reductions. Points far below the dashed line are large reductions.", ended.len());
    let (top, bottom) = (92.0, 520.0);
    let mut svg = Svg::new(bottom + 64.0, title, &says);
    let kinds = [
        (Mark::Disc, "walk back"),
        (Mark::Triangle, "walk forward"),
        (Mark::Diamond, "carried, cause, repair, figure2, forward"),
    ];
    let shown: Vec<(Mark, &str)> =
        kinds.into_iter().filter(|(mark, _)| ended.iter().any(|(made, _)| kind(made) == *mark)).collect();
    legend(&mut svg, 60.0, &shown);
    let y = Axis::new(ended.iter().flat_map(|&(made, after)| [made.before, after]), bottom, top);
    let x = y.moved(LEFT, RIGHT);
    for tick in y.ticks() {
        svg.rule((LEFT, y.at(tick)), (RIGHT, y.at(tick)));
        svg.rule((x.at(tick), top), (x.at(tick), bottom));
        svg.text((LEFT - 8.0, y.at(tick) + 5.0), Anchor::End, &short_count(tick));
        svg.text((x.at(tick), bottom + 22.0), Anchor::Middle, &short_count(tick));
    }
    svg.aside((LEFT, bottom), (RIGHT, top), true);
    svg.axis((LEFT, bottom), (RIGHT, bottom));
    svg.axis((LEFT, top), (LEFT, bottom));
    let log = if y.logarithmic { " (log scale)" } else { "" };
    svg.upright((20.0, f64::midpoint(top, bottom)), &format!("changes after{log}"));
    let middle = f64::midpoint(LEFT, RIGHT);
    svg.text((middle, bottom + 48.0), Anchor::Middle, &format!("changes before{log}"));
    let mut places: BTreeMap<(usize, usize), Vec<&PorterReduction>> = BTreeMap::new();
    for (made, after) in ended {
        places.entry((made.before, after)).or_default().push(made);
    }
    for ((before, after), here) in places {
        let at = (x.at(before), y.at(after));
        let words: Vec<String> = here.iter().take(TOLD).map(|made| described(made)).collect();
        let more = if here.len() > TOLD { format!("; and {} more", here.len() - TOLD) } else { String::new() };
        for (mark, _) in kinds.iter().filter(|(mark, _)| here.iter().any(|made| kind(made) == *mark)) {
            svg.mark(at, *mark, &(words.join("; ") + &more));
        }
        if here.len() > 1 {
            let beside = if at.0 > RIGHT - 60.0 { (at.0 - 16.0, Anchor::End) } else { (at.0 + 16.0, Anchor::Start) };
            svg.text((beside.0, at.1 - 8.0), beside.1, &format!("×{}", here.len()));
        }
    }
    svg.finish()
}

/// Returns the mark of a reduction.
fn kind(made: &PorterReduction) -> Mark {
    match (made.purpose, made.forward) {
        (Purpose::Walk, false) => Mark::Disc,
        (Purpose::Walk, true) => Mark::Triangle,
        _ => Mark::Diamond,
    }
}

/// Returns why the figure of reductions is empty.
fn none(made: &[PorterReduction]) -> &'static str {
    match made {
        [] => "No patch was reduced.",
        _ if made.iter().any(|made| made.result == ReductionResult::Running) => "No reduction has finished yet.",
        _ => "No reduction found a smallest patch.",
    }
}

fn fixpoint(made: &[PorterReduction]) -> String {
    let title = "Gain from further rounds";
    let ended: Vec<_> = made.iter().filter_map(|made| Some((made, made.fixpoint()?))).collect();
    let mut gains: Vec<_> = ended
        .iter()
        .filter(|(_, (first, after))| first > after)
        .map(|&(made, sizes)| (made, sizes, gain(sizes)))
        .collect();
    gains.sort_by(|(_, _, one), (_, _, other)| other.total_cmp(one));
    let count = |many: usize| if many == 1 { "1 reduction".to_owned() } else { format!("{many} reductions") };
    match (ended.len(), gains.len()) {
        (0, _) => return words(title, none(made)),
        (all, 0) => {
            let all = count(all);
            return words(title, &format!("None, because {all} ended after the first round."));
        }
        _ => {}
    }
    let mut says = format!("{} of {} were reduced further after the first round.", gains.len(), count(ended.len()));
    let rows = gains.len().min(BARS);
    let (left, right, mut top) = (250.0, WIDTH - 100.0, 92.0);
    let shown = says.clone();
    let rest = format!("The {BARS} largest gains are shown.");
    if rows < gains.len() {
        top += 24.0;
        says = format!("{says} {rest}");
    }
    let bottom = top + rows as f64 * 34.0;
    let mut svg = Svg::new(bottom + 64.0, title, &says);
    svg.text((16.0, 60.0), Anchor::Start, &shown);
    if rows < gains.len() {
        svg.text((16.0, 84.0), Anchor::Start, &rest);
    }
    for percent in [0, 25, 50, 75, 100] {
        let x = left + (right - left) * f64::from(percent) / 100.0;
        svg.rule((x, top), (x, bottom));
        svg.text((x, bottom + 22.0), Anchor::Middle, &format!("{percent}%"));
    }
    for (row, (made, (first, after), gain)) in gains.into_iter().take(BARS).enumerate() {
        let y = top + row as f64 * 34.0;
        let width = ((right - left) * gain).max(2.0);
        let name = format!("{} {}", named(&made.revision), made.purpose.as_str());
        svg.text((left - 10.0, y + 22.0), Anchor::End, &name);
        svg.bar((left, y + 5.0), (width, 24.0), Mark::Disc, &described(made));
        svg.text((left + width + 8.0, y + 22.0), Anchor::Start, &format!("{first} to {after}"));
    }
    svg.axis((left, top), (left, bottom));
    svg.text((f64::midpoint(left, right), bottom + 48.0), Anchor::Middle, "of the changes left by the first round");
    svg.finish()
}

/// Returns the share of the result of the first round that later rounds removed.
#[allow(clippy::cast_precision_loss, reason = "a ratio of sizes")]
fn gain((first, after): (usize, usize)) -> f64 {
    (first - after) as f64 / first.max(1) as f64
}
