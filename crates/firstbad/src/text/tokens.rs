//! What a text is made of: words, numbers, quoted texts, comments, brackets and what is between them, line by line.
//!
//! No grammar is behind it: rules that hold for most programs, documents and configurations. Where they do not, a reduction
//! asks more, and is as right.

use std::ops::Range;

use super::style::Style;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    /// A quoted text, on one line.
    Quoted,
    Comment,
    Open,
    Close,
    Comma,
    Semicolon,
    Other,
    Blank,
    /// The part of a comment or of a quoted text that goes over several lines which is on one of these.
    Inside,
    End,
}

/// A token, by its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) kind: Kind,
}

impl Token {
    pub(super) fn bytes<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[self.start as usize..self.end as usize]
    }

    pub(super) fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether it is neither layout nor a comment.
    pub(super) fn is_code(&self) -> bool {
        !matches!(self.kind, Kind::Blank | Kind::Comment | Kind::Inside | Kind::End)
    }
}

/// The tokens of a text.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) all: Vec<Token>,
    /// Which of them each line has.
    pub(super) lines: Vec<Range<usize>>,
    /// The first and the last line of what goes over several lines: comments and quoted texts.
    pub(super) spans: Vec<(usize, usize)>,
}

impl Tokens {
    /// Whether lines end with a semicolon: where none does, a name may stand before its type.
    pub(super) fn end_statements(&self) -> bool {
        let ends = |line: usize| self.code(line).next_back().is_some_and(|last| self.all[last].kind == Kind::Semicolon);
        (0..self.lines.len()).any(ends)
    }

    /// The tokens of a line that are neither layout nor a comment.
    pub(super) fn code(&self, line: usize) -> impl DoubleEndedIterator<Item = usize> + '_ {
        self.lines[line].clone().filter(|&token| self.all[token].is_code())
    }

    /// The line that begins at this place of the text, or the first one behind it.
    pub(super) fn line_at(&self, place: usize) -> usize {
        self.lines.partition_point(|line| (self.all[line.start].start as usize) < place)
    }

    /// The line that a token is on.
    pub(super) fn line_of(&self, token: usize) -> usize {
        self.lines.partition_point(|line| line.end <= token)
    }
}

/// Takes a text apart. All tokens together are the text.
pub(super) fn tokens(text: &[u8], style: Style) -> Tokens {
    tokens_of_files(text, &[], style)
}

/// The same for several texts in one, which end at these places: nothing goes over from one to the next.
pub(super) fn tokens_of_files(text: &[u8], ends: &[usize], style: Style) -> Tokens {
    let mut lexer = Lexer { text, style, at: 0, tokens: Tokens::default(), line: 0 };
    for &end in ends.iter().chain([&text.len()]) {
        lexer.text = &text[..end];
        while lexer.at < end {
            lexer.step();
        }
        lexer.close_line();
    }
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a [u8],
    style: Style,
    at: usize,
    tokens: Tokens,
    /// The first token of this line.
    line: usize,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0c)
}

/// Where the line ends that begins here, and how long its end is; `None` if the text has none any more.
fn line_end(rest: &[u8]) -> Option<(usize, usize)> {
    let at = rest.iter().position(|&byte| byte == b'\n')?;
    Some(if rest[..at].ends_with(b"\r") { (at - 1, 2) } else { (at, 1) })
}

