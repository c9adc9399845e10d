//! Parts of a difference that break the syntax of a file. If the file parses at both ends, the outcome is known to be unresolved.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use firstbad::{Error, Observation};
use firstbad_syntax::Grammar;

use crate::blobs::Blob;
use crate::trees::{Differing, Trees};

/// Whether contents parse, by id and language.
type Known = HashMap<(String, &'static str), bool>;

/// The parse results, one per content.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    known: Mutex<Known>,
}

/// A file in a part of a difference, and at both ends if it exists there.
struct Part {
    path: String,
    grammar: Grammar,
    part: String,
    ends: Vec<String>,
}

impl Parsed {
    /// Returns the observation for a tree between two others if it contains a file that does not parse but parses at both ends.
    /// Unreadable files count as if they parse.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails.
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

    /// Reads and parses new contents.
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

    // No code panics while the lock is held, so a poisoned lock is still valid.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the files that differ from both ends and have a grammar.
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
