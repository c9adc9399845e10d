//! Writes the text of a set of pieces.

use std::collections::{HashMap, HashSet};

use super::parts::ShortNames;
use super::pieces::{Layout, PASS, Pieces, Short};
use super::tokens::Kind;
use super::types::{SHORT_TYPE, Types};
use crate::search::ChangeSet;

/// Returns the lines that are left, each with its number in the whole text.
pub(super) fn render(text: &Pieces, kept: &ChangeSet) -> Vec<(usize, Vec<u8>)> {
    let mut writer = Writer { text, kept, names: HashMap::new(), lines: Vec::new(), depths: Vec::new(), last: None };
    let (gone, shifts) = writer.unframed();
    let is_there = |&line: &usize| kept.contains(line) && !gone[line];
    let lines: Vec<usize> = (0..text.tokens.lines.len()).filter(is_there).collect();
    writer.names = writer.short_names(&lines);
    for line in lines {
        writer.line(line, shifts[line]);
    }
    match &text.layout {
        Some(layout) => joined(writer.lines, text, layout, kept),
        None => writer.lines,
    }
}

fn joined(lines: Vec<(usize, Vec<u8>)>, text: &Pieces, layout: &Layout, kept: &ChangeSet) -> Vec<(usize, Vec<u8>)> {
    let has_comment = |line: usize| {
        let is_left = |token: usize| kept.contains(text.owners[token] as usize);
        text.tokens.lines[line].clone().any(|token| text.tokens.all[token].kind == Kind::Comment && is_left(token))
    };
    let is_apart = |line: usize| layout.is_apart[line] || has_comment(line);
    let [keeps_ends, keeps_others] = [layout.ends, layout.other_ends].map(|piece| kept.contains(piece as usize));
    if keeps_ends && keeps_others {
        return lines;
    }
    let mut made: Vec<(usize, Vec<u8>)> = Vec::new();
    let mut before: Option<usize> = None;
    for (line, bytes) in lines {
        // All lines between them are gone.
        let may_join = before.is_some_and(|before| {
            !is_apart(before) && !is_apart(line) && layout.may_join[before + 1..=line].iter().all(|&may| may)
        });
        before = Some(line);
        let Some((_, last)) = made.last_mut().filter(|_| may_join) else {
            made.push((line, bytes));
            continue;
        };
        let (one, other) = (last.trim_ascii_end(), bytes.trim_ascii_start());
        let is_clear = matches!(one.last(), Some(b',' | b';' | b'(' | b'[' | b'{'))
            || matches!(other.first(), Some(b')' | b']' | b'}'));
        if one.is_empty() || other.is_empty() || (if is_clear { keeps_ends } else { keeps_others }) {
            made.push((line, bytes));
            continue;
        }
        let needs_blank = text.separates(one.last().copied(), other.first().copied());
        let length = one.len();
        last.truncate(length);
        if needs_blank {
            last.push(b' ');
        }
        last.extend(other);
    }
    if let Some((_, last)) = made.last_mut().filter(|_| !keeps_others) {
        last.truncate(last.trim_ascii_end().len());
    }
    made
}

impl Pieces {
    /// Returns whether two tokens would merge without a space between them.
    fn separates(&self, before: Option<u8>, after: Option<u8>) -> bool {
        let is_sign = |byte: u8| {
            byte.is_ascii_punctuation() && !matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b';')
        };
        match before.zip(after) {
            Some((b'>', b'<')) if !self.tokens.tags.is_empty() => false,
            Some((before, after)) => is_word(before) && is_word(after) || is_sign(before) && is_sign(after),
            None => false,
        }
    }
}

/// Returns whether the line so far is `#define` and a name. A bracket directly after the name, or after a backslash, would
/// start parameters.
fn ends_macro_name(written: &[u8], after: Option<u8>) -> bool {
    let name = || {
        let named = written.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start().strip_prefix(b"define")?;
        named.first()?.is_ascii_whitespace().then_some(named.trim_ascii_start())
    };
    let is_name = |name: &[u8]| !name.is_empty() && name.iter().all(|&byte| is_word(byte) || byte == b'$');
    matches!(after, Some(b'(' | b'\\')) && name().is_some_and(is_name)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

struct Writer<'a> {
    text: &'a Pieces,
    kept: &'a ChangeSet,
    /// The short forms of names.
    names: HashMap<&'a [u8], Vec<u8>>,
    lines: Vec<(usize, Vec<u8>)>,
    /// For each line so far, the number of blocks around it whose first lines are left.
    depths: Vec<usize>,
    /// The last written token that is neither layout nor a comment, with the output offset if it is a comma.
    last: Option<(usize, usize, usize)>,
}

