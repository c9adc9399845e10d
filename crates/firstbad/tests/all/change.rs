//! The promises of searches for a change in numbers.

use std::collections::BTreeMap;
use std::sync::Arc;

use firstbad::metric::{AtLeast, Exact, MetricOptions, Worse};
use firstbad::{
    ChangeConclusion, ChangeConfig, ChangeReport, ChangeSearch, CommitGraph, Error, Inspect as _, Observation, Outcome,
    Search as _, Status,
};
use firstbad_testkit::simulated::Random;
use proptest::prelude::*;

/// Noise between -1 and 1, with a mean of 0.
struct Noise(Random);

impl Noise {
    fn draw(&mut self) -> f64 {
        (0..4).map(|_| self.0.fraction()).sum::<f64>() / 2.0 - 1.0
    }
}

fn list(count: usize) -> Arc<CommitGraph> {
    Arc::new(CommitGraph::linear((0..=count).map(|place| format!("r{place}"))).unwrap())
}

fn place(revision: &str) -> usize {
    revision[1..].parse().unwrap()
}

fn measured(number: f64) -> Observation {
    Observation { metric: Some(number), ..Outcome::Pass.into() }
}

/// Runs a search, and returns the report and the revisions in the order of their measurements.
fn run(
    graph: &Arc<CommitGraph>,
    config: ChangeConfig,
    mut measure: impl FnMut(&str) -> Observation,
) -> (ChangeReport, Vec<String>) {
    let mut search = ChangeSearch::new(Arc::clone(graph), config).unwrap();
    let mut asked = Vec::new();
    while let Some(probe) = search.ask(1).unwrap().pop() {
        search.tell(probe.id, measure(probe.revision())).unwrap();
        asked.push(probe.revision().to_owned());
    }
    assert!(search.is_done());
    (search.report(), asked)
}

/// Searches a list of 64 suspects with noise of about 1%.
fn noisy(config: ChangeConfig, mut number: impl FnMut(usize) -> f64) -> ChangeReport {
    let mut noise = Noise(Random::new(7));
    run(&list(64), config, |revision| measured(number(place(revision)) * (0.01 * noise.draw()).exp())).0
}

fn config() -> ChangeConfig {
    ChangeConfig::new("r64").good(["r0"])
}

fn commits(report: &ChangeReport) -> Vec<&str> {
    report.main.steps.iter().map(|step| step.commit.as_str()).collect()
}

#[test]
fn a_step_is_found_with_its_size() {
    let report = noisy(config(), |place| if place < 40 { 0.05 } else { 0.06 });
    assert_eq!((report.status, report.main.conclusion), (Status::Found, ChangeConclusion::Step));
    assert_eq!(commits(&report), ["r40"]);
    let step = &report.main.steps[0];
    assert_eq!(step.parents, ["r39"]);
    assert!(step.interval.0 < 0.01 && 0.01 < step.interval.1, "{step:?}");
    assert!(step.interval.1 - step.interval.0 < 0.003, "{step:?}");
    assert!(step.measurements >= 6 && step.probability >= 0.99, "{step:?}");
    assert!(report.measurements <= 29, "{}", report.measurements);
    assert!((report.main.noise.unwrap().percent.unwrap() - 0.6).abs() < 0.4, "{:?}", report.main.noise);
    assert_eq!(report.main.series.first().map(|point| point.position), Some(0));
    assert!(report.main.series.iter().all(|point| point.fitted.unwrap() > 0.04));
}

#[test]
fn no_commit_is_named_if_the_endpoints_are_alike() {
    for change in [1.0, 1.005, 0.9] {
        let report = noisy(config(), |place| if place < 40 { 0.05 } else { 0.05 * change });
        assert_eq!((report.status, report.main.conclusion), (Status::NoChange, ChangeConclusion::None), "{change}");
        assert!(report.main.steps.is_empty() && report.main.candidates.is_empty());
        assert!(report.measurements <= 25, "{change}: {}", report.measurements);
    }
}

