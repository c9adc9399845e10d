//! What a culprit search says, in one or two sentences.

use super::algorithm::Culprit;
use super::ending::Ending;
use super::report::{Conclusion, CulpritReport, Reason};
use crate::belief::Tally;
use crate::graph::Node;
use crate::search::Ledger;
use crate::search::Outcome;

/// How many candidates are named.
const NAMED: usize = 5;

impl Culprit {
    /// The message of a report that is complete but for it.
    pub(super) fn message(&self, report: &CulpritReport, ledger: &Ledger) -> String {
        let percent = |p: f64| self.percent(p);
        let mut message = match report.reason {
            Reason::Running => format!("not finished; most probable so far: {}", self.candidates(report)),
            Reason::Budget => format!("the budget is used up; most probable so far: {}", self.candidates(report)),
            Reason::Stopped => format!("stopped; most probable so far: {}", self.candidates(report)),
            Reason::Confident => match &report.culprit {
                Some(culprit) => format!("broken by {culprit} with probability {}", percent(report.probability)),
                None => self.flake(report, ledger),
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
                let candidates = self.candidates(report);
                format!("one of {suspects} suspects{nobody}: what would tell them apart cannot be tested; {candidates}")
            }
            Reason::Contradictory => self.contradiction_found(report),
            Reason::GoodEndFails => {
                let (graph, _, ends, good_runs) = self.parts();
                let failing = ends.good.iter().zip(good_runs).find(|(_, runs)| runs.passes == 0 && runs.fails > 0);
                let (good, fails) = failing.map_or(("", 0), |(&good, runs)| (graph.id(good), runs.fails));
                format!("{good} was given as good but failed in {}; nobody is blamed", all_of(fails))
            }
        };
        self.add_doubts(&mut message, report, ledger);
        message
    }

    /// A probability for people, at the confidence asked for.
    fn percent(&self, probability: f64) -> String {
        percent(probability, self.parts().1.confidence)
    }

    /// The most probable hypotheses by name.
    fn candidates(&self, report: &CulpritReport) -> String {
        let name = |revision: &Option<String>| revision.as_deref().unwrap_or("no culprit").to_owned();
        let shown = report.credible_set.iter().take(NAMED);
        let names: Vec<String> =
            shown.map(|one| format!("{} ({})", name(&one.revision), self.percent(one.probability))).collect();
        let more = match (report.credible_set.len() - names.len(), report.reason) {
            (0, _) => String::new(),
            (_, Reason::Running) => " and others".to_owned(),
            (more, _) => format!(" and {more} more"),
        };
        names.join(", ") + &more
    }

    /// That nobody is to blame.
    fn flake(&self, report: &CulpritReport, ledger: &Ledger) -> String {
        let (graph, _, ends, _) = self.parts();
        let mut at_bad = Tally::default();
        for answer in ledger.answers().iter().filter(|answer| answer.key == ends.bad) {
            at_bad += Tally::from(&*answer.observation);
        }
        let odds = self.percent(report.probability);
        if at_bad.runs() > 0 && at_bad.fails == 0 {
            let (bad, runs) = (graph.id(ends.bad), times(at_bad.runs()));
            return format!(
                "{bad} did not fail again in {runs}: the failure was a flake with probability {odds}, and nobody is to \
                 blame"
            );
        }
        format!("the failure was a flake with probability {odds}; nobody is to blame")
    }

    /// That no single culprit explains what was seen, and what to do then.
    fn contradiction_found(&self, report: &CulpritReport) -> String {
        let unlikely = match report.seen_at_healthy {
            runs if runs.fails > 0 => {
                format!(" ({} of {} at revisions that would be healthy failed)", runs.fails, times(runs.runs()))
            }
            _ => String::new(),
        };
        let rate = self.percent(report.flake_rate);
        let instead = match self.belief().rates().known() {
            Some(_) => "the test is flakier than that (try flake_rate=\"estimate\"), or",
            None => "it fails more often than any flaky test that is reckoned with, or",
        };
        format!(
            "the answers fit no single culprit at a flake rate of {rate}{unlikely}: {instead} several revisions broke it \
             (try find_regressions with search=\"bayes\")"
        )
    }

    /// Adds what the conclusion rests on and was not seen.
    fn add_doubts(&self, message: &mut String, report: &CulpritReport, ledger: &Ledger) {
        let unresolved =
            ledger.answers().iter().filter(|answer| answer.observation.outcome == Outcome::Unresolved).count();
        if unresolved > 0 && report.conclusion != Conclusion::Culprit {
            let answers = if unresolved == 1 { "1 answer was" } else { &format!("{unresolved} answers were") };
            message.push_str(&format!("; {answers} unresolved"));
        }
        if let Ending::Culprit(place) = self.ending() {
            let parents = self.parts().0.parents(self.belief().suspects.node(*place));
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
    }
}

/// A probability for people: with as many digits as it takes to tell it from certainty.
fn percent(probability: f64, confidence: f64) -> String {
    let digits = (-(1.0 - confidence).log10() - 1.0).ceil().clamp(1.0, 9.0) as usize;
    let text = format!("{:.digits$} %", 100.0 * probability);
    if text.starts_with("100.") && probability < 1.0 {
        format!("over {:.digits$} %", 100.0 - 0.1f64.powi(digits as i32))
    } else {
        text
    }
}

fn times(runs: u32) -> String {
    if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") }
}

fn all_of(fails: u32) -> String {
    if fails == 1 { "its only run".to_owned() } else { format!("all of its {fails} runs") }
}
