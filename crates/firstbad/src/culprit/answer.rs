//! From what a culprit search believes to its report.

use super::algorithm::Culprit;
use super::config::Choose;
use super::ending::Ending;
use super::inseparable::Inseparable;
use super::report::{Conclusion, CulpritReport, Reason};
use crate::belief::{Tally, percent};
use crate::find::Find;
use crate::fingerprint::fingerprint;
use crate::graph::Node;
use crate::search::Algorithm as _;
use crate::search::Hypothesis;
use crate::search::Ledger;
use crate::search::Outcome;
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

    fn message(&self, report: &CulpritReport, ledger: &Ledger) -> String {
        let (graph, _, ends, good_runs) = self.parts();
        let bad = graph.id(ends.bad);
        let mut at_bad = Tally::default();
        for answer in ledger.answers().iter().filter(|answer| answer.key == ends.bad) {
            at_bad += Tally::from(&*answer.observation);
        }
        let candidates = || {
            let names: Vec<String> = report
                .credible_set
                .iter()
                .take(5)
                .map(|one| {
                    format!("{} ({})", one.revision.as_deref().unwrap_or("no culprit"), percent(one.probability))
                })
                .collect();
            let more = report.credible_set.len().saturating_sub(names.len());
            names.join(", ")
                + &match (more, report.reason) {
                    (0, _) => String::new(),
                    (_, Reason::Running) => " and others".to_owned(),
                    (more, _) => format!(" and {more} more"),
                }
        };
        let mut message = match report.reason {
            Reason::Running => format!("not finished; most probable so far: {}", candidates()),
            Reason::Budget => format!("the budget is used up; most probable so far: {}", candidates()),
            Reason::Stopped => format!("stopped; most probable so far: {}", candidates()),
            Reason::Confident => match &report.culprit {
                Some(culprit) => format!("broken by {culprit} with probability {}", percent(report.probability)),
                None if at_bad.runs() > 0 && at_bad.fails == 0 => format!(
                    "{bad} did not fail again in {}: the failure was a flake with probability {}, and nobody is to blame",
                    times(at_bad.runs()),
                    percent(report.probability)
                ),
                None => format!(
                    "the failure was a flake with probability {}; nobody is to blame",
                    percent(report.probability)
                ),
            },
            Reason::Bisected => {
                let who = report.culprit.as_deref().unwrap_or("a flake");
                let odds = percent(report.probability);
                format!("bisection leaves {who}; what was seen makes that {odds} probable")
            }
            Reason::Inseparable => {
                let (suspects, nobody) = match self.ending() {
                    Ending::Inseparable(set) => (set.places.len(), if set.nobody { ", or nobody" } else { "" }),
                    _ => (0, ""),
                };
                format!(
                    "one of {suspects} suspects{nobody}: what would tell them apart cannot be tested; {}",
                    candidates()
                )
            }
            Reason::Contradictory => {
                let unlikely = match report.seen_at_healthy {
                    runs if runs.fails > 0 => {
                        format!(" ({} of {} at revisions that would be healthy failed)", runs.fails, times(runs.runs()))
                    }
                    _ => String::new(),
                };
                let rate = percent(report.flake_rate);
                let instead = match self.belief().rates().known() {
                    Some(_) => "the test is flakier than that (try flake_rate=\"estimate\"), or",
                    None => "it fails more often than any flaky test that is reckoned with, or",
                };
                format!(
                    "the answers fit no single culprit at a flake rate of {rate}{unlikely}: {instead} several revisions \
                     broke it (try find_regressions with search=\"bayes\")"
                )
            }
            Reason::GoodEndFails => {
                let failing = ends.good.iter().zip(good_runs).find(|(_, runs)| runs.passes == 0 && runs.fails > 0);
                let (good, fails) = failing.map_or(("", 0), |(&good, runs)| (graph.id(good), runs.fails));
                format!("{good} was given as good but failed in {}; nobody is blamed", all_of(fails))
            }
        };
        let unresolved =
            ledger.answers().iter().filter(|answer| answer.observation.outcome == Outcome::Unresolved).count();
        if unresolved > 0 && report.conclusion != Conclusion::Culprit {
            let answers = if unresolved == 1 { "1 answer was" } else { &format!("{unresolved} answers were") };
            message.push_str(&format!("; {answers} unresolved"));
        }
        if let Ending::Culprit(place) = self.ending() {
            let parents = graph.parents(self.belief().suspects.node(*place));
            let passed = |parent: &Node| {
                ledger.answers().iter().any(|answer| answer.key == *parent && answer.observation.counts().0 > 0)
            };
            if parents.len() > 1 && !parents.iter().all(passed) {
                message.push_str("; it is a merge, and not each of its parents was seen to pass: verify it");
            }
        }
        if report.conclusion == Conclusion::Culprit && report.seen_at_healthy.passes == 0 {
            message.push_str("; no revision was seen to pass, so this rests on good being good: verify it");
        }
        message
    }
}

fn times(runs: u32) -> String {
    if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") }
}

fn all_of(fails: u32) -> String {
    if fails == 1 { "its only run".to_owned() } else { format!("all of its {fails} runs") }
}
