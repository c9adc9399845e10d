//! Texts: programs, documents and configurations, in pieces any of which may be left out or become shorter.
//!
//! [`Text::parse`] takes a text apart without a grammar, by its lines, brackets, indentation and commas, and [`Text::subset`]
//! puts any of the pieces together again. [`ReductionConfig::in_text`](crate::ReductionConfig::in_text) says in which order a
//! reduction tries them.

mod brackets;
mod outline;
mod parts;
mod render;
mod style;
mod tokens;

use std::collections::BTreeMap;
use std::sync::Arc;

use style::Style;
use tokens::{Kind, Token, Tokens};

use crate::error::Error;
use crate::reduction::Need;
use crate::search::ChangeSet;

/// A text in pieces.
///
/// A *piece* is a line, or a part of one that may go or become shorter while the line stays: a comment, an element of a list
/// in brackets, what is between the quotes of a quoted text, the digits of a number, the line around a block (without it the
/// block stands alone), a name (without it each mention is a shorter name). Lines are numbered from 0, parts after all lines
/// in the order of the text; names come last.
///
/// A line stands below the last one whose brackets are open, or else below the last one before it that is indented less. A
/// line that closes brackets of another goes with it, `else` and its like need what they go on with.
///
/// What is put together is as the whole was, with two exceptions: the comma before a bracket goes when what was behind it
/// went, and a block that ends with a colon and has nothing left in it gets `pass`, where its first word is one of Python's.
///
/// ```
/// use firstbad::Text;
/// let text = Text::parse(b"f(1, \"two\")\ng()\n", false)?;
/// let without = |gone: &[usize]| {
///     let kept = (0..text.len()).filter(|piece| !gone.contains(piece)).collect();
///     String::from_utf8_lossy(&text.subset(&kept)).into_owned()
/// };
/// assert_eq!(without(&[]), "f(1, \"two\")\ng()\n");
/// assert_eq!(without(&[1]), "f(1, \"two\")\n");
/// assert_eq!(without(&[3, 4]), "f(1)\ng()\n");
/// assert_eq!(without(&[4]), "f(1, \"\")\ng()\n");
/// # Ok::<(), firstbad::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Text {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    text: Vec<u8>,
    tokens: Tokens,
    pairs: Vec<Option<usize>>,
    /// In how many blocks each line is, where that has to stay to be seen.
    depths: Vec<usize>,
    /// How many pieces there are; the first ones are the lines.
    count: usize,
    /// The piece that each token goes with, and that in whose absence it is shorter.
    owners: Vec<u32>,
    shorter: BTreeMap<usize, (u32, Short)>,
    /// By line: the piece without which it does not stand around its block, the lines that are gone then with it, and how far
    /// those within move to the left.
    frames: BTreeMap<usize, Frame>,
    /// The lines below each line that ends with a colon and begins a block of Python.
    bodies: BTreeMap<usize, Vec<usize>>,
    /// What is known of them for a reduction.
    parents: Vec<Option<usize>>,
    needs: BTreeMap<usize, Vec<Need>>,
    later: Vec<Vec<usize>>,
    /// The piece that goes when blanks that only lay the text out go; `None` if it is not told apart.
    layout: Option<u32>,
}

/// What a token becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Short {
    Value(&'static [u8]),
    Name(Vec<u8>),
}

#[derive(Debug)]
struct Frame {
    piece: u32,
    lines: Vec<usize>,
    /// The last line in it.
    last: usize,
    shift: usize,
}

/// First words of what has a block in Python.
const BLOCKS: [&[u8]; 14] = [
    b"def", b"class", b"if", b"elif", b"else", b"for", b"while", b"try", b"except", b"finally", b"with", b"async",
    b"match", b"case",
];

impl Text {
    /// Takes a text apart; with `fine` as far as single words and signs, and the blanks that lay it out. Bytes need not be
    /// UTF-8. O(length).
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a text without a byte, or one of more than [`ChangeSet::MOST`] bytes.
    pub fn parse(text: &[u8], fine: bool) -> Result<Text, Error> {
        if text.is_empty() {
            return Err(Error::invalid("text", "an empty one", "something to reduce"));
        }
        if text.len() > ChangeSet::MOST {
            let given = format!("one of {} bytes", text.len());
            return Err(Error::invalid_value("text", given, format!("at most {} bytes", ChangeSet::MOST)));
        }
        let style = Style::of(text);
        let tokens = tokens::tokens(text, style);
        let pairs = brackets::pairs(text, &tokens);
        let outline = outline::outline(text, &tokens, &pairs, style);
        Ok(Text { inner: Arc::new(Builder::new(text, tokens, pairs, &outline).build(&outline, style, fine)) })
    }

    /// How many pieces there are.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a text has a piece")]
    pub fn len(&self) -> usize {
        self.inner.count
    }

