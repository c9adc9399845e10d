//! Patches.

use std::collections::BTreeMap;

use firstbad::Patch;
use firstbad::patch::{LineKind, Reach, hunk_dependencies};

use crate::cost::Cost;

/// The number of changes above which operations with quadratic cost are skipped.
const FEW: usize = 500;

pub(super) fn take(input: &[u8]) {
    let Ok(patch) = Patch::parse(input) else { return };
    assert_eq!(patch.as_bytes(), input);
    let files = touched(&patch);
    // Whether or not the patch applies, it must not panic or create files that it does not name.
    if let Ok(after) = patch.apply(&files) {
        let known =
            |name: &[u8]| patch.files().any(|file| file.old_path() == Some(name) || file.new_path() == Some(name));
        assert!(after.keys().all(|name| known(name)), "a file that the patch does not name");
    }
    let _ = patch.parents();
    if patch.len() <= FEW {
        let every_other: Vec<usize> = (0..patch.len()).step_by(2).collect();
        for changes in [Vec::new(), (0..patch.len()).collect(), every_other] {
            subset(&patch, &changes, &files);
        }
        let _ = patch.dependencies();
        let patches = [patch.clone(), patch];
        for reach in [Reach::Context, Reach::Touched] {
            let _ = hunk_dependencies(&patches, reach);
        }
    }
}

/// A subset of a patch is a valid patch, or an error.
fn subset(patch: &Patch, changes: &[usize], files: &BTreeMap<Vec<u8>, Vec<u8>>) {
    let Ok(standing) = patch.standing(changes) else { return };
    let Ok(part) = patch.subset(&standing) else { return };
    let again = Patch::parse(part.as_bytes()).expect("a part of a patch is a patch");
    assert_eq!(again.len(), part.len(), "{}", part);
    let _ = part.apply(files);
}

/// Returns files that the patch changes, with the old lines of its hunks in order.
fn touched(patch: &Patch) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let old = |file: firstbad::patch::FilePatch<'_>| {
        let lines = file.hunks().flat_map(|hunk| hunk.lines()).filter(|line| line.kind != LineKind::Added);
        lines.flat_map(|line| line.content.to_vec()).collect::<Vec<u8>>()
    };
    patch.files().filter_map(|file| Some((file.old_path()?.to_vec(), old(file)))).collect()
}

/// Patches with many equal changes, whose quadratic costs have a limit.
pub(super) fn repeated(input: &[u8]) {
    const LENGTH: usize = 256 << 10;
    if input.is_empty() {
        return;
    }
    let Ok(patch) = Patch::parse(&input.repeat((LENGTH / input.len()).max(1))) else { return };
    let cost = Cost::start();
    let _ = patch.dependencies();
    let all: Vec<usize> = (0..patch.len()).collect();
    assert_eq!(patch.standing(&all), Ok(all.clone()), "the whole stands");
    cost.check("a patch that repeats itself");
}
