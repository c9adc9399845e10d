//! Names, tooltips, and titles of a picture.

use firstbad::Find;
use firstbad::graph::{CommitGraph, Node};
use firstbad::search::Outcome;

use super::marks::{Edge, Marks};
use super::sketch::Fold;
use crate::draw::markup::{brief, cut};

/// The largest number of characters of a subject.
const SUBJECT: usize = 60;

pub(super) struct Words<'a> {
    pub(super) graph: &'a CommitGraph,
    pub(super) marks: &'a Marks<'a>,
}

impl Words<'_> {
    /// Returns the branch or tag of a commit.
    pub(super) fn name(&self, node: Node) -> Option<&str> {
        if let Some(name) = self.marks.names.get(&node) {
            return Some(name);
        }
        let id = self.graph.id(node);
        // "HEAD" changes with the checkout, and the picture already has the start of the id.
        let is_short = |name: &&str| !name.starts_with("refs/") && *name != "HEAD" && !id.starts_with(*name);
        let is_plain = |name: &&str| !name.contains(['~', '^', '@', '/']);
        let names: Vec<&str> = self.graph.names(node).into_iter().filter(is_short).collect();
        names.iter().copied().find(is_plain).or(names.first().copied())
    }

    /// Returns the role of the newer commit of an edge.
    pub(super) fn first(&self) -> &'static str {
        match self.marks.find {
            Find::Regression => "first bad",
            Find::Fix => "first good",
        }
    }

    fn brief(&self, node: Node) -> String {
        brief(self.graph.id(node))
    }

    pub(super) fn commit(&self, node: Node) -> String {
        let seen = self.marks.seen.get(&node);
        let verb = match seen.map(|seen| seen.outcome) {
            _ if self.marks.running.contains(&node) => "is running",
            None => "not run",
            Some(Outcome::Pass) => "passes",
            Some(Outcome::Fail) if self.marks.others.contains(&node) => "fails in another way",
            Some(Outcome::Fail) => "fails",
            Some(Outcome::Unresolved) => "unresolved",
        };
        let run = seen.and_then(|seen| seen.run).map_or(String::new(), |run| format!(", run {run}"));
        let subject = self.marks.subjects.get(&node).map_or(String::new(), |one| format!(": {}", cut(one, SUBJECT)));
        format!("{} {verb}{run}{subject}", self.brief(node))
    }

    pub(super) fn fold(&self, fold: Fold) -> String {
        let not_run = if self.marks.hides_runs { "" } else { " not run" };
        format!("{} commits{not_run}, {} to {}", fold.count, self.brief(fold.oldest), self.brief(fold.newest))
    }

    /// Returns the tooltip of an edge.
    pub(super) fn edge(&self, edge: &Edge) -> String {
        let (before, after, what) = self.verbs();
        let newer = self.brief(edge.newer);
        match edge.older {
            Some(older) => format!("{} {before}, {newer} {after}: here it {what}", self.brief(older)),
            None => format!("{newer} {after}"),
        }
    }

    fn verbs(&self) -> (&'static str, &'static str, &'static str) {
        match self.marks.find {
            Find::Regression => ("passes", "fails", "broke"),
            Find::Fix => ("fails", "passes", "was fixed"),
        }
    }

    /// Returns the description of the picture for screen readers.
    pub(super) fn title(&self) -> String {
        let (before, after, _) = self.verbs();
        let called = |&node: &Node| self.name(node).map_or_else(|| self.brief(node), |name| cut(name, SUBJECT));
        let tips = self.marks.tips(self.graph);
        let mut ends: Vec<String> = tips.iter().take(3).map(called).collect();
        if tips.len() > 3 {
            ends.push(format!("{} more", tips.len() - 3));
        }
        let from = match &self.marks.bases[..] {
            [base] => format!(" from {}", called(base)),
            _ => String::new(),
        };
        let mut title = format!("Commit graph{from} to {}", listed(&ends));
        match &self.marks.edges[..] {
            [] => {}
            [Edge { older: Some(older), newer, .. }] => {
                let (older, newer) = (self.brief(*older), self.brief(*newer));
                title += &format!(". {newer} is the first that {after}; {older} before it {before}.");
            }
            [Edge { newer, .. }] => title += &format!(". {} {after}.", self.brief(*newer)),
            edges => title += &format!(", with {} causes", edges.len()),
        }
        title
    }
}

/// Joins names with commas and "and".
fn listed(names: &[String]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        names => names.concat(),
    }
}
