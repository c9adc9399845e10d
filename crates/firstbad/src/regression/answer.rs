//! From what a search has found to its report.

use super::algorithm::Regression;
use super::report::{Ending, LeafReport, RegressionPoint, RegressionReport};
use super::rpa::Point;
use crate::belief::{Rate, percent};
use crate::find::Find;
use crate::fingerprint::fingerprint;
use crate::graph::{CommitGraph, Distances, Node, flood};
use crate::search::Algorithm as _;
use crate::search::Ledger;
use crate::search::Outcome;
use crate::search::Status;

/// Edges from `bad` up to each leaf: one walk serves several leaves.
fn distances(graph: &CommitGraph, bad: Node, leaves: &[Node]) -> Vec<u32> {
    match leaves {
        [leaf] => vec![graph.distance(bad, *leaf).unwrap_or_default()],
        _ => {
            let distances = Distances::from(graph, &[bad]);
            leaves.iter().map(|&leaf| distances.to(leaf).unwrap_or_default()).collect()
        }
    }
}

impl Regression {
    /// The status of a search with nothing left to ask.
    pub(super) fn outcome(&self) -> Status {
        let (_, _, rpa, _) = self.parts();
        let answered = |place: usize| self.ending(place) != Ending::NotReproduced;
        if !(0..rpa.leaves.len()).any(answered) {
            return Status::NotReproduced;
        }
        if rpa.leaves.iter().any(|leaf| leaf.ending == Ending::Contradictory) {
            return Status::Contradictory;
        }
        let edges = rpa.points.iter().all(|point| self.is_edge(point) || !self.counts(point));
        if edges { Status::Found } else { Status::Ambiguous }
    }

    /// Whether a point is part of the answer: one without an older side answers nothing in a search for a fix.
    fn counts(&self, point: &Point) -> bool {
        let (_, config, ..) = self.parts();
        config.find == Find::Regression || point.good.is_some()
    }

    /// How the answer for a leaf came about. Where nothing before it was ever otherwise, there is no fix to find.
    fn ending(&self, place: usize) -> Ending {
        let (_, _, rpa, _) = self.parts();
        let leaf = &rpa.leaves[place];
        let void = |&point: &usize| !self.counts(&rpa.points[point]);
        if !leaf.points.is_empty() && leaf.points.iter().all(void) {
            return Ending::NotReproduced;
        }
        leaf.ending
    }

    /// Whether the answer is an edge that was tested, or a root.
    fn is_edge(&self, point: &Point) -> bool {
        let (graph, ..) = self.parts();
        let parents = graph.parents(point.bad);
        point.good.map_or(parents.is_empty(), |good| parents.contains(&good))
    }

    /// `bad` and those of its ancestors that no passing revision covers and that were neither seen to pass nor to
    /// fail, oldest first.
    fn candidates(&self, bad: Node) -> Vec<Node> {
        let (graph, _, rpa, evidence) = self.parts();
        let mut set = graph.none();
        flood(&mut set, bad, |node| graph.parents(node), |node| !rpa.ground().covers(node));
        let unknown = |node: &Node| matches!(evidence.outcome(*node), None | Some(Outcome::Unresolved));
        set.ones().map(|node| node as Node).filter(|node| *node == bad || unknown(node)).collect()
    }

    fn write_point(&self, point: &Point) -> RegressionPoint {
        let (graph, config, rpa, evidence) = self.parts();
        let id = |node: Node| graph.id(node).to_owned();
        let parents = graph.parents(point.bad);
        let passes = |&parent: &Node| evidence.outcome(parent) == Some(Outcome::Pass);
        let unresolved = |&&parent: &&Node| evidence.outcome(parent) == Some(Outcome::Unresolved);
        let candidates = if self.is_edge(point) { Vec::new() } else { self.candidates(point.bad) };
        let (good, bad) = match (config.find, point.good) {
            (Find::Regression, good) => (good, point.bad),
            (Find::Fix, older) => (Some(point.bad), older.unwrap_or(point.bad)),
        };
        let leaves: Vec<Node> = point.leaves.iter().map(|&place| rpa.leaves[place].node).collect();
        let mut written = RegressionPoint {
            good: good.map(id),
            bad: id(bad),
            distances: distances(graph, bad, &leaves),
            leaves: leaves.into_iter().map(id).collect(),
            clean: parents.iter().all(passes),
            candidates: candidates.into_iter().map(id).collect(),
            unresolved_parents: parents.iter().filter(unresolved).map(|&parent| id(parent)).collect(),
            probability: point.probability,
            find: config.find,
            fingerprint: String::new(),
        };
        written.fingerprint = fingerprint(written.find, written.suspects());
        written
    }

