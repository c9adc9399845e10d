//! Tests of cards, created from searches as in a notebook. `WRITE_CARDS=folder` writes the cards to files.

pub(crate) mod markup;
mod properties;
mod scenes;
mod triage;
mod vectors;

use crate::porting::situations;
use firstbad::{CommitGraph, Observation, Outcome, RegressionConfig, RegressionSearch, Report, Search as _};
use firstbad_report::card;
use markup::check;

/// Checks the properties of all cards, and writes the card on request.
pub(crate) fn shown(name: &str, html: &str) {
    check(html);
    assert!(!html.contains("&amp;amp;") && !html.contains("&amp;lt;"), "escaped twice");
    if let Some(folder) = std::env::var_os("WRITE_CARDS") {
        let path = std::path::Path::new(&folder).join(format!("{name}.html"));
        std::fs::write(path, card::page(html)).unwrap();
    }
}

#[test]
fn a_regression_card_starts_with_the_result() {
    let (search, report) = scenes::regression();
    let html = card::report(&report, Some(&search));
    shown("1-regression", &html);
    let at = |words: &str| html.find(words).unwrap_or_else(|| panic!("no {words:?}"));
    assert!(at("Broken by") < at("Round receipt totals") && at("Round receipt totals") < at("How certain"));
    assert!(at("Certain: it fails, and its only parent") < at(">Runs<") && at(">Runs<") < at("<title>Commit graph"));
    assert!(html.contains("here it broke") && html.contains("commits not run"));
    assert!(html.contains("Ines &lt;b&gt;Okafor") && html.contains("14 Nov 2025, 16:02 UTC"));
    // Without its search, a card has the result but no history.
    let alone = card::report(&report, None);
    check(&alone);
    assert!(alone.contains("Round receipt totals") && !alone.contains("<title>Commit graph"));
}

#[test]
fn several_causes_are_a_table() {
    let (search, report) = scenes::several();
    let html = card::report(&report, Some(&search));
    shown("9-several", &html);
    assert!(html.contains("2 causes on 3 red branches") && html.contains("All certain"), "{html}");
}

#[test]
fn causes_have_the_same_letter_in_the_table_and_in_the_history() {
    let parents = [("r", vec![]), ("x1", vec!["r"]), ("x2", vec!["x1"]), ("y", vec!["r"]), ("z", vec!["r"])];
    let graph = CommitGraph::new(parents).unwrap();
    let mut search = RegressionSearch::new(graph, RegressionConfig::new(["x2", "y", "z"]).good(["r"])).unwrap();
    while !search.is_done() {
        for probe in search.ask(1).unwrap() {
            let seen = match probe.revision() {
                "r" => Outcome::Pass,
                "x1" => Outcome::Unresolved,
                _ => Outcome::Fail,
            };
            search.tell(probe.id, seen.into()).unwrap();
        }
    }
    let mut report = search.report();
    // The open point is first.
    report.points.sort_by_key(|point| point.candidates.is_empty());
    let points: Vec<&str> = report.points.iter().map(|point| point.bad.as_str()).collect();
    assert_eq!(points[0], "x2", "{points:?}");
    let html = card::report(&Report::Regression(report.clone()), Some(&search));
    // An open point has no edge in the history, so it has no letter.
    for (place, bad) in points.into_iter().enumerate() {
        let letter = format!(">{}<", char::from(b'A' + place as u8));
        assert_eq!(html.matches(&letter).count(), if bad == "x2" { 1 } else { 2 }, "{bad} {letter} {html}");
    }
    assert!(html.contains("or another one"), "{html}");
    assert!(html.contains("Broken in ") && !html.contains("commits</p><p"), "{html}");
}

