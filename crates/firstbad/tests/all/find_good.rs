//! Regression searches that look for an older endpoint, because none is given or because the given one is unresolved.

use std::sync::Arc;

use firstbad::regression::{LookBack, RegressionConfig, RegressionSearch, SearchKind};
use firstbad::{CommitGraph, Error, Find, Outcome, Search as _, Status};

fn list(count: usize) -> Arc<CommitGraph> {
    Arc::new(CommitGraph::linear((0..count).map(|number| format!("r{number}"))).expect("a list"))
}

fn looking(bad: &str, find_good: LookBack) -> RegressionConfig {
    RegressionConfig { find_good: Some(find_good), ..RegressionConfig::new([bad]) }
}

/// The requested revisions in order, and the finished search.
fn driven(
    graph: &Arc<CommitGraph>,
    config: RegressionConfig,
    outcome: impl Fn(usize) -> Outcome,
) -> (Vec<usize>, RegressionSearch) {
    let mut search = RegressionSearch::new(Arc::clone(graph), config).expect("valid ends");
    let mut asked = Vec::new();
    while !search.is_done() {
        let probe = search.ask(1).expect("a job").remove(0);
        let place: usize = probe.revision()[1..].parse().expect("a number");
        asked.push(place);
        search.tell(probe.id, outcome(place).into()).expect("a first answer");
    }
    (asked, search)
}

fn broken_by(culprit: usize) -> impl Fn(usize) -> Outcome {
    move |place| if place < culprit { Outcome::Pass } else { Outcome::Fail }
}

#[test]
fn steps_double_until_a_revision_passes() {
    let graph = list(1000);
    let (asked, search) = driven(&graph, looking("r999", LookBack::Named(true)), broken_by(900));
    assert_eq!(asked[..5], [999, 983, 967, 935, 871]);
    assert!(asked[5..].iter().all(|place| (872..935).contains(place)), "{asked:?}");
    let point = &search.report().points[0];
    assert_eq!((point.good.as_deref(), point.bad.as_str(), search.status()), (Some("r899"), "r900", Status::Found));
}

#[test]
fn given_revisions_come_first_and_steps_start_behind_them() {
    let graph = list(1000);
    let tags = || LookBack::First(vec!["r990".to_owned()]);
    let (asked, _) = driven(&graph, looking("r999", tags()), broken_by(995));
    assert_eq!(asked[..2], [999, 990]);
    assert!(asked[2..].iter().all(|place| (991..999).contains(place)), "{asked:?}");
    let (asked, _) = driven(&graph, looking("r999", tags()), broken_by(970));
    assert_eq!(asked[..4], [999, 990, 981, 963]);
}

#[test]
fn an_unresolved_step_reverses_the_search() {
    let graph = list(1000);
    let broken = |place: usize| match place {
        ..950 => Outcome::Unresolved,
        950..960 => Outcome::Pass,
        _ => Outcome::Fail,
    };
    let (asked, search) = driven(&graph, looking("r999", LookBack::First(vec!["r900".to_owned()])), broken);
    // 900 and 950 come from halving the range between the failing and the unresolved revision.
    assert_eq!(asked[..3], [999, 900, 950]);
    assert_eq!((search.report().points[0].bad.as_str(), search.status()), ("r960", Status::Found));
    assert!(asked.len() < 10, "{asked:?}");
}

#[test]
fn an_unresolved_revision_on_a_side_branch_reverses_the_search() {
    // r100 branches off at r10 and is merged by r20.
    let parents = |place: usize| match place {
        0 => Vec::new(),
        20 => vec!["r19".to_owned(), "r100".to_owned()],
        100 => vec!["r10".to_owned()],
        _ => vec![format!("r{}", place - 1)],
    };
    let revisions = (0..=10).chain([100]).chain(11..=30).map(|place| (format!("r{place}"), parents(place)));
    let graph = Arc::new(CommitGraph::new(revisions).expect("a graph"));
    let outcome = |place: usize| if place == 100 { Outcome::Unresolved } else { broken_by(25)(place) };
    let (asked, _) = driven(&graph, looking("r30", LookBack::First(vec!["r100".to_owned()])), outcome);
    assert_eq!(asked[..3], [30, 100, 20]);
}

#[test]
fn no_culprit_after_few_runs_if_nothing_passes() {
    let graph = list(100_000);
    for (outcome, most) in [(Outcome::Fail, 16), (Outcome::Unresolved, 64)] {
        let of = |place: usize| if place == 99_999 { Outcome::Fail } else { outcome };
        let (asked, search) = driven(&graph, looking("r99999", LookBack::Named(true)), of);
        assert_eq!(search.status(), Status::NoPassingRevision);
        assert!(asked.len() < most, "{outcome:?}: {asked:?}");
        assert!(search.report().points.iter().all(|point| point.good.is_none()));
        let mut once = asked.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), asked.len());
    }
}

#[test]
fn the_search_ends_if_the_bad_revision_passes() {
    let (asked, search) = driven(&list(1000), looking("r999", LookBack::Named(true)), |_| Outcome::Pass);
    assert_eq!((asked, search.status()), (vec![999], Status::NotReproduced));
}

