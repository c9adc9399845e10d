//! Priors from rankings, and factors of changes.

use std::collections::BTreeMap;

use firstbad::CommitGraph;
use firstbad::suspicion::{
    BuildGraph, BuildGraphBuilder, Changelist, Factor, FactorConfig, HistoryPrior, PriorBy, PriorOptions, RankOptions,
    Ranking, rank,
};
use proptest::prelude::*;

fn build() -> BuildGraph {
    let mut builder = BuildGraphBuilder::new();
    builder.target("test").file("test.py").dep("lib");
    builder.target("lib").file("lib.py").dep("base");
    builder.target("base").file("base.py");
    builder.target("docs").file("readme");
    builder.build().unwrap()
}

fn ranked(changes: &[(&str, &[&str])]) -> Ranking {
    let changes: Vec<Changelist> =
        changes.iter().map(|(id, files)| Changelist::new(*id, files.iter().copied())).collect();
    rank(&build(), &changes, &["test"], &RankOptions::default()).unwrap()
}

fn prior(ranking: &Ranking, graph: &CommitGraph, good: &[&str], options: &PriorOptions) -> HistoryPrior {
    let good: Vec<String> = good.iter().map(|&name| name.to_owned()).collect();
    ranking.prior_in(graph, &["e".to_owned()], &good, options).unwrap()
}

fn merge() -> CommitGraph {
    CommitGraph::new([
        ("a", vec![]),
        ("b", vec!["a"]),
        ("c", vec!["b"]),
        ("s", vec!["b"]),
        ("m", vec!["c", "s"]),
        ("e", vec!["m"]),
        ("x", vec!["b"]),
    ])
    .unwrap()
}

#[test]
fn every_suspect_has_a_weight_and_excluded_changes_have_none() {
    let ranking =
        ranked(&[("b", &["lib.py"]), ("c", &["lib.py"]), ("s", &["base.py"]), ("e", &["readme"]), ("x", &["lib.py"])]);
    let options = PriorOptions { by: PriorBy::Distance, floor: 0.0, ..PriorOptions::default() };
    let HistoryPrior { weights, warning } = prior(&ranking, &merge(), &["b"], &options);
    let weights = weights.unwrap();
    assert_eq!(warning, None);
    assert_eq!(weights.keys().collect::<Vec<_>>(), ["c", "e", "m", "s"], "neither good nor beside");
    assert_eq!(weights["e"], 0.0, "a document");
    assert!((weights["m"] - 0.02).abs() < 1e-12, "what passes on both sides may fail where they meet");
    assert!(weights["c"] > weights["s"] && weights["s"] > 0.4);
    assert!((weights.values().sum::<f64>() - 1.0).abs() < 1e-12);
    let one_sided = ranked(&[("b", &["lib.py"]), ("c", &["lib.py"]), ("s", &["readme"]), ("e", &["lib.py"])]);
    let weights = prior(&one_sided, &merge(), &["b"], &options).weights.unwrap();
    assert_eq!((weights["s"], weights["m"]), (0.0, 0.0), "a merge of nothing that matters");
    let older = prior(&one_sided, &merge(), &["c"], &options).weights.unwrap();
    assert_eq!(older["m"], 0.0, "what came with s does not matter");
    let newer = prior(&one_sided, &merge(), &["s"], &options).weights.unwrap();
    assert!((newer["m"] - 0.02).abs() < 1e-12, "c may matter, and nobody says what lies between c and s");
    let options = PriorOptions { exclude: false, floor: 0.2, ..options };
    let weights = prior(&ranking, &merge(), &["b"], &options).weights.unwrap();
    assert!((weights["m"] - 0.01).abs() < 1e-12 && weights["m"] == weights["e"], "{weights:?}");
    // Without good revisions, the roots are good.
    assert_eq!(prior(&ranking, &merge(), &[], &options).weights.unwrap().len(), 5);
}

#[test]
fn without_a_change_that_affects_the_test_the_prior_is_uniform_with_a_warning() {
    let options = PriorOptions::default();
    for exclude in [true, false] {
        let options = PriorOptions { exclude, ..options.clone() };
        let nobody = prior(&ranked(&[("c", &["readme"])]), &merge(), &["b"], &options);
        assert_eq!(nobody.weights, None);
        let warning = nobody.warning.unwrap();
        assert!(warning.starts_with("the change does not touch a file that test depends on"), "{warning}");
        assert!(warning.ends_with("The build graph cannot rank these revisions"), "{warning}");
    }
    let outside = prior(&ranked(&[("b", &["lib.py"])]), &merge(), &["b"], &options);
    assert!(outside.warning.unwrap().starts_with("no change between good and bad touches a file"), "only good did");
    assert!(prior(&ranked(&[]), &merge(), &["b"], &options).warning.unwrap().starts_with("there are no changes"));
}

