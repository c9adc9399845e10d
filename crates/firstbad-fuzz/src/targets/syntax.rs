//! Source texts, and versions of them.

use firstbad_syntax::{Kind, Outline, Target, flows, outline};

/// Two versions of a text, as the first line that is `==` parts them, in each language.
pub(super) fn outlines(input: &[u8]) {
    let middle = input.windows(4).position(|line| line == b"\n==\n");
    let (before, after) = middle.map_or((input, input), |at| (&input[..at], &input[at + 4..]));
    for path in ["a.py", "a.js", "a.ts", "a.tsx"] {
        let [Ok(one), Ok(other)] = [before, after].map(|text| outline(path, text)) else { continue };
        check(&one);
        check(&other);
        let again = outline(path, before).expect("it was read before");
        assert_eq!(again.definitions, one.definitions);
        for (index, own) in one.definitions.iter().enumerate() {
            let Some(place) = other.definition(&own.name) else { continue };
            for target in
                [Target::Result, Target::Attribute("x"), Target::Argument { call: "f", name: "x", place: Some(0) }]
            {
                flows(Some((&one, index)), Some((&other, place)), target);
                flows(None, Some((&other, place)), target);
            }
        }
    }
}

fn check(found: &Outline) {
    assert_eq!(found.definitions[0].kind, Kind::Module);
    for (index, own) in found.definitions.iter().enumerate() {
        assert!(own.parent < index.max(1) && own.lines.iter().all(|(first, last)| 1 <= *first && first <= last));
        assert_eq!(found.definition(&own.name), Some(index), "each name once");
    }
    let lines: Vec<u32> = (0..100).collect();
    assert!(found.running(&lines).iter().all(|&own| own < found.definitions.len()));
    assert!(lines.iter().all(|&line| found.owner(line) < found.definitions.len()));
}
