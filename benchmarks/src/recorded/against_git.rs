//! Holds the replayed bisection against the real git, on repositories with the recorded histories' shapes.

use firstbad::Outcome;
use firstbad_testkit::Failure;
use firstbad_testkit::git_bisect::{GitBisect, Step};
use firstbad_testkit::git_repository::GitRepository;
use firstbad_testkit::git_run::{Cache, bisect};
use firstbad_testkit::recorded::{Choice, History};
use firstbad_testkit::replay::Case;

/// How many single choices and whole runs are compared, per project.
const CHOICES: usize = 40;
const RUNS: usize = 12;

/// What came out.
#[derive(Debug, Default)]
pub(crate) struct Agreement {
    choices: (usize, usize),
    runs: (usize, usize),
    with_skips: usize,
    differences: Vec<String>,
}

impl Agreement {
    pub(crate) fn holds(&self) -> bool {
        self.differences.is_empty()
    }

    pub(crate) fn words(&self) -> String {
        let mut words = format!(
            "`git rev-list --bisect`: the same choice in {} of {}. `git bisect run`: the same questions in the same order \
             and the same end in {} of {} runs, {} of them with skips.",
            self.choices.0, self.choices.1, self.runs.0, self.runs.1, self.with_skips
        );
        for difference in self.differences.iter().take(10) {
            words.push_str("\nDIFFERS: ");
            words.push_str(difference);
        }
        words
    }
}

/// Compares on a sample, evenly spread over each project's instances.
pub(crate) fn check(histories: &[History], choice: &Choice) -> Result<Agreement, Failure> {
    let mut agreement = Agreement::default();
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
            agreement.choices.1 += 1;
            if graph.id(ours) == theirs {
                agreement.choices.0 += 1;
            } else {
                agreement.differences.push(format!("{}: rev-list --bisect of leaf {}", history.repo, case.leaves[0]));
            }
        }
        // Histories without a skip are many: half of the runs are taken from those where git meets one.
        let (skipping, smooth): (Vec<_>, Vec<_>) = instances.iter().partition(|instance| meets_a_skip(&instance.case));
        for instance in spread(&skipping, RUNS / 2).chain(spread(&smooth, RUNS / 2)) {
            let case = &instance.case;
            let theirs = repository.bisect_run(case.leaves[0], &case.goods, &case.outcomes)?;
            let mut cache = Cache::new(&case.outcomes, &case.leaves, &case.goods);
            let end = bisect(&graph, case.leaves[0], &case.goods, &mut cache);
            agreement.runs.1 += 1;
            let skips = cache.asked().iter().any(|&node| case.outcome(node) == Outcome::Unresolved);
            agreement.with_skips += usize::from(skips);
            if (cache.asked(), &end) == (theirs.0.as_slice(), &theirs.1) {
                agreement.runs.0 += 1;
            } else {
                agreement.differences.push(format!(
                    "{} function {} leaf {}: git asks {:?} and ends {:?}, the replay asks {:?} and ends {end:?}",
                    history.repo,
                    instance.function,
                    case.leaves[0],
                    theirs.0,
                    theirs.1,
                    cache.asked()
                ));
            }
        }
    }
    Ok(agreement)
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
