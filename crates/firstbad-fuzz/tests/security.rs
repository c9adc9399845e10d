//! Every claim in `SECURITY.md` names a test that exists.

use std::path::Path;

/// A line of the threat model, with the tests that it names and their files.
struct Line<'a> {
    words: &'a str,
    tests: Vec<(&'a str, &'a str)>,
}

fn lines(page: &str) -> Vec<Line<'_>> {
    let model = page.split("## What is trusted").nth(1).expect("the threat model");
    let begins = |line: &str| line.split_once(". **").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    let mut starts: Vec<usize> = Vec::new();
    let mut place = 0;
    for line in model.split_inclusive('\n') {
        starts.extend(begins(line).then_some(place));
        place += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([model.len()]);
    starts.iter().zip(ends).map(|(&start, end)| read(&model[start..end])).collect()
}

fn read(words: &str) -> Line<'_> {
    let linked = words.split("[`").skip(1);
    let tests = linked.filter_map(|rest| {
        let (name, rest) = rest.split_once("`](")?;
        Some((name, rest.split_once(')')?.0))
    });
    Line { words, tests: tests.collect() }
}

#[test]
fn every_claim_of_the_threat_model_names_existing_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("SECURITY.md")).unwrap();
    let lines = lines(&page);
    assert!(lines.len() >= 10, "{} lines", lines.len());
    for Line { words, tests } in lines {
        assert!(!tests.is_empty(), "no test: {words}");
        for (name, file) in tests {
            let text = std::fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            let place = text.find(&format!("fn {name}(")).or_else(|| text.find(&format!("    {name} \"")));
            // The test can be in a macro. An ignored test does not count.
            let before = &text[..place.unwrap_or_else(|| panic!("{file} has no test {name}"))];
            let attributes = &before[before.rfind("\n\n").unwrap_or(0)..];
            assert!(text.contains("#[test]") && !attributes.contains("#[ignore"), "{name} in {file} is not run");
        }
    }
}
