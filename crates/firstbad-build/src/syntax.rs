//! Parsing source files, in whatever language.
//!
//! The parser is tree-sitter, with the grammars of its own organisation, which keeps them up to date: editors and code
//! hosts rest on them. Of a file with a syntax error it still reads the rest, old versions of a language included, it is
//! fast, and it is one for all languages, so that Python and Node see the same graph. The grammars are bound to it by
//! `tree-sitter-language` alone, so that they need not move together.

use std::ops::ControlFlow;

use tree_sitter::{Language, Node, ParseOptions, Parser, Tree};

/// The parser may take very long over a text that is not a program. It is stopped after this many rounds of a hundred
/// steps, and as many more as the text has bytes: far more than programs need, and the same on every machine.
const ROUNDS: usize = 1000;

/// # Errors
/// If the parser gives up, or refuses the grammar: why, in words.
pub(crate) fn parse(text: &[u8], language: &Language) -> Result<Tree, String> {
    let mut parser = Parser::new();
    parser.set_language(language).map_err(|error| error.to_string())?;
    let mut left = ROUNDS + text.len();
    let mut count = |_: &_| {
        left = left.saturating_sub(1);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut read = |from: usize, _| text.get(from..).unwrap_or_default();
    let options = ParseOptions::new().progress_callback(&mut count);
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    tree.ok_or_else(|| "parsing it takes too long".to_owned())
}

/// All nodes that `enter` does not turn away from, parents first. Trees may be deep, so nothing recurs here.
pub(crate) fn visit<'t>(tree: &'t Tree, mut enter: impl FnMut(Node<'t>) -> bool) {
    let mut cursor = tree.walk();
    loop {
        if enter(cursor.node()) && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// The first line, from 1, that cannot be understood.
pub(crate) fn broken_at(tree: &Tree) -> Option<usize> {
    let mut line = None;
    visit(tree, |node| {
        if line.is_none() && (node.is_error() || node.is_missing()) {
            line = Some(node.start_position().row + 1);
        }
        line.is_none() && node.has_error()
    });
    line
}

/// The source text of a node; `None` if it is not UTF-8.
pub(crate) fn text<'a>(node: Node<'_>, source: &'a [u8]) -> Option<&'a str> {
    std::str::from_utf8(source.get(node.byte_range())?).ok()
}

/// One of the arguments in a list, comments apart.
pub(crate) fn argument(list: Node<'_>, number: usize) -> Option<Node<'_>> {
    let mut cursor = list.walk();
    list.named_children(&mut cursor).filter(|child| child.kind() != "comment").nth(number)
}
