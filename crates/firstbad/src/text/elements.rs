//! Elements on one line: those of lists, and those of markup.

use std::ops::Range;

use super::tokens::{Kind, Token, Tokens};

/// The number of nested element levels with their own pass. Deeper elements share the last pass.
const DEEPEST: usize = 32;
/// Lines of at least this many bytes are generated, so their statements are elements as well.
const LONG_LINE: usize = 500;
/// Words that continue after a closing curly bracket.
const GOES_ON: [&[u8]; 8] = [b"else", b"catch", b"finally", b"while", b"in", b"of", b"instanceof", b"as"];

/// An element on one line: the text between two commas in brackets, an assignment's sign with its value, or a statement on a
/// long line. In markup, an element or the text next to it, or an attribute of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Element {
    /// The first token. `end` is the token after the last one, including a comma after the element.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The number of elements around it.
    pub(super) depth: usize,
    /// The index of the innermost element around it.
    pub(super) parent: Option<usize>,
}

/// The separators of a list's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ends {
    Commas,
    /// Commas and semicolons.
    Statements,
    /// Tags, for the content between tags.
    Tags,
    /// Whitespace, for attributes within a tag.
    Blanks,
}

/// The content between brackets or tags, or the line itself if it is inside brackets.
struct List {
    /// The bracket or tag before the content, or [`LINE`].
    opener: usize,
    /// The first token of the current element, and whether the element contains a bracket that continues on another line.
    start: usize,
    is_torn: bool,
    ends: Ends,
    elements: Vec<(usize, usize)>,
    /// The assignment sign in the current element, and all assigned values.
    assigns: Option<usize>,
    values: Vec<(usize, usize)>,
}

/// The opener of a list that is not inside another list.
const LINE: usize = usize::MAX;

impl List {
    fn new(opener: usize, start: usize, ends: Ends) -> Self {
        List { opener, start, is_torn: false, ends, elements: Vec::new(), assigns: None, values: Vec::new() }
    }

    fn of_statements(opener: usize, start: usize, has_statements: bool) -> Self {
        List::new(opener, start, if has_statements { Ends::Statements } else { Ends::Commas })
    }

    /// `mark` is the number of tokens in the separator.
    fn end_element(&mut self, end: usize, mark: usize) {
        if !self.is_torn {
            self.elements.push((self.start, end + mark));
            self.values.extend(self.assigns.map(|from| (from, end)));
        }
        (self.start, self.is_torn, self.assigns) = (end + mark, false, None);
    }
}

/// Returns the elements on a line by their start, outer ones first.
///
/// `is_within` tells whether the line is inside brackets of other lines. With `fine`, assigned values with their signs and
/// the text between semicolons in any brackets are also elements.
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
    let has_tags = !tokens.tags.is_empty();
    let list = match tokens.tag_into(line) {
        Some(_) => List::new(LINE, range.start, Ends::Blanks),
        None if has_tags => List::new(LINE, range.start, Ends::Tags),
        None => List::of_statements(LINE, range.start, fine || is_long),
    };
    let mut reader = Reader { text, tokens, pairs, fine, is_long, range, list, around: Vec::new(), found: Vec::new() };
    for place in reader.range.clone() {
        reader.read(place);
    }
    let mut found = reader.end_line(is_within || is_long || has_tags);
    if has_tags {
        let (first, last) = (tokens.code(line).next(), tokens.code(line).next_back());
        let is_line = |start: usize, end: usize| first.is_some_and(|first| start <= first) && last < Some(end);
        found.retain(|&(start, end)| !is_line(start, end));
    }
    nested(tokens, found)
}

/// Reads the tokens of a line from left to right.
struct Reader<'a> {
    text: &'a [u8],
    tokens: &'a Tokens,
    pairs: &'a [Option<usize>],
    fine: bool,
    is_long: bool,
    range: Range<usize>,
    /// The innermost open list, and the lists around it.
    list: List,
    around: Vec<List>,
    found: Vec<(usize, usize)>,
}

