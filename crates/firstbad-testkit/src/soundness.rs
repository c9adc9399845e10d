//! Judges whether the report of a search agrees with the outcomes that it was told.

use std::collections::{BTreeMap, BTreeSet};

use firstbad::graph::Node;
use firstbad::regression::LeafResult;
use firstbad::{Outcome, RegressionPoint, RegressionReport, Status};

use crate::replay::{Case, Run};
use crate::truth::distances_to;

/// Returns everything wrong with a run. The list is empty if the run is sound.
///
/// A run is sound if all of these conditions hold:
///
/// - The search asked for no endpoint and for no revision twice.
/// - Every leaf has a result.
/// - The good side of a point passed or is an endpoint, and the bad side failed or is an endpoint.
/// - The two sides are parent and child, or the candidates between them are named. The candidates are the bad side and those of
///   its ancestors that neither passed nor failed and precede no passing revision. A passing descendant of the bad side does not
///   count. In a `check_parents` search, they are also named if a parent of the bad side is a candidate.
/// - The exceptions of the point are those that the search was told.
/// - A point is clean exactly if all parents of the bad side passed and no endpoint is trusted.
#[must_use]
pub fn violations(case: &Case, run: &Run, check_parents: bool) -> Vec<String> {
    let mut judge = Judge { case, check_parents, seen: BTreeMap::new(), found: Vec::new() };
    judge.asks(&run.asked);
    if let Some(trouble) = &run.trouble {
        judge.found.push(trouble.clone());
    }
    if let Some(report) = &run.report {
        judge.report(report, run.asked.len() as u64);
    }
    judge.found
}

struct Judge<'c> {
    case: &'c Case,
    /// Whether every parent of a result must pass.
    check_parents: bool,
    seen: BTreeMap<Node, Outcome>,
    found: Vec<String>,
}

