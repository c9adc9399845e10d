//! Culprits that recorded outcomes prove, with suspects before and after them.

use std::collections::BTreeSet;

use firstbad::Outcome;
use firstbad::graph::Node;
use firstbad_testkit::recorded::History;
use firstbad_testkit::simulated::Random;

/// The most instances of a project and kind.
const OF_EACH: usize = 25;

/// The fewest and the most suspects of an instance.
const LEAST: usize = 5;
const MOST: usize = 400;

/// The maximum distance of the endpoints from the culprit, in steps.
const STEPS: usize = 200;

const DRAWS: usize = 200;

/// A failure with one proven culprit among `suspects`.
#[derive(Debug, Clone)]
pub(super) struct Instance {
    pub(super) function: usize,
    pub(super) culprit: Node,
    pub(super) good: Node,
    pub(super) bad: Node,
    /// The ancestors of `bad` that are no ancestors of `good`, parents first.
    pub(super) suspects: Vec<Node>,
}

/// Returns the instances with outcomes as recorded, or with pass and fail exchanged.
pub(super) fn instances(history: &History, swapped: bool) -> Vec<Instance> {
    let mut done: BTreeSet<(Node, &str)> = BTreeSet::new();
    let mut all = Vec::new();
    for (number, function) in history.functions.iter().enumerate() {
        let outcomes = history.outcomes(number, swapped);
        for culprit in 0..history.graph.len() as Node {
            let parents = history.graph.parents(culprit);
            let passes = |&node: &Node| outcomes[node as usize] == Outcome::Pass;
            if outcomes[culprit as usize] != Outcome::Fail || parents.is_empty() || !parents.iter().all(passes) {
                continue;
            }
            let key = (culprit, file_of(&function.name));
            if !done.contains(&key)
                && let Some(found) = ends(history, &outcomes, culprit, number)
            {
                done.insert(key);
                all.push(found);
            }
        }
    }
    let taken = all.len().min(OF_EACH);
    (0..taken).map(|place| all[place * all.len() / taken].clone()).collect()
}

/// Returns the file in the name of a recorded test.
pub(super) fn file_of(name: &str) -> &str {
    let end = name.find("::").or_else(|| name.find(" > ")).unwrap_or(name.len());
    &name[..end]
}

/// Draws a passing ancestor and a failing descendant between which the outcome changes only at the culprit.
fn ends(history: &History, outcomes: &[Outcome], culprit: Node, function: usize) -> Option<Instance> {
    let graph = &history.graph;
    let has = |outcome: Outcome| move |node: &Node| outcomes[*node as usize] == outcome;
    let older =
        std::iter::successors(graph.parents(culprit).first().copied(), |&node| graph.parents(node).first().copied());
    let goods: Vec<Node> = older.take(STEPS).filter(has(Outcome::Pass)).collect();
    let broken = graph.descendants(&[culprit]);
    let head = graph.get(&history.head);
    let tip = head.into_iter().chain(history.tips.iter().copied()).find(|&tip| broken.contains(tip as usize))?;
    let leading = graph.ancestors(&[tip]);
    let newer = std::iter::successors(Some(culprit), |&node| {
        // The straightest way there: the child that is a first-parent one, if any.
        let children = || graph.children(node).iter().copied().filter(|&child| leading.contains(child as usize));
        children().find(|&child| graph.parents(child).first() == Some(&node)).or_else(|| children().next())
    });
    let newer: Vec<Node> = newer.take(STEPS).collect();
    let bads: Vec<Node> = newer.into_iter().filter(has(Outcome::Fail)).collect();
    let mut random = Random::new((u64::from(culprit) << 20) ^ function as u64);
    for _ in 0..DRAWS {
        let good = *goods.get(random.below(goods.len().max(1) as u64) as usize)?;
        let bad = *bads.get(random.below(bads.len().max(1) as u64) as usize)?;
        let mut between = graph.ancestors(&[bad]);
        between.difference_with(&graph.ancestors(&[good]));
        let suspects: Vec<Node> = between.ones().map(|node| node as Node).collect();
        let expected = |&node: &Node| match outcomes[node as usize] {
            Outcome::Pass => !broken.contains(node as usize),
            Outcome::Fail => broken.contains(node as usize),
            _ => true,
        };
        if (LEAST..=MOST).contains(&suspects.len()) && suspects.iter().all(expected) {
            return Some(Instance { function, culprit, good, bad, suspects });
        }
    }
    None
}
