//! Recognition of runners, plans of commands, and patterns.

use firstbad_results::{Place, Plan, Request, ResultsAt, Runner, Tree};
use proptest::prelude::*;
use regex::Regex;

fn words(command: &str) -> Vec<String> {
    command.split(' ').map(str::to_owned).collect()
}

fn plans(runner: Runner, command: &str, tests: &[&str]) -> Vec<Plan> {
    let tests: Vec<String> = tests.iter().map(|test| (*test).to_owned()).collect();
    runner.plan(&Request::new(&words(command), Some(&tests), "/f")).unwrap()
}

fn argv(runner: Runner, command: &str, tests: &[&str]) -> String {
    let plans = plans(runner, command, tests);
    plans.iter().map(|plan| plan.argv.join(" ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn runners_are_recognized_by_their_command() {
    for (command, runner) in [
        ("pytest -q", "pytest"),
        ("python3.11 -m pytest tests", "pytest"),
        ("uv run --with x pytest", "pytest"),
        ("coverage run -m pytest", "pytest"),
        ("env CI=1 timeout 60 .venv/bin/pytest", "pytest"),
        ("C:\\x\\pytest.exe", "pytest"),
        ("npx jest", "jest"),
        ("node node_modules/.bin/jest --ci", "jest"),
        ("node --experimental-vm-modules node_modules/jest/bin/jest.js", "jest"),
        ("pnpm exec vitest run", "vitest"),
        ("yarn mocha", "mocha"),
        ("node --test", "node"),
        ("node --import tsx --test test/", "node"),
        ("cargo test", "cargo"),
        ("cargo +nightly test -p x", "cargo"),
        ("cargo nextest run", "nextest"),
        ("go test ./...", "go"),
        ("ctest --test-dir build", "ctest"),
        ("bazelisk --x test //...", "bazel"),
    ] {
        assert_eq!(Runner::recognize(&words(command)).map(Runner::as_str), Some(runner), "{command}");
    }
    for command in
        ["make test", "npm test", "cargo build", "go vet", "node server.js", "bash run.sh", "./test.py pytest", ""]
    {
        assert_eq!(Runner::recognize(&words(command)), None, "{command}");
    }
    assert_eq!(Runner::recognize(&["sh", "-c", "cd shop && pytest {tests}"]), Some(Runner::Pytest));
    assert_eq!("vitest".parse(), Ok(Runner::Vitest));
    assert_eq!("tox".parse::<Runner>().unwrap_err().code(), "unknown_runner");
}

#[test]
#[allow(clippy::too_many_lines, reason = "one table")]
fn arguments_go_where_the_command_takes_them() {
    for (runner, command, tests, expected) in [
        (
            Runner::Pytest,
            "pytest -q",
            &["t/a.py::b", "t/a.py::c[d::e]", "u.py"][..],
            "pytest -q -p firstbad_pytest_results --continue-on-collection-errors --maxfail=0 t/a.py u.py",
        ),
        (
            Runner::Pytest,
            "pytest tests/unit",
            &["t/a.py::b"],
            "pytest tests/unit -p firstbad_pytest_results --continue-on-collection-errors --maxfail=0",
        ),
        (
            Runner::Pytest,
            "sh -c cd#x;pytest#{tests}",
            &["a'b.py::c"],
            "sh -c cd#x;pytest#-p firstbad_pytest_results --continue-on-collection-errors --maxfail=0 'a'\\''b.py'",
        ),
        (
            Runner::Cargo,
            "cargo test -- --nocapture",
            &["shop a::b", "c"],
            "cargo test --no-fail-fast -- --nocapture --exact a::b c",
        ),
        (Runner::Cargo, "cargo test {tests} -p x", &["a"], "cargo test --no-fail-fast -- --exact a -p x"),
        (Runner::Cargo, "cargo test -- {tests}", &["a"], "cargo test --no-fail-fast -- --exact a"),
        (
            Runner::Nextest,
            "cargo nextest run -P ci -- --nocapture",
            &["shop::x a::b", "c"],
            "cargo nextest run -P ci --tool-config-file=firstbad:/f/nextest-0.toml --no-fail-fast -E \
             (binary_id(=shop::x) & test(=a::b)) | test(=c) -- --nocapture",
        ),
        (
            Runner::Jest,
            "npm test",
            &["a.js::b", "c.js::d > (e)"],
            "npm test -- --json --outputFile=/f/results-0.json --bail=0 --runTestsByPath -t ^(?:b|d \\(e\\))$ a.js c.js",
        ),
        (
            Runner::Vitest,
            "npx vitest run",
            &["b c"],
            "npx vitest run --reporter=json --outputFile.json=/f/results-0.json --bail=0 -t ^(?:b c)$",
        ),
        (
            Runner::Vitest,
            "npx vitest",
            &["a.ts"],
            "npx vitest --run --reporter=json --outputFile.json=/f/results-0.json --bail=0 a.ts",
        ),
        (
            Runner::Mocha,
            "npx mocha {tests} test/",
            &["a.js::b"],
            "npx mocha --reporter json --reporter-option output=/f/results-0.json --no-bail --grep ^(?:b)$ test/",
        ),
        (
            Runner::Node,
            "node --test --test-reporter spec --import tsx",
            &["a.ts::b > c"],
            "node --test --test-reporter=/f/firstbad_node_reporter.mjs --test-reporter-destination=/f/results-0.jsonl \
             --test-name-pattern=^(?:b c|c)$ --import tsx a.ts",
        ),
        (
            Runner::Go,
            "go test -race ./... -args -x",
            &["e.com/s::TestA/b", "e.com/s::TestA/c_d", "e.com/s::TestE", "e.com/s/t::TestF"],
            "go test -json -count=1 -run ^(?:TestA)$/^(?:b|c_d)$|^(?:TestE)$ -race e.com/s -args -x\n\
             go test -json -count=1 -run ^(?:TestF)$ -race e.com/s/t -args -x",
        ),
        (
            Runner::Ctest,
            "ctest --test-dir build",
            &["a", "b c"],
            "ctest --test-dir build --output-junit /f/results-0.xml --tests-from-file /f/tests.txt",
        ),
        (
            Runner::Bazel,
            "bazel test --x -- //... -//y:z",
            &["//a:b", "//c:d"],
            "bazel test --x --keep_going --nocache_test_results //a:b //c:d",
        ),
    ] {
        assert_eq!(argv(runner, command, tests), expected, "{command}");
    }
}

#[test]
fn whole_suites_have_no_patterns() {
    for (runner, command) in [
        (Runner::Pytest, "pytest"),
        (Runner::Jest, "jest"),
        (Runner::Vitest, "vitest"),
        (Runner::Mocha, "mocha {tests}"),
        (Runner::Node, "node --test"),
        (Runner::Cargo, "cargo test"),
        (Runner::Nextest, "cargo nextest run"),
        (Runner::Go, "go test ./..."),
        (Runner::Ctest, "ctest"),
        (Runner::Bazel, "bazel test //..."),
    ] {
        let plans = runner.plan(&Request::new(&words(command), None, "/f")).unwrap();
        assert_eq!((plans.len(), &plans[0].tests), (1, &None), "{runner}");
        let line = plans[0].argv.join(" ");
        assert!(
            ["-t ", "--grep", "pattern", "--exact", "-E ", "-run ^", "--tests-from-file", "{tests}"]
                .iter()
                .all(|word| !line.contains(word)),
            "{line}"
        );
        assert!(line.contains("/...") == command.contains("/..."), "{line}");
    }
}

#[test]
fn custom_runners_name_the_place_of_their_results() {
    let command = words("./run {tests} --list {tests_file}");
    let tests = ["a b".to_owned(), "c".to_owned()];
    let results: ResultsAt = "tap:-".parse().unwrap();
    let request = Request { results: Some(&results), ..Request::new(&command, Some(&tests), "/f") };
    let [plan] = &Runner::Custom.plan(&request).unwrap()[..] else { panic!("one plan") };
    assert_eq!(plan.argv, ["./run", "a b", "c", "--list", "/f/tests-0.txt"]);
    assert_eq!(
        (plan.files[0].content.as_str(), plan.environment[0].name.as_str()),
        ("a b\nc\n", "FIRSTBAD_TESTS_FILE")
    );
    assert_eq!(plan.results.place, Place::Output);
    // Without a report, the exit code is the result of one test.
    let exit: ResultsAt = "exit".parse().unwrap();
    let plans = Runner::Custom.plan(&Request { results: Some(&exit), ..request }).unwrap();
    assert_eq!(plans.iter().map(|plan| plan.argv[1].as_str()).collect::<Vec<_>>(), ["a b", "c"]);
    for given in ["junit", "junit:", "xml:a", "", ":a"] {
        assert_eq!(given.parse::<ResultsAt>().unwrap_err().code(), "unknown_results", "{given}");
    }
    assert_eq!(Runner::Custom.plan(&Request { results: None, ..request }).unwrap_err().code(), "unknown_results");
    let script = ["sh", "-c", "pytest"].map(str::to_owned);
    assert_eq!(Runner::Pytest.plan(&Request::new(&script, None, "/f")).unwrap_err().code(), "no_place");
    let ids = ["a\nb".to_owned()];
    assert_eq!(
        Runner::Ctest.plan(&Request::new(&words("ctest"), Some(&ids), "/f")).unwrap_err().code(),
        "unwritable_id"
    );
}

#[test]
fn long_lists_become_files_or_several_commands() {
    let ids: Vec<String> =
        (0..4_000).map(|number| format!("tests/folder/test_{number}.py::test_number_{number}")).collect();
    let command = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
    for (runner, line) in [
        (Runner::Pytest, "pytest"),
        (Runner::Jest, "jest"),
        (Runner::Node, "node --test"),
        (Runner::Cargo, "cargo test"),
        (Runner::Nextest, "cargo nextest run"),
        (Runner::Go, "go test"),
        (Runner::Ctest, "ctest"),
        (Runner::Bazel, "bazel test //..."),
    ] {
        // Only labels are arguments of Bazel.
        let ids: Vec<String> =
            ids.iter().map(|id| if runner == Runner::Bazel { format!("//{id}") } else { id.clone() }).collect();
        let plans = runner.plan(&Request::new(&command(line), Some(&ids), "/f")).unwrap();
        let covered: Vec<&String> = plans.iter().flat_map(|plan| plan.tests.iter().flatten()).collect();
        assert!(covered.iter().copied().eq(&ids), "{runner}");
        for plan in &plans {
            let length: usize = plan.argv.iter().map(String::len).sum();
            assert!(length < 120_000, "{runner}: {length}");
        }
        let is_one = matches!(runner, Runner::Pytest | Runner::Ctest | Runner::Bazel);
        assert_eq!(plans.len() == 1, is_one, "{runner}: {} plans", plans.len());
    }
}

#[test]
fn ids_are_never_options() {
    let evil = ["-x.py::a", "--exec=rm.js::b", "-exec=rm::TestA", "--flag", "-//a:b", "-p x::c"].map(str::to_owned);
    for (runner, command) in [
        (Runner::Pytest, "pytest"),
        (Runner::Jest, "jest"),
        (Runner::Vitest, "vitest"),
        (Runner::Mocha, "mocha"),
        (Runner::Node, "node --test"),
        (Runner::Cargo, "cargo test"),
        (Runner::Nextest, "cargo nextest run"),
        (Runner::Go, "go test ./..."),
        (Runner::Ctest, "ctest"),
        (Runner::Bazel, "bazel test //..."),
        (Runner::Custom, "./run {tests}"),
    ] {
        for id in &evil {
            let (command, tests, results) = (words(command), [id.clone()], "tap:-".parse().unwrap());
            let request = Request { results: Some(&results), ..Request::new(&command, Some(&tests), "/f") };
            let plans = runner.plan(&request).unwrap_or_default();
            // `-p` is an option of ours.
            let given = plans.iter().flat_map(|plan| &plan.argv).any(|word| word.len() > 2 && id.starts_with(word));
            assert!(!given, "{runner}: {id}: {plans:?}");
        }
    }
}

#[test]
fn missing_files_are_left_out() {
    let exists = |path: &str| path == "a.js";
    let tree = Tree::new("/srv", &exists);
    let ids = ["a.js::b", "gone.js::c"].map(str::to_owned);
    let command = words("jest");
    let plans = Runner::Jest.plan(&Request { tree, ..Request::new(&command, Some(&ids), "/f") }).unwrap();
    assert_eq!(plans[0].argv.last().unwrap(), "a.js");
    // If all are missing, the runner says so.
    let plans = Runner::Jest.plan(&Request { tree, ..Request::new(&command, Some(&ids[1..]), "/f") }).unwrap();
    assert_eq!(plans[0].argv.last().unwrap(), "gone.js");
}

const PLACE: &str = "{tests}";

/// Names with everything that patterns and shells treat as special.
fn name() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => "[a-zA-Z0-9_]{1,6}",
        1 => prop::sample::select(vec![".", "*", "+", "?", "(", ")", "[x]", "{1}", "^", "$", "|", "\\", "/", "-", "#", "&", "~", "'", "\"", "\n", "\t", "é", "😀", ",", "%"])
            .prop_map(str::to_owned),
    ];
    prop::collection::vec(part, 1..6).prop_map(|parts| parts.join(""))
}

