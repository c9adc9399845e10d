//! Regression searches on random histories with outcomes that come and go.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use firstbad::graph::Node;
use firstbad::regression::{LeafResult, Prefer, SearchKind};
use firstbad::{
    CommitGraph, Find, Outcome, Probe, RegressionConfig, RegressionPoint, RegressionReport, RegressionSearch, Search,
    Status,
};
use proptest::prelude::*;

use crate::random::Random;

/// All searches except the one for flaky tests.
pub(crate) const KINDS: [SearchKind; 7] = [
    SearchKind::Auto,
    SearchKind::Linear,
    SearchKind::Binary,
    SearchKind::Multiplying,
    SearchKind::Gallop,
    SearchKind::Bisect,
    SearchKind::Weighted,
];

/// A history. Revision `i` has parents among the revisions before it.
#[derive(Debug, Clone)]
struct History {
    parents: Vec<Vec<usize>>,
    outcomes: Vec<Outcome>,
}

impl History {
    fn graph(&self) -> Arc<CommitGraph> {
        let revisions = self.parents.iter().enumerate();
        let pairs = revisions
            .map(|(i, parents)| (format!("r{i}"), parents.iter().map(|p| format!("r{p}")).collect::<Vec<_>>()));
        Arc::new(CommitGraph::new(pairs).expect("parents come first"))
    }

    fn outcome(&self, id: &str) -> Outcome {
        self.outcomes[id[1..].parse::<usize>().expect("an id")]
    }
}

fn histories() -> impl Strategy<Value = History> {
    let revision = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..20u8, 0..20u8);
    let shape = prop::collection::vec(revision, 2..40);
    (shape, 0..4u8).prop_map(|(revisions, style)| {
        let mut parents: Vec<Vec<usize>> = Vec::new();
        let mut outcomes: Vec<Outcome> = Vec::new();
        for (i, (first, second, link, luck)) in revisions.into_iter().enumerate() {
            let near = |index: prop::sample::Index| i - 1 - index.index(i.min(4));
            let mut own = match link {
                _ if i == 0 => vec![],
                0 => vec![],
                1..=5 => vec![near(first), second.index(i)],
                6 => vec![near(first), second.index(i), first.index(i)],
                _ => vec![near(first)],
            };
            let mut seen = HashSet::new();
            own.retain(|parent| seen.insert(*parent));
            let broken = own.iter().any(|&parent| outcomes[parent] == Outcome::Fail);
            outcomes.push(match (style, luck) {
                // One or more culprits. All descendants fail.
                (0, _) => {
                    if broken || luck == 0 {
                        Outcome::Fail
                    } else {
                        Outcome::Pass
                    }
                }
                (1, 1..=4) => Outcome::Unresolved,
                (1, _) => {
                    if broken || luck == 0 {
                        Outcome::Fail
                    } else {
                        Outcome::Pass
                    }
                }
                // Outcomes that come and go.
                (2, 0..=8) => Outcome::Fail,
                (2, _) => Outcome::Pass,
                (_, 0..=6) => Outcome::Fail,
                (_, 7..=12) => Outcome::Unresolved,
                _ => Outcome::Pass,
            });
            parents.push(own);
        }
        History { parents, outcomes }
    })
}

fn options() -> impl Strategy<Value = RegressionConfig> {
    let kinds = prop::sample::select(KINDS.to_vec());
    let prefer = prop::sample::select(vec![Prefer::Fewest, Prefer::Latest]);
    (kinds, prefer, prop::option::of(any::<bool>()), any::<bool>(), any::<bool>()).prop_map(
        |(search, prefer, propagate, clean, test_endpoints)| RegressionConfig {
            search,
            prefer,
            propagate,
            check_parents: clean,
            test_endpoints,
            ..RegressionConfig::new(Vec::<String>::new()).unconfirmed()
        },
    )
}

