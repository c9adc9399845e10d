//! Imports of Python and JavaScript.

use std::collections::BTreeSet;

use tree_sitter::Node;

use crate::outline::{Use, Way};
use crate::parsing;

#[derive(Debug, Default)]
pub(super) struct Import {
    /// The names that the import binds.
    pub(super) names: Vec<String>,
    pub(super) uses: BTreeSet<Use>,
    /// Whether the import is a wildcard.
    pub(super) is_wild: bool,
}

/// The maximum number of names that one import binds.
const MOST_NAMES: usize = 1 << 12;

impl Import {
    pub(super) fn of(node: Node<'_>, source: &[u8]) -> Import {
        let mut found = Import::default();
        match node.child_by_field_name("source") {
            Some(from) => found.javascript(node, from, source),
            None => found.python(node, source),
        }
        found.names.dedup();
        found
    }

    fn module(&mut self, name: &str) {
        self.uses.insert(Use { way: Way::Module, name: name.to_owned(), from: None });
    }

    fn imported(&mut self, name: &str, from: Option<&str>) {
        self.uses.insert(Use { way: Way::Imported, name: name.to_owned(), from: from.map(str::to_owned) });
    }

    fn python(&mut self, node: Node<'_>, source: &[u8]) {
        let text = |node: Node<'_>| parsing::text(node, source);
        let from = node.child_by_field_name("module_name");
        let module = from.and_then(text).and_then(|name| name.rsplit('.').next()).map(str::trim);
        let module = module.filter(|name| !name.is_empty());
        if let Some(module) = module {
            self.module(module);
        }
        let mut cursor = node.walk();
        self.is_wild = node.named_children(&mut cursor).any(|child| child.kind() == "wildcard_import");
        for named in node.children_by_field_name("name", &mut cursor).take(MOST_NAMES) {
            let alias = named.child_by_field_name("alias");
            let Some(name) = text(named.child_by_field_name("name").unwrap_or(named)) else { continue };
            let name: String = name.split_whitespace().collect();
            match from {
                Some(_) => self.imported(&name, module),
                None => self.module(name.rsplit('.').next().unwrap_or_default()),
            }
            let bound = alias.and_then(text).unwrap_or_else(|| name.split('.').next().unwrap_or_default());
            self.names.push(bound.to_owned());
        }
    }

    fn javascript(&mut self, node: Node<'_>, from: Node<'_>, source: &[u8]) {
        let module = parsing::text(from, source).and_then(module);
        if let Some(module) = &module {
            self.module(module);
        }
        let mut cursor = node.walk();
        let clause = node.named_children(&mut cursor).find(|child| child.kind() == "import_clause");
        let Some(clause) = clause else { return };
        let text = |node: Node<'_>| parsing::text(node, source).map(str::to_owned);
        let mut cursor = clause.walk();
        for part in clause.named_children(&mut cursor) {
            match part.kind() {
                "identifier" => self.names.extend(text(part)),
                "namespace_import" => self.names.extend(part.named_child(0).and_then(text)),
                _ => {
                    let mut cursor = part.walk();
                    for named in part.named_children(&mut cursor).take(MOST_NAMES) {
                        let name = named.child_by_field_name("name").and_then(text);
                        let alias = named.child_by_field_name("alias").and_then(text);
                        if let Some(name) = &name {
                            self.imported(name, module.as_deref());
                        }
                        self.names.extend(alias.or(name));
                    }
                }
            }
        }
    }
}

/// Returns the last part of a module's path without its extension.
pub(super) fn module(literal: &str) -> Option<String> {
    let path = literal.trim_matches(['"', '\'', '`', '<', '>']);
    let mut parts = path.trim_end_matches('/').rsplit('/').map(|part| part.split('.').next().unwrap_or_default());
    let name = parts.next().filter(|name| !name.is_empty())?;
    Some(match name {
        "index" => parts.next().filter(|name| !name.is_empty()).unwrap_or(name).to_owned(),
        name => name.to_owned(),
    })
}