    /// The text itself.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.inner.text
    }

    /// How many lines it has.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.inner.tokens.lines.len()
    }

    /// The text with these pieces alone. O(length).
    #[must_use]
    pub fn subset(&self, kept: &ChangeSet) -> Vec<u8> {
        render::render(&self.inner, kept).into_iter().flat_map(|(_, line)| line).collect()
    }

    /// The same by lines, each with its number in the whole text, from 0.
    #[must_use]
    pub fn lines_of(&self, kept: &ChangeSet) -> Vec<(usize, Vec<u8>)> {
        render::render(&self.inner, kept)
    }

    /// For each piece the index of the one that it is part of, or stands below.
    #[must_use]
    pub fn parents(&self) -> &[Option<usize>] {
        &self.inner.parents
    }

    /// What pieces need beside that, by index.
    #[must_use]
    pub fn dependencies(&self) -> &BTreeMap<usize, Vec<Need>> {
        &self.inner.needs
    }

    /// The pieces that are tried by themselves only after all lines, in passes.
    #[must_use]
    pub fn later(&self) -> &[Vec<usize>] {
        &self.inner.later
    }
}

/// The tree of a text's lines, for [`ReductionConfig::parents`](crate::ReductionConfig::parents) and
/// [`ReductionConfig::dependencies`](crate::ReductionConfig::dependencies): that of [`Text`].
///
/// ```
/// use firstbad::text::outline;
/// let (parents, dependencies) = outline(["if a {", "  b", "}", "c"]);
/// assert_eq!(parents, [None, Some(0), Some(0), None]);
/// assert_eq!(dependencies.into_keys().collect::<Vec<_>>(), [0]);
/// ```
#[must_use]
pub fn outline<'a>(lines: impl IntoIterator<Item = &'a str>) -> (Vec<Option<usize>>, BTreeMap<usize, Vec<Need>>) {
    let mut text = Vec::new();
    for line in lines {
        let line = line.strip_suffix('\n').unwrap_or(line);
        // A line end within an item is none of the text's.
        text.extend(line.bytes().map(|byte| if byte == b'\n' { b' ' } else { byte }));
        text.push(b'\n');
    }
    let style = Style::of(&text);
    let tokens = tokens::tokens(&text, style);
    let pairs = brackets::pairs(&text, &tokens);
    let outline = outline::outline(&text, &tokens, &pairs, style);
    (outline.parents, outline.needs)
}

/// The pieces, while they are numbered.
struct Builder {
    made: Inner,
    comments: Vec<usize>,
    frames: Vec<usize>,
    elements: Vec<Vec<usize>>,
    values: Vec<usize>,
    names: Vec<usize>,
    words: Vec<usize>,
}

impl Builder {
    fn new(text: &[u8], tokens: Tokens, pairs: Vec<Option<usize>>, outline: &outline::Outline) -> Self {
        let owners = vec![0; tokens.all.len()];
        let made = Inner {
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
            later: Vec::new(),
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
            words: Vec::new(),
        }
    }

    /// A piece more, which is part of another one.
    fn piece(&mut self, parent: Option<usize>) -> usize {
        self.made.parents.push(parent);
        self.made.count += 1;
        self.made.count - 1
    }

    fn build(mut self, outline: &outline::Outline, style: Style, fine: bool) -> Inner {
        let within = self.within();
        for (line, is_within) in within.into_iter().enumerate() {
            self.add_line(line, is_within, outline, fine);
        }
        self.add_frames(outline);
        self.made.depths = if style == Style::Slashes { vec![0; outline.parents.len()] } else { depths(outline) };
        if style != Style::Slashes {
            self.add_bodies(outline);
        }
        self.add_names();
        if fine {
            self.tie_brackets();
            let layout = self.piece(None);
            self.made.layout = Some(layout as u32);
            self.names.push(layout);
        }
        let mut later = vec![self.frames, self.comments];
        later.append(&mut self.elements);
        later.extend([self.values, self.words, self.names]);
        later.retain(|pass| !pass.is_empty());
        self.made.later = later;
        self.made
    }

