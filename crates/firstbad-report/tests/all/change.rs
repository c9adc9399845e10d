//! Changes in numbers in every format, with names of commits, metrics, and units that nobody should trust.

mod made;

use std::path::Path;
use std::sync::Arc;

use crate::golden;
use firstbad::metric::{ChangeConclusion, ChangeReport};
use firstbad::{CommitGraph, Observation, Outcome, Report, Status};
use firstbad_report::{Form, Left, Summary, card, change_svg, text_plot};
use firstbad_testkit::markdown::outside_code;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::cards::markup::check;
use crate::triage::hostile;
use made::{flat, id, measured, noise, set, several, spread, step, undecided, with_step};

/// A text with a meaning in every format.
const NASTY: &str =
    "`it` | <img src=x> </details> --> [a](javascript:b) @all #1 ::error::\u{1b}[2J\u{202e} ##[x] %0A*x* ```\n";

fn summary(report: ChangeReport) -> Summary {
    golden::summary(Report::Change(Box::new(report)))
}

fn written(report: ChangeReport, form: Form) -> String {
    summary(report).in_form(form).unwrap()
}

fn html(report: ChangeReport) -> String {
    card::report(&Report::Change(Box::new(report)), None)
}

fn is_as_in(file: &str, text: &str) {
    golden::is_as_in(&format!("change/{file}"), text);
}

/// A report that a search can return, for each conclusion.
fn all(text: &str) -> Vec<(&'static str, ChangeReport)> {
    let mut timeout = step(text);
    timeout.main.steps[0].censored = true;
    timeout.main.series.iter_mut().filter(|point| point.position >= 41).for_each(|point| point.censored = 1);
    // The last measurement of the bad revision.
    timeout.observations[22].observation.censored = true;
    let mut running = undecided(text);
    running.status = Status::Running;
    let mut other_way = flat(-0.18, text);
    other_way.warnings = vec![format!("The machine was busy{text}")];
    let mut untestable = measured(59, &[0, 0], |_, _| 1.0, text);
    (untestable.status, untestable.unresolved) = (Status::Untestable, vec![id(59)]);
    let mut metrics = step(text);
    let other = several(text);
    metrics.main.metric = Some(format!("seconds{text}"));
    metrics.other_metrics = [flat(0.0, text), other].map(|one| metric(&one, &format!("memory{text}"))).into();
    vec![
        ("step", step(text)),
        ("timeout", timeout),
        ("several", several(text)),
        ("spread", spread(text)),
        ("none", flat(0.0, text)),
        ("other-way", other_way),
        ("set", set(text)),
        ("undecided", undecided(text)),
        ("running", running),
        ("untestable", untestable),
        ("metrics", metrics),
        ("empty", measured(59, &[], |_, _| 1.0, text)),
        ("one", measured(0, &[0], |_, _| 0.0, text)),
    ]
}

/// Returns a report as the result of one of several metrics.
fn metric(report: &ChangeReport, name: &str) -> firstbad::metric::MetricChange {
    firstbad::metric::MetricChange { metric: Some(name.to_owned()), ..report.main.clone() }
}

#[test]
fn text_has_a_headline_for_each_conclusion() {
    for (name, report) in all("") {
        is_as_in(&format!("{name}.txt"), &written(report, Form::Text));
    }
}

#[test]
fn a_plot_fits_into_a_terminal() {
    for (name, report) in all(NASTY).into_iter().chain(all("")) {
        let plot = text_plot(&report);
        assert!(plot.lines().all(|line| line.chars().count() <= 80) && plot.lines().count() <= 16, "{name}:\n{plot}");
        assert_eq!(plot.is_empty(), report.main.series.len() < 2, "{name}:\n{plot}");
        assert!(!plot.contains(['\u{1b}', '\u{202e}']), "{name}:\n{plot}");
    }
    let plot = text_plot(&step(""));
    let step = plot.lines().find(|line| line.contains('▲')).unwrap();
    assert!(step.contains(&id(41)[..12]), "{plot}");
    let column = step.chars().position(|sign| sign == '▲').unwrap();
    let dots = |column: usize| plot.lines().filter(|line| line.chars().nth(column) == Some('●')).count();
    assert_eq!(dots(column), 1, "a median above the mark: {plot}");
}

#[test]
fn text_stays_text() {
    for ((name, nasty), (_, plain)) in all(NASTY).into_iter().zip(all("")) {
        let (nasty, plain) = (written(nasty, Form::Text), written(plain, Form::Text));
        assert!(!nasty.contains(['\u{1b}', '\u{202e}']) && !nasty.contains("##["), "{name}: {nasty}");
        assert!(nasty.lines().all(|line| !line.trim_start().starts_with("::")), "{name}: {nasty}");
        assert_eq!(nasty.lines().count(), plain.lines().count(), "{name}: no name starts a line: {nasty}");
    }
}

