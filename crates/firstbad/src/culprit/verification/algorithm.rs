//! The checks, as an ask-and-tell algorithm.

use std::sync::Arc;

use super::config::VerificationConfig;
use super::order::{History, Run};
use super::report::{Check, CheckReason, Role, VerificationReason, VerificationReport};
use crate::belief::{Sought, Tally};
use crate::culprit::config::Ends;
use crate::error::Error;
use crate::graph::{CommitGraph, Node};
use crate::search::{Algorithm, History as Revisions, Ledger, Observation, Reading, Status};

/// The algorithm behind a [`CulpritVerifier`](crate::culprit::CulpritVerifier).
///
/// First the good end and the culprit's parents are to pass, then the culprit and the bad end to fail, then the former
/// to pass once more: that is the order in time that the paper asks for. The rest are reruns of the culprit and of the
/// bad end, which must never pass. What proves the conclusion wrong ends it at once.
pub struct Verification {
    graph: Arc<CommitGraph>,
    config: VerificationConfig,
    reruns: u32,
    bad: Node,
    space: Revisions,
    good: Node,
    /// `None` if the failure is said to have been a flake.
    culprit: Option<Node>,
    history: History,
    unresolved: Vec<Node>,
    sought: Sought,
}

impl Verification {
    fn open(graph: Arc<CommitGraph>, mut config: VerificationConfig) -> Result<Self, Error> {
        let reruns = config.reruns()?;
        let ends = Ends::new(&graph, &config.bad, &config.good)?;
        let resolve = |name: &Option<String>, argument: &str| -> Result<Option<Node>, Error> {
            name.as_deref().map(|name| graph.resolve(name, argument)).transpose()
        };
        let culprit = resolve(&config.culprit, "culprit")?;
        if let Some(culprit) = culprit {
            let cleared = ends.good.iter().any(|&good| graph.is_ancestor(culprit, good));
            if cleared || !graph.is_ancestor(culprit, ends.bad) {
                let expected = "a suspect: bad or one of its ancestors, and none of good's";
                return Err(Error::invalid("culprit", graph.id(culprit), expected));
            }
        }
        if let Some(earlier) = &config.again
            && resolve(&earlier.culprit, "again.culprit")? != culprit
        {
            let expected = "the earlier verification of the same conclusion";
            return Err(Error::invalid("again", earlier.culprit.as_deref().unwrap_or("a flake"), expected));
        }
        (config.bad, config.good) = ends.names(&graph);
        config.culprit = culprit.map(|culprit| graph.id(culprit).to_owned());
        if let Some(earlier) = &mut config.again {
            earlier.culprit.clone_from(&config.culprit);
        }
        Ok(Verification {
            reruns,
            bad: ends.bad,
            space: Revisions::new(Arc::clone(&graph), vec![ends.bad]),
            good: ends.good[0],
            culprit,
            history: History::default(),
            unresolved: Vec::new(),
            sought: Sought::new(config.signature.clone()),
            graph,
            config,
        })
    }

    /// Takes in what was seen, in the light of which failure is meant.
    fn take(&mut self, revision: Node, observation: &Observation) {
        // Where it must pass, a failure of any kind is no pass.
        let tally = if self.must_fail(revision) { self.sought.tally(observation) } else { Tally::from(observation) };
        if tally.runs() == 0 {
            self.unresolved.push(revision);
        } else {
            self.history.push(Run::new(revision, tally, observation));
        }
    }

    fn must_fail(&self, revision: Node) -> bool {
        self.failing().iter().any(|&(_, node)| node == revision)
    }

    /// Revisions that must pass, in the order in which they are checked.
    fn passing(&self) -> Vec<(Role, Node)> {
        let Some(culprit) = self.culprit else { return vec![(Role::Bad, self.bad)] };
        let parents = self.graph.parents(culprit).iter().map(|&parent| (Role::Parent, parent));
        std::iter::once((Role::Good, self.good)).chain(parents).collect()
    }

    /// Revisions that must never pass.
    fn failing(&self) -> Vec<(Role, Node)> {
        match self.culprit {
            None => Vec::new(),
            Some(culprit) if culprit == self.bad => vec![(Role::Culprit, culprit)],
            Some(culprit) => vec![(Role::Culprit, culprit), (Role::Bad, self.bad)],
        }
    }