    /// Whether each line is within brackets of others.
    fn within(&self) -> Vec<bool> {
        let Inner { tokens, pairs, .. } = &self.made;
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

    fn add_line(&mut self, line: usize, is_within: bool, outline: &outline::Outline, fine: bool) {
        let own = line;
        let range = self.made.tokens.lines[line].clone();
        self.made.owners[range.clone()].fill(own as u32);
        if outline.frames.contains_key(&line) {
            let frame = self.piece(Some(own));
            self.made.frames.insert(line, Frame { piece: frame as u32, lines: Vec::new(), last: line, shift: 0 });
            self.frames.push(frame);
        }
        let elements = parts::elements(&self.made.text, &self.made.tokens, &self.made.pairs, line, is_within);
        // Elements and parts of them in the order of the line.
        let mut next = 0;
        let mut numbers: Vec<usize> = Vec::with_capacity(elements.len());
        let mut open: Vec<usize> = Vec::new();
        for token in range.clone() {
            while open.last().is_some_and(|&element| elements[element].end <= token) {
                open.pop();
            }
            while let Some(element) = elements.get(next).filter(|element| element.start == token) {
                let parent = element.parent.map_or(own, |parent| numbers[parent]);
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

    /// What of a token may go, or become shorter.
    fn add_part(&mut self, token: usize, owner: usize, fine: bool) {
        let Token { kind, .. } = self.made.tokens.all[token];
        if kind == Kind::Comment {
            let line = self.made.tokens.line_of(token);
            // One that has a line of its own is that.
            if self.made.tokens.code(line).next().is_some() {
                let comment = self.piece(Some(owner));
                self.made.owners[token] = comment as u32;
                self.comments.push(comment);
            }
            return;
        }
        let mut owner = owner;
        if fine && self.made.tokens.all[token].is_code() {
            let joins = token.checked_sub(1).filter(|&before| {
                let is_sign = |token: usize| self.made.tokens.all[token].kind == Kind::Other;
                is_sign(before) && is_sign(token) && self.words.last() == Some(&(self.made.owners[before] as usize))
            });
            owner = match joins {
                // Signs that stand together are one.
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

    /// Brackets go together.
    fn tie_brackets(&mut self) {
        for token in 0..self.made.pairs.len() {
            let Some(other) = self.made.pairs[token] else { continue };
            let (one, other) = (self.made.owners[token] as usize, self.made.owners[other] as usize);
            if one != other {
                self.made.needs.entry(one).or_default().push(Need::Item(other));
            }
        }
    }

    /// What is gone with a line around a block, and how far what is in it moves then.
    fn add_frames(&mut self, outline: &outline::Outline) {
        let made = &mut self.made;
        let ends = ends(&outline.indents);
        for (head, lines) in &outline.frames {
            let Some(frame) = made.frames.get_mut(head) else { continue };
            frame.lines.clone_from(lines);
            // That of its last bracket, or of what stands below its last clause.
            let last = lines.last().copied().unwrap_or(*head);
            frame.last = ends[last].max(last);
        }
        let mut least: BTreeMap<usize, usize> = BTreeMap::new();
        for (line, parent) in outline.parents.iter().enumerate() {
            let Some(parent) = parent else { continue };
            // What stands below a clause is in the block, too.
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

    /// Which lines are in blocks of Python.
    fn add_bodies(&mut self, outline: &outline::Outline) {
        let Inner { tokens, text, .. } = &self.made;
        let is_head = |line: usize| {
            let mut code = tokens.code(line);
            let first = code.next().map(|token| tokens.all[token].bytes(text));
            let last = code.next_back().map(|token| tokens.all[token].bytes(text));
            last == Some(b":") && first.is_some_and(|first| BLOCKS.contains(&first))
        };
        let heads: Vec<bool> = (0..tokens.lines.len()).map(is_head).collect();
        let mut bodies: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (line, parent) in outline.parents.iter().enumerate() {
            let Some(parent) = parent.filter(|&parent| heads[parent]) else { continue };
            let is_clause = outline.frames.get(&parent).is_some_and(|frame| frame.binary_search(&line).is_ok());
            let has_code = tokens.code(line).next().is_some()
                || tokens.all[tokens.lines[line].start..tokens.lines[line].end]
                    .iter()
                    .any(|token| token.kind == Kind::Inside);
            if !is_clause && has_code {
                bodies.entry(parent).or_default().push(line);
            }
        }
        self.made.bodies = bodies;
    }

    /// A piece for each name that may become shorter.
    fn add_names(&mut self) {
        let names = parts::names(&self.made.text, &self.made.tokens);
        let mut order: Vec<(usize, Vec<u8>, Vec<u8>)> =
            names.iter().map(|(name, (place, short))| (*place, name.to_vec(), short.clone())).collect();
        order.sort();
        let mut pieces: BTreeMap<Vec<u8>, (usize, Vec<u8>)> = BTreeMap::new();
        for (_, name, short) in order {
            let piece = self.piece(None);
            self.names.push(piece);
            pieces.insert(name, (piece, short));
        }
        for (place, token) in self.made.tokens.all.iter().enumerate().filter(|(_, token)| token.kind == Kind::Word) {
            if let Some((piece, short)) = pieces.get(token.bytes(&self.made.text)) {
                self.made.shorter.insert(place, (*piece as u32, Short::Name(short.clone())));
            }
        }
    }
}

/// For each line the last one behind it that is indented more, without one between them that is not.
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

/// In how many blocks each line is; a clause is where the block begins that it goes on with.
fn depths(outline: &outline::Outline) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(outline.parents.len());
    for (line, parent) in outline.parents.iter().enumerate() {
        depths.push(parent.map_or(0, |parent| {
            let is_clause = outline.frames.get(&parent).is_some_and(|frame| frame.binary_search(&line).is_ok());
            depths[parent] + usize::from(!is_clause)
        }));
    }
    depths
}