#[test]
fn a_result_is_only_what_was_observed() {
    let text = written(undecided(""), Form::Text);
    assert!(text.starts_with("Undecided after 24 measurements: ") && !text.contains("git show"), "{text}");
    let mut timeout = step("");
    (timeout.main.steps[0].censored, timeout.main.steps[0].parents) = (true, vec![id(40), id(50)]);
    let text = written(timeout, Form::Text);
    assert!(
        text.contains("36.7 ms to at least 127 ms (") && text.contains(&format!("{} (not measured)", &id(50)[..12])),
        "{text}"
    );
    // What is left is another step only if noise cannot explain it.
    let mut left = step("");
    let unexplained = left.main.unexplained.as_mut().unwrap();
    (unexplained.change, unexplained.percent) = (0.01, Some(27.0));
    unexplained.interval = (-0.001, 0.021);
    let advice = "search with --all-steps";
    let text = written(left.clone(), Form::Text);
    assert!(text.contains("+10 ms (+27%), which noise can explain") && !text.contains(advice), "{text}");
    left.main.unexplained.as_mut().unwrap().interval = (0.009, 0.011);
    let text = written(left, Form::Text);
    assert!(text.contains("so another commit also changed it") && text.contains(advice), "{text}");
}

#[test]
fn a_small_change_of_a_large_number_is_visible() {
    let number: made::Number = |position, _| if position < 3 { 2_104_000.0 } else { 2_104_180.0 };
    let mut report = with_step(measured(5, &[0, 5, 0, 5, 3, 2], number, ""), 3);
    (report.main.exact, report.main.unit, report.main.noise) = (true, Some("B".to_owned()), None);
    let text = written(report.clone(), Form::Text);
    assert!(text.contains(": 2.10 MB to 2.10 MB (+180 B, +0.00856%)\n"), "{text}");
    assert!(text.contains("noise        none: repeated measurements are equal"), "{text}");
    assert!(text_plot(&report).contains("+100 B"), "{}", text_plot(&report));
}

#[test]
fn a_stopped_search_names_its_limit_and_resumes_a_run() {
    let mut report = step("");
    report.status = Status::Budget;
    let mut summary = summary(report);
    summary.left = Some(Left { limit: Some("--max-runs".to_owned()), worst: Some(20), ..Left::default() });
    let text = summary.in_form(Form::Text).unwrap();
    assert!(text.starts_with("Stopped after 24 measurements (--max-runs): 36.8 ms at v1.0, "), "{text}");
    assert!(text.contains("firstbad run --resume --max-runs 44"), "{text}");
    assert_eq!(summary.exit_code, 14);
}

#[test]
fn json_has_the_report_and_the_exit_code() {
    for (name, report) in all(NASTY) {
        let text = written(report.clone(), Form::Json);
        let json: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&json["schema"], &json["algorithm"]), (&1.into(), &"change".into()));
        let read: Value = serde_json::from_str(&firstbad_report::read("change", &text).unwrap()).unwrap();
        assert!(read == serde_json::to_value(report).unwrap(), "{name}: {read}");
    }
    let code = |report| summary(report).exit_code;
    assert_eq!([step(""), flat(0.0, ""), spread(""), set(""), undecided("")].map(code), [0, 11, 13, 10, 13]);
}

#[test]
fn markdown_has_the_fingerprint_of_each_commit() {
    is_as_in("step.md", &written(step(""), Form::Markdown));
    let report = several("");
    let markdown = written(report.clone(), Form::Markdown);
    is_as_in("several.md", &markdown);
    for step in &report.main.steps {
        assert!(markdown.contains(&format!("<!-- firstbad:fingerprint={} -->", step.fingerprint)), "{markdown}");
    }
}

/// Returns the Markdown of a report without its plot and code spans.
fn outside(report: ChangeReport) -> String {
    let markdown = written(report, Form::Markdown);
    // The plot is in a fence that no name closes.
    let fence = markdown.lines().find(|line| line.starts_with("```")).map(|line| line.trim_end_matches("text"));
    let Some(fence) = fence else { return outside_code(&markdown).unwrap() };
    let (before, rest) = markdown.split_once(&format!("{fence}text\n")).unwrap();
    let (_, after) = rest.split_once(&format!("\n{fence}\n")).unwrap();
    outside_code(&format!("{before}{after}")).unwrap()
}

