//! JSON parsing with errors that name the position of the wrong value.

use std::fmt::{self, Write as _};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::Error;

/// The key under which a binding passes the text of a value without a JSON form. The object is inside a list of one element,
/// which no option accepts.
const OTHER: &str = "no JSON";

/// The reason why a JSON text does not have the expected type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misread {
    place: Vec<Step>,
    reason: String,
    is_json: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    /// The index of a list element.
    Element(usize),
    /// The key of an object, or `None` before the key is read.
    Member(Option<String>),
}

impl Misread {
    fn of(text: &str, error: &serde_json::Error) -> Misread {
        Misread {
            place: place(&text.as_bytes()[..seen(text, error)]),
            reason: error.to_string(),
            is_json: error.is_data(),
        }
    }

    /// Returns the path of the wrong value, such as `points[0].bad`, or `None` for the whole text.
    #[must_use]
    pub fn place(&self) -> Option<String> {
        let mut place = String::new();
        for step in &self.place {
            // Writing to a `String` cannot fail.
            _ = match step {
                Step::Element(number) => write!(place, "[{number}]"),
                Step::Member(name) => write!(place, ".{}", name.as_deref().unwrap_or_default()),
            };
        }
        Some(place.trim_start_matches('.').to_owned()).filter(|place| !place.is_empty())
    }

    /// Returns the problem with its line and column.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Returns the problem without line and column, for a text that the caller may never have seen.
    fn words(&self) -> &str {
        self.reason.rsplit_once(" at line ").map_or(&self.reason, |(words, _)| words)
    }

    fn expected(&self) -> String {
        if self.is_json { expected(self.words()) } else { format!("JSON ({})", self.words()) }
    }

    /// Creates an error that names the argument, the path, the wrong value, and the expected value.
    fn about(&self, argument: &str, text: &str) -> Error {
        let all = serde_json::from_str::<Value>(text).ok();
        let given = self.place.iter().try_fold(all.as_ref(), |given, step| {
            let given = given?;
            match step {
                Step::Element(number) => given.get(number),
                Step::Member(name) => given.get(name.as_deref()?),
            }
            .map(Some)
        });
        let argument = match self.place() {
            Some(place) if place.starts_with('[') => format!("{argument}{place}"),
            Some(place) => format!("{argument}.{place}"),
            None => argument.to_owned(),
        };
        let value = given.flatten().map_or_else(|| shown(text), shown);
        Error::InvalidArgument { argument, value, expected: self.expected() }
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place() {
            Some(place) => write!(f, "{place}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

/// Parses a value from JSON, nested at most 128 levels deep.
///
/// # Errors
/// [`Misread`] if the text is not JSON or does not have the expected type.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Misread> {
    serde_json::from_str(text).map_err(|error| {
        let misread = Misread::of(text, &error);
        // serde_json reports an error of a custom check after the value, so the path of a last element would be lost. Parsing
        // again with one more element finds the path.
        let (before, after) = text.split_at(seen(text, &error));
        let around = [("}", "\"\":0"), ("]", "null")]
            .into_iter()
            .find_map(|(end, more)| Some((before.strip_suffix(end)?, end, more)))
            .filter(|_| error.is_data());
        let Some((around, end, more)) = around else { return misread };
        let comma = if around.trim_end().ends_with(['{', '[']) { "" } else { "," };
        let longer = format!("{around}{comma}{more}{end}{after}");
        // An error about the whole list or object is reported only after its end.
        let is_last = serde_json::from_str::<T>(&longer).is_err_and(|error| {
            seen(&longer, &error) <= around.len() && Misread::of(&longer, &error).words() == misread.words()
        });
        if is_last { Misread { place: place(around.as_bytes()), ..misread } } else { misread }
    })
}

/// Returns the number of bytes that serde_json has read.
fn seen(text: &str, error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    // The position of a syntax error includes one byte that was not consumed.
    let read = (lines + error.column()).saturating_sub(usize::from(error.is_syntax()));
    let read = (0..=read.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
    // After a custom check fails in a list, the position includes the following comma. After a wrong type, a comma belongs to the
    // value.
    let is_refused = error.is_data() && !error.to_string().starts_with("invalid type: ");
    let before = text[..read].trim_end();
    if is_refused && before.ends_with(',') { before.len() - 1 } else { read }
}

/// Returns the path to the end of a JSON prefix. `serde_path_to_error` also finds the path, but compiles every type again.
fn place(mut rest: &[u8]) -> Vec<Step> {
    let mut place = Vec::new();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'{' => place.push(Step::Member(None)),
            b'[' => place.push(Step::Element(0)),
            b'}' | b']' => _ = place.pop(),
            b',' => match place.last_mut() {
                Some(Step::Element(number)) => *number += 1,
                Some(Step::Member(name)) => *name = None,
                None => {}
            },
            b'"' => {
                let mut is_escaped = false;
                let end = rest.iter().position(|&byte| {
                    let ends = byte == b'"' && !is_escaped;
                    is_escaped = byte == b'\\' && !is_escaped;
                    ends
                });
                let (string, after) = rest.split_at(end.unwrap_or(rest.len()));
                rest = after.get(1..).unwrap_or_default();
                if let Some(Step::Member(name @ None)) = place.last_mut() {
                    let quoted = [b"\"", string, b"\""].concat();
                    *name = serde_json::from_slice(&quoted).ok();
                }
            }
            _ => {}
        }
    }
    if matches!(place.last(), Some(Step::Member(None))) {
        place.pop();
    }
    place
}

/// Parses the value of an argument from JSON.
///
/// # Errors
/// [`Error::InvalidArgument`] with the argument, the path, the wrong value, and the expected value.
pub fn argument<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, Error> {
    read(text).map_err(|misread| misread.about(name, text))
}

/// Returns the JSON text of a value.
///
/// # Errors
/// [`Error::Internal`] if the value has no JSON form.
pub fn text<T: Serialize + ?Sized>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Internal { message: error.to_string() })
}

