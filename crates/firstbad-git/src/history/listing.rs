//! Parsing the output of `git rev-list`.

use firstbad::{Error, GraphBuilder};
use hashbrown::{HashMap, HashSet};

use crate::git;

/// The maximum number of commits that start the history of paths and get a parent. Each needs a walk over the whole history.
const MOST_BEGINNINGS: usize = 16;

#[derive(Debug, Clone)]
pub(super) struct Line<'a> {
    pub(super) id: &'a str,
    pub(super) time: i64,
    pub(super) parents: Vec<&'a str>,
}

/// The included commits, parents first, and the times of boundary commits.
pub(super) struct Listing<'a> {
    pub(super) included: Vec<Line<'a>>,
    pub(super) boundary: HashMap<&'a str, i64>,
}

impl<'a> Listing<'a> {
    /// Parses lines of the form `<time> <id> <parents>`, with `-` before the id of a boundary commit.
    pub(super) fn parse(text: &'a str) -> Result<Self, Error> {
        let mut listing = Listing { included: Vec::new(), boundary: HashMap::new() };
        for line in text.lines() {
            let mut words = line.split(' ');
            let time = words.next().and_then(git::seconds);
            let (Some(time), Some(id)) = (time, words.next()) else {
                return Err(Error::Git { message: format!("cannot understand git rev-list's line {line:?}") });
            };
            if let Some(id) = id.strip_prefix('-') {
                listing.boundary.insert(id, time);
                continue;
            }
            let mut parents: Vec<&str> = Vec::new();
            for parent in words {
                // A commit may name a parent twice.
                if !parents.contains(&parent) {
                    parents.push(parent);
                }
            }
            listing.included.push(Line { id, time, parents });
        }
        Ok(listing)
    }

    /// Replaces the parents of every commit by the next listed commit in its first-parent history in `full`, or by the boundary
    /// commit that ends it.
    pub(super) fn follow_first_parents(&mut self, full: &Listing<'a>) {
        let kept: HashSet<&str> = self.included.iter().map(|commit| commit.id).collect();
        // The nearest listed or boundary commit in the first-parent history of each commit. Parents come first in `full`.
        let mut nearest: HashMap<&str, Option<&'a str>> = HashMap::new();
        let mut above: HashMap<&str, Option<&'a str>> = HashMap::new();
        for commit in &full.included {
            let first = commit.parents.first().and_then(|&parent| match nearest.get(parent) {
                Some(&known) => known,
                None => full.boundary.contains_key(parent).then_some(parent),
            });
            above.insert(commit.id, first);
            nearest.insert(commit.id, if kept.contains(commit.id) { Some(commit.id) } else { first });
        }
        for commit in &mut self.included {
            commit.parents = above.get(commit.id).copied().flatten().into_iter().collect();
        }
        self.boundary.extend(&full.boundary);
    }

    /// Returns the first parents, in `full`, of the `touching` commits without parents here. They are needed to compare the
    /// commits that start the history of paths. If there are many, uses only the newest.
    pub(super) fn before_the_first(&self, touching: &HashSet<&str>, full: &Listing<'a>) -> Vec<&'a str> {
        let is_first = |commit: &&Line<'_>| commit.parents.is_empty() && touching.contains(commit.id);
        let first = self.included.iter().rev().filter(is_first).take(MOST_BEGINNINGS);
        let first: HashSet<&str> = first.map(|commit| commit.id).collect();
        let first = full.included.iter().filter(|commit| first.contains(commit.id));
        first.filter_map(|commit| commit.parents.first().copied()).collect()
    }

    /// Returns the commits that are not `touching` and have other parents in `full`.
    pub(super) fn beyond(&self, touching: &HashSet<&str>, full: &Listing<'a>, first_parent: bool) -> Vec<String> {
        let real: HashMap<&str, &[&str]> =
            full.included.iter().map(|commit| (commit.id, &commit.parents[..])).collect();
        let has_others = |commit: &&Line<'_>| {
            let real = real.get(commit.id).copied().unwrap_or_default();
            let real = if first_parent { &real[..real.len().min(1)] } else { real };
            !commit.parents.is_empty() && commit.parents != real
        };
        let others = self.included.iter().filter(|commit| !touching.contains(commit.id)).filter(has_others);
        others.map(|commit| commit.id.to_owned()).collect()
    }

    pub(super) fn build(self) -> Result<GraphBuilder, Error> {
        let mut places: HashMap<&str, u32> = self.included.iter().map(|commit| (commit.id, 0)).collect();
        // Parents that are neither included nor excluded were removed by simplification.
        let mut roots: Vec<(i64, &str)> = Vec::new();
        for &parent in self.included.iter().flat_map(|commit| &commit.parents) {
            if let Some(&time) = self.boundary.get(parent)
                && places.insert(parent, 0).is_none()
            {
                roots.push((time, parent));
            }
        }
        roots.sort_unstable();
        let ids = roots.iter().map(|&(_, id)| id).chain(self.included.iter().map(|commit| commit.id));
        for (place, id) in ids.enumerate() {
            places.insert(id, place as u32);
        }
        let mut builder = GraphBuilder::new();
        for &(time, id) in &roots {
            builder.numbered_revision(id, &[]).time(time);
        }
        let mut parents: Vec<u32> = Vec::new();
        for commit in &self.included {
            parents.clear();
            parents.extend(commit.parents.iter().filter_map(|parent| places.get(parent)));
            builder.numbered_revision(commit.id, &parents).time(commit.time);
        }
        Ok(builder)
    }
}