impl Reader<'_> {
    fn read(&mut self, place: usize) {
        match (self.tokens.all[place].kind, self.pairs[place]) {
            (Kind::Open, pair) if self.tokens.is_tag(self.text, place) => {
                self.list.end_element(place, 0);
                self.list.is_torn = pair.is_some_and(|closer| closer >= self.range.end);
                self.open(List::new(place, self.tokens.name_end(place), Ends::Blanks));
            }
            (Kind::Open, Some(closer)) => {
                self.list.is_torn |= closer >= self.range.end;
                let has_statements = self.fine || self.tokens.all[place].bytes(self.text) == b"{";
                self.open(List::of_statements(place, place + 1, has_statements));
            }
            (Kind::TagEnd, _) => self.end_tag(place),
            (Kind::Close, Some(opener)) if opener >= self.range.start => self.close(place, opener),
            (Kind::Close, Some(_)) => {
                if self.tokens.is_tag(self.text, place) {
                    self.list.end_element(place, 0);
                }
                self.list.is_torn = true;
            }
            (kind, _) => self.read_mark(place, kind),
        }
    }

    fn open(&mut self, inner: List) {
        self.around.push(std::mem::replace(&mut self.list, inner));
    }

    /// Ends a tag. After an opening tag, the content of its element follows.
    fn end_tag(&mut self, place: usize) {
        if self.list.ends != Ends::Blanks {
            return self.list.end_element(place + 1, 0);
        }
        self.list.end_element(place, 0);
        self.found.append(&mut self.list.elements);
        let has_content = self.tokens.tag_to(place).is_some_and(|tag| self.pairs[tag].is_some());
        match self.around.pop_if(|_| !has_content) {
            // This tag is a single tag without a partner.
            Some(outer) => {
                self.list = outer;
                self.list.end_element(place + 1, 0);
            }
            None => {
                let is_raw = self.tokens.tag_to(place).is_some_and(|tag| self.tokens.is_raw(self.text, tag));
                let ends = if is_raw { Ends::Statements } else { Ends::Tags };
                self.list = List::new(self.list.opener, place + 1, ends);
            }
        }
    }

    /// Closes a bracket or an element of this line.
    fn close(&mut self, place: usize, opener: usize) {
        // Brackets that were never closed do not form lists.
        while let Some(outer) = self.around.pop_if(|_| self.list.opener != opener) {
            self.list = outer;
        }
        self.list.end_element(place, 0);
        self.found.append(&mut self.list.elements);
        self.found.append(&mut self.list.values);
        if let Some(outer) = self.around.pop() {
            self.list = outer;
        }
        let is_alone = self.tokens.all[place].bytes(self.text) == b"/>";
        let is_statement = self.is_long && self.list.ends == Ends::Statements;
        if is_alone || is_statement && ends_statement(self.text, self.tokens, place, self.range.end) {
            self.list.end_element(place + 1, 0);
        }
    }

    /// Reads a separator or an assignment sign.
    fn read_mark(&mut self, place: usize, kind: Kind) {
        let ends = self.list.ends;
        match kind {
            Kind::Blank if ends == Ends::Blanks => {
                let is_equals = |token: Option<&Token>| token.is_some_and(|token| token.bytes(self.text) == b"=");
                if !is_equals(self.tokens.all.get(place + 1)) && !is_equals(self.tokens.all[..place].last()) {
                    self.list.end_element(place, 0);
                }
            }
            Kind::Comma if matches!(ends, Ends::Commas | Ends::Statements) => self.list.end_element(place, 1),
            Kind::Semicolon if ends == Ends::Statements => self.list.end_element(place, 1),
            Kind::Other if self.fine && self.list.assigns.is_none() && is_assignment(self.text, self.tokens, place) => {
                self.list.assigns = Some(place);
            }
            _ => {}
        }
    }

    /// Ends the line, on which open brackets continue later. With `is_list`, the line itself also consists of elements.
    fn end_line(mut self, is_list: bool) -> Vec<(usize, usize)> {
        loop {
            // A single element would be the whole line.
            let is_list = !self.around.is_empty() || is_list && !self.list.elements.is_empty();
            self.list.end_element(self.range.end, 0);
            if is_list {
                self.found.append(&mut self.list.elements);
            }
            self.found.append(&mut self.list.values);
            match self.around.pop() {
                Some(outer) => self.list = outer,
                None => return self.found,
            }
        }
    }
}

/// Returns whether a curly bracket ends a statement: the next statement starts with a word, or it is a rule of CSS, which
/// has a curly bracket as its next bracket.
fn ends_statement(text: &[u8], tokens: &Tokens, closer: usize, end: usize) -> bool {
    let word = |token: usize| tokens.all[token].bytes(text);
    let is_rule = |next: usize| {
        let bracket = (next..end).find(|&token| matches!(tokens.all[token].kind, Kind::Open | Kind::Close));
        matches!(word(next), b"." | b"#" | b"*" | b":" | b"@") && bracket.is_some_and(|bracket| word(bracket) == b"{")
    };
    let begins = |next: usize| match tokens.all[next].kind {
        Kind::Word => !GOES_ON.contains(&word(next)),
        _ => is_rule(next),
    };
    let next = (closer + 1..end).find(|&next| tokens.all[next].is_code());
    word(closer) == b"}" && next.is_some_and(begins)
}

