//! Regular expressions and words of a shell that match a text exactly.

/// The language of a regular expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// JavaScript, without flags.
    JavaScript,
    /// Go (RE2).
    Go,
    /// CMake, which has no escapes for control characters.
    Cmake,
}

/// Returns an expression that matches any of the texts, from start to end.
pub(super) fn any_of<'a>(texts: impl IntoIterator<Item = &'a str>, dialect: Dialect) -> String {
    let escaped: Vec<String> = texts.into_iter().map(|text| escape(text, dialect)).collect();
    let open = if dialect == Dialect::Cmake { "(" } else { "(?:" };
    format!("^{open}{})$", escaped.join("|"))
}

/// Returns an expression that matches a text.
pub(super) fn escape(text: &str, dialect: Dialect) -> String {
    let special = match dialect {
        // A slash would end an expression that Mocha and Node read as `/.../`.
        Dialect::JavaScript => r"\^$.*+?()[]{}|/",
        Dialect::Go => r"\^$.*+?()[]{}|",
        Dialect::Cmake => r"\^$.*+?()[]|-",
    };
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        if special.contains(sign) {
            escaped.extend(['\\', sign]);
        } else if sign.is_control() && dialect != Dialect::Cmake && u32::from(sign) < 0x100 {
            // Mocha reads only the first line of an expression.
            escaped.push_str(&format!("\\x{:02x}", u32::from(sign)));
        } else if matches!(sign, '\u{2028}' | '\u{2029}') && dialect == Dialect::JavaScript {
            escaped.push_str(&format!("\\u{:04x}", u32::from(sign)));
        } else {
            escaped.push(sign);
        }
    }
    escaped
}

/// Returns a word for a POSIX shell.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