    /// Pairs of a revision that must pass and one that must fail, both before and after.
    fn ordered(&self) -> Vec<(Role, Node, Node)> {
        let Some(culprit) = self.culprit else { return Vec::new() };
        let failing = |role: Role| if role == Role::Good { self.bad } else { culprit };
        self.passing().into_iter().map(|(role, node)| (role, node, failing(role))).collect()
    }

    /// What proves the conclusion wrong, or keeps it from being proved.
    fn reasons(&self) -> Vec<VerificationReason> {
        let mut reasons = Vec::new();
        let mut add = |code: CheckReason, node: Node, says: String| {
            let revision = self.graph.id(node).to_owned();
            reasons.push(VerificationReason { code, message: format!("{revision} {says}"), revision });
        };
        for (role, node) in self.failing() {
            let passes = self.history.passes(node);
            if passes > 0 {
                let runs = passes + self.history.fails(node);
                if role == Role::Culprit {
                    add(CheckReason::CulpritPasses, node, format!("was blamed, but passes ({passes} of {runs} runs)"));
                }
                if node == self.bad {
                    let says = format!("passes ({passes} of {runs} runs): its failure was a flake");
                    add(CheckReason::BadPasses, node, says);
                }
            }
        }
        for (role, node) in self.passing() {
            let fails = self.history.fails(node);
            if self.history.passes(node) == 0 && fails >= self.reruns {
                let (code, says) = match role {
                    Role::Bad => (CheckReason::BadNeverPasses, "so its failure was no flake"),
                    Role::Parent => (CheckReason::ParentNeverPasses, "so it broke before the revision that was blamed"),
                    _ => (CheckReason::GoodNeverPasses, "so the failure may depend on the time or the environment"),
                };
                add(code, node, format!("never passes ({fails} runs), {says}"));
            }
        }
        for (role, passing, failing) in self.ordered() {
            let failing_name = self.graph.id(failing);
            let (before, after) = match role {
                Role::Good => (CheckReason::NoGoodPassBeforeBadFail, CheckReason::NoBadFailBeforeGoodPass),
                _ => (CheckReason::NoParentPassBeforeCulpritFail, CheckReason::NoCulpritFailBeforeParentPass),
            };
            let passes = self.history.passes(passing);
            let given_up = self.history.fails_after(failing, passing).is_some_and(|fails| fails >= self.reruns);
            if passes > 0 && given_up {
                let says =
                    format!("did not pass any more once {failing_name} had failed: the environment may have changed");
                add(after, passing, says);
                if !self.history.has_pass_before_fail(passing, failing) {
                    add(before, passing, format!("did not pass before {failing_name} failed"));
                }
            }
        }
        let needs = self.needs();
        for node in self.unresolved.iter().filter(|&&node| needs.iter().any(|&(other, _)| other == node)) {
            add(CheckReason::Unresolved, *node, "cannot be tested, so nothing is proved about it".to_owned());
        }
        if let Some(earlier) = self.config.again.as_ref().and_then(|earlier| earlier.correct) {
            let now = self.verdict(&reasons);
            if now.is_some_and(|now| now != earlier) {
                let said = |correct: bool| if correct { "correct" } else { "incorrect" };
                let node = self.culprit.unwrap_or(self.bad);
                reasons.push(VerificationReason {
                    code: CheckReason::NotReproducible,
                    revision: self.graph.id(node).to_owned(),
                    message: format!(
                        "the earlier verification called the conclusion {}, this one {}: it depends on time or environment",
                        said(earlier),
                        said(!earlier)
                    ),
                });
            }
        }
        reasons
    }

    /// What the reasons amount to.
    fn verdict(&self, reasons: &[VerificationReason]) -> Option<bool> {
        if reasons.iter().any(|reason| reason.code != CheckReason::Unresolved) {
            Some(false)
        } else if reasons.is_empty() && self.needs().is_empty() {
            Some(true)
        } else {
            None
        }
    }

    /// How many runs of which revisions are still needed, in the order in which they are worth it.
    fn needs(&self) -> Vec<(Node, u32)> {
        let mut needs: Vec<(Node, u32)> = Vec::new();
        for (_, node) in self.passing() {
            if self.history.passes(node) == 0 {
                needs.push((node, 1));
            }
        }
        if self.culprit.is_none() {
            return needs;
        }
        let first_passes = !needs.is_empty();
        for (_, passing, failing) in self.ordered() {
            if self.history.passes(passing) == 0 {
                continue;
            }
            if !self.history.has_pass_before_fail(passing, failing) {
                if !first_passes && !needs.contains(&(failing, 1)) {
                    needs.push((failing, 1));
                }
            } else if !self.history.has_fail_before_pass(failing, passing) && !needs.contains(&(passing, 1)) {
                needs.push((passing, 1));
            }
        }
        for (_, node) in self.failing() {
            let left = self.reruns.saturating_sub(self.history.fails(node));
            if left > 0 {
                needs.push((node, left));
            }
        }
        needs
    }

