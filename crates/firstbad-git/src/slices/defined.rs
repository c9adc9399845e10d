//! The definitions that a history changes.

use std::sync::{Arc, PoisonError};

use firstbad::Error;
use firstbad_syntax::Kind;
use serde::Serialize;

use super::Slices;
use super::definitions::Definitions;

/// A definition that some change of a history inserts, updates or deletes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct SlicedDefinition {
    /// The file, from the top of the repository.
    pub file: String,
    /// The qualified name: those of the classes around it and its own, with dots between; `<module>` for what is in no other
    /// definition.
    pub name: String,
    /// `"function"` (methods, too, with all that is defined in them), `"class"`, `"variable"`, `"attribute"`, `"import"` or
    /// `"module"`.
    pub kind: &'static str,
}

impl Slices {
    /// The definitions of the history, read once.
    pub(super) fn read_definitions(&self) -> Result<Arc<Definitions>, Error> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &read.definitions {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(Definitions::of(&self.trees, &self.chain.states, &mut read.sources)?);
        read.definitions = Some(Arc::clone(&made));
        Ok(made)
    }

    /// The definitions that changes insert, update or delete, by file and name: of files whose grammar is built in.
    ///
    /// # Errors
    /// [`Error::Git`].
    pub fn definitions(&self) -> Result<Vec<SlicedDefinition>, Error> {
        let all = self.read_definitions()?;
        let changed = all.nodes.iter().filter(|node| node.changes().next().is_some());
        let mut found: Vec<SlicedDefinition> = changed
            .map(|node| SlicedDefinition { file: node.path.clone(), name: node.name.clone(), kind: word(node.kind) })
            .collect();
        found.sort_unstable();
        Ok(found)
    }

    /// What to know about what definitions say of the history, in sentences: grammars that are not built in, with the cargo
    /// features that have them, and files that could not be read.
    ///
    /// # Errors
    /// [`Error::Git`].
    pub fn warnings(&self) -> Result<Vec<String>, Error> {
        Ok(self.read_definitions()?.warnings.clone())
    }
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Module => "module",
        Kind::Class => "class",
        Kind::Function => "function",
        Kind::Variable => "variable",
        Kind::Import => "import",
        Kind::Attribute => "attribute",
    }
}