#[test]
fn failures_of_another_signature_have_a_mark_of_their_own_and_long_lists_of_suspects_fold() {
    let ids: Vec<String> = (0..30).map(|number| number.to_string()).collect();
    let config =
        RegressionConfig { signature: Some("wrong total".to_owned()), ..RegressionConfig::new(["29"]).good(["0"]) };
    let mut search = RegressionSearch::new(CommitGraph::linear(&ids).unwrap(), config).unwrap();
    while let Some(probe) = search.ask(1).unwrap().pop() {
        let number: usize = probe.revision().parse().unwrap();
        let signature = if number < 22 { "ImportError" } else { "wrong total" };
        let outcome = if number < 8 { Outcome::Pass } else { Outcome::Fail };
        let signature = (number >= 8).then(|| signature.to_owned());
        search.tell(probe.id, Observation { signature, ..outcome.into() }).unwrap();
    }
    let report = Report::Regression(search.report());
    let html = card::report(&report, Some(&search));
    shown("1-another-failure", &html);
    let others = html.matches("fails in another way").count();
    assert!(html.contains("<title>8 fails in another way"), "{html}");
    assert!(html.contains("▣</i> fails in another way</span>"), "the legend says it: {html}");
    assert!(html.contains("▣</i> fails in another way</td>"), "the table says it: {html}");
    assert!(html.contains("<title>22 fails, run"), "{html}");
    assert!(html.contains("<details><summary>All 15 suspects, newest first"), "{html}");
    // Without its search, the report has the candidates.
    let alone = card::report(&report, None);
    assert!(alone.matches("fails in another way").count() > 1 && others > 3, "{alone}");
}

#[test]
fn a_running_search_shows_the_remaining_suspects() {
    let (search, report) = scenes::running();
    let html = card::report(&report, Some(&search));
    shown("7-running", &html);
    assert!(html.contains("Searching") && html.contains("Running now") && html.contains("cleared"), "{html}");
    assert!(!html.contains("Certain"));
}

#[test]
fn candidates_and_trusted_ends_are_never_certain() {
    let (search, report) = scenes::ambiguous();
    let html = card::report(&report, Some(&search));
    shown("1-ambiguous", &html);
    assert!(html.contains("Open: one of three commits") && !html.contains("Certain:"), "{html}");
    let (search, report) = scenes::trusted();
    let html = card::report(&report, Some(&search));
    shown("1-trusted", &html);
    assert!(html.contains("Open: only if ") && !html.contains("Certain:"), "{html}");
    let (search, report) = scenes::not_reproduced();
    let html = card::report(&report, Some(&search));
    shown("1-nobody", &html);
    assert!(html.contains("The failure was not reproduced") && !html.contains("Broken by"), "{html}");
    for (outcome, words) in [(Outcome::Fail, "The fix was not reproduced"), (Outcome::Pass, "A bad revision passes")] {
        let (search, report) = scenes::no_fix(outcome);
        let html = card::report(&report, Some(&search));
        shown("1-no-fix", &html);
        assert!(html.contains(words), "{html}");
    }
    let (search, report) = scenes::fixed();
    let html = card::report(&report, Some(&search));
    shown("1-fix", &html);
    assert!(html.contains("Fixed by") && html.contains("first good") && html.contains("Certain: it passes"), "{html}");
}

#[test]
fn a_culprit_has_bars_and_the_way_of_the_belief() {
    let (search, report) = scenes::culprit();
    let html = card::report(&report, Some(search.as_ref()));
    shown("2-culprit", &html);
    let belief = search.inspect().posterior().unwrap();
    let belief = card::posterior(&belief.credible_set(1.0, 10), belief.len(), belief.no_culprit());
    shown("2-posterior", &belief);
    assert!(belief.contains("48 suspects") && belief.contains("others"), "{belief}");
    assert!(html.contains("Most likely culprit") && html.contains("Almost certain: "), "{html}");
    assert!(html.contains("Probability by run") && html.contains("◌ flake"));
}

#[test]
fn a_verification_is_a_table_of_checks() {
    let (search, report) = scenes::verification();
    let html = card::report(&report, Some(search.as_ref()));
    shown("3-verification", &html);
    assert!(html.contains("Verified") && html.contains("as expected"), "{html}");
}

