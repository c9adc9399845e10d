//! Checks that the Python grammar leaves out: it accepts empty blocks and unexpected indentation.

use tree_sitter::{Node, Tree};

use crate::parsing::visit;

/// Returns whether every block has statements, all in the same column.
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

/// Returns the columns of statements that start a line. Lines indented with tabs are skipped, because their columns depend on the
/// Python version.
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
