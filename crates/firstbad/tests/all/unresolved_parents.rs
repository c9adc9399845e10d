//! A merge with an unresolved parent is not reported as the culprit until that parent is ruled out.

use firstbad::regression::SearchKind;
use firstbad::{CommitGraph, Outcome, RegressionConfig, RegressionReport, RegressionSearch, Search, Status};

use crate::promises::KINDS;

/// Searches of every kind. Unlisted revisions pass.
fn reports(
    edges: &[(&str, &[&str])],
    bad: &str,
    good: &str,
    fails: &[&str],
    unresolved: &[&str],
) -> Vec<(SearchKind, RegressionReport)> {
    let report = |kind: SearchKind| {
        let graph = CommitGraph::new(edges.iter().map(|(id, parents)| (*id, parents.iter().copied()))).unwrap();
        let mut config = RegressionConfig::new([bad]).good([good]).search(kind);
        if kind == SearchKind::Bayes {
            config.flake_rate = Some(firstbad::culprit::Rate::Known(0.0));
        }
        let mut search = RegressionSearch::new(graph, config).unwrap();
        while let Some(probe) = search.ask(1).unwrap().pop() {
            let outcome = match probe.revision() {
                id if fails.contains(&id) => Outcome::Fail,
                id if unresolved.contains(&id) => Outcome::Unresolved,
                _ => Outcome::Pass,
            };
            search.tell(probe.id, outcome.into()).unwrap();
        }
        (kind, search.report())
    };
    KINDS.into_iter().chain([SearchKind::Bayes]).map(report).collect()
}

#[test]
fn a_merge_with_an_unresolved_parent_is_one_of_two_candidates() {
    let edges: &[(&str, &[&str])] = &[("g", &[]), ("u", &["g"]), ("m", &["g", "u"]), ("t", &["m"])];
    for (kind, report) in reports(edges, "t", "g", &["m", "t"], &["u"]) {
        assert_eq!(report.status, Status::Ambiguous, "{kind:?}: {}", report.message);
        assert_eq!(report.points[0].candidates, ["u", "m"], "{kind:?}");
    }
}

#[test]
fn the_parents_of_an_unresolved_parent_are_tested() {
    // The culprit, c, is behind u.
    let edges: &[(&str, &[&str])] =
        &[("g", &[]), ("a", &["g"]), ("c", &["a"]), ("u", &["c"]), ("b", &["g"]), ("m", &["b", "u"]), ("t", &["m"])];
    for (kind, report) in reports(edges, "t", "g", &["c", "m", "t"], &["u"]) {
        assert_eq!(
            (report.status, report.points[0].bad.as_str()),
            (Status::Found, "c"),
            "{kind:?}: {}",
            report.message
        );
    }
    // If the revisions behind u pass, only u and m are left.
    for (kind, report) in reports(edges, "t", "g", &["m", "t"], &["u"]) {
        assert_eq!(report.status, Status::Ambiguous, "{kind:?}: {}", report.message);
        assert_eq!(report.points[0].candidates, ["u", "m"], "{kind:?}");
    }
}

#[test]
fn an_unresolved_parent_with_a_history_that_never_passed_is_followed_to_its_root() {
    let edges: &[(&str, &[&str])] = &[("g", &[]), ("w", &[]), ("u", &["w"]), ("m", &["g", "u"]), ("t", &["m"])];
    for (kind, report) in reports(edges, "t", "g", &["w", "m", "t"], &["u"]).into_iter().take(7) {
        assert_eq!(report.status, Status::Ambiguous, "{kind:?}: {}", report.message);
        let named: Vec<&str> = report.points.iter().flat_map(|point| point.suspects()).map(String::as_str).collect();
        assert_eq!(named, ["u", "m", "w"], "{kind:?}: {}", report.message);
    }
}

#[test]
fn a_pass_that_comes_after_an_unresolved_parent_rules_it_out() {
    let edges: &[(&str, &[&str])] =
        &[("g", &[]), ("u", &["g"]), ("p", &["u"]), ("n", &["p"]), ("m", &["n", "u"]), ("t", &["m"])];
    for (kind, report) in reports(edges, "t", "g", &["m", "t"], &["u"]).into_iter().take(7) {
        assert_eq!(
            (report.status, report.points[0].bad.as_str()),
            (Status::Found, "m"),
            "{kind:?}: {}",
            report.message
        );
    }
}
