//! Divides a text into tokens: words, numbers, strings, comments, brackets, and the rest, line by line.
//!
//! The rules work without a grammar for most programs, documents, and configuration files. If they are wrong, a reduction
//! takes more tests, but its result is still correct.

use std::ops::Range;

use super::style::Style;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Word,
    Number,
    /// A string on one line.
    Quoted,
    Comment,
    /// An opening bracket, or the `<` of an opening or self-closing tag.
    Open,
    /// A closing bracket, the `</` of a closing tag, or the `/>` of a self-closing tag.
    Close,
    /// The `>` of a tag.
    TagEnd,
    Comma,
    Semicolon,
    Other,
    Blank,
    /// One line's part of a comment or string across several lines.
    Inside,
    End,
}

/// The range of a token in bytes.
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

    /// Returns whether it ends the content of brackets or a tag.
    pub(super) fn closes(&self) -> bool {
        matches!(self.kind, Kind::Close | Kind::TagEnd)
    }

    /// Returns whether it is neither layout nor a comment.
    pub(super) fn is_code(&self) -> bool {
        !matches!(self.kind, Kind::Blank | Kind::Comment | Kind::Inside | Kind::End)
    }
}

#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) all: Vec<Token>,
    /// The tokens of each line.
    pub(super) lines: Vec<Range<usize>>,
    /// The first and last lines of comments and strings across several lines.
    pub(super) spans: Vec<(usize, usize)>,
    /// The first and last tokens of each tag: `<` or `</`, and `>` or `/>`.
    pub(super) tags: Vec<(usize, usize)>,
}

impl Tokens {
    /// Returns whether any line ends with a semicolon. Otherwise, a name can precede its type.
    pub(super) fn end_statements(&self) -> bool {
        let ends = |line: usize| self.code(line).next_back().is_some_and(|last| self.all[last].kind == Kind::Semicolon);
        (0..self.lines.len()).any(ends)
    }

    /// Returns the tokens of a line that are neither layout nor comments.
    pub(super) fn code(&self, line: usize) -> impl DoubleEndedIterator<Item = usize> + '_ {
        self.lines[line].clone().filter(|&token| self.all[token].is_code())
    }

    /// Returns the first line that starts at this offset or later.
    pub(super) fn line_at(&self, place: usize) -> usize {
        self.lines.partition_point(|line| (self.all[line.start].start as usize) < place)
    }

    /// Returns the tag that started on an earlier line and ends on this one.
    pub(super) fn tag_into(&self, line: usize) -> Option<(usize, usize)> {
        let tokens = &self.lines[line];
        let tag = self.tags.get(self.tags.partition_point(|&(_, end)| end < tokens.start));
        tag.copied().filter(|&(begins, end)| begins < tokens.start && end < tokens.end)
    }

    /// Returns the tag that ends with this token.
    pub(super) fn tag_to(&self, token: usize) -> Option<usize> {
        let place = self.tags.binary_search_by_key(&token, |&(_, end)| end).ok()?;
        Some(self.tags[place].0)
    }

    /// Returns the last token of a tag. Without an end, it returns the last token of its name.
    pub(super) fn tag_end(&self, tag: usize) -> usize {
        let found = self.tags.binary_search_by_key(&tag, |&(begins, _)| begins);
        found.map_or_else(|_| self.name_end(tag) - 1, |place| self.tags[place].1)
    }

    pub(super) fn is_tag(&self, text: &[u8], token: usize) -> bool {
        let Token { kind, start, .. } = self.all[token];
        matches!(kind, Kind::Open | Kind::Close) && text[start as usize] == b'<'
    }

    /// Returns whether the content of this tag is not markup.
    pub(super) fn is_raw(&self, text: &[u8], tag: usize) -> bool {
        let name = self.all[tag + 1].bytes(text);
        self.all[tag].kind == Kind::Open && RAW.iter().any(|raw| name.eq_ignore_ascii_case(raw))
    }

    /// Returns the token after the name of a tag.
    pub(super) fn name_end(&self, tag: usize) -> usize {
        let is_name = |token: &&Token| matches!(token.kind, Kind::Word | Kind::Number | Kind::Other);
        tag + 1 + self.all[tag + 1..].iter().take_while(is_name).count()
    }

    pub(super) fn line_of(&self, token: usize) -> usize {
        self.lines.partition_point(|line| line.end <= token)
    }
}

/// Divides a text into tokens, which cover the whole text.
pub(super) fn tokens(text: &[u8], style: Style) -> Tokens {
    tokens_of_files(text, &[], style)
}

