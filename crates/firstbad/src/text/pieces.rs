//! The numbering and the properties of a text's pieces.

use std::collections::{BTreeMap, BTreeSet};

use super::outline::{Outline, leaves, outline};
use super::style::Style;
use super::tokens::{Kind, Token, Tokens, tokens_of_files};
use super::{brackets, elements, parts};
use crate::items::needs::Need;

#[derive(Debug)]
pub(super) struct Pieces {
    pub(super) text: Vec<u8>,
    pub(super) tokens: Tokens,
    pub(super) pairs: Vec<Option<usize>>,
    /// The number of blocks around each line, if indentation is significant.
    pub(super) depths: Vec<usize>,
    /// The number of pieces. The first ones are the lines.
    pub(super) count: usize,
    /// For each token, the piece that it belongs to, and the piece without which it is shorter.
    pub(super) owners: Vec<u32>,
    pub(super) shorter: BTreeMap<usize, (u32, Short)>,
    /// For each line around a block, the piece that keeps the line, the lines that are removed with it, and the change in
    /// indentation of the block.
    pub(super) frames: BTreeMap<usize, Frame>,
    /// The lines of each Python block, by the line with the colon before them.
    pub(super) bodies: BTreeMap<usize, Vec<usize>>,
    /// The structure for a reduction.
    pub(super) parents: Vec<Option<usize>>,
    pub(super) needs: BTreeMap<usize, Vec<Need>>,
    /// Pieces whose needs are certain, because they are brackets on one line.
    pub(super) firm: BTreeSet<usize>,
    pub(super) later: Vec<Vec<usize>>,
    /// Whether declarations start with a type, as in C.
    pub(super) has_types: bool,
    /// The pieces that are only layout, unless layout is not divided.
    pub(super) layout: Option<Layout>,
}

/// The pieces of layout.
#[derive(Debug)]
pub(super) struct Layout {
    /// The piece without which unnecessary spaces are removed.
    pub(super) blanks: u32,
    /// The piece without which line ends after a comma, semicolon, or opening bracket, or before a closing one, are removed.
    pub(super) ends: u32,
    /// The piece without which all other removable line ends are removed.
    pub(super) other_ends: u32,
    /// Lines that can be joined to the previous line.
    pub(super) may_join: Vec<bool>,
    /// Lines that must stay separate. A line with a comment also stays separate.
    pub(super) is_apart: Vec<bool>,
}

/// The short form of a token: a value, or a name that depends on the names that are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Short {
    Value(&'static [u8]),
    Name,
}

#[derive(Debug)]
pub(super) struct Frame {
    pub(super) piece: u32,
    pub(super) lines: Vec<usize>,
    /// The last line of the block.
    pub(super) last: usize,
    pub(super) shift: usize,
}

/// First words of blocks in Python.
const BLOCKS: [&[u8]; 14] = [
    b"def", b"class", b"if", b"elif", b"else", b"for", b"while", b"try", b"except", b"finally", b"with", b"async",
    b"match", b"case",
];

/// The body of a Python block that lost all its content.
pub(super) const PASS: &[u8] = b" pass";

impl Pieces {
    /// Divides a text of files that end at these offsets. With `fine`, pieces are as small as single words and signs.
    pub(super) fn of(text: &[u8], ends: &[usize], fine: bool) -> Self {
        let style = Style::of(text);
        let tokens = tokens_of_files(text, ends, style);
        let firsts: Vec<usize> = ends.iter().map(|&end| tokens.line_at(end)).collect();
        let pairs = brackets::pairs(text, &tokens);
        let outline = outline(text, &tokens, &pairs, style);
        let mut made = Builder::new(text, tokens, pairs, &outline).build(&outline, style, fine);
        if let Some(layout) = &mut made.layout {
            for first in firsts {
                if let Some(may_join) = layout.may_join.get_mut(first) {
                    *may_join = false;
                }
            }
        }
        made
    }
}

