//! What lines consist of that may go, or become shorter, by itself.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use super::tokens::{Kind, Token, Tokens};

/// How deep elements within elements are told apart; what lies deeper goes with what is around it.
const DEEPEST: usize = 8;
/// Lines of so many bytes at least were put into one by a program: statements within them are told apart, too.
const LONG_LINE: usize = 500;
/// Words that go on with what a curly bracket has closed.
const GOES_ON: [&[u8]; 8] = [b"else", b"catch", b"finally", b"while", b"in", b"of", b"instanceof", b"as"];
/// The shortest name that is worth a shorter one.
const LONG_NAME: usize = 3;

/// An element of a list: what stands between two commas in brackets, all on one line. Or a value with the sign that assigns it, or
/// on a long line a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Element {
    /// The first token, and the one behind the last; the comma behind it is one of them.
    pub(super) start: usize,
    pub(super) end: usize,
    /// How many elements are around it.
    pub(super) depth: usize,
    /// The innermost of these, by its place in the list.
    pub(super) parent: Option<usize>,
}

/// What is between brackets, or on the line itself where it is within some.
struct List {
    /// The first token of the element that is being read, and whether a bracket that goes on to another line is in it.
    start: usize,
    is_torn: bool,
    /// Whether semicolons end its elements, too.
    has_semicolons: bool,
    elements: Vec<(usize, usize)>,
    /// Where a value is assigned in the element that is being read, and all of these values.
    assigns: Option<usize>,
    values: Vec<(usize, usize)>,
}

impl List {
    fn new(start: usize, has_semicolons: bool) -> Self {
        List { start, is_torn: false, has_semicolons, elements: Vec::new(), assigns: None, values: Vec::new() }
    }

    /// `mark`: how many tokens long what ends it is.
    fn end_element(&mut self, end: usize, mark: usize) {
        if !self.is_torn {
            self.elements.push((self.start, end + mark));
            self.values.extend(self.assigns.map(|from| (from, end)));
        }
        (self.start, self.is_torn, self.assigns) = (end + mark, false, None);
    }
}

/// The elements on a line, by where they begin, outer ones first. `is_within` where the line is within brackets of others. With
/// `fine` also values with the signs that assign them, and what stands between semicolons in any brackets.
pub(super) fn elements(
    text: &[u8],
    tokens: &Tokens,
    pairs: &[Option<usize>],
    line: usize,
    is_within: bool,
    fine: bool,
) -> Vec<Element> {
    let range = tokens.lines[line].clone();
    let is_long = tokens.all[range.clone()].iter().map(Token::len).sum::<usize>() >= LONG_LINE;
    let mut around: Vec<List> = Vec::new();
    let mut list = List::new(range.start, fine || is_long);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for place in range.clone() {
        let Token { kind, start, .. } = tokens.all[place];
        match (kind, pairs[place]) {
            (Kind::Open, Some(closer)) => {
                list.is_torn |= closer >= range.end;
                let inner = List::new(place + 1, fine || text[start as usize] == b'{');
                around.push(std::mem::replace(&mut list, inner));
            }
            (Kind::Close, Some(opener)) if opener >= range.start => {
                list.end_element(place, 0);
                found.append(&mut list.elements);
                found.append(&mut list.values);
                if let Some(outer) = around.pop() {
                    list = outer;
                }
                if is_long && list.has_semicolons && ends_statement(text, tokens, place, range.end) {
                    list.end_element(place + 1, 0);
                }
            }
            (Kind::Close, Some(_)) => list.is_torn = true,
            (Kind::Comma, _) => list.end_element(place, 1),
            (Kind::Semicolon, _) if list.has_semicolons => list.end_element(place, 1),
            (Kind::Other, _) if fine && list.assigns.is_none() && is_assignment(text, tokens, place) => {
                list.assigns = Some(place);
            }
            _ => {}
        }
    }
    // What is not closed here goes on in later lines.
    loop {
        let is_line = around.is_empty();
        // Alone it is the line.
        let is_list = !is_line || ((is_within || is_long) && !list.elements.is_empty());
        list.end_element(range.end, 0);
        if is_list {
            found.append(&mut list.elements);
        }
        found.append(&mut list.values);
        match around.pop() {
            Some(outer) => list = outer,
            None => return nested(tokens, found),
        }
    }
}

/// Whether a curly bracket ends a statement: another one begins behind it with a word.
fn ends_statement(text: &[u8], tokens: &Tokens, closer: usize, end: usize) -> bool {
    let next = (closer + 1..end).find(|&next| tokens.all[next].is_code());
    let begins = |next: usize| tokens.all[next].kind == Kind::Word && !GOES_ON.contains(&tokens.all[next].bytes(text));
    tokens.all[closer].bytes(text) == b"}" && next.is_some_and(begins)
}

/// Whether a sign assigns: an equals sign that is no part of a longer sign.
fn is_assignment(text: &[u8], tokens: &Tokens, place: usize) -> bool {
    let is_sign = |place: usize| tokens.all.get(place).is_some_and(|token| token.kind == Kind::Other);
    tokens.all[place].bytes(text) == b"=" && !is_sign(place + 1) && !place.checked_sub(1).is_some_and(is_sign)
}

