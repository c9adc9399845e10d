//! The tree of a text's lines, by brackets and indentation.

use std::collections::BTreeMap;

use super::style::Style;
use super::tokens::{Kind, Tokens};
use crate::items::needs::Need;

#[derive(Debug, Default)]
pub(super) struct Outline {
    /// The parent of each line.
    pub(super) parents: Vec<Option<usize>>,
    /// The further needs of lines.
    pub(super) needs: BTreeMap<usize, Vec<Need>>,
    /// The lines around each block (its brackets and clauses), by the first line, which is included.
    pub(super) frames: BTreeMap<usize, Vec<usize>>,
    /// The indentation of each line in bytes. An empty line has that of the next nonempty one.
    pub(super) indents: Vec<usize>,
}

/// First words of clauses that continue a block, and of blocks that clauses can continue.
const CLAUSES: [&[u8]; 6] = [b"else", b"elif", b"except", b"finally", b"catch", b"rescue"];
const HEADS: [&[u8]; 7] = [b"if", b"for", b"while", b"try", b"with", b"async", b"begin"];

/// First words that end a block without a bracket. Words that start with `end` do as well.
const ENDS: [&[u8]; 3] = [b"fi", b"done", b"esac"];
/// Words that end the header of a block without a bracket, and first words of such headers.
const OPENERS: [&[u8]; 2] = [b"then", b"do"];
const OPENED: [&[u8]; 5] = [b"if", b"for", b"while", b"until", b"select"];

/// First words of lines that control whether, how often, or which of the lines below are executed.
const DECIDING: [&str; 15] = [
    "if", "else", "elif", "elsif", "unless", "for", "foreach", "while", "until", "switch", "match", "case", "when",
    "catch", "except",
];

/// Returns whether a line starts a block under a condition, by its first word after any brackets.
pub(crate) fn decides(line: &str) -> bool {
    let begins = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '}' | ')'));
    DECIDING.contains(&begins.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default())
}

fn is_end(word: &[u8]) -> bool {
    let begins = word.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"end"));
    ENDS.contains(&word) || begins && word.iter().all(u8::is_ascii_alphabetic)
}

/// Returns whether a text starts with the tag that is closed by `ending`, the text after `</`.
fn is_tag(text: &[u8], ending: &[u8]) -> bool {
    let is_over = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
    let name = ending.split(is_over).next().unwrap_or_default();
    let behind = text.strip_prefix(b"<").and_then(|begun| begun.strip_prefix(name));
    behind.is_some_and(|behind| behind.first().is_none_or(is_over))
}

/// The number of levels of lines without lines below them. Deeper lines belong to the last level.
const LEVELS: usize = 16;

/// Returns the lines without lines below them by level, deepest first. Blocks use the lines around them, such as
/// declarations and imports, so these lines are easier to remove once the blocks are small.
pub(crate) fn leaves(parents: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut has_lines = vec![false; parents.len()];
    let mut levels: Vec<usize> = Vec::with_capacity(parents.len());
    for parent in parents {
        parent.iter().for_each(|&parent| has_lines[parent] = true);
        levels.push(parent.map_or(0, |parent| (levels[parent] + 1).min(LEVELS - 1)));
    }
    let mut leaves = vec![Vec::new(); LEVELS];
    let of_none = (0..parents.len()).filter(|&line| !has_lines[line]);
    of_none.for_each(|line| leaves[LEVELS - 1 - levels[line]].push(line));
    leaves.retain(|lines| !lines.is_empty());
    leaves
}

/// A line that can have later lines below it.
struct Above {
    line: usize,
    indent: usize,
    /// The last line before its brackets are closed.
    until: usize,
    is_clause: bool,
}

struct Reader<'a> {
    text: &'a [u8],
    tokens: &'a Tokens,
    pairs: &'a [Option<usize>],
    style: Style,
    made: Outline,
    open: Vec<Above>,
    /// The line of a bracket, if it counts as a bracket of another line.
    owners: BTreeMap<usize, usize>,
    /// The last line below each line.
    last: Vec<usize>,
    /// Lines before the lines that they annotate and need.
    waiting: Vec<usize>,
    conditions: Vec<usize>,
}

