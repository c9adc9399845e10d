//! Rankings of commits by the files they touch, and searches with these rankings as priors.

use std::collections::BTreeMap;

use firstbad::culprit::{CulpritConfig, Prior, Rate};
use firstbad::suspicion::{
    BuildGraphBuilder, Changelist, CommitRanking, CommitReason, PriorOptions, RankOptions, Ranking, rank, rank_commits,
    rank_commits_in, tests_of_command,
};
use firstbad::{CommitGraph, CulpritSearch, Outcome, RegressionConfig, RegressionSearch, Search};
use proptest::prelude::*;

fn change(id: &str, subject: &str, files: &[(&str, u64)]) -> Changelist {
    Changelist {
        message: format!("{subject}\n\nAnd more words about the cart's total."),
        counts: files.iter().map(|&(file, lines)| (file.to_owned(), (lines, 0))).collect(),
        ..Changelist::new(id, files.iter().map(|(file, _)| *file))
    }
}

fn order(changes: &[Changelist], tests: &[&str]) -> Vec<String> {
    let ranking = rank_commits(changes, tests).unwrap();
    ranking.suspects.into_iter().map(|suspect| suspect.change).collect()
}

#[test]
fn words_of_the_test_rank_before_source_and_source_before_documentation() {
    let changes = [
        change("docs", "Explain carts", &[("docs/cart.md", 400)]),
        change("ci", "Run on arm", &[(".github/workflows/ci.yml", 3)]),
        change("other", "Colours", &[("src/colour.py", 3)]),
        change("cart", "Faster", &[("src/cart.py", 3)]),
        change("words", "Round the totals up", &[("src/money.py", 3)]),
    ];
    assert_eq!(order(&changes, &[]), ["words", "cart", "other", "ci", "docs"]);
    let test = "tests/test_cart.py::test_total_rounds[3]";
    assert_eq!(order(&changes, &[test]), ["words", "cart", "other", "docs", "ci"]);

    let ranking = rank_commits(&changes, &[test]).unwrap();
    assert_eq!(ranking.words, ["cart", "rounds", "total"]);
    let reasons = |id: &str| &ranking.suspects.iter().find(|suspect| suspect.change == id).unwrap().reasons;
    assert_eq!(reasons("cart")[0], CommitReason::Named { file: "src/cart.py".into() });
    assert_eq!(reasons("words")[0], CommitReason::Subject { words: vec!["rounds".into(), "total".into()] });
    assert_eq!(reasons("ci"), &[CommitReason::NoSource]);
    let words: Vec<String> = reasons("cart").iter().map(CommitReason::words).collect();
    assert_eq!(words, ["touches src/cart.py, which the test is named after", "touches 1 source file, 3 lines"]);
}

#[test]
fn only_what_differs_from_all_parents_counts_for_a_merge() {
    let mut merge = change("merge", "Merge", &[("src/cart.py", 4000), ("tests/test_cart.py", 10)]);
    let plain = merge.clone();
    merge.parents = vec!["a".into(), "b".into()];
    let of = |change: &Changelist| {
        let all = [change.clone(), change_without_files()];
        let ranking = rank_commits(&all, &[] as &[&str]).unwrap();
        ranking.suspects.iter().find(|suspect| suspect.change == "merge").unwrap().reasons.clone()
    };
    assert_eq!(of(&plain), [CommitReason::Source { files: 1, lines: 4000, tests: true }]);
    assert_eq!(of(&merge), [CommitReason::Source { files: 1, lines: 20, tests: false }]);
}

#[test]
fn a_small_change_ranks_before_a_rewrite_of_the_file() {
    let replaced = |id: &str, lines: u64| {
        let mut change = change(id, "Tidy", &[("src/cart.py", 0)]);
        change.counts.insert("src/cart.py".to_owned(), (lines, lines));
        change
    };
    let changes = [
        change("new", "Vouchers", &[("src/cart.py", 4000)]),
        replaced("other line ends", 5000),
        replaced("formatted", 1000),
        change("small", "Colours", &[("src/cart.py", 3)]),
        replaced("rewritten", 80),
    ];
    let expected = ["new", "rewritten", "small", "formatted", "other line ends"];
    assert_eq!(order(&changes, &["tests/test_cart.py"]), expected);
    assert_eq!(order(&changes, &[]), expected);
    // The message gives only totals.
    let ranking = rank_commits(&changes, &[] as &[&str]).unwrap();
    assert_eq!(ranking.suspects[4].message, "touches 1 source file, 10000 lines");
}

