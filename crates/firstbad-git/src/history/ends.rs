//! Commits that stay in a history although they do not touch its paths: named endpoints, as in `git bisect`, and the commits
//! before the first ones that touch the paths.

use hashbrown::{HashMap, HashSet};

use super::listing::{Line, Listing};

/// Inserts `commits` from the full listing into a simplified one. Ancestry among all listed commits stays the same as in the full
/// history, even if Git followed only one side of a merge.
pub(super) fn keep<'a>(listing: &mut Listing<'a>, full: &Listing<'a>, commits: &[&str]) {
    let places: HashMap<&str, usize> = full.included.iter().enumerate().map(|(place, line)| (line.id, place)).collect();
    // In this order, older commits are already present when newer ones are inserted. Excluded commits stay excluded.
    let mut wanted: Vec<usize> = commits.iter().filter_map(|id| places.get(id).copied()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    for place in wanted {
        let commit = &full.included[place];
        let kept: HashMap<&str, usize> =
            listing.included.iter().enumerate().map(|(place, line)| (line.id, place)).collect();
        let mut parents = before(full, &places, commit, |id| kept.contains_key(id) || full.boundary.contains_key(id));
        // Only the nearest ancestors become parents.
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
            // Ancestors of the commit are now reached through the commit.
            let at = line.parents.iter().position(|parent| older.contains(parent)).unwrap_or(line.parents.len());
            line.parents.retain(|parent| !older.contains(parent));
            line.parents.insert(at.min(line.parents.len()), commit.id);
        }
        let first = children.into_iter().min().unwrap_or(listing.included.len());
        listing.included.insert(first, Line { id: commit.id, time: commit.time, parents });
    }
    listing.boundary.extend(&full.boundary);
    // With additional edges, the order may no longer put parents first.
    if !is_ordered(listing) {
        listing.included.sort_by_key(|line| places.get(line.id).copied());
    }
}

/// Returns the nearest listed ancestors of a commit.
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

/// Returns the proper ancestors of some commits in the simplified history.
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

/// Returns the positions of the nearest listed descendants of the commit at `place`.
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

/// Returns whether all parents come first.
fn is_ordered(listing: &Listing<'_>) -> bool {
    let mut seen: HashSet<&str> = HashSet::new();
    let kept: HashSet<&str> = listing.included.iter().map(|line| line.id).collect();
    listing.included.iter().all(|line| {
        seen.insert(line.id);
        line.parents.iter().all(|parent| seen.contains(parent) || !kept.contains(parent))
    })
}
