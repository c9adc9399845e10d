//! The picture of the commit graph in a card, with its legend.

use firstbad::graph::{CommitGraph, Node};
use firstbad::regression::RegressionReport;
use firstbad::search::{Outcome, Status, TargetObservation};
use firstbad::{Report, TriageReport};

use super::context::Context;
use super::element::wide;
use crate::draw::{Edge, Has, Marks, Picture, Seen, draw_history};

/// Marks the observed outcomes and the numbers of their runs.
fn seen(graph: &CommitGraph, observations: &[TargetObservation], marks: &mut Marks<'_>) {
    for (run, observation) in TargetObservation::with_runs(observations) {
        let Some(node) = observation.target.revision.as_deref().and_then(|revision| graph.get(revision)) else {
            continue;
        };
        let outcome = observation.observation.outcome;
        // After a rerun, the last outcome counts and no single run number applies.
        let run = if marks.seen.contains_key(&node) { None } else { run };
        marks.seen.insert(node, Seen { outcome, run });
    }
}

/// Returns the marks of a report.
pub(super) fn marks<'a>(graph: &CommitGraph, report: &Report, context: &'a Context) -> Marks<'a> {
    let mut marks = context.marks(graph);
    marks.bases = context.nodes(context.good.iter().map(String::as_str));
    seen(graph, report.observations(), &mut marks);
    let fails = |node: &Node| marks.seen.get(node).is_some_and(|seen| seen.outcome == Outcome::Fail);
    marks.others = context.nodes(context.others.iter().map(String::as_str)).into_iter().filter(fails).collect();
    marks.running = context.nodes(context.running.iter().map(String::as_str));
    match report {
        Report::Regression(report) => points(graph, report, &mut marks),
        Report::Triage(report) => culprits(graph, report, &mut marks),
        _ => {}
    }
    marks
}

fn points(graph: &CommitGraph, report: &RegressionReport, marks: &mut Marks<'_>) {
    marks.tips = report.leaves.iter().filter_map(|leaf| graph.get(&leaf.leaf)).collect();
    marks.causes = report.points.len();
    for (cause, point) in report.points.iter().enumerate() {
        marks.find = point.find;
        if point.candidates.is_empty() {
            let older = point.older().and_then(|older| graph.get(older));
            marks.edges.extend(graph.get(point.newer()).map(|newer| Edge { older, newer, cause }));
        }
        // An unfinished search has too many suspects to mark.
        if report.status != Status::Running {
            marks.suspects.extend(point.candidates.iter().filter_map(|candidate| graph.get(candidate)));
        }
    }
}

/// The edges of all culprits of a triage.
fn culprits(graph: &CommitGraph, report: &TriageReport, marks: &mut Marks<'_>) {
    marks.tips = graph.get(&report.bad).into_iter().collect();
    marks.causes = report.culprits.len();
    for (cause, culprit) in report.culprits.iter().enumerate() {
        let Some(newer) = graph.get(&culprit.commit) else { continue };
        let parents = culprit.parents.iter().filter_map(|id| graph.get(id));
        marks.edges.extend(parents.map(|older| Edge { older: Some(older), newer, cause }));
    }
}

/// Returns the scrollable picture and its legend.
pub(super) fn picture(graph: &CommitGraph, marks: &Marks<'_>) -> String {
    let Picture { svg, width, aim, has } = draw_history(graph, marks);
    format!("{}{}", wide("Commit graph", &svg, width, aim), legend(has))
}

fn legend(has: Has) -> String {
    let signs = [
        (has.passes, "<i class=\"fb-p\">●</i> passes"),
        (has.fails, "<i class=\"fb-f\">■</i> fails"),
        (has.others, "<i class=\"fb-u\">▣</i> fails in another way"),
        (has.unresolved, "<i class=\"fb-u\">◆</i> unresolved"),
        (has.suspects, "<i class=\"fb-f\">⬚</i> suspect"),
        (has.not_run, if has.runs { "○ not run" } else { "○ commit" }),
        (has.folds, if has.runs { "⋯ 12\u{a0} commits not run, folded" } else { "⋯ 12\u{a0} commits, folded" }),
        (has.runs, "numbers: order of the runs"),
    ];
    let signs: Vec<String> =
        signs.iter().filter(|(is_there, _)| *is_there).map(|(_, sign)| format!("<span>{sign}</span>")).collect();
    format!("<p class=\"fb-l\">{}</p>\n", signs.join(" "))
}

/// Returns the number of commits between the good and the bad revisions.
pub(super) fn size(graph: &CommitGraph, marks: &Marks<'_>) -> usize {
    marks.shown(graph).count_ones(..)
}

/// Counts the cleared commits, the suspects, and the commits after a failure.
pub(super) fn parts(graph: &CommitGraph, marks: &Marks<'_>, suspects: &fixedbitset::FixedBitSet) -> [usize; 3] {
    let of = |outcome: Outcome| -> Vec<Node> {
        let nodes = marks.seen.iter().filter(|(_, seen)| seen.outcome == outcome).map(|(&node, _)| node);
        nodes.filter(|node| !marks.others.contains(node)).collect()
    };
    let (before, after) = match marks.find {
        firstbad::Find::Regression => (Outcome::Pass, Outcome::Fail),
        firstbad::Find::Fix => (Outcome::Fail, Outcome::Pass),
    };
    let mut rest = marks.shown(graph);
    rest.difference_with(suspects);
    let mut cleared = graph.ancestors(&of(before));
    cleared.intersect_with(&rest);
    rest.difference_with(&cleared);
    rest.intersect_with(&graph.descendants(&of(after)));
    [cleared.count_ones(..), suspects.count_ones(..), rest.count_ones(..)]
}
