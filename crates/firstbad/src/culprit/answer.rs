//! Builds the report of a culprit search.

use std::collections::BTreeMap;

use super::algorithm::Culprit;
use super::config::CulpritStrategy;
use super::decision::Decision;
use super::failure_streak::failure_streak;
use super::guard::Missing;
use super::inseparable::Inseparable;
use super::message::{Context, message, outside_paths};
use super::report::{Conclusion, CulpritReport, MissingRun, Reason};
use crate::belief::{Prior, RunCounts};
use crate::finding::find::Find;
use crate::finding::fingerprint::fingerprint;
use crate::graph::Node;
use crate::search::{Algorithm as _, Failures, Hypothesis, Ledger, Outcome, Status};
use crate::suspicion::SelectionReason;

/// The number of hypotheses in the report of a running search.
const SHOWN: usize = 10;

impl Culprit {
    fn reason(&self, status: Status) -> Reason {
        match status {
            Status::Running => Reason::Running,
            Status::Budget => Reason::Budget,
            Status::Stopped => Reason::Stopped,
            Status::Ambiguous if matches!(self.decision, Decision::Unproven(..)) => Reason::Unproven,
            Status::Ambiguous
            | Status::NoPassingRevision
            | Status::Untestable
            | Status::Spread
            | Status::NoChange
            | Status::HistoryExhausted
            | Status::PatchTooLarge
            | Status::RevisionNotReadable => Reason::Inseparable,
            Status::Contradictory => Reason::Contradictory,
            Status::GoodEndFails => Reason::GoodEndFails,
            Status::TooFlaky => Reason::TooFlaky,
            Status::Found | Status::NotReproduced if self.config.strategy == CulpritStrategy::Bisect => {
                Reason::Bisected
            }
            Status::Found | Status::NotReproduced => Reason::Confident,
        }
    }

    pub(super) fn write_report(&self, status: Status, ledger: &Ledger) -> CulpritReport {
        let belief = self.belief();
        let (place, best) = belief.best();
        let nobody = belief.none().mass;
        let name = |place: usize| self.graph.id(belief.suspects.node(place)).to_owned();
        let (conclusion, culprit, probability) = match &self.decision {
            Decision::Culprit(place) => (Conclusion::Culprit, Some(name(*place)), belief.posterior_at(*place)),
            Decision::Flake => (Conclusion::Flake, None, nobody),
            _ => (Conclusion::Inconclusive, None, best.max(nobody)),
        };
        let reason = self.reason(status);
        let most = if status == Status::Running { SHOWN } else { usize::MAX };
        let rates = belief.rates().known();
        let healthy = if nobody > best { belief.none().healthy } else { belief.class_at(place).healthy };
        let mut report = CulpritReport {
            status,
            conclusion,
            reason,
            message: String::new(),
            culprit,
            probability,
            no_culprit: nobody,
            credible_set: match &self.decision {
                Decision::Inseparable(set) => self.hypotheses(set),
                _ => belief.posterior().credible_set(self.config.confidence, most),
            },
            missing: self.missing(),
            warnings: self.warnings(ledger),
            asked: ledger.asked(),
            runs: ledger.runs(),
            flake_rate: rates.map_or_else(|| belief.mean(|class| class.flake), |known| known.0),
            false_pass_rate: rates.map_or_else(|| belief.mean(|class| class.false_pass), |known| known.1),
            rates_consistent: self.rates_consistent,
            verified: self.is_verified,
            failure_streak: None,
            healthy_runs: healthy,
            observations: ledger.observations(self.space()),
            why: self.whys(ledger),
            fingerprint: None,
            commits: BTreeMap::new(),
        };
        if status != Status::Running {
            let culprit = (nobody <= best).then(|| belief.suspects.node(place));
            let broken = culprit.map(|node| self.graph.descendants(&[node]));
            let is_broken = |node: &Node| broken.as_ref().is_some_and(|broken| broken.contains(*node as usize));
            let broken = ledger.answers().iter().map(|answer| answer.key).filter(is_broken).collect();
            report.failure_streak =
                failure_streak(ledger.answers(), &broken, report.flake_rate, self.config.confidence);
        }
        let suspects = report.suspects();
        report.fingerprint = (!suspects.is_empty()).then(|| fingerprint(Find::Regression, suspects));
        report.message = message(&report, &self.context(ledger));
        report
    }

