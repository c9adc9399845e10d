//! Variants that do not parse do not run.

use super::*;

/// Returns a program in several files before and after a change. Most single lines of the change do not parse.
fn with_program(base: &str, change: &str) -> (Repo, String, String) {
    let repo = Repo::new();
    for path in ["a.py", "a.txt"] {
        repo.write(path, base);
    }
    let base = repo.commit("base");
    for path in ["a.py", "a.txt", "new.py"] {
        repo.write(path, change);
    }
    let change = repo.commit("change");
    (repo, base, change)
}

/// Returns the changes of the file with this name.
fn changes_of(patch: &Patch, path: &str) -> Vec<usize> {
    patch.files().find(|file| file.new_path() == Some(path.as_bytes())).unwrap().changes().collect()
}

#[test]
fn a_variant_that_does_not_parse_does_not_run() {
    let (repo, base, change) = with_program("x = 1\n", "x = 1\ny = (\n    2\n)\n");
    let mut scene = Scene::of(&repo);
    let id = scene.read(&*base, &*change);
    let patch = scene.patch(id);
    for (path, broken) in [("a.py", true), ("a.txt", false), ("new.py", true)] {
        let changes = changes_of(&patch, path);
        let of_file = |changes: &[usize]| scene.known(&on(&base, changes.iter().copied(), id));
        assert_eq!(of_file(&changes), None, "{path}");
        let Some(seen) = of_file(&changes[..changes.len() - 1]) else {
            assert!(!broken, "{path}");
            continue;
        };
        assert_eq!(
            (broken, seen.outcome, seen.stage, seen.ran),
            (true, Outcome::Unresolved, Some(Stage::Parse), false)
        );
        assert_eq!(seen.note, Some(format!("not run: {path:?} does not parse as Python")));
        let signals = seen.signals.unwrap();
        assert!(signals["tree"].is_string() && signals["carried"] == "exact", "{signals}");
    }
    // Without the option, the variant must run.
    let unparsed = Variants::new(&repo.open(), VariantsOptions::default()).unwrap();
    let part = on(&base, changes_of(&patch, "a.py").into_iter().skip(1), id);
    assert!(scene.known(&part).is_some());
    assert!(matches!(unparsed.trial(&part, &|id| scene.universe(id)), Ok(Trial::Run(_))));
    // The same on top of other changes.
    let changes = changes_of(&patch, "a.py");
    let from = on(&base, changes_of(&patch, "a.txt"), id);
    let above = scene.read(from, &*change);
    let count = scene.patch(above).len();
    assert!(scene.known(&on(&base, 0..changes.len() - 1, above)).is_some() && count > changes.len());
}

#[test]
fn a_variant_runs_if_one_end_does_not_parse() {
    for (base, change) in [("x = (\n", "x = (\ny = [\n2\n]\n"), ("x = 1\n", "x = 1\ny = (\n    2\n")] {
        let (repo, base, change) = with_program(base, change);
        let mut scene = Scene::of(&repo);
        let id = scene.read(&*base, &*change);
        let changes = changes_of(&scene.patch(id), "a.py");
        for count in 1..=changes.len() {
            assert_eq!(scene.known(&on(&base, changes[..count].iter().copied(), id)), None, "{count} of {change}");
        }
    }
}

#[test]
fn a_variant_on_another_revision_runs() {
    let (repo, base, change) = with_program("x = 1\n", "x = 1\ny = (\n    2\n)\n");
    repo.write("other", "");
    let other = repo.commit("other");
    repo.git(&["checkout", "-q", &base]);
    repo.write("other", "");
    let beside = repo.commit("beside");
    let mut scene = Scene::of(&repo);
    let id = scene.read(&*base, &*change);
    let changes = changes_of(&scene.patch(id), "a.py");
    let part = &changes[..changes.len() - 1];
    assert_eq!(scene.known(&on(&beside, part.iter().copied(), id)), None);
    assert_eq!(scene.known(&Target::from(&*other)), None);
}
