//! Outlines of source texts.

use std::collections::{BTreeSet, HashMap};

use crate::language::Language;

/// The name of the definition for module-level code.
pub const MODULE: &str = "<module>";

/// The kind of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// The code of a file outside its other definitions.
    Module,
    /// A class or another item with members, without the members.
    Class,
    /// A function or method, including the functions and classes inside.
    Function,
    /// A variable of a module or class.
    Variable,
    /// A name that an import binds.
    Import,
    /// An attribute that methods assign to their object. It has no text.
    Attribute,
}

/// The way in which a name is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    /// By itself: `name`.
    Bare,
    /// As a member of the method's object: `self.name`.
    Own,
    /// As a member of another object: `something.name`.
    Member,
    /// As an imported module or file.
    Module,
    /// As a name imported from a module: `from module import name`.
    Imported,
}

/// A use of a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Use {
    /// The way in which the name is used.
    pub way: Way,
    /// The name, without its qualifier.
    pub name: String,
    /// The last part of the module's name, for an import from a module.
    pub from: Option<String>,
}

/// A definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The qualified name: the names of the enclosing classes and the own name, joined by dots. [`MODULE`] for module-level code.
    pub name: String,
    /// The kind.
    pub kind: Kind,
    /// The index of the enclosing definition. The module is its own parent.
    pub parent: usize,
    /// The first and last lines, counted from 1, including nested definitions. A name that is defined several times has several
    /// ranges.
    pub lines: Vec<(u32, u32)>,
    /// A hash of the code without comments, blank lines, layout, and nested definitions. Equal code has equal values.
    pub value: u64,
    /// The names that the definition uses but does not bind.
    pub uses: BTreeSet<Use>,
    /// The names of the base classes, for a class.
    pub bases: BTreeSet<String>,
    /// The names of the parameters in order, without the object of a method, for a function.
    pub parameters: Vec<String>,
}

impl Definition {
    /// Returns the last part of the qualified name.
    #[must_use]
    pub fn own_name(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }
}

/// The index of a name in [`Outline::names`].
pub(crate) type Name = u32;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Argument {
    pub(crate) keyword: Option<Name>,
    /// The byte range of the argument.
    pub(crate) bytes: (u32, u32),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) name: Name,
    pub(crate) arguments: Vec<Argument>,
}

/// A statement, without the blocks inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statement {
    /// The index of the enclosing definition.
    pub(crate) definition: usize,
    /// The enclosing statement in the same definition.
    pub(crate) parent: Option<usize>,
    /// The first and last lines, counted from 1.
    pub(crate) lines: Vec<(u32, u32)>,
    /// A hash of the code.
    pub(crate) value: u64,
    /// The names that the statement reads, with their byte offsets.
    pub(crate) reads: Vec<(u32, Name)>,
    /// The names that the statement assigns.
    pub(crate) sets: Vec<Name>,
    pub(crate) calls: Vec<Call>,
    /// Whether the statement produces a result of the function.
    pub(crate) is_result: bool,
    /// Whether the statement changes the control flow.
    pub(crate) is_jump: bool,
    /// Whether the statement is the head of a function.
    pub(crate) is_head: bool,
}

/// The outline of a source text.
#[derive(Debug, Clone)]
pub struct Outline {
    /// The language of the text.
    pub language: Language,
    /// The definitions, each name once. The first definition is the module.
    pub definitions: Vec<Definition>,
    /// The line of the first syntax error, counted from 1, or `None` if there is no error.
    pub broken_at: Option<usize>,
    /// Whether the text may use names from other files without importing them by name.
    pub is_open: bool,
    pub(crate) statements: Vec<Statement>,
    /// The indices of the statements in each definition.
    pub(crate) own: Vec<Vec<usize>>,
    pub(crate) names: Vec<String>,
}

impl Outline {
    /// Returns the index of the definition with this qualified name.
    #[must_use]
    pub fn definition(&self, name: &str) -> Option<usize> {
        self.definitions.iter().position(|definition| definition.name == name)
    }

    /// Returns the index of the innermost definition that contains a line, counted from 1.
    #[must_use]
    pub fn owner(&self, line: u32) -> usize {
        let has = |definition: &Definition| {
            let around = definition.lines.iter().filter(|(first, last)| (*first..=*last).contains(&line));
            around.map(|(first, last)| last - first).min()
        };
        let found = self.definitions.iter().enumerate().skip(1).filter_map(|(index, own)| Some((has(own)?, index)));
        // Among ranges of equal length, the innermost definition wins. Among definitions of one statement, the first wins.
        let smallest = found.min_by_key(|&(length, index)| (length, std::cmp::Reverse(self.depth(index)), index));
        smallest.map_or(0, |(_, index)| index)
    }

    fn depth(&self, mut definition: usize) -> usize {
        let mut depth = 0;
        while definition != 0 {
            definition = self.definitions[definition].parent;
            depth += 1;
        }
        depth
    }

    /// Returns the definitions that run when these lines, counted from 1, run.
    ///
    /// Coverage reports list only the first line of a statement, so any line of a statement counts for the whole statement. The
    /// head of a function does not count, because it runs when the function is defined.
    #[must_use]
    pub fn running(&self, lines: &[u32]) -> BTreeSet<usize> {
        let lines: BTreeSet<u32> = lines.iter().copied().collect();
        let is_covered = |statement: &&Statement| {
            statement.lines.iter().any(|&(first, last)| lines.range(first..=last).next().is_some())
        };
        let mut defined: HashMap<(u32, u32), Vec<usize>> = HashMap::new();
        for (index, own) in self.definitions.iter().enumerate() {
            if matches!(own.kind, Kind::Variable | Kind::Import) {
                own.lines.iter().for_each(|lines| defined.entry(*lines).or_default().push(index));
            }
        }
        let mut running = BTreeSet::new();
        for statement in self.statements.iter().filter(|statement| !statement.is_head).filter(is_covered) {
            // One statement can define several names, and all of them count.
            running.insert(statement.definition);
            running.extend(statement.lines.iter().filter_map(|lines| defined.get(lines)).flatten());
        }
        running
    }

    /// Returns the number of statements in a definition.
    #[must_use]
    pub fn size(&self, definition: usize) -> usize {
        self.own.get(definition).map_or(0, Vec::len)
    }
}
