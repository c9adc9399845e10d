//! A triage in every format, with names of tests, commits, and people that nobody should trust.

use std::collections::HashSet;

use crate::golden;
use firstbad::{Report, TestVerdict, TriageReport, Verdict};
use firstbad_report::{Form, Summary, junit};
use firstbad_testkit::markdown::outside_code;
use firstbad_testkit::red_suite::{RedSuite, Texts};
use proptest::prelude::*;
use quick_xml::events::Event;
use serde_json::Value;

/// A text with a meaning in every format.
const NASTY: &str =
    "`it` | <img src=x> </details> --> [a](javascript:b) @all #1 ::error::\u{1b}[2J\u{202e} ##[x] %0A*x* ]]>\n";

fn report(text: &str, most: usize) -> TriageReport {
    RedSuite::new(&Texts::all(text)).unwrap().search(most).unwrap().1
}

fn summary(report: TriageReport) -> Summary {
    golden::summary(Report::Triage(Box::new(report)))
}

fn written(report: TriageReport, form: Form) -> String {
    summary(report).in_form(form).unwrap()
}

fn is_as_in(file: &str, text: &str) {
    golden::is_as_in(&format!("triage/{file}"), text);
}

#[test]
fn text_has_a_block_for_each_culprit_and_a_line_for_each_other_verdict() {
    is_as_in("found.txt", &written(report("", usize::MAX), Form::Text));
    is_as_in("running.txt", &written(report("", 12), Form::Text));
}

#[test]
fn text_stays_text() {
    let text = written(report(NASTY, usize::MAX), Form::Text);
    assert!(!text.contains(['\u{1b}', '\u{202e}']) && !text.contains("##["), "{text}");
    assert!(text.lines().all(|line| !line.trim_start().starts_with("::")), "{text}");
    let lines = written(report("", usize::MAX), Form::Text).lines().count();
    assert_eq!(text.lines().count(), lines, "no name starts a line: {text}");
}

#[test]
fn evidence_is_only_what_was_observed() {
    let mut report = report("", usize::MAX);
    let culprit = &mut report.culprits[0];
    culprit.evidence.passing = 3;
    culprit.evidence.at_parents.fails = 2;
    culprit.evidence.failing = 16;
    let fails = culprit.evidence.at_commit.fails;
    culprit.evidence.at_commit.passes = 1;
    let passes = culprit.evidence.at_parents.passes;
    let text = written(report.clone(), Form::Text);
    let expected = format!(
        "16 of 17 tests failed here (1 of {} runs passed); 3 of them ran at its parent 6f4b6612125f and pass (2 of {} runs there failed); ",
        fails + 1,
        passes + 2
    );
    assert!(text.contains(&expected), "{text}");
    // Without a run at a parent, nothing is said about it.
    report.culprits[0].evidence.passing = 0;
    report.tests.iter_mut().for_each(|test| test.observations.clear());
    let text = written(report, Form::Text);
    assert!(text.contains("; not tested at its parent 6f4b6612125f"), "{text}");
}

#[test]
fn a_broken_build_is_the_answer() {
    let mut report = report("", usize::MAX);
    report.status = firstbad::Status::Untestable;
    report.culprits.truncate(1);
    report.culprits[0].tests = vec!["(build)".to_owned()];
    let text = written(report, Form::Text);
    assert!(text.starts_with("Cannot build main: 785f3ec7eb32 Round prices to ten cents broke the build\n"), "{text}");
}

#[test]
fn json_has_the_report_and_the_exit_code() {
    let report = report(NASTY, usize::MAX);
    let text = written(report.clone(), Form::Json);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&json["schema"], &json["algorithm"], &json["exit_code"]), (&1.into(), &"triage".into(), &10.into()));
    let read = firstbad_report::read("triage", &text).unwrap();
    assert_eq!(Report::from_json("triage", &read).unwrap(), Report::Triage(Box::new(report)));
}

#[test]
fn markdown_has_a_heading_for_each_culprit() {
    let markdown = written(report("", usize::MAX), Form::Markdown);
    is_as_in("found.md", &markdown);
    let report = report("", usize::MAX);
    for culprit in &report.culprits {
        assert!(markdown.contains(&format!("<!-- firstbad:fingerprint={} -->", culprit.fingerprint)), "{markdown}");
    }
}

#[test]
fn markdown_mentions_people_only_if_asked_to_and_certain() {
    let mut report = report("", usize::MAX);
    let mention = |report: &TriageReport| {
        let mut summary = summary(report.clone());
        summary.mention = true;
        outside_code(&summary.in_form(Form::Markdown).unwrap()).unwrap()
    };
    assert!(!outside_code(&written(report.clone(), Form::Markdown)).unwrap().contains('@'));
    assert!(mention(&report).contains("@ada") && mention(&report).contains("@shop/prices"), "{}", mention(&report));
    report.culprits[0].probability = 0.94;
    assert!(!mention(&report).contains('@'), "{}", mention(&report));
}

