//! What is known of the texts of a reduction without a run.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::Text;
use crate::digest::{Item, digest};
use crate::error::Error;
use crate::search::{ChangeSet, Observation, Outcome, OutcomeCache, Target};

/// Says of a text whether it parses.
pub type Accepts = Arc<dyn Fn(&[u8]) -> bool + Send + Sync>;

/// So many answers there are for it, where a search asks again because answers vary.
const AGAIN: usize = 64;

/// What is known of the texts of a reduction without a run: sets of pieces that make the same text have the same outcome, and
/// what does not parse, where the whole text does, is unresolved and not run.
#[derive(Clone)]
pub struct KnownTexts {
    text: Text,
    /// For each file the name of its language, and the parser.
    languages: Vec<Option<(String, Accepts)>>,
}

impl KnownTexts {
    /// That equal texts are equal.
    #[must_use]
    pub fn new(text: &Text) -> Self {
        KnownTexts { text: text.clone(), languages: vec![None; text.file_count()] }
    }

    /// That nothing is run in which the file with this number (from 0; a text alone is 0) is something that `accepts` says no
    /// to, the parser of a language with this name.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] (`language`) if it does not accept the whole file, (`file`) if there is none.
    pub fn in_language(mut self, file: usize, name: &str, accepts: Accepts) -> Result<Self, Error> {
        let whole = self.text.files_of(&ChangeSet::all(self.text.len()));
        let Some((content, language)) = whole.get(file).zip(self.languages.get_mut(file)) else {
            return Err(Error::invalid("file", file, format!("a number below {}", whole.len())));
        };
        if !accepts(content) {
            let what =
                if whole.len() == 1 { "the text".to_owned() } else { format!("file {} of {}", file + 1, whole.len()) };
            let expected = format!("another one, or none: {what} does not parse as {name}");
            return Err(Error::invalid("language", name, expected));
        }
        *language = Some((name.to_owned(), accepts));
        Ok(self)
    }

    /// The name of the first language one of whose files does not parse; `None` if all do that have one.
    fn broken(&self, files: &[Vec<u8>]) -> Option<&str> {
        let mut all = self.languages.iter().zip(files).filter_map(|(language, file)| Some((language.as_ref()?, file)));
        all.find_map(|((name, accepts), file)| (!accepts(file)).then_some(name.as_str()))
    }

    /// The same as a cache of outcomes, over another one in which those of texts are kept.
    #[must_use]
    pub fn over(&self, inner: Option<Box<dyn OutcomeCache>>) -> Box<dyn OutcomeCache> {
        Box::new(Cache { known: self.clone(), inner, last: Mutex::default() })
    }
}

impl fmt::Debug for KnownTexts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let languages: Vec<_> = self.languages.iter().map(|language| language.as_ref().map(|(name, _)| name)).collect();
        out.debug_struct("KnownTexts").field("languages", &languages).finish_non_exhaustive()
    }
}

struct Cache {
    known: KnownTexts,
    inner: Option<Box<dyn OutcomeCache>>,
    /// The files that were looked at last, by their key: they are parsed only if somebody wants to know.
    last: Mutex<(String, Vec<Vec<u8>>)>,
}

impl OutcomeCache for Cache {
    fn key(&self, target: &Target) -> Option<String> {
        let text = &self.known.text;
        let all = || ChangeSet::all(text.len());
        let files = text.files_of(target.changes.as_ref().unwrap_or(&all()));
        let key = digest(files.iter().map(|file| Item::Bytes(file)))?;
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = (key.clone(), files);
        Some(key)
    }

    fn outcomes(&mut self, key: &str) -> Result<Vec<Observation>, Error> {
        let (last, files) = std::mem::take(self.last.get_mut().unwrap_or_else(PoisonError::into_inner));
        if let Some(name) = self.known.broken(&files).filter(|_| last == key) {
            let note = Some(format!("not run: it does not parse as {name}"));
            return Ok(vec![Observation { note, ran: false, ..Observation::new(Outcome::Unresolved) }; AGAIN]);
        }
        self.inner.as_mut().map_or_else(|| Ok(Vec::new()), |inner| inner.outcomes(key))
    }

    fn keep(&mut self, key: &str, observation: &Observation) -> Result<(), Error> {
        self.inner.as_mut().map_or(Ok(()), |inner| inner.keep(key, observation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(pieces: &[usize]) -> Target {
        Target { changes: Some(pieces.iter().copied().collect()), ..Target::default() }
    }

    #[test]
    fn equal_texts_have_one_key_and_what_is_refused_an_answer() {
        let text = Text::parse(b"a\nb\na\n(\n", false).unwrap();
        let accepts: Accepts = Arc::new(|text| !text.starts_with(b"("));
        let known = KnownTexts::new(&text).in_language(0, "Lists", accepts).unwrap();
        let mut cache = known.over(None);
        assert_eq!(cache.key(&target(&[0, 1])), cache.key(&target(&[0, 1])));
        assert_eq!(cache.key(&target(&[0])), cache.key(&target(&[2])), "the same text of other pieces");
        let key = cache.key(&target(&[0])).unwrap();
        assert_eq!(cache.outcomes(&key).unwrap(), []);
        let key = cache.key(&target(&[3])).unwrap();
        let seen = cache.outcomes(&key).unwrap().remove(0);
        assert_eq!((seen.outcome, seen.ran), (Outcome::Unresolved, false));
        assert_eq!(seen.note.as_deref(), Some("not run: it does not parse as Lists"));
    }

    #[test]
    fn a_language_has_to_be_that_of_the_text() {
        let text = Text::parse(b"(\n", false).unwrap();
        let error = KnownTexts::new(&text).in_language(0, "Lists", Arc::new(|_| false)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "language: \"Lists\" is not valid; expected another one, or none: the text does not parse as Lists"
        );
        let text = Text::of_files(&[b"a\n", b"(\n"], false).unwrap();
        let error = KnownTexts::new(&text).in_language(1, "Lists", Arc::new(|_| false)).unwrap_err();
        assert!(error.to_string().ends_with("none: file 2 of 2 does not parse as Lists"), "{error}");
    }
}