#[test]
fn changes_may_have_any_name_of_their_revision() {
    let [a, b, c] = ["a", "b", "c"].map(|letter| letter.repeat(40));
    let graph = CommitGraph::linear([&a, &b, &c]).unwrap();
    let ranking = ranked(&[("bbbb", &["lib.py"]), ("ccccc", &["readme"])]);
    let bad = [c.clone()];
    let options = PriorOptions { factors: BTreeMap::from([("bbbb".to_owned(), 2.0)]), ..PriorOptions::default() };
    let weights = ranking.prior_in(&graph, &bad, &[], &options).unwrap().weights.unwrap();
    assert_eq!(weights, BTreeMap::from([(b, 1.0), (c, 0.0)]));

    let code = |changes: &[(&str, &[&str])]| ranked(changes).prior_in(&graph, &bad, &[], &options).unwrap_err();
    assert_eq!(code(&[("dddd", &["lib.py"])]).code(), "unknown_revision");
    let twice = code(&[("bbbb", &["lib.py"]), ("bbbbb", &["readme"])]).to_string();
    assert!(twice.starts_with("changes: \"bbbbb\" is not valid; expected each revision once"), "{twice}");
}

#[test]
fn factors_raise_and_lower_weights() {
    let ranking = ranked(&[("c", &["lib.py"]), ("s", &["lib.py"])]);
    let with = |factor: f64, floor: f64| {
        let factors = BTreeMap::from([("s".to_owned(), factor)]);
        let options = PriorOptions { floor, factors, unlikely: 0.0, ..PriorOptions::default() };
        prior(&ranking, &merge(), &["b"], &options).weights.unwrap()["s"]
    };
    assert!((with(1.0, 0.0) - 0.5).abs() < 1e-12 && (with(3.0, 0.0) - 0.75).abs() < 1e-12);
    assert_eq!(with(0.0, 0.0), 0.0);
    assert!((with(0.0, 0.1) - 0.05).abs() < 1e-12, "the floor leaves nobody out");
}

fn factor(config: FactorConfig, change: &Changelist) -> f64 {
    Factor::new(config).unwrap().of(change)
}

fn factors(given: &[(&str, f64)]) -> BTreeMap<String, f64> {
    given.iter().map(|&(name, factor)| (name.to_owned(), factor)).collect()
}

#[test]
fn factors_of_sizes_words_and_authors() {
    let change = Changelist {
        id: "c".into(),
        author: "Ada Lovelace".into(),
        email: "Ada@Example.org".into(),
        message: "Revert \"prefix\"\n\nThis reverts 1234; hot fix.".into(),
        added: 3,
        deleted: 4,
        ..Changelist::default()
    };
    let size = |strength| factor(FactorConfig::Size { strength }, &change);
    assert!((size(1.0) - (1.0 + 8f64.ln())).abs() < 1e-12);
    assert_eq!(size(0.0), 1.0);
    assert_eq!(factor(FactorConfig::Size { strength: 1.0 }, &Changelist::default()), 1.0);
    let words = |given: &[(&str, f64)]| factor(FactorConfig::Words { factors: factors(given) }, &change);
    assert_eq!(words(&[("revert", 2.0), ("FIX", 3.0), ("hot fix", 5.0), ("refactor", 7.0), ("pre", 11.0)]), 30.0);
    assert_eq!(words(&[]), 1.0);
    let authors = |given: &[(&str, f64)]| factor(FactorConfig::Authors { factors: factors(given) }, &change);
    assert_eq!(authors(&[("ada lovelace", 2.0)]), 2.0);
    assert_eq!(authors(&[("ada lovelace", 2.0), ("ada@example.ORG", 0.5)]), 0.5);
    assert_eq!(authors(&[("Ada", 2.0)]), 1.0);
    for (name, bad) in [
        ("words[\"fix\"]: -1.0", FactorConfig::Words { factors: factors(&[("fix", -1.0)]) }),
        ("authors[\"a\"]: NaN", FactorConfig::Authors { factors: factors(&[("a", f64::NAN)]) }),
        ("strength: inf", FactorConfig::Size { strength: f64::INFINITY }),
        ("words: \"!\"", FactorConfig::Words { factors: factors(&[("!", 1.0)]) }),
    ] {
        let error = Factor::new(bad).unwrap_err().to_string();
        assert!(error.starts_with(name), "{error}");
    }
}

