//! Items that say nothing about how they hang together, where most sets cannot be told: lines of a text without an outline.

use firstbad::{Minimizer, Outcome, ReductionConfig, Search};

use super::world::Dice;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Line {
    Open,
    Close,
    Plain,
    Needed,
}

/// Blocks in blocks, of so many lines in all; three of the plain ones are needed.
fn text(dice: &mut Dice, count: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut depth = 0;
    while lines.len() + depth < count {
        let line = match dice.below(3) {
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
    (0..3).for_each(|_| lines[plain[dice.below(plain.len())]] = Line::Needed);
    lines
}

/// What does not close cannot be read; what can has the property if all needed lines are there, in some block.
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

/// How many sets were asked, and what is left.
fn reduced(lines: &[Line]) -> (usize, Vec<Line>) {
    let mut search = Minimizer::new(lines.len(), ReductionConfig::default()).expect("a configuration");
    while !search.is_done() {
        for probe in search.ask(1).expect("at least one") {
            let mut kept = vec![false; lines.len()];
            probe.target.changes.as_ref().expect("a set of changes").iter().for_each(|at| kept[at] = true);
            search.tell(probe.id, outcome(lines, &kept).into()).expect("a first answer");
        }
    }
    let report = search.report();
    (report.queries as usize, report.kept.iter().map(|&at| lines[at]).collect())
}

/// Of ten texts of some 200 lines each. Group testing alone would ask 5,822 times, and leave brackets around what is needed
/// that only together can go.
#[test]
fn blocks_that_nothing_tells_of_go_from_the_inside_outwards() {
    let mut dice = Dice(5);
    let mut asked = 0;
    for _ in 0..10 {
        let mut lines = vec![Line::Open];
        lines.extend(text(&mut dice, 200));
        lines.push(Line::Close);
        let (queries, left) = reduced(&lines);
        assert_eq!(left, [Line::Open, Line::Needed, Line::Needed, Line::Needed, Line::Close]);
        asked += queries;
    }
    assert!(asked <= 3_200, "{asked} questions");
}
