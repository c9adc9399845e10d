//! The peers of a triage: one search for each test, and bisections that share builds.

use std::collections::HashSet;
use std::sync::Arc;

use firstbad::culprit::{CulpritConfig, Rate};
use firstbad::{CulpritSearch, Outcome, Search as _};
use firstbad_testkit::nights::Night;
use firstbad_testkit::simulated::Random;

use super::play::Played;
use super::verdicts::{Found, Score};

/// No search of a test needs so many runs.
const ENDLESS: u64 = 2000;

/// A peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Peer {
    /// One bisection for each test. Every outcome counts.
    Single,
    /// The same after three runs of each test at the bad revision and one at the good revision.
    Reruns,
    /// One culprit search of firstbad for each test, with both rates unknown.
    Culprit,
    /// Bisections after the reruns. Each build serves all tests that it can tell something about.
    Shared,
}

/// Searches a night.
pub(super) fn play(night: &Night, peer: Peer, seed: u64) -> Result<Played, String> {
    if peer == Peer::Culprit {
        return culprits(night, &mut Random::new(seed));
    }
    let mut bisections = Bisections {
        night,
        random: Random::new(seed),
        played: Played::default(),
        found: vec![None; night.tests.len()],
        suspects: vec![night.ancestors[night.bad].clone(); night.tests.len()],
        skipped: vec![vec![false; night.bad + 1]; night.tests.len()],
    };
    if peer != Peer::Single {
        bisections.played.builds = 2.0;
    }
    // The order of the runs decides which ones flake.
    for test in 0..night.tests.len() {
        if peer != Peer::Single {
            bisections.rerun(test);
        }
        if peer != Peer::Shared {
            bisections.bisect(test, &[]);
        }
    }
    if peer == Peer::Shared {
        let tests: Vec<usize> = (0..night.tests.len()).collect();
        tests.iter().for_each(|&test| bisections.bisect(test, &tests));
    }
    let found: Vec<Found> = bisections.found.into_iter().map(|found| found.unwrap_or(Found::Undecided)).collect();
    Ok(Played { score: Score::new(night, &found), ..bisections.played })
}

/// Bisections of all tests of a night.
struct Bisections<'a> {
    night: &'a Night,
    random: Random,
    played: Played,
    found: Vec<Option<Found>>,
    suspects: Vec<Vec<bool>>,
    skipped: Vec<Vec<bool>>,
}

impl Bisections<'_> {
    fn run(&mut self, test: usize, place: Option<usize>) -> Outcome {
        self.played.runs += 1.0;
        self.night.run(test, place, &mut self.random)
    }

    /// Runs a test three times at the bad revision, and at the good revision if it never passes.
    fn rerun(&mut self, test: usize) {
        let again = [(); 3].map(|()| self.run(test, Some(self.night.bad)));
        if again.contains(&Outcome::Pass) || self.run(test, None) == Outcome::Fail {
            self.found[test] = Some(Found::NoCulprit);
        }
    }

    /// Bisects a test. Its builds also serve the open tests among `others`.
    fn bisect(&mut self, test: usize, others: &[usize]) {
        while self.found[test].is_none() {
            let Some(place) = half(self.night, &self.suspects[test], &self.skipped[test]) else {
                let left: Vec<usize> = (0..=self.night.bad).filter(|&place| self.suspects[test][place]).collect();
                self.found[test] =
                    Some(if let [culprit] = left[..] { Found::Culprit(culprit) } else { Found::OneOf(left) });
                return;
            };
            self.played.builds += 1.0;
            let is_open = |other: &usize| {
                self.found[*other].is_none() && self.suspects[*other][place] && !self.skipped[*other][place]
            };
            let served: Vec<usize> =
                others.iter().copied().filter(|other| *other != test && is_open(other)).chain([test]).collect();
            for one in served {
                let is_built = !self.night.unbuildable[place];
                let outcome = if is_built { self.run(one, Some(place)) } else { Outcome::Unresolved };
                self.learn(one, place, outcome);
            }
        }
    }

    fn learn(&mut self, test: usize, place: usize, outcome: Outcome) {
        let past = &self.night.ancestors[place];
        for (other, is) in self.suspects[test].iter_mut().enumerate() {
            let is_past = past.get(other) == Some(&true);
            *is &= outcome == Outcome::Unresolved || is_past == (outcome == Outcome::Fail);
        }
        self.skipped[test][place] |= outcome == Outcome::Unresolved;
    }
}

/// Returns the suspect that halves the suspects best, or `None` if none does.
fn half(night: &Night, suspects: &[bool], skipped: &[bool]) -> Option<usize> {
    let all = suspects.iter().filter(|is| **is).count();
    let part = |place: usize| night.ancestors[place].iter().zip(suspects).filter(|(past, is)| **past && **is).count();
    let mut best = (0, None);
    for place in (0..suspects.len()).filter(|&place| suspects[place] && !skipped[place]) {
        let smaller = part(place).min(all - part(place));
        if smaller > best.0 {
            best = (smaller, Some(place));
        }
    }
    best.1
}

/// Searches the culprit of each test, with the builds of the endpoints shared.
fn culprits(night: &Night, random: &mut Random) -> Result<Played, String> {
    let words = |error: firstbad::Error| error.to_string();
    let mut played = Played { builds: 2.0, ..Played::default() };
    let mut found = Vec::new();
    for test in 0..night.tests.len() {
        let config = CulpritConfig {
            false_pass_rate: Rate::Estimate,
            confidence: 0.95,
            ..CulpritConfig::new(night.bad.to_string(), Rate::Estimate).good(["good"])
        };
        let mut search = CulpritSearch::new(Arc::clone(&night.graph), config).map_err(words)?;
        let mut built: HashSet<Option<usize>> = [None, Some(night.bad)].into();
        while !search.is_done() && search.runs() < ENDLESS {
            let Some(probe) = search.ask(1).map_err(words)?.pop() else { break };
            let place: Option<usize> = probe.revision().parse().ok();
            let is_built = place.is_none_or(|place| !night.unbuildable[place]);
            played.builds += f64::from(built.insert(place));
            played.runs += f64::from(is_built);
            let outcome = if is_built { night.run(test, place, random) } else { Outcome::Unresolved };
            search.tell(probe.id, outcome.into()).map_err(words)?;
        }
        found.push(Found::from(&search.report()));
    }
    played.score = Score::new(night, &found);
    Ok(played)
}
