//! What each vertex of a picture looks like, and how much room that takes.

use std::collections::BTreeSet;

use firstbad::graph::{CommitGraph, Node};
use firstbad::search::Outcome;

use super::layout::Room;
use super::marks::Marks;
use super::sketch::{Sketch, Vertex};
use super::words::Words;
use crate::draw::markup::{brief, cut};

/// How wide a letter is.
const LETTER: f64 = 6.32;
/// In names of tips.
const WIDE_LETTER: f64 = 6.65;
/// From the centre of a tip to its name.
const TO_NAME: f64 = 13.0;
/// What is around a name.
const PADDING: f64 = 12.0;
/// What a line with a zigzag has more.
const ZIGZAG: f64 = 26.0;
/// What a commit with a label takes at least, on each side.
const LEAST: f64 = 15.0;
/// How many characters of a name are shown.
const NAME: usize = 28;

/// What one vertex looks like.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Look {
    /// `None` for what was not run, and for folds.
    pub(super) outcome: Option<Outcome>,
    /// Whether it is a different failure than the one searched for.
    pub(super) is_other: bool,
    /// What stands above it: the beginning of its id.
    pub(super) above: Option<String>,
    /// What stands below it.
    pub(super) below: Option<String>,
    /// Whether these are in bold letters.
    pub(super) bold: (bool, bool),
    /// What it is called, at its right.
    pub(super) name: Option<String>,
    /// Whether an edge that was found ends here, and which letter it has, if there are several.
    pub(super) culprit: Option<Option<char>>,
    pub(super) is_suspect: bool,
    pub(super) is_running: bool,
    /// On each side, from the centre.
    half: f64,
    edge: f64,
}

/// All of them, parallel to the vertices.
#[derive(Debug)]
pub(super) struct Looks {
    pub(super) each: Vec<Look>,
    tips: Vec<usize>,
}

/// The width of a name with its frame.
pub(super) fn name_width(name: &str) -> f64 {
    PADDING + WIDE_LETTER * name.chars().count() as f64
}

impl Looks {
    pub(super) fn new(graph: &CommitGraph, marks: &Marks<'_>, kept: &[Node], sketch: &Sketch) -> Looks {
        let kept: BTreeSet<Node> = kept.iter().copied().collect();
        let tips = marks.tips(graph);
        let is_tip: BTreeSet<Node> = tips.iter().copied().collect();
        let words = Words { graph, marks };
        let each = sketch.vertices.iter().map(|&vertex| match vertex {
            Vertex::Fold(fold) => {
                let half = (21.0 + 7.0 * fold.count.to_string().len() as f64) / 2.0;
                Look { half, edge: half + 1.5, ..Look::ring() }
            }
            Vertex::Commit(node) if !kept.contains(&node) => Look::ring(),
            Vertex::Commit(node) => Look::of(&words, node, is_tip.contains(&node)),
        });
        let each = each.collect();
        let place = |tip: &Node| sketch.vertices.iter().position(|&vertex| vertex == Vertex::Commit(*tip));
        Looks { each, tips: tips.iter().filter_map(place).collect() }
    }

    /// The newer ends, the trunk's first.
    pub(super) fn tips(&self) -> Vec<usize> {
        self.tips.clone()
    }

    /// How much room each takes.
    pub(super) fn rooms(&self) -> Vec<Room> {
        let room = |look: &Look| Room {
            half: look.half,
            edge: look.edge,
            tail: look.name.as_ref().map_or(0.0, |name| TO_NAME + name_width(name) + 8.0),
            run_up: if look.culprit.is_some() { ZIGZAG } else { 0.0 },
        };
        self.each.iter().map(room).collect()
    }
}

impl Look {
    /// How far it reaches on each side of its centre, what is written above and below it included.
    pub(super) fn half(&self) -> f64 {
        self.half
    }

    fn ring() -> Look {
        Look {
            outcome: None,
            is_other: false,
            above: None,
            below: None,
            bold: (false, false),
            name: None,
            culprit: None,
            is_suspect: false,
            is_running: false,
            half: 6.0,
            edge: 6.0,
        }
    }

    fn of(words: &Words<'_>, node: Node, is_tip: bool) -> Look {
        let Words { graph, marks } = words;
        let seen = marks.seen.get(&node);
        let place = marks.edges.iter().find(|edge| edge.newer == node).map(|edge| edge.cause);
        let letter = |place: usize| (marks.causes > 1).then(|| letter(place)).flatten();
        let name = words.name(node).map(|name| cut(name, NAME));
        let is_running = marks.running.contains(&node);
        let is_suspect = marks.suspects.contains(&node);
        let run = seen.and_then(|seen| seen.run).map(|run| run.to_string());
        let below = match (place, &name) {
            (Some(_), _) => Some((words.first().to_owned(), true)),
            _ if is_running => Some(("running".to_owned(), true)),
            (None, Some(name)) if !is_tip => Some((name.clone(), true)),
            _ => run.map(|run| (run, false)),
        };
        let above = brief(graph.id(node));
        // What is called by its id needs no name beside it.
        let name = name.filter(|name| is_tip && *name != above);
        let letters = below.as_ref().map_or(0, |(below, _)| below.chars().count()).max(above.chars().count());
        let edge = match seen.map(|seen| seen.outcome) {
            _ if place.is_some() => 15.0,
            _ if is_running || is_suspect => 12.0,
            None => 6.0,
            Some(Outcome::Unresolved) => 11.5,
            Some(Outcome::Fail) => 9.5,
            Some(Outcome::Pass) => 10.0,
        };
        Look {
            outcome: seen.map(|seen| seen.outcome),
            is_other: marks.others.contains(&node),
            above: Some(above),
            bold: (place.is_some() || is_running, below.as_ref().is_some_and(|(_, bold)| *bold)),
            below: below.map(|(below, _)| below),
            name,
            culprit: place.map(letter),
            is_suspect,
            is_running,
            half: (LETTER * letters as f64 / 2.0).max(edge).max(LEAST),
            edge,
        }
    }
}

/// What the cause at this place is called; `None` if there are more than letters.
pub(crate) fn letter(place: usize) -> Option<char> {
    u8::try_from(place).ok().filter(|&place| place < 26).map(|place| char::from(b'A' + place))
}