impl<'a> Writer<'a> {
    /// Chooses unique short forms for the names on these lines, in order of occurrence. Types become `int`.
    fn short_names(&self, lines: &[usize]) -> HashMap<&'a [u8], Vec<u8>> {
        let Pieces { text, tokens, owners, shorter, .. } = self.text;
        let mut taken: HashSet<&[u8]> = HashSet::new();
        let mut wanted: Vec<&[u8]> = Vec::new();
        let places = lines.iter().flat_map(|&line| tokens.lines[line].clone());
        for place in places.filter(|&place| tokens.all[place].kind == Kind::Word) {
            if !self.kept.contains(owners[place] as usize) {
                continue;
            }
            let word = tokens.all[place].bytes(text);
            if taken.insert(word) && shorter.get(&place).is_some_and(|(piece, _)| !self.kept.contains(*piece as usize))
            {
                wanted.push(word);
            }
        }
        let types = if wanted.is_empty() { Types::default() } else { self.types(lines) };
        let mut names = ShortNames::beside(taken);
        let short = |word: &'a [u8]| {
            let is_type = word.len() > SHORT_TYPE.len() && types.has(word);
            (word, if is_type { SHORT_TYPE.to_vec() } else { names.for_name(word) })
        };
        wanted.into_iter().map(short).collect()
    }

    /// Returns the names that occur as types in the rest of these lines.
    fn types(&self, lines: &[usize]) -> Types<'a> {
        let mut types = Types::default();
        for &line in lines.iter().filter(|_| self.text.has_types) {
            let is_left = |&place: &usize| self.kept.contains(self.text.owners[place] as usize);
            types.read(self.text, &self.text.tokens.code(line).filter(is_left).collect::<Vec<_>>());
        }
        types
    }

    /// Returns the removed lines around blocks, and the bytes of indentation to remove from each line.
    fn unframed(&self) -> (Vec<bool>, Vec<usize>) {
        let count = self.text.tokens.lines.len();
        let (mut gone, mut ends) = (vec![false; count], vec![0; count + 1]);
        let mut bytes = 0usize;
        let mut shifts = Vec::with_capacity(count);
        for line in 0..count {
            bytes -= ends[line];
            let frame = self.text.frames.get(&line).filter(|frame| !self.kept.contains(frame.piece as usize));
            if let Some(frame) = frame {
                frame.lines.iter().for_each(|&line| gone[line] = true);
                bytes += frame.shift;
                ends[frame.last + 1] += frame.shift;
            }
            shifts.push(bytes);
        }
        (gone, shifts)
    }

    /// Returns the number of blocks around a line whose first lines are left. Lines must be requested in ascending order.
    fn depth(&mut self, line: usize) -> usize {
        let Pieces { parents, depths, .. } = self.text;
        for line in self.depths.len()..=line {
            // A parent comes before its line, so its depth is known.
            let depth = parents[line].map_or(0, |above| {
                let is_left = self.lines.binary_search_by_key(&above, |(written, _)| *written).is_ok();
                self.depths[above] + if is_left { depths[line].saturating_sub(depths[above]) } else { 0 }
            });
            self.depths.push(depth);
        }
        self.depths[line]
    }

    /// Returns whether unnecessary spaces are removed.
    fn is_squeezed(&self) -> bool {
        self.text.layout.as_ref().is_some_and(|layout| !self.kept.contains(layout.blanks as usize))
    }

    fn line(&mut self, line: usize, shift: usize) {
        let Pieces { text, tokens, owners, .. } = self.text;
        let squeezed = self.is_squeezed();
        let mut out: Vec<u8> = Vec::new();
        let range = tokens.lines[line].clone();
        let following = if squeezed { self.following(line) } else { Vec::new() };
        // Whether a token was removed directly before, or anywhere on the line.
        let (mut is_behind_gap, mut has_gap) = (false, false);
        for place in range.clone() {
            let token = &tokens.all[place];
            if !self.kept.contains(owners[place] as usize) {
                is_behind_gap = true;
                continue;
            }
            let mut bytes = token.bytes(text);
            out.extend(self.in_place_of_comment(place, &out));
            match token.kind {
                Kind::Blank if place == range.start && squeezed => {
                    bytes = &bytes[bytes.len() - self.depth(line).min(bytes.len())..];
                }
                Kind::Blank if place == range.start => bytes = &bytes[shift.min(bytes.len())..],
                // A removed token must not leave two spaces.
                Kind::Blank if is_behind_gap && out.last().is_none_or(|&last| last == b' ' || last == b'\t') => {
                    continue;
                }
                Kind::Blank if squeezed => {
                    let next = following[place - range.start];
                    if !self.text.separates(out.last().copied(), next) && !ends_macro_name(&out, next) {
                        continue;
                    }
                    bytes = b" ";
                }
                _ => {}
            }
            has_gap |= is_behind_gap;
            if matches!(bytes, b")" | b"]" | b"}") {
                self.end_list(line, &mut out);
            }
            // Space after a removed token is not needed here.
            if has_gap && (token.kind == Kind::End || token.closes() && is_behind_gap) {
                out.truncate(out.trim_ascii_end().len());
            }
            is_behind_gap = false;
            if token.kind == Kind::Comma && self.is_needless(place) {
                is_behind_gap = true;
                continue;
            }
            if token.is_code() {
                self.last = Some((place, line, out.len()));
            }
            out.extend(self.shortened(place, bytes));
        }
        self.complete(line, &mut out);
        // The line is empty, or had only layout that is removed.
        let is_layout = || tokens.all[range].iter().all(|token| matches!(token.kind, Kind::Blank | Kind::End));
        if out.iter().all(u8::is_ascii_whitespace) && (has_gap || is_behind_gap || squeezed && is_layout()) {
            return;
        }
        self.lines.push((line, out));
    }

    /// Returns a token, or its short form.
    fn shortened<'b>(&'b self, place: usize, bytes: &'b [u8]) -> &'b [u8] {
        match self.text.shorter.get(&place) {
            Some((piece, short)) if !self.kept.contains(*piece as usize) => match short {
                Short::Value(short) => short,
                Short::Name => self.names.get(bytes).map_or(bytes, Vec::as_slice),
            },
            _ => bytes,
        }
    }

    /// Returns the replacement of a comment that separated this token from the text before it.
    fn in_place_of_comment(&self, place: usize, written: &[u8]) -> &'static [u8] {
        let Pieces { text, tokens, owners, .. } = self.text;
        let next = tokens.all[place].bytes(text).first().copied();
        let mut went = (0..place).rev().take_while(|&before| !self.kept.contains(owners[before] as usize));
        let is_one = self.text.separates(written.last().copied(), next) || ends_macro_name(written, next);
        if is_one && went.any(|before| tokens.all[before].kind == Kind::Comment) { b" " } else { b"" }
    }

    /// Returns the next token of the whole text that is neither layout nor a comment.
    fn code_after(&self, place: usize) -> Option<usize> {
        (place + 1..self.text.tokens.all.len()).find(|&next| self.text.tokens.all[next].is_code())
    }

    /// Removes the comma before a bracket if everything after the comma is gone.
    fn end_list(&mut self, line: usize, out: &mut Vec<u8>) {
        let Some((comma, of_line, at)) = self.last else { return };
        let tokens = &self.text.tokens.all;
        if tokens[comma].kind != Kind::Comma {
            return;
        }
        if self.code_after(comma).is_some_and(|next| tokens[next].kind == Kind::Close) {
            return;
        }
        if of_line == line {
            out.remove(at);
            if out.get(at..).is_some_and(|rest| rest.iter().all(|&byte| byte == b' ')) {
                out.truncate(at);
            }
        } else if let Some((_, written)) = self.lines.iter_mut().rev().find(|(number, _)| *number == of_line) {
            written.remove(at);
        }
    }

    /// Returns whether the element before a comma is gone.
    fn is_needless(&self, comma: usize) -> bool {
        let tokens = &self.text.tokens.all;
        let Some((last, ..)) = self.last else { return false };
        let is_list_mark = matches!(tokens[last].kind, Kind::Open | Kind::Comma);
        is_list_mark && self.code_after(last) != Some(comma)
    }

    /// Returns, for each token of a line, the first byte of the next remaining token that is not a space.
    fn following(&self, line: usize) -> Vec<Option<u8>> {
        let Pieces { text, tokens, owners, .. } = self.text;
        let mut next = None;
        let before = |place: usize| {
            let token = &tokens.all[place];
            let is_left = token.kind != Kind::Blank && self.kept.contains(owners[place] as usize);
            let own = if is_left { token.bytes(text).first().copied() } else { next };
            std::mem::replace(&mut next, own)
        };
        let mut following: Vec<Option<u8>> = tokens.lines[line].clone().rev().map(before).collect();
        following.reverse();
        following
    }

    /// Completes an empty Python block.
    fn complete(&self, line: usize, out: &mut Vec<u8>) {
        let Some(body) = self.text.bodies.get(&line) else { return };
        if body.iter().any(|&inner| self.kept.contains(inner)) {
            return;
        }
        let code = out.trim_ascii_end().len();
        if out[..code].ends_with(b":") {
            let end = out.split_off(code);
            out.extend(if self.is_squeezed() { PASS.trim_ascii_start() } else { PASS });
            out.extend(end);
        }
    }
}
