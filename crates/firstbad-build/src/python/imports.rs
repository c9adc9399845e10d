//! The imports in Python files.

use firstbad_syntax::{Language, Node, parsing as syntax};

use crate::limits::LONGEST_PATH;

/// An import as written in a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Import {
    /// `import a.b`, or `importlib.import_module("a.b")`.
    Module(String),
    /// `from ..a import b`: the number of dots, the module, and one of the names. `*` stands for all names.
    From(usize, String, String),
}

/// Returns all imports of a file, anywhere and under any condition, and the line of its first syntax error.
///
/// # Errors
/// The message of the parser.
pub(super) fn imports(source: &[u8]) -> Result<(Vec<Import>, Option<usize>), String> {
    let tree = syntax::parse(source, Language::Python)?;
    let mut found = Vec::new();
    syntax::visit(&tree, |node| {
        match node.kind() {
            "import_statement" => plain(node, source, &mut found),
            "import_from_statement" => from(node, source, &mut found),
            "call" => call(node, source, &mut found),
            "assignment" => plugins(node, source, &mut found),
            _ => {}
        }
        !matches!(node.kind(), "import_statement" | "import_from_statement" | "string" | "comment")
    });
    found.sort_unstable();
    found.dedup();
    Ok((found, syntax::broken_at(&tree)))
}

/// Returns a dotted name without spaces.
fn dotted(node: Node<'_>, source: &[u8]) -> Option<String> {
    // Each prefix of a name is looked up, so longer names are ignored.
    Some(syntax::text(node, source)?.split_whitespace().collect()).filter(|name: &String| name.len() <= LONGEST_PATH)
}

/// Returns the original names in an import statement, ignoring aliases.
fn names(node: Node<'_>, source: &[u8]) -> Vec<String> {
    let mut cursor = node.walk();
    let listed = node.children_by_field_name("name", &mut cursor);
    let real = listed.filter_map(|name| match name.kind() {
        "aliased_import" => name.child_by_field_name("name"),
        _ => Some(name),
    });
    real.filter_map(|name| dotted(name, source)).collect()
}

fn plain(node: Node<'_>, source: &[u8], found: &mut Vec<Import>) {
    found.extend(names(node, source).into_iter().map(Import::Module));
}

fn from(node: Node<'_>, source: &[u8], found: &mut Vec<Import>) {
    let Some(module) = node.child_by_field_name("module_name").and_then(|module| dotted(module, source)) else {
        return;
    };
    let name = module.trim_start_matches('.');
    let level = module.len() - name.len();
    let mut cursor = node.walk();
    let all = node.named_children(&mut cursor).any(|child| child.kind() == "wildcard_import");
    let names = if all { vec!["*".to_owned()] } else { names(node, source) };
    found.extend(names.into_iter().map(|import| Import::From(level, name.to_owned(), import)));
}

/// Recognizes `importlib.import_module("a.b")`, `__import__("a")`, and `pytest.importorskip("a")`.
fn call(node: Node<'_>, source: &[u8], found: &mut Vec<Import>) {
    let function = node.child_by_field_name("function").and_then(|function| match function.kind() {
        "attribute" => function.child_by_field_name("attribute"),
        "identifier" => Some(function),
        _ => None,
    });
    let importing = function
        .and_then(|function| syntax::text(function, source))
        .is_some_and(|name| matches!(name, "import_module" | "__import__" | "importorskip"));
    let Some(arguments) = node.child_by_field_name("arguments").filter(|_| importing) else { return };
    let Some(name) = syntax::argument(arguments, 0).and_then(|first| literal(first, source)) else { return };
    let relative = name.trim_start_matches('.');
    match name.len() - relative.len() {
        0 => found.push(Import::Module(name)),
        level => {
            // The name is relative to this package or to the second argument.
            let anchor = syntax::argument(arguments, 1).map(|second| match second.kind() {
                "keyword_argument" => second.child_by_field_name("value").unwrap_or(second),
                _ => second,
            });
            let own = |anchor| matches!(syntax::text(anchor, source), Some("__package__" | "__name__"));
            match anchor.and_then(|anchor| literal(anchor, source)) {
                Some(package) => {
                    let kept = package.rsplitn(level, '.').last().unwrap_or(&package);
                    found.push(Import::Module(format!("{kept}.{relative}")));
                }
                None if anchor.is_none_or(own) => found.push(Import::From(level, relative.to_owned(), "*".to_owned())),
                None => {}
            }
        }
    }
}

/// Recognizes `pytest_plugins = ["a.b"]`, which pytest imports for a `conftest.py`.
fn plugins(node: Node<'_>, source: &[u8], found: &mut Vec<Import>) {
    let left = node.child_by_field_name("left").and_then(|left| syntax::text(left, source));
    let Some(right) = node.child_by_field_name("right").filter(|_| left == Some("pytest_plugins")) else { return };
    let mut cursor = right.walk();
    let listed = right.named_children(&mut cursor).filter_map(|item| literal(item, source));
    found.extend(literal(right, source).into_iter().chain(listed).map(Import::Module));
}

/// Returns the value of a plain string without escapes, substitutions, or concatenation.
fn literal(node: Node<'_>, source: &[u8]) -> Option<String> {
    if node.kind() != "string" {
        return None;
    }
    let mut cursor = node.walk();
    let inner: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
    match &inner[..] {
        [_, content, _] if content.kind() == "string_content" && content.named_child_count() == 0 => {
            let text = syntax::text(*content, source)?;
            (!text.is_empty()).then(|| text.to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_python_import_is_found() {
        let source = br#"
from __future__ import annotations
import a.b, c as d
import  e . f
from .x import y as z, w
from . import sibling
from ... up import (
    one,  # why
    two,
)
from q import *
if TYPE_CHECKING:
    import typed
def f():
    import inside
    importlib.import_module(  # why
        "dyn.amic")
    import_module('.rel', __package__)
    import_module("..rel", package="pack.sub")
    import_module(".rel", some_package)
    import_module(".rel.of", __name__)
    __import__("dunder")
    pytest.importorskip("optional", minversion="1")
    import_module(f"not.{literal}")
    import_module("not" ".literal")
    other("not.an.import")
    try:
        import json5
    except ImportError:
        import json
pytest_plugins = ["plug.one", "plug.two"]
"import text"
# import comment
print "as of old"; import late
"#;
        let (found, broken) = imports(source).unwrap();
        assert_eq!(broken, None);
        let module = |name: &str| Import::Module(name.to_owned());
        let from = |level, module: &str, name: &str| Import::From(level, module.to_owned(), name.to_owned());
        let mut expected: Vec<Import> = [
            "a.b", "c", "e.f", "typed", "inside", "dyn.amic", "pack.rel", "dunder", "optional", "json5", "json",
            "plug.one", "plug.two", "late",
        ]
        .map(module)
        .to_vec();
        expected.extend([
            from(1, "x", "y"),
            from(1, "x", "w"),
            from(1, "", "sibling"),
            from(3, "up", "one"),
            from(3, "up", "two"),
            from(0, "q", "*"),
            from(1, "rel", "*"),
            from(1, "rel.of", "*"),
        ]);
        expected.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn imports_of_a_broken_python_file_are_found() {
        let (found, broken) = imports(b"import a\ndef f(:\n  x = = 1\nimport b\n").unwrap();
        assert_eq!(broken, Some(2));
        assert!(found.contains(&Import::Module("a".to_owned())));
        assert_eq!(imports(b"import \xff\xfe\nimport c").unwrap().0, [Import::Module("c".to_owned())]);
        assert_eq!(imports(b"").unwrap(), (vec![], None));
    }
}
