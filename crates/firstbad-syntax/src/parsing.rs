//! Parsing of source files with tree-sitter.
//!
//! tree-sitter reads the rest of a file after a syntax error, including code for old versions of a language. It is fast, and one
//! parser for all languages gives Python and Node the same graph. The grammars come from the tree-sitter organization and depend
//! only on `tree-sitter-language`, so they can be updated independently.

use tree_sitter::{Node, ParseOptions, Parser, Tree};

use crate::language::Language;
use crate::meter::{Meter, Stop};

/// The stack size of the parsing thread. The parser recurses as deep as the text is ambiguous, which overflows the smaller stacks
/// of musl and of Python threads.
const STACK: usize = 64 << 20;

/// Parses a text.
///
/// # Errors
/// A message if the grammar is not built in or is rejected, or if parsing exceeds the limits on time and memory.
pub fn parse(text: &[u8], language: Language) -> Result<Tree, String> {
    let grammar = language.grammar()?;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("firstbad-parse".to_owned()).stack_size(STACK);
        let parsing = thread.spawn_scoped(scope, || metered(text, &grammar));
        let parsing = parsing.map_err(|error| format!("no thread can be started to parse it: {error}"))?;
        parsing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn metered(text: &[u8], grammar: &tree_sitter::Language) -> Result<Tree, String> {
    let parsed = match counted(&Meter::unlogged(text), grammar) {
        Err(Some(Stop::Unlogged)) => counted(&Meter::logged(text), grammar),
        parsed => parsed,
    };
    parsed.map_err(|stop| match stop {
        Some(Stop::Limit(words)) => words.to_owned(),
        Some(Stop::Unlogged) | None => "the parser failed".to_owned(),
    })
}

/// Parses a text with a meter. The error is the reason if the meter stopped the parser.
fn counted(meter: &Meter<'_>, grammar: &tree_sitter::Language) -> Result<Tree, Option<Stop>> {
    let mut parser = Parser::new();
    parser.set_language(grammar).map_err(|_| None)?;
    parser.set_logger(meter.log());
    let mut count = |_: &_| meter.hundred();
    let mut read = |from: usize, _| meter.piece(from);
    let options = ParseOptions::new().progress_callback(&mut count);
    parser.parse_with_options(&mut read, None, Some(options)).ok_or_else(|| meter.stopped())
}

/// A visitor of syntax trees.
pub trait Visit<'t> {
    /// Called for each node before its children, with the name of the field in its parent. Returns whether to visit the children.
    fn enter(&mut self, node: Node<'t>, field: Option<&'static str>) -> bool;

    /// Called after the children of a node, if [`Visit::enter`] returned `true`.
    fn leave(&mut self, _node: Node<'t>) {}
}

/// Visits a tree in preorder. Does not recurse, because trees may be deep.
pub fn walk<'t>(tree: &'t Tree, visitor: &mut impl Visit<'t>) {
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let field = cursor.field_name();
        if visitor.enter(node, field) {
            if cursor.goto_first_child() {
                continue;
            }
            visitor.leave(node);
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            visitor.leave(cursor.node());
        }
    }
}

impl<'t, F: FnMut(Node<'t>) -> bool> Visit<'t> for F {
    fn enter(&mut self, node: Node<'t>, _: Option<&'static str>) -> bool {
        self(node)
    }
}

/// Visits a tree in preorder. `enter` returns whether to visit the children of a node.
pub fn visit<'t>(tree: &'t Tree, mut enter: impl FnMut(Node<'t>) -> bool) {
    walk(tree, &mut enter);
}

/// Returns the line of the first syntax error, counted from 1.
#[must_use]
pub fn broken_at(tree: &Tree) -> Option<usize> {
    let mut line = None;
    visit(tree, |node| {
        if line.is_none() && (node.is_error() || node.is_missing()) {
            line = Some(node.start_position().row + 1);
        }
        line.is_none() && node.has_error()
    });
    line
}

/// Returns the source text of a node, or `None` if it is not UTF-8.
#[must_use]
pub fn text<'a>(node: Node<'_>, source: &'a [u8]) -> Option<&'a str> {
    std::str::from_utf8(source.get(node.byte_range())?).ok()
}

/// Returns an argument of a list by its index, not counting comments.
#[must_use]
pub fn argument(list: Node<'_>, number: usize) -> Option<Node<'_>> {
    let mut cursor = list.walk();
    list.named_children(&mut cursor).filter(|child| child.kind() != "comment").nth(number)
}