#[test]
fn a_fix_is_searched_in_the_same_way() {
    let config = RegressionConfig {
        good: vec!["r999".to_owned()],
        bad: Vec::new(),
        find: Find::Fix,
        ..looking("r999", LookBack::Named(true))
    };
    let swapped = |place: usize| broken_by(900)(place).swapped();
    let (asked, search) = driven(&list(1000), config, swapped);
    assert_eq!(asked[..5], [999, 983, 967, 935, 871]);
    let point = &search.report().points[0];
    assert_eq!((point.good.as_deref(), point.bad.as_str()), (Some("r900"), "r899"));
}

/// Searches between r100 and r999, with an unresolved older endpoint.
fn between(untestable: std::ops::Range<usize>, culprit: usize) -> (Vec<usize>, RegressionSearch) {
    let outcome = |place: usize| match untestable.contains(&place) {
        true => Outcome::Unresolved,
        false => broken_by(culprit)(place),
    };
    driven(&list(1000), RegressionConfig::new(["r999"]).good(["r100"]), outcome)
}

#[test]
fn no_run_before_an_unresolved_good_revision_if_a_later_one_passes() {
    let stretches = [0..101, 0..600, 100..101, 50..300];
    for (untestable, culprit) in
        stretches.iter().flat_map(|stretch| (601..1000).step_by(7).map(move |at| (stretch, at)))
    {
        let (asked, search) = between(untestable.clone(), culprit);
        assert_eq!(asked[..2], [999, 100], "{untestable:?}, {culprit}");
        assert!(asked.iter().all(|&place| place >= 100), "{untestable:?}, {culprit}: {asked:?}");
        // Ten runs for 899 suspects, and some for unresolved revisions.
        assert!(asked.len() <= 15, "{untestable:?}, {culprit}: {asked:?}");
        let (report, status) = (search.report(), search.status());
        let (point, before) = (&report.points[0], format!("r{}", culprit - 1));
        assert_eq!(
            (status, point.good.as_deref(), &point.bad),
            (Status::Found, Some(&*before), &format!("r{culprit}"))
        );
    }
}

#[test]
fn revisions_before_an_unresolved_good_revision_are_tested_if_all_later_ones_fail() {
    // The endpoint is as given, or it is the culprit.
    for culprit in [101, 100] {
        let (asked, search) = between(100..101, culprit);
        let first_before = asked.iter().position(|&place| place < 100).expect("one before the end");
        assert!(asked.contains(&101) && asked[first_before] == 99, "{asked:?}");
        let report = search.report();
        let (point, status) = (&report.points[0], search.status());
        assert_eq!((status, point.good.as_deref(), point.bad.as_str()), (Status::Ambiguous, Some("r99"), "r101"));
        assert_eq!(point.candidates, ["r100", "r101"]);
        assert!(asked.len() <= 14, "{asked:?}");
    }
    // The endpoint fails, and passing revisions are further back.
    let (asked, search) = between(100..101, 40);
    assert_eq!(search.report().points[0].bad, "r40");
    assert!(asked.len() <= 26, "{asked:?}");
    // No revision passes.
    let (asked, search) = between(0..101, 101);
    assert_eq!(search.status(), Status::NoPassingRevision);
    assert!(asked.len() <= 32, "{asked:?}");
}

#[test]
fn parallel_jobs_test_several_steps() {
    let mut search = RegressionSearch::new(list(1000), looking("r999", LookBack::Named(true))).expect("valid ends");
    let asked: Vec<String> =
        search.ask(3).expect("three jobs").iter().map(|probe| probe.revision().to_owned()).collect();
    assert_eq!(asked, ["r999", "r983", "r967"]);
    search.tell(1, Outcome::Pass.into()).expect("a first answer");
    // Revisions further back give no more information.
    assert!(!search.wanted(2).expect("it was asked"));
}

#[test]
fn contradictory_options_are_rejected() {
    let beside = looking("r9", LookBack::Named(true)).good(["r1"]);
    let flaky = looking("r9", LookBack::Named(true)).search(SearchKind::Bayes);
    let unknown = looking("r9", LookBack::First(vec!["v1".to_owned()]));
    let said = |config| RegressionSearch::new(list(10), config).err().expect("it is refused").to_string();
    for words in [said(beside), said(flaky), said(unknown)] {
        assert!(words.contains("find_good"), "{words}");
    }
    assert!(matches!(
        RegressionSearch::new(list(10), looking("r9", LookBack::First(vec!["r0".to_owned(), "zzz".to_owned()]))),
        Err(Error::UnknownRevision { .. })
    ));
}

#[test]
fn parallel_jobs_look_for_a_replacement_of_an_unresolved_bad_revision() {
    let config = RegressionConfig::new(["r999"]).good(["r100"]);
    let mut search = RegressionSearch::new(list(1000), config).expect("valid ends");
    for probe in search.ask(2).expect("two jobs") {
        let outcome = if probe.revision() == "r999" { Outcome::Unresolved } else { Outcome::Pass };
        search.tell(probe.id, outcome.into()).expect("a first answer");
    }
    let asked = search.ask(4).expect("four jobs");
    assert_eq!(asked.iter().map(|probe| probe.revision()).collect::<Vec<_>>(), ["r998", "r997", "r995", "r991"]);
    // The search starts at the newest failing revision, so that the next older step is useless.
    search.tell(asked[1].id, Outcome::Fail.into()).expect("a first answer");
    search.tell(asked[0].id, Outcome::Unresolved.into()).expect("a first answer");
    let leaf = &search.report().leaves[0];
    assert_eq!((leaf.leaf.as_str(), leaf.replaced_by.as_deref()), ("r999", Some("r997")));
}