impl Judge<'_> {
    fn id(&self, node: Node) -> &str {
        self.case.graph.id(node)
    }

    fn expect(&mut self, holds: bool, words: impl FnOnce(&Self) -> String) {
        if !holds {
            let words = words(self);
            self.found.push(words);
        }
    }

    fn saw(&self, node: Node, outcome: Outcome) -> bool {
        self.seen.get(&node) == Some(&outcome)
    }

    fn asks(&mut self, asked: &[Node]) {
        for &node in asked {
            let given = self.case.leaves.contains(&node) || self.case.goods.contains(&node);
            self.expect(!given, |judge| format!("asked {}, which was given", judge.id(node)));
            let first = self.seen.insert(node, self.case.outcome(node)).is_none();
            self.expect(first, |judge| format!("asked {} twice", judge.id(node)));
        }
        self.seen.extend(self.case.goods.iter().map(|&good| (good, Outcome::Pass)));
        self.seen.extend(self.case.leaves.iter().map(|&leaf| (leaf, Outcome::Fail)));
        let above = self.case.graph.ancestors(&self.case.leaves);
        for &node in asked {
            self.expect(above.contains(node as usize), |judge| {
                format!("asked {}, which is no ancestor of a bad revision", judge.id(node))
            });
        }
    }

    fn report(&mut self, report: &RegressionReport, asked: u64) {
        let runs = report.runs;
        self.expect(runs == asked, |_| format!("reports {runs} runs where {asked} were made"));
        let ended = matches!(report.status, Status::Found | Status::Ambiguous);
        self.expect(ended, |_| format!("ended with status {}", report.status.as_str()));
        let several = report.points.iter().any(|point| point.candidates.len() > 1);
        self.expect(!several || report.status == Status::Ambiguous, |_| "names candidates and is not ambiguous".into());
        for point in &report.points {
            self.point(point);
        }
        self.leaves(report);
    }

    fn leaves(&mut self, report: &RegressionReport) {
        let given: Vec<&str> = self.case.leaves.iter().map(|&leaf| self.case.graph.id(leaf)).collect();
        let answered: Vec<&str> = report.leaves.iter().map(|leaf| leaf.leaf.as_str()).collect();
        self.expect(given == answered, |_| format!("reports leaves {answered:?} where {given:?} were given"));
        for leaf in &report.leaves {
            let open = leaf.points.is_empty() || !matches!(leaf.result, LeafResult::Searched | LeafResult::Propagated);
            self.expect(!open, |_| format!("leaf {} has no answer ({:?})", leaf.leaf, leaf.result));
            for &point in &leaf.points {
                let listed = report.points.get(point).is_some_and(|point| point.leaves.contains(&leaf.leaf));
                self.expect(listed, |_| format!("leaf {} names a point that does not name it", leaf.leaf));
            }
        }
    }

    fn point(&mut self, point: &RegressionPoint) {
        let case = self.case;
        let Some(bad) = case.graph.get(&point.bad) else {
            return self.found.push(format!("bad side {} is no revision", point.bad));
        };
        self.expect(self.saw(bad, Outcome::Fail), |_| format!("bad side {} was not seen to fail", point.bad));
        let above = case.graph.ancestors(&[bad]);
        let parents = case.graph.parents(bad);
        let passed = |judge: &Self, node: Node| judge.saw(node, Outcome::Pass);
        let good = point.good.as_deref().map(|good| (good, case.graph.get(good)));
        match good {
            Some((_, Some(good))) => {
                self.expect(passed(self, good), |judge| format!("good side {} was not seen to pass", judge.id(good)));
                self.expect(above.contains(good as usize), |judge| {
                    format!("good side {} is no ancestor of {}", judge.id(good), point.bad)
                });
                let edge = parents.contains(&good);
                self.expect(edge || !point.candidates.is_empty(), |judge| {
                    format!("{} to {} is no edge, and no candidates are named", judge.id(good), point.bad)
                });
            }
            Some((good, None)) => self.found.push(format!("good side {good} is no revision")),
            None => {
                let passing = above.ones().find(|&node| passed(self, node as Node));
                self.expect(passing.is_none(), |_| {
                    format!("{} has no good side, though an ancestor was seen to pass", point.bad)
                });
            }
        }
        let is_open = |judge: &Self, parent: Node| {
            judge.saw(parent, Outcome::Unresolved) && judge.expected_candidates(bad).contains(&judge.id(parent))
        };
        let is_open = self.check_parents && parents.iter().any(|&parent| is_open(self, parent));
        self.expect(!is_open || !point.candidates.is_empty(), |_| {
            format!("{} is named alone, though a parent is unresolved", point.bad)
        });
        if !point.candidates.is_empty() {
            self.candidates(point, bad);
        }
        // A root without parents can be clean or not.
        let clean = point.untested_endpoints.is_empty() && parents.iter().all(|&parent| passed(self, parent));
        self.expect(parents.is_empty() || point.parents_pass == clean, |_| {
            format!("{} says clean = {} where it is {clean}", point.bad, point.parents_pass)
        });
        let unresolved: Vec<&str> = parents
            .iter()
            .filter(|&&parent| self.saw(parent, Outcome::Unresolved))
            .map(|&parent| case.graph.id(parent))
            .collect();
        self.expect(point.unresolved_parents == unresolved, |_| {
            format!("{}: unresolved parents {:?} where {unresolved:?} were seen", point.bad, point.unresolved_parents)
        });
        self.distances(point, bad);
        self.inconsistent(point, bad);
    }

    /// Leaves are in the order given. The search asks for one exception after another, at most ten, oldest first.
    fn inconsistent(&mut self, point: &RegressionPoint, bad: Node) {
        let (case, graph) = (self.case, &self.case.graph);
        let leaves: Vec<Node> = point.leaves.iter().filter_map(|leaf| graph.get(leaf)).collect();
        let places = leaves.iter().map(|leaf| case.leaves.iter().position(|given| given == leaf));
        let in_order = places.is_sorted_by(|one, other| one < other);
        self.expect(in_order, |_| format!("{}: leaves {:?} are not in the order given", point.bad, point.leaves));
        let good = point.good.as_deref().and_then(|good| graph.get(good));
        let is_exception = |&(&node, outcome): &(&Node, &Outcome)| match outcome {
            _ if case.leaves.contains(&node) || case.goods.contains(&node) => false,
            Outcome::Fail => good.is_some_and(|good| graph.is_ancestor(node, good)),
            Outcome::Pass => graph.is_ancestor(bad, node) && leaves.iter().any(|&leaf| graph.is_ancestor(node, leaf)),
            Outcome::Unresolved => false,
        };
        let seen = self.seen.iter().filter(is_exception).take(10).map(|(&node, _)| graph.id(node));
        let seen: Vec<&str> = seen.collect();
        let same = point.inconsistent == seen;
        self.expect(same, |_| format!("{}: exceptions {:?} where {seen:?} were seen", point.bad, point.inconsistent));
    }

    fn expected_candidates(&self, bad: Node) -> Vec<&str> {
        let graph = &self.case.graph;
        let after = graph.descendants(&[bad]);
        let passing = self.seen.iter().filter(|(_, outcome)| **outcome == Outcome::Pass).map(|(&node, _)| node);
        let passing: Vec<Node> = passing.filter(|&node| !after.contains(node as usize)).collect();
        let cleared = graph.ancestors(&passing);
        let settled = |node: Node| self.saw(node, Outcome::Pass) || self.saw(node, Outcome::Fail);
        let before = graph.ancestors(&[bad]);
        let nodes = before.ones().map(|node| node as Node);
        nodes
            .filter(|&node| node == bad || (!cleared.contains(node as usize) && !settled(node)))
            .map(|node| self.case.graph.id(node))
            .collect()
    }

    fn candidates(&mut self, point: &RegressionPoint, bad: Node) {
        let expected = self.expected_candidates(bad);
        if point.candidates != expected {
            let named: BTreeSet<&str> = point.candidates.iter().map(String::as_str).collect();
            let wanted: BTreeSet<&str> = expected.into_iter().collect();
            let missing: Vec<_> = wanted.difference(&named).take(5).collect();
            let surplus: Vec<_> = named.difference(&wanted).take(5).collect();
            let words = if missing.is_empty() && surplus.is_empty() {
                "are not oldest first".to_owned()
            } else {
                format!("lack {missing:?} and have {surplus:?} beside them (five at most shown)")
            };
            self.found.push(format!("candidates of {} {words}", point.bad));
        }
    }

    fn distances(&mut self, point: &RegressionPoint, bad: Node) {
        self.expect(point.leaves.len() == point.distances.len(), |_| format!("{}: a distance per leaf", point.bad));
        for (leaf, &distance) in point.leaves.iter().zip(&point.distances) {
            let true_distance =
                self.case.graph.get(leaf).and_then(|leaf| distances_to(&self.case.graph, leaf)[bad as usize]);
            self.expect(true_distance == Some(distance), |_| {
                format!("{} is {true_distance:?} edges from leaf {leaf}, not {distance}", point.bad)
            });
        }
    }
}