fn change_without_files() -> Changelist {
    Changelist::new("clean", Vec::<String>::new())
}

#[test]
fn a_clean_merge_touches_nothing_and_changes_outside_are_ignored() {
    let graph = CommitGraph::new([("r", vec![]), ("a", vec!["r"]), ("b", vec!["r"]), ("m", vec!["a", "b"])]).unwrap();
    let changes = [
        change("r", "Begin", &[("src/a.py", 900)]),
        change("a", "Colours", &[("src/a.py", 9)]),
        change("elsewhere", "Colours", &[("src/a.py", 9)]),
        change("b", "Words", &[("README.md", 9)]),
    ];
    let ranking = rank_commits_in(&changes, &[] as &[&str], &graph, &["m".to_owned()], &["r".to_owned()]).unwrap();
    let ids: Vec<&str> = ranking.suspects.iter().map(|suspect| suspect.change.as_str()).collect();
    assert_eq!(ids, ["a", "m", "b"]);
    let unknown = rank_commits_in(&changes, &[] as &[&str], &graph, &["x".to_owned()], &[]).unwrap_err();
    assert_eq!(unknown.code(), "unknown_revision");
}

#[test]
fn duplicate_changes_are_rejected() {
    let changes = [change("a", "", &[]), change("a", "", &[])];
    let twice = rank_commits(&changes, &[] as &[&str]).unwrap_err();
    assert!(twice.to_string().contains("changes: "), "{twice}");
    assert!(rank_commits(&[], &["a"]).unwrap().suspects.is_empty());
}

/// Four commits and a ranking from imports: `cart` and `money` matter, `notes` is excluded, and `tool` is unknown.
fn with_imports() -> (Vec<Changelist>, Ranking, BTreeMap<String, f64>) {
    let changes = vec![
        change("notes", "Explain the total", &[("notes.md", 4)]),
        change("tool", "Total of hours", &[("src/hours.py", 4)]),
        change("cart", "Faster", &[("src/cart.py", 4)]),
        change("money", "Faster", &[("src/money.py", 4)]),
    ];
    let mut builder = BuildGraphBuilder::new();
    builder.target("test").file("tests/test_cart.py").dep("//cart").dep("src/money.py");
    builder.target("//cart").file("src/cart.py");
    builder.target("src/money.py").file("src/money.py");
    let mut ranking = rank(&builder.build().unwrap(), &changes, &["test"], &RankOptions::default()).unwrap();
    (ranking.excluded, ranking.unlikely) = (vec!["notes".to_owned()], vec!["tool".to_owned()]);
    let weights = ranking.prior(&PriorOptions::default()).unwrap();
    (changes, ranking, weights)
}

#[test]
fn probabilities_of_the_build_graph_and_the_content_are_multiplied() {
    let (changes, ranking, weights) = with_imports();
    let test = "tests/test_cart.py::test_total";
    let alone = rank_commits(&changes, &[test]).unwrap();
    let both = alone.clone().with_build_graph(&ranking, &weights);
    let of = |ranking: &CommitRanking, id: &str| {
        ranking.suspects.iter().find(|suspect| suspect.change == id).unwrap().clone()
    };
    let sum: f64 = alone.suspects.iter().map(|suspect| suspect.probability * weights[&suspect.change]).sum();
    for suspect in &both.suspects {
        let product = of(&alone, &suspect.change).probability * weights[&suspect.change] / sum;
        assert!((suspect.probability - product).abs() < 1e-12, "{suspect:?}");
    }
    let order: Vec<&str> = both.suspects.iter().map(|suspect| suspect.change.as_str()).collect();
    assert_eq!(order, ["cart", "money", "tool", "notes"]);
    assert_eq!(of(&both, "notes").probability, 0.0);
    assert!(of(&both, "tool").probability > 0.0);
    assert_eq!(of(&alone, "notes").message, "has the test's \"total\" in its subject; touches no source file");
    let messages = [
        (
            "cart",
            "touches src/cart.py in //cart, which the test depends on; touches src/cart.py, which the test is named",
        ),
        ("money", "touches src/money.py, which the test depends on; touches 1 source file"),
        ("tool", "touches nothing that the test is known to depend on; has the test's"),
        ("notes", "cannot affect the test; has the test's"),
    ];
    for (id, message) in messages {
        assert!(of(&both, id).message.starts_with(message), "{}", of(&both, id).message);
    }
    // A build graph that knows none of the suspects changes nothing.
    assert_eq!(alone.clone().with_build_graph(&ranking, &BTreeMap::new()), alone);
}

