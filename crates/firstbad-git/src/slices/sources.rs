//! Outlines of source files. Each content is read and parsed once.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use firstbad::Error;
use firstbad_syntax::{LARGEST_TEXT, Language, Outline, Unread, outline};

use crate::blobs::Blob;
use crate::trees::Trees;

/// The maximum total size of source files to parse for one history. Parsing takes half a minute, and the outlines take some
/// hundred MB.
const MOST_SOURCE: usize = 64 << 20;

/// A path and the id of its content.
pub(super) type Content<'a> = (&'a str, &'a str);

/// The outlines by content.
#[derive(Debug)]
pub(super) struct Sources {
    known: HashMap<(String, Language), Option<Arc<Outline>>>,
    room: usize,
    /// An example file for each language whose grammar is not built in.
    missing: BTreeMap<Language, String>,
    /// An example of a file that was too large or could not be parsed, and the number of such files.
    refused: Option<(String, usize)>,
}

impl Sources {
    pub(super) fn new() -> Self {
        Sources { known: HashMap::new(), room: MOST_SOURCE, missing: BTreeMap::new(), refused: None }
    }

    /// Returns the language of a file if its grammar is built in. Records missing grammars.
    fn language(&mut self, path: &str) -> Option<Language> {
        let language = Language::of(path)?;
        if !language.is_there() {
            self.missing.entry(language).or_insert_with(|| path.to_owned());
        }
        language.is_there().then_some(language)
    }

    /// Reads and parses new contents that `wanted` accepts.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails.
    pub(super) fn load<'a>(
        &mut self,
        trees: &Trees,
        contents: impl IntoIterator<Item = Content<'a>>,
        wanted: impl Fn(&[u8]) -> bool,
    ) -> Result<(), Error> {
        /// The maximum number of contents in memory at the same time.
        const AT_ONCE: usize = 256;
        let mut asked: Vec<(Content<'a>, Language)> = Vec::new();
        for (path, id) in contents {
            let Some(language) = self.language(path) else { continue };
            if let Entry::Vacant(entry) = self.known.entry((id.to_owned(), language)) {
                entry.insert(None);
                asked.push(((path, id), language));
            }
        }
        for part in asked.chunks(AT_ONCE) {
            let ids: Vec<&str> = part.iter().map(|((_, id), _)| *id).collect();
            for (((path, id), language), blob) in part.iter().zip(trees.contents(&ids)?) {
                let found = match blob {
                    Blob::Content(text) if wanted(&text) => self.parsed(path, &text),
                    Blob::Content(_) => None,
                    Blob::Missing | Blob::Large | Blob::TooMuch => self.refuse(path),
                };
                self.known.insert(((*id).to_owned(), *language), found.map(Arc::new));
            }
        }
        Ok(())
    }

    fn parsed(&mut self, path: &str, text: &[u8]) -> Option<Outline> {
        if text.len() > self.room.min(LARGEST_TEXT) {
            return self.refuse(path);
        }
        self.room -= text.len();
        match outline(path, text) {
            Ok(found) => Some(found),
            Err(Unread::Refused(_)) => self.refuse(path),
            Err(Unread::Unknown | Unread::Missing(_)) => None,
        }
    }

    fn refuse(&mut self, path: &str) -> Option<Outline> {
        self.refused.get_or_insert_with(|| (path.to_owned(), 0)).1 += 1;
        None
    }

    /// Returns the outline of a loaded content, if it has one.
    pub(super) fn get(&self, path: &str, id: &str) -> Option<&Arc<Outline>> {
        self.known.get(&(id.to_owned(), Language::of(path)?))?.as_ref()
    }

    /// Returns warnings about files that could not be read.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut said: Vec<String> = Vec::new();
        for (language, path) in &self.missing {
            let words =
                format!("firstbad cannot read dependencies from files such as {path:?}: {}", language.missing());
            if !said.iter().any(|other| other.ends_with(&language.missing())) {
                said.push(words);
            }
        }
        if let Some((path, count)) = &self.refused {
            said.push(format!(
                "firstbad did not read dependencies from {count} versions of files, such as {path:?}. They are too \
                 large or too hard to parse, or exceed {} MiB",
                MOST_SOURCE >> 20
            ));
        }
        said
    }
}
