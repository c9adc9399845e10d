//! Replacement of text that changes between runs and between tests.

/// The longest quoted text that is replaced, in bytes.
const LONGEST_QUOTE: usize = 1000;

/// Folders that contain temporary files.
const TEMPORARY: [&str; 3] = ["/tmp/", "/var/tmp/", "/dev/shm/"];

/// Returns a text without terminal sequences: colors, links, and cursor movements.
#[must_use]
pub fn without_colors(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        clean.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        rest = match rest.as_bytes().first() {
            Some(b'[') => after_sequence(&rest[1..]),
            Some(b']') => after_link(&rest[1..]),
            _ => rest,
        };
    }
    clean.push_str(rest);
    clean
}

/// Returns the text after a control sequence, whose start was removed.
fn after_sequence(text: &str) -> &str {
    let end = text.find(|sign: char| !matches!(sign, ' '..='?')).unwrap_or(text.len());
    let is_final = text[end..].starts_with(|sign: char| matches!(sign, '@'..='~'));
    &text[end + usize::from(is_final)..]
}

/// Returns the text after a command of the operating system, such as the target of a link.
fn after_link(text: &str) -> &str {
    let end = text.find(['\u{7}', '\u{1b}', '\n']).unwrap_or(text.len());
    let rest = &text[end..];
    rest.strip_prefix('\u{7}').or_else(|| rest.strip_prefix("\u{1b}\\")).unwrap_or(rest)
}

/// Replaces text that changes between runs: the folder of the tree, temporary files, addresses, checksums, and numbers.
///
/// `temporary` is another folder with temporary files, besides those of every system. All signatures of firstbad follow these rules.
#[must_use]
pub fn comparable(line: &str, root: &str, temporary: Option<&str>) -> String {
    let mut line = line.to_owned();
    // On macOS, `/private/var` and `/var` are the same folder.
    for folder in [root, root.strip_prefix("/private").unwrap_or_default()] {
        if !folder.is_empty() {
            line = line.replace(&format!("{folder}/"), "").replace(folder, ".");
        }
    }
    let line = without_temporary(&line, temporary.map(|folder| folder.trim_end_matches('/')).unwrap_or_default());
    let mut clean = String::with_capacity(line.len());
    let mut rest = line.as_str();
    while let Some(at) = rest.find(is_word) {
        clean.push_str(&rest[..at]);
        let (replacement, length) = word(&rest[at..]);
        clean.push_str(&replacement);
        rest = &rest[at + length..];
    }
    clean.push_str(rest);
    clean
}

/// Replaces the paths of temporary files.
fn without_temporary(line: &str, folder: &str) -> String {
    let mut clean = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('/') {
        let length = temporary(&rest[at..], folder);
        clean.push_str(&rest[..at]);
        clean.push_str(if length.is_some() { "tmp" } else { "/" });
        rest = &rest[at + length.unwrap_or(1)..];
    }
    clean.push_str(rest);
    clean
}

fn is_word(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_'
}

/// Returns the length of the path of a temporary file at the start of a text.
fn temporary(text: &str, folder: &str) -> Option<usize> {
    let given = text.strip_prefix(folder).filter(|_| !folder.is_empty()).and_then(|rest| rest.strip_prefix('/'));
    let inside = text.strip_prefix("/private").unwrap_or(text);
    let known = || TEMPORARY.iter().find_map(|folder| inside.strip_prefix(folder));
    let rest = given.or_else(known).or_else(|| {
        // On macOS: `/var/folders/ab/cd1/T/`.
        let rest = after_name(after_name(inside.strip_prefix("/var/folders/")?)?)?;
        rest.strip_prefix("T/")
    })?;
    let ends = |sign: char| sign.is_ascii_whitespace() || sign == '\u{b}' || ":'\"`,;()<>[]".contains(sign);
    let length = rest.find(ends).unwrap_or(rest.len());
    (length > 0).then(|| text.len() - rest.len() + length)
}

/// Returns the text after the name of a folder.
fn after_name(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once('/')?;
    (!name.is_empty() && !name.contains(|sign: char| sign.is_ascii_whitespace())).then_some(rest)
}

