//! Equal lines and blocks that follow one another.
//!
//! Two of them are interchangeable only if they look alike to the renderer: the same tokens in the same pieces, below
//! the same line, within the same blocks. The renderer also looks at the text that follows, such as a comma before a
//! bracket. The first and the last one of a row are therefore never interchangeable with those between them.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::pieces::{Pieces, Short};
use super::tokens::Kind;
use crate::items::repeats::Repeat;

/// The shortest row in which two members are between others.
const FEWEST: usize = 4;

/// The features of a line that the renderer uses, apart from the lines around it.
#[derive(PartialEq, Eq, Hash)]
struct Look<'a> {
    /// Each token with its piece, relative to the line.
    tokens: Vec<(Kind, &'a [u8], Of)>,
    /// The short forms of tokens, each with the piece without which it applies.
    shorter: Vec<(usize, Of, Short)>,
    /// The frame of its block: the piece, the lines, the last line, and the shift.
    frame: Option<(Of, Vec<usize>, usize, usize)>,
    body: Option<Vec<usize>>,
    may_join: bool,
    is_apart: bool,
    /// The looks of the lines below it, by number, with the positions of the lines.
    below: Vec<(u32, usize)>,
}

/// A piece, relative to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Of {
    Line,
    /// A part of the line, counted from the first.
    Part(usize),
    /// A piece of the whole text, such as a name.
    Text(usize),
}

/// The lines of a text, with the properties that repeats depend on.
struct Rows<'a> {
    pieces: &'a Pieces,
    /// The first part of each line. The last entry is the end of the parts of the last line.
    parts: Vec<usize>,
    /// One more than the last line below each line.
    ends: Vec<usize>,
    /// The number of each line's look, including all lines below it. `None` if it looks like no other line.
    looks: Vec<Option<u32>>,
    /// The heads of the blocks and bodies that each line belongs to.
    heads: BTreeMap<usize, Vec<usize>>,
    /// The last lines of blocks that can be left without their heads, each with these heads.
    lasts: BTreeMap<usize, Vec<usize>>,
    /// The first lines of files.
    firsts: &'a [usize],
}

/// Finds the equal lines and blocks of a text whose files begin at the lines `firsts`. Inner repeats come first.
pub(super) fn repeats(pieces: &Pieces, firsts: &[usize]) -> Vec<Repeat> {
    let count = pieces.tokens.lines.len();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
    for line in 0..count {
        children[pieces.parents[line].unwrap_or(count)].push(line);
    }
    let Some(mut rows) = Rows::of(pieces, firsts) else { return Vec::new() };
    let mut found = Vec::new();
    let mut numbers = HashMap::new();
    // The lines below a line come after it, so they are visited first.
    for line in (0..count).rev() {
        rows.end(line, &children[line]);
        rows.looks[line] = rows.look(line, &children[line]).map(|look| {
            let next = numbers.len() as u32;
            *numbers.entry(look).or_insert(next)
        });
        rows.find(&children[line], &mut found);
    }
    rows.find(&children[count], &mut found);
    found
}

impl<'a> Rows<'a> {
    /// Returns `None` if the parts are not in the order of the lines.
    fn of(pieces: &'a Pieces, firsts: &'a [usize]) -> Option<Self> {
        let count = pieces.tokens.lines.len();
        let mut lines: Vec<usize> = (0..count).collect();
        let mut parts = vec![count];
        for part in count..pieces.count {
            let Some(parent) = pieces.parents[part] else { break };
            let line = *lines.get(parent)?;
            lines.push(line);
            if line + 1 < parts.len() {
                return None;
            }
            parts.resize(line + 1, part);
        }
        parts.resize(count + 1, lines.len());
        let (mut heads, mut lasts): (BTreeMap<_, Vec<_>>, BTreeMap<_, Vec<_>>) = Default::default();
        for (&head, frame) in &pieces.frames {
            frame.lines.iter().for_each(|&line| heads.entry(line).or_default().push(head));
            lasts.entry(frame.last).or_default().push(head);
        }
        for (&head, body) in &pieces.bodies {
            // The offset separates bodies from blocks.
            body.iter().for_each(|&line| heads.entry(line).or_default().push(head + count));
        }
        let (ends, looks) = (vec![0; count], vec![None; count]);
        Some(Rows { pieces, parts, ends, looks, heads, lasts, firsts })
    }

