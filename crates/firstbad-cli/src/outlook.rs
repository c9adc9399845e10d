//! How many runs to expect: the search is played to its end, once for each of a few culprits that are still possible.

use std::time::{Duration, Instant};

use firstbad::graph::Node;
use firstbad::{CommitGraph, Error, Outcome, Search, World};
use fixedbitset::FixedBitSet;

/// How many culprits are tried.
const SAMPLES: usize = 16;
/// How many answers are played at most for one culprit, in case a search has no end.
const MOST: u64 = 10_000;

/// How many answers to expect still, and how many rounds of `jobs` tests side by side that takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outlook {
    /// The median over the culprits that are still possible.
    pub(crate) likely: Play,
    /// The most that was seen.
    pub(crate) worst: Play,
}

/// One search played to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Play {
    /// Answers.
    pub(crate) runs: u64,
    /// Rounds.
    pub(crate) rounds: u64,
}

/// What to expect of a search through a history; nothing for others, and where not even one game fits into the time.
pub(crate) fn outlook(search: &dyn Search, jobs: usize, time: Duration) -> Option<Outlook> {
    let World::History(graph) = search.world() else { return None };
    let began = Instant::now();
    let suspects = suspects(search, &graph)?;
    let mut plays = Vec::with_capacity(SAMPLES);
    for culprit in spread(&suspects) {
        plays.push(Game::new(search, &graph, &suspects, culprit).play(search, jobs).ok()?);
        let took = began.elapsed();
        if took + took / plays.len() as u32 > time {
            break;
        }
    }
    plays.sort_unstable();
    let (likely, worst) = (*plays.get(plays.len() / 2)?, *plays.last()?);
    Some(Outlook { likely, worst })
}

/// The culprits that are still possible, each with its weight, oldest first.
fn suspects(search: &dyn Search, graph: &CommitGraph) -> Option<Vec<(Node, f64)>> {
    if let Some(posterior) = search.posterior() {
        return Some(posterior.iter().filter_map(|(id, share)| Some((graph.get(id)?, share))).collect());
    }
    Some(search.suspects()?.ones().map(|node| (node as Node, 1.0)).collect())
}

/// Some of them, at equal steps of weight.
fn spread(suspects: &[(Node, f64)]) -> Vec<Node> {
    let whole: f64 = suspects.iter().map(|suspect| suspect.1).sum();
    let count = suspects.len().min(SAMPLES);
    let (mut sum, mut chosen) = (0.0, Vec::with_capacity(count));
    for &(node, weight) in suspects {
        sum += weight;
        while chosen.len() < count && sum >= whole * (chosen.len() as f64 + 0.5) / count as f64 {
            chosen.push(node);
        }
    }
    // The middle comes first: it is the one to know if there is no time for more.
    let middle = chosen.len() / 2;
    chosen.rotate_left(middle);
    chosen.dedup();
    chosen
}

/// What would be seen if certain revisions were to blame.
struct Game {
    /// Revisions that have a culprit among their ancestors.
    changed: FixedBitSet,
    /// What is seen there.
    then: Outcome,
}

impl Game {
    /// `culprit` is to blame, and for each newer end that does not come from it another suspect.
    fn new(search: &dyn Search, graph: &CommitGraph, suspects: &[(Node, f64)], culprit: Node) -> Game {
        let configuration = search.configuration();
        let fix = configuration["find"] == "fix";
        let mut changed = graph.descendants(&[culprit]);
        let newer = if fix { &configuration["good"] } else { &configuration["bad"] };
        let names = newer.as_array().map_or(std::slice::from_ref(newer), Vec::as_slice);
        for end in names.iter().filter_map(|name| graph.resolve(name.as_str()?, "bad").ok()) {
            if changed.contains(end as usize) {
                continue;
            }
            let before = graph.ancestors(&[end]);
            let own: Vec<Node> =
                suspects.iter().map(|suspect| suspect.0).filter(|&node| before.contains(node as usize)).collect();
            if let Some(&other) = own.get(own.len() / 2) {
                changed.union_with(&graph.descendants(&[other]));
            }
        }
        Game { changed, then: if fix { Outcome::Pass } else { Outcome::Fail } }
    }

    fn outcome(&self, graph: &CommitGraph, revision: &str) -> Outcome {
        let is_changed = graph.get(revision).is_some_and(|node| self.changed.contains(node as usize));
        if is_changed { self.then } else { self.then.swapped() }
    }

    /// Plays from where the search stands to its end.
    fn play(&self, search: &dyn Search, jobs: usize) -> Result<Play, Error> {
        let World::History(graph) = search.world() else { return Ok(Play { runs: 0, rounds: 0 }) };
        let mut copy = firstbad::open(search.algorithm(), World::History(graph.clone()), &search.configuration())?;
        search.events(0).iter().try_for_each(|event| copy.apply(event))?;
        copy.resume();
        let before = copy.queries();
        let mut rounds = 0;
        loop {
            let mut probes = copy.in_flight();
            if probes.len() < jobs {
                probes.extend(copy.ask(jobs - probes.len())?);
            }
            if probes.is_empty() || copy.queries() - before > MOST {
                return Ok(Play { runs: copy.queries() - before, rounds });
            }
            rounds += 1;
            for probe in probes {
                if copy.wanted(probe.id)? {
                    copy.tell(probe.id, self.outcome(&graph, probe.revision()).into())?;
                } else {
                    copy.abandon(probe.id)?;
                }
            }
        }
    }
}