#[test]
fn the_direction_of_a_regression_matters() {
    let throughput = |place: usize| if place < 9 { 500.0 } else { 400.0 };
    let with = |worse, find| ChangeConfig { worse, find, ..config() };
    let found = |config| noisy(config, throughput).main.conclusion;
    assert_eq!(found(with(Worse::Down, firstbad::Find::Regression)), ChangeConclusion::Step);
    assert_eq!(found(with(Worse::Either, firstbad::Find::Regression)), ChangeConclusion::Step);
    assert_eq!(found(with(Worse::Up, firstbad::Find::Regression)), ChangeConclusion::None);
    assert_eq!(found(with(Worse::Up, firstbad::Find::Fix)), ChangeConclusion::Step);
    let report = noisy(with(Worse::Down, firstbad::Find::Regression), throughput);
    assert_eq!((commits(&report), report.main.steps[0].change < -90.0), (vec!["r9"], true));
}

#[test]
fn an_amount_is_compared_in_its_unit() {
    let least = |text: &str| serde_json::from_value::<AtLeast>(text.into()).unwrap();
    let sized = |at_least| noisy(ChangeConfig { at_least, ..config() }, |place| if place < 30 { 1.0 } else { 1.2 });
    let report = sized(least("100ms"));
    assert_eq!(
        (commits(&report), report.main.unit.as_deref(), &report.main.at_least[..]),
        (vec!["r30"], Some("s"), "100ms")
    );
    assert_eq!(sized(least("0.3")).main.conclusion, ChangeConclusion::None);
    // A number around 0 has no logarithm.
    let report =
        noisy(ChangeConfig { at_least: least("0.5"), ..config() }, |place| if place < 30 { -1.0 } else { 1.0 });
    assert_eq!((commits(&report), report.main.steps[0].percent), (vec!["r30"], None));
}

#[test]
fn exact_numbers_need_no_repetition() {
    let sizes = |place: usize| if place < 37 { 1000.0 } else { 1100.0 };
    let exact = ChangeConfig { exact: Exact::Given(true), ..config() };
    let (report, asked) = run(&list(64), exact, |revision| measured(sizes(place(revision))));
    assert_eq!((commits(&report), report.main.exact, report.main.probability), (vec!["r37"], true, Some(1.0)));
    assert_eq!(report.main.steps[0].interval, (100.0, 100.0));
    assert!(asked.len() <= 6 + 3, "{asked:?}");
    // The endpoints tell that numbers are exact, and the step is measured twice.
    let (report, asked) = run(&list(64), config(), |revision| measured(sizes(place(revision))));
    assert_eq!((commits(&report), report.main.exact), (vec!["r37"], true));
    assert!(asked.len() <= 6 + 3 + 4, "{asked:?}");
}

#[test]
fn a_second_number_at_the_step_ends_the_exact_search() {
    let mut calls = 0;
    let (report, _) = run(&list(64), config(), |revision| {
        calls += 1;
        let rounded = if calls > 4 { f64::from(calls % 3) } else { 0.0 };
        measured(rounded + if place(revision) < 37 { 1000.0 } else { 1100.0 })
    });
    assert_eq!((commits(&report), report.main.exact), (vec!["r37"], false));
    assert!(report.main.noise.is_some());
}

#[test]
fn a_creeping_size_is_spread() {
    let creep = |place: usize| 100.0 + place as f64;
    let (report, asked) = run(&list(64), config(), |revision| measured(creep(place(revision))));
    assert_eq!((report.status, report.main.conclusion), (Status::Spread, ChangeConclusion::Spread));
    assert!(asked.len() < 64, "{}", asked.len());
    // One larger step among small ones is named.
    let step = |place: usize| creep(place) + if place < 20 { 0.0 } else { 8.0 };
    let (report, _) = run(&list(64), config(), |revision| measured(step(place(revision))));
    assert_eq!((commits(&report), report.main.steps[0].change), (vec!["r20"], 9.0));
}

#[test]
fn a_ramp_is_spread() {
    let ramp = |place: usize| 1.0 + 0.01 * place.clamp(10, 40) as f64;
    let report = noisy(ChangeConfig { at_least: AtLeast::Share(0.02), ..config() }, ramp);
    assert_eq!((report.main.conclusion, commits(&report).len()), (ChangeConclusion::Spread, 0), "{}", report.message);
}

