//! Describes the differences between two JSON objects.

use serde_json::Value;

/// A field such as `timeout` or `history.paths`, and its difference in words.
pub(crate) type Difference = (String, String);

/// Returns the differences between two objects, by field.
pub(crate) fn differences(theirs: &Value, ours: &Value) -> Vec<Difference> {
    match (theirs, ours) {
        (Value::Object(_), Value::Object(_)) => within("", theirs, ours),
        _ if theirs == ours => Vec::new(),
        _ => differ("configuration", theirs, ours),
    }
}

/// Returns the differences between two values of the field `of`, which prefixes their names.
fn within(of: &str, theirs: &Value, ours: &Value) -> Vec<Difference> {
    let names = |fields: &Value| fields.as_object().into_iter().flat_map(|fields| fields.keys()).cloned().collect();
    let mut all: Vec<String> = names(theirs);
    let others: Vec<String> = names(ours);
    all.extend(others.into_iter().filter(|name| theirs.get(name).is_none()));
    let field = |of: &Value, name: &str| of.get(name).cloned().unwrap_or(Value::Null);
    all.iter()
        .map(|name| (name, field(theirs, name), field(ours, name)))
        .filter(|(_, theirs, ours)| theirs != ours)
        .flat_map(|(name, theirs, ours)| differ(&format!("{of}{name}"), &theirs, &ours))
        .collect()
}

/// Fields whose values are not shown, because they contain whole files or digests.
const NOT_SHOWN: [&str; 4] = ["carried", "env", "files", "apply_patches"];

fn differ(what: &str, theirs: &Value, ours: &Value) -> Vec<Difference> {
    let is = |words: String| vec![(what.to_owned(), words)];
    let is_hidden = NOT_SHOWN.contains(&what.split('.').next().unwrap_or_default());
    if is_hidden && theirs.is_null() && !ours.is_object() {
        return is("is set only in this run".to_owned());
    }
    if is_hidden && !theirs.is_null() {
        return match theirs.get("content") {
            None if theirs.is_object() && ours.is_object() => within(&format!("{what}."), theirs, ours),
            _ if ours.is_null() => is("is set only in the journal".to_owned()),
            _ => is("differs".to_owned()),
        };
    }
    if NOT_SHOWN.contains(&what)
        && theirs.is_null()
        && let Some(files) = ours.as_object()
    {
        let names: Vec<&str> = files.keys().map(String::as_str).collect();
        return is(format!("is set only in this run, to {}", shown(&names.join(", ").into())));
    }
    let (words, own) = (shown(theirs), shown(ours));
    if words != own {
        return is(match (theirs.is_null(), ours.is_null()) {
            (true, _) => format!("is set only in this run, to {own}"),
            (_, true) => format!("is set only in the journal, to {words}"),
            _ => format!("is {words}, not {own}"),
        });
    }
    if theirs.is_object() && ours.is_object() {
        return within(&format!("{what}."), theirs, ours);
    }
    is(format!("differs after its start: {words}"))
}

/// Returns a value in at most about 80 characters.
pub(crate) fn shown(value: &Value) -> String {
    const MOST: usize = 80;
    if value.is_null() {
        return "not given".to_owned();
    }
    cut_at(&value.to_string(), MOST)
}

/// Returns a text, which may be from an untrusted file, in at most about 300 characters.
pub(crate) fn cut(text: &str) -> String {
    cut_at(text, 300)
}

fn cut_at(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn long_fields_with_a_common_prefix_are_named() {
        let of = |paths: &[&str]| json!({"history": {"base": "b".repeat(100), "paths": paths}, "keep": "pass"});
        let told = differences(&of(&["a"]), &of(&["b"]));
        assert_eq!(told, [("history.paths".to_owned(), r#"is ["a"], not ["b"]"#.to_owned())]);
        assert!(differences(&of(&["a"]), &of(&["a"])).is_empty());
        assert_eq!(differences(&json!({"a": 1}), &json!({"b": 2})).len(), 2);
    }
}
