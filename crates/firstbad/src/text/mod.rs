//! Texts: programs, documents, and configuration files in pieces that can be removed or shortened.
//!
//! [`Text::parse`] divides a text without a grammar, by its lines, brackets, indentation, and commas. Words and tags that
//! end blocks count as brackets. [`Text::subset`] joins any of the pieces again.
//! [`ReductionConfig::in_text`](crate::ReductionConfig::in_text) determines the order in which a reduction tries to remove
//! them.

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
/// A *piece* is a line, or a part of a line that can be removed or shortened while the line stays:
///
/// - a comment, an element of a list in brackets, or a statement on a line of at least 500 bytes
/// - the content of a quoted string, or the digits of a number
/// - the line around a block, without which the block stands alone
/// - a name, without which each mention becomes a shorter name, or `int` if it is the name of a type as in C
/// - in a text that starts with a tag (XML, HTML): an element, the text next to an element, an attribute, or the tags around
///   some content
///
/// Lines are numbered from 0. The parts of lines come next, in the order of the text, and names come last.
///
/// The parent of a line is the last line whose brackets or tags are still open. If there is none, the parent is the last
/// previous line with less indentation. A line that closes brackets of another line stays with that line. A line such as
/// `else` needs the clause that it continues.
///
/// A subset contains the original bytes, with three exceptions. The comma before a closing bracket is removed if everything
/// after the comma is gone. A space replaces a comment if the comment separated two tokens that would otherwise merge. A
/// Python block that starts with a Python keyword, ends with a colon, and lost all its content gets `pass`, unless `pass` is
/// longer than the lost content.
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

#[derive(Debug)]
struct Files {
    /// The first line of each file.
    firsts: Vec<usize>,
    /// The last lines of files that have no line end. A line end was added to each.
    unended: Vec<usize>,
}

impl Text {
    /// Divides a text into pieces. O(length).
    ///
    /// With `fine`, pieces are as small as single words, signs, and the whitespace for layout. The text need not be valid
    /// UTF-8.
    ///
    /// # Errors
    /// Returns [`Error::InvalidArgument`] if the text is empty or has more than [`ChangeSet::MOST`] bytes.
    pub fn parse(text: &[u8], fine: bool) -> Result<Text, Error> {
        Text::of_files(&[text], fine)
    }

    /// Divides several texts that are reduced together. A name is shortened to the same name in all of them.
    ///
    /// Pieces are numbered through all texts, with the lines of all texts first.
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
    /// Returns [`Error::InvalidArgument`] if all texts together are empty or have more than [`ChangeSet::MOST`] bytes.
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

    /// Returns the number of files.
    #[must_use]
    pub fn file_count(&self) -> usize {
        self.files.firsts.len()
    }

    /// Returns each file with only these pieces. O(length). The most recent sets are cached.
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

    /// Returns the number of pieces.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a text has a piece")]
    pub fn len(&self) -> usize {
        self.inner.count
    }

    /// Returns the whole text.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.inner.text
    }

    /// Returns a [`digest`] that identifies the text. Each file is an item: text, or bytes if it is not valid UTF-8.
    #[must_use]
    pub fn digest(&self) -> Option<String> {
        let files = self.files_of(&ChangeSet::all(self.len()));
        digest(files.iter().map(|file| std::str::from_utf8(file).map_or(Item::Bytes(file), Item::Text)))
    }

    /// Returns the number of lines.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.inner.tokens.lines.len()
    }

    /// Returns the text with only these pieces. O(length).
    #[must_use]
    pub fn subset(&self, kept: &ChangeSet) -> Vec<u8> {
        render::render(&self.inner, kept).into_iter().flat_map(|(_, line)| line).collect()
    }

    /// Returns the lines of [`Text::subset`], each with its number in the whole text, from 0.
    #[must_use]
    pub fn lines_of(&self, kept: &ChangeSet) -> Vec<(usize, Vec<u8>)> {
        render::render(&self.inner, kept)
    }

    /// Returns the parent of each piece: the piece that it is a part of, or the line above it in the tree.
    #[must_use]
    pub fn parents(&self) -> &[Option<usize>] {
        &self.inner.parents
    }

    /// Returns the pieces without which a block stands alone.
    pub(crate) fn frames(&self) -> impl Iterator<Item = usize> + '_ {
        self.inner.frames.values().map(|frame| frame.piece as usize)
    }

    /// Returns whether the needs of a piece are certain.
    pub(crate) fn is_firm(&self, piece: usize) -> bool {
        self.inner.firm.contains(&piece)
    }

    /// Finds equal lines and blocks that follow one another. O(length).
    pub(crate) fn repeats(&self) -> Vec<Repeat> {
        repeats::repeats(&self.inner, &self.files.firsts)
    }

    /// Returns the further dependencies of pieces, by index.
    #[must_use]
    pub fn dependencies(&self) -> &BTreeMap<usize, Vec<Need>> {
        &self.inner.needs
    }

    /// Returns the passes over single pieces that follow after all blocks of lines: first the lines without lines below
    /// them, level by level and deepest first, then the parts of lines.
    #[must_use]
    pub fn later(&self) -> &[Vec<usize>] {
        &self.inner.later
    }
}

/// Returns the tree of a text's lines for [`ReductionConfig::parents`](crate::ReductionConfig::parents) and
/// [`ReductionConfig::dependencies`](crate::ReductionConfig::dependencies), as described for [`Text`].
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
        // A line end within an item must not start a new line.
        text.extend(line.bytes().map(|byte| if byte == b'\n' { b' ' } else { byte }));
        text.push(b'\n');
    }
    let style = Style::of(&text);
    let tokens = tokens::tokens(&text, style);
    let pairs = brackets::pairs(&text, &tokens);
    let outline = outline::outline(&text, &tokens, &pairs, style);
    (outline.parents, outline.needs)
}
