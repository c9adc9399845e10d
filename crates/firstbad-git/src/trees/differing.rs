//! Parsing the differences between trees from `git diff-tree`.

use firstbad::Error;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Differing {
    pub(crate) path: Vec<u8>,
    /// The id of the content before, or `None` if there is no file.
    pub(crate) old: Option<String>,
    /// The id of the content after, or `None` if there is no file.
    pub(crate) new: Option<String>,
}

/// Parses the differences between pairs of trees. Git prints nothing for equal trees.
///
/// # Errors
/// [`Error::Git`] if the output cannot be parsed.
pub(super) fn read(listed: &[u8], pairs: &[(&str, &str)]) -> Result<Vec<Vec<Differing>>, Error> {
    let mut all: Vec<Vec<Differing>> = vec![Vec::new(); pairs.len()];
    let mut at = None;
    let mut rest = listed;
    while !rest.is_empty() {
        let parsed = match rest.first() {
            Some(b':') => entry(&mut rest).zip(at).map(|(found, at): (_, usize)| all[at].extend(found)),
            _ => heading(&mut rest, pairs, at.map_or(0, |at| at + 1)).map(|found| at = Some(found)),
        };
        if parsed.is_none() {
            let line = String::from_utf8_lossy(&rest[..rest.len().min(200)]);
            return Err(Error::Git { message: format!("cannot understand git diff-tree's {line:?}") });
        }
    }
    Ok(all)
}

/// Parses `OLD NEW\n` and returns the index of the pair, which is at least `from`.
fn heading(rest: &mut &[u8], pairs: &[(&str, &str)], from: usize) -> Option<usize> {
    let end = rest.iter().position(|&byte| byte == b'\n')?;
    let (old, new) = std::str::from_utf8(&rest[..end]).ok()?.split_once(' ')?;
    *rest = &rest[end + 1..];
    (from..pairs.len()).find(|&at| pairs[at] == (old, new))
}

/// Parses `:100644 100644 OLD NEW M\0path\0`. The inner `None` means that neither side is a file.
fn entry(rest: &mut &[u8]) -> Option<Option<Differing>> {
    let mut parts = rest.get(1..)?.splitn(3, |&byte| byte == 0);
    let (line, path, left) = (parts.next()?, parts.next()?, parts.next()?);
    let mut words = std::str::from_utf8(line).ok()?.split(' ');
    let (old_mode, new_mode, old, new) = (words.next()?, words.next()?, words.next()?, words.next()?);
    *rest = left;
    let side = |mode: &str, id: &str| mode.starts_with("100").then(|| id.to_owned());
    let (old, new) = (side(old_mode, old), side(new_mode, new));
    Some((old.is_some() || new.is_some()).then(|| Differing { path: path.to_vec(), old, new }))
}