#[test]
fn traces_of_several_languages_are_parsed() {
    let text = concat!(
        "  File \"/ci/build/src/shop/till.py\", line 12, in pay\n",
        "\tat com.example.Basket.add(Basket.java:7)\n",
        "    at price (C:\\ci\\web\\src\\price.ts:30:5)\n",
        "thread 'main' panicked at src/main.rs:99:10:\n",
        "FAILED tests/test_till.py::test_pay - AssertionError: e.g. no.\n",
        "error: Makefile: nothing\n",
    );
    let with = |files: &[&str], lines: &[(&str, u64, u64)]| {
        let change = Changelist {
            files: files.iter().map(|&file| file.to_owned()).collect(),
            lines: lines.iter().map(|&(file, first, last)| (file.to_owned(), vec![(first, last)])).collect(),
            ..Changelist::default()
        };
        factor(FactorConfig::Trace { text: text.into(), file: 4.0, line: 16.0 }, &change)
    };
    for file in
        ["src/shop/till.py", "java/com/example/Basket.java", "src/price.ts", "src/main.rs", "tests/test_till.py"]
    {
        assert_eq!(with(&[file], &[]), 4.0, "{file}");
    }
    for file in ["src/other/till.py", "price.js", "Makefile", "lib/main.rs", "g"] {
        assert_eq!(with(&[file], &[]), 1.0, "{file}");
    }
    assert_eq!(with(&["readme", "src/main.rs"], &[("src/main.rs", 90, 95)]), 4.0);
    for (first, last) in [(96, 96), (1, 200), (102, 110)] {
        assert_eq!(with(&["readme", "src/main.rs"], &[("src/main.rs", first, last)]), 16.0);
    }
    assert_eq!(with(&["src/main.rs"], &[("src/main.rs", 103, 110)]), 4.0);
    assert_eq!(with(&["src/shop/till.py"], &[("src/shop/till.py", 12, 12)]), 16.0);
    assert_eq!(with(&["src/price.ts"], &[("src/price.ts", 30, 30)]), 16.0);
    assert_eq!(with(&["src/price.ts"], &[("src/price.ts", 5, 5)]), 4.0, "a column is no line");
}

proptest! {
    #[test]
    fn priors_are_distributions_over_the_suspects(
        files in proptest::collection::vec(proptest::sample::select(vec!["test.py", "lib.py", "base.py", "readme", "none"]), 1..8),
        sharpness in 0.0f64..4.0, floor in 0.0f64..1.0, exclude in any::<bool>(), lifted in 0.0f64..5.0,
    ) {
        let ids: Vec<String> = (0..=files.len()).map(|number| format!("r{number}")).collect();
        let graph = CommitGraph::linear(&ids).unwrap();
        let changes: Vec<Changelist> = ids[1..].iter().zip(&files).map(|(id, file)| Changelist::new(id, [*file])).collect();
        let ranking = rank(&build(), &changes, &["test"], &RankOptions::default()).unwrap();
        let factors = BTreeMap::from([(ids[1].clone(), lifted)]);
        let options = PriorOptions { sharpness, floor, exclude, factors, by: PriorBy::Distance, ..PriorOptions::default() };
        let found = ranking.prior_in(&graph, &ids[files.len()..], &ids[..1], &options).unwrap();
        match found.weights {
            None => prop_assert!(ranking.suspects.is_empty() && found.warning.is_some()),
            Some(weights) => {
                prop_assert_eq!(weights.len(), files.len());
                prop_assert!((weights.values().sum::<f64>() - 1.0).abs() < 1e-9);
                for (id, file) in ids[1..].iter().zip(&files) {
                    let affects = !matches!(*file, "readme" | "none");
                    prop_assert!(weights[id] >= 0.0);
                    prop_assert!(*file != "readme" || !exclude || weights[id] == 0.0);
                    prop_assert!(*file != "none" || weights[id] > 0.0, "no graph has seen it");
                    prop_assert!(!affects || floor == 0.0 || weights[id] > 0.0);
                }
            }
        }
    }

    #[test]
    fn any_text_can_be_parsed_as_a_trace(text in ".{0,200}", file in ".{0,20}") {
        let change = Changelist { files: vec![file], ..Changelist::default() };
        let found = factor(FactorConfig::Trace { text, file: 4.0, line: 16.0 }, &change);
        prop_assert!(found == 1.0 || found == 4.0);
    }
}
