//! Safe text in HTML and SVG.

/// Escapes text for HTML and XML. Control, bidirectional, and invalid characters become U+FFFD.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(' '),
            sign if is_shown(sign) => escaped.push(sign),
            _ => escaped.push('\u{fffd}'),
        }
    }
    escaped
}

fn is_shown(sign: char) -> bool {
    match sign {
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => false,
        // The Arabic letter mark, and two characters that XML forbids.
        '\u{61c}' | '\u{fffe}' | '\u{ffff}' => false,
        sign => !sign.is_control(),
    }
}

/// Truncates text.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

/// The number of characters of a shortened sha.
const SHA: usize = 8;
/// The largest number of characters of another id.
const ID: usize = 16;

/// Shortens an id.
pub(crate) fn brief(id: &str) -> String {
    let is_sha = id.len() >= 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_sha { id[..SHA].to_owned() } else { cut(id, ID) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_markup() {
        let text = "<script>alert(\"a\" & 'b')</script>\u{1b}\u{202e}\u{ffff}\n";
        let shown = "&lt;script&gt;alert(&quot;a&quot; &amp; &#39;b&#39;)&lt;/script&gt;\u{fffd}\u{fffd}\u{fffd} ";
        assert_eq!(escaped(text), shown);
        assert_eq!((cut("äöü", 3), cut("äöüß", 3)), ("äöü".to_owned(), "äö…".to_owned()));
        assert_eq!((brief(&"ab".repeat(20)), brief("v1.0")), ("abababab".to_owned(), "v1.0".to_owned()));
    }
}
