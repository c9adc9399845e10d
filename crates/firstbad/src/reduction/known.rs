//! Outcomes of parts of a text or patch that are known without a run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Error;
use crate::items::digest::{Item, digest};
use crate::patch::{FilePatch, Patch};
use crate::search::{ChangeSet, Observation, OutcomeCache, Target};
use crate::text::Text;

/// A parser that returns whether a text is valid.
pub type Accepts = Arc<dyn Fn(&[u8]) -> bool + Send + Sync>;

/// The number of observations returned for one set, because a search with noise asks repeatedly.
const AGAIN: usize = 64;

/// Finds outcomes of a reduction's sets without running them.
///
/// Sets of pieces that produce equal text have equal outcomes. A set that leaves a file unparsable is unresolved, provided
/// that the whole file parses.
#[derive(Clone)]
pub struct KnownParts {
    whole: Whole,
    /// The contents of each file with all parts, and for a patched file also with none.
    ends: Arc<Vec<Vec<Vec<u8>>>>,
    /// The language of each file that must parse.
    languages: Vec<Option<Language>>,
}

#[derive(Clone)]
struct Language {
    name: String,
    accepts: Accepts,
}

#[derive(Clone)]
enum Whole {
    Text(Text),
    Patch(Arc<Patched>),
}

/// The files that a patch changes.
struct Patched {
    patch: Patch,
    paths: Vec<Vec<u8>>,
    /// The contents before the patch. A file that the patch creates is missing.
    before: BTreeMap<Vec<u8>, Vec<u8>>,
    changes: ChangeSet,
}

impl KnownParts {
    /// Creates the knowledge about a text: equal texts have equal outcomes.
    #[must_use]
    pub fn of_text(text: &Text) -> Self {
        KnownParts::of(Whole::Text(text.clone()), text.file_count())
    }

    /// Creates the knowledge about a patch to the files with these paths.
    ///
    /// Each path comes with its content before the patch, or `None` if the patch creates the file. Renamed files are
    /// ignored, so you can omit them.
    #[must_use]
    pub fn of_patch(patch: &Patch, files: impl IntoIterator<Item = (Vec<u8>, Option<Vec<u8>>)>) -> Self {
        let (paths, before): (Vec<_>, Vec<_>) = files.into_iter().unzip();
        let before = paths.iter().cloned().zip(before).filter_map(|(path, content)| Some((path, content?))).collect();
        let named: BTreeSet<&[u8]> = paths.iter().map(Vec::as_slice).collect();
        let ours = patch.files().filter(|file| only_name(file).is_some_and(|name| named.contains(name)));
        let changes = ours.flat_map(FilePatch::changes).collect();
        let count = paths.len();
        KnownParts::of(Whole::Patch(Arc::new(Patched { patch: patch.clone(), paths, before, changes })), count)
    }

    fn of(whole: Whole, count: usize) -> Self {
        let ends = Arc::new(whole.ends(count));
        KnownParts { whole, ends, languages: vec![None; count] }
    }

    /// Marks every set as unresolved in which `accepts` rejects the file with this number. Numbers start at 0, and a single
    /// text is number 0. `name` is the name of the language. An error changes nothing.
    ///
    /// # Errors
    /// Returns [`Error::InvalidArgument`] (`language`) if `accepts` rejects the whole file or the file before the patch, and
    /// [`Error::InvalidArgument`] (`file`) if there is no file with this number.
    pub fn in_language(&mut self, file: usize, name: &str, accepts: Accepts) -> Result<(), Error> {
        let count = self.languages.len();
        let Some(ends) = self.ends.get(file).filter(|ends| !ends.is_empty()) else {
            return Err(Error::invalid("file", file, format!("one of the {count} files")));
        };
        if !ends.iter().all(|end| accepts(end)) {
            let what = match &self.whole {
                Whole::Patch(patched) => format!("{:?}", String::from_utf8_lossy(&patched.paths[file])),
                Whole::Text(_) if count == 1 => "the text".to_owned(),
                Whole::Text(_) => format!("file {} of {count}", file + 1),
            };
            let expected = format!("another language, or none, because {what} does not parse as {name}");
            return Err(Error::invalid("language", name, expected));
        }
        self.languages[file] = Some(Language { name: name.to_owned(), accepts });
        Ok(())
    }

