use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};

use super::classes::FileClass;
use super::reason::CommitReason;
use super::spread::{lessened, spread, told_by};
use super::weights::{LINES, PATH, SOURCE, SOURCE_AND_TEST, SUBJECT};
use super::words::{TestName, Words, bare, words};
use crate::suspicion::changelist::Changelist;

/// The maximum number of lines that count for a file of a merge, because Git compares a merge only with its first parent.
const MOST_OF_MERGE: u64 = 20;

/// The maximum number of source files whose names are examined. Commits with more files are mass changes.
const MOST_FILES: usize = 1000;

/// The maximum number of words in a reason.
const MOST_WORDS: usize = 8;

/// The maximum number of characters of a name in a reason. A search keeps the reasons of all suspects.
const LONGEST_NAME: usize = 160;

/// Cuts the start of a long name.
pub(super) fn shortened(name: &str) -> String {
    match name.char_indices().rev().nth(LONGEST_NAME) {
        Some((at, _)) => format!("...{}", name[at..].chars().skip(1).collect::<String>()),
        None => name.to_owned(),
    }
}

/// The traits of a commit that do not depend on the failing test.
#[derive(Debug)]
pub(super) struct Traits<'a> {
    /// The first `MOST_FILES` source files.
    files: Vec<&'a str>,
    count: usize,
    lines: u64,
    /// The number of lines that count, after corrections.
    telling: f64,
    touches_tests: bool,
    of_paths: Words,
    of_subject: Words,
}

impl<'a> Traits<'a> {
    pub(super) fn of(change: &'a Changelist) -> Self {
        let is_merge = change.parents.len() > 1;
        let mut traits = Traits {
            files: Vec::new(),
            count: 0,
            lines: 0,
            telling: 0.0,
            touches_tests: false,
            of_paths: Words::new(),
            of_subject: words(change.message.lines().next().unwrap_or_default()),
        };
        let renamed: HashSet<&String> = change.renames.values().collect();
        for file in &change.files {
            match FileClass::of(file) {
                FileClass::Source => {
                    traits.count += 1;
                    let (added, deleted) = change.counts.get(file).copied().unwrap_or_default();
                    let lines = added.saturating_add(deleted).max(u64::from(renamed.contains(file)));
                    let (lines, replaced) =
                        if is_merge { (lines.min(MOST_OF_MERGE), 0) } else { (lines, added.min(deleted)) };
                    traits.lines = traits.lines.saturating_add(lines);
                    traits.telling += told_by(lines, replaced);
                    if traits.files.len() < MOST_FILES {
                        traits.files.push(file);
                        words(file)
                            .into_iter()
                            .for_each(|(stem, word)| _ = traits.of_paths.entry(stem).or_insert(word));
                    }
                }
                FileClass::Test => traits.touches_tests |= !is_merge,
                FileClass::Ci | FileClass::Documentation | FileClass::Build => {}
            }
        }
        traits
    }

    /// Returns the number of source files that count against a mass change. Without a known test, it is 0, because a mass change
    /// may have broken anything.
    fn width(&self, test: &TestName) -> usize {
        if test.all.is_empty() { 0 } else { self.count }
    }

    /// Compares the commit with a failing test.
    pub(super) fn fit(&self, test: &TestName, rarity: &Rarity) -> Fit<'a> {
        let named = (!test.stem.is_empty()).then(|| self.files.iter().find(|file| stem(file) == test.stem)).flatten();
        let paths = rarity.share(&test.of_file, &self.of_paths, &rarity.paths);
        let subject = rarity.share(&test.all, &self.of_subject, &rarity.subjects);
        let path = if named.is_some() { 1.0 } else { paths };
        let width = self.width(test);
        let lines = (1.0 + self.telling / lessened(width)).log2();
        Fit { named: named.copied(), lines, path: path / spread(width), subject }
    }
}

fn stem(file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    bare(name.rsplit_once('.').map_or(name, |(stem, _)| stem)).to_lowercase()
}

/// The similarity of a commit to a failing test.
#[derive(Debug)]
pub(super) struct Fit<'a> {
    named: Option<&'a str>,
    lines: f64,
    path: f64,
    subject: f64,
}

impl Fit<'_> {
    /// Returns the logarithm of the commit's weight.
    pub(super) fn log(&self, traits: &Traits<'_>) -> f64 {
        let has = |what: bool| f64::from(u8::from(what));
        let source = traits.count > 0;
        SOURCE * has(source)
            + LINES * self.lines
            + SOURCE_AND_TEST * has(source && traits.touches_tests)
            + PATH * self.path
            + SUBJECT * self.subject
    }
}

/// The frequency of words among the commits.
#[derive(Debug)]
pub(super) struct Rarity {
    count: usize,
    paths: HashMap<String, usize>,
    subjects: HashMap<String, usize>,
}

impl Rarity {
    pub(super) fn of(traits: &[Traits<'_>]) -> Self {
        Rarity {
            count: traits.len(),
            paths: counted(traits.iter().flat_map(|traits| traits.of_paths.keys())),
            subjects: counted(traits.iter().flat_map(|traits| traits.of_subject.keys())),
        }
    }

    /// Returns the share of `wanted` that is in `there`, weighted by rarity. 0 if nothing is wanted.
    fn share(&self, wanted: &Words, there: &Words, counts: &HashMap<String, usize>) -> f64 {
        let rare = |word: &String| {
            let known = counts.get(word).copied().unwrap_or_default();
            (1.0 + self.count as f64 / (1.0 + known as f64)).ln()
        };
        let all: f64 = wanted.keys().map(rare).sum();
        if all > 0.0 {
            wanted.keys().filter(|word| there.contains_key(*word)).map(rare).sum::<f64>() / all
        } else {
            0.0
        }
    }
}

fn counted<'a>(words: impl Iterator<Item = &'a String>) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    words.for_each(|word| *counts.entry_ref(word.as_str()).or_default() += 1);
    counts
}

/// Returns the reasons for a commit, strongest first.
pub(super) fn reasons(traits: &Traits<'_>, tests: &[TestName], rarity: &Rarity) -> Vec<CommitReason> {
    let mut reasons = Vec::new();
    // Reasons quote the test's form of a word, such as "rounds" if the commit says "rounding".
    let common = |of: fn(&TestName) -> &Words, there: &Words| -> Vec<String> {
        let wanted: BTreeMap<&String, &String> = tests.iter().flat_map(of).collect();
        let found = wanted.into_iter().filter(|(stem, _)| there.contains_key(*stem));
        found.take(MOST_WORDS).map(|(_, word)| shortened(word)).collect()
    };
    let words = common(|test| &test.all, &traits.of_subject);
    if !words.is_empty() {
        reasons.push(CommitReason::Subject { words });
    }
    let words = common(|test| &test.of_file, &traits.of_paths);
    match tests.iter().find_map(|test| traits.fit(test, rarity).named) {
        Some(file) => reasons.push(CommitReason::Named { file: shortened(file) }),
        None if !words.is_empty() => reasons.push(CommitReason::Paths { words }),
        None => {}
    }
    reasons.push(match traits.count {
        0 => CommitReason::NoSource,
        files => CommitReason::Source { files, lines: traits.lines, tests: traits.touches_tests },
    });
    reasons
}
