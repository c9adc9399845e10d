use std::f64::consts::PI;

use super::build_graph::BuildGraph;

/// Returns the weighted distance of targets that are `distance` dependencies apart: about 0.98 for 1, 0.96 for 2, and 0.01 for
/// 14. The test itself has the weight of distance 1. Source: Culprit Finder, Definition 10.
#[must_use]
pub fn weighted_distance(distance: u32) -> f64 {
    let steps = f64::from(distance.max(1) - 1);
    11.0 / (40.0 * PI).sqrt() * (-0.5 * steps * steps / 20.0).exp()
}

const FAR: u32 = u32::MAX;

/// The direct and indirect dependencies of a test, with a shortest path to each. Source: Culprit Finder, Definitions 4 and 5.
pub(super) struct Distances<'a> {
    graph: &'a BuildGraph,
    test: u32,
    /// The length of a shortest path, by component.
    steps: Vec<u32>,
    /// The last dependency on a shortest path, by component.
    by: Vec<(u32, u32)>,
}

impl<'a> Distances<'a> {
    pub(super) fn from(graph: &'a BuildGraph, test: u32) -> Self {
        let components = &graph.components;
        let count = components.count(graph.len());
        let start = components.of(test);
        let mut steps = vec![FAR; count];
        let mut by = vec![(test, test); count];
        steps[start as usize] = 0;
        let mut front = vec![start];
        let mut step = 0;
        while !front.is_empty() {
            step += 1;
            let mut next = Vec::new();
            for component in front {
                for target in components.members(component) {
                    for &dep in graph.deps.row(target) {
                        let reached = components.of(dep);
                        if steps[reached as usize] == FAR {
                            steps[reached as usize] = step;
                            by[reached as usize] = (target, dep);
                            next.push(reached);
                        }
                    }
                }
            }
            front = next;
        }
        Distances { graph, test, steps, by }
    }

    /// Returns the distance of a target, at least 1, or `None` if the test does not depend on it.
    pub(super) fn to(&self, target: u32) -> Option<u32> {
        let steps = self.steps[self.graph.components.of(target) as usize];
        (steps != FAR).then_some(steps.max(1))
    }

    /// Returns the targets on a shortest path from the test to a target, including both. For a cycle, the path contains only the
    /// targets where it enters and leaves the cycle.
    pub(super) fn path(&self, target: u32) -> Vec<String> {
        let start = self.graph.components.of(self.test);
        let mut path = vec![target];
        let mut push = |target: u32| {
            if path.last() != Some(&target) {
                path.push(target);
            }
        };
        let mut component = self.graph.components.of(target);
        while component != start {
            let (from, to) = self.by[component as usize];
            push(to);
            push(from);
            component = self.graph.components.of(from);
        }
        push(self.test);
        path.iter().rev().map(|&target| self.graph.name(target).to_owned()).collect()
    }
}