#[test]
fn markdown_holds_whatever_names_hold() {
    let clean = written(report("", usize::MAX), Form::Markdown);
    for mention in [false, true] {
        let mut summary = summary(report(NASTY, usize::MAX));
        summary.mention = mention;
        let markdown = summary.in_form(Form::Markdown).unwrap();
        let outside = outside_code(&markdown).unwrap();
        for evil in ["<img", "](javascript", "@", "#1 ", "*x*", "::", "]]>"] {
            assert!(!outside.contains(evil), "{evil:?} in {outside}");
        }
        let tags = |text: &str| (text.matches("<details>").count(), text.matches("</details>").count());
        assert_eq!(tags(&outside), tags(&clean), "{outside}");
        assert_eq!(outside.matches("-->").count(), 3);
        for row in markdown.lines().filter(|line| line.starts_with('|')) {
            assert!([4, 5].contains(&row.replace("\\|", "").matches('|').count()), "{row}");
        }
    }
    // The fingerprint of a report that was read can be any text.
    let mut report = report("", usize::MAX);
    report.culprits[0].fingerprint = "--> <b>".to_owned();
    assert!(!written(report, Form::Markdown).contains("<b>"));
}

#[test]
fn markdown_of_many_tests_is_limited() {
    let mut report = report("", usize::MAX);
    let id = |number: usize| format!("{}::{number}", "x".repeat(200));
    report.culprits[0].tests = (0..2000).map(id).collect();
    let other = report.tests.iter().find(|test| test.verdict == Verdict::Flaky).unwrap().clone();
    report.tests.extend((0..2000).map(|number| TestVerdict { id: id(number), ..other.clone() }));
    let markdown = written(report, Form::Markdown);
    assert!(markdown.len() < 60_000, "{} bytes", markdown.len());
    assert!(markdown.contains("- and 18") && markdown.contains("| flaky | and 1981 more | |"), "{markdown}");
}

#[test]
fn annotations_are_about_culprits_and_flaky_tests() {
    let clean = written(report("", usize::MAX), Form::Github);
    let lines: Vec<&str> = clean.lines().collect();
    assert_eq!(lines.len(), 5, "{clean}");
    let start = "::error title=785f3ec7eb32 Round prices to ten cents broke 17 tests::evidence: all 17 fail here; ";
    assert!(lines[0].starts_with(start) && lines[0].contains("%0A- and 7 more"), "{clean}");
    assert!(
        lines[3].starts_with("::error file=shop/test_search.py,title=Broken by one of several commits%3A "),
        "{clean}"
    );
    let flaky =
        "::warning file=shop/test_net.py,title=Flaky test%3A shop/test_net.py%3A%3Atest_retry::failed in 5 of 18 runs";
    assert_eq!(lines[4], flaky);
    let nasty = written(report(NASTY, usize::MAX), Form::Github);
    let is_command = |line: &str| line.starts_with("::error ") || line.starts_with("::warning ");
    assert!(nasty.lines().count() == 5 && nasty.lines().all(is_command), "{nasty}");
    assert!(!nasty.contains(['\u{1b}', '\u{202e}']) && !nasty.contains("%0A*x*"), "{nasty}");
    // Without findings, the result is the annotation.
    let running = written(report("", 0), Form::Github);
    assert_eq!(running, "::notice::Not finished after 0 test runs: 2 of 30 tests have a verdict\n");
}

#[test]
fn code_quality_has_stable_fingerprints() {
    let entries = |report: TriageReport| -> Value { serde_json::from_str(&written(report, Form::Gitlab)).unwrap() };
    let all = entries(report("", usize::MAX));
    let severities: Vec<&str> = all.as_array().unwrap().iter().map(|one| one["severity"].as_str().unwrap()).collect();
    assert_eq!(severities, ["critical", "critical", "critical", "major", "minor"]);
    assert_eq!(all[0]["location"]["path"], "shop/test_prices.py");
    let fingerprints: HashSet<&str> =
        all.as_array().unwrap().iter().map(|one| one["fingerprint"].as_str().unwrap()).collect();
    assert_eq!(fingerprints.len(), 5);
    // Other runs of a flaky test are the same finding.
    let mut again = report("", usize::MAX);
    again.tests.iter_mut().for_each(|test| test.note = None);
    assert_eq!(entries(again)[4]["fingerprint"], all[4]["fingerprint"]);
}

