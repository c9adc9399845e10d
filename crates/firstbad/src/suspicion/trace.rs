use hashbrown::HashMap;

/// The maximum distance between a named line and a changed line. Statements span several lines, and later changes move lines.
const NEAR: u64 = 3;

/// The paths in a text, by their last component.
#[derive(Debug, Clone, Default)]
pub(super) struct Trace {
    found: HashMap<String, Vec<Place>>,
}

/// A path in the text, with its line if the text names one.
#[derive(Debug, Clone)]
struct Place {
    /// The components of the path, last one first.
    parts: Vec<String>,
    line: Option<u64>,
}

impl Trace {
    /// Parses a text with `lib/a.py:12:5`, `File "/ci/lib/a.py", line 12`, `(App.java:12)`, `at C:\ci\a.ts:12`, and similar
    /// forms.
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
        // Either path may lack its leading folders.
        found.iter().filter(move |place| place.parts.iter().zip(&own).all(|(one, other)| one == other))
    }

    /// Returns whether the text names a file.
    pub(super) fn names(&self, file: &str) -> bool {
        self.places(file).next().is_some()
    }

    /// Returns whether the text names a line near one of these lines.
    pub(super) fn names_line(&self, file: &str, lines: &[(u64, u64)]) -> bool {
        let near = |line: u64| lines.iter().any(|&(first, last)| line + NEAR >= first && line <= last + NEAR);
        self.places(file).filter_map(|place| place.line).any(near)
    }
}

fn parts(path: &str) -> Vec<String> {
    let meant = |part: &&str| !matches!(*part, "" | "." | "..");
    path.rsplit(['/', '\\']).filter(meant).map(str::to_owned).collect()
}

/// Splits `a.py:12:5` into path and line. Other text can follow the last colon.
fn cut(word: &str) -> (&str, Option<u64>) {
    // `tests/test_a.py::test_b` names the file before the first `::`.
    let word = word.split("::").next().unwrap_or(word);
    let mut path = word.trim_end_matches([':', '.', '!', '?']);
    let mut line = None;
    while let Some((before, digits)) = path.rsplit_once(':') {
        // In `:12:5`, the first number is the line.
        let Ok(number) = digits.parse::<u64>() else { break };
        line = Some(number);
        path = before;
    }
    (path, line)
}
