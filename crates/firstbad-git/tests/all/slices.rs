//! Parts of a history: their trees, conflicts, and commits.

use std::collections::BTreeMap;

use crate::common::{Repo, git, snapshot};
use firstbad::reduction::Need;
use firstbad::{ChangeSet, Error, Observation, Outcome, SliceGranularity, SlicedHistory, Stage};
use firstbad_git::{Carried, DependencyKind, Slices, Trial};
use serde_json::json;

/// Places that are far enough apart to change independently.
const PLACES: [&str; 5] = ["zero", "one", "two", "three", "four"];

fn app(changed: &[(usize, &str)]) -> String {
    let mut text = String::new();
    for (place, name) in PLACES.iter().enumerate() {
        let now = changed.iter().rev().find(|(at, _)| *at == place).map_or(*name, |(_, now)| now);
        text.push_str(&format!("before {name}\nright before {name}\n{now}\nright after {name}\nafter {name}\n"));
    }
    text
}

/// A history in which the second commit edits a line of the first, and all commits add to a list at the top.
struct History {
    repo: Repo,
    base: String,
    commits: Vec<String>,
}

fn history() -> History {
    let repo = Repo::new();
    repo.write("src/app", &app(&[]));
    repo.write("NEWS", "the news\n");
    let base = repo.commit("base");
    let steps = [(0, "ZERO"), (0, "ZERO again"), (2, "TWO"), (3, "THREE")];
    let mut commits = Vec::new();
    for number in 0..steps.len() {
        repo.write("src/app", &app(&steps[..=number]));
        let news: String = (0..=number).rev().map(|number| format!("step {number}\n")).collect();
        repo.write("NEWS", &format!("{news}the news\n"));
        commits.push(repo.commit(&format!("step {number}\n\nWhy: it's \"needed\".")));
    }
    repo.write("tests/t", "newest\n");
    commits.push(repo.commit("a test"));
    repo.write("docs/d", "words\n");
    commits.push(repo.commit("docs"));
    History { repo, base, commits }
}

impl History {
    fn options(&self) -> SlicedHistory {
        SlicedHistory { base: self.base.clone(), tip: "main".into(), ..SlicedHistory::default() }
    }

    fn open(&self, options: &SlicedHistory) -> Result<Slices, Error> {
        Slices::open(&self.repo.open(), options, Some(&self.repo.temp.join("sli:ces \"of\"")))
    }

    fn within(&self, paths: &[&str], tests: &[&str]) -> Slices {
        let named = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let options = SlicedHistory { paths: named(paths), tests: named(tests), ..self.options() };
        self.open(&options).unwrap()
    }

    fn refused(&self, options: &SlicedHistory) -> String {
        self.open(options).unwrap_err().to_string()
    }
}

fn set(changes: &[usize]) -> ChangeSet {
    changes.iter().copied().collect()
}

fn run(slices: &Slices, changes: &[usize]) -> Carried {
    match slices.trial(&set(changes).into()).unwrap() {
        Trial::Run(carried) => carried,
        Trial::Answered(seen) => panic!("{seen:?}"),
    }
}

fn answered(slices: &Slices, changes: &[usize]) -> Observation {
    match slices.trial(&set(changes).into()).unwrap() {
        Trial::Answered(seen) => *seen,
        Trial::Run(carried) => panic!("{carried:?}"),
    }
}

/// Returns the files of the base with a patch, as Git applies it.
fn files(history: &History, carried: &Carried) -> BTreeMap<String, String> {
    let Repo { temp, path } = &history.repo;
    let tree = temp.join("applied");
    let _ = std::fs::remove_dir_all(&tree);
    std::fs::create_dir(&tree).unwrap();
    git(
        &tree,
        &[
            "--git-dir",
            &path.join(".git").display().to_string(),
            "--work-tree",
            ".",
            "checkout",
            "-q",
            "-f",
            &history.base,
            "--",
            ".",
        ],
        "",
    );
    if !carried.patch.is_empty() {
        git(&tree, &["apply", "-"], &String::from_utf8(carried.patch.clone()).unwrap());
    }
    let all = snapshot(&tree).into_iter().filter(|(path, _)| path.is_file());
    all.map(|(path, (_, content))| {
        let name = path.strip_prefix(&tree).unwrap().display().to_string();
        (name, String::from_utf8(content).unwrap())
    })
    .collect()
}

