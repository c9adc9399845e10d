//! What patches promise, held against the real git.

#![allow(clippy::expect_used, reason = "a test may fail")]

use firstbad::patch::{Reach, hunk_dependencies};
use firstbad::{Error, Patch};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

#[path = "patch/errors.rs"]
mod errors;
#[path = "patch/formats.rs"]
mod formats;
#[path = "patch/random.rs"]
mod random;
#[path = "patch/sandbox.rs"]
mod sandbox;
#[path = "patch/series.rs"]
mod series;

use random::Random;
use sandbox::{Sandbox, contents};

fn numbered(cases: u32, seed: u64) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(seed), ..ProptestConfig::default() }
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// As many cases as the variable `CASES` says, for a long run.
fn cases(few: u32) -> u32 {
    std::env::var("CASES").ok().and_then(|number| number.parse().ok()).unwrap_or(few)
}

/// A few bytes or lines of a text lost, doubled, swapped or different.
fn damaged(random: &mut Random, text: &[u8]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    for _ in 0..1 + random.below(3) {
        if lines.is_empty() {
            break;
        }
        let (at, other) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(8) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[other].clone()),
            2 => lines.swap(at, other),
            3 => lines.truncate(at),
            4 => drop(lines[at].pop()),
            _ => {
                let line = &mut lines[at];
                let place = random.below(line.len() + 1);
                let byte = if random.chance(50) { *random.of(b" +-@\\\"\n\r0129,ab/\t") } else { random.next() as u8 };
                match random.below(3) {
                    0 if place < line.len() => line[place] = byte,
                    1 if place < line.len() => drop(line.remove(place)),
                    _ => line.insert(place, byte),
                }
            }
        }
    }
    lines.concat()
}

proptest! {
    #![proptest_config(numbered(cases(40), 5))]

    #[test]
    fn every_subset_is_accepted_by_git(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (old, new) = random::trees(&mut random);
        let options = random::options(&mut random);
        let sandbox = Sandbox::new();
        let text = sandbox.diff(&old, &new, &options);
        let patch = Patch::parse(&text).expect("git's own patch");
        prop_assert_eq!(shown(patch.as_bytes()), shown(&text));
        // What git itself refuses (a file below a link that goes away, say) promises nothing.
        let Ok(whole) = sandbox.apply(&old, &patch) else { return Ok(()) };
        prop_assert_eq!(&whole, &new);
        let all: Vec<usize> = (0..patch.len()).collect();
        prop_assert_eq!(&patch.subset(&all).expect("all"), &patch);
        for _ in 0..4 {
            let wanted = random::some(&mut random, patch.len());
            let subset = patch.subset(&wanted).expect("a subset");
            prop_assert_eq!(subset.origin(), &patch.standing(&wanted).expect("changes")[..]);
            let kinds = |patch: &Patch, of: &[usize]| of.iter().map(|&i| patch.change(i).expect("a change").kind).collect::<Vec<_>>();
            prop_assert_eq!(kinds(&subset, &(0..subset.len()).collect::<Vec<_>>()), kinds(&patch, subset.origin()));
            let by_git = sandbox.apply(&old, &subset);
            let in_memory = subset.apply(&contents(&old)).map(Some);
            let by_git_alone = by_git.as_ref().ok().map(contents);
            prop_assert!(Ok(&by_git_alone) == in_memory.as_ref(), "{in_memory:?}\n{by_git_alone:?}\n{options:?} {wanted:?}\n{}\nof\n{}", subset, patch);
            prop_assert!(by_git.is_ok(), "{:?}\n{options:?} {wanted:?}\n{}\nof\n{}", by_git, subset, patch);
        }
    }

    #[test]
    fn damaged_patches_are_refused_or_still_patches(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (old, new) = random::trees(&mut random);
        let options = random::options(&mut random);
        let text = Sandbox::new().diff(&old, &new, &options);
        for _ in 0..100 {
            let text = damaged(&mut random, &text);
            let patch = match Patch::parse(&text) {
                Ok(patch) => patch,
                Err(Error::PatchSyntax { line, .. }) => {
                    let lines = text.split_inclusive(|&byte| byte == b'\n').count();
                    prop_assert!(line >= 1 && line <= lines + 1, "line {line} of {lines}");
                    continue;
                }
                Err(other) => return Err(TestCaseError::fail(other.to_string())),
            };
            prop_assert_eq!(patch.as_bytes(), &text[..]);
            prop_assert_eq!(patch.changes().len(), patch.len());
            let files = contents(&old);
            let _ = patch.apply(&files);
            let some = random::some(&mut random, patch.len());
            let subset = patch.subset(&some);
            prop_assert!(subset.is_ok(), "{subset:?} {some:?}\n{patch}");
            let subset = subset.expect("a subset");
            prop_assert_eq!(subset.origin(), &patch.standing(&some).expect("changes")[..]);
            let _ = subset.apply(&files);
            let _ = hunk_dependencies(&[patch, subset], Reach::Context);
        }
    }

    #[test]
    fn hunks_with_what_they_need_apply_without_the_rest(seed in any::<u64>()) {
        series::closed_sets_apply(seed);
    }

    #[test]
    fn other_files_are_accepted_and_refused_as_by_git(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (old, new) = random::trees(&mut random);
        let sandbox = Sandbox::new();
        let patch = Patch::parse(&sandbox.diff(&old, &new, &random::options(&mut random))).expect("git's own patch");
        for _ in 0..4 {
            let (other, _) = random::nearby(&mut random, &old);
            let by_git = sandbox.apply(&other, &patch);
            let in_memory = patch.apply(&contents(&other));
            match (by_git, in_memory) {
                (Ok(by_git), Ok(in_memory)) => prop_assert_eq!(contents(&by_git), in_memory, "{}", patch),
                (Err(_), Err(Error::PatchConflict { .. })) => {}
                (by_git, in_memory) => prop_assert!(false, "{by_git:?}\n{in_memory:?}\n{other:?}\n{patch}"),
            }
        }
    }

    #[test]
    fn closed_sets_stand(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (old, new) = random::trees(&mut random);
        let patch = Patch::parse(&Sandbox::new().diff(&old, &new, &random::options(&mut random))).expect("git's own patch");
        let needs = patch.dependencies();
        let wanted = random::some(&mut random, patch.len());
        let standing = patch.standing(&wanted).expect("changes");
        // What stands is closed, and nothing that was left out could have stood with it.
        let mut kept: Vec<usize> = wanted.clone();
        kept.sort_unstable();
        while let Some(at) = kept.iter().position(|&change| needs[change].iter().any(|need| !kept.contains(need))) {
            kept.remove(at);
        }
        prop_assert_eq!(&standing, &kept);
        prop_assert_eq!(patch.standing(&standing), Ok(standing.clone()));
        // A subset needs what it needed, under its new numbers.
        let subset = patch.subset(&wanted).expect("a subset");
        let number = |old: &usize| standing.binary_search(old).expect("what is needed is there");
        let renumbered: Vec<Vec<usize>> = standing.iter().map(|&old| needs[old].iter().map(number).collect()).collect();
        prop_assert_eq!(subset.dependencies(), renumbered, "{}\nof\n{}", subset, patch);
    }
}