/// Those that have something in them, without layout around them, each with what is around it.
fn nested(tokens: &Tokens, found: Vec<(usize, usize)>) -> Vec<Element> {
    let is_layout =
        |token: usize| matches!(tokens.all[token].kind, Kind::Blank | Kind::End | Kind::Comment | Kind::Inside);
    let mut trimmed: Vec<(usize, usize)> = Vec::new();
    for (mut start, mut end) in found {
        while start < end && is_layout(start) {
            start += 1;
        }
        while start < end && is_layout(end - 1) {
            end -= 1;
        }
        let has_content = (start..end).any(|token| {
            tokens.all[token].is_code() && !matches!(tokens.all[token].kind, Kind::Comma | Kind::Semicolon)
        });
        if has_content {
            // What keeps it apart from the next one goes with it.
            let is_mark = matches!(tokens.all[end - 1].kind, Kind::Comma | Kind::Semicolon);
            let is_gap = is_mark && tokens.all.get(end).is_some_and(|next| next.kind == Kind::Blank);
            trimmed.push((start, end + usize::from(is_gap)));
        }
    }
    trimmed.sort_unstable_by_key(|&(start, end)| (start, std::cmp::Reverse(end)));
    trimmed.dedup();
    let mut made: Vec<Element> = Vec::new();
    let mut around: Vec<usize> = Vec::new();
    for (start, end) in trimmed {
        while around.last().is_some_and(|&outer| made[outer].end <= start) {
            around.pop();
        }
        let parent = around.last().copied();
        around.push(made.len());
        made.push(Element { start, end, depth: (around.len() - 1).min(DEEPEST - 1), parent });
    }
    made
}

/// What a quoted text or a number becomes: the shortest of its kind; `None` if it is that.
pub(super) fn short_value(text: &[u8], tokens: &Tokens, token: usize) -> Option<&'static [u8]> {
    let own = tokens.all[token];
    match own.kind {
        Kind::Number if own.len() > 1 => Some(b"0"),
        Kind::Quoted if own.len() > 3 => {
            // A key is a name.
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

/// Words that have a meaning of their own in one of the languages that are common.
const RESERVED: &str = "abstract and as assert async await bool boolean break byte case catch char class const continue \
    crate debugger def default defined del delete do double elif else elseif end enum except export extends extern \
    false False final finally float fn for foreach from func function global goto if impl implements import in \
    include inline instanceof int interface is lambda let long loop match mod move mut namespace native new nil None \
    nonlocal not null of operator or package pass pragma print private protected pub public raise ref register \
    restrict return self Self short signed sizeof static string struct super switch template then this throw throws \
    trait true True try type typedef typeof undef undefined union unless unsafe unsigned until use using var virtual \
    void volatile when where while with yield ifdef ifndef endif define once";

/// Whether a word has a meaning of its own.
pub(super) fn is_reserved(word: &[u8]) -> bool {
    static WORDS: LazyLock<HashSet<&[u8]>> =
        LazyLock::new(|| RESERVED.split_ascii_whitespace().map(str::as_bytes).collect());
    WORDS.contains(word)
}

/// The names in a text that may become shorter, by where they are first.
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

/// Short names that are none of the words in use: `a`, `b`, ..., `z`, `aa`, ...
pub(super) struct ShortNames<'a> {
    taken: HashSet<&'a [u8]>,
    next: usize,
}

impl<'a> ShortNames<'a> {
    /// Beside these words.
    pub(super) fn beside(taken: HashSet<&'a [u8]>) -> Self {
        ShortNames { taken, next: 0 }
    }

    /// The next one for this name; the name itself if there is none that is shorter.
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
    use super::super::brackets::pairs;
    use super::super::style::Style;
    use super::super::tokens::tokens;
    use super::*;

    fn found(text: &str, line: usize, is_within: bool) -> Vec<(&str, usize)> {
        found_with(text, line, is_within, false)
    }

    fn found_with(text: &str, line: usize, is_within: bool, fine: bool) -> Vec<(&str, usize)> {
        let tokens = tokens(text.as_bytes(), Style::Slashes);
        let pairs = pairs(text.as_bytes(), &tokens);
        let of = |element: &Element| {
            let (start, end) = (tokens.all[element.start].start, tokens.all[element.end - 1].end);
            (&text[start as usize..end as usize], element.depth)
        };
        elements(text.as_bytes(), &tokens, &pairs, line, is_within, fine).iter().map(of).collect()
    }

    #[test]
    fn elements_stand_between_commas_in_brackets() {
        assert_eq!(
            found("f(a, g(b,c), [d])", 0, false),
            [("a, ", 0), ("g(b,c), ", 0), ("b,", 1), ("c", 1), ("[d]", 0), ("d", 1)]
        );
        assert_eq!(found("a, b = c, d\n", 0, false), []);
        assert_eq!(found("x, (y\n z), w", 0, true), [("x, ", 0), ("y", 0)]);
        assert_eq!(found("if (x) { y; z; }", 0, false), [("x", 0), ("y; ", 0), ("z; ", 0)]);
    }

    #[test]
    fn values_go_with_the_sign_that_assigns_them() {
        let fine = |text| found_with(text, 0, false, true);
        assert_eq!(fine("int a = f(b), c = 0;"), [("= f(b)", 0), ("b", 1), ("= 0", 0)]);
        assert_eq!(fine("a == b; c <= d; e += f; g => h"), []);
        assert_eq!(fine("for (i = 0; i < n; )"), [("i = 0; ", 0), ("= 0", 1), ("i < n; ", 0)]);
        assert_eq!(found("int a = f(b), c = 0;", 0, false), [("b", 0)]);
        assert_eq!(fine("a = [\n]"), [], "what goes on in other lines is no value");
    }

    #[test]
    fn brackets_of_other_lines_are_in_no_element() {
        assert_eq!(found("f(a,\n b)\n", 0, false), [("a,", 0)]);
        assert_eq!(found("f(a,\n b, g(), c);\n", 1, true), [("b, ", 0), ("g(), ", 0)]);
    }

    #[test]
    fn short_names_are_none_that_are_there() {
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
