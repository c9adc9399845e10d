//! A file in pieces, any of which may be left out.

use std::path::Path;

use firstbad::digest::{Item, digest};
use firstbad::reduction::options_in_outline;
use firstbad::{ChangeSet, Error, Minimizer, Report, World, card};
use firstbad_journal::{Opening, Options, Session, Test};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::PATIENCE;
use crate::args::Items;

/// A file in pieces.
#[derive(Debug)]
pub(crate) struct Pieces {
    pieces: Vec<Vec<u8>>,
    /// What stands around and between them.
    around: Around,
    are_lines: bool,
    /// Whether they form a tree by their indentation.
    outlined: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Around {
    Nothing,
    /// The brackets and commas of a JSON array.
    Array,
}

impl Pieces {
    /// The pieces of a file with this content.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] where there are none, or where the file is no JSON array.
    pub(crate) fn of(content: &[u8], items: Items) -> Result<Pieces, Error> {
        let outlined = items == Items::Outline;
        let are_lines = matches!(items, Items::Lines | Items::Outline);
        let mut made = Pieces { pieces: Vec::new(), around: Around::Nothing, are_lines, outlined };
        match items {
            Items::Lines | Items::Outline => made.pieces = lines(content),
            Items::Characters => match std::str::from_utf8(content) {
                Ok(text) => made.pieces = text.chars().map(|c| c.to_string().into_bytes()).collect(),
                Err(_) => made.pieces = content.iter().map(|&byte| vec![byte]).collect(),
            },
            Items::Json => {
                let elements: Vec<&RawValue> = serde_json::from_slice(content).map_err(|error| {
                    Error::invalid("--items json", format!("a file with other content ({error})"), "a JSON array")
                })?;
                made.pieces = elements.into_iter().map(|element| element.get().as_bytes().to_vec()).collect();
                made.around = Around::Array;
            }
        }
        if made.pieces.is_empty() {
            return Err(Error::invalid("FILE", "an empty one", "something to reduce"));
        }
        Ok(made)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// The card of a report of them.
    pub(crate) fn card(&self, report: &Report) -> String {
        let texts: Vec<_> = self.pieces.iter().map(|piece| String::from_utf8_lossy(piece)).collect();
        let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
        if self.are_lines {
            return card::reduction(report, card::Items::Lines(&texts));
        }
        let Report::Minimize(of) = report else { return card::report(report, None) };
        let left: Vec<&str> = of.kept.iter().filter_map(|&piece| texts.get(piece).copied()).collect();
        card::reduction(report, card::Items::Shown { all: texts.len(), left: &left })
    }

    /// The file with these pieces alone.
    pub(crate) fn content(&self, kept: &ChangeSet) -> Vec<u8> {
        let pieces = kept.iter().filter_map(|piece| self.pieces.get(piece)).map(Vec::as_slice);
        match self.around {
            Around::Nothing => pieces.collect::<Vec<_>>().concat(),
            Around::Array => {
                let elements: Vec<&[u8]> = pieces.collect();
                [b"[".as_slice(), &elements.join(b",\n ".as_slice()), b"]\n"].concat()
            }
        }
    }

    /// The search, at its start; `options` are those of a reduction beside the file's own.
    ///
    /// # Errors
    /// Those of [`firstbad::open`].
    pub(crate) fn session(&self, options: Map<String, Value>) -> Result<Session, Error> {
        let options = Value::Object(options);
        if !self.outlined {
            return Ok(Session::new(firstbad::open("minimize", World::Items(self.pieces.len()), &options)?));
        }
        let texts: Vec<_> = self.pieces.iter().map(|line| String::from_utf8_lossy(line)).collect();
        let config = options_in_outline(&options, texts.iter().map(AsRef::as_ref))?;
        Ok(Session::new(Box::new(Minimizer::new(self.pieces.len(), config)?)))
    }

    /// Keeps the search in a journal.
    ///
    /// # Errors
    /// Those of [`Session::attach`].
    pub(crate) fn attach(
        &self,
        session: &mut Session,
        journal: &Path,
        test: Test,
        driver: Value,
    ) -> Result<Opening, Error> {
        session.attach(journal, &Options { wait: PATIENCE, digest: self.digest(), test, driver, is_optional: false })
    }

    /// What the pieces are, as the packages say it of the same items; `None` if that has no form.
    fn digest(&self) -> Option<String> {
        let items = self.pieces.iter().map(|piece| match (self.around, std::str::from_utf8(piece)) {
            (Around::Nothing, Ok(text)) => Item::Text(text),
            (Around::Array, Ok(text)) => Item::Json(text),
            (_, Err(_)) => Item::Bytes(piece),
        });
        digest(items)
    }
}

/// The lines with their ends.
fn lines(content: &[u8]) -> Vec<Vec<u8>> {
    content.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pieces_are_the_file() {
        let text = "a {\n  é\r\n}\nlast".as_bytes();
        for items in [Items::Outline, Items::Lines, Items::Characters] {
            let pieces = Pieces::of(text, items).unwrap();
            assert_eq!(pieces.content(&ChangeSet::all(pieces.len())), text);
        }
        let odd = b"\xff\n\xfe";
        let pieces = Pieces::of(odd, Items::Characters).unwrap();
        assert_eq!((pieces.len(), pieces.content(&ChangeSet::all(3))), (3, odd.to_vec()));
        assert!(Pieces::of(b"", Items::Lines).is_err());
    }

    #[test]
    fn elements_stay_as_they_were_written() {
        let pieces = Pieces::of(b" [1.50, {\"b\": 1,  \"a\": 2}, \"x\" ]", Items::Json).unwrap();
        let kept = |indices: &[usize]| String::from_utf8(pieces.content(&indices.iter().copied().collect())).unwrap();
        assert_eq!(kept(&[0, 1]), "[1.50,\n {\"b\": 1,  \"a\": 2}]\n");
        assert_eq!(kept(&[]), "[]\n");
        assert!(Pieces::of(b"{}", Items::Json).is_err());
    }

    #[test]
    fn journals_tell_pieces_apart_however_they_are_written() {
        let digest = |content: &[u8], items| Pieces::of(content, items).unwrap().digest();
        let (one, other) = (br#"[1.0, {"b": 1, "a": [2]}]"#, br#"[1,{"a":[2],"b":1e0}]"#);
        assert_eq!(digest(one, Items::Json), digest(other, Items::Json));
        assert_ne!(digest(one, Items::Json), digest(br#"[2,{"a":[2],"b":1}]"#, Items::Json));
        assert_ne!(digest(one, Items::Json), digest(one, Items::Lines));
        assert_eq!(digest(b"[1e300]", Items::Json), None, "JavaScript and Python would not agree on it");
    }
}
