//! The definitions that a history changes.

use std::sync::{Arc, PoisonError};

use firstbad::Error;
use firstbad_syntax::Kind;
use serde::Serialize;

use super::Slices;
use super::definitions::Definitions;

/// A definition that a history inserts, updates, or deletes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct SlicedDefinition {
    /// The file, relative to the top of the repository.
    pub file: String,
    /// The qualified name: the names of the enclosing classes and the own name, joined by dots. `<module>` for module-level code.
    pub name: String,
    /// The kind: `"function"` (also methods, including nested definitions), `"class"`, `"variable"`, `"attribute"`, `"import"`,
    /// or `"module"`.
    pub kind: &'static str,
}

impl Slices {
    /// Returns the definitions of the history, which are read once.
    pub(super) fn read_definitions(&self) -> Result<Arc<Definitions>, Error> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &read.definitions {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(Definitions::of(&self.trees, &self.chain.states, &mut read.sources)?);
        read.definitions = Some(Arc::clone(&made));
        Ok(made)
    }

    /// Returns the definitions that changes insert, update, or delete, sorted by file and name. Only files whose grammar is built
    /// in are read.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails.
    pub fn definitions(&self) -> Result<Vec<SlicedDefinition>, Error> {
        let all = self.read_definitions()?;
        let changed = all.nodes.iter().filter(|node| node.changes().next().is_some());
        let mut found: Vec<SlicedDefinition> = changed
            .map(|node| SlicedDefinition { file: node.path.clone(), name: node.name.clone(), kind: word(node.kind) })
            .collect();
        found.sort_unstable();
        Ok(found)
    }

    /// Returns warnings about files without definitions: grammars that are not built in, with their Cargo features, and files
    /// that could not be read.
    ///
    /// # Errors
    /// [`Error::Git`] if Git fails.
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
