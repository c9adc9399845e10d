//! The items of files.

use firstbad::digest::{Item, digest};
use firstbad::reduction::{options_in_lines, options_in_text};
use firstbad::{ChangeSet, Error, Minimizer, Report, Text, World};
use firstbad_journal::Session;
use firstbad_report::card;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::args::Items;

/// The items of files.
#[derive(Debug)]
pub(crate) enum Pieces {
    /// Lines and their parts.
    Text(Text),
    /// Lines or characters without a structure.
    List {
        pieces: Vec<Vec<u8>>,
        are_lines: bool,
    },
    Array(Vec<Vec<u8>>),
}

impl Pieces {
    /// Splits files into items.
    pub(crate) fn of(contents: &[Vec<u8>], items: Items, fine: bool) -> Result<Pieces, Error> {
        if fine && items != Items::Outline {
            return Err(Error::invalid("--fine", "without --items outline", "--items outline"));
        }
        if items != Items::Outline && contents.len() > 1 {
            return Err(Error::invalid("FILE", format!("{} files", contents.len()), "one file, or --items outline"));
        }
        let content = contents.concat();
        let content = content.as_slice();
        let made = match items {
            Items::Outline => {
                let files: Vec<&[u8]> = contents.iter().map(Vec::as_slice).collect();
                Pieces::Text(Text::of_files(&files, fine)?)
            }
            Items::Lines => Pieces::List { pieces: lines(content), are_lines: true },
            Items::Characters => {
                let pieces = match std::str::from_utf8(content) {
                    Ok(text) => text.chars().map(|c| c.to_string().into_bytes()).collect(),
                    Err(_) => content.iter().map(|&byte| vec![byte]).collect(),
                };
                Pieces::List { pieces, are_lines: false }
            }
            Items::Json => {
                let elements: Vec<&RawValue> = serde_json::from_slice(content).map_err(|error| {
                    Error::invalid("--items json", format!("a file with other content ({error})"), "a JSON array")
                })?;
                Pieces::Array(elements.into_iter().map(|element| element.get().as_bytes().to_vec()).collect())
            }
        };
        if made.len() == 0 {
            return Err(Error::invalid_value("FILE", "one without items".to_owned(), "something to reduce"));
        }
        Ok(made)
    }

    /// Returns the number of items.
    pub(crate) fn len(&self) -> usize {
        match self {
            Pieces::Text(text) => text.len(),
            Pieces::List { pieces, .. } | Pieces::Array(pieces) => pieces.len(),
        }
    }

    /// Returns the HTML card of a report.
    pub(crate) fn card(&self, report: &Report) -> String {
        let (pieces, are_lines) = match self {
            Pieces::Text(text) => return card::reduction(report, card::Items::Text(text)),
            Pieces::List { pieces, are_lines } => (pieces, *are_lines),
            Pieces::Array(pieces) => (pieces, false),
        };
        let texts: Vec<_> = pieces.iter().map(|piece| String::from_utf8_lossy(piece)).collect();
        let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
        if are_lines {
            return card::reduction(report, card::Items::Lines(&texts));
        }
        let Report::Minimize(of) = report else { return card::report(report, None) };
        let left: Vec<&str> = of.kept.iter().filter_map(|&piece| texts.get(piece).copied()).collect();
        card::reduction(report, card::Items::Shown { all: texts.len(), left: &left })
    }

    /// Returns the content with some of the items.
    pub(crate) fn content(&self, kept: &ChangeSet) -> Vec<u8> {
        let taken = |pieces: &[Vec<u8>], between: &[u8]| {
            let taken: Vec<&[u8]> = kept.iter().filter_map(|piece| pieces.get(piece)).map(Vec::as_slice).collect();
            taken.join(between)
        };
        match self {
            Pieces::Text(text) => text.files_of(kept).concat(),
            Pieces::List { pieces, .. } => taken(pieces, b""),
            Pieces::Array(pieces) => [b"[".as_slice(), &taken(pieces, b",\n "), b"]\n"].concat(),
        }
    }

