//! The report of a triage, from its state.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashMap;

use super::algorithm::Triage;
use super::belief::credible;
use super::listing::others;
use super::message;
use super::report::{
    CulpritEvidence, RevisionRuns, SeparateEstimate, TestVerdict, TriageCulprit, TriageReport, Verdict,
};
use super::rule::Decision;
use crate::belief::{Prior, RunCounts};
use crate::finding::find::Find;
use crate::finding::fingerprint::fingerprint;
use crate::graph::Node;
use crate::search::{Algorithm as _, Key, Ledger, Observation, Outcome, Stage, Status};
use crate::words::printable::{printable, short};

/// The id of the build among the verdicts.
pub(super) const BUILD: &str = "(build)";

impl Triage {
    /// Returns the verdict about a subject.
    pub(super) fn verdict(&self, number: usize) -> Verdict {
        let subject = &self.subjects[number];
        if let Some(listed) = subject.listed {
            return listed;
        }
        match subject.decision {
            _ if !self.searched().contains(&number) => Verdict::Undecided,
            Decision::Open(_) | Decision::Undecided => Verdict::Undecided,
            Decision::Broken(_) if subject.is_new(self.good()) => Verdict::New,
            Decision::Broken(_) if !subject.older.is_empty() => Verdict::Intermittent,
            Decision::Broken(_) => Verdict::Broken,
            Decision::BrokenIn(_) => Verdict::BrokenIn,
            Decision::Flaky => Verdict::Flaky,
            Decision::Environment if subject.green_last => Verdict::Environment,
            Decision::Environment => Verdict::FailedBefore,
            Decision::Infra => Verdict::Infra,
        }
    }

    /// Returns the status of the search from its verdicts.
    pub(super) fn verdict_status(&self) -> Status {
        if !self.unreported().is_empty() {
            return Status::Running;
        }
        let searched: Vec<usize> = self.searched().filter(|&number| self.subjects[number].listed.is_none()).collect();
        if searched.iter().any(|&number| self.subjects[number].is_open()) {
            return Status::Running;
        }
        if self.is_build_broken() || self.is_suite_lost() {
            return Status::Untestable;
        }
        let subjects = self.searched().filter(|&number| !self.subjects[number].is_absent);
        let verdicts: Vec<Verdict> = subjects.map(|number| self.verdict(number)).collect();
        let all =
            |of: &[Verdict]| !searched.is_empty() && searched.iter().all(|&number| of.contains(&self.verdict(number)));
        let fails_at_bad = |&number: &usize| self.subjects[number].evidence.at(self.ends.bad).fails > 0;
        if verdicts.is_empty() {
            Status::NotReproduced
        } else if verdicts.contains(&Verdict::Undecided) {
            Status::TooFlaky
        } else if verdicts.contains(&Verdict::BrokenIn) {
            Status::Ambiguous
        } else if all(&[Verdict::Environment, Verdict::FailedBefore]) {
            Status::GoodEndFails
        } else if all(&[Verdict::Flaky, Verdict::Infra]) && !searched.iter().any(fails_at_bad) {
            Status::NotReproduced
        } else {
            Status::Found
        }
    }

    /// Returns the report with all of its texts.
    pub(super) fn write_report(&self, status: Status, ledger: &Ledger) -> TriageReport {
        let culprits = self.culprits();
        let build = Some(self.build()).filter(|_| self.is_build_broken());
        let leaders = self.leaders();
        let listed_tests = (0..self.build()).filter(|&number| !self.subjects[number].is_absent);
        let tests = build.into_iter().chain(listed_tests).map(|number| self.test_verdict(number, &leaders));
        let others = others(&self.reports).into_iter().map(|(id, verdict)| listed(id.to_owned(), verdict));
        let tests: Vec<TestVerdict> = tests.chain(others).collect();
        let seconds: Vec<f64> = ledger.answers().iter().filter_map(|answer| answer.observation.seconds).collect();
        let mut report = TriageReport {
            status,
            message: String::new(),
            bad: self.graph.id(self.ends.bad).to_owned(),
            good: self.ends.good.iter().map(|&node| self.graph.id(node).to_owned()).collect(),
            confidence: self.config.confidence,
            culprits,
            tests,
            builds: self.builds(ledger),
            test_runs: ledger.answers().iter().map(|answer| self.test_runs(answer.key, &answer.observation)).sum(),
            seconds: (!seconds.is_empty()).then(|| seconds.iter().sum()),
            separate_estimate: self.separate_estimate(),
            suspects: self.past.len(),
            revisions: self.revisions(),
            warnings: self.config.prior.as_ref().map(Prior::warnings).unwrap_or_default(),
            asked: ledger.asked(),
            runs: ledger.runs(),
            observations: ledger.observations(self.space()),
            commits: BTreeMap::new(),
            names: BTreeMap::new(),
        };
        report.message = message::message(&report, self.graph.id(self.ends.bad));
        report
    }

