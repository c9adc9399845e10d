//! How many runs to expect: the search is played to its end, once for each of a few culprits that are still possible.

use std::time::{Duration, Instant};

use firstbad::graph::Node;
use firstbad::{CommitGraph, Error, Outcome, Search, World};
use fixedbitset::FixedBitSet;

/// How many culprits are tried.
const SAMPLES: usize = 16;
/// In a history of more revisions the first answer of a game would take too long.
const LARGE: usize = 100_000;
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

/// What to expect of a search through a history; `None` for others. If not even one game fits into the time it is
/// what halving would take.
pub(crate) fn outlook(search: &dyn Search, jobs: usize, time: Duration) -> Option<Outlook> {
    let World::History(graph) = search.world() else { return None };
    let began = Instant::now();
    let suspects = suspects(search, &graph)?;
    if graph.len() > LARGE {
        return halving(search, suspects.len(), jobs);
    }
    let mut plays = Vec::with_capacity(SAMPLES);
    for culprit in spread(&suspects) {
        let game = Game::new(search, &graph, &suspects, culprit);
        match game.play(search, jobs, began + time).ok()? {
            Some(play) => plays.push(play),
            None if plays.is_empty() => return halving(search, suspects.len(), jobs),
            None => break,
        }
        let took = began.elapsed();
        if took + took / plays.len() as u32 > time {
            break;
        }
    }
    plays.sort_unstable();
    let (likely, worst) = (*plays.get(plays.len() / 2)?, *plays.last()?);
    Some(Outlook { likely, worst })
}