/// Builds and numbers the pieces.
struct Builder {
    made: Pieces,
    comments: Vec<usize>,
    frames: Vec<usize>,
    elements: Vec<Vec<usize>>,
    values: Vec<usize>,
    names: Vec<usize>,
    /// The pieces of tags around content on one line.
    tags: Vec<usize>,
    words: Vec<usize>,
    /// The last tag: its first token, the token after its name, and its last token.
    tag: Option<(usize, usize, usize)>,
}

impl Builder {
    fn new(text: &[u8], tokens: Tokens, pairs: Vec<Option<usize>>, outline: &Outline) -> Self {
        let owners = vec![0; tokens.all.len()];
        let made = Pieces {
            text: text.to_vec(),
            pairs,
            depths: Vec::new(),
            count: tokens.lines.len(),
            owners,
            shorter: BTreeMap::new(),
            frames: BTreeMap::new(),
            bodies: BTreeMap::new(),
            parents: outline.parents.clone(),
            needs: outline.needs.clone(),
            firm: BTreeSet::new(),
            later: Vec::new(),
            has_types: false,
            layout: None,
            tokens,
        };
        Builder {
            made,
            comments: Vec::new(),
            frames: Vec::new(),
            elements: Vec::new(),
            values: Vec::new(),
            names: Vec::new(),
            tags: Vec::new(),
            words: Vec::new(),
            tag: None,
        }
    }

    fn piece(&mut self, parent: Option<usize>) -> usize {
        self.made.parents.push(parent);
        self.made.count += 1;
        self.made.count - 1
    }

    fn build(mut self, outline: &Outline, style: Style, fine: bool) -> Pieces {
        let within = self.within();
        for (line, is_within) in within.into_iter().enumerate() {
            self.add_line(line, is_within, outline, fine);
        }
        self.add_frames(outline);
        self.made.has_types = style == Style::Slashes && self.made.tokens.end_statements();
        let is_indented = matches!(style, Style::Hashes | Style::Plain);
        self.made.depths = if is_indented { depths(outline) } else { vec![0; outline.parents.len()] };
        if is_indented {
            self.add_bodies(outline);
        }
        self.add_names();
        if fine {
            self.tie_brackets();
            self.add_layout(style);
        }
        let mut later = leaves(&outline.parents);
        later.extend([self.frames, self.comments]);
        later.append(&mut self.elements);
        later.extend([self.tags, self.values, self.words, self.names]);
        later.retain(|pass| !pass.is_empty());
        self.made.later = later;
        self.made
    }

    /// Returns whether each line is inside brackets of other lines.
    fn within(&self) -> Vec<bool> {
        let Pieces { tokens, pairs, .. } = &self.made;
        let mut depth = 0usize;
        let mut within = Vec::with_capacity(tokens.lines.len());
        for line in &tokens.lines {
            within.push(depth > 0);
            for place in line.clone().filter(|&place| pairs[place].is_some()) {
                match tokens.all[place].kind {
                    Kind::Open => depth += 1,
                    _ => depth = depth.saturating_sub(1),
                }
            }
        }
        within
    }

    fn add_line(&mut self, line: usize, is_within: bool, outline: &Outline, fine: bool) {
        let own = line;
        let range = self.made.tokens.lines[line].clone();
        self.made.owners[range.clone()].fill(own as u32);
        if outline.frames.contains_key(&line) {
            let frame = self.piece(Some(own));
            self.made.frames.insert(line, Frame { piece: frame as u32, lines: Vec::new(), last: line, shift: 0 });
            self.frames.push(frame);
        }
        let elements = elements::elements(&self.made.text, &self.made.tokens, &self.made.pairs, line, is_within, fine);
        // Number elements and their parts in the order of the line.
        let mut next = 0;
        let mut numbers: Vec<usize> = Vec::with_capacity(elements.len());
        let mut open: Vec<usize> = Vec::new();
        for token in range.clone() {
            while open.last().is_some_and(|&element| elements[element].end <= token) {
                open.pop();
            }
            while let Some(element) = elements.get(next).filter(|element| element.start == token) {
                let parent = self.tag_around(token).unwrap_or(element.parent.map_or(own, |parent| numbers[parent]));
                let number = self.piece(Some(parent));
                numbers.push(number);
                if self.elements.len() <= element.depth {
                    self.elements.resize_with(element.depth + 1, Vec::new);
                }
                self.elements[element.depth].push(number);
                open.push(next);
                next += 1;
            }
            let owner = open.last().map_or(own, |&element| numbers[element]);
            self.made.owners[token] = owner as u32;
            self.add_part(token, owner, fine);
        }
    }

