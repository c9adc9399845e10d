//! From what a culprit search believes to its report.

use super::algorithm::Culprit;
use super::config::Choose;
use super::ending::Ending;
use super::inseparable::Inseparable;
use super::report::{Conclusion, CulpritReport, Reason};
use crate::belief::Tally;
use crate::find::Find;
use crate::fingerprint::fingerprint;
use crate::search::Algorithm as _;
use crate::search::Hypothesis;
use crate::search::Ledger;
use crate::search::Status;

/// How many hypotheses a report names while the search still runs.
const SHOWN: usize = 10;

impl Culprit {
    pub(super) fn write_report(&self, status: Status, ledger: &Ledger) -> CulpritReport {
        let (graph, config, ..) = self.parts();
        let belief = self.belief();
        let (place, best) = belief.best();
        let nobody = belief.none().mass;
        let name = |place: usize| graph.id(belief.suspects.node(place)).to_owned();
        let (conclusion, culprit, probability) = match self.ending() {
            Ending::Culprit(place) => (Conclusion::Culprit, Some(name(*place)), belief.posterior_at(*place)),
            Ending::Flake => (Conclusion::Flake, None, nobody),
            _ => (Conclusion::Inconclusive, None, best.max(nobody)),
        };
        let reason = match status {
            Status::Running => Reason::Running,
            Status::Budget => Reason::Budget,
            Status::Stopped => Reason::Stopped,
            Status::Ambiguous => Reason::Inseparable,
            Status::Contradictory => Reason::Contradictory,
            Status::GoodEndFails => Reason::GoodEndFails,
            Status::Found | Status::NotReproduced if config.choose == Choose::Bisect => Reason::Bisected,
            Status::Found | Status::NotReproduced => Reason::Confident,
        };
        let most = if status == Status::Running { SHOWN } else { usize::MAX };
        let rates = belief.rates().known();
        let healthy = if nobody > best { belief.none().healthy } else { belief.class_at(place).healthy };
        let executions = |observation: &crate::Observation| u64::from(Tally::from(observation).runs().max(1));
        let mut report = CulpritReport {
            status,
            conclusion,
            reason,
            message: String::new(),
            culprit,
            probability,
            no_culprit: nobody,
            credible_set: match self.ending() {
                Ending::Inseparable(set) => self.hypotheses(set),
                _ => belief.posterior().credible_set(config.confidence, most),
            },
            queries: ledger.queries(),
            runs: ledger.answers().iter().map(|answer| executions(&answer.observation)).sum(),
            flake_rate: rates.map_or_else(|| belief.mean(|class| class.flake), |known| known.0),
            false_pass_rate: rates.map_or_else(|| belief.mean(|class| class.false_pass), |known| known.1),
            seen_at_healthy: healthy,
            observations: ledger.observations(self.space()),
            fingerprint: None,
        };
        let suspects = report.suspects();
        report.fingerprint = (!suspects.is_empty()).then(|| fingerprint(Find::Regression, suspects));
        report.message = self.message(&report, ledger);
        report
    }

    /// The members of a set, most probable first.
    fn hypotheses(&self, set: &Inseparable) -> Vec<Hypothesis> {
        let belief = self.belief();
        let (graph, ..) = self.parts();
        let suspect = |&place: &usize| Hypothesis {
            revision: Some(graph.id(belief.suspects.node(place)).to_owned()),
            probability: belief.posterior_at(place),
        };
        let nobody = set.nobody.then(|| Hypothesis { revision: None, probability: belief.none().mass });
        let all = set.places.iter().map(suspect).chain(nobody);
        let mut hypotheses: Vec<Hypothesis> = all.filter(|one| one.probability > 0.0).collect();
        hypotheses.sort_by(|one, other| other.probability.total_cmp(&one.probability));
        hypotheses
    }
}
