//! Shortened reports of real tools, and invalid reports.

#![allow(clippy::unwrap_used, reason = "helpers of tests, too")]

use std::collections::BTreeMap;

use firstbad::Error;
use firstbad_coverage::{CoverageFormat, CoverageOptions, CoveredLines, Reports};

const TOP: &str = "/home/me/shop";

fn lines_under(options: &CoverageOptions, reports: &[&str], files: &[(&str, &str)]) -> Result<CoveredLines, Error> {
    let mut read = Reports::new(TOP, options)?;
    for (number, report) in reports.iter().enumerate() {
        read.add(&format!("report {number}"), report.as_bytes())?;
    }
    let files: BTreeMap<&str, &str> = files.iter().copied().collect();
    read.lines(&mut |file| Ok(files.get(file).map(|text| text.as_bytes().to_vec())))
}

fn lines(report: &str) -> CoveredLines {
    lines_under(&CoverageOptions::default(), &[report], &[]).unwrap()
}

fn error(report: &str) -> String {
    lines_under(&CoverageOptions::default(), &[report], &[]).unwrap_err().to_string()
}

fn covered<const N: usize>(files: [(&str, &[u32]); N]) -> CoveredLines {
    files.into_iter().map(|(file, lines)| (file.to_owned(), lines.to_vec())).collect()
}

#[test]
fn reads_lcov() {
    let report = "TN:\nSF:src/shop/prices.py\nFN:1,10,price\nFNDA:1,price\nFNF:2\nDA:5,1\nDA:1,1,9cf\nDA:6,0\nDA:7,-1\n\
                  BRDA:4,0,0,-\nLF:6\nLH:4\nend_of_record\nSF:/home/me/shop/t.py\nDA:1,1e+06\nDA:1,1\nend_of_record\n\
                  SF:/usr/lib/python3/os.py\nDA:1,1\nend_of_record\n";
    assert_eq!(lines(report), covered([("src/shop/prices.py", &[1, 5]), ("t.py", &[1])]));
    assert_eq!(lines("SF:a.c\r\nDA:2,1\r\nend_of_record\r\n"), covered([("a.c", &[2])]));
}

#[test]
fn reads_coverage_py() {
    let report = r#"{"meta": {"format": 3, "version": "7.17.3", "branch_coverage": false}, "files": {
        "shop/__init__.py": {"executed_lines": [], "summary": {"covered_lines": 0}},
        "shop/prices.py": {"executed_lines": [1, 5, 7, 13], "missing_lines": [6, 14], "contexts": {"1": [""]}}},
        "totals": {"covered_lines": 6}}"#;
    assert_eq!(lines(report), covered([("shop/__init__.py", &[]), ("shop/prices.py", &[1, 5, 7, 13])]));
}

const COBERTURA: &str = r#"<?xml version="1.0" ?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage version="7.17.3" lines-valid="8">
	<sources><source>/home/me/shop/a &amp; b</source></sources>
	<packages><package name="shop"><classes>
		<class name="prices.py" filename="shop/prices.py">
			<methods><method name="price"><lines><line number="5" hits="1"/></lines></method></methods>
			<lines>
				<line number="1" hits="1"/>
				<line number="5" hits="2" branch="true"/>
				<line number="6" hits="0"></line>
				<line number="0" hits="1"/>
			</lines>
		</class>
		<class name="empty" filename="shop/empty.py"/>
	</classes></package></packages>
</coverage>"#;

#[test]
fn reads_cobertura() {
    assert_eq!(lines(COBERTURA), covered([("a & b/shop/prices.py", &[1, 5]), ("a & b/shop/empty.py", &[])]));
    let without = COBERTURA.replace("<source>/home/me/shop/a &amp; b</source>", "");
    assert_eq!(lines(&without), covered([("shop/prices.py", &[1, 5]), ("shop/empty.py", &[])]));
    // Files are looked up in all source folders.
    let two = COBERTURA.replace("/home/me/shop/a &amp; b</source>", "one</source><source>/home/me/shop/two</source>");
    let found = lines(&two);
    assert_eq!(
        found.keys().collect::<Vec<_>>(),
        ["one/shop/empty.py", "one/shop/prices.py", "two/shop/empty.py", "two/shop/prices.py"]
    );
}

/// The report of Node 20 for a script that calls `a` but not `b`.
const V8: &str = r#"{"result": [
    {"scriptId": "1", "url": "node:internal/modules/run_main", "functions": []},
    {"scriptId": "2", "url": "file:///home/me/shop/c%20d.js", "functions": [
        {"functionName": "", "ranges": [{"startOffset": 0, "endOffset": END, "count": 1}], "isBlockCoverage": true},
        {"functionName": "a", "ranges": [{"startOffset": 20, "endOffset": 78, "count": 1},
            {"startOffset": 45, "endOffset": 64, "count": 0}], "isBlockCoverage": true},
        {"functionName": "b", "ranges": [{"startOffset": 79, "endOffset": 107, "count": 0}], "isBlockCoverage": false}]},
    {"scriptId": "3", "url": "file:///usr/lib/else.js", "functions": []}],
    "timestamp": 1.5, "source-map-cache": {}}"#;