    /// Returns the content of each file with some of the items.
    pub(crate) fn files(&self, kept: &ChangeSet) -> Vec<Vec<u8>> {
        match self {
            Pieces::Text(text) => text.files_of(kept),
            _ => vec![self.content(kept)],
        }
    }

    /// Creates the search.
    pub(crate) fn session(&self, options: Map<String, Value>) -> Result<Session, Error> {
        let options = Value::Object(options);
        match self {
            Pieces::Text(text) => {
                Ok(Session::new(Box::new(Minimizer::new(text.len(), options_in_text(&options, text)?)?)))
            }
            Pieces::List { pieces, are_lines: true } => {
                let lines: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
                Ok(Session::new(Box::new(Minimizer::new(lines.len(), options_in_lines(&options, &lines)?)?)))
            }
            _ => Ok(Session::new(firstbad::open("minimize", World::Items(self.len()), &options)?)),
        }
    }

    /// Returns the digest of the items, the same as in Python and Node.
    pub(crate) fn digest(&self) -> Option<String> {
        fn text(content: &[u8]) -> Item<'_> {
            std::str::from_utf8(content).map_or(Item::Bytes(content), Item::Text)
        }
        match self {
            Pieces::Text(whole) => whole.digest(),
            Pieces::List { pieces, .. } => digest(pieces.iter().map(|piece| text(piece))),
            Pieces::Array(pieces) => {
                digest(pieces.iter().map(|piece| std::str::from_utf8(piece).map_or(Item::Bytes(piece), Item::Json)))
            }
        }
    }
}

fn lines(content: &[u8]) -> Vec<Vec<u8>> {
    content.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_items_together_are_the_file() {
        let text = "a {\n  é\r\n}\nlast".as_bytes();
        for items in [Items::Outline, Items::Lines, Items::Characters] {
            let pieces = Pieces::of(&[text.to_vec()], items, false).unwrap();
            assert_eq!(pieces.content(&ChangeSet::all(pieces.len())), text);
        }
        let odd = b"\xff\n\xfe";
        let pieces = Pieces::of(&[odd.to_vec()], Items::Characters, false).unwrap();
        assert_eq!((pieces.len(), pieces.content(&ChangeSet::all(3))), (3, odd.to_vec()));
        assert!(Pieces::of(&[Vec::new()], Items::Lines, false).is_err());
    }

    #[test]
    fn json_elements_keep_their_formatting() {
        let pieces = Pieces::of(&[b" [1.50, {\"b\": 1,  \"a\": 2}, \"x\" ]".to_vec()], Items::Json, false).unwrap();
        let kept = |indices: &[usize]| String::from_utf8(pieces.content(&indices.iter().copied().collect())).unwrap();
        assert_eq!(kept(&[0, 1]), "[1.50,\n {\"b\": 1,  \"a\": 2}]\n");
        assert_eq!(kept(&[]), "[]\n");
        assert!(Pieces::of(&[b"{}".to_vec()], Items::Json, false).is_err());
    }

    #[test]
    fn digests_ignore_the_formatting_of_json() {
        let digest = |content: &[u8], items| Pieces::of(&[content.to_vec()], items, false).unwrap().digest();
        let (one, other) = (br#"[1.0, {"b": 1, "a": [2]}]"#, br#"[1,{"a":[2],"b":1e0}]"#);
        assert_eq!(digest(one, Items::Json), digest(other, Items::Json));
        assert_ne!(digest(one, Items::Json), digest(br#"[2,{"a":[2],"b":1}]"#, Items::Json));
        assert_ne!(digest(one, Items::Json), digest(one, Items::Lines));
        assert_eq!(digest(b"[1e300]", Items::Json), None, "JavaScript and Python would not agree on it");
    }
}