#[test]
fn all_steps_explain_the_whole_change() {
    let steps = |place: usize| 1.0 + f64::from(u8::from(place >= 12)) * 0.1 + f64::from(u8::from(place >= 50)) * 0.2;
    let report = noisy(ChangeConfig { all_steps: true, ..config() }, steps);
    assert_eq!((report.main.conclusion, commits(&report)), (ChangeConclusion::Several, vec!["r50", "r12"]));
    let rest = report.main.unexplained.unwrap();
    assert!(rest.interval.0 < 0.0 && 0.0 < rest.interval.1, "{rest:?}");
    let report = noisy(config(), steps);
    assert_eq!(report.main.steps.len(), 1);
    assert!(report.main.unexplained.unwrap().interval.0 > 0.0, "{:?}", report.main.unexplained);
    // Exact numbers behave alike, also across merges.
    let (report, _) =
        run(&list(64), ChangeConfig { all_steps: true, ..config() }, |revision| measured(steps(place(revision))));
    assert_eq!(commits(&report), ["r50", "r12"]);
}

#[test]
fn steps_on_two_branches_are_told_apart_from_their_merge() {
    let chain = |name: &str, first: &str| {
        let id = |place: usize| if place == 0 { first.to_owned() } else { format!("{name}{place}") };
        (1..=8).map(|place| (id(place), vec![id(place - 1)])).collect::<Vec<_>>()
    };
    let mut parents = vec![("r0".to_owned(), Vec::new())];
    parents.extend(chain("a", "r0"));
    parents.extend(chain("b", "r0"));
    parents.push(("m".to_owned(), vec!["a8".to_owned(), "b8".to_owned()]));
    parents.extend(chain("c", "m"));
    let graph = Arc::new(CommitGraph::new(parents).unwrap());
    let number = |revision: &str| {
        let has = |step: &str| graph.is_ancestor(graph.get(step).unwrap(), graph.get(revision).unwrap());
        100.0 * if has("a3") { 1.2 } else { 1.0 } * if has("b6") { 1.3 } else { 1.0 }
    };
    let config = ChangeConfig { all_steps: true, ..ChangeConfig::new("c8").good(["r0"]) };
    let (report, _) = run(&graph, config.clone(), |revision| measured(number(revision)));
    assert_eq!(commits(&report), ["b6", "a3"], "exact");
    let mut noise = Noise(Random::new(3));
    let (report, _) = run(&graph, config, |revision| measured(number(revision) * (0.01 * noise.draw()).exp()));
    assert_eq!(commits(&report), ["b6", "a3"], "noisy");
}

#[test]
fn revisions_without_a_number_leave_a_set() {
    let mut noise = Noise(Random::new(5));
    let (report, _) = run(&list(64), config(), |revision| match place(revision) {
        30..=33 => Outcome::Unresolved.into(),
        place => measured((if place < 32 { 1.0 } else { 1.3 }) * (0.01 * noise.draw()).exp()),
    });
    assert_eq!((report.status, report.main.conclusion), (Status::Ambiguous, ChangeConclusion::Set));
    let mut candidates: Vec<&str> = report.main.candidates.iter().filter_map(|one| one.revision.as_deref()).collect();
    candidates.sort_unstable();
    assert_eq!(candidates, ["r30", "r31", "r32", "r33", "r34"]);
    assert!(report.unresolved.iter().all(|id| (30..=33).contains(&place(id))) && !report.unresolved.is_empty());
}

#[test]
fn endpoints_without_a_number_end_the_search() {
    for end in ["r0", "r64"] {
        let (report, asked) = run(&list(64), config(), |revision| {
            if revision == end { Outcome::Fail.into() } else { measured(1.0 + 0.001 * place(revision) as f64) }
        });
        assert_eq!((report.status, report.main.steps.len()), (Status::Untestable, 0), "{end}");
        assert!(report.message.contains(end) && asked.len() <= 4, "{}: {asked:?}", report.message);
    }
}

#[test]
fn timeouts_are_limits() {
    let mut noise = Noise(Random::new(9));
    let (report, _) = run(&list(64), config(), |revision| {
        let number = (if place(revision) < 41 { 2.0 } else { 500.0 }) * (0.01 * noise.draw()).exp();
        Observation { censored: number > 60.0, ..measured(number.min(60.0)) }
    });
    assert_eq!(
        (commits(&report), report.main.steps[0].censored, report.main.steps[0].after),
        (vec!["r41"], true, 60.0)
    );
    assert!(report.message.contains("at least"), "{}", report.message);
}

