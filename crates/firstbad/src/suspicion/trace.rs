//! Files and lines that a stack trace or a log names, in whatever language it was written.

use hashbrown::HashMap;

/// How far from a line a change still touches it: statements go over several lines, and later changes move them.
const NEAR: u64 = 3;

/// Paths in a text, by their last part.
#[derive(Debug, Clone, Default)]
pub(super) struct Trace {
    found: HashMap<String, Vec<Place>>,
}

/// A path as the text has it, and the line where one is said.
#[derive(Debug, Clone)]
struct Place {
    /// Its parts, the last one first.
    parts: Vec<String>,
    line: Option<u64>,
}

impl Trace {
    /// Reads `lib/a.py:12:5`, `File "/ci/lib/a.py", line 12`, `(App.java:12)`, `at C:\ci\a.ts:12` and their like.
    pub(super) fn new(text: &str) -> Trace {
        let mut trace = Trace::default();
        for line in text.lines() {
            let between = |c: char| c.is_whitespace() || "\"'`()[]{}<>,;|=".contains(c);
            let mut words = line.split(between).filter(|word| !word.is_empty()).peekable();
            while let Some(word) = words.next() {
                let (path, mut number) = cut(word);
                if !path.contains(['.', '/', '\\']) {
                    continue;
                }
                // `File "x.py", line 12`; `x.c line 12`
                if number.is_none() && words.peek() == Some(&"line") {
                    words.next();
                    number = words.peek().and_then(|word| word.trim_end_matches([':', '.']).parse().ok());
                }
                trace.add(path, number);
            }
        }
        trace
    }

    fn add(&mut self, path: &str, line: Option<u64>) {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let parts = parts(path);
        let Some(last) = parts.first().filter(|last| last.chars().any(char::is_alphanumeric)) else { return };
        self.found.entry(last.clone()).or_default().push(Place { parts, line });
    }

    fn places(&self, file: &str) -> impl Iterator<Item = &Place> {
        let own = parts(file);
        let found = own.first().and_then(|last| self.found.get(last)).map(Vec::as_slice).unwrap_or_default();
        // One of the two may lack its beginning: where it was checked out, or all but the name.
        found.iter().filter(move |place| place.parts.iter().zip(&own).all(|(one, other)| one == other))
    }

    /// Whether a file is named.
    pub(super) fn names(&self, file: &str) -> bool {
        self.places(file).next().is_some()
    }

    /// Whether a line is named that is near one of these.
    pub(super) fn names_line(&self, file: &str, lines: &[(u64, u64)]) -> bool {
        let near = |line: u64| lines.iter().any(|&(first, last)| line + NEAR >= first && line <= last + NEAR);
        self.places(file).filter_map(|place| place.line).any(near)
    }
}

fn parts(path: &str) -> Vec<String> {
    let meant = |part: &&str| !matches!(*part, "" | "." | "..");
    path.rsplit(['/', '\\']).filter(meant).map(str::to_owned).collect()
}

/// `a.py:12:5` is a path and a line; so is `a.py:12:` before words.
fn cut(word: &str) -> (&str, Option<u64>) {
    // Of `tests/test_a.py::test_b` the file.
    let word = word.split("::").next().unwrap_or(word);
    let mut path = word.trim_end_matches([':', '.', '!', '?']);
    let mut line = None;
    while let Some((before, digits)) = path.rsplit_once(':') {
        // Of `:12:5` the first is the line.
        let Ok(number) = digits.parse::<u64>() else { break };
        line = Some(number);
        path = before;
    }
    (path, line)
}
