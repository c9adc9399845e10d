/// The maximum number of suggestions.
const MOST: usize = 3;
/// The minimum similarity of a suggestion, from 0 (nothing in common) to 1 (equal).
const ALIKE: f64 = 0.8;
/// The minimum length in bytes at which a name matches as a part of a longer name. `test_a` then suggests `tests/test_a.py`
/// before `test_b`. A shorter name is a part of too many names.
const PART: usize = 3;

/// Returns a suggestion for a name that is not `known`, as the end of a sentence. The suggestion is the most similar name, or all
/// known names if none is similar.
///
/// ```
/// assert_eq!(firstbad::instead("bads", &["bad", "good"]), r#"did you mean "bad"?"#);
/// assert_eq!(firstbad::instead("jobs", &["bad", "good"]), "expected one of bad, good");
/// ```
pub fn instead(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()).first() {
        Some(meant) => format!("did you mean {meant:?}?"),
        None => format!("expected one of {}", known.join(", ")),
    }
}

/// Returns up to three `names` that are similar to an unknown `name`, best first, each once.
///
/// Names that contain `name` come first. The others are ordered by Jaro-Winkler similarity, and equally similar names
/// alphabetically.
///
/// ```
/// assert_eq!(firstbad::nearest("mian", ["main", "next", "man", "maint"]), ["main", "man", "maint"]);
/// assert_eq!(firstbad::nearest("test_a", ["test_b", "tests/test_a.py"]), ["tests/test_a.py", "test_b"]);
/// ```
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let likeness = |other: &str| {
        let inside = if name.len() >= PART && other.contains(name) { 1.0 } else { 0.0 };
        inside + strsim::jaro_winkler(name, other)
    };
    let likely = |other: &'a str| Some((likeness(other), other)).filter(|(likeness, _)| *likeness >= ALIKE);
    best(names.into_iter().filter_map(likely).collect())
}

fn best(mut found: Vec<(f64, &str)>) -> Vec<String> {
    found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    found.dedup_by(|a, b| a.1 == b.1);
    found.into_iter().take(MOST).map(|(_, name)| name.to_owned()).collect()
}