#[test]
fn a_set_of_changes_is_the_base_with_only_these_changes() {
    let history = history();
    let slices = history.within(&["src", "docs"], &[]);
    let names: Vec<String> = slices.changes().iter().map(|change| change.name()).collect();
    // A commit that changes none of the paths is not a change.
    let counted = [&history.commits[..4], &history.commits[5..]].concat();
    assert_eq!(names, counted);
    assert_eq!((&*slices.history().base, &*slices.history().tip), (&*history.base, &**history.commits.last().unwrap()));
    let found = files(&history, &run(&slices, &[0, 2]));
    assert_eq!(found["src/app"], app(&[(0, "ZERO"), (2, "TWO")]));
    assert_eq!((found["NEWS"].as_str(), found.contains_key("docs/d")), ("the news\n", false));
    let found = files(&history, &run(&slices, &[3, 4]));
    assert_eq!((found["src/app"].as_str(), found["docs/d"].as_str()), (&*app(&[(3, "THREE")]), "words\n"));
    assert!(run(&slices, &[]).patch.is_empty());
    assert_eq!(
        files(&history, &run(&slices, &[0, 1, 2, 3, 4]))["src/app"],
        app(&[(0, "ZERO again"), (2, "TWO"), (3, "THREE")])
    );
}

#[test]
fn a_merge_conflict_is_an_outcome_without_a_run() {
    let history = history();
    let slices = history.within(&["src"], &[]);
    let seen = answered(&slices, &[1, 3]);
    assert_eq!((seen.outcome, seen.stage, seen.ran), (Outcome::Unresolved, Some(Stage::Patch), false));
    assert_eq!(seen.signals, Some(json!({ "conflict": 1 })));
    let note = seen.note.unwrap();
    assert!(note.starts_with(&history.commits[1]) && note.contains("src/app"), "{note}");
    assert_eq!(slices.dependencies(DependencyKind::Hunks).unwrap(), BTreeMap::from([(1, vec![Need::Item(0)])]));
    // A list that every commit adds to makes the commits conflict if its path is selected.
    let all = history.within(&[], &[]);
    assert_eq!(answered(&all, &[2]).signals, Some(json!({ "conflict": 2 })));
    // The hunks do not show this dependency, because each adds a line and edits none.
    assert_eq!(all.dependencies(DependencyKind::Hunks).unwrap(), BTreeMap::from([(1, vec![Need::Item(0)])]));
}

#[test]
fn tests_are_in_every_tree_and_are_not_a_change() {
    let history = history();
    let slices = history.within(&[], &["tests", "NEWS"]);
    assert_eq!(slices.changes().len(), 5);
    for changes in [&[][..], &[0], &[2, 4]] {
        let found = files(&history, &run(&slices, changes));
        assert_eq!((found["tests/t"].as_str(), found["NEWS"].lines().count()), ("newest\n", 5));
    }
}

#[test]
fn equal_files_are_tested_once() {
    let history = history();
    history.repo.write("src/app", &app(&[(0, "ZERO again"), (2, "TWO"), (3, "THREE"), (4, "FOUR")]));
    history.repo.commit("four");
    history.repo.git(&["revert", "--no-edit", "HEAD"]);
    let slices = history.within(&["src"], &[]);
    let carried = run(&slices, &[0]);
    let seen =
        slices.seen(&carried, Observation { signals: Some(json!({"facts": []})), ..Observation::new(Outcome::Pass) });
    assert_eq!(seen.signals, Some(json!({"facts": [], "tree": carried.tree})));
    // A change and its revert give the same files.
    let again = answered(&slices, &[0, 4, 5]);
    assert_eq!((again.outcome, again.ran), (Outcome::Pass, false));
    assert!(matches!(slices.trial(&set(&[0, 4]).into()), Ok(Trial::Run(_))));
}

#[test]
fn a_merge_is_one_change_and_can_be_split() {
    let repo = Repo::new();
    repo.write("a", &app(&[]));
    repo.write("b", "b\n");
    let base = repo.commit("base");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("a", &app(&[(0, "ZERO"), (4, "FOUR")]));
    repo.commit("side 1");
    repo.write("b", "B\n");
    repo.commit("side 2");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("c", "c\n");
    let own = repo.commit("own");
    repo.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    let merge = repo.sha("main");
    let history = History { repo, base, commits: vec![own.clone(), merge.clone()] };
    let open = |granularity| history.open(&SlicedHistory { granularity, ..history.options() }).unwrap();
    let names = |slices: &Slices| slices.changes().iter().map(|change| change.name()).collect::<Vec<_>>();
    assert_eq!(names(&open(SliceGranularity::Commit)), [own.clone(), merge.clone()]);
    let parts = open(SliceGranularity::File);
    assert_eq!(names(&parts), [format!("{own}:c"), format!("{merge}:a"), format!("{merge}:b")]);
    let found = files(&history, &run(&parts, &[2]));
    assert_eq!((found["a"].as_str(), found["b"].as_str()), (&*app(&[]), "B\n"));
    let hunks = open(SliceGranularity::Hunk);
    assert_eq!(names(&hunks)[2..4], [format!("{merge}:a#0"), format!("{merge}:a#1")]);
    assert_eq!(files(&history, &run(&hunks, &[3]))["a"], app(&[(4, "FOUR")]));
    // The parts of a commit become one commit again.
    let made = hunks.commits(&set(&[2, 4])).unwrap();
    assert_eq!(made.iter().map(|commit| &commit.of).collect::<Vec<_>>(), [&merge]);
}

