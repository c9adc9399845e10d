//! Parsing knowledge about parts of texts and patches, which saves runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use firstbad::patch::FilePatch;
use firstbad::reduction::KnownParts;
use firstbad::{Error, Patch, Text};
use firstbad_syntax::Grammar;

use crate::repository::Repository;

/// The maximum total size of source files for one patch, in bytes.
const MOST_SOURCE: usize = 64 << 20;

/// Returns what is known about the parts of a text in a language, named in lower case, without a run. All files of the text must
/// be in this language. If `language` is `None`, no grammar is used.
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
/// [`Error::InvalidArgument`] for `language`, if there is no grammar for it or if the text does not parse.
pub fn known_texts(text: &Text, language: Option<&str>) -> Result<KnownParts, Error> {
    let Some(name) = language else { return Ok(KnownParts::of_text(text)) };
    match Grammar::named(name) {
        Some(grammar) => {
            let mut known = KnownParts::of_text(text);
            (0..text.file_count()).try_for_each(|file| in_grammar(&mut known, file, grammar))?;
            Ok(known)
        }
        None => Err(Error::invalid("language", name, format!("one of {}", Grammar::names().join(", ")))),
    }
}

/// Returns what is known about the parts of files, whose languages follow from their extensions. Files without a grammar and
/// files that do not parse get no language.
#[must_use]
pub fn known_texts_of_files<'a>(text: &Text, paths: impl IntoIterator<Item = &'a str>) -> KnownParts {
    with_grammars(KnownParts::of_text(text), paths.into_iter().map(Grammar::of_file))
}

/// Returns what is known about the parts of a patch on a revision without a run. A part need not be run if it breaks the syntax
/// of a file that parses both with the whole patch and without it.
///
/// Files without a grammar, renamed files, and unreadable files count as if they parse. If all files together exceed 64 MiB, they
/// all count as if they parse.
///
/// # Errors
/// [`Error::UnknownRevision`] or [`Error::AmbiguousRevision`] for `revision`. [`Error::Git`] if Git fails.
pub fn known_parts(repository: &Repository, revision: &str, patch: &Patch) -> Result<KnownParts, Error> {
    let files = patch.files().filter(|file| !file.is_binary());
    // The value says whether the patch creates the file.
    let with_grammar = |file: FilePatch<'_>| {
        let path = std::str::from_utf8(file.new_path().or(file.old_path())?).ok()?.to_owned();
        Grammar::of_file(&path).map(|_| (path, file.old_path().is_none()))
    };
    let mut read: BTreeMap<String, bool> = files.filter_map(with_grammar).collect();
    if read.is_empty() {
        return Ok(KnownParts::of_patch(patch, []));
    }
    let mut before = repository.tree(revision, |path| read.contains_key(path))?.contents;
    if before.values().map(Vec::len).sum::<usize>() > MOST_SOURCE {
        return Ok(KnownParts::of_patch(patch, []));
    }
    read.retain(|path, is_created| *is_created != before.contains_key(path));
    let files = read.keys().map(|path| (path.clone().into_bytes(), before.remove(path)));
    Ok(with_grammars(KnownParts::of_patch(patch, files), read.keys().map(|path| Grammar::of_file(path))))
}

/// Adds the grammars of all files that parse.
fn with_grammars(mut known: KnownParts, grammars: impl IntoIterator<Item = Option<Grammar>>) -> KnownParts {
    for (file, grammar) in grammars.into_iter().enumerate() {
        // A file that does not parse gets no grammar.
        let _ = grammar.map(|grammar| in_grammar(&mut known, file, grammar));
    }
    known
}

fn in_grammar(known: &mut KnownParts, file: usize, grammar: Grammar) -> Result<(), Error> {
    known.in_language(file, grammar.name(), Arc::new(move |text: &[u8]| grammar.accepts(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_without_a_grammar_are_rejected() {
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
