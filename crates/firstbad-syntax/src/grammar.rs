//! Whether a text is one of its language at all.

use serde::de::IgnoredAny;

use crate::indentation::is_indented;
use crate::language::Language;
use crate::parsing::parse;
use crate::reading::LARGEST_TEXT;

/// What says whether a text is one of a language: a grammar, or the parser of JSON.
///
/// ```
/// use firstbad_syntax::Grammar;
///
/// let python = Grammar::named("python").unwrap();
/// assert!(python.accepts(b"x = f(1)\n"));
/// assert!(!python.accepts(b"x = f(1\n"));
/// assert_eq!(Grammar::of_file("a/b.json").map(|json| json.name()), Some("JSON"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grammar(Of);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    Json,
    Language(Language),
}

const LANGUAGES: [(&str, Language); 7] = [
    ("python", Language::Python),
    ("javascript", Language::JavaScript),
    ("typescript", Language::TypeScript),
    ("tsx", Language::Tsx),
    ("java", Language::Java),
    ("rust", Language::Rust),
    ("c", Language::C),
];

impl Grammar {
    /// The grammar of a language by its name in lower case; `None` if there is none here by that name: [`Grammar::names`].
    #[must_use]
    pub fn named(name: &str) -> Option<Grammar> {
        if name == "json" {
            return Some(Grammar(Of::Json));
        }
        let (_, language) = LANGUAGES.iter().find(|(known, language)| *known == name && language.is_there())?;
        Some(Grammar(Of::Language(*language)))
    }

    /// The names of those that are here.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        let there = LANGUAGES.iter().filter(|(_, language)| language.is_there()).map(|(name, _)| *name);
        there.chain(["json"]).collect()
    }

    /// The grammar for a file, by the end of its name; `None` if there is none here for it.
    #[must_use]
    pub fn of_file(path: &str) -> Option<Grammar> {
        if path.ends_with(".json") {
            return Some(Grammar(Of::Json));
        }
        Language::of(path).filter(|language| language.is_there()).map(|language| Grammar(Of::Language(language)))
    }

    /// The name of its language, for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Of::Json => "JSON",
            Of::Language(language) => language.name(),
        }
    }

    /// Whether all of a text parses. One that is larger than [`LARGEST_TEXT`] or takes the parser too long does not. Parsers
    /// may accept a little more than their language. O(length).
    #[must_use]
    pub fn accepts(self, text: &[u8]) -> bool {
        text.len() <= LARGEST_TEXT
            && match self.0 {
                Of::Json => serde_json::from_slice::<IgnoredAny>(text).is_ok(),
                Of::Language(language) => parse(text, language).is_ok_and(|tree| {
                    !tree.root_node().has_error() && (language != Language::Python || is_indented(&tree, text))
                }),
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_of_a_language_or_not() {
        for (name, good, bad) in [
            ("python", "def f():\n    pass\n", "def f(:\n    pass\n"),
            ("python", "", "else:\n    pass\n"),
            // Blocks.
            ("python", "def f(): return 1\n\nclass A: pass\n", "def f():\nx = 1\n"),
            ("python", "if a: x; y\nz; w\n", "if a:\n    # nothing\nx\n"),
            ("python", "if a:\n    x \\\n  + 2\n    y\n", "if a:\n    x\n        y\n"),
            ("python", "# a\n  # b\n'''\n  c'''\n", "x = 1\n    y = 2\n"),
            ("python", "if a:\n\tx\n        y\n", "    x = 1\n"),
            ("python", "try:\n  x\n # a\nexcept A:\n    y\n", "try:\nexcept A:\n    x\n"),
            ("python", "\u{feff}x = 1\n", "match x:\n    case 1:\n"),
            ("python", "match x:\n    case 1:\n        y\n    case 2: z\n", "with a:\n"),
            ("javascript", "const a = () => ({b: 1});\n", "const a = ;\n"),
            ("json", "[1, {\"a\": null}]", "[1,]"),
            ("json", "0", ""),
        ] {
            let grammar = Grammar::named(name).unwrap();
            assert_eq!((grammar.accepts(good.as_bytes()), grammar.accepts(bad.as_bytes())), (true, false), "{name}");
        }
    }

    #[test]
    fn only_what_is_here_has_a_name() {
        assert!(Grammar::names().into_iter().all(|name| Grammar::named(name).is_some()));
        assert_eq!((Grammar::named("perl"), Grammar::of_file("a.pl"), Grammar::of_file("json")), (None, None, None));
        assert_eq!(Grammar::named("java").is_some(), cfg!(feature = "java"));
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert!(Grammar::named("json").unwrap().accepts(deep.as_bytes()));
        assert!(!Grammar::named("javascript").unwrap().accepts(&deep.as_bytes()[1..]));
    }
}
