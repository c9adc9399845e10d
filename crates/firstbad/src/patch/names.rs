//! File names in headers, which can be quoted as in C and can have prefixes.

use super::scan::trimmed;

/// The name of a side that does not exist.
pub(super) const NOTHING: &[u8] = b"/dev/null";

/// Parses a quoted name. Returns the name and the rest of the text.
pub(super) fn unquoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"\"")?;
    let mut name = Vec::with_capacity(rest.len());
    loop {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        match byte {
            b'"' => return Some((name, rest)),
            b'\n' => return None,
            b'\\' => {
                let (&escape, after) = rest.split_first()?;
                rest = after;
                name.push(match escape {
                    b'a' => 0x07,
                    b'b' => 0x08,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 0x0b,
                    b'f' => 0x0c,
                    b'r' => b'\r',
                    b'"' | b'\\' => escape,
                    b'0'..=b'3' => {
                        let [second @ b'0'..=b'7', third @ b'0'..=b'7', after @ ..] = rest else { return None };
                        rest = after;
                        ((escape - b'0') << 6) | ((second - b'0') << 3) | (third - b'0')
                    }
                    _ => return None,
                });
            }
            plain => name.push(plain),
        }
    }
}

/// Writes a name as Git does, quoted unless it is printable ASCII.
pub(super) fn quoted(name: &[u8]) -> Vec<u8> {
    let unusual = |byte: &u8| !matches!(byte, 0x20..=0x7e) || matches!(byte, b'"' | b'\\');
    if !name.iter().any(unusual) {
        return name.to_vec();
    }
    let mut text = vec![b'"'];
    for &byte in name {
        match byte {
            0x07 => text.extend(b"\\a"),
            0x08 => text.extend(b"\\b"),
            b'\t' => text.extend(b"\\t"),
            b'\n' => text.extend(b"\\n"),
            0x0b => text.extend(b"\\v"),
            0x0c => text.extend(b"\\f"),
            b'\r' => text.extend(b"\\r"),
            b'"' | b'\\' => text.extend([b'\\', byte]),
            0x20..=0x7e => text.push(byte),
            _ => text.extend(format!("\\{byte:03o}").bytes()),
        }
    }
    text.push(b'"');
    text
}

/// Parses the name in a `rename from`, `rename to`, `copy from`, or `copy to` line.
pub(super) fn whole_line(rest: &[u8]) -> Vec<u8> {
    unquoted(rest).map_or_else(|| trimmed(rest).to_vec(), |(name, _)| name)
}

/// Parses the name in a `---` or `+++` line, in which a timestamp can follow after a tab.
pub(super) fn before_tab(rest: &[u8]) -> Vec<u8> {
    if let Some((name, _)) = unquoted(rest) {
        return name;
    }
    let line = trimmed(rest);
    line.iter().position(|&byte| byte == b'\t').map_or(line, |tab| &line[..tab]).to_vec()
}

/// Removes the first folder, as `-p1` does. A name without a folder stays as it is.
pub(super) fn without_first(name: &[u8]) -> &[u8] {
    name.iter().position(|&byte| byte == b'/').map_or(name, |slash| &name[slash + 1..])
}

/// The names in the lines below a `diff --git` line.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// From `---`, with its prefix. `None` for `/dev/null`, or if the line is missing.
    pub(super) old: Option<Vec<u8>>,
    pub(super) new: Option<Vec<u8>>,
    /// From `rename` and `copy` lines, without prefixes.
    pub(super) from: Option<Vec<u8>>,
    pub(super) to: Option<Vec<u8>>,
}

impl Hints {
    /// Returns whether the two names agree with the lines below.
    pub(super) fn fit(&self, old: &[u8], new: &[u8]) -> bool {
        let same = |hint: &Option<Vec<u8>>, name: &[u8]| hint.as_ref().is_none_or(|hint| hint == name);
        let behind = |hint: &Option<Vec<u8>>, name: &[u8]| {
            hint.as_ref().is_none_or(|hint| {
                name.strip_suffix(hint.as_slice()).is_some_and(|prefix| prefix.is_empty() || prefix.ends_with(b"/"))
            })
        };
        same(&self.old, old) && same(&self.new, new) && behind(&self.from, old) && behind(&self.to, new)
    }

    fn are_none(&self) -> bool {
        self.old.is_none() && self.new.is_none() && self.from.is_none() && self.to.is_none()
    }
}

