//! Parses `git bisect log`.

use std::collections::HashSet;

use firstbad::{Error, Find, Observation, Outcome, Target};

/// A `git bisect log`, or a file for `git bisect replay`.
#[derive(Debug, Clone, PartialEq)]
pub struct BisectLog {
    /// The kind of search: a fix if the terms say so (`--term-new=fixed` or `--term-old=broken`).
    pub find: Find,
    /// The newer endpoint: the first bad (or new) revision.
    pub newer: String,
    /// The older endpoints: the good (or old) revisions before Git chose a revision to test.
    pub older: Vec<String>,
    /// The later outcomes in order, without duplicates. A skipped revision that was also tested is not skipped.
    pub seen: Vec<(String, Outcome)>,
    /// Whether the search follows only first parents.
    pub first_parent: bool,
    /// The paths that limit the history.
    pub paths: Vec<String>,
}

/// Returns whether a text is a bisect log.
pub(crate) fn is_one(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("git bisect ") || line.starts_with("git-bisect "))
}

/// Terms of a search for a fix.
const FIXED: [&str; 4] = ["fixed", "passes", "passing", "pass"];
const BROKEN: [&str; 4] = ["broken", "fails", "failing", "fail"];

/// The mark of a revision.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Mark {
    New,
    Old,
    Skip,
}

impl Mark {
    fn outcome(self, find: Find) -> Outcome {
        match (self, find) {
            (Mark::Skip, _) => Outcome::Unresolved,
            (Mark::New, Find::Regression) | (Mark::Old, Find::Fix) => Outcome::Fail,
            (Mark::Old, Find::Regression) | (Mark::New, Find::Fix) => Outcome::Pass,
        }
    }
}

/// The state while a log is parsed.
struct Reading {
    new: Vec<String>,
    old: Vec<String>,
    /// The marks in order.
    marks: Vec<(String, Mark)>,
    first_parent: bool,
    paths: Vec<String>,
}

impl BisectLog {
    /// Parses a log. Other terms than good and bad must come from `git bisect start --term-old=... --term-new=...`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] with the line if the text is not a bisect log.
    pub fn parse(name: &str, text: &str) -> Result<BisectLog, Error> {
        let mut reading = Reading::begin();
        // The comments above `git bisect start` contain the full ids of the endpoints.
        let mut described: Vec<String> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let wrong = |expected: &str| Error::invalid(format!("{name}, line {number}"), line, expected);
            if line.trim().is_empty() || line.starts_with('#') {
                described.extend(id_of_comment(line).map(str::to_owned));
                continue;
            }
            let words = words(line).ok_or_else(|| wrong("closed quotes"))?;
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            match words[..] {
                ["git", "bisect", "start", ref rest @ ..] | ["git-bisect", "start", ref rest @ ..] => {
                    reading = Reading::begin();
                    reading.start(rest, &described).map_err(|()| wrong("a word after --term-old and --term-new"))?;
                }
                // These commands mark no revision.
                ["git", "bisect", "terms" | "log" | "visualize" | "view", ..] => {}
                ["git", "bisect", "reset", ..] => reading = Reading::begin(),
                ["git", "bisect", term, ref revisions @ ..] | ["git-bisect", term, ref revisions @ ..] => {
                    let mark = reading.mark(term).ok_or_else(|| {
                        let known = [reading.new.join(", "), reading.old.join(", ")].join(", ");
                        wrong(&format!("git bisect start, skip, or one of {known}"))
                    })?;
                    if revisions.is_empty() {
                        return Err(wrong("a revision, as in the output of git bisect log"));
                    }
                    reading.marks.extend(revisions.iter().map(|&revision| (revision.to_owned(), mark)));
                }
                _ => return Err(wrong("a line of a git bisect log")),
            }
            described.clear();
        }
        reading.finish(name)
    }

    /// Returns all outcomes, including those of the endpoints.
    pub fn outcomes(&self) -> Vec<(Target, Observation)> {
        let newer = std::iter::once((self.newer.clone(), Mark::New.outcome(self.find)));
        let older = self.older.iter().map(|older| (older.clone(), Mark::Old.outcome(self.find)));
        let seen = newer.chain(older).chain(self.seen.iter().cloned());
        seen.map(|(revision, outcome)| (revision.into(), Observation::new(outcome))).collect()
    }
}

