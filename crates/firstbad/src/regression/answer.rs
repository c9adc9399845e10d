//! From what a search has found to its report.

use super::algorithm::Regression;
use super::message::{Context, message};
use super::report::{Ending, LeafReport, RegressionPoint, RegressionReport};
use super::rpa::Point;
use crate::belief::Rate;
use crate::find::Find;
use crate::fingerprint::fingerprint;
use crate::graph::{CommitGraph, Distances, Node, flood};
use crate::search::{Algorithm as _, Ledger, Outcome, Status};

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
        let answered = |place: usize| self.ending(place) != Ending::NotReproduced;
        if !(0..self.rpa.leaves.len()).any(answered) {
            return Status::NotReproduced;
        }
        if self.rpa.leaves.iter().any(|leaf| leaf.ending == Ending::Contradictory) {
            return Status::Contradictory;
        }
        let edges = self.rpa.points.iter().all(|point| self.is_edge(point) || !self.counts(point));
        if edges { Status::Found } else { Status::Ambiguous }
    }

    /// Whether a point is part of the answer: one without an older side answers nothing in a search for a fix.
    fn counts(&self, point: &Point) -> bool {
        self.config.find == Find::Regression || point.good.is_some()
    }

    /// How the answer for a leaf came about. If all before it were as it is, there is no fix to find.
    fn ending(&self, place: usize) -> Ending {
        let leaf = &self.rpa.leaves[place];
        let void = |&point: &usize| !self.counts(&self.rpa.points[point]);
        if !leaf.points.is_empty() && leaf.points.iter().all(void) {
            return Ending::NotReproduced;
        }
        leaf.ending
    }

    /// Whether the answer is an edge that was tested, or a root.
    fn is_edge(&self, point: &Point) -> bool {
        let parents = self.graph.parents(point.bad);
        let is_proven = || self.evidence.test.flaky().is_none_or(|flaky| flaky.proves(&self.graph, point.bad));
        point.good.map_or(parents.is_empty(), |good| parents.contains(&good))
            && point.inseparable.is_none()
            && is_proven()
    }

    /// `bad` and those of its ancestors that no passing revision clears and that were neither seen to pass nor to
    /// fail, oldest first.
    fn candidates(&self, bad: Node) -> Vec<Node> {
        let mut set = self.graph.none();
        flood(&mut set, bad, |node| self.graph.parents(node), |node| !self.rpa.passing().clears(node));
        let unknown = |node: &Node| matches!(self.evidence.outcomes.of(*node), None | Some(Outcome::Unresolved));
        set.ones().map(|node| node as Node).filter(|node| *node == bad || unknown(node)).collect()
    }

    fn write_point(&self, point: &Point) -> RegressionPoint {
        let id = |node: Node| self.graph.id(node).to_owned();
        let parents = self.graph.parents(point.bad);
        let saw_pass = |parent| self.evidence.test.flaky().is_none_or(|flaky| flaky.saw_pass(parent));
        let passes = |&parent: &Node| self.evidence.outcomes.of(parent) == Some(Outcome::Pass) && saw_pass(parent);
        let unresolved = |&&parent: &&Node| match self.evidence.outcomes.of(parent) {
            Some(Outcome::Unresolved) => true,
            // Only said to pass.
            Some(Outcome::Pass) => {
                self.evidence.test.flaky().is_some_and(|flaky| flaky.is_untestable(parent)) && !saw_pass(parent)
            }
            _ => false,
        };
        let candidates = match &point.inseparable {
            _ if self.is_edge(point) => Vec::new(),
            Some(suspects) => suspects.clone(),
            None => self.candidates(point.bad),
        };
        let (good, bad) = match (self.config.find, point.good) {
            (Find::Regression, good) => (good, point.bad),
            (Find::Fix, older) => (Some(point.bad), older.unwrap_or(point.bad)),
        };
        let leaves: Vec<Node> = point.leaves.iter().map(|&place| self.rpa.leaves[place].node).collect();
        let mut written = RegressionPoint {
            good: good.map(id),
            bad: id(bad),
            distances: distances(&self.graph, bad, &leaves),
            leaves: leaves.into_iter().map(id).collect(),
            clean: parents.iter().all(passes),
            candidates: candidates.into_iter().map(id).collect(),
            unresolved_parents: parents.iter().filter(unresolved).map(|&parent| id(parent)).collect(),
            probability: point.probability,
            find: self.config.find,
            fingerprint: String::new(),
        };
        written.fingerprint = fingerprint(written.find, written.suspects());
        written
    }

    /// What is known of the leaf at hand when a search is stopped or looked at half-way.
    fn provisional(&self) -> Option<Point> {
        let (leaf, bad) = self.rpa.at()?;
        let mut nearest = None;
        let mut met = self.graph.none();
        let mut queue = std::collections::VecDeque::from([bad]);
        while let Some(node) = queue.pop_front() {
            if self.evidence.outcomes.of(node) == Some(Outcome::Pass) {
                nearest = Some(node);
                break;
            }
            queue.extend(self.graph.parents(node).iter().filter(|&&parent| !met.put(parent as usize)));
        }
        Some(Point {
            good: nearest,
            bad,
            leaves: vec![leaf],
            probability: self.rpa.belief().map(|belief| belief.best().1),
            inseparable: None,
        })
    }

    pub(super) fn write_report(&self, status: Status, ledger: &Ledger) -> RegressionReport {
        let half_way = matches!(status, Status::Running | Status::Budget | Status::Stopped);
        let provisional = self.provisional().filter(|point| half_way && self.counts(point));
        let kept = |&place: &usize| !self.rpa.points[place].leaves.is_empty() && self.counts(&self.rpa.points[place]);
        let kept: Vec<usize> = (0..self.rpa.points.len()).filter(kept).collect();
        let points: Vec<RegressionPoint> = kept
            .iter()
            .map(|&place| &self.rpa.points[place])
            .chain(&provisional)
            .map(|point| self.write_point(point))
            .collect();
        let leaf_report = |place: usize| {
            let leaf = &self.rpa.leaves[place];
            let mut points: Vec<usize> =
                leaf.points.iter().filter_map(|point| kept.iter().position(|other| other == point)).collect();
            if provisional.as_ref().is_some_and(|point| point.leaves == [place]) {
                points.push(kept.len());
            }
            LeafReport { leaf: self.graph.id(leaf.node).to_owned(), ending: self.ending(place), points }
        };
        let leaves: Vec<LeafReport> = (0..self.rpa.leaves.len()).map(leaf_report).collect();
        let context = Context {
            status,
            find: self.config.find,
            is_rate_given: matches!(self.config.flake_rate, Some(Rate::Known(_))),
            contradicted_end: self.contradicted_end().map(|end| self.graph.id(end)),
        };
        RegressionReport {
            status,
            message: message(&context, &points, &leaves),
            points,
            leaves,
            queries: ledger.queries(),
            observations: ledger.observations(self.space()),
        }
    }
}
