//! The definitions in a node.

use tree_sitter::Node;

use crate::outline::Kind;
use crate::parsing;
use crate::rules::Rules;

#[derive(Debug)]
pub(super) struct Defined {
    pub(super) kind: Kind,
    pub(super) names: Vec<String>,
    /// The id of the inner node that makes the definitions, if there is a wrapper.
    pub(super) wrapped: Option<usize>,
}

/// The maximum depth of patterns and declarators. Deeper ones define nothing.
const DEEPEST: usize = 32;
/// The maximum number of names that one statement defines.
const MOST_NAMES: usize = 1 << 10;

impl Defined {
    pub(super) fn of(node: Node<'_>, source: &[u8], rules: &Rules) -> Option<Defined> {
        let kind = node.kind();
        if let Some((_, field)) = rules.wrappers.iter().find(|(of, _)| *of == kind) {
            let inner = node.child_by_field_name(field)?;
            let found = plain(inner, source, rules)?;
            return Some(Defined { wrapped: Some(inner.id()), ..found });
        }
        plain(node, source, rules)
    }
}

fn plain(node: Node<'_>, source: &[u8], rules: &Rules) -> Option<Defined> {
    let kind = node.kind();
    let (is_function, is_class) = (rules.functions.contains(&kind), rules.classes.contains(&kind));
    if is_function || is_class {
        // Without a body, the node only refers to a type: `struct point p`.
        if kind.ends_with("_specifier") {
            node.child_by_field_name("body")?;
        }
        let name = ["name", "declarator", "type"].iter().find_map(|field| node.child_by_field_name(field))?;
        let name = first_name(name, source, rules)?;
        let kind = if is_function { Kind::Function } else { Kind::Class };
        return Some(Defined { kind, names: vec![name], wrapped: None });
    }
    let (_, inner, field) = rules.variables.iter().find(|(of, ..)| *of == kind)?;
    let mut cursor = node.walk();
    let inners: Vec<Node<'_>> = match *inner == kind {
        true => vec![node],
        false => node.named_children(&mut cursor).filter(|child| child.kind() == *inner).collect(),
    };
    let mut names = Vec::new();
    for inner in &inners {
        for name in inner.children_by_field_name(field, &mut inner.walk()) {
            names.extend(given(name, *inner, source, rules));
        }
    }
    names.dedup();
    names.truncate(MOST_NAMES);
    let value =
        inners.first().and_then(|inner| inner.child_by_field_name("value").or(inner.child_by_field_name("right")));
    let kind = match value.map(|value| value.kind()) {
        Some("class") => Kind::Class,
        Some(kind) if rules.lambdas.contains(&kind) => Kind::Function,
        _ => Kind::Variable,
    };
    (!names.is_empty()).then_some(Defined { kind, names, wrapped: None })
}

/// Returns the names that a pattern binds.
fn given(pattern: Node<'_>, statement: Node<'_>, source: &[u8], rules: &Rules) -> Vec<String> {
    if rules.members.iter().any(|(kind, ..)| *kind == pattern.kind()) {
        return exported(pattern, source).into_iter().collect();
    }
    if statement.kind() == "assignment_expression" || rules.elements.contains(&pattern.kind()) {
        return Vec::new();
    }
    let mut names = Vec::new();
    let mut cursor = pattern.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        let is_other = rules.members.iter().any(|(kind, ..)| *kind == node.kind())
            || rules.elements.contains(&node.kind())
            || matches!(cursor.field_name(), Some("value" | "right" | "type" | "size" | "parameters" | "key"));
        if !is_other && rules.names.contains(&node.kind()) && node.child_count() == 0 {
            names.extend(parsing::text(node, source).map(str::to_owned));
        }
        if !is_other && depth < DEEPEST && names.len() < MOST_NAMES && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while depth > 0 && !cursor.goto_next_sibling() {
            cursor.goto_parent();
            depth -= 1;
        }
        if depth == 0 {
            return names;
        }
    }
}

/// Returns the name if a member is `exports.name` or `Class.prototype.name`. Other members are not definitions.
fn exported(member: Node<'_>, source: &[u8]) -> Option<String> {
    let path: String = parsing::text(member, source)?.split_whitespace().collect();
    let is_path = |path: &str| path.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '$'));
    if !is_path(&path) {
        return None;
    }
    let inner = path.strip_prefix("module.exports.").or(path.strip_prefix("exports."));
    match (inner, path.split_once(".prototype.")) {
        (Some(inner), _) => Some(inner.to_owned()),
        (None, Some((class, name))) => Some(format!("{class}.{name}")),
        (None, None) => None,
    }
}

/// Returns the first name in a node, for example that of a declarator or of a generic type.
fn first_name(node: Node<'_>, source: &[u8], rules: &Rules) -> Option<String> {
    let mut at = node;
    for _ in 0..DEEPEST {
        let is_name = rules.names.contains(&at.kind()) || at.child_count() == 0;
        if is_name || matches!(at.kind(), "computed_property_name" | "string") {
            return parsing::text(at, source).map(str::to_owned);
        }
        let inner = ["declarator", "type", "name"].iter().find_map(|field| at.child_by_field_name(field));
        at = inner.or_else(|| at.named_child(0))?;
    }
    None
}
