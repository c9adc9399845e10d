//! The report of a search for a change in numbers, from its state.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::algorithm::Numbers;
use super::hunt::{Hunt, Note, Shared};
use super::message;
use super::noise::Estimate;
use super::report::{ChangeConclusion, ChangeReport, MetricChange, Noise, SeriesPoint, Step, Unexplained};
use super::scale::median;
use crate::finding::fingerprint::fingerprint;
use crate::graph::{Node, Past};
use crate::search::{Algorithm as _, Hypothesis, Ledger, Posterior, Shares, Status};

/// The number of standard errors of an interval that holds with a probability of 95%.
const INTERVAL: f64 = 1.96;

/// The largest number of candidates in a report.
const MOST_CANDIDATES: usize = 10;

impl Numbers {
    /// Returns the report with all of its texts.
    pub(super) fn write_report(&self, status: Status, ledger: &Ledger) -> ChangeReport {
        let shared = &self.shared;
        let past = Past::new(Arc::clone(&shared.graph), shared.ends.bad, &shared.ends.good);
        let mut metrics = self.hunts.iter().map(|hunt| Told { shared, hunt, past: &past }.change());
        let main = metrics.next().unwrap_or_else(|| unreachable!("a search has a metric"));
        let others: Vec<MetricChange> = metrics.collect();
        let seconds: Vec<f64> = ledger.answers().iter().filter_map(|answer| answer.observation.seconds).collect();
        let mut unresolved: Vec<Node> = ledger.answers().iter().map(|answer| answer.key).collect();
        unresolved.sort_unstable();
        unresolved.dedup();
        unresolved.retain(|&node| self.hunts.iter().all(|hunt| hunt.is_untestable(node)));
        let mut report = ChangeReport {
            status,
            message: String::new(),
            bad: shared.graph.id(shared.ends.bad).to_owned(),
            good: shared.ends.good.iter().map(|&node| shared.graph.id(node).to_owned()).collect(),
            find: shared.config.find,
            all_steps: shared.config.all_steps,
            confidence: shared.config.confidence,
            main,
            other_metrics: others,
            paired: shared.config.paired,
            measurements: self.hunts.iter().map(|hunt| hunt.numbers.len()).max().unwrap_or(0) as u64,
            builds: ledger.builds(),
            unresolved: unresolved.into_iter().map(|node| shared.graph.id(node).to_owned()).collect(),
            seconds: (!seconds.is_empty()).then(|| seconds.iter().sum()),
            suspects: past.len(),
            warnings: self.warnings(),
            asked: ledger.asked(),
            runs: ledger.runs(),
            observations: ledger.observations(self.space()),
            commits: BTreeMap::new(),
            names: BTreeMap::new(),
        };
        report.message = message::message(&report);
        report.warnings.extend(message::warnings(&report));
        report
    }

    /// Returns the probabilities of the suspects of the first metric.
    pub(super) fn shares(&self) -> Option<Posterior> {
        let hunt = self.hunts.first()?;
        let (nodes, each, no_change) = hunt.suspects()?;
        let shares = Suspects { nodes, each };
        Some(Posterior::new(Arc::clone(&self.shared.graph), Arc::new(shares), no_change))
    }
}

/// The probabilities of suspects, in topological order.
#[derive(Debug)]
struct Suspects {
    nodes: Vec<Node>,
    each: Vec<f64>,
}

impl Shares for Suspects {
    fn count(&self) -> usize {
        self.nodes.len()
    }

    fn node(&self, place: usize) -> Node {
        self.nodes[place]
    }

    fn place(&self, node: Node) -> Option<usize> {
        self.nodes.binary_search(&node).ok()
    }

    fn probability(&self, place: usize) -> f64 {
        self.each[place]
    }
}

/// What a report tells about one metric.
struct Told<'a> {
    shared: &'a Shared,
    hunt: &'a Hunt,
    past: &'a Past,
}

