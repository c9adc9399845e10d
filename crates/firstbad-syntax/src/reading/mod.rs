//! Building outlines in one walk over the syntax tree.

mod building;
mod defined;
mod imports;
mod names;

use std::hash::{DefaultHasher, Hasher};

use tree_sitter::Node;

use crate::language::Language;
use crate::outline::{Argument, Call, Kind, MODULE, Outline};
use crate::parsing::{self, Visit};
use crate::rules::{Rules, VALUES, WHOLES};
use building::{Binding, Building, Frame, Opened, StatementBuilding};
use defined::Defined;
use imports::Import;

/// The largest text to read, in bytes. Programs written by people are far smaller. A syntax tree takes a hundred times the memory
/// of its text.
pub const LARGEST_TEXT: usize = 2 << 20;
/// The maximum number of nodes to visit. A text of [`LARGEST_TEXT`] written by people has fewer.
pub const MOST_NODES: usize = 1 << 20;

/// The maximum depth of definitions. Deeper code belongs to the enclosing definition. The limit also bounds the length of names.
const DEEPEST: usize = 32;

/// The reason why a text has no outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// No grammar is known for the name of the file.
    Unknown,
    /// The grammar of the language is not built in.
    Missing(Language),
    /// The text is too large or too hard to parse. The string describes the problem.
    Refused(String),
}

/// Returns the outline of a text. The name of the file determines the language.
///
/// # Errors
/// [`Unread`] if there is no outline.
pub fn outline(path: &str, text: &[u8]) -> Result<Outline, Unread> {
    within(path, text, MOST_NODES)
}

fn within(path: &str, text: &[u8], most: usize) -> Result<Outline, Unread> {
    let language = Language::of(path).ok_or(Unread::Unknown)?;
    if !language.is_there() {
        return Err(Unread::Missing(language));
    }
    if text.len() > LARGEST_TEXT {
        return Err(Unread::Refused(format!("it has more than {} MiB", LARGEST_TEXT >> 20)));
    }
    let tree = parsing::parse(text, language).map_err(Unread::Refused)?;
    let mut reader = Reader::new(language, text, most);
    parsing::walk(&tree, &mut reader);
    if reader.left == 0 {
        return Err(Unread::Refused(format!("its syntax tree has more than {most} nodes")));
    }
    let broken_at = parsing::broken_at(&tree);
    Ok(reader.outline(language, broken_at))
}

struct Reader<'t, 's> {
    source: &'s [u8],
    rules: &'static Rules,
    building: Building,
    /// The enclosing nodes, outermost first.
    frames: Vec<Frame<'t>>,
    /// The enclosing definitions, outermost first.
    open: Vec<usize>,
    /// The enclosing statements, outermost first.
    at: Vec<usize>,
    /// The definition inside a wrapper, which is already open.
    wrapped: Option<usize>,
    /// How many more nodes can be visited.
    left: usize,
}

impl<'t, 's> Reader<'t, 's> {
    fn new(language: Language, source: &'s [u8], most: usize) -> Self {
        let mut building = Building::default();
        let module = building.definition(MODULE.to_owned(), Kind::Module, 0);
        let rows = source.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
        building.definitions[module].own.lines.push((1, rows));
        Reader {
            source,
            rules: Rules::of(language),
            building,
            frames: Vec::new(),
            open: vec![module],
            at: Vec::new(),
            wrapped: None,
            left: most,
        }
    }

    fn outline(self, language: Language, broken_at: Option<usize>) -> Outline {
        self.building.outline(language, broken_at, self.rules.is_open)
    }

    /// Returns the innermost enclosing definition.
    fn inside(&self) -> usize {
        self.open.last().copied().unwrap_or(0)
    }

    fn is_in_function(&self) -> bool {
        self.building.definitions[self.inside()].own.kind == Kind::Function
    }

