//! An outline under construction.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hasher};

use tree_sitter::Node;

use crate::language::Language;
use crate::outline::{Call, Definition, Kind, Name, Outline, Statement, Use, Way};

/// The maximum number of uses that the definitions of one statement share.
const MOST_SHARED: usize = 1 << 14;

/// How names are bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binding {
    None,
    Set { reads: bool },
    Parameter,
}

/// The definitions that a node opens. Code in the node belongs to `definition`.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) definition: usize,
    pub(super) also: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct Frame<'t> {
    pub(super) node: Node<'t>,
    pub(super) field: Option<&'static str>,
    pub(super) opened: Option<Opened>,
    pub(super) is_statement: bool,
    pub(super) binding: Binding,
}

#[derive(Debug)]
pub(super) struct DefinitionBuilding {
    pub(super) own: Definition,
    pub(super) hasher: DefaultHasher,
    /// The names that are assigned in the definition.
    pub(super) locals: BTreeSet<String>,
    /// The names declared as `global` or `nonlocal`.
    pub(super) globals: BTreeSet<String>,
    /// The attributes that the definition assigns to its object.
    pub(super) attributes: BTreeSet<String>,
    /// Whether the definition has a wildcard import.
    pub(super) is_wild: bool,
}

#[derive(Debug, Default)]
pub(super) struct StatementBuilding {
    pub(super) definition: usize,
    pub(super) parent: Option<usize>,
    pub(super) is_result: bool,
    pub(super) is_jump: bool,
    pub(super) is_head: bool,
    /// Whether the statement contains other statements.
    pub(super) has_inner: bool,
    /// The lines including all nested statements.
    pub(super) whole: (u32, u32),
    pub(super) lines: Vec<(u32, u32)>,
    pub(super) hasher: DefaultHasher,
    pub(super) reads: Vec<(u32, Name)>,
    pub(super) sets: BTreeSet<Name>,
    pub(super) calls: Vec<Call>,
}

impl StatementBuilding {
    /// Adds the lines of a part. Parts come in order.
    pub(super) fn add_lines(&mut self, (first, last): (u32, u32)) {
        match self.lines.last_mut() {
            Some((_, end)) if first <= *end + 1 => *end = last.max(*end),
            _ => self.lines.push((first, last)),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Building {
    pub(super) definitions: Vec<DefinitionBuilding>,
    by_name: HashMap<String, usize>,
    pub(super) statements: Vec<StatementBuilding>,
    names: Vec<String>,
    numbers: HashMap<String, Name>,
}

impl Building {
    /// Returns the definition with a qualified name, which may already exist.
    pub(super) fn definition(&mut self, name: String, kind: Kind, parent: usize) -> usize {
        if let Some(&known) = self.by_name.get(&name) {
            return known;
        }
        let index = self.definitions.len();
        self.by_name.insert(name.clone(), index);
        self.definitions.push(DefinitionBuilding {
            own: Definition {
                name,
                kind,
                parent,
                lines: Vec::new(),
                value: 0,
                uses: BTreeSet::new(),
                bases: BTreeSet::new(),
                parameters: Vec::new(),
            },
            hasher: DefaultHasher::new(),
            locals: BTreeSet::new(),
            globals: BTreeSet::new(),
            attributes: BTreeSet::new(),
            is_wild: false,
        });
        index
    }

    /// Returns the index of a name.
    pub(super) fn name(&mut self, name: &str) -> Name {
        if let Some(&known) = self.numbers.get(name) {
            return known;
        }
        let number = self.names.len() as Name;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// Copies the uses and the value of the first definition to the others of the same statement.
    pub(super) fn share(&mut self, opened: &Opened) {
        let first = &self.definitions[opened.definition];
        let value = first.hasher.finish();
        // If this would be too much, only the first definition gets the uses.
        let is_small = first.own.uses.len().saturating_mul(opened.also.len()) <= MOST_SHARED;
        let uses = if is_small { first.own.uses.clone() } else { BTreeSet::new() };
        for &other in &opened.also {
            let other = &mut self.definitions[other];
            other.own.uses.extend(uses.iter().cloned());
            other.hasher.write_u64(value);
        }
    }

    pub(super) fn outline(mut self, language: Language, broken_at: Option<usize>, is_open: bool) -> Outline {
        self.attributes();
        let is_wild = self.definitions[0].is_wild;
        let definitions = self.definitions.into_iter().map(|mut built| {
            let own_name = built.own.own_name().to_owned();
            let is_local = |name: &str| built.locals.contains(name) && !built.globals.contains(name);
            built.own.uses.retain(|used| used.way != Way::Bare || used.name != own_name && !is_local(&used.name));
            if built.own.kind != Kind::Attribute {
                built.own.value = built.hasher.finish();
            }
            built.own
        });
        let definitions: Vec<Definition> = definitions.collect();
        let statements: Vec<Statement> = self.statements.into_iter().map(finished).collect();
        let mut own = vec![Vec::new(); definitions.len()];
        statements.iter().enumerate().for_each(|(index, statement)| own[statement.definition].push(index));
        Outline { language, definitions, broken_at, is_open: is_open || is_wild, statements, own, names: self.names }
    }

    /// Adds the attributes of classes as definitions, except for names that are already defined.
    fn attributes(&mut self) {
        let mut found: BTreeMap<(usize, String), ()> = BTreeMap::new();
        for built in &mut self.definitions {
            let class = built.own.parent;
            found.extend(std::mem::take(&mut built.attributes).into_iter().map(|name| ((class, name), ())));
        }
        for (class, name) in found.into_keys() {
            if self.definitions[class].own.kind == Kind::Class {
                let name = format!("{}.{name}", self.definitions[class].own.name);
                self.definition(name, Kind::Attribute, class);
            }
        }
    }

    pub(super) fn used(&mut self, definition: usize, way: Way, name: &str) {
        self.definitions[definition].own.uses.insert(Use { way, name: name.to_owned(), from: None });
    }
}

fn finished(built: StatementBuilding) -> Statement {
    // A statement without nested statements also includes lines with only comments.
    let lines = if built.has_inner && !built.lines.is_empty() { built.lines } else { vec![built.whole] };
    Statement {
        definition: built.definition,
        parent: built.parent,
        lines,
        value: built.hasher.finish(),
        reads: built.reads,
        sets: built.sets.into_iter().collect(),
        calls: built.calls,
        is_result: built.is_result,
        is_jump: built.is_jump,
        is_head: built.is_head,
    }
}