pub(super) fn outline(text: &[u8], tokens: &Tokens, pairs: &[Option<usize>], style: Style) -> Outline {
    let count = tokens.lines.len();
    let made = Outline { parents: vec![None; count], indents: indents(tokens), ..Outline::default() };
    let (open, owners) = (Vec::new(), BTreeMap::new());
    let (waiting, conditions) = (Vec::new(), Vec::new());
    let mut reader =
        Reader { text, tokens, pairs, style, made, open, owners, last: (0..count).collect(), waiting, conditions };
    let mut spans = tokens.spans.iter().copied().peekable();
    let mut inside: Option<(usize, usize)> = None;
    for line in 0..count {
        match inside.filter(|&(_, last)| line <= last) {
            Some((first, last)) => reader.read_inside(line, first, last),
            None => reader.read(line),
        }
        if style == Style::Slashes {
            reader.read_directive(line);
        }
        if let Some(before) = line.checked_sub(1).filter(|&before| reader.goes_on(before)) {
            reader.tie(before, line);
        }
        while let Some(span) = spans.next_if(|&(first, _)| first == line) {
            inside = Some((inside.filter(|&(_, last)| last == line).map_or(span.0, |(first, _)| first), span.1));
        }
    }
    reader.made
}

fn indents(tokens: &Tokens) -> Vec<usize> {
    let mut next = 0;
    let mut indents: Vec<usize> = tokens
        .lines
        .iter()
        .rev()
        .map(|line| {
            let first = &tokens.all[line.start];
            let is_empty = tokens.all[line.clone()].iter().all(|token| matches!(token.kind, Kind::Blank | Kind::End));
            if !is_empty {
                next = if first.kind == Kind::Blank { first.len() } else { 0 };
            }
            next
        })
        .collect();
    indents.reverse();
    // A token across several lines has the indentation of its first line.
    for &(first, last) in &tokens.spans {
        let indent = indents[first];
        indents[first + 1..=last].fill(indent);
    }
    indents
}

