//! What is known without a run of parts of texts and of patches, in languages that have a grammar here.

use std::collections::BTreeMap;
use std::sync::Arc;

use firstbad::reduction::KnownParts;
use firstbad::{Error, Patch, Text};
use firstbad_syntax::Grammar;

use crate::repository::Repository;

/// What is known without a run of the parts of a text that is in this language, named in lower case, with all its files; `None`
/// if no grammar is to be used.
///
/// ```
/// use firstbad::Text;
/// use firstbad_git::known_texts;
///
/// let text = Text::parse(b"x = f(1)\n", false)?;
/// assert!(known_texts(&text, Some("python")).is_ok());
/// assert!(known_texts(&text, Some("json")).is_err());
/// # Ok::<(), firstbad::Error>(())
/// ```
///
/// # Errors
/// [`Error::InvalidArgument`] (`language`) for a language without a grammar here, and if the text does not parse in it.
pub fn known_texts(text: &Text, language: Option<&str>) -> Result<KnownParts, Error> {
    let Some(name) = language else { return Ok(KnownParts::of_text(text)) };
    match Grammar::named(name) {
        Some(grammar) => {
            (0..text.file_count()).try_fold(KnownParts::of_text(text), |known, file| in_grammar(known, file, grammar))
        }
        None => Err(Error::invalid("language", name, format!("one of {}", Grammar::names().join(", ")))),
    }
}

/// The same for files, by the ends of their names; without a grammar for those that there is none for, or that do not parse.
#[must_use]
pub fn known_texts_of_files<'a>(text: &Text, paths: impl IntoIterator<Item = &'a str>) -> KnownParts {
    let with = |known: KnownParts, (file, path): (usize, &str)| match Grammar::of_file(path) {
        Some(grammar) => in_grammar(known.clone(), file, grammar).unwrap_or(known),
        None => known,
    };
    paths.into_iter().enumerate().fold(KnownParts::of_text(text), with)
}

/// What is known without a run of the parts of a patch on a revision: that there is nothing to run where one leaves a file which
/// does not parse, and the file does with all of the patch and without it. Files for which there is no grammar here, which
/// get another name, or which cannot be read count as if they parsed.
///
/// # Errors
/// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`] that name `revision`; [`Error::Git`].
pub fn known_parts(repository: &Repository, revision: &str, patch: &Patch) -> Result<KnownParts, Error> {
    let files = patch.files().filter(|file| !file.is_binary());
    let named = files.filter_map(|file| std::str::from_utf8(file.new_path().or(file.old_path())?).ok());
    let read: BTreeMap<&str, Grammar> = named.filter_map(|path| Some((path, Grammar::of_file(path)?))).collect();
    if read.is_empty() {
        return Ok(KnownParts::of_patch(patch, []));
    }
    let mut before = repository.tree(revision, |path| read.contains_key(path))?.contents;
    let files = read.keys().map(|&path| (path.as_bytes().to_vec(), before.remove(path)));
    let known = KnownParts::of_patch(patch, files);
    let with = |known: KnownParts, (file, grammar): (usize, &Grammar)| {
        in_grammar(known.clone(), file, *grammar).unwrap_or(known)
    };
    Ok(read.values().enumerate().fold(known, with))
}

fn in_grammar(known: KnownParts, file: usize, grammar: Grammar) -> Result<KnownParts, Error> {
    known.in_language(file, grammar.name(), Arc::new(move |text: &[u8]| grammar.accepts(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_those_that_have_a_grammar() {
        let text = Text::parse(b"x = (\n", false).unwrap();
        let refused = |language| known_texts(&text, Some(language)).unwrap_err().to_string();
        let message = refused("perl");
        assert!(
            message.starts_with("language: \"perl\" is not valid; expected one of python, javascript"),
            "{message}"
        );
        let message = refused("python");
        assert!(message.ends_with("the text does not parse as Python"), "{message}");
        let two = Text::of_files(&[b"x = (\n", b"{}\n"], false).unwrap();
        let known = known_texts_of_files(&two, ["a.py", "b.json"]);
        assert_eq!(
            format!("{known:?}"),
            "KnownParts { languages: [None, Some(\"JSON\")], .. }",
            "what does not parse need not"
        );
    }
}