/// Returns whether an equals sign is an assignment, and not a part of a longer sign.
fn is_assignment(text: &[u8], tokens: &Tokens, place: usize) -> bool {
    let is_sign = |place: usize| tokens.all.get(place).is_some_and(|token| token.kind == Kind::Other);
    tokens.all[place].bytes(text) == b"=" && !is_sign(place + 1) && !place.checked_sub(1).is_some_and(is_sign)
}

/// Returns the nonempty elements without surrounding whitespace, each with the element around it.
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
            // The separator is removed together with the space after it.
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
        found_in(text, Style::Slashes, line, is_within, fine)
    }

    fn found_in(text: &str, style: Style, line: usize, is_within: bool, fine: bool) -> Vec<(&str, usize)> {
        let tokens = tokens(text.as_bytes(), style);
        let pairs = pairs(text.as_bytes(), &tokens);
        let of = |element: &Element| {
            let (start, end) = (tokens.all[element.start].start, tokens.all[element.end - 1].end);
            (&text[start as usize..end as usize], element.depth)
        };
        elements(text.as_bytes(), &tokens, &pairs, line, is_within, fine).iter().map(of).collect()
    }

    #[test]
    fn commas_in_brackets_separate_elements() {
        assert_eq!(
            found("f(a, g(b,c), [d])", 0, false),
            [("a, ", 0), ("g(b,c), ", 0), ("b,", 1), ("c", 1), ("[d]", 0), ("d", 1)]
        );
        assert_eq!(found("a, b = c, d\n", 0, false), []);
        assert_eq!(found("x, (y\n z), w", 0, true), [("x, ", 0), ("y", 0)]);
        assert_eq!(found("if (x) { y; z; }", 0, false), [("x", 0), ("y; ", 0), ("z; ", 0)]);
    }

    #[test]
    fn tags_separate_elements_and_contain_attributes() {
        let found = |text, line| found_in(text, Style::Tags, line, false, false);
        assert_eq!(
            found("<a><b c='1' d = '2'>e, f</b><br>g<h/></a>", 0),
            [
                ("<b c='1' d = '2'>e, f</b>", 0),
                ("c='1'", 1),
                ("d = '2'", 1),
                ("e, f", 1),
                ("<br>", 0),
                ("g", 0),
                ("<h/>", 0)
            ],
            "alone it is the line"
        );
        let lines = "<a b='1'><c>d</c>\n<e f='2'\ng='3' h='4'>i</e>j</a>\n";
        assert_eq!(found(lines, 0), [("b='1'", 0), ("<c>d</c>", 0), ("d", 1)]);
        assert_eq!(found(lines, 1), [("f='2'", 0)]);
        assert_eq!(found(lines, 2), [("g='3'", 0), ("h='4'", 0), ("i", 0), ("j", 0)]);
    }

    #[test]
    fn rules_and_statements_on_one_line_are_elements() {
        let rules: String = (0..30).map(|n| format!(".r{n}{{margin:1px;color:red}}")).collect();
        let page = format!("<p><style>{rules}</style><script>f(1);g(2)</script></p>");
        for (text, style) in [(&rules, Style::Plain), (&page, Style::Tags)] {
            let found = found_in(text, style, 0, false, false);
            for wanted in [".r7{margin:1px;color:red}", "margin:1px;"] {
                assert!(found.iter().any(|(element, _)| *element == wanted), "{wanted}: {found:?}");
            }
        }
        assert!(found_in(&page, Style::Tags, 0, false, false).iter().any(|(element, _)| *element == "f(1);"));
        let calls: String = (0..60).map(|n| format!("a{{}}.then{n}()")).collect();
        let found = found_in(&calls, Style::Slashes, 0, false, false);
        assert!(found.iter().all(|(element, _)| !element.starts_with(".then")), "{found:?}");
    }

    #[test]
    fn values_include_their_assignment_sign() {
        let fine = |text| found_with(text, 0, false, true);
        assert_eq!(fine("int a = f(b), c = 0;"), [("= f(b)", 0), ("b", 1), ("= 0", 0)]);
        assert_eq!(fine("a == b; c <= d; e += f; g => h"), []);
        assert_eq!(fine("for (i = 0; i < n; )"), [("i = 0; ", 0), ("= 0", 1), ("i < n; ", 0)]);
        assert_eq!(found("int a = f(b), c = 0;", 0, false), [("b", 0)]);
        assert_eq!(fine("a = [\n]"), [], "what goes on in other lines is no value");
    }

    #[test]
    fn elements_exclude_brackets_of_other_lines() {
        assert_eq!(found("f(a,\n b)\n", 0, false), [("a,", 0)]);
        assert_eq!(found("f(a,\n b, g(), c);\n", 1, true), [("b, ", 0), ("g(), ", 0)]);
    }
}
