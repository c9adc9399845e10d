//! The meaning of names in code.

use tree_sitter::Node;

use super::Reader;
use super::building::Binding;
use super::imports::module;
use crate::outline::{Kind, Use, Way};

/// The longest text of an object in bytes for which members are distinguished.
const LONGEST_OBJECT: usize = 64;

impl Reader<'_, '_> {
    /// Records a name as a use, and records what its statement does with it.
    pub(super) fn name(&mut self, node: Node<'_>, field: Option<&str>, binding: Binding) {
        let Some(name) = self.text(node) else { return };
        let Some(parent) = self.frames.last().map(|frame| frame.node) else { return };
        let around = parent.kind();
        if self.rules.labels.iter().any(|(kind, part)| *kind == around && Some(*part) == field) {
            return;
        }
        if self.is_own_name(around, field) {
            let inside = self.inside();
            self.building.definitions[inside].locals.insert(name.to_owned());
            return;
        }
        if matches!(around, "global_statement" | "nonlocal_statement") {
            let inside = self.inside();
            self.building.definitions[inside].globals.insert(name.to_owned());
            return;
        }
        let member = self.rules.members.iter().find(|(kind, _, part)| *kind == around && Some(*part) == field);
        let object = member.and_then(|(_, object, _)| parent.child_by_field_name(object));
        match object {
            Some(object) => self.member(node, object, name, binding),
            None => self.bare(node, field, name, binding),
        }
    }

    /// Returns whether a name is the name of the definition itself.
    fn is_own_name(&self, around: &str, field: Option<&str>) -> bool {
        let is_named = self.rules.functions.contains(&around) || self.rules.classes.contains(&around);
        is_named && field == Some("name")
    }

    fn member(&mut self, node: Node<'_>, object: Node<'_>, name: &str, binding: Binding) {
        // Members of longer objects are treated as members of any object.
        let of = Some(object).filter(|object| object.byte_range().len() <= LONGEST_OBJECT);
        let of = of.and_then(|object| self.text(object)).unwrap_or("*");
        let is_own = self.rules.own.contains(&of) || matches!(of.split('(').next(), Some("super"));
        let inside = self.inside();
        self.building.used(inside, if is_own { Way::Own } else { Way::Member }, name);
        if is_own && matches!(binding, Binding::Set { .. }) {
            self.building.definitions[inside].attributes.insert(name.to_owned());
        }
        let path = self.building.name(&path(of, is_own, name));
        let Some(&at) = self.at.last() else { return };
        let statement = &mut self.building.statements[at];
        if matches!(binding, Binding::Set { .. }) {
            statement.sets.insert(path);
        }
        if binding == Binding::None || binding == (Binding::Set { reads: true }) {
            statement.reads.push((node.start_byte() as u32, path));
        }
    }

    fn bare(&mut self, node: Node<'_>, field: Option<&str>, name: &str, binding: Binding) {
        let inside = self.inside();
        let is_own = self.rules.own.contains(&name);
        let number = self.building.name(name);
        let above = self.frames.last().map(|frame| frame.node.kind()).unwrap_or_default();
        // A change to a part also reads the previous value.
        let is_object = self.is_member(above);
        let in_place = (is_object || self.rules.elements.contains(&above)) && matches!(binding, Binding::Set { .. });
        let own = &mut self.building.definitions[inside];
        match binding {
            Binding::Parameter if !is_own => {
                own.locals.insert(name.to_owned());
                let is_head = self.at.last().is_some_and(|&at| self.building.statements[at].is_head);
                if is_head && own.own.kind == Kind::Function {
                    own.own.parameters.push(name.to_owned());
                }
            }
            Binding::Set { .. } if !in_place && !is_own => {
                own.locals.insert(name.to_owned());
            }
            _ if !is_own => {
                own.own.uses.insert(Use { way: Way::Bare, name: name.to_owned(), from: None });
                if own.own.kind == Kind::Class && self.is_base() {
                    let own = &mut self.building.definitions[inside];
                    own.own.bases.insert(name.to_owned());
                }
            }
            _ => {}
        }
        let called = self.is_changed_by_call(is_object, field);
        let Some(&at) = self.at.last() else { return };
        let statement = &mut self.building.statements[at];
        if matches!(binding, Binding::Set { .. }) && !(is_own && is_object) || binding == Binding::Parameter || called {
            statement.sets.insert(number);
        }
        let reads_before = in_place || called || binding == (Binding::Set { reads: true });
        if binding == Binding::None || reads_before {
            statement.reads.push((node.start_byte() as u32, number));
        }
    }

    /// Returns whether the name is an object that a method is called on for its side effect: `found.append(x)`.
    fn is_changed_by_call(&self, is_object: bool, field: Option<&str>) -> bool {
        let above: Vec<&str> = self.frames.iter().rev().take(3).map(|frame| frame.node.kind()).collect();
        match above.as_slice() {
            [_, call, statement] if is_object => {
                self.is_call(call) && matches!(*statement, "expression_statement" | "await")
            }
            // In Java, the object is a field of the call.
            [call, statement, ..] => {
                self.is_call(call) && field == Some("object") && *statement == "expression_statement"
            }
            _ => false,
        }
    }

    fn is_call(&self, kind: &str) -> bool {
        self.rules.calls.iter().any(|(of, _)| *of == kind)
    }

    /// Returns whether a name is in the list of base classes.
    fn is_base(&self) -> bool {
        /// Deeper names do not refer to base classes.
        const DEEPEST: usize = 8;
        let near = self.frames.iter().rev().take(DEEPEST);
        near.take_while(|frame| frame.opened.is_none())
            .any(|frame| frame.field == Some("superclasses") || self.rules.bases.contains(&frame.node.kind()))
    }

    /// Records the module that a string literal names.
    pub(super) fn module_named(&mut self, literal: &str) {
        if let Some(name) = module(literal) {
            let inside = self.inside();
            self.building.used(inside, Way::Module, &name);
        }
    }
}

/// Returns the name of a member within a definition.
fn path(of: &str, is_own: bool, name: &str) -> String {
    let is_simple = of.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    match (is_own, is_simple) {
        (true, _) => format!("self.{name}"),
        (false, true) => format!("{of}.{name}"),
        (false, false) => format!("*.{name}"),
    }
}
