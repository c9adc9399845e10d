//! Culprits that a history names, and what they teach.

use crate::common::Repo;
use firstbad::suspicion::{ContentWeights, NamedBy, PastOutcomes};
use firstbad_git::{Past, PastCulprit};

const DEFAULT: ContentWeights = ContentWeights::DEFAULT;

/// Thirty commits in which the settings are at fault again and again, and the messages say so. The culprits, oldest first.
fn shop() -> (Repo, Vec<String>) {
    let repo = Repo::new();
    let mut culprits = Vec::new();
    repo.write("src/cart.py", "0\n");
    repo.commit("Begin");
    for number in 0..30 {
        match number % 6 {
            2 => {
                repo.write("setup.cfg", &format!("{number}\n"));
                culprits.push(repo.commit("Settings"));
            }
            5 => {
                repo.write("tests/test_cart.py", &format!("{number}\n"));
                repo.write("src/fix.py", &format!("{number}\n"));
                let culprit = culprits.last().unwrap();
                repo.commit(&match number {
                    5 => format!("Repair\n\nThis reverts commit {culprit}."),
                    11 => format!("Repair\n\nA regression in {} (Settings)", &culprit[..9]),
                    _ => format!("Repair\n\nFixes: {} (\"Settings\")", &culprit[..12]),
                });
            }
            _ => {
                repo.write("src/cart.py", &format!("{number}\n"));
                repo.commit("Carts");
            }
        }
    }
    (repo, culprits)
}

#[test]
fn a_history_names_its_culprits() {
    let (repo, culprits) = shop();
    let blamed = repo.open().blamed("HEAD").unwrap();
    let found: Vec<(&str, NamedBy, usize)> =
        blamed.iter().map(|one| (one.culprit.as_str(), one.by, one.apart)).rev().collect();
    let by = [NamedBy::Revert, NamedBy::Regression, NamedBy::Fixes, NamedBy::Fixes, NamedBy::Fixes];
    let expected: Vec<(&str, NamedBy, usize)> =
        culprits.iter().zip(by).map(|(culprit, by)| (culprit.as_str(), by, 3)).collect();
    assert_eq!(found, expected);
    repo.git(&["checkout", "-q", "-b", "side", "HEAD~2"]);
    repo.write("side", "");
    repo.commit("Side");
    repo.git(&["checkout", "-q", "-"]);
    repo.git(&["merge", "-q", "--no-edit", "side"]);
    let merge = repo.git(&["rev-parse", "HEAD"]);
    repo.write("side", "1");
    repo.commit(&format!("Take it back\n\nThis reverts commit {}.", merge.trim()));
    assert_eq!(repo.open().blamed("HEAD").unwrap().len(), blamed.len(), "what a merge brought is its branch's");
    assert_eq!(repo.open().blamed("nobody").unwrap_err().code(), "unknown_revision");
}

fn told_of(culprits: &[PastCulprit]) -> Past {
    Past { culprits: Some(culprits.to_vec()), ..Past::default() }
}

#[test]
fn what_its_culprits_touch_is_learned() {
    let (repo, culprits) = shop();
    let fit = repo.open().fit(&Past::default(), &DEFAULT).unwrap();
    assert_eq!((fit.used, fit.with_test, fit.left_out), (5, 5, 0));
    assert!(fit.weights.source < DEFAULT.source && fit.bits > fit.bits_before, "{fit:?}");
    // Commits are taken back for many reasons: a revert that changes no test says nothing of failing ones.
    repo.write("src/cart.py", "other\n");
    repo.commit(&format!("Take it back\n\nThis reverts commit {}.", repo.git(&["rev-parse", "HEAD~1"]).trim()));
    let fit = repo.open().fit(&Past::default(), &DEFAULT).unwrap();
    assert_eq!((fit.used, fit.with_test, fit.left_out), (5, 5, 1));
    let mut known: Vec<PastCulprit> = culprits
        .iter()
        .map(|culprit| PastCulprit {
            culprit: culprit.clone(),
            good: vec!["HEAD~29".to_owned()],
            bad: "HEAD".to_owned(),
            test: vec!["tests/test_cart.py".to_owned()],
        })
        .collect();
    let told = repo.open().fit(&told_of(&known), &DEFAULT).unwrap();
    assert_eq!((told.used, told.with_test), (5, 5));
    assert!(told.weights.source < DEFAULT.source, "{told:?}");
    // Whoever is not in the range, or alone in it, teaches nothing.
    known[0].good = vec![culprits[1].clone()];
    known[1].bad.clone_from(&culprits[1]);
    known[1].good = vec![format!("{}^", culprits[1])];
    let fewer = repo.open().fit(&told_of(&known), &DEFAULT).unwrap();
    assert_eq!((fewer.used, fewer.left_out), (3, 2));
    assert!(fewer.message.contains("3 culprits, 3 with a test, 2 left out: "), "{}", fewer.message);
    known[2].bad = "nobody".to_owned();
    assert!(repo.open().fit(&told_of(&known), &DEFAULT).unwrap_err().to_string().contains("bad"));
}

/// The settings are at fault where runs saw it, by the ids of revisions or of their trees.
#[test]
fn outcomes_that_were_kept_name_culprits_too() {
    let (repo, culprits) = shop();
    let seen = |name: fn(&Repo, &str) -> String| -> Vec<(String, bool)> {
        let of = |culprit: &String| {
            [("^", true), ("^^", true), ("", false)]
                .map(|(before, passes)| (name(&repo, &format!("{culprit}{before}")), passes))
        };
        culprits.iter().flat_map(of).collect()
    };
    let sha = |repo: &Repo, revision: &str| repo.sha(revision);
    let tree =
        |repo: &Repo, revision: &str| repo.git(&["rev-parse", &format!("{revision}^{{tree}}")]).trim().to_owned();
    let by = |test: &str, outcomes: Vec<(String, bool)>| {
        let outcomes = vec![PastOutcomes { test: test.to_owned(), outcomes }];
        repo.open().fit(&Past { culprits: Some(Vec::new()), outcomes, ..Past::default() }, &DEFAULT).unwrap()
    };
    for name in [sha, tree] {
        let fit = by("pytest tests/test_cart.py", seen(name));
        assert_eq!((fit.used, fit.with_test, fit.left_out), (5, 5, 0));
        assert!(fit.weights.source < DEFAULT.source && fit.bits > fit.bits_before, "{fit:?}");
        assert_eq!(fit.weights.floor, DEFAULT.floor);
    }
    for (test, with_test) in [
        (r#"{"command": ["pytest", "-x", "tests/test_cart.py::test_total"], "build": null}"#, 5),
        ("tests/test_cart.py::test_total", 5),
        ("make test", 0),
        (r#"{"command": 3}"#, 0),
    ] {
        assert_eq!(by(test, seen(sha)).with_test, with_test, "{test}");
    }
    // Each counts once, whoever names it; what was seen of no revision of this history says nothing.
    let outcomes = ["pytest a_test.py", "pytest b_test.py"]
        .map(|test| PastOutcomes { test: test.to_owned(), outcomes: seen(sha)[..6].to_vec() });
    let both = Past { outcomes: outcomes.to_vec(), ..Past::default() };
    assert_eq!(repo.open().fit(&both, &DEFAULT).unwrap().used, 5);
    assert_eq!(by("pytest", vec![("0".repeat(40), true), ("f".repeat(40), false)]).used, 0);
    let nobody = Past { tip: "nobody".to_owned(), ..both };
    assert_eq!(repo.open().fit(&nobody, &DEFAULT).unwrap_err().code(), "unknown_revision");
}
