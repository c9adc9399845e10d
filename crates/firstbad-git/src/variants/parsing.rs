//! Parts of a difference that leave a file which does not parse: where both ends do parse, there is nothing to run.

use std::collections::HashMap;

use firstbad::{Error, Observation, Request, Target};
use firstbad_syntax::Grammar;

use super::{Universe, Variants};
use crate::blobs::Blob;
use crate::trees::{Differing, Trees};

/// Which contents parse, by their ids and their languages.
pub(super) type Parsed = HashMap<(String, &'static str), bool>;

/// A file as it is in a part of a difference, and at the ends where there is one.
struct Part {
    path: String,
    grammar: Grammar,
    part: String,
    ends: Vec<String>,
}

impl Variants {
    /// What is known of the tree of a target in which a file does not parse that does at both ends of the difference a part of which
    /// the target is: that with none of the changes, and that with all. `None` if there is none, and for anything else than such a
    /// part: what was carried to another revision is run. What a grammar here cannot read at an end is believed to parse.
    ///
    /// # Errors
    /// [`Error::Git`].
    pub(super) fn unparsed(
        &self,
        target: &Target,
        tree: &str,
        universes: Universe<'_>,
    ) -> Result<Option<Observation>, Error> {
        let Some((Request::Diff { from, to }, _)) = target.universe.and_then(universes) else { return Ok(None) };
        if from.revision != target.revision {
            return Ok(None);
        }
        let (from, to) = (self.tree(&from, universes)?, self.tree(&to, universes)?);
        if tree == from || tree == to {
            return Ok(None);
        }
        let parts = parts(&self.trees.differing(&[(&from, tree), (&to, tree)])?);
        self.parse(&parts)?;
        let known = &self.known().parsed;
        let parses = |id: &str, grammar: Grammar| known.get(&(id.to_owned(), grammar.name())).copied();
        let is_broken = |part: &&Part| {
            parses(&part.part, part.grammar) == Some(false)
                && part.ends.iter().all(|end| parses(end, part.grammar) == Some(true))
        };
        let broken = parts.iter().find(is_broken);
        Ok(broken.map(|part| Observation::unparsed(Some(part.path.as_bytes()), part.grammar.name())))
    }

    /// Reads and parses what is not known yet.
    fn parse(&self, parts: &[Part]) -> Result<(), Error> {
        let all = parts.iter().flat_map(|part| part.ends.iter().chain([&part.part]).map(|id| (id, part.grammar)));
        let unknown: Vec<(&String, Grammar)> = {
            let known = &self.known().parsed;
            all.filter(|(id, grammar)| !known.contains_key(&((*id).clone(), grammar.name()))).collect()
        };
        for (&(id, grammar), blob) in unknown.iter().zip(contents(&self.trees, &unknown)?) {
            // What cannot be read is no reason to leave out a run.
            if let Blob::Content(text) = blob {
                let parses = grammar.accepts(&text);
                self.known().parsed.insert((id.clone(), grammar.name()), parses);
            }
        }
        Ok(())
    }
}

fn contents(trees: &Trees, of: &[(&String, Grammar)]) -> Result<Vec<Blob>, Error> {
    trees.contents(&of.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>())
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
