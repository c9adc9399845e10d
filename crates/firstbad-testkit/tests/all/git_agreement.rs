//! The implementation of Git's bisection agrees with Git.

use firstbad::Outcome;
use firstbad::graph::Node;
use firstbad_testkit::git_bisect::{GitBisect, Step};
use firstbad_testkit::git_repository::GitRepository;
use firstbad_testkit::git_run::{Cache, bisect};
use firstbad_testkit::simulated::{Random, Shape, alternating, history, unresolve};

#[test]
fn the_implementation_agrees_with_rev_list_and_bisect_run() {
    for seed in 0..4 {
        let shape = Shape { skew: if seed % 2 == 0 { 0 } else { 100 }, ..Shape::branchy(120) };
        let shaped = history(&shape, seed).unwrap();
        let repository = GitRepository::new(&shaped).unwrap();
        let graph = repository.renamed(&shaped).unwrap();
        let mut random = Random::new(seed);
        for _ in 0..12 {
            let bad = 60 + random.below(60) as Node;
            let above = graph.ancestors(&[bad]);
            let good: Vec<Node> =
                above.ones().filter(|&node| (node as Node) < bad && random.chance(30)).map(|n| n as Node).collect();
            let theirs = repository.rev_list_bisect(bad, &good).unwrap();
            let ours = match GitBisect::new(&graph, bad, &good).step() {
                Step::Test(node) | Step::FirstBad(node) | Step::OnlySkippedLeft(node) => graph.id(node).to_owned(),
            };
            assert_eq!(ours, theirs, "seed {seed}, bad {bad}, good {good:?}");
        }
        for run in 0..4 {
            let mut outcomes = alternating(&graph, 20, 10 * seed + run);
            unresolve(&mut outcomes, if run == 0 { 0 } else { 6 }, 12, seed + run);
            let bad = 119 - run as Node;
            let Some(good) = graph.ancestors(&[bad]).ones().next().map(|node| node as Node) else { continue };
            outcomes[bad as usize] = Outcome::Fail;
            outcomes[good as usize] = Outcome::Pass;
            let theirs = repository.bisect_run(bad, &[good], &outcomes).unwrap();
            let mut cache = Cache::new(&outcomes, &[bad], &[good]);
            let end = bisect(&graph, bad, &[good], &mut cache);
            assert_eq!((cache.asked().to_vec(), end), theirs, "seed {seed}, run {run}");
        }
    }
}
