//! What is known of a source text: its definitions, what they use, and their statements.

use std::collections::{BTreeSet, HashMap};

use crate::language::Language;

/// The name of what stands in a file outside of all other definitions.
pub const MODULE: &str = "<module>";

/// What a definition defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// What is left of a file without its other definitions.
    Module,
    /// A class, and what else has members, without these.
    Class,
    /// A function or a method, with all that is defined in it.
    Function,
    /// A variable of a module or of a class.
    Variable,
    /// A name that an import brings.
    Import,
    /// An attribute that methods give to their object. It has no text of its own.
    Attribute,
}

/// How a name is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    /// By itself: `name`.
    Bare,
    /// As a member of the method's own object: `self.name`.
    Own,
    /// As a member of something else: `something.name`.
    Member,
    /// As a module or a file that is imported.
    Module,
    /// As what is imported from a module: `from module import name`.
    Imported,
}

/// A name that a definition uses.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Use {
    /// How.
    pub way: Way,
    /// The name, without what stands before it.
    pub name: String,
    /// Of an import: the last part of the module's name, if it has one.
    pub from: Option<String>,
}

/// A definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The qualified name: those of the classes around it and its own, with dots between; [`MODULE`] for a file's rest.
    pub name: String,
    /// What it defines.
    pub kind: Kind,
    /// The index of the definition around it; its own for the module.
    pub parent: usize,
    /// Its lines with those of all that is in it, from 1, first and last; of a name that is defined several times, each.
    pub lines: Vec<(u32, u32)>,
    /// Equal for equal code: comments, blank lines and layout apart, and without the definitions in it.
    pub value: u64,
    /// The names that it uses and does not define itself.
    pub uses: BTreeSet<Use>,
    /// Of a class: the names of the classes that it is made of.
    pub bases: BTreeSet<String>,
    /// Of a function: its parameters, in order, without that of the object.
    pub parameters: Vec<String>,
}

impl Definition {
    /// The last part of its name.
    #[must_use]
    pub fn own_name(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }
}

/// A name in a statement, by its number.
pub(crate) type Name = u32;

/// An argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Argument {
    pub(crate) keyword: Option<Name>,
    /// Its bytes.
    pub(crate) bytes: (u32, u32),
}

/// A call in a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) name: Name,
    pub(crate) arguments: Vec<Argument>,
}

/// A statement; or of one with blocks what is outside of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statement {
    /// The definition that it is in.
    pub(crate) definition: usize,
    /// The statement around it in the same definition.
    pub(crate) parent: Option<usize>,
    /// Its lines, from 1, firsts and lasts.
    pub(crate) lines: Vec<(u32, u32)>,
    /// Equal for equal code.
    pub(crate) value: u64,
    /// The names whose values it takes, each with its byte.
    pub(crate) reads: Vec<(u32, Name)>,
    /// The names that it gives values to.
    pub(crate) sets: Vec<Name>,
    pub(crate) calls: Vec<Call>,
    /// Whether it gives a result.
    pub(crate) is_result: bool,
    /// Whether it says where to go on.
    pub(crate) is_jump: bool,
    /// Whether it is the head of a function.
    pub(crate) is_head: bool,
}

/// A source text.
#[derive(Debug, Clone)]
pub struct Outline {
    /// Its language.
    pub language: Language,
    /// The definitions, each name once; the first is the module.
    pub definitions: Vec<Definition>,
    /// The first line, from 1, that cannot be understood; `None` if all of it can.
    pub broken_at: Option<usize>,
    /// Whether names of other files are used that no import names.
    pub is_open: bool,
    pub(crate) statements: Vec<Statement>,
    /// The statements of each definition.
    pub(crate) own: Vec<Vec<usize>>,
    pub(crate) names: Vec<String>,
}

impl Outline {
    /// The definition of this qualified name.
    #[must_use]
    pub fn definition(&self, name: &str) -> Option<usize> {
        self.definitions.iter().position(|definition| definition.name == name)
    }

    /// The definition that a line, from 1, is in: the innermost.
    #[must_use]
    pub fn owner(&self, line: u32) -> usize {
        let has = |definition: &Definition| {
            let around = definition.lines.iter().filter(|(first, last)| (*first..=*last).contains(&line));
            around.map(|(first, last)| last - first).min()
        };
        let found = self.definitions.iter().enumerate().skip(1).filter_map(|(index, own)| Some((has(own)?, index)));
        // Of equals the inner one, which is the later one; of several that a statement defines, the first.
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

    /// The definitions of which something runs when these lines, from 1, do. Reports of coverage name only the first line of
    /// a statement: it counts with all its lines. That the head of a function runs shows no more than that it is defined.
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
            // With the others that the same statement defines.
            running.insert(statement.definition);
            running.extend(statement.lines.iter().filter_map(|lines| defined.get(lines)).flatten());
        }
        running
    }

    /// How many statements a definition has.
    #[must_use]
    pub fn size(&self, definition: usize) -> usize {
        self.own.get(definition).map_or(0, Vec::len)
    }
}
