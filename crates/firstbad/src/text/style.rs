//! The comment style of a text, guessed from its lines.

/// The marker of comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `//` or `/*`. Backticks can quote several lines.
    Slashes,
    /// `#`. Three quotes can quote several lines.
    Hashes,
    /// `<!--`, with elements of XML or HTML between tags.
    Tags,
    /// No comments.
    Plain,
}

/// Directives of a preprocessor, which are not comments.
const DIRECTIVES: [&[u8]; 11] =
    [b"include", b"define", b"if", b"elif", b"else", b"endif", b"undef", b"pragma", b"line", b"error", b"region"];

impl Style {
    /// Returns the style that fits most lines. Markup is recognized by the start of the text.
    pub(super) fn of(text: &[u8]) -> Style {
        if begins_with_tag(text) {
            return Style::Tags;
        }
        let (mut slashes, mut hashes) = (0usize, 0usize);
        for line in text.split(|&byte| byte == b'\n') {
            let line = line.trim_ascii();
            if let Some(rest) = line.strip_prefix(b"#") {
                let rest = rest.trim_ascii_start();
                let is_directive = DIRECTIVES.iter().any(|name| rest.starts_with(name));
                *(if is_directive { &mut slashes } else { &mut hashes }) += 1;
            } else if line.ends_with(b";") || line.starts_with(b"//") || line.starts_with(b"/*") {
                slashes += 1;
            } else if line.ends_with(b":") || line.starts_with(b"import ") || line.starts_with(b"from ") {
                hashes += 1;
            }
        }
        match (slashes, hashes) {
            (0, 0) => Style::Plain,
            _ if slashes >= hashes => Style::Slashes,
            _ => Style::Hashes,
        }
    }

    /// Returns whether a comment to the end of the line starts here.
    pub(super) fn comment_begins(self, rest: &[u8]) -> bool {
        match self {
            Style::Slashes => rest.starts_with(b"//"),
            Style::Hashes => rest.starts_with(b"#"),
            Style::Tags | Style::Plain => false,
        }
    }
}

/// Returns whether a text starts with a tag, or with a declaration or comment before the first tag.
fn begins_with_tag(text: &[u8]) -> bool {
    let begins = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
    begins.strip_prefix(b"<").is_some_and(|rest| {
        let is_tag = rest.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'!');
        (is_tag || rest.starts_with(b"?xml")) && rest.contains(&b'>')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_determine_the_style() {
        assert_eq!(Style::of(b"#include <a>\nint a;\n"), Style::Slashes);
        assert_eq!(Style::of(b"# a\ndef f():\n    pass\n"), Style::Hashes);
        assert_eq!(Style::of(b"{\n  \"a\": 1\n}\n"), Style::Plain);
        assert_eq!(Style::of(b"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<a/>\n"), Style::Tags);
        assert_eq!(Style::of(b"\n<!DOCTYPE html>\n<p>a;</p>\n"), Style::Tags);
        assert_eq!(Style::of(b"<?php\necho '</p>';\n"), Style::Slashes);
    }
}
