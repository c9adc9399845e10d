//! The environment variables of a test in a journal. Their values are compared but not stored.
//!
//! A short value can be guessed from its plain digest. A journal therefore has `"key:digest"` for each variable: an
//! identifier of the key, and the [keyed digest](crate::mark) of the value's SHA-256. Every user has a different key on
//! every machine. If the keys differ, only the names of the variables are compared.

use serde_json::{Map, Value};

use crate::mark;

const ENV: &str = "env";

/// The placeholder for a value if no key can be stored.
const NOT_KEPT: &str = "not kept";

/// Returns a test as a journal stores it, with keyed digests instead of plain digests.
pub(crate) fn hidden(test: &Value, id: &str) -> Value {
    hidden_unless(test, id, |_, _| None)
}

/// Returns a test in the form that can be compared with `theirs`. Values that cannot be compared count as equal.
pub(crate) fn comparable(test: &Value, theirs: &Value, id: &str) -> Value {
    hidden_unless(test, id, |name, hidden| {
        let theirs = theirs.get(ENV)?.get(name)?.as_str()?;
        match theirs.split_once(':') {
            // Older journals have plain digests.
            None if theirs != NOT_KEPT => Some(Form::Plain),
            Some((key, _)) if hidden.starts_with(&format!("{key}:")) => None,
            _ => Some(Form::Is(theirs.to_owned())),
        }
    })
}

/// A replacement for the keyed digest of a value.
enum Form {
    Plain,
    Is(String),
}

fn hidden_unless(test: &Value, id: &str, other: impl Fn(&str, &str) -> Option<Form>) -> Value {
    let mut test = test.clone();
    let Some(variables) = test.get_mut(ENV).and_then(Value::as_object_mut) else { return test };
    let hide = |(name, value): (&String, &Value)| {
        let plain = value.as_str().unwrap_or_default();
        let hidden = mark::of_value(&[id, name, plain]).unwrap_or_else(|| NOT_KEPT.to_owned());
        let value = match other(name, &hidden) {
            None => hidden,
            Some(Form::Plain) => plain.to_owned(),
            Some(Form::Is(value)) => value,
        };
        (name.clone(), Value::String(value))
    };
    *variables = variables.iter().map(hide).collect::<Map<String, Value>>();
    test
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn test(value: &str) -> Value {
        json!({"command": ["make"], "env": {"PIN": firstbad::digest::sha256_hex(value.as_bytes())}})
    }

    #[test]
    fn values_of_variables_are_compared_only_with_the_same_key() {
        let kept = hidden(&test("4711"), "run 1");
        assert_eq!(comparable(&test("4711"), &kept, "run 1"), kept);
        let words = kept["env"]["PIN"].as_str().unwrap();
        assert!(!kept.to_string().contains(test("4711")["env"]["PIN"].as_str().unwrap()));
        // Equal values have different digests in different journals.
        assert_ne!(hidden(&test("4711"), "run 2"), kept);
        if words != NOT_KEPT {
            assert_ne!(comparable(&test("4712"), &kept, "run 1"), kept);
        }
        for other in [format!("0123456789abcdef:{}", "0".repeat(64)), NOT_KEPT.to_owned()] {
            let elsewhere = json!({"command": ["make"], "env": {"PIN": other}});
            assert_eq!(comparable(&test("4712"), &elsewhere, "run 1"), elsewhere);
            let more = json!({"command": ["make"], "env": {"PIN": "", "MODE": ""}});
            assert_ne!(comparable(&more, &elsewhere, "run 1"), elsewhere);
        }
        // A journal of an older version.
        assert_eq!(comparable(&test("4711"), &test("4711"), "run 1"), test("4711"));
        assert_ne!(comparable(&test("4712"), &test("4711"), "run 1"), test("4711"));
        assert_eq!(hidden(&json!({"command": ["make"]}), "run 1"), json!({"command": ["make"]}));
    }
}
