//! A name for what was found, by which it is known again.

use std::hash::Hasher as _;

use siphasher::sip128::{Hasher128 as _, SipHasher13};

use crate::finding::find::Find;

/// A name for a finding, as 32 hexadecimal digits: equal for the same finding, in every run, language and version, so that nobody
/// is told of it twice.
///
/// It depends on what is said to be to blame and on nothing else: on whether that broke something or repaired it, and on the ids
/// of the `suspects`, in any order: the culprit alone, or all candidates that cannot be told apart. It does not depend on the
/// good revision beside it, on the bad revisions that it answers for, on how and how often anything was tested, on probabilities
/// or on names. An answer that becomes more exact (fewer candidates) is another finding.
///
/// ```
/// use firstbad::{Find, fingerprint};
/// let name = fingerprint(Find::Regression, ["b", "c"]);
/// assert_eq!(name, fingerprint(Find::Regression, ["c", "b", "c"]));
/// assert_ne!(name, fingerprint(Find::Fix, ["b", "c"]));
/// ```
pub fn fingerprint<I>(find: Find, suspects: I) -> String
where
    I: IntoIterator<Item: AsRef<str>>,
{
    let suspects: Vec<I::Item> = suspects.into_iter().collect();
    let mut ids: Vec<&str> = suspects.iter().map(AsRef::as_ref).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut hasher = SipHasher13::new();
    let kind: &[u8] = match find {
        Find::Regression => b"regression",
        Find::Fix => b"fix",
    };
    for part in std::iter::once(kind).chain(ids.into_iter().map(str::as_bytes)) {
        // With its length before it, so that ["ab"] is not ["a", "b"]; in bytes, so that every machine agrees.
        hasher.write(&(part.len() as u64).to_le_bytes());
        hasher.write(part);
    }
    let hash = hasher.finish128();
    format!("{:016x}{:016x}", hash.h1, hash.h2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suspects_are_told_apart_however_they_are_cut() {
        let names: Vec<String> = [vec!["ab"], vec!["a", "b"], vec!["a"], vec!["b"], vec![]]
            .into_iter()
            .flat_map(|ids| [Find::Regression, Find::Fix].map(|find| fingerprint(find, &ids)))
            .collect();
        let different: std::collections::BTreeSet<&String> = names.iter().collect();
        assert_eq!(different.len(), names.len());
        assert!(names.iter().all(|name| name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit())));
    }
}
