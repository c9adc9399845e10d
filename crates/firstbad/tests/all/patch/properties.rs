//! Properties of arbitrary files, edits, and changes, each generated from a seed.

use firstbad::patch::{ChangeKind, LineKind, Reach, hunk_dependencies};
use firstbad::{Error, Patch};

use super::random;
use super::sandbox::{Sandbox, Tree, contents};
use crate::random::Random;

/// Returns random files, their edited versions, and real Git's patch between them.
fn scene(sandbox: &Sandbox, random: &mut Random) -> (Tree, Tree, Patch) {
    let (old, new) = random::trees(random);
    let text = sandbox.diff(&old, &new, &random::options(random));
    let patch = Patch::parse(&text).expect("git's own patch");
    assert_eq!(patch.as_bytes(), text, "{patch}");
    (old, new, patch)
}

pub(crate) fn git_accepts_every_subset(sandbox: &Sandbox, seed: u64) {
    let mut random = Random(seed);
    let (old, new, patch) = scene(sandbox, &mut random);
    // Git rejects some of its own patches, for example for a file below a deleted link.
    let Ok(whole) = sandbox.apply(&old, &patch) else { return };
    assert_eq!(whole, new);
    let all: Vec<usize> = (0..patch.len()).collect();
    assert_eq!(patch.subset(&all), Ok(patch.clone()));
    let kind = |patch: &Patch, change: usize| patch.change(change).expect("a change").kind;
    for _ in 0..4 {
        let wanted = random::some(&mut random, patch.len());
        let subset = patch.subset(&wanted).expect("a subset");
        assert_eq!(subset.origin(), patch.standing(&wanted).expect("changes"));
        let kinds: Vec<ChangeKind> = subset.origin().iter().map(|&change| kind(&patch, change)).collect();
        assert_eq!((0..subset.len()).map(|change| kind(&subset, change)).collect::<Vec<_>>(), kinds);
        check_positions(&subset);
        let by_git = sandbox.apply(&old, &subset).unwrap_or_else(|error| panic!("{error}\n{subset}\nof\n{patch}"));
        assert_eq!(subset.apply(&contents(&old)), Ok(contents(&by_git)), "{subset}\nof\n{patch}");
    }
}

/// A hunk starts in the new file as many lines later as the previous hunks added.
fn check_positions(patch: &Patch) {
    // If a count is 0, the start is the line before.
    let begin = |(start, count): (usize, usize)| start as i64 + i64::from(count == 0);
    for file in patch.files() {
        let mut growth = 0;
        for hunk in file.hunks() {
            let (old, new) = (hunk.old_span(), hunk.new_span());
            assert_eq!(begin(new), begin(old) + growth, "{patch}");
            growth += new.1 as i64 - old.1 as i64;
            let count = |without: LineKind| hunk.lines().filter(|line| line.kind != without).count();
            assert_eq!((old.1, new.1), (count(LineKind::Added), count(LineKind::Removed)), "{patch}");
        }
    }
}

pub(crate) fn apply_agrees_with_git_on_other_files(sandbox: &Sandbox, seed: u64) {
    let mut random = Random(seed);
    let (old, _, patch) = scene(sandbox, &mut random);
    for _ in 0..4 {
        let other = random::nearby(&mut random, &old);
        match (sandbox.apply(&other, &patch), patch.apply(&contents(&other))) {
            (Ok(by_git), Ok(in_memory)) => assert_eq!(contents(&by_git), in_memory, "{patch}"),
            (Err(_), Err(Error::PatchConflict { .. })) => {}
            (by_git, in_memory) => panic!("{by_git:?}\n{in_memory:?}\n{other:?}\n{patch}"),
        }
    }
}

pub(crate) fn standing_changes_are_closed_and_complete(sandbox: &Sandbox, seed: u64) {
    let mut random = Random(seed);
    let (_, _, patch) = scene(sandbox, &mut random);
    let needs = patch.dependencies().unwrap();
    let wanted = random::some(&mut random, patch.len());
    let standing = patch.standing(&wanted).expect("changes");
    // The standing changes are closed, and no change that was left out could stand with them.
    let mut kept = wanted.clone();
    kept.sort_unstable();
    while let Some(at) = kept.iter().position(|&change| needs[change].iter().any(|need| !kept.contains(need))) {
        kept.remove(at);
    }
    assert_eq!(standing, kept);
    assert_eq!(patch.standing(&standing), Ok(standing.clone()));
    // A subset has the same dependencies under its new numbers.
    let subset = patch.subset(&wanted).expect("a subset");
    let number = |old: &usize| standing.binary_search(old).expect("what is needed is there");
    let renumbered: Vec<Vec<usize>> = standing.iter().map(|&old| needs[old].iter().map(number).collect()).collect();
    assert_eq!(subset.dependencies().unwrap(), renumbered, "{subset}\nof\n{patch}");
}

/// A subset of a subset equals the subset taken at once.
pub(crate) fn subsets_of_subsets_are_subsets(sandbox: &Sandbox, seed: u64) {
    let mut random = Random(seed);
    let (_, _, patch) = scene(sandbox, &mut random);
    let first = patch.subset(&random::some(&mut random, patch.len())).expect("a subset");
    let second = first.subset(&random::some(&mut random, first.len())).expect("a subset");
    let origin: Vec<usize> = second.origin().iter().map(|&change| first.origin()[change]).collect();
    let at_once = patch.subset(&origin).expect("a subset");
    let plain = |patch: &Patch| {
        patch.changes().map(|change| (change.kind, change.text.into_owned(), change.line)).collect::<Vec<_>>()
    };
    assert_eq!(plain(&second), plain(&at_once), "{second}\nor\n{at_once}");
}

pub(crate) fn damaged_patches_are_rejected_or_valid(sandbox: &Sandbox, seed: u64) {
    let mut random = Random(seed);
    let (old, _, whole) = scene(sandbox, &mut random);
    for _ in 0..60 {
        let text = random::damaged(&mut random, whole.as_bytes());
        let patch = match Patch::parse(&text) {
            Ok(patch) => patch,
            Err(Error::PatchSyntax { line, .. }) => {
                let lines = text.split_inclusive(|&byte| byte == b'\n').count();
                assert!((1..=lines + 1).contains(&line), "line {line} of {lines}");
                continue;
            }
            Err(other) => panic!("{other}"),
        };
        assert_eq!(patch.as_bytes(), text);
        assert_eq!(patch.changes().len(), patch.len());
        let files = contents(&old);
        let _ = patch.apply(&files);
        let some = random::some(&mut random, patch.len());
        let subset = patch.subset(&some).unwrap_or_else(|error| panic!("{error}: {some:?} of\n{patch}"));
        assert_eq!(subset.len(), subset.origin().len());
        assert_eq!(subset.origin(), patch.standing(&some).expect("changes"));
        let _ = subset.apply(&files);
        let _ = hunk_dependencies(&[patch, subset], Reach::Context);
    }
}