/// Parses a configuration from JSON.
///
/// # Errors
/// [`Error::InvalidArgument`] with the option, its value, and the expected value.
pub fn options<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    read(&value.to_string()).map_err(|misread| {
        let mut given = Some(value);
        let mut argument = String::new();
        for step in &misread.place {
            if let Step::Member(Some(key)) = step {
                argument = if argument.is_empty() { key.clone() } else { format!("{argument}[{key:?}]") };
                given = given.and_then(|value| value.get(key));
            }
        }
        // serde_json reports a syntax error if a value is not a string but must name an enum variant.
        let is_of_other_type = misread.words() == "expected value";
        let expected = if is_of_other_type { "one of its names, as a text".to_owned() } else { misread.expected() };
        match (given, argument.is_empty()) {
            (Some(given), false) => Error::InvalidArgument { argument, value: written(given), expected },
            (_, true) => Error::InvalidArgument {
                argument: "options".into(),
                value: shown(value),
                expected: misread.words().to_owned(),
            },
            (None, false) => Error::InvalidArgument { argument, value: "nothing".into(), expected },
        }
    })
}

/// Translates the type that serde expects for readers who do not know Rust.
fn expected(reason: &str) -> String {
    match reason.split_once(", expected ").map_or(reason, |(_, expected)| expected) {
        "f64" | "f32" => "a number",
        "u32" | "u64" | "usize" => "a whole number, 0 or above",
        "string or map" | "variant identifier" => "one of its names, as a text",
        "a sequence" => "a list",
        "a map" => "an object",
        other => return other.replace('`', "\""),
    }
    .to_owned()
}

/// Returns a value in the notation of the caller's language.
fn written(value: &Value) -> String {
    match &value[0][OTHER] {
        Value::String(text) => text.clone(),
        _ => value.to_string(),
    }
}