    fn is_over(&self) -> bool {
        let reasons = self.reasons();
        !reasons.is_empty() || self.needs().is_empty()
    }
}

impl Algorithm for Verification {
    type Config = VerificationConfig;
    type Report = VerificationReport;
    type Space = Revisions;

    const NAME: &'static str = "verification";

    fn new(graph: Arc<CommitGraph>, config: VerificationConfig) -> Result<Self, Error> {
        Verification::open(graph, config)
    }

    fn space(&self) -> &Revisions {
        &self.space
    }

    fn space_mut(&mut self) -> &mut Revisions {
        &mut self.space
    }

    fn config(&self) -> &VerificationConfig {
        &self.config
    }

    fn repeats(&self) -> bool {
        true
    }

    fn absorb(&mut self, revision: Node, observation: &Observation) -> Reading {
        if self.must_fail(revision) && self.sought.learns_from(observation) {
            return Reading::Anew;
        }
        self.take(revision, observation);
        Reading::Stands
    }

    fn begin_rereading(&mut self) {
        self.history.clear();
        self.unresolved.clear();
    }

    fn reset(&mut self) {
        self.sought.forget();
        self.begin_rereading();
    }

    fn choose(&mut self, want: usize, in_flight: &[Node]) -> Vec<Node> {
        if self.is_over() {
            return Vec::new();
        }
        let want = match (self.history.is_timed(), in_flight.is_empty()) {
            (true, _) => want,
            // Without times the order told is the order in time: one after the other.
            (false, true) => 1,
            (false, false) => 0,
        };
        let mut flying: Vec<Node> = in_flight.to_vec();
        let mut chosen = Vec::new();
        for (node, runs) in self.needs() {
            for _ in 0..runs {
                match flying.iter().position(|&other| other == node) {
                    Some(place) => {
                        flying.swap_remove(place);
                    }
                    None => chosen.push(node),
                }
            }
        }
        chosen.truncate(want);
        chosen
    }

    fn wants(&self, revision: Node) -> bool {
        !self.is_over() && self.needs().iter().any(|&(node, _)| node == revision)
    }

    fn status(&self) -> Status {
        let reasons = self.reasons();
        match self.verdict(&reasons) {
            Some(_) => Status::Found,
            None if reasons.is_empty() => Status::Running,
            None => Status::Ambiguous,
        }
    }

    fn report(&self, status: Status, ledger: &Ledger) -> VerificationReport {
        let reasons = self.reasons();
        let correct = self.verdict(&reasons);
        let check = |(role, node): (Role, Node)| Check {
            role,
            revision: self.graph.id(node).to_owned(),
            runs: Tally { passes: self.history.passes(node), fails: self.history.fails(node) },
        };
        let conclusion = match &self.config.culprit {
            Some(culprit) => format!("{culprit} as the culprit"),
            None => "a flake".to_owned(),
        };
        let because = || reasons.iter().map(|reason| reason.message.as_str()).collect::<Vec<_>>().join("; ");
        let message = match (correct, status) {
            (Some(true), _) => format!("{conclusion}: verified in {}", runs(ledger.queries())),
            (Some(false), _) => format!("{conclusion}: not correct; {}", because()),
            (None, Status::Running) => format!("{conclusion}: not verified yet"),
            (None, Status::Budget) => format!("{conclusion}: not verified, the budget is used up"),
            (None, Status::Stopped) => format!("{conclusion}: not verified, stopped"),
            (None, _) => format!("{conclusion}: cannot be verified; {}", because()),
        };
        VerificationReport {
            status,
            correct,
            message,
            culprit: self.config.culprit.clone(),
            reruns: self.reruns,
            checks: self.passing().into_iter().chain(self.failing()).map(check).collect(),
            reasons,
            queries: ledger.queries(),
            observations: ledger.observations(self.space()),
        }
    }
}

fn runs(count: u64) -> String {
    if count == 1 { "1 run".to_owned() } else { format!("{count} runs") }
}
