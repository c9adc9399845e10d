//! What items are, as a short text, so that a journal is not resumed with other items: the same in every language.

use std::fmt::Write as _;

use serde_json::{Number, Value};
use sha2::{Digest as _, Sha256};

use crate::error::Error;

/// One item, as a host has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item<'a> {
    /// A text.
    Text(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
    /// Anything else that has a JSON form, written in any way that JSON allows.
    Json(&'a str),
    /// A patch, which counts as one item.
    Patch(&'a [u8]),
}

impl<'a> Item<'a> {
    /// An item by the name of its kind (`text`, `bytes`, `json` or `patch`) and its content, as bindings have it.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for another kind, and for texts that are not UTF-8.
    pub fn new(kind: &str, content: &'a [u8]) -> Result<Self, Error> {
        let text = || std::str::from_utf8(content).map_err(|error| Error::invalid("content", error, "UTF-8"));
        match kind {
            "text" => Ok(Item::Text(text()?)),
            "bytes" => Ok(Item::Bytes(content)),
            "json" => Ok(Item::Json(text()?)),
            "patch" => Ok(Item::Patch(content)),
            other => Err(Error::invalid("kind", other, "\"text\", \"bytes\", \"json\" or \"patch\"")),
        }
    }
}

/// The SHA-256 of items, as 64 hexadecimal digits: equal for the same items, whichever language has them; `None` if one of them
/// has no form that all languages share.
///
/// What is hashed: for each item a letter for its kind (`s`, `b`, `j` or `p`), the number of its bytes in eight bytes, the most
/// significant first, and its bytes. JSON counts without spaces, the keys of objects sorted by code points, of equal keys the
/// last. A number is the shortest decimal that reads back as the same double, without an exponent and without a fraction of
/// zeros, so that 1 and 1.0 are the same, and so are 0 and -0: JavaScript cannot tell them apart. From 2^53 on, in either
/// direction, doubles leave out whole numbers, and a number has no form; nor has text with half of a surrogate pair, nor what is
/// no JSON or nests more than 127 deep.
///
/// ```
/// use firstbad::digest::{Item, digest};
/// assert_eq!(digest([Item::Json("[1.0, -0]")]), digest([Item::Json("[1,0]")]));
/// assert_ne!(digest([Item::Text("ab")]), digest([Item::Text("a"), Item::Text("b")]));
/// assert_eq!(digest([Item::Json("9007199254740993")]), None);
/// ```
pub fn digest<'a>(items: impl IntoIterator<Item = Item<'a>>) -> Option<String> {
    let mut hasher = Sha256::new();
    let mut add = |kind: u8, content: &[u8]| {
        hasher.update([kind]);
        hasher.update((content.len() as u64).to_be_bytes());
        hasher.update(content);
    };
    for item in items {
        match item {
            Item::Text(text) => add(b's', text.as_bytes()),
            Item::Bytes(bytes) => add(b'b', bytes),
            Item::Json(text) => add(b'j', canonical(text)?.as_bytes()),
            Item::Patch(bytes) => add(b'p', bytes),
        }
    }
    Some(hexadecimal(hasher))
}

/// The SHA-256 of bytes, as 64 hexadecimal digits.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hexadecimal(Sha256::new_with_prefix(bytes))
}

fn hexadecimal(hasher: Sha256) -> String {
    hasher.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// JSON in the one form that [`digest`] documents.
fn canonical(text: &str) -> Option<String> {
    let value: Value = serde_json::from_str(text).ok()?;
    let mut written = String::with_capacity(text.len());
    write_value(&value, &mut written)?;
    Some(written)
}

fn write_value(value: &Value, to: &mut String) -> Option<()> {
    match value {
        Value::Number(number) => write_number(number, to)?,
        Value::Array(values) => {
            to.push('[');
            for (place, value) in values.iter().enumerate() {
                to.push_str(if place == 0 { "" } else { "," });
                write_value(value, to)?;
            }
            to.push(']');
        }
        Value::Object(fields) => {
            // Sorted here, for another crate may switch on that serde_json keeps the order of the text.
            let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
            fields.sort_unstable_by_key(|(key, _)| *key);
            to.push('{');
            for (place, (key, value)) in fields.into_iter().enumerate() {
                to.push_str(if place == 0 { "" } else { "," });
                to.push_str(&Value::from(key.as_str()).to_string());
                to.push(':');
                write_value(value, to)?;
            }
            to.push('}');
        }
        Value::Null | Value::Bool(_) | Value::String(_) => to.push_str(&value.to_string()),
    }
    Some(())
}

fn write_number(number: &Number, to: &mut String) -> Option<()> {
    /// The largest whole number up to which a double stands for no other one.
    const SAFE: f64 = 9_007_199_254_740_991.0;
    let double = number.as_f64().filter(|double| double.abs() <= SAFE)?;
    // Adding 0 makes a 0 of -0. Rust writes the shortest decimal, without an exponent.
    write!(to, "{}", double + 0.0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_one_form() {
        let forms = [
            (r#" { "b" : [ 1.0 , -0.0 , 1e2 ] , "a" : "\u00e9\/\n" } "#, r#"{"a":"é/\n","b":[1,0,100]}"#),
            (r#"{"\ud83d\ude00":1,"\uff5e":2,"a":3,"a":4}"#, r#"{"a":4,"～":2,"😀":1}"#),
            ("1e-7", "0.0000001"),
            ("0.30000000000000004", "0.30000000000000004"),
            ("-9007199254740991", "-9007199254740991"),
            ("[true,false,null]", "[true,false,null]"),
        ];
        for (text, form) in forms {
            assert_eq!(canonical(text).as_deref(), Some(form));
        }
        let nested = format!("{}{}", "[".repeat(200), "]".repeat(200));
        for text in ["9007199254740992", "1e300", "1e999", "NaN", r#""\ud800""#, "[1", "", &nested] {
            assert_eq!(canonical(text), None, "{text}");
        }
    }

    #[test]
    fn bytes_have_the_digest_that_other_programs_print() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!((sha256_hex(b"").as_str(), digest([]).as_deref()), (empty, Some(empty)));
        assert_eq!(sha256_hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert!(Item::new("sound", b"").is_err() && Item::new("text", b"\xff").is_err());
    }
}