/// Five commits in a line. The third one touches the cart.
fn reasoned() -> (CommitGraph, Prior) {
    let graph = CommitGraph::linear(["0", "1", "2", "3", "4"]).unwrap();
    let changes: Vec<Changelist> = (1..5)
        .map(|n: u32| change(&n.to_string(), "Step", &[(if n == 3 { "src/cart.py" } else { "notes.md" }, 4)]))
        .collect();
    let test = ["tests/test_cart.py"];
    (graph, rank_commits(&changes, &test).unwrap().prior().into())
}

#[test]
fn a_search_explains_why_it_tested_a_revision() {
    let (graph, prior) = reasoned();
    let mut config = RegressionConfig::new(["4"]).good(["0"]).no_test_endpoints();
    config.prior = Some(prior.clone());
    let mut search = RegressionSearch::new(graph.clone(), config).unwrap();
    let cart = "touches src/cart.py, which the test is named after; touches 1 source file, 4 lines";
    let why = search.inspect().why("3").unwrap();
    assert_eq!((why.message.as_str(), why.before, why.reasons.len()), (cart, None, 2));
    let before = search.inspect().why("2").unwrap();
    assert_eq!((before.message, before.before), (format!("right before 3, which {cart}"), Some("3".to_owned())));
    assert_eq!([search.inspect().why("0"), search.inspect().why("4"), search.inspect().why("x")], [None, None, None]);
    while !search.is_done() {
        for probe in search.ask(1).unwrap() {
            let outcome = if probe.revision() >= "3" { Outcome::Fail } else { Outcome::Pass };
            search.tell(probe.id, outcome.into()).unwrap();
        }
    }
    let report = search.report();
    assert_eq!(report.points[0].bad, "3");
    assert_eq!(report.why.keys().collect::<Vec<_>>(), ["2", "3"], "{:?}", report.why);
    // A search restored from a journal or a snapshot gives the same reasons.
    let world = std::sync::Arc::new(graph.clone());
    let again = firstbad::restore("regression", world, &search.inspect().snapshot().unwrap()).unwrap();
    assert_eq!(again.inspect().why("3"), search.inspect().why("3"));
    assert_eq!(again.inspect().report_json().unwrap(), search.inspect().report_json().unwrap());

    let config = CulpritConfig { prior: Some(prior), ..CulpritConfig::new("4", Rate::Known(0.05)).good(["0"]) };
    let flaky = CulpritSearch::new(graph, config).unwrap();
    assert_eq!(flaky.inspect().why("3").unwrap().message, cart);
}

#[test]
fn reasons_without_a_suspect_are_rejected_and_long_reasons_are_cut() {
    let (graph, prior) = reasoned();
    let mut given = serde_json::to_value(&prior).unwrap();
    given["reasons"]["nobody"] = serde_json::json!([]);
    let config = serde_json::json!({ "bad": ["4"], "good": ["0"], "prior": given });
    let refused = firstbad::open("regression", std::sync::Arc::new(graph), &config).err().unwrap();
    assert_eq!(refused.code(), "unknown_revision");
    let file = format!("src/{}/cart.py", "ä".repeat(5000));
    let changes = [change("a", &"cart ".repeat(500), &[(&file, 4)])];
    let ranking = rank_commits(&changes, &["tests/test_cart.py"]).unwrap();
    let message = &ranking.suspects[0].message;
    assert!(message.chars().count() < 300 && message.contains("/cart.py, which"), "{message}");
}

#[test]
fn the_test_is_read_from_the_command() {
    let tests = |command: &str| tests_of_command(&command.split(' ').map(str::to_owned).collect::<Vec<_>>());
    for (command, expected) in [
        ("python -m pytest -q tests/test_a.py tests/test_b.py", vec!["tests/test_a.py", "tests/test_b.py"]),
        ("pytest -k total tests/test_a.py", vec!["tests/test_a.py total"]),
        ("ctest -R cart", vec!["cart"]),
        ("cargo nextest run cart", vec!["cart"]),
        ("cargo test --release", vec![]),
        ("npm test", vec![]),
        ("tests/run.sh", vec![]),
        ("./check.sh --filter=cart", vec!["cart"]),
        ("pytest -k", vec![]),
    ] {
        assert_eq!(tests(command), expected, "{command}");
    }
    let shell = ["sh", "-c", "cd x && pytest 'tests/test_a.py::test_b'"].map(str::to_owned);
    assert_eq!(tests_of_command(&shell), ["tests/test_a.py::test_b"]);
}