/// Runs probes, `jobs` at a time, and reports the newest first, until the search ends.
fn drive(search: &mut RegressionSearch, jobs: usize, outcome: impl Fn(&str) -> Outcome) -> Vec<String> {
    let mut asked = Vec::new();
    let mut flying = Vec::new();
    loop {
        let room = jobs - flying.len();
        if room > 0 {
            flying.extend(search.ask(room).expect("room for one"));
        }
        let Some(probe) = flying.pop() else { break };
        let is_new = !asked.contains(&probe.revision().to_owned());
        assert!(is_new || probe.confirms, "{} was asked twice", probe.revision());
        asked.push(probe.revision().to_owned());
        search.tell(probe.id, outcome(probe.revision()).into()).expect("a first answer");
        // Like drivers, drop probes that are no longer wanted.
        flying.retain(|probe: &Probe| {
            let wanted = search.wanted(probe.id).expect("a probe of this search");
            if !wanted {
                search.abandon(probe.id).expect("a probe of this search");
            }
            wanted
        });
        assert!(asked.len() <= 2 * search.algorithm_graph().len(), "no end");
    }
    assert!(search.is_done(), "nothing asked, nothing in flight, and not done");
    asked
}

trait Graphed {
    fn algorithm_graph(&self) -> &CommitGraph;
}

impl Graphed for RegressionSearch {
    fn algorithm_graph(&self) -> &CommitGraph {
        self.algorithm().graph()
    }
}

/// Checks a report against the observed outcomes.
fn check(graph: &CommitGraph, config: &RegressionConfig, report: &RegressionReport) {
    let swap = config.find == Find::Fix;
    let mut seen: HashMap<Node, Outcome> = HashMap::new();
    let (newer, older) = if swap { (&config.good, &config.bad) } else { (&config.bad, &config.good) };
    let node = |id: &str| graph.get(id).expect("a revision");
    // Given outcomes of endpoints count only if the endpoints are not tested.
    for (ends, claim) in [(newer, Outcome::Fail), (older, Outcome::Pass)] {
        for end in ends.iter().filter(|_| !config.test_endpoints) {
            seen.insert(node(end), claim);
        }
    }
    for observed in &report.observations {
        let outcome = if swap { observed.observation.outcome.swapped() } else { observed.observation.outcome };
        if outcome != Outcome::Unresolved || !seen.contains_key(&node(observed.revision())) {
            seen.insert(node(observed.revision()), outcome);
        }
    }
    if !config.test_endpoints {
        for end in newer.iter().chain(older) {
            assert!(report.observations.iter().all(|o| o.revision() != *end), "{end} was given and asked");
        }
    }
    for point in &report.points {
        check_point(graph, config, &seen, point);
        assert!(point.untested_endpoints.is_empty() || !config.test_endpoints, "{point:?}");
        let is_given = |end: &String| newer.contains(end) || older.contains(end);
        assert!(point.untested_endpoints.iter().all(is_given), "{point:?}");
    }
    for (place, leaf) in report.leaves.iter().enumerate() {
        assert_ne!(leaf.result, LeafResult::Open);
        assert_eq!(leaf.leaf, newer[place]);
        let without =
            [LeafResult::NotReproduced, LeafResult::NoPassingRevision, LeafResult::Untestable].contains(&leaf.result);
        assert_eq!(leaf.points.is_empty(), without, "{report:?}");
        for &point in &leaf.points {
            assert!(report.points[point].leaves.contains(&leaf.leaf));
        }
    }
    let ambiguous = report.points.iter().any(|point| !point.candidates.is_empty());
    let ended = |ending: LeafResult| report.leaves.iter().any(|leaf| leaf.result == ending);
    let expected = match () {
        () if !report.points.is_empty() && ambiguous => Status::Ambiguous,
        () if !report.points.is_empty() => Status::Found,
        () if ended(LeafResult::Untestable) => Status::Untestable,
        () if ended(LeafResult::NoPassingRevision) => Status::NoPassingRevision,
        () => Status::NotReproduced,
    };
    assert_eq!(report.status, expected, "{report:?}");
}

