//! Which names may have been meant by one that is unknown.

/// How many names are proposed at most.
const MOST: usize = 3;
/// From which likeness on, 0 for nothing in common, 1 for the same.
const ALIKE: f64 = 0.8;
/// From how many bytes on a name counts as a part of a longer one: `test_a` is meant for `tests/test_a.py` more than for
/// `test_b`, while an `a` is in most names.
const PART: usize = 3;

/// What to write instead of a name that is not among the `known` ones, as the end of a sentence: the one that looks like it, or
/// all of them.
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

/// At most three of the `names` that look like the unknown `name`, best first, each once; of two that are as like it the one that
/// sorts first. Likeness is that of Jaro and Winkler; names that contain it come before all others.
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

/// The most likely ones, each once.
fn best(mut found: Vec<(f64, &str)>) -> Vec<String> {
    found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    found.dedup_by(|a, b| a.1 == b.1);
    found.into_iter().take(MOST).map(|(_, name)| name.to_owned()).collect()
}