#[test]
fn paired_measurements_survive_a_machine_that_changes() {
    let mut noise = Noise(Random::new(13));
    let (report, _) = run(&list(64), ChangeConfig { paired: true, ..config() }, |revision| {
        // Each run is on a machine of another speed.
        let speed = noise.draw().exp();
        let mut seen = |place: usize| (if place < 23 { 1.0 } else { 1.2 }) * speed * (0.01 * noise.draw()).exp();
        let (number, control) = (seen(place(revision)), seen(0));
        Observation { control: Some(control), ..measured(number) }
    });
    assert_eq!(commits(&report), ["r23"]);
    assert!((report.main.steps[0].percent.unwrap() - 20.0).abs() < 2.0, "{:?}", report.main.steps[0]);
}

#[test]
fn two_metrics_share_their_builds() {
    let config = ChangeConfig {
        metrics: BTreeMap::from([
            ("memory".to_owned(), MetricOptions { at_least: Some(AtLeast::Share(0.1)), ..MetricOptions::default() }),
            ("seconds".to_owned(), MetricOptions { unit: Some("s".to_owned()), ..MetricOptions::default() }),
        ]),
        ..config()
    };
    let mut noise = Noise(Random::new(17));
    let (report, asked) = run(&list(64), config, |revision| {
        let at = place(revision);
        let memory = 1e6 * if at < 50 { 1.0 } else { 1.5 };
        let seconds = (if at < 11 { 1.0 } else { 1.1 }) * (0.01 * noise.draw()).exp();
        let metrics = BTreeMap::from([("memory".to_owned(), memory), ("seconds".to_owned(), seconds)]);
        Observation { metrics, ..Outcome::Pass.into() }
    });
    assert_eq!((report.main.metric.as_deref(), commits(&report)), (Some("memory"), vec!["r50"]));
    let seconds = &report.other_metrics[0];
    assert_eq!((seconds.metric.as_deref(), seconds.unit.as_deref()), (Some("seconds"), Some("s")));
    assert_eq!(seconds.steps.iter().map(|step| &step.commit[..]).collect::<Vec<_>>(), ["r11"]);
    assert!(asked.len() < 45, "{}", asked.len());
}

#[test]
fn the_limit_of_measurements_ends_without_a_commit() {
    let mut noise = Noise(Random::new(19));
    let config = ChangeConfig { max_measurements: 20, ..config() };
    let (report, asked) = run(&list(64), config, |revision| {
        measured((if place(revision) < 9 { 1.0 } else { 1.1 }) * (0.1 * noise.draw()).exp())
    });
    assert_eq!((report.main.conclusion, report.main.steps.len(), asked.len()), (ChangeConclusion::Undecided, 0, 20));
    assert!(!report.main.candidates.is_empty() && report.main.probability > Some(0.0), "the report has the best guess");
}

#[test]
fn a_large_question_starts_with_the_endpoints() {
    let mut search = ChangeSearch::new(list(64), config()).unwrap();
    let asked = |search: &mut ChangeSearch| search.ask(50).unwrap();
    let probes = asked(&mut search);
    let revisions: Vec<&str> = probes.iter().map(firstbad::Probe::revision).collect();
    assert_eq!(revisions, ["r0", "r64", "r64", "r0", "r0", "r64"]);
    assert!(asked(&mut search).is_empty(), "nothing else is useful now");
    for (place, probe) in probes.iter().enumerate() {
        let number = if probe.revision() == "r0" { 1.0 } else { 2.0 };
        search.tell(probe.id, measured(number + 0.01 * place as f64)).unwrap();
    }
    assert_eq!(asked(&mut search).len(), 12);
}

