//! Parts of a difference that leave a file which does not parse: where both ends do parse, there is nothing to run.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use firstbad::{Error, Observation};
use firstbad_syntax::Grammar;

use crate::blobs::Blob;
use crate::trees::{Differing, Trees};

/// Which contents parse, by their ids and their languages.
type Known = HashMap<(String, &'static str), bool>;

/// What was parsed: each content once.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    known: Mutex<Known>,
}

/// A file as it is in a part of a difference, and at the ends where there is one.
struct Part {
    path: String,
    grammar: Grammar,
    part: String,
    ends: Vec<String>,
}

impl Parsed {
    /// What is known of a tree between two others in which a file does not parse that does at both ends; `None` if there is no
    /// such file. What cannot be read counts as if it parsed.
    ///
    /// # Errors
    /// [`Error::Git`].
    pub(super) fn unparsed(
        &self,
        trees: &Trees,
        [from, to]: [&str; 2],
        tree: &str,
    ) -> Result<Option<Observation>, Error> {
        if tree == from || tree == to {
            return Ok(None);
        }
        let parts = parts(&trees.differing(&[(from, tree), (to, tree)])?);
        self.parse(trees, &parts)?;
        let known = self.known();
        let parses = |id: &str, grammar: Grammar| known.get(&(id.to_owned(), grammar.name())).copied();
        let is_broken = |part: &&Part| {
            parses(&part.part, part.grammar) == Some(false)
                && part.ends.iter().all(|end| parses(end, part.grammar) == Some(true))
        };
        let broken = parts.iter().find(is_broken);
        Ok(broken.map(|part| Observation::unparsed(Some(part.path.as_bytes()), part.grammar.name())))
    }

    /// Reads and parses what is not known yet.
    fn parse(&self, trees: &Trees, parts: &[Part]) -> Result<(), Error> {
        let all = parts.iter().flat_map(|part| part.ends.iter().chain([&part.part]).map(|id| (id, part.grammar)));
        let unknown: Vec<(&String, Grammar)> = {
            let known = self.known();
            all.filter(|(id, grammar)| !known.contains_key(&((*id).clone(), grammar.name()))).collect()
        };
        let ids: Vec<&str> = unknown.iter().map(|(id, _)| id.as_str()).collect();
        for ((id, grammar), blob) in unknown.into_iter().zip(trees.contents(&ids)?) {
            if let Blob::Content(text) = blob {
                let parses = grammar.accepts(&text);
                self.known().insert((id.clone(), grammar.name()), parses);
            }
        }
        Ok(())
    }

    // Nothing can panic while the lock is held, so a poisoned one is as good.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The files that are another than at either end, in languages that there is a grammar for.
fn parts(differing: &[Vec<Differing>]) -> Vec<Part> {
    let [from, to] = differing else { return Vec::new() };
    let ends: HashMap<&[u8], Option<&String>> = to.iter().map(|file| (&*file.path, file.old.as_ref())).collect();
    let part = |file: &Differing| {
        let path = std::str::from_utf8(&file.path).ok()?;
        let (grammar, part) = (Grammar::of_file(path)?, file.new.clone()?);
        let ends = ends.get(&*file.path)?.iter().copied().chain(&file.old).cloned().collect();
        Some(Part { path: path.to_owned(), grammar, part, ends })
    };
    from.iter().filter_map(part).collect()
}
