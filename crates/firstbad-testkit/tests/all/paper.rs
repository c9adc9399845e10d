//! With `search = "binary"`, `propagate = false`, and `clean = false`, a search asks for the same revisions as Algorithms 1 and 4
//! of RPA, in the same order, and finds the same points.

use std::collections::HashMap;

use firstbad::graph::Node;
use firstbad::regression::SearchKind;
use firstbad::{CommitGraph, Outcome, RegressionConfig, RegressionSearch, Search};
use firstbad_testkit::simulated::{Random, Shape, history};

/// Returns the distances from the nearest of the `sources` along children.
fn distances(graph: &CommitGraph, sources: &[Node]) -> HashMap<Node, u32> {
    let mut distances: HashMap<Node, u32> = sources.iter().map(|&source| (source, 0)).collect();
    let mut queue: std::collections::VecDeque<Node> = sources.iter().copied().collect();
    while let Some(node) = queue.pop_front() {
        for &child in graph.children(node) {
            if !distances.contains_key(&child) {
                distances.insert(child, distances[&node] + 1);
                queue.push_back(child);
            }
        }
    }
    distances
}

/// Runs Algorithm 4 with the binary search of Section 3.2, implemented from the paper. Returns its questions and points.
fn published(
    graph: &CommitGraph,
    good: Node,
    leaves: &[Node],
    fails: impl Fn(Node) -> bool,
) -> (Vec<Node>, Vec<(Node, Node)>) {
    let mut known: HashMap<Node, bool> = leaves.iter().map(|&leaf| (leaf, true)).chain([(good, false)]).collect();
    let (mut asked, mut points) = (Vec::new(), Vec::new());
    let mut passing = vec![good];
    let mut open: Vec<Node> = leaves.to_vec();
    while !open.is_empty() {
        let distances = distances(graph, &passing);
        let place = (0..open.len()).min_by_key(|&place| distances[&open[place]]).expect("a leaf");
        let leaf = open.remove(place);
        let mut path = vec![leaf];
        let mut at = leaf;
        while distances[&at] > 0 {
            let nearer = |parent: &&Node| distances.get(*parent).is_some_and(|&far| far + 1 == distances[&at]);
            at = *graph.parents(at).iter().find(nearer).expect("a shortest path");
            path.push(at);
        }
        path.reverse();
        let (mut low, mut high) = (0, path.len() - 1);
        while high - low > 1 {
            let middle = (low + high).div_ceil(2);
            let node = path[middle];
            let fails = *known.entry(node).or_insert_with(|| {
                asked.push(node);
                fails(node)
            });
            if fails {
                high = middle;
            } else {
                low = middle;
                passing.push(node);
            }
        }
        let point = (path[low], path[high]);
        if !points.contains(&point) {
            points.push(point);
        }
    }
    (asked, points)
}

#[test]
fn binary_search_without_propagation_follows_the_paper() {
    let (mut worlds, mut several) = (0, 0);
    for seed in 0..400 {
        let graph = history(&Shape::branchy(40), seed).unwrap();
        let mut random = Random::new(seed);
        let outcomes: Vec<bool> = (0..graph.len()).map(|node| node != 0 && random.chance(450)).collect();
        let fails = |node: Node| outcomes[node as usize];
        let above = graph.descendants(&[0]);
        // Leaves and some of their ancestors, so that searches meet each other.
        let leaves: Vec<Node> = (1..graph.len() as Node)
            .filter(|&node| fails(node) && above.contains(node as usize))
            .filter(|&node| graph.children(node).is_empty() || random.chance(200))
            .collect();
        if leaves.is_empty() {
            continue;
        }
        let (asked, points) = published(&graph, 0, &leaves, fails);
        let names = |nodes: &[Node]| nodes.iter().map(|&node| graph.id(node).to_owned()).collect::<Vec<_>>();
        let mut config =
            RegressionConfig::new(names(&leaves)).good(names(&[0])).search(SearchKind::Binary).no_test_endpoints();
        (config.propagate, config.check_parents) = (Some(false), false);
        let mut search = RegressionSearch::new(graph.clone(), config).unwrap();
        let mut ours = Vec::new();
        while let Some(probe) = search.ask(1).unwrap().pop() {
            let node = graph.get(probe.revision()).unwrap();
            ours.push(node);
            search.tell(probe.id, if fails(node) { Outcome::Fail } else { Outcome::Pass }.into()).unwrap();
        }
        assert_eq!(names(&ours), names(&asked), "seed {seed}");
        let report = search.report();
        let found: Vec<_> =
            report.points.iter().map(|point| (point.good.clone().unwrap(), point.bad.clone())).collect();
        let expected: Vec<_> =
            points.iter().map(|&(low, high)| (graph.id(low).to_owned(), graph.id(high).to_owned())).collect();
        assert_eq!(found, expected, "seed {seed}");
        (worlds, several) = (worlds + 1, several + usize::from(leaves.len() > 1));
    }
    assert!(worlds > 300 && several > 200, "{worlds} worlds, {several} with several leaves");
}
