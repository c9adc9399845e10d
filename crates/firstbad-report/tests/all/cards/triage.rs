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

/// The failures and passes in each cell of the row of a test.
fn cells(html: &str, test: &str) -> Vec<(u64, u64)> {
    let name = format!("{test}</code>");
    let starts = html.match_indices(&name).map(|(at, found)| &html[at + found.len()..]);
    let mut rows = starts.filter_map(|rest| rest.split("</tr>").next()).filter(|row| row.contains("<td>"));
    let row = rows.next().unwrap_or_else(|| panic!("no row of {test} in {html}"));
    let runs = |cell: &str, sign: &str| match cell.split(&format!(">{sign}</i>")).nth(1) {
        None => 0,
        Some(rest) => {
            rest.split('<').next().filter(|digits| !digits.is_empty()).map_or(1, |digits| digits.parse().unwrap())
        }
    };
    row.split("<td").skip(1).map(|cell| (runs(cell, "■"), runs(cell, "●"))).collect()
}

#[test]
fn cells_have_the_runs_of_their_revisions() {
    let (search, report) = night("", usize::MAX);
    let html = html(&search, &report);
    for (name, id) in [
        ("test_prices.py::test_total[1]", "shop/test_prices.py::test_total[1]"),
        ("test_retry", "shop/test_net.py::test_retry"),
    ] {
        let test = report.tests.iter().find(|test| test.id == id).unwrap();
        let at = |revision: &String| {
            let seen = test.observations.iter().find(|seen| seen.revision == *revision);
            seen.map_or((0, 0), |seen| (u64::from(seen.fails), u64::from(seen.passes)))
        };
        let expected: Vec<(u64, u64)> = report.revisions.iter().map(at).collect();
        assert_eq!(cells(&html, name), expected, "{name}");
    }
    let (search, report) = large(500, 200, 3);
    let html = self::html(&search, &report);
    let sum = |pairs: &[(u64, u64)]| pairs.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let seen = report.tests[0].observations.iter().map(|seen| (u64::from(seen.fails), u64::from(seen.passes)));
    assert_eq!(
        sum(&cells(&html, "tests/test_0.py::test")),
        sum(&seen.collect::<Vec<_>>()),
        "a fold has all of its runs"
    );
}

#[test]
fn a_lane_has_the_outcomes_of_the_tests_of_its_culprit() {
    let (search, report) = night("", usize::MAX);
    let html = html(&search, &report);
    let lanes: Vec<&str> =
        html.split("<svg class=\"fb-g\"").skip(1).map(|lane| lane.split("</svg>").next().unwrap()).collect();
    // The export broke after the prices.
    let prices = &report.culprits[0].commit[..8];
    assert!(lanes[0].contains(&format!("<title>{prices} fails: Round prices to ten cents")), "{}", lanes[0]);
    let parent = &report.culprits[0].parents[0][..8];
    assert!(lanes[0].contains(&format!("<title>{parent} passes: ")), "{}", lanes[0]);
    assert!(lanes[1].contains(">B<") && !lanes[1].contains(">A<"), "{}", lanes[1]);
}
