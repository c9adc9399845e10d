//! How a text writes its comments, guessed from its lines.

/// How comments begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// With `//` or `/*`; a backtick begins a quoted text that may go over lines.
    Slashes,
    /// With `#`; three quotes begin a quoted text that may go over lines.
    Hashes,
    /// With `<!--`: elements of XML or HTML stand between tags.
    Tags,
    /// It has none.
    Plain,
}

/// What a preprocessor does, which is no comment.
const DIRECTIVES: [&[u8]; 11] =
    [b"include", b"define", b"if", b"elif", b"else", b"endif", b"undef", b"pragma", b"line", b"error", b"region"];

impl Style {
    /// What most lines look like; tags are known by how the text begins.
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

    /// Whether a comment begins here that goes to the end of the line.
    pub(super) fn comment_begins(self, rest: &[u8]) -> bool {
        match self {
            Style::Slashes => rest.starts_with(b"//"),
            Style::Hashes => rest.starts_with(b"#"),
            Style::Tags | Style::Plain => false,
        }
    }
}

/// Whether a text begins with a tag, or with what stands before the first one: a declaration, a comment.
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
    fn lines_tell() {
        assert_eq!(Style::of(b"#include <a>\nint a;\n"), Style::Slashes);
        assert_eq!(Style::of(b"# a\ndef f():\n    pass\n"), Style::Hashes);
        assert_eq!(Style::of(b"{\n  \"a\": 1\n}\n"), Style::Plain);
        assert_eq!(Style::of(b"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<a/>\n"), Style::Tags);
        assert_eq!(Style::of(b"\n<!DOCTYPE html>\n<p>a;</p>\n"), Style::Tags);
        assert_eq!(Style::of(b"<?php\necho '</p>';\n"), Style::Slashes);
    }
}
