//! Red nights: windows of recorded histories in which several tests turn red, with flaky tests, revisions that cannot be built, and
//! signatures of failures. The benchmark of triage plays them.

use std::path::Path;
use std::sync::Arc;

use firstbad::{CommitGraph, GraphBuilder, Outcome};
use serde::Deserialize;

use crate::Failure;
use crate::recorded::{files, read};
use crate::simulated::Random;

/// The choice of nights.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// The number of nights for each project.
    pub nights: usize,
    /// The minimum number of red tests.
    pub tests: usize,
    /// The share of flaky tests that are mixed in, and the share of broken tests that are flaky as well.
    pub flaky: [f64; 2],
    /// The share of revisions that cannot be built.
    pub unbuildable: f64,
    /// The share of tests with the signature of their culprit. The others have a signature of their own.
    pub signatures: f64,
    /// The share of tests whose signature says nothing.
    pub generic: f64,
}

impl Default for Choice {
    fn default() -> Self {
        Choice { nights: 3, tests: 10, flaky: [0.05, 0.05], unbuildable: 0.03, signatures: 0.8, generic: 0.1 }
    }
}

/// A red test of a night.
#[derive(Debug, Clone)]
pub struct RedTest {
    /// The outcome at every suspect, by its place.
    pub outcomes: Vec<Outcome>,
    /// The places of the culprits, or `None` if the test is only flaky.
    pub culprits: Option<Vec<usize>>,
    /// The probability of a failure where the test should pass.
    pub flake: f64,
    /// The probability of a pass where the test should fail.
    pub false_pass: f64,
    /// The signature of its failure, or `None` if it says nothing.
    pub signature: Option<String>,
}

/// A night. Suspect number `i` is the revision `i`. The good revision is `good`.
#[derive(Debug, Clone)]
pub struct Night {
    /// The repository as `owner/name`.
    pub repo: String,
    /// The history.
    pub graph: Arc<CommitGraph>,
    /// The suspects among the parents of each suspect.
    pub parents: Vec<Vec<usize>>,
    /// The ancestors of each suspect and the suspect itself.
    pub ancestors: Vec<Vec<bool>>,
    /// The place of the bad revision.
    pub bad: usize,
    /// The red tests.
    pub tests: Vec<RedTest>,
    /// The suspects that cannot be built.
    pub unbuildable: Vec<bool>,
}

#[derive(Deserialize)]
struct HistoryFile {
    repo: String,
    commits: Vec<Commit>,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Commit {
    parents: Vec<usize>,
}

#[derive(Deserialize)]
struct Test {
    count: usize,
    outcomes: String,
}

/// The fewest and the most suspects of a night, and the most red tests.
const SUSPECTS: [usize; 2] = [12, 300];
const MOST_TESTS: usize = 60;
/// The most tests of one validity function.
const COPIES: usize = 10;

/// Returns the nights of every history in a folder.
///
/// # Errors
/// [`Failure`] if the folder or a file cannot be read.
pub fn nights(folder: &Path, choice: &Choice, seed: u64) -> Result<Vec<Night>, Failure> {
    let mut random = Random::new(seed);
    let mut nights = Vec::new();
    for path in files(folder)? {
        let file: HistoryFile = read(&path)?;
        let ancestors = ancestors(&file.commits.iter().map(|commit| commit.parents.clone()).collect::<Vec<_>>());
        let (mut found, mut tries) = (0, 0);
        while found < choice.nights && tries < 6000 {
            tries += 1;
            let Some(window) = Window::draw(&file, &ancestors, choice, &mut random) else { continue };
            nights.push(window.night(&file, choice, &mut random)?);
            found += 1;
        }
    }
    Ok(nights)
}

fn ancestors(parents: &[Vec<usize>]) -> Vec<Vec<bool>> {
    let mut all: Vec<Vec<bool>> = Vec::with_capacity(parents.len());
    for (place, parents) in parents.iter().enumerate() {
        let mut own = vec![false; place + 1];
        own[place] = true;
        for &parent in parents {
            own.iter_mut().zip(&all[parent]).for_each(|(own, other)| *own |= other);
        }
        all.push(own);
    }
    all
}

fn of(letter: u8) -> Outcome {
    match letter {
        b'P' => Outcome::Pass,
        b'F' => Outcome::Fail,
        _ => Outcome::Unresolved,
    }
}

/// The revisions between a good and a bad one, and the tests that differ.
struct Window {
    nodes: Vec<usize>,
    /// The tests with whether pass and fail are exchanged.
    red: Vec<(usize, bool)>,
}

impl Window {
    fn draw(file: &HistoryFile, ancestors: &[Vec<bool>], choice: &Choice, random: &mut Random) -> Option<Window> {
        let bad = random.below(file.commits.len() as u64) as usize;
        let [least, most] = SUSPECTS;
        if ancestors[bad].iter().filter(|is| **is).count() < least {
            return None;
        }
        let steps = (least as f64 * (most as f64 / least as f64).powf(random.fraction())) as usize;
        let mut good = bad;
        for _ in 0..steps {
            good = file.commits[good].parents.first().copied().unwrap_or(good);
        }
        let is_old = |node: usize| ancestors[good].get(node) == Some(&true);
        let nodes: Vec<usize> = (0..=bad).filter(|&node| ancestors[bad][node] && !is_old(node)).collect();
        if good == bad || nodes.len() < least || nodes.len() > most {
            return None;
        }
        let mut red = Vec::new();
        for (number, test) in file.tests.iter().enumerate() {
            let (before, after) = (of(test.outcomes.as_bytes()[good]), of(test.outcomes.as_bytes()[bad]));
            if before != after && before != Outcome::Unresolved && after != Outcome::Unresolved {
                red.extend((0..test.count.min(COPIES)).map(|_| (number, before == Outcome::Fail)));
            }
        }
        if red.len() < choice.tests {
            return None;
        }
        while red.len() > MOST_TESTS {
            red.swap_remove(random.below(red.len() as u64) as usize);
        }
        Some(Window { nodes, red })
    }