/// Returns the replacement of the word at the start of a text, and the length of the replaced text.
fn word(text: &str) -> (String, usize) {
    let length = text.find(|sign| !is_word(sign)).unwrap_or(text.len());
    let word = &text[..length];
    let is_hexadecimal = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let address = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    if address.is_some_and(is_hexadecimal) {
        return ("#".to_owned(), length);
    }
    if let Some(length) = uuid(text) {
        return ("#".to_owned(), length);
    }
    if length >= 8 && is_hexadecimal(word) && word.bytes().any(|byte| byte.is_ascii_digit()) {
        return ("#".to_owned(), length);
    }
    let mut clean = String::with_capacity(length);
    for sign in word.chars() {
        if !sign.is_ascii_digit() {
            clean.push(sign);
        } else if !clean.ends_with('#') {
            clean.push('#');
        }
    }
    (clean, length)
}

/// Returns the length of a UUID at the start of a text.
fn uuid(text: &str) -> Option<usize> {
    const PARTS: [usize; 5] = [8, 4, 4, 4, 12];
    let mut at = 0;
    for (number, length) in PARTS.into_iter().enumerate() {
        if number > 0 {
            at = text[at..].starts_with('-').then_some(at + 1)?;
        }
        let end = at + length;
        let part = text.as_bytes().get(at..end)?;
        part.iter().all(u8::is_ascii_hexdigit).then_some(())?;
        at = end;
    }
    let is_whole = !text[at..].starts_with(is_word);
    (is_whole && text[..at].bytes().any(|byte| byte.is_ascii_digit())).then_some(at)
}

/// Replaces also text that differs between tests with the same cause: quoted text and absolute paths.
pub(super) fn without_details(line: &str, root: &str) -> String {
    let line = without_paths(&comparable(&without_quotes(&without_colors(line)), root, None));
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Replaces the text between quotes. An apostrophe inside a word is not a quote.
fn without_quotes(line: &str) -> String {
    let mut clean = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['\'', '"', '`', '“', '‘', '«']) {
        let (before, from) = rest.split_at(at);
        clean.push_str(before);
        let Some(open) = from.chars().next() else { break };
        let inside = &from[open.len_utf8()..];
        let is_open = !clean.ends_with(char::is_alphanumeric) || "“«".contains(open);
        let close = closing(open);
        match is_open.then(|| end_of_quote(inside, close)).flatten() {
            Some(end) => {
                clean.extend([open, '…', close]);
                rest = &inside[end + close.len_utf8()..];
            }
            None => {
                clean.push(open);
                rest = inside;
            }
        }
    }
    clean.push_str(rest);
    clean
}

fn closing(open: char) -> char {
    match open {
        '“' => '”',
        '‘' => '’',
        '«' => '»',
        same => same,
    }
}

/// Returns the place of the closing quote, which no letter follows.
fn end_of_quote(text: &str, close: char) -> Option<usize> {
    let is_end = |at: usize| !text[at + close.len_utf8()..].starts_with(char::is_alphanumeric);
    let is_escaped = |at: usize| text[..at].ends_with('\\');
    let mut ends = text.match_indices(close).map(|(at, _)| at).take_while(|at| *at <= LONGEST_QUOTE);
    ends.find(|&at| is_end(at) && !is_escaped(at))
}

/// Replaces absolute paths.
fn without_paths(line: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in line.split(' ') {
        let start = word.find(|sign: char| !"([{<=,:".contains(sign)).unwrap_or_default();
        let path = &word[start..];
        let is_path = path.starts_with('/') && path[1..].contains('/') && !path.starts_with("//")
            || path.get(1..3).is_some_and(|drive| drive == ":\\")
                && path.starts_with(|sign: char| sign.is_ascii_alphabetic());
        if !is_path {
            words.push(word.to_owned());
            continue;
        }
        let end = path.find([':', ')', ']', '}', '>', ',', ';']).filter(|end| *end > 2).unwrap_or(path.len());
        words.push(format!("{}/…{}", &word[..start], &path[end..]));
    }
    words.join(" ")
}