    /// Adds the pieces of a token that can be removed or shortened.
    fn add_part(&mut self, token: usize, owner: usize, fine: bool) {
        if self.made.tokens.is_tag(&self.made.text, token) {
            self.tag = Some((token, self.made.tokens.name_end(token), self.made.tokens.tag_end(token)));
        }
        let Token { kind, .. } = self.made.tokens.all[token];
        if kind == Kind::Comment {
            let line = self.made.tokens.line_of(token);
            // A comment on a separate line is the piece of that line.
            if self.made.tokens.code(line).next().is_some() {
                let comment = self.piece(Some(owner));
                self.made.owners[token] = comment as u32;
                self.comments.push(comment);
            }
            return;
        }
        let mut owner = owner;
        if let Some(tag) = self.tag_of(token) {
            owner = self.made.owners[tag] as usize;
            self.made.owners[token] = owner as u32;
        } else if !fine && self.goes_around(token) {
            owner = self.piece(Some(owner));
            self.tags.push(owner);
            self.made.owners[token] = owner as u32;
        } else if fine && self.made.tokens.all[token].is_code() {
            let joins = self.before(token).filter(|&before| {
                let is_sign = |token: usize| self.made.tokens.all[token].kind == Kind::Other;
                let goes_on = is_sign(token) || kind == Kind::Word && self.selects(before);
                is_sign(before) && goes_on && self.words.last() == Some(&(self.made.owners[before] as usize))
            });
            owner = match joins {
                // Adjacent signs form one piece, and so does a selector such as `.name`.
                Some(before) => self.made.owners[before] as usize,
                None => {
                    let word = self.piece(Some(owner));
                    self.words.push(word);
                    word
                }
            };
            self.made.owners[token] = owner as u32;
        }
        if let Some(short) = parts::short_value(&self.made.text, &self.made.tokens, token) {
            let value = self.piece(Some(owner));
            self.made.shorter.insert(token, (value as u32, Short::Value(short)));
            self.values.push(value);
        }
    }

    /// Returns the first token of the tag on the same line to which this token belongs: as its name, as a space in it, as
    /// its end, or as its closing tag.
    fn tag_of(&self, token: usize) -> Option<usize> {
        let Pieces { tokens, pairs, .. } = &self.made;
        let is_part = |&(tag, name, end): &(usize, usize, usize)| {
            let is_blank = tokens.all[token].kind == Kind::Blank;
            tag < token && (token < name || token == end || token < end && is_blank)
        };
        let own = self.tag.filter(is_part).map(|(tag, ..)| tag);
        let is_one = |opener: &usize| self.tags.binary_search(&(self.made.owners[*opener] as usize)).is_ok();
        let line = tokens.lines[tokens.line_of(token)].start;
        own.or_else(|| pairs[token].filter(is_one)).filter(|&tag| tag >= line)
    }

    /// Returns the piece of the tag around an attribute that starts with this token.
    fn tag_around(&self, token: usize) -> Option<usize> {
        let (tag, ..) = self.tag.filter(|&(tag, _, end)| tag < token && token < end)?;
        let piece = self.made.owners[tag] as usize;
        (self.tags.last() == Some(&piece)).then_some(piece)
    }

    /// Returns whether this tag is closed on the same line after some content.
    fn goes_around(&self, token: usize) -> bool {
        let Pieces { tokens, text, pairs, .. } = &self.made;
        let Some(closer) = pairs[token].filter(|_| tokens.is_tag(text, token)) else { return false };
        tokens.tag_end(token) + 1 < closer && tokens.line_of(token) == tokens.line_of(closer)
    }

    /// Returns the token before this one. If an arrow and a space precede a word, it returns the arrow.
    fn before(&self, token: usize) -> Option<usize> {
        let kind = |token: usize| self.made.tokens.all[token].kind;
        let before = token.checked_sub(1)?;
        let arrow = before.checked_sub(1).filter(|&last| {
            let until = &self.made.text[..self.made.tokens.all[last].end as usize];
            kind(token) == Kind::Word && kind(before) == Kind::Blank && until.ends_with(b"->")
        });
        arrow.or(Some(before))
    }