impl Reader<'_> {
    fn word(&self, token: usize) -> &[u8] {
        self.tokens.all[token].bytes(self.text)
    }

    /// Ties two lines, so that each needs the other.
    fn tie(&mut self, head: usize, line: usize) {
        let needs = |made: &mut Outline, one: usize, other: usize| {
            let needs = made.needs.entry(one).or_default();
            // An equal need is always the last one.
            if needs.last() != Some(&Need::Item(other)) {
                needs.push(Need::Item(other));
            }
        };
        needs(&mut self.made, head, line);
        if self.made.parents[line] != Some(head) {
            needs(&mut self.made, line, head);
        }
    }

    /// Reads a line inside a token across several lines.
    fn read_inside(&mut self, line: usize, first: usize, last: usize) {
        self.made.parents[line] = Some(first);
        if line == last {
            let closed = self.closed(line);
            for head in closed {
                self.tie(head, line);
            }
            self.tie(first, line);
        }
    }

    /// Returns the lines whose brackets close on this line.
    fn closed(&self, line: usize) -> Vec<usize> {
        let start = self.tokens.lines[line].start;
        let openers = self.tokens.code(line).filter(|&token| self.tokens.all[token].kind == Kind::Close);
        let openers = openers.filter_map(|token| self.pairs[token]).filter(|&opener| opener < start);
        let mut lines: Vec<usize> = openers.map(|opener| self.owner(opener)).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    fn owner(&self, opener: usize) -> usize {
        self.owners.get(&opener).copied().unwrap_or_else(|| self.tokens.line_of(opener))
    }

    /// Returns the brackets of this line that close on a later line.
    fn opened(&self, line: usize) -> Vec<usize> {
        let end = self.tokens.lines[line].end;
        let is_open = |&token: &usize| {
            self.tokens.all[token].kind == Kind::Open && self.pairs[token].is_some_and(|closer| closer >= end)
        };
        self.tokens.code(line).filter(is_open).collect()
    }

    fn read(&mut self, line: usize) {
        let indent = self.made.indents[line];
        let is_closed = |above: &Above| above.until <= line;
        while self.open.last().is_some_and(|above| is_closed(above) && above.indent > indent) {
            self.open.pop();
        }
        let code: Vec<usize> = self.tokens.code(line).collect();
        let opened = self.opened(line);
        let until =
            opened.iter().filter_map(|&token| self.pairs[token]).map(|closer| self.tokens.line_of(closer)).max();
        let until = until.unwrap_or(line);
        let closed = self.closed(line);
        if let Some(&head) = closed.first() {
            return self.read_closing(line, head, &closed, &code, &opened, until);
        }
        if self.reads_clause(line, &code, until)
            || self.reads_bracket(line, &code, until)
            || self.reads_opener(line, &code)
            || self.reads_end(line, &code)
        {
            return;
        }
        while self.open.last().is_some_and(|above| is_closed(above) && above.indent >= indent) {
            self.open.pop();
        }
        self.made.parents[line] = self.open.last().map(|above| above.line);
        if self.tokens.all[self.tokens.lines[line].clone()]
            .iter()
            .any(|token| !matches!(token.kind, Kind::Blank | Kind::End))
        {
            self.open.push(Above { line, indent, until, is_clause: false });
        }
        self.read_frame(line, &code, opened.is_empty());
        self.read_tag(line, &code);
        self.read_waiting(line, &code);
    }

    /// Ties the ends of a tag that started on an earlier line. If the tag opens a block, all its lines are the frame of the
    /// block.
    fn read_tag(&mut self, line: usize, code: &[usize]) {
        let Some((tag, end)) = self.tokens.tag_into(line) else { return };
        let first = self.tokens.line_of(tag);
        self.tie(first, line);
        let goes_on = self.pairs[tag].is_some_and(|closer| closer >= self.tokens.lines[line].end);
        if self.tokens.all[tag].kind == Kind::Open && goes_on && code.last() == Some(&end) {
            self.made.frames.entry(first).or_insert_with(|| (first..=line).collect());
        }
    }

    /// Reads a line that closes brackets of other lines, which stay together. If it opens equally many, it continues the
    /// first of them.
    fn read_closing(
        &mut self,
        line: usize,
        head: usize,
        closed: &[usize],
        code: &[usize],
        opened: &[usize],
        until: usize,
    ) {
        let is_tag = |&token: &usize| self.tokens.is_tag(self.text, token);
        let starts = code.first().is_some_and(|&token| self.tokens.all[token].kind == Kind::Close);
        self.made.parents[line] = Some(head);
        let block = self.read_header(line, code, opened.is_empty());
        if block.is_none() {
            self.made.frames.entry(head).and_modify(|frame| frame.push(line));
        }
        self.last[head] = line;
        if closed.len() == 1 && opened.len() == 1 && (starts || block.is_some()) && !opened.iter().any(is_tag) {
            self.owners.insert(opened[0], block.unwrap_or(head));
            self.open.push(Above { line, indent: self.made.indents[line], until, is_clause: true });
            return;
        }
        for &other in closed {
            self.tie(other, line);
        }
        if !opened.is_empty() {
            self.open.push(Above { line, indent: self.made.indents[line], until, is_clause: false });
        }
    }

    /// Returns the open line with the same indentation, ignoring clauses.
    fn level(&self, line: usize) -> Option<usize> {
        let indent = self.made.indents[line];
        let is_level = |above: &Above| above.indent == indent && above.until <= line;
        let place = self.open.iter().rposition(|above| !(is_level(above) && above.is_clause))?;
        is_level(&self.open[place]).then_some(place)
    }

    /// Returns whether the line is a clause that continues a block at the same indentation, such as `else`.
    fn reads_clause(&mut self, line: usize, code: &[usize], until: usize) -> bool {
        let Some(&first) = code.first() else { return false };
        if !CLAUSES.contains(&self.word(first)) {
            return false;
        }
        let Some(place) = self.level(line) else { return false };
        let head = self.open[place].line;
        let Some(begins) = self.tokens.code(head).next() else { return false };
        if !HEADS.contains(&self.word(begins)) {
            return false;
        }
        self.open.truncate(place + 1);
        self.made.parents[line] = Some(head);
        self.made.frames.entry(head).and_modify(|frame| frame.push(line));
        if self.word(begins) == b"try" && self.word(first) != b"else" {
            // The clause needs any one of the previous clauses.
            let needs = self.made.needs.entry(head).or_default();
            match needs.iter_mut().find_map(|need| if let Need::AnyOf(some) = need { Some(some) } else { None }) {
                Some(some) => some.push(line),
                None => needs.push(Need::AnyOf(vec![line])),
            }
        }
        self.open.push(Above { line, indent: self.made.indents[line], until, is_clause: true });
        true
    }

    /// Returns whether the line is a `{` alone that belongs to a line with the same indentation.
    fn reads_bracket(&mut self, line: usize, code: &[usize], until: usize) -> bool {
        let &[opener] = code else { return false };
        if self.word(opener) != b"{" {
            return false;
        }
        let Some(place) = self.level(line) else { return false };
        let head = self.open[place].line;
        let before: Vec<usize> = self.tokens.code(self.last[head]).collect();
        let kind = |token: Option<&usize>| token.map(|&token| self.tokens.all[token].kind);
        let has_ended = matches!(kind(before.last()), Some(Kind::Comma | Kind::Semicolon))
            || kind(before.first()) == Some(Kind::Close)
            || matches!(before[..], [token] if self.word(token) == b"{");
        if has_ended {
            return false;
        }
        self.open.truncate(place + 1);
        self.open[place].until = until;
        let header = head..=self.last[head];
        self.last[head] = line;
        self.made.parents[line] = Some(head);
        self.tie(head, line);
        self.owners.insert(opener, head);
        self.made.frames.entry(head).or_insert_with(|| header.collect()).push(line);
        true
    }

    /// Returns whether the line starts with a `then` or `do` that continues a header with the same indentation.
    fn reads_opener(&mut self, line: usize, code: &[usize]) -> bool {
        if !code.first().is_some_and(|&opener| OPENERS.contains(&self.word(opener))) {
            return false;
        }
        let Some(place) = self.level(line) else { return false };
        let head = self.open[place].line;
        if !self.tokens.code(head).next().is_some_and(|begins| OPENED.contains(&self.word(begins))) {
            return false;
        }
        self.open.truncate(place + 1);
        self.last[head] = line;
        self.made.parents[line] = Some(head);
        self.tie(head, line);
        self.made.frames.entry(head).or_insert_with(|| vec![head]).push(line);
        true
    }

    /// Returns whether the line ends a block at the same indentation by a word such as `fi`, `done`, or `end`, or by a tag.
    /// Blocks that start with a bracket or colon have no such end.
    fn reads_end(&mut self, line: usize, code: &[usize]) -> bool {
        let Some(&first) = code.first() else { return false };
        let tag = self.from(first).strip_prefix(b"</");
        let is_name = |&token: &usize| matches!(self.word(token), b"=" | b":" | b"." | b"," | b"[" | b"+" | b"-");
        if tag.is_none() && (!is_end(self.word(first)) || code.get(1).is_some_and(is_name)) {
            return false;
        }
        let Some(place) = self.level(line) else { return false };
        let head = self.open[place].line;
        let header: Vec<usize> = self.tokens.code(head).collect();
        let begins = |&token: &usize| tag.is_none_or(|tag| is_tag(self.from(token), tag));
        let has_other_end = header.last().is_some_and(|&last| matches!(self.word(last), b"{" | b"[" | b"(" | b":"));
        let is_within = |&one: &usize| self.made.parents[one] == Some(head);
        if !header.first().is_some_and(begins) || has_other_end || !(head + 1..line).any(|one| is_within(&one)) {
            return false;
        }
        let is_around = |one: &usize| is_within(one) && self.made.indents[*one] == self.made.indents[head];
        let frame = [head].into_iter().chain((head + 1..line).filter(is_around)).chain([line]).collect();
        self.made.frames.insert(head, frame);
        self.open.truncate(place);
        self.made.parents[line] = Some(head);
        self.last[head] = line;
        self.tie(head, line);
        true
    }

    /// The text from a token on.
    fn from(&self, token: usize) -> &[u8] {
        &self.text[self.tokens.all[token].start as usize..]
    }

    /// At the start of a block, makes a frame of the block's first and closing lines.
    fn read_frame(&mut self, line: usize, code: &[usize], is_closed: bool) {
        if self.begins_block(line, line, code, is_closed) {
            self.made.frames.insert(line, vec![line]);
        }
    }

    /// If the line ends a header that spans several lines in `(` and `)`, makes all of these lines a part of the block's
    /// frame. Returns the first line of the header.
    fn read_header(&mut self, line: usize, code: &[usize], is_closed: bool) -> Option<usize> {
        let start = self.tokens.lines[line].start;
        let mut openers = code.iter().filter_map(|&token| self.pairs[token]);
        let opener = openers.find(|&opener| opener < start && self.word(opener) == b"(")?;
        let first = self.tokens.line_of(opener);
        if self.made.frames.contains_key(&first) || !self.begins_block(line, first, code, is_closed) {
            return None;
        }
        let is_clause = |block: &usize| self.made.frames.get(block).is_some_and(|frame| frame.last() == Some(&first));
        let block = self.made.parents[first].filter(is_clause).unwrap_or(first);
        self.made.frames.entry(block).or_insert_with(|| vec![first]).extend(first + 1..=line);
        Some(block)
    }

    /// Returns whether a block starts after a line. The line ends like a header, or ends with `)` before a line that is
    /// indented more than the header's first line, such as `for (;;)`.
    fn begins_block(&self, line: usize, head: usize, code: &[usize], is_closed: bool) -> bool {
        code.last().is_some_and(|&last| match self.word(last) {
            b"{" | b"[" | b":" | b"then" | b"do" => true,
            b">" => self.style == Style::Tags && !is_closed && self.tokens.all[last].kind == Kind::TagEnd,
            b")" => self.style == Style::Slashes && is_closed && self.stands_above_code(line, head),
            _ => false,
        })
    }

    /// Returns whether the next line is indented more than `head` and starts with a word, or is a block with brackets.
    fn stands_above_code(&self, line: usize, head: usize) -> bool {
        let next = (line + 1..self.tokens.lines.len()).find_map(|next| Some((next, self.tokens.code(next).next()?)));
        next.is_some_and(|(next, first)| {
            self.made.indents[next] > self.made.indents[head]
                && (self.tokens.all[first].kind == Kind::Word || self.word(first) == b"{")
        })
    }

    /// A line that annotates a definition, such as `@cached`, needs the definition.
    fn read_waiting(&mut self, line: usize, code: &[usize]) {
        let Some(&first) = code.first() else { return };
        let indent = self.made.indents[line];
        let ends_itself = code.last().is_some_and(|&token| matches!(self.word(token), b"{" | b";"));
        if self.word(first) == b"@" && code.len() > 1 && !ends_itself {
            self.waiting.push(line);
            return;
        }
        let (mine, waiting) =
            std::mem::take(&mut self.waiting).into_iter().partition(|&one| self.made.indents[one] == indent);
        self.waiting = waiting;
        let mine: Vec<usize> = mine;
        for one in mine {
            self.made.needs.entry(one).or_default().push(Need::Item(line));
        }
        self.waiting.retain(|&one| self.made.indents[one] < indent);
    }

    /// Ties `#if`, `#endif`, and the directives between them.
    fn read_directive(&mut self, line: usize) {
        let code: Vec<usize> = self.tokens.code(line).take(2).collect();
        let &[hash, name] = &code[..] else { return };
        if self.word(hash) != b"#" {
            return;
        }
        match self.word(name) {
            b"if" | b"ifdef" | b"ifndef" => self.conditions.push(line),
            b"else" | b"elif" => {
                if let Some(&head) = self.conditions.last() {
                    self.made.needs.entry(line).or_default().push(Need::Item(head));
                }
            }
            b"endif" => {
                if let Some(head) = self.conditions.pop() {
                    self.tie(head, line);
                }
            }
            _ => {}
        }
    }

    /// Returns whether a line ends with a backslash, so that the next line continues it.
    fn goes_on(&self, line: usize) -> bool {
        self.tokens.code(line).next_back().is_some_and(|token| self.word(token) == b"\\")
    }
}