impl Lexer<'_> {
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        let first = rest[0];
        let run = |wanted: fn(u8) -> bool| rest.iter().position(|&byte| !wanted(byte)).unwrap_or(rest.len());
        match first {
            b'\n' => self.end_line(1),
            b'\r' if rest.starts_with(b"\r\n") => self.end_line(2),
            _ if is_blank(first) => {
                let blanks = run(is_blank);
                let is_before_end = rest[..blanks].ends_with(b"\r") && rest.get(blanks) == Some(&b'\n');
                self.push(blanks - usize::from(is_before_end), Kind::Blank);
            }
            b'0'..=b'9' => self.push(run(|byte| is_word(byte) || byte == b'.'), Kind::Number),
            _ if is_word(first) => self.push(run(is_word), Kind::Word),
            _ if self.style.comment_begins(rest) => {
                self.push(line_end(rest).map_or(rest.len(), |(at, _)| at), Kind::Comment);
            }
            b'/' if self.style == Style::Slashes && rest.starts_with(b"/*") => self.over_lines(2, b"*/", Kind::Comment),
            b'/' if self.style == Style::Slashes && self.is_before_value() => {
                self.push(expression(rest).unwrap_or(1), Kind::Other);
            }
            b'"' | b'\'' if self.style == Style::Hashes && rest.starts_with(&[first; 3]) => {
                self.over_lines(3, &[first; 3], Kind::Quoted);
            }
            b'`' if self.style == Style::Slashes => self.over_lines(1, b"`", Kind::Quoted),
            b'"' | b'\'' => match quoted(rest).filter(|_| first == b'"' || !self.is_after_long_word()) {
                Some(length) if rest[..length].contains(&b'\n') => self.over_lines(1, &[first], Kind::Quoted),
                Some(length) => self.push(length, Kind::Quoted),
                None => self.push(1, Kind::Other),
            },
            b'(' | b'[' | b'{' => self.push(1, Kind::Open),
            b')' | b']' | b'}' => self.push(1, Kind::Close),
            b',' => self.push(1, Kind::Comma),
            b';' => self.push(1, Kind::Semicolon),
            _ => self.push(1, Kind::Other),
        }
    }

    fn push(&mut self, length: usize, kind: Kind) {
        let (start, end) = (self.at as u32, (self.at + length) as u32);
        self.tokens.all.push(Token { start, end, kind });
        self.at += length;
    }

    /// Takes the end of a line, which has so many bytes.
    fn end_line(&mut self, length: usize) {
        self.push(length, Kind::End);
        self.close_line();
    }

    fn close_line(&mut self) {
        let end = self.tokens.all.len();
        if self.line < end {
            self.tokens.lines.push(self.line..end);
        }
        self.line = end;
    }

    /// Whether a value comes next, so that a slash is no division: it begins a regular expression, in which quotes are none.
    fn is_before_value(&self) -> bool {
        let before = self.tokens.all[self.line..].iter().rev().find(|token| token.is_code());
        before.is_some_and(|token| match token.kind {
            Kind::Open | Kind::Comma | Kind::Semicolon => true,
            Kind::Other => {
                matches!(token.bytes(self.text), [b'=' | b':' | b'!' | b'&' | b'|' | b'?' | b'+' | b'-' | b'%'])
            }
            Kind::Word => matches!(token.bytes(self.text), b"return" | b"typeof" | b"case"),
            _ => false,
        })
    }

    /// An apostrophe, as in "don't": prefixes of quoted texts are shorter.
    fn is_after_long_word(&self) -> bool {
        let before = self.tokens.all.last();
        before.is_some_and(|token| token.end as usize == self.at && token.kind == Kind::Word && token.len() > 2)
    }

    /// What begins with so many bytes and goes on to `end`, over lines if need be.
    fn over_lines(&mut self, opening: usize, end: &[u8], kind: Kind) {
        let mut place = self.at + opening;
        let found = loop {
            match self.text.get(place..) {
                None | Some([]) => break None,
                Some(rest) if rest.starts_with(end) => break Some(place + end.len()),
                Some([b'\\', ..]) if kind == Kind::Quoted => place += 2,
                Some(_) => place += 1,
            }
        };
        let Some(last) = found else { return self.push(1, Kind::Other) };
        if !self.text[self.at..last].contains(&b'\n') {
            return self.push(last - self.at, kind);
        }
        let first_line = self.tokens.lines.len();
        while self.at < last {
            let rest = &self.text[self.at..last];
            match line_end(rest) {
                Some((0, length)) => self.end_line(length),
                end => self.push(end.map_or(rest.len(), |(at, _)| at), Kind::Inside),
            }
        }
        self.tokens.spans.push((first_line, self.tokens.lines.len()));
    }
}

/// How long a regular expression is that begins here, between slashes; `None` if it does not end on this line.
fn expression(rest: &[u8]) -> Option<usize> {
    let (mut place, mut is_class) = (1, false);
    loop {
        match *rest.get(place)? {
            b'\n' => return None,
            b'\\' if rest.get(place + 1) == Some(&b'\n') => return None,
            b'\\' => place += 1,
            b'[' => is_class = true,
            b']' => is_class = false,
            b'/' if !is_class => return Some(place + 1),
            _ => {}
        }
        place += 1;
    }
}