/// Returns the pattern behind an option.
fn pattern(plan: &Plan, option: &str) -> Regex {
    let word = plan.argv.iter().find_map(|word| word.strip_prefix(&format!("{option}=")));
    let next = || plan.argv.iter().skip_while(|word| *word != option).nth(1).map(String::as_str);
    // JavaScript and Go also match these patterns exactly, and `$` is the end of the text.
    Regex::new(word.or_else(next).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn patterns_match_exactly_the_chosen_tests(all in prop::collection::btree_set(name(), 1..8), chosen in any::<u8>()) {
        let is_chosen = |place: usize| place == 0 || chosen >> place & 1 == 1;
        let names: Vec<&String> = all.iter().collect();
        let ids: Vec<String> = (0..names.len()).filter(|&place| is_chosen(place)).map(|place| format!("a.test.js::{}", names[place])).collect();
        let command = words("run --test");
        for (runner, option) in [(Runner::Jest, "-t"), (Runner::Vitest, "-t"), (Runner::Mocha, "--grep"), (Runner::Node, "--test-name-pattern")] {
            let plans = runner.plan(&Request::new(&command, Some(&ids), "/f")).unwrap();
            let pattern = pattern(&plans[0], option);
            prop_assert!(!pattern.as_str().contains('\n'));
            for (place, name) in names.iter().enumerate() {
                prop_assert_eq!(pattern.is_match(name), is_chosen(place), "{}: {} with {}", runner, name, pattern);
            }
        }
    }

    #[test]
    fn patterns_of_go_match_exactly_the_chosen_tests(all in prop::collection::btree_set("Test[A-C](/[a-c.(|]{1,3}){0,2}", 1..8), chosen in any::<u8>()) {
        let is_chosen = |place: usize| place == 0 || chosen >> place & 1 == 1;
        let names: Vec<&String> = all.iter().collect();
        let ids: Vec<String> = (0..names.len()).filter(|&place| is_chosen(place)).map(|place| format!("e.com/s::{}", names[place])).collect();
        let plans = Runner::Go.plan(&Request::new(&words("go test"), Some(&ids), "/f")).unwrap();
        let pattern = plans[0].argv.iter().skip_while(|word| *word != "-run").nth(1).unwrap();
        // Go splits the pattern at `|` and `/` outside of brackets, and compares part by part.
        let runs = |name: &str| split(pattern, '|').iter().any(|filter| {
            let (parts, names) = (split(filter, '/'), name.split('/').collect::<Vec<_>>());
            parts.len() == names.len() && parts.iter().zip(names).all(|(part, name)| Regex::new(part).unwrap().is_match(name))
        });
        for (place, name) in names.iter().enumerate() {
            prop_assert_eq!(runs(name), is_chosen(place), "{} with {}", name, pattern);
        }
    }

    #[test]
    fn any_command_and_ids_make_a_plan_with_every_test(ids in prop::collection::vec("\\PC{0,12}", 1..5), command in prop::collection::vec("[-a-z{}/.=]{0,8}|\\{tests\\}|--|go|test", 1..5)) {
        for runner in Runner::ALL {
            let results: ResultsAt = "junit:a.xml".parse().unwrap();
            let request = Request { results: Some(&results), ..Request::new(&command, Some(&ids), "/f") };
            if let Ok(plans) = runner.plan(&request) {
                let covered: Vec<&String> = plans.iter().flat_map(|plan| plan.tests.iter().flatten()).collect();
                prop_assert!(ids.iter().all(|id| covered.contains(&id)), "{}", runner);
                let is_left = plans.iter().any(|plan| plan.argv.iter().any(|word| word == PLACE));
                prop_assert!(!is_left || ids.iter().any(|id| id == PLACE));
            }
        }
    }
}

/// Splits a pattern outside of brackets, as Go does.
fn split(pattern: &str, at: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0_i32, 0_i32);
    let mut is_escaped = false;
    let mut begin = 0;
    for (place, sign) in pattern.char_indices() {
        match sign {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            sign if sign == at && depth == 0 => {
                parts.push(&pattern[begin..place]);
                begin = place + 1;
                start += 1;
            }
            _ => {}
        }
    }
    assert_eq!(parts.len() as i32, start);
    parts.push(&pattern[begin..]);
    parts
}