#[test]
fn a_commit_that_only_deletes_a_file_can_be_split() {
    let repo = Repo::new();
    repo.write("a.py", "def one():\n    return 1\n\ndef two():\n    return 2\n");
    repo.write("b", "b\n");
    let base = repo.commit("base");
    repo.git(&["rm", "-q", "a.py"]);
    let deleted = repo.commit("deleted");
    repo.write("b", "B\n");
    let commits = vec![deleted.clone(), repo.commit("b")];
    let history = History { repo, base, commits };
    let parts = [(SliceGranularity::Hunk, vec!["#0"]), (SliceGranularity::Definition, vec!["#one", "#two"])];
    for (granularity, lines) in parts {
        let slices = history.open(&SlicedHistory { granularity, ..history.options() }).unwrap();
        let mut expected: Vec<String> = lines.iter().map(|part| format!("{deleted}:a.py{part}")).collect();
        expected.push(format!("{deleted}:a.py"));
        let names: Vec<String> = slices.changes().iter().map(|change| change.name()).collect();
        assert_eq!(names[..names.len() - 1], expected);
        let count = lines.len();
        let all: Vec<usize> = (0..count).collect();
        assert_eq!(files(&history, &run(&slices, &all))["a.py"], "", "emptied, and there");
        assert!(!files(&history, &run(&slices, &(0..=count).collect::<Vec<_>>())).contains_key("a.py"));
        // The deletion needs all removals.
        assert_eq!(answered(&slices, &[count]).outcome, Outcome::Unresolved);
    }
}

#[test]
fn too_many_changes_are_rejected_before_building_trees() {
    let repo = Repo::new();
    let lines = |changed: bool| -> String {
        let line =
            |number: u32| if changed && number % 8 == 4 { "changed\n".to_owned() } else { format!("{number}\n") };
        (0..8 * 16_400).map(line).collect()
    };
    repo.write("a", &lines(false));
    let base = repo.commit("base");
    repo.write("a", &lines(true));
    let commits = vec![repo.commit("all of it")];
    let history = History { repo, base, commits };
    let error = history.refused(&SlicedHistory { granularity: SliceGranularity::Hunk, ..history.options() });
    assert!(error.contains("granularity: \"hunk\"") && error.contains("more than 16384 changes"), "{error}");
}

