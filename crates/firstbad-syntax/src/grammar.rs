//! Syntax checks of whole texts.

use serde::de::IgnoredAny;

use crate::indentation::is_indented;
use crate::language::Language;
use crate::parsing::parse;
use crate::reading::LARGEST_TEXT;

/// A syntax check for one language: a tree-sitter grammar, or the JSON parser.
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
    /// Returns the grammar of a language by its lowercase name, or `None` if it is not in [`Grammar::names`].
    #[must_use]
    pub fn named(name: &str) -> Option<Grammar> {
        if name == "json" {
            return Some(Grammar(Of::Json));
        }
        let (_, language) = LANGUAGES.iter().find(|(known, language)| *known == name && language.is_there())?;
        Some(Grammar(Of::Language(*language)))
    }

    /// Returns the names of the built-in grammars.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        let there = LANGUAGES.iter().filter(|(_, language)| language.is_there()).map(|(name, _)| *name);
        there.chain(["json"]).collect()
    }

    /// Returns the grammar for a file by its extension, or `None` if there is none.
    #[must_use]
    pub fn of_file(path: &str) -> Option<Grammar> {
        if path.ends_with(".json") {
            return Some(Grammar(Of::Json));
        }
        Language::of(path).filter(|language| language.is_there()).map(|language| Grammar(Of::Language(language)))
    }

    /// Returns the display name of the language.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Of::Json => "JSON",
            Of::Language(language) => language.name(),
        }
    }

    /// Returns whether a text is free of syntax errors. Returns `false` if the text is larger than [`LARGEST_TEXT`] or takes too
    /// long to parse. Parsers may accept slightly more than their language. Takes O(length) time.
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
    fn accepts_only_valid_texts() {
        for (name, good, bad) in [
            ("python", "def f():\n    pass\n", "def f(:\n    pass\n"),
            ("python", "", "else:\n    pass\n"),
            // Blocks and their indentation.
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
    fn only_built_in_grammars_have_names() {
        assert!(Grammar::names().into_iter().all(|name| Grammar::named(name).is_some()));
        assert_eq!((Grammar::named("perl"), Grammar::of_file("a.pl"), Grammar::of_file("json")), (None, None, None));
        assert_eq!(Grammar::named("java").is_some(), cfg!(feature = "java"));
    }

    #[test]
    fn deeply_nested_texts_are_safe() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert!(Grammar::named("json").unwrap().accepts(deep.as_bytes()));
        assert!(!Grammar::named("javascript").unwrap().accepts(&deep.as_bytes()[1..]));
    }
}
