//! Variants of random histories, compared with the results of Git.

use std::collections::BTreeMap;

use crate::common::{Repo, git, snapshot};
use firstbad::{ChangeSet, Content, Error, Patch, Request, Target};
use firstbad_git::{Variants, VariantsOptions, Way};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// What one commit does to one file.
#[derive(Debug, Clone)]
enum Step {
    Replace(usize),
    Insert(usize),
    Remove(usize),
    Rename(usize),
    Delete,
}

fn step() -> impl Strategy<Value = (usize, Step)> {
    let kind = prop_oneof![
        4 => (0..12usize).prop_map(Step::Replace),
        4 => (0..12usize).prop_map(Step::Insert),
        3 => (0..12usize).prop_map(Step::Remove),
        1 => (0..3usize).prop_map(Step::Rename),
        1 => Just(Step::Delete),
    ];
    (0..3usize, kind)
}

/// Creates a history in which no two lines are equal.
fn made(repo: &Repo, commits: &[Vec<(usize, Step)>]) -> Vec<String> {
    let mut written = 0;
    let mut line = || {
        written += 1;
        format!("line {written}\n")
    };
    let names = ["a", "b b", "c/ü"];
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut shas = Vec::new();
    for steps in [vec![]].iter().chain(commits) {
        if shas.is_empty() {
            files.extend(names.map(|name| (name.to_owned(), (0..10).map(|_| line()).collect())));
        }
        for (file, step) in steps {
            let name = names[*file].to_owned();
            match step {
                Step::Delete => _ = files.remove(&name),
                Step::Rename(to) => {
                    if let Some(lines) = files.remove(&name) {
                        files.insert(format!("moved/{to}"), lines);
                    }
                }
                Step::Insert(place) => {
                    let lines = files.entry(name).or_default();
                    lines.insert((*place).min(lines.len()), line());
                }
                Step::Replace(place) | Step::Remove(place) => {
                    let Some(lines) = files.get_mut(&name) else { continue };
                    let Some(place) = place.checked_rem(lines.len()) else { continue };
                    match step {
                        Step::Replace(_) => lines[place] = line(),
                        _ => _ = lines.remove(place),
                    }
                }
            }
        }
        repo.git(&["rm", "-r", "-q", "--ignore-unmatch", "."]);
        files.iter().for_each(|(name, lines)| repo.write(name, &lines.concat()));
        shas.push(repo.commit("step"));
    }
    shas
}

/// Returns the tree of a patch that Git applies in a checkout.
fn applied(repo: &Repo, revision: &str, patch: &[u8]) -> String {
    repo.git(&["checkout", "-q", "-f", revision]);
    let text = std::str::from_utf8(patch).unwrap();
    git(&repo.path, &["apply", "--index", "--allow-empty", "-"], text);
    repo.git(&["write-tree"])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, rng_seed: RngSeed::Fixed(15), ..ProptestConfig::default() })]

    #[test]
    fn variants_match_the_trees_of_git(commits in prop::collection::vec(prop::collection::vec(step(), 1..5), 2..4), chosen: u64) {
        let repo = Repo::new();
        let shas = made(&repo, &commits);
        let own = |revision: &str| repo.git(&["rev-parse", &format!("{revision}^{{tree}}")]);
        let (base, next, first) = (&*shas[shas.len() - 2], &*shas[shas.len() - 1], &*shas[0]);
        let repository = repo.open();
        let before = snapshot(&repo.path);
        let options = VariantsOptions { folder: Some(repo.temp.join("variants")), ..VariantsOptions::default() };
        let variants = Variants::new(&repository, options).unwrap();
        let request = Request::Diff { from: base.into(), to: next.into() };
        let content = variants.read(&request, &|_| None).unwrap();
        prop_assert_eq!(&content, &repository.diff(base, next).unwrap());
        let patch = Patch::parse(&content).unwrap();
        let content = Content::new(&content).unwrap();
        let universes = |id| (id == 0).then(|| (request.clone(), content.clone()));
        let on = |revision: &str, changes: &[usize]| {
            let changes: ChangeSet = changes.iter().copied().collect();
            Target { revision: Some(revision.to_owned()), changes: Some(changes), universe: Some(0), ..Target::default() }
        };
        let all: Vec<usize> = (0..patch.len()).collect();
        let some: Vec<usize> = all.iter().copied().filter(|index| chosen >> (index % 64) & 1 == 1).collect();

        let part = variants.carried(&on(base, &some), &universes).unwrap();
        let whole = variants.carried(&on(base, &all), &universes).unwrap();
        let there = variants.carried(&on(next, &all), &universes).unwrap();
        let older = variants.carried(&on(first, &some), &universes);
        let between = Request::Diff { from: base.into(), to: on(base, &some) };
        prop_assert_eq!(&variants.read(&between, &universes).unwrap(), &part.patch);
        // A repeated request gives the same result.
        prop_assert_eq!(&variants.carried(&on(first, &some), &universes), &older);
        drop(variants);
        prop_assert_eq!(snapshot(&repo.path), before);

        // Some changes on their own base give the tree of `git apply`.
        prop_assert_eq!(&part.tree, &applied(&repo, base, patch.subset(&some).unwrap().as_bytes()));
        prop_assert_eq!(&part.tree, &applied(&repo, base, &part.patch));
        // All changes give the newer revision, and change nothing on it.
        prop_assert_eq!(&whole.tree, &own(next));
        prop_assert_eq!((&there.tree, there.patch.len()), (&own(next), 0));
        prop_assert_eq!(there.way, if all.is_empty() { Way::None } else { Way::Already });
        // Everywhere else, the patch creates the tree.
        match older {
            Ok(carried) => prop_assert_eq!(&carried.tree, &applied(&repo, first, &carried.patch)),
            Err(Error::PatchConflict { file, .. }) => prop_assert!(patch.files().any(|part| part.name() == file || part.old_path() == Some(file.as_bytes())), "{file}"),
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        }
    }
}
