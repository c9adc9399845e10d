//! Items without known structure, most subsets of which are unresolved: lines of a text without an outline.

use crate::random::Random;
use firstbad::{Minimizer, Outcome, Probe, ReductionConfig, Search};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Line {
    Open,
    Close,
    Plain,
    Needed,
}

/// Returns nested blocks with `count` lines in all. Three of the plain lines are needed.
fn text(random: &mut Random, count: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut depth = 0;
    while lines.len() + depth < count {
        let line = match random.below(3) {
            0 if lines.len() + depth + 1 < count => Line::Open,
            1 if depth > 0 => Line::Close,
            _ => Line::Plain,
        };
        match line {
            Line::Open => depth += 1,
            Line::Close => depth -= 1,
            _ => {}
        }
        lines.push(line);
    }
    lines.extend((0..depth).map(|_| Line::Close));
    let plain: Vec<usize> = (0..lines.len()).filter(|&at| lines[at] == Line::Plain).collect();
    (0..3).for_each(|_| lines[plain[random.below(plain.len())]] = Line::Needed);
    lines
}

/// Unbalanced lines are unresolved. Balanced lines pass if all needed lines are in some block.
fn outcome(lines: &[Line], kept: &[bool]) -> Outcome {
    let (mut depth, mut lost) = (0, false);
    for (line, &is_kept) in lines.iter().zip(kept) {
        match line {
            Line::Needed => lost |= !is_kept || depth == 0,
            _ if !is_kept => {}
            Line::Open => depth += 1,
            Line::Close if depth == 0 => return Outcome::Unresolved,
            Line::Close => depth -= 1,
            Line::Plain => {}
        }
    }
    if depth != 0 {
        return Outcome::Unresolved;
    }
    if lost { Outcome::Fail } else { Outcome::Pass }
}

/// Returns ten valid texts of about `count` lines, each inside a block.
fn texts(count: usize) -> impl Iterator<Item = Vec<Line>> {
    let mut random = Random(5);
    (0..10).map(move |_| {
        let mut lines = vec![Line::Open];
        lines.extend(text(&mut random, count));
        lines.push(Line::Close);
        lines
    })
}

fn answer(search: &mut Minimizer, lines: &[Line], probe: &Probe) {
    let mut kept = vec![false; lines.len()];
    probe.target.changes.as_ref().expect("a set of changes").iter().for_each(|at| kept[at] = true);
    search.tell(probe.id, outcome(lines, &kept).into()).expect("a first answer");
}

/// Returns the number of tested sets, with `jobs` in flight and the last one told first, and the lines that are left.
fn reduced(lines: &[Line], jobs: usize) -> (u64, Vec<Line>) {
    let mut search = Minimizer::new(lines.len(), ReductionConfig::default()).expect("a configuration");
    let mut flying: Vec<Probe> = Vec::new();
    while !search.is_done() {
        flying.extend(search.ask(jobs - flying.len()).expect("room for one"));
        let probe = flying.pop().expect("it is not done");
        answer(&mut search, lines, &probe);
    }
    let report = search.report();
    (report.runs, report.kept.iter().map(|&at| lines[at]).collect())
}

const LEAST: [Line; 5] = [Line::Open, Line::Needed, Line::Needed, Line::Needed, Line::Close];

/// The tests for ten texts of about 200 lines. Group testing alone would take 5,822 tests, and would leave pairs of brackets
/// around needed lines.
#[test]
fn unknown_blocks_are_removed_from_the_inside_outwards() {
    let mut asked = 0;
    for lines in texts(200) {
        let (runs, left) = reduced(&lines, 1);
        assert_eq!(left, LEAST);
        asked += runs;
    }
    assert!(asked <= 3_200, "{asked} questions");
}

#[test]
fn parallel_tests_leave_equally_few_lines() {
    for lines in texts(200) {
        assert_eq!(reduced(&lines, 4).1, LEAST);
    }
}

#[test]
fn a_restored_reduction_asks_the_same_after_every_outcome() {
    for lines in texts(40) {
        let mut one = Minimizer::new(lines.len(), ReductionConfig::default()).expect("a configuration");
        while !one.is_done() {
            let snapshot = one.inspect().snapshot().expect("it has a JSON form");
            let mut other = Minimizer::restore(lines.len(), &snapshot).expect("its own");
            let probes = one.ask(1).expect("1");
            assert_eq!(other.ask(1).expect("1"), probes);
            probes.iter().for_each(|probe| answer(&mut one, &lines, probe));
        }
    }
}