#[test]
fn markdown_holds_whatever_names_hold() {
    for ((name, mut nasty), (_, plain)) in all(NASTY).into_iter().zip(all("")) {
        nasty.main.unit = Some("<b>|`*".to_owned());
        let (outside, plain) = (outside(nasty.clone()), outside(plain));
        for evil in ["<img", "<b>", "](javascript", "@", "#1 ", "*x*", "::", "##["] {
            assert!(!outside.contains(evil), "{name}: {evil:?} in {outside}");
        }
        for tag in ["<details>", "</details>", "-->"] {
            assert_eq!(outside.matches(tag).count(), plain.matches(tag).count(), "{name}: {outside}");
        }
        let markdown = written(nasty, Form::Markdown);
        for row in markdown.lines().filter(|line| line.starts_with('|')) {
            assert_eq!(row.replace("\\|", "").matches('|').count(), 5, "{row}");
        }
    }
    // The fingerprint of a report that was read can be any text.
    let mut report = step("");
    report.main.steps[0].fingerprint = "--> <b>".to_owned();
    assert!(!written(report, Form::Markdown).contains("<b>"));
}

#[test]
fn annotations_are_about_commits() {
    let text = written(step(""), Form::Github);
    let start = format!(
        "::error title={} Change 41 changed the number%3A 36.7 ms to 127 ms (+246%25%2C 95%25 interval ",
        &id(41)[..12]
    );
    assert!(text.starts_with(&start) && text.lines().count() == 1, "{text}");
    assert_eq!(written(several(""), Form::Github).lines().count(), 3);
    assert!(
        written(flat(0.0, ""), Form::Github)
            .starts_with("::notice title=No change of at least 3%25%3A 36.7 ms at v1.0")
    );
    for (name, report) in all(NASTY) {
        let text = written(report, Form::Github);
        let is_command = |line: &str| ["::error", "::warning", "::notice"].iter().any(|level| line.starts_with(level));
        assert!(text.lines().all(is_command) && !text.contains(['\u{1b}', '\u{202e}']), "{name}: {text}");
    }
}

#[test]
fn code_quality_has_stable_fingerprints() {
    let entries = |report| -> Value { serde_json::from_str(&written(report, Form::Gitlab)).unwrap() };
    let all = entries(several(""));
    assert_eq!(all.as_array().unwrap().len(), 3);
    assert_eq!(all[0]["severity"], "critical");
    let mut again = several("");
    again.main.steps[0].after += 1.0;
    assert_eq!(entries(again)[0]["fingerprint"], all[0]["fingerprint"]);
    assert_eq!(entries(set(""))[0]["severity"], "major");
}

#[test]
fn rows_have_the_numbers() {
    let mut report = step("");
    (report.observations[1].observation.control, report.observations[1].observation.censored) = (Some(0.5), true);
    let rows: Value = serde_json::from_str(&written(report.clone(), Form::Rows)).unwrap();
    assert_eq!(rows.as_array().unwrap().len(), 24);
    assert_eq!((&rows[1]["control"], &rows[1]["censored"]), (&0.5.into(), &true.into()));
    assert_eq!((&rows[0]["control"], &rows[0]["censored"]), (&Value::Null, &false.into()));
    assert_eq!(rows[3]["metric"], report.observations[3].observation.metric.unwrap());
}

#[test]
fn a_card_has_the_commit_and_the_numbers_along_the_history() {
    for (name, report) in all("").into_iter().chain(all(NASTY).into_iter().map(|(_, report)| ("nasty", report))) {
        let (measured, page) = (!report.main.series.is_empty(), html(report.clone()));
        super::cards::shown(&format!("13-change-{name}"), &page);
        assert_eq!(page.contains("<svg class=\"fb-g\""), measured, "{name}: {page}");
        assert!(!page.contains("NaN") && !page.contains("inf"), "{name}: {page}");
        check(&change_svg(&report));
    }
    let page = html(step(""));
    assert!(page.contains("■</i> Changed by <code title") && page.contains("Change 41</b>"), "{page}");
    let svg = change_svg(&step(""));
    let (discs, squares) = (svg.matches("<circle").count(), svg.matches("width=\"5.6\"").count());
    assert_eq!((discs, squares), (24 + 1 + 7 + 1, 6 + 1), "measurements, controls, and their legends: {svg}");
    if let Some(folder) = std::env::var_os("WRITE_CARDS") {
        std::fs::write(Path::new(&folder).join("13-change.svg"), &svg).unwrap();
    }
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"firstbad-figure\""), "{svg}");
    assert!(html(several("")).contains("<b>C</b>"));
}

