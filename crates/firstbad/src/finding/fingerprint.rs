use std::hash::Hasher as _;

use siphasher::sip128::{Hasher128 as _, SipHasher13};

use crate::finding::find::Find;

/// Returns the fingerprint of a result, as 32 hexadecimal digits. Programs can use it to report each result only once.
///
/// The fingerprint depends only on the kind of change and on the ids of `suspects`, in any order. The suspects are the culprit,
/// or all candidates of an inconclusive search. A result with fewer candidates has another fingerprint. The fingerprint is the
/// same in every run, language, and version.
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
        // The length keeps `["ab"]` and `["a", "b"]` apart. Little-endian bytes give every machine the same hash.
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
    fn fingerprints_distinguish_differently_split_ids() {
        let names: Vec<String> = [vec!["ab"], vec!["a", "b"], vec!["a"], vec!["b"], vec![]]
            .into_iter()
            .flat_map(|ids| [Find::Regression, Find::Fix].map(|find| fingerprint(find, &ids)))
            .collect();
        let different: std::collections::BTreeSet<&String> = names.iter().collect();
        assert_eq!(different.len(), names.len());
        assert!(names.iter().all(|name| name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit())));
    }
}
