//! TAP 13 and 14: test points, subtests, directives, diagnostics, and `Bail out!`.

use std::rc::Rc;

use super::lines::numbered;
use super::names_file;
use super::yaml::Block;
use crate::case::Case;
use crate::collector::Collector;
use crate::error::ResultsError;
use crate::limits::{DEEPEST, LONGEST_ID, LONGEST_TEXT, MOST_CASES, append, cut};
use crate::report::Scope;
use crate::runner::Runner;
use crate::signature::Failure;

/// The indentation of a subtest.
const INDENT: usize = 4;

/// Reads TAP.
///
/// # Errors
/// An error about a limit.
pub(crate) fn read(text: &str, collector: &mut Collector<'_>) -> Result<(), ResultsError> {
    let mut tap = Tap { collector, levels: vec![Vec::new()], block: None, planned: None, last: 0, seen: 0, waiting: 0 };
    for (number, line) in numbered(text) {
        if !tap.line(line, number)? {
            tap.collector.is_cut();
            break;
        }
    }
    tap.end()
}

/// A test point whose diagnostics and parents may follow.
struct Point {
    case: Case,
    is_todo: bool,
}

struct Tap<'a, 'b> {
    collector: &'a mut Collector<'b>,
    /// For each depth, the points whose parent follows.
    levels: Vec<Vec<Point>>,
    /// An open block of diagnostics, with the depth of its point.
    block: Option<(usize, Block)>,
    /// The number of test points of the outermost level.
    planned: Option<usize>,
    /// The depth of the last point, to which comments belong.
    last: usize,
    seen: usize,
    waiting: usize,
}

impl Tap<'_, '_> {
    /// Reads a line. Returns false if the run bailed out.
    fn line(&mut self, line: &str, number: usize) -> Result<bool, ResultsError> {
        let words = line.trim_start_matches(' ');
        let indent = line.len() - words.len();
        let depth = indent / INDENT;
        let words = words.trim_end();
        if let Some((depth, block)) = self.block.as_mut() {
            if words == "..." {
                let (depth, block) = (*depth, std::mem::take(block));
                self.block = None;
                self.diagnose(depth, &block);
            } else {
                block.line(line);
            }
            return Ok(true);
        }
        if words == "---" && !indent.is_multiple_of(INDENT) {
            if self.levels.get(depth).is_some_and(|points| !points.is_empty()) {
                self.block = Some((depth, Block::default()));
            }
        } else if words.starts_with("Bail out!") {
            return Ok(false);
        } else if let Some(point) = point(words).filter(|_| indent.is_multiple_of(INDENT)) {
            if depth > DEEPEST {
                return Err(ResultsError::TooDeep { line: number });
            }
            self.add(depth, point)?;
        } else if let Some(count) = words.strip_prefix("1..") {
            if depth == 0 {
                self.planned = count.split(' ').next().and_then(|count| count.parse().ok());
            }
        } else {
            self.comment(words);
        }
        Ok(true)
    }

    /// Adds a point, the parent of the points that are one level deeper.
    fn add(&mut self, depth: usize, mut point: Point) -> Result<(), ResultsError> {
        if depth == 0 {
            let finished = std::mem::take(&mut self.levels[0]);
            self.flush(finished)?;
            self.seen += 1;
        }
        self.waiting += 1;
        if self.waiting > MOST_CASES {
            return Err(ResultsError::TooManyTests);
        }
        if self.levels.len() <= depth {
            self.levels.resize_with(depth + 1, Vec::new);
        }
        let name: Rc<str> = cut(&point.case.name, LONGEST_ID).into();
        let mut children: Vec<Point> = self.levels.drain(depth + 1..).flatten().collect();
        if !children.is_empty() {
            point.case.scope = Scope::Group;
        }
        for child in &mut children {
            child.case.suites.push(Rc::clone(&name));
        }
        let level = &mut self.levels[depth];
        level.append(&mut children);
        level.push(point);
        self.last = depth;
        Ok(())
    }

    /// Adds the diagnostics of a block to the last point of a level.
    fn diagnose(&mut self, depth: usize, block: &Block) {
        let is_node = block.get(&["duration_ms"]).is_some();
        let Some(point) = self.levels.get_mut(depth).and_then(|points| points.last_mut()) else { return };
        let case = &mut point.case;
        let milliseconds = |text: &str| text.parse::<f64>().ok().map(|number| number / 1000.0);
        case.seconds = block.get(&["duration_ms"]).and_then(milliseconds).or(case.seconds);
        if block.get(&["failureType"]) == Some("subtestsFailed") || block.get(&["type"]) == Some("suite") {
            case.scope = Scope::Group;
        }
        if case.fails > 0 {
            let get = |keys: &[&str]| block.get(keys).unwrap_or_default().to_owned();
            let text = get(&["stack", "source"]).lines().flat_map(|line| ["at ", line, "\n"]).collect();
            let kind = Some(get(&["name"])).filter(|kind| !kind.is_empty());
            case.failure = Failure { kind, message: get(&["error", "message"]), text, frame: None };
            case.file = block.get(&["location", "file"]).map(|place| file(place).to_owned());
            if names_file(case) {
                case.scope = Scope::File;
            }
        }
        if is_node {
            self.collector.recognized(Runner::Node);
        }
    }