/// The id, verdict, and culprit of each test case.
fn cases(xml: &str) -> Vec<(String, Option<String>, Option<String>)> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut cases: Vec<(String, Option<String>, Option<String>)> = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => return cases,
            Event::Start(element) | Event::Empty(element) => {
                let value = |name: &str| {
                    let found = element.try_get_attribute(name).unwrap()?;
                    Some(quick_xml::escape::unescape(&found.value).unwrap().into_owned())
                };
                match (element.name().as_ref(), value("name")) {
                    ("testcase", name) => cases.push((name.unwrap(), None, None)),
                    ("property", Some(name)) if name == "firstbad.verdict" => {
                        cases.last_mut().unwrap().1 = value("value")
                    }
                    ("property", Some(name)) if name == "firstbad.culprit" => {
                        cases.last_mut().unwrap().2 = value("value")
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

#[test]
fn junit_has_a_case_for_each_verdict() {
    for text in ["", NASTY, "\u{0}\u{ffff}\u{7f}\"'<&"] {
        let report = report(text, usize::MAX);
        let xml = junit(&report, None).unwrap();
        let found = cases(&xml);
        assert_eq!(found.len(), report.tests.len());
        for (test, (name, verdict, culprit)) in report.tests.iter().zip(&found) {
            assert_eq!((verdict.as_deref(), culprit), (Some(test.verdict.as_str()), &test.culprit));
            assert!(name == &test.id || !text.is_empty(), "{name}");
        }
        // Its reader agrees about what failed.
        let read = firstbad_results::read(xml.as_bytes()).unwrap();
        assert_eq!(read.red().count(), 28, "{xml}");
    }
}

#[test]
fn junit_of_tonight_keeps_its_cases() {
    let report = report("", usize::MAX);
    let tonight = concat!(
        "<testsuites><testsuite name=\"pytest\">",
        "<testcase classname=\"shop.test_prices\" name=\"test_total[1]\"><failure message=\"x\">1 &lt; 2</failure></testcase>",
        "<testcase classname=\"shop.test_cart.TestCart\" name=\"test_add\"><failure/></testcase>",
        "<testcase classname=\"shop.test_green\" name=\"test_a\"/>",
        "<testcase classname=\"shop.test_net\" name=\"test_retry\"><failure/></testcase>",
        "</testsuite></testsuites>"
    );
    let xml = junit(&report, Some(tonight.as_bytes())).unwrap();
    let culprits = [0, 1].map(|place: usize| Some(report.culprits[place].commit.clone()));
    let broken = || Some("broken".to_owned());
    let [prices, cart] = culprits;
    assert_eq!(
        cases(&xml),
        [
            ("test_total[1]".to_owned(), broken(), prices),
            ("test_add".to_owned(), broken(), cart),
            ("test_a".to_owned(), None, None),
            ("test_retry".to_owned(), Some("flaky".to_owned()), None),
        ]
    );
    assert!(xml.contains("<failure message=\"x\">1 &lt; 2</failure>") && xml.contains("name=\"test_a\"/>"), "{xml}");
    assert_eq!(junit(&report, Some(b"no report")).unwrap_err().code(), "report_syntax");
}

/// Texts of pieces that mean something in a format.
pub(crate) fn hostile() -> impl Strategy<Value = String> {
    let pieces = [
        "`",
        "``",
        "|",
        "\\",
        "<",
        ">",
        "</details>",
        "<!--",
        "-->",
        "@all",
        "#1",
        "](x)",
        "::error::",
        "%0A",
        "&",
        "\"",
        "'",
        "]]>",
        "\n",
        "\r",
        "\t",
        "\u{1b}[2J",
        "\u{202e}",
        "\u{0}",
        "\u{ffff}",
        "##[x]",
        "*",
        "_",
        " ",
        "a",
        "é",
        "www.x.org",
        "GH-1",
        "https://x",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(30) })]
    #[test]
    fn no_name_leaves_its_place(id in hostile(), subject in hostile(), signature in hostile(), mention in any::<bool>()) {
        let texts = Texts { id, subject, signature };
        let (search, mut report) = RedSuite::new(&texts).unwrap().search(usize::MAX).unwrap();
        // Names of branches are in headlines and in notes.
        report.names.insert(report.bad.clone(), vec![format!("main{}", texts.subject)]);
        let plain = self::report("", usize::MAX);
        let mut summary = summary(report.clone());
        summary.mention = mention;
        let lines = |text: &str| text.lines().count();
        let text = summary.in_form(Form::Text).unwrap();
        prop_assert_eq!(lines(&text), lines(&written(plain.clone(), Form::Text)), "{}", text);
        prop_assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{0}']), "{}", text);

        let markdown = summary.in_form(Form::Markdown).unwrap();
        let (outside, clean) = (outside_code(&markdown).unwrap(), outside_code(&written(plain.clone(), Form::Markdown)).unwrap());
        for sign in ['<', '>', '[', '*', '\u{1b}'] {
            prop_assert!(outside.matches(sign).count() <= clean.matches(sign).count(), "{:?} in {}", sign, outside);
        }
        prop_assert!(mention || !outside.contains('@'), "{}", outside);
        // The page of the pull request is a link, and a mentioned name is a word.
        let is_ours = |word: &&str| word.starts_with("https://example.org/shop/pull/812") || word.starts_with('@');
        let mut words = outside.split_whitespace().filter(|word| !is_ours(word));
        prop_assert!(!words.any(|word| word.contains("www.") || word.contains("GH-1")), "{}", outside);

        for form in [Form::Github, Form::Gitlab] {
            let words = summary.in_form(form).unwrap();
            prop_assert_eq!(lines(&words), lines(&written(plain.clone(), form)), "{}", words);
        }
        let found = cases(&junit(&report, None).unwrap());
        prop_assert_eq!(found.len(), report.tests.len());
        crate::cards::markup::check(&firstbad_report::card::report(&Report::Triage(Box::new(report)), Some(&search)));
    }
}