/// Checks that the sides of a point were observed, and that its candidates are all remaining suspects.
fn check_point(graph: &CommitGraph, config: &RegressionConfig, seen: &HashMap<Node, Outcome>, point: &RegressionPoint) {
    let node = |id: &str| graph.get(id).expect("a revision");
    let outcome = |node: Node| seen.get(&node).copied();
    let (low, high) = if config.find == Find::Fix {
        (Some(point.bad.as_str()), point.good.as_deref().expect("a fix has two ends"))
    } else {
        (point.good.as_deref(), point.bad.as_str())
    };
    let high = node(high);
    assert_eq!(outcome(high), Some(Outcome::Fail), "the newer side must be seen to fail: {point:?}");
    let parents = graph.parents(high);
    let edge = low.is_some_and(|low| parents.contains(&node(low))) || low.is_none() && parents.is_empty();
    if let Some(low) = low {
        assert_eq!(outcome(node(low)), Some(Outcome::Pass), "the older side must be seen to pass: {point:?}");
        assert!(graph.is_ancestor(node(low), high));
    } else {
        let passing = graph.ancestors(&[high]).ones().filter(|&n| outcome(n as Node) == Some(Outcome::Pass)).count();
        assert_eq!(passing, 0, "an ancestor passes: {point:?}");
    }
    let all = parents.iter().all(|&parent| outcome(parent) == Some(Outcome::Pass));
    let is_clean = all && !parents.is_empty() && point.untested_endpoints.is_empty();
    assert_eq!(point.parents_pass, is_clean, "clean is when there are parents, and all were seen to pass: {point:?}");
    // A pass after the newer side says nothing about its ancestors.
    let after = graph.descendants(&[high]);
    let passes = |node: Node| outcome(node) == Some(Outcome::Pass) && !after.contains(node as usize);
    let passing: Vec<Node> = seen.keys().copied().filter(|&node| passes(node)).collect();
    let covered = graph.ancestors(&passing);
    let is_left = |n: Node| !covered.contains(n as usize) && matches!(outcome(n), None | Some(Outcome::Unresolved));
    let before = graph.ancestors(&[high]);
    let expected = before.ones().map(|n| n as Node).filter(|&n| n == high || is_left(n));
    let expected: Vec<&str> = expected.map(|n| graph.id(n)).collect();
    let is_unresolved = |&parent: &Node| outcome(parent) == Some(Outcome::Unresolved) && is_left(parent);
    let edge = edge && !(config.check_parents && parents.iter().any(is_unresolved));
    let named: Vec<&str> = point.candidates.iter().map(String::as_str).collect();
    assert_eq!(named, if edge { Vec::new() } else { expected }, "{point:?}");
    for (leaf, distance) in point.leaves.iter().zip(&point.distances) {
        assert_eq!(graph.distance(node(&point.bad), node(leaf)), Some(*distance));
    }
}