    /// Returns whether the signs that end here select a part of the value before them.
    fn selects(&self, last: usize) -> bool {
        let before = &self.made.text[..self.made.tokens.all[last].end as usize];
        [&b"."[..], b"->", b"::"].iter().any(|signs| before.ends_with(signs))
    }

    /// Adds the pieces of layout.
    fn add_layout(&mut self, style: Style) {
        let (may_join, is_apart) = self.may_join(style);
        let mut piece = || {
            let piece = self.piece(None);
            self.names.push(piece);
            piece as u32
        };
        let (blanks, ends, other_ends) = (piece(), piece(), piece());
        self.made.layout = Some(Layout { blanks, ends, other_ends, may_join, is_apart });
    }

    /// Returns which lines can be joined to another line, and which lines must stay separate.
    ///
    /// If indentation is significant, only lines within brackets can be joined. Directives and tokens across several lines
    /// always stay separate.
    fn may_join(&self, style: Style) -> (Vec<bool>, Vec<bool>) {
        let Pieces { tokens, text, .. } = &self.made;
        let goes_on =
            |line: usize| tokens.code(line).next_back().is_some_and(|token| tokens.all[token].bytes(text) == b"\\");
        let mut is_apart = vec![false; tokens.lines.len()];
        for line in 0..tokens.lines.len() {
            let is_directive = || {
                let first = tokens.code(line).next();
                style == Style::Slashes && first.is_some_and(|first| tokens.all[first].bytes(text) == b"#")
            };
            let is_prose = |token: &super::tokens::Token| token.kind == Kind::Inside;
            let is_on = line > 0 && is_apart[line - 1] && goes_on(line - 1);
            is_apart[line] = is_on || is_directive() || tokens.all[tokens.lines[line].clone()].iter().any(is_prose);
        }
        let within = if style == Style::Hashes { self.within() } else { vec![true; tokens.lines.len()] };
        (within, is_apart)
    }

    /// Ties the brackets of a pair, and the two ends of a tag.
    fn tie_brackets(&mut self) {
        let ends = self.made.tokens.tags.iter().flat_map(|&(tag, end)| [(tag, end), (end, tag)]);
        let pairs = self.made.pairs.iter().enumerate().filter_map(|(token, other)| Some((token, (*other)?)));
        // The end of a tag can also close it.
        let tied: BTreeSet<(usize, usize)> = pairs.chain(ends).collect();
        for (token, other) in tied {
            let is_one_line = self.made.tokens.line_of(token) == self.made.tokens.line_of(other);
            let (one, other) = (self.made.owners[token] as usize, self.made.owners[other] as usize);
            if one != other {
                if is_one_line {
                    self.made.firm.insert(one);
                }
                let needs = self.made.needs.entry(one).or_default();
                // One pair of pieces can contain two pairs of brackets.
                if !needs.contains(&Need::Item(other)) {
                    needs.push(Need::Item(other));
                }
            }
        }
    }

    /// Adds the lines that are removed with a line around a block, and the change in indentation of the block.
    fn add_frames(&mut self, outline: &Outline) {
        let made = &mut self.made;
        let ends = ends(&outline.indents);
        for (head, lines) in &outline.frames {
            let Some(frame) = made.frames.get_mut(head) else { continue };
            frame.lines.clone_from(lines);
            // The line of the last bracket, or the last line below the last clause.
            frame.last = lines.iter().map(|&line| ends[line].max(line)).max().unwrap_or(*head);
        }
        let mut least: BTreeMap<usize, usize> = BTreeMap::new();
        for (line, parent) in outline.parents.iter().enumerate() {
            let Some(parent) = parent else { continue };
            // Lines below a clause are also in the block.
            let head =
                if made.frames.contains_key(parent) { *parent } else { outline.parents[*parent].unwrap_or(*parent) };
            let Some(frame) = made.frames.get(&head) else { continue };
            if frame.lines.binary_search(&line).is_err() {
                let least = least.entry(head).or_insert(usize::MAX);
                *least = (*least).min(outline.indents[line]);
            }
        }
        for (head, frame) in &mut made.frames {
            frame.shift = least.get(head).map_or(0, |least| least.saturating_sub(outline.indents[*head]));
        }
    }

