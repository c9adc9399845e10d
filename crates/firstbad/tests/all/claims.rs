//! A report only claims observed outcomes, at any time of a search.

use std::collections::BTreeMap;
use std::sync::Arc;

use firstbad::culprit::Rate;
use firstbad::graph::Node;
use firstbad::regression::SearchKind;
use firstbad::{
    CommitGraph, Find, Outcome, RegressionConfig, RegressionPoint, RegressionReport, RegressionSearch, Search,
};
use proptest::prelude::*;

use crate::any_order::world::World;
use crate::random::{Random, seeded};

/// The number of passes and failures of each revision.
type Seen = BTreeMap<String, (usize, usize)>;

fn seen(report: &RegressionReport) -> Seen {
    let mut seen = Seen::new();
    for one in &report.observations {
        let (passes, fails) = seen.entry(one.revision().to_owned()).or_default();
        match one.observation.outcome {
            Outcome::Pass => *passes += 1,
            Outcome::Fail => *fails += 1,
            Outcome::Unresolved => {}
        }
    }
    seen
}

/// The claims of a point that were not observed.
fn unseen(graph: &CommitGraph, seen: &Seen, point: &RegressionPoint) -> Option<String> {
    let of = |id: &str| seen.get(id).copied().unwrap_or_default();
    let is_fix = point.find == Find::Fix;
    let changed = |id: &str| if is_fix { of(id).0 } else { of(id).1 };
    let unchanged = |id: &str| if is_fix { of(id).1 } else { of(id).0 };
    let newer = graph.get(point.newer()).expect("a revision");
    let parents = graph.parents(newer).iter().map(|&parent| graph.id(parent));
    if point.parents_pass && changed(point.newer()) == 0 {
        return Some(format!("{} is clean and was never seen to be changed", point.newer()));
    }
    if let Some(parent) = parents.filter(|_| point.parents_pass).find(|parent| unchanged(parent) == 0) {
        return Some(format!("{} is clean and its parent {parent} was never seen to be unchanged", point.newer()));
    }
    if !is_fix && point.good.as_ref() == Some(&point.bad) {
        return Some(format!("{} is good and bad", point.bad));
    }
    let older =
        point.older().filter(|older| unchanged(older) == 0 && !point.untested_endpoints.iter().any(|end| end == older));
    older.map(|older| format!("{older} was never seen to be unchanged, and is not named as untested"))
}

fn search_of(world: &World, random: &mut Random) -> Option<RegressionConfig> {
    let name = |node: &Node| world.graph.id(*node).to_owned();
    let leaves: Vec<Node> = world.graph.leaves().collect();
    let newer = vec![name(&random.one_of(&leaves))];
    let nodes: Vec<Node> = (0..world.graph.len() as Node).collect();
    let older = if random.once_in(3) { vec![] } else { vec![name(&random.one_of(&nodes))] };
    let find = random.one_of(&[Find::Regression, Find::Regression, Find::Fix]);
    let (bad, good) = if find == Find::Fix { (older, newer) } else { (newer, older) };
    let is_flaky = !random.once_in(3);
    let mut config =
        RegressionConfig { find, test_endpoints: !random.once_in(4), ..RegressionConfig::new(bad).good(good) };
    if is_flaky {
        config.search = SearchKind::Bayes;
        config.flake_rate = random.one_of(&[None, Some(0.0), Some(0.05), Some(0.3)]).map(Rate::Known);
        config.false_pass_rate = random.one_of(&[None, None, Some(0.1)]).map(Rate::Known);
        config.verify = random.one_of(&[None, Some(false)]);
        config.confidence = random.one_of(&[None, Some(0.9)]);
        if random.once_in(3) {
            let weight = |node: &Node| (name(node), 0.1 + random.below(50) as f64);
            config.prior = Some(firstbad::culprit::Prior::Weights(nodes.iter().map(weight).collect()));
        }
    }
    RegressionSearch::new(Arc::clone(&world.graph), config.clone()).is_ok().then_some(config)
}

proptest! {
    #![proptest_config(seeded(1500, 3))]

    #[test]
    fn a_report_claims_only_observed_outcomes(seed in any::<u64>()) {
        let mut random = Random(seed);
        let world = World::new(&mut random);
        let Some(config) = search_of(&world, &mut random) else { return Ok(()) };
        let mut search = RegressionSearch::new(Arc::clone(&world.graph), config.clone()).expect("valid ends");
        let flake = random.one_of(&[0.0, 0.05, 0.3]) * f64::from(u8::from(config.search == SearchKind::Bayes));
        // Limit the steps, because checking each step of a long search is slow.
        for _ in 0..60 {
            let probes = search.ask(random.one_of(&[1, 1, 3])).expect("room for one");
            for probe in &probes {
                let outcome = world.outcome(world.graph.get(probe.revision()).expect("a revision"));
                let outcome = if random.chance(flake) { outcome.swapped() } else { outcome };
                search.tell(probe.id, outcome.into()).expect("an answer");
                let report = search.report();
                let seen = seen(&report);
                let wrong = report.points.iter().find_map(|point| unseen(&world.graph, &seen, point));
                prop_assert_eq!(wrong, None, "{}: {}", report.status.as_str(), report.message);
            }
            if probes.is_empty() {
                break;
            }
        }
    }
}