#[test]
fn wrong_options_are_refused() {
    let open = |config| ChangeSearch::new(list(4), config).err().map(|error| error.to_string()).unwrap_or_default();
    let graph_end = || ChangeConfig::new("r4");
    assert!(open(graph_end().good(["r4"])).starts_with("good: "));
    assert!(open(ChangeConfig { confidence: 0.5, ..graph_end() }).starts_with("confidence: "));
    assert!(open(ChangeConfig { unit: Some("x".repeat(21)), ..graph_end() }).starts_with("unit: "));
    for text in ["", "%", "-3%", "0", "3 parsecs", "1e400", "2000%", "NaN"] {
        assert!(serde_json::from_value::<AtLeast>(text.into()).is_err(), "{text:?}");
    }
    let mut search = ChangeSearch::new(list(4), graph_end()).unwrap();
    let probe = search.ask(1).unwrap().remove(0);
    assert!(matches!(search.tell(probe.id, measured(f64::NAN)), Err(Error::InvalidArgument { .. })));
    let refused = |config, observation| {
        let mut search = ChangeSearch::new(list(4), config).unwrap();
        let probe = search.ask(1).unwrap().remove(0);
        search.tell(probe.id, observation).unwrap_err().to_string()
    };
    let named = || Observation { metrics: BTreeMap::from([("a".to_owned(), 1.0)]), ..Outcome::Pass.into() };
    assert!(refused(ChangeConfig { paired: true, ..graph_end() }, measured(1.0)).starts_with("control: "));
    assert!(refused(graph_end(), named()).starts_with("metrics: "));
    let metrics = BTreeMap::from([("a".to_owned(), MetricOptions::default())]);
    assert!(refused(ChangeConfig { metrics, ..graph_end() }, measured(1.0)).starts_with("metric: "));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]

    /// Whatever the numbers are, the search ends, and what it names was measured.
    #[test]
    fn every_search_ends_with_measured_commits(
        seed in any::<u64>(), kind in 0..6u8, jobs in 1..4usize, all_steps: bool, exact: bool,
    ) {
        let mut random = Random::new(seed);
        let graph = firstbad_testkit::simulated::history(
            &firstbad_testkit::simulated::Shape::branchy(40), random.draw()).unwrap();
        let graph = Arc::new(graph);
        let newest = (0..graph.len() as u32).rev().find(|&node| !graph.parents(node).is_empty()).unwrap();
        let bad = graph.id(newest).to_owned();
        let exact = if exact { Exact::Given(true) } else { Exact::Auto };
        let config = ChangeConfig { all_steps, exact, max_measurements: 60, ..ChangeConfig::new(bad) };
        let mut search = ChangeSearch::new(Arc::clone(&graph), config).unwrap();
        let (mut flying, mut told) = (Vec::new(), Vec::new());
        loop {
            flying.extend(search.ask(jobs).unwrap());
            if flying.is_empty() {
                break;
            }
            let probe = flying.swap_remove(random.below(flying.len() as u64) as usize);
            let number = match kind {
                0 => random.fraction(),
                1 => 1.0,
                2 => f64::from(u8::from(random.chance(500))),
                3 => random.fraction() - 0.5,
                4 => 1e100 * (random.fraction() - 0.5),
                _ => 1e-300 * random.fraction(),
            };
            let seen = if random.chance(100) { Outcome::Unresolved.into() } else { measured(number) };
            search.tell(probe.id, seen).unwrap();
            told.push(probe.revision().to_owned());
        }
        prop_assert!(search.is_done());
        prop_assert!(told.len() <= 60 + jobs);
        let report = search.report();
        for step in &report.main.steps {
            prop_assert!(told.contains(&step.commit));
            prop_assert!(step.parents.iter().all(|parent| told.contains(parent)), "{step:?}");
            prop_assert!(step.interval.0 <= step.interval.1);
        }
        // The same configuration and events lead to the same state.
        let snapshot = search.snapshot().unwrap();
        let again = firstbad::restore("change", Arc::clone(&graph), &snapshot).unwrap();
        prop_assert_eq!(again.inspect().report_json().unwrap(), search.report_json().unwrap());
        let json: serde_json::Value = serde_json::from_str(&search.report_json().unwrap()).unwrap();
        prop_assert!(json["noise"].is_null() || json["noise"]["drift"].is_number(), "{}", json["noise"]);
        prop_assert!(json["interval"].is_null() || json["interval"][1].is_number(), "{}", json["interval"]);
    }
}
