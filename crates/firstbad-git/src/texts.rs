//! Texts in languages that have a grammar here.

use std::sync::Arc;

use firstbad::text::KnownTexts;
use firstbad::{Error, Text};
use firstbad_syntax::Grammar;

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
pub fn known_texts(text: &Text, language: Option<&str>) -> Result<KnownTexts, Error> {
    let Some(name) = language else { return Ok(KnownTexts::new(text)) };
    match Grammar::named(name) {
        Some(grammar) => {
            (0..text.file_count()).try_fold(KnownTexts::new(text), |known, file| in_grammar(known, file, grammar))
        }
        None => Err(Error::invalid("language", name, format!("one of {}", Grammar::names().join(", ")))),
    }
}

/// The same for files, by the ends of their names; without a grammar for those that there is none for, or that do not parse.
#[must_use]
pub fn known_texts_of_files<'a>(text: &Text, paths: impl IntoIterator<Item = &'a str>) -> KnownTexts {
    let with = |known: KnownTexts, (file, path): (usize, &str)| match Grammar::of_file(path) {
        Some(grammar) => in_grammar(known.clone(), file, grammar).unwrap_or(known),
        None => known,
    };
    paths.into_iter().enumerate().fold(KnownTexts::new(text), with)
}

fn in_grammar(known: KnownTexts, file: usize, grammar: Grammar) -> Result<KnownTexts, Error> {
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
            "KnownTexts { languages: [None, Some(\"JSON\")], .. }",
            "what does not parse need not"
        );
    }
}