impl Told<'_> {
    fn change(&self) -> MetricChange {
        let (good, bad) = (self.shared.ends.first_good(), self.shared.ends.bad);
        let (before, after) = (self.number(good), self.number(bad));
        let change = before.zip(after).map(|(before, after)| after - before);
        let levels = self.hunt.by_revision.change(good, bad);
        let exact = self.is_exact();
        let interval = before.zip(levels).zip(change).and_then(|((before, levels), change)| {
            let is_known = exact || self.hunt.by_revision.deviation.is_some();
            is_known.then(|| self.interval(before, change, levels))
        });
        let mut steps: Vec<Step> =
            self.hunt.found.iter().filter_map(|one| self.step(one.commit, one.probability)).collect();
        steps.sort_by(|one, other| other.change.abs().total_cmp(&one.change.abs()));
        let conclusion = self.conclusion();
        let largest = match self.hunt.notes.first() {
            Some(Note::Spread(Some(commit))) if steps.is_empty() => self.step(*commit, 0.0),
            _ => None,
        };
        MetricChange {
            metric: self.hunt.sought.metric.clone(),
            unit: self.hunt.sought.unit.clone(),
            at_least: self.hunt.sought.at_least.to_string(),
            conclusion,
            before,
            after,
            change,
            percent: before.zip(change).and_then(|(before, change)| percent(before, change)),
            interval,
            unexplained: self.unexplained(&steps, before, change, levels),
            candidates: self.candidates(conclusion),
            probability: self.probability(conclusion, &steps),
            noise: self.noise(before).filter(|_| !exact),
            series: self.series(),
            steps,
            largest,
            exact,
        }
    }

    fn is_exact(&self) -> bool {
        self.hunt.is_exact(self.shared) == Some(true) && !self.hunt.numbers.is_empty()
    }

    fn conclusion(&self) -> ChangeConclusion {
        match (self.hunt.found.len(), self.hunt.notes.first()) {
            _ if !self.hunt.is_done(self.shared) => ChangeConclusion::Undecided,
            (0, Some(Note::NoChange(_))) => ChangeConclusion::None,
            (0, Some(Note::Spread(_))) => ChangeConclusion::Spread,
            (0, Some(Note::Set(..))) => ChangeConclusion::Set,
            (0, _) => ChangeConclusion::Undecided,
            (1, _) => ChangeConclusion::Step,
            _ => ChangeConclusion::Several,
        }
    }

    fn probability(&self, conclusion: ChangeConclusion, steps: &[Step]) -> Option<f64> {
        match (conclusion, self.hunt.notes.first()) {
            (ChangeConclusion::Step | ChangeConclusion::Several, _) => {
                steps.iter().map(|step| step.probability).reduce(f64::min)
            }
            (_, Some(Note::NoChange(probability))) => *probability,
            (_, Some(Note::Set(_, probability))) => Some(*probability),
            (ChangeConclusion::Spread, _) => self.is_exact().then_some(1.0),
            _ => self.hunt.suspects().and_then(|(_, each, _)| each.into_iter().reduce(f64::max)),
        }
    }

    /// Returns the control that corrected numbers refer to.
    fn usual(&self) -> f64 {
        median(&self.hunt.numbers.iter().filter_map(|one| one.control).collect::<Vec<f64>>())
    }

    fn values(&self, node: Node) -> Vec<f64> {
        let usual = self.usual();
        let of = self.hunt.numbers.iter().filter(|one| one.node == node);
        of.map(|one| self.hunt.scale.corrected(one.number, one.control, usual)).collect()
    }

    fn number(&self, node: Node) -> Option<f64> {
        Some(self.values(node)).filter(|values| !values.is_empty()).map(|values| median(&values))
    }

    /// Returns the limits of a change in units. Exact numbers have none.
    fn interval(&self, before: f64, change: f64, levels: Estimate) -> (f64, f64) {
        if self.is_exact() {
            (change, change)
        } else {
            self.hunt.scale.interval(before, levels.level, INTERVAL * levels.error)
        }
    }

    fn step(&self, commit: Node, probability: f64) -> Option<Step> {
        let graph = &self.shared.graph;
        let parent = self.hunt.parent(self.shared, commit).unwrap_or_else(|| self.shared.ends.first_good());
        let (before, after) = (self.number(parent)?, self.number(commit)?);
        let levels = self.hunt.by_revision.change(parent, commit)?;
        let all = self.hunt.by_revision.change(self.shared.ends.first_good(), self.shared.ends.bad)?;
        let runs = graph.parents(commit).iter().chain([&commit]).map(|&node| self.hunt.by_revision.count(node) as u64);
        let id = graph.id(commit).to_owned();
        Some(Step {
            parents: graph.parents(commit).iter().map(|&parent| graph.id(parent).to_owned()).collect(),
            before,
            after,
            censored: self.hunt.numbers.iter().any(|one| one.node == commit && one.censored),
            change: after - before,
            percent: percent(before, after - before),
            interval: self.interval(before, after - before, levels),
            // The share of no change, or of a tiny one, would have no JSON form.
            share: Some(levels.level / all.level).filter(|share| share.is_finite()).unwrap_or(0.0),
            probability,
            measurements: runs.sum(),
            fingerprint: fingerprint(self.shared.config.find, [&id]),
            commit: id,
        })
    }

    fn unexplained(
        &self,
        steps: &[Step],
        before: Option<f64>,
        change: Option<f64>,
        levels: Option<Estimate>,
    ) -> Option<Unexplained> {
        let (before, change, levels) = (before?, change?, levels?);
        if steps.is_empty() {
            return None;
        }
        let rest = change - steps.iter().map(|step| step.change).sum::<f64>();
        // The errors of the endpoints and of the steps add up.
        let half = |(low, high): (f64, f64)| (high - low) / 2.0;
        let own = half(self.interval(before, change, levels));
        let error = steps.iter().map(|step| half(step.interval)).fold(own, f64::hypot);
        Some(Unexplained { change: rest, percent: percent(before, rest), interval: (rest - error, rest + error) })
    }

    fn candidates(&self, conclusion: ChangeConclusion) -> Vec<Hypothesis> {
        let graph = &self.shared.graph;
        let of =
            |(node, probability): (Node, f64)| Hypothesis { revision: Some(graph.id(node).to_owned()), probability };
        let mut likely: Vec<(Node, f64)> = match (conclusion, self.hunt.notes.first()) {
            (ChangeConclusion::Set, Some(Note::Set(members, probability))) => {
                let all: f64 = members.iter().map(|&node| self.shared.weight(node)).sum();
                members.iter().map(|&node| (node, probability * self.shared.weight(node) / all)).collect()
            }
            (ChangeConclusion::Undecided, _) => {
                let suspects =
                    self.hunt.suspects().map(|(nodes, each, _)| nodes.into_iter().zip(each).collect::<Vec<_>>());
                suspects.unwrap_or_default().into_iter().filter(|one| one.1 >= 0.01).collect()
            }
            _ => Vec::new(),
        };
        likely.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        likely.into_iter().take(MOST_CANDIDATES).map(of).collect()
    }

    fn noise(&self, before: Option<f64>) -> Option<Noise> {
        let (deviation, before) = (self.hunt.by_revision.deviation?, before?);
        let deviation = self.hunt.scale.change(before, deviation).abs();
        Some(Noise {
            deviation,
            percent: percent(before, deviation),
            drift: self.hunt.drift,
            drift_range: self.drift_range(),
            rebuild: self.rebuild(),
        })
    }

    /// Returns the largest difference between means of three successive measurements of the same endpoint.
    fn drift_range(&self) -> Option<f64> {
        const WINDOW: usize = 3;
        let range = |node: Node| {
            let values = self.values(node);
            let means: Vec<f64> =
                values.windows(WINDOW).map(|three| three.iter().sum::<f64>() / WINDOW as f64).collect();
            (values.len() >= 2 * WINDOW).then(|| {
                let (low, high) = means
                    .iter()
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &mean| (low.min(mean), high.max(mean)));
                high - low
            })
        };
        [self.shared.ends.first_good(), self.shared.ends.bad].into_iter().filter_map(range).reduce(f64::max)
    }

    /// Returns the largest difference between the medians of two builds of an endpoint.
    fn rebuild(&self) -> Option<f64> {
        let range = |node: Node| {
            let mut builds: Vec<Vec<f64>> = Vec::new();
            for one in self.hunt.numbers.iter().filter(|one| one.node == node) {
                if !one.reused || builds.is_empty() {
                    builds.push(Vec::new());
                }
                if let Some(build) = builds.last_mut() {
                    build.push(one.number);
                }
            }
            // One measurement of a build is mostly noise.
            let medians: Vec<f64> = builds.iter().filter(|build| build.len() > 1).map(|build| median(build)).collect();
            let most = medians.iter().copied().reduce(f64::max)?;
            (medians.len() > 1).then(|| most - medians.iter().copied().fold(most, f64::min))
        };
        [self.shared.ends.first_good(), self.shared.ends.bad].into_iter().filter_map(range).reduce(f64::max)
    }

    fn series(&self) -> Vec<SeriesPoint> {
        let graph = &self.shared.graph;
        let mut nodes: Vec<Node> = self.hunt.numbers.iter().map(|one| one.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let point = |node: Node| {
            let of = self.hunt.numbers.iter().filter(|one| one.node == node);
            let values = self.values(node);
            SeriesPoint {
                revision: graph.id(node).to_owned(),
                position: self.past.place(node).map_or(0, |place| place as u64 + 1),
                observations: of.clone().map(|one| one.place as u64).collect(),
                median: median(&values),
                fitted: self.fitted(node),
                censored: of.filter(|one| one.censored).count() as u64,
                values,
            }
        };
        nodes.into_iter().map(point).collect()
    }

    /// Returns the number that the steps lead to at a revision, from the number at the good end.
    fn fitted(&self, node: Node) -> Option<f64> {
        let before = self.number(self.shared.ends.first_good())?;
        let change = |commit: Node| {
            let parent = self.hunt.parent(self.shared, commit).unwrap_or_else(|| self.shared.ends.first_good());
            self.hunt.by_revision.change(parent, commit).map_or(0.0, |change| change.level)
        };
        let steps = self.hunt.found.iter().filter(|one| self.shared.graph.is_ancestor(one.commit, node));
        let levels: f64 = steps.map(|one| change(one.commit)).sum();
        (!self.hunt.found.is_empty()).then(|| before + self.hunt.scale.change(before, levels))
    }
}

/// Returns a change in percent of a number above 0.
fn percent(before: f64, change: f64) -> Option<f64> {
    (before > 0.0).then(|| 100.0 * change / before)
}
