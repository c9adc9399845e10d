use std::collections::BTreeSet;

use firstbad::graph::Node;
use firstbad::search::Outcome;
use proptest::prelude::*;

use super::layout::Layout;
use super::sketch::{Sketch, Vertex};
use super::*;

/// Creates a history from the distances of each commit to its parents.
fn graph(parents: &[Vec<usize>]) -> CommitGraph {
    let id = |number: usize| format!("c{number}");
    let of = |(number, steps): (usize, &Vec<usize>)| {
        let mut parents: Vec<String> = Vec::new();
        for step in steps {
            let parent = id(number - step.min(&number));
            if *step > 0 && number > 0 && !parents.contains(&parent) {
                parents.push(parent);
            }
        }
        (id(number), parents)
    };
    CommitGraph::new(parents.iter().enumerate().map(of)).unwrap()
}

fn laid_out(graph: &CommitGraph, marks: &Marks<'_>) -> (Sketch, Layout) {
    let shown = marks.shown(graph);
    let kept = marks.kept(graph, &shown);
    let sketch = fold(graph, &shown, &kept, marks.seen.is_empty());
    let looks = Looks::new(graph, marks, &kept, &sketch);
    let layout = layout(&sketch, &looks.rooms(), &looks.tips());
    (sketch, layout)
}

fn count(vertex: Vertex) -> usize {
    match vertex {
        Vertex::Commit(_) => 1,
        Vertex::Fold(fold) => fold.count,
    }
}

/// Whether a point is on the line between two corners.
fn passes((x, y): (f64, f64), from: (f64, f64), to: (f64, f64)) -> bool {
    let between = |at: f64, one: f64, other: f64| one.min(other) < at && at < one.max(other);
    let near = |one: f64, other: f64| (one - other).abs() < 1e-6;
    (near(from.1, to.1) && near(y, from.1) && between(x, from.0, to.0))
        || (near(from.0, to.0) && near(x, from.0) && between(y, from.1, to.1))
}

#[test]
fn straight_runs_and_runs_side_by_side_are_one_fold() {
    // 0 - 1 - 2 - 3 - 6 - 7, and 1 - 4 - 5 - 6.
    let graph = graph(&[vec![], vec![1], vec![1], vec![1], vec![3], vec![1], vec![3, 1], vec![1]]);
    let (first, last) = (graph.get("c0").unwrap(), graph.get("c7").unwrap());
    let sketch = fold(&graph, &graph.ancestors(&[last]), &[first, last], false);
    let mut counts: Vec<usize> = sketch.vertices.iter().map(|&vertex| count(vertex)).collect();
    counts.sort_unstable();
    assert_eq!((counts, sketch.links.len()), (vec![1, 1, 6], 2));
    // A history without a report keeps its forks.
    let sketch = fold(&graph, &graph.ancestors(&[last]), &[first, last], true);
    let folds = sketch.vertices.iter().filter(|&&vertex| count(vertex) == 2).count();
    assert_eq!((sketch.vertices.len(), folds), (6, 2));
}

#[test]
fn ancestors_of_the_good_revisions_are_omitted_unless_tested() {
    let graph = graph(&[vec![], vec![1], vec![1], vec![1]]);
    let node = |id: &str| graph.get(id).unwrap();
    let mut marks = Marks { tips: vec![node("c3")], bases: vec![node("c2")], ..Marks::default() };
    assert_eq!(marks.shown(&graph).count_ones(..), 2);
    marks.seen.insert(node("c0"), Seen { outcome: Outcome::Pass, run: Some(1) });
    assert_eq!(marks.shown(&graph).count_ones(..), 4);
}

#[test]
fn the_edge_that_was_found_has_a_zigzag_and_its_commit_a_frame() {
    let graph = graph(&[vec![], vec![1], vec![1], vec![1]]);
    let node = |id: &str| graph.get(id).unwrap();
    let mut marks =
        Marks { edges: vec![Edge { older: Some(node("c1")), newer: node("c2"), cause: 0 }], ..Marks::default() };
    marks.seen.insert(node("c2"), Seen { outcome: Outcome::Fail, run: Some(3) });
    marks.seen.insert(node("c1"), Seen { outcome: Outcome::Pass, run: Some(2) });
    let picture = draw(&graph, &marks);
    assert!(picture.svg.contains("l3-6 6 12 3-6H") && picture.svg.contains("c1 passes, c2 fails: here it broke"));
    assert!(picture.svg.contains(">first bad<") && picture.svg.contains("c2 fails, run 3"), "{}", picture.svg);
    assert!(picture.has.fails && picture.has.passes && picture.has.not_run && !picture.has.folds);
    assert!((0.4..0.9).contains(&picture.aim));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]
    #[test]
    fn every_commit_has_a_place_and_nothing_overlaps(
        parents in prop::collection::vec(prop::collection::vec(0usize..14, 0..4), 1..260),
        runs in prop::collection::vec((any::<prop::sample::Index>(), prop::bool::ANY), 0..20),
    ) {
        let graph = graph(&parents);
        let mut marks = Marks::default();
        for (run, (place, fails)) in (1..).zip(runs) {
            let outcome = if fails { Outcome::Fail } else { Outcome::Pass };
            marks.seen.insert(place.index(graph.len()) as Node, Seen { outcome, run: Some(run) });
        }
        let shown = marks.shown(&graph);
        let (sketch, layout) = laid_out(&graph, &marks);
        prop_assert!(sketch.vertices.len() <= fold::MOST);
        prop_assert_eq!(sketch.vertices.iter().map(|&vertex| count(vertex)).sum::<usize>(), shown.count_ones(..));
        prop_assert_eq!(sketch.order().len(), sketch.vertices.len(), "a circle");

        let places: BTreeSet<(i64, i64)> = layout.centres.iter().map(|&(x, y)| ((x * 10.0) as i64, y as i64)).collect();
        prop_assert_eq!(places.len(), layout.centres.len(), "two at one place");
        for (link, line) in sketch.links.iter().zip(&layout.lines) {
            prop_assert!(line.windows(2).all(|ends| ends[0].0 <= ends[1].0 + 1e-6), "{:?} leads back", line);
            for (one, &centre) in layout.centres.iter().enumerate().filter(|(one, _)| ![link.from, link.to].contains(one)) {
                let through = line.windows(2).any(|ends| passes(centre, ends[0], ends[1]));
                prop_assert!(!through, "the line of {:?} passes through {}", link, one);
            }
        }
        let inside = |&(x, y): &(f64, f64)| (0.0..=layout.width).contains(&x) && (0.0..=layout.height).contains(&y);
        prop_assert!(layout.centres.iter().chain(layout.lines.iter().flatten()).all(inside));
    }
}
