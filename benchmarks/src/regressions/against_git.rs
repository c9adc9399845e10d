//! Compares the copy of Git's bisection with Git, in repositories with the shapes of the recorded histories.

use firstbad::Outcome;
use firstbad_testkit::Failure;
use firstbad_testkit::git_bisect::{GitBisect, Step};
use firstbad_testkit::git_repository::GitRepository;
use firstbad_testkit::git_run::{Cache, bisect};
use firstbad_testkit::recorded::{Choice, History};
use firstbad_testkit::replay::Case;

/// The numbers of single choices and whole runs that are compared in each project.
const CHOICES: usize = 40;
const RUNS: usize = 12;

/// Compares on a sample, evenly spread over the instances of each project, and returns the differences.
pub(super) fn check(histories: &[History], choice: &Choice) -> Result<Vec<String>, Failure> {
    let mut differences = Vec::new();
    for history in histories {
        let repository = GitRepository::new(&history.graph)?;
        let graph = repository.renamed(&history.graph)?;
        let instances: Vec<_> = history
            .chosen_functions(choice)
            .into_iter()
            .flat_map(|(function, swapped)| history.single_leaf(function, swapped, choice))
            .collect();
        for instance in spread(&instances, CHOICES) {
            let case = &instance.case;
            let theirs = repository.rev_list_bisect(case.leaves[0], &case.goods)?;
            let (Step::Test(ours) | Step::FirstBad(ours) | Step::OnlySkippedLeft(ours)) =
                GitBisect::new(&graph, case.leaves[0], &case.goods).step();
            if graph.id(ours) != theirs {
                differences.push(format!("{}: git rev-list --bisect of leaf {}", history.repo, case.leaves[0]));
            }
        }
        // Few runs of Git meet a revision without an outcome. Half of the sample does.
        let (skipping, smooth): (Vec<_>, Vec<_>) = instances.iter().partition(|instance| meets_a_skip(&instance.case));
        for instance in spread(&skipping, RUNS / 2).chain(spread(&smooth, RUNS / 2)) {
            let case = &instance.case;
            let theirs = repository.bisect_run(case.leaves[0], &case.goods, &case.outcomes)?;
            let mut cache = Cache::new(&case.outcomes, &case.leaves, &case.goods);
            let end = bisect(&graph, case.leaves[0], &case.goods, &mut cache);
            if (cache.asked(), &end) != (theirs.0.as_slice(), &theirs.1) {
                differences.push(format!("{}: git bisect run of leaf {}", history.repo, case.leaves[0]));
            }
        }
    }
    Ok(differences)
}

fn meets_a_skip(case: &Case) -> bool {
    let mut cache = Cache::new(&case.outcomes, &case.leaves, &case.goods);
    bisect(&case.graph, case.leaves[0], &case.goods, &mut cache);
    cache.asked().iter().any(|&node| case.outcome(node) == Outcome::Unresolved)
}

fn spread<T>(items: &[T], most: usize) -> impl Iterator<Item = &T> {
    let taken = items.len().min(most);
    (0..taken).filter_map(move |i| items.get(i * items.len() / taken))
}