/// Returns a value, cut to 80 characters.
fn shown(value: &(impl fmt::Display + ?Sized)) -> String {
    const MOST: usize = 80;
    let text = value.to_string();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "kebab-case")]
    #[expect(dead_code, reason = "only read")]
    struct Shape {
        number: Option<u32>,
        name: Option<String>,
        kind: Option<Kind>,
        #[serde(default)]
        list: Vec<Shape>,
        #[serde(default)]
        map: BTreeMap<String, (f64, bool)>,
        #[serde(default, deserialize_with = "small")]
        small: u32,
        #[serde(default)]
        smalls: Vec<Small>,
        #[serde(default)]
        whole: Option<Whole>,
    }

    #[derive(Debug)]
    struct Whole;

    impl<'de> Deserialize<'de> for Whole {
        fn deserialize<D: serde::Deserializer<'de>>(reader: D) -> Result<Whole, D::Error> {
            let value = Value::deserialize(reader)?;
            if value.is_u64() { Ok(Whole) } else { Err(serde::de::Error::custom("it is no number, expected one")) }
        }
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only read")]
    struct Small(#[serde(deserialize_with = "small")] u32);

    fn small<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<u32, D::Error> {
        let number = u32::deserialize(reader)?;
        if number < 1000 { Ok(number) } else { Err(serde::de::Error::custom("1000 is too much, expected less")) }
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Kind {
        Plain,
        #[expect(dead_code, reason = "only read")]
        Counted(u8),
    }

    /// Returns documents that are valid shapes except for a few values.
    fn documents() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<u32>().prop_map(Value::from),
            Just(Value::from(-1.5)),
            "[a-z\"\\\\\u{e9}]{0,4}".prop_map(Value::from),
            Just(Value::from("plain")),
            Just(Value::from("plain-not")),
            Just(Value::Null),
            Just(serde_json::json!({"counted": 3})),
            Just(serde_json::json!({"counted": "three"})),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            let key = prop_oneof![
                8 => prop::sample::select(vec!["number", "name", "kind", "list", "map", "small", "smalls", "whole"]).prop_map(str::to_owned),
                1 => "[a-z\"]{0,3}",
            ];
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::btree_map(key, inner, 0..4).prop_map(|map| map.into_iter().collect::<Value>()),
            ]
        })
    }

    proptest! {
            /// The path is the same as that of `serde_path_to_error`.
            #[test]
            fn paths_match_those_of_serde_path_to_error(document in documents(), is_pretty in any::<bool>()) {
                let text = if is_pretty { format!("{document:#}") } else { document.to_string() };
                let tracked = serde_path_to_error::deserialize::<_, Shape>(&mut serde_json::Deserializer::from_str(&text));
                match (read::<Shape>(&text), tracked) {
                    (Err(misread), Err(tracked)) => {
                        let path = Some(tracked.path().to_string()).filter(|path| path != ".").unwrap_or_default();
                        let place = misread.place().unwrap_or_default();
                        // In `{"sort": 3}`, `serde_path_to_error` omits the key.
                        let is_at = place == path || place.starts_with(&path) && misread.reason().starts_with("unknown variant");
                        prop_assert!(is_at, "{place} for {path}: {} in {text}", misread.reason());
                        let reason = tracked.inner().to_string();
    prop_assert!(reason.starts_with(misread.words()), "{reason}: {}", misread.words());
                    }
                    (read, tracked) => prop_assert!(read.is_ok() && tracked.is_ok()),
                }
            }

            #[test]
            fn any_text_is_read_without_a_panic(text in "[\\[\\]{}\",:\\\\a0\u{e9} \n]{0,40}") {
                prop_assert!(place(text.as_bytes()).len() <= text.len());
                _ = read::<Shape>(&text).map_err(|misread| misread.about("text", &text));
            }
        }

    #[test]
    fn errors_name_the_argument_the_path_the_value_and_the_expected_value() {
        let said = |text: &str| argument::<Shape>("shape", text).unwrap_err().to_string();
        let cases = [
            (
                r#"{"list": [{}, {"number": "x"}]}"#,
                r#"shape.list[1].number: "x" is not valid; expected a whole number, 0 or above"#,
            ),
            (r#"{"map": {"a \"b": [0.5, 3]}}"#, r#"shape.map.a "b[1]: 3 is not valid; expected a boolean"#),
            (r#"{"list": {}}"#, "shape.list: {} is not valid; expected a list"),
            ("[1", "shape[0]: [1 is not valid; expected JSON (EOF while parsing a list)"),
        ];
        for (text, message) in cases {
            assert_eq!(said(text), message, "{text}");
        }
        let long = format!("[{}]", "0,".repeat(100));
        assert!(said(&long).len() < 200, "{}", said(&long));
    }
}