#[test]
fn a_slice_becomes_patches_or_a_branch() {
    let history = history();
    let slices = history.within(&["src"], &["tests"]);
    let before = history.repo.git(&["for-each-ref"]);
    let kept = set(&[0, 1, 3]);
    let made = slices.commits(&kept).unwrap();
    assert_eq!(
        made.iter().map(|commit| commit.of.clone()).collect::<Vec<_>>(),
        [0, 1, 3].map(|at| history.commits[at].clone())
    );
    assert_eq!(history.repo.git(&["for-each-ref"]), before);
    let tip = slices.create_branch("slice/one", &kept).unwrap();
    assert_eq!(Some(&tip), made.last().map(|commit| &commit.made));
    let shown = history.repo.git(&["log", "--format=%an %cn %ct %s|%b", "slice/one", &format!("^{}", history.base)]);
    let line = |number| format!("A C 1000000000 step {number}|Why: it's \"needed\".\n");
    assert_eq!(shown, [3, 1, 0].map(line).join("\n").trim_end());
    assert_eq!(history.repo.git(&["show", "slice/one:src/app"]), app(&[(0, "ZERO again"), (3, "THREE")]).trim_end());
    // The tests and other paths stay as at the base.
    assert_eq!(history.repo.git(&["ls-tree", "-r", "--name-only", "slice/one"]), "NEWS\nsrc/app");
    history.repo.git(&["fsck", "--strict"]);
    // `git am` gives the same files from the patches.
    history.repo.git(&["checkout", "-q", "-b", "mailed", &history.base]);
    for commit in &made {
        git(&history.repo.path, &["am", "-q"], &String::from_utf8(commit.patch.clone()).unwrap());
    }
    assert_eq!(history.repo.git(&["diff", "mailed", "slice/one"]), "");
    for (name, words) in [("slice/one", "a new branch"), ("-x", "a valid branch name"), ("a..b", "a valid branch name")]
    {
        let error = slices.create_branch(name, &kept).unwrap_err();
        assert!(matches!(&error, Error::InvalidArgument { argument, .. } if argument == "name"), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    assert!(matches!(slices.commits(&set(&[1])), Err(Error::PatchConflict { .. })));
    assert_eq!(slices.create_branch("none", &set(&[])).unwrap(), history.base);
}

#[test]
fn patch_files_have_the_names_that_git_gives_them() {
    let repo = Repo::new();
    repo.write("file", "0\n");
    let base = repo.commit("base");
    let long = "a subject that is much longer than the name of a file is to be, and goes on";
    let subjects =
        ["../../etc/passwd", "..a ..b...c. .d", "-- \"$(rm)\"; -", "\u{fc}ber \u{1f600} alles...", "a\tb_c", long];
    for (number, subject) in subjects.iter().enumerate() {
        repo.write("file", &format!("{}\n", number + 1));
        repo.commit(&format!("{subject}\n\nand more"));
    }
    let history = History { repo, base, commits: Vec::new() };
    let made = history.open(&history.options()).unwrap().commits(&(0..subjects.len()).collect()).unwrap();
    let files = history.repo.git(&["format-patch", "-q", "-o", "../patches", &history.base]);
    assert_eq!(files, "");
    let mut files: Vec<String> = std::fs::read_dir(history.repo.path.join("../patches"))
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(made.into_iter().map(|commit| commit.name).collect::<Vec<_>>(), files);
}

#[test]
fn invalid_histories_are_rejected() {
    let history = history();
    history.repo.git(&["checkout", "-q", "-b", "side", &history.base]);
    history.repo.write("x", "x\n");
    let side = history.repo.commit("side");
    history.repo.git(&["checkout", "-q", "main"]);
    let with = |change: &dyn Fn(&mut SlicedHistory)| {
        let mut options = history.options();
        change(&mut options);
        history.refused(&options)
    };
    let cases = [
        (with(&|options| options.base = side.clone()), "base: ", "expected an ancestor of \"main\""),
        (with(&|options| options.base = "main".into()), "base: ", "expected an ancestor of \"main\", older than it"),
        (with(&|options| options.base = "nowhere".into()), "", "nowhere"),
        (with(&|options| options.tip = "nowhere".into()), "", "nowhere"),
        (with(&|options| options.paths = vec!["nothing".into()]), "paths: ", "that change between"),
        (with(&|options| options.paths = vec!["../x".into()]), "paths: ", "from the top of the repository"),
        (with(&|options| options.tests = vec!["nothing".into()]), "tests: ", "expected a file or folder in "),
        (
            Slices::open(&history.repo.open(), &history.options(), Some(&history.repo.path.join("in")))
                .unwrap_err()
                .to_string(),
            "folder: ",
            "outside the repository",
        ),
    ];
    for (error, argument, words) in cases {
        assert!(error.contains(argument) && error.contains(words), "{error}");
    }
    history.repo.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    let error = with(&|options| options.base = side.clone());
    assert!(error.contains("among the first parents") && error.contains(&history.base), "{error}");
    let slices = history.within(&["src"], &[]);
    assert!(slices.tree(&set(&[99])).unwrap_err().to_string().contains("an index below 4"));
    assert!(slices.trial(&"main".into()).is_err());
    let error = slices.search(&json!({ "dependencies": "some" })).err().unwrap().to_string();
    assert!(
        error.starts_with("dependencies: \"some\" is not valid; expected \"auto\", \"hunks\", \"syntax\", \"none\""),
        "{error}"
    );
}

#[test]
fn slices_leave_no_files_and_do_not_change_the_repository() {
    let history = history();
    let before = snapshot(&history.repo.path);
    let slices = history.within(&["src"], &["tests"]);
    run(&slices, &[0, 3]);
    answered(&slices, &[1]);
    slices.commits(&set(&[0, 3])).unwrap();
    slices.close().unwrap();
    assert_eq!(snapshot(&history.repo.path), before);
    let left = snapshot(&history.repo.temp.join("sli:ces \"of\""));
    assert!(left.keys().all(|path| !path.ends_with("objects")), "{left:?}");
}
