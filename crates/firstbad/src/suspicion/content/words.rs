use std::collections::BTreeMap;

/// The maximum length of a text in bytes. Subjects are much shorter.
const LONGEST: usize = 1 << 14;

/// Words that carry no information about a test.
const STOP: &[&str] = &[
    "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "has", "if", "in", "init", "is",
    "it", "lib", "main", "not", "of", "on", "or", "should", "spec", "src", "test", "that", "the", "this", "to", "when",
    "with", "unit", "case", "py", "js", "ts",
];

/// Words by their stem, with their first form in the text.
pub(super) type Words = BTreeMap<String, String>;

/// Returns the words of a text in lower case. Splits camel case and underscores.
pub(super) fn words(text: &str) -> Words {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut words = Words::new();
    let mut word = String::new();
    let characters: Vec<char> = text[..end].chars().collect();
    for (place, &character) in characters.iter().enumerate() {
        let before = place.checked_sub(1).map(|before| characters[before]);
        let after = characters.get(place + 1);
        // `parseHTTPHeader` consists of parse, HTTP, and Header.
        let begins = character.is_uppercase()
            && (before.is_some_and(char::is_lowercase)
                || (before.is_some_and(char::is_uppercase) && after.is_some_and(|after| after.is_lowercase())));
        if begins || !character.is_alphabetic() {
            keep(&mut words, &mut word);
        }
        if character.is_alphabetic() {
            word.extend(character.to_lowercase());
        }
    }
    keep(&mut words, &mut word);
    words
}

fn keep(words: &mut Words, word: &mut String) {
    let word = std::mem::take(word);
    let stem = stem(&word);
    if stem.chars().count() >= 2 && !STOP.contains(&word.as_str()) && !STOP.contains(&stem) {
        let stem = stem.to_owned();
        words.entry(stem).or_insert(word);
    }
}

/// Removes a plural ending, -ing, or -ed, and then a final e, if enough of the word remains. `parse`, `parses`, `parsed`, and
/// `parsing` have the same stem.
fn stem(word: &str) -> &str {
    let without = |word: &'_ str, ending: &str, least: usize| {
        let stem = word.strip_suffix(ending)?;
        (stem.chars().count() >= least).then_some(stem.len())
    };
    let mut end = word.len();
    for (ending, least) in [("ing", 3), ("ed", 3), ("s", 2)] {
        if let Some(shorter) = without(word, ending, least)
            && !(ending == "s" && word[..shorter].ends_with(['s', 'u', 'i']))
        {
            end = shorter;
            break;
        }
    }
    without(&word[..end], "e", 3).map_or(&word[..end], |end| &word[..end])
}

/// The name of a failing test, such as `tests/test_cart.py::TestCart::test_total[3]` or any words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TestName {
    /// The stem of the file in lower case, without a mark of tests. Empty if the name contains no file.
    pub(super) stem: String,
    /// The words of the stem.
    pub(super) of_file: Words,
    /// The words of the stem and of the rest of the name.
    pub(super) all: Words,
}

impl TestName {
    pub(super) fn of(text: &str) -> TestName {
        let mut name = TestName::default();
        let without = without_parameters(text);
        for part in without.split([' ', '\t', '\n', '"', '\'', '>']).flat_map(|part| part.split("::")) {
            if name.stem.is_empty()
                && let Some(stem) = file_stem(part)
            {
                name.of_file = words(stem);
                name.all.extend(name.of_file.clone());
                name.stem = stem.to_lowercase();
            } else {
                words(part).into_iter().for_each(|(stem, word)| _ = name.all.entry(stem).or_insert(word));
            }
        }
        name
    }
}

/// Removes parts in square brackets.
fn without_parameters(text: &str) -> String {
    let mut depth = 0usize;
    text.chars()
        .take(LONGEST)
        .filter(|character| {
            match character {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && *character != ']'
        })
        .collect()
}

/// Returns the stem of a part that looks like a file: it has a folder or an extension of a few letters.
fn file_stem(part: &str) -> Option<&str> {
    let name = part.rsplit('/').next()?;
    let is_ending = |ending: &str| {
        (1..=4).contains(&ending.len()) && ending.chars().all(|character| character.is_ascii_alphanumeric())
    };
    match name.rsplit_once('.') {
        Some((stem, ending)) if is_ending(ending) && !stem.is_empty() => Some(bare(stem)),
        _ if part.contains('/') && !name.is_empty() => Some(bare(name)),
        _ => None,
    }
}

/// Removes the mark of a test from a stem: `test_cart`, `cart_test`, `cart.spec`, `CartTest`, `t1234-cart`.
pub(super) fn bare(stem: &str) -> &str {
    let mut bare = stem.trim_start_matches('_');
    if let Some((number, rest)) = bare.split_once('-')
        && number.len() > 1
        && number.starts_with('t')
        && number[1..].bytes().all(|byte| byte.is_ascii_digit())
    {
        bare = rest;
    }
    for start in ["test_", "test-", "tests_"] {
        bare = bare.strip_prefix(start).unwrap_or(bare);
    }
    for end in ["_test", "-test", ".test", ".spec", "_spec", "_tests", ".tests", "Tests", "Test", "Spec"] {
        if let Some(rest) = bare.strip_suffix(end).filter(|rest| !rest.is_empty()) {
            return rest;
        }
    }
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        words(text).into_keys().collect()
    }

    #[test]
    fn names_are_split_into_words() {
        assert_eq!(all("parseHTTPHeader_twoTimes"), ["header", "http", "pars", "tim", "two"]);
        assert_eq!(all("Fixes rounding of the prices (#12)"), ["fix", "pric", "round"]);
        assert_eq!(all("class status parsed parses parsing a"), ["class", "pars", "status"]);
    }

    #[test]
    fn a_test_name_has_a_file_and_words() {
        let name = TestName::of("tests/test_cart.py::TestCart::test_total_rounds[3-x]");
        assert_eq!(name.stem, "cart");
        assert_eq!(name.all.into_values().collect::<Vec<_>>(), ["cart", "rounds", "total"]);
        assert_eq!(TestName::of("a/cart.spec.ts rounds totals").stem, "cart");
        assert_eq!(TestName::of("src/CartTest.java").stem, "cart");
        assert_eq!(TestName::of("t/t1234-log-graph.sh").stem, "log-graph");
        let words = TestName::of("the total is rounded");
        assert_eq!((words.stem.as_str(), words.of_file.len(), words.all.len()), ("", 0, 2));
    }

    #[test]
    fn names_without_an_end_are_cut() {
        assert!(words(&"a_".repeat(1 << 20)).is_empty());
        assert!(TestName::of(&"[".repeat(1 << 20)).all.is_empty());
        assert!(words(&"ß".repeat(1 << 20)).len() == 1);
    }
}