/// Divides several texts that end at these offsets. No token spans two texts.
pub(super) fn tokens_of_files(text: &[u8], ends: &[usize], style: Style) -> Tokens {
    let mut lexer =
        Lexer { text, style, at: 0, tokens: Tokens::default(), line: 0, tag: None, raw: None, endless: Vec::new() };
    for &end in ends.iter().chain([&text.len()]) {
        while lexer.at < end {
            lexer.text = &text[..lexer.raw.unwrap_or(end)];
            lexer.step();
            lexer.raw = lexer.raw.filter(|&raw| lexer.at < raw);
        }
        lexer.close_line();
        (lexer.tag, lexer.raw) = (None, None);
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
    /// The first token of the current tag.
    tag: Option<usize>,
    /// The end of the current content that is not markup.
    raw: Option<usize>,
    /// Closing delimiters that are known to be missing up to an offset.
    endless: Vec<(Vec<u8>, usize)>,
}

/// Tags whose content is not markup.
const RAW: [&[u8]; 2] = [b"script", b"style"];

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0c)
}

/// Returns the length of the current line and of its line end, or `None` without a line end.
fn line_end(rest: &[u8]) -> Option<(usize, usize)> {
    let at = rest.iter().position(|&byte| byte == b'\n')?;
    Some(if rest[..at].ends_with(b"\r") { (at - 1, 2) } else { (at, 1) })
}

