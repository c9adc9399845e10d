//! Culprits of the past, as the history names them, and what they teach about where culprits are.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Duration;

use firstbad::Error;
use firstbad::graph::Node;
use firstbad::suspicion::{
    Changelist, ContentCase, ContentFit, ContentWeights, NamedBy, PastOutcomes, culprits_named, culprits_seen,
    fit_content, is_test_file, tests_of_command,
};
use serde::Deserialize;
use serde_json::Value;

use crate::changes::Merges;
use crate::git;
use crate::history::GraphOptions;
use crate::repository::Repository;

/// A culprit that is known, with where to look for it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PastCulprit {
    /// The commit that was to blame.
    pub culprit: String,
    /// Revisions before it, where all was well: what comes after them is suspected.
    pub good: Vec<String>,
    /// The revision that failed, which is it or comes after it.
    pub bad: String,
    /// What the failing tests are called; empty if nobody knows.
    #[serde(default)]
    pub test: Vec<String>,
}

/// Where past culprits are known from.
#[derive(Debug, Clone, PartialEq)]
pub struct Past {
    /// Culprits that are known; `None` for those that the history of `tip` names ([`Repository::blamed`]): the 200 newest. The
    /// suspects of each of these are the 128 commits before it in the list of the history and the 128 after it that are older
    /// than the fix; its test is the test file that the fix changes most, if it changes one. A revert counts only if it
    /// changes one: commits are taken back for many reasons, of which a failing test is one.
    pub culprits: Option<Vec<PastCulprit>>,
    /// The history that is looked at.
    pub tip: String,
    /// Outcomes that were kept ([`culprits_seen`]), of revisions of the history of `tip`. A culprit's suspects are what comes
    /// after the oldest revision before it, and up to the newest one after it, between which all that were tested agree with
    /// it; its tests are those that it broke, as far as their words name them.
    pub outcomes: Vec<PastOutcomes>,
}

impl Default for Past {
    /// What the history of `HEAD` names.
    fn default() -> Self {
        Past { culprits: None, tip: "HEAD".to_owned(), outcomes: Vec::new() }
    }
}

/// A commit that a later one makes good, and says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlamedCommit {
    /// The commit to blame: a full sha.
    pub culprit: String,
    /// The one that says so: a full sha.
    pub fix: String,
    /// In which words.
    pub by: NamedBy,
    /// How many commits the history lists from the fix to the culprit.
    pub apart: usize,
}

/// The most commits of a history that are listed, newest first.
const MOST_LISTED: usize = 200_000;

/// The most commits whose changes are read to learn from, all culprits together: some seconds.
const MOST_READ: usize = 10_000;

/// The most bytes of messages, and the longest that git may take to list them.
const MOST_BYTES: u64 = 1 << 30;
const PATIENCE: Duration = Duration::from_secs(600);

/// The most culprits of a history that are learned from, the newest.
const MOST_CULPRITS: usize = 200;

/// So many commits on either side of a culprit that the history names count as its suspects.
const AROUND: usize = 128;

/// A history as a list, newest first, with the commits that its messages blame.
struct Listed {
    shas: Vec<String>,
    blamed: Vec<BlamedCommit>,
}

impl Repository {
    /// The commits of a history that a later one of it makes good, by its own words: `Fixes: <sha>`, `a regression in <sha>`,
    /// `introduced by <sha>`, `This reverts commit <sha>` ([`culprits_named`]); the newest fix first, each culprit once, by
    /// its oldest fix. Merges are left out: what is taken back with one came with its branch. At most 200,000 commits are
    /// looked at.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`] and [`Error::AmbiguousRevision`] that name `tip`; [`Error::Git`], also where the messages have
    /// more than 1 GiB.
    pub fn blamed(&self, tip: &str) -> Result<Vec<BlamedCommit>, Error> {
        Ok(self.list(tip)?.blamed)
    }

