//! What a prior costs where it is worthless: the culprit is drawn from the suspects, whatever they touch.

use std::sync::Arc;

use firstbad::Outcome;
use firstbad::graph::Node;
use firstbad::suspicion::Changelist;
use firstbad_testkit::recorded::{Choice, History};
use firstbad_testkit::replay::Case;
use firstbad_testkit::simulated::Random;
use firstbad_testkit::truth::suspects;

use super::content::prior;
use crate::parallel::in_parallel;

/// How many culprits are drawn for each search of a recorded history.
const DRAWS: usize = 10;

/// Queries above those with all alike.
#[derive(Debug, Default)]
pub(super) struct Worthless {
    /// Without the test's name, and with it.
    losses: [Vec<i64>; 2],
}

impl Worthless {
    /// Searches the histories of the chosen functions, for culprits that were drawn.
    pub(super) fn measure(
        &mut self,
        history: &History,
        jobs: &[(usize, bool)],
        changes: &[Changelist],
    ) -> Result<(), String> {
        let done = in_parallel(jobs, |&(function, swapped)| {
            let name = std::slice::from_ref(&history.functions[function].name);
            let mut random = Random::new(function as u64);
            let mut losses = [Vec::new(), Vec::new()];
            for instance in history.single_leaf(function, swapped, &Choice::default()) {
                let suspects = suspects(&instance.case);
                let config = instance.case.config();
                let priors = [&[][..], name].map(|tests| prior(changes, tests, &instance.case));
                for _ in 0..DRAWS {
                    let culprit = suspects[random.below(suspects.len() as u64) as usize];
                    let case = broken_by(&instance.case, culprit);
                    let alike = case.run(config.clone()).asked.len() as i64;
                    for (losses, prior) in losses.iter_mut().zip(&priors) {
                        let mut config = config.clone();
                        config.prior = Some(prior.clone()?);
                        losses.push(case.run(config).asked.len() as i64 - alike);
                    }
                }
            }
            Ok::<_, String>(losses)
        });
        for losses in done {
            self.losses.iter_mut().zip(losses?).for_each(|(all, more)| all.extend(more));
        }
        Ok(())
    }

    /// Prints the table.
    pub(super) fn print(&self) {
        println!(
            "\nWhere the prior is worthless (the culprit drawn from the suspects, all resolved), runs above all alike:\n"
        );
        println!("| the prior | searches | mean | at least 2 more | worst |\n|---|---|---|---|---|");
        for (name, losses) in ["by what they touch", "and the test's name"].into_iter().zip(&self.losses) {
            let count = losses.len().max(1) as f64;
            let mean = losses.iter().sum::<i64>() as f64 / count;
            let many = losses.iter().filter(|&&loss| loss >= 2).count() as f64 / count;
            let worst = losses.iter().max().copied().unwrap_or_default();
            println!("| {name} | {} | {mean:+.2} | {:.1}% | {worst:+} |", losses.len(), 100.0 * many);
        }
    }
}

/// The same history with that culprit: it fails, and all that comes from it.
pub(super) fn broken_by(case: &Case, culprit: Node) -> Case {
    let graph = &case.graph;
    let mut outcomes = vec![Outcome::Pass; graph.len()];
    for node in culprit..graph.len() as Node {
        let is_failing = |&parent: &Node| outcomes[parent as usize] == Outcome::Fail;
        if node == culprit || graph.parents(node).iter().any(is_failing) {
            outcomes[node as usize] = Outcome::Fail;
        }
    }
    Case { outcomes: Arc::from(outcomes), ..case.clone() }
}