impl Lexer<'_> {
    fn style(&self) -> Style {
        if self.raw.is_some() { Style::Slashes } else { self.style }
    }

    fn step(&mut self) {
        let rest = &self.text[self.at..];
        let first = rest[0];
        if self.style == Style::Tags && self.reads_tag(rest) {
            return;
        }
        let is_prose = self.style == Style::Tags && self.tag.is_none() && self.raw.is_none();
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
            _ if self.style().comment_begins(rest) => {
                self.push(line_end(rest).map_or(rest.len(), |(at, _)| at), Kind::Comment);
            }
            b'/' if self.style() == Style::Slashes && rest.starts_with(b"/*") => {
                self.over_lines(2, b"*/", Kind::Comment)
            }
            b'/' if self.style() == Style::Slashes && self.is_before_value() => {
                let length = self.found(first, expression).unwrap_or(1);
                self.push(length, Kind::Other);
            }
            b'"' | b'\'' if self.style == Style::Hashes && rest.starts_with(&[first; 3]) => {
                self.over_lines(3, &[first; 3], Kind::Quoted);
            }
            b'`' if self.style() == Style::Slashes => self.over_lines(1, b"`", Kind::Quoted),
            b'"' | b'\'' if is_prose => self.push(1, Kind::Other),
            b'"' | b'\'' if self.tag.is_some() => self.over_lines(1, &[first], Kind::Quoted),
            b'"' | b'\'' => match self.found(first, quoted).filter(|_| first == b'"' || !self.is_after_long_word()) {
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

    /// Reads the start or the end of a tag, or a comment or `<![CDATA[`.
    fn reads_tag(&mut self, rest: &[u8]) -> bool {
        let is_name = |byte: Option<&u8>| byte.is_some_and(|&byte| is_word(byte) && !byte.is_ascii_digit());
        if self.raw.is_some() {
            return false;
        }
        match rest {
            [b'<', b'/', ..] if is_name(rest.get(2)) => self.begin_tag(2, Kind::Close),
            [b'<', ..] if is_name(rest.get(1)) => self.begin_tag(1, Kind::Open),
            [b'<', b'!', b'-', b'-', ..] => self.over_lines(4, b"-->", Kind::Comment),
            _ if rest.starts_with(b"<![CDATA[") => self.over_lines(9, b"]]>", Kind::Quoted),
            [b'/', b'>', ..] => return self.ends_tag(2, Kind::Close),
            [b'>', ..] => return self.ends_tag(1, Kind::TagEnd),
            _ => return false,
        }
        true
    }

    fn begin_tag(&mut self, length: usize, kind: Kind) {
        self.tag = Some(self.tokens.all.len());
        self.push(length, kind);
    }

    fn ends_tag(&mut self, length: usize, kind: Kind) -> bool {
        let Some(tag) = self.tag.take() else { return false };
        let begins = self.tokens.all[tag];
        if begins.kind == Kind::Close && kind == Kind::Close {
            // `</a/>`
            self.push(1, Kind::Other);
            self.tag = Some(tag);
            return true;
        }
        self.tokens.tags.push((tag, self.tokens.all.len()));
        self.push(length, kind);
        if kind == Kind::TagEnd && self.tokens.is_raw(self.text, tag) {
            let name = self.tokens.all[tag + 1].bytes(self.text);
            let rest = &self.text[self.at..];
            let closes = |two: &[u8]| two.strip_prefix(b"</").is_some_and(|end| end.eq_ignore_ascii_case(name));
            let length = rest.windows(name.len() + 2).position(closes).unwrap_or(rest.len());
            self.raw = (length > 0).then_some(self.at + length);
        }
        true
    }

    fn push(&mut self, length: usize, kind: Kind) {
        let (start, end) = (self.at as u32, (self.at + length) as u32);
        self.tokens.all.push(Token { start, end, kind });
        self.at += length;
    }

    /// Reads a line end of `length` bytes.
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

    /// Returns whether a value comes next, so that a slash starts a regular expression, in which quotes have no meaning.
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

    /// Returns whether a quote is an apostrophe, as in "don't". The prefixes of strings are shorter.
    fn is_after_long_word(&self) -> bool {
        let before = self.tokens.all.last();
        before.is_some_and(|token| token.end as usize == self.at && token.kind == Kind::Word && token.len() > 2)
    }

    /// Returns the length of a token that starts with `sign`, if it ends properly. It remembers missing ends, so that a text
    /// of unclosed tokens takes linear time.
    fn found(&mut self, sign: u8, length: fn(&[u8]) -> Result<usize, usize>) -> Option<usize> {
        if self.endless.iter().any(|(end, until)| end[..] == [sign] && self.at < *until) {
            return None;
        }
        let length = length(&self.text[self.at..]);
        length.map_err(|looked| self.has_no_end(&[sign], self.at + looked)).ok()
    }

    fn has_no_end(&mut self, end: &[u8], until: usize) {
        self.endless.retain(|(other, _)| other != end);
        self.endless.push((end.to_vec(), until));
    }

    /// Reads a token that starts with `opening` bytes and continues to `end`, possibly on a later line.
    fn over_lines(&mut self, opening: usize, end: &[u8], kind: Kind) {
        let mut place = self.at + opening;
        let has_escapes = kind == Kind::Quoted && self.tag.is_none();
        let is_endless = self.endless.iter().any(|(other, until)| other == end && *until == self.text.len());
        let found = loop {
            match self.text.get(place..).filter(|_| !is_endless) {
                None | Some([]) => break None,
                Some(rest) if rest.starts_with(end) => break Some(place + end.len()),
                Some([b'\\', ..]) if has_escapes => place += 2,
                Some(_) => place += 1,
            }
        };
        let Some(last) = found else {
            self.has_no_end(end, self.text.len());
            return self.push(1, Kind::Other);
        };
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

/// Returns the length of a regular expression between slashes. If it does not end on this line, the error is how far was
/// searched.
fn expression(rest: &[u8]) -> Result<usize, usize> {
    let (mut place, mut is_class) = (1, false);
    loop {
        match rest.get(place) {
            None | Some(b'\n') => return Err(place),
            Some(b'\\') if rest.get(place + 1) == Some(&b'\n') => return Err(place),
            Some(b'\\') => place += 1,
            Some(b'[') => is_class = true,
            Some(b']') => is_class = false,
            Some(b'/') if !is_class => return Ok(place + 1),
            Some(_) => {}
        }
        place += 1;
    }
}

/// Returns the length of a string that ends on this line, or on a line continued by a backslash. If it does not end, the
/// error is how far was searched.
fn quoted(rest: &[u8]) -> Result<usize, usize> {
    let mut place = 1;
    loop {
        match rest.get(place) {
            None | Some(b'\n') => return Err(place),
            Some(b'\\') => place += 2,
            Some(byte) if *byte == rest[0] => return Ok(place + 1),
            Some(_) => place += 1,
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
    fn strings_end_at_their_closing_quote() {
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
    fn regular_expressions_hide_quotes_and_brackets() {
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
    fn markup_has_quotes_only_in_tags_and_no_tags_in_scripts() {
        use Kind::{Close, Comment, Number, Open, Other, Quoted, TagEnd, Word};
        let of = |text| kinds(text, Style::Tags);
        assert_eq!(
            of("<a b='>'>it's<c/></a>"),
            [
                (Open, "<"),
                (Word, "a"),
                (Word, "b"),
                (Other, "="),
                (Quoted, "'>'"),
                (TagEnd, ">"),
                (Word, "it"),
                (Other, "'"),
                (Word, "s"),
                (Open, "<"),
                (Word, "c"),
                (Close, "/>"),
                (Close, "</"),
                (Word, "a"),
                (TagEnd, ">"),
            ]
        );
        assert_eq!(
            of("1 > 2 < 3 /> <!--<b>--> <![CDATA[<b>]]>")[5..],
            [(Other, "/"), (Other, ">"), (Comment, "<!--<b>-->"), (Quoted, "<![CDATA[<b>]]>")]
        );
        let script = of("<Script>'<b>' //'</script><b>");
        assert_eq!(script[3..6], [(Quoted, "'<b>'"), (Comment, "//'"), (Close, "</")]);
        assert_eq!(script[8..], [(Open, "<"), (Word, "b"), (TagEnd, ">")]);
        assert_eq!(
            of("<a\nb='c\nd'\n>1")[4..],
            [(Kind::Inside, "'c"), (Kind::Inside, "d'"), (TagEnd, ">"), (Number, "1")]
        );
    }

    #[test]
    fn lines_keep_their_line_ends() {
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
    fn a_backslash_continues_a_string_on_the_next_line() {
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
    fn tokens_across_lines_have_spans() {
        let found = tokens(b"f()\n\"\"\"one\n  (two\n\"\"\"; x\nlast", Style::Hashes);
        assert_eq!((found.lines.len(), &found.spans[..]), (5, &[(1, 3)][..]));
        assert!(found.code(2).next().is_none() && found.code(3).count() == 2);
        let open = tokens(b"/* never\nended", Style::Slashes);
        assert!(open.spans.is_empty());
    }
}