/// Parses the two names of a `diff --git` line, with their prefixes.
///
/// Names with spaces are not quoted. The boundary between the names follows from the lines below, or from both names being
/// equal apart from their prefixes. Otherwise, the names are ambiguous, and the result is `None`.
pub(super) fn pair(rest: &[u8], hints: &Hints) -> Option<(Vec<u8>, Vec<u8>)> {
    let rest = trimmed(rest);
    if let Some((old, after)) = unquoted(rest) {
        let after = after.strip_prefix(b" ")?;
        return Some((old, unquoted(after).map_or_else(|| after.to_vec(), |(new, _)| new)));
    }
    let cuts = || (0..rest.len()).filter(|&at| rest[at] == b' ').map(|at| (&rest[..at], &rest[at + 1..]));
    // Git would have quoted a name with a quote in it, so this quote starts the second name.
    for (old, new) in cuts() {
        if let Some((new, b"")) = unquoted(new) {
            return Some((old.to_vec(), new));
        }
    }
    let owned = |(old, new): (&[u8], &[u8])| (old.to_vec(), new.to_vec());
    let alike = alike(rest);
    if !hints.are_none() {
        let mut fitting = cuts().filter(|(old, new)| hints.fit(old, new));
        // If only the end of one name is known, several cuts may fit. Prefer names that are alike.
        let first = fitting.next()?;
        return Some(owned(alike.into_iter().find(|(old, new)| hints.fit(old, new)).unwrap_or(first)));
    }
    let mut all = cuts();
    alike.first().copied().or_else(|| all.next().filter(|_| all.next().is_none())).map(owned)
}

/// Returns the cuts at spaces into two names that are equal, or equal after their prefixes. Only cuts into names of equal
/// length are checked, so the time is linear.
fn alike(rest: &[u8]) -> Vec<(&[u8], &[u8])> {
    let slashes: Vec<usize> = (0..rest.len()).filter(|&at| rest[at] == b'/').collect();
    let mut passed = 0;
    let mut found = Vec::new();
    for at in (0..rest.len()).filter(|&at| rest[at] == b' ') {
        let (old, new) = (&rest[..at], &rest[at + 1..]);
        while slashes.get(passed).is_some_and(|&slash| slash < at) {
            passed += 1;
        }
        let bare_old = slashes.first().filter(|&&slash| slash < at).map_or(old, |&slash| &rest[slash + 1..at]);
        let bare_new = slashes.get(passed).map_or(new, |&slash| &rest[slash + 1..]);
        if old == new || bare_old == bare_new {
            found.push((old, new));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unquoting_reverts_quoting() {
        let every: Vec<u8> = (1..=255).collect();
        let text = quoted(&every);
        assert_eq!(unquoted(&text), Some((every, &b""[..])));
        assert_eq!(quoted(b"plain name.txt"), b"plain name.txt");
        assert_eq!(quoted("a\t\"\u{e4} b".as_bytes()), b"\"a\\t\\\"\\303\\244 b\"", "as git writes it");
        assert_eq!(quoted("ä".as_bytes()), b"\"\\303\\244\"");
    }

    #[test]
    fn invalid_quoted_names_are_rejected() {
        for text in [&b"\"open"[..], b"plain", b"\"\\x41\"", b"\"\\8\"", b"\"\\40\"", b"\"\\", b"\""] {
            assert_eq!(unquoted(text), None, "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn names_with_spaces_are_cut_into_equal_names() {
        let names = |text: &[u8]| pair(text, &Hints::default());
        assert_eq!(names(b"a/x y b/x y\n"), Some((b"a/x y".to_vec(), b"b/x y".to_vec())));
        assert_eq!(names(b"x y x y\n"), Some((b"x y".to_vec(), b"x y".to_vec())));
        assert_eq!(names(b"a/one b/two\n"), Some((b"a/one".to_vec(), b"b/two".to_vec())));
        assert_eq!(names(b"a/one b/two three\n"), None);
        assert_eq!(names(b"a/\xc3 \"b/\\303\"\n"), Some((b"a/\xc3".to_vec(), b"b/\xc3".to_vec())));
    }

    /// Compares with checking every cut.
    #[test]
    fn equal_names_are_found_at_every_cut() {
        let mut state = 1_u32;
        for _ in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let rest: Vec<u8> = (0..state >> 28).map(|bit| b"a/ a"[(state >> (2 * bit) & 3) as usize]).collect();
            let cuts = (0..rest.len()).filter(|&at| rest[at] == b' ').map(|at| (&rest[..at], &rest[at + 1..]));
            let each = cuts.filter(|(old, new)| old == new || without_first(old) == without_first(new));
            assert_eq!(alike(&rest), each.collect::<Vec<_>>(), "{}", String::from_utf8_lossy(&rest));
        }
    }

    #[test]
    fn different_names_are_cut_by_the_lines_below() {
        let hints = Hints { from: Some(b"one b/two".to_vec()), to: Some(b"two three".to_vec()), ..Hints::default() };
        let cut = pair(b"a/one b/two b/two three\n", &hints);
        assert_eq!(cut, Some((b"a/one b/two".to_vec(), b"b/two three".to_vec())));
        let hints = Hints { new: Some(b"b/n".to_vec()), ..Hints::default() };
        assert_eq!(pair(b"a/o p b/n\n", &hints), Some((b"a/o p".to_vec(), b"b/n".to_vec())));
    }
}