    /// Adds a comment or other words to the last failure.
    fn comment(&mut self, words: &str) {
        if words.starts_with("# Subtest: ") {
            return;
        }
        let last = self.levels.get_mut(self.last).and_then(|points| points.last_mut());
        if let Some(point) = last.filter(|point| point.case.fails > 0 && point.case.failure.message.is_empty()) {
            let text = &mut point.case.failure.text;
            append(text, words.trim_start_matches('#').trim_start(), LONGEST_TEXT);
            append(text, "\n", LONGEST_TEXT);
        }
    }

    /// Moves finished points into the report.
    fn flush(&mut self, points: Vec<Point>) -> Result<(), ResultsError> {
        self.waiting -= points.len();
        for Point { mut case, is_todo } in points {
            case.suites.reverse();
            if is_todo {
                (case.passes, case.fails, case.skipped) = (0, 0, true);
                case.failure = Failure::default();
            }
            if case.scope == Scope::File || names_file(&case) && case.fails > 0 {
                (case.scope, case.fails) = (Scope::File, 0);
            } else {
                // Only failures have a file, so the id has none.
                let parts: Vec<&str> = case.suites.iter().map(|suite| &**suite).chain([case.name.as_str()]).collect();
                case.id = Some(parts.join(" > "));
            }
            self.collector.push(case)?;
        }
        Ok(())
    }

    fn end(mut self) -> Result<(), ResultsError> {
        // Without their parent, the points of subtests are at the end.
        let points = std::mem::take(&mut self.levels).into_iter().flatten().collect();
        self.flush(points)?;
        if self.block.is_some() || self.planned.is_none_or(|planned| planned > self.seen) {
            self.collector.is_cut();
        }
        Ok(())
    }
}

/// Removes `:3:7` from a place.
fn file(place: &str) -> &str {
    place.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == ':')
}

/// Parses a test point: `not ok 3 - words # SKIP why`.
fn point(words: &str) -> Option<Point> {
    let (passes, rest) = match words.strip_prefix("not ok") {
        Some(rest) => (0, rest),
        None => (1, words.strip_prefix("ok")?),
    };
    if !rest.is_empty() && !rest.starts_with(' ') {
        return None;
    }
    let rest = rest.trim_start();
    let end = rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len());
    let (number, rest) = rest.split_at(end);
    let rest = rest.trim_start();
    let rest = rest.strip_prefix("- ").unwrap_or(rest);
    let (name, directive) = directive(rest);
    let name = if name.is_empty() { format!("test {number}").trim_end().to_owned() } else { unescaped(name) };
    let word = directive.get(..4).unwrap_or_default().to_ascii_uppercase();
    let is_skipped = word == "SKIP";
    let mut case = Case { name, skipped: is_skipped, ..Case::default() };
    if is_skipped {
        case.failure.message = directive[4..].trim().to_owned();
    } else {
        (case.passes, case.fails) = (passes, 1 - passes);
    }
    case.seconds = directive.strip_prefix("time=").and_then(time);
    Some(Point { case, is_todo: word == "TODO" })
}

/// Splits a description from its directive.
fn directive(words: &str) -> (&str, &str) {
    for (at, _) in words.rmatch_indices('#') {
        let (before, after) = (&words[..at], words[at + 1..].trim_start());
        let is_separate = before.is_empty() || before.ends_with(' ');
        let upper = after.get(..4).unwrap_or_default().to_ascii_uppercase();
        if is_separate && (upper == "SKIP" || upper == "TODO" || after.starts_with("time=")) {
            return (before.trim_end(), after);
        }
    }
    (words, "")
}

fn time(words: &str) -> Option<f64> {
    let words = words.split(' ').next()?;
    match words.strip_suffix("ms") {
        Some(milliseconds) => milliseconds.parse::<f64>().ok().map(|number| number / 1000.0),
        None => words.strip_suffix('s')?.parse().ok(),
    }
}

/// Removes the backslashes before `#` and `\`.
fn unescaped(words: &str) -> String {
    let mut clean = String::with_capacity(words.len());
    let mut signs = words.chars().peekable();
    while let Some(sign) = signs.next() {
        let next = signs.next_if(|next| sign == '\\' && matches!(next, '#' | '\\'));
        clean.push(next.unwrap_or(sign));
    }
    clean
}
