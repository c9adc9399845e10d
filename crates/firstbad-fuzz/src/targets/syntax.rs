//! Source texts, and pairs of their versions.

use std::collections::HashSet;

use firstbad_syntax::{Kind, Outline, Target, flows, outline};

/// The maximum number of definitions to check in a text.
const MOST: usize = 16;

/// Outlines two versions of a text, separated by the first line `==`.
pub(super) fn outlines(input: &[u8]) {
    let middle = input.windows(4).position(|line| line == b"\n==\n");
    let (before, after) = middle.map_or((input, None), |at| (&input[..at], Some(&input[at + 4..])));
    for path in ["a.py", "a.tsx"] {
        let Ok(one) = outline(path, before) else { continue };
        let Ok(other) = after.map_or_else(|| Ok(one.clone()), |after| outline(path, after)) else { continue };
        check(&one);
        check(&other);
        for (index, own) in one.definitions.iter().enumerate().take(MOST) {
            let Some(place) = other.definition(&own.name) else { continue };
            let argument = Target::Argument { call: "f", name: "x", place: Some(0) };
            for target in [Target::Result, Target::Attribute("x"), argument] {
                let same = flows(Some((&one, index)), Some((&one, index)), target);
                assert_eq!(same, one.reaches(index, target), "nothing but another order");
                let _ = flows(Some((&one, index)), Some((&other, place)), target);
            }
        }
    }
}

fn check(found: &Outline) {
    assert_eq!(found.definitions[0].kind, Kind::Module);
    let mut names = HashSet::new();
    for (index, own) in found.definitions.iter().enumerate() {
        assert!(own.parent < index.max(1) && own.lines.iter().all(|(first, last)| 1 <= *first && first <= last));
        assert!(names.insert(&own.name), "each name once");
    }
    let lines: Vec<u32> = (0..16).collect();
    assert!(found.running(&lines).iter().all(|&own| own < found.definitions.len()));
    assert!(lines.iter().all(|&line| found.owner(line) < found.definitions.len()));
}
