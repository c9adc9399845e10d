//! Commits that do not touch the paths that a history is simplified to, and stay in it because they were named: as for
//! `git bisect`, a search has its ends wherever they are.

use hashbrown::{HashMap, HashSet};

use super::rev_list::{Line, Listing};

/// Puts `tips` back into a simplified listing, from the full one. Each has as parents the nearest commits before it that are kept,
/// and is a parent of the nearest ones after it.
pub(super) fn keep<'a>(listing: &mut Listing<'a>, full: &Listing<'a>, tips: &[&str]) {
    let places: HashMap<&str, usize> = full.included.iter().enumerate().map(|(place, line)| (line.id, place)).collect();
    // Parents come first, so that of two tips the older one is there for the newer one. One that was excluded stays so.
    let mut wanted: Vec<usize> = tips.iter().filter_map(|tip| places.get(tip).copied()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    for place in wanted {
        let tip = &full.included[place];
        let kept: HashMap<&str, usize> =
            listing.included.iter().enumerate().map(|(place, line)| (line.id, place)).collect();
        let before = |id: &str| kept.contains_key(id) || full.boundary.contains_key(id);
        let mut parents = nearest(full, &places, tip, before);
        let older = above(listing, &kept, &parents);
        // What another one of them has among its ancestors is none of the nearest.
        parents.retain(|parent| !older.contains(parent));
        let older: HashSet<&str> = older.into_iter().chain(parents.iter().copied()).collect();
        let mut first = listing.included.len();
        for child in children(full, &places, place, &kept) {
            let line = &mut listing.included[child];
            // What lies before the tip is reached through it.
            let at = line.parents.iter().position(|parent| older.contains(parent)).unwrap_or(line.parents.len());
            line.parents.retain(|parent| !older.contains(parent));
            line.parents.insert(at.min(line.parents.len()), tip.id);
            first = first.min(child);
        }
        listing.included.insert(first, Line { id: tip.id, time: tip.time, parents });
        listing.boundary.extend(&full.boundary);
    }
}

/// The first commits on every way back from `from` that are kept.
fn nearest<'a>(
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
        } else if let Some(&place) = places.get(id) {
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
fn children(full: &Listing<'_>, places: &HashMap<&str, usize>, place: usize, kept: &HashMap<&str, usize>) -> Vec<usize> {
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