#[test]
fn thousands_of_measurements_have_small_reports() {
    let positions: Vec<u64> = (0..10_000).map(|order| order * 37 % 2_001).collect();
    let number: made::Number = |position, order| if position < 700 { 5.0 } else { 9.0 } + noise(order);
    let report = with_step(measured(2_000, &positions, number, ""), 700);
    let (page, svg) = (html(report.clone()), change_svg(&report));
    super::cards::shown("13-change-large", &page);
    assert!(svg.len() < 150_000, "{} bytes", svg.len());
    let (text, markdown) = (written(report.clone(), Form::Text), written(report.clone(), Form::Markdown));
    assert!(text.len() < 5_000 && markdown.len() < 5_000, "{}", text.len());
    let mut several = report.clone();
    several.main.conclusion = ChangeConclusion::Several;
    several.main.steps = (0..1_000).map(|_| report.main.steps[0].clone()).collect();
    several.unresolved = (0..1_000).map(id).collect();
    super::cards::shown("13-change-many", &html(several.clone()));
    assert!(written(several.clone(), Form::Text).contains("  and 980 more\n"));
    assert!(written(several.clone(), Form::Markdown).len() < 30_000);
    assert_eq!(written(several, Form::Github).lines().count(), 10);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(10) })]
    #[test]
    fn no_name_leaves_its_place(name in hostile(), unit in hostile(), at_least in hostile()) {
        for ((kind, mut nasty), (_, mut plain)) in all(&name).into_iter().zip(all("")) {
            (nasty.main.unit, nasty.main.at_least) = (Some(unit.clone()), format!("x{at_least}"));
            plain.main.at_least = "x".to_owned();
            let text = written(nasty.clone(), Form::Text);
            prop_assert_eq!(text.lines().count(), written(plain.clone(), Form::Text).lines().count(), "{}", text);
            prop_assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{0}']), "{}", text);
            let (outside, clean) = (outside(nasty.clone()), outside(plain));
            for sign in ['<', '>', '[', '*', '@', '#', '\u{1b}'] {
                prop_assert!(outside.matches(sign).count() <= clean.matches(sign).count(), "{}: {:?} in {}", kind, sign, outside);
            }
            check(&html(nasty.clone()));
            check(&change_svg(&nasty));
        }
    }
}

/// Searches among 200 commits with these options, and returns the report.
fn searched(options: &Value, number: impl Fn(u64, u64) -> Option<f64>) -> ChangeReport {
    let graph = Arc::new(CommitGraph::linear((0..200).map(id)).unwrap());
    let mut search = firstbad::open("change", graph, options).unwrap();
    let mut order = 0;
    while let Some(probe) = search.ask(1).unwrap().pop() {
        let position = u64::from_str_radix(&probe.revision()[8..], 16).unwrap();
        let number = number(position, order);
        let outcome = if number.is_some() { Outcome::Pass } else { Outcome::Unresolved };
        search.tell(probe.id, Observation { metric: number, seconds: Some(2.0), ..outcome.into() }).unwrap();
        order += 1;
    }
    match Report::of(search.inspect()).unwrap() {
        Report::Change(report) => *report,
        other => panic!("{other:?}"),
    }
}

#[test]
fn reports_of_searches_have_every_part() {
    let ends = |unit: &str| json!({"bad": [id(199)], "good": [id(0)], "unit": unit});
    let level = |position: u64, order: u64| if position < 120 { 0.1 } else { 0.11 } * (1.0 + 0.01 * noise(order));
    let step = searched(&ends("s"), |position, order| Some(level(position, order)));
    let flat = searched(&ends("s"), |_, order| Some(level(0, order)));
    let gap = searched(&ends("s"), |position, order| {
        Some(level(position, order)).filter(|_| !(115..123).contains(&position))
    });
    let ramp = searched(&ends("B"), |position, _| Some(1e6 + 1e3 * position as f64));
    let noisy = searched(&ends("s"), |position, order| Some(level(position, order) * (1.0 + noise(order + 1000))));
    // The parts that each text must have. Numbers and counts depend on the search.
    let cases = [
        ("step", step, "Changed by ", &["before", "after", "change", "unexplained", "noise", "▲ ", "git show "][..]),
        ("none", flat, "No change of at least 3%: ", &["noise", "probability", "over time"]),
        ("set", gap, "One of 9 commits changed the number: ", &["candidates", "has no number", "unresolved"]),
        ("ramp", ramp, "No single commit changed the number by at least 3%: 1 MB at ", &["repeated measurements"]),
        ("noise", noisy, "Undecided after 150 measurements: ", &["noise", "over time", "--paired"]),
    ];
    for (name, report, start, parts) in cases {
        let text = written(report.clone(), Form::Text);
        assert!(text.starts_with(start), "{name}: {text}");
        parts.iter().for_each(|part| assert!(text.contains(part), "{name}: no {part:?} in {text}"));
        super::cards::shown(&format!("13-change-searched-{name}"), &html(report));
    }
}
