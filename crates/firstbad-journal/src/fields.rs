//! Two JSON objects side by side: what differs, in words.

use serde_json::Value;

/// What differs between two objects, field by field.
pub(crate) fn differences(theirs: &Value, ours: &Value) -> Vec<String> {
    let (Value::Object(theirs), Value::Object(ours)) = (theirs, ours) else {
        return if theirs == ours { Vec::new() } else { vec![differs("configuration", theirs, ours)] };
    };
    let names = theirs.keys().chain(ours.keys().filter(|name| !theirs.contains_key(*name)));
    names
        .filter_map(|name| {
            let (theirs, ours) = (theirs.get(name).unwrap_or(&Value::Null), ours.get(name).unwrap_or(&Value::Null));
            (theirs != ours).then(|| differs(name, theirs, ours))
        })
        .collect()
}

fn differs(what: &str, theirs: &Value, ours: &Value) -> String {
    let (theirs, ours) = (shown(theirs), shown(ours));
    if theirs == ours {
        return format!("its {what} is another, though it begins alike: {theirs}");
    }
    format!("its {what} is {theirs}, and here {ours}")
}

/// A value in at most some 80 characters.
pub(crate) fn shown(value: &Value) -> String {
    const MOST: usize = 80;
    if value.is_null() {
        return "not given".to_owned();
    }
    cut_at(&value.to_string(), MOST)
}

/// Words that may hold anything that a file holds, in at most some 300 characters.
pub(crate) fn cut(text: &str) -> String {
    cut_at(text, 300)
}

fn cut_at(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