    /// Records where the lines below a line end, or 0 if other lines are between them.
    fn end(&mut self, line: usize, below: &[usize]) {
        let mut end = line + 1;
        for &child in below {
            if child != end || self.ends[child] == 0 {
                self.ends[line] = 0;
                return;
            }
            end = self.ends[child];
        }
        self.ends[line] = end;
    }

    fn piece(&self, line: usize, piece: usize) -> Option<Of> {
        let parts = self.parts[line]..self.parts[line + 1];
        match piece {
            _ if piece == line => Some(Of::Line),
            _ if parts.contains(&piece) => Some(Of::Part(piece - parts.start)),
            _ if piece >= self.parts[self.ends.len()] => Some(Of::Text(piece)),
            _ => None,
        }
    }

    /// Returns the look of a line, or `None` if it depends on lines that are not below it.
    fn look(&self, line: usize, below: &[usize]) -> Option<Look<'a>> {
        let Pieces { tokens, text, owners, shorter, frames, bodies, layout, .. } = self.pieces;
        let range = tokens.lines[line].clone();
        let within = line..self.ends[line];
        let from_here = |lines: &[usize]| -> Option<Vec<usize>> {
            lines.iter().map(|other| within.contains(other).then(|| other - line)).collect()
        };
        let frame = match frames.get(&line) {
            Some(frame) if within.contains(&frame.last) => {
                let piece = self.piece(line, frame.piece as usize)?;
                Some((piece, from_here(&frame.lines)?, frame.last - line, frame.shift))
            }
            Some(_) => return None,
            None => None,
        };
        let body = bodies.get(&line).map(|body| from_here(body)).map_or(Some(None), |body| body.map(Some))?;
        let look = |place: usize| {
            let token = &tokens.all[place];
            Some((token.kind, token.bytes(text), self.piece(line, owners[place] as usize)?))
        };
        let short = |(&place, &(piece, short)): (&usize, &(u32, Short))| {
            Some((place - range.start, self.piece(line, piece as usize)?, short))
        };
        Some(Look {
            tokens: range.clone().map(look).collect::<Option<_>>()?,
            shorter: shorter.range(range.clone()).map(short).collect::<Option<_>>()?,
            frame,
            body,
            may_join: layout.as_ref().is_some_and(|layout| layout.may_join[line]),
            is_apart: layout.as_ref().is_some_and(|layout| layout.is_apart[line]),
            below: below.iter().map(|&child| Some((self.looks[child]?, child - line))).collect::<Option<_>>()?,
        })
    }

    /// Finds rows of equal lines among siblings.
    fn find(&self, siblings: &[usize], found: &mut Vec<Repeat>) {
        for row in siblings.chunk_by(|&one, &other| self.are_alike(one, other)) {
            let [first, second, .., last] = row else { continue };
            if row.len() < FEWEST || !self.is_plain(*first..self.ends[*first], *first..self.ends[*last]) {
                continue;
            }
            let span = |first: usize, end: usize| (first, end - first);
            let lines = span(*second, self.ends[*second]);
            let parts = span(self.parts[*second], self.parts[self.ends[*second]]);
            let spans = [lines, parts].into_iter().filter(|(_, length)| *length > 0).collect();
            found.push(Repeat { count: row.len() - 2, spans });
        }
    }

    /// Whether a line and all lines below it look like the line that follows them.
    fn are_alike(&self, one: usize, other: usize) -> bool {
        let end = self.ends[one];
        if end != other || self.ends[other] == 0 || self.looks[one].is_none() || self.looks[one] != self.looks[other] {
            return false;
        }
        let of = |line: usize, from: usize| {
            // The heads within the block are relative to its first line.
            let heads = self.heads.get(&(line + from)).into_iter().flatten();
            heads.map(move |&head| if head % self.ends.len() >= from { (true, head - from) } else { (false, head) })
        };
        (0..end - one).all(|line| of(line, one).eq(of(line, other)))
    }

    /// Whether no file or earlier block begins or ends within a row, and no list or layout makes its members differ.
    fn is_plain(&self, first: Range<usize>, row: Range<usize>) -> bool {
        let Pieces { tokens, layout, .. } = self.pieces;
        let ends_within = |heads: &Vec<usize>| heads.iter().any(|&head| head < row.start);
        let kinds = first.clone().flat_map(|line| tokens.code(line).map(|token| tokens.all[token].kind));
        let kinds: Vec<Kind> = kinds.collect();
        let is_list = matches!(kinds[..], [Kind::Comma, .., Kind::Comma | Kind::Open] | [Kind::Comma]);
        let joins = |line: usize| layout.as_ref().is_some_and(|layout| layout.may_join[line]);
        !is_list
            && first.clone().all(|line| joins(line) == joins(first.start))
            && !self.firsts.iter().any(|file| row.start < *file && row.contains(file))
            && !self.lasts.range(row.start..row.end - 1).any(|(_, heads)| ends_within(heads))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Text;
    use crate::items::repeats::{Repeat, packed};
    use crate::search::ChangeSet;
    use fixedbitset::FixedBitSet;

    fn repeats(text: &str) -> Vec<Repeat> {
        Text::parse(text.as_bytes(), false).unwrap().repeats()
    }

    /// A generator of reproducible pseudorandom numbers.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % bound
        }
    }

    #[test]
    fn equal_lines_are_one_repeat() {
        assert_eq!(repeats(&"x;\n".repeat(12)), [Repeat { count: 10, spans: vec![(1, 1)] }]);
        assert_eq!(repeats("a\nb\nc\nd\n"), []);
        assert_eq!(repeats("a\na\na\n"), [], "only the middle one is between others");
    }

    #[test]
    fn equal_blocks_repeat_with_their_content() {
        // The pieces are the lines, then one frame for each block.
        let text = "if a:\n    b = 1\n    b = 1\n".repeat(5);
        assert_eq!(repeats(&text), [Repeat { count: 3, spans: vec![(3, 3), (16, 1)] }]);
    }

    const UNITS: [&str; 22] = [
        "x;\n",
        "\n",
        "f(1, 2);\n",
        "1,\n",
        ", b\n",
        ",\n",
        "(\n",
        ")\n",
        "[\n",
        "]\n",
        "},\n",
        "if a:\n  b\n",
        "if a:\n  b\n  c = 1\n",
        "if (a) {\n  b(\"c\", 1);\n}\n",
        "  y\n",
        "# note\n",
        "x = 1  # note\n",
        "<a>\n<b c=\"1\">t</b>\n</a>\n",
        "<i/>\n",
        "'''\n",
        "else:\n  d\n",
        "name, other,\n",
    ];

    /// Returns a text of rows, some of which are nested.
    fn text(numbers: &mut Numbers) -> String {
        let mut text = String::new();
        for _ in 0..1 + numbers.below(4) {
            let row = UNITS[numbers.below(UNITS.len())].repeat(1 + numbers.below(7));
            let row = match numbers.below(5) {
                0 => format!("for z:\n  {}\n", row.trim_end().replace('\n', "\n  ")).repeat(1 + numbers.below(6)),
                1 => format!("g(\n{row});\n").repeat(1 + numbers.below(6)),
                2 => format!("while (z) {{\n{row}}}\n"),
                _ => row,
            };
            text.push_str(&row);
        }
        if numbers.below(3) == 0 {
            text.pop();
        }
        text
    }

    #[test]
    fn equally_packed_sets_produce_equal_text() {
        let mut numbers = Numbers(57);
        let mut found = 0;
        for round in 0..2000 {
            let files: Vec<String> = (0..1 + numbers.below(2)).map(|_| text(&mut numbers)).collect();
            let files: Vec<&[u8]> = files.iter().map(|file| file.as_bytes()).filter(|file| !file.is_empty()).collect();
            let Ok(text) = Text::of_files(&files, round % 3 == 0) else { continue };
            let repeats = text.repeats();
            if repeats.is_empty() {
                continue;
            }
            found += 1;
            for _ in 0..8 {
                let keeps = 1 + numbers.below(9);
                let mut set = FixedBitSet::with_capacity(text.len());
                set.extend((0..text.len()).filter(|_| numbers.below(10) < keeps));
                let of = |set: &FixedBitSet| text.files_of(&set.ones().collect::<ChangeSet>());
                let packed = packed(&repeats, &set);
                assert_eq!(packed.count_ones(..), set.count_ones(..));
                let words = |files: Vec<Vec<u8>>| {
                    files.into_iter().map(|file| String::from_utf8(file).unwrap()).collect::<Vec<_>>()
                };
                assert_eq!(
                    words(of(&packed)),
                    words(of(&set)),
                    "{:?} of {:?}",
                    set.ones().collect::<Vec<_>>(),
                    String::from_utf8_lossy(text.as_bytes())
                );
            }
        }
        assert!(found > 300, "{found}");
    }
}
