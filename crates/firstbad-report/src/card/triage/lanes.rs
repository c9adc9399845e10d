//! The history with one lane for each culprit: what its tests did at each revision.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use firstbad::graph::CommitGraph;
use firstbad::search::Outcome;
use firstbad::{TriageCulprit, TriageReport};

use super::letters::name;
use crate::card::context::Context;
use crate::card::element::{opened, section, wide};
use crate::card::figures::count;
use crate::draw::{Edge, Marks, Seen, draw_history};
use crate::triage::told::TriageWriter;

/// The number of lanes.
const LANES: usize = 12;
/// The number of tested revisions on each side of the culprit.
const NEAR: usize = 7;
/// The number of bytes of all lanes: what a browser lays out at once.
const BYTES: usize = 120_000;
/// The number of lanes that are shown at once.
const OPEN: usize = 4;

/// Returns the lanes; empty without a history or a culprit.
pub(super) fn lanes<'a>(report: &'a TriageReport, writer: &TriageWriter<'a>, context: &Context) -> String {
    let is_known =
        |graph: &&Arc<CommitGraph>| report.culprits.first().is_some_and(|culprit| graph.get(&culprit.commit).is_some());
    let Some(graph) = context.graph.as_ref().filter(is_known) else { return String::new() };
    let lane = |(place, culprit): (usize, &'a TriageCulprit)| {
        let picture = draw_history(graph, &marks(graph, writer, (place, culprit), context));
        let label = format!("History of culprit {}", name(place));
        format!(
            "<p class=\"fb-ln\"><i class=\"fb-f\">■</i> <b>{}</b> {} <span class=\"fb-m\">{}</span></p>\n{}",
            name(place),
            writer.titled(&culprit.commit),
            writer.count(culprit),
            wide(&label, &picture.svg, picture.width, picture.aim)
        )
    };
    let mut room = BYTES;
    let has_room = |lane: &String| {
        room = room.saturating_sub(lane.len());
        room > 0
    };
    let mut lanes: Vec<String> =
        report.culprits.iter().enumerate().take(LANES).map(lane).take_while(has_room).collect();
    let omitted = match report.culprits.len().saturating_sub(lanes.len()) {
        0 => String::new(),
        more => format!("<p class=\"fb-m\">{} without a lane</p>\n", count(more as u64, "more culprit")),
    };
    let folded = lanes.split_off(lanes.len().min(OPEN));
    let more = match folded.len() {
        0 => String::new(),
        more => opened(&count(more as u64, "more lane"), &folded.concat()),
    };
    section("History") + &lanes.concat() + &more + &omitted + LEGEND
}

/// What the signs mean.
const LEGEND: &str = "<p class=\"fb-l\"><span><i class=\"fb-p\">●</i> most runs of its tests pass</span> \
    <span><i class=\"fb-f\">■</i> most runs fail</span> <span><i class=\"fb-u\">◆</i> no result</span> <span>○ not run</span> \
    <span>⋯ 12\u{a0} commits, folded</span></p>\n";

/// What the tests of a culprit did in the history.
fn marks<'c, 'a>(
    graph: &CommitGraph,
    writer: &TriageWriter<'a>,
    (place, culprit): (usize, &'a TriageCulprit),
    context: &'c Context,
) -> Marks<'c> {
    let mut marks = context.marks(graph);
    marks.causes = writer.report.culprits.len();
    marks.tips = graph.get(&writer.report.bad).into_iter().collect();
    marks.bases = writer.report.good.iter().filter_map(|id| graph.get(id)).collect();
    if let Some(newer) = graph.get(&culprit.commit) {
        let parents = culprit.parents.iter().filter_map(|id| graph.get(id));
        marks.edges = parents.map(|older| Edge { older: Some(older), newer, cause: place }).collect();
    }
    let shown = nearest(writer.report, culprit);
    let mut runs: BTreeMap<_, (u64, u64)> = BTreeMap::new();
    for seen in writer.tests_of(culprit).flat_map(|test| &test.observations) {
        if !shown.contains(seen.revision.as_str()) {
            marks.hides_runs = true;
            continue;
        }
        let Some(node) = graph.get(&seen.revision) else { continue };
        let (passes, fails) = runs.entry(node).or_default();
        *passes += u64::from(seen.passes);
        *fails += u64::from(seen.fails);
    }
    let seen = |(passes, fails)| Seen { outcome: most(passes, fails), run: None };
    marks.seen = runs.into_iter().map(|(node, runs)| (node, seen(runs))).collect();
    marks
}

/// The revisions at which the tests of a culprit ran: those nearest to the culprit, and the endpoints.
fn nearest<'a>(report: &'a TriageReport, culprit: &TriageCulprit) -> BTreeSet<&'a str> {
    let ids: HashSet<&str> = culprit.tests.iter().map(String::as_str).collect();
    let tests = report.tests.iter().filter(|test| ids.contains(test.id.as_str()));
    let ran: HashSet<&str> = tests.flat_map(|test| &test.observations).map(|seen| seen.revision.as_str()).collect();
    let revisions: Vec<&str> = report.revisions.iter().map(String::as_str).filter(|id| ran.contains(id)).collect();
    let at = revisions.iter().position(|id| *id == culprit.commit).unwrap_or(revisions.len());
    let near = &revisions[at.saturating_sub(NEAR)..(at + NEAR + 1).min(revisions.len())];
    near.iter().copied().chain([report.bad.as_str()]).chain(report.good.iter().map(String::as_str)).collect()
}

/// The outcome of most runs.
fn most(passes: u64, fails: u64) -> Outcome {
    match (passes, fails) {
        (0, 0) => Outcome::Unresolved,
        _ if fails >= passes => Outcome::Fail,
        _ => Outcome::Pass,
    }
}
