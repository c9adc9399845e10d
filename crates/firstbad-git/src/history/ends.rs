//! Commits that do not touch the paths that a history is simplified to, and stay in it: those that were named, because a
//! search has its ends wherever they are, as `git bisect` has; and what was there before the first that do.

use hashbrown::{HashMap, HashSet};

use super::listing::{Line, Listing};

/// Puts `commits` back into a simplified listing, from the full one. Each has all that is kept of its ancestors among its ancestors
/// again, also where git has followed one side of a merge alone, and comes between what lies before and after it.
pub(super) fn keep<'a>(listing: &mut Listing<'a>, full: &Listing<'a>, commits: &[&str]) {
    let places: HashMap<&str, usize> = full.included.iter().enumerate().map(|(place, line)| (line.id, place)).collect();
    // Parents come first, so that of two of them the older one is there for the newer one. One that was excluded stays so.
    let mut wanted: Vec<usize> = commits.iter().filter_map(|id| places.get(id).copied()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    for place in wanted {
        let commit = &full.included[place];
        let kept: HashMap<&str, usize> =
            listing.included.iter().enumerate().map(|(place, line)| (line.id, place)).collect();
        let mut parents = before(full, &places, commit, |id| kept.contains_key(id) || full.boundary.contains_key(id));
        // What another one of them has among its ancestors is none of the nearest.
        let older = above(listing, &kept, &parents);
        parents.retain(|parent| !older.contains(parent));
        if let Some(&own) = kept.get(commit.id) {
            let reached = above(listing, &kept, &[commit.id]);
            parents.retain(|parent| !reached.contains(parent));
            listing.included[own].parents.append(&mut parents);
            continue;
        }
        let older: HashSet<&str> = older.into_iter().chain(parents.iter().copied()).collect();
        let children = children(full, &places, place, &kept);
        for &child in &children {
            let line = &mut listing.included[child];
            // What lies before the commit is reached through it.
            let at = line.parents.iter().position(|parent| older.contains(parent)).unwrap_or(line.parents.len());
            line.parents.retain(|parent| !older.contains(parent));
            line.parents.insert(at.min(line.parents.len()), commit.id);
        }
        let first = children.into_iter().min().unwrap_or(listing.included.len());
        listing.included.insert(first, Line { id: commit.id, time: commit.time, parents });
    }
    listing.boundary.extend(&full.boundary);
    // With more ways from one to another, what came first need not come first any more.
    if !is_ordered(listing) {
        listing.included.sort_by_key(|line| places.get(line.id).copied());
    }
}

/// The ancestors of a commit that are kept.
fn before<'a>(
    full: &Listing<'a>,
    places: &HashMap<&str, usize>,
    from: &Line<'a>,
    is_kept: impl Fn(&str) -> bool,
) -> Vec<&'a str> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut stack: Vec<&'a str> = from.parents.iter().rev().copied().collect();
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        if is_kept(id) {
            found.push(id);
        }
        if let Some(&place) = places.get(id) {
            stack.extend(full.included[place].parents.iter().rev());
        }
    }
    found
}

/// The ancestors of some commits in the simplified history, without themselves.
fn above<'a>(listing: &Listing<'a>, kept: &HashMap<&str, usize>, of: &[&'a str]) -> HashSet<&'a str> {
    let parents = |id: &str| kept.get(id).map(|&place| listing.included[place].parents.as_slice()).unwrap_or_default();
    let mut found: HashSet<&'a str> = HashSet::new();
    let mut stack: Vec<&'a str> = of.iter().flat_map(|id| parents(id)).copied().collect();
    while let Some(id) = stack.pop() {
        if found.insert(id) {
            stack.extend(parents(id));
        }
    }
    found
}

/// The places of the kept commits that come to the one at `place` without another kept one between.
fn children(
    full: &Listing<'_>,
    places: &HashMap<&str, usize>,
    place: usize,
    kept: &HashMap<&str, usize>,
) -> Vec<usize> {
    let mut reaches = vec![false; full.included.len()];
    reaches[place] = true;
    let mut found = Vec::new();
    for (later, line) in full.included.iter().enumerate().skip(place + 1) {
        if !line.parents.iter().any(|parent| places.get(parent).is_some_and(|&parent| reaches[parent])) {
            continue;
        }
        match kept.get(line.id) {
            Some(&child) => found.push(child),
            None => reaches[later] = true,
        }
    }
    found
}

/// Whether parents come first.
fn is_ordered(listing: &Listing<'_>) -> bool {
    let mut seen: HashSet<&str> = HashSet::new();
    let kept: HashSet<&str> = listing.included.iter().map(|line| line.id).collect();
    listing.included.iter().all(|line| {
        seen.insert(line.id);
        line.parents.iter().all(|parent| seen.contains(parent) || !kept.contains(parent))
    })
}