    fn seen_of(&self, kept: &ChangeSet) -> Option<Observation> {
        if self.languages.iter().all(Option::is_none) {
            return None;
        }
        let files = self.whole.files(kept)?;
        let mut all = self.languages.iter().zip(files).enumerate();
        all.find_map(|(at, (language, file))| {
            let (Language { name, accepts }, file) = (language.as_ref()?, file?);
            let is_broken = !self.ends[at].contains(&file) && !accepts(&file);
            is_broken.then(|| Observation::unparsed(self.whole.path(at), name))
        })
    }

    /// Wraps `inner`, which stores the outcomes of parts, in an outcome cache that also returns the known outcomes.
    #[must_use]
    pub fn over(&self, inner: Option<Box<dyn OutcomeCache>>) -> Box<dyn OutcomeCache> {
        Box::new(Cache { known: self.clone(), inner, last: Mutex::default() })
    }
}

impl Whole {
    fn count(&self) -> usize {
        match self {
            Whole::Text(text) => text.len(),
            Whole::Patch(patched) => patched.patch.len(),
        }
    }

    /// The path of a file, or `None` in a text.
    fn path(&self, file: usize) -> Option<&[u8]> {
        match self {
            Whole::Text(_) => None,
            Whole::Patch(patched) => Some(&patched.paths[file]),
        }
    }

    /// The files with only these parts, each `None` if it does not exist. Returns `None` if they are unknown.
    fn files(&self, kept: &ChangeSet) -> Option<Vec<Option<Vec<u8>>>> {
        match self {
            Whole::Text(text) => Some(text.files_of(kept).into_iter().map(Some).collect()),
            Whole::Patch(patched) => patched.files(kept),
        }
    }

    /// The contents of each file with all parts, and for a patched file also with none. A missing file has no contents.
    fn ends(&self, count: usize) -> Vec<Vec<Vec<u8>>> {
        let all = ChangeSet::all(self.count());
        let sets = match self {
            Whole::Text(_) => vec![all],
            Whole::Patch(_) => vec![ChangeSet::all(0), all],
        };
        let mut ends = vec![Vec::new(); count];
        for files in sets.iter().filter_map(|set| self.files(set)) {
            ends.iter_mut().zip(files).for_each(|(ends, file)| ends.extend(file));
        }
        ends
    }
}

impl Patched {
    fn files(&self, kept: &ChangeSet) -> Option<Vec<Option<Vec<u8>>>> {
        let ours: Vec<usize> = kept.iter().filter(|&change| self.changes.contains(change)).collect();
        let mut after = self.patch.subset(&ours).ok()?.apply(&self.before).ok()?;
        Some(self.paths.iter().map(|path| after.remove(path)).collect())
    }
}

/// The name of a file that is not renamed.
fn only_name<'a>(file: &FilePatch<'a>) -> Option<&'a [u8]> {
    match (file.old_path(), file.new_path()) {
        (Some(old), Some(new)) => (old == new).then_some(old),
        (old, new) => old.or(new),
    }
}

impl fmt::Debug for KnownParts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let languages: Vec<_> =
            self.languages.iter().map(|language| language.as_ref().map(|language| &language.name)).collect();
        out.debug_struct("KnownParts").field("languages", &languages).finish_non_exhaustive()
    }
}

struct Cache {
    known: KnownParts,
    inner: Option<Box<dyn OutcomeCache>>,
    /// The set that was looked up last. It is parsed only on demand.
    last: Mutex<Option<(String, ChangeSet)>>,
}

