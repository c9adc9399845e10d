//! Blocks of Python as Python wants them: its grammar takes one without statements, and statements further to the right than
//! the one before them.

use tree_sitter::{Node, Tree};

use crate::parsing::visit;

/// Whether every block of a text has statements, all of them in one column.
pub(crate) fn is_indented(tree: &Tree, text: &[u8]) -> bool {
    let mut right = true;
    visit(tree, |node| {
        right = right
            && match node.kind() {
                "module" => columns(&statements(node), text).all(|column| column == 0),
                "block" => is_block(node, text),
                _ => true,
            };
        right
    });
    right
}

fn is_block(block: Node<'_>, text: &[u8]) -> bool {
    let statements = statements(block);
    let mut columns = columns(&statements, text);
    let first = columns.next();
    columns.all(|column| Some(column) == first) && !statements.is_empty()
}

/// Where the statements start that are the first on their lines. Behind tabs that depends on the version, so those are left out.
fn columns(statements: &[Node<'_>], text: &[u8]) -> impl Iterator<Item = usize> {
    statements.iter().filter_map(|statement| {
        let column = statement.start_position().column;
        let before = &text[statement.start_byte().checked_sub(column)?..statement.start_byte()];
        before.iter().all(|&byte| byte == b' ').then_some(column)
    })
}

fn statements(of: Node<'_>) -> Vec<Node<'_>> {
    of.named_children(&mut of.walk()).filter(|child| child.kind() != "comment").collect()
}
