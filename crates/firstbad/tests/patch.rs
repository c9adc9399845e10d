//! What patches promise, held against the real git.

#![allow(clippy::expect_used, reason = "a test may fail")]

use firstbad::Patch;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

#[path = "patch/random.rs"]
mod random;
#[path = "patch/sandbox.rs"]
mod sandbox;

use random::Random;
use sandbox::{Sandbox, contents};

fn numbered(cases: u32, seed: u64) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(seed), ..ProptestConfig::default() }
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

proptest! {
    #![proptest_config(numbered(std::env::var("CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(40), 5))]

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
}
