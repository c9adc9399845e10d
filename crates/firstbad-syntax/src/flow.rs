//! Which statements of a definition flow into a result, an attribute or the argument of a call: a backward
//! analysis within the definition (DEFINER, Section 4).
//!
//! It takes no account of the order of statements, so that it names too many rather than too few: a statement flows into
//! another one that reads what it sets, and what decides whether a statement runs flows into it.

use std::collections::{BTreeSet, HashMap};

use crate::outline::{Kind, Name, Outline, Statement};

/// What something flows into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target<'a> {
    /// What a function returns or yields.
    Result,
    /// An attribute, of whatever object: where it is given a value.
    Attribute(&'a str),
    /// The argument of calls of a function: by its name, or else by its place among those without one.
    Argument {
        /// The function's own name.
        call: &'a str,
        /// The name of the parameter.
        name: &'a str,
        /// Its place, from 0; `None` if it has none.
        place: Option<usize>,
    },
}

impl Outline {
    /// Whether there is anything in a definition that flows into a target.
    #[must_use]
    pub fn reaches(&self, definition: usize, target: Target<'_>) -> bool {
        let found = self.begin(definition, target);
        !found.statements.is_empty()
    }

    /// The attributes that statements of a definition give a value to.
    #[must_use]
    pub fn attributes(&self, definition: usize) -> BTreeSet<&str> {
        let own = self.statements_of(definition).flat_map(|(_, statement)| &statement.sets);
        own.filter_map(|&name| self.name(name).rsplit_once('.')).map(|(_, name)| name).collect()
    }

    /// The names of what a definition calls.
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

    /// Where a backward analysis begins.
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

    /// The names that an argument reads; all of the call's where it is not clear which it is. `None`: there is no such call.
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

    /// The statements of a definition that flow into a target.
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
        // Of a call only one argument counts, but of what it is in everything.
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

/// Whether what differs between two versions of a definition flows into a target, in either of them. Where a definition is
/// not there before or after, all of it differs.
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
        // It is in another order.
        return there.into_iter().any(|(outline, own)| outline.reaches(own, target));
    }
    let hits = |(outline, own): (&Outline, usize), changed: &[usize]| {
        let flowing = outline.flowing(own, target);
        changed.iter().any(|index| flowing.contains(index) || outline.statements[*index].is_head)
    };
    hits(old, &gone) || hits(new, &come)
}

/// The statements of a definition that another version of it has not.
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
