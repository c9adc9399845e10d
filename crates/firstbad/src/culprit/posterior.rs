//! FACF's posterior, one suspect at a time (Henderson et al. 2023, "Flake Aware Culprit Finding").
//!
//! ```text
//!     Pr[P_i | C_j] = 1 - f   if i < j,   0 otherwise      (pass)
//!     Pr[F_i | C_j] =     f   if i < j,   1 otherwise      (fail)
//!
//!     Pr[C_i | E] = Pr[E | C_i] Pr[C_i] / Pr[E]            (bayes)
//!     Pr[E] = sum of Pr[E | C_j] Pr[C_j] for j = 1..n+1
//! ```
//!
//! `C_j` says that suspect `s_j` is the culprit, `C_(n+1)` that there is no culprit, and `f` is the flake rate. On a DAG,
//! `i < j` reads "`s_j` is neither `s_i` nor an ancestor of `s_i`". The paper's sum stops at `n` and loses "no culprit".
//! With a rate `g` of false passes, the 0 is `g` and the 1 is `1 - g`.
//!
//! Searches use [`Belief`](super::Belief), which weighs suspects with the same likelihood as one. This file is the
//! reference that a property test compares it with.

use std::sync::Arc;

use proptest::prelude::*;

use super::belief::Belief;
use super::suspects::Suspects;
use crate::belief::{Rate, Rates, RunCounts};
use crate::graph::{CommitGraph, Node};

/// The prior and the evidence.
#[derive(Debug)]
struct Facf {
    graph: Arc<CommitGraph>,
    /// The suspects `s_1..s_n`. The last one was seen to fail.
    suspects: Vec<Node>,
    /// `Pr[C_i]` for `i = 1..n+1`.
    prior: Vec<f64>,
    f: f64,
    g: f64,
    /// The runs of each tested revision.
    evidence: Vec<(Node, RunCounts)>,
}

impl Facf {
    /// `Pr[C_i | E]` for `i = 1..n+1`, or `None` if no hypothesis explains the evidence.
    fn posterior(&self) -> Option<Vec<f64>> {
        let joint: Vec<f64> = (0..self.prior.len()).map(|i| self.likelihood(i) * self.prior[i]).collect();
        let total: f64 = joint.iter().sum();
        (total > 0.0).then(|| joint.iter().map(|each| each / total).collect())
    }

    /// `Pr[E | C_j]`.
    fn likelihood(&self, j: usize) -> f64 {
        self.evidence.iter().map(|&(revision, runs)| self.runs_given(j, revision, runs)).product()
    }

    /// `Pr[P_i | C_j]` and `Pr[F_i | C_j]`, once for each run.
    fn runs_given(&self, j: usize, revision: Node, runs: RunCounts) -> f64 {
        let is_broken = self.suspects.get(j).is_some_and(|&culprit| self.graph.is_ancestor(culprit, revision));
        let (pass, fail) = if is_broken { (self.g, 1.0 - self.g) } else { (1.0 - self.f, self.f) };
        let RunCounts { passes, fails } = self.counted(revision, runs);
        pass.powi(passes as i32) * fail.powi(fails as i32)
    }

    /// A failure on another branch may have another cause, and a revision after the failing one may be repaired.
    fn counted(&self, revision: Node, runs: RunCounts) -> RunCounts {
        let bad = self.suspects[self.suspects.len() - 1];
        if self.graph.is_ancestor(revision, bad) {
            runs
        } else if self.graph.is_ancestor(bad, revision) {
            RunCounts::default()
        } else {
            RunCounts { fails: 0, ..runs }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn suspects_in_classes_have_the_plain_posterior(
        links in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 2..14),
        is_list: bool,
        (bad, good) in any::<(prop::sample::Index, prop::sample::Index)>(),
        weights in prop::option::of(prop::collection::vec(0..5u8, 14)),
        (f, g) in (prop::sample::select(vec![0.0, 0.1, 0.4]), prop::sample::select(vec![0.0, 0.0, 0.2])),
        no_culprit in prop::sample::select(vec![0.0, 0.4, 0.9]),
        runs in prop::collection::vec((any::<prop::sample::Index>(), 0..3u32, 0..3u32), 0..16),
    ) {
        let parents = |node: usize| match (node, is_list) {
            (0, _) => vec![],
            (_, true) => vec![node - 1],
            (_, false) => {
                let (one, other) = (links[node].0.index(node), links[node].1.index(node));
                if one == other { vec![one] } else { vec![one, other] }
            }
        };
        let names = |nodes: Vec<usize>| nodes.iter().map(usize::to_string).collect::<Vec<_>>();
        let revisions = (0..links.len()).map(|node| (node.to_string(), names(parents(node))));
        let graph = Arc::new(CommitGraph::new(revisions).unwrap());
        let bad = 1 + bad.index(links.len() - 1);
        let cleared = graph.ancestors(&[good.index(bad) as Node]);
        prop_assume!(!cleared.contains(bad));
        let weight = |node: Node| weights.as_ref().map_or(1.0, |weights| f64::from(weights[node as usize]));
        let weight = |node: Node| if node as usize == bad { 1.0 } else { weight(node) };
        let given: Option<&dyn Fn(Node) -> f64> = if weights.is_some() { Some(&weight) } else { None };
        let is_cleared = |node: Node| cleared.contains(node as usize);
        let suspects = Arc::new(Suspects::new(Arc::clone(&graph), bad as Node, is_cleared, given, |_| no_culprit));

        let before = graph.ancestors(&[bad as Node]);
        let suspected: Vec<Node> = before.difference(&cleared).map(|node| node as Node).collect();
        let all: f64 = suspected.iter().map(|&node| weight(node)).sum();
        let mut prior: Vec<f64> = suspected.iter().map(|&node| weight(node) / all * (1.0 - no_culprit)).collect();
        prior.push(no_culprit);
        let mut facf = Facf { graph, suspects: suspected, prior, f, g, evidence: Vec::new() };
        let rates = Rates::new(Rate::Known(f), 0.0, Rate::Known(g)).unwrap();
        let mut belief = Belief::new(suspects, Arc::new(rates), 0.99);
        for (revision, passes, fails) in runs {
            let (revision, runs) = (revision.index(links.len()) as Node, RunCounts { passes, fails });
            belief.observe(revision, runs);
            facf.evidence.push((revision, runs));
            let posterior = facf.posterior();
            prop_assert_eq!(belief.is_possible(), posterior.is_some());
            let Some(posterior) = posterior else { break };
            prop_assert_eq!(belief.suspects.len() + 1, posterior.len());
            let believed = (0..belief.suspects.len()).map(|place| belief.posterior_at(place));
            for (believed, plain) in believed.chain([belief.none().mass]).zip(posterior) {
                prop_assert!((believed - plain).abs() < 1e-9, "{} is not {}", believed, plain);
            }
        }
    }
}
