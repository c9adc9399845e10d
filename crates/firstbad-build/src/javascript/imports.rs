//! The imports in JavaScript and TypeScript files.

use firstbad_syntax::{Language, Node, Tree, parsing as syntax};

use crate::paths;

/// The extensions of files that are read. Declarations (`.d.ts`) and imported files such as styles count only by name.
pub(super) const MODULES: [&str; 8] = [".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts"];

fn grammar(path: &str) -> Language {
    Language::of(path).unwrap_or(Language::JavaScript)
}

/// Returns the specifiers that a file imports, and the line of its first syntax error.
///
/// # Errors
/// The message of the parser.
pub(super) fn imports(path: &str, source: &[u8]) -> Result<(Vec<String>, Option<usize>), String> {
    let mut tree = syntax::parse(source, grammar(path))?;
    let mut broken = syntax::broken_at(&tree);
    if broken.is_some() && !paths::name(path).ends_with("ts") {
        // The types of Flow are similar to those of TypeScript.
        let typed = syntax::parse(source, Language::Tsx)?;
        if syntax::broken_at(&typed).is_none() {
            (tree, broken) = (typed, None);
        }
    }
    let mut found = specifiers(&tree, source);
    found.sort_unstable();
    found.dedup();
    Ok((found, broken))
}

fn specifiers(tree: &Tree, source: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    syntax::visit(tree, |node| {
        let specifier = match node.kind() {
            // In `import x = require("y")`, an inner clause has the source.
            "import_statement" | "export_statement" | "import_require_clause" => node.child_by_field_name("source"),
            "call_expression" if imports_something(node, source) => argument(node, 0),
            // Workers and other files next to a module.
            "new_expression" if is_url_of_module(node, source) => argument(node, 0),
            _ => None,
        };
        let specifier = specifier.and_then(|specifier| literal(specifier, source));
        // A URL may name a folder, which is not an import.
        let folder = |name: &String| name.trim_end_matches(['.', '/']).is_empty() || name.ends_with('/');
        found.extend(specifier.filter(|name| node.kind() != "new_expression" || !folder(name)));
        !matches!(node.kind(), "string" | "comment" | "template_string" | "regex") || node.kind() == "template_string"
    });
    found
}

/// Recognizes `import("x")`, `require("x")`, `require.resolve("x")`, and similar functions of test runners.
fn imports_something(call: Node<'_>, source: &[u8]) -> bool {
    let Some(function) = call.child_by_field_name("function") else { return false };
    let word = |field| function.child_by_field_name(field).and_then(|node| syntax::text(node, source)).unwrap_or("");
    match function.kind() {
        "import" => true,
        "identifier" => syntax::text(function, source) == Some("require"),
        "member_expression" => matches!(
            (word("object"), word("property")),
            ("require", "resolve")
                | ("jest" | "vi", "mock" | "doMock" | "requireActual" | "requireMock" | "importActual" | "importMock")
        ),
        _ => false,
    }
}

/// Recognizes `new URL("./x", import.meta.url)`.
fn is_url_of_module(new: Node<'_>, source: &[u8]) -> bool {
    let text = |node: Option<Node<'_>>| node.and_then(|node| syntax::text(node, source)).unwrap_or("");
    text(new.child_by_field_name("constructor")) == "URL" && text(argument(new, 1)) == "import.meta.url"
}

fn argument(call: Node<'_>, number: usize) -> Option<Node<'_>> {
    syntax::argument(call.child_by_field_name("arguments")?, number)
}

/// Returns the value of a plain string, or of a template without substitutions.
fn literal(node: Node<'_>, source: &[u8]) -> Option<String> {
    if !matches!(node.kind(), "string" | "template_string") {
        return None;
    }
    let mut cursor = node.walk();
    let inner: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
    match &inner[..] {
        [text] if text.kind() == "string_fragment" => syntax::text(*text, source).map(str::to_owned),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, source: &str) -> String {
        let (found, broken) = imports(path, source.as_bytes()).unwrap();
        assert_eq!(broken, None, "{path}");
        found.join(" ")
    }

    const PLAIN: &str = r#"
import a from "./a"; import './b'; import * as c from `not`; export * from "./d"
export { e } from './e'; export const f = 1;
const g = require("./g"), h = require(`./h`), no = require(`./${x}`), nor = require("./x" + y);
async () => { const i = await import("./i"); import(/* webpackChunkName: "z" */ './j').then(); }
require.resolve("./k"); jest.mock('./l', () => ({})); other.mock("no"); other("no");
new Worker(new URL("./m.js", import.meta.url)); new URL("./no", location); new URL(".", import.meta.url); new URL("./no/", import.meta.url);
const text = 'import "./no"'; // import "./no"
const nested = `${require("./n")}`;
if (x) { require("./o") }
import data from "./p.json" with { type: "json" };
"#;

    #[test]
    fn every_kind_of_javascript_import_is_found() {
        // An import declaration cannot contain a template.
        let plain = PLAIN.replace("import * as c from `not`;", "import * as c from \"./c\";");
        let all = "./a ./b ./c ./d ./e ./g ./h ./i ./j ./k ./l ./m.js ./n ./o ./p.json";
        for path in ["x.js", "x.mjs", "x.cjs", "x.jsx", "x.ts", "x.tsx", "x.mts"] {
            assert_eq!(found(path, &plain), all, "{path}");
        }
        let typed = "import type { A } from './a'; import b = require('./b'); export type { C } from './c';\n\
            let d: import('./d').D; const e = <T,>(x: T) => x as unknown as typeof import('./e');";
        assert_eq!(found("x.ts", typed), "./a ./b ./c ./d ./e");
        assert_eq!(
            found("x.tsx", "import A from './a'; const b = <A x={require('./b')}>text import './no'</A>"),
            "./a ./b"
        );
        assert_eq!(found("x.js", "import A from './a'; export default () => <A>{import('./b')}</A>"), "./a ./b");
        assert_eq!(
            found("flow.js", "// @flow\nimport type { T } from './t';\nexport const f = (x: ?T): number => 1"),
            "./t"
        );
        assert_eq!(found("x.js", "#!/usr/bin/env node\nrequire('./a')"), "./a");
    }

    #[test]
    fn imports_of_a_broken_javascript_file_are_found() {
        let (found, broken) = imports("x.ts", b"import './a';\nfunction (\nrequire('./b');\n").unwrap();
        assert!(broken.is_some() && found.contains(&"./a".to_owned()), "{found:?} {broken:?}");
        assert_eq!(imports("x.js", b"").unwrap(), (vec![], None));
    }
}