/// How long a quoted text is that begins here and ends on this line, or on one that a backslash goes on with; `None` if it
/// does not.
fn quoted(rest: &[u8]) -> Option<usize> {
    let mut place = 1;
    loop {
        match *rest.get(place)? {
            b'\n' => return None,
            b'\\' => place += 2,
            byte if byte == rest[0] => return Some(place + 1),
            _ => place += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str, style: Style) -> Vec<(Kind, &str)> {
        let found = tokens(text.as_bytes(), style);
        let code = found.all.iter().filter(|token| !matches!(token.kind, Kind::Blank | Kind::End));
        code.map(|token| (token.kind, &text[token.start as usize..token.end as usize])).collect()
    }

    #[test]
    fn what_is_quoted_ends_where_it_does() {
        use Kind::{Comment, Number, Other, Quoted, Word};
        assert_eq!(
            kinds(r#"a = "b\"c" 'd' 1.5e3 // it's"#, Style::Slashes),
            [
                (Word, "a"),
                (Other, "="),
                (Quoted, r#""b\"c""#),
                (Quoted, "'d'"),
                (Number, "1.5e3"),
                (Comment, "// it's")
            ]
        );
        assert_eq!(kinds("don't stop, it's \"", Style::Plain).len(), 9);
        assert_eq!(kinds("x # y", Style::Hashes), [(Word, "x"), (Comment, "# y")]);
    }

    #[test]
    fn quotes_and_brackets_in_regular_expressions_are_none() {
        use Kind::{Close, Open, Other, Quoted, Word};
        let of = |text| kinds(text, Style::Slashes);
        assert_eq!(
            of(r#"a=/[/'"\]({]\//g;"#)[..5],
            [(Word, "a"), (Other, "="), (Other, r#"/[/'"\]({]\//"#), (Word, "g"), (Kind::Semicolon, ";")]
        );
        assert_eq!(of("f(/'/)")[1..], [(Open, "("), (Other, "/'/"), (Close, ")")]);
        assert_eq!(of("a/b/'c'")[4], (Quoted, "'c'"), "it divides");
        assert_eq!(of("=/'c'")[1..], [(Other, "/"), (Quoted, "'c'")], "it does not end");
    }

    #[test]
    fn a_line_ends_as_it_is_written() {
        for end in ["\n", "\r\n"] {
            let text = ["a /* b", "c */ \t// d", "", "\re", "\"f"].join(end);
            let found = tokens(text.as_bytes(), Style::Slashes);
            let of = |kind| move |token: &&Token| token.kind == kind;
            let ends: Vec<&[u8]> =
                found.all.iter().filter(of(Kind::End)).map(|token| token.bytes(text.as_bytes())).collect();
            assert_eq!(ends, [end.as_bytes(); 4], "{end:?}");
            assert_eq!(kinds(&text, Style::Slashes)[3], (Kind::Comment, "// d"));
            assert_eq!(found.lines.len(), 5);
            assert_eq!(found.all.iter().map(Token::len).sum::<usize>(), text.len());
        }
    }

    #[test]
    fn a_backslash_goes_on_with_what_is_quoted_and_lines_stay_lines() {
        for (style, text) in [
            (Style::Slashes, "f(\"a (\\\n  b\",\n  c)\n"),
            (Style::Hashes, "f('a (\\\n  b',\n  c)\n"),
            (Style::Slashes, "f(/a\\\n/,\n  c)\n"),
        ] {
            assert_eq!(tokens(text.as_bytes(), style).lines.len(), 3, "{text}");
        }
        let found = tokens(b"f(\"a (\\\n  b\",\n  c)\n", Style::Slashes);
        assert_eq!(found.spans, [(0, 1)]);
        assert_eq!(found.all.iter().filter(|token| token.kind == Kind::Open).count(), 1);
    }

    #[test]
    fn what_goes_over_lines_is_known_by_its_lines() {
        let found = tokens(b"f()\n\"\"\"one\n  (two\n\"\"\"; x\nlast", Style::Hashes);
        assert_eq!((found.lines.len(), &found.spans[..]), (5, &[(1, 3)][..]));
        assert!(found.code(2).next().is_none() && found.code(3).count() == 2);
        let open = tokens(b"/* never\nended", Style::Slashes);
        assert!(open.spans.is_empty());
    }
}
