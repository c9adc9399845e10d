//! The diagnostics of TAP: a block of keys and values, which is a small part of YAML.

use crate::limits::{LONGEST_TEXT, append};

/// The most keys of a block.
const KEYS: usize = 100;

/// A block while its lines are read.
#[derive(Debug, Default)]
pub(super) struct Block {
    fields: Vec<(String, String)>,
    /// The indentation of the keys.
    indent: Option<usize>,
}

impl Block {
    /// Adds a line with its indentation.
    pub(super) fn line(&mut self, line: &str) {
        let words = line.trim_start_matches(' ');
        let indent = line.len() - words.len();
        if indent == *self.indent.get_or_insert(indent)
            && let Some((key, value)) = words.split_once(':').filter(|(key, _)| is_key(key))
        {
            if self.fields.len() < KEYS {
                self.fields.push((key.to_owned(), scalar(value.trim())));
            }
            return;
        }
        // The next line of a longer value.
        if let Some((_, value)) = self.fields.last_mut() {
            if !value.is_empty() {
                append(value, "\n", LONGEST_TEXT);
            }
            append(value, words, LONGEST_TEXT);
        }
    }

    /// Returns the value of the first of these keys that the block has.
    pub(super) fn get(&self, keys: &[&str]) -> Option<&str> {
        keys.iter().find_map(|key| self.fields.iter().find(|(name, _)| name == key)).map(|(_, value)| value.trim())
    }
}

fn is_key(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// Returns the text of a value on the line of its key.
fn scalar(value: &str) -> String {
    // The marks of a value on the next lines.
    if value
        .strip_prefix(['|', '>'])
        .is_some_and(|rest| rest.bytes().all(|byte| matches!(byte, b'-' | b'+' | b'0'..=b'9')))
    {
        return String::new();
    }
    let quoted = |quote: char| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    if let Some(inside) = quoted('\'') {
        return inside.replace("''", "'");
    }
    if quoted('"').is_some() {
        return serde_json::from_str(value).unwrap_or_else(|_| value.trim_matches('"').to_owned());
    }
    value.to_owned()
}