const SOURCE: &str = "#!/usr/bin/env node\nfunction a(x) {\n  if (x) {\n    return 1;\n  }\n  return 2;\n}\nfunction b() {\n  \
                      return 3;\n}\n\n// ä𝒳\na(0);\n";

#[test]
fn reads_v8() {
    let length = SOURCE.encode_utf16().count();
    let report = V8.replace("END", &length.to_string());
    let of = |reports: &[&str], source: &str| lines_under(&CoverageOptions::default(), reports, &[("c d.js", source)]);
    // `if (x) {` ran up to the brace, but the block did not.
    let ran: &[u32] = &[1, 2, 3, 6, 7, 12, 13];
    assert_eq!(of(&[&report], SOURCE).unwrap(), covered([("c d.js", ran)]));
    // Another process took the other branch and called `b`.
    let other = report.replace("\"count\": 0", "\"count\": 2");
    let all: Vec<u32> = (1..=13).filter(|&line| line != 11).collect();
    assert_eq!(of(&[&report, &other], SOURCE).unwrap(), covered([("c d.js", &all)]));
    assert_eq!(of(&[&other, &report], SOURCE).unwrap(), covered([("c d.js", &all)]));
    // Node usually strips the byte order mark before it compiles.
    assert_eq!(of(&[&report], &format!("\u{feff}{SOURCE}")).unwrap(), covered([("c d.js", ran)]));
    // The file has changed at the tip.
    let shown = of(&[&report], &format!("{SOURCE}//")).unwrap_err().to_string();
    assert!(shown.contains("c d.js") && shown.contains("lcov"), "{shown}");
    let grown = V8.replace("END", &(length + 1).to_string());
    let shown = of(&[&report, &grown], SOURCE).unwrap_err().to_string();
    assert!(shown.contains("report 1") && shown.contains("one version of each file"), "{shown}");
    // A file that is missing at the revision has no lines.
    let shown = lines_under(&CoverageOptions::default(), &[&report], &[]).unwrap_err().to_string();
    assert!(shown.contains("/usr/lib/else.js"), "{shown}");
}

