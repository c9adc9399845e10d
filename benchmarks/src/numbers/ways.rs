//! What people and tools do today, on a list.

use firstbad::graph::Node;

use super::world::Machine;

/// The answer of a way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    Commit(Node),
    Set(Vec<Node>),
    None,
    Spread,
    Undecided,
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}

fn measured(machine: &mut Machine<'_>, node: Node, times: usize) -> Option<f64> {
    let values: Vec<f64> = (0..times).filter_map(|_| machine.measure(node)).collect();
    (!values.is_empty()).then(|| median(values))
}

/// Bisection with a threshold halfway between the medians of the endpoints, each of some repetitions.
pub(super) fn people(machine: &mut Machine<'_>, times: usize) -> Answer {
    let (mut low, mut high) = (0, machine.world.bad());
    let Some((good, bad)) = measured(machine, low, times).zip(measured(machine, high, times)) else {
        return Answer::Undecided;
    };
    let threshold = f64::midpoint(good, bad);
    let mut skipped: Vec<Node> = Vec::new();
    while high - low > 1 {
        let middle = i64::from(low + (high - low - 1) / 2 + (high - low - 1) % 2);
        let around = (0..i64::from(high - low)).flat_map(|off| [middle - off, middle + off]);
        let inside = |&node: &i64| node > i64::from(low) && node < i64::from(high);
        let Some(node) = around.filter(inside).map(|node| node as Node).find(|node| !skipped.contains(node)) else {
            return Answer::Set((low + 1..=high).collect());
        };
        match measured(machine, node, times) {
            None => skipped.push(node),
            Some(number) if number > threshold => high = node,
            Some(_) => low = node,
        }
    }
    Answer::Commit(high)
}

/// The rule of `asv find`: of the two halves, the one with the larger difference.
pub(super) fn asv(machine: &mut Machine<'_>, times: usize) -> Answer {
    let (mut low, mut high) = (0, machine.world.bad());
    let ends = (measured(machine, low, times), measured(machine, high, times));
    let (Some(mut good), Some(mut bad)) = ends else { return Answer::Undecided };
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let Some(number) = measured(machine, middle, times) else { return Answer::Undecided };
        if number - good > bad - number { (high, bad) = (middle, number) } else { (low, good) = (middle, number) }
    }
    Answer::Commit(high)
}

/// Measures every revision, and takes the split with the largest t statistic, as change point detection (otava) does.
pub(super) fn every(machine: &mut Machine<'_>, times: usize) -> Answer {
    let nodes = 0..=machine.world.bad();
    let values: Option<Vec<f64>> = nodes.map(|node| measured(machine, node, times)).collect();
    let Some(values) = values else { return Answer::Undecided };
    let moments = |of: &[f64]| {
        let mean = of.iter().sum::<f64>() / of.len() as f64;
        (mean, of.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (of.len() - 1) as f64)
    };
    let statistic = |split: usize| {
        let (one, other) = values.split_at(split);
        let ((low, below), (high, above)) = (moments(one), moments(other));
        (high - low) / (below / one.len() as f64 + above / other.len() as f64).sqrt().max(1e-9)
    };
    let best = (2..values.len() - 1).max_by(|&one, &other| statistic(one).total_cmp(&statistic(other)));
    best.map_or(Answer::Undecided, |split| Answer::Commit(split as Node))
}
