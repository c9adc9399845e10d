//! The appearance and the size of each vertex.

use std::collections::BTreeSet;

use firstbad::graph::{CommitGraph, Node};
use firstbad::search::Outcome;

use super::layout::Room;
use super::marks::Marks;
use super::sketch::{Sketch, Vertex};
use super::words::Words;
use crate::draw::markup::{brief, cut};

/// The width of a letter, in pixels.
const LETTER: f64 = 6.32;
/// The width of a letter in the name of a tip.
const WIDE_LETTER: f64 = 6.65;
/// The distance from the center of a tip to its name.
const TO_NAME: f64 = 13.0;
/// The horizontal padding of a name, left and right together.
const PADDING: f64 = 12.0;
/// The additional length of a line with a zigzag.
const ZIGZAG: f64 = 26.0;
/// The smallest half width of a commit with a label.
const LEAST: f64 = 15.0;
/// The largest number of characters of a name.
const NAME: usize = 28;

/// The appearance of a vertex.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Look {
    /// `None` for folds and for commits without a run.
    pub(super) outcome: Option<Outcome>,
    /// Whether the commit has a different failure.
    pub(super) is_other: bool,
    /// The label above the vertex, which is the start of the id.
    pub(super) above: Option<String>,
    /// The label below the vertex.
    pub(super) below: Option<String>,
    /// Whether the labels above and below are bold.
    pub(super) bold: (bool, bool),
    /// The name on the right.
    pub(super) name: Option<String>,
    /// Set for a culprit, with its letter if there are several causes.
    pub(super) culprit: Option<Option<char>>,
    pub(super) is_suspect: bool,
    pub(super) is_running: bool,
    half: f64,
    edge: f64,
}

/// The appearance of all vertices.
#[derive(Debug)]
pub(super) struct Looks {
    pub(super) each: Vec<Look>,
    tips: Vec<usize>,
}

/// Returns the width of a name with its frame.
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

    /// Returns the tips, the tip of the trunk first.
    pub(super) fn tips(&self) -> Vec<usize> {
        self.tips.clone()
    }

    /// Returns the space that each vertex needs.
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
    /// Returns the half width, including the labels.
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
        // A name that equals the id would repeat the label.
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

/// Returns the letter of a cause, or `None` after Z.
pub(crate) fn letter(place: usize) -> Option<char> {
    u8::try_from(place).ok().filter(|&place| place < 26).map(|place| char::from(b'A' + place))
}
