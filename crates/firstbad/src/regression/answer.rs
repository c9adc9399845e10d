//! Builds the report of a regression search.

use std::collections::BTreeMap;

use super::algorithm::Regression;
use super::message::{Context, UntestableEnd, message, other_rates};
use super::replacement::Replacement;
use super::report::{LeafReport, LeafResult, RegressionPoint, RegressionReport, flakes};
use super::rpa::{Point, Rpa};
use crate::belief::{Prior, Rate, RunCounts};
use crate::finding::find::Find;
use crate::finding::fingerprint::fingerprint;
use crate::graph::{CommitGraph, Distances, Node};
use crate::search::{Algorithm as _, Doubt, Failures, Ledger, Observation, Outcome, Status};
use crate::suspicion::SelectionReason;
use crate::words::printable::capital;

/// The maximum number of exceptions in a report.
const EXCEPTIONS: usize = 10;

/// The outcome of all runs, if there were several with the same outcome.
fn only_outcome(ledger: &Ledger) -> Option<Outcome> {
    let mut outcomes = ledger.answers().iter().map(|entry| entry.observation.outcome);
    let first = outcomes.next().filter(|_| ledger.answers().len() > 1)?;
    outcomes.all(|outcome| outcome == first).then_some(first)
}

/// The number of edges from `bad` to each leaf. A single walk serves several leaves.
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
        let endings: Vec<LeafResult> = (0..self.rpa.leaves.len()).map(|place| self.ending(place)).collect();
        let without = [
            (LeafResult::Untestable, Status::Untestable),
            (LeafResult::NoPassingRevision, Status::NoPassingRevision),
            (LeafResult::NotReproduced, Status::NotReproduced),
        ];
        if endings.iter().all(|ending| without.iter().any(|(other, _)| other == ending)) {
            let status = without.iter().find(|(ending, _)| endings.contains(ending)).map(|&(_, status)| status);
            return status.unwrap_or(Status::NotReproduced);
        }
        if self.rpa.leaves.iter().any(|leaf| leaf.result == LeafResult::Contradictory) {
            return Status::Contradictory;
        }
        let mut counting = self.rpa.points.iter().filter(|point| self.counts(point));
        let edges = counting.all(|point| self.is_edge(&self.rpa, point));
        if edges { Status::Found } else { Status::Ambiguous }
    }

    /// Whether a point is part of the result. A point without an older side is the start of a history without the other outcome.
    /// It is not a fix, and it is a regression only for a leaf that also has another point.
    pub(super) fn counts(&self, point: &Point) -> bool {
        let beside = |&leaf: &usize| self.rpa.has_change(&self.rpa.leaves[leaf]);
        point.good.is_some() || self.config.find == Find::Regression && point.leaves.iter().any(beside)
    }

    /// How the search for a leaf ended.
    fn ending(&self, place: usize) -> LeafResult {
        let leaf = &self.rpa.leaves[place];
        if self.is_fruitless() && leaf.result == LeafResult::Open {
            return LeafResult::Untestable;
        }
        if leaf.points.is_empty() || self.rpa.has_change(leaf) {
            return leaf.result;
        }
        match self.config.find {
            // The endpoint was not observed to fail either.
            Find::Regression if self.evidence.none_testable().is_some() => LeafResult::Untestable,
            Find::Regression => LeafResult::NoPassingRevision,
            // If all earlier revisions pass as well, there is no fix.
            Find::Fix => LeafResult::NotReproduced,
        }
    }

    /// Whether a point is a tested edge or a root.
    pub(super) fn is_edge(&self, rpa: &Rpa, point: &Point) -> bool {
        let parents = self.graph.parents(point.bad);
        let is_proven =
            || self.evidence.test.flaky().is_none_or(|flaky| flaky.proves(&self.graph, point.bad, &point.told_apart));
        point.good.map_or(parents.is_empty(), |good| parents.contains(&good))
            && point.inseparable.is_none()
            && !(point.good.is_some() && self.graph.is_outside_paths(point.bad))
            && !self.has_open_parent(rpa, point)
            && is_proven()
    }

    /// Whether an unresolved parent may also be the culprit, if every parent must pass. With a flaky test, the proof of
    /// the point covers this.
    fn has_open_parent(&self, rpa: &Rpa, point: &Point) -> bool {
        self.config.check_parents && !self.repeats() && rpa.has_open_parent(self.evidence.view(), point.bad)
    }

    /// `bad` and its ancestors without a known outcome that no passing revision clears, oldest first.
    fn candidates(&self, bad: Node) -> Vec<Node> {
        let set = self.rpa.passing().suspects_and_roots(&self.graph, self.evidence.view(), bad);
        let unknown = |node: &Node| matches!(self.evidence.outcomes.of(*node), None | Some(Outcome::Unresolved));
        set.ones().map(|node| node as Node).filter(|node| *node == bad || unknown(node)).collect()
    }

    /// Revisions with the newer outcome before the older side, and revisions with the older outcome between the newer side and a
    /// leaf, oldest first.
    fn inconsistent(&self, point: &Point, leaves: &[Node]) -> Vec<Node> {
        if self.repeats() {
            // Outcomes of a flaky test vary anyway.
            return Vec::new();
        }
        let of = |wanted: Outcome, may: &dyn Fn(Node) -> bool| {
            let log = self.evidence.view();
            let nodes: Vec<Node> = log.since(0).filter(|entry| entry.1 == wanted).map(|entry| entry.0).collect();
            nodes.into_iter().filter(|&node| may(node) && !self.is_trusted(node)).collect::<Vec<_>>()
        };
        // Nodes are in topological order, so one walk is enough for all of them.
        let mut inconsistent = of(Outcome::Fail, &|node| point.good.is_some_and(|good| node <= good));
        if let (Some(&oldest), Some(good)) = (inconsistent.iter().min(), point.good) {
            let before = self.graph.ancestors_down_to(oldest, &[good]);
            inconsistent.retain(|&node| before.contains(node as usize));
        }
        let newest = leaves.iter().max().copied().unwrap_or_default();
        let mut passing = of(Outcome::Pass, &|node| point.bad <= node && node <= newest);
        if let (Some(&oldest), Some(&newest)) = (passing.iter().min(), passing.iter().max()) {
            let below_leaves = self.graph.ancestors_down_to(oldest, leaves);
            let above_point = self.graph.descendants_up_to(newest, point.bad);
            passing.retain(|&node| below_leaves.contains(node as usize) && above_point.contains(node as usize));
        }
        inconsistent.extend(passing);
        inconsistent.sort_unstable();
        inconsistent.truncate(EXCEPTIONS);
        inconsistent
    }

    /// Whether a revision is an endpoint that was not tested.
    pub(super) fn is_trusted(&self, node: Node) -> bool {
        self.ends.contains(node) && self.ends.seen_at(node).is_none()
    }

    /// Whether a passing revision was observed to pass, and not only given as passing.
    fn saw_pass(&self, node: Node) -> bool {
        self.evidence.test.flaky().is_none_or(|flaky| flaky.saw_pass(node))
    }

    /// Whether a revision was observed to fail. A belief can also point at other revisions.
    fn saw_fail(&self, node: Node) -> bool {
        let outcome = self.evidence.outcomes.of(node);
        self.evidence.test.flaky().map_or(outcome == Some(Outcome::Fail), |flaky| {
            flaky.runs(node).fails > 0 && outcome != Some(Outcome::Pass)
        })
    }

    /// Returns the untested endpoints that a point depends on. Includes the older side if it never had the given
    /// outcome in a run.
    fn trusted(&self, revisions: impl IntoIterator<Item = Node>, good: Option<Node>) -> Vec<Node> {
        let untested = revisions.into_iter().chain(good).filter(|&node| self.is_trusted(node));
        let mut trusted: Vec<Node> = untested.chain(good.filter(|&good| !self.saw_pass(good))).collect();
        trusted.sort_unstable();
        trusted.dedup();
        trusted
    }

    fn write_point(&self, point: &Point, ledger: &Ledger) -> RegressionPoint {
        let id = |node: Node| self.graph.id(node).to_owned();
        let parents = self.graph.parents(point.bad);
        let trusted = self.trusted(parents.iter().copied().chain([point.bad]), point.good);
        let saw_pass = |parent| self.saw_pass(parent);
        let is_known_to_pass = |parent: Node| {
            point.told_apart.contains(&parent) || self.evidence.outcomes.of(parent) == Some(Outcome::Pass)
        };
        let passes = |&parent: &Node| is_known_to_pass(parent) && saw_pass(parent);
        let is_change = self.saw_fail(point.bad) && !parents.is_empty() && parents.iter().all(passes);
        let unresolved = |&&parent: &&Node| match self.evidence.outcomes.of(parent) {
            Some(Outcome::Unresolved) => true,
            // Given as passing, but never observed to pass.
            Some(Outcome::Pass) => {
                self.evidence.test.flaky().is_some_and(|flaky| flaky.is_untestable(parent)) && !saw_pass(parent)
            }
            _ => false,
        };
        let candidates = match &point.inseparable {
            _ if self.is_edge(&self.rpa, point) => Vec::new(),
            Some(suspects) => suspects.clone(),
            None => self.candidates(point.bad),
        };
        let (good, bad) = match (self.config.find, point.good) {
            (Find::Regression, good) => (good, point.bad),
            (Find::Fix, older) => (Some(point.bad), older.unwrap_or(point.bad)),
        };
        let leaves: Vec<Node> = point.leaves.iter().map(|&place| self.rpa.leaves[place].end).collect();
        let inconsistent = self.inconsistent(point, &leaves);
        let mut written = RegressionPoint {
            good: good.map(id),
            bad: id(bad),
            culprit: None,
            distances: distances(&self.graph, bad, &leaves),
            leaves: leaves.into_iter().map(id).collect(),
            parents_pass: is_change && trusted.is_empty() && !self.is_simplified(),
            confirmed: self.is_confirmed(point, ledger),
            untested_endpoints: trusted.into_iter().map(id).collect(),
            inconsistent: inconsistent.into_iter().map(id).collect(),
            candidates: candidates.into_iter().map(id).collect(),
            outside_paths: point.good.is_some() && self.graph.is_outside_paths(point.bad),
            unresolved_parents: parents.iter().filter(unresolved).map(|&parent| id(parent)).collect(),
            same_change: Vec::new(),
            probability: point.probability,
            find: self.config.find,
            fingerprint: String::new(),
        };
        written.culprit = written.found_culprit();
        written.fingerprint = fingerprint(written.find, written.suspects());
        written
    }

    /// The oldest failing ancestor of `bad` that no passing revision clears, or `bad` itself.
    fn oldest_failing_before(&self, bad: Node) -> Node {
        let log = self.evidence.view();
        let is_failing = |&(node, outcome): &(Node, Outcome)| outcome == Outcome::Fail && node < bad;
        let failing: Vec<Node> = log.since(0).filter(is_failing).map(|(node, _)| node).collect();
        let Some(&oldest) = failing.iter().min() else { return bad };
        let before = self.graph.ancestors_down_to(oldest, &[bad]);
        let is_one = |node: &Node| before.contains(*node as usize) && !self.rpa.passing().clears(*node);
        failing.into_iter().filter(is_one).min().unwrap_or(bad)
    }

    /// The point so far, for the current leaf of an unfinished search.
    fn provisional(&self) -> Option<Point> {
        let (leaf, bad) = self.rpa.at()?;
        // Until its endpoints are tested, the search has not used the outcomes of other revisions.
        let bad = self.oldest_failing_before(bad);
        let passes = |node: Node| self.evidence.outcomes.of(node) == Some(Outcome::Pass);
        // A belief can point at a revision that has passed since. Then use the leaf.
        let bad = if passes(bad) { self.rpa.leaves[leaf].node } else { bad };
        if passes(bad) {
            return None;
        }
        let mut nearest = None;
        let mut met = self.graph.none();
        let mut queue = std::collections::VecDeque::from([bad]);
        while let Some(node) = queue.pop_front() {
            if passes(node) {
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
            told_apart: Vec::new(),
        })
    }

    pub(super) fn write_report(&self, status: Status, ledger: &Ledger) -> RegressionReport {
        let half_way = matches!(status, Status::Running | Status::Budget | Status::Stopped);
        let provisional = self.provisional().filter(|point| half_way && self.counts(point));
        let is_kept =
            |point: &Point| !point.leaves.is_empty() && self.counts(point) && !self.is_contradicted(point, ledger);
        let kept: Vec<usize> = (0..self.rpa.points.len()).filter(|&place| is_kept(&self.rpa.points[place])).collect();
        let points: Vec<RegressionPoint> = kept
            .iter()
            .map(|&place| &self.rpa.points[place])
            .chain(&provisional)
            .map(|point| self.write_point(point, ledger))
            .collect();
        let leaf_report = |place: usize| {
            let leaf = &self.rpa.leaves[place];
            let of_leaf = leaf.points.iter().filter(|_| self.rpa.has_change(leaf));
            let mut points: Vec<usize> =
                of_leaf.filter_map(|point| kept.iter().position(|other| other == point)).collect();
            if provisional.as_ref().is_some_and(|point| point.leaves == [place]) {
                points.push(kept.len());
            }
            let replaced_by = (leaf.node != leaf.end).then(|| self.graph.id(leaf.node).to_owned());
            let is_contradicted =
                leaf.points.iter().any(|&point| self.is_contradicted(&self.rpa.points[point], ledger));
            let result = if is_contradicted { LeafResult::Contradictory } else { self.ending(place) };
            LeafReport { leaf: self.graph.id(leaf.end).to_owned(), replaced_by, result, points }
        };
        let leaves: Vec<LeafReport> = (0..self.rpa.leaves.len()).map(leaf_report).collect();
        let observations = ledger.observations(self.space());
        let flakes = flakes(self.config.find, &leaves, &observations);
        RegressionReport {
            status,
            message: message(&self.context(status, ledger), &points, &leaves, &flakes),
            find: self.config.find,
            why: self.whys(&points, ledger),
            points,
            leaves,
            warnings: self.warnings(&kept, ledger),
            asked: ledger.asked(),
            runs: ledger.runs(),
            confirmations: ledger.confirming_runs(),
            observations,
            commits: BTreeMap::new(),
            names: BTreeMap::new(),
            paths: self.graph.origin().map(|origin| origin.paths.clone()).unwrap_or_default(),
            first_parent: self.graph.origin().is_some_and(|origin| origin.first_parent),
        }
    }

    /// Warnings about the prior, the rates, and points that fail in another way than their endpoints.
    fn warnings(&self, points: &[usize], ledger: &Ledger) -> Vec<String> {
        let mut warnings = self.config.prior.as_ref().map(Prior::warnings).unwrap_or_default();
        warnings.extend(self.of_other_rates(points));
        let rests_on_ends =
            |&place: &usize| self.write_point(&self.rpa.points[place], ledger).untested_endpoints.is_empty();
        if !points.is_empty() && !points.iter().any(rests_on_ends) {
            warnings.extend(only_outcome(ledger).map(|outcome| {
                let happened = match outcome {
                    Outcome::Fail => "every run failed",
                    Outcome::Pass => "every run passed",
                    Outcome::Unresolved => "all tested revisions are unresolved",
                };
                format!("{happened}, so the result depends only on the given revisions. Check the test first")
            }));
        }
        if let Some(other) = self.of_another_failure() {
            warnings.push(other);
            return warnings;
        }
        let failures = Failures::of(ledger);
        for point in points.iter().map(|&place| &self.rpa.points[place]) {
            let (blamed, ends) = match (self.config.find, point.good) {
                (Find::Regression, Some(_)) => {
                    (point.bad, point.leaves.iter().map(|&place| self.rpa.leaves[place].node).collect())
                }
                (Find::Fix, Some(older)) => (older, self.ends.older.clone()),
                (_, None) => continue,
            };
            warnings.extend(self.doubt_of(blamed, ledger));
            warnings.extend(self.repaired_in(point));
            warnings.extend(failures.other(blamed, &ends, |node| self.graph.id(node)));
        }
        warnings
    }

    /// Warns if a good revision contains the culprit but passes.
    fn repaired_in(&self, point: &Point) -> Option<String> {
        if self.config.find == Find::Fix || !self.is_edge(&self.rpa, point) {
            return None;
        }
        let after = self.graph.descendants(&[point.bad]);
        let is_one = |end: &&Node| after.contains(**end as usize) && self.ends.seen_at(**end).is_some();
        let passes = |end: &&Node| self.evidence.outcomes.of(**end) == Some(Outcome::Pass);
        let end = self.ends.older.iter().filter(is_one).find(passes)?;
        let (end, bad) = (self.graph.id(*end), self.graph.id(point.bad));
        Some(format!(
            "{end} contains {bad} and passes, so a commit between them fixed it. A search for the fix finds this commit"
        ))
    }

    /// Returns why the failure of a revision may not come from its code, and how to fix that.
    fn doubt_of(&self, blamed: Node, ledger: &Ledger) -> Option<String> {
        let mut answers = ledger.answers().iter().filter(|answer| answer.key == blamed);
        let doubt = answers.find_map(|answer| answer.observation.doubt())?;
        Some(format!("at {}: {}. {}", self.graph.id(blamed), doubt.reason, capital(&doubt.help)))
    }

    /// A warning that the given rates of a flaky test do not fit, with the observed rates if these points are right.
    fn of_other_rates(&self, points: &[usize]) -> Option<String> {
        let flaky = self.evidence.test.flaky().filter(|flaky| flaky.gave_up_rates())?;
        let is_told = |rate: &Rate| *rate != Rate::Estimate;
        let is_said = [&self.config.flake_rate, &self.config.false_pass_rate].into_iter().flatten().any(is_told);
        if points.is_empty() {
            return Some(other_rates(is_said, None));
        }
        let culprits: Vec<Node> = points.iter().map(|&place| self.rpa.points[place].bad).collect();
        let after = self.graph.descendants(&culprits);
        let (mut healthy, mut broken) = (RunCounts::default(), RunCounts::default());
        for node in flaky.tested() {
            *if after.contains(node as usize) { &mut broken } else { &mut healthy } += flaky.runs(node);
        }
        let (healthy, broken) = match self.config.find {
            Find::Regression => (healthy, broken),
            Find::Fix => (broken.swapped(), healthy.swapped()),
        };
        // If the result is right, the default rate is right as well.
        let is_moot = !is_said && broken.passes == 0;
        (!is_moot).then(|| other_rates(is_said, Some((healthy, broken))))
    }

    /// Whether commits can be missing between a commit and its parents in this graph.
    fn is_simplified(&self) -> bool {
        self.graph.origin().is_some_and(|origin| !origin.paths.is_empty())
    }

    /// Why the tested revisions and the culprits were tried.
    fn whys(&self, points: &[RegressionPoint], ledger: &Ledger) -> BTreeMap<String, SelectionReason> {
        let Some(prior) = &self.rpa.prior else { return BTreeMap::new() };
        let blamed = points.iter().filter_map(|point| self.graph.get(point.newer()));
        prior.whys(&self.graph, &mut ledger.answers().iter().map(|answer| answer.key).chain(blamed))
    }

    /// Older endpoints on another branch than a newer one without a passing ancestor, and the common ancestor of the branches.
    fn aside(&self) -> Vec<(&str, bool, Option<&str>)> {
        let is_groundless = |&place: &usize| match (self.ending(place), self.config.find) {
            (LeafResult::NoPassingRevision, _) => true,
            // The endpoint passes as given, but no earlier revision was seen to fail.
            (LeafResult::NotReproduced, Find::Fix) => self.rpa.leaves[place].result != LeafResult::NotReproduced,
            _ => false,
        };
        let groundless = (0..self.rpa.leaves.len()).find(is_groundless);
        let Some(before) = groundless.map(|place| self.graph.ancestors(&[self.rpa.leaves[place].end])) else {
            return Vec::new();
        };
        let passing = self.ends.older.iter().filter(|&&end| self.evidence.outcomes.of(end) == Some(Outcome::Pass));
        let told = passing.map(|&end| {
            let base = self.graph.ancestors(&[end]).intersection(&before).max().map(|node| node as Node);
            let base = base.filter(|&base| self.evidence.outcomes.of(base) == Some(Outcome::Fail));
            (self.graph.id(end), self.is_trusted(end), base.map(|base| self.graph.id(base)))
        });
        told.collect()
    }

    /// Returns the newer endpoints with doubtful outcomes, and the reasons.
    fn doubts(&self) -> Vec<(&str, Doubt)> {
        let seen = |&end: &Node| Some((self.graph.id(end), self.ends.seen_at(end)?.doubt()?));
        self.ends.newer.iter().filter_map(seen).collect()
    }

    /// Describes how a good revision fails, compared with a bad revision.
    fn how_an_end_fails(&self, ledger: &Ledger) -> Option<String> {
        let end = self.contradicted_end().filter(|_| self.config.find == Find::Regression)?;
        let failures = Failures::of(ledger);
        let doubt = self.ends.seen_at(end).and_then(Observation::doubt);
        let doubt =
            doubt.map(|doubt| format!(". {}. {}", capital(&doubt.reason), capital(&doubt.help))).unwrap_or_default();
        let mine = failures.at(end)?;
        let theirs = self.ends.newer.iter().find_map(|&newer| Some((self.graph.id(newer), failures.at(newer)?)));
        Some(match theirs {
            Some((newer, theirs)) if mine == theirs => format!("It fails as {newer} does: {mine}{doubt}"),
            Some((newer, theirs)) => format!(
                "It fails in another way than {newer}: {mine} instead of {theirs}. The test may be flaky or need a \
                 file that is missing there{doubt}"
            ),
            None => format!("It fails with {mine}{doubt}"),
        })
    }

    /// The facts for the message.
    fn context<'a>(&'a self, status: Status, ledger: &'a Ledger) -> Context<'a> {
        let id = |node: Node| self.graph.id(node);
        let untestable_end = |node: Node| {
            let mut answers = ledger.answers().iter().filter(|answer| answer.key == node);
            let unresolved = answers.find(|answer| answer.observation.outcome == Outcome::Unresolved);
            UntestableEnd { id: id(node), note: unresolved.and_then(|answer| answer.observation.note.as_deref()) }
        };
        let untestable = self.ends.newer.iter().filter_map(|&end| match self.replacement(end, Outcome::Fail)? {
            Replacement::Missing(otherwise) => Some((untestable_end(end), otherwise.map(id))),
            Replacement::Found(_) | Replacement::Ask(_) => Some((untestable_end(end), None)),
        });
        let is_untestable = |end: &&Node| self.evidence.test.is_untestable(&self.ends, **end);
        let mut observations = ledger.answers().iter().map(|entry| &entry.observation);
        let unresolved = observations.find(|seen| seen.outcome == Outcome::Unresolved);
        Context {
            is_simplified: self.is_simplified(),
            status,
            find: self.config.find,
            is_rate_given: matches!(self.config.flake_rate, Some(Rate::Known(_))),
            aside: self.aside(),
            contradicted_end: self.contradicted_end().map(id),
            changed: self.changed_outcome(ledger),
            untestable: untestable.collect(),
            untestable_older: self.ends.older.iter().filter(is_untestable).map(|&end| untestable_end(end)).collect(),
            none_testable: self.evidence.none_testable(),
            obstacle: self.evidence.obstacle(),
            doubts: self.doubts(),
            how: self.how_an_end_fails(ledger),
            note: unresolved.and_then(|seen| seen.note.as_deref()),
            only_outcome: only_outcome(ledger),
        }
    }
}
