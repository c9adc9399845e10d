//! Pairs brackets, tags, and words that end blocks.

use std::collections::HashMap;

use super::tokens::{Kind, Tokens};

/// Returns the partner of each token that is a bracket. The partner of a tag's first token is the first token of the tag
/// that closes it. Other tokens and unpaired brackets have `None`.
pub(super) fn pairs(text: &[u8], tokens: &Tokens) -> Vec<Option<usize>> {
    let mut reader =
        Reader { pairs: vec![None; tokens.all.len()], open: Vec::new(), of_kind: [0; 3], named: HashMap::new() };
    for (place, token) in tokens.all.iter().enumerate() {
        let bytes = token.bytes(text);
        match (token.kind, bytes) {
            (Kind::Open, b"<") => reader.open_tag(place, name(text, tokens, place)),
            (Kind::Open, _) => reader.open(place, kind_of(bytes)),
            (Kind::Close, b"</") => reader.close_tag(place, &name(text, tokens, place)),
            (Kind::Close, b"/>") => reader.close_itself(place),
            (Kind::Close, _) => reader.close(place, kind_of(bytes)),
            _ => {}
        }
    }
    reader.pairs
}

fn kind_of(bracket: &[u8]) -> usize {
    match bracket {
        b"(" | b")" => 0,
        b"[" | b"]" => 1,
        _ => 2,
    }
}

/// Returns the name of a tag in lower case, as in HTML.
fn name(text: &[u8], tokens: &Tokens, tag: usize) -> Vec<u8> {
    let parts = &tokens.all[tag + 1..tokens.name_end(tag)];
    parts.iter().flat_map(|token| token.bytes(text)).map(u8::to_ascii_lowercase).collect()
}

/// The open brackets. Brackets inside a closed pair are dropped.
struct Reader {
    pairs: Vec<Option<usize>>,
    open: Vec<Opened>,
    /// The numbers of open brackets by kind within the innermost open tag, and the number of open tags by name.
    of_kind: [usize; 3],
    named: HashMap<Vec<u8>, usize>,
}

enum Opened {
    Bracket {
        place: usize,
        kind: usize,
    },
    /// Contains the counts of open brackets outside, which nothing inside the tag can close.
    Tag {
        place: usize,
        name: Vec<u8>,
        before: [usize; 3],
    },
}

impl Reader {
    fn open(&mut self, place: usize, kind: usize) {
        self.open.push(Opened::Bracket { place, kind });
        self.of_kind[kind] += 1;
    }

    fn open_tag(&mut self, place: usize, name: Vec<u8>) {
        *self.named.entry(name.clone()).or_default() += 1;
        self.open.push(Opened::Tag { place, name, before: std::mem::take(&mut self.of_kind) });
    }

    fn close(&mut self, place: usize, kind: usize) {
        // A closing bracket without an opening one.
        if self.of_kind[kind] == 0 {
            return;
        }
        while let Some(Opened::Bracket { place: last, kind: of_last }) = self.open.pop() {
            self.of_kind[of_last] -= 1;
            if of_last == kind {
                return self.pair(last, place);
            }
        }
    }

    fn close_tag(&mut self, place: usize, name: &[u8]) {
        if self.named.get(name).is_none_or(|&count| count == 0) {
            return;
        }
        while let Some((last, of_last)) = self.last_tag() {
            if of_last == name {
                return self.pair(last, place);
            }
        }
    }

    /// Pairs a self-closing tag with itself.
    fn close_itself(&mut self, place: usize) {
        if let Some((last, _)) = self.last_tag() {
            self.pair(last, place);
        }
    }

    /// Removes everything up to and including the innermost open tag.
    fn last_tag(&mut self) -> Option<(usize, Vec<u8>)> {
        loop {
            if let Opened::Tag { place, name, before } = self.open.pop()? {
                self.of_kind = before;
                self.named.entry(name.clone()).and_modify(|count| *count -= 1);
                return Some((place, name));
            }
        }
    }

    fn pair(&mut self, one: usize, other: usize) {
        (self.pairs[one], self.pairs[other]) = (Some(other), Some(one));
    }
}

#[cfg(test)]
mod tests {
    use super::super::style::Style;
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn unpaired_brackets_do_not_affect_others() {
        let text = b"( ] [ ( ] )";
        let found = tokens(text, Style::Plain);
        let pairs = pairs(text, &found);
        let paired: Vec<(usize, usize)> =
            pairs.iter().enumerate().filter_map(|(one, other)| Some((one, (*other)?))).filter(|(a, b)| a < b).collect();
        assert_eq!(paired, [(0, 10), (4, 8)]);
    }

    #[test]
    fn tags_pair_by_name() {
        let text = b"<a b='>'><br>(<c/></B></a>)<x:y></x><X:Y></x:y>";
        let found = tokens(text, Style::Tags);
        let pairs = pairs(text, &found);
        let from = |place: usize| &text[found.all[place].start as usize..];
        let paired: Vec<(&[u8], &[u8])> = pairs
            .iter()
            .enumerate()
            .filter_map(|(one, other)| Some((one, (*other)?)))
            .filter(|(one, other)| one < other)
            .map(|(one, other)| (&from(one)[..2], &from(other)[..3]))
            .collect();
        let expected: [(&[u8], &[u8]); 3] = [(b"<a", b"</a"), (b"<c", b"/><"), (b"<X", b"</x")];
        assert_eq!(paired, expected);
    }
}