    /// Returns the first searched test of each signature with several tests.
    fn leaders(&self) -> HashMap<u32, usize> {
        let mut leaders: HashMap<u32, usize> = HashMap::new();
        for number in 0..self.build() {
            let Some(group) = self.subjects[number].group else { continue };
            let leader = leaders.entry(group).or_insert(number);
            if self.subjects[number].evidence.results > self.subjects[*leader].evidence.results {
                *leader = number;
            }
        }
        leaders
    }

    /// Returns the revisions with results, oldest first.
    fn revisions(&self) -> Vec<String> {
        let nodes: BTreeSet<Node> = self.subjects.iter().flat_map(|subject| subject.evidence.asked()).collect();
        nodes.into_iter().map(|node| self.graph.id(node).to_owned()).collect()
    }

    fn id(&self, number: usize) -> String {
        self.space.ids().get(number).map_or(BUILD, String::as_str).to_owned()
    }

    fn test_verdict(&self, number: usize, leaders: &HashMap<u32, usize>) -> TestVerdict {
        let subject = &self.subjects[number];
        let verdict = self.verdict(number);
        let mut one = listed(self.id(number), verdict);
        one.signature.clone_from(&subject.signature);
        let leader = subject.group.and_then(|group| leaders.get(&group)).filter(|&&leader| leader != number);
        one.leader = leader.map(|&leader| self.id(leader));
        one.note = self.note(number, verdict);
        let nodes: BTreeSet<Node> = subject.evidence.asked().collect();
        let runs = nodes.into_iter().map(|node| RevisionRuns {
            revision: self.graph.id(node).to_owned(),
            passes: subject.evidence.at(node).passes,
            fails: subject.evidence.at(node).fails,
            unresolved: subject.evidence.missing(node),
        });
        one.observations = runs.collect();
        one.runs = one
            .observations
            .iter()
            .map(|one| u64::from(one.passes) + u64::from(one.fails) + u64::from(one.unresolved))
            .sum();
        if subject.listed.is_some() || !self.searched().contains(&number) {
            return one;
        }
        let Some(belief) = &subject.belief else { return one };
        let name = |&place: &usize| self.graph.id(self.past.node(place)).to_owned();
        let sum = |places: &[usize]| places.iter().map(|&place| belief.culprit[place]).sum::<f64>();
        match &subject.decision {
            Decision::Broken(place) => {
                one.culprit = Some(name(place));
                one.probability = Some(belief.culprit[*place]);
            }
            Decision::BrokenIn(places) => {
                one.candidates = places.iter().map(name).collect();
                one.probability = Some(sum(places).min(1.0));
            }
            Decision::Open(_) | Decision::Undecided => {
                let places = credible(belief, self.config.confidence);
                one.candidates = places.iter().map(name).collect();
                one.probability = Some(sum(&places).min(1.0));
            }
            Decision::Flaky => one.probability = Some(belief.flaky.min(1.0)),
            Decision::Environment => one.probability = Some(belief.environment.min(1.0)),
            Decision::Infra => {}
        }
        one
    }

    fn note(&self, number: usize, verdict: Verdict) -> Option<String> {
        let subject = &self.subjects[number];
        let name = |node: Node| printable(short(self.graph.id(node)));
        let total = subject.evidence.total();
        match verdict {
            Verdict::Undecided if subject.listed.is_some() => {
                Some(format!("not searched: at most {} tests are searched", self.config.max_tests))
            }
            Verdict::Undecided if !self.searched().contains(&number) => {
                Some(format!("not searched: {} cannot be built", name(self.ends.bad)))
            }
            Verdict::Flaky if total.fails == 0 => {
                let runs =
                    if total.runs() == 1 { "the only run".to_owned() } else { format!("all {} runs", total.runs()) };
                Some(format!("failed before this search, passed in {runs}; it may depend on the order of the tests"))
            }
            Verdict::Flaky => Some(format!("failed in {} of {} runs", total.fails, total.runs())),
            Verdict::Environment => Some(format!("fails at {} on this machine", name(self.good()))),
            Verdict::FailedBefore if subject.listed.is_none() => {
                Some(format!("fails at {} as well", name(self.good())))
            }
            Verdict::FailedBefore => Some("failed in the last green run".to_owned()),
            Verdict::Infra => Some(format!("had no result at {}", name(self.ends.bad))),
            Verdict::Intermittent => {
                let older: Vec<String> = subject.older.iter().map(|&node| name(node)).collect();
                Some(format!("failed before, at {}", older.join(", ")))
            }
            Verdict::New => {
                let parents =
                    subject.culprit().map(|place| self.graph.parents(self.past.node(place))).unwrap_or_default();
                let has_passed = parents.iter().any(|&parent| subject.evidence.at(parent).passes > 0);
                Some(
                    if has_passed {
                        "added after the good revision"
                    } else {
                        "added after the good revision, never passed"
                    }
                    .to_owned(),
                )
            }
            _ => None,
        }
    }

