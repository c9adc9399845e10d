//! The cards of triages.

use firstbad::suite::{RevisionRuns, TestVerdict};
use firstbad::{CommitGraph, Report, TriageConfig, TriageReport, TriageSearch, Verdict};
use firstbad_report::card;
use firstbad_testkit::red_suite::{RedSuite, Texts};

use super::shown;

fn night(text: &str, most: usize) -> (TriageSearch, TriageReport) {
    RedSuite::new(&Texts::all(text)).unwrap().search(most).unwrap()
}

fn html(search: &TriageSearch, report: &TriageReport) -> String {
    card::report(&Report::Triage(Box::new(report.clone())), Some(search))
}

#[test]
fn a_triage_has_lanes_and_a_matrix() {
    let (search, report) = night("", usize::MAX);
    let html = html(&search, &report);
    shown("12-triage", &html);
    let at = |words: &str| html.find(words).unwrap_or_else(|| panic!("no {words:?} in {html}"));
    assert!(at("30 tests of <code>main</code> fail since") < at(">Culprits<") && at(">Culprits<") < at(">History<"));
    assert!(at(">History<") < at(" tests at "), "{html}");
    assert_eq!(html.matches("<svg class=\"fb-g\"").count(), report.culprits.len(), "a lane for each culprit");
    assert_eq!(html.matches("here it broke").count(), report.culprits.len());
    // The 16 tests that waited for the first one have equal results, and share a row.
    assert!(html.contains("test_total[2]</code> <b>+15</b>"), "{html}");
    assert!(card::page(&html).contains("<details open>") && !html.contains("<details open>"));
    // Without its search there is no history, and the matrix stays.
    let alone = card::report(&Report::Triage(Box::new(report)), None);
    super::check(&alone);
    assert!(!alone.contains("<svg class=\"fb-g\"") && alone.contains("class=\"fb-mx\""), "{alone}");
}

#[test]
fn a_triage_that_runs_has_its_progress() {
    for most in [0, 1, 12] {
        let (search, report) = night("", most);
        let html = html(&search, &report);
        shown(&format!("12-triage-{most}"), &html);
        assert!(html.contains("○ Not finished after"), "{html}");
    }
}

#[test]
fn cards_of_triages_hold_whatever_names_hold() {
    let nasty = "<script>alert(\"x\")</script>&'`\u{1b}[31m\u{202e}</details><details class=\"fb-op\">\n";
    let (search, report) = night(nasty, usize::MAX);
    let html = html(&search, &report);
    shown("12-triage-nasty", &html);
    let (search, report) = night("", usize::MAX);
    assert_eq!(
        html.matches("class=\"fb-op\"").count(),
        self::html(&search, &report).matches("class=\"fb-op\"").count()
    );
}

/// A report with so many tests at so many revisions.
fn large(tests: usize, revisions: usize, culprits: usize) -> (TriageSearch, TriageReport) {
    let (_, mut report) = night("", usize::MAX);
    let id = |place: usize| format!("{:08x}{place:032x}", (place as u32 + 1).wrapping_mul(0x9e37_79b1));
    let graph = CommitGraph::linear((0..revisions).map(id)).unwrap();
    let search = TriageSearch::new(graph, TriageConfig::new(id(revisions - 1), ["test"]).good([id(0)])).unwrap();
    report.revisions = (0..revisions).map(id).collect();
    (report.good, report.bad) = (vec![id(0)], id(revisions - 1));
    report.names = [(id(0), vec!["v1.4".to_owned()]), (id(revisions - 1), vec!["main".to_owned()])].into();
    let model = report.culprits[0].clone();
    let place = |culprit: usize| (culprit + 1) * revisions / (culprits + 1);
    report.culprits = (0..culprits)
        .map(|culprit| {
            let mut one = model.clone();
            (one.commit, one.parents) = (id(place(culprit)), vec![id(place(culprit) - 1)]);
            one.tests = (0..tests)
                .filter(|test| test % culprits == culprit)
                .map(|test| format!("tests/test_{test}.py::test"))
                .collect();
            one
        })
        .collect();
    let verdict = report.tests.iter().find(|test| test.verdict == Verdict::Broken).unwrap().clone();
    report.tests = (0..tests)
        .map(|test| {
            let broken = place(test % culprits);
            let seen = |at: usize| RevisionRuns {
                revision: id(at),
                passes: u32::from(at < broken) * (1 + (at * test % 3) as u32),
                fails: u32::from(at >= broken) + u32::from(at * 7 % 13 == test % 13),
                unresolved: 0,
            };
            let observations = (0..revisions).filter(|at| (at * 31 + test) % 4 > 0).map(seen).collect();
            let culprit = Some(id(broken));
            TestVerdict { id: format!("tests/test_{test}.py::test"), culprit, observations, ..verdict.clone() }
        })
        .collect();
    (search, report)
}

#[test]
fn many_tests_at_many_revisions_are_folded() {
    for (tests, revisions, culprits) in [(500, 200, 12), (500, 200, 3), (500, 500, 250), (3, 2, 1)] {
        let (search, report) = large(tests, revisions, culprits);
        let html = html(&search, &report);
        shown(&format!("12-triage-{tests}-{revisions}-{culprits}"), &html);
        let columns = html.split("--n:").nth(1).unwrap().split(';').next().unwrap().parse::<usize>().unwrap();
        assert!(columns <= 34 && columns <= revisions, "{columns}");
        assert!(html.matches("<tr").count() < 450, "{}", html.matches("<tr").count());
        // Nothing that was run is left out of a sum.
        if culprits < 100 {
            let summed: u64 = html.matches(" other tests, summed").count() as u64;
            assert_eq!(summed > 0, tests > 100, "{html}");
        }
    }
}