impl Reading {
    fn begin() -> Reading {
        let words = |words: [&str; 2]| words.map(str::to_owned).to_vec();
        Reading {
            new: words(["bad", "new"]),
            old: words(["good", "old"]),
            marks: Vec::new(),
            first_parent: false,
            paths: Vec::new(),
        }
    }

    /// `git bisect start [--term-old=WORD] [--term-new=WORD] [--first-parent] [--no-checkout] [BAD [GOOD...]] [--] [PATH...]`
    fn start(&mut self, words: &[&str], described: &[String]) -> Result<(), ()> {
        let mut named: Vec<String> = Vec::new();
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let (option, value) = word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
            match option {
                "--" => {
                    self.paths = words.map(|&path| path.to_owned()).collect();
                    break;
                }
                "--term-old" | "--term-good" => {
                    self.old.push(value.or_else(|| words.next().copied()).ok_or(())?.to_owned());
                }
                "--term-new" | "--term-bad" => {
                    self.new.push(value.or_else(|| words.next().copied()).ok_or(())?.to_owned());
                }
                "--first-parent" => self.first_parent = true,
                _ if option.starts_with("--") => {}
                _ => named.push(word.to_owned()),
            }
        }
        // Branches and tags can point to other commits now.
        let ends = if described.len() == named.len() { described.to_vec() } else { named };
        let marks = std::iter::once(Mark::New).chain(std::iter::repeat(Mark::Old));
        self.marks = ends.into_iter().zip(marks).collect();
        Ok(())
    }

    fn mark(&self, term: &str) -> Option<Mark> {
        match term {
            "skip" => Some(Mark::Skip),
            _ if self.new.iter().any(|word| word == term) => Some(Mark::New),
            _ if self.old.iter().any(|word| word == term) => Some(Mark::Old),
            _ => None,
        }
    }

    fn find(&self) -> Find {
        let says = |words: &[String], one_of: [&str; 4]| words.iter().any(|word| one_of.contains(&&word[..]));
        if says(&self.new, FIXED) || says(&self.old, BROKEN) { Find::Fix } else { Find::Regression }
    }

    fn finish(self, name: &str) -> Result<BisectLog, Error> {
        let Some((newer, _)) = self.marks.iter().find(|(_, mark)| *mark == Mark::New).cloned() else {
            return Err(Error::invalid("bisect log", name, "a bad (or new) revision in it"));
        };
        let find = self.find();
        let tested: Vec<&str> =
            self.marks.iter().filter(|(_, mark)| *mark != Mark::Skip).map(|(id, _)| &id[..]).collect();
        let (mut older, mut seen): (Vec<String>, Vec<(String, Outcome)>) = (Vec::new(), Vec::new());
        let (mut had_new, mut had_old) = (false, false);
        let mut said = HashSet::new();
        for (revision, mark) in self.marks.iter().filter(|one| said.insert(*one)) {
            let complete = had_new && had_old;
            match mark {
                Mark::Old if !complete => older.push(revision.clone()),
                Mark::New if *revision == newer => {}
                Mark::Skip if tested.contains(&&revision[..]) => {}
                _ => seen.push((revision.clone(), mark.outcome(find))),
            }
            had_old |= *mark == Mark::Old;
            had_new |= *mark == Mark::New;
        }
        Ok(BisectLog { find, newer, older, seen, first_parent: self.first_parent, paths: self.paths })
    }
}

