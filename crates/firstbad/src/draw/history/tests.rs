use super::*;
use crate::graph::{GraphBuilder, Node};
use crate::search::Outcome;

/// The history of the reference sheet: 172 commits, a side branch that was merged, and two branches at its end.
fn reference() -> (CommitGraph, Marks<'static>) {
    let mut builder = GraphBuilder::new();
    let mut number = 0;
    let mut line = |builder: &mut GraphBuilder, from: Option<String>, count: usize| {
        let mut last = from;
        for _ in 0..count {
            number += 1;
            let id = format!("{:0<40x}", (number as u128).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835));
            builder.revision(&id, last.iter().map(String::as_str));
            last = Some(id);
        }
        last
    };
    let mut at = Vec::new();
    let root = line(&mut builder, None, 1);
    let a = line(&mut builder, root.clone(), 43);
    let fork = line(&mut builder, a.clone(), 17);
    let trunk = line(&mut builder, fork.clone(), 24);
    let mut side = line(&mut builder, fork.clone(), 1);
    for gap in [1, 9, 1, 2, 1, 1, 1, 5] {
        side = line(&mut builder, side, gap);
        at.push(side.clone());
    }
    let side = line(&mut builder, side, 5);
    let merge = format!("{:040x}", 7);
    builder.revision(&merge, [trunk.as_deref().unwrap(), side.as_deref().unwrap()]);
    let split = line(&mut builder, Some(merge), 38);
    let main = line(&mut builder, split.clone(), 13);
    let cards = line(&mut builder, split, 9);
    builder
        .name("main", main.clone().unwrap())
        .name("gift-cards", cards.clone().unwrap())
        .name("v1.0", root.clone().unwrap());
    let graph = builder.build().unwrap();
    let node = |id: &Option<String>| graph.get(id.as_deref().unwrap()).unwrap();
    use Outcome::{Fail, Pass, Unresolved};
    let runs = [
        (&main, Fail),
        (&root, Pass),
        (&at[7], Fail),
        (&a, Pass),
        (&at[0], Pass),
        (&at[1], Unresolved),
        (&at[2], Pass),
        (&at[6], Fail),
        (&at[4], Pass),
        (&at[5], Fail),
        (&cards, Fail),
    ];
    let mut marks = Marks { tips: vec![node(&main), node(&cards)], bases: vec![node(&root)], ..Marks::default() };
    for (run, (id, outcome)) in runs.into_iter().enumerate() {
        marks.seen.insert(node(id), Seen { outcome, run: Some(run + 1) });
    }
    marks.edges.push(Edge { older: Some(node(&at[4])), newer: node(&at[5]) });
    (graph, marks)
}

#[test]
fn look() {
    let (graph, marks) = reference();
    let mut page = String::new();
    page += &draw(&graph, &marks).svg;
    page += "<hr>";
    page += &draw(&graph, &Marks::default()).svg;
    page += "<hr>";
    let small = CommitGraph::new([("m", vec!["a", "b"]), ("b", vec!["r"]), ("a", vec!["r"]), ("r", vec![])]).unwrap();
    page += &draw(&small, &Marks::default()).svg;
    page += "<hr>";
    if let Ok(text) = std::fs::read_to_string("/tmp/r/log.txt") {
        let rows: Vec<(&str, Vec<&str>)> = text
            .lines()
            .map(|line| {
                let mut words = line.split(' ');
                (words.next().unwrap(), words.filter(|w| !w.is_empty()).collect())
            })
            .collect();
        let graph = CommitGraph::new(rows).unwrap();
        let now = std::time::Instant::now();
        let picture = draw(&graph, &Marks::default());
        eprintln!("{} commits in {:?}, {}", graph.len(), now.elapsed(), picture.svg.len());
        page += &picture.svg;
        page += "<hr>";
        let n = graph.len() as Node;
        let mut marks = Marks::default();
        for (i, k) in [n - 1, 0, n / 2, n / 4, n * 3 / 8, n * 5 / 16, n * 11 / 32, n * 21 / 64].into_iter().enumerate()
        {
            marks.seen.insert(
                k,
                Seen { outcome: if k >= n * 21 / 64 { Outcome::Fail } else { Outcome::Pass }, run: Some(i + 1) },
            );
        }
        let picture = draw(&graph, &marks);
        page += &picture.svg;
    }
    std::fs::write("/tmp/r/look.html", page).unwrap();
}