impl OutcomeCache for Cache {
    fn key(&self, target: &Target) -> Option<String> {
        let KnownParts { whole, .. } = &self.known;
        let kept = target.changes.clone().unwrap_or_else(|| ChangeSet::all(whole.count()));
        let key = match (whole, &self.inner) {
            (Whole::Text(text), _) => digest(text.files_of(&kept).iter().map(|file| Item::Bytes(file)))?,
            (Whole::Patch(_), Some(inner)) => inner.key(target)?,
            (Whole::Patch(_), None) => kept.to_string(),
        };
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((key.clone(), kept));
        Some(key)
    }

    fn targets(&mut self) -> Result<Vec<Target>, Error> {
        match (&self.known.whole, &mut self.inner) {
            (Whole::Patch(_), Some(inner)) => inner.targets(),
            _ => Ok(Vec::new()),
        }
    }

    fn outcomes(&mut self, key: &str) -> Result<Vec<Observation>, Error> {
        let last = self.last.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(seen) = last.filter(|(of, _)| of == key).and_then(|(_, kept)| self.known.seen_of(&kept)) {
            return Ok(vec![seen; AGAIN]);
        }
        self.inner.as_mut().map_or_else(|| Ok(Vec::new()), |inner| inner.outcomes(key))
    }

    fn kept(&mut self, key: &str) -> Result<Option<usize>, Error> {
        self.inner.as_mut().map_or(Ok(None), |inner| inner.kept(key))
    }