/// Returns the id in a comment such as `# bad: [6ee66bea...] subject`.
fn id_of_comment(line: &str) -> Option<&str> {
    let (_, rest) = line.strip_prefix("# ")?.split_once(": [")?;
    let (id, _) = rest.split_once(']')?;
    (id.len() >= 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(id)
}

/// Splits a line into words as a shell does. Returns `None` if a quote is not closed.
fn words(line: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' => words.extend(word.take()),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next()? {
                        end if end == letter => break,
                        '\\' if letter == '"' => word.push(letters.next()?),
                        other => word.push(other),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(letters.next()?),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BAD: &str = "9038fc601159cd0161c5c56325c864384318f011";
    const GOOD: &str = "ec89dbb0a1728b204e99d751871a900da9b24f9b";

    #[test]
    fn ends_of_the_start_are_taken_from_the_comments_above_it() {
        let log = format!("# bad: [{BAD}] it's\n# good: [{GOOD}] c 0\ngit bisect start 'HEAD' 'v1' '--' 'a b'\\''c'\n");
        let read = BisectLog::parse("log", &log).unwrap();
        assert_eq!((&read.newer[..], &read.older[..]), (BAD, &[GOOD.to_owned()][..]));
        assert_eq!(read.paths, ["a b'c"]);
        let bare = BisectLog::parse("log", "git bisect start HEAD v1\n").unwrap();
        assert_eq!((&bare.newer[..], &bare.older[..]), ("HEAD", &["v1".to_owned()][..]));
    }

    #[test]
    fn words_of_the_users_own() {
        let log = "git bisect start '--term-old=fast' --term-new slow --first-parent\n# status: waiting\n\
                   git bisect slow b\ngit bisect fast a\ngit bisect slow c\ngit bisect skip d\n";
        let read = BisectLog::parse("log", log).unwrap();
        assert_eq!((&read.newer[..], &read.older[..], read.first_parent), ("b", &["a".to_owned()][..], true));
        assert_eq!(read.seen, [("c".to_owned(), Outcome::Fail), ("d".to_owned(), Outcome::Unresolved)]);
        let error = BisectLog::parse("log", "git bisect start\ngit bisect slow b\n").unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("slow"), "{error}");
    }

    #[test]
    fn terms_of_a_search_for_a_fix() {
        for (options, new, old) in [
            ("--term-new=fixed --term-old=broken", "fixed", "broken"),
            ("--term-old broken --term-new mended", "mended", "broken"),
            ("--term-new=passes", "passes", "old"),
        ] {
            let log = format!("git bisect start {options}\ngit bisect {old} a b\ngit bisect {new} d\n");
            let read = BisectLog::parse("log", &log).unwrap();
            assert_eq!(
                (read.find, &read.newer[..], &read.older[..]),
                (Find::Fix, "d", &["a".to_owned(), "b".to_owned()][..]),
                "{options}"
            );
            let outcomes: Vec<Outcome> = read.outcomes().iter().map(|(_, seen)| seen.outcome).collect();
            assert_eq!(outcomes, [Outcome::Pass, Outcome::Fail, Outcome::Fail]);
        }
    }

    #[test]
    fn a_skipped_and_then_tested_revision_is_not_skipped() {
        let log = "git bisect start b a\ngit bisect skip a\ngit bisect skip c\ngit bisect good c\n";
        assert_eq!(BisectLog::parse("log", log).unwrap().seen, [("c".to_owned(), Outcome::Pass)]);
    }

    #[test]
    fn repeated_marks_are_one_outcome() {
        let log =
            "git bisect start\ngit bisect good x y y\ngit bisect bad c\ngit bisect good y z\ngit bisect bad d c d\n";
        let read = BisectLog::parse("log", log).unwrap();
        assert_eq!(read.older, ["x", "y"]);
        assert_eq!(read.seen, [("z".to_owned(), Outcome::Pass), ("d".to_owned(), Outcome::Fail)]);
    }

    #[test]
    fn an_invalid_log_is_rejected_with_its_line() {
        for (log, line) in [("git bisect start 'b\n", "line 1"), ("git bisect start b a\nfoo\n", "line 2")] {
            assert!(BisectLog::parse("log", log).unwrap_err().to_string().contains(line));
        }
        assert!(BisectLog::parse("log", "git bisect start\ngit bisect good a\n").is_err());
        assert!(BisectLog::parse("log", "git bisect start b a\ngit bisect good\n").is_err());
    }
}
