//! Digests of items, which keep a journal from being resumed with other items.

use std::fmt::Write as _;

use serde_json::{Number, Value};
use sha2::{Digest as _, Sha256};

use crate::error::Error;

/// An item to be hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item<'a> {
    /// A text.
    Text(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
    /// The JSON text of any other value.
    Json(&'a str),
    /// A patch, which counts as one item.
    Patch(&'a [u8]),
}

impl<'a> Item<'a> {
    /// Creates an item from its kind (`text`, `bytes`, `json`, or `patch`) and its content.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the kind is unknown, or if a text or JSON is not UTF-8.
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

/// Returns the SHA-256 of items as 64 hexadecimal digits. Equal items have equal digests in every language.
///
/// The digest covers, for each item, a letter for its kind (`s`, `b`, `j`, or `p`), the number of bytes as a big-endian 64-bit
/// integer, and the bytes. JSON is hashed in a canonical form:
///
/// - Spaces are removed, and keys are sorted by code points. The last of several equal keys counts.
/// - A number is the shortest decimal that reads back as the same double, without an exponent and without a zero fraction. 1 and
///   1.0 are therefore equal, and so are 0 and -0, because JavaScript cannot tell them apart.
///
/// The result is `None` if an item has no canonical form: numbers of magnitude 2^53 or above, unpaired surrogates, invalid JSON,
/// and JSON nested more than 127 levels deep.
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

/// Returns the SHA-256 of bytes as 64 hexadecimal digits.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hexadecimal(Sha256::new_with_prefix(bytes))
}

fn hexadecimal(hasher: Sha256) -> String {
    hasher.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns the canonical form of JSON that [`digest`] documents.
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
            // Sorting is explicit because another crate can enable the `preserve_order` feature of serde_json.
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
    /// The largest integer below which every integer has its own double.
    const SAFE: f64 = 9_007_199_254_740_991.0;
    let double = number.as_f64().filter(|double| double.abs() <= SAFE)?;
    // Adding 0 turns -0 into 0. Rust prints the shortest decimal without an exponent.
    write!(to, "{}", double + 0.0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_a_canonical_form() {
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
    fn the_digest_of_bytes_is_their_sha_256() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!((sha256_hex(b"").as_str(), digest([]).as_deref()), (empty, Some(empty)));
        assert_eq!(sha256_hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert!(Item::new("sound", b"").is_err() && Item::new("text", b"\xff").is_err());
    }
}