/// The endpoints of a search: failing leaves, and optionally a passing ancestor of one of them.
fn ends(history: &History, graph: &CommitGraph, with_good: bool) -> Option<(Vec<String>, Vec<String>)> {
    let fails = |node: &Node| history.outcome(graph.id(*node)) == Outcome::Fail;
    let bad: Vec<Node> = graph.leaves().filter(fails).collect();
    let before = graph.ancestors(&bad);
    let passes = |node: &usize| history.outcome(graph.id(*node as Node)) == Outcome::Pass;
    let good: Vec<usize> = before.ones().filter(passes).take(usize::from(with_good)).collect();
    let name = |node: Node| graph.id(node).to_owned();
    (!bad.is_empty())
        .then(|| (bad.into_iter().map(name).collect(), good.into_iter().map(|n| name(n as Node)).collect()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, rng_seed: prop::test_runner::RngSeed::Fixed(8), ..ProptestConfig::default() })]

    /// Outcomes of probes in flight can arrive from elsewhere, and a caller can queue a revision repeatedly.
    #[test]
    fn no_more_probes_than_requested_whatever_arrives_meanwhile(
        history in histories(),
        mut config in options(),
        meanwhile in prop::collection::vec((0..4u8, any::<prop::sample::Index>(), 1usize..5), 5..25),
    ) {
        let graph = history.graph();
        let Some((bad, _)) = ends(&history, &graph, false) else { return Ok(()) };
        config.bad = bad;
        let mut search = RegressionSearch::new(Arc::clone(&graph), config).expect("valid ends");
        for (what, which, want) in meanwhile {
            let probes = search.ask(want).expect("k above 0");
            prop_assert!(probes.len() <= want, "{} asked where {want} were wanted", probes.len());
            let flying = search.in_flight();
            if flying.is_empty() {
                break;
            }
            let probe = &flying[which.index(flying.len())];
            let (id, seen) = (probe.revision().to_owned(), history.outcome(probe.revision()).into());
            match what {
                0 => search.tell(probe.id, seen).expect("a first answer"),
                1 => search.observe(&probe.target, seen).expect("what it is"),
                2 => search.enqueue(&id.as_str().into()).expect("a revision"),
                _ => {}
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, rng_seed: prop::test_runner::RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn every_result_is_an_observed_regression_point(
        history in histories(),
        mut config in options(),
        with_good in any::<bool>(),
        jobs in 1usize..5,
        costs in prop::collection::vec(0.01f64..10.0, 0..12),
    ) {
        let graph = history.graph();
        let Some((bad, good)) = ends(&history, &graph, with_good) else { return Ok(()) };
        (config.bad, config.good) = (bad, good);
        if matches!(config.search, SearchKind::Auto | SearchKind::Weighted) {
            let ids = (0..graph.len() as Node).map(|node| graph.id(node).to_owned());
            config.costs = (!costs.is_empty()).then(|| ids.zip(costs).collect());
        }
        let mut search = RegressionSearch::new(Arc::clone(&graph), config.clone()).expect("valid ends");
        drive(&mut search, jobs, |id| history.outcome(id));
        check(&graph, &config, &search.report());

        // A fix is a regression with exchanged outcomes.
        let mut fix = config.clone();
        fix.find = Find::Fix;
        std::mem::swap(&mut fix.bad, &mut fix.good);
        let mut mirrored = RegressionSearch::new(Arc::clone(&graph), fix.clone()).expect("valid ends");
        drive(&mut mirrored, jobs, |id| history.outcome(id).swapped());
        check(&graph, &fix, &mirrored.report());
        prop_assert_eq!(search.runs(), mirrored.runs());
    }

    #[test]
    fn a_single_culprit_is_found(
        history in histories(),
        kind in prop::sample::select(KINDS.to_vec()),
        prefer in prop::sample::select(vec![Prefer::Fewest, Prefer::Latest]),
        culprit in any::<prop::sample::Index>(),
        jobs in 1usize..4,
    ) {
        let graph = history.graph();
        let suspects: Vec<Node> = (0..graph.len() as Node).filter(|&n| !graph.parents(n).is_empty()).collect();
        if suspects.is_empty() {
            return Ok(());
        }
        let culprit = suspects[culprit.index(suspects.len())];
        let broken = graph.descendants(&[culprit]);
        let bad: Vec<String> = graph.leaves().filter(|&n| broken.contains(n as usize)).map(|n| graph.id(n).to_owned()).collect();
        let config = RegressionConfig { prefer, ..RegressionConfig::new(bad) }.search(kind);
        let mut search = RegressionSearch::new(Arc::clone(&graph), config).expect("valid ends");
        let outcome = |id: &str| if broken.contains(graph.get(id).expect("an id") as usize) { Outcome::Fail } else { Outcome::Pass };
        drive(&mut search, jobs, outcome);
        let report = search.report();
        prop_assert_eq!(report.status, Status::Found);
        prop_assert!(report.points.iter().all(|point| point.bad == graph.id(culprit) && point.parents_pass), "{:?}", report);
    }

    #[test]
    fn the_culprit_is_a_suspect_until_it_is_found(history in histories(), kind in prop::sample::select(KINDS.to_vec()), culprit in any::<prop::sample::Index>()) {
        let graph = history.graph();
        let inner: Vec<Node> = (0..graph.len() as Node).filter(|&n| !graph.parents(n).is_empty()).collect();
        if inner.is_empty() {
            return Ok(());
        }
        let culprit = inner[culprit.index(inner.len())];
        let broken = graph.descendants(&[culprit]);
        let bad: Vec<String> = graph.leaves().filter(|&n| broken.contains(n as usize)).map(|n| graph.id(n).to_owned()).collect();
        let mut search = RegressionSearch::new(Arc::clone(&graph), RegressionConfig::new(bad).search(kind)).expect("valid ends");
        while let Some(probe) = search.ask(1).expect("k above 0").pop() {
            let suspects = search.inspect().suspects().expect("a regression search has suspects");
            prop_assert!(suspects.contains(culprit as usize), "{suspects:?} without {culprit}");
            for (id, outcome) in search.report().observations.iter().map(|seen| (seen.target.to_string(), seen.observation.outcome)) {
                let passes = outcome == Outcome::Pass;
                prop_assert!(!(passes && suspects.contains(graph.get(&id).expect("an id") as usize)), "{id} passes");
            }
            let fails = broken.contains(graph.get(probe.revision()).expect("an id") as usize);
            search.tell(probe.id, if fails { Outcome::Fail } else { Outcome::Pass }.into()).expect("a first answer");
        }
        prop_assert_eq!(search.inspect().suspects().expect("a regression search has suspects").count_ones(..), 0);
    }

    #[test]
    fn two_requests_for_two_equal_one_for_four(history in histories(), mut config in options(), told in 0usize..4) {
        let graph = history.graph();
        let Some((bad, good)) = ends(&history, &graph, true) else { return Ok(()) };
        (config.bad, config.good) = (bad, good);
        let mut searches = [0, 1].map(|_| RegressionSearch::new(Arc::clone(&graph), config.clone()).expect("valid ends"));
        for search in &mut searches {
            for _ in 0..told {
                for probe in search.ask(1).expect("k above 0") {
                    search.tell(probe.id, history.outcome(probe.revision()).into()).expect("a first answer");
                }
            }
        }
        let [mut once, mut twice] = searches;
        let four = once.ask(4).expect("k above 0");
        let mut two = twice.ask(2).expect("k above 0");
        two.extend(twice.ask(2).expect("k above 0"));
        // A free search depends on the number of parallel runs, because halves are not thirds.
        let chooses = matches!(config.search, SearchKind::Auto | SearchKind::Weighted);
        prop_assert!(chooses || two == four, "{two:?} {four:?}");
        let mut distinct: Vec<&str> = two.iter().map(Probe::revision).collect();
        distinct.sort_unstable();
        distinct.dedup();
        prop_assert_eq!(distinct.len(), two.len(), "{:?}", two);
        prop_assert!(four.iter().all(|probe| once.wanted(probe.id).expect("asked")), "what is asked is wanted");
    }

    #[test]
    fn no_worker_is_idle_while_a_suspect_is_untested(history in histories(), mut config in options(), jobs in 2usize..6) {
        let graph = history.graph();
        let Some((mut bad, good)) = ends(&history, &graph, true) else { return Ok(()) };
        bad.truncate(1);
        let is_testable = (0..graph.len() as Node).all(|node| history.outcome(graph.id(node)) != Outcome::Unresolved);
        if !is_testable || !matches!(config.search, SearchKind::Auto | SearchKind::Weighted) {
            return Ok(());
        }
        // A revision without a passing ancestor is tested only if it leads to a result.
        let above = graph.descendants(&good.iter().map(|id| graph.get(id).expect("a revision")).collect::<Vec<_>>());
        let end = bad[0].clone();
        (config.bad, config.good, config.test_endpoints) = (bad, good, false);
        let mut search = RegressionSearch::new(Arc::clone(&graph), config).expect("valid ends");
        let mut flying: Vec<Probe> = Vec::new();
        while !search.is_done() {
            let room = jobs - flying.len();
            let found = search.ask(room).expect("room for one");
            prop_assert!(found.len() <= room);
            let is_less = found.len() < room;
            flying.extend(found);
            if is_less {
                let suspects = search.inspect().suspects().expect("a regression search has suspects");
                let seen = search.report().observations;
                let is_left = |&node: &usize| {
                    let id = graph.id(node as Node);
                    let is_known = seen.iter().any(|seen| seen.revision() == id) || flying.iter().any(|probe| probe.revision() == id);
                    !is_known && id != end && above.contains(node)
                };
                prop_assert!(!suspects.ones().any(|node| is_left(&node)), "{suspects:?} {flying:?}");
            }
            let probe = flying.remove(0);
            search.tell(probe.id, history.outcome(probe.revision()).into()).expect("a first answer");
            let is_wanted = |probe: &Probe| search.wanted(probe.id).expect("a probe of this search");
            let (wanted, useless): (Vec<Probe>, Vec<Probe>) = flying.into_iter().partition(is_wanted);
            flying = wanted;
            useless.iter().for_each(|probe| search.abandon(probe.id).expect("in flight"));
        }
    }

    #[test]
    fn replay_undo_and_order_give_the_same_state(history in histories(), mut config in options(), steps in prop::collection::vec(0..6u8, 0..40)) {
        let graph = history.graph();
        let Some((bad, good)) = ends(&history, &graph, true) else { return Ok(()) };
        (config.bad, config.good) = (bad, good);
        let new = || RegressionSearch::new(Arc::clone(&graph), config.clone()).expect("valid ends");
        let mut search = new();
        for step in steps {
            match step {
                0 | 1 => { search.ask(usize::from(step) + 1).expect("k above 0"); }
                2 | 3 => if let Some(probe) = search.in_flight().pop() {
                    search.tell(probe.id, history.outcome(probe.revision()).into()).expect("a first answer");
                    search.tell(probe.id, history.outcome(probe.revision()).into()).expect("the same again");
                },
                4 => if let Some(probe) = search.in_flight().first() { search.abandon(probe.id).expect("in flight") },
                _ => { let _ = search.undo(1); }
            }
        }
        // The state must depend only on the remaining outcomes.
        let mut plain = new();
        for seen in &search.report().observations {
            plain.observe(&seen.target, seen.observation.clone()).expect("no contradiction");
        }
        prop_assert_eq!(search.status(), plain.status());
        prop_assert_eq!(search.report().points, plain.report().points);

        let snapshot = search.inspect().snapshot().expect("it has a JSON form");
        let mut again = RegressionSearch::restore(Arc::clone(&graph), &snapshot).expect("its own snapshot");
        prop_assert_eq!(again.inspect().snapshot().expect("it has a JSON form"), snapshot);
        prop_assert_eq!(again.report(), search.report());
        prop_assert_eq!(again.in_flight(), search.in_flight());
        prop_assert_eq!(again.ask(3).expect("k above 0"), search.ask(3).expect("k above 0"));
    }
}

#[test]
fn long_unresolved_stretches_take_few_runs() {
    const COUNT: usize = 1010;
    let graph = Arc::new(CommitGraph::linear((0..=COUNT).map(|i| format!("r{i}"))).expect("distinct ids"));
    let mut random = Random(41);
    // Length and number of unresolved stretches, and the maximum mean number of runs of a hundred searches. Ten runs are enough
    // if all revisions are resolved.
    for (length, stretches, most) in [(67, 6, 12.5), (200, 2, 12.0), (400, 1, 12.5)] {
        let (mut runs, mut named) = (0, 0);
        for _ in 0..100 {
            let mut is_testable = vec![true; COUNT + 1];
            for _ in 0..stretches {
                let start = 1 + random.below(COUNT - length);
                is_testable[start..start + length].fill(false);
            }
            let is_told = |&culprit: &usize| is_testable[culprit] && is_testable[culprit - 1];
            let culprits: Vec<usize> = (1..=COUNT).filter(is_told).collect();
            let culprit = culprits[random.below(culprits.len())];
            let mut config = RegressionConfig::new([format!("r{COUNT}")]).good(["r0"]).unconfirmed();
            config.test_endpoints = false;
            let mut search = RegressionSearch::new(Arc::clone(&graph), config).expect("valid ends");
            while let Some(probe) = search.ask(1).expect("room for one").pop() {
                let place: usize = probe.revision()[1..].parse().expect("an id");
                let outcome = match is_testable[place] {
                    false => Outcome::Unresolved,
                    true if place < culprit => Outcome::Pass,
                    true => Outcome::Fail,
                };
                search.tell(probe.id, outcome.into()).expect("a first answer");
                runs += 1;
            }
            named += u32::from(search.report().points[0].bad == format!("r{culprit}"));
        }
        // Revisions between several unresolved stretches are not always tested.
        let mean = f64::from(runs) / 100.0;
        assert!(mean <= most && named >= 99, "stretches of {length}: {mean}, {named}");
    }
}
