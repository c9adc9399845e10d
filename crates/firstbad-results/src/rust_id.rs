//! Ids of Rust tests: a binary and a name.

/// Returns the id of a test in a binary.
pub(crate) fn of(binary: Option<&str>, name: &str) -> String {
    match binary.filter(|binary| !binary.is_empty()) {
        Some(binary) => format!("{binary} {name}"),
        None => name.to_owned(),
    }
}

/// Splits an id into its binary, or an empty text, and the name of the test.
pub(crate) fn parts(id: &str) -> (&str, &str) {
    let is_binary = |word: &str| {
        !word.contains('.') && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-:/$@".contains(&byte))
    };
    // The name of a documentation test has spaces: `src/lib.rs - add (line 3)`.
    id.split_once(' ').filter(|(binary, name)| is_binary(binary) && !name.starts_with("- ")).unwrap_or(("", id))
}