    fn list(&self, tip: &str) -> Result<Listed, Error> {
        let tip = self.resolve_all("tip", &[tip.to_owned()])?;
        let mut command = self.git();
        command.args(["log", "--topo-order", "--no-notes", "--no-show-signature", "-z", "--encoding=UTF-8"]);
        command.args([
            format!("--max-count={MOST_LISTED}"),
            "--format=%H%n%P%n%B".to_owned(),
            tip[0].clone(),
            "--".to_owned(),
        ]);
        let text = git::output_within(&mut command, b"", PATIENCE, MOST_BYTES)?;
        let (mut shas, mut merges) = (Vec::new(), Vec::new());
        let mut named: Vec<(usize, String, NamedBy)> = Vec::new();
        for commit in text.split(|&byte| byte == 0).filter(|commit| !commit.is_empty()) {
            let commit = String::from_utf8_lossy(commit);
            let (sha, rest) = commit.split_once('\n').unwrap_or((&commit, ""));
            let (parents, message) = rest.split_once('\n').unwrap_or((rest, ""));
            merges.push(parents.contains(' '));
            named.extend(culprits_named(message).into_iter().map(|(id, by)| (shas.len(), id, by)));
            shas.push(sha.to_owned());
        }
        let mut sorted: Vec<(&str, usize)> =
            shas.iter().enumerate().map(|(place, sha)| (sha.as_str(), place)).collect();
        sorted.sort_unstable();
        let mut by_culprit: BTreeMap<usize, (usize, NamedBy)> = BTreeMap::new();
        for (fix, id, by) in named {
            let from = sorted.partition_point(|(sha, _)| *sha < id.as_str());
            let mut matching = sorted[from..].iter().take_while(|(sha, _)| sha.starts_with(&id));
            // What is listed before the fix came after it.
            if let (Some(&(_, culprit)), None) = (matching.next(), matching.next())
                && culprit > fix
                && !merges[culprit]
            {
                // The list goes back in time: the last is the oldest.
                by_culprit.insert(culprit, (fix, by));
            }
        }
        let mut blamed: Vec<(usize, BlamedCommit)> = by_culprit
            .into_iter()
            .map(|(culprit, (fix, by))| {
                let (apart, culprit) = (culprit - fix, shas[culprit].clone());
                (fix, BlamedCommit { culprit, fix: shas[fix].clone(), by, apart })
            })
            .collect();
        blamed.sort_by_key(|(fix, _)| *fix);
        Ok(Listed { blamed: blamed.into_iter().map(|(_, one)| one).collect(), shas })
    }

    /// Learns what counts how much for a prior by what commits touch, as [`fit_content`] does, from culprits of the past: those
    /// of outcomes first, then given ones or those that the history names, each once. As far as 10,000 commits go, all ranges
    /// together: what does not fit in is left out, and so are culprits that are not in their range, or alone there.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`], [`Error::AmbiguousRevision`], those of [`fit_content`], [`Error::Git`].
    pub fn fit(&self, past: &Past, begin: &ContentWeights) -> Result<ContentFit, Error> {
        let mut wanted = Wanted::default();
        self.seen(past, &mut wanted)?;
        match &past.culprits {
            Some(culprits) => {
                for culprit in culprits {
                    wanted.add(self.case(culprit)?);
                }
            }
            None => self.named(&past.tip, &mut wanted)?,
        }
        self.learn(wanted, begin)
    }

    /// The culprits of outcomes.
    fn seen(&self, past: &Past, wanted: &mut Wanted) -> Result<(), Error> {
        if past.outcomes.is_empty() {
            return Ok(());
        }
        let graph = self.graph(&GraphOptions { tips: vec![past.tip.clone()], ..GraphOptions::default() })?;
        let ids: Vec<String> = graph.ids().map(str::to_owned).collect();
        let mut by_tree: HashMap<String, Vec<Node>> = HashMap::new();
        for (node, (_, tree)) in self.tree_ids(&ids)?.into_iter().enumerate() {
            by_tree.entry(tree).or_default().push(node as Node);
        }
        let nodes = |name: &str| {
            graph.get(name).map_or_else(|| by_tree.get(name).cloned().unwrap_or_default(), |node| vec![node])
        };
        // A commit that broke several tests is one case.
        let mut broken: BTreeMap<Node, PastCulprit> = BTreeMap::new();
        for PastOutcomes { test, outcomes } in &past.outcomes {
            for found in culprits_seen(&graph, outcomes, nodes) {
                let [culprit, good, bad] = [found.culprit, found.good, found.bad].map(|node| graph.id(node).to_owned());
                let case = PastCulprit { culprit, good: vec![good], bad, test: Vec::new() };
                broken.entry(found.culprit).or_insert(case).test.extend(tests_of_words(test));
            }
        }
        for culprit in broken.values().rev().take(MOST_CULPRITS) {
            wanted.add(self.case(culprit)?);
        }
        Ok(())
    }

    fn case(&self, PastCulprit { culprit, good, bad, test }: &PastCulprit) -> Result<Case, Error> {
        let culprit = self.resolve_all("culprit", std::slice::from_ref(culprit))?.remove(0);
        let good = self.resolve_all("good", good)?;
        let bad = self.resolve_all("bad", std::slice::from_ref(bad))?;
        let listed = self.listed(&good, &bad, Merges::Own)?;
        let suspects = String::from_utf8_lossy(&listed).lines().map(str::to_owned).collect();
        Ok(Case { culprit, suspects, tests: Tests::Known(test.clone()) })
    }