    fn keep(&mut self, key: &str, observation: &Observation) -> Result<(), Error> {
        self.inner.as_mut().map_or(Ok(()), |inner| inner.keep(key, observation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Outcome, Stage};

    fn target(parts: &[usize]) -> Target {
        Target { changes: Some(parts.iter().copied().collect()), ..Target::default() }
    }

    fn brackets() -> Accepts {
        let count = |text: &[u8], one: u8| text.iter().filter(|&&byte| byte == one).count();
        Arc::new(move |text| count(text, b'(') == count(text, b')'))
    }

    fn note(cache: &mut dyn OutcomeCache, parts: &[usize]) -> Option<String> {
        let key = cache.key(&target(parts)).unwrap();
        let seen = cache.outcomes(&key).unwrap().into_iter().next()?;
        assert_eq!((seen.outcome, seen.stage, seen.ran), (Outcome::Unresolved, Some(Stage::Parse), false));
        seen.note
    }

    #[test]
    fn equal_texts_share_a_key_and_unparsable_texts_are_known() {
        let text = Text::parse(b"a\nb\na\n(\n)\n", false).unwrap();
        let mut known = KnownParts::of_text(&text);
        known.in_language(0, "Lists", brackets()).unwrap();
        let mut cache = known.over(None);
        assert_eq!(cache.key(&target(&[0, 1])), cache.key(&target(&[0, 1])));
        assert_eq!(cache.key(&target(&[0])), cache.key(&target(&[2])), "the same text of other pieces");
        assert_eq!(note(&mut *cache, &[0]), None);
        assert_eq!(note(&mut *cache, &[3]).unwrap(), "not run: it does not parse as Lists");
    }

    #[test]
    fn the_whole_text_must_parse() {
        let text = Text::parse(b"(\n", false).unwrap();
        let error = KnownParts::of_text(&text).in_language(0, "Lists", brackets()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "language: \"Lists\" is not valid; expected another language, or none, because the text does not parse as Lists"
        );
        let text = Text::of_files(&[b"a\n", b"(\n"], false).unwrap();
        let error = KnownParts::of_text(&text).in_language(1, "Lists", brackets()).unwrap_err();
        assert!(error.to_string().ends_with("none, because file 2 of 2 does not parse as Lists"), "{error}");
        let error = KnownParts::of_text(&text).in_language(2, "Lists", brackets()).unwrap_err();
        assert_eq!(error.to_string(), "file: 2 is not valid; expected one of the 2 files");
    }

    const PATCH: &[u8] = b"--- a/f\n+++ b/f\n@@ -1 +1,3 @@\n a\n+(\n+)\n--- a/g\n+++ b/g\n@@ -1 +1,2 @@\n a\n+(\n\
        --- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+(\n+)\n";

    fn in_patch() -> KnownParts {
        let before = [(b"f".as_slice(), Some("a\n")), (b"g", Some("a\n")), (b"new", None)];
        let before = before.map(|(path, content)| (path.to_vec(), content.map(|content| content.as_bytes().to_vec())));
        KnownParts::of_patch(&Patch::parse(PATCH).unwrap(), before)
    }

    #[test]
    fn patch_parts_with_unparsable_files_are_known() {
        let mut known = in_patch();
        known.in_language(0, "Lists", brackets()).unwrap();
        known.in_language(2, "Lists", brackets()).unwrap();
        let mut cache = known.over(None);
        // The changes of f, g, and new are one line each, then the creation of `new` and two lines.
        assert_eq!([&[][..], &[0, 1], &[0, 1, 2], &[2]].map(|parts| note(&mut *cache, parts)), [const { None }; 4]);
        assert_eq!(note(&mut *cache, &[0, 2]).unwrap(), "not run: \"f\" does not parse as Lists");
        assert_eq!(note(&mut *cache, &[3, 4]).unwrap(), "not run: \"new\" does not parse as Lists");
        let keys: BTreeSet<_> = [&[][..], &[0], &[2]].map(|parts| cache.key(&target(parts))).into_iter().collect();
        assert_eq!(keys.len(), 3, "what is not known may differ");
    }

    #[test]
    fn complete_and_original_files_are_not_parsed_again() {
        let count = Arc::new(Mutex::new(0));
        let (counted, brackets) = (Arc::clone(&count), brackets());
        let accepts: Accepts = Arc::new(move |text| {
            *counted.lock().unwrap() += 1;
            brackets(text)
        });
        let mut known = in_patch();
        known.in_language(0, "Lists", Arc::clone(&accepts)).unwrap();
        known.in_language(2, "Lists", accepts).unwrap();
        let mut cache = known.over(None);
        assert_eq!(*count.lock().unwrap(), 3, "both ends of f, and new");
        assert_eq!([&[][..], &[0, 1], &[2, 3, 4, 5]].map(|parts| note(&mut *cache, parts)), [const { None }; 3]);
        assert_eq!(*count.lock().unwrap(), 3);
        assert!(note(&mut *cache, &[0]).is_some());
        assert_eq!(*count.lock().unwrap(), 4);
    }

    #[test]
    fn a_file_must_parse_with_and_without_the_patch() {
        let error = in_patch().in_language(1, "Lists", brackets()).unwrap_err();
        assert!(error.to_string().ends_with("none, because \"g\" does not parse as Lists"), "{error}");
    }

    /// A cache with one outcome for all sets.
    struct One;

    impl OutcomeCache for One {
        fn key(&self, target: &Target) -> Option<String> {
            Some(format!("of {target}"))
        }

        fn targets(&mut self) -> Result<Vec<Target>, Error> {
            Ok(vec![target(&[2])])
        }

        fn outcomes(&mut self, _: &str) -> Result<Vec<Observation>, Error> {
            Ok(vec![Outcome::Pass.into()])
        }

        fn keep(&mut self, _: &str, _: &Observation) -> Result<(), Error> {
            Ok(())
        }
    }

    #[test]
    fn other_outcomes_of_a_patch_come_from_the_inner_cache() {
        let mut known = in_patch();
        known.in_language(0, "Lists", brackets()).unwrap();
        let mut cache = known.over(Some(Box::new(One)));
        let key = cache.key(&target(&[2])).unwrap();
        assert_eq!((Some(key.clone()), cache.targets().unwrap()), (One.key(&target(&[2])), vec![target(&[2])]));
        assert_eq!(cache.outcomes(&key).unwrap(), [Outcome::Pass.into()]);
        let key = cache.key(&target(&[0])).unwrap();
        assert_eq!(cache.outcomes(&key).unwrap()[0].stage, Some(Stage::Parse));
    }
}
