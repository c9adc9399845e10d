//! Shorter replacements for values and names.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use super::tokens::{Kind, Tokens};

/// The shortest name that is worth replacing.
const LONG_NAME: usize = 3;

/// Returns the shortest string or number of the same kind, or `None` if the token is already that short.
pub(super) fn short_value(text: &[u8], tokens: &Tokens, token: usize) -> Option<&'static [u8]> {
    let own = tokens.all[token];
    match own.kind {
        Kind::Number if own.len() > 1 => Some(b"0"),
        // Exclude `<![CDATA[`.
        Kind::Quoted if own.len() > 3 && text[own.start as usize] != b'<' => {
            // A key counts as a name.
            let next = (token + 1..tokens.all.len()).find(|&next| tokens.all[next].kind != Kind::Blank);
            let is_key = next.is_some_and(|next| tokens.all[next].bytes(text) == b":");
            let mark = text[own.start as usize];
            (!is_key).then_some(match mark {
                b'"' => b"\"\"",
                b'`' => b"``",
                _ => b"''",
            })
        }
        _ => None,
    }
}

/// Reserved words of common languages.
const RESERVED: &str = "abstract and as assert async await bool boolean break byte case catch char class const continue \
    crate debugger def default defined del delete do double elif else elseif end enum except export extends extern \
    false False final finally float fn for foreach from func function global goto if impl implements import in \
    include inline instanceof int interface is lambda let long loop match mod move mut namespace native new nil None \
    nonlocal not null of operator or package pass pragma print private protected pub public raise ref register \
    restrict return self Self short signed sizeof static string struct super switch template then this throw throws \
    trait true True try type typedef typeof undef undefined union unless unsafe unsigned until use using var virtual \
    void volatile when where while with yield ifdef ifndef endif define once";

pub(super) fn is_reserved(word: &[u8]) -> bool {
    static WORDS: LazyLock<HashSet<&[u8]>> =
        LazyLock::new(|| RESERVED.split_ascii_whitespace().map(str::as_bytes).collect());
    WORDS.contains(word)
}

/// Returns the names in a text that can be shortened, with the index of their first occurrence.
pub(super) fn names<'a>(text: &'a [u8], tokens: &Tokens) -> BTreeMap<&'a [u8], usize> {
    let mut made = BTreeMap::new();
    for (place, token) in tokens.all.iter().enumerate().filter(|(_, token)| token.kind == Kind::Word) {
        let word = token.bytes(text);
        if word.len() >= LONG_NAME && !is_reserved(word) {
            made.entry(word).or_insert(place);
        }
    }
    made
}

/// Generates short names that are not in use: `a`, `b`, ..., `z`, `aa`, ...
pub(super) struct ShortNames<'a> {
    taken: HashSet<&'a [u8]>,
    next: usize,
}

impl<'a> ShortNames<'a> {
    /// Creates a generator that avoids these words.
    pub(super) fn beside(taken: HashSet<&'a [u8]>) -> Self {
        ShortNames { taken, next: 0 }
    }

    /// Returns the next short name for a name, or the name itself if no shorter one is left.
    pub(super) fn for_name(&mut self, name: &[u8]) -> Vec<u8> {
        loop {
            let short = short_name(self.next);
            if short.len() >= name.len() {
                return name.to_vec();
            }
            self.next += 1;
            if !self.taken.contains(&short[..]) && !is_reserved(&short) {
                return short;
            }
        }
    }
}

fn short_name(mut number: usize) -> Vec<u8> {
    let mut name = Vec::new();
    loop {
        name.insert(0, b'a' + (number % 26) as u8);
        match (number / 26).checked_sub(1) {
            Some(rest) => number = rest,
            None => return name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::style::Style;
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn short_names_avoid_existing_names() {
        let text = b"alpha a beta return alpha";
        let tokens = tokens(text, Style::Plain);
        assert_eq!(names(text, &tokens), BTreeMap::from([(&b"alpha"[..], 0), (&b"beta"[..], 4)]));
        let mut short = ShortNames::beside(HashSet::from([&b"a"[..]]));
        assert_eq!([short.for_name(b"alpha"), short.for_name(b"beta")], [b"b".to_vec(), b"c".to_vec()]);
        short.next = 26;
        assert_eq!([short.for_name(b"xyz"), short.for_name(b"of")], [b"aa".to_vec(), b"of".to_vec()]);
        assert_eq!(
            [short_name(25), short_name(26), short_name(27), short_name(702)]
                .map(|name| String::from_utf8(name).unwrap()),
            ["z", "aa", "ab", "aaa"]
        );
    }
}
