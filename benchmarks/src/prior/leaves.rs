//! Searches for all bad branches at once.

use std::collections::BTreeMap;

use firstbad::suspicion::Changelist;
use firstbad_testkit::recorded::{Choice, History};

use super::content::prior;
use crate::parallel::in_parallel;

/// The ways: all alike, by what they touch, and the test's name.
const WAYS: usize = 3;

/// Queries of searches with several leaves, summed by project.
#[derive(Debug, Default)]
pub(super) struct SeveralLeaves {
    projects: BTreeMap<String, [usize; WAYS]>,
    searches: usize,
    worst: i64,
}

impl SeveralLeaves {
    /// Searches every chosen function of a history that has several leaves.
    pub(super) fn measure(
        &mut self,
        history: &History,
        jobs: &[(usize, bool)],
        changes: &[Changelist],
    ) -> Result<(), String> {
        let choice = Choice::default();
        let done = in_parallel(jobs, |&(function, swapped)| {
            history.several_leaves(function, swapped, &choice).map(|instance| {
                let name = std::slice::from_ref(&history.functions[function].name);
                let mut runs = [0; WAYS];
                for (way, tests) in [(0, None), (1, Some(&[][..])), (2, Some(name))] {
                    let mut config = instance.case.config();
                    if let Some(tests) = tests {
                        config.prior = Some(prior(changes, tests, &instance.case)?);
                    }
                    runs[way] = instance.case.run(config).asked.len();
                }
                Ok::<_, String>(runs)
            })
        });
        for runs in done.into_iter().flatten() {
            let runs = runs?;
            self.searches += 1;
            self.worst = self.worst.max(runs[2].max(runs[1]) as i64 - runs[0] as i64);
            let sums = self.projects.entry(history.repo.clone()).or_default();
            sums.iter_mut().zip(runs).for_each(|(sum, more)| *sum += more);
        }
        Ok(())
    }

    /// Prints the table.
    pub(super) fn print(&self) {
        println!("\nSeveral bad branches at once, {} searches: runs, and those of all alike.\n", self.searches);
        println!("| project | all alike | by what they touch | and the test's name |\n|---|---|---|---|");
        let mut all = [0; WAYS];
        let row = |name: &str, [alike, touched, named]: [usize; WAYS]| {
            let over = |runs: usize| runs as f64 / alike.max(1) as f64;
            println!("| {name} | {alike} | {touched}: {:.3} | {named}: {:.3} |", over(touched), over(named));
        };
        for (project, &sums) in &self.projects {
            row(project, sums);
            all.iter_mut().zip(sums).for_each(|(sum, more)| *sum += more);
        }
        row("all", all);
        println!("\nThe most that one search took above all alike: {}.", self.worst);
    }
}
