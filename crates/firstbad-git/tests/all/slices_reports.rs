//! Coverage reports as a start, and definitions for tracers.

// The commands in these tests are shell scripts.
#![cfg(unix)]

use crate::common::{Repo, changed_functions};
use firstbad::SlicedHistory;
use firstbad_git::Slices;
use serde_json::{Value, json};

fn refused(slices: &Slices, options: &Value) -> String {
    slices.search(options).err().unwrap().to_string()
}

#[test]
fn a_search_starts_with_the_covered_changes() {
    let (repo, slices) = changed_functions();
    let report = repo.temp.join("lcov.info");
    // Both functions are defined, but only `g` runs. The paths are those of another machine.
    std::fs::write(&report, "SF:/builds/app/a.py\nDA:1,1\nDA:2,0\nDA:5,1\nDA:6,1\nend_of_record\n").unwrap();
    let start = |coverage: &Value| {
        let search = slices.search(&json!({ "coverage": coverage })).unwrap();
        search.inspect().configuration().unwrap()["start"].clone()
    };
    assert_eq!(start(&json!({"paths": report, "root": "/builds"})), json!([]));
    std::fs::write(&report, "SF:/builds/app/shop/a.py\nDA:1,1\nDA:2,0\nDA:5,1\nDA:6,1\nend_of_record\n").unwrap();
    assert_eq!(start(&json!({"paths": [report], "root": "/builds/app"})), json!([1]));
    // The test ran in the repository itself.
    let own = repo.temp.join("own.json");
    std::fs::write(&own, json!({repo.open().path().join("shop/a.py").to_str().unwrap(): [1, 2, 5]}).to_string())
        .unwrap();
    assert_eq!(start(&json!(own)), json!([0]));
    assert_eq!(start(&json!([own, report])), json!([0]));
    assert_eq!(start(&Value::Null), Value::Null);

    let shown = refused(&slices, &json!({"coverage": report}));
    assert!(shown.starts_with("coverage: ") && shown.contains("/builds/app/shop/a.py"), "{shown}");
    let shown = refused(&slices, &json!({"coverage": own, "start": [0]}));
    assert!(shown.starts_with("start: ") && shown.contains("either a start or coverage"), "{shown}");
    let shown = refused(&slices, &json!({"coverage": repo.temp.join("missing")}));
    assert!(shown.starts_with("reading the coverage in "), "{shown}");
    assert!(refused(&slices, &json!({"algorithm": "coverage"})).contains("a start or coverage"));
}

#[test]
fn v8_reports_are_read_with_the_files_at_the_tip() {
    let repo = Repo::new();
    let program = |one: u8, two: u8| {
        format!("function f() {{\n  return {one};\n}}\nfunction g() {{\n  return {two};\n}}\ng();\n")
    };
    repo.write("a.js", &program(1, 1));
    let base = repo.commit("base");
    repo.write("a.js", &program(2, 1));
    repo.commit("f");
    repo.write("a.js", &program(2, 2));
    let tip = repo.commit("g");
    // The content of the worktree was not tested.
    repo.write("a.js", "other");
    let options = SlicedHistory { base, tip, ..SlicedHistory::default() };
    let slices = Slices::open(&repo.open(), &options, Some(&repo.temp.join("slices"))).unwrap();
    let text = program(2, 2);
    let report = |end: usize| {
        let ranges =
            |start: usize, end: usize, count: u8| json!([{"startOffset": start, "endOffset": end, "count": count}]);
        let function = |ranges: Value| json!({"functionName": "", "isBlockCoverage": true, "ranges": ranges});
        let g = text.find("function g").unwrap();
        let functions =
            [function(ranges(0, end, 1)), function(ranges(0, g - 1, 0)), function(ranges(g, text.len() - 6, 1))];
        let url = format!("file://{}", repo.open().path().join("a.js").display());
        json!({"result": [{"scriptId": "1", "url": url, "functions": functions}]}).to_string()
    };
    let folder = repo.temp.join("coverage");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("coverage-1.json"), report(text.len())).unwrap();
    assert_eq!(slices.reported(&json!(folder)).unwrap(), [1]);
    std::fs::write(folder.join("coverage-1.json"), report(text.len() + 1)).unwrap();
    let shown = slices.reported(&json!(folder)).unwrap_err().to_string();
    assert!(shown.contains("coverage-1.json") && shown.contains("a.js"), "{shown}");
}
