//! Selecting and ordering a history in memory, as `git rev-list --topo-order` does.

use firstbad::{Error, GraphBuilder};
use gix_commitgraph::Graph;
use gix_hash::ObjectId;

use super::commits::{Commits, Number};
use super::request::Request;
use crate::repository::Repository;

const EXCLUDED: u8 = 1;
const INCLUDED: u8 = 2;
const BOUNDARY: u8 = 4;

/// Returns the requested revisions with times.
pub(super) fn read(repository: &Repository, file: &Graph, request: &Request<'_>) -> Result<GraphBuilder, Error> {
    let tips = parsed(&request.tips)?;
    let exclude = parsed(&request.exclude)?;
    let starts: Vec<ObjectId> = tips.iter().chain(&exclude).copied().collect();
    let commits = Commits::read(repository, file, &starts)?;
    // A tag may point to a file.
    let numbers = |ids: &[ObjectId]| ids.iter().filter_map(|id| commits.number(id)).collect::<Vec<_>>();
    let (tips, exclude) = (numbers(&tips), numbers(&exclude));
    let mut walk = Walk::new(&commits, request.first_parent);
    walk.exclude(&exclude)?;
    let boundary = walk.include(&tips)?;
    let order = walk.order(&tips)?;
    walk.build(boundary, &order)
}

fn parsed(ids: &[&str]) -> Result<Vec<ObjectId>, Error> {
    let parse = |id: &&str| {
        ObjectId::from_hex(id.as_bytes()).map_err(|error| Error::Git { message: format!("object id {id:?}: {error}") })
    };
    ids.iter().map(parse).collect()
}

struct Walk<'a> {
    commits: &'a Commits<'a>,
    first_parent: bool,
    flags: Vec<u8>,
    /// How many included children of a commit are not ordered yet.
    waiting: Vec<u32>,
}

impl<'a> Walk<'a> {
    fn new(commits: &'a Commits<'a>, first_parent: bool) -> Self {
        let count = commits.len();
        Walk { commits, first_parent, flags: vec![0; count], waiting: vec![0; count] }
    }

    /// Marks the commits that are reachable from `starts` through any parent.
    fn exclude(&mut self, starts: &[Number]) -> Result<(), Error> {
        let mut stack = starts.to_vec();
        let mut parents = Vec::new();
        while let Some(number) = stack.pop() {
            let flags = &mut self.flags[number as usize];
            if *flags & EXCLUDED == 0 {
                *flags |= EXCLUDED;
                self.commits.parents(number, &mut parents)?;
                stack.extend_from_slice(&parents);
            }
        }
        Ok(())
    }

    /// Writes the relevant parents to `into`.
    fn parents(&self, number: Number, into: &mut Vec<Number>) -> Result<(), Error> {
        self.commits.parents(number, into)?;
        if self.first_parent {
            into.truncate(1);
        }
        Ok(())
    }

    /// Marks the commits that are reachable from `tips` and not excluded. Returns their excluded parents.
    fn include(&mut self, tips: &[Number]) -> Result<Vec<Number>, Error> {
        let mut stack = Vec::new();
        let mut boundary = Vec::new();
        let mut parents = Vec::new();
        for &tip in tips {
            if self.flags[tip as usize] == 0 {
                self.flags[tip as usize] = INCLUDED;
                stack.push(tip);
            }
        }
        while let Some(number) = stack.pop() {
            self.parents(number, &mut parents)?;
            for &parent in &parents {
                let flags = &mut self.flags[parent as usize];
                match *flags {
                    0 => {
                        *flags = INCLUDED;
                        stack.push(parent);
                    }
                    EXCLUDED => {
                        *flags |= BOUNDARY;
                        boundary.push(parent);
                    }
                    _ => {}
                }
                self.waiting[parent as usize] += 1;
            }
        }
        Ok(boundary)
    }

    /// Returns the included commits, children first. Like Git, goes depth first from the newest tip, and visits the last parent
    /// of a merge first.
    fn order(&mut self, tips: &[Number]) -> Result<Vec<Number>, Error> {
        let mut stack: Vec<Number> = Vec::new();
        for &tip in tips {
            let free = self.flags[tip as usize] & INCLUDED != 0 && self.waiting[tip as usize] == 0;
            if free {
                // Keeps a repeated tip from being added again.
                self.waiting[tip as usize] = u32::MAX;
                stack.push(tip);
            }
        }
        stack.sort_by_key(|&tip| std::cmp::Reverse(self.commits.time(tip)));
        stack.reverse();
        let mut order = Vec::with_capacity(self.commits.len());
        let mut parents = Vec::new();
        while let Some(number) = stack.pop() {
            order.push(number);
            self.parents(number, &mut parents)?;
            for &parent in &parents {
                let waiting = &mut self.waiting[parent as usize];
                *waiting -= 1;
                if *waiting == 0 && self.flags[parent as usize] & INCLUDED != 0 {
                    stack.push(parent);
                }
            }
        }
        Ok(order)
    }

    fn build(self, mut boundary: Vec<Number>, order: &[Number]) -> Result<GraphBuilder, Error> {
        let mut buffer = [0; 40];
        boundary.sort_by_cached_key(|&root| (self.commits.time(root), self.commits.hex(root, &mut [0; 40]).to_owned()));
        // The counters are no longer needed and are reused as positions.
        let mut places = self.waiting;
        for (place, &number) in boundary.iter().chain(order.iter().rev()).enumerate() {
            places[number as usize] = place as u32;
        }
        let mut builder = GraphBuilder::new();
        for &root in &boundary {
            builder.numbered_revision(self.commits.hex(root, &mut buffer), &[]).time(self.commits.time(root));
        }
        let mut parents = Vec::new();
        for &number in order.iter().rev() {
            self.commits.parents(number, &mut parents)?;
            if self.first_parent {
                parents.truncate(1);
            }
            for parent in &mut parents {
                *parent = places[*parent as usize];
            }
            builder.numbered_revision(self.commits.hex(number, &mut buffer), &parents).time(self.commits.time(number));
        }
        Ok(builder)
    }
}