/// What a search takes that halves its suspects with every round; `None` for others.
fn halving(search: &dyn Search, suspects: usize, jobs: usize) -> Option<Outlook> {
    let halves = matches!(search.configuration()["search"].as_str(), Some("auto" | "halving" | "weighted"));
    let rounds = (suspects as f64).log(jobs as f64 + 1.0).ceil() as u64;
    let play = Play { runs: rounds * jobs as u64, rounds };
    (halves && !search.repeats() && suspects > 0).then_some(Outlook { likely: play, worst: play })
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

    /// Plays from where the search stands to its end; `None` if that does not come in time.
    fn play(&self, search: &dyn Search, jobs: usize, deadline: Instant) -> Result<Option<Play>, Error> {
        let World::History(graph) = search.world() else { return Ok(None) };
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
                return Ok(Some(Play { runs: copy.queries() - before, rounds }));
            }
            if deadline <= Instant::now() {
                return Ok(None);
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use firstbad_testkit::simulated::{Random, Shape, history, monotone};
    use serde_json::{Value, json};

    use super::*;

    const AS_LONG_AS_IT_TAKES: Duration = Duration::from_secs(600);

    /// What was expected before each answer of a real run, and how many answers then came.
    fn expected(
        graph: &Arc<CommitGraph>,
        configuration: &Value,
        outcomes: &[Outcome],
        jobs: usize,
    ) -> Vec<(Outlook, u64)> {
        let mut search = firstbad::open("regression", Arc::clone(graph), configuration).unwrap();
        let mut seen = Vec::new();
        while !search.is_done() {
            seen.push((outlook(search.as_ref(), jobs, AS_LONG_AS_IT_TAKES).unwrap(), search.queries()));
            for probe in search.ask(jobs).unwrap() {
                if search.wanted(probe.id).unwrap() {
                    let outcome = outcomes[graph.get(probe.revision()).unwrap() as usize];
                    search.tell(probe.id, outcome.into()).unwrap();
                } else {
                    search.abandon(probe.id).unwrap();
                }
            }
        }
        seen.into_iter().map(|(outlook, before)| (outlook, search.queries() - before)).collect()
    }

    /// How far the expectation was off on average, and how often more came than was thought of as the worst.
    fn errors(seen: &[(Outlook, u64)]) -> (f64, f64) {
        let count = seen.len() as f64;
        let off: f64 = seen.iter().map(|(outlook, came)| outlook.likely.runs.abs_diff(*came) as f64).sum();
        let beyond = seen.iter().filter(|(outlook, came)| *came > outlook.worst.runs).count() as f64;
        (off / count, beyond / count)
    }

    #[test]
    fn what_is_expected_is_about_what_comes() {
        let mut random = Random::new(7);
        for kind in ["auto", "binary", "linear", "halving"] {
            let mut seen = Vec::new();
            for seed in 0..12 {
                let graph = Arc::new(history(&Shape { roots: 0, ..Shape::branchy(120) }, seed).unwrap());
                let tip = graph.len() as Node - 1;
                let suspects: Vec<Node> = graph.ancestors(&[tip]).ones().map(|node| node as Node).skip(1).collect();
                let culprit = suspects[random.below(suspects.len() as u64) as usize];
                let ends = json!({"good": [graph.id(0)], "bad": [graph.id(tip)], "verify_ends": true, "search": kind});
                seen.extend(expected(&graph, &ends, &monotone(&graph, culprit), 1));
            }
            let (off, beyond) = errors(&seen);
            println!("{kind}: off by {off:.2} runs, more than the worst in {beyond:.3} of {}", seen.len());
            // Searches along a path differ more from one culprit to another.
            let most = [("auto", 0.8), ("halving", 1.0), ("binary", 2.5), ("linear", 8.0)];
            let most = most.iter().find(|(name, _)| *name == kind).unwrap().1;
            assert!(off <= most && beyond <= 0.1, "{kind}: off by {off:.2} runs, {beyond:.3} beyond the worst");
        }
    }

    #[test]
    fn several_ends_several_jobs_and_repairs_are_reckoned_with() {
        let graph = Arc::new(CommitGraph::linear((0..64).map(|node| node.to_string())).unwrap());
        let ends = json!({"good": ["0"], "bad": ["63"], "verify_ends": true});
        let outcomes = monotone(&graph, 40);
        let (alone, _) = expected(&graph, &ends, &outcomes, 1)[0];
        let (together, _) = expected(&graph, &ends, &outcomes, 4)[0];
        assert_eq!(alone.likely.runs, alone.likely.rounds);
        assert!(together.likely.rounds < alone.likely.rounds && together.likely.runs >= alone.likely.runs);

        let repaired: Vec<Outcome> = outcomes.iter().map(|outcome| outcome.swapped()).collect();
        let fix = json!({"good": ["63"], "bad": ["0"], "verify_ends": true, "find": "fix"});
        let mirrored = expected(&graph, &fix, &repaired, 1);
        assert_eq!(mirrored, expected(&graph, &ends, &outcomes, 1));

        // Two branches without a common culprit: about twice the work.
        let line = |name: &str| (0..32).map(|place| (format!("{name}{place}"), place)).collect::<Vec<_>>();
        let parents = [("base".to_owned(), vec![])].into_iter().chain(["a", "b"].iter().flat_map(|name| {
            let before = move |place: i32| if place == 0 { "base".to_owned() } else { format!("{name}{}", place - 1) };
            line(name).into_iter().map(move |(id, place)| (id, vec![before(place)]))
        }));
        let graph = Arc::new(CommitGraph::new(parents).unwrap());
        let both = json!({"good": ["base"], "bad": ["a31", "b31"]});
        let culprits = ["a9", "b20"].map(|id| graph.get(id).unwrap());
        let failing = graph.descendants(&culprits);
        let outcomes: Vec<Outcome> =
            (0..graph.len()).map(|node| if failing.contains(node) { Outcome::Fail } else { Outcome::Pass }).collect();
        let (first, came) = expected(&graph, &both, &outcomes, 1)[0];
        assert!(first.likely.runs.abs_diff(came) <= 2 && first.likely.runs >= 9, "{first:?}, and {came} came");
    }

    #[test]
    fn culprit_searches_go_by_their_belief() {
        let graph = Arc::new(CommitGraph::linear((0..40).map(|node| node.to_string())).unwrap());
        let ends = json!({"good": ["0"], "bad": ["39"], "flake_rate": 0.1});
        let mut search = firstbad::open("culprit", Arc::clone(&graph), &ends).unwrap();
        let first = outlook(search.as_ref(), 1, AS_LONG_AS_IT_TAKES).unwrap();
        assert!((4..=40).contains(&first.likely.runs), "{first:?}");
        for probe in search.ask(1).unwrap() {
            search.tell(probe.id, Outcome::Pass.into()).unwrap();
        }
        let then = outlook(search.as_ref(), 1, AS_LONG_AS_IT_TAKES).unwrap();
        assert!(then.likely.runs <= first.likely.runs, "{first:?}, then {then:?}");
        assert_eq!(outlook(firstbad::open("minimize", 9, &json!({})).unwrap().as_ref(), 1, AS_LONG_AS_IT_TAKES), None);
    }

    #[test]
    fn what_is_too_large_is_reckoned_by_halves() {
        let graph = Arc::new(CommitGraph::linear((0..1025).map(|node| node.to_string())).unwrap());
        let ends = |kind: &str| json!({"good": ["0"], "bad": ["1024"], "search": kind});
        let at_once = |kind: &str, jobs: usize| {
            let search = firstbad::open("regression", Arc::clone(&graph), &ends(kind)).unwrap();
            outlook(search.as_ref(), jobs, Duration::ZERO).map(|outlook| outlook.likely)
        };
        assert_eq!(at_once("auto", 1), Some(Play { runs: 10, rounds: 10 }));
        assert_eq!(at_once("auto", 3), Some(Play { runs: 15, rounds: 5 }));
        assert_eq!((at_once("linear", 1), at_once("bayes", 1)), (None, None));
    }
}