    /// Warnings about the result, for the report.
    fn warnings(&self, ledger: &Ledger) -> Vec<String> {
        let mut warnings = self.config.prior.as_ref().map(Prior::warnings).unwrap_or_default();
        let Decision::Culprit(place) = self.decision else { return warnings };
        let culprit = self.belief().suspects.node(place);
        if self.graph.is_outside_paths(culprit) {
            warnings.push(outside_paths(self.graph.id(culprit)));
        }
        warnings.extend(Failures::of(ledger).other(culprit, &[self.ends.bad], |node| self.graph.id(node)));
        warnings
    }

    /// Why the tested revisions and the culprit were tried.
    fn whys(&self, ledger: &Ledger) -> BTreeMap<String, SelectionReason> {
        let Some(prior) = &self.prior else { return BTreeMap::new() };
        let blamed = match self.decision {
            Decision::Culprit(place) => Some(self.belief().suspects.node(place)),
            _ => None,
        };
        prior.whys(&self.graph, &mut ledger.answers().iter().map(|answer| answer.key).chain(blamed))
    }

    /// The facts for the report's message.
    fn context(&self, ledger: &Ledger) -> Context<'_> {
        let mut at_bad = RunCounts::default();
        for answer in ledger.answers().iter().filter(|answer| answer.key == self.ends.bad) {
            at_bad += RunCounts::from(&*answer.observation);
        }
        let belief = self.belief();
        let mut ends = self.ends.good.iter().copied().zip(self.good_runs());
        let failing = ends.find(|(_, runs)| runs.passes == 0 && runs.fails > 0);
        let unresolved = ledger.answers().iter().filter(|answer| answer.observation.outcome == Outcome::Unresolved);
        Context {
            bad: self.graph.id(self.ends.bad),
            at_bad,
            failing_good: failing.map(|(good, runs)| (self.graph.id(good), runs.fails)),
            is_good_given: failing.is_some_and(|(good, _)| !self.graph.parents(good).is_empty()),
            is_rate_given: self.belief().rates().known().is_some(),
            inseparable: match &self.decision {
                Decision::Inseparable(set) => Some(set),
                _ => None,
            },
            unresolved: unresolved.count(),
            unproven: match &self.decision {
                Decision::Unproven(place, _) => Some(self.graph.id(belief.suspects.node(*place))),
                _ => None,
            },
            is_unverified: self.config.verify && self.config.strategy != CulpritStrategy::Bisect && !self.is_verified,
        }
    }

    /// The outcomes that are missing before the likely culprit can be reported.
    fn missing(&self) -> Vec<MissingRun> {
        let Decision::Unproven(_, unproven) = &self.decision else { return Vec::new() };
        let run = |missing: &Missing| MissingRun {
            revision: self.graph.id(missing.node).to_owned(),
            outcome: missing.outcome,
        };
        unproven.missing.iter().map(run).collect()
    }

    /// The hypotheses of a set, most probable first.
    fn hypotheses(&self, set: &Inseparable) -> Vec<Hypothesis> {
        let belief = self.belief();
        let suspect = |&place: &usize| Hypothesis {
            revision: Some(self.graph.id(belief.suspects.node(place)).to_owned()),
            probability: belief.posterior_at(place),
        };
        let nobody = set.nobody.then(|| Hypothesis { revision: None, probability: belief.none().mass });
        let all = set.places.iter().map(suspect).chain(nobody);
        let mut hypotheses: Vec<Hypothesis> = all.filter(|one| one.probability > 0.0).collect();
        hypotheses.sort_by(|one, other| other.probability.total_cmp(&one.probability));
        hypotheses
    }
}