    /// Adds the lines of Python blocks, by the line with the colon.
    fn add_bodies(&mut self, outline: &Outline) {
        let Pieces { tokens, text, pairs, .. } = &self.made;
        let word = |token: usize| tokens.all[token].bytes(text);
        let begins = |line: usize| tokens.code(line).next().is_some_and(|first| BLOCKS.contains(&word(first)));
        let has_colon = |line: usize| tokens.code(line).next_back().is_some_and(|last| word(last) == b":");
        let closes_others = |line: usize| {
            tokens.code(line).any(|token| pairs[token].is_some_and(|other| other < tokens.lines[line].start))
        };
        // Find the line with the colon for the first line of each block. Open brackets can put the colon on a later line.
        let mut colons: BTreeMap<usize, usize> = BTreeMap::new();
        for line in (0..tokens.lines.len()).filter(|&line| has_colon(line)) {
            let head = if begins(line) { Some(line) } else { outline.parents[line].filter(|_| closes_others(line)) };
            if let Some(head) = head.filter(|&head| begins(head) && (head == line || !has_colon(head))) {
                colons.entry(head).or_insert(line);
            }
        }
        let mut bodies: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (line, parent) in outline.parents.iter().enumerate() {
            let Some(parent) = *parent else { continue };
            let Some(&colon) = colons.get(&parent).filter(|&&colon| colon < line) else { continue };
            let is_clause = outline.frames.get(&parent).is_some_and(|frame| frame.binary_search(&line).is_ok());
            let has_code = tokens.code(line).next().is_some()
                || tokens.all[tokens.lines[line].start..tokens.lines[line].end]
                    .iter()
                    .any(|token| token.kind == Kind::Inside);
            if !is_clause && has_code {
                bodies.entry(colon).or_default().push(line);
            }
        }
        // The replacement must not be longer than the block.
        let length = |line: &usize| tokens.lines[*line].clone().map(|token| tokens.all[token].len()).sum::<usize>();
        bodies.retain(|_, body| body.iter().map(length).sum::<usize>() >= PASS.len());
        self.made.bodies = bodies;
    }

    /// Adds a piece for each name that can be shortened.
    fn add_names(&mut self) {
        let names = parts::names(&self.made.text, &self.made.tokens);
        let mut order: Vec<(usize, Vec<u8>)> = names.iter().map(|(name, place)| (*place, name.to_vec())).collect();
        order.sort_unstable();
        let mut pieces: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        for (_, name) in order {
            let piece = self.piece(None);
            self.names.push(piece);
            pieces.insert(name, piece);
        }
        for (place, token) in self.made.tokens.all.iter().enumerate().filter(|(_, token)| token.kind == Kind::Word) {
            if let Some(&piece) = pieces.get(token.bytes(&self.made.text)) {
                self.made.shorter.insert(place, (piece as u32, Short::Name));
            }
        }
    }
}

/// Returns the last line of the indented lines after each line.
fn ends(indents: &[usize]) -> Vec<usize> {
    let mut ends: Vec<usize> = (0..indents.len()).collect();
    let mut open: Vec<usize> = Vec::new();
    for line in 0..=indents.len() {
        while let Some(&last) =
            open.last().filter(|&&last| indents.get(line).is_none_or(|&indent| indent <= indents[last]))
        {
            ends[last] = line - 1;
            open.pop();
        }
        open.push(line);
    }
    ends
}

/// Returns the number of blocks around each line. A clause has the depth of its block.
fn depths(outline: &Outline) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(outline.parents.len());
    for (line, parent) in outline.parents.iter().enumerate() {
        depths.push(parent.map_or(0, |parent| {
            let is_clause = outline.frames.get(&parent).is_some_and(|frame| frame.binary_search(&line).is_ok());
            depths[parent] + usize::from(!is_clause)
        }));
    }
    depths
}
