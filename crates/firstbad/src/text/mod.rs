//! Texts: programs, documents and configurations, in pieces any of which may be left out or become shorter.
//!
//! [`Text::parse`] takes a text apart without a grammar, by its lines, brackets (words and tags that end blocks among them),
//! indentation and commas, and [`Text::subset`] puts any of the pieces together again.
//! [`ReductionConfig::in_text`](crate::ReductionConfig::in_text) says in which order a reduction tries them.

mod brackets;
mod elements;
mod outline;
mod parts;
mod pieces;
mod recent;
mod render;
mod repeats;
mod style;
mod tokens;
mod types;

use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) use outline::{decides, leaves};
use pieces::Pieces;
use recent::Recent;
use style::Style;

use crate::error::Error;
use crate::items::digest::{Item, digest};
use crate::items::needs::Need;
use crate::items::repeats::Repeat;
use crate::search::ChangeSet;

/// A text in pieces.
///
/// A *piece* is a line, or a part of one that may go or become shorter while the line stays: a comment, an element of a list
/// in brackets, a statement on a line of 500 bytes or more, what is between the quotes of a quoted text, the digits of a
/// number, the line around a block (without it the block stands alone), a name (without it each mention is a shorter name,
/// or `int` where a type stands as in C). In a text that begins with a tag (XML, HTML) also an element, the text beside one, an
/// attribute, and the tags around what is between them. Lines are numbered from 0, parts after all lines in the order of the text;
/// names come last.
///
/// A line stands below the last one whose brackets or tags are open, or else below the last one before it that is indented
/// less. A line that closes brackets of another goes with it, `else` and its like need what they go on with.
///
/// What is put together is as the whole was, with three inconsistent: the comma before a bracket goes when what was behind it
/// went, a blank takes the place of a comment that kept apart what would be one, and a block that ends with a colon and has
/// nothing left in it gets `pass`, where its first word is one of Python's and what was in it was no shorter.
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
    inner: Arc<Pieces>,
    files: Arc<Files>,
    recent: Arc<Recent>,
}

/// The files of a text.
#[derive(Debug)]
struct Files {
    /// The first line of each.
    firsts: Vec<usize>,
    /// The last lines of files that have no line end; it was put there.
    unended: Vec<usize>,
}

impl Text {
    /// Takes a text apart; with `fine` as far as single words and signs, and the blanks that lay it out. Bytes need not be
    /// UTF-8. O(length).
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a text without a byte, or one of more than [`ChangeSet::MOST`] bytes.
    pub fn parse(text: &[u8], fine: bool) -> Result<Text, Error> {
        Text::of_files(&[text], fine)
    }

    /// Takes several texts apart that are reduced together, as one: a name becomes the same in all of them. They are
    /// numbered on, lines of all of them first.
    ///
    /// ```
    /// use firstbad::Text;
    /// let text = Text::of_files(&[b"int a;\n", b"b();\nc();"], false)?;
    /// assert_eq!(text.line_count(), 3);
    /// assert_eq!(text.files_of(&[0, 2].into_iter().collect()), [b"int a;\n".to_vec(), b"c();".to_vec()]);
    /// # Ok::<(), firstbad::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Text::parse`], of all of them together.
    pub fn of_files(files: &[&[u8]], fine: bool) -> Result<Text, Error> {
        let length: usize = files.iter().map(|file| file.len() + 1).sum();
        if files.iter().all(|file| file.is_empty()) {
            return Err(Error::invalid_value("text", "an empty one".to_owned(), "something to reduce"));
        }
        if length > ChangeSet::MOST + 1 {
            let given = format!("one of {} bytes", length - 1);
            return Err(Error::invalid_value("text", given, format!("at most {} bytes", ChangeSet::MOST)));
        }
        let (mut text, mut ends, mut unended) = (Vec::with_capacity(length), Vec::new(), Vec::new());
        for (number, file) in files.iter().enumerate() {
            text.extend_from_slice(file);
            if number + 1 < files.len() {
                if file.last().is_some_and(|&last| last != b'\n') {
                    text.push(b'\n');
                    unended.push(number);
                }
                ends.push(text.len());
            }
        }
        let inner = Pieces::of(&text, &ends, fine);
        let firsts = [0].into_iter().chain(ends.into_iter().map(|end| inner.tokens.line_at(end)));
        let firsts: Vec<usize> = firsts.collect();
        let unended = unended.into_iter().map(|number| firsts[number + 1] - 1).collect();
        Ok(Text { inner: Arc::new(inner), files: Arc::new(Files { firsts, unended }), recent: Arc::default() })
    }

    /// How many files it is.
    #[must_use]
    pub fn file_count(&self) -> usize {
        self.files.firsts.len()
    }

    /// Each file with these pieces alone. O(length); of the few sets that were asked about last, no more than to copy them.
    #[must_use]
    pub fn files_of(&self, kept: &ChangeSet) -> Vec<Vec<u8>> {
        self.recent.files(kept, || self.made_of(kept))
    }

    fn made_of(&self, kept: &ChangeSet) -> Vec<Vec<u8>> {
        let mut files = vec![Vec::new(); self.file_count()];
        let mut number = 0;
        for (line, bytes) in self.lines_of(kept) {
            while self.files.firsts.get(number + 1).is_some_and(|&first| first <= line) {
                number += 1;
            }
            let is_unended = self.files.unended.binary_search(&line).is_ok();
            files[number].extend(if is_unended { bytes.strip_suffix(b"\n").unwrap_or(&bytes) } else { &bytes });
        }
        files
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

    /// What it is, in one word, as [`digest`] has it: each file an item, a text, or bytes where it is no UTF-8.
    #[must_use]
    pub fn digest(&self) -> Option<String> {
        let files = self.files_of(&ChangeSet::all(self.len()));
        digest(files.iter().map(|file| std::str::from_utf8(file).map_or(Item::Bytes(file), Item::Text)))
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

    /// The pieces without which a block stands alone.
    pub(crate) fn frames(&self) -> impl Iterator<Item = usize> + '_ {
        self.inner.frames.values().map(|frame| frame.piece as usize)
    }

    /// Whether a piece has needs that are no guess.
    pub(crate) fn is_firm(&self, piece: usize) -> bool {
        self.inner.firm.contains(&piece)
    }

    /// Finds the equal lines and blocks that follow one another. O(length).
    pub(crate) fn repeats(&self) -> Vec<Repeat> {
        repeats::repeats(&self.inner, &self.files.firsts)
    }

    /// What pieces need beside that, by index.
    #[must_use]
    pub fn dependencies(&self) -> &BTreeMap<usize, Vec<Need>> {
        &self.inner.needs
    }

    /// The pieces that are tried by themselves only when all blocks of lines were gone through, in passes: first the lines that
    /// have nothing below them, level by level, the deepest first, then what is in lines.
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
pub fn outline(lines: impl IntoIterator<Item: AsRef<str>>) -> (Vec<Option<usize>>, BTreeMap<usize, Vec<Need>>) {
    let mut text = Vec::new();
    for line in lines {
        let line = line.as_ref();
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