#[test]
fn reads_plain_lines() {
    assert_eq!(lines(r#"{"a.py": [3, 1, 3]}"#), covered([("a.py", &[1, 3])]));
    // An explicit format overrides the detection.
    let options = CoverageOptions { format: Some(CoverageFormat::Lines), root: None };
    assert_eq!(lines_under(&options, &[r#"{"result": [2]}"#], &[]).unwrap(), covered([("result", &[2])]));
}

#[test]
fn reports_are_merged_and_use_their_root() {
    let options = CoverageOptions { root: Some("/builds/shop".into()), ..CoverageOptions::default() };
    let reports = ["SF:/builds/shop/a.py\nDA:2,1\nend_of_record\n", r#"{"a.py": [1], "/builds/shop/b.py": [1]}"#];
    assert_eq!(lines_under(&options, &reports, &[]).unwrap(), covered([("a.py", &[1, 2]), ("b.py", &[1])]));
    let options = CoverageOptions { root: Some("web".into()), format: Some(CoverageFormat::Lines) };
    assert_eq!(lines_under(&options, &[r#"{"src/a.ts": [1]}"#], &[]).unwrap(), covered([("web/src/a.ts", &[1])]));
    let options = CoverageOptions { root: Some("../web".into()), format: None };
    let shown = Reports::new(TOP, &options).unwrap_err().to_string();
    assert!(shown.starts_with("coverage.root: ") && shown.contains("../web"), "{shown}");
    assert!(lines_under(&CoverageOptions::default(), &[], &[]).unwrap().is_empty());
}

#[test]
fn errors_name_the_report_and_the_location() {
    for (report, words) in [
        ("", &["report 0", "lcov, coverage.py"][..]),
        ("hello", &["report 0", "hello", "lcov, coverage.py"]),
        ("DA:1,1\nSF:a\n", &["report 0, line 1", "SF:"]),
        ("SF:a\nDA:0,1\n", &["report 0, line 2", "DA:0,1"]),
        ("SF:a\nDA:1,many\n", &["report 0, line 2", "DA:1,many"]),
        ("SF:a\nDA:4294967296,1\n", &["line 2"]),
        ("SF:a\nsomething else\n", &["line 2", "something else"]),
        (r#"{"a.py": [1, 0]}"#, &["a.py[1]", "line 0 does not exist", "line 1 column"]),
        (r#"{"a.py": [1"#, &["report 0", "line 1 column"]),
        (r#"{"a.py": "x"}"#, &["a.py", "invalid type"]),
        (r#"{"a.py": [1]} x"#, &["trailing"]),
        (r#"{"meta": {}, "files": {"a.py": {"executed_lines": [-1]}}}"#, &["files.a.py.executed_lines[0]"]),
        (r#"{"meta": {}, "files": {"a.py": {}}}"#, &["files.a.py", "executed_lines"]),
        (r#"{"result": [{"url": "x"}]}"#, &["result[0]", "functions"]),
        ("<coverage>\n<class/></coverage>", &["report 0, line 2", "filename"]),
        ("<coverage><class filename='a'>\n\n<line number='x' hits='1'/>", &["report 0, line 3", "line x"]),
        ("<coverage><class filename='a'><line number='1'/>", &["without hits"]),
        ("<html/>", &["no <coverage>"]),
        ("<coverage", &["report 0, line 1"]),
        ("SF:/usr/lib/os.py\nDA:1,1\n", &["/usr/lib/os.py", "`root`"]),
        ("SF:../os.py\nDA:1,1\n", &["../os.py", "`root`"]),
    ] {
        let shown = error(report);
        assert!(shown.starts_with("coverage: "), "{shown}");
        assert!(words.iter().all(|word| shown.contains(word)), "{report:?}: {shown}");
    }
    let mut reports = Reports::new(TOP, &CoverageOptions::default()).unwrap();
    let shown = reports.add("r", b"SF:a\n\xff\n").unwrap_err().to_string();
    assert!(shown.contains("r, line 2") && shown.contains("UTF-8"), "{shown}");
    let deep = format!("{{\"a.py\": {}", "[".repeat(100_000));
    assert!(error(&deep).contains("recursion") || error(&deep).contains("invalid type"));
    assert!("LCOV".parse::<CoverageFormat>().unwrap_err().to_string().starts_with("coverage.format: \"LCOV\""));
    for name in CoverageFormat::NAMES {
        assert!(name.parse::<CoverageFormat>().is_ok(), "{name}");
    }
}

#[test]
fn folders_may_contain_several_reports() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let read = |path: &std::path::Path| {
        let mut reports = Reports::new(TOP, &CoverageOptions::default())?;
        reports.read(&[path.to_owned()])?;
        reports.lines(&mut |_| Ok(None))
    };
    let shown = read(folder.path()).unwrap_err().to_string();
    assert!(shown.contains("a folder without them"), "{shown}");
    write("coverage-1.json", r#"{"a.js": [1]}"#);
    write("coverage-2.json", r#"{"a.js": [2]}"#);
    write("notes.txt", "not a report");
    assert_eq!(read(folder.path()).unwrap(), covered([("a.js", &[1, 2])]));
    assert_eq!(read(&folder.path().join("coverage-2.json")).unwrap(), covered([("a.js", &[2])]));
    let missing = read(&folder.path().join("missing")).unwrap_err();
    assert_eq!(missing.code(), "io");
    assert!(missing.to_string().starts_with("reading the coverage in "), "{missing}");
    write("coverage-3.json", "{");
    assert!(read(folder.path()).unwrap_err().to_string().contains("coverage-3.json"));
    let none = Reports::new(TOP, &CoverageOptions::default()).unwrap().read(&[]).unwrap_err();
    assert!(none.to_string().contains("the path of a report"), "{none}");
}

mod any_ranges {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// In nested ranges, the innermost range decides whether a place ran.
        #[test]
        fn follow_the_innermost_range(cuts in proptest::collection::vec((0u32..60, 1u32..60, 0u64..2), 0..12)) {
            let text: String = (0..60).map(|place| if place % 3 == 2 { '\n' } else { 'x' }).collect();
            let mut ranges = vec![(0, 60, 1)];
            for (start, length, count) in cuts {
                let end = (start + length).min(60);
                let fits = |&(other, last, _): &(u32, u32, u64)| {
                    end <= other || last <= start || (other <= start && end <= last) || (start <= other && last <= end)
                };
                // Only their order would tell equal ranges apart.
                if ranges.iter().all(fits) && !ranges.iter().any(|&(other, last, _)| (other, last) == (start, end)) {
                    ranges.push((start, end, count));
                }
            }
            let innermost = |place: u32| {
                let around = ranges.iter().filter(|(start, end, _)| (*start..*end).contains(&place));
                around.min_by_key(|(start, end, _)| end - start).is_some_and(|(.., count)| *count > 0)
            };
            let expected: Vec<u32> = (0..20).filter(|line| innermost(line * 3) || innermost(line * 3 + 1)).map(|line| line + 1).collect();
            let listed: Vec<_> = ranges.iter().map(|(start, end, count)| json!({"startOffset": start, "endOffset": end, "count": count})).collect();
            let report = json!({"result": [{"url": "file:///home/me/shop/a.js", "functions": [{"ranges": listed}]}]}).to_string();
            let found = lines_under(&CoverageOptions::default(), &[&report], &[("a.js", &text)]).unwrap();
            prop_assert_eq!(&found["a.js"], &expected);
        }
    }
}
