//! Finds the statements of a definition that flow into a result, an attribute, or an argument: a backward analysis within the
//! definition (DEFINER, Section 4).
//!
//! The analysis ignores the order of statements, so it may report too many statements but not too few. A statement flows into
//! every statement that reads a name it sets. A condition flows into every statement that it controls.

use std::collections::{BTreeSet, HashMap};

use crate::outline::{Kind, Name, Outline, Statement};

/// The end point of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target<'a> {
    /// The values that a function returns or yields.
    Result,
    /// Assignments to an attribute of this name, on any object.
    Attribute(&'a str),
    /// An argument in calls of a function. It is found by its keyword, or else by its position.
    Argument {
        /// The name of the function, without its qualifier.
        call: &'a str,
        /// The name of the parameter.
        name: &'a str,
        /// The position of the parameter, from 0, or `None` if it is keyword-only.
        place: Option<usize>,
    },
}

impl Outline {
    /// Returns whether any statement of a definition flows into a target.
    #[must_use]
    pub fn reaches(&self, definition: usize, target: Target<'_>) -> bool {
        let found = self.begin(definition, target);
        !found.statements.is_empty()
    }

    /// Returns the names of the attributes that a definition assigns.
    #[must_use]
    pub fn attributes(&self, definition: usize) -> BTreeSet<&str> {
        let own = self.statements_of(definition).flat_map(|(_, statement)| &statement.sets);
        own.filter_map(|&name| self.name(name).rsplit_once('.')).map(|(_, name)| name).collect()
    }

    /// Returns the names of the functions that a definition calls.
    #[must_use]
    pub fn called(&self, definition: usize) -> BTreeSet<&str> {
        let own = self.statements_of(definition).flat_map(|(_, statement)| &statement.calls);
        own.map(|call| self.name(call.name)).collect()
    }

    fn name(&self, name: Name) -> &str {
        &self.names[name as usize]
    }

    fn statements_of(&self, definition: usize) -> impl Iterator<Item = (usize, &Statement)> {
        self.own.get(definition).into_iter().flatten().map(|&index| (index, &self.statements[index]))
    }

    /// Returns the start of a backward analysis.
    fn begin(&self, definition: usize, target: Target<'_>) -> Beginning {
        let mut found = Beginning::default();
        for (index, statement) in self.statements_of(definition) {
            match target {
                Target::Result if statement.is_result || statement.is_jump => found.whole(index, statement),
                Target::Attribute(name) if statement.sets.iter().any(|&set| self.is_attribute(set, name)) => {
                    found.whole(index, statement);
                }
                Target::Argument { call, name, place } => {
                    if let Some(reads) = self.argument(statement, call, name, place) {
                        found.statements.push(index);
                        found.names.extend(reads);
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn is_attribute(&self, set: Name, attribute: &str) -> bool {
        self.name(set).rsplit_once('.').is_some_and(|(_, name)| name == attribute)
    }

    /// Returns the names that an argument reads, or `None` if there is no such call. If the argument is ambiguous, returns the
    /// names of all arguments.
    fn argument(&self, statement: &Statement, call: &str, name: &str, place: Option<usize>) -> Option<Vec<Name>> {
        let calls = || statement.calls.iter().filter(|made| self.name(made.name) == call);
        calls().next()?;
        let mut names = Vec::new();
        for made in calls() {
            let by_name = made.arguments.iter().find(|own| own.keyword.is_some_and(|key| self.name(key) == name));
            let in_place = place.and_then(|place| made.arguments.get(place)).filter(|own| own.keyword.is_none());
            let ranges: Vec<(u32, u32)> = match by_name.or(in_place) {
                Some(argument) => vec![argument.bytes],
                None => made.arguments.iter().map(|argument| argument.bytes).collect(),
            };
            let is_in = |byte: u32| ranges.iter().any(|&(from, to)| (from..to).contains(&byte));
            names.extend(statement.reads.iter().filter(|(byte, _)| is_in(*byte)).map(|(_, name)| *name));
        }
        Some(names)
    }

    /// Returns the statements of a definition that flow into a target.
    fn flowing(&self, definition: usize, target: Target<'_>) -> BTreeSet<usize> {
        let mut setting: HashMap<Name, Vec<usize>> = HashMap::new();
        for (index, statement) in self.statements_of(definition) {
            statement.sets.iter().for_each(|&name| setting.entry(name).or_default().push(index));
        }
        let begun = self.begin(definition, target);
        let mut found: BTreeSet<usize> = begun.statements.iter().copied().collect();
        let mut open: Vec<usize> = begun.statements;
        let mut names = begun.names;
        let mut wanted: BTreeSet<Name> = BTreeSet::new();
        // In the call itself, only the names of the argument count.
        let only_names = matches!(target, Target::Argument { .. }).then(|| found.clone()).unwrap_or_default();
        loop {
            while let Some(name) = names.pop() {
                if wanted.insert(name) {
                    let new = setting.get(&name).into_iter().flatten().filter(|&&index| found.insert(index));
                    open.extend(new);
                }
            }
            let Some(index) = open.pop() else { return found };
            let statement = &self.statements[index];
            if !only_names.contains(&index) {
                names.extend(statement.reads.iter().map(|(_, name)| *name));
            }
            open.extend(statement.parent.filter(|&parent| found.insert(parent)));
        }
    }
}

#[derive(Default)]
struct Beginning {
    statements: Vec<usize>,
    names: Vec<Name>,
}

impl Beginning {
    fn whole(&mut self, index: usize, statement: &Statement) {
        self.statements.push(index);
        self.names.extend(statement.reads.iter().map(|(_, name)| *name));
    }
}

/// Returns whether any difference between two versions of a definition flows into a target, in either version. If one version is
/// missing, all of the definition differs.
#[must_use]
pub fn flows(before: Option<(&Outline, usize)>, after: Option<(&Outline, usize)>, target: Target<'_>) -> bool {
    let there = [before, after].into_iter().flatten();
    let (Some(old), Some(new)) = (before, after) else {
        return there
            .into_iter()
            .any(|(outline, own)| outline.definitions[own].kind != Kind::Function || outline.reaches(own, target));
    };
    let (gone, come) = (differing(old, new), differing(new, old));
    if gone.is_empty() && come.is_empty() {
        // Only the order of statements differs.
        return there.into_iter().any(|(outline, own)| outline.reaches(own, target));
    }
    let hits = |(outline, own): (&Outline, usize), changed: &[usize]| {
        let flowing = outline.flowing(own, target);
        changed.iter().any(|index| flowing.contains(index) || outline.statements[*index].is_head)
    };
    hits(old, &gone) || hits(new, &come)
}

/// Returns the statements of a definition that are not in another version.
fn differing((one, own): (&Outline, usize), (other, others): (&Outline, usize)) -> Vec<usize> {
    let mut there: HashMap<u64, usize> = HashMap::new();
    for (_, statement) in other.statements_of(others) {
        *there.entry(statement.value).or_default() += 1;
    }
    let is_new = |statement: &Statement| match there.get_mut(&statement.value) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    };
    let mut is_new = is_new;
    one.statements_of(own).filter(|(_, statement)| is_new(statement)).map(|(index, _)| index).collect()
}