    /// Returns the culprits with their tests, the one with the most tests first.
    fn culprits(&self) -> Vec<TriageCulprit> {
        let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for number in self.searched() {
            if let Some(place) = self.subjects[number].culprit() {
                found.entry(place).or_default().push(number);
            }
        }
        let mut culprits: Vec<TriageCulprit> = found.iter().map(|(&place, tests)| self.culprit(place, tests)).collect();
        culprits.sort_by_key(|culprit| std::cmp::Reverse(culprit.tests.len()));
        culprits
    }

    fn culprit(&self, place: usize, tests: &[usize]) -> TriageCulprit {
        let node = self.past.node(place);
        let parents = self.graph.parents(node);
        let before: Vec<Node> = if parents.is_empty() { vec![self.good()] } else { parents.to_vec() };
        let mut evidence = CulpritEvidence::default();
        let mut probability = 1.0f64;
        let mut signatures: BTreeMap<&str, usize> = BTreeMap::new();
        for &number in tests {
            let subject = &self.subjects[number];
            let at = |node: Node| subject.evidence.at(node);
            evidence.failing += usize::from(at(node).fails > 0);
            evidence.passing += usize::from(before.iter().all(|&parent| at(parent).passes > 0));
            evidence.at_commit += at(node);
            evidence.at_parents += before.iter().fold(RunCounts::default(), |sum, &parent| sum + at(parent));
            probability = probability.min(subject.belief.as_ref().map_or(0.0, |belief| belief.culprit[place]));
            subject.signature.iter().for_each(|signature| *signatures.entry(signature).or_default() += 1);
        }
        let most = signatures.into_iter().rev().max_by_key(|&(_, tests)| tests);
        let commit = self.graph.id(node).to_owned();
        TriageCulprit {
            parents: parents.iter().map(|&parent| self.graph.id(parent).to_owned()).collect(),
            tests: tests.iter().map(|&number| self.id(number)).collect(),
            probability,
            parents_pass: evidence.passing == tests.len(),
            evidence,
            signature: most.map(|(signature, _)| signature.to_owned()),
            fingerprint: fingerprint(Find::Regression, [&commit]),
            people: Default::default(),
            commit,
        }
    }

    /// Returns the number of builds. A run at a kept build needs none.
    fn builds(&self, ledger: &Ledger) -> u64 {
        // An oracle that says which builds it reused knows better than the configuration.
        let is_told = ledger.answers().iter().any(|answer| answer.observation.reused);
        let most = if is_told { 0 } else { self.config.keep_builds.count() };
        let mut kept: Vec<Node> = Vec::new();
        let mut builds = 0;
        for answer in ledger.answers().iter().filter(|answer| answer.probe.is_some() && answer.observation.ran) {
            let Some(node) = self.node(answer.key) else { continue };
            let is_kept = kept.iter().rev().take(most).any(|&other| other == node);
            builds += u64::from(!is_kept && !answer.observation.reused);
            kept.retain(|&other| other != node);
            kept.push(node);
        }
        builds
    }

    /// Returns the number of tests that an observation ran.
    fn test_runs(&self, key: Key, seen: &Observation) -> u64 {
        let is_early = seen.stage.is_some_and(|stage| stage < Stage::Test);
        let sum = |(passes, fails): (u32, u32)| u64::from(passes) + u64::from(fails);
        match &seen.results {
            _ if !seen.ran => 0,
            results if !results.is_empty() => results.values().map(|result| sum(result.counts()).max(1)).sum(),
            _ if is_early || (seen.outcome == Outcome::Unresolved && seen.stage.is_none()) => 0,
            _ => sum(seen.counts()).max(1) * self.tests_of(key) as u64,
        }
    }

    /// Estimates one bisection for each searched test, with three runs at the bad revision and one at the good revision.
    fn separate_estimate(&self) -> SeparateEstimate {
        let tests = self.searched().filter(|&number| self.subjects[number].listed.is_none()).count() as u64;
        let steps = u64::from(usize::BITS - self.past.len().leading_zeros());
        SeparateEstimate { builds: 2 + tests * steps, test_runs: tests * (4 + steps) }
    }
}

fn listed(id: String, verdict: Verdict) -> TestVerdict {
    TestVerdict {
        id,
        verdict,
        culprit: None,
        candidates: Vec::new(),
        probability: None,
        runs: 0,
        observations: Vec::new(),
        signature: None,
        leader: None,
        note: None,
    }
}