/// Returns the number of probes until the culprit is found among `count` suspects in a line, and the culprit found.
fn questions(count: usize, culprit: usize, prior: Option<BTreeMap<String, f64>>) -> (usize, String) {
    let graph = CommitGraph::linear((0..=count).map(|n| n.to_string())).unwrap();
    let mut config = RegressionConfig::new([count.to_string()]).good(["0"]).no_test_endpoints();
    config.prior = prior.map(Into::into);
    let mut search = RegressionSearch::new(graph, config).unwrap();
    while !search.is_done() {
        for probe in search.ask(1).unwrap() {
            let fails = probe.revision().parse::<usize>().unwrap() >= culprit;
            search.tell(probe.id, if fails { Outcome::Fail } else { Outcome::Pass }.into()).unwrap();
        }
    }
    (search.runs() as usize, search.report().points[0].bad.clone())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn probabilities_are_a_distribution_with_a_floor(
        lines in proptest::collection::vec((0u64..100_000, 0usize..4, any::<bool>()), 1..30),
        named in any::<bool>(),
    ) {
        let files = ["src/cart.py", "README.md", "tests/test_cart.py", "src/a.c"];
        let changes: Vec<Changelist> = lines
            .iter()
            .enumerate()
            .map(|(number, &(lines, file, about))| {
                change(&number.to_string(), if about { "Total of carts" } else { "Else" }, &[(files[file], lines)])
            })
            .collect();
        let tests: &[&str] = if named { &["tests/test_cart.py::test_total"] } else { &[] };
        let prior = rank_commits(&changes, tests).unwrap().prior().weights;
        prop_assert_eq!(prior.len(), changes.len());
        prop_assert!((prior.values().sum::<f64>() - 1.0).abs() < 1e-9);
        let least = 0.5 / changes.len() as f64;
        prop_assert!(prior.values().all(|&weight| weight >= least * (1.0 - 1e-9)));
    }

    /// Any prior leads to the culprit. With a floor of half the probability, it costs only a few more probes.
    #[test]
    fn the_culprit_is_found_with_any_prior(
        weights in proptest::collection::vec(0.0f64..1.0, 2..80),
        culprit in 0usize..80,
        heavy in 0usize..80,
    ) {
        let count = weights.len();
        let culprit = 1 + culprit % count;
        let mut prior: BTreeMap<String, f64> =
            weights.iter().enumerate().map(|(at, &weight)| ((at + 1).to_string(), weight.powi(8))).collect();
        prior.insert((1 + heavy % count).to_string(), 1000.0);
        let (asked, found) = questions(count, culprit, Some(prior.clone()));
        prop_assert_eq!(found, culprit.to_string());
        prop_assert!(asked <= count);
        let sum: f64 = prior.values().sum();
        let shared = prior.iter().map(|(id, weight)| (id.clone(), 0.5 * weight / sum + 0.5 / count as f64)).collect();
        let (asked, found) = questions(count, culprit, Some(shared));
        prop_assert_eq!(found, culprit.to_string());
        prop_assert!(asked as f64 <= (count as f64).log2() + 1.0 + 3.0, "{} of {}", asked, count);
    }
}

/// `tests/vectors/generate_content.py` implements the formula a second time.
#[test]
fn content_rankings_match_the_vectors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/content.json");
    let vectors: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for case in vectors["rankings"].as_array().unwrap() {
        let changes: Vec<Changelist> = serde_json::from_value(case["changes"].clone()).unwrap();
        let tests: Vec<String> = serde_json::from_value(case["tests"].clone()).unwrap();
        let ranking = rank_commits(&changes, &tests).unwrap();
        for suspect in &ranking.suspects {
            let expected = case["probabilities"][&suspect.change].as_f64().unwrap();
            assert!((suspect.probability - expected).abs() < 1e-12, "{}: {suspect:?}, not {expected}", case["name"]);
        }
    }
}