    fn night(&self, file: &HistoryFile, choice: &Choice, random: &mut Random) -> Result<Night, Failure> {
        let place = |node: &usize| self.nodes.binary_search(node).ok();
        let parents: Vec<Vec<usize>> =
            self.nodes.iter().map(|&node| file.commits[node].parents.iter().filter_map(place).collect()).collect();
        let mut builder = GraphBuilder::new();
        builder.revision("good", [""; 0]);
        for (node, parents) in parents.iter().enumerate() {
            let mut names: Vec<String> = parents.iter().map(ToString::to_string).collect();
            if names.is_empty() {
                names.push("good".to_owned());
            }
            builder.revision(&node.to_string(), names);
        }
        let graph = builder.build().map_err(|error| Failure::new("making a night", error))?;
        let mut tests: Vec<RedTest> =
            self.red.iter().map(|&(test, swapped)| self.test(file, &parents, test, swapped)).collect();
        let mut flakes = (choice.flaky[0] * tests.len() as f64 + random.fraction()) as usize;
        if choice.flaky[0] > 0.0 && random.chance(500) {
            flakes = flakes.max(1);
        }
        let one = |random: &mut Random, of: &[f64]| of[random.below(of.len() as u64) as usize];
        for test in &mut tests {
            if random.fraction() < choice.flaky[1] {
                test.flake = one(random, &[0.05, 0.1, 0.2, 0.3]);
            }
            if random.fraction() < choice.flaky[1] / 2.0 {
                test.false_pass = one(random, &[0.1, 0.3]);
            }
        }
        for _ in 0..flakes {
            let flake = one(random, &[0.05, 0.1, 0.2, 0.3, 0.5]);
            let outcomes = vec![Outcome::Pass; self.nodes.len()];
            tests.push(RedTest { outcomes, culprits: None, flake, false_pass: 0.0, signature: None });
        }
        for (number, test) in tests.iter_mut().enumerate() {
            let own = format!("own {number}");
            let shared = test.culprits.as_ref().map_or_else(|| own.clone(), |culprits| format!("{culprits:?}"));
            test.signature = Some(if random.fraction() < choice.signatures { shared } else { own });
            if random.fraction() < choice.generic {
                test.signature = None;
            }
        }
        let bad = self.nodes.len() - 1;
        let unbuildable = unbuildable(self.nodes.len(), choice.unbuildable, random);
        let ancestors = ancestors(&parents);
        Ok(Night { repo: file.repo.clone(), graph: Arc::new(graph), parents, ancestors, bad, tests, unbuildable })
    }

    fn test(&self, file: &HistoryFile, parents: &[Vec<usize>], test: usize, swapped: bool) -> RedTest {
        let recorded = file.tests[test].outcomes.as_bytes();
        let outcomes: Vec<Outcome> = self
            .nodes
            .iter()
            .map(|&node| if swapped { of(recorded[node]).swapped() } else { of(recorded[node]) })
            .collect();
        let is_culprit = |node: &usize| {
            outcomes[*node] == Outcome::Fail && parents[*node].iter().all(|&parent| outcomes[parent] == Outcome::Pass)
        };
        let culprits = (0..outcomes.len()).filter(is_culprit).collect();
        RedTest { culprits: Some(culprits), outcomes, flake: 0.0, false_pass: 0.0, signature: None }
    }
}

/// Returns stretches of revisions that cannot be built. The newest revision can.
fn unbuildable(count: usize, share: f64, random: &mut Random) -> Vec<bool> {
    let mut broken = vec![false; count];
    for start in 0..count {
        if random.fraction() < share / 4.0 {
            let length = 1 + (-4.0 * (1.0 - random.fraction()).ln()) as usize;
            broken[start..(start + length).min(count)].fill(true);
        }
    }
    if let Some(last) = broken.last_mut() {
        *last = false;
    }
    broken
}

impl Night {
    /// Runs a test at a suspect, or at the good revision.
    #[must_use]
    pub fn run(&self, test: usize, place: Option<usize>, random: &mut Random) -> Outcome {
        let test = &self.tests[test];
        match place.map_or(Outcome::Pass, |place| test.outcomes[place]) {
            Outcome::Pass if random.fraction() < test.flake => Outcome::Fail,
            Outcome::Fail if random.fraction() < test.false_pass => Outcome::Pass,
            outcome => outcome,
        }
    }

    /// Returns whether a suspect can be the culprit of a test, if revisions that cannot be built hide outcomes.
    #[must_use]
    pub fn is_plausible(&self, test: usize, place: usize) -> bool {
        let RedTest { outcomes, culprits, .. } = &self.tests[test];
        let seen = |place: usize| if self.unbuildable[place] { Outcome::Unresolved } else { outcomes[place] };
        let no_parent_fails = || self.parents[place].iter().all(|&parent| seen(parent) != Outcome::Fail);
        culprits.is_some() && seen(place) != Outcome::Pass && no_parent_fails()
    }

    /// Returns whether naming a suspect as the culprit of a test is right.
    #[must_use]
    pub fn is_right(&self, test: usize, place: usize) -> bool {
        let RedTest { outcomes, culprits, .. } = &self.tests[test];
        let fails = !self.unbuildable[place] && outcomes[place] == Outcome::Fail;
        let is_true = culprits.as_ref().is_some_and(|culprits| culprits.contains(&place));
        is_true || (fails && self.is_plausible(test, place))
    }
}
