//! Finds names that occur as types.
//!
//! In languages like C, a name for a type from a header, such as `int16_t`, can be removed with the header only if `int`
//! replaces it.

use std::collections::HashMap;

use super::parts::is_reserved;
use super::pieces::Pieces;
use super::tokens::Kind;

/// The replacement of a type.
pub(super) const SHORT_TYPE: &[u8] = b"int";

/// Words that can precede the type in a declaration.
const QUALIFIERS: [&[u8]; 11] = [
    b"const",
    b"static",
    b"extern",
    b"register",
    b"volatile",
    b"inline",
    b"typedef",
    b"final",
    b"public",
    b"private",
    b"protected",
];

/// Names on these lines that occur only as types, and declare something at least once.
#[derive(Debug, Default)]
pub(super) struct Types<'a> {
    /// Whether each name declares something, or `None` if the name is not a type.
    seen: HashMap<&'a [u8], Option<bool>>,
}

impl<'a> Types<'a> {
    /// Reads the rest of a line.
    pub(super) fn read(&mut self, text: &'a Pieces, code: &[usize]) {
        let word = |place: usize| text.tokens.all[place].bytes(&text.text);
        let words: Vec<&[u8]> = code.iter().map(|&place| word(place)).collect();
        for (at, _) in code.iter().enumerate().filter(|&(_, &place)| text.tokens.all[place].kind == Kind::Word) {
            let declares = declares(&words, at);
            let seen = self.seen.entry(words[at]).or_insert(Some(false));
            *seen = seen.zip(declares).map(|(one, other)| one || other);
        }
    }

    pub(super) fn has(&self, name: &[u8]) -> bool {
        self.seen.get(name) == Some(&Some(true))
    }
}

/// Returns whether the word at a position declares something, or `None` if it is not in the position of a type.
fn declares(words: &[&[u8]], at: usize) -> Option<bool> {
    let before = at.checked_sub(1).map(|before| words[before]);
    let begins = before.is_none_or(|word| matches!(word, b";" | b"{" | b"}") || QUALIFIERS.contains(&word));
    if !begins && !matches!(before, Some(b"(" | b",")) {
        return None;
    }
    let stars = words[at + 1..].iter().take_while(|&&word| word == b"*").count();
    let mut behind = words[at + 1 + stars..].iter();
    let (next, after) = (behind.next()?, behind.next());
    let is_name = next.first().is_some_and(|&first| first.is_ascii_alphabetic() || first == b'_') && !is_reserved(next);
    match after {
        // In an argument, a star can be a multiplication.
        Some(&(b";" | b"=" | b"," | b"(" | b")" | b"[")) if is_name => Some(begins || stars == 0),
        // A cast, or a single parameter without a name.
        _ => (*next == b")" && before == Some(b"(")).then_some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names of a line in the position of a type, and whether each declares something.
    fn declared(line: &str) -> Vec<(&str, bool)> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let bytes: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
        let names = (0..words.len()).filter(|&at| !is_reserved(bytes[at]));
        names.filter_map(|at| Some((words[at], declares(&bytes, at)?))).collect()
    }

    #[test]
    fn a_type_precedes_a_declared_name() {
        assert_eq!(declared("static word_t a ;"), [("word_t", true)]);
        assert_eq!(declared("void f ( word_t * a , word_t b ) {"), [("word_t", false), ("word_t", true)]);
        assert_eq!(declared("word_t * a = ( word_t ) b ;"), [("word_t", true), ("word_t", false)]);
        assert_eq!(declared("{ word_t a [ 2 ] ; } word_t f ( ) ;"), [("word_t", true), ("word_t", true)]);
    }

    #[test]
    fn words_in_other_positions_are_not_types() {
        for line in [
            "struct word_t a ;",
            "import word_t from \"\" ;",
            "for ( const name of [ 1 ] ) {",
            "import { word_t as a } from",
            "a = word_t * b ;",
            "word_t . a ;",
            "body div {",
            "typedef int word_t ;",
        ] {
            assert_eq!(declared(line), [], "{line}");
        }
    }
}