    /// What is known of the leaf at hand when a search is stopped or looked at half-way.
    fn provisional(&self) -> Option<Point> {
        let (graph, _, rpa, evidence) = self.parts();
        let (leaf, bad) = rpa.at()?;
        let mut nearest = None;
        let mut met = graph.none();
        let mut queue = std::collections::VecDeque::from([bad]);
        while let Some(node) = queue.pop_front() {
            if evidence.outcome(node) == Some(Outcome::Pass) {
                nearest = Some(node);
                break;
            }
            queue.extend(graph.parents(node).iter().filter(|&&parent| !met.put(parent as usize)));
        }
        Some(Point { good: nearest, bad, leaves: vec![leaf], probability: rpa.belief().map(|belief| belief.best().1) })
    }

    pub(super) fn write_report(&self, status: Status, ledger: &Ledger) -> RegressionReport {
        let (graph, _, rpa, _) = self.parts();
        let half_way = matches!(status, Status::Running | Status::Budget | Status::Stopped);
        let provisional = self.provisional().filter(|point| half_way && self.counts(point));
        let kept = |&place: &usize| !rpa.points[place].leaves.is_empty() && self.counts(&rpa.points[place]);
        let kept: Vec<usize> = (0..rpa.points.len()).filter(kept).collect();
        let points: Vec<RegressionPoint> = kept
            .iter()
            .map(|&place| &rpa.points[place])
            .chain(&provisional)
            .map(|point| self.write_point(point))
            .collect();
        let leaf_report = |place: usize| {
            let leaf = &rpa.leaves[place];
            let mut points: Vec<usize> =
                leaf.points.iter().filter_map(|point| kept.iter().position(|other| other == point)).collect();
            if provisional.as_ref().is_some_and(|point| point.leaves == [place]) {
                points.push(kept.len());
            }
            LeafReport { leaf: graph.id(leaf.node).to_owned(), ending: self.ending(place), points }
        };
        let leaves: Vec<LeafReport> = (0..rpa.leaves.len()).map(leaf_report).collect();
        RegressionReport {
            status,
            message: self.message(status, &points, &leaves),
            points,
            leaves,
            queries: ledger.queries(),
            observations: ledger.observations(self.space()),
        }
    }

    fn message(&self, status: Status, points: &[RegressionPoint], leaves: &[LeafReport]) -> String {
        let (_, config, ..) = self.parts();
        let (older, newer, verb) = match config.find {
            Find::Regression => ("good", "bad", "broken"),
            Find::Fix => ("bad", "good", "repaired"),
        };
        let describe = |point: &RegressionPoint| {
            if let Some(probability) = point.probability.filter(|_| point.is_open(leaves)) {
                return format!("most probable so far: {} ({})", point.bad, percent(probability));
            }
            let (from, to) = match config.find {
                Find::Regression => (point.good.as_deref(), point.bad.as_str()),
                Find::Fix => (Some(point.bad.as_str()), point.good.as_deref().unwrap_or_default()),
            };
            match (from, point.candidates.len()) {
                (None, 0 | 1) => format!("{to} is {newer}, and no ancestor of it is {older}"),
                (None, n) => format!("{verb} by one of {n} candidates up to {to}; no ancestor is {older}"),
                (Some(from), 0) => format!("{verb} by {to}; its parent {from} is {older}"),
                (Some(from), 1) => format!("{verb} by {to} or by what could not be tested between it and {from}"),
                (Some(from), n) => format!("{verb} by one of {n} candidates after {from}, up to {to}"),
            }
        };
        let missing: Vec<&str> =
            leaves.iter().filter(|leaf| leaf.ending == Ending::NotReproduced).map(|leaf| leaf.leaf.as_str()).collect();
        let mut parts: Vec<String> = match status {
            Status::GoodEndFails => {
                let end = self.failing_end().unwrap_or_default();
                vec![format!("{end} was given as {older} but is {newer}; nobody is blamed")]
            }
            Status::Running => vec!["not finished".to_owned()],
            Status::Budget => vec!["the budget is used up; the best answer so far".to_owned()],
            Status::Stopped => vec!["stopped; the best answer so far".to_owned()],
            _ => Vec::new(),
        };
        if status != Status::GoodEndFails {
            parts.extend(points.iter().map(describe));
            if !missing.is_empty() {
                parts.push(format!("not reproduced at {}", missing.join(", ")));
            }
            let odd = leaves.iter().filter(|leaf| leaf.ending == Ending::Contradictory);
            parts.extend(odd.map(|leaf| {
                let instead = match config.flake_rate {
                    Some(Rate::Known(_)) => "; try flake_rate=\"estimate\"",
                    _ => ": it fails more often than any flaky test that is reckoned with",
                };
                format!("what was seen of {} fits no culprit at this flake rate{instead}", leaf.leaf)
            }));
        }
        parts.join("; ")
    }
}