    /// The culprits that the history of `tip` names, but those that are there already.
    fn named(&self, tip: &str, wanted: &mut Wanted) -> Result<(), Error> {
        let Listed { shas, blamed } = self.list(tip)?;
        let places: HashMap<&str, usize> = shas.iter().enumerate().map(|(place, sha)| (sha.as_str(), place)).collect();
        let known: HashSet<String> = wanted.cases.iter().map(|case| case.culprit.clone()).collect();
        let others = blamed.into_iter().filter(|blamed| !known.contains(&blamed.culprit));
        for BlamedCommit { culprit, fix, by, .. } in others.take(MOST_CULPRITS) {
            let (at, fixed) = (places[culprit.as_str()], places[fix.as_str()]);
            let (from, to) = ((fixed + 1).max(at.saturating_sub(AROUND)), (at + AROUND + 1).min(shas.len()));
            let suspects = shas[from..to].iter().rev().cloned().collect();
            wanted.add(Case { culprit, suspects, tests: Tests::Of { fix, needed: by == NamedBy::Revert } });
        }
        Ok(())
    }

    fn learn(&self, wanted: Wanted, begin: &ContentWeights) -> Result<ContentFit, Error> {
        let Wanted { cases, commits, mut left_out } = wanted;
        let fixes = cases.iter().filter_map(|case| match &case.tests {
            Tests::Of { fix, .. } => Some(fix),
            Tests::Known(_) => None,
        });
        let read: BTreeSet<&String> = commits.iter().chain(fixes).collect();
        let lines: String = read.iter().map(|sha| format!("{sha}\n")).collect();
        let attributes = read.first().map_or("HEAD", |sha| sha.as_str());
        let mut changes = self.changes_of(lines.as_bytes(), attributes, Merges::Own)?;
        let there: HashSet<&str> = changes.iter().map(|change| change.id.as_str()).collect();
        // Merges that changed nothing by themselves.
        let clean: Vec<&String> = read.into_iter().filter(|sha| !there.contains(sha.as_str())).collect();
        let clean: Vec<Changelist> = clean.into_iter().map(|sha| Changelist::new(sha, Vec::<String>::new())).collect();
        changes.extend(clean);
        let places: HashMap<&str, usize> =
            changes.iter().enumerate().map(|(place, change)| (change.id.as_str(), place)).collect();
        let mut known = Vec::with_capacity(cases.len());
        for Case { culprit, suspects, tests } in cases {
            let (tests, needed) = match tests {
                Tests::Known(tests) => (tests, false),
                Tests::Of { fix, needed } => (test_of(&changes[places[fix.as_str()]]).into_iter().collect(), needed),
            };
            if needed && tests.is_empty() {
                left_out += 1;
                continue;
            }
            let suspects = suspects.iter().map(|sha| places[sha.as_str()]).collect();
            known.push(ContentCase { suspects, culprit: places[culprit.as_str()], tests });
        }
        Ok(fit_content(&changes, &known, begin)?.leaving_out(left_out))
    }
}

/// What the tests of an oracle are called, in whose words: those of a test that the command line ran, a command, or a name.
fn tests_of_words(words: &str) -> Vec<String> {
    let record: Option<Value> = serde_json::from_str(words).ok();
    let command = record.as_ref().and_then(|record| Vec::<String>::deserialize(record.get("command")?).ok());
    if let Some(command) = command {
        return tests_of_command(&command);
    }
    let command: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    match &command[..] {
        [name] => vec![name.clone()],
        _ => tests_of_command(&command),
    }
}

/// The test file that a commit changes most; of equals the first.
fn test_of(fix: &Changelist) -> Option<String> {
    let lines = |file: &String| fix.counts.get(file).map_or(0, |(added, deleted)| added.saturating_add(*deleted));
    let tests = fix.files.iter().filter(|file| is_test_file(file));
    tests.reduce(|best, next| if lines(next) > lines(best) { next } else { best }).cloned()
}

/// What is to be learned from.
#[derive(Default)]
struct Wanted {
    cases: Vec<Case>,
    /// All of their suspects.
    commits: HashSet<String>,
    left_out: usize,
}

/// A culprit among its suspects, oldest first.
struct Case {
    culprit: String,
    suspects: Vec<String>,
    tests: Tests,
}

enum Tests {
    Known(Vec<String>),
    /// The one that this commit changes; where it is needed and there is none, the case is left out.
    Of {
        fix: String,
        needed: bool,
    },
}

impl Wanted {
    /// Takes a case, if there is room for it and anything to learn from.
    fn add(&mut self, case: Case) {
        let more = case.suspects.iter().filter(|sha| !self.commits.contains(*sha)).count();
        if self.commits.len() + more > MOST_READ || case.suspects.len() < 2 || !case.suspects.contains(&case.culprit) {
            self.left_out += 1;
            return;
        }
        self.commits.extend(case.suspects.iter().cloned());
        self.cases.push(case);
    }
}
