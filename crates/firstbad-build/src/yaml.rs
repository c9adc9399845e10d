//! Reading one list from a YAML file. Uses the events of the parser, because a tree could be arbitrarily deep.

use saphyr_parser::{Event, Parser, ScalarStyle};

/// The maximum depth of nested lists and mappings. Files written by people stay far below.
const DEEPEST: usize = 100;

/// Returns the strings in the list under the top-level `key` of the first document. Returns no strings if the list is missing,
/// and `None` if it contains other values.
///
/// # Errors
/// The message of the parser, or a message about the depth.
pub(crate) fn texts(text: &str, key: &str) -> Result<Option<Vec<String>>, String> {
    let mut found: Option<Vec<String>> = Some(Vec::new());
    let (mut depth, mut inside) = (0, false);
    let mut is_mapping = false;
    // In a top-level mapping, keys and values alternate.
    let (mut at_key, mut wanted) = (true, false);
    for event in Parser::new_from_str(text) {
        let (event, place) = event.map_err(|error| error.to_string())?;
        match event {
            Event::DocumentEnd => break,
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if depth == 0 {
                    is_mapping = matches!(event, Event::MappingStart(..));
                } else if depth == 1 && at_key {
                    wanted = false;
                }
                let opens = depth == 1 && is_mapping && wanted && !at_key && matches!(event, Event::SequenceStart(..));
                if inside {
                    found = None;
                }
                inside |= opens;
                depth += 1;
                if depth > DEEPEST {
                    let line = place.start.line();
                    return Err(format!("line {line}: lists and mappings are nested more than {DEEPEST} levels"));
                }
            }
            Event::SequenceEnd | Event::MappingEnd => {
                depth -= 1;
                inside &= depth > 1;
                if depth == 1 {
                    at_key = !at_key;
                }
            }
            Event::Scalar(value, style, ..) if inside && depth == 2 => {
                let is_text = style != ScalarStyle::Plain || is_text(&value);
                found = found.filter(|_| is_text);
                found.iter_mut().for_each(|found| found.push(value.to_string()));
            }
            Event::Scalar(value, ..) if depth == 1 => {
                wanted = if at_key { value == key } else { wanted };
                at_key = !at_key;
            }
            Event::Alias(_) if inside => found = None,
            Event::Alias(_) if depth == 1 => at_key = !at_key,
            _ => {}
        }
    }
    Ok(found)
}

/// Returns whether an unquoted value is a string, not a number, boolean, or null.
fn is_text(value: &str) -> bool {
    !matches!(value, "" | "~" | "null" | "true" | "false") && value.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_reads_the_list_under_a_key() {
        let list = |text: &str| texts(text, "packages").map(|found| found.map(|found| found.join(" ")));
        assert_eq!(list("packages:\n  - a/*\n  - '!b'\nother: [c]\n"), Ok(Some("a/* !b".to_owned())));
        assert_eq!(
            list("other:\n  packages: [x]\nlist: [packages, x]\npackages: [\"a\", b]\n"),
            Ok(Some("a b".to_owned()))
        );
        assert_eq!(list("packages: x\n? [packages]\n: [x]\nx: packages\npackages: [a]\n"), Ok(Some("a".to_owned())));
        assert_eq!(list("packages: [a]\n---\npackages: [b]\n"), Ok(Some("a".to_owned())));
        for nothing in ["", "x: 1\n", "packages: text\n", "packages:\n", "- packages\n- [x]\n"] {
            assert_eq!(list(nothing), Ok(Some(String::new())), "{nothing}");
        }
        for odd in [
            "packages: [a, [b]]\n",
            "packages: [{a: b}]\n",
            "packages: [~]\n",
            "packages: [1]\n",
            "x: &x a\npackages: [*x]\n",
        ] {
            assert_eq!(list(odd), Ok(None), "{odd}");
        }
        assert!(list("packages: [a\n").is_err());
    }

    #[test]
    fn a_deeply_nested_file_is_rejected() {
        for deep in ["- ".repeat(100_000), "[".repeat(100_000), "{a: ".repeat(100_000), "? ".repeat(100_000)] {
            let refused = texts(&deep, "packages").unwrap_err();
            assert!(refused.contains("more than 100 levels") || refused.contains("limit"), "{refused}");
        }
    }
}
