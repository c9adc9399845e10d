//! Splitting the changes of a commit by file, hunk, or definition.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use firstbad::patch::{ChangeKind, FilePatch};
use firstbad::{Error, Patch, SliceGranularity};
use firstbad_syntax::Outline;

use super::change::SliceChange;
use super::sources::Sources;
use crate::trees::Trees;

/// A part of a patch: its change, and its indices in the patch.
pub(super) type Part = (SliceChange, Vec<usize>);

/// Splits the changes of a commit between two trees.
///
/// # Errors
/// [`Error::Git`] if Git fails.
pub(super) fn parts(
    trees: &Trees,
    sources: &mut Sources,
    (before, after): (&str, &str),
    (patch, whole): (&Patch, &SliceChange),
    finely: SliceGranularity,
) -> Result<Vec<Part>, Error> {
    let outlines = match finely {
        SliceGranularity::Definition => outlines(trees, sources, before, after)?,
        _ => HashMap::new(),
    };
    let mut parts = Vec::new();
    for file in patch.files() {
        let of = |path: Option<&[u8]>, side: usize| {
            let path = std::str::from_utf8(path?).ok()?;
            outlines.get(path).map(|sides: &Sides| sides[side].as_ref())
        };
        let sides = [of(file.old_path(), 0).flatten(), of(file.new_path(), 1).flatten()];
        let name = file.new_path().or(file.old_path()).unwrap_or_default();
        let path = Some(String::from_utf8_lossy(name).into_owned());
        let part = SliceChange { path, ..whole.clone() };
        parts.extend(match finely {
            SliceGranularity::Hunk => by_hunks(file, &part),
            SliceGranularity::Definition if sides.iter().any(Option::is_some) => {
                by_definitions(patch, file, &part, sides)
            }
            _ => vec![(part, file.changes().collect())],
        });
    }
    Ok(parts)
}

fn by_hunks(file: FilePatch<'_>, part: &SliceChange) -> Vec<Part> {
    let mut rest: BTreeSet<usize> = file.changes().collect();
    let mut hunks = Vec::new();
    for (number, hunk) in file.hunks().enumerate() {
        let changes: Vec<usize> = hunk.lines().filter_map(|line| line.change).collect();
        changes.iter().for_each(|change| {
            rest.remove(change);
        });
        hunks.push((SliceChange { hunk: Some(number), ..part.clone() }, changes));
    }
    with_rest(file, part, hunks, rest.into_iter().collect())
}

/// Adds the rest of a file to its parts. A creation or header change comes first. A deletion comes last, because it needs all
/// removed lines.
fn with_rest(file: FilePatch<'_>, part: &SliceChange, mut parts: Vec<Part>, rest: Vec<usize>) -> Vec<Part> {
    if !rest.is_empty() {
        let place = if file.new_path().is_none() { parts.len() } else { 0 };
        parts.insert(place, (part.clone(), rest));
    }
    parts
}

/// The outlines of a file before and after a commit.
type Sides = [Option<Arc<Outline>>; 2];

/// Returns the outlines of changed files by path.
fn outlines(trees: &Trees, sources: &mut Sources, before: &str, after: &str) -> Result<HashMap<String, Sides>, Error> {
    let differing = trees.differing(&[(before, after)])?.pop().unwrap_or_default();
    let named = || differing.iter().filter_map(|file| Some((std::str::from_utf8(&file.path).ok()?, file)));
    let contents = named()
        .flat_map(|(path, file)| [&file.old, &file.new].into_iter().flatten().map(move |id| (path, id.as_str())));
    sources.load(trees, contents, |_| true)?;
    let outline = |path: &str, id: &Option<String>| id.as_ref().and_then(|id| sources.get(path, id)).cloned();
    Ok(named().map(|(path, file)| (path.to_owned(), [outline(path, &file.old), outline(path, &file.new)])).collect())
}

/// Groups changed lines by definition: added lines by the outline after, and removed lines by the outline before.
fn by_definitions(
    patch: &Patch,
    file: FilePatch<'_>,
    part: &SliceChange,
    sides: [Option<&Arc<Outline>>; 2],
) -> Vec<Part> {
    let mut rest: Vec<usize> = Vec::new();
    let mut lines: Vec<(usize, Option<&str>)> = Vec::new();
    for change in file.changes().filter_map(|index| patch.change(index)) {
        let side = match change.kind {
            ChangeKind::Removed => sides[0],
            ChangeKind::Added => sides[1],
            _ => None,
        };
        let (Some(outline), Some(line)) = (side, change.line.and_then(|line| u32::try_from(line).ok())) else {
            rest.push(change.index);
            continue;
        };
        let owner = || outline.definitions[outline.owner(line)].name.as_str();
        // A blank line belongs to the code below it.
        lines.push((change.index, (!change.text.trim_ascii().is_empty()).then(owner)));
    }
    let mut owned: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut below: Option<&str> = lines.iter().rev().find_map(|(_, owner)| *owner);
    for (index, owner) in lines.into_iter().rev() {
        below = owner.or(below);
        match below {
            Some(owner) => owned.entry(owner).or_default().push(index),
            None => rest.push(index),
        }
    }
    let of = |(name, changes): (&str, Vec<usize>)| {
        (SliceChange { definition: Some(name.to_owned()), ..part.clone() }, changes)
    };
    with_rest(file, part, owned.into_iter().map(of).collect(), rest)
}