#[test]
fn reductions_show_the_remaining_items() {
    let (report, patch) = scenes::patch();
    let html = card::reduction(&report, card::Items::Patch(&patch));
    shown("4-patch", &html);
    assert!(html.contains("▸ +") && html.contains("not matter") && html.contains("<pre"), "{html}");
    let Report::Minimize(of) = &report else { panic!("{report:?}") };
    let part = patch.subset(&of.kept).unwrap();
    let html = card::reduction(&report, card::Items::Cause { commit: "1.7", all: patch.len(), part: &part });
    shown("4-cause", &html);
    let size = format!("{} of {} changes", of.kept.len(), patch.len());
    assert!(
        html.contains("Part of 1.7 that keeps the failure") && html.contains(&size) && html.contains("▸ +"),
        "{html}"
    );
    let (report, lines) = scenes::text();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let html = card::reduction(&report, card::Items::Lines(&lines));
    shown("5-text", &html);
    assert!(html.contains("3 of 60 lines") && html.contains("removed"), "{html}");
    shown("5-numbers", &card::reduction(&report, card::Items::Numbered(None)));
    shown("5-items", &card::reduction(&report, card::Items::Shown { all: 60, left: &["'<a>'", "b", "c"] }));
    shown("4-diff", &card::patch_card(&patch));
}

#[test]
fn iterative_delta_debugging_shows_the_version_the_cause_and_the_way() {
    for situation in situations::all() {
        let mut report = situation.world.play(situation.config(firstbad::porting::Walk::Gallop));
        report.commits = scenes::commits(report.steps.iter().map(|step| step.revision.as_str()), "");
        let html = card::report(&Report::Port(Box::new(report.clone())), None);
        shown(&format!("11-port-{}", situation.name.replace([' ', ','], "-")), &html);
        let at = |words: &str| html.find(words).unwrap_or_else(|| panic!("{}: no {words:?} in {html}", situation.name));
        let Some(good) = &report.good else {
            assert!(html.contains("No result") && !html.contains("Certain"), "{}: {html}", situation.name);
            continue;
        };
        assert!(at("First bad commit") < at("Passes at") && at("Passes at") < at(&format!("<code>{good}</code>")));
        assert!(at("Evidence") < at("The smallest change found that makes the passing version fail"));
        assert!(html.contains(situation.cause) && html.contains(situation.carried));
        let is_doubtful = html.contains("may be the culprit");
        assert_eq!(is_doubtful, !report.between.is_empty(), "{}", situation.name);
    }
}

#[test]
fn a_slice_shows_needed_changes_with_evidence() {
    let (report, running) = scenes::slice();
    let html = card::report(&report, None);
    shown("12-slice", &html);
    assert!(html.contains("Smallest slice of the history") && html.contains("▸ 2 of 12 changes"), "{html}");
    assert!(
        html.contains("Without it the test fails (run 8)") && html.contains("<title>From 12 changes to 2 in "),
        "{html}"
    );
    assert!(html.contains("Certain: each change is needed") && html.contains("src/&lt;b&gt;.py"), "{html}");
    let html = card::report(&running, None);
    shown("12-slice-running", &html);
    assert!(html.contains("Searching") && !html.contains("Certain") && !html.contains("▸"), "{html}");
}

#[test]
fn rankings_say_why() {
    let html = card::ranking(&scenes::ranking());
    shown("6-ranking", &html);
    assert!(html.contains("2 of 4 changes touch files that <code>//shop:test</code> depends on"), "{html}");
}

#[test]
fn a_graph_of_any_size_has_a_picture() {
    let (search, report) = scenes::regression();
    let graph = scenes::graph_of(&search);
    shown("8-graph-seen", &card::graph(&graph, Some(&report)));
    shown("8-graph", &card::graph(&graph, None));
    for (name, graph) in scenes::graphs() {
        let html = card::graph(&graph, None);
        shown(&format!("8-{name}"), &html);
        let marks = html.matches("<title>").count();
        assert!(marks <= 202, "{name}: {marks}");
        check(&card::graph_svg(&graph, None));
    }
}

#[test]
fn things_have_facts() {
    shown("10-store", &card::store(1204, "make <test>", "", "/tmp/<x>"));
    shown("10-journal", &card::journal("run.jsonl", "3f", 1));
}