    fn text(&self, node: Node<'_>) -> Option<&'s str> {
        parsing::text(node, self.source)
    }

    /// Opens the definitions of a node, if there are any.
    fn define(&mut self, node: Node<'t>) -> Option<Opened> {
        if self.is_in_function()
            || self.open.len() > DEEPEST
            || self.wrapped.take_if(|inner| *inner == node.id()).is_some()
        {
            return None;
        }
        let found = Defined::of(node, self.source, self.rules)?;
        self.wrapped = found.wrapped;
        self.open_as(node, found.kind, found.names)
    }

    fn open_as(&mut self, node: Node<'_>, kind: Kind, names: Vec<String>) -> Option<Opened> {
        let parent = self.inside();
        let prefix = match self.building.definitions[parent].own.name.as_str() {
            MODULE => String::new(),
            around => format!("{around}."),
        };
        let lines = lines(node);
        let all: Vec<usize> =
            names.into_iter().map(|name| self.building.definition(format!("{prefix}{name}"), kind, parent)).collect();
        let (&first, others) = all.split_first()?;
        for &definition in &all {
            self.building.definitions[definition].own.lines.push(lines);
        }
        self.open.push(first);
        Some(Opened { definition: first, also: others.to_vec() })
    }

    /// Opens a statement if the node is one, and returns whether it is.
    fn state(&mut self, node: Node<'t>, field: Option<&str>, opened: Option<&Opened>) -> bool {
        let parent = self.frames.last().map(|frame| frame.node.kind()).unwrap_or_default();
        let is_body = field == Some("body")
            && (self.rules.functions.contains(&parent) || self.rules.lambdas.contains(&parent))
            && !self.rules.blocks.contains(&node.kind());
        let is_statement = opened.is_some() || is_body || self.rules.blocks.contains(&parent) && node.is_named();
        if !is_statement {
            return false;
        }
        let definition = self.inside();
        let around = self.at.last().copied();
        let kind = self.building.definitions[definition].own.kind;
        // In Rust, the last expression of a block is its value.
        let is_value = parent == "block" && node.kind().ends_with("_expression") && node.next_named_sibling().is_none();
        let statement = StatementBuilding {
            definition,
            parent: around.filter(|&around| self.building.statements[around].definition == definition),
            is_result: is_body || is_value || self.rules.results.contains(&node.kind()),
            is_jump: self.rules.jumps.contains(&node.kind()),
            is_head: opened.is_some() && kind == Kind::Function,
            whole: lines(node),
            ..StatementBuilding::default()
        };
        if let Some(around) = around {
            self.building.statements[around].has_inner = true;
        }
        self.at.push(self.building.statements.len());
        self.building.statements.push(statement);
        true
    }

    /// Returns how the names at a node are bound.
    fn binding(&self, node: Node<'_>, field: Option<&str>) -> Binding {
        let kind = node.kind();
        let Some(parent) = self.frames.last() else { return Binding::None };
        let around = parent.node.kind();
        if self.rules.parameters.contains(&kind) {
            return Binding::Parameter;
        }
        if self.rules.bound.contains(&kind) {
            return Binding::Set { reads: kind == "update_expression" };
        }
        let set = self.rules.sets.iter().find(|(of, part, _)| *of == around && Some(*part) == field);
        if let Some((_, _, reads)) = set {
            return Binding::Set { reads: *reads };
        }
        if self.rules.elements.contains(&around) {
            return match (parent.binding, field.is_some_and(|field| WHOLES.contains(&field))) {
                (Binding::Set { .. }, true) => Binding::Set { reads: true },
                _ => Binding::None,
            };
        }
        match field {
            Some(field) if VALUES.contains(&field) && !self.is_member(around) => Binding::None,
            _ => parent.binding,
        }
    }

    fn is_member(&self, kind: &str) -> bool {
        self.rules.members.iter().any(|(of, ..)| *of == kind)
    }

    /// Records a call.
    fn call(&mut self, node: Node<'t>) {
        let Some((_, field)) = self.rules.calls.iter().find(|(kind, _)| *kind == node.kind()) else { return };
        let Some(called) = node.child_by_field_name(field) else { return };
        let (Some(name), Some(&at)) = (self.last_name(called), self.at.last()) else { return };
        let mut arguments = Vec::new();
        if let Some(list) = node.child_by_field_name("arguments") {
            let mut cursor = list.walk();
            for argument in list.named_children(&mut cursor).filter(|child| !child.kind().contains("comment")) {
                let keyword = argument.child_by_field_name("name").filter(|_| argument.kind() == "keyword_argument");
                let keyword = keyword.and_then(|name| self.text(name)).map(|name| self.building.name(name));
                arguments.push(Argument { keyword, bytes: (argument.start_byte() as u32, argument.end_byte() as u32) });
                self.left = self.left.saturating_sub(1);
            }
        }
        let name = self.building.name(&name);
        self.building.statements[at].calls.push(Call { name, arguments });
    }

    /// Records the file that a node imports.
    fn source_of(&mut self, node: Node<'t>) {
        let named = match node.kind() {
            "preproc_include" => node.child_by_field_name("path"),
            "export_statement" => node.child_by_field_name("source"),
            "call_expression" => {
                let called = node.child_by_field_name("function");
                let called = called.filter(|called| matches!(called.kind(), "identifier" | "import"));
                let called = called.and_then(|called| self.text(called));
                let is_import = matches!(called, Some("require" | "import"));
                let list = node.child_by_field_name("arguments").filter(|_| is_import);
                list.and_then(|list| parsing::argument(list, 0)).filter(|first| first.kind() == "string")
            }
            _ => None,
        };
        if let Some(literal) = named.and_then(|named| self.text(named)) {
            self.module_named(literal);
        }
    }

    /// Returns the last part of the called name: `g` for `b.g`.
    fn last_name(&self, called: Node<'_>) -> Option<String> {
        let member = self.rules.members.iter().find(|(kind, ..)| *kind == called.kind());
        let named = match member {
            Some((_, _, field)) => called.child_by_field_name(field)?,
            None if self.rules.names.contains(&called.kind()) => called,
            None => return None,
        };
        self.text(named).map(str::to_owned)
    }

    /// Records an import as a whole.
    fn import(&mut self, node: Node<'t>) {
        let found = Import::of(node, self.source);
        let in_function = self.is_in_function();
        let opened = if in_function { None } else { self.open_as(node, Kind::Import, found.names.clone()) };
        let is_statement = self.state(node, None, opened.as_ref());
        self.feed(self.text(node).unwrap_or_default().split_whitespace().collect::<String>().as_bytes());
        self.rows(node);
        let inside = self.inside();
        let own = &mut self.building.definitions[inside];
        own.own.uses.extend(found.uses);
        own.is_wild |= found.is_wild;
        if in_function {
            own.locals.extend(found.names);
        }
        self.building.definitions[0].is_wild |= found.is_wild;
        if let Some(opened) = opened {
            self.close(&opened);
        }
        if is_statement {
            self.at.pop();
        }
    }

    fn close(&mut self, opened: &Opened) {
        self.open.pop();
        self.building.share(opened);
    }

    /// Adds a piece of code to the hashes of the enclosing definition and statement.
    fn feed(&mut self, piece: &[u8]) {
        let inside = self.inside();
        let add = |hasher: &mut DefaultHasher| {
            hasher.write_usize(piece.len());
            hasher.write(piece);
        };
        add(&mut self.building.definitions[inside].hasher);
        if let Some(&at) = self.at.last() {
            add(&mut self.building.statements[at].hasher);
        }
    }

    /// Adds the lines of a piece of code to the enclosing statement.
    fn rows(&mut self, node: Node<'_>) {
        if let Some(&at) = self.at.last() {
            self.building.statements[at].add_lines(lines(node));
        }
    }
}

impl<'t> Visit<'t> for Reader<'t, '_> {
    fn enter(&mut self, node: Node<'t>, field: Option<&'static str>) -> bool {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 || node.kind().contains("comment") {
            return false;
        }
        if self.rules.imports.contains(&node.kind()) {
            self.import(node);
            return false;
        }
        let binding = self.binding(node, field);
        let opened = if node.is_named() { self.define(node) } else { None };
        let is_statement = self.state(node, field, opened.as_ref());
        if node.is_named() {
            self.feed(&node.kind_id().to_le_bytes());
            self.call(node);
            self.source_of(node);
            // The leaves of a string do not contain all of its text. String contents are not nested.
            if node.kind() == "string_content" {
                self.feed(&self.source[node.byte_range()]);
            }
        }
        let frame = Frame { node, field, opened, is_statement, binding };
        if node.child_count() > 0 {
            self.frames.push(frame);
            return true;
        }
        self.feed(&self.source[node.byte_range()]);
        self.rows(node);
        if self.rules.names.contains(&node.kind()) {
            self.name(node, field, binding);
        }
        self.end(&frame);
        false
    }

    fn leave(&mut self, node: Node<'t>) {
        if node.is_named() {
            self.feed(b")");
        }
        if let Some(frame) = self.frames.pop() {
            self.end(&frame);
        }
    }
}

impl Reader<'_, '_> {
    fn end(&mut self, frame: &Frame<'_>) {
        if frame.is_statement {
            self.at.pop();
        }
        if let Some(opened) = &frame.opened {
            self.close(opened);
        }
    }
}

/// Returns the first and last lines of a node, counted from 1.
fn lines(node: Node<'_>) -> (u32, u32) {
    let (from, to) = (node.start_position(), node.end_position());
    // A trailing line break does not extend a node into the next line.
    let last = if to.column == 0 && to.row > from.row { to.row } else { to.row + 1 };
    (from.row as u32 + 1, last as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_with_too_many_nodes_are_rejected() {
        let read = |most| within("a.py", b"x = 1\ny = 2\n", most);
        assert!(read(100).is_ok());
        assert_eq!(read(10).unwrap_err(), Unread::Refused("its syntax tree has more than 10 nodes".into()));
    }
}
